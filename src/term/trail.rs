//! What was printed, in the order in which it was printed: the text that patterns read.
//!
//! The screen tells the trail of every print, erase and move; the trail turns that into append-only
//! text, each cluster with the byte offset that it came from. It depends on the bytes alone, not on
//! how they were cut. Whoever keeps the match text takes what is new with [`Term::take_trail`](super::Term::take_trail).

/// The cell holds nothing that can be seen.
const BLANK: u32 = 0;
/// The right half of a wide character.
const TAIL: u32 = u32::MAX;
/// The cell holds a cluster of several characters; the rest is its hash.
const CLUSTER: u32 = 1 << 31;
/// Cells of a version are forgotten in steps of so many columns, once as many lie behind.
const WINDOW: u32 = 1 << 15;
/// Where the cursor went is not known: far below.
const FAR: i64 = 1 << 20;
/// A line that has so many columns begins to count anew.
const COLUMNS_MAX: u32 = 1 << 30;

/// Text appended to the trail since the last [`Term::take_trail`](super::Term::take_trail).
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

/// On which rows the lines of the trail begin, counted down from the first one as if nothing had ever
/// left the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// How many columns a row has.
    pub width: u32,
    /// Ascending: a line, and the row that it begins on. The lines that follow begin on the rows that
    /// follow.
    pub jumps: Vec<(u64, i64)>,
}

impl Written {
    fn push_run(&mut self, offset: u64, flat: bool) {
        let at = self.text.len();
        if let Some(last) = self.runs.last() {
            let goes_on = match (last.flat, flat) {
                (false, false) => last.offset + (at - last.at) as u64 == offset,
                (true, true) => last.offset == offset,
                _ => false,
            };
            if goes_on {
                return;
            }
        }
        self.runs.push(Run { at, offset, flat });
    }

    /// Appends what was written after it, as if both had been taken at once.
    pub fn append(&mut self, later: &Self) {
        let base = self.text.len();
        self.lines.extend(later.lines.iter().map(|line| LineStart {
            at: line.at + base,
            ..*line
        }));
        let mut from = 0;
        for (index, run) in later.runs.iter().enumerate() {
            let end = later
                .runs
                .get(index + 1)
                .map_or(later.text.len(), |next| next.at);
            debug_assert_eq!(from, run.at, "runs cover the text");
            self.push_run(run.offset, run.flat);
            self.text.push_str(&later.text[run.at..end]);
            from = end;
        }
    }
}

/// The state machine that turns prints, erases and moves into match text.
///
/// It knows the present *version* of the present logical line as cells by logical column. Printing
/// beyond its end appends; what would change one of its cells closes it and begins a new version.
#[derive(Debug)]
pub(super) struct Trail {
    on: bool,
    out: Written,
    width: u32,
    /// In which row of its logical line the cursor is, and how many rows that line has.
    row: u32,
    rows: u32,
    line: u64,
    /// The row that the line begins on, counted from the first line's.
    top: i64,
    jumps: Vec<(u64, i64)>,
    /// The column of the version's first known cell, and the cells from there on.
    start: u32,
    cells: Vec<u32>,
    /// Whether the version has text.
    begun: bool,
    /// The column of the cluster that was appended last, while a character can still join it.
    tail: Option<u32>,
    /// The offset of what came last.
    seen: u64,
}

impl Trail {
    pub(super) fn new(cols: u16) -> Self {
        Self {
            on: false,
            out: Written::default(),
            width: u32::from(cols),
            row: 0,
            rows: 1,
            line: 0,
            top: 0,
            jumps: Vec::new(),
            start: 0,
            cells: Vec::new(),
            begun: false,
            tail: None,
            seen: 0,
        }
    }

    pub(super) fn set(&mut self, on: bool) {
        self.on = on;
    }

    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    pub(super) fn take(&mut self) -> Written {
        std::mem::take(&mut self.out)
    }

    pub(super) fn take_rows(&mut self) -> Rows {
        Rows {
            width: self.width,
            jumps: std::mem::take(&mut self.jumps),
        }
    }

    /// The logical line, and the logical column at which the next character goes.
    pub(super) fn here(&self, col: u16, pending: bool) -> (u64, u32) {
        (self.line, self.column(col) + u32::from(pending))
    }

    fn column(&self, col: u16) -> u32 {
        self.row * self.width + u32::from(col)
    }

    fn end(&self) -> u32 {
        self.start + u32::try_from(self.cells.len()).unwrap_or(WINDOW)
    }

    /// A run of ASCII was printed from `col` on.
    pub(super) fn ascii(&mut self, col: u16, bytes: &[u8], at: u64) {
        for ((column, index), byte) in (self.column(col)..).zip(0..).zip(bytes) {
            let at = at + index;
            if !self.begun || column >= self.end() {
                let rest = bytes.split_at(usize::try_from(index).unwrap_or(0)).1;
                self.reach(column, at);
                self.out.push_run(at, false);
                self.out
                    .text
                    .push_str(std::str::from_utf8(rest).unwrap_or_default());
                let blank = |byte: &u8| {
                    if *byte == b' ' {
                        BLANK
                    } else {
                        u32::from(*byte)
                    }
                };
                self.cells.extend(rest.iter().map(blank));
                self.seen = at;
                self.forget();
                self.tail = Some(self.end() - 1);
                return;
            }
            let text = [*byte];
            self.over(
                column,
                1,
                std::str::from_utf8(&text).unwrap_or_default(),
                at,
                true,
            );
        }
    }

    /// A run of wide characters was printed from `col` on.
    pub(super) fn wide(&mut self, col: u16, text: &str, at: u64) {
        let column = self.column(col);
        if self.begun && column < self.end() {
            for (column, (index, ch)) in (column..).step_by(2).zip(text.char_indices()) {
                let text = &text[index..index + ch.len_utf8()];
                self.over(column, 2, text, at + index as u64, true);
            }
            return;
        }
        self.reach(column, at);
        self.out.push_run(at, false);
        self.out.text.push_str(text);
        for (index, ch) in text.char_indices() {
            self.cells.extend([u32::from(ch), TAIL]);
            self.seen = at + index as u64;
        }
        self.forget();
        self.tail = Some(self.end() - 2);
    }

    /// A cluster of `columns` was printed at `col`; `linear` where it stands so in the stream.
    pub(super) fn cluster(&mut self, col: u16, columns: u16, text: &str, at: u64, linear: bool) {
        self.over(self.column(col), columns, text, at, linear);
    }

    fn over(&mut self, column: u32, columns: u16, text: &str, at: u64, linear: bool) {
        self.seen = at;
        let cell = identity(text);
        if self.begun && column < self.end() {
            let there = column
                .checked_sub(self.start)
                .map_or(BLANK, |index| self.cells[index as usize]);
            if there == cell {
                self.tail = None;
                return;
            }
            self.close(at);
        }
        self.reach(column, at);
        self.out.push_run(at, !linear);
        self.out.text.push_str(text);
        self.cells.push(cell);
        if columns == 2 {
            self.cells.push(TAIL);
        }
        self.forget();
        self.tail = Some(column);
    }

    /// Begins a version at `column`, or fills the gap between the version's end and it.
    fn reach(&mut self, column: u32, at: u64) {
        if !self.begun {
            self.out.lines.push(LineStart {
                at: self.out.text.len(),
                line: self.line,
                col: column,
            });
            self.begun = true;
            self.start = column;
            self.cells.clear();
        } else if self.end() < column {
            let gap = (column - self.end()) as usize;
            self.out.push_run(at, true);
            self.out.text.extend(std::iter::repeat_n(' ', gap));
            self.cells.extend(std::iter::repeat_n(BLANK, gap));
        }
    }

    /// Forgets the cells far behind the version's end. What is forgotten depends on where that end
    /// is and on nothing else, so not on how the bytes were cut.
    fn forget(&mut self) {
        let edge = (self.end() / WINDOW).saturating_sub(1) * WINDOW;
        if edge > self.start {
            self.cells.drain(..(edge - self.start) as usize);
            self.start = edge;
        }
    }

    /// A character joined the cluster at `col`, `rows` below the cursor's row: now it is `joined`.
    pub(super) fn combine(
        &mut self,
        rows: i32,
        col: u16,
        columns: u16,
        joined: &str,
        at: u64,
        linear: bool,
    ) {
        let row = self
            .row
            .checked_add_signed(rows)
            .filter(|row| *row < self.rows)
            .unwrap_or(self.row);
        let column = row * self.width + u32::from(col);
        if self.tail == Some(column) && column >= self.start {
            self.seen = at;
            if let Some(added) = joined.chars().next_back() {
                self.out.push_run(at, !linear);
                self.out.text.push(added);
            }
            self.cells[(column - self.start) as usize] = identity(joined);
            if columns == 2 && self.end() == column + 1 {
                self.cells.push(TAIL);
            }
        } else {
            self.over(column, columns, joined, at, false);
        }
    }

    /// The cells in these rows, counted from the cursor's, and columns are about to be wiped or moved.
    pub(super) fn wipe(&mut self, top: i32, bottom: i32, left: u16, right: u16, at: u64) {
        if !self.begun {
            return;
        }
        let last = i64::from(self.rows) - 1;
        let row = i64::from(self.row);
        let (first, last) = (
            (row + i64::from(top)).max(0),
            (row + i64::from(bottom)).min(last),
        );
        // Only rows that the version has cells in.
        let first = first.max(i64::from(self.start / self.width));
        let last = last.min(i64::from(self.end() / self.width));
        for row in first..=last {
            let row = u32::try_from(row).unwrap_or(0) * self.width;
            let from = (row + u32::from(left)).max(self.start);
            let to = (row + u32::from(right) + 1).min(self.end());
            if from < to {
                let cells = &self.cells[(from - self.start) as usize..(to - self.start) as usize];
                if cells.iter().any(|cell| *cell != BLANK) {
                    self.close(at);
                    return;
                }
            }
        }
    }

    /// Closes the version with a newline, if it has text.
    fn close(&mut self, at: u64) {
        self.seen = at;
        self.tail = None;
        if self.begun {
            self.out.push_run(at, true);
            self.out.text.push('\n');
            self.begun = false;
            self.cells.clear();
        }
    }

    /// A line feed: always a newline, and the next logical line.
    pub(super) fn newline(&mut self, at: u64) {
        if !self.on {
            return;
        }
        if !self.begun {
            self.out.lines.push(LineStart {
                at: self.out.text.len(),
                line: self.line,
                col: 0,
            });
            self.begun = true;
        }
        self.next_line(1, at);
    }

    /// The cursor left the logical line: the version is closed, the next line begins.
    pub(super) fn leave(&mut self, at: u64) {
        self.next_line(FAR, at);
    }

    /// The next line begins, `down` rows below the cursor's.
    fn next_line(&mut self, down: i64, at: u64) {
        if self.on {
            self.close(at);
            self.line += 1;
            let down = i64::from(self.row) + down;
            self.top = self.top.saturating_add(down);
            if down != 1 {
                self.jumps.push((self.line, self.top));
            }
            self.row = 0;
            self.rows = 1;
        }
    }

    /// The cursor moved by so many rows other than by a line feed.
    pub(super) fn row_changed(&mut self, rows: i32, at: u64) {
        match self.row.checked_add_signed(rows) {
            Some(row) if row < self.rows => {
                self.row = row;
                self.tail = None;
            }
            _ => self.next_line(i64::from(rows), at),
        }
    }

    /// The text goes on in the next row of the same logical line.
    pub(super) fn soft_wrap(&mut self) {
        self.row += 1;
        self.rows = self.rows.max(self.row + 1);
        if self.row * self.width > COLUMNS_MAX {
            self.top = self.top.saturating_add(i64::from(self.row));
            self.jumps.push((self.line, self.top));
            self.row = 0;
            self.rows = 1;
            self.start = 0;
            self.cells.clear();
            self.tail = None;
        }
        // A wide character did not fit in the last column: that is no gap in the text.
        if self.begun && self.end() + 1 == self.row * self.width {
            self.cells.push(BLANK);
            self.forget();
        }
    }

    /// The screen has other columns now, and the cursor is on `col`.
    pub(super) fn resize(&mut self, cols: u16, col: u16) {
        let width = u32::from(cols);
        if width != self.width {
            if self.rows > 1 || u32::from(col) >= width {
                self.leave(self.seen);
            }
            self.width = width;
        }
    }
}

/// What a cell holds, in one number.
fn identity(text: &str) -> u32 {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (None | Some(' '), None) => BLANK,
        (Some(ch), None) => u32::from(ch),
        _ => {
            let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            (text.bytes().fold(0x811c_9dc5, mix) | CLUSTER) & !1
        }
    }
}

#[cfg(test)]
#[path = "trail_tests.rs"]
mod tests;
