//! A cell: what is written in it and with which pen. Sixteen bytes, copied freely.
//!
//! One character stands in the cell itself. A cluster of several stands in a [`Pool`] beside the
//! grid, and so does what few cells have: hyperlinks and underline colours.
//!
//! [`Pool`]: super::pool::Pool

use super::pen::Pen;

/// The cell's text is the index of a cluster.
const CLUSTER: u32 = 1 << 31;
/// The left half of a wide character.
const HEAD: u32 = 1 << 30;
/// The right half of a wide character; it has no text.
const TAIL: u32 = 1 << 29;
const TEXT: u32 = TAIL - 1;

/// What is written in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// Nothing, or the right half of a wide character.
    Unset,
    /// One character.
    Char(char),
    /// A cluster of several characters, by its index.
    Cluster(u32),
}

/// How many columns a cell's character takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// One.
    Narrow,
    /// Two, and this is the left one.
    Head,
    /// Two, and this is the right one.
    Tail,
}

/// One cell of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    text: u32,
    /// How it is drawn.
    pub pen: Pen,
}

const _: () = assert!(size_of::<Cell>() == 16);

impl Cell {
    /// An unset cell that is drawn with `pen`.
    pub const fn blank(pen: Pen) -> Self {
        Self { text: 0, pen }
    }

    /// A narrow ASCII character.
    #[inline]
    pub(super) fn ascii(byte: u8, pen: Pen) -> Self {
        Self {
            text: u32::from(byte),
            pen,
        }
    }

    pub(super) fn new(glyph: Glyph, breadth: Breadth, pen: Pen) -> Self {
        let text = match glyph {
            Glyph::Unset => 0,
            Glyph::Char(ch) => u32::from(ch),
            Glyph::Cluster(index) => CLUSTER | (index & TEXT),
        };
        let half = match breadth {
            Breadth::Narrow => 0,
            Breadth::Head => HEAD,
            Breadth::Tail => TAIL,
        };
        Self {
            text: text | half,
            pen,
        }
    }

    /// The text and the breadth in one number, for packed rows.
    pub(super) fn bits(self) -> u32 {
        self.text
    }

    pub(super) fn from_bits(text: u32, pen: Pen) -> Self {
        Self { text, pen }
    }

    /// What is written in it.
    #[inline]
    pub fn glyph(self) -> Glyph {
        let text = self.text & TEXT;
        if self.text & CLUSTER != 0 {
            Glyph::Cluster(text)
        } else if text == 0 {
            Glyph::Unset
        } else {
            char::from_u32(text).map_or(Glyph::Unset, Glyph::Char)
        }
    }

    /// How many columns it takes.
    pub fn breadth(self) -> Breadth {
        match self.text & (HEAD | TAIL) {
            0 => Breadth::Narrow,
            TAIL => Breadth::Tail,
            _ => Breadth::Head,
        }
    }

    /// Whether SPA guards it from every erase.
    pub fn is_guarded(&self) -> bool {
        self.pen.attrs.has(super::pen::Attrs::GUARDED)
    }

    /// Whether it is a half of a wide character.
    #[inline]
    pub fn is_half(self) -> bool {
        self.text & (HEAD | TAIL) != 0
    }

    /// Whether nothing can be seen in it as text: never written, erased, or a space.
    #[inline]
    pub fn is_blank(self) -> bool {
        self.text == 0 || self.text == u32::from(b' ')
    }

    /// Whether it is as it was in the beginning.
    #[inline]
    pub fn is_untouched(self) -> bool {
        self.text | self.pen.any() == 0
    }
}
