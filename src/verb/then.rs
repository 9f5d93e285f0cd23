//! What `send` and `key` do after typing, in the same call: wait for a pattern, wait until the
//! program is ready, show the screen.

use std::collections::VecDeque;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::session::Session;

use super::{Expect, Limit, Matched, Progress, Reply, Show, Shown, Task, Wait, Waited};

/// What follows the typing, in this order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Then {
    /// Waits for a pattern.
    pub expect: Option<Expect>,
    /// Waits until the program is ready.
    pub wait: bool,
    /// Shows the screen.
    pub screen: Option<Show>,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct After {
    /// The match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<Box<Matched>>,
    /// The end of the wait; its fields stand beside those of the typing.
    #[serde(rename = "", skip_serializing_if = "Option::is_none")]
    pub waited: Option<Waited>,
    /// The screen.
    #[serde(rename = "screen", skip_serializing_if = "Option::is_none")]
    pub shown: Option<Box<Shown>>,
}

/// It under way.
pub(super) struct Following {
    steps: VecDeque<Box<dyn Task>>,
    after: After,
}

impl Then {
    /// Makes ready what follows; all of it together with the typing has until `timeout`.
    pub(super) fn begin(
        self,
        session: &mut Session,
        timeout: Option<Limit>,
        now: Instant,
    ) -> Result<Following, Fault> {
        let mut steps: VecDeque<Box<dyn Task>> = VecDeque::new();
        if let Some(expect) = self.expect {
            steps.push_back(Expect { timeout, ..expect }.begin(session, now)?);
        }
        if self.wait {
            let wait = Wait {
                timeout,
                ..Wait::default()
            };
            steps.push_back(Box::new(wait.begin(now)));
        }
        if let Some(show) = self.screen {
            steps.push_back(Box::new(show));
        }
        Ok(Following {
            steps,
            after: After::default(),
        })
    }
}

impl Following {
    /// Goes on with it; what came of it when all is done.
    pub(super) fn poll(
        &mut self,
        session: &mut Session,
        now: Instant,
    ) -> Result<Option<After>, Progress> {
        if self.steps.is_empty() {
            return Ok(None);
        }
        while let Some(step) = self.steps.front_mut() {
            match step.poll(session, now) {
                Progress::Done(answer) => match *answer {
                    Ok(reply) => self.note(reply),
                    Err(fault) => return Err(Progress::done(Err(fault))),
                },
                again @ Progress::Again(_) => return Err(again),
            }
            self.steps.pop_front();
        }
        Ok(Some(std::mem::take(&mut self.after)))
    }

    fn note(&mut self, reply: Reply) {
        match reply {
            Reply::Matched(matched) => self.after.matched = Some(matched),
            Reply::Waited(waited) => self.after.waited = Some(waited),
            Reply::Shown(shown) => self.after.shown = Some(shown),
            // No step answers anything else.
            _ => {}
        }
    }
}

impl Task for Show {
    fn poll(&mut self, session: &mut Session, now: Instant) -> Progress {
        Progress::done(self.perform(session, now))
    }
}
