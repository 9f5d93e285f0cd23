//! Printing: pending wrap, wide characters, clusters, and the fast path for plain text.

use super::Screen;
use crate::term::cell::{Breadth, Cell, Glyph};
use crate::term::geometry::Pos;
use crate::term::grid::Span;
use crate::term::mode::Mode;
use crate::term::row::Marks;
use crate::term::width;

impl Screen {
    /// Prints a run of text whose first byte came at the offset `at`.
    pub(super) fn print_text(&mut self, at: u64, text: &str) {
        let mut done = 0;
        while let Some(ch) = text[done..].chars().next() {
            let offset = at + done as u64;
            let wide = if width::surely_wide(ch) {
                self.print_wide(offset, &text[done..])
            } else {
                0
            };
            if wide == 0 {
                self.print_char(offset, ch, true);
                done += ch.len_utf8();
            }
            done += wide;
        }
    }

    /// Prints ASCII through the character set in force, or with insertion.
    pub(super) fn print_mapped(&mut self, at: u64, bytes: &[u8]) {
        for (at, byte) in (at..).zip(bytes) {
            let set = self.cursor.charsets.next();
            let ch = set.map(char::from(*byte));
            self.print_char(at, ch, ch == char::from(*byte));
        }
    }

    /// The first column behind the line in which the cursor stands.
    fn right_end(&self) -> u16 {
        if self.cursor.col > self.margins.right {
            self.size().cols
        } else {
            self.margins.right + 1
        }
    }

    /// Prints plain ASCII: no charset, no insertion.
    pub(super) fn print_ascii(&mut self, mut at: u64, mut bytes: &[u8]) {
        while let Some(last) = bytes.last() {
            self.repeat = Some(char::from(*last));
            if self.cursor.pending {
                self.wrap(at);
            }
            let right = usize::from(self.right_end());
            let row = self.cursor.row;
            let col = usize::from(self.cursor.col);
            let len = bytes.len().min(right - col);
            let (now, later) = bytes.split_at(len);
            let end = col + len;
            let pen = self.cursor.pen;
            let cells =
                self.grid
                    .row_mut(row)
                    .write(col, end, Marks::ascii(pen), at + len as u64 - 1);
            for (cell, byte) in cells.iter_mut().zip(now) {
                *cell = Cell::ascii(*byte, pen);
            }
            if self.trail.is_on() {
                self.trail.ascii(self.cursor.col, now, at);
            }
            at += len as u64;
            bytes = later;
            let pending = end >= right;
            let col = if pending { right - 1 } else { end };
            self.cursor.col = narrow(col);
            self.cursor.pending = pending;
            self.last = Some(Pos {
                row,
                col: narrow(end - 1),
            });
        }
    }

    /// Prints the ideographs and kana that `text` begins with, as far as they fit in this row; says
    /// how many bytes that was.
    fn print_wide(&mut self, at: u64, text: &str) -> usize {
        let right = usize::from(self.right_end());
        let start = usize::from(self.cursor.col);
        if self.cursor.pending || start + 2 > right || self.modes.has(Mode::Irm) {
            return 0;
        }
        let fits = (right - start) / 2;
        let wide = |ch: &char| width::surely_wide(*ch);
        let count = text.chars().take(fits).take_while(wide).count();
        let end = start + 2 * count;
        let pen = self.cursor.pen;
        let row = self.grid.row_mut(self.cursor.row);
        let tail = Cell::new(Glyph::Unset, Breadth::Tail, pen);
        let bytes: usize = text.chars().take(count).map(char::len_utf8).sum();
        let last = (at + bytes as u64).saturating_sub(1);
        let cells = row.write(start, end, Marks::unicode(pen), last);
        let mut used = 0;
        for (pair, ch) in cells.as_chunks_mut::<2>().0.iter_mut().zip(text.chars()) {
            *pair = [Cell::new(Glyph::Char(ch), Breadth::Head, pen), tail];
            used += ch.len_utf8();
            self.repeat = Some(ch);
        }
        if count > 0 {
            if self.trail.is_on() {
                self.trail.wide(self.cursor.col, &text[..used], at);
            }
            self.advance(end - start);
            self.last = Some(Pos {
                row: self.cursor.row,
                col: narrow(end - 2),
            });
        }
        used
    }

    /// The cursor after `count` columns were written at it; remembers the last one.
    #[inline]
    fn advance(&mut self, count: usize) {
        let right = self.right_end();
        let end = usize::from(self.cursor.col) + count;
        let end = u16::try_from(end).unwrap_or(right);
        if end >= right {
            self.cursor.col = right - 1;
            self.cursor.pending = true;
        } else {
            self.cursor.col = end;
        }
        let last = if self.cursor.pending {
            self.cursor.col
        } else {
            end - 1
        };
        self.last = Some(Pos {
            row: self.cursor.row,
            col: last,
        });
    }

    /// Goes on in the next row, if lines wrap.
    pub(super) fn wrap(&mut self, at: u64) {
        self.cursor.pending = false;
        if !self.modes.has(Mode::Decawm) {
            return;
        }
        let whole = self.margins.left == 0 && self.margins.right == self.last_col();
        let row = self.cursor.row;
        self.grid.row_mut(row).wrapped =
            whole && (row != self.last_row() || row == self.margins.bottom);
        self.index();
        self.cursor.col = if self.cursor.col >= self.margins.left {
            self.margins.left
        } else {
            0
        };
        if self.trail.is_on() {
            if whole && (self.cursor.row != row || row == self.margins.bottom) {
                self.trail.soft_wrap();
            } else {
                self.trail.row_changed(1 << 20, at);
            }
        }
    }

    /// Prints one character of any kind; `linear` where it stands in the stream as it is.
    pub(super) fn print_char(&mut self, at: u64, ch: char, linear: bool) {
        let class = self.classes.of(ch);
        let columns = class.columns();
        if !class.is_apart() && (self.join(at, ch, columns, linear) || columns == 0) {
            return;
        }
        let columns = u16::from(columns);
        if self.cursor.pending {
            self.wrap(at);
        }
        let mut right = self.right_end();
        if self.cursor.col + columns > right {
            if !self.modes.has(Mode::Decawm) || columns > right - self.margins.left {
                self.cursor.pending = true;
                return;
            }
            self.wrap(at);
            right = self.right_end();
        }
        let Pos { row, col } = Pos {
            row: self.cursor.row,
            col: self.cursor.col,
        };
        if self.modes.has(Mode::Irm) && self.inside_cols() {
            let span = Span {
                top: row,
                bottom: row,
                left: col,
                right: right - 1,
            };
            self.wipe(span, at);
            self.grid.shift_right(span, columns, self.blank());
        }
        let pen = self.cursor.pen;
        let end = col + columns;
        let cells = self.grid.row_mut(row).write(
            usize::from(col),
            usize::from(end),
            Marks::unicode(pen),
            at,
        );
        match cells {
            [cell] => *cell = Cell::new(Glyph::Char(ch), Breadth::Narrow, pen),
            [head, tail, ..] => {
                *head = Cell::new(Glyph::Char(ch), Breadth::Head, pen);
                *tail = Cell::new(Glyph::Unset, Breadth::Tail, pen);
            }
            [] => {}
        }
        if self.trail.is_on() {
            let mut buffer = [0; 4];
            self.trail
                .cluster(col, columns, ch.encode_utf8(&mut buffer), at, linear);
        }
        self.repeat = Some(ch);
        let pending = end >= right;
        self.cursor.col = if pending { right - 1 } else { end };
        self.cursor.pending = pending;
        self.last = Some(Pos { row, col });
    }

    /// Onto what a character combines after a move: the one left of the cursor or, if nothing is
    /// there, the one under it, as in xterm.
    fn base(&self) -> Option<Pos> {
        let Pos { row, col } = self.cursor();
        let cells = self.grid.row(row).cells();
        let holds = |col: u16| !cells[usize::from(col)].is_blank();
        if self.cursor.pending || holds(col) && !col.checked_sub(1).is_some_and(holds) {
            return Some(Pos { row, col });
        }
        col.checked_sub(1).map(|col| Pos { row, col })
    }

    /// Joins `ch` to the cluster before it, if it belongs there.
    fn join(&mut self, at: u64, ch: char, columns: u8, linear: bool) -> bool {
        if columns > 0 && (self.last.is_none() || !self.modes.has(Mode::Clusters)) {
            return false;
        }
        let Some(mut pos) = self.last.or_else(|| self.base()) else {
            return true;
        };
        let mut cell = self.grid.row(pos.row).cells()[usize::from(pos.col)];
        if cell.breadth() == Breadth::Tail && pos.col > 0 {
            pos.col -= 1;
            cell = self.grid.row(pos.row).cells()[usize::from(pos.col)];
        }
        if let Glyph::Char(before) = cell.glyph()
            && columns > 0
            && !width::may_hold(before)
            && !emoji_part(ch)
        {
            return false;
        }
        let mut joined = std::mem::take(&mut self.scratch);
        joined.clear();
        self.push_text(cell, &mut joined);
        if joined.is_empty() {
            joined.push(' ');
        }
        let holds = columns == 0
            || joined.chars().next_back().is_some_and(width::may_hold)
            || emoji_part(ch);
        let before = joined.len();
        joined.push(ch);
        if !holds || (columns > 0 && !width::is_one(&joined)) {
            self.scratch = joined;
            return false;
        }
        if columns > 0 && cell.breadth() == Breadth::Narrow {
            // A narrow cell holds no two characters that take columns: without room to grow, the
            // second one stands for itself.
            let room = if pos.col > self.margins.right {
                self.size().cols
            } else {
                self.margins.right + 1
            };
            if pos.col + u16::from(width::of_cluster(&joined)) > room {
                self.scratch = joined;
                return false;
            }
        }
        if before < width::CLUSTER_MAX {
            self.store(at, pos, cell, &joined, linear);
        }
        self.scratch = joined;
        true
    }

    /// Puts the longer cluster `joined` where `cell` stood, which may make it wide.
    fn store(&mut self, at: u64, pos: Pos, cell: Cell, joined: &str, linear: bool) {
        let mut number = self.clusters.number(joined);
        if number.is_none() {
            self.sweep();
            number = self.clusters.number(joined);
        }
        let Some(number) = number else { return };
        let old = if cell.breadth() == Breadth::Head {
            2
        } else {
            1
        };
        let wanted = if self.modes.has(Mode::Clusters) {
            u16::from(width::of_cluster(joined))
        } else {
            old
        };
        // Only the character that was just written can still grow.
        let fresh = self.last.is_some();
        let room = if pos.col > self.margins.right {
            self.size().cols
        } else {
            self.margins.right + 1
        };
        let columns = if fresh && wanted > old && pos.col + wanted <= room {
            wanted
        } else {
            old
        };
        let breadth = if columns == 2 {
            Breadth::Head
        } else {
            Breadth::Narrow
        };
        let row = self.grid.row_mut(pos.row);
        let col = usize::from(pos.col);
        let end = col + usize::from(columns);
        let cells = row.write(col, end, Marks::unicode(cell.pen), at);
        cells[0] = Cell::new(Glyph::Cluster(number), breadth, cell.pen);
        if let Some(tail) = cells.get_mut(1) {
            *tail = Cell::new(Glyph::Unset, Breadth::Tail, cell.pen);
        }
        if columns > old {
            self.cursor.col = pos.col + 1;
            self.cursor.pending = false;
            self.advance(1);
            self.last = Some(pos);
        }
        if self.trail.is_on() {
            let rows = i32::from(pos.row) - i32::from(self.cursor.row);
            self.trail
                .combine(rows, pos.col, columns, joined, at, linear);
        }
    }

    /// REP, `CSI n b`: repeat the last printed character.
    pub(super) fn rep(&mut self, count: u16, at: u64) {
        let Some(ch) = self.repeat else { return };
        // More than a screenful shows nothing else, and costs.
        let all = u32::from(self.size().rows) * u32::from(self.size().cols);
        for _ in 0..u32::from(count).min(all) {
            self.print_char(at, ch, false);
        }
    }
}

/// Whether `ch` may join a cluster although it has columns of its own.
fn emoji_part(ch: char) -> bool {
    matches!(ch, '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{900}'..='\u{10ff}'
        | '\u{1100}'..='\u{11ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}'..='\u{309a}' | '\u{ff9e}'..='\u{ff9f}'
        | '\u{a980}'..='\u{abff}' | '\u{11000}'..='\u{11fff}')
}

/// A column, which is never above that.
#[inline]
fn narrow(col: usize) -> u16 {
    let [low, high, ..] = col.to_le_bytes();
    u16::from_le_bytes([low, high])
}
