//! The files of `/proc`, read into one buffer that is used again.

use std::fmt::{self, Write};

use rustix::fs::{CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::{Device, Pulse};

/// The controlling terminal of whoever opens it: `/dev/tty`.
const DEV_TTY: (u32, u32) = (5, 0);

/// As much as `/proc` gives at once. It ends a piece before a line that would not fit, and no line is
/// half as long: what is shorter than half is the last.
const PAGE: usize = 4096;

/// What a descriptor of another process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The terminal that is asked about.
    Terminal,
    /// A pipe or FIFO: whoever has the other end is looked at by itself.
    Pipe,
    /// An epoll, which watches other descriptors.
    Epoll,
    /// A socket that does not end on this machine's own kernel.
    Network,
    /// Anything else, or gone.
    Other,
}

/// A process as its `stat` tells of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) pid: u32,
    /// `R`, `S`, `D`, `T`, `t`, `Z`, ... of its first thread.
    pub(super) state: u8,
    pub(super) group: u32,
    /// The number of its controlling terminal, as `st_rdev` writes it; 0 without one.
    pub(super) terminal: u64,
    /// The foreground group of that.
    pub(super) foreground: u32,
    pub(super) threads: u32,
}

/// Reads what is asked for, into one buffer.
#[derive(Debug, Default)]
pub(super) struct Files {
    path: String,
    text: Vec<u8>,
}

impl Files {
    fn at(&mut self, path: fmt::Arguments<'_>) {
        self.path.clear();
        // Writing to a string does not fail.
        let _ = self.path.write_fmt(path);
    }

    /// Reads a file to its end.
    pub(super) fn read(&mut self, path: fmt::Arguments<'_>) -> Result<&[u8], Errno> {
        self.at(path);
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let file = rustix::fs::open(self.path.as_str(), flags, Mode::empty())?;
        let mut filled = 0;
        loop {
            if self.text.len() < filled + PAGE {
                self.text.resize(filled + PAGE, 0);
            }
            let count = rustix::io::read(&file, &mut self.text[filled..])?;
            filled += count;
            if count < PAGE / 2 {
                return Ok(&self.text[..filled]);
            }
        }
    }

    /// What a process is, or none when it is gone.
    pub(super) fn seat(&mut self, pid: u32) -> Option<Seat> {
        let text = self.read(format_args!("/proc/{pid}/stat")).ok()?;
        // The name in parentheses may hold anything, also parentheses.
        let rest = &text[text.iter().rposition(|byte| *byte == b')')? + 1..];
        let fields: Vec<&str> = str::from_utf8(rest)
            .ok()?
            .split_ascii_whitespace()
            .take(18)
            .collect();
        let number = |index: usize| fields.get(index)?.parse::<i64>().ok();
        let terminal = u32::try_from(number(4)? & 0xffff_ffff).ok()?;
        Some(Seat {
            pid,
            state: *fields.first()?.as_bytes().first()?,
            group: u32::try_from(number(2)?).ok()?,
            terminal: rustix::fs::makedev(
                terminal >> 8 & 0xfff,
                terminal & 0xff | terminal >> 12 & 0xf_ff00,
            ),
            foreground: u32::try_from(number(5)?).unwrap_or(0),
            threads: u32::try_from(number(17)?).ok()?,
        })
    }

    /// The threads of a process that has so many.
    pub(super) fn threads(pid: u32, count: u32) -> Vec<u32> {
        if count <= 1 {
            return vec![pid];
        }
        let Ok(entries) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect()
    }

    /// Appends the children of a thread.
    pub(super) fn children(
        &mut self,
        pid: u32,
        thread: u32,
        into: &mut Vec<u32>,
    ) -> Result<(), Errno> {
        let text = self.read(format_args!("/proc/{pid}/task/{thread}/children"))?;
        let words = str::from_utf8(text).unwrap_or_default();
        into.extend(
            words
                .split_ascii_whitespace()
                .filter_map(|pid| pid.parse::<u32>().ok()),
        );
        Ok(())
    }

    /// The state of a thread, and its pulse. Anybody may read it.
    pub(super) fn pulse(&mut self, pid: u32, thread: u32) -> Option<(u8, Pulse)> {
        let text = self
            .read(format_args!("/proc/{pid}/task/{thread}/status"))
            .ok()?;
        let field = |name: &str| {
            let line = text
                .split(|byte| *byte == b'\n')
                .find_map(|line| line.strip_prefix(name.as_bytes()))?;
            Some(line.trim_ascii())
        };
        let state = *field("State:")?.first()?;
        let switches = str::from_utf8(field("voluntary_ctxt_switches:")?)
            .ok()?
            .parse()
            .ok()?;
        Some((state, Pulse { thread, switches }))
    }

    /// What descriptor `fd` of a process is; `seat` is the process, `device` the terminal.
    pub(super) fn kind(&mut self, seat: &Seat, fd: i32, device: Device) -> Kind {
        self.at(format_args!("/proc/{}/fd/{fd}", seat.pid));
        let Ok(inode) = rustix::fs::stat(self.path.as_str()) else {
            return Kind::Other;
        };
        match FileType::from_raw_mode(inode.st_mode) {
            FileType::CharacterDevice if is_terminal(&inode, seat, device) => Kind::Terminal,
            FileType::Fifo => Kind::Pipe,
            FileType::Socket if self.is_far() => Kind::Network,
            // What has no place in any file system has no type either.
            FileType::Unknown if self.is_epoll() => Kind::Epoll,
            _ => Kind::Other,
        }
    }

    fn is_epoll(&self) -> bool {
        rustix::fs::readlinkat(CWD, self.path.as_str(), Vec::new())
            .is_ok_and(|name| name.as_bytes() == b"anon_inode:[eventpoll]")
    }

    /// Whether the socket at the path reaches further than this machine's own processes.
    fn is_far(&self) -> bool {
        let mut name = [0; 32];
        let length =
            rustix::fs::getxattr(self.path.as_str(), "system.sockprotoname", &mut name[..]);
        let Ok(length) = length else { return true };
        let name = &name[..length];
        !(name.starts_with(b"UNIX") || name.starts_with(b"NETLINK"))
    }
}

fn is_terminal(inode: &Stat, seat: &Seat, device: Device) -> bool {
    let number = inode.st_rdev;
    if number == rustix::fs::makedev(DEV_TTY.0, DEV_TTY.1) {
        return seat.terminal == device.number;
    }
    number == device.number && (device.place == 0 || inode.st_dev == device.place)
}
