//! What can be asked of a screen without changing it.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Left, Screen};
use crate::term::cell::{Breadth, Cell, Glyph};
use crate::term::function::Name;
use crate::term::geometry::{Pos, Size};
use crate::term::grid::Grid;
use crate::term::mode::{Mode, Modes};
use crate::term::pool::Extra;
use crate::term::row::Row;

/// The figure of the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// The whole cell.
    #[default]
    Block,
    /// A line below.
    Underline,
    /// A line at the left.
    Bar,
}

/// The cursor's shape, DECSCUSR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CursorShape {
    /// Its figure.
    pub figure: Shape,
    /// Whether it blinks.
    pub blink: bool,
}

impl CursorShape {
    /// The shape that DECSCUSR names so.
    pub(super) fn numbered(number: u16) -> Option<Self> {
        let shape = |figure, blink| Some(Self { figure, blink });
        match number {
            0 | 1 => shape(Shape::Block, true),
            2 => shape(Shape::Block, false),
            3 => shape(Shape::Underline, true),
            4 => shape(Shape::Underline, false),
            5 => shape(Shape::Bar, true),
            6 => shape(Shape::Bar, false),
            _ => None,
        }
    }

    /// Its number for DECSCUSR.
    pub fn number(self) -> u16 {
        let figure = match self.figure {
            Shape::Block => 1,
            Shape::Underline => 3,
            Shape::Bar => 5,
        };
        figure + u16::from(!self.blink)
    }

    /// Its name: `block`, `underline` or `bar`.
    pub fn name(self) -> &'static str {
        match self.figure {
            Shape::Block => "block",
            Shape::Underline => "underline",
            Shape::Bar => "bar",
        }
    }
}

impl Screen {
    /// The size.
    #[inline]
    pub fn size(&self) -> Size {
        self.grid.size()
    }

    /// The cursor's place; one that waits to wrap is on the last column.
    pub fn cursor(&self) -> Pos {
        Pos {
            row: self.cursor.row,
            col: self.cursor.col,
        }
    }

    /// Whether the next character wraps first.
    pub fn pending_wrap(&self) -> bool {
        self.cursor.pending
    }

    /// Whether the cursor is shown, DECTCEM.
    pub fn cursor_visible(&self) -> bool {
        self.modes.has(Mode::Dectcem)
    }

    /// The cursor's shape.
    pub fn cursor_shape(&self) -> CursorShape {
        self.shape
    }

    /// The window's title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Whether the alternate screen is shown.
    pub fn alt_screen(&self) -> bool {
        self.on_alternate
    }

    /// The modes.
    pub fn modes(&self) -> &Modes {
        &self.modes
    }

    /// Whether rows and columns count from the margins, DECOM.
    pub fn origin(&self) -> bool {
        self.cursor.origin
    }

    /// Whether a frame is being drawn that is not finished, mode 2026.
    pub fn synchronized(&self) -> bool {
        self.modes.synchronized_output()
    }

    /// The colours that were changed, OSC 4 and 10 to 19.
    pub fn palette(&self) -> &super::Palette {
        &self.palette
    }

    /// Sequences that are not known, with how often each came.
    pub fn unhandled(&self) -> impl Iterator<Item = (String, u64)> + '_ {
        self.unhandled
            .iter()
            .map(|(name, count)| (name.to_string(), *count))
    }

    /// Queries that were recognised and not answered.
    pub fn unanswered(&self) -> &[String] {
        &self.unanswered
    }

    /// The cells of a row.
    pub fn row(&self, row: u16) -> &Row {
        self.grid.row(row)
    }

    /// Whether the line of `row` goes on in the next row.
    pub fn wrapped(&self, row: u16) -> bool {
        self.grid.row(row).wrapped
    }

    /// What a cell of this screen has beyond its pen.
    pub fn extra(&self, cell: &Cell) -> Option<&Extra> {
        self.extras.get(u32::from(cell.pen.extra))
    }

    /// Appends the text of a cell; nothing for an unset one.
    pub fn push_text(&self, cell: Cell, out: &mut String) {
        match cell.glyph() {
            Glyph::Unset => {}
            Glyph::Char(ch) => out.push(ch),
            Glyph::Cluster(number) => {
                out.push_str(self.clusters.get(number).map_or("", |text| text));
            }
        }
    }

    /// Appends the text of cells: a space for an unset one, nothing for the right half of a wide one.
    pub fn push_cells(&self, cells: &[Cell], trim: bool, out: &mut String) {
        let end = if trim {
            cells
                .iter()
                .rposition(|cell| !cell.is_blank())
                .map_or(0, |last| last + 1)
        } else {
            cells.len()
        };
        for cell in &cells[..end] {
            if cell.is_blank() {
                out.push(' ');
            } else if cell.breadth() != Breadth::Tail {
                self.push_text(*cell, out);
            }
        }
    }

    /// The text of a row, with or without its trailing blanks.
    pub fn row_text(&self, row: u16, trim: bool) -> String {
        let mut text = String::with_capacity(usize::from(self.size().cols));
        self.push_cells(self.grid.row(row).cells(), trim, &mut text);
        text
    }

    /// The text of all rows joined by newlines, trailing blanks off, soft-wrapped rows joined: what
    /// patterns read of a screen.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in self.grid.rows() {
            self.push_cells(row.cells(), !row.wrapped, &mut text);
            if !row.wrapped {
                text.push('\n');
            }
        }
        text
    }

    fn grid_text(&self, grid: &Grid) -> Vec<String> {
        let text = |row: &Row| {
            let mut text = String::new();
            self.push_cells(row.cells(), true, &mut text);
            text
        };
        let mut lines: Vec<String> = grid.rows().iter().map(text).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// The alternate screen's lines as they stood when it was last left; nothing if it never was.
    pub fn last_alternate(&self) -> Option<Vec<String>> {
        match self.left {
            Left::Never => None,
            Left::InOther => Some(self.grid_text(&self.other)),
            Left::InSpare => self.spare.as_ref().map(|grid| self.grid_text(grid)),
        }
    }

    /// The stream's offset behind the byte for which something was last printed in a row.
    pub fn row_written(&self, row: u16) -> u64 {
        self.grid.row(row).written()
    }

    /// The rows that scrolled off the primary screen, oldest first, wrapped to the present width;
    /// with `last`, the newest so many.
    pub fn scrollback(&self, last: Option<usize>) -> Vec<Row> {
        let mut rows = Vec::new();
        self.history.lines(|cells, open| {
            super::resize::wrap_line(cells, self.size().cols, open, &mut rows);
        });
        if let Some(last) = last {
            rows.drain(..rows.len().saturating_sub(last));
        }
        rows
    }

    /// How many rows the scrollback has at the present width.
    pub fn scrollback_len(&self) -> usize {
        self.scrollback(None).len()
    }

    /// A number that changes when the text of `row` does: not with pens, not with the cursor.
    pub fn row_hash(&self, row: u16) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash_row(row, &mut hasher);
        hasher.finish()
    }

    fn hash_row(&self, row: u16, hasher: &mut DefaultHasher) {
        let cells = self.grid.row(row).cells();
        let end = cells
            .iter()
            .rposition(|cell| !cell.is_blank())
            .map_or(0, |last| last + 1);
        for cell in &cells[..end] {
            match cell.glyph() {
                Glyph::Unset => ' '.hash(hasher),
                Glyph::Char(ch) => ch.hash(hasher),
                Glyph::Cluster(number) => self.clusters.get(number).hash(hasher),
            }
        }
        end.hash(hasher);
    }

    /// A number that changes when the text on the screen does: not with pens, not with the cursor.
    pub fn content_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for row in 0..self.size().rows {
            self.hash_row(row, &mut hasher);
        }
        hasher.finish()
    }

    /// Remembers a query that is recognised and has no answer here.
    pub(super) fn leave_unanswered(&mut self, query: Name) {
        if self.unanswered.len() < 64 {
            let mut text = String::new();
            if write!(text, "{query}").is_ok() && !self.unanswered.contains(&text) {
                self.unanswered.push(text);
            }
        }
    }
}
