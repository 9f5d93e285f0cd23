//! `coax run -- CMD`: a terminal for a program that wants one, with everything passed through.
//!
//! The program's output goes out as it comes, its exit code is ours. Standard input is typed: as it
//! is from a terminal, which is then raw; else as it is read, with an end of file at its end. INT,
//! TERM and HUP go on to the program. With a terminal on both sides that one answers the program's
//! queries; else coax does, and cuts them from what it passes on.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Instant;

use crate::fault::{Exit, Fault, Kind};
use crate::session::{Scope, Session};
use crate::sys::child::Ended;
use crate::sys::poll::{self, Interest};
use crate::sys::signal::{self, Signals};
use crate::sys::tty::{self, Raw, Standard};
use crate::sys::{clock, process};
use crate::term::{Sieve, Size};
use crate::verb::{Bytes, GRACE, Limit, Progress, Send, Task, Verb, begin};

use super::print;

/// A program and what it is connected to.
pub(super) struct Passthrough {
    session: Session,
    signals: Signals,
    raw: Option<Raw>,
    sieve: Option<Sieve>,
    /// How far the output was passed on.
    passed: u64,
    input: Input,
    /// The input that is being typed.
    typing: Option<Box<dyn Task>>,
    look_again: Option<Instant>,
    /// Whether the outer terminal's size is followed.
    follow: bool,
    limit: Limit,
    deadline: Option<Instant>,
    /// After a signal: until when the program may end by itself.
    grace: Option<Instant>,
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
        let mut caught = vec![process::TERM, process::WINCH];
        caught.extend(
            [process::INT, process::HUP]
                .into_iter()
                .filter(|signal| !signal::is_ignored(*signal)),
        );
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
            input: match (inside, ours) {
                (true, true) => Input::Terminal,
                (true, false) => Input::Over,
                (false, _) => Input::Stream {
                    fed: false,
                    open: false,
                },
            },
            typing: None,
            look_again: None,
            follow,
            limit,
            deadline: limit.deadline(clock::now()),
            grace: None,
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
            let gone = self.pass_on();
            if gone && self.cause.is_none() {
                self.end(Cause::Signal(PIPE), now);
            }
            if self.cause.is_none() && self.deadline.is_some_and(|deadline| now >= deadline) {
                let fault = Fault::new(
                    Kind::Timeout,
                    format!("the program did not end within {}", self.limit),
                )
                .hint("--timeout waits longer; it was ended");
                self.end(Cause::Fault(fault), now);
            }
            if self.grace.is_some_and(|grace| now >= grace) {
                self.grace = None;
                self.session.end(Scope::All, GRACE, now);
            }
            self.type_on(now);
            if let Some((ended, _)) = self.session.ended()
                && self.session.is_over()
                && self.session.end_report().is_some()
            {
                self.pass_on();
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
        let stdin = tty::stdin();
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
        let deadline = if self.session.has_more() {
            Some(now)
        } else {
            let due = self.deadline.filter(|_| self.cause.is_none());
            due.into_iter()
                .chain(self.grace)
                .chain(self.look_again)
                .chain(self.session.look_again())
                .min()
        };
        let ready = poll::wait(&watched, deadline)
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

    /// Passes on what the program printed; whether nobody reads it any more.
    fn pass_on(&mut self) -> bool {
        let end = self.session.offset();
        let bytes = self.session.transcript().ring().range(self.passed, end);
        self.passed = end;
        if bytes.is_empty() {
            return false;
        }
        let strained = match &mut self.sieve {
            Some(sieve) => sieve.strain(&bytes),
            None => bytes,
        };
        let mut stdout = io::stdout().lock();
        stdout
            .write_all(&strained)
            .and_then(|()| stdout.flush())
            .is_err()
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
        let send = Send {
            bytes: Bytes(bytes),
            control: true,
            timeout: Some(Limit::None),
            ..Send::default()
        };
        let now = clock::now();
        self.typing = Some(begin(Verb::Send(send), &mut self.session, now));
        self.type_on(now);
    }

    fn type_on(&mut self, now: Instant) {
        let Some(typing) = &mut self.typing else {
            return;
        };
        match typing.poll(&mut self.session, now) {
            Progress::Again(at) => self.look_again = at,
            Progress::Done(answer) => {
                self.typing = None;
                self.look_again = None;
                match *answer {
                    Ok(_) => {}
                    // It ended without reading all of it; that is its own affair.
                    Err(fault) if fault.kind == Kind::Ended => self.input = Input::Over,
                    Err(fault) => self.end(Cause::Fault(fault), now),
                }
            }
        }
    }

    fn hear_signals(&mut self) {
        let now = clock::now();
        for signal in self.signals.take() {
            if signal == process::WINCH {
                if let Some((rows, cols)) = tty::size().filter(|_| self.follow) {
                    // A program that has just ended needs no size.
                    let _ = self.session.resize(Size { rows, cols }, now);
                }
            } else if self.cause.is_none() {
                // The program hears of it first, in the way of its terminal.
                let _ = self.session.signal(signal, now);
                self.cause = Some(Cause::Signal(signal));
                self.grace = Some(now + GRACE);
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

/// SIGPIPE, which a program that writes to nobody ends by.
const PIPE: i32 = 13;
