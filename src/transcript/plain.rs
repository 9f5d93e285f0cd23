//! `read --plain`: raw bytes as the text that a terminal's line would end up with.
//!
//! Only the last version of each line is kept, and no control byte but newline. A TAB becomes the
//! blanks to the next stop of 8 columns. A move to another row ends the line, since a slice does not
//! know the rows above it; a soft-wrapped line is one line. Charsets are not followed: line drawing
//! shows as its letters.

use crate::term::decode::{Decoder, Sink};
use crate::term::function::{Extent, Function};
use crate::term::width;

/// A line longer than this is put out in parts, of which the earlier ones cannot change any more.
const LINE_MAX: usize = 64 * 1024;

/// Where moves end when the terminal's width is not known.
const WIDEST: usize = 4096;

/// Marks that follow one character, at most.
const MARKS_MAX: usize = 16;

/// Plain text, and whether it had to be cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plain {
    /// The text.
    pub text: String,
    /// There was more of it than asked for.
    pub truncated: bool,
}

/// Renders `bytes`. `before` is what stood in front of them, from the last newline on: it only tells
/// which escape sequence or character they begin in. `cols` is the terminal's width, where it has one;
/// `max` bounds the text.
pub fn plain(before: &[u8], bytes: &[u8], cols: Option<u16>, max: usize) -> Plain {
    let mut decoder = Decoder::new();
    decoder.feed(before, &mut Nothing);
    let mut lines = Lines {
        done: String::new(),
        line: Vec::new(),
        col: 0,
        cols: cols.map_or(WIDEST, |cols| usize::from(cols.max(1))),
        max,
        row: None,
        truncated: false,
    };
    decoder.feed(bytes, &mut lines);
    lines.flush();
    lines.cut();
    Plain {
        text: lines.done,
        truncated: lines.truncated,
    }
}

/// Takes what comes before the slice.
struct Nothing;

impl Sink for Nothing {
    fn print(&mut self, _: u64, _: &str) {}
    fn replacement(&mut self, _: u64) {}
    fn execute(&mut self, _: u64, _: Function<'_>) {}
}

/// One column of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    /// A character.
    Char(char),
    /// A character with marks.
    Marked(String),
    /// The second half of a wide character.
    Tail,
}

const BLANK: Cell = Cell::Char(' ');

struct Lines {
    done: String,
    line: Vec<Cell>,
    col: usize,
    cols: usize,
    max: usize,
    /// The row, once a sequence has told it.
    row: Option<u16>,
    truncated: bool,
}

impl Sink for Lines {
    fn print(&mut self, _: u64, text: &str) {
        if !self.cut() {
            text.chars().for_each(|c| self.put(c));
        }
    }

    fn replacement(&mut self, _: u64) {
        if !self.cut() {
            self.put(char::REPLACEMENT_CHARACTER);
        }
    }

    fn execute(&mut self, _: u64, function: Function<'_>) {
        match function {
            Function::Bs => self.col = self.col.saturating_sub(1),
            Function::Cr => self.col = 0,
            Function::Ht => self.tab(1),
            Function::Cht(count) => self.tab(count),
            Function::Cbt(count) => {
                let stop = self.col.div_ceil(8).saturating_sub(usize::from(count));
                self.col = self.col.min(stop * 8);
            }
            Function::Lf | Function::Vt | Function::Ff | Function::Ind | Function::Nel => {
                self.newline();
            }
            Function::Cuf(count) | Function::Hpr(count) => self.go(self.col + usize::from(count)),
            Function::Cub(count) => self.col = self.col.saturating_sub(usize::from(count)),
            Function::Cha(col) => self.go(usize::from(col)),
            Function::Cup { row, col } => {
                if self.row != Some(row) {
                    self.leave();
                }
                self.row = Some(row);
                self.go(usize::from(col));
            }
            Function::Cuu(_)
            | Function::Cud(_)
            | Function::Ri
            | Function::Vpa(_)
            | Function::Vpr(_) => self.leave_at(self.col),
            Function::Cnl(_) | Function::Cpl(_) => self.leave_at(0),
            Function::El(extent) => self.erase(extent),
            // Of the display, this line alone is known.
            Function::Ed(Extent::After) => self.erase(Extent::After),
            Function::Ed(Extent::Before) => self.erase(Extent::Before),
            Function::Ed(Extent::All | Extent::Saved) => self.clear(),
            Function::Ris => {
                self.clear();
                self.col = 0;
            }
            Function::Ech(count) => {
                let end = self.line.len().min(self.col + usize::from(count));
                self.blank(self.col, end);
            }
            Function::Dch(count) if self.col < self.line.len() => {
                let end = self.line.len().min(self.col + usize::from(count));
                self.blank(self.col, end);
                self.line.drain(self.col..end);
            }
            Function::Ich(count) if self.col < self.line.len() => {
                self.blank(self.col, self.col);
                let room = self.cols.saturating_sub(self.col).min(usize::from(count));
                self.line
                    .splice(self.col..self.col, std::iter::repeat_n(BLANK, room));
            }
            Function::Rep(count) => self.repeat(count),
            _ => {}
        }
    }
}

impl Lines {
    /// Whether enough was put out.
    fn cut(&mut self) -> bool {
        if self.done.len() <= self.max {
            return false;
        }
        let mut end = self.max;
        while !self.done.is_char_boundary(end) {
            end -= 1;
        }
        self.done.truncate(end);
        self.truncated = true;
        // What comes is not put out, but it can still clear all of this.
        self.max = end;
        self.line.clear();
        self.truncated
    }

    fn put(&mut self, c: char) {
        if c.is_control() {
            return;
        }
        match usize::from(width::of_char(c)) {
            0 => self.mark(c),
            columns => self.place(Cell::Char(c), columns),
        }
    }

    fn place(&mut self, cell: Cell, width: usize) {
        if self.col >= LINE_MAX {
            self.flush();
            self.col = 0;
        }
        let end = self.col + width;
        if self.line.len() < self.col {
            self.line.resize(self.col, BLANK);
        }
        self.blank(self.col, end.min(self.line.len()));
        if self.line.len() < end {
            self.line.resize(end, BLANK);
        }
        self.line[self.col] = cell;
        if width == 2 {
            self.line[self.col + 1] = Cell::Tail;
        }
        self.col = end;
    }

    /// A character without columns belongs to the one before it.
    fn mark(&mut self, c: char) {
        let Some(mut at) = self.col.checked_sub(1).filter(|at| *at < self.line.len()) else {
            return;
        };
        if self.line[at] == Cell::Tail {
            at = at.saturating_sub(1);
        }
        match &mut self.line[at] {
            Cell::Char(base) => self.line[at] = Cell::Marked([*base, c].iter().collect()),
            Cell::Marked(text) if text.chars().count() <= MARKS_MAX => text.push(c),
            Cell::Marked(_) | Cell::Tail => {}
        }
    }

    /// Blanks the columns from `start` to before `end`, and the other half of any wide character that
    /// is cut.
    fn blank(&mut self, start: usize, end: usize) {
        if self.line.get(start) == Some(&Cell::Tail) {
            self.line[start - 1] = BLANK;
            self.line[start] = BLANK;
        }
        if end > start && self.line.get(end) == Some(&Cell::Tail) {
            self.line[end] = BLANK;
        }
        for cell in self.line.iter_mut().take(end).skip(start) {
            *cell = BLANK;
        }
    }

    fn erase(&mut self, extent: Extent) {
        match extent {
            Extent::After => {
                self.blank(self.col, self.col);
                self.line.truncate(self.col);
            }
            Extent::Before => {
                let end = self.col + 1;
                if self.line.len() < end {
                    self.line.resize(end.min(LINE_MAX), BLANK);
                }
                self.blank(0, end);
                // The cursor's own cell is blank, and nothing was printed there.
                if self.line.len() == end {
                    self.line.truncate(self.col);
                }
            }
            Extent::All | Extent::Saved => self.line.clear(),
        }
    }

    fn clear(&mut self) {
        self.done.clear();
        self.line.clear();
        self.truncated = false;
    }

    fn tab(&mut self, count: u16) {
        self.go((self.col / 8 + usize::from(count)) * 8);
    }

    /// Moves within the row, which ends at the terminal's width.
    fn go(&mut self, col: usize) {
        let last = self.line.len().max(self.cols) - 1;
        self.col = col.min(last.max(self.col));
    }

    fn repeat(&mut self, count: u16) {
        let Some(Cell::Char(c)) = self.col.checked_sub(1).and_then(|at| self.line.get(at)) else {
            return;
        };
        let c = *c;
        let room = self.cols.saturating_sub(self.col);
        for _ in 0..usize::from(count).min(room) {
            self.put(c);
        }
    }

    fn newline(&mut self) {
        self.flush();
        if !self.cut() {
            self.done.push('\n');
        }
        self.col = 0;
        self.row = self.row.map(|row| row.saturating_add(1));
    }

    /// Leaves the line for another row; an empty one leaves no trace.
    fn leave(&mut self) {
        if !self.line.is_empty() {
            self.newline();
        }
    }

    fn leave_at(&mut self, col: usize) {
        self.leave();
        self.row = None;
        self.col = col;
    }

    fn flush(&mut self) {
        for cell in self.line.drain(..) {
            match cell {
                Cell::Char(c) => self.done.push(c),
                Cell::Marked(text) => self.done.push_str(&text),
                Cell::Tail => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(raw: &str) -> String {
        plain(b"", raw.as_bytes(), None, usize::MAX).text
    }

    #[test]
    fn line_ends_are_newlines() {
        assert_eq!(shown("a\r\nb\r\n"), "a\nb\n");
    }

    #[test]
    fn carriage_return_overwrites() {
        assert_eq!(shown("10%\r20%\r100%\n"), "100%\n");
    }

    #[test]
    fn carriage_return_does_not_clear_the_rest() {
        assert_eq!(shown("long line\rshort"), "shortline");
    }

    #[test]
    fn erase_in_line_to_the_end() {
        assert_eq!(shown("abcdef\r\x1b[K$ "), "$ ");
    }

    #[test]
    fn erase_in_line_to_the_cursor_and_all() {
        assert_eq!(shown("abc\x1b[1Kd"), "   d");
        assert_eq!(shown("abcdef\x1b[3D\x1b[1K"), "    ef");
        assert_eq!(shown("abc\x1b[2Kd"), "   d");
    }

    #[test]
    fn erase_of_the_display_drops_the_lines_before() {
        assert_eq!(shown("one\ntwo\n\x1b[2J\x1b[Hthree"), "three");
        assert_eq!(shown("one\ntwo\x1b[3J\x1b[Hthree"), "three");
        assert_eq!(shown("one\ntwo\x1b[Jx\n"), "one\ntwox\n");
    }

    #[test]
    fn erased_character_leaves_a_blank() {
        assert_eq!(shown("x\x08 \x08"), " ");
    }

    #[test]
    fn backspace_moves_and_does_not_delete() {
        assert_eq!(shown("abc\x08\x08X"), "aXc");
        assert_eq!(shown("ab\x08c"), "ac");
    }

    #[test]
    fn cursor_moves_are_followed() {
        assert_eq!(shown("ab\x1b[3Dz"), "zb");
        assert_eq!(shown("ab\x1b[2Cc\x1b[2Gx"), "ax  c");
    }

    #[test]
    fn charset_designations_are_swallowed() {
        assert_eq!(shown("\x1b(Bhi"), "hi");
    }

    #[test]
    fn titles_links_and_strings_are_removed() {
        assert_eq!(shown("\x1b]0;title\x07a\x1b]2;t\x1b\\b"), "ab");
        assert_eq!(shown("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"), "link");
        assert_eq!(
            shown("a\x1bPq#0;1\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d"),
            "abcd"
        );
    }

    #[test]
    fn prompt_noise_is_nothing() {
        assert_eq!(shown("\x1b[?2004l\r"), "");
    }

    #[test]
    fn unfinished_sequence_does_not_leak_into_the_next_slice() {
        assert_eq!(shown("a\x1b[38;5"), "a");
        let next = plain(b"a\x1b[38;5", b";1mred", None, usize::MAX);
        assert_eq!(next.text, "red");
        assert_eq!(
            plain(b"x\x1b]0;ti", b"tle\x07y", None, usize::MAX).text,
            "y"
        );
        assert_eq!(
            plain(&"é".as_bytes()[..1], &"é".as_bytes()[1..], None, usize::MAX).text,
            "é"
        );
    }

    #[test]
    fn tabs_go_to_stops_of_eight() {
        assert_eq!(shown("a\tb\tc"), "a       b       c");
    }

    #[test]
    fn other_controls_are_dropped_and_trailing_spaces_kept() {
        assert_eq!(shown("a\x07b\x7fc\x01  \n"), "abc  \n");
    }

    #[test]
    fn wide_characters_and_marks_keep_their_columns() {
        assert_eq!(shown("漢字x\rab"), "ab字x");
        assert_eq!(shown("漢字x\ra"), "a 字x");
        assert_eq!(shown("e\u{301}x\x08y"), "e\u{301}y");
    }

    #[test]
    fn bad_bytes_are_shown_as_such() {
        assert_eq!(plain(b"", b"a\xffb", None, usize::MAX).text, "a\u{fffd}b");
    }

    #[test]
    fn another_row_begins_another_line() {
        assert_eq!(shown("\x1b[1;1Hfoo\x1b[2;1Hbar\x1b[2;2Hx"), "foo\nbxr");
        assert_eq!(shown("a\x1b[Ab"), "a\n b");
    }

    #[test]
    fn insertion_and_deletion_shift_the_line() {
        assert_eq!(shown("abcd\r\x1b[2P"), "cd");
        assert_eq!(shown("abcd\r\x1b[2@x"), "x abcd");
        assert_eq!(shown("abcd\r\x1b[2X"), "  cd");
        assert_eq!(shown("-\x1b[4b|"), "-----|");
    }

    #[test]
    fn text_and_moves_are_bounded() {
        let far = plain(b"", b"\x1b[65535Cx", Some(80), usize::MAX).text;
        assert_eq!(far.len(), 80);
        let flood = "\x1b[9999Cx\n".repeat(10_000);
        let cut = plain(b"", flood.as_bytes(), None, 1000);
        assert_eq!((cut.text.len(), cut.truncated), (1000, true));
        let long = "y".repeat(3 * LINE_MAX);
        assert_eq!(shown(&long), long);
    }

    proptest! {
        #[test]
        fn no_control_byte_but_newline_is_left(bytes in prop::collection::vec(any::<u8>(), 0..300), cut in 0usize..300) {
            let (before, bytes) = bytes.split_at(cut.min(bytes.len()));
            let text = plain(before, bytes, Some(20), 4096).text;
            prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
            prop_assert!(text.len() <= 4096);
        }

        #[test]
        fn sequences_never_panic(parts in prop::collection::vec(
            prop::sample::select(vec!["a", "漢", "\u{301}", "\r", "\n", "\t", "\x08", "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[2J",
                "\x1b[3P", "\x1b[2@", "\x1b[2X", "\x1b[5C", "\x1b[2D", "\x1b[3G", "\x1b[2;2H", "\x1b[A", "\x1b[3b", "\x1b[Z", "\x1b[2I"]),
            0..60), cols in 1u16..12)
        {
            let text = plain(b"", parts.concat().as_bytes(), Some(cols), 500).text;
            prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        }
    }
}
