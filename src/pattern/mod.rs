//! What a match is: a literal text, a glob or a regular expression, each with its source form.
//!
//! A [`Pattern`] is checked when it is parsed and travels over a link in its source form; a
//! [`Searcher`] finds the first of several in text that grows. Nothing here knows where text comes
//! from.

mod glob;
mod miss;
mod search;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::fault::Fault;

pub use miss::NearMiss;
pub use search::{Capture, Found, LOOKBACK, Searcher};

/// How a pattern's source is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The source is the text itself.
    #[default]
    Text,
    /// `*` is any run of characters of one line, as short as possible; `?` one character of a line;
    /// `[a-z]` and `[!a-z]` one of a set; a backslash takes the next character as it is.
    Glob,
    /// A regular expression, with the syntax of the `regex` crate: `(?m)`, `(?s)`, `(?i)` work,
    /// look-around and back-references do not exist.
    Regex,
}

impl Kind {
    /// The prefix that chooses this kind for one pattern.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Text => "text:",
            Self::Glob => "glob:",
            Self::Regex => "re:",
        }
    }

    /// The kind's name, as replies spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Glob => "glob",
            Self::Regex => "regex",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing to look for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pattern {
    /// The name that the caller gave it (`--on NAME=PATTERN`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How the source is read.
    pub kind: Kind,
    /// What was written, without the prefix.
    pub source: String,
}

impl Pattern {
    /// A literal text. It is checked when a [`Searcher`] is made of it.
    pub fn text(source: impl Into<String>) -> Self {
        Self {
            name: None,
            kind: Kind::Text,
            source: source.into(),
        }
    }

    /// Reads a word of a command line or script: `re:`, `glob:` or `text:` in front chooses the kind,
    /// otherwise it is `default`. A pattern that cannot be used is refused with the reason.
    pub fn parse(word: &str, default: Kind) -> Result<Self, Fault> {
        let (kind, source) = [Kind::Regex, Kind::Glob, Kind::Text]
            .into_iter()
            .find_map(|kind| Some((kind, word.strip_prefix(kind.prefix())?)))
            .unwrap_or((default, word));
        let pattern = Self {
            name: None,
            kind,
            source: source.to_owned(),
        };
        pattern.compile()?;
        Ok(pattern)
    }

    /// Reads `NAME=PATTERN`, as `--on` takes it.
    pub fn parse_named(word: &str, default: Kind) -> Result<Self, Fault> {
        let Some((name, rest)) = word.split_once('=') else {
            return Err(
                Fault::usage(format!("`{word}` has no name for its pattern"))
                    .hint("write NAME=PATTERN, for example `--on failed='re:error: .+'`"),
            );
        };
        if name.is_empty() || name.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(Fault::usage(format!(
                "`{name}` cannot be the name of a pattern: a name is one word"
            )));
        }
        Ok(Self::parse(rest, default)?.named(name))
    }

    /// The same pattern with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The regular expression that this pattern stands for.
    pub(crate) fn expression(&self) -> Result<String, Fault> {
        match self.kind {
            Kind::Text => Ok(regex::escape(&self.source)),
            Kind::Glob => glob::expression(&self.source),
            Kind::Regex => Ok(self.source.clone()),
        }
    }

    /// Checks the pattern and makes it ready to search.
    pub(crate) fn compile(&self) -> Result<Regex, Fault> {
        let regex = compile(&self.expression()?, &self.source)?;
        if matches_nothing(&regex) {
            return Err(self.empty());
        }
        Ok(regex)
    }

    fn empty(&self) -> Fault {
        if self.source.is_empty() {
            return Fault::usage(
                "an empty pattern would match at once, whatever the program prints",
            )
            .hint("name the text to wait for; to wait for quiet or for input, use `wait`");
        }
        let fault = Fault::usage(format!(
            "`{self}` also matches the empty text: it would match at once, whatever the program prints"
        ));
        match self.kind {
            Kind::Glob => fault.hint("a glob needs at least one character besides `*`"),
            Kind::Text | Kind::Regex => fault.hint(
                "make a part of it obligatory, for example `+` in place of `*`; \
                 for any output at all use `re:(?s).`",
            ),
        }
    }
}

impl fmt::Display for Pattern {
    /// The word that [`Pattern::parse`] reads back, whatever its default kind.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefixes = [Kind::Regex, Kind::Glob, Kind::Text].map(Kind::prefix);
        let ambiguous = prefixes.iter().any(|p| self.source.starts_with(p));
        if self.kind != Kind::Text || ambiguous {
            f.write_str(self.kind.prefix())?;
        }
        f.write_str(&self.source)
    }
}

impl FromStr for Pattern {
    type Err = Fault;

    fn from_str(word: &str) -> Result<Self, Fault> {
        Self::parse(word, Kind::default())
    }
}

/// A regular expression that picks lines (`read --grep`): it may match the empty text.
#[derive(Clone, Debug)]
pub struct LineFilter(Regex);

impl LineFilter {
    /// Reads the expression; a mistake is a usage fault that shows its place.
    pub fn new(source: &str) -> Result<Self, Fault> {
        compile(source, source).map(Self)
    }

    /// Whether the line has a match.
    pub fn keeps(&self, line: &str) -> bool {
        self.0.is_match(line)
    }
}

fn compile(expression: &str, source: &str) -> Result<Regex, Fault> {
    Regex::new(expression).map_err(|error| refusal(source, &error))
}

/// Texts of one line, of several, of words and of none: a pattern that is satisfied with nothing at
/// its first chance in any of them is of no use on a stream.
fn matches_nothing(regex: &Regex) -> bool {
    ["", "a", "\n", " ", "a b\n", "0"]
        .iter()
        .any(|probe| regex.find(probe).is_some_and(|hit| hit.is_empty()))
}

/// Turns the regex crate's drawing (source, a line of carets, `error: what`) into a fault.
fn refusal(source: &str, error: &regex::Error) -> Fault {
    let drawing = error.to_string();
    let what = drawing
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("error: "))
        .unwrap_or(match error {
            regex::Error::CompiledTooBig(_) => "it is too big",
            _ => "it cannot be read",
        });
    let place = drawing
        .lines()
        .find(|line| line.contains('^') && line.trim_matches([' ', '^']).is_empty())
        .and_then(|line| line.find('^'))
        .map(|column| format!(" at character {}", column.saturating_sub(4) + 1))
        .filter(|_| !source.contains('\n'))
        .unwrap_or_default();
    let hint = if what.contains("look-around") || what.contains("backreference") {
        "look-around and back-references do not exist here: match more and take what you need from a capture group"
    } else if what.contains("too big") || matches!(error, regex::Error::CompiledTooBig(_)) {
        "make the counted repetitions smaller"
    } else {
        "put a backslash before a character that is meant as it is, or leave `re:` and `--regex` away to match the text literally"
    };
    Fault::usage(format!(
        "`{source}` is not a regular expression: {what}{place}"
    ))
    .hint(hint)
    .report(drawing)
}
