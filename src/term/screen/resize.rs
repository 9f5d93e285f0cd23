//! Resize: soft-wrapped lines of the primary screen and its scrollback are wrapped anew, the cursor
//! stays on its character; the alternate screen is cut or extended.

use super::{Cursor, Screen, full};
use crate::term::cell::{Breadth, Cell};
use crate::term::geometry::{Pos, Size};
use crate::term::grid::Grid;
use crate::term::history::History;
use crate::term::row::Row;

impl Screen {
    pub(in crate::term) fn resize(&mut self, size: Size) {
        let old = self.size();
        let size = Size {
            rows: size.rows.max(1),
            cols: size.cols.max(1),
        };
        if size == old {
            return;
        }
        self.history.widen(size.cols);
        let (mut cursor, mut saved) = if self.on_alternate {
            (self.other_saved, self.other_saved)
        } else {
            (self.cursor, self.saved)
        };
        {
            let primary = if self.on_alternate {
                &mut self.other
            } else {
                &mut self.grid
            };
            let resized = reflow(primary, &mut self.history, size, &mut cursor);
            *primary = resized;
        }
        clamp(&mut saved, size);
        if self.on_alternate {
            self.grid.resize(size);
            // The primary screen's cursor is the one that DECSC saved on the way here.
            self.other_saved = cursor;
            clamp(&mut self.cursor, size);
            clamp(&mut self.saved, size);
        } else {
            self.other.resize(size);
            self.cursor = cursor;
            self.saved = saved;
            clamp(&mut self.other_saved, size);
        }
        if let Some(spare) = &mut self.spare {
            spare.resize(size);
        }
        self.margins = full(size);
        self.tabs.resize(size.cols);
        self.last = None;
        self.trail.resize(size.cols, self.cursor.col);
    }
}

fn clamp(cursor: &mut Cursor, size: Size) {
    cursor.row = cursor.row.min(size.rows - 1);
    cursor.col = cursor.col.min(size.cols - 1);
    cursor.pending = false;
}

/// Wraps one logical line to `cols` and appends its rows; `open` says that the line goes on.
pub(super) fn wrap_line(cells: &[Cell], cols: u16, open: bool, rows: &mut Vec<Row>) {
    let cols_len = usize::from(cols);
    let mut rest = cells;
    loop {
        let mut take = rest.len().min(cols_len);
        if take > 1 && take < rest.len() && rest[take].breadth() == Breadth::Tail {
            take -= 1;
        }
        let (now, later) = rest.split_at(take);
        let last = later.is_empty();
        rows.push(Row::from_cells(now.to_vec(), cols, !last || open));
        if last {
            return;
        }
        rest = later;
    }
}

/// A logical line being put together from rows.
fn gather(cells: &mut Vec<Cell>, row: &[Cell], next: Option<&[Cell]>, wrapped: bool) {
    let mut end = row.len();
    if wrapped {
        // A wide character that did not fit left a gap at the end of the row.
        let gap = row.last().is_some_and(|cell| cell.is_untouched());
        let wide = next
            .and_then(<[Cell]>::first)
            .is_some_and(|cell| cell.breadth() == Breadth::Head);
        if gap && wide {
            end -= 1;
        }
    } else {
        end = row
            .iter()
            .rposition(|cell| !cell.is_untouched())
            .map_or(0, |last| last + 1);
    }
    cells.extend_from_slice(&row[..end]);
}

/// The primary screen and the end of its scrollback at another size.
fn reflow(grid: &Grid, history: &mut History, size: Size, cursor: &mut Cursor) -> Grid {
    let old = grid.size();
    let used = grid
        .rows()
        .iter()
        .rposition(|row| row.used() > 0)
        .map_or(0, |row| row + 1);
    let used = used.max(usize::from(cursor.row) + 1);
    let mut rows: Vec<Row> = Vec::new();
    let mut place = Pos::default();
    let mut before = Vec::new();
    // The line at the top may have begun in the scrollback.
    while history.continues() {
        let mut cells = Vec::new();
        if !history.pop(&mut cells) {
            break;
        }
        before.push(cells);
    }
    let mut line: Vec<Cell> = Vec::new();
    for cells in before.iter().rev() {
        line.extend_from_slice(cells);
    }
    let mut at = None;
    for (index, row) in grid.rows()[..used].iter().enumerate() {
        let next = grid.rows()[..used].get(index + 1);
        if index == usize::from(cursor.row) {
            at = Some(line.len() + usize::from(cursor.col));
        }
        let wrapped = row.wrapped && next.is_some();
        gather(&mut line, row.cells(), next.map(Row::cells), wrapped);
        if !wrapped {
            let first = rows.len();
            wrap_line(&line, size.cols, false, &mut rows);
            if let Some(at) = at.take() {
                place = find(&rows[first..], at, size.cols);
                place.row += u16::try_from(first).unwrap_or(u16::MAX - place.row);
                cursor.pending = cursor.pending && place.col + 1 == size.cols;
            }
            line.clear();
        }
    }
    let height = usize::from(size.rows);
    // A screen that was full to its end takes lines back from the scrollback when it grows.
    let mut above: Vec<Row> = Vec::new();
    if used == usize::from(old.rows) {
        while rows.len() + above.len() < height && !history.is_empty() {
            let mut parts = Vec::new();
            loop {
                let mut cells = Vec::new();
                if !history.pop(&mut cells) {
                    break;
                }
                parts.push(cells);
                if !history.continues() {
                    break;
                }
            }
            let cells: Vec<Cell> = parts.into_iter().rev().flatten().collect();
            let mut taken = Vec::new();
            wrap_line(&cells, size.cols, false, &mut taken);
            taken.append(&mut above);
            above = taken;
        }
    }
    let shift = above.len();
    above.append(&mut rows);
    let mut rows = above;
    let cursor_row = usize::from(place.row) + shift;
    let top = rows.len().saturating_sub(height).min(cursor_row);
    for row in rows.drain(..top) {
        history.push(&row);
    }
    rows.resize(height, Row::new(size.cols, Cell::default()));
    if let Some(last) = rows.last_mut() {
        last.wrapped = false;
    }
    cursor.row = u16::try_from(cursor_row - top)
        .unwrap_or(0)
        .min(size.rows - 1);
    cursor.col = place.col.min(size.cols - 1);
    Grid::from_rows(rows, size)
}

/// Where the cell at `at` of a line went that was wrapped into `rows`.
fn find(rows: &[Row], at: usize, cols: u16) -> Pos {
    let mut left = at;
    for (index, row) in rows.iter().enumerate() {
        // A gap before a wide character is no cell of the line.
        let gap = row.wrapped
            && row.cells().last().is_some_and(|cell| cell.is_untouched())
            && rows
                .get(index + 1)
                .is_some_and(|next| next.cells()[0].breadth() == Breadth::Head);
        let len = usize::from(cols) - usize::from(gap);
        if left < len || index + 1 == rows.len() {
            let col = u16::try_from(left).unwrap_or(u16::MAX).min(cols - 1);
            return Pos {
                row: u16::try_from(index).unwrap_or(u16::MAX),
                col,
            };
        }
        left -= len;
    }
    Pos::default()
}
