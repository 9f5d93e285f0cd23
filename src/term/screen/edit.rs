//! Inserting and deleting characters, lines and columns, inside the margins.

use super::Screen;
use crate::term::grid::Span;

impl Screen {
    /// From the cursor to the right margin, in one row.
    fn rest_of_row(&self) -> Span {
        let row = self.cursor.row;
        Span {
            top: row,
            bottom: row,
            left: self.cursor.col,
            right: self.margins.right,
        }
    }

    /// ICH, `CSI n @`: insert blanks at the cursor.
    pub(super) fn ich(&mut self, count: u16, at: u64) {
        self.reset_wrap();
        if self.inside_cols() {
            let span = self.rest_of_row();
            self.wipe(span, at);
            self.grid.shift_right(span, count, self.blank());
        }
    }

    /// DCH, `CSI n P`: delete characters at the cursor.
    pub(super) fn dch(&mut self, count: u16, at: u64) {
        self.reset_wrap();
        if self.inside_cols() {
            let span = self.rest_of_row();
            self.wipe(span, at);
            self.grid.shift_left(span, count, self.blank());
        }
    }

    fn rest_of_region(&self) -> Span {
        Span {
            top: self.cursor.row,
            ..self.margins
        }
    }

    /// IL, `CSI n L`: insert lines at the cursor, and to the left margin.
    pub(super) fn il(&mut self, count: u16, at: u64) {
        if self.inside_rows() && self.inside_cols() {
            let span = self.rest_of_region();
            self.wipe(span, at);
            self.grid.scroll_down(span, count, self.blank());
            self.cursor.col = self.margins.left;
            self.reset_wrap();
        }
    }

    /// DL, `CSI n M`: delete lines at the cursor, and to the left margin.
    pub(super) fn dl(&mut self, count: u16, at: u64) {
        if self.inside_rows() && self.inside_cols() {
            let span = self.rest_of_region();
            self.wipe(span, at);
            self.grid.scroll_up(span, count, self.blank(), None);
            self.cursor.col = self.margins.left;
            self.reset_wrap();
        }
    }

    /// From the cursor to the right margin, in all rows of the region.
    fn rest_of_columns(&self) -> Span {
        Span {
            left: self.cursor.col,
            ..self.margins
        }
    }

    /// DECIC, `CSI n ' }`: insert columns at the cursor.
    pub(super) fn decic(&mut self, count: u16, at: u64) {
        if self.inside_rows() && self.inside_cols() {
            let span = self.rest_of_columns();
            self.wipe(span, at);
            self.grid.shift_right(span, count, self.blank());
        }
    }

    /// DECDC, `CSI n ' ~`: delete columns at the cursor.
    pub(super) fn decdc(&mut self, count: u16, at: u64) {
        if self.inside_rows() && self.inside_cols() {
            let span = self.rest_of_columns();
            self.wipe(span, at);
            self.grid.shift_left(span, count, self.blank());
        }
    }

    /// DECBI, `ESC 6`: one column back, at the left margin the region shifts right.
    pub(super) fn decbi(&mut self, at: u64) {
        if self.cursor.col == self.margins.left && self.inside_rows() {
            self.decic(1, at);
        } else if self.cursor.col > 0 {
            self.cursor.col -= 1;
        }
        self.reset_wrap();
    }

    /// DECFI, `ESC 9`: one column forward, at the right margin the region shifts left.
    pub(super) fn decfi(&mut self, at: u64) {
        if self.cursor.col == self.margins.right && self.inside_rows() {
            let span = self.margins;
            self.wipe(span, at);
            self.grid.shift_left(span, 1, self.blank());
        } else if self.cursor.col < self.last_col() {
            self.cursor.col += 1;
        }
        self.reset_wrap();
    }
}
