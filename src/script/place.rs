//! Where something stands in a script, and what is wrong there.

use std::fmt;

use serde::Serialize;

/// A place in a script: line and column, both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Place {
    /// The first character of a script.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// A mistake in a script, found before anything is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// Where it stands.
    #[serde(flatten)]
    pub place: Place,
    /// What is wrong, in one line.
    pub message: String,
    /// What to write instead, or empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hint: String,
}

impl Mistake {
    /// A mistake at `place`; see [`Mistake::hint`] for what to write instead.
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        Self {
            place,
            message: message.into(),
            hint: String::new(),
        }
    }

    /// The same mistake with what to write instead.
    #[must_use]
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// `LINE:COLUMN: MESSAGE`, so that `FILE:` before it makes a line that editors can jump to.
impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {}",
            self.place.line, self.place.column, self.message
        )?;
        if !self.hint.is_empty() {
            write!(f, " ({})", self.hint)?;
        }
        Ok(())
    }
}
