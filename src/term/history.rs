//! Scrollback: rows that left the top of the primary screen, packed, bounded, grown by need.
//!
//! Rows are kept at the width at which they left, with their wrap marks; whoever reads them wraps
//! them anew. So a resize never touches them, and what a narrow screen pushed out costs no more
//! lines than it did before: a long line weighs by its cells, not by its rows.

use std::collections::VecDeque;

use super::cell::Cell;
use super::row::{Packed, Row};

/// The rows above the screen, oldest first.
#[derive(Clone, Debug)]
pub(super) struct History {
    rows: VecDeque<(Packed, u8)>,
    limit: usize,
    weight: usize,
    /// Cells of the last line so far, if its last row is wrapped.
    open: usize,
    /// So many cells of a line weigh as one row.
    unit: usize,
    dropped: u64,
    scratch: Vec<u8>,
}

impl History {
    pub(super) fn new(limit: usize, cols: u16) -> Self {
        Self {
            rows: VecDeque::new(),
            limit,
            weight: 0,
            open: 0,
            unit: usize::from(cols).max(80),
            dropped: 0,
            scratch: Vec::new(),
        }
    }

    /// From now on rows may be so wide.
    pub(super) fn widen(&mut self, cols: u16) {
        self.unit = self.unit.max(usize::from(cols));
    }

    pub(super) fn push(&mut self, row: &Row) {
        if self.limit == 0 {
            return;
        }
        let packed = Packed::pack(row, &mut self.scratch);
        let cells = self.open + packed.len();
        let delta = if self.open == 0 && cells <= self.unit {
            1
        } else {
            let before = self.open.div_ceil(self.unit);
            let after = cells.div_ceil(self.unit).max(1);
            u8::try_from(after - before).unwrap_or(u8::MAX)
        };
        self.open = if packed.wrapped() { cells.max(1) } else { 0 };
        self.weight += usize::from(delta);
        self.rows.push_back((packed, delta));
        while self.weight > self.limit {
            let Some((_, delta)) = self.rows.pop_front() else {
                break;
            };
            self.weight -= usize::from(delta);
            self.dropped += 1;
        }
    }

    /// Takes the newest row back.
    pub(super) fn pop(&mut self, cells: &mut Vec<Cell>) -> bool {
        let Some((packed, delta)) = self.rows.pop_back() else {
            return false;
        };
        self.weight -= usize::from(delta);
        packed.unpack(cells);
        let wrapped: usize = self
            .rows
            .iter()
            .rev()
            .take_while(|(row, _)| row.wrapped())
            .map(|(row, _)| row.len())
            .sum();
        self.open = wrapped;
        true
    }

    /// Whether the newest row goes on in the first row of the screen.
    pub(super) fn continues(&self) -> bool {
        self.rows.back().is_some_and(|(row, _)| row.wrapped())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.rows = VecDeque::new();
        self.weight = 0;
        self.open = 0;
    }

    /// Every logical line's cells, oldest first; the last may go on in the screen (second value).
    pub(super) fn lines(&self, mut line: impl FnMut(&[Cell], bool)) {
        let mut cells = Vec::new();
        let last = self.rows.len();
        for (index, (row, _)) in self.rows.iter().enumerate() {
            row.unpack(&mut cells);
            if !row.wrapped() || index + 1 == last {
                line(&cells, row.wrapped());
                cells.clear();
            }
        }
    }
}
