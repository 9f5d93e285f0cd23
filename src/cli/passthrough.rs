//! `coax run -- CMD`: a terminal for a program that wants one, with everything passed through.
//!
//! The program's output goes out as it comes, its exit code is ours. Standard input is typed: as it
//! is from a terminal, which is then raw; else as it is read, with an end of file at its end. INT,
//! TERM and HUP go on to the program. With a terminal on both sides that one answers the program's
//! queries; else coax does, and cuts them from what it passes on.

use std::io;
use std::os::fd::AsFd;
use std::time::Instant;

use crate::fault::{Exit, Fault, Kind};
use crate::session::{Scope, Session, Ticket, Way};
use crate::sys::child::{self, Ended};
use crate::sys::poll::{self, Interest};
use crate::sys::signal::{self, Signals};
use crate::sys::tty::{self, Raw, Standard};
use crate::sys::{clock, process};
use crate::term::{Sieve, Size};
use crate::verb::{Bytes, GRACE, Limit, Progress, Send, Task, Verb, begin};

use super::print;

/// How much output may wait for a slow reader before the program waits too.
const WAITING_MAX: usize = 256 * 1024;

/// What a pipe that is writable takes without blocking.
const PIECE: usize = 4096;

/// A program and what it is connected to.
pub(super) struct Passthrough {
    session: Session,
    signals: Signals,
    raw: Option<Raw>,
    sieve: Option<Sieve>,
    /// How far the output was taken from the transcript.
    passed: u64,
    /// Output that the reader has not taken yet.
    waiting: Vec<u8>,
    input: Input,
    typing: Option<Typing>,
    /// Whether the outer terminal's size is followed.
    follow: bool,
    limit: Limit,
    deadline: Option<Instant>,
    /// When a program that was signalled is ended.
    end_at: Option<Instant>,
    /// Why the program is being ended, if it is.
    cause: Option<Cause>,
}

/// What standard input is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    /// A terminal, which types until the program ends.
    Terminal,
    /// Something else; `fed` once any of it was typed, `open` while its last line is unfinished.
    Stream { fed: bool, open: bool },
    /// It is over, or not ours to read.
    Over,
}

/// Input on its way.
enum Typing {
    /// From a person, who sees what becomes of it.
    Person(Ticket),
    /// From elsewhere, so nothing of it may be cut; with when it is looked at again.
    Stream(Box<dyn Task>, Option<Instant>),
}

/// Why a program is ended before its time.
enum Cause {
    /// This signal came.
    Signal(i32),
    /// It failed this way.
    Fault(Fault),
}

impl Passthrough {
    pub(super) fn new(mut session: Session, follow: bool, limit: Limit) -> Result<Self, Fault> {
        let failed = |error: io::Error| Fault::internal(format!("the terminal outside: {error}"));
        // A background shell ignores INT for its jobs; so do we then.
        let mut caught = vec![process::TERM, process::WINCH, process::CHLD];
        let ours_too = [process::INT, process::HUP].into_iter();
        caught.extend(ours_too.filter(|signal| !signal::is_ignored(*signal)));
        let signals = Signals::catch(&caught).map_err(failed)?;
        let inside = tty::is_terminal(Standard::Input);
        let ours = inside && tty::in_foreground();
        let outside = ours && tty::is_terminal(Standard::Output);
        let raw = if ours {
            Some(Raw::stdin().map_err(failed)?)
        } else {
            None
        };
        let sieve = if outside {
            session.leave_queries_to_others();
            None
        } else {
            Some(Sieve::new())
        };
        Ok(Self {
            session,
            signals,
            raw,
            sieve,
            passed: 0,
            waiting: Vec::new(),
            input: match (inside, ours) {
                (true, true) => Input::Terminal,
                (true, false) => Input::Over,
                (false, _) => Input::Stream {
                    fed: false,
                    open: false,
                },
            },
            typing: None,
            follow,
            limit,
            deadline: limit.deadline(clock::now()),
            end_at: None,
            cause: None,
        })
    }

    /// Until the program has ended; its exit code.
    pub(super) fn run(mut self) -> Result<Exit, Fault> {
        let ended = loop {
            let now = clock::now();
            self.session
                .turn(now)
                .map_err(|error| Fault::internal(format!("the terminal failed: {error}")))?;
            self.pass_on(now);
            self.look_at_the_clock(now);
            self.type_on(now);
            if let Some((ended, _)) = self.session.ended()
                && self.session.is_over()
                && self.session.end_report().is_some()
                && (self.all_is_passed() || self.cause.is_some())
            {
                break ended;
            }
            self.wait(now)?;
        };
        drop(self.raw.take());
        match self.cause {
            Some(Cause::Fault(fault)) => return Err(fault),
            Some(Cause::Signal(signal)) => return Ok(print::program_exit(None, Some(signal))),
            None => {}
        }
        Ok(match ended {
            Ended::Exited(code) => {
                if code == 124 {
                    print::talk("the program itself exited with code 124");
                }
                print::program_exit(Some(code), None)
            }
            Ended::Killed(signal) => print::program_exit(None, Some(signal)),
        })
    }

    fn wait(&mut self, now: Instant) -> Result<(), Fault> {
        let (stdin, stdout) = (tty::stdin(), tty::stdout());
        let watched_session = self.session.watched();
        let mut watched = watched_session.clone();
        let own = watched.len();
        let read = Interest {
            read: true,
            write: false,
        };
        watched.push((self.signals.as_fd(), read));
        let hungry = self.typing.is_none() && self.input != Input::Over;
        if hungry {
            watched.push((stdin.as_fd(), read));
        }
        if !self.waiting.is_empty() {
            let write = Interest {
                read: false,
                write: true,
            };
            watched.push((stdout.as_fd(), write));
        }
        let ready = poll::wait(&watched, self.due(now))
            .map_err(|error| Fault::internal(format!("waiting failed: {error}")))?;
        drop(watched);
        drop(watched_session);
        if ready[own].read {
            self.hear_signals();
        }
        if hungry && (ready[own + 1].read || ready[own + 1].gone) {
            self.take_input();
        }
        Ok(())
    }

    /// When to go on although nothing happened.
    fn due(&self, now: Instant) -> Option<Instant> {
        if self.session.has_more() {
            return Some(now);
        }
        let looks = match &self.typing {
            Some(Typing::Stream(_, look)) => *look,
            _ => None,
        };
        looks
            .into_iter()
            .chain(self.deadline.filter(|_| self.cause.is_none()))
            .chain(self.end_at)
            .chain(self.session.look_again())
            .min()
    }

    /// Ends a program whose time is over.
    fn look_at_the_clock(&mut self, now: Instant) {
        let late = self.cause.is_none() && self.deadline.is_some_and(|deadline| now >= deadline);
        if late {
            let message = format!("the program did not end within {}", self.limit);
            let fault =
                Fault::new(Kind::Timeout, message).hint("--timeout waits longer; it was ended");
            self.end(Cause::Fault(fault), now);
        }
        if self.end_at.is_some_and(|at| now >= at) {
            self.end_at = None;
            self.session.end(Scope::All, GRACE, now);
        }
    }

    fn all_is_passed(&self) -> bool {
        self.waiting.is_empty() && self.passed >= self.session.offset()
    }

    /// Passes on what the program printed, as much as its reader takes now. A program whose reader
    /// is slow waits.
    fn pass_on(&mut self, now: Instant) {
        let end = self.session.offset();
        if self.passed < end {
            let bytes = self.session.transcript().ring().range(self.passed, end);
            self.passed = end;
            match &mut self.sieve {
                Some(sieve) => self.waiting.extend(sieve.strain(&bytes)),
                None => self.waiting.extend(bytes),
            }
        }
        let mut done = 0;
        let stdout = tty::stdout();
        let write = Interest {
            read: false,
            write: true,
        };
        while done < self.waiting.len() {
            let ready = poll::wait(&[(stdout.as_fd(), write)], Some(now)).unwrap_or_default();
            if !ready.first().is_some_and(|ready| ready.write || ready.gone) {
                break;
            }
            let piece = &self.waiting[done..self.waiting.len().min(done + PIECE)];
            match tty::write_stdout(piece) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) => {
                    self.waiting.clear();
                    done = 0;
                    if self.cause.is_none() {
                        let cause = if error.kind() == io::ErrorKind::BrokenPipe {
                            Cause::Signal(process::PIPE)
                        } else {
                            Cause::Fault(Fault::internal(format!("standard output: {error}")))
                        };
                        self.end(cause, now);
                    }
                }
            }
        }
        self.waiting.drain(..done);
        // A program that is being ended is drained, or it could not end.
        let slow = self.waiting.len() > WAITING_MAX;
        self.session.hold(slow && self.cause.is_none());
        if slow && self.cause.is_some() {
            self.waiting.clear();
        }
    }

    fn take_input(&mut self) {
        let mut buffer = vec![0; 16 * 1024];
        match tty::read_stdin(&mut buffer) {
            Ok(None) => {}
            Ok(Some(0)) | Err(_) => self.end_input(),
            Ok(Some(count)) => {
                buffer.truncate(count);
                if let Input::Stream { .. } = self.input {
                    let open = !matches!(buffer.last(), Some(b'\n' | b'\r'));
                    self.input = Input::Stream { fed: true, open };
                }
                self.type_bytes(buffer);
            }
        }
    }

    /// At the end of what was fed: VEOF, where the terminal is canonical; once more where it ends an
    /// unfinished line only.
    fn end_input(&mut self) {
        let was = std::mem::replace(&mut self.input, Input::Over);
        let Input::Stream { fed: true, open } = was else {
            return;
        };
        let rules = self.session.line_rules();
        if let Some(eof) = rules
            .filter(|rules| rules.icanon)
            .and_then(|rules| rules.chars.eof)
        {
            self.type_bytes(vec![eof; if open { 2 } else { 1 }]);
        }
    }

    fn type_bytes(&mut self, bytes: Vec<u8>) {
        let now = clock::now();
        if self.input == Input::Terminal {
            // A program that has just ended reads nothing any more.
            self.typing = self.session.send(bytes, now).ok().map(Typing::Person);
        } else {
            let send = Send {
                bytes: Bytes(bytes),
                control: true,
                timeout: Some(Limit::None),
                ..Send::default()
            };
            let task = begin(Verb::Send(send), &mut self.session, now);
            self.typing = Some(Typing::Stream(task, None));
        }
        self.type_on(now);
    }

    fn type_on(&mut self, now: Instant) {
        match &mut self.typing {
            None => {}
            Some(Typing::Person(ticket)) => {
                let going = matches!(self.session.way(*ticket), Way::Going(_));
                self.typing = self.typing.take().filter(|_| going);
            }
            Some(Typing::Stream(task, look)) => match task.poll(&mut self.session, now) {
                Progress::Again(at) => *look = at,
                Progress::Done(answer) => {
                    self.typing = None;
                    match *answer {
                        Ok(_) => {}
                        // It ended without reading all of it; that is its own affair.
                        Err(fault) if fault.kind == Kind::Ended => self.input = Input::Over,
                        Err(fault) => self.end(Cause::Fault(fault), now),
                    }
                }
            },
        }
    }

    fn hear_signals(&mut self) {
        let now = clock::now();
        for signal in self.signals.take() {
            match signal {
                process::CHLD => child::reap_orphans(Some(self.session.pid())),
                process::WINCH => {
                    if let Some((rows, cols)) = tty::size().filter(|_| self.follow) {
                        // A program that has just ended needs no size.
                        let _ = self.session.resize(Size { rows, cols }, now);
                    }
                }
                signal if self.cause.is_none() => {
                    // The program hears of it first, in the way of its terminal.
                    let _ = self.session.signal(signal, now);
                    self.cause = Some(Cause::Signal(signal));
                    self.end_at = Some(now + GRACE);
                }
                // Whoever asks twice means it.
                _ => self.end_at = Some(now),
            }
        }
    }

    fn end(&mut self, cause: Cause, now: Instant) {
        self.cause = Some(cause);
        self.input = Input::Over;
        self.typing = None;
        self.session.end(Scope::All, GRACE, now);
    }
}
