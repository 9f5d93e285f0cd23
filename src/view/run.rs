//! Runs of cells that are drawn alike, and how a cell looks: its colours after the palette, inverse
//! video and DECSCNM were taken into account.

use crate::term::Screen;
use crate::term::cell::{Breadth, Cell};
use crate::term::mode::Mode;
use crate::term::pen::{Attrs, Color};

/// Cells of one row, beside each other, with the same pen.
pub(super) struct Run {
    /// The first column.
    pub(super) col: usize,
    /// How many columns.
    pub(super) cols: usize,
    /// What is written in them.
    pub(super) text: String,
    /// One of the cells.
    pub(super) cell: Cell,
    /// Whether this is the cursor's cell, which is a run of its own.
    pub(super) cursor: bool,
}

/// The runs of a row; what is as in the beginning at its end is left out, save for the cursor.
pub(super) fn runs(screen: &Screen, cells: &[Cell], cursor: Option<usize>) -> Vec<Run> {
    let used = cells
        .iter()
        .rposition(|cell| !cell.is_untouched())
        .map_or(0, |last| last + 1);
    let end = used.max(cursor.map_or(0, |col| col + 1)).min(cells.len());
    let mut runs: Vec<Run> = Vec::new();
    for (col, cell) in cells[..end].iter().enumerate() {
        let here = cursor == Some(col);
        match runs.last_mut() {
            // The cursor can only stand on a wide character's left half or, moved there, its right.
            Some(run) if cell.breadth() == Breadth::Tail => {
                run.cols += 1;
                run.cursor |= here;
                continue;
            }
            Some(run) if run.cell.pen == cell.pen && !run.cursor && !here => {
                run.cols += 1;
                screen.push_cells(std::slice::from_ref(cell), false, &mut run.text);
                continue;
            }
            _ => {}
        }
        let mut text = String::new();
        screen.push_cells(std::slice::from_ref(cell), false, &mut text);
        runs.push(Run {
            col,
            cols: 1,
            text,
            cell: *cell,
            cursor: here,
        });
    }
    runs
}

/// How a run is drawn.
pub(super) struct Paint {
    /// The text's colour.
    pub(super) fg: [u8; 3],
    /// The background, where it is not the screen's own.
    pub(super) bg: Option<[u8; 3]>,
    /// The underline's kind and colour.
    pub(super) underline: Option<(u8, Option<[u8; 3]>)>,
    /// The other attributes.
    pub(super) attrs: Attrs,
    /// Where it leads, if that is somewhere a browser may go.
    pub(super) link: Option<String>,
}

/// The screen's own foreground and background.
pub(super) fn defaults(screen: &Screen) -> [[u8; 3]; 2] {
    let palette = screen.palette();
    let [fg, bg] = [palette.special(10), palette.special(11)];
    if screen.modes().has(Mode::Decscnm) {
        [bg, fg]
    } else {
        [fg, bg]
    }
}

/// How a run is drawn.
pub(super) fn paint(screen: &Screen, run: &Run) -> Paint {
    let [text, base] = defaults(screen);
    let color = |color: Color| match color {
        Color::Default => None,
        Color::Indexed(index) => Some(screen.palette().index(index)),
        Color::Rgb(r, g, b) => Some([r, g, b]),
    };
    let pen = run.cell.pen;
    let (mut fg, mut bg) = (color(pen.fg()).unwrap_or(text), color(pen.bg()));
    if pen.attrs.has(Attrs::INVERSE) != run.cursor {
        (fg, bg) = (bg.unwrap_or(base), Some(fg));
    }
    let extra = screen.extra(&run.cell);
    let kind = pen.attrs.underline();
    Paint {
        fg,
        bg,
        underline: (kind > 0).then(|| (kind, extra.and_then(|extra| color(extra.underline)))),
        attrs: pen.attrs,
        link: extra
            .and_then(|extra| extra.link.as_ref())
            .map(|link| link.uri.clone())
            .filter(|uri| is_harmless(uri)),
    }
}

/// A page must not run what a program printed.
fn is_harmless(uri: &str) -> bool {
    let schemes = ["http://", "https://", "ftp://", "file://", "mailto:"];
    let uri = uri.to_ascii_lowercase();
    schemes.iter().any(|scheme| uri.starts_with(scheme))
}

impl Paint {
    /// What CSS and SVG have in common: weight, slant, lines, opacity.
    pub(super) fn style(&self) -> String {
        let mut style = String::new();
        let mut add = |part: &str| {
            style.push_str(if style.is_empty() { "" } else { ";" });
            style.push_str(part);
        };
        if self.attrs.has(Attrs::BOLD) {
            add("font-weight:bold");
        }
        if self.attrs.has(Attrs::ITALIC) {
            add("font-style:italic");
        }
        if self.attrs.has(Attrs::DIM) {
            add("opacity:.6");
        }
        if self.attrs.has(Attrs::HIDDEN) {
            add("visibility:hidden");
        }
        let mut lines = Vec::new();
        if self.underline.is_some() {
            lines.push("underline");
        }
        if self.attrs.has(Attrs::STRIKE) {
            lines.push("line-through");
        }
        if self.attrs.has(Attrs::OVERLINE) {
            lines.push("overline");
        }
        if !lines.is_empty() {
            add(&format!("text-decoration:{}", lines.join(" ")));
        }
        if let Some((kind, color)) = self.underline {
            if let Some(name) =
                ["double", "wavy", "dotted", "dashed"].get(usize::from(kind).wrapping_sub(2))
            {
                add(&format!("text-decoration-style:{name}"));
            }
            if let Some(color) = color {
                add(&format!("text-decoration-color:{}", hex(color)));
            }
        }
        style
    }
}

/// A colour as CSS has it.
pub(super) fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text as HTML and XML can hold it; what they cannot hold is left out.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        match ch {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            ch if ch.is_control() => {}
            ch => out.push(ch),
        }
    }
    out
}
