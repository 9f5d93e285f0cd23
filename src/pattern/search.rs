//! Finding the first of several patterns in text that grows, in time linear in the text.
//!
//! The searcher keeps the end of what it has searched: as much as a match that is still in progress
//! could need. For a literal that is its length; for an expression that cannot match a newline, the
//! unfinished line; for any other, [`LOOKBACK`] bytes, and no line counts for more than that either.
//! A match that would span more than that bound can be missed when it arrives in pieces.
//!
//! What has arrived is matched as it stands: `\d+` takes the digits that are there. `^` without `(?m)`
//! is the place where the search began, `$` the end of what has arrived.

use std::ops::Range;

use regex::Regex;

use super::{Kind, Pattern};
use crate::fault::Fault;

/// How far back a match that is still in progress may have begun, in bytes.
pub const LOOKBACK: usize = 64 * 1024;

/// A match. Places are text positions as they were fed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which pattern matched, from 0 in the order given.
    pub index: usize,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Its kind.
    pub kind: Kind,
    /// Where the match begins.
    pub start: u64,
    /// Where it ends: the position after its last byte.
    pub end: u64,
    /// The matched text.
    pub text: String,
    /// The groups that took part in the match, from number 1 on.
    pub captures: Vec<Capture>,
}

/// One group of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The group's number, from 1.
    pub number: usize,
    /// The group's name, where it has one.
    pub name: Option<String>,
    /// Where it begins.
    pub start: u64,
    /// Where it ends.
    pub end: u64,
    /// What it matched.
    pub text: String,
}

/// Looks for several patterns at once. The match that begins first wins; of those that begin at the
/// same place, the pattern that was given first.
#[derive(Debug)]
pub struct Searcher {
    patterns: Vec<(Pattern, Regex)>,
    /// All patterns as one expression: a single pass tells that none of them matches.
    any: Option<Regex>,
    reach: Reach,
    window: String,
    pieces: Vec<Piece>,
    /// Where in the window a match may begin. A character before it is context.
    from: usize,
    /// How much of the window has been searched.
    searched: usize,
    next: u64,
}

/// From `at` in the window on, the text came from position `pos` on.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: usize,
    pos: u64,
}

/// How far back a match in progress may have begun; the larger the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Bytes(usize),
    Line,
    Lookback,
}

impl Searcher {
    /// A searcher for `patterns`, which begins at the text position `from`.
    pub fn new(patterns: &[Pattern], from: u64) -> Result<Self, Fault> {
        if patterns.is_empty() {
            return Err(Fault::usage("there is no pattern to look for"));
        }
        let mut reach = Reach::Bytes(0);
        let mut compiled = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            compiled.push((pattern.clone(), pattern.compile()?));
            reach = reach.max(reach_of(pattern));
        }
        Ok(Self {
            any: union(patterns)?,
            patterns: compiled,
            reach,
            window: String::new(),
            pieces: Vec::new(),
            from: 0,
            searched: 0,
            next: from,
        })
    }

    /// Forgets what was fed and begins anew at the text position `from`.
    pub fn restart(&mut self, from: u64) {
        self.window.clear();
        self.pieces.clear();
        self.from = 0;
        self.searched = 0;
        self.next = from;
    }

    /// The text position from which the searcher wants text.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Appends text that begins at position `at`. What it has already is left out; a gap (text that is
    /// hidden, or gone) joins what is on both its sides.
    pub fn feed(&mut self, at: u64, text: &str) {
        let known = usize::try_from(self.next.saturating_sub(at)).unwrap_or(usize::MAX);
        let Some(text) = text.get(known..).filter(|text| !text.is_empty()) else {
            return;
        };
        let pos = at + known as u64;
        let here = self.window.len();
        if position(&self.pieces, here) != Some(pos) {
            self.pieces.push(Piece { at: here, pos });
        }
        self.window.push_str(text);
        self.next = pos + text.len() as u64;
    }

    /// Searches what was fed since the last call.
    pub fn find(&mut self) -> Option<Found> {
        if self.searched == self.window.len() {
            return None;
        }
        let found = self.first(&self.window, self.from, &self.pieces);
        if found.is_none() {
            self.searched = self.window.len();
            self.trim();
        }
        found
    }

    /// Feeds segments of text and searches them.
    pub fn search<'a>(
        &mut self,
        segments: impl IntoIterator<Item = (u64, &'a str)>,
    ) -> Option<Found> {
        for (at, text) in segments {
            self.feed(at, text);
        }
        self.find()
    }

    /// The first match in a text that stands by itself, such as a screen; places are byte indices.
    pub fn find_in(&self, text: &str) -> Option<Found> {
        self.first(text, 0, &[Piece { at: 0, pos: 0 }])
    }

    /// The first match from `from` on; `pieces` tell the places of the text.
    fn first(&self, text: &str, from: usize, pieces: &[Piece]) -> Option<Found> {
        if self
            .any
            .as_ref()
            .is_some_and(|any| any.find_at(text, from).is_none())
        {
            return None;
        }
        let (index, start) = self
            .patterns
            .iter()
            .enumerate()
            .filter_map(|(index, (_, regex))| Some((index, something(regex, text, from)?)))
            .min_by_key(|&(index, start)| (start, index))?;
        let (pattern, regex) = &self.patterns[index];
        let groups = regex.captures_at(text, start)?;
        let whole = groups.get(0)?;
        let captures = regex
            .capture_names()
            .enumerate()
            .skip(1)
            .filter_map(|(number, name)| {
                let group = groups.get(number)?;
                let (start, end) = span(pieces, group.range());
                Some(Capture {
                    number,
                    name: name.map(str::to_owned),
                    start,
                    end,
                    text: group.as_str().to_owned(),
                })
            })
            .collect();
        let (start, end) = span(pieces, whole.range());
        Some(Found {
            index,
            name: pattern.name.clone(),
            kind: pattern.kind,
            start,
            end,
            text: whole.as_str().to_owned(),
            captures,
        })
    }

    #[cfg(test)]
    pub(super) fn window_size(&self) -> usize {
        self.window.capacity()
    }

    #[cfg(test)]
    pub(super) fn stays_in_line(&self) -> bool {
        self.reach == Reach::Line
    }

    /// Lets go of what no match can need any more.
    fn trim(&mut self) {
        let end = self.window.len();
        let back = match self.reach {
            Reach::Bytes(count) => end.saturating_sub(count),
            Reach::Lookback => end.saturating_sub(LOOKBACK),
            Reach::Line => {
                let floor = boundary(&self.window, end.saturating_sub(LOOKBACK));
                self.window[floor..]
                    .rfind('\n')
                    .map_or(floor, |at| floor + at + 1)
            }
        };
        self.from = boundary(&self.window, back).max(self.from);
        let keep = boundary(&self.window, self.from.saturating_sub(1));
        // Moving the rest to the front is paid for by at least as much text that goes.
        if keep < 4096 || keep < end - keep {
            return;
        }
        self.window.drain(..keep);
        self.window.shrink_to(4 * LOOKBACK);
        self.from -= keep;
        self.searched -= keep;
        let gone = self
            .pieces
            .partition_point(|piece| piece.at <= keep)
            .saturating_sub(1);
        self.pieces.drain(..gone);
        for piece in &mut self.pieces {
            // Only the first piece can begin before what is kept.
            piece.pos += keep.saturating_sub(piece.at) as u64;
            piece.at = piece.at.saturating_sub(keep);
        }
    }
}

/// A span ends after its last byte, not where the next piece begins.
fn span(pieces: &[Piece], range: Range<usize>) -> (u64, u64) {
    let start = position(pieces, range.start).unwrap_or_default();
    let last = if range.is_empty() {
        None
    } else {
        position(pieces, range.end - 1)
    };
    (start, last.map_or(start, |last| last + 1))
}

/// The text position of an index into the window.
fn position(pieces: &[Piece], index: usize) -> Option<u64> {
    let after = pieces.partition_point(|piece| piece.at <= index);
    let piece = pieces.get(after.checked_sub(1)?)?;
    Some(piece.pos + (index - piece.at) as u64)
}

/// Where the first match that is not empty begins.
fn something(regex: &Regex, text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let hit = regex.find_at(text, at)?;
        if !hit.is_empty() {
            return Some(hit.start());
        }
        at = hit.end() + text[hit.end()..].chars().next()?.len_utf8();
    }
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The alternation of all patterns, which says in one pass whether any of them matches. Where it
/// cannot be had (group names that occur twice, comments that would swallow a bracket), each pattern is
/// searched by itself.
fn union(patterns: &[Pattern]) -> Result<Option<Regex>, Fault> {
    let risky =
        |p: &Pattern| p.kind == Kind::Regex && p.source.contains('#') && p.source.contains("(?");
    if patterns.len() < 2 || patterns.iter().any(risky) {
        return Ok(None);
    }
    let mut all = String::new();
    for pattern in patterns {
        if !all.is_empty() {
            all.push('|');
        }
        all.push_str("(?:");
        all.push_str(&pattern.expression()?);
        all.push(')');
    }
    Ok(Regex::new(&all).ok())
}

fn reach_of(pattern: &Pattern) -> Reach {
    let stays_in_line = match pattern.kind {
        Kind::Text if pattern.source.len() <= LOOKBACK => {
            return Reach::Bytes(pattern.source.len() - 1);
        }
        Kind::Text => false,
        Kind::Glob => !pattern.source.contains('\n'),
        Kind::Regex => !may_cross_lines(&pattern.source),
    };
    if stays_in_line {
        Reach::Line
    } else {
        Reach::Lookback
    }
}

/// Whether an expression could match a newline, by its spelling. Errs towards yes, which only costs
/// time.
fn may_cross_lines(source: &str) -> bool {
    let mut rest = source.chars().peekable();
    let mut before = ' ';
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('d' | 'w' | 'S' | 'b' | 'B' | 'A' | 'z' | 'r') => {}
                Some(c) if c.is_ascii_punctuation() => {}
                _ => return true,
            },
            '^' | ':' if before == '[' => return true,
            c if c < ' ' => return true,
            '?' if before == '(' => {
                let named = matches!(rest.peek(), Some('P' | '<'));
                if !named
                    && rest
                        .clone()
                        .take_while(|c| !matches!(c, ':' | ')' | '-'))
                        .any(|c| c == 's')
                {
                    return true;
                }
            }
            _ => {}
        }
        before = if c == '\\' { ' ' } else { c };
    }
    false
}
