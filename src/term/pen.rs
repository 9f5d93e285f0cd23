//! The pen: colours and attributes, and SGR applied to it.
//!
//! Both forms of the extended colours are read, `38;2;r;g;b` and `38:2::r:g:b`, as xterm does.

use super::params::{Groups, Params};

/// A colour as it was asked for; what it looks like is the palette's business.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Color {
    /// The default foreground or background.
    #[default]
    Default,
    /// One of the 256 of the palette.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

/// A colour in four bytes that compare at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ink(u32);

impl Ink {
    /// Its bits, for packed rows.
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// One of the 256; nothing above.
    #[inline]
    fn indexed(index: u16) -> Option<Self> {
        (index < 256).then(|| Self(1 << 24 | u32::from(index)))
    }

    /// Red, green, blue; nothing where one is above 255.
    #[inline]
    fn rgb(r: u16, g: u16, b: u16) -> Option<Self> {
        let bits = u32::from(r) | u32::from(g) << 8 | u32::from(b) << 16 | 2 << 24;
        ((r | g | b) < 256).then_some(Self(bits))
    }
}

impl From<Color> for Ink {
    fn from(color: Color) -> Self {
        Self(match color {
            Color::Default => 0,
            Color::Indexed(index) => u32::from_le_bytes([index, 0, 0, 1]),
            Color::Rgb(r, g, b) => u32::from_le_bytes([r, g, b, 2]),
        })
    }
}

impl From<Ink> for Color {
    fn from(ink: Ink) -> Self {
        match ink.0.to_le_bytes() {
            [index, _, _, 1] => Self::Indexed(index),
            [r, g, b, 2] => Self::Rgb(r, g, b),
            _ => Self::Default,
        }
    }
}

/// A set of attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attrs(u16);

impl Attrs {
    /// Bold, SGR 1.
    pub const BOLD: Self = Self(1);
    /// Faint, SGR 2.
    pub const DIM: Self = Self(1 << 1);
    /// Italic, SGR 3.
    pub const ITALIC: Self = Self(1 << 2);
    /// Blinking, SGR 5 and 6.
    pub const BLINK: Self = Self(1 << 3);
    /// Inverse, SGR 7.
    pub const INVERSE: Self = Self(1 << 4);
    /// Invisible, SGR 8.
    pub const HIDDEN: Self = Self(1 << 5);
    /// Crossed out, SGR 9.
    pub const STRIKE: Self = Self(1 << 6);
    /// Overlined, SGR 53.
    pub const OVERLINE: Self = Self(1 << 7);
    /// Protected from selective erase, DECSCA.
    pub const PROTECTED: Self = Self(1 << 11);
    /// Protected from every erase, SPA.
    pub const GUARDED: Self = Self(1 << 12);
    const UNDERLINE_SHIFT: u16 = 8;
    const UNDERLINE_MASK: u16 = 7 << Self::UNDERLINE_SHIFT;
    /// Those that DECCARA and DECRARA know: bold, underline, blink, inverse, invisible.
    pub const RECTANGULAR: [(u16, Self); 4] = [
        (1, Self::BOLD),
        (5, Self::BLINK),
        (7, Self::INVERSE),
        (8, Self::HIDDEN),
    ];

    /// Whether all of `other` are in it.
    #[inline]
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sets or clears `other`.
    pub fn set(&mut self, other: Self, on: bool) {
        if on {
            self.0 |= other.0;
        } else {
            self.0 &= !other.0;
        }
    }

    /// Turns `other` over.
    pub fn toggle(&mut self, other: Self) {
        self.0 ^= other.0;
    }

    /// The kind of underline: 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed.
    pub fn underline(self) -> u8 {
        ((self.0 & Self::UNDERLINE_MASK) >> Self::UNDERLINE_SHIFT).to_le_bytes()[0]
    }

    /// Sets the kind of underline.
    pub fn set_underline(&mut self, kind: u8) {
        self.0 = self.0 & !Self::UNDERLINE_MASK | u16::from(kind & 7) << Self::UNDERLINE_SHIFT;
    }

    /// Its bits, for packed rows.
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    pub(super) fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

/// How characters are drawn.
#[derive(Clone, Copy, Debug, Default, Eq, Hash)]
#[expect(
    clippy::derived_hash_with_manual_eq,
    reason = "it compares the same fields"
)]
pub struct Pen {
    fg: Ink,
    bg: Ink,
    /// The attributes.
    pub attrs: Attrs,
    /// Where the hyperlink and the underline colour stand; 0 for none.
    pub extra: u16,
}

const _: () = assert!(size_of::<Pen>() == 12);

impl PartialEq for Pen {
    /// Without a branch for each field: most pens beside each other are equal.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let attrs = self.attrs.0 ^ other.attrs.0 | self.extra ^ other.extra;
        (self.fg.0 ^ other.fg.0) | (self.bg.0 ^ other.bg.0) | u32::from(attrs) == 0
    }
}

impl Pen {
    /// The foreground.
    pub fn fg(self) -> Color {
        self.fg.into()
    }

    /// The background.
    pub fn bg(self) -> Color {
        self.bg.into()
    }

    /// What this pen and `other` have in common.
    pub(super) fn common(self, other: Self) -> Self {
        let ink = |one: Ink, two: Ink| if one == two { one } else { Ink::default() };
        let mut attrs = Attrs(self.attrs.0 & other.attrs.0 & !Attrs::UNDERLINE_MASK);
        if self.attrs.underline() == other.attrs.underline() {
            attrs.set_underline(self.attrs.underline());
        }
        Self {
            fg: ink(self.fg, other.fg),
            bg: ink(self.bg, other.bg),
            attrs,
            extra: 0,
        }
    }

    /// The colours as they are packed.
    pub(super) fn inks(self) -> [Ink; 2] {
        [self.fg, self.bg]
    }

    pub(super) fn packed([fg, bg]: [Ink; 2], attrs: Attrs, extra: u16) -> Self {
        Self {
            fg,
            bg,
            attrs,
            extra,
        }
    }

    /// Nothing but zeros where the pen is the default one, whatever else stands there.
    #[inline]
    pub(super) fn any(self) -> u32 {
        self.fg.0 | self.bg.0 | u32::from(self.attrs.0) | u32::from(self.extra)
    }

    /// The pen that erased cells get: the background alone (bce).
    #[must_use]
    pub fn erased(self) -> Self {
        Self {
            bg: self.bg,
            ..Self::default()
        }
    }

    /// SGR, `CSI n ; ... m`. Says the underline's colour where it was asked to change.
    #[inline]
    pub fn sgr(&mut self, params: Params<'_>) -> Option<Color> {
        let mut pen = *self;
        let mut underline = None;
        let mut groups = params.groups();
        while let Some(group) = groups.next() {
            match group[0] {
                0 => {
                    pen.reset();
                    underline = Some(Color::Default);
                }
                code @ (38 | 48 | 58) => {
                    let ink = if group.len() > 1 {
                        colon_ink(&group[1..])
                    } else {
                        semicolon_ink(&mut groups)
                    };
                    match (code, ink) {
                        (38, Some(ink)) => pen.fg = ink,
                        (48, Some(ink)) => pen.bg = ink,
                        (58, Some(ink)) => underline = Some(ink.into()),
                        _ => {}
                    }
                }
                59 => underline = Some(Color::Default),
                code => pen.rendition(code, group.get(1).copied()),
            }
        }
        *self = pen;
        underline
    }

    /// SGR 0: everything but protection and the hyperlink.
    #[inline]
    fn reset(&mut self) {
        let kept = self.attrs.0 & (Attrs::PROTECTED.0 | Attrs::GUARDED.0);
        *self = Self {
            attrs: Attrs(kept),
            extra: self.extra,
            ..Self::default()
        };
    }

    #[inline]
    fn rendition(&mut self, code: u16, part: Option<u16>) {
        let index = |from: u16| Ink::from(Color::Indexed(code.wrapping_sub(from).to_le_bytes()[0]));
        match code {
            1 => self.attrs.set(Attrs::BOLD, true),
            2 => self.attrs.set(Attrs::DIM, true),
            3 => self.attrs.set(Attrs::ITALIC, true),
            4 => {
                if let kind @ 0..=5 = part.unwrap_or(1) {
                    self.attrs.set_underline(kind.to_le_bytes()[0]);
                }
            }
            5 | 6 => self.attrs.set(Attrs::BLINK, true),
            7 => self.attrs.set(Attrs::INVERSE, true),
            8 => self.attrs.set(Attrs::HIDDEN, true),
            9 => self.attrs.set(Attrs::STRIKE, true),
            21 => self.attrs.set_underline(2),
            22 => {
                self.attrs.set(Attrs::BOLD, false);
                self.attrs.set(Attrs::DIM, false);
            }
            23 => self.attrs.set(Attrs::ITALIC, false),
            24 => self.attrs.set_underline(0),
            25 => self.attrs.set(Attrs::BLINK, false),
            27 => self.attrs.set(Attrs::INVERSE, false),
            28 => self.attrs.set(Attrs::HIDDEN, false),
            29 => self.attrs.set(Attrs::STRIKE, false),
            30..=37 => self.fg = index(30),
            39 => self.fg = Ink::default(),
            40..=47 => self.bg = index(40),
            49 => self.bg = Ink::default(),
            53 => self.attrs.set(Attrs::OVERLINE, true),
            55 => self.attrs.set(Attrs::OVERLINE, false),
            90..=97 => self.fg = index(90 - 8),
            100..=107 => self.bg = index(100 - 8),
            _ => {}
        }
    }
}

/// `5:n`, `2:r:g:b` or, with a colour space, `2:space:r:g:b`.
fn colon_ink(parts: &[u16]) -> Option<Ink> {
    match *parts {
        [5, index, ..] => Ink::indexed(index),
        [2, r, g, b] | [2, _, r, g, b, ..] => Ink::rgb(r, g, b),
        _ => None,
    }
}

/// `5;n` or `2;r;g;b`, taken from the parameters behind a 38, 48 or 58.
#[inline]
fn semicolon_ink(groups: &mut Groups<'_>) -> Option<Ink> {
    let mut next = || groups.next().map(|group| group[0]);
    match next()? {
        5 => Ink::indexed(next()?),
        2 => Ink::rgb(next()?, next()?, next()?),
        _ => None,
    }
}
