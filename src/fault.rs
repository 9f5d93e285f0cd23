//! What went wrong, said so that a person can act on it, and the one table of exit codes.
//!
//! A [`Fault`] says what was wanted, what was seen and what to try. Its [`Kind`] decides the exit
//! code, here and nowhere else. Faults travel over the link, so they are plain data.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of thing went wrong; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A check failed: `--not` matched, a snapshot differs, `fail` in a script.
    CheckFailed,
    /// The command line, a script or a definition is wrong.
    Usage,
    /// The program ended before what was waited for.
    Ended,
    /// There is no such session.
    NoSession,
    /// The session's host is gone or does not answer.
    HostGone,
    /// A line is longer than the line discipline holds.
    CanonicalLine,
    /// A secret would be echoed.
    EchoOn,
    /// A secret would go to a prompt in raw mode that was not named.
    RawPrompt,
    /// The text holds bytes that the terminal would act on.
    ControlBytes,
    /// The session has no terminal.
    NoTty,
    /// The session is not a shell.
    NotAShell,
    /// A live session has that name.
    NameTaken,
    /// A service of that name runs already.
    ServiceRunning,
    /// Several sessions could be meant.
    AmbiguousSession,
    /// The deadline passed.
    Timeout,
    /// coax itself failed.
    Internal,
    /// The program cannot be run.
    CannotRun,
    /// The program is not found.
    NotFound,
}

/// An exit code of coax: section "EXIT CODES" of the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    /// Done, matched, met.
    pub const OK: Self = Self(0);
    /// A check failed.
    pub const CHECK: Self = Self(1);
    /// Usage.
    pub const USAGE: Self = Self(2);
    /// The program ended first.
    pub const ENDED: Self = Self(3);
    /// No such session.
    pub const NO_SESSION: Self = Self(4);
    /// The host is gone or does not answer.
    pub const HOST: Self = Self(5);
    /// Refused.
    pub const REFUSED: Self = Self(6);
    /// Timeout.
    pub const TIMEOUT: Self = Self(124);
    /// coax itself failed.
    pub const INTERNAL: Self = Self(125);
    /// The program cannot be run.
    pub const CANNOT_RUN: Self = Self(126);
    /// The program is not found.
    pub const NOT_FOUND: Self = Self(127);
}

impl Kind {
    /// The exit code that a failure of this kind ends with.
    pub fn exit(self) -> Exit {
        match self {
            Self::CheckFailed => Exit::CHECK,
            Self::Usage => Exit::USAGE,
            Self::Ended => Exit::ENDED,
            Self::NoSession => Exit::NO_SESSION,
            Self::HostGone => Exit::HOST,
            Self::CanonicalLine
            | Self::EchoOn
            | Self::RawPrompt
            | Self::ControlBytes
            | Self::NoTty
            | Self::NotAShell
            | Self::NameTaken
            | Self::ServiceRunning
            | Self::AmbiguousSession => Exit::REFUSED,
            Self::Timeout => Exit::TIMEOUT,
            Self::Internal => Exit::INTERNAL,
            Self::CannotRun => Exit::CANNOT_RUN,
            Self::NotFound => Exit::NOT_FOUND,
        }
    }
}

/// A failure as a small report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What kind of failure; decides the exit code.
    pub kind: Kind,
    /// What was wanted and what was seen, in one line.
    pub message: String,
    /// What to try, or empty.
    #[serde(default)]
    pub hint: String,
    /// What stood there when it failed, in lines for a person (the screen, the last output), or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub report: String,
    /// How many bytes had been written when a send failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_written: Option<u64>,
}

impl Fault {
    /// A failure of `kind` with its message; see [`Fault::hint`] and [`Fault::report`] for the rest.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: String::new(),
            report: String::new(),
            bytes_written: None,
        }
    }

    /// A mistake in what was asked.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// A failure of coax itself or of the system under it.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Kind::Internal, message)
    }

    /// The same failure with what to try.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The same failure with what stood there.
    #[must_use]
    pub fn report(mut self, report: impl Into<String>) -> Self {
        self.report = report.into();
        self
    }

    /// The exit code that this failure ends with.
    pub fn exit(&self) -> Exit {
        self.kind.exit()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
