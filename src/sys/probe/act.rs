//! What one thread does: it waits for the terminal, for something else, or runs.

use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::time::ClockId;

use super::call::{Call, Doing, Form, Limit, parse};
use super::files::{Files, Kind, Seat};
use super::{Device, LONG, Pulse, Reason};

/// How many descriptors of one call are looked at.
const SET_MAX: usize = 1024;

/// How deep an epoll may watch another.
const EPOLL_DEPTH: u8 = 2;

/// `POLLIN` and `POLLRDNORM`, which `EPOLLIN` and `EPOLLRDNORM` equal.
const READ_EVENTS: u32 = 0x41;

/// What a thread does.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// It is blocked until the terminal has input.
    Waits {
        call: Call,
        /// When it gives up, if ever.
        limit: Option<Duration>,
        /// Whether it waits for the network too.
        network: bool,
        pulse: Pulse,
    },
    /// It runs, or waits for the disk.
    Runs,
    /// It is blocked on something else.
    Blocked { call: Call, on: On },
    /// It is stopped.
    Stopped,
    /// It does not let itself be looked at; whether it sleeps, and its pulse.
    Hidden { asleep: bool, pulse: Option<Pulse> },
    /// It is blocked in a call that does not say for what.
    Opaque { call: Call, reason: Reason },
}

/// On what a thread is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum On {
    /// On processes of this machine or threads, which are looked at by themselves where they matter.
    Peers,
    /// On something that goes on by itself, such as the network, or for a while.
    World,
    /// Asleep for less than a second, as what draws a spinner is.
    Clock,
}

/// Why a look failed.
enum Miss {
    /// The thread is gone.
    Gone,
    /// It may not be looked at.
    Denied,
}

impl From<Errno> for Miss {
    fn from(error: Errno) -> Self {
        match error {
            Errno::NOENT | Errno::SRCH => Self::Gone,
            _ => Self::Denied,
        }
    }
}

/// A terminal, as what a thread is blocked on is compared with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sought {
    pub(super) device: Device,
    pub(super) patience: Option<Duration>,
}

/// What a thread of `seat` does; none when it is gone.
pub(super) fn act(files: &mut Files, seat: &Seat, thread: u32, sought: Sought) -> Option<Act> {
    match seat.state {
        b'T' | b't' => return Some(Act::Stopped),
        b'R' | b'D' if seat.threads == 1 => return Some(Act::Runs),
        _ => {}
    }
    match look(files, seat, thread, sought) {
        Ok(act) => Some(act),
        Err(Miss::Gone) => None,
        Err(Miss::Denied) => {
            let seen = files.pulse(seat.pid, thread);
            Some(Act::Hidden {
                asleep: seen.is_some_and(|(state, _)| state == b'S'),
                pulse: seen.map(|(_, pulse)| pulse),
            })
        }
    }
}

fn look(files: &mut Files, seat: &Seat, thread: u32, sought: Sought) -> Result<Act, Miss> {
    let pid = seat.pid;
    let line = files.read(format_args!("/proc/{pid}/task/{thread}/syscall"))?;
    let call = match parse(line) {
        Some(Doing::In(call)) => call,
        Some(Doing::Runs | Doing::Outside) => return Ok(Act::Runs),
        None => return Err(Miss::Denied),
    };
    if call.is_foreign() {
        let reason = Reason::Foreign;
        return Ok(Act::Opaque { call, reason });
    }
    let mut wanted = Vec::new();
    let (limit, asked) = match call.form() {
        Form::Uring => {
            let reason = Reason::IoUring;
            return Ok(Act::Opaque { call, reason });
        }
        Form::Peer => {
            return Ok(Act::Blocked {
                call,
                on: On::Peers,
            });
        }
        Form::Other => {
            return Ok(Act::Blocked {
                call,
                on: On::World,
            });
        }
        Form::Pause(limit) => {
            let on = if is_long(duration(pid, limit)?) {
                On::World
            } else {
                On::Clock
            };
            return Ok(Act::Blocked { call, on });
        }
        Form::Write(fd) => {
            let on = match files.kind(seat, fd, sought.device) {
                Kind::Pipe => On::Peers,
                _ => On::World,
            };
            return Ok(Act::Blocked { call, on });
        }
        Form::Read(fd) => {
            wanted.push(fd);
            (sought.patience, Asked::Read)
        }
        Form::Poll { at, count, limit } => {
            polled(pid, at, count, &mut wanted)?;
            (duration(pid, limit)?, Asked::Set)
        }
        Form::Select { at, count, limit } => {
            selected(pid, at, count, &mut wanted)?;
            (duration(pid, limit)?, Asked::Set)
        }
        Form::Epoll { fd, limit } => {
            watched(files, pid, fd, &mut wanted)?;
            (duration(pid, limit)?, Asked::Set)
        }
    };
    let (mut terminal, mut network, mut local) = (false, false, true);
    let mut depth = 0;
    while !wanted.is_empty() {
        let mut inner = Vec::new();
        for fd in wanted.drain(..) {
            match files.kind(seat, fd, sought.device) {
                Kind::Terminal => terminal = true,
                Kind::Network => network = true,
                Kind::Epoll if depth < EPOLL_DEPTH => watched(files, pid, fd, &mut inner)?,
                Kind::Pipe | Kind::Epoll => {}
                // A read of a file or of a device ends by itself; a set of such waits for a peer.
                Kind::Other => local &= asked == Asked::Set,
            }
        }
        wanted = inner;
        depth += 1;
    }
    if terminal {
        let (state, pulse) = files.pulse(pid, thread).ok_or(Miss::Gone)?;
        // It was woken in between.
        if state != b'S' {
            return Ok(Act::Runs);
        }
        return Ok(Act::Waits {
            call,
            limit,
            network,
            pulse,
        });
    }
    let on = if network || !local || asked == Asked::Set && !is_long(limit) {
        On::World
    } else {
        On::Peers
    };
    Ok(Act::Blocked { call, on })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Read,
    Set,
}

pub(super) fn is_long(limit: Option<Duration>) -> bool {
    limit.is_none_or(|limit| limit >= LONG)
}

/// Reads `bytes` of a process's memory.
fn memory(pid: u32, at: u64, bytes: &mut [u8]) -> Result<(), Miss> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = rustix::fs::open(format!("/proc/{pid}/mem"), flags, Mode::empty())?;
    match rustix::io::pread(&file, &mut *bytes, at)? {
        count if count == bytes.len() => Ok(()),
        _ => Err(Miss::Denied),
    }
}

fn duration(pid: u32, limit: Limit) -> Result<Option<Duration>, Miss> {
    let (place, unit) = match limit {
        Limit::Ms(ms) => return Ok(u64::try_from(ms).ok().map(Duration::from_millis)),
        Limit::Spec(0) | Limit::Val(0) => return Ok(None),
        Limit::Spec(at) | Limit::Until { at, .. } => (at, Duration::from_nanos(1)),
        Limit::Val(at) => (at, Duration::from_micros(1)),
    };
    let mut bytes = [0; 16];
    memory(pid, place, &mut bytes)?;
    let number = |from: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[from..from + 8]);
        u64::from_ne_bytes(word)
    };
    let part = unit.saturating_mul(u32::try_from(number(8)).unwrap_or(0));
    let given = Duration::from_secs(number(0)).saturating_add(part);
    let since = match limit {
        Limit::Until { realtime, .. } => time(realtime),
        Limit::Ms(_) | Limit::Spec(_) | Limit::Val(_) => Duration::ZERO,
    };
    Ok(Some(given.saturating_sub(since)))
}

/// What a clock of the kernel shows.
fn time(realtime: bool) -> Duration {
    let clock = if realtime {
        ClockId::Realtime
    } else {
        ClockId::Monotonic
    };
    Duration::try_from(rustix::time::clock_gettime(clock)).unwrap_or_default()
}

/// The descriptors that an array of `pollfd` wants to read.
fn polled(pid: u32, at: u64, count: u64, wanted: &mut Vec<i32>) -> Result<(), Miss> {
    let count = usize::try_from(count).unwrap_or(SET_MAX).min(SET_MAX);
    let mut bytes = vec![0; count * 8];
    memory(pid, at, &mut bytes)?;
    for entry in bytes.chunks_exact(8) {
        let fd = i32::from_ne_bytes([entry[0], entry[1], entry[2], entry[3]]);
        let events = u16::from_ne_bytes([entry[4], entry[5]]);
        if fd >= 0 && u32::from(events) & READ_EVENTS != 0 {
            wanted.push(fd);
        }
    }
    Ok(())
}

/// The descriptors in the read set of a `select`.
fn selected(pid: u32, at: u64, count: u64, wanted: &mut Vec<i32>) -> Result<(), Miss> {
    if at == 0 {
        return Ok(());
    }
    let count = usize::try_from(count).unwrap_or(SET_MAX).min(SET_MAX);
    let mut bytes = vec![0; count.div_ceil(64) * 8];
    memory(pid, at, &mut bytes)?;
    let words = bytes.chunks_exact(8).map(|word| {
        let mut bits = [0; 8];
        bits.copy_from_slice(word);
        u64::from_ne_bytes(bits)
    });
    for (first, word) in (0..).step_by(64).zip(words) {
        wanted.extend(
            (0..64)
                .filter(|bit| word >> bit & 1 == 1)
                .map(|bit| first + bit),
        );
    }
    Ok(())
}

/// The descriptors that an epoll wants to read.
fn watched(files: &mut Files, pid: u32, fd: i32, wanted: &mut Vec<i32>) -> Result<(), Miss> {
    let text = files.read(format_args!("/proc/{pid}/fdinfo/{fd}"))?;
    for line in text.split(|byte| *byte == b'\n') {
        let mut words = str::from_utf8(line)
            .unwrap_or_default()
            .split_ascii_whitespace();
        if words.next() != Some("tfd:") {
            continue;
        }
        let fd = words.next().and_then(|word| word.parse().ok());
        let events = words
            .nth(1)
            .and_then(|word| u32::from_str_radix(word, 16).ok());
        if let (Some(fd), Some(events)) = (fd, events)
            && events & READ_EVENTS != 0
        {
            wanted.push(fd);
        }
    }
    Ok(())
}
