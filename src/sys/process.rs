//! Other processes: which descend from one, what they are, and signals to them.

use rustix::process::{Pid, Signal};

/// A process as `/proc` tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Its command, as its argv says or in brackets where it has none.
    pub command: String,
    /// Its process group.
    pub group: u32,
    /// Its process session.
    pub session: u32,
    /// The device number of its controlling terminal, 0 where it has none.
    pub tty: i64,
    /// When it started, in clock ticks after boot: with the number, who it is.
    pub started: u64,
}

/// SIGKILL.
pub const KILL: i32 = libc::SIGKILL;
/// SIGTERM.
pub const TERM: i32 = libc::SIGTERM;
/// SIGHUP.
pub const HUP: i32 = libc::SIGHUP;
/// SIGCONT.
pub const CONT: i32 = libc::SIGCONT;
/// SIGPIPE.
pub const PIPE: i32 = libc::SIGPIPE;
/// SIGINT.
pub const INT: i32 = libc::SIGINT;
/// SIGCHLD.
pub const CHLD: i32 = libc::SIGCHLD;
/// SIGWINCH.
pub const WINCH: i32 = libc::SIGWINCH;

/// Sends a signal to one process; false when it is not there or may not be signalled.
pub fn signal(pid: u32, signal: i32) -> bool {
    send(pid, signal, rustix::process::kill_process)
}

/// Sends a signal to a process group; false when there is none or it may not be signalled.
pub fn signal_group(group: u32, signal: i32) -> bool {
    send(group, signal, rustix::process::kill_process_group)
}

fn send(pid: u32, signal: i32, to: fn(Pid, Signal) -> rustix::io::Result<()>) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let signal = Signal::from_named_raw(signal);
    pid.zip(signal)
        .is_some_and(|(pid, signal)| to(pid, signal).is_ok())
}

/// The process group of this process.
pub fn own_group() -> u32 {
    rustix::process::getpgrp()
        .as_raw_nonzero()
        .get()
        .cast_unsigned()
}

/// Every living descendant of `pid`, parents before their children, less the children `others` of it
/// and what descends from them.
///
/// Empty where the system has no `/proc`.
pub fn descendants(pid: u32, others: &[u32]) -> Vec<Process> {
    let mut found = Vec::new();
    let mut queue = vec![pid];
    while let Some(parent) = queue.pop() {
        for child in children(parent) {
            if parent == pid && others.contains(&child) {
                continue;
            }
            queue.push(child);
            if let Some(process) = look(child) {
                found.push(process);
            }
        }
    }
    found
}

/// The children of `pid`, living and zombies.
pub fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| {
            list.split_ascii_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}

/// Whether `pid` has ended and waits to be reaped.
pub fn is_zombie(pid: u32) -> bool {
    stat(pid).is_some_and(|fields| fields.first().is_some_and(|state| state == "Z"))
}

/// What `pid` is, or none when it is not there or has ended.
pub fn look(pid: u32) -> Option<Process> {
    let fields = stat(pid)?;
    let number = |index: usize| {
        fields
            .get(index)
            .and_then(|field| field.parse::<i64>().ok())
    };
    if matches!(fields.first().map(String::as_str), Some("Z" | "X")) {
        return None;
    }
    Some(Process {
        pid,
        command: command(pid),
        group: u32::try_from(number(2)?).ok()?,
        session: u32::try_from(number(3)?).ok()?,
        tty: number(4)?,
        started: u64::try_from(number(19)?).ok()?,
    })
}

/// The fields of `/proc/PID/stat` from the state on; the command before it may hold anything.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let rest = &text[text.rfind(')')? + 1..];
    Some(rest.split_ascii_whitespace().map(str::to_owned).collect())
}

/// The command line of `pid`, arguments joined by blanks, 200 characters at most.
pub fn command(pid: u32) -> String {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words: Vec<_> = line
        .split(|byte| *byte == 0)
        .filter(|word| !word.is_empty())
        .map(String::from_utf8_lossy)
        .collect();
    if words.is_empty() {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        return format!("[{}]", name.trim_end());
    }
    words
        .join(" ")
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(200)
        .collect()
}

/// The number of a signal by its name, with or without `SIG`, or by its number.
pub fn signal_number(word: &str) -> Option<i32> {
    let upper = word.to_ascii_uppercase();
    let bare = upper.strip_prefix("SIG").unwrap_or(&upper);
    SIGNALS
        .iter()
        .find(|(name, _)| *name == bare)
        .map(|(_, number)| *number)
        .or_else(|| {
            bare.parse()
                .ok()
                .filter(|number| SIGNALS.iter().any(|(_, n)| n == number))
        })
}

/// The name of a signal without `SIG`, or its number.
pub fn signal_name(number: i32) -> String {
    SIGNALS
        .iter()
        .find(|(_, n)| *n == number)
        .map_or_else(|| number.to_string(), |(name, _)| (*name).to_owned())
}

/// The signals that can be sent by name.
pub const SIGNALS: &[(&str, i32)] = &[
    ("HUP", libc::SIGHUP),
    ("INT", libc::SIGINT),
    ("QUIT", libc::SIGQUIT),
    ("ILL", libc::SIGILL),
    ("TRAP", libc::SIGTRAP),
    ("ABRT", libc::SIGABRT),
    ("BUS", libc::SIGBUS),
    ("FPE", libc::SIGFPE),
    ("KILL", libc::SIGKILL),
    ("USR1", libc::SIGUSR1),
    ("SEGV", libc::SIGSEGV),
    ("USR2", libc::SIGUSR2),
    ("PIPE", libc::SIGPIPE),
    ("ALRM", libc::SIGALRM),
    ("TERM", libc::SIGTERM),
    ("CHLD", libc::SIGCHLD),
    ("CONT", libc::SIGCONT),
    ("STOP", libc::SIGSTOP),
    ("TSTP", libc::SIGTSTP),
    ("TTIN", libc::SIGTTIN),
    ("TTOU", libc::SIGTTOU),
    ("URG", libc::SIGURG),
    ("XCPU", libc::SIGXCPU),
    ("XFSZ", libc::SIGXFSZ),
    ("VTALRM", libc::SIGVTALRM),
    ("PROF", libc::SIGPROF),
    ("WINCH", libc::SIGWINCH),
    ("IO", libc::SIGIO),
    ("SYS", libc::SIGSYS),
];
