//! `signal`: sends a signal to the terminal's foreground process group.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::session::Session;
use crate::sys::process;

use super::Reply;

/// What `signal` takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// The signal's name, with or without `SIG`, or its number.
    pub signal: String,
}

/// The signal has been sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signalled {
    /// The signal's name, without `SIG`.
    pub signal: String,
    /// The process group that got it.
    pub group: u32,
}

impl Signal {
    /// The signal's number.
    ///
    /// # Errors
    /// Usage, when there is no such signal.
    pub fn number(&self) -> Result<i32, Fault> {
        process::signal_number(&self.signal).ok_or_else(|| {
            let names: Vec<_> = process::SIGNALS.iter().map(|(name, _)| *name).collect();
            Fault::usage(format!("there is no signal {:?}", self.signal))
                .hint(format!("signals are {}", names.join(" ")))
        })
    }

    pub(super) fn perform(&self, session: &mut Session, now: Instant) -> Result<Reply, Fault> {
        let number = self.number()?;
        let group = session.signal(number, now)?;
        Ok(Reply::Signalled(Signalled {
            signal: process::signal_name(number),
            group,
        }))
    }
}
