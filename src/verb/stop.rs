//! `stop` and `close`: the end of a program, and of its session.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::fault::{Fault, Kind};
use crate::session::{Scope, Session};
use crate::sys::process::Process;

use super::{Progress, Reply, Task, wait};

/// How long a program may take to end by itself unless told otherwise.
pub const GRACE: Duration = Duration::from_secs(2);

/// What `stop` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// Milliseconds that the program has to end by itself; 2 s unless given.
    pub grace_ms: Option<u64>,
}

/// What `close` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Close {
    /// Refuse where the program still runs: for whoever wants the name and nothing else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
}

/// A process that was ended, or could not be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// Its number.
    pub pid: u32,
    /// Its command line.
    pub command: String,
}

/// The program has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stopped {
    /// `exited` or `killed`, or `lost`.
    pub status: String,
    /// The program's exit code, if it exited.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// What was ended with it.
    pub ended: Vec<Ended>,
    /// What could not be ended.
    pub left: Vec<Ended>,
    /// Daemons that the program started, which stay.
    #[serde(default)]
    pub stayed: Vec<Ended>,
}

/// The session is gone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Closed {
    /// How the program ended.
    #[serde(rename = "")]
    pub stopped: Stopped,
}

impl Stop {
    pub(super) fn begin(self, session: &mut Session, now: Instant) -> Box<dyn Task> {
        let grace = self.grace_ms.map_or(GRACE, Duration::from_millis);
        session.end(Scope::All, grace, now);
        Box::new(Stopping { close: false })
    }
}

impl Close {
    pub(super) fn begin(self, session: &mut Session, now: Instant) -> Result<Box<dyn Task>, Fault> {
        if self.ended && session.ended().is_none() {
            return Err(Fault::new(Kind::NameTaken, "the session is live"));
        }
        session.end(Scope::Terminal, GRACE, now);
        Ok(Box::new(Stopping { close: true }))
    }
}

struct Stopping {
    close: bool,
}

impl Task for Stopping {
    fn poll(&mut self, session: &mut Session, _now: Instant) -> Progress {
        // The session turns its own ending and wakes whoever waits; the last output belongs to it.
        let Some((ended, left)) = session.end_report() else {
            return Progress::Again(session.look_again());
        };
        let (ended, left) = (named(ended), named(left));
        let (exit_code, signal) = wait::codes(session);
        if exit_code.is_none() && signal.is_none() && left.is_empty() {
            return Progress::done(Err(Fault::new(
                Kind::Internal,
                "the program did not end although it was killed",
            )));
        }
        let stopped = Stopped {
            status: if exit_code.is_some() {
                "exited"
            } else {
                "killed"
            }
            .to_owned(),
            exit_code,
            signal,
            ended,
            left,
            stayed: named(&session.daemons()),
        };
        Progress::done(Ok(if self.close {
            Reply::Closed(Closed { stopped })
        } else {
            Reply::Stopped(stopped)
        }))
    }
}

fn named(processes: &[Process]) -> Vec<Ended> {
    processes
        .iter()
        .map(|process| Ended {
            pid: process.pid,
            command: process.command.clone(),
        })
        .collect()
}
