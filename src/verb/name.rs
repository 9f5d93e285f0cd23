//! The name of a session.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// The name of a session: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`, so it is always one plain directory name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Name {
    type Err = Fault;

    fn from_str(word: &str) -> Result<Self, Fault> {
        let mut bytes = word.bytes();
        let fits = bytes.next().is_some_and(|b| b.is_ascii_alphanumeric())
            && bytes.all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
            && word.len() <= 64;
        if fits {
            Ok(Self(word.to_owned()))
        } else {
            Err(Fault::usage(format!("{word:?} cannot be the name of a session"))
                .hint("a name has 1 to 64 letters, digits, dots, dashes and underscores, and begins with a letter or digit"))
        }
    }
}

impl TryFrom<String> for Name {
    type Error = Fault;

    fn try_from(word: String) -> Result<Self, Fault> {
        word.parse()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_directory_names() {
        for good in ["a", "s1", "my-session_2.0", &"x".repeat(64)] {
            assert!(good.parse::<Name>().is_ok(), "{good}");
        }
        for bad in [
            "",
            ".",
            "..",
            "a/b",
            "../x",
            "-s",
            ".hidden",
            "a b",
            "ü",
            &"x".repeat(65),
            "a\n",
        ] {
            assert!(bad.parse::<Name>().is_err(), "{bad:?}");
        }
    }
}
