//! `list`: which sessions there are.

use serde::{Deserialize, Serialize};

use super::Facts;

/// Which sessions are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// Those whose program runs.
    Running,
    /// Those whose program has ended, and lost ones.
    Completed,
    /// Every one.
    #[default]
    All,
}

/// What `list` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct List {
    /// Which sessions are wanted.
    pub which: Which,
    /// Only those with all of these labels.
    pub labels: Vec<(String, String)>,
    /// Remove lost sessions, and say which.
    pub prune: bool,
}

/// The sessions, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// One object a session.
    pub sessions: Vec<Facts>,
    /// The names that `--prune` removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<String>,
}
