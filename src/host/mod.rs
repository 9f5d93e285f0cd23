//! The long-lived end: one session, one poll loop, many clients.
//!
//! The host always drains its program; a client that is slow, silent or dead costs it nothing. No
//! timer runs and nothing wakes it while nothing is waited for.

mod birth;
mod guest;

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use crate::fault::Fault;
use crate::link::place::Place;
use crate::link::visitor::{Bell, VISITORS_MAX};
use crate::session::Session;
use crate::sys::child;
use crate::sys::dir::Lock;
use crate::sys::poll::{self, Interest, Ready};
use crate::sys::signal::Signals;
use crate::sys::{clock, process};
use crate::verb::{Facts, GRACE, Name, Reply, Verb};
use crate::wire;

use guest::Guest;

pub use birth::main;

/// How long those who are still being served keep a host whose session is forgotten.
const SERVED: Duration = Duration::from_secs(5);

/// One session and those who ask for it.
struct Host {
    place: Place,
    name: Name,
    facts: Facts,
    session: Session,
    bell: Bell,
    guests: Vec<Guest>,
    signals: Signals,
    ttl: Option<Duration>,
    /// Held for life, whatever becomes of the directory.
    _lock: Lock,
    /// Once the session's directory has been removed: when the host leaves at the latest.
    leave_by: Option<Instant>,
}

impl Host {
    /// Serves until the session is closed or its time after the end is over.
    fn serve(&mut self) -> io::Result<()> {
        loop {
            let now = clock::now();
            let was_ended = self.session.ended().is_some();
            self.session.turn(now)?;
            // Before anybody is told: whoever hears of the end and asks `list` must find it there.
            if self.session.ended().is_some() && (!was_ended || self.facts.drained.is_none()) {
                self.note_facts();
            }
            self.poll_guests(clock::now());
            let now = clock::now();
            if self.leave_by.is_none()
                && self.expires().is_some_and(|at| now >= at)
                && self.session.end_report().is_some()
            {
                // Nobody is there to be told; the next start sweeps what could not be removed.
                let _ = self.place.remove(&self.name);
                self.leave_by = Some(now + SERVED);
            }
            if self
                .leave_by
                .is_some_and(|by| self.guests.is_empty() || now >= by)
            {
                return Ok(());
            }
            self.wait()?;
        }
    }

    /// Waits for something to happen and lets in and hears who is there.
    fn wait(&mut self) -> io::Result<()> {
        let watched_session = self.session.watched();
        let mut watched = watched_session.clone();
        let first_guest = watched.len() + 2;
        let read = Interest {
            read: true,
            write: false,
        };
        watched.push((self.signals.as_fd(), read));
        let room = VISITORS_MAX.saturating_sub(self.guests.len());
        let bell = Interest {
            read: room > 0,
            write: false,
        };
        watched.push((self.bell.as_fd(), bell));
        for guest in &self.guests {
            watched.extend(guest.visitor.watched());
        }
        let ready = poll::wait(&watched, self.deadline())?;
        drop(watched);
        drop(watched_session);
        if ready[first_guest - 2].read {
            self.hear_signals();
        }
        if ready[first_guest - 1].read || self.bell.has_waiting() {
            let visitors = self.bell.answer(room, clock::now())?;
            self.guests.extend(visitors.into_iter().map(Guest::new));
        }
        self.hear_guests(&ready[first_guest..]);
        Ok(())
    }

    /// When the loop has to go on although nothing happened.
    fn deadline(&self) -> Option<Instant> {
        if self.session.has_more() || self.bell.has_waiting() && self.guests.len() < VISITORS_MAX {
            return Some(clock::now());
        }
        let ending_is_over = self.session.end_report().is_some();
        let guests = self.guests.iter().filter_map(Guest::deadline);
        guests
            .chain(self.session.look_again())
            .chain(
                self.leave_by
                    .or_else(|| self.expires().filter(|_| ending_is_over)),
            )
            .min()
    }

    /// When the session is forgotten: so long after its program has ended.
    fn expires(&self) -> Option<Instant> {
        let (_, ended) = self.session.ended()?;
        Some(ended + self.ttl?)
    }

    fn hear_signals(&mut self) {
        let signals = self.signals.take();
        if signals.contains(&process::CHLD) {
            child::reap_orphans(Some(self.session.pid()));
        }
        if signals.contains(&process::TERM) {
            self.session
                .end(crate::session::Scope::Terminal, GRACE, clock::now());
            self.ttl = Some(Duration::ZERO);
        }
    }

    /// Reads requests and writes answers; `ready` has the descriptors of the guests that were there
    /// when it was waited for.
    fn hear_guests(&mut self, ready: &[Ready]) {
        let now = clock::now();
        let mut index = 0;
        let (session, facts) = (&mut self.session, &mut self.facts);
        let mut gone = Vec::new();
        for (position, guest) in self.guests.iter_mut().enumerate() {
            // Its reply end comes first; whoever has just been let in was not waited for.
            let reply = ready.get(index).copied().unwrap_or_default();
            index += guest.visitor.watched().count();
            if !guest.turn(reply, session, facts, now) {
                gone.push(position);
            }
        }
        for position in gone.into_iter().rev() {
            let mut guest = self.guests.swap_remove(position);
            guest.cancel(&mut self.session);
        }
    }

    /// Judges every verb that waits, and lets go of who has been served.
    fn poll_guests(&mut self, now: Instant) {
        let mut resized = false;
        for guest in &mut self.guests {
            let Some(mut answer) = guest.poll(&mut self.session, now) else {
                continue;
            };
            resized |= matches!(answer, Ok(Reply::Resized(_)));
            // The name is free before the answer says so.
            if matches!(answer, Ok(Reply::Closed(_))) && self.leave_by.is_none() {
                match self.place.remove(&self.name) {
                    Ok(()) => self.leave_by = Some(now + SERVED),
                    Err(error) => {
                        let path = self.place.session(&self.name);
                        answer = Err(Fault::internal(format!(
                            "{} cannot be removed: {error}",
                            path.display()
                        )));
                    }
                }
            }
            guest.answer(answer);
        }
        if resized {
            self.note_facts();
        }
        self.guests.retain(|guest| !guest.is_served());
    }

    /// Writes down what has changed, for `list` and for whoever comes when this host is gone.
    fn note_facts(&mut self) {
        self.facts.refresh(&self.session, clock::wall_ms());
        if self.leave_by.is_none() {
            // The facts on disk are a convenience: a full disk must not end the session.
            let _ = self.place.write_facts(&self.name, &self.facts);
        }
    }
}

/// The line that answers `answer`.
fn spoken(answer: Result<Reply, Fault>) -> Vec<u8> {
    wire::answer(&match answer {
        Ok(reply) => wire::Answer::Done(Box::new(reply)),
        Err(fault) => wire::Answer::Failed(Box::new(fault)),
    })
}

/// What a verb needs that only a host has.
fn status_of(facts: &mut Facts, session: &mut Session, verb: &Verb, now: Instant) -> Option<Reply> {
    matches!(verb, Verb::Status(_)).then(|| {
        facts.refresh(session, clock::wall_ms());
        Reply::Facts(Box::new(facts.clone().with(session, now)))
    })
}
