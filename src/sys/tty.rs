//! The user's own terminal, outside of any session.

use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, OwnedFd};

use rustix::termios::{OptionalActions, Termios};

/// Which of this process's standard descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// Descriptor 0.
    Input,
    /// Descriptor 1.
    Output,
    /// Descriptor 2.
    Error,
}

/// Whether that descriptor is a terminal.
pub fn is_terminal(which: Standard) -> bool {
    match which {
        Standard::Input => io::stdin().is_terminal(),
        Standard::Output => io::stdout().is_terminal(),
        Standard::Error => io::stderr().is_terminal(),
    }
}

/// The size of the terminal that one of the standard descriptors is, as (rows, columns) that are
/// not zero.
pub fn size() -> Option<(u16, u16)> {
    let asked = [
        rustix::termios::tcgetwinsize(rustix::stdio::stdout()),
        rustix::termios::tcgetwinsize(rustix::stdio::stdin()),
        rustix::termios::tcgetwinsize(rustix::stdio::stderr()),
    ];
    asked
        .into_iter()
        .flatten()
        .map(|size| (size.ws_row, size.ws_col))
        .find(|(rows, cols)| *rows > 0 && *cols > 0)
}

/// The user's terminal in raw mode; put back when dropped.
#[derive(Debug)]
pub struct Raw {
    fd: OwnedFd,
    before: Termios,
}

impl Raw {
    /// Puts the terminal that standard input is into raw mode.
    pub fn stdin() -> io::Result<Self> {
        let fd = rustix::stdio::stdin().try_clone_to_owned()?;
        let before = rustix::termios::tcgetattr(&fd)?;
        let mut raw = before.clone();
        raw.make_raw();
        rustix::termios::tcsetattr(&fd, OptionalActions::Drain, &raw)?;
        Ok(Self { fd, before })
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // Nothing can be done when the terminal is gone.
        let _ = rustix::termios::tcsetattr(&self.fd, OptionalActions::Drain, &self.before);
    }
}

/// Reads standard input once; `None` when there is nothing now, 0 at its end.
///
/// The caller has seen that it is readable: the descriptor is not made non-blocking, because it
/// may be shared with others.
pub fn read_stdin(buffer: &mut [u8]) -> io::Result<Option<usize>> {
    match rustix::io::read(rustix::stdio::stdin(), buffer) {
        Ok(count) => Ok(Some(count)),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(None),
        // A terminal that has been hung up.
        Err(rustix::io::Errno::IO) => Ok(Some(0)),
        Err(error) => Err(error.into()),
    }
}

/// Writes to standard output once; 0 where it takes nothing now. The caller has seen that it is
/// writable, and gives it no more than a pipe takes whole.
pub fn write_stdout(bytes: &[u8]) -> io::Result<usize> {
    match rustix::io::write(rustix::stdio::stdout(), bytes) {
        Ok(count) => Ok(count),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

/// Standard output as a descriptor to poll.
pub fn stdout() -> impl AsFd {
    rustix::stdio::stdout()
}

/// Standard input as a descriptor to poll.
pub fn stdin() -> impl AsFd {
    rustix::stdio::stdin()
}

/// Whether this process is in the foreground of the terminal that standard input is: a background
/// job that touches it is stopped.
pub fn in_foreground() -> bool {
    rustix::termios::tcgetpgrp(rustix::stdio::stdin())
        .is_ok_and(|group| group == rustix::process::getpgrp())
}
