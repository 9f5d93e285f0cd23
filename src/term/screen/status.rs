//! Settings asked for and given back: DECRQSS, XTGETTCAP, DECRQPSR and DECRSPS, XTWINOPS.

use std::fmt::Write as _;

use super::report::query;
use super::{STACK_MAX, Screen};
use crate::term::geometry::Pos;
use crate::term::params::Params;
use crate::term::pen::{Attrs, Color};

/// A cell's size in pixels, as it is told to programs that ask.
const CELL: (u32, u32) = (20, 10);

impl Screen {
    /// DECRQSS, `DCS $ q text ST`: a setting?
    pub(super) fn decrqss(&mut self, what: &[u8]) {
        let margins = self.margins;
        let answer = match what {
            b"r" => format!("{};{}r", margins.top + 1, margins.bottom + 1),
            b"s" => format!("{};{}s", margins.left + 1, margins.right + 1),
            b"m" => format!("{}m", self.sgr_text()),
            b" q" => format!("{} q", self.shape.number()),
            b"\"q" => format!(
                "{}\"q",
                u8::from(self.cursor.pen.attrs.has(Attrs::PROTECTED))
            ),
            b"\"p" => format!("{};{}\"p", self.level, u8::from(!self.eight_bit)),
            b"t" => format!("{}t", self.size().rows),
            b"*|" => format!("{}*|", self.size().rows),
            b"$|" => format!("{}$|", self.size().cols),
            b"*x" => format!("{}*x", if self.rectangular { 2 } else { 1 }),
            b">4m" => format!(">4;{}m", self.modes.modify_other_keys),
            _ => return self.reply_dcs("0$r"),
        };
        self.reply_dcs(&format!("1$r{answer}"));
    }

    fn sgr_text(&self) -> String {
        let pen = self.cursor.pen;
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
                    kind => add(format!("4:{kind}")),
                }
            }
            if pen.attrs.has(attr) {
                add(code.to_string());
            }
        }
        for (color, base, extended) in [(pen.fg(), 30, 38), (pen.bg(), 40, 48)] {
            match color {
                Color::Default => {}
                Color::Indexed(index @ 0..=7) => add((base + u16::from(index)).to_string()),
                Color::Indexed(index @ 8..=15) => add((base + 52 + u16::from(index)).to_string()),
                Color::Indexed(index) => add(format!("{extended}:5:{index}")),
                Color::Rgb(r, g, b) => add(format!("{extended}:2::{r}:{g}:{b}")),
            }
        }
        text
    }

    /// XTGETTCAP, `DCS + q text ST`: termcap entries, each name in hex?
    pub(super) fn xtgettcap(&mut self, names: &[u8]) {
        for name in names.split(|byte| *byte == b';').take(64) {
            let hex = String::from_utf8_lossy(name).into_owned();
            let value = match unhex(name).as_slice() {
                b"Co" | b"colors" => "256".to_owned(),
                b"RGB" => "8".to_owned(),
                b"TN" | b"name" => "xterm-256color".to_owned(),
                _ => {
                    self.reply_dcs(&format!("0+r{hex}"));
                    continue;
                }
            };
            let mut answer = format!("1+r{hex}=");
            for byte in value.bytes() {
                let _ = write!(answer, "{byte:02X}");
            }
            self.reply_dcs(&answer);
        }
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

    /// XTWINOPS, `CSI n ; ... t`: sizes and states are told, titles kept; the window stays as it is.
    pub(super) fn xtwinops(&mut self, params: Params<'_>) {
        let size = self.size();
        let (height, width) = (u32::from(size.rows) * CELL.0, u32::from(size.cols) * CELL.1);
        match params.get(0) {
            11 => self.reply_csi("1t"),
            13 => self.reply_csi("3;0;0t"),
            14 | 15 => {
                let kind = if params.get(0) == 14 { 4 } else { 5 };
                self.reply_csi(&format!("{kind};{height};{width}t"));
            }
            16 => self.reply_csi(&format!("6;{};{}t", CELL.0, CELL.1)),
            18 => self.reply_csi(&format!("8;{};{}t", size.rows, size.cols)),
            19 => self.reply_csi(&format!("9;{};{}t", size.rows, size.cols)),
            20 => self.reply(&format!("\x1b]L{}\x1b\\", self.icon.clone())),
            21 => self.reply(&format!("\x1b]l{}\x1b\\", self.title.clone())),
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
            0..=10 | 22 | 24.. => {}
            what => self.leave_unanswered(query("CSI", 0, what, b't')),
        }
    }
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
