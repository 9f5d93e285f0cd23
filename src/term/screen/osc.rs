//! Operating system commands: titles, hyperlinks, colours, the clipboard. Nothing leaves the
//! terminal: the clipboard is a buffer of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{STACK_MAX, Screen};
use crate::term::function::Name;
use crate::term::pool::Link;

/// Colours that a program changed, as red, green, blue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// Changed entries of the 256, OSC 4.
    pub indexed: BTreeMap<u8, [u8; 3]>,
    /// Changed special colours by their number, OSC 10 (foreground) to 19.
    pub special: BTreeMap<u16, [u8; 3]>,
    /// Changed colours of attributes by their number, OSC 5: bold, underline, blink, inverse, italic.
    pub attributes: BTreeMap<u8, [u8; 3]>,
}

/// The colours of xterm before a program changes them.
const FIRST: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// Where the colours of attributes begin behind the 256, and how many there are.
const ATTRIBUTES: u16 = 256;
const ATTRIBUTE_COUNT: u16 = 5;

impl Palette {
    fn at(&self, slot: u16) -> [u8; 3] {
        if let Ok(index) = u8::try_from(slot) {
            return self.index(index);
        }
        let set = self.attributes.get(&attribute(slot)).copied();
        set.unwrap_or_else(|| self.special(10))
    }

    /// The colour of an entry of the 256.
    pub fn index(&self, index: u8) -> [u8; 3] {
        if let Some(color) = self.indexed.get(&index) {
            return *color;
        }
        match index {
            0..=15 => FIRST[usize::from(index)],
            16..=231 => {
                let level = |value: u8| if value == 0 { 0 } else { 55 + value * 40 };
                let cube = index - 16;
                [level(cube / 36), level(cube / 6 % 6), level(cube % 6)]
            }
            232.. => [8 + (index - 232) * 10; 3],
        }
    }

    /// A special colour: 10 foreground, 11 background, 12 cursor and so on to 19. Black on white, as
    /// xterm: vim, which assumes a light background of an xterm, would paint twice otherwise.
    pub fn special(&self, number: u16) -> [u8; 3] {
        let first = match number {
            11 | 14 | 16 | 19 => [255, 255, 255],
            _ => [0, 0, 0],
        };
        self.special.get(&number).copied().unwrap_or(first)
    }
}

impl Screen {
    /// `OSC number ; text ST`.
    pub(super) fn osc(&mut self, number: u16, text: &[u8], bel: bool) {
        let name = Name {
            family: "OSC",
            marks: [0; 2],
            last: 0,
            number: Some(number),
        };
        let string = String::from_utf8_lossy(text);
        match number {
            0..=2 => {
                let Some(title) = self.title_text(text) else {
                    return;
                };
                if number != 2 {
                    self.icon.clone_from(&title);
                }
                if number != 1 {
                    self.title = title;
                }
            }
            4 => self.indexed_colors(&string, 0, bel),
            5 => self.indexed_colors(&string, ATTRIBUTES, bel),
            8 => self.hyperlink(&string),
            10..=19 => self.special_colors(number, &string, bel),
            52 => self.clipboard(&string, bel),
            104 => self.reset_colors(&string, 0),
            105 => self.reset_colors(&string, ATTRIBUTES),
            110..=119 => {
                self.palette.special.remove(&(number - 100));
            }
            // Working directory, pointer shapes, icons, notifications, prompt marks, fonts, logs.
            3 | 6 | 7 | 9 | 21 | 22 | 46 | 50 | 51 | 60 | 61 | 99 | 106 | 133 | 440 | 633 | 777
            | 1337 => {}
            _ => self.unknown(name),
        }
    }

    fn reply_osc(&mut self, body: &str, bel: bool) {
        let end = if bel { "\x07" } else { "\x1b\\" };
        self.reply(&format!("\x1b]{body}{end}"));
    }

    /// `OSC 4 ; index ; color ; ... ST` and OSC 5: set or ask for colours of the 256 and, behind
    /// them, of the attributes. An answer counts from where the question did.
    fn indexed_colors(&mut self, text: &str, base: u16, bel: bool) {
        let parts: Vec<&str> = text.split(';').collect();
        for pair in parts.chunks_exact(2) {
            let Some(slot) = slot(pair[0], base) else {
                continue;
            };
            if pair[1] == "?" {
                let (color, kind) = (self.palette.at(slot), if base == 0 { 4 } else { 5 });
                let answer = format!("{kind};{};{}", slot - base, spell(color));
                self.reply_osc(&answer, bel);
            } else if let Some(color) = parse_color(pair[1]) {
                match u8::try_from(slot) {
                    Ok(index) => self.palette.indexed.insert(index, color),
                    Err(_) => self.palette.attributes.insert(attribute(slot), color),
                };
            }
        }
    }

    /// OSC 104 and 105: colours as in the beginning, all of them if none is named.
    fn reset_colors(&mut self, text: &str, base: u16) {
        if text.is_empty() {
            if base == 0 {
                self.palette.indexed.clear();
            }
            self.palette.attributes.clear();
        }
        for slot in text.split(';').filter_map(|part| slot(part, base)) {
            match u8::try_from(slot) {
                Ok(index) => self.palette.indexed.remove(&index),
                Err(_) => self.palette.attributes.remove(&attribute(slot)),
            };
        }
    }

    /// XTPUSHCOLORS, `CSI # P`: keep the colours.
    pub(super) fn xtpushcolors(&mut self) {
        if self.palettes.len() < STACK_MAX {
            self.palettes.push(self.palette.clone());
        }
    }

    /// XTPOPCOLORS, `CSI # Q`: the colours that were kept last.
    pub(super) fn xtpopcolors(&mut self) {
        if let Some(palette) = self.palettes.pop() {
            self.palette = palette;
        }
    }

    /// XTREPORTCOLORS, `CSI # R`: how many are kept, and which one is in use.
    pub(super) fn xtreportcolors(&mut self) {
        let depth = self.palettes.len();
        self.reply_csi(&format!("?{depth};{depth}#Q"));
    }

    /// `OSC 10 ; color ; ... ST`: set or ask for the foreground and, one after the other, the rest.
    fn special_colors(&mut self, first: u16, text: &str, bel: bool) {
        for (number, part) in (first..=19).zip(text.split(';')) {
            if part == "?" {
                let answer = format!("{number};{}", spell(self.palette.special(number)));
                self.reply_osc(&answer, bel);
            } else if let Some(color) = parse_color(part) {
                self.palette.special.insert(number, color);
            }
        }
    }

    /// `OSC 52 ; which ; base64 ST`: the clipboard, a buffer of this terminal's own.
    fn clipboard(&mut self, text: &str, bel: bool) {
        let (which, data) = text.split_once(';').unwrap_or((text, ""));
        if data == "?" {
            let held = String::from_utf8_lossy(&self.clipboard).into_owned();
            let which = if which.is_empty() { "s0" } else { which };
            self.reply_osc(&format!("52;{which};{held}"), bel);
        } else {
            let base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
            self.clipboard = if data.as_bytes().iter().all(base64) {
                data.as_bytes().to_vec()
            } else {
                Vec::new()
            };
        }
    }

    /// `OSC 8 ; params ; uri ST`: a hyperlink begins, or ends without a URI.
    fn hyperlink(&mut self, text: &str) {
        let (params, uri) = text.split_once(';').unwrap_or((text, ""));
        let id = params
            .split(':')
            .find_map(|part| part.strip_prefix("id="))
            .unwrap_or("");
        let underline = self.underline_color();
        self.link = (!uri.is_empty()).then(|| {
            Arc::new(Link {
                id: id.to_owned(),
                uri: uri.to_owned(),
            })
        });
        self.set_extra(underline);
    }
}

/// The X11 names of the colours that have one word, and of no others.
const NAMES: [(&str, [u8; 3]); 10] = [
    ("black", [0, 0, 0]),
    ("red", [255, 0, 0]),
    ("green", [0, 255, 0]),
    ("yellow", [255, 255, 0]),
    ("blue", [0, 0, 255]),
    ("magenta", [255, 0, 255]),
    ("cyan", [0, 255, 255]),
    ("white", [255, 255, 255]),
    ("gray", [190, 190, 190]),
    ("orange", [255, 165, 0]),
];

/// The place of a colour: the 256, then those of the attributes.
fn slot(text: &str, base: u16) -> Option<u16> {
    let slot = text.parse::<u16>().ok()?.checked_add(base)?;
    (slot < ATTRIBUTES + ATTRIBUTE_COUNT).then_some(slot)
}

fn attribute(slot: u16) -> u8 {
    (slot - ATTRIBUTES).to_le_bytes()[0]
}

/// A colour as X11 spells it, with four digits a part.
fn spell([r, g, b]: [u8; 3]) -> String {
    format!("rgb:{r:02x}{r:02x}/{g:02x}{g:02x}/{b:02x}{b:02x}")
}

/// `rgb:r/g/b` with one to four digits a part, `#rgb` in 3, 6, 9 or 12 digits, or a plain name.
fn parse_color(text: &str) -> Option<[u8; 3]> {
    let named = NAMES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    if let Some((_, color)) = named {
        return Some(*color);
    }
    let part = |digits: &str| {
        let max = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)? - 1;
        let value = u32::from_str_radix(digits, 16).ok()?;
        u8::try_from(value * 255 / max).ok()
    };
    if let Some(parts) = text.strip_prefix("rgb:") {
        let mut parts = parts
            .split('/')
            .filter(|digits| (1..=4).contains(&digits.len()))
            .map(part);
        return Some([parts.next()??, parts.next()??, parts.next()??]);
    }
    let digits = text.strip_prefix('#').filter(|digits| digits.is_ascii())?;
    let len = digits.len() / 3;
    if digits.len() % 3 != 0 || !(1..=4).contains(&len) {
        return None;
    }
    // Here a digit stands for the high bits, not for the whole.
    let high = |at: usize| {
        let value = u32::from_str_radix(&digits[at * len..(at + 1) * len], 16).ok()?;
        u8::try_from(value << 16 >> (4 * len) >> 8).ok()
    };
    Some([high(0)?, high(1)?, high(2)?])
}
