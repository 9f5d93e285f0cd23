//! The match text: what was printed, append-only, with the way back to byte offsets.
//!
//! Text positions are absolute, count bytes of the text and never change. The text is bounded: by its
//! length and by the number of runs and lines that describe it.

use std::collections::VecDeque;

use crate::term::trail::{Rows, Written};

/// How many runs or lines are kept at most.
const MAX_PARTS: usize = 128 * 1024;

/// Where a run of text came from. There is one for every escape sequence and every newline, so it is
/// kept small.
#[derive(Clone, Copy, Debug)]
struct Origin {
    pos: u64,
    /// The byte offset twice, and one more where the whole run came from that byte.
    offset_flat: u64,
}

const _: () = assert!(size_of::<Origin>() == 16);

impl Origin {
    fn new(pos: u64, offset: u64, flat: bool) -> Self {
        let offset_flat = offset << 1 | u64::from(flat);
        Self { pos, offset_flat }
    }

    fn offset(self) -> u64 {
        self.offset_flat >> 1
    }

    fn is_flat(self) -> bool {
        self.offset_flat & 1 == 1
    }
}

/// A version of a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The text position at which it begins.
    pub pos: u64,
    /// Which logical line it is a version of.
    pub line: u64,
    /// The logical column at which its text begins.
    pub col: u32,
}

/// The bounded match text of a session.
#[derive(Debug)]
pub struct MatchText {
    text: String,
    oldest: u64,
    bound: usize,
    origins: VecDeque<Origin>,
    versions: VecDeque<Version>,
    /// How many columns a row has; 0 where that is not known.
    width: u32,
    /// Lines that do not begin on the row after the one that the line before begins on.
    jumps: VecDeque<(u64, i64)>,
}

impl MatchText {
    /// An empty text that keeps about `bound` bytes.
    pub fn new(bound: usize) -> Self {
        Self {
            text: String::new(),
            oldest: 0,
            bound: bound.max(1),
            origins: VecDeque::new(),
            versions: VecDeque::new(),
            width: 0,
            jumps: VecDeque::new(),
        }
    }

    /// Takes the rows that lines begin on, before the text of those lines.
    pub fn place(&mut self, rows: &Rows) {
        self.width = rows.width;
        self.jumps.extend(&rows.jumps);
    }

    /// How many columns a row has; 0 where that is not known.
    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// The row that a line begins on.
    pub(super) fn row_of(&self, line: u64) -> i64 {
        let after = self.jumps.partition_point(|jump| jump.0 <= line);
        let jump = after.checked_sub(1).and_then(|index| self.jumps.get(index));
        let &(first, row) = jump.unwrap_or(&(0, 0));
        row.saturating_add_unsigned(line - first)
    }

    /// Appends what the terminal's trail gave.
    pub fn append(&mut self, written: &Written) {
        let base = self.end();
        self.text.push_str(&written.text);
        let runs = written.runs.iter();
        self.origins
            .extend(runs.map(|run| Origin::new(base + run.at as u64, run.offset, run.flat)));
        self.versions
            .extend(written.lines.iter().map(|line| Version {
                pos: base + line.at as u64,
                line: line.line,
                col: line.col,
            }));
        self.trim();
        let kept = self.versions.front().map_or(0, |version| version.line);
        while self.jumps.get(1).is_some_and(|next| next.0 <= kept) || self.jumps.len() > MAX_PARTS {
            self.jumps.pop_front();
        }
    }

    /// The oldest text position that is kept; as many bytes of text were dropped.
    pub fn oldest(&self) -> u64 {
        self.oldest
    }

    /// The text position after the newest text.
    pub fn end(&self) -> u64 {
        self.oldest + self.text.len() as u64
    }

    /// The kept text from `from` to before `to`. A place inside a character counts as its beginning.
    pub fn slice(&self, from: u64, to: u64) -> &str {
        let start = self.index(from);
        let end = self.index(to).max(start);
        &self.text[start..end]
    }

    /// The byte offset that the text at `pos` came from; at the end of the text, the offset after the
    /// last byte that has text.
    pub fn offset_at(&self, pos: u64) -> u64 {
        if pos > self.oldest && pos >= self.end() {
            return self.offset_at(self.end() - 1) + 1;
        }
        let after = self.origins.partition_point(|origin| origin.pos <= pos);
        match after
            .checked_sub(1)
            .and_then(|index| self.origins.get(index))
        {
            Some(origin) if origin.is_flat() => origin.offset(),
            Some(origin) => origin.offset() + (pos - origin.pos),
            None => self.origins.front().map_or(0, |origin| origin.offset()),
        }
    }

    /// The first text position that came from the byte at `offset` or a later one.
    pub fn position_of(&self, offset: u64) -> u64 {
        let after = self
            .origins
            .partition_point(|origin| origin.offset() < offset);
        let next = self
            .origins
            .get(after)
            .map_or(self.end(), |origin| origin.pos);
        let Some(origin) = after
            .checked_sub(1)
            .and_then(|index| self.origins.get(index))
        else {
            return self.oldest;
        };
        if origin.is_flat() {
            return next;
        }
        let pos = origin.pos + (offset - origin.offset());
        self.oldest + self.index_up(pos.min(next)) as u64
    }

    /// The versions of lines that begin at `from` or after it, and the one that is under way there.
    pub(super) fn versions_from(&self, from: u64) -> impl Iterator<Item = Version> + '_ {
        let after = self.versions.partition_point(|version| version.pos <= from);
        self.versions.range(after.saturating_sub(1)..).copied()
    }

    /// The text position at which the line that holds `pos` begins.
    pub fn line_start(&self, pos: u64) -> u64 {
        let before = self.slice(self.oldest, pos);
        self.oldest + before.rfind('\n').map_or(0, |at| at + 1) as u64
    }

    fn index(&self, pos: u64) -> usize {
        let mut at = distance(pos.saturating_sub(self.oldest)).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn index_up(&self, pos: u64) -> usize {
        let mut at = distance(pos.saturating_sub(self.oldest)).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        at
    }

    /// Drops the oldest text, an eighth at a time so that it costs little.
    fn trim(&mut self) {
        let slack = self.bound / 8;
        let mut keep_from = self.oldest;
        if self.text.len() > self.bound + slack {
            keep_from = self.end() - self.bound as u64;
        }
        for parts in [
            part_to_drop(&self.origins, |origin| origin.pos),
            part_to_drop(&self.versions, |version| version.pos),
        ] {
            keep_from = keep_from.max(parts.unwrap_or(0));
        }
        if keep_from == self.oldest {
            return;
        }
        let gone = self.index_up(keep_from);
        self.text.drain(..gone);
        self.oldest += gone as u64;
        let oldest = self.oldest;
        while self.origins.get(1).is_some_and(|next| next.pos <= oldest) {
            self.origins.pop_front();
        }
        while self.versions.get(1).is_some_and(|next| next.pos <= oldest) {
            self.versions.pop_front();
        }
    }
}

/// The position to keep from when there are too many parts.
fn part_to_drop<T>(parts: &VecDeque<T>, pos: impl Fn(&T) -> u64) -> Option<u64> {
    if parts.len() <= MAX_PARTS {
        return None;
    }
    parts.get(parts.len() - MAX_PARTS * 7 / 8).map(pos)
}

fn distance(from: u64) -> usize {
    usize::try_from(from).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::trail::{LineStart, Run};

    fn run(at: usize, offset: u64, flat: bool) -> Run {
        Run { at, offset, flat }
    }

    fn sample() -> MatchText {
        let mut text = MatchText::new(1000);
        // ESC[1m a é b CR LF, then c after an escape of 4 bytes.
        text.append(&Written {
            text: "aéb\n".to_owned(),
            runs: vec![run(0, 4, false), run(4, 9, true)],
            lines: vec![LineStart {
                at: 0,
                line: 0,
                col: 0,
            }],
        });
        text.append(&Written {
            text: "   c".to_owned(),
            runs: vec![run(0, 14, true), run(3, 14, false)],
            lines: vec![LineStart {
                at: 0,
                line: 1,
                col: 0,
            }],
        });
        text
    }

    #[test]
    fn text_positions_lead_to_byte_offsets_and_back() {
        let text = sample();
        assert_eq!(
            (0..9).map(|pos| text.offset_at(pos)).collect::<Vec<_>>(),
            [4, 5, 6, 7, 9, 14, 14, 14, 14]
        );
        assert_eq!(text.slice(1, 4), "éb");
        for (offset, pos) in [
            (0, 0),
            (4, 0),
            (5, 1),
            (7, 3),
            (8, 4),
            (9, 4),
            (10, 5),
            (14, 5),
            (15, 9),
        ] {
            assert_eq!(
                text.position_of(offset),
                pos.min(text.end()),
                "offset {offset}"
            );
        }
        assert_eq!(text.line_start(7), 5);
        assert_eq!(
            text.versions_from(2).map(|v| v.line).collect::<Vec<_>>(),
            [0, 1]
        );
    }

    #[test]
    fn text_is_bounded_and_positions_stay() {
        let mut text = MatchText::new(100);
        for n in 0..100u64 {
            text.append(&Written {
                text: "0123456789éx\n".to_owned(),
                runs: vec![run(0, n * 20, false)],
                lines: vec![LineStart {
                    at: 0,
                    line: n,
                    col: 0,
                }],
            });
        }
        assert_eq!(text.end(), 1400);
        assert!(text.end() - text.oldest() <= 112, "{}", text.oldest());
        assert_eq!(text.slice(1386, 1400), "0123456789éx\n");
        assert_eq!(text.offset_at(1388), 99 * 20 + 2);
        assert!(text.origins.len() <= 10 && text.versions.len() <= 10);
    }

    #[test]
    fn runs_are_bounded_too() {
        let mut text = MatchText::new(1 << 24);
        let runs: Vec<Run> = (0..1000).map(|n| run(n, n as u64 * 5, false)).collect();
        for _ in 0..200 {
            text.append(&Written {
                text: "x".repeat(1000),
                runs: runs.clone(),
                lines: Vec::new(),
            });
        }
        assert!(text.origins.len() <= MAX_PARTS + 1000);
        assert!(text.oldest() > 0);
    }
}
