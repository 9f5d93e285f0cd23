//! Plain text: one line a row.

use super::{Look, lines};
use crate::term::Screen;

/// The screen as text, each line with a newline.
pub fn text(screen: &Screen, look: &Look) -> Vec<u8> {
    let mut out = Vec::new();
    for line in lines(screen, look) {
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
    out
}
