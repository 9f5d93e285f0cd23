//! Sizes and places in cells. Zero-based everywhere; one-based only where escape sequences are
//! decoded and encoded.

use serde::{Deserialize, Serialize};

/// A size in cells. Both sides are at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Rows, 1 to 4096 where a user gives them.
    pub rows: u16,
    /// Columns, 1 to 4096 where a user gives them.
    pub cols: u16,
}

impl Default for Size {
    fn default() -> Self {
        Self { rows: 24, cols: 80 }
    }
}

/// A place in cells from the top left, zero-based.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Pos {
    /// The row, from 0 at the top.
    pub row: u16,
    /// The column, from 0 at the left.
    pub col: u16,
}
