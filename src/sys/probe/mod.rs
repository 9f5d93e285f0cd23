//! Whether the programs on a terminal wait for input: the kernel is asked, nothing is guessed.
//!
//! Every thread of the terminal's foreground process group is looked at, and the session's other live
//! processes on a terminal. One that is blocked in a read of the terminal, or in a `poll` of any kind
//! with the terminal among what it wants to read, waits. The probe is a snapshot; what a write does to
//! its worth, and how long it must hold, is for others. Where the kernel does not tell (no Linux, no
//! `/proc`, another user's process), the answer is *unknown*.

#[cfg(target_os = "linux")]
mod act;
#[cfg(target_os = "linux")]
mod call;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod linux;

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// A call that gives up sooner than this does something else beside waiting.
pub const LONG: Duration = Duration::from_secs(1);

/// A terminal as its processes see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// The number of the terminal (`st_rdev`).
    pub number: u64,
    /// The file system that it is in (`st_dev`): containers number their terminals alike.
    pub place: u64,
}

/// Which terminal is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The terminal.
    pub device: Device,
    /// Its foreground process group.
    pub foreground: Option<u32>,
    /// The program that was started on it.
    pub program: u32,
    /// The process whose descendants are looked at: the program, or the one that adopts its orphans.
    pub root: u32,
    /// Children of the root that have nothing to do with the terminal.
    pub others: &'a [u32],
    /// How long a read of the terminal waits for a first byte (VMIN 0 and VTIME); none: for ever.
    pub patience: Option<Duration>,
    /// Whether it hides what is typed, line by line (ICANON without ECHO): a password is asked for.
    pub hides: bool,
}

/// What the kernel says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A thread waits for the terminal's input.
    Waiting {
        /// Whether there is no doubt that it is the user's turn.
        certain: bool,
    },
    /// Everything was looked at, and nothing waits for the terminal.
    Working,
    /// Not everything could be looked at.
    Unknown,
}

/// Why the answer is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A thread is blocked until there is input.
    Blocked,
    /// A thread is blocked until there is input, but wakes up by itself before long.
    ShortTimeout,
    /// Another thread or process works beside the one that waits.
    Beside,
    /// The one that waits for input also waits for the network.
    Network,
    /// A process that cannot be looked at stands beside the one that waits.
    BesideUnreadable,
    /// A process that cannot be looked at sleeps, while the terminal reads a line without echo.
    NoEcho,
    /// A thread waits, but nothing shows yet that it has had what was typed last.
    NotTakenYet,
    /// A thread runs.
    Runs,
    /// All that is in the foreground is blocked, and not on the terminal's input.
    Elsewhere,
    /// All that is in the foreground is stopped.
    Stopped,
    /// Nothing is in the foreground.
    Nobody,
    /// The foreground belongs to somebody else, or does not let itself be looked at.
    Unreadable,
    /// A thread waits in an `io_uring`, which does not say for what.
    IoUring,
    /// A 32-bit process, whose calls have other numbers.
    Foreign,
    /// The system has no `/proc`, or hides processes in it.
    NoProc,
    /// It was switched off.
    Off,
    /// The program has ended, or its terminal is gone.
    Ended,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blocked => "blocked until there is input",
            Self::ShortTimeout => "blocked until there is input or a short timeout is over",
            Self::Beside => "something works beside the process that waits",
            Self::Network => "waits for the network too",
            Self::BesideUnreadable => "beside a process that cannot be looked at",
            Self::NoEcho => "noecho",
            Self::NotTakenYet => "has not taken yet what was typed",
            Self::Runs => "runs",
            Self::Elsewhere => "blocked, but not on the terminal",
            Self::Stopped => "stopped",
            Self::Nobody => "nothing is in the foreground",
            Self::Unreadable => "the process cannot be looked at",
            Self::IoUring => "the process uses io_uring",
            Self::Foreign => "the process is a 32-bit one",
            Self::NoProc => "no /proc to look into",
            Self::Off => "COAX_NO_PROBE is set",
            Self::Ended => "the program has ended",
        })
    }
}

/// A thread, and how often it has gone to sleep by itself (`voluntary_ctxt_switches`): the same
/// number again means that it did nothing in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse {
    /// The thread.
    pub thread: u32,
    /// Its count.
    pub switches: u64,
}

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The answer.
    pub answer: Answer,
    /// Why.
    pub reason: Reason,
    /// The process that it is about.
    pub process: Option<u32>,
    /// The system call that it is in.
    pub call: Option<String>,
    /// After how long the waiting call gives up, where that is soon.
    pub turn: Option<Duration>,
    /// The threads that wait, or seem to.
    pub pulse: Vec<Pulse>,
}

impl Probe {
    /// Nothing is known, for this reason.
    pub fn unknown(reason: Reason) -> Self {
        Self {
            answer: Answer::Unknown,
            reason,
            process: None,
            call: None,
            turn: None,
            pulse: Vec::new(),
        }
    }

    /// The same answer for another reason.
    #[must_use]
    pub fn because(self, answer: Answer, reason: Reason) -> Self {
        Self {
            answer,
            reason,
            ..self
        }
    }
}

/// Which terminal a descriptor is.
#[cfg(target_os = "linux")]
pub fn device(terminal: &OwnedFd) -> io::Result<Device> {
    let inode = rustix::fs::fstat(terminal)?;
    Ok(Device {
        number: inode.st_rdev,
        place: inode.st_dev,
    })
}

/// Which terminal a descriptor is: nobody asks here.
#[cfg(not(target_os = "linux"))]
pub fn device(_: &OwnedFd) -> io::Result<Device> {
    Ok(Device {
        number: 0,
        place: 0,
    })
}

/// Looks at a terminal's programs.
#[cfg(target_os = "linux")]
pub fn look(target: &Target<'_>) -> Probe {
    linux::look(target)
}

/// Looks at a terminal's programs: nobody tells of them here.
#[cfg(not(target_os = "linux"))]
pub fn look(_: &Target<'_>) -> Probe {
    Probe::unknown(Reason::NoProc)
}
