//! `resize`: gives the terminal another size.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::session::Session;
use crate::term::Size;

use super::Reply;

/// The greatest number of rows or columns that a user may ask for.
pub(super) const SIDE_MAX: u16 = 4096;

/// The greatest number of cells that a user may ask for.
pub(super) const CELLS_MAX: u32 = 1_000_000;

/// What `resize` takes; a side that is not given stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resize {
    /// Rows.
    pub rows: Option<u16>,
    /// Columns.
    pub cols: Option<u16>,
}

/// The terminal has this size now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resized {
    /// The size.
    pub size: Size,
}

impl Resize {
    pub(super) fn perform(&self, session: &mut Session, now: Instant) -> Result<Reply, Fault> {
        let before = session.screen().size();
        let size = Size {
            rows: self.rows.unwrap_or(before.rows),
            cols: self.cols.unwrap_or(before.cols),
        };
        check(size)?;
        session.resize(size, now)?;
        Ok(Reply::Resized(Resized { size }))
    }
}

/// Whether a terminal may have this size.
///
/// # Errors
/// Usage, when a side is 0 or greater than 4096.
pub fn check(size: Size) -> Result<(), Fault> {
    for (side, count) in [("rows", size.rows), ("cols", size.cols)] {
        if count == 0 || count > SIDE_MAX {
            return Err(
                Fault::usage(format!("{count} {side} are no size for a terminal"))
                    .hint(format!("--{side} takes 1 to {SIDE_MAX}")),
            );
        }
    }
    if u32::from(size.rows) * u32::from(size.cols) > CELLS_MAX {
        let Size { rows, cols } = size;
        return Err(
            Fault::usage(format!("{rows}x{cols} is too large for a terminal"))
                .hint(format!("rows times columns may be {CELLS_MAX} at most")),
        );
    }
    Ok(())
}
