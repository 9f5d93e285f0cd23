//! The look at all of a terminal's processes, and the answer that it comes to.

use std::time::Duration;

use rustix::io::Errno;

use super::act::{Act, On, Sought, act, is_long};
use super::call::Call;
use super::files::{Files, Seat};
use super::{Answer, Device, LONG, Probe, Pulse, Reason, Target};

/// A thread that waits for the terminal.
struct Waiter {
    pid: u32,
    call: Call,
    limit: Option<Duration>,
    network: bool,
}

/// What works: what is named where nothing waits.
struct Worker {
    rank: u8,
    pid: u32,
    call: Option<Call>,
}

/// What the threads of a terminal do.
#[derive(Default)]
struct Survey {
    /// The one that waits with the least doubt.
    waiter: Option<Waiter>,
    pulse: Vec<Pulse>,
    worker: Option<Worker>,
    /// A process that could not be looked at, and whether all such sleep.
    hidden: Option<u32>,
    awake: bool,
    hidden_pulse: Vec<Pulse>,
    opaque: Option<(u32, Call, Reason)>,
    /// Whether something works beside the one that waits.
    beside: bool,
}

pub(super) fn look(target: &Target<'_>) -> Probe {
    let mut files = Files::default();
    let Ok((seats, missed)) = walk(&mut files, target) else {
        return Probe::unknown(Reason::NoProc);
    };
    let here: Vec<Seat> = on(&seats, target.device.number);
    let group = target.foreground.unwrap_or(0);
    if !here.iter().any(|seat| seat.group == group) {
        return if missed {
            Probe::unknown(Reason::NoProc)
        } else {
            Probe::unknown(Reason::Nobody).because(Answer::Working, Reason::Nobody)
        };
    }
    let sought = Sought {
        device: target.device,
        patience: target.patience,
    };
    let survey = survey(&mut files, &here, group, sought);
    if survey.waiter.is_some() {
        let inner_works = inner_terminals(&seats, target.device.number)
            .into_iter()
            .any(|number| !inner_waits(&mut files, &seats, number));
        return waiting(survey, inner_works);
    }
    not_waiting(survey, target)
}

/// The processes that stand on a terminal, parents before their children; and whether some could
/// not be seen.
fn walk(files: &mut Files, target: &Target<'_>) -> Result<(Vec<Seat>, bool), Errno> {
    let mut queue = Vec::new();
    if target.root == target.program {
        queue.push(target.program);
    } else {
        for thread in Files::threads(target.root, u32::MAX) {
            files.children(target.root, thread, &mut queue)?;
        }
        queue.retain(|pid| !target.others.contains(pid));
    }
    let mut seats = Vec::new();
    let mut missed = false;
    while let Some(pid) = queue.pop() {
        let Some(seat) = files.seat(pid) else {
            missed = true;
            continue;
        };
        for thread in Files::threads(pid, seat.threads) {
            // It may end meanwhile; its children are then found from the root the next time.
            let _ = files.children(pid, thread, &mut queue);
        }
        if seat.terminal != 0 && !matches!(seat.state, b'Z' | b'X') {
            seats.push(seat);
        }
    }
    Ok((seats, missed))
}

fn on(seats: &[Seat], terminal: u64) -> Vec<Seat> {
    seats
        .iter()
        .filter(|seat| seat.terminal == terminal)
        .copied()
        .collect()
}

/// The other terminals that the session's processes have opened, as `script` and `tmux` do.
fn inner_terminals(seats: &[Seat], outer: u64) -> Vec<u64> {
    let mut numbers: Vec<u64> = seats.iter().map(|seat| seat.terminal).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.retain(|number| *number != outer);
    numbers
}

/// Whether the processes of an inner terminal wait for its input.
fn inner_waits(files: &mut Files, seats: &[Seat], number: u64) -> bool {
    let here = on(seats, number);
    let group = here.first().map_or(0, |seat| seat.foreground);
    let sought = Sought {
        device: Device { number, place: 0 },
        patience: None,
    };
    let survey = survey(files, &here, group, sought);
    survey.waiter.is_some() && waiting(survey, false).answer == Answer::Waiting { certain: true }
}

/// Looks at the threads of the processes of a terminal: those of its foreground group first, and the
/// others only if one of those waits.
fn survey(files: &mut Files, here: &[Seat], group: u32, sought: Sought) -> Survey {
    let mut survey = Survey::default();
    let mut acts = Vec::new();
    let (front, back): (Vec<&Seat>, Vec<&Seat>) = here.iter().partition(|seat| seat.group == group);
    for seat in front {
        for thread in Files::threads(seat.pid, seat.threads) {
            if let Some(act) = act(files, seat, thread, sought) {
                acts.push((seat.pid, act));
            }
        }
    }
    for (pid, act) in &acts {
        survey.note(*pid, act);
    }
    if survey.waiter.is_none() {
        return survey;
    }
    for seat in back {
        for thread in Files::threads(seat.pid, seat.threads) {
            if let Some(act) = act(files, seat, thread, sought) {
                acts.push((seat.pid, act));
            }
        }
    }
    let waits = |pid: u32| {
        acts.iter()
            .any(|(other, act)| *other == pid && matches!(act, Act::Waits { .. }))
    };
    survey.beside = acts.iter().any(|(pid, act)| match act {
        Act::Runs
        | Act::Opaque { .. }
        | Act::Hidden { asleep: false, .. }
        | Act::Blocked { on: On::Clock, .. } => true,
        Act::Blocked { on: On::World, .. } => !waits(*pid),
        Act::Waits { .. }
        | Act::Blocked { on: On::Peers, .. }
        | Act::Stopped
        | Act::Hidden { asleep: true, .. } => false,
    });
    for (pid, act) in &acts {
        if matches!(act, Act::Hidden { .. }) {
            survey.hidden = Some(*pid);
        }
    }
    survey
}

impl Survey {
    /// Notes what a thread of the foreground does.
    fn note(&mut self, pid: u32, act: &Act) {
        match act {
            Act::Waits {
                call,
                limit,
                network,
                pulse,
            } => {
                self.pulse.push(*pulse);
                let waiter = Waiter {
                    pid,
                    call: *call,
                    limit: *limit,
                    network: *network,
                };
                if self
                    .waiter
                    .as_ref()
                    .is_none_or(|known| waiter.has_no_doubt() && !known.has_no_doubt())
                {
                    self.waiter = Some(waiter);
                }
            }
            Act::Runs => self.works(4, pid, None),
            Act::Blocked { call, on } => {
                self.works(if *on == On::Peers { 2 } else { 3 }, pid, Some(*call));
            }
            Act::Stopped => self.works(1, pid, None),
            Act::Hidden { asleep, pulse } => {
                self.hidden = Some(pid);
                self.awake |= !asleep;
                self.hidden_pulse.extend(pulse);
            }
            Act::Opaque { call, reason } => self.opaque = Some((pid, *call, *reason)),
        }
    }

    /// Of several that work the last is named, which is a child of those before.
    fn works(&mut self, rank: u8, pid: u32, call: Option<Call>) {
        if self.worker.as_ref().is_none_or(|known| rank >= known.rank) {
            self.worker = Some(Worker { rank, pid, call });
        }
    }
}

impl Waiter {
    fn has_no_doubt(&self) -> bool {
        is_long(self.limit) && !self.network
    }
}

/// The answer where a thread waits.
fn waiting(survey: Survey, inner_works: bool) -> Probe {
    let Some(waiter) = survey.waiter else {
        return Probe::unknown(Reason::Nobody);
    };
    let (certain, reason) = if !is_long(waiter.limit) {
        (false, Reason::ShortTimeout)
    } else if survey.beside || inner_works {
        (false, Reason::Beside)
    } else if survey.hidden.is_some() {
        (false, Reason::BesideUnreadable)
    } else if waiter.network {
        (false, Reason::Network)
    } else {
        (true, Reason::Blocked)
    };
    Probe {
        answer: Answer::Waiting { certain },
        reason,
        process: Some(waiter.pid),
        call: Some(waiter.call.name()),
        turn: waiter.limit.filter(|limit| *limit < LONG),
        pulse: survey.pulse,
    }
}

/// The answer where none does.
fn not_waiting(survey: Survey, target: &Target<'_>) -> Probe {
    let nothing = Probe::unknown(Reason::Nobody);
    if let Some((pid, call, reason)) = survey.opaque {
        return Probe {
            reason,
            process: Some(pid),
            call: Some(call.name()),
            ..nothing
        };
    }
    let runs = survey
        .worker
        .as_ref()
        .is_some_and(|worker| worker.rank == 4);
    if let Some(pid) = survey.hidden {
        let asks = target.hides && !survey.awake && !runs;
        return Probe {
            answer: if asks {
                Answer::Waiting { certain: false }
            } else {
                Answer::Unknown
            },
            reason: if asks {
                Reason::NoEcho
            } else {
                Reason::Unreadable
            },
            process: Some(pid),
            pulse: survey.hidden_pulse,
            ..nothing
        };
    }
    let Some(worker) = survey.worker else {
        // Everything ended while it was looked at.
        return nothing.because(Answer::Working, Reason::Nobody);
    };
    Probe {
        answer: Answer::Working,
        reason: match worker.rank {
            4 => Reason::Runs,
            1 => Reason::Stopped,
            _ => Reason::Elsewhere,
        },
        process: Some(worker.pid),
        call: worker.call.map(|call| call.name()),
        ..nothing
    }
}
