//! Settings asked for and given back: DECRQSS, XTGETTCAP, DECRQPSR and DECRSPS, XTWINOPS.

use std::fmt::Write as _;

use super::report::query;
use super::{STACK_MAX, Screen};
use crate::term::function::Area;
use crate::term::geometry::Pos;
use crate::term::params::Params;
use crate::term::pen::{Attrs, Color, Pen};

/// A cell's size in pixels, as it is told to programs that ask.
const CELL: (u32, u32) = (20, 10);

/// How long a title may be.
const TITLE_MAX: usize = 1024;

/// What a window manager would keep. There is no window; what a program set, it is told again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window {
    iconified: bool,
    x: u16,
    y: u16,
}

/// Termcap and terminfo names with what they stand for: XTGETTCAP.
const CAPABILITIES: &[(&str, &str, &str)] = &[
    ("Co", "colors", "256"),
    ("RGB", "RGB", "8"),
    ("TN", "name", "xterm-256color"),
    ("ku", "kcuu1", "\x1bOA"),
    ("kd", "kcud1", "\x1bOB"),
    ("kr", "kcuf1", "\x1bOC"),
    ("kl", "kcub1", "\x1bOD"),
    ("kh", "khome", "\x1bOH"),
    ("@7", "kend", "\x1bOF"),
    ("kI", "kich1", "\x1b[2~"),
    ("kD", "kdch1", "\x1b[3~"),
    ("kP", "kpp", "\x1b[5~"),
    ("kN", "knp", "\x1b[6~"),
    ("kB", "kcbt", "\x1b[Z"),
    ("kb", "kbs", "\x7f"),
    ("k1", "kf1", "\x1bOP"),
    ("k2", "kf2", "\x1bOQ"),
    ("k3", "kf3", "\x1bOR"),
    ("k4", "kf4", "\x1bOS"),
    ("k5", "kf5", "\x1b[15~"),
    ("k6", "kf6", "\x1b[17~"),
    ("k7", "kf7", "\x1b[18~"),
    ("k8", "kf8", "\x1b[19~"),
    ("k9", "kf9", "\x1b[20~"),
    ("k;", "kf10", "\x1b[21~"),
    ("F1", "kf11", "\x1b[23~"),
    ("F2", "kf12", "\x1b[24~"),
];

impl Screen {
    /// DECRQSS, `DCS $ q text ST`: a setting?
    pub(super) fn decrqss(&mut self, what: &[u8]) {
        let margins = self.margins;
        let answer = match what {
            b"r" => format!("{};{}r", margins.top + 1, margins.bottom + 1),
            b"s" => format!("{};{}s", margins.left + 1, margins.right + 1),
            b"m" => format!("{}m", sgr_text(self.cursor.pen, self.underline_color())),
            b" q" => format!("{} q", self.shape.number()),
            b"\"q" => format!(
                "{}\"q",
                u8::from(self.cursor.pen.attrs.has(Attrs::PROTECTED))
            ),
            b"\"p" => format!("{};{}\"p", self.level, u8::from(!self.eight_bit)),
            b"t" => format!("{}t", self.size().rows),
            b"*|" => format!("{}*|", self.size().rows),
            b"$|" => format!("{}$|", self.size().cols),
            b"*x" => format!("{}*x", self.extent),
            // There is no status line.
            b"$}" => "0$}".to_owned(),
            b"$~" => "0$~".to_owned(),
            b">4m" => format!(">4;{}m", self.modes.modify_other_keys),
            _ => return self.reply_dcs("0$r"),
        };
        self.reply_dcs(&format!("1$r{answer}"));
    }

    /// XTREPORTSGR, `CSI area # |`: what the pens of all cells of an area have in common?
    pub(super) fn xtreportsgr(&mut self, area: Area) {
        let mut common: Option<Pen> = None;
        if let Some(span) = self.area(area) {
            for row in span.top..=span.bottom {
                let cells = self.grid.row(row).cells();
                for cell in &cells[usize::from(span.left)..=usize::from(span.right)] {
                    let seen = common.unwrap_or(cell.pen);
                    common = Some(seen.common(cell.pen));
                }
            }
        }
        let text = sgr_text(common.unwrap_or_default(), Color::Default);
        self.reply_csi(&format!("{text}m"));
    }

    /// DECRQDE, `CSI " v`: all of the one page is shown.
    pub(super) fn decrqde(&mut self) {
        let size = self.size();
        self.reply_csi(&format!("{};{};1;1;1\"w", size.rows, size.cols));
    }

    /// XTGETTCAP, `DCS + q text ST`: termcap entries, each name in hex? Known ones are told with
    /// their values in one answer; one that is not known ends the list.
    pub(super) fn xtgettcap(&mut self, names: &[u8]) {
        let mut answer = String::new();
        for name in names.split(|byte| *byte == b';').take(64) {
            let wanted = unhex(name);
            let found = CAPABILITIES.iter().find(|(termcap, terminfo, _)| {
                wanted == termcap.as_bytes() || wanted == terminfo.as_bytes()
            });
            let Some((_, _, value)) = found else {
                if answer.is_empty() {
                    answer = format!("0+r{}", String::from_utf8_lossy(name));
                }
                break;
            };
            answer.push_str(if answer.is_empty() { "1+r" } else { ";" });
            answer.push_str(&String::from_utf8_lossy(name));
            answer.push('=');
            answer.push_str(&hex(value.as_bytes()));
        }
        self.reply_dcs(&answer);
    }

    /// DECRQPSR, `CSI n $ w`: cursor (1) or tab stop (2) information?
    pub(super) fn decrqpsr(&mut self, what: u16) {
        match what {
            1 => {
                let Pos { row, col } = self.relative();
                let attrs = self.cursor.pen.attrs;
                let mut bits = b'@';
                bits |= u8::from(attrs.has(Attrs::BOLD));
                bits |= u8::from(attrs.underline() > 0) << 1;
                bits |= u8::from(attrs.has(Attrs::BLINK)) << 2;
                bits |= u8::from(attrs.has(Attrs::INVERSE)) << 3;
                let protect = if attrs.has(Attrs::PROTECTED) {
                    'A'
                } else {
                    '@'
                };
                let mut flags = b'@' | u8::from(self.cursor.origin);
                flags |= u8::from(self.cursor.pending) << 3;
                let (bits, flags) = (char::from(bits), char::from(flags));
                self.reply_dcs(&format!(
                    "1$u{};{};1;{bits};{protect};{flags};0;2;@;BBBB",
                    row + 1,
                    col + 1
                ));
            }
            2 => {
                let stops = self
                    .tabs
                    .stops(self.size().cols)
                    .map(|col| (col + 1).to_string());
                let stops = stops.collect::<Vec<_>>().join("/");
                self.reply_dcs(&format!("2$u{stops}"));
            }
            _ => self.reply_dcs("0$u"),
        }
    }

    /// DECRSPS, `DCS n $ t text ST`: cursor (1) or tab stop (2) information given back.
    pub(super) fn decrsps(&mut self, what: u16, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        match what {
            1 => {
                let mut parts = text.split(';').map(|part| part.parse::<u16>().unwrap_or(0));
                let row = parts.next().unwrap_or(0).max(1) - 1;
                let col = parts.next().unwrap_or(0).max(1) - 1;
                self.cup(row, col);
            }
            2 => {
                self.tabs.clear();
                for stop in text.split('/').filter_map(|part| part.parse::<u16>().ok()) {
                    self.tabs.set(stop.max(1) - 1, true);
                }
            }
            _ => {}
        }
    }

    fn reply_title(&mut self, kind: char, title: String) {
        let title = if self.title_modes & 2 != 0 {
            hex(title.as_bytes())
        } else {
            title
        };
        self.reply(&format!("\x1b]{kind}{title}\x1b\\"));
    }

    /// XTSMTITLE, `CSI > n ; ... t`, and XTRMTITLE, `CSI > n ; ... T`: 0 titles are set in hex, 1
    /// they are told in hex; 2 and 3, for UTF-8, are always so.
    pub(super) fn xttitle(&mut self, params: Params<'_>, on: bool) {
        for mode in params.values().filter(|mode| *mode < 2) {
            let bit = 1 << mode;
            self.title_modes = self.title_modes & !bit | if on { bit } else { 0 };
        }
    }

    /// The text of a title as OSC 0 to 2 gives it; nothing where it should be hex and is not.
    pub(super) fn title_text(&self, text: &[u8]) -> Option<String> {
        let bytes = if self.title_modes & 1 != 0 {
            unhex(text)
        } else {
            text.to_vec()
        };
        if bytes.is_empty() && !text.is_empty() {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes);
        let shown = text.chars().filter(|ch| !ch.is_control());
        Some(shown.take(TITLE_MAX).collect())
    }

    /// XTWINOPS, `CSI n ; ... t`: sizes and states are told, titles kept; the window stays as it is.
    pub(super) fn xtwinops(&mut self, params: Params<'_>) {
        let size = self.size();
        let (height, width) = (u32::from(size.rows) * CELL.0, u32::from(size.cols) * CELL.1);
        match params.get(0) {
            1 => self.window.iconified = false,
            2 => self.window.iconified = true,
            3 => (self.window.x, self.window.y) = (params.get(1), params.get(2)),
            11 => self.reply_csi(if self.window.iconified { "2t" } else { "1t" }),
            13 => {
                let Window { x, y, .. } = self.window;
                self.reply_csi(&format!("3;{x};{y}t"));
            }
            14 | 15 => {
                let kind = if params.get(0) == 14 { 4 } else { 5 };
                self.reply_csi(&format!("{kind};{height};{width}t"));
            }
            16 => self.reply_csi(&format!("6;{};{}t", CELL.0, CELL.1)),
            18 => self.reply_csi(&format!("8;{};{}t", size.rows, size.cols)),
            19 => self.reply_csi(&format!("9;{};{}t", size.rows, size.cols)),
            20 => self.reply_title('L', self.icon.clone()),
            21 => self.reply_title('l', self.title.clone()),
            22 if self.titles.len() < STACK_MAX => {
                self.titles.push((self.icon.clone(), self.title.clone()));
            }
            23 => {
                if let Some((icon, title)) = self.titles.pop() {
                    if params.get(1) != 2 {
                        self.icon = icon;
                    }
                    if params.get(1) != 1 {
                        self.title = title;
                    }
                }
            }
            0 | 4..=10 | 22 | 24.. => {}
            what => self.leave_unanswered(query("CSI", 0, what, b't')),
        }
    }
}

/// A pen as SGR's numbers, as xterm spells it.
fn sgr_text(pen: Pen, underline: Color) -> String {
    let mut text = String::from("0");
    let simple = [
        (Attrs::BOLD, 1),
        (Attrs::DIM, 2),
        (Attrs::ITALIC, 3),
        (Attrs::BLINK, 5),
        (Attrs::INVERSE, 7),
        (Attrs::HIDDEN, 8),
        (Attrs::STRIKE, 9),
        (Attrs::OVERLINE, 53),
    ];
    let mut add = |part: String| {
        text.push(';');
        text.push_str(&part);
    };
    for (attr, code) in simple {
        if code == 5 {
            match pen.attrs.underline() {
                0 => {}
                1 => add("4".to_owned()),
                2 => add("21".to_owned()),
                kind => add(format!("4:{kind}")),
            }
        }
        if pen.attrs.has(attr) {
            add(code.to_string());
        }
    }
    for (color, base, extended) in [(pen.fg(), 30, 38), (pen.bg(), 40, 48), (underline, 0, 58)] {
        match color {
            Color::Default => {}
            Color::Indexed(index @ 0..=7) if base > 0 => add((base + u16::from(index)).to_string()),
            Color::Indexed(index @ 8..=15) if base > 0 => {
                add((base + 52 + u16::from(index)).to_string());
            }
            Color::Indexed(index) => add(format!("{extended}:5:{index}")),
            Color::Rgb(r, g, b) => add(format!("{extended}:2::{r}:{g}:{b}")),
        }
    }
    text
}

/// Bytes as pairs of hex digits.
fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02X}");
    }
    text
}

/// Bytes from pairs of hex digits; nothing for anything else.
fn unhex(text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let byte = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
    text.chunks(2)
        .map(byte)
        .collect::<Option<Vec<u8>>>()
        .unwrap_or_default()
}
