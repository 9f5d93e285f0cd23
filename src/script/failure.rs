//! How a script failed, said so that the line is found and the cause is seen.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::fault::{Exit, Fault};

use super::place::{Mistake, Place};

/// A command of a script failed, and the script with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The script, as it was named.
    pub file: String,
    /// Where the command stands, or the variable in it that has no value.
    #[serde(flatten)]
    pub place: Place,
    /// The command as it was written.
    pub command: String,
    /// The exit code of the script: the failure's own, or that of the program that was waited for.
    #[serde(rename = "exit_code", serialize_with = "number")]
    pub exit: Exit,
    /// What went wrong.
    #[serde(rename = "error")]
    pub fault: Fault,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn number<S: Serializer>(exit: &Exit, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(exit.0)
}

/// `FILE:LINE: COMMAND: MESSAGE`, of a `fail` without the command, and in lines of their own what stood there and the hint.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            place,
            command,
            fault,
            ..
        } = self;
        match command.strip_prefix("fail ") {
            // Its words are the message.
            Some(_) => write!(f, "{file}:{}: {}", place.line, fault.message)?,
            None => write!(f, "{file}:{}: {command}: {}", place.line, fault.message)?,
        }
        if !fault.report.is_empty() {
            write!(f, "\n{}", fault.report.trim_end())?;
        }
        if !fault.hint.is_empty() {
            write!(f, "\nhint: {}", fault.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// Why a script did not end well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It has mistakes, so nothing of it was run.
    Mistakes(Vec<Mistake>),
    /// A command failed.
    Failure(Box<Failure>),
}

/// How a script ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code of the script.
    pub exit: Exit,
    /// Why it is not 0, where a command failed or the script was refused.
    pub trouble: Option<Trouble>,
    /// What went wrong when the sessions of the script were ended; it does not change the exit code.
    pub cleanup: Vec<Fault>,
}
