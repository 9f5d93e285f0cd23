//! The client's end: a pair of pipes of its own, the ring, the answer.
//!
//! The reply pipe is opened for reading first, then the request pipe for both, so the host finds a
//! reader and a writer; only then is the bell opened and rung. The bell stays open with nothing asked
//! of it: its POLLERR is the host's death.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::fault::{Fault, Kind};
use crate::sys::fifo::{self, End, Fifo, Got};
use crate::sys::poll::{self, Interest};
use crate::sys::{clock, dir};
use crate::verb::Name;
use crate::wire::{self, Answer, Frames};

/// How long a host may take to say that it has read the request.
const FIRST_ANSWER: Duration = Duration::from_secs(1);

/// How much longer than its own deadline a verb may take to be answered.
const OVERTIME: Duration = Duration::from_secs(15);

struct Pipes {
    reply_path: PathBuf,
    request_path: PathBuf,
    reply: Fifo,
    request: Fifo,
}

impl Drop for Pipes {
    fn drop(&mut self) {
        // The host unlinks them when it opens them; this is for when it never did.
        let _ = std::fs::remove_file(&self.reply_path);
        let _ = std::fs::remove_file(&self.request_path);
    }
}

/// Sends `request` to the host of the session in `session` and waits for its answer, which it may
/// take until `deadline` (and a little longer) to give; none for as long as it takes. When `interrupt`
/// becomes readable the wait is over.
///
/// # Errors
/// Host gone, when there is none, it dies, or it does not answer.
pub fn call(
    session: &Path,
    name: &Name,
    request: &[u8],
    deadline: Option<Instant>,
    interrupt: Option<BorrowedFd<'_>>,
) -> Result<Answer, Fault> {
    let broken =
        |error: io::Error| Fault::internal(format!("the link to session {name} failed: {error}"));
    let (pipes, id) = make(session).map_err(|error| match error.kind() {
        // It was closed since it was looked for.
        io::ErrorKind::NotFound => gone(name),
        _ => broken(error),
    })?;
    // What fits is there before the bell is rung.
    let sent = pipes.request.write(request).map_err(broken)?;
    let bell = match fifo::open(&session.join("bell"), End::Write) {
        Ok(bell) => bell,
        Err(error) if fifo::nobody_reads(&error) => return Err(gone(name)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Fault::new(
                Kind::HostGone,
                format!("the host of session {name} cannot be rung: its doorbell is gone"),
            )
            .hint(
                "it lives: coax list --json tells its host_pid, and kill ends it and its program",
            ));
        }
        Err(error) => return Err(broken(error)),
    };
    let mut talk = Talk {
        name,
        pipes,
        bell,
        ring: format!("{id}\n").into_bytes(),
        unsent: &request[sent..],
        frames: Frames::default(),
        acknowledged: false,
        interrupt,
    };
    let first = clock::now() + FIRST_ANSWER;
    let last = deadline.map(|deadline| deadline + OVERTIME);
    talk.listen(first, last)
}

fn make(session: &Path) -> io::Result<(Pipes, String)> {
    let id = dir::random_name()?;
    let reply_path = session.join(format!("reply.{id}"));
    let request_path = session.join(format!("request.{id}"));
    fifo::make(&reply_path)?;
    fifo::make(&request_path)?;
    let reply = fifo::open(&reply_path, End::Read)?;
    let request = fifo::open(&request_path, End::Both)?;
    let pipes = Pipes {
        reply_path,
        request_path,
        reply,
        request,
    };
    Ok((pipes, id))
}

struct Talk<'a> {
    name: &'a Name,
    pipes: Pipes,
    bell: Fifo,
    /// What is still to be rung: one line, whole or not at all.
    ring: Vec<u8>,
    unsent: &'a [u8],
    frames: Frames,
    acknowledged: bool,
    interrupt: Option<BorrowedFd<'a>>,
}

impl Talk<'_> {
    fn listen(&mut self, first: Instant, last: Option<Instant>) -> Result<Answer, Fault> {
        let broken =
            |error: io::Error| Fault::internal(format!("the link to a session failed: {error}"));
        loop {
            if !self.ring.is_empty() {
                match self.bell.write(&self.ring) {
                    Ok(0) => {}
                    Ok(_) => self.ring.clear(),
                    Err(_) => return Err(gone(self.name)),
                }
            }
            while !self.unsent.is_empty() {
                match self.pipes.request.write(self.unsent).map_err(broken)? {
                    0 => break,
                    count => self.unsent = &self.unsent[count..],
                }
            }
            let mut watched = vec![
                (
                    self.pipes.reply.as_fd(),
                    Interest {
                        read: true,
                        write: false,
                    },
                ),
                (
                    self.pipes.request.as_fd(),
                    Interest {
                        read: false,
                        write: !self.unsent.is_empty(),
                    },
                ),
                (
                    self.bell.as_fd(),
                    Interest {
                        read: false,
                        write: !self.ring.is_empty(),
                    },
                ),
            ];
            if let Some(interrupt) = self.interrupt {
                watched.push((
                    interrupt,
                    Interest {
                        read: true,
                        write: false,
                    },
                ));
            }
            let until = if self.acknowledged { last } else { Some(first) };
            let ready = poll::wait(&watched, until).map_err(broken)?;
            if ready[0].read || ready[0].gone {
                let ended = self.take().map_err(broken)?;
                if let Some(answer) = self.answer()? {
                    return Ok(answer);
                }
                if ended && ready[0].gone {
                    return Err(gone(self.name));
                }
            }
            if ready[2].gone {
                // It may have answered and left at once.
                self.take().map_err(broken)?;
                return match self.answer()? {
                    Some(answer) => Ok(answer),
                    None => Err(gone(self.name)),
                };
            }
            if ready.get(3).is_some_and(|interrupt| interrupt.read) {
                return Err(Fault::internal("interrupted by a signal"));
            }
            if until.is_some_and(|until| clock::now() >= until) {
                return Err(self.silent());
            }
        }
    }

    /// The answer, if it is among what was read.
    fn answer(&mut self) -> Result<Option<Answer>, Fault> {
        while let Some(line) = self.frames.next_line() {
            match wire::read_answer(&line)? {
                Answer::Acknowledged => self.acknowledged = true,
                answer => return Ok(Some(answer)),
            }
        }
        Ok(None)
    }

    /// Reads what is there; whether the other end is closed.
    fn take(&mut self) -> io::Result<bool> {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match self.pipes.reply.read(&mut buffer)? {
                Got::Bytes(count) => {
                    if !self.frames.push(&buffer[..count]) {
                        return Err(io::Error::other("the answer is too long"));
                    }
                }
                Got::Nothing => return Ok(false),
                Got::End => return Ok(true),
            }
        }
    }

    fn silent(&self) -> Fault {
        let what = if self.acknowledged {
            "took the request and never answered it"
        } else {
            "did not answer within 1 s"
        };
        Fault::new(
            Kind::HostGone,
            format!("the host of session {} {what}", self.name),
        )
        .hint("it may be stopped or starved: look at its process (coax list --json has host_pid)")
    }
}

/// The fault for a session whose host is gone.
pub fn gone(name: &Name) -> Fault {
    Fault::new(
        Kind::HostGone,
        format!("the host of session {name} is gone, and its program with it"),
    )
    .hint(format!(
        "coax close -s {name} removes what is left; coax start -s {name} takes the name over"
    ))
}
