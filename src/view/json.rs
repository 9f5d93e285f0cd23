//! JSON: the fields that `screen` and `render` promise.

use serde_json::{Map, Value, json as value};

use super::{Look, lines};
use crate::term::Screen;
use crate::term::cell::{Breadth, Cell};
use crate::term::mode::{Mode, Mouse, MouseEncoding};
use crate::term::pen::{Attrs, Color, Pen};

/// The screen as a JSON object.
pub fn json(screen: &Screen, look: &Look) -> Value {
    let cursor = screen.cursor();
    let size = screen.size();
    let mut object = Map::new();
    object.insert("lines".to_owned(), value!(lines(screen, look)));
    let shape = screen.cursor_shape();
    object.insert(
        "cursor".to_owned(),
        value!({
            "row": cursor.row,
            "col": cursor.col,
            "visible": screen.cursor_visible(),
            "shape": shape.name(),
            "blink": shape.blink,
        }),
    );
    object.insert(
        "size".to_owned(),
        value!({"rows": size.rows, "cols": size.cols}),
    );
    object.insert("alt_screen".to_owned(), value!(screen.alt_screen()));
    object.insert("title".to_owned(), value!(screen.title()));
    object.insert("modes".to_owned(), modes(screen));
    if look.cells {
        object.insert("cells".to_owned(), cells(screen, look));
    }
    Value::Object(object)
}

fn modes(screen: &Screen) -> Value {
    let modes = screen.modes();
    let mouse = match modes.mouse {
        Mouse::Off => Value::Null,
        Mouse::X10 => value!("x10"),
        Mouse::Normal => value!("normal"),
        Mouse::Highlight => value!("highlight"),
        Mouse::Button => value!("button"),
        Mouse::Any => value!("any"),
    };
    let encoding = match modes.mouse_encoding {
        MouseEncoding::Default => "default",
        MouseEncoding::Utf8 => "utf8",
        MouseEncoding::Sgr => "sgr",
        MouseEncoding::Urxvt => "urxvt",
        MouseEncoding::SgrPixels => "sgr_pixels",
    };
    value!({
        "application_cursor_keys": modes.application_cursor_keys(),
        "application_keypad": modes.application_keypad(),
        "autowrap": modes.has(Mode::Decawm),
        "bracketed_paste": modes.bracketed_paste(),
        "focus_events": modes.focus_events(),
        "insert": modes.has(Mode::Irm),
        "kitty_keyboard": modes.kitty_keyboard,
        "modify_other_keys": modes.modify_other_keys,
        "mouse": mouse,
        "mouse_encoding": encoding,
        "origin": screen.origin(),
        "reverse_screen": modes.has(Mode::Decscnm),
        "synchronized_output": modes.synchronized_output(),
    })
}

/// Every cell that is not as in the beginning.
fn cells(screen: &Screen, look: &Look) -> Value {
    let mut cells = Vec::new();
    for row in look.range(screen) {
        for (col, cell) in screen.row(row).cells().iter().enumerate() {
            if cell.breadth() != Breadth::Tail && !(cell.is_blank() && cell.pen == Pen::default()) {
                cells.push(one(screen, row, col, *cell));
            }
        }
    }
    Value::Array(cells)
}

fn one(screen: &Screen, row: u16, col: usize, cell: Cell) -> Value {
    let mut text = String::new();
    screen.push_cells(&[cell], false, &mut text);
    let width = if cell.breadth() == Breadth::Head {
        2
    } else {
        1
    };
    let mut attrs = attrs(cell.pen.attrs);
    // DECSCNM shows the whole screen inverted; a cell's own attributes stay as they are.
    attrs.sort_unstable();
    let mut object = value!({
        "row": row, "col": col, "text": text, "width": width,
        "fg": color(cell.pen.fg()), "bg": color(cell.pen.bg()), "attrs": attrs,
    });
    if let Some(extra) = screen.extra(&cell) {
        if let Some(link) = &extra.link {
            object["link"] = value!(link.uri);
        }
        if extra.underline != Color::Default {
            object["underline_color"] = color(extra.underline);
        }
    }
    let underline = cell.pen.attrs.underline();
    if underline > 1 {
        object["underline"] =
            value!(["double", "curly", "dotted", "dashed"][usize::from(underline).min(5) - 2]);
    }
    object
}

fn color(color: Color) -> Value {
    match color {
        Color::Default => Value::Null,
        Color::Indexed(index) => value!(index.to_string()),
        Color::Rgb(r, g, b) => value!(format!("#{r:02x}{g:02x}{b:02x}")),
    }
}

fn attrs(attrs: Attrs) -> Vec<&'static str> {
    let names = [
        (Attrs::BOLD, "bold"),
        (Attrs::DIM, "dim"),
        (Attrs::ITALIC, "italic"),
        (Attrs::BLINK, "blink"),
        (Attrs::INVERSE, "inverse"),
        (Attrs::HIDDEN, "hidden"),
        (Attrs::STRIKE, "strike"),
        (Attrs::OVERLINE, "overline"),
        (Attrs::PROTECTED, "protected"),
    ];
    let mut found: Vec<_> = names
        .iter()
        .filter(|(attr, _)| attrs.has(*attr))
        .map(|(_, name)| *name)
        .collect();
    if attrs.underline() > 0 {
        found.push("underline");
    }
    found
}
