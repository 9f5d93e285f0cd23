//! JSON: the fields that `screen` and `render` promise.

use serde_json::{Map, Value, json as value};

use super::run::{hex, runs};
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
    object.insert("palette".to_owned(), palette(screen));
    object.insert("links".to_owned(), links(screen, look));
    if look.cells {
        object.insert("cells".to_owned(), cells(screen, look));
    }
    if look.runs {
        object.insert("runs".to_owned(), styled(screen, look));
    }
    Value::Object(object)
}

/// The colours that a program changed: by number, and by name.
fn palette(screen: &Screen) -> Value {
    let palette = screen.palette();
    let mut object = Map::new();
    for (index, color) in &palette.indexed {
        object.insert(index.to_string(), value!(hex(*color)));
    }
    let names = [
        (10, "foreground"),
        (11, "background"),
        (12, "cursor"),
        (13, "mouse_foreground"),
        (14, "mouse_background"),
        (17, "highlight_background"),
        (19, "highlight_foreground"),
    ];
    for (number, name) in names {
        if let Some(color) = palette.special.get(&number) {
            object.insert(name.to_owned(), value!(hex(*color)));
        }
    }
    for (name, number) in ["bold", "underline", "blink", "inverse", "italic"]
        .iter()
        .zip(0..)
    {
        if let Some(color) = palette.attributes.get(&number) {
            object.insert((*name).to_owned(), value!(hex(*color)));
        }
    }
    Value::Object(object)
}

/// Where hyperlinks stand, and where they lead.
fn links(screen: &Screen, look: &Look) -> Value {
    let mut links = Vec::new();
    for row in look.range(screen) {
        let cells = screen.row(row).cells();
        let link = |cell: &Cell| screen.extra(cell).and_then(|extra| extra.link.clone());
        let mut col = 0;
        for run in cells.chunk_by(|one, two| link(one) == link(two)) {
            if let Some(link) = link(&run[0]) {
                let mut text = String::new();
                screen.push_cells(run, false, &mut text);
                links.push(value!({
                    "row": row, "col": col, "cols": run.len(), "text": text, "uri": link.uri, "id": link.id,
                }));
            }
            col += run.len();
        }
    }
    Value::Array(links)
}

/// Cells beside each other with the same pen, in one.
fn styled(screen: &Screen, look: &Look) -> Value {
    let mut all = Vec::new();
    for row in look.range(screen) {
        for run in runs(screen, screen.row(row).cells(), None) {
            let mut object = one(screen, row, run.col, run.cell);
            object["text"] = value!(run.text);
            object["width"] = value!(run.cols);
            all.push(object);
        }
    }
    Value::Array(all)
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
