//! `wait`: until a condition holds.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::fault::{Fault, Kind};
use crate::session::Session;
use crate::sys::child::Ended;
use crate::wait::{Condition, Evidence, Input, Seen, Verdict, judge};

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
    /// Rows whose changes do not count: clocks, spinners.
    #[serde(default)]
    pub ignore_rows: Vec<Range<u16>>,
    /// Ready: a screen that has not changed for so many milliseconds will do while the program works.
    #[serde(default)]
    pub still_ms: Option<u64>,
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
    /// What the doubt is, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
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

impl Wait {
    fn condition(&self) -> Condition {
        match self.until {
            Until::Ready => Condition::Ready {
                still: self.still_ms.map(Duration::from_millis),
            },
            Until::Settle(ms) => Condition::Settle(Duration::from_millis(ms)),
            Until::Idle(ms) => Condition::Idle(Duration::from_millis(ms)),
            Until::Exit => Condition::Exit,
            Until::Change(revision) => Condition::Change(revision),
        }
    }

    pub(super) fn begin(self, now: Instant) -> Waiting {
        let limit = self.timeout.unwrap_or_default();
        Waiting {
            wait: self,
            limit,
            deadline: limit.deadline(now),
        }
    }
}

/// What a session looks like to a judge that does not ask the kernel.
pub(super) fn seen(session: &mut Session, ignored: &[Range<u16>], now: Instant) -> Seen {
    let (revision, changed) = session.revisions(now).outside(ignored);
    Seen {
        began: session.began(),
        output: session.last_output(),
        changed,
        acted: session.last_input(),
        revision,
        in_frame: session.screen().synchronized(),
        ended: session.ended().is_some(),
        over: session.is_over(),
        input: Input::Unasked,
        look: None,
    }
}

/// A wait under way.
pub(super) struct Waiting {
    wait: Wait,
    limit: Limit,
    deadline: Option<Instant>,
}

impl Task for Waiting {
    fn poll(&mut self, session: &mut Session, now: Instant) -> Progress {
        let again = match self.judge(session, now) {
            Ok(waited) => return Progress::done(Ok(Reply::Waited(waited))),
            Err(again) => again,
        };
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Progress::done(Err(self.missed(session, now)));
        }
        Progress::Again(again.into_iter().chain(self.deadline).min())
    }
}

impl Waiting {
    /// What ended the wait, or when to judge again.
    pub(super) fn judge(
        &self,
        session: &mut Session,
        now: Instant,
    ) -> Result<Waited, Option<Instant>> {
        let mut seen = seen(session, &self.wait.ignore_rows, now);
        let condition = self.wait.condition();
        let asks = matches!(condition, Condition::Ready { .. });
        if asks {
            (seen.input, seen.look) = session.input(now);
        }
        let evidence = match judge(condition, &seen, now) {
            Verdict::NotYet(again) => return Err(again),
            Verdict::Met(Evidence::Input) => {
                session.confirm(now)?;
                Evidence::Input
            }
            Verdict::Met(evidence) => evidence,
        };
        let quiet = now.saturating_duration_since(seen.output.unwrap_or(seen.began));
        let (exit_code, signal) = codes(session);
        let certain = match evidence {
            Evidence::Input => matches!(seen.input, Input::Waiting { certain: true, .. }),
            Evidence::Settled => false,
            _ => true,
        };
        let reason = session.reason().filter(|_| asks && !certain);
        Ok(Waited {
            evidence,
            certain,
            reason: reason.map(|reason| reason.to_string()),
            quiet_ms: u64::try_from(quiet.as_millis()).unwrap_or(u64::MAX),
            revision: session.revisions(now).current(),
            exit_code,
            signal,
            for_exit: self.wait.until == Until::Exit,
        })
    }

    fn missed(&self, session: &Session, now: Instant) -> Fault {
        let limit = self.limit;
        let message = match self.wait.until {
            Until::Ready => {
                let doing = report::doing(session, now);
                format!("the program was not ready within {limit}: {doing}")
            }
            Until::Settle(ms) => {
                format!("the screen was never unchanged for {ms} ms within {limit}")
            }
            Until::Idle(ms) => format!("the program was never silent for {ms} ms within {limit}"),
            Until::Exit => format!("the program did not end within {limit}"),
            Until::Change(revision) => {
                format!("the screen did not change after revision {revision} within {limit}")
            }
        };
        Fault::new(Kind::Timeout, message)
            .hint("--timeout waits longer")
            .report(report::of(session, None, now))
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
