//! A picture: each run is a text of a fixed length, so that columns stand where they should in any
//! font.

use std::fmt::Write as _;

use super::Look;
use super::run::{defaults, escape, hex, paint, runs};
use crate::term::Screen;
use crate::term::cell::Cell;

/// A cell's width and height, the baseline in it and the size of the letters, in pixels.
const WIDTH: usize = 9;
const HEIGHT: usize = 18;
const BASE: usize = 14;
const LETTERS: usize = 15;

/// The screen as an SVG picture.
pub fn svg(screen: &Screen, look: &Look) -> Vec<u8> {
    let above = look.scrolled(screen);
    let range = look.range(screen);
    let rows = above.len() + range.len();
    let (width, height) = (usize::from(screen.size().cols) * WIDTH, rows * HEIGHT);
    let [fg, bg] = defaults(screen).map(hex);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{bg}\"/>\n\
         <g fill=\"{fg}\" font-family=\"monospace\" font-size=\"{LETTERS}\" xml:space=\"preserve\">\n",
        escape(screen.title()),
    );
    for (top, row) in above.iter().enumerate() {
        line(screen, row.cells(), None, top, &mut out);
    }
    let cursor = screen.cursor();
    for (top, row) in (above.len()..).zip(range) {
        let here = screen.cursor_visible() && row == cursor.row;
        let col = here.then(|| usize::from(cursor.col));
        line(screen, screen.row(row).cells(), col, top, &mut out);
    }
    out.push_str("</g>\n</svg>\n");
    out.into_bytes()
}

fn line(screen: &Screen, cells: &[Cell], cursor: Option<usize>, top: usize, out: &mut String) {
    for run in runs(screen, cells, cursor) {
        let paint = paint(screen, &run);
        let (x, y, width) = (run.col * WIDTH, top * HEIGHT, run.cols * WIDTH);
        if let Some(bg) = paint.bg {
            let fill = hex(bg);
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"{fill}\"/>"
            );
        }
        if run.text.trim().is_empty() && paint.underline.is_none() {
            continue;
        }
        let mut attributes = String::new();
        if paint.fg != defaults(screen)[0] {
            let _ = write!(attributes, " fill=\"{}\"", hex(paint.fg));
        }
        let style = paint.style();
        if !style.is_empty() {
            let _ = write!(attributes, " style=\"{style}\"");
        }
        let text = format!(
            "<text x=\"{x}\" y=\"{}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"{attributes}>{}</text>",
            y + BASE,
            escape(&run.text),
        );
        match &paint.link {
            Some(uri) => {
                let _ = writeln!(out, "<a href=\"{}\">{text}</a>", escape(uri));
            }
            None => {
                let _ = writeln!(out, "{text}");
            }
        }
    }
}
