//! A client at the host, with the verb that it waits for.

use std::time::Instant;

use crate::fault::Fault;
use crate::link::visitor::{Visit, Visitor};
use crate::session::Session;
use crate::sys::poll::Ready;
use crate::verb::{self, Facts, Progress, Reply, Task};
use crate::wire::{self, Answer};

use super::{spoken, status_of};

/// A client and what it waits for.
pub(super) struct Guest {
    pub(super) visitor: Visitor,
    task: Option<Box<dyn Task>>,
    look_again: Option<Instant>,
    answered: bool,
}

impl Guest {
    /// Lets a visitor in; that it was heard is said at once, however long its request is.
    pub(super) fn new(mut visitor: Visitor) -> Self {
        visitor.answer(&wire::answer(&Answer::Acknowledged));
        Self {
            visitor,
            task: None,
            look_again: None,
            answered: false,
        }
    }

    /// Hears what it asks; false when it is gone.
    pub(super) fn turn(
        &mut self,
        reply: Ready,
        session: &mut Session,
        facts: &mut Facts,
        now: Instant,
    ) -> bool {
        match self.visitor.turn(reply, now) {
            Visit::Left => false,
            Visit::Stays => true,
            Visit::Asked(line) => {
                match wire::read_request(&line) {
                    Err(fault) => self.answer(Err(fault)),
                    Ok(verb) => match status_of(facts, session, &verb, now) {
                        Some(reply) => self.answer(Ok(reply)),
                        None => self.task = Some(verb::begin(verb, session, now)),
                    },
                }
                true
            }
        }
    }

    /// Judges its verb once more; the answer when there is one.
    pub(super) fn poll(
        &mut self,
        session: &mut Session,
        now: Instant,
    ) -> Option<Result<Reply, Fault>> {
        match self.task.as_mut()?.poll(session, now) {
            Progress::Done(answer) => {
                self.task = None;
                Some(*answer)
            }
            Progress::Again(at) => {
                self.look_again = at;
                None
            }
        }
    }

    pub(super) fn answer(&mut self, answer: Result<Reply, Fault>) {
        self.look_again = None;
        self.answered = true;
        self.visitor.answer(&spoken(answer));
    }

    /// When it has to be looked at although nothing happened.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.look_again
            .into_iter()
            .chain(self.visitor.patience())
            .min()
    }

    /// Whether it has all of its answer.
    pub(super) fn is_served(&self) -> bool {
        self.answered && self.visitor.is_served()
    }

    /// Takes back what it waited for.
    pub(super) fn cancel(&mut self, session: &mut Session) {
        if let Some(task) = &mut self.task {
            task.cancel(session);
        }
    }
}
