//! The end of a program and of what it started: asked, then made, in rounds until none is left.

use std::time::{Duration, Instant};

use crate::sys::process::{self, Process};

/// How long what was killed may take to vanish before it is listed as left.
const VANISH: Duration = Duration::from_secs(2);

/// How long TERM has before HUP follows: a handler for the one is not cut short by the default of the
/// other, and shells, which ignore the one, end by the other.
const BREATH: Duration = Duration::from_millis(100);

/// How soon the processes are looked at again, for deaths that nothing tells of.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Which processes are ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of the terminal or of the program's process session. What made itself a session of its
    /// own is a daemon that somebody wanted.
    Terminal,
    /// Every descendant.
    All,
}

/// Whose processes are meant.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// All that descends from this process, itself left out.
    pub(super) root: u32,
    /// Less these children of it, which were there before the program.
    pub(super) others: Vec<u32>,
    /// The program: the number of its process session, for as long as one of that is left.
    pub(super) program: u32,
    /// Whether the program itself is there: once it is reaped, its number may be anybody's.
    pub(super) alive: bool,
}

/// An ending under way.
#[derive(Debug)]
pub(super) struct Ending {
    scope: Scope,
    family: Family,
    kill_at: Instant,
    give_up_at: Option<Instant>,
    asked: bool,
    hang_up_at: Option<Instant>,
    seen: Vec<Process>,
}

/// How far an ending is.
#[derive(Debug)]
pub(super) enum Stage {
    /// Look again then, or when a child ends.
    Going(Instant),
    /// It is over: what was ended, and what could not be.
    Over {
        /// Processes that were there when it began, or came meanwhile, and are gone.
        ended: Vec<Process>,
        /// Processes that may not be signalled or do not vanish.
        left: Vec<Process>,
    },
}

impl Ending {
    /// Begins to end what `scope` means of `family`.
    pub(super) fn begin(scope: Scope, family: Family, grace: Duration, now: Instant) -> Self {
        Self {
            scope,
            family,
            kill_at: now + grace,
            give_up_at: None,
            asked: false,
            hang_up_at: None,
            seen: Vec::new(),
        }
    }

    /// The same ending, with what another one would end as well, and no later.
    pub(super) fn join(&mut self, scope: Scope, grace: Duration, now: Instant) {
        if scope == Scope::All && self.scope == Scope::Terminal {
            self.scope = scope;
            self.asked = false;
        }
        self.kill_at = self.kill_at.min(now + grace);
    }

    /// The program has been reaped.
    pub(super) fn program_is_gone(&mut self) {
        self.family.alive = false;
    }

    /// Looks at what is still there and asks or makes it end.
    pub(super) fn turn(&mut self, now: Instant) -> Stage {
        let there = self.targets();
        for process in &there {
            if !self.seen.iter().any(|seen| same(seen, process)) {
                self.seen.push(process.clone());
            }
        }
        let over = there.is_empty() || self.give_up_at.is_some_and(|at| now >= at);
        if over {
            let (left, ended) = std::mem::take(&mut self.seen)
                .into_iter()
                .partition(|seen| there.iter().any(|process| same(seen, process)));
            return Stage::Over { ended, left };
        }
        if now >= self.kill_at {
            self.give_up_at.get_or_insert(now + VANISH);
            for process in &there {
                process::signal(process.pid, process::KILL);
            }
        } else if !self.asked {
            self.asked = true;
            self.hang_up_at = Some(now + BREATH);
            // CONT, so that what is stopped hears it.
            ask(&there, &[process::TERM, process::CONT]);
        } else if self.hang_up_at.is_some_and(|at| now >= at) {
            self.hang_up_at = None;
            ask(&there, &[process::HUP, process::CONT]);
        }
        let look = now + LOOK_AGAIN;
        Stage::Going(if now < self.kill_at {
            look.min(self.kill_at)
        } else {
            look
        })
    }

    fn targets(&self) -> Vec<Process> {
        let mut found = self.family.living();
        if self.scope == Scope::Terminal {
            found.retain(|process| process.session == self.family.program);
        }
        found
    }
}

impl Family {
    /// Who of it lives.
    pub(super) fn living(&self) -> Vec<Process> {
        let mut found = process::descendants(self.root, &self.others);
        let known = found.iter().any(|process| process.pid == self.program);
        if self.alive && !known {
            found.extend(process::look(self.program));
        }
        found
    }
}

/// Signals every process group that is among the targets.
fn ask(there: &[Process], signals: &[i32]) {
    let mut groups: Vec<u32> = there.iter().map(|process| process.group).collect();
    groups.sort_unstable();
    groups.dedup();
    groups.retain(|group| *group != process::own_group());
    for signal in signals {
        for group in &groups {
            process::signal_group(*group, *signal);
        }
    }
}

fn same(one: &Process, other: &Process) -> bool {
    one.pid == other.pid && one.started == other.started
}
