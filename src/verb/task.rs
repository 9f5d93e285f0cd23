//! A verb at work: judged again whenever something happened.

use std::time::Instant;

use crate::fault::Fault;
use crate::session::Session;

use super::Reply;

/// How far a task is.
#[derive(Debug)]
pub enum Progress {
    /// It has its answer.
    Done(Box<Result<Reply, Fault>>),
    /// Not yet: judge again when something happened, at this instant at the latest.
    Again(Option<Instant>),
}

impl Progress {
    /// The task is done with this answer.
    pub fn done(answer: Result<Reply, Fault>) -> Self {
        Self::Done(Box::new(answer))
    }
}

/// A verb at work on a session.
pub trait Task {
    /// Judges once more. Must not block.
    fn poll(&mut self, session: &mut Session, now: Instant) -> Progress;

    /// The asker is gone: take back what can be taken back.
    fn cancel(&mut self, _session: &mut Session) {}
}

/// A task that has its answer already.
pub(super) fn done(reply: Reply) -> Box<dyn Task> {
    Box::new(Known(Ok(reply)))
}

/// A task that has failed already.
pub(super) fn failed(fault: Fault) -> Box<dyn Task> {
    Box::new(Known(Err(fault)))
}

struct Known(Result<Reply, Fault>);

impl Task for Known {
    fn poll(&mut self, _: &mut Session, _: Instant) -> Progress {
        Progress::done(self.0.clone())
    }
}
