//! A page for a browser that needs nothing else: no script, no font, no file beside it.

use std::fmt::Write as _;

use super::Look;
use super::run::{defaults, escape, hex, paint, runs};
use crate::term::Screen;
use crate::term::cell::Cell;

/// The screen as an HTML page.
pub fn html(screen: &Screen, look: &Look) -> Vec<u8> {
    let [fg, bg] = defaults(screen).map(hex);
    let mut out = format!(
        "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<pre style=\"color:{fg};\
         background:{bg};font-family:monospace;line-height:1.2;display:inline-block\">",
        escape(screen.title()),
    );
    for row in look.scrolled(screen) {
        line(screen, row.cells(), None, &mut out);
    }
    let cursor = screen.cursor();
    for row in look.range(screen) {
        let here = screen.cursor_visible() && row == cursor.row;
        let col = here.then(|| usize::from(cursor.col));
        line(screen, screen.row(row).cells(), col, &mut out);
    }
    out.push_str("</pre>\n");
    out.into_bytes()
}

fn line(screen: &Screen, cells: &[Cell], cursor: Option<usize>, out: &mut String) {
    for run in runs(screen, cells, cursor) {
        let paint = paint(screen, &run);
        let mut style = paint.style();
        let mut add = |part: String| {
            style.push_str(if style.is_empty() { "" } else { ";" });
            style.push_str(&part);
        };
        if paint.fg != defaults(screen)[0] {
            add(format!("color:{}", hex(paint.fg)));
        }
        if let Some(bg) = paint.bg {
            add(format!("background:{}", hex(bg)));
        }
        let text = escape(&run.text);
        let style = match style.as_str() {
            "" => String::new(),
            style => format!(" style=\"{style}\""),
        };
        let _ = match &paint.link {
            Some(uri) => write!(out, "<a href=\"{}\"{style}>{text}</a>", escape(uri)),
            None if style.is_empty() => out.write_str(&text),
            None => write!(out, "<span{style}>{text}</span>"),
        };
    }
    out.push('\n');
}
