//! Line feeds, indices, scrolling and the scroll region.

use super::{Screen, full};
use crate::term::mode::Mode;

impl Screen {
    /// Scrolls the region up; what leaves the top of the primary screen goes to the scrollback.
    pub(super) fn scroll_region_up(&mut self, count: u16) {
        let span = self.margins;
        let blank = self.blank();
        let saves =
            !self.on_alternate && span.top == 0 && span.left == 0 && span.right == self.last_col();
        let history = saves.then_some(&mut self.history);
        self.grid.scroll_up(span, count, blank, history);
    }

    /// One row down; at the bottom margin the region scrolls.
    pub(super) fn index(&mut self) {
        if self.cursor.row == self.margins.bottom {
            if self.inside_cols() {
                self.scroll_region_up(1);
            }
        } else if self.cursor.row < self.last_row() {
            self.cursor.row += 1;
        }
        self.reset_wrap();
    }

    /// IND, `ESC D`: down one row, scrolling at the bottom margin.
    pub(super) fn ind(&mut self, at: u64) {
        self.index();
        self.trail.newline(at);
    }

    /// LF, `0A`, VT and FF: down one row; with LNM also to the left margin.
    pub(super) fn lf(&mut self, at: u64) {
        self.ind(at);
        if self.modes.has(Mode::Lnm) {
            self.cr();
        }
    }

    /// NEL, `ESC E`: to the beginning of the next row.
    pub(super) fn nel(&mut self, at: u64) {
        self.ind(at);
        self.cr();
    }

    /// RI, `ESC M`: up one row; at the top margin the region scrolls down.
    pub(super) fn ri(&mut self, at: u64) {
        if self.cursor.row == self.margins.top {
            if self.inside_cols() {
                self.wipe(self.margins, at);
                self.grid.scroll_down(self.margins, 1, self.blank());
            }
        } else if self.cursor.row > 0 {
            self.cursor.row -= 1;
        }
        self.reset_wrap();
    }

    /// SU, `CSI n S`: scroll the region up.
    pub(super) fn su(&mut self, count: u16, at: u64) {
        self.wipe(self.margins, at);
        self.scroll_region_up(count);
        self.last = None;
    }

    /// SD, `CSI n T`: scroll the region down.
    pub(super) fn sd(&mut self, count: u16, at: u64) {
        self.wipe(self.margins, at);
        self.grid.scroll_down(self.margins, count, self.blank());
        self.last = None;
    }

    /// SL, `CSI n SP @`: shift the region left.
    pub(super) fn sl(&mut self, count: u16, at: u64) {
        if self.inside_rows() && self.inside_cols() {
            self.wipe(self.margins, at);
            self.grid.shift_left(self.margins, count, self.blank());
        }
    }

    /// SR, `CSI n SP A`: shift the region right.
    pub(super) fn sr(&mut self, count: u16, at: u64) {
        if self.inside_rows() && self.inside_cols() {
            self.wipe(self.margins, at);
            self.grid.shift_right(self.margins, count, self.blank());
        }
    }

    /// DECSTBM, `CSI top ; bottom r`: set the top and bottom margins, and home.
    pub(super) fn decstbm(&mut self, top: u16, bottom: u16) {
        let rows = self.size().rows;
        let top = top.max(1);
        let bottom = if bottom == 0 { rows } else { bottom.min(rows) };
        if top < bottom {
            self.margins.top = top - 1;
            self.margins.bottom = bottom - 1;
            self.cup(0, 0);
        }
    }

    /// DECSLRM, `CSI left ; right s`: set the left and right margins, and home. Without DECLRMM it
    /// is SCOSC, which saves the cursor.
    pub(super) fn decslrm(&mut self, left: u16, right: u16) {
        if !self.modes.has(Mode::Declrmm) {
            self.decsc();
            return;
        }
        let cols = self.size().cols;
        let left = left.max(1);
        let right = if right == 0 { cols } else { right.min(cols) };
        if left < right {
            self.margins.left = left - 1;
            self.margins.right = right - 1;
            self.cup(0, 0);
        }
    }

    /// DECALN, `ESC # 8`: no margins, home, and every cell an E.
    pub(super) fn decaln(&mut self, at: u64) {
        self.wipe(full(self.size()), at);
        self.margins = full(self.size());
        self.cursor.origin = false;
        self.cup(0, 0);
        let cell = crate::term::cell::Cell::ascii(b'E', crate::term::pen::Pen::default());
        self.grid.fill(cell);
    }
}
