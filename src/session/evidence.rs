//! What the kernel says of the program's waiting, and how much of it can be believed.
//!
//! It is asked only while somebody waits: soon after a burst of output or an act, then less and less
//! often. A verdict asks once more when all output has been read. Directly after a write the kernel
//! still shows the reader blocked, so a write voids the evidence until a thread waits that did not
//! wait before, or that has been awake since.

use std::time::{Duration, Instant};

use crate::sys::probe::{self, Answer, Probe, Pulse, Reason, Target};
use crate::wait::Input;

use super::Session;

/// How long after a burst it is asked first, and then twice as long each time.
const FIRST: Duration = Duration::from_millis(1);

/// How long at most between two questions.
const MOST: Duration = Duration::from_millis(50);

/// How long a reader may leave what was typed before it is believed, with doubt, that it wants more:
/// in canonical mode it sees nothing of a line that is not finished.
const UNTAKEN: Duration = Duration::from_millis(50);

/// More than one write can take: what follows it is written later, and is looked at then.
const WRITE_MAX: usize = 64 * 1024;

/// What is known, when it is asked again, and what a write has made doubtful.
#[derive(Debug)]
pub(super) struct Evidence {
    /// Whether the kernel is asked at all.
    on: bool,
    known: Option<Probe>,
    /// The last burst of output or act before which everything is old.
    burst: Option<Instant>,
    next: Option<Instant>,
    pause: Duration,
    written: Option<Written>,
}

/// The last write: when it was, and who waited just before it.
#[derive(Debug)]
struct Written {
    at: Instant,
    before: Vec<Pulse>,
}

impl Evidence {
    pub(super) fn new(on: bool) -> Self {
        Self {
            on,
            known: None,
            burst: None,
            next: None,
            pause: FIRST,
            written: None,
        }
    }

    /// Forgets what is known: it is asked again at `next`.
    fn start_over(&mut self, next: Option<Instant>) {
        self.known = None;
        self.pause = FIRST;
        self.next = next;
    }

    /// Notes an answer, and when the next question is due.
    fn learn(&mut self, probe: Probe, now: Instant) {
        self.known = Some(probe);
        self.next = Some(now + self.pause);
        self.pause = MOST.min(self.pause * 2);
    }

    /// What a write leaves of an answer.
    fn weigh(&self, probe: Probe, now: Instant) -> Probe {
        let (Answer::Waiting { .. }, Some(written)) = (probe.answer, &self.written) else {
            return probe;
        };
        let is_new = |pulse: &Pulse| {
            let before = written
                .before
                .iter()
                .find(|before| before.thread == pulse.thread);
            before.is_none_or(|before| pulse.switches > before.switches)
        };
        if probe.pulse.iter().any(is_new) {
            return probe;
        }
        let answer = if now < written.at + UNTAKEN {
            Answer::Working
        } else {
            Answer::Waiting { certain: false }
        };
        probe.because(answer, Reason::NotTakenYet)
    }
}

impl Session {
    /// The kernel is not asked: whether the program waits is unknown from now on.
    pub fn ask_nothing(&mut self) {
        self.evidence = Evidence::new(false);
    }

    /// Whether the program waits for input, by a fresh look.
    pub fn waiting(&self, now: Instant) -> Probe {
        let probe = self.look();
        if matches!(probe.answer, Answer::Waiting { .. }) && !self.outgoing.is_empty() {
            return probe.because(Answer::Working, Reason::NotTakenYet);
        }
        self.evidence.weigh(probe, now)
    }

    /// Whether the program waits for input, asked again if that is due; and when it will be due.
    pub fn input(&mut self, now: Instant) -> (Input, Option<Instant>) {
        let burst = self.last_output.max(self.last_input);
        if self.evidence.burst != burst {
            self.evidence.burst = burst;
            self.evidence.start_over(burst.map(|burst| burst + FIRST));
        }
        if self.evidence.next.is_none_or(|next| now >= next) {
            let probe = self.waiting(now);
            self.evidence.learn(probe, now);
        }
        let input = match &self.evidence.known {
            None => Input::Unasked,
            Some(probe) => match probe.answer {
                Answer::Waiting { certain } => Input::Waiting {
                    certain,
                    turn: probe.turn,
                },
                Answer::Working => Input::Working,
                Answer::Unknown => Input::Unknown,
            },
        };
        (input, self.evidence.next)
    }

    /// Whether what [`Session::input`] said last still holds when all output has been read.
    ///
    /// # Errors
    /// It does not: when it is asked again.
    pub fn confirm(&mut self, now: Instant) -> Result<(), Option<Instant>> {
        let Some(first) = self.evidence.known.take() else {
            return Err(self.evidence.next);
        };
        let printed = self.offset();
        // What goes wrong here goes wrong again in the next turn, which tells it.
        let read = self.take_in(now);
        if read.is_err() || self.offset() != printed {
            return Err(self.evidence.next);
        }
        let again = self.waiting(now);
        let rests = matches!(again.answer, Answer::Waiting { certain: true })
            || again.reason == Reason::NoEcho;
        let holds = again.answer == first.answer && (!rests || again.pulse == first.pulse);
        if !holds {
            self.evidence.start_over(None);
        }
        self.evidence.learn(again, now);
        if holds {
            Ok(())
        } else {
            Err(self.evidence.next)
        }
    }

    /// Why the last answer is what it is.
    pub fn reason(&self) -> Option<Reason> {
        self.evidence.known.as_ref().map(|probe| probe.reason)
    }

    /// Who waits just before so many bytes are written; none where that need not be known.
    pub(super) fn before_write(&self, bytes: usize) -> Option<Vec<Pulse>> {
        (self.evidence.on && bytes <= WRITE_MAX).then(|| self.look().pulse)
    }

    /// Bytes have been written: what was known is void.
    pub(super) fn after_write(&mut self, before: Option<Vec<Pulse>>, now: Instant) {
        self.evidence.start_over(Some(now + FIRST));
        if let Some(before) = before {
            self.evidence.written = Some(Written { at: now, before });
        }
    }

    /// A look, taken as it is.
    fn look(&self) -> Probe {
        if !self.evidence.on {
            return Probe::unknown(Reason::Off);
        }
        let Some(master) = self.master.as_ref().filter(|_| self.ended.is_none()) else {
            return Probe::unknown(Reason::Ended);
        };
        let mode = master.discipline().ok();
        probe::look(&Target {
            device: master.device(),
            foreground: master.foreground(),
            program: self.child.pid(),
            root: self.family.root,
            others: &self.family.others,
            patience: mode.and_then(|mode| mode.patience),
            hides: mode.is_some_and(|mode| mode.canonical && !mode.echo),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn waits(thread: u32, switches: u64) -> Probe {
        Probe {
            answer: Answer::Waiting { certain: true },
            pulse: vec![Pulse { thread, switches }],
            ..Probe::unknown(Reason::Blocked)
        }
    }

    fn written(now: Instant) -> Evidence {
        Evidence {
            written: Some(Written {
                at: now,
                before: waits(7, 3).pulse,
            }),
            ..Evidence::new(true)
        }
    }

    #[test]
    fn a_write_voids_the_evidence_until_the_reader_has_been_awake() {
        let now = Instant::now();
        let evidence = written(now);
        let still = evidence.weigh(waits(7, 3), now + MS);
        assert_eq!(
            (still.answer, still.reason),
            (Answer::Working, Reason::NotTakenYet)
        );
        assert_eq!(evidence.weigh(waits(7, 4), now + MS), waits(7, 4));
        assert_eq!(evidence.weigh(waits(8, 1), now + MS), waits(8, 1));
    }

    #[test]
    fn a_reader_that_does_not_move_is_believed_with_doubt() {
        let now = Instant::now();
        let late = written(now).weigh(waits(7, 3), now + UNTAKEN);
        assert_eq!(late.answer, Answer::Waiting { certain: false });
    }

    #[test]
    fn it_is_asked_less_and_less_often() {
        let mut now = Instant::now();
        let mut evidence = Evidence::new(true);
        let mut pauses = Vec::new();
        for _ in 0..8 {
            evidence.learn(waits(1, 1), now);
            let next = evidence.next.expect("it is asked again");
            pauses.push((next - now).as_millis());
            now = next;
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 50, 50]);
    }
}
