//! Where an order goes.

use std::time::Instant;

use crate::fault::Fault;
use crate::session::Session;
use crate::sys::{clock, poll};

use super::{Name, Order, Progress, Reply, Verb, begin};

/// Something that carries out orders: the client of the sessions' hosts, or a session in this process.
pub trait Driver {
    /// Carries out `order` and waits for its answer. Gives the session that it was about, where it
    /// was about one.
    fn perform(&mut self, order: Order) -> Result<(Option<Name>, Reply), Fault>;
}

/// A session in this process.
#[derive(Debug)]
pub struct Local {
    session: Session,
}

impl Local {
    /// The driver of `session`.
    pub fn new(session: Session) -> Self {
        Self { session }
    }

    /// The session.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Waits until something happens, or `deadline`, and takes it in.
    ///
    /// # Errors
    /// When the terminal fails.
    pub fn turn(&mut self, deadline: Option<Instant>) -> Result<(), Fault> {
        let deadline = if self.session.has_more() {
            Some(clock::now())
        } else {
            deadline.into_iter().chain(self.session.look_again()).min()
        };
        let watched = self.session.watched();
        let waited = poll::wait(&watched, deadline);
        drop(watched);
        waited
            .and_then(|_| self.session.turn(clock::now()))
            .map_err(|error| Fault::internal(format!("the terminal failed: {error}")))
    }
}

impl Driver for Local {
    fn perform(&mut self, order: Order) -> Result<(Option<Name>, Reply), Fault> {
        self.call(order.verb).map(|reply| (None, reply))
    }
}

impl Local {
    /// Carries out a verb and waits for its answer.
    ///
    /// # Errors
    /// The verb's own.
    pub fn call(&mut self, verb: Verb) -> Result<Reply, Fault> {
        let mut task = begin(verb, &mut self.session, clock::now());
        loop {
            match task.poll(&mut self.session, clock::now()) {
                Progress::Done(answer) => return *answer,
                Progress::Again(deadline) => self.turn(deadline)?,
            }
        }
    }
}
