//! Moving the cursor: absolute, relative, by tab stops; saving and restoring it.

use super::Screen;
use crate::term::geometry::Pos;
use crate::term::mode::Mode;

impl Screen {
    /// Puts the cursor on a row and a column of the screen, without regard for margins.
    fn place(&mut self, row: u16, col: u16) {
        self.cursor.row = row.min(self.last_row());
        self.cursor.col = col.min(self.last_col());
        self.reset_wrap();
    }

    /// CUP, `CSI row ; col H`, and HVP: to a place, inside the margins in origin mode.
    pub(super) fn cup(&mut self, row: u16, col: u16) {
        let Pos { row, col } = self.absolute(row, col);
        self.place(row, col);
    }

    fn absolute(&self, row: u16, col: u16) -> Pos {
        if self.cursor.origin {
            let margins = self.margins;
            Pos {
                row: margins.top.saturating_add(row).min(margins.bottom),
                col: margins.left.saturating_add(col).min(margins.right),
            }
        } else {
            Pos { row, col }
        }
    }

    /// The cursor as programs see it: relative to the margins in origin mode.
    pub(super) fn relative(&self) -> Pos {
        let Pos { row, col } = Pos {
            row: self.cursor.row,
            col: self.cursor.col,
        };
        if self.cursor.origin {
            Pos {
                row: row.saturating_sub(self.margins.top),
                col: col.saturating_sub(self.margins.left),
            }
        } else {
            Pos { row, col }
        }
    }

    /// CHA, `CSI col G`, and HPA: to a column.
    pub(super) fn cha(&mut self, col: u16) {
        let Pos { col, .. } = self.absolute(0, col);
        self.place(self.cursor.row, col);
    }

    /// VPA, `CSI row d`: to a row.
    pub(super) fn vpa(&mut self, row: u16) {
        let Pos { row, .. } = self.absolute(row, 0);
        self.place(row, self.cursor.col);
    }

    /// HPR, `CSI n a`: columns forward, not stopped by margins.
    pub(super) fn hpr(&mut self, count: u16) {
        let col = self.relative().col.saturating_add(count);
        self.cha(col);
    }

    /// VPR, `CSI n e`: rows down, not stopped by margins.
    pub(super) fn vpr(&mut self, count: u16) {
        let row = self.relative().row.saturating_add(count);
        self.vpa(row);
    }

    /// CUU, `CSI n A`: up, as far as the top margin.
    pub(super) fn cuu(&mut self, count: u16) {
        let top = if self.cursor.row < self.margins.top {
            0
        } else {
            self.margins.top
        };
        self.place(
            self.cursor.row.saturating_sub(count).max(top),
            self.cursor.col,
        );
    }

    /// CUD, `CSI n B`: down, as far as the bottom margin.
    pub(super) fn cud(&mut self, count: u16) {
        let bottom = if self.cursor.row > self.margins.bottom {
            self.last_row()
        } else {
            self.margins.bottom
        };
        self.place(
            self.cursor.row.saturating_add(count).min(bottom),
            self.cursor.col,
        );
    }

    /// CUF, `CSI n C`: forward, as far as the right margin.
    pub(super) fn cuf(&mut self, count: u16) {
        let right = if self.cursor.col > self.margins.right {
            self.last_col()
        } else {
            self.margins.right
        };
        self.place(
            self.cursor.row,
            self.cursor.col.saturating_add(count).min(right),
        );
    }

    /// CUB, `CSI n D`: back, as far as the left margin; further with reverse wrap.
    pub(super) fn cub(&mut self, count: u16) {
        if self.modes.has(Mode::Decawm)
            && (self.modes.has(Mode::ReverseWrap) || self.modes.has(Mode::ExtendedReverseWrap))
        {
            self.reverse_wrap(count);
            return;
        }
        let left = if self.cursor.col < self.margins.left {
            0
        } else {
            self.margins.left
        };
        self.place(
            self.cursor.row,
            self.cursor.col.saturating_sub(count).max(left),
        );
    }

    /// BS, `08`: one column back.
    pub(super) fn bs(&mut self) {
        self.cub(1);
    }

    /// Modes 45 and 1045: back over the left margin to the end of the row above, from the first row
    /// of the region to its last.
    fn reverse_wrap(&mut self, count: u16) {
        let margins = self.margins;
        let left = if self.cursor.col < margins.left {
            0
        } else {
            margins.left
        };
        let width = u32::from(margins.right - margins.left + 1);
        let cells = width * u32::from(self.size().rows);
        let mut todo = u32::from(count).min(cells);
        // A pending wrap is taken back first: the cursor stays where it is.
        if self.cursor.pending && todo > 0 {
            todo -= 1;
        }
        let (mut row, mut col) = (self.cursor.row, self.cursor.col);
        while todo > 0 {
            if col > left {
                let step = todo.min(u32::from(col - left));
                col -= u16::try_from(step).unwrap_or(0);
                todo -= step;
                continue;
            }
            let Some(above) = (if row == margins.top {
                Some(margins.bottom)
            } else {
                row.checked_sub(1)
            }) else {
                break;
            };
            row = above;
            col = margins.right;
            todo -= 1;
        }
        self.place(row, col);
    }

    /// CNL, `CSI n E`: to the beginning of a row below.
    pub(super) fn cnl(&mut self, count: u16) {
        self.cud(count);
        self.cr();
    }

    /// CPL, `CSI n F`: to the beginning of a row above.
    pub(super) fn cpl(&mut self, count: u16) {
        self.cuu(count);
        self.cr();
    }

    /// CR, `0D`: to the left margin, or to column 0 from left of it.
    pub(super) fn cr(&mut self) {
        let left = self.margins.left;
        self.cursor.col = if self.cursor.origin || self.cursor.col >= left {
            left
        } else {
            0
        };
        self.reset_wrap();
    }

    /// HT, `09`: to the next tab stop; with mode 41 a pending wrap happens first.
    pub(super) fn ht(&mut self, at: u64) {
        if self.cursor.pending && self.modes.has(Mode::MoreFix) {
            self.wrap(at);
        }
        self.cht(1);
    }

    /// CHT, `CSI n I`, and HT: forward by tab stops. A pending wrap stays pending, as in xterm.
    pub(super) fn cht(&mut self, count: u16) {
        let last = if self.cursor.col > self.margins.right {
            self.last_col()
        } else {
            self.margins.right
        };
        for _ in 0..count.min(self.size().cols) {
            self.cursor.col = self.tabs.next(self.cursor.col, last);
        }
        self.last = None;
    }

    /// CBT, `CSI n Z`: back by tab stops. A pending wrap stays pending, too.
    pub(super) fn cbt(&mut self, count: u16) {
        let left = if self.cursor.origin {
            self.margins.left
        } else {
            0
        };
        for _ in 0..count.min(self.size().cols) {
            self.cursor.col = self.tabs.previous(self.cursor.col).max(left);
        }
        self.last = None;
    }

    /// TBC, `CSI n g`: clear the tab stop here (0) or all (3).
    pub(super) fn tbc(&mut self, which: u16) {
        match which {
            0 => self.tabs.set(self.cursor.col, false),
            3 => self.tabs.clear(),
            _ => {}
        }
    }

    /// DECSC, `ESC 7`: save position, pen, character sets and origin mode.
    pub(super) fn decsc(&mut self) {
        self.saved = self.cursor;
    }

    /// DECRC, `ESC 8`: restore what DECSC saved; a wrap that was pending is not.
    pub(super) fn decrc(&mut self) {
        let saved = self.saved;
        self.cursor = saved;
        self.place(saved.row, saved.col);
        if self.cursor.origin {
            self.cursor.row = saved.row.clamp(self.margins.top, self.margins.bottom);
            self.cursor.col = saved.col.clamp(self.margins.left, self.margins.right);
        }
    }
}
