//! A word of a script: pieces of text and of variables, already freed of their quotes.
//!
//! Printing a word and reading it again gives the same word; how it was quoted is not kept, only
//! whether it was: a bare `eof` is an arm, a quoted one is text.

use std::fmt;

use super::place::Place;

/// A word as it was read.
#[derive(Clone, Debug)]
pub struct Word {
    /// Where it begins.
    pub place: Place,
    /// Its pieces in order; no text is empty, and no two texts are neighbours.
    pub pieces: Vec<Piece>,
    /// Whether it was written without any quote or backslash.
    pub bare: bool,
}

/// One piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text that stands for itself.
    Text(String),
    /// A variable.
    Var(Var),
}

/// A variable in a word.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name, or the number of a capture.
    pub name: String,
    /// What stands in where it is not set or empty.
    pub default: Option<Vec<Piece>>,
    /// Where its `$` stands.
    pub place: Place,
}

impl Word {
    /// The text of a word that holds no variable.
    pub fn literal(&self) -> Option<String> {
        match self.pieces.as_slice() {
            [] => Some(String::new()),
            [Piece::Text(text)] => Some(text.clone()),
            _ => None,
        }
    }

    /// Whether this is exactly `text`, written without quotes.
    pub fn is_bare(&self, text: &str) -> bool {
        self.bare && matches!(self.pieces.as_slice(), [Piece::Text(own)] if own == text)
    }

    /// Every variable of the word, those in defaults too.
    pub fn vars(&self) -> Vec<&Var> {
        let mut found = Vec::new();
        let mut rest: Vec<&[Piece]> = vec![&self.pieces];
        while let Some(pieces) = rest.pop() {
            for piece in pieces {
                if let Piece::Var(var) = piece {
                    found.push(var);
                    rest.extend(var.default.as_deref());
                }
            }
        }
        found
    }
}

/// Adds `text` to `pieces`, joined to a text that stands last.
pub(super) fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    if text.is_empty() {
        return;
    }
    if let Some(Piece::Text(last)) = pieces.last_mut() {
        last.push_str(text);
    } else {
        pieces.push(Piece::Text(text.to_owned()));
    }
}

/// Equal where they mean the same; places do not count.
impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.pieces == other.pieces && self.bare == other.bare
    }
}

impl Eq for Word {}

/// Equal where they mean the same; places do not count.
impl PartialEq for Var {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.default == other.default
    }
}

impl Eq for Var {}

/// As a script would say it: bare if it was, else in double quotes.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bare {
            return self.pieces.iter().try_for_each(|piece| match piece {
                Piece::Text(text) => f.write_str(text),
                Piece::Var(var) => var.fmt(f),
            });
        }
        f.write_str("\"")?;
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => text.chars().try_for_each(|c| quoted(c, f))?,
                Piece::Var(var) => var.fmt(f)?,
            }
        }
        f.write_str("\"")
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${{{}", self.name)?;
        if let Some(default) = &self.default {
            f.write_str(":-")?;
            for piece in default {
                match piece {
                    Piece::Text(text) => text.chars().try_for_each(|c| match c {
                        '\\' | '$' | '}' => write!(f, "\\{c}"),
                        c => write!(f, "{c}"),
                    })?,
                    Piece::Var(var) => var.fmt(f)?,
                }
            }
        }
        f.write_str("}")
    }
}

/// One character as it stands in double quotes.
fn quoted(c: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match c {
        '\\' | '"' | '$' => write!(f, "\\{c}"),
        '\n' => f.write_str("\\n"),
        '\t' => f.write_str("\\t"),
        '\r' => f.write_str("\\r"),
        '\u{1b}' => f.write_str("\\e"),
        c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c)),
        c => write!(f, "{c}"),
    }
}
