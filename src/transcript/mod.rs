//! What happened, in order: the raw bytes, the match text, the echoes to leave out, the mark.
//!
//! Bytes go in with [`Transcript::absorb`], the text that the terminal made of them with
//! [`Transcript::note`], inputs with [`Transcript::sent`] at the moment of their write. Patterns see the
//! match text from the mark on; readers have cursors of their own; nothing is consumed. Time is an
//! argument.

pub mod base64;
#[cfg(test)]
mod echoes_tests;
mod holes;
#[cfg(test)]
mod holes_tests;
mod layout;
mod plain;
mod read;
#[cfg(test)]
mod read_tests;
mod ring;
mod tabs;
#[cfg(test)]
mod tests;
mod text;

use crate::fault::Fault;
use crate::pattern::{Found, Pattern, Searcher};
use crate::term::trail::{Rows, Written};

pub use holes::{Holes, Place, TtyMode};
pub use plain::{Plain, plain};
pub use read::{ChunkText, Form, ReadAnswer, ReadAsk, Streams, read};
pub use ring::{Chunk, DEFAULT_BOUND, Ring, Stream};
pub use text::{MatchText, Version};

/// Whether patterns see the echo of what was typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Echo {
    /// It is left out; what stands on its two sides is adjacent.
    #[default]
    Hidden,
    /// Everything is seen.
    Shown,
}

/// Whether patterns see the line that is not finished yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lines {
    /// All text.
    #[default]
    All,
    /// Only lines that have ended.
    Finished,
}

/// The transcript of one session.
#[derive(Debug)]
pub struct Transcript {
    ring: Ring,
    text: MatchText,
    holes: Holes,
    mark: u64,
    /// Where the last match on the raw bytes ended: between escapes there is no text position.
    raw_mark: u64,
}

impl Default for Transcript {
    fn default() -> Self {
        Self::new(DEFAULT_BOUND)
    }
}

impl Transcript {
    /// An empty transcript that keeps `bound` bytes, and about as much text.
    pub fn new(bound: usize) -> Self {
        Self {
            ring: Ring::new(bound),
            text: MatchText::new(bound),
            holes: Holes::default(),
            mark: 0,
            raw_mark: 0,
        }
    }

    /// Takes bytes as they arrived; gives their chunk.
    pub fn absorb(&mut self, bytes: &[u8], stream: Stream, now_ms: u64) -> Option<Chunk> {
        self.ring.append(bytes, stream, now_ms)
    }

    /// Takes the rows that lines begin on, before the text of those lines.
    pub fn place(&mut self, rows: &Rows) {
        self.text.place(rows);
    }

    /// Takes the text that the terminal made of what was absorbed.
    pub fn note(&mut self, written: &Written) {
        if !written.text.is_empty() {
            self.text.append(written);
            self.holes.judge(&self.text);
        }
    }

    /// Notes an input at the moment of its write, with the tty's mode and the cursor's place; whatever
    /// was read before must have been noted.
    pub fn sent(&mut self, bytes: &[u8], mode: TtyMode, here: Place) {
        self.holes.sent(bytes, mode, here, &self.text);
    }

    /// Neither output nor input has come for a while: text held back as the beginning of an echo is let
    /// go. To be called when [`Transcript::holds_back`] and nothing happened for some 100 ms.
    pub fn settle(&mut self) {
        self.holes.settle(&self.text);
    }

    /// Whether text is held back that may be the beginning of an echo.
    pub fn holds_back(&self) -> bool {
        self.holes.pending().is_some_and(|at| at < self.text.end())
    }

    /// The raw bytes.
    pub fn ring(&self) -> &Ring {
        &self.ring
    }

    /// The match text.
    pub fn text(&self) -> &MatchText {
        &self.text
    }

    /// The mark: the text position from which patterns see the stream.
    pub fn mark(&self) -> u64 {
        self.mark
    }

    /// Moves the mark past a match on the stream. It never goes back.
    pub fn matched(&mut self, found: &Found) {
        self.mark = self.mark.max(found.end);
        self.raw_mark = self.raw_mark.max(self.offset_after(found.end));
    }

    /// Moves the mark past a match on the raw bytes, which ends at that offset.
    pub fn matched_raw(&mut self, end: u64) {
        self.raw_mark = self.raw_mark.max(end);
        self.mark = self.mark.max(self.text.position_of(end));
    }

    /// The mark as patterns on the raw bytes see it: the offset behind the last match. Escapes that
    /// follow the matched text are behind it, although no text stands between.
    pub fn raw_mark(&self) -> u64 {
        self.raw_mark
    }

    /// The offset behind the byte that the character before a text position came from.
    pub fn offset_after(&self, pos: u64) -> u64 {
        match pos.checked_sub(1) {
            Some(last) => self.text.offset_at(last) + 1,
            None => 0,
        }
    }

    /// A searcher for `patterns` from the mark on.
    pub fn searcher(&self, patterns: &[Pattern]) -> Result<Searcher, Fault> {
        Searcher::new(patterns, self.mark)
    }

    /// Feeds a searcher what is new to it and searches that. The mark does not move.
    pub fn search(&self, searcher: &mut Searcher, echo: Echo, lines: Lines) -> Option<Found> {
        searcher.search(self.segments(searcher.next(), echo, lines))
    }

    /// The text that patterns see, from a text position on, in parts with their positions.
    pub fn segments(&self, from: u64, echo: Echo, lines: Lines) -> Vec<(u64, &str)> {
        let mut parts = self.between(from, self.text.end(), echo);
        if lines == Lines::Finished {
            while let Some((_, part)) = parts.last_mut() {
                if let Some(end) = part.rfind('\n') {
                    *part = &part[..=end];
                    break;
                }
                parts.pop();
            }
        }
        parts
    }

    /// What patterns saw between the mark and a match: its `before`. To be asked before
    /// [`Transcript::matched`].
    pub fn before(&self, found: &Found, echo: Echo) -> String {
        self.seen(self.mark, found.start, echo)
    }

    /// The text that patterns see between two text positions.
    pub fn seen(&self, from: u64, to: u64, echo: Echo) -> String {
        self.between(from, to, echo)
            .iter()
            .map(|(_, part)| *part)
            .collect()
    }

    /// The last lines of the match text, echoes too, for a report.
    pub fn last_lines(&self, count: usize) -> &str {
        let text = self
            .text
            .slice(self.text.end().saturating_sub(64 * 1024), u64::MAX);
        let body = text.strip_suffix('\n').unwrap_or(text);
        let from = match count.checked_sub(1) {
            Some(breaks) => body
                .rmatch_indices('\n')
                .nth(breaks)
                .map_or(0, |(at, _)| at + 1),
            None => text.len(),
        };
        &text[from..]
    }

    /// Feeds a searcher what is new of the raw bytes and searches that; its places are byte offsets.
    /// Each byte that is not UTF-8 is a SUB, U+001A, so that places stay exact.
    pub fn search_raw(&self, searcher: &mut Searcher) -> Option<Found> {
        let from = searcher.next().max(self.ring.oldest());
        let text = raw_text(&self.ring.range(from, self.ring.end()));
        searcher.search([(from, text.as_str())])
    }

    /// Answers `read`.
    pub fn read(&self, ask: &ReadAsk) -> Result<ReadAnswer, Fault> {
        read(&self.ring, ask)
    }

    fn between(&self, from: u64, to: u64, echo: Echo) -> Vec<(u64, &str)> {
        match echo {
            Echo::Hidden => self.holes.visible(&self.text, from, to),
            Echo::Shown => {
                let from = from.max(self.text.oldest());
                let part = self.text.slice(from, to);
                if part.is_empty() {
                    Vec::new()
                } else {
                    vec![(from, part)]
                }
            }
        }
    }
}

/// Bytes as text of the same length. A character that is not complete at the end is left out.
fn raw_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let bad = chunk.invalid();
        let at_end = text.len() + bad.len() == bytes.len();
        let cut = std::str::from_utf8(bad).is_err_and(|error| error.error_len().is_none());
        if !(at_end && cut) {
            text.extend(bad.iter().map(|_| '\x1a'));
        }
    }
    text
}
