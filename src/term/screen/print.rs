//! Printing: pending wrap, wide characters, clusters, and the fast path for plain text.

use super::Screen;
use crate::term::cell::{Breadth, Cell, Glyph};
use crate::term::geometry::Pos;
use crate::term::grid::Span;
use crate::term::mode::Mode;
use crate::term::width;

impl Screen {
    /// Prints a run of text whose first byte came at the offset `at`.
    pub(super) fn print_text(&mut self, at: u64, text: &str) {
        let bytes = text.as_bytes();
        let mut done = 0;
        while done < bytes.len() {
            let rest = &bytes[done..];
            let offset = at + done as u64;
            let ascii = ascii_len(rest);
            if ascii > 0 {
                if self.cursor.charsets.is_plain() && !self.modes.has(Mode::Irm) {
                    self.print_ascii(offset, &rest[..ascii]);
                } else {
                    for (index, byte) in rest[..ascii].iter().enumerate() {
                        let at = offset + index as u64;
                        let set = self.cursor.charsets.next();
                        let ch = set.map(char::from(*byte));
                        self.print_char(at, ch, ch == char::from(*byte));
                    }
                }
                done += ascii;
            }
            let plain = &text[done..];
            let mut used = self.print_wide(at + done as u64, plain);
            for ch in plain[used..].chars() {
                if ch.is_ascii() {
                    break;
                }
                self.print_char(at + (done + used) as u64, ch, true);
                used += ch.len_utf8();
            }
            done += used;
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
    fn print_ascii(&mut self, mut at: u64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.cursor.pending {
                self.wrap(at);
            }
            let right = self.right_end();
            let col = usize::from(self.cursor.col);
            let room = usize::from(right) - col;
            let (now, later) = bytes.split_at(bytes.len().min(room));
            let pen = self.cursor.pen;
            let row = self.grid.row_mut(self.cursor.row);
            let end = col + now.len();
            row.split_at(col);
            row.split_at(end);
            for (cell, byte) in row.cells_mut()[col..end].iter_mut().zip(now) {
                *cell = Cell::ascii(*byte, pen);
            }
            if self.trail.is_on() {
                self.trail.ascii(self.cursor.col, now, at);
            }
            at += now.len() as u64;
            bytes = later;
            self.advance(now.len());
            if let Some(byte) = now.last() {
                self.repeat = Some(char::from(*byte));
            }
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
        let pen = self.cursor.pen;
        let row = self.grid.row_mut(self.cursor.row);
        row.split_at(start);
        let mut col = start;
        let mut used = 0;
        let mut last = None;
        let tail = Cell::new(Glyph::Unset, Breadth::Tail, pen);
        for (pair, ch) in row.cells_mut()[start..right]
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .zip(text.chars())
        {
            if !width::surely_wide(ch) {
                break;
            }
            *pair = [Cell::new(Glyph::Char(ch), Breadth::Head, pen), tail];
            if self.trail.is_on() {
                let column = u16::try_from(col).unwrap_or(u16::MAX);
                let mut buffer = [0; 4];
                self.trail.cluster(
                    column,
                    2,
                    ch.encode_utf8(&mut buffer),
                    at + used as u64,
                    true,
                );
            }
            col += 2;
            used += ch.len_utf8();
            last = Some(ch);
        }
        if last.is_some() {
            row.drop_tail_at(col);
            self.repeat = last;
            self.advance(col - start);
            self.last = Some(Pos {
                row: self.cursor.row,
                col: u16::try_from(col - 2).unwrap_or(0),
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
    fn wrap(&mut self, at: u64) {
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
        let columns = width::of_char(ch);
        if self.join(at, ch, columns, linear) || columns == 0 {
            return;
        }
        let right = self.right_end();
        let columns = u16::from(columns);
        if self.cursor.pending {
            self.wrap(at);
        }
        if self.cursor.col + columns > self.right_end() {
            if !self.modes.has(Mode::Decawm) || columns > right - self.margins.left {
                self.cursor.pending = true;
                return;
            }
            self.wrap(at);
        }
        let Pos { row, col } = Pos {
            row: self.cursor.row,
            col: self.cursor.col,
        };
        let right = self.right_end();
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
        let breadth = if columns == 2 {
            Breadth::Head
        } else {
            Breadth::Narrow
        };
        self.put(row, col, Glyph::Char(ch), breadth);
        if self.trail.is_on() {
            let mut buffer = [0; 4];
            self.trail
                .cluster(col, columns, ch.encode_utf8(&mut buffer), at, linear);
        }
        self.repeat = Some(ch);
        self.advance(usize::from(columns));
        if columns == 2
            && let Some(last) = &mut self.last
        {
            last.col -= 1;
        }
    }

    /// Writes a glyph; what it covers half of becomes blank.
    fn put(&mut self, row: u16, col: u16, glyph: Glyph, breadth: Breadth) {
        let pen = self.cursor.pen;
        let row = self.grid.row_mut(row);
        let at = usize::from(col);
        let end = at + if breadth == Breadth::Head { 2 } else { 1 };
        row.split_at(at);
        row.split_at(end);
        row.cells_mut()[at] = Cell::new(glyph, breadth, pen);
        if breadth == Breadth::Head {
            row.cells_mut()[at + 1] = Cell::new(Glyph::Unset, Breadth::Tail, pen);
        }
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
        if columns > 0
            && (self.last.is_none() || width::surely_apart(ch) || !self.modes.has(Mode::Clusters))
        {
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
        if columns > old {
            row.split_at(col + 2);
            row.cells_mut()[col + 1] = Cell::new(Glyph::Unset, Breadth::Tail, cell.pen);
        }
        row.cells_mut()[col] = Cell::new(Glyph::Cluster(number), breadth, cell.pen);
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

/// How many bytes from the beginning on are ASCII.
#[inline]
fn ascii_len(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let high = u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
        if high != 0 {
            return at + high.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + tail
        .iter()
        .position(|byte| *byte >= 0x80)
        .unwrap_or(tail.len())
}
