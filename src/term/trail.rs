//! What was printed, in the order in which it was printed: the text that patterns read.
//!
//! The screen tells the trail of every print, erase and move; the trail turns that into append-only
//! text, each cluster with the byte offset that it came from. It depends on the bytes alone, not on
//! how they were cut. Whoever keeps the match text takes what is new with [`Trail::take`].

/// Text appended to the trail since the last [`Trail::take`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The text itself.
    pub text: String,
    /// Where the text came from, ascending by `at`.
    pub runs: Vec<Run>,
    /// Where versions of lines begin, ascending by `at`.
    pub lines: Vec<LineStart>,
}

/// From `at` on (a byte index into [`Written::text`]) the text came from the stream's bytes from
/// `offset` on, byte for byte; or, where `flat`, all of it from the byte at `offset` (blanks that
/// fill a gap, a newline, a character that is shorter or longer in the text).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// A byte index into the text.
    pub at: usize,
    /// An absolute byte offset of the stream.
    pub offset: u64,
    /// Whether the whole run belongs to that one byte.
    pub flat: bool,
}

/// A version of a line begins here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineStart {
    /// A byte index into the text.
    pub at: usize,
    /// Which logical line: versions of the same line have the same number, a later line a higher one.
    pub line: u64,
    /// The logical column (soft-wrapped rows count on) at which its text begins.
    pub col: u32,
}
