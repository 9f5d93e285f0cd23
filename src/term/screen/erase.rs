//! Erasing: ED, EL, ECH and their selective forms. Erased cells get the pen's background (bce).

use super::Screen;
use crate::term::cell::Cell;
use crate::term::function::Extent;
use crate::term::grid::Span;
use crate::term::pen::Attrs;

/// Which cells an erase leaves alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Those that SPA guards.
    Erase,
    /// Those that DECSCA protects, too; what is erased keeps its pen.
    Select,
}

impl Screen {
    /// Erases the cells of `span`.
    pub(super) fn erase(&mut self, span: Span, what: What, at: u64) {
        self.wipe(span, at);
        let blank = self.blank();
        let (left, end) = (usize::from(span.left), usize::from(span.right) + 1);
        for row in span.top..=span.bottom {
            let row = self.grid.row_mut(row);
            match what {
                What::Erase => row.erase(left, end, blank),
                What::Select => {
                    row.split_at(left);
                    row.split_at(end);
                    for cell in &mut row.cells_mut()[left..end] {
                        let attrs = cell.pen.attrs;
                        if !attrs.has(Attrs::PROTECTED) && !attrs.has(Attrs::GUARDED) {
                            *cell = Cell::blank(cell.pen);
                        }
                    }
                }
            }
        }
    }

    fn rows(&self, top: u16, bottom: u16) -> Span {
        Span {
            top,
            bottom,
            left: 0,
            right: self.last_col(),
        }
    }

    fn unwrap_rows(&mut self, top: u16, bottom: u16) {
        for row in top..=bottom {
            self.grid.row_mut(row).wrapped = false;
        }
    }

    /// ED, `CSI n J`, and DECSED, `CSI ? n J`: erase in the display.
    pub(super) fn ed(&mut self, extent: Extent, what: What, at: u64) {
        let (row, last) = (self.cursor.row, self.last_row());
        match extent {
            Extent::After => {
                self.el(extent, what, at);
                if row < last {
                    self.erase(self.rows(row + 1, last), what, at);
                    self.unwrap_rows(row + 1, last);
                }
            }
            Extent::Before => {
                if row > 0 {
                    self.erase(self.rows(0, row - 1), what, at);
                    self.unwrap_rows(0, row - 1);
                }
                self.el(extent, what, at);
            }
            Extent::All => {
                self.erase(self.rows(0, last), what, at);
                self.unwrap_rows(0, last);
            }
            Extent::Saved => self.history.clear(),
        }
    }

    /// EL, `CSI n K`, and DECSEL, `CSI ? n K`: erase in the line.
    pub(super) fn el(&mut self, extent: Extent, what: What, at: u64) {
        let row = self.cursor.row;
        let whole = self.rows(row, row);
        match extent {
            Extent::After => {
                self.erase(
                    Span {
                        left: self.cursor.col,
                        ..whole
                    },
                    what,
                    at,
                );
                self.unwrap_rows(row, row);
                self.reset_wrap();
            }
            Extent::Before => self.erase(
                Span {
                    right: self.cursor.col,
                    ..whole
                },
                what,
                at,
            ),
            Extent::All => {
                self.erase(whole, what, at);
                self.unwrap_rows(row, row);
            }
            Extent::Saved => {}
        }
    }

    /// ECH, `CSI n X`: erase characters from the cursor on.
    pub(super) fn ech(&mut self, count: u16, at: u64) {
        let row = self.cursor.row;
        let right = self
            .cursor
            .col
            .saturating_add(count - 1)
            .min(self.last_col());
        self.erase(
            Span {
                left: self.cursor.col,
                right,
                ..self.rows(row, row)
            },
            What::Erase,
            at,
        );
        if right == self.last_col() {
            self.unwrap_rows(row, row);
        }
        self.reset_wrap();
    }

    /// DECSCA, `CSI n " q`: protect what is printed from now on.
    pub(super) fn decsca(&mut self, on: bool) {
        self.cursor.pen.attrs.set(Attrs::PROTECTED, on);
    }
}
