//! The end of a program and of what it started: asked, then made, in rounds until none is left.

use std::time::{Duration, Instant};

use crate::sys::process::{self, Process};

/// How long what was killed may take to vanish before it is listed as left.
const VANISH: Duration = Duration::from_secs(2);

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

/// An ending under way.
#[derive(Debug)]
pub(super) struct Ending {
    scope: Scope,
    root: u32,
    program: u32,
    kill_at: Instant,
    give_up_at: Option<Instant>,
    asked: bool,
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
    /// Begins to end `program` (which may have ended already) and what descends from `root`.
    pub(super) fn begin(
        scope: Scope,
        root: u32,
        program: u32,
        grace: Duration,
        now: Instant,
    ) -> Self {
        Self {
            scope,
            root,
            program,
            kill_at: now + grace,
            give_up_at: None,
            asked: false,
            seen: Vec::new(),
        }
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
            ask(&there);
        }
        let look = now + LOOK_AGAIN;
        Stage::Going(if now < self.kill_at {
            look.min(self.kill_at)
        } else {
            look
        })
    }

    fn targets(&self) -> Vec<Process> {
        let mut found = process::descendants(self.root);
        if self.root != self.program
            && !found.iter().any(|process| process.pid == self.program)
            && let Some(program) =
                process::look(self.program).filter(|program| program.session == self.program)
        {
            found.push(program);
        }
        match self.scope {
            Scope::All => found,
            Scope::Terminal => {
                found.retain(|process| process.session == self.program);
                found
            }
        }
    }
}

/// TERM and HUP (and CONT, for what is stopped) to every process group that is among the targets.
fn ask(there: &[Process]) {
    let mut groups: Vec<u32> = there.iter().map(|process| process.group).collect();
    groups.sort_unstable();
    groups.dedup();
    for signal in [process::TERM, process::HUP, process::CONT] {
        for group in &groups {
            process::signal_group(*group, signal);
        }
    }
}

fn same(one: &Process, other: &Process) -> bool {
    one.pid == other.pid && one.started == other.started
}
