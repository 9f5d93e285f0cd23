//! Named pipes, always opened so that nothing blocks.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

/// One end, or both, of a named pipe.
#[derive(Debug)]
pub struct Fifo {
    fd: OwnedFd,
}

/// What reading gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    /// This many bytes.
    Bytes(usize),
    /// Nothing now.
    Nothing,
    /// Nobody has the other end open.
    End,
}

/// Which end is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// To read; there need be no writer.
    Read,
    /// To write; fails with ENXIO where nobody reads.
    Write,
    /// Both, so that neither end is ever missing (Linux; POSIX leaves it open).
    Both,
}

/// Makes a named pipe with mode 0600.
pub fn make(path: &Path) -> io::Result<()> {
    let mode = Mode::RUSR | Mode::WUSR;
    Ok(rustix::fs::mknodat(CWD, path, FileType::Fifo, mode, 0)?)
}

/// Opens a named pipe of ours; anything else in its place is refused.
pub fn open(path: &Path, end: End) -> io::Result<Fifo> {
    let way = match end {
        End::Read => OFlags::RDONLY,
        End::Write => OFlags::WRONLY,
        End::Both => OFlags::RDWR,
    };
    let fd = rustix::fs::open(
        path,
        way | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW,
        Mode::empty(),
    )?;
    let seen = rustix::fs::fstat(&fd)?;
    if FileType::from_raw_mode(seen.st_mode) != FileType::Fifo || seen.st_uid != super::dir::user()
    {
        return Err(io::Error::other("not a named pipe of this user"));
    }
    Ok(Fifo { fd })
}

/// Whether the error says that nobody reads the other end.
pub fn nobody_reads(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ENXIO)
}

impl Fifo {
    /// Reads what is there.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<Got> {
        loop {
            return match rustix::io::read(&self.fd, &mut *buffer) {
                Ok(0) => Ok(Got::End),
                Ok(count) => Ok(Got::Bytes(count)),
                Err(Errno::AGAIN) => Ok(Got::Nothing),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    /// Writes what the pipe takes now, 0 where it is full. Up to `PIPE_BUF` bytes go whole or not at
    /// all. A pipe that nobody reads is an error (EPIPE).
    pub fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            return match rustix::io::write(&self.fd, bytes) {
                Ok(count) => Ok(count),
                Err(Errno::AGAIN) => Ok(0),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    /// Shrinks the pipe's buffer to a page, so that a user's many pipes do not use up what the
    /// system grants. Does nothing where that cannot be chosen.
    pub fn shrink(&self) {
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&self.fd, 4096);
    }
}

impl AsFd for Fifo {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
