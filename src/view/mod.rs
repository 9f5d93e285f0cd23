//! Views: a screen as text, as bytes for another terminal, as JSON, as a page, as a picture; and a
//! stream as the functions in it. Pure: a renderer returns what it made, and whoever has an output
//! writes it.

mod ansi;
mod html;
mod json;
mod run;
mod svg;
mod text;
mod trace;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::term::Screen;
use crate::term::row::Row;

pub use ansi::ansi;
pub use html::html;
pub use json::json;
pub use svg::svg;
pub use text::text;
pub use trace::trace;

/// How a screen is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing to see or not"
)]
pub struct Look {
    /// These rows of the screen alone.
    pub rows: Option<Range<u16>>,
    /// Keep empty rows at the end.
    pub full: bool,
    /// So many lines of the scrollback before the screen; `usize::MAX` for all.
    pub scrollback: Option<usize>,
    /// With the cells and their pens (JSON).
    pub cells: bool,
    /// With the cells (JSON), those beside each other with the same pen in one.
    pub runs: bool,
    /// The alternate screen as it was last left, in place of the screen (text and the lines of JSON).
    pub alt_last: bool,
}

impl Look {
    fn range(&self, screen: &Screen) -> Range<u16> {
        let all = screen.size().rows;
        let rows = self.rows.clone().unwrap_or(0..all);
        rows.start.min(all)..rows.end.min(all)
    }

    fn scrolled(&self, screen: &Screen) -> Vec<Row> {
        self.scrollback
            .map_or_else(Vec::new, |count| screen.scrollback(Some(count)))
    }
}

/// The lines of a screen as text: trailing blanks off, and empty rows at the end unless `full`.
pub fn lines(screen: &Screen, look: &Look) -> Vec<String> {
    let mut lines: Vec<String> = if look.alt_last {
        screen.last_alternate().unwrap_or_default()
    } else {
        let scrolled = look.scrolled(screen);
        let above = scrolled.iter().map(|row| {
            let mut text = String::new();
            screen.push_cells(row.cells(), true, &mut text);
            text
        });
        above
            .chain(look.range(screen).map(|row| screen.row_text(row, true)))
            .collect()
    };
    if !look.full {
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
    }
    lines
}
