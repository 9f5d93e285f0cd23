//! How many columns text takes, by the same tables as the terminal's.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns of a cluster: 1 or 2.
pub(super) fn of_cluster(cluster: &str) -> u32 {
    if cluster.width() > 1 { 2 } else { 1 }
}

/// The columns of one character: 0, 1 or 2.
pub(super) fn of_char(c: char) -> usize {
    c.width().unwrap_or(0).min(2)
}
