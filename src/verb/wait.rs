//! `wait`: until a condition holds.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::fault::{Fault, Kind};
use crate::session::Session;
use crate::sys::child::Ended;
use crate::wait::{Condition, Evidence, Seen, Verdict, judge};

use super::{Limit, Progress, Reply, Task, report};

/// What is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// It is the user's turn.
    #[default]
    Ready,
    /// The screen unchanged for so many milliseconds.
    Settle(u64),
    /// Nothing printed for so many milliseconds.
    Idle(u64),
    /// The end of the program.
    Exit,
    /// The screen past this revision.
    Change(u64),
}

/// What `wait` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// What is waited for.
    pub until: Until,
    /// How long at most; 30 s unless given.
    pub timeout: Option<Limit>,
}

/// The wait is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waited {
    /// What ended it.
    pub evidence: Evidence,
    /// Whether the evidence leaves no doubt.
    pub certain: bool,
    /// Milliseconds from the last byte to the verdict.
    pub quiet_ms: u64,
    /// The screen's revision.
    pub revision: u64,
    /// The program's exit code, if it has exited.
    pub exit_code: Option<i32>,
    /// The signal that ended the program, if one did.
    pub signal: Option<i32>,
    /// Whether the end of the program was what was waited for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub for_exit: bool,
}

impl Until {
    fn condition(self) -> Condition {
        match self {
            Self::Ready => Condition::Ready,
            Self::Settle(ms) => Condition::Settle(Duration::from_millis(ms)),
            Self::Idle(ms) => Condition::Idle(Duration::from_millis(ms)),
            Self::Exit => Condition::Exit,
            Self::Change(revision) => Condition::Change(revision),
        }
    }
}

/// What a session looks like to a judge.
pub(super) fn seen(session: &mut Session, now: Instant) -> Seen {
    let (revision, changed) = {
        let revisions = session.revisions(now);
        (revisions.current(), revisions.changed())
    };
    Seen {
        began: session.began(),
        output: session.last_output(),
        changed,
        acted: session.last_input(),
        revision,
        in_frame: session.screen().synchronized(),
        ended: session.ended().is_some(),
        over: session.is_over(),
    }
}

impl Wait {
    pub(super) fn begin(self, now: Instant) -> Box<dyn Task> {
        let limit = self.timeout.unwrap_or_default();
        Box::new(Waiting {
            until: self.until,
            limit,
            deadline: limit.deadline(now),
        })
    }
}

struct Waiting {
    until: Until,
    limit: Limit,
    deadline: Option<Instant>,
}

impl Task for Waiting {
    fn poll(&mut self, session: &mut Session, now: Instant) -> Progress {
        let seen = seen(session, now);
        match judge(self.until.condition(), &seen, now) {
            Verdict::Met(evidence) => {
                let quiet = now.saturating_duration_since(seen.output.unwrap_or(seen.began));
                let (exit_code, signal) = codes(session);
                Progress::done(Ok(Reply::Waited(Waited {
                    evidence,
                    certain: evidence != Evidence::Settled,
                    quiet_ms: u64::try_from(quiet.as_millis()).unwrap_or(u64::MAX),
                    revision: seen.revision,
                    exit_code,
                    signal,
                    for_exit: self.until == Until::Exit,
                })))
            }
            Verdict::NotYet(again) => {
                if self.deadline.is_some_and(|deadline| now >= deadline) {
                    return Progress::done(Err(self.missed(session)));
                }
                Progress::Again(again.into_iter().chain(self.deadline).min())
            }
        }
    }
}

impl Waiting {
    fn missed(&self, session: &Session) -> Fault {
        let wanted = match self.until {
            Until::Ready => "the program was not ready".to_owned(),
            Until::Settle(ms) => format!("the screen was never unchanged for {ms} ms"),
            Until::Idle(ms) => format!("the program was never silent for {ms} ms"),
            Until::Exit => "the program did not end".to_owned(),
            Until::Change(revision) => {
                format!("the screen did not change after revision {revision}")
            }
        };
        Fault::new(Kind::Timeout, format!("{wanted} within {}", self.limit))
            .hint("--timeout waits longer")
            .report(report::of(session, None))
    }
}

/// The program's exit code and signal, as far as there are any.
pub(super) fn codes(session: &Session) -> (Option<i32>, Option<i32>) {
    match session.ended() {
        Some((Ended::Exited(code), _)) => (Some(code), None),
        Some((Ended::Killed(signal), _)) => (None, Some(signal)),
        None => (None, None),
    }
}
