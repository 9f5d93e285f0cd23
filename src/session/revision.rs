//! When what the screen shows last changed. Only the text counts: neither pens nor the cursor.
//!
//! A revision is the transcript's offset at which the change was seen, so it speaks the same
//! language as every other place in time; a change without output (a new size) counts one on.

use std::ops::Range;
use std::time::Instant;

use crate::term::Screen;

/// What each row of the screen was when last looked at.
#[derive(Debug)]
pub struct Revisions {
    rows: Vec<Row>,
    current: u64,
}

/// A row: the hash of its text, and since when it has that.
#[derive(Clone, Copy, Debug)]
struct Row {
    hash: u64,
    since: u64,
    changed: Option<Instant>,
}

impl Revisions {
    /// The screen as it is now is revision 0.
    pub fn of(screen: &Screen) -> Self {
        Self {
            rows: hashes(screen)
                .map(|hash| Row {
                    hash,
                    since: 0,
                    changed: None,
                })
                .collect(),
            current: 0,
        }
    }

    /// Compares the screen with the last look; `offset` is the transcript's end, `at` when the last
    /// output came.
    pub fn look(&mut self, screen: &Screen, offset: u64, at: Instant) {
        let next = offset.max(self.current + 1);
        let mut changed = self.rows.len() != usize::from(screen.size().rows);
        let resized = changed;
        let mut rows = Vec::with_capacity(self.rows.len());
        for (index, hash) in hashes(screen).enumerate() {
            match self.rows.get(index) {
                Some(row) if row.hash == hash && !resized => rows.push(*row),
                _ => {
                    changed = true;
                    rows.push(Row {
                        hash,
                        since: next,
                        changed: Some(at),
                    });
                }
            }
        }
        if changed {
            self.rows = rows;
            self.current = next;
        }
    }

    /// The revision of the screen.
    pub fn current(&self) -> u64 {
        self.current
    }

    /// The revision at which a row outside of `ignored` last changed, and when that was, if ever.
    pub fn outside(&self, ignored: &[Range<u16>]) -> (u64, Option<Instant>) {
        let rows = (0..).zip(&self.rows);
        rows.filter(|(row, _)| !ignored.iter().any(|range| range.contains(row)))
            .fold((0, None), |(since, changed), (_, row)| {
                (row.since.max(since), row.changed.max(changed))
            })
    }

    /// The rows that have changed after `revision`.
    pub fn since(&self, revision: u64) -> impl Iterator<Item = u16> {
        (0..)
            .zip(&self.rows)
            .filter(move |(_, row)| row.since > revision)
            .map(|(row, _)| row)
    }
}

fn hashes(screen: &Screen) -> impl Iterator<Item = u64> {
    (0..screen.size().rows).map(|row| screen.row_hash(row))
}
