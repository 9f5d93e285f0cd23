//! One turn: what the program printed is taken in, what is to be typed is written, its end is seen.
//!
//! [`Session::absorb`] is the one place where bytes arrive, first into the transcript, then into the
//! terminal, always in that order: so replaying the transcript gives the live screen.

use std::io;
use std::time::{Duration, Instant};

use crate::fault::Fault;
use crate::sys::clock;
use crate::sys::pty::{self, Got};
use crate::transcript::{Place, Stream, TtyMode};

use super::outgoing::Next;
use super::{Scope, Session, Ticket};

/// How much is taken in during one turn before the others have theirs.
const TURN_MAX: usize = 1024 * 1024;

/// How long after its end a program's last output is waited for.
const DRAIN: Duration = Duration::from_millis(500);

/// How soon a terminal that nobody has open is looked at again, at first; then twice as late each time.
const DESERTED_FIRST: Duration = Duration::from_millis(1);

/// How late at most.
const DESERTED_MOST: Duration = Duration::from_millis(500);

/// A terminal that its program, which still runs, does not have open. Many programs close their
/// descriptors just before they exit, some to open the terminal again: to close the master would send
/// them SIGHUP.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deserted {
    /// When it is looked at again.
    pub(super) look: Instant,
    pause: Duration,
}

/// How long what a program left on its terminal has to end by itself.
const GRACE: Duration = Duration::from_secs(2);

impl Session {
    /// Takes in what the program printed, writes what is to be typed, and looks whether it has
    /// ended. Never blocks.
    pub fn turn(&mut self, now: Instant) -> io::Result<()> {
        // The end is looked at before the last read: what was printed before it is then there.
        if self.ended.is_none()
            && let Some(ended) = self.child.try_wait()?
        {
            self.ended = Some((ended, now));
            self.family.alive = false;
            if let Some(ending) = &mut self.ending {
                ending.program_is_gone();
            }
            self.outgoing.clear();
            if self.ending.is_none() {
                // What it left on its terminal ends with it; a daemon in a session of its own stays.
                self.end(Scope::Terminal, GRACE, now);
            }
        }
        if self.ending_look.is_some() {
            self.tend(now);
        }
        self.take_in(now)?;
        self.put_out(now)?;
        if self.master.is_some() && self.drain_until().is_some_and(|until| now >= until) {
            self.hang_up(false);
        }
        Ok(())
    }

    /// When, after the program's end, its last output is no longer waited for.
    pub fn drain_until(&self) -> Option<Instant> {
        self.ended
            .filter(|_| self.master.is_some() && !self.held)
            .map(|(_, at)| at + DRAIN)
    }

    pub(super) fn take_in(&mut self, now: Instant) -> io::Result<()> {
        if self.held {
            self.more = false;
            return Ok(());
        }
        if self.ended.is_none() && self.deserted.is_some_and(|deserted| now < deserted.look) {
            return Ok(());
        }
        let pause = self.deserted.take().map_or(DESERTED_FIRST, |deserted| {
            DESERTED_MOST.min(deserted.pause * 2)
        });
        let mut buffer = vec![0; 64 * 1024];
        let mut taken = 0;
        while taken < TURN_MAX {
            let Some(master) = &self.master else { break };
            let mut filled = 0;
            let mut over = None;
            // The kernel hands out a few KiB at a time; the terminal likes more at once.
            while filled < buffer.len() && over.is_none() {
                match master.read(&mut buffer[filled..])? {
                    Got::Bytes(count) => filled += count,
                    other => over = Some(other),
                }
            }
            if filled > 0 {
                self.absorb(&buffer[..filled]);
                taken += filled;
            }
            match over {
                Some(Got::End) if self.ended.is_none() => {
                    let look = now + pause;
                    self.deserted = Some(Deserted { look, pause });
                    break;
                }
                Some(Got::End) => {
                    self.hang_up(true);
                    break;
                }
                Some(_) => break,
                None => {}
            }
        }
        self.more = taken >= TURN_MAX;
        Ok(())
    }

    /// Takes in bytes that the program printed.
    fn absorb(&mut self, bytes: &[u8]) {
        self.transcript
            .absorb(bytes, Stream::Combined, clock::wall_ms());
        self.term.feed(bytes);
        self.transcript.place(&self.term.take_rows());
        self.transcript.note(&self.term.take_trail());
        let replies = self.term.take_replies();
        if !replies.is_empty() && self.answers {
            self.outgoing.reply(&replies);
        }
        // A turn may take long: output counts from when it was taken in.
        self.last_output = Some(clock::now());
        self.stale = true;
    }

    /// Writes what is to be typed, as much as the terminal takes.
    fn put_out(&mut self, now: Instant) -> io::Result<()> {
        loop {
            let waits = match self.outgoing.next() {
                None => return Ok(()),
                Some(Next::Replies(bytes) | Next::Unit { rest: bytes, .. }) => bytes.len(),
            };
            let before = self.before_write(waits);
            let Some(master) = &self.master else {
                self.outgoing.clear();
                return Ok(());
            };
            let mode = master.discipline().ok();
            let (written, unit) = match self.outgoing.next() {
                None => return Ok(()),
                Some(Next::Replies(bytes)) => (master.write(bytes), None),
                Some(Next::Unit { rest, begins }) => {
                    let written = master.write(rest);
                    let count = *written.as_ref().unwrap_or(&0);
                    let noted = if begins && count > 0 {
                        rest
                    } else {
                        &rest[..count]
                    };
                    (written, Some((noted.to_vec(), begins)))
                }
            };
            match written {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    self.after_write(before, now);
                    if let Some((unit, begins)) = unit {
                        if let Some(mode) = mode.filter(|_| begins) {
                            let mode = TtyMode {
                                icanon: mode.canonical,
                                echo: mode.echo,
                            };
                            let (line, col) = self.term.trail_here();
                            self.transcript.place(&self.term.take_rows());
                            self.transcript.sent(&unit, mode, Place { line, col });
                        }
                        self.note_typed(&unit[..count], mode);
                    }
                    self.outgoing.written(count);
                }
                // Nobody has the other side open: the next read tells the end.
                Err(error) if pty::is_hung_up(&error) => {
                    self.outgoing.clear();
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Queues bytes to be typed as one unit and writes what can be written at once.
    ///
    /// # Errors
    /// When the program has ended or its terminal is gone.
    pub fn send(&mut self, bytes: Vec<u8>, now: Instant) -> Result<Ticket, Fault> {
        if let Some(fault) = self.cannot_type() {
            return Err(fault);
        }
        let ticket = self.outgoing.push(bytes);
        self.last_input = Some(now);
        self.put_out(now)
            .map_err(|error| Fault::internal(format!("writing to the terminal failed: {error}")))?;
        Ok(ticket)
    }

    pub(super) fn hang_up(&mut self, drained: bool) {
        self.master = None;
        self.deserted = None;
        self.drained = Some(drained);
        self.outgoing.clear();
        self.transcript.settle();
    }
}
