//! The grid: the rows of one screen, and moving cells about within a rectangle of it.

use super::cell::Cell;
use super::geometry::Size;
use super::history::History;
use super::row::Row;

/// A rectangle of cells, zero-based, both ends inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) top: u16,
    pub(super) bottom: u16,
    pub(super) left: u16,
    pub(super) right: u16,
}

impl Span {
    fn cols(self) -> std::ops::Range<usize> {
        usize::from(self.left)..usize::from(self.right) + 1
    }
}

/// The rows of one screen.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    rows: Vec<Row>,
    size: Size,
}

impl Grid {
    pub(super) fn new(size: Size) -> Self {
        Self {
            rows: vec![Row::new(size.cols, Cell::default()); usize::from(size.rows)],
            size,
        }
    }

    pub(super) fn from_rows(rows: Vec<Row>, size: Size) -> Self {
        Self { rows, size }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(super) fn row(&self, row: u16) -> &Row {
        &self.rows[usize::from(row)]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, row: u16) -> &mut Row {
        &mut self.rows[usize::from(row)]
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn fill(&mut self, blank: Cell) {
        for row in &mut self.rows {
            row.clear(blank);
        }
    }

    /// Cuts or extends at the right and the bottom.
    pub(super) fn resize(&mut self, size: Size) {
        for row in &mut self.rows {
            row.resize(size.cols, Cell::default());
        }
        self.rows
            .resize(usize::from(size.rows), Row::new(size.cols, Cell::default()));
        self.size = size;
    }

    fn is_full_width(&self, span: Span) -> bool {
        span.left == 0 && span.right + 1 == self.size.cols
    }

    /// Moves the cells of `span` up by `count` rows; blanks come in below. Rows that leave go to
    /// `history`, if there is one.
    pub(super) fn scroll_up(
        &mut self,
        span: Span,
        count: u16,
        blank: Cell,
        history: Option<&mut History>,
    ) {
        let height = span.bottom - span.top + 1;
        let count = count.min(height);
        if self.is_full_width(span) {
            let rows = &mut self.rows[usize::from(span.top)..=usize::from(span.bottom)];
            if let Some(history) = history {
                for row in &rows[..usize::from(count)] {
                    history.push(row);
                }
            }
            rows.rotate_left(usize::from(count));
            for row in &mut rows[usize::from(height - count)..] {
                row.clear(blank);
            }
            // What went on below the region does so no more.
            if span.top > 0 && count > 0 {
                self.rows[usize::from(span.top) - 1].wrapped = false;
            }
        } else {
            for row in span.top..=span.bottom {
                self.split_edges(row, span);
                if row + count <= span.bottom {
                    self.split_edges(row + count, span);
                    self.copy_cells(row + count, row, span);
                } else {
                    self.row_mut(row).cells_mut()[span.cols()].fill(blank);
                }
            }
        }
    }

    /// Moves the cells of `span` down by `count` rows; blanks come in above.
    pub(super) fn scroll_down(&mut self, span: Span, count: u16, blank: Cell) {
        let height = span.bottom - span.top + 1;
        let count = count.min(height);
        if self.is_full_width(span) {
            let rows = &mut self.rows[usize::from(span.top)..=usize::from(span.bottom)];
            rows.rotate_right(usize::from(count));
            for row in &mut rows[..usize::from(count)] {
                row.clear(blank);
            }
            if let Some(last) = rows.last_mut() {
                last.wrapped = false;
            }
            if span.top > 0 && count > 0 {
                self.rows[usize::from(span.top) - 1].wrapped = false;
            }
        } else {
            for row in (span.top..=span.bottom).rev() {
                self.split_edges(row, span);
                if row >= span.top + count {
                    self.split_edges(row - count, span);
                    self.copy_cells(row - count, row, span);
                } else {
                    self.row_mut(row).cells_mut()[span.cols()].fill(blank);
                }
            }
        }
    }

    fn split_edges(&mut self, row: u16, span: Span) {
        let row = self.row_mut(row);
        row.split_at(usize::from(span.left));
        row.split_at(usize::from(span.right) + 1);
    }

    fn copy_cells(&mut self, from: u16, to: u16, span: Span) {
        let (from, to) = (usize::from(from), usize::from(to));
        let [from, to] = self
            .rows
            .get_disjoint_mut([from, to])
            .expect("two rows of the grid");
        to.cells_mut()[span.cols()].copy_from_slice(&from.cells()[span.cols()]);
    }

    /// Moves the cells of each row of `span` right by `count`; blanks come in at the left.
    pub(super) fn shift_right(&mut self, span: Span, count: u16, blank: Cell) {
        let count = usize::from(count).min(span.cols().len());
        for row in span.top..=span.bottom {
            let row = self.row_mut(row);
            row.split_at(usize::from(span.left));
            row.split_at(usize::from(span.right) + 1);
            let edge = usize::from(span.right) + 1 - count;
            row.split_at(edge);
            let cells = &mut row.cells_mut()[span.cols()];
            let len = cells.len();
            cells.copy_within(..len - count, count);
            cells[..count].fill(blank);
            row.wrapped = false;
        }
    }

    /// Moves the cells of each row of `span` left by `count`; blanks come in at the right.
    pub(super) fn shift_left(&mut self, span: Span, count: u16, blank: Cell) {
        let count = usize::from(count).min(span.cols().len());
        for row in span.top..=span.bottom {
            let row = self.row_mut(row);
            row.split_at(usize::from(span.left));
            row.split_at(usize::from(span.left) + count);
            row.split_at(usize::from(span.right) + 1);
            let cells = &mut row.cells_mut()[span.cols()];
            let len = cells.len();
            cells.copy_within(count.., 0);
            cells[len - count..].fill(blank);
            row.wrapped = false;
        }
    }
}
