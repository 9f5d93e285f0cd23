//! `key`: presses keys, as xterm would send them in the program's current modes.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::keys::{self, KeyModes};
use crate::session::Session;
use crate::term::mode::Mode;

use super::send::Typing;
use super::{Limit, Task, Then};

/// What `key` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Press {
    /// The names of the keys, in order.
    pub keys: Vec<String>,
    /// What follows.
    #[serde(default)]
    pub then: Then,
    /// How long at most; 30 s unless given.
    pub timeout: Option<Limit>,
}

impl Press {
    /// Reads the names.
    ///
    /// # Errors
    /// Usage, when one is not the name of a key.
    pub fn check(&self) -> Result<Vec<keys::Press>, Fault> {
        self.keys
            .iter()
            .map(|name| keys::Press::parse(name))
            .collect()
    }

    pub(super) fn begin(self, session: &mut Session, now: Instant) -> Result<Box<dyn Task>, Fault> {
        let modes = key_modes(session);
        let bytes = self
            .check()?
            .iter()
            .flat_map(|press| press.encode(modes))
            .collect();
        let following = self.then.begin(session, self.timeout, now)?;
        let typing = Typing::new(bytes, None, following, self.timeout, now);
        Ok(Box::new(typing))
    }
}

fn key_modes(session: &Session) -> KeyModes {
    let modes = session.screen().modes();
    KeyModes {
        app_cursor: modes.application_cursor_keys(),
        bracketed_paste: modes.bracketed_paste(),
        newline: modes.has(Mode::Lnm),
        backspace_bs: modes.has(Mode::Decbkm),
        modify_other_keys: modes.modify_other_keys,
    }
}
