//! Bytes for another terminal: fed back to one of the same size they give the same screen.

use std::io::Write as _;

use super::Look;
use crate::term::Screen;
use crate::term::cell::{Breadth, Cell};
use crate::term::mode::Mode;
use crate::term::pen::{Attrs, Color, Pen};
use crate::term::pool::Extra;
use crate::term::width;

/// What stands on the display, drawn from the top left; the cursor is put in its place at the end.
///
/// A part of the screen (`rows`) or one with scrollback is drawn line by line instead, with
/// newlines, for a person's terminal to scroll.
pub fn ansi(screen: &Screen, look: &Look) -> Vec<u8> {
    let mut out = Out {
        bytes: Vec::new(),
        pen: Pen::default(),
        extra: Extra::default(),
    };
    if look.rows.is_some() || look.scrollback.is_some() {
        for row in look.scrolled(screen) {
            out.line(screen, row.cells());
        }
        for row in look.range(screen) {
            out.line(screen, screen.row(row).cells());
        }
        return out.bytes;
    }
    out.raw(if screen.alt_screen() {
        "\x1b[?1049h"
    } else {
        ""
    });
    out.raw("\x1b[m\x1b[2J\x1b[H");
    // Halves and margins are drawn by place; nothing may wrap or shift meanwhile.
    out.raw("\x1b[?7l");
    for row in 0..screen.size().rows {
        let cells = screen.row(row).cells();
        let end = cells
            .iter()
            .rposition(|cell| !cell.is_untouched())
            .map_or(0, |last| last + 1);
        if end > 0 {
            let _ = write!(out.bytes, "\x1b[{};1H", row + 1);
            out.cells(screen, &cells[..end]);
        }
    }
    out.pen(screen, Cell::default());
    out.raw("\x1b[?7h");
    out.modes(screen);
    let cursor = screen.cursor();
    let _ = write!(out.bytes, "\x1b[{};{}H", cursor.row + 1, cursor.col + 1);
    out.bytes
}

struct Out {
    bytes: Vec<u8>,
    pen: Pen,
    extra: Extra,
}

impl Out {
    fn raw(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn line(&mut self, screen: &Screen, cells: &[Cell]) {
        let end = cells
            .iter()
            .rposition(|cell| !cell.is_untouched())
            .map_or(0, |last| last + 1);
        self.cells(screen, &cells[..end]);
        self.pen(screen, Cell::default());
        self.raw("\n");
    }

    fn cells(&mut self, screen: &Screen, cells: &[Cell]) {
        let mut before = String::new();
        let mut text = String::new();
        for (col, cell) in cells.iter().enumerate() {
            if cell.breadth() == Breadth::Tail {
                continue;
            }
            self.pen(screen, *cell);
            text.clear();
            screen.push_cells(std::slice::from_ref(cell), false, &mut text);
            // Two cells may hold what would be one cluster if it came in one go.
            if !text.is_ascii() && width::joins(&before, &text) {
                let _ = write!(self.bytes, "\x1b[{}G", col + 1);
            }
            let wide = cell.breadth() == Breadth::Head;
            // On the last column there is no room to grow, here as there.
            let last = col + 1 == usize::from(screen.size().cols);
            let odd =
                !last && text.chars().nth(1).is_some() && (width::of_cluster(&text) == 2) != wide;
            self.raw(if odd { "\x1b[?2027l" } else { "" });
            self.raw(&text);
            self.raw(if odd { "\x1b[?2027h" } else { "" });
            std::mem::swap(&mut before, &mut text);
        }
    }

    /// Changes the pen to that of `cell`.
    fn pen(&mut self, screen: &Screen, cell: Cell) {
        let extra = screen.extra(&cell).cloned().unwrap_or_default();
        let mut pen = cell.pen;
        pen.extra = 0;
        if pen == self.pen && extra == self.extra {
            return;
        }
        if extra.link != self.extra.link {
            match &extra.link {
                None => self.raw("\x1b]8;;\x1b\\"),
                Some(link) if link.id.is_empty() => {
                    self.raw(&format!("\x1b]8;;{}\x1b\\", link.uri));
                }
                Some(link) => self.raw(&format!("\x1b]8;id={};{}\x1b\\", link.id, link.uri)),
            }
        }
        if pen.attrs.has(Attrs::PROTECTED) != self.pen.attrs.has(Attrs::PROTECTED) {
            self.raw(if pen.attrs.has(Attrs::PROTECTED) {
                "\x1b[1\"q"
            } else {
                "\x1b[0\"q"
            });
        }
        if pen.attrs.has(Attrs::GUARDED) != self.pen.attrs.has(Attrs::GUARDED) {
            self.raw(if pen.attrs.has(Attrs::GUARDED) {
                "\x1bV"
            } else {
                "\x1bW"
            });
        }
        let sgr = sgr(pen, extra.underline);
        self.raw(&sgr);
        self.pen = pen;
        self.extra = extra;
    }

    fn modes(&mut self, screen: &Screen) {
        let modes = screen.modes();
        for (mode, on) in [
            (Mode::Decscnm, "\x1b[?5h"),
            (Mode::BracketedPaste, "\x1b[?2004h"),
            (Mode::Decckm, "\x1b[?1h"),
        ] {
            if modes.has(mode) {
                self.raw(on);
            }
        }
        if !modes.has(Mode::Clusters) {
            self.raw("\x1b[?2027l");
        }
        if !screen.cursor_visible() {
            self.raw("\x1b[?25l");
        }
        let shape = screen.cursor_shape().number();
        if shape != 2 {
            let _ = write!(self.bytes, "\x1b[{shape} q");
        }
    }
}

/// The whole pen as one SGR.
fn sgr(pen: Pen, underline: Color) -> String {
    let mut text = String::from("\x1b[0");
    let simple = [
        (Attrs::BOLD, ";1"),
        (Attrs::DIM, ";2"),
        (Attrs::ITALIC, ";3"),
        (Attrs::BLINK, ";5"),
        (Attrs::INVERSE, ";7"),
        (Attrs::HIDDEN, ";8"),
        (Attrs::STRIKE, ";9"),
        (Attrs::OVERLINE, ";53"),
    ];
    for (attr, code) in simple {
        if pen.attrs.has(attr) {
            text.push_str(code);
        }
    }
    match pen.attrs.underline() {
        0 => {}
        1 => text.push_str(";4"),
        kind => {
            text.push_str(";4:");
            text.push(char::from(b'0' + kind));
        }
    }
    for (color, base, extended) in [(pen.fg(), 30, 38), (pen.bg(), 40, 48), (underline, 0, 58)] {
        let part = match color {
            Color::Default => continue,
            Color::Indexed(index @ 0..=7) if base > 0 => format!(";{}", base + u16::from(index)),
            Color::Indexed(index @ 8..=15) if base > 0 => {
                format!(";{}", base + 52 + u16::from(index))
            }
            Color::Indexed(index) if base > 0 => format!(";{extended};5;{index}"),
            Color::Indexed(index) => format!(";{extended}:5:{index}"),
            Color::Rgb(r, g, b) if base > 0 => format!(";{extended};2;{r};{g};{b}"),
            Color::Rgb(r, g, b) => format!(";{extended}:2::{r}:{g}:{b}"),
        };
        text.push_str(&part);
    }
    text.push('m');
    text
}
