//! `start`: opens a session.

use serde::{Deserialize, Serialize};

use crate::term::Size;

use super::{Bytes, Name};

/// What a new session is to be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The program and its arguments, as they are.
    pub argv: Vec<Bytes>,
    /// The size of the terminal.
    pub size: Size,
    /// The directory to run in, absolute, or none for the one that coax is in.
    pub cwd: Option<Bytes>,
    /// The whole environment of the program, but for `COAX_SESSION`.
    pub env: Vec<(Bytes, Bytes)>,
    /// Whether the session outlives a script that started it.
    pub detach: bool,
    /// Whether the kernel is not asked if the program waits for input.
    #[serde(default)]
    pub no_probe: bool,
    /// What it is for, in the user's words.
    pub description: Option<String>,
    /// Labels to choose it by.
    pub labels: Vec<(String, String)>,
    /// Who it belongs to.
    pub owner: Option<String>,
}

/// A session has been opened and its program runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// The session's name.
    #[serde(rename = "name")]
    pub name: Name,
    /// The program's process.
    pub pid: u32,
    /// The session's host.
    pub host_pid: u32,
    /// The size of the terminal.
    pub size: Size,
    /// The transcript's end at the time of this answer.
    pub offset: u64,
    /// Whether the name was taken over from a session that had ended.
    pub replaced: bool,
}
