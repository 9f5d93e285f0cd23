//! The host's end: the doorbell, and the pipes of whoever rang it.
//!
//! The reply pipe is opened for writing first (nobody there: the client is gone), then the request
//! pipe for reading. Both names are unlinked at once. From then on the reply end's POLLERR is the
//! client's death; the request's end of file tells nothing, because the client holds both its ends.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::sys::fifo::{self, End, Fifo, Got};
use crate::sys::poll::{Interest, Ready};
use crate::wire::Frames;

/// How long a half-sent request is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// How old pipes are that nobody rang for when they are swept.
const NEVER_RUNG: Duration = Duration::from_secs(60);

/// How much of a line that is no ring is kept.
const RINGS_MAX: usize = 64 * 1024;

/// How much of a request is read in one turn.
const REQUEST_PIECE: usize = 64 * 1024;

/// How many clients are served at once; more wait at the door.
pub const VISITORS_MAX: usize = 256;

/// The doorbell.
#[derive(Debug)]
pub struct Bell {
    session: PathBuf,
    fifo: Fifo,
    frames: Frames,
    waiting: VecDeque<Vec<u8>>,
    swept: Option<Instant>,
}

impl Bell {
    /// Hangs the bell in a session's directory; an old one is taken down.
    pub fn hang(session: &Path) -> io::Result<Self> {
        let path = session.join("bell");
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fifo::make(&path)?;
        let fifo = fifo::open(&path, End::Both)?;
        fifo.shrink();
        Ok(Self {
            session: session.to_owned(),
            fifo,
            frames: Frames::of_at_most(RINGS_MAX),
            waiting: VecDeque::new(),
            swept: None,
        })
    }

    /// Lets in who rang, `room` at most.
    pub fn answer(&mut self, room: usize, now: Instant) -> io::Result<Vec<Visitor>> {
        let mut buffer = [0; 4096];
        if self.waiting.len() < VISITORS_MAX
            && let Got::Bytes(count) = self.fifo.read(&mut buffer)?
        {
            if !self.frames.push(&buffer[..count]) {
                self.frames = Frames::of_at_most(RINGS_MAX);
            }
            while let Some(line) = self.frames.next_line() {
                self.waiting.push_back(line);
            }
            if self.swept.is_none_or(|swept| now >= swept + NEVER_RUNG) {
                self.swept = Some(now);
                self.sweep();
            }
        }
        let mut visitors = Vec::new();
        while visitors.len() < room
            && let Some(id) = self.waiting.pop_front()
        {
            visitors.extend(self.let_in(&id, now));
        }
        Ok(visitors)
    }

    /// Whether somebody rang who has not been let in.
    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The visitor who rang with `id`; none when there is nobody, or the line is not from a client.
    fn let_in(&self, line: &[u8], now: Instant) -> Option<Visitor> {
        // A ring is written whole, so what stands before it was never finished by somebody else.
        let id = std::str::from_utf8(&line[line.len().checked_sub(32)?..]).ok()?;
        if !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let reply_path = self.session.join(format!("reply.{id}"));
        let request_path = self.session.join(format!("request.{id}"));
        let reply = fifo::open(&reply_path, End::Write);
        let request = fifo::open(&request_path, End::Read);
        for path in [reply_path, request_path] {
            // A client that has gone may have taken them along.
            let _ = std::fs::remove_file(path);
        }
        Some(Visitor {
            reply: reply.ok()?,
            request: Some(request.ok()?),
            frames: Frames::default(),
            unsent: Vec::new(),
            sent: 0,
            heard: now,
        })
    }

    /// Removes pipes that nobody rang for.
    fn sweep(&self) {
        let Ok(entries) = std::fs::read_dir(&self.session) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let ours = name
                .to_str()
                .is_some_and(|name| name.starts_with("reply.") || name.starts_with("request."));
            let old = || {
                let made = entry.metadata().and_then(|seen| seen.modified()).ok()?;
                SystemTime::now().duration_since(made).ok()
            };
            if ours && old().is_some_and(|age| age > NEVER_RUNG) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fifo.as_fd()
    }
}

/// A client at the host.
#[derive(Debug)]
pub struct Visitor {
    reply: Fifo,
    /// Until it has asked; then only the reply end tells that it is gone.
    request: Option<Fifo>,
    frames: Frames,
    unsent: Vec<u8>,
    sent: usize,
    /// When something of its request last came.
    heard: Instant,
}

/// What became of a visitor in a turn.
#[derive(Debug, PartialEq, Eq)]
pub enum Visit {
    /// Its request is here.
    Asked(Vec<u8>),
    /// Nothing new.
    Stays,
    /// It is gone, or was too slow.
    Left,
}

impl Visitor {
    /// The descriptors to wait on, with what is wanted of each: the reply end, the request end.
    pub fn watched(&self) -> impl Iterator<Item = (BorrowedFd<'_>, Interest)> {
        let reply = Interest {
            read: false,
            write: self.sent < self.unsent.len(),
        };
        let request = Interest {
            read: true,
            write: false,
        };
        let asking = self.request.as_ref().map(|end| (end.as_fd(), request));
        std::iter::once((self.reply.as_fd(), reply)).chain(asking)
    }

    /// Until when a half-sent request is waited for.
    pub fn patience(&self) -> Option<Instant> {
        self.request.as_ref().map(|_| self.heard + PATIENCE)
    }

    /// Reads its request and writes its answer, as far as that goes now.
    pub fn turn(&mut self, reply: Ready, now: Instant) -> Visit {
        if reply.gone || self.write().is_err() {
            return Visit::Left;
        }
        let Some(request) = &self.request else {
            return Visit::Stays;
        };
        // A piece a turn: the program is drained and others are heard in between.
        let mut buffer = vec![0; REQUEST_PIECE];
        match request.read(&mut buffer) {
            Ok(Got::Bytes(count)) => {
                self.heard = now;
                if !self.frames.push(&buffer[..count]) {
                    return Visit::Left;
                }
            }
            Ok(Got::Nothing) => {}
            // The client holds both ends of it: nobody asks any more.
            Ok(Got::End) | Err(_) => return Visit::Left,
        }
        if let Some(line) = self.frames.next_line() {
            self.request = None;
            self.frames = Frames::default();
            return Visit::Asked(line);
        }
        if now >= self.heard + PATIENCE {
            return Visit::Left;
        }
        Visit::Stays
    }

    /// Queues a line of the answer and writes what the pipe takes.
    pub fn answer(&mut self, line: &[u8]) {
        self.unsent.extend_from_slice(line);
        // A failure is seen in the next turn.
        let _ = self.write();
    }

    /// Whether all of the answer is written.
    pub fn is_served(&self) -> bool {
        self.sent >= self.unsent.len()
    }

    fn write(&mut self) -> io::Result<()> {
        while self.sent < self.unsent.len() {
            match self.reply.write(&self.unsent[self.sent..])? {
                0 => return Ok(()),
                count => self.sent += count,
            }
        }
        self.unsent.clear();
        self.sent = 0;
        Ok(())
    }
}
