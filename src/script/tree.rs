//! What a script says: commands, and blocks of arms. Printing a tree and reading it again gives
//! the same tree.

use std::fmt;

use super::place::Place;
use super::word::Word;

/// A script that was read without a mistake of quotes and blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Its commands in order.
    pub commands: Vec<Command>,
}

/// One command: its words, and the block that stands after them.
#[derive(Clone, Debug)]
pub struct Command {
    /// Where it begins.
    pub place: Place,
    /// Its words as they were written, without the block.
    pub text: String,
    /// Its words; the first one says what it is. Never empty.
    pub words: Vec<Word>,
    /// The block that stands after the words.
    pub block: Option<Vec<Arm>>,
    /// Whether a mistake was found in its words, so that they are not to be judged again.
    pub(super) spoilt: bool,
}

/// One arm of an `expect` block.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Where it begins.
    pub place: Place,
    /// The patterns that lead here, as `expect` takes them.
    pub patterns: Vec<Word>,
    /// What else leads here.
    pub catches: Vec<Catch>,
    /// What is done then.
    pub body: Vec<Command>,
    /// Whether a mistake was found in its patterns.
    pub(super) spoilt: bool,
}

/// What leads to an arm other than a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Catch {
    /// `eof`: the program ended before a match.
    Eof,
    /// `timeout`: the time was up before a match.
    Timeout,
}

impl Catch {
    /// Every one, with the bare word that stands for it.
    pub const ALL: [(&'static str, Self); 2] = [("eof", Self::Eof), ("timeout", Self::Timeout)];

    /// What a word in the place of a pattern catches, where it is not a pattern.
    pub(super) fn of(word: &Word) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(name, _)| word.is_bare(name))
            .map(|(_, catch)| *catch)
    }

    /// The bare word that stands for this.
    pub fn word(self) -> &'static str {
        match self {
            Self::Eof => "eof",
            Self::Timeout => "timeout",
        }
    }
}

/// Equal where they mean the same; places do not count.
impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words && self.block == other.block
    }
}

impl Eq for Command {}

/// Equal where they mean the same; places do not count.
impl PartialEq for Arm {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns && self.catches == other.catches && self.body == other.body
    }
}

impl Eq for Arm {}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.commands, 0, f)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(std::slice::from_ref(self), 0, f)
    }
}

fn print(commands: &[Command], depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for command in commands {
        write!(f, "{:indent$}", "", indent = depth * 2)?;
        spaced(&command.words, f)?;
        if let Some(arms) = &command.block {
            f.write_str(" {\n")?;
            for arm in arms {
                print_arm(arm, depth + 1, f)?;
            }
            write!(f, "{:indent$}}}", "", indent = depth * 2)?;
        }
        f.write_str("\n")?;
    }
    Ok(())
}

fn print_arm(arm: &Arm, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{:indent$}", "", indent = depth * 2)?;
    spaced(&arm.patterns, f)?;
    for (index, catch) in arm.catches.iter().enumerate() {
        let gap = if index == 0 && arm.patterns.is_empty() {
            ""
        } else {
            " "
        };
        write!(f, "{gap}{}", catch.word())?;
    }
    if !arm.body.is_empty() {
        f.write_str(" => {\n")?;
        print(&arm.body, depth + 1, f)?;
        write!(f, "{:indent$}}}", "", indent = depth * 2)?;
    }
    f.write_str("\n")
}

fn spaced(words: &[Word], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, word) in words.iter().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        write!(f, "{gap}{word}")?;
    }
    Ok(())
}
