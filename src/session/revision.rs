//! When what the screen shows last changed. Only the text counts: neither pens nor the cursor.
//!
//! A revision is the transcript's offset at which the change was seen, so it speaks the same
//! language as every other place in time; a change without output (a new size) counts one on.

use std::time::Instant;

use crate::term::Screen;

/// What each row of the screen was when last looked at.
#[derive(Debug)]
pub struct Revisions {
    rows: Vec<(u64, u64)>,
    current: u64,
    changed: Option<Instant>,
}

impl Revisions {
    /// The screen as it is now is revision 0.
    pub fn of(screen: &Screen) -> Self {
        Self {
            rows: hashes(screen).map(|hash| (hash, 0)).collect(),
            current: 0,
            changed: None,
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
                Some((before, since)) if *before == hash && !resized => rows.push((hash, *since)),
                _ => {
                    changed = true;
                    rows.push((hash, next));
                }
            }
        }
        if changed {
            self.rows = rows;
            self.current = next;
            self.changed = Some(at);
        }
    }

    /// The revision of the screen.
    pub fn current(&self) -> u64 {
        self.current
    }

    /// When the screen last changed, or none if it never did.
    pub fn changed(&self) -> Option<Instant> {
        self.changed
    }

    /// The rows that have changed after `revision`.
    pub fn since(&self, revision: u64) -> impl Iterator<Item = u16> {
        (0..)
            .zip(&self.rows)
            .filter(move |(_, (_, since))| *since > revision)
            .map(|(row, _)| row)
    }
}

fn hashes(screen: &Screen) -> impl Iterator<Item = u64> {
    (0..screen.size().rows).map(|row| screen.row_hash(row))
}
