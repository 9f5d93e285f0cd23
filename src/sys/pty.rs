//! Pseudo-terminals: the pair, its size, its line discipline, and reading and writing the master.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::pty::OpenptFlags;
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, Winsize,
};

use super::probe::{self, Device};

/// The longest line that the line discipline holds in canonical mode, its end not counted.
pub const LINE_MAX: usize = if cfg!(target_vendor = "apple") {
    1023
} else {
    4095
};

/// How the line discipline treats what is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "termios flags are independent bits"
)]
pub struct Discipline {
    /// ICANON: input is handed on line by line.
    pub canonical: bool,
    /// ECHO: what is typed is printed back.
    pub echo: bool,
    /// ISIG: INTR, QUIT and SUSP send signals.
    pub signals: bool,
    /// IXON: STOP and START hold and release output.
    pub flow: bool,
    /// IEXTEN: LNEXT, REPRINT and the like work.
    pub extended: bool,
    /// How long a read waits for a first byte (VMIN 0 and VTIME); none: for ever.
    pub patience: Option<Duration>,
    /// The bytes that are acted on, with what they do: `c_cc` less those that are switched off.
    pub special: Special,
}

/// The bytes of `c_cc`; 0 where one is switched off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are termios'")]
pub struct Special {
    pub intr: u8,
    pub quit: u8,
    pub erase: u8,
    pub kill: u8,
    pub eof: u8,
    pub eol: u8,
    pub eol2: u8,
    pub start: u8,
    pub stop: u8,
    pub susp: u8,
    pub reprint: u8,
    pub werase: u8,
    pub lnext: u8,
    pub discard: u8,
}

/// What reading the master gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    /// This many bytes.
    Bytes(usize),
    /// Nothing now.
    Nothing,
    /// The end: nobody has the slave open any more (EIO on Linux, 0 elsewhere).
    End,
}

/// The master side, non-blocking.
#[derive(Debug)]
pub struct Master {
    fd: OwnedFd,
    device: Device,
}

/// The slave side, to be handed to a program.
#[derive(Debug)]
pub struct Slave {
    pub(super) fd: OwnedFd,
}

/// Opens a pair of `rows` by `cols`, in the kernel's usual cooked mode with IUTF8.
pub fn open(rows: u16, cols: u16) -> io::Result<(Master, Slave)> {
    let fd = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    rustix::pty::grantpt(&fd)?;
    rustix::pty::unlockpt(&fd)?;
    let path = rustix::pty::ptsname(&fd, Vec::new())?;
    let slave = rustix::fs::open(
        path.as_c_str(),
        OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    let mut modes = rustix::termios::tcgetattr(&slave)?;
    modes.input_modes |= InputModes::IUTF8;
    rustix::termios::tcsetattr(&slave, OptionalActions::Now, &modes)?;
    let device = probe::device(&slave)?;
    let master = Master { fd, device };
    master.resize(rows, cols)?;
    nonblocking(&master.fd)?;
    Ok((master, Slave { fd: slave }))
}

/// Whether writing failed because nobody has the other side open.
pub fn is_hung_up(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EIO)
}

pub(super) fn nonblocking(fd: &OwnedFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(fd)?;
    Ok(rustix::fs::fcntl_setfl(fd, flags | OFlags::NONBLOCK)?)
}

impl Master {
    /// Reads what is there into `buffer`.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<Got> {
        loop {
            return match rustix::io::read(&self.fd, &mut *buffer) {
                Ok(0) | Err(Errno::IO) => Ok(Got::End),
                Ok(count) => Ok(Got::Bytes(count)),
                Err(Errno::AGAIN) => Ok(Got::Nothing),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    /// Writes as much of `bytes` as the terminal takes now; 0 where it takes nothing.
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

    /// TIOCSWINSZ: sets the size; the foreground group gets SIGWINCH when it differs.
    pub fn resize(&self, rows: u16, cols: u16) -> io::Result<()> {
        Ok(rustix::termios::tcsetwinsize(
            &self.fd,
            Winsize {
                ws_row: rows,
                ws_col: cols,
                ws_xpixel: 0,
                ws_ypixel: 0,
            },
        )?)
    }

    /// The longest line that the line discipline holds in canonical mode, its end not counted.
    pub const LINE_MAX: usize = if cfg!(target_vendor = "apple") {
        1023
    } else {
        4095
    };

    /// How the line discipline treats input now.
    pub fn discipline(&self) -> io::Result<Discipline> {
        Ok(discipline(&rustix::termios::tcgetattr(&self.fd)?))
    }

    /// The slave side, as the processes on it see it.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The foreground process group, or none when the terminal has none (any more).
    pub fn foreground(&self) -> Option<u32> {
        let group = rustix::termios::tcgetpgrp(&self.fd).ok()?;
        u32::try_from(group.as_raw_nonzero().get()).ok()
    }
}

impl AsFd for Master {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

fn discipline(modes: &Termios) -> Discipline {
    let local = modes.local_modes;
    let byte = |index| modes.special_codes[index];
    let canonical = local.contains(LocalModes::ICANON);
    let patient = canonical || byte(SpecialCodeIndex::VMIN) > 0;
    let tenths = Duration::from_millis(100) * u32::from(byte(SpecialCodeIndex::VTIME));
    Discipline {
        canonical,
        echo: local.contains(LocalModes::ECHO),
        signals: local.contains(LocalModes::ISIG),
        flow: modes.input_modes.contains(InputModes::IXON),
        extended: local.contains(LocalModes::IEXTEN),
        patience: (!patient).then_some(tenths),
        special: Special {
            intr: byte(SpecialCodeIndex::VINTR),
            quit: byte(SpecialCodeIndex::VQUIT),
            erase: byte(SpecialCodeIndex::VERASE),
            kill: byte(SpecialCodeIndex::VKILL),
            eof: byte(SpecialCodeIndex::VEOF),
            eol: byte(SpecialCodeIndex::VEOL),
            eol2: byte(SpecialCodeIndex::VEOL2),
            start: byte(SpecialCodeIndex::VSTART),
            stop: byte(SpecialCodeIndex::VSTOP),
            susp: byte(SpecialCodeIndex::VSUSP),
            reprint: byte(SpecialCodeIndex::VREPRINT),
            werase: byte(SpecialCodeIndex::VWERASE),
            lnext: byte(SpecialCodeIndex::VLNEXT),
            discard: byte(SpecialCodeIndex::VDISCARD),
        },
    }
}
