//! Character sets: G0 to G3, which of them is in GL, and the sets that differ from ASCII.

/// A set that can be designated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Charset {
    /// US ASCII, and every set that is not known.
    #[default]
    Ascii,
    /// DEC special graphics, `0`.
    Graphics,
    /// United Kingdom, `A`: a pound sign for the number sign.
    British,
}

impl Charset {
    /// The set that a final byte (an intermediate one before it in the high half) names.
    pub(super) fn named(wide: bool, set: u16) -> Self {
        match set.to_be_bytes() {
            [0, b'0' | b'2'] if !wide => Self::Graphics,
            [0, b'A'] if !wide => Self::British,
            _ => Self::Ascii,
        }
    }

    /// What an ASCII character is in this set.
    #[inline]
    pub(super) fn map(self, ch: char) -> char {
        match self {
            Self::British if ch == '#' => '£',
            Self::Ascii | Self::British => ch,
            Self::Graphics => match ch {
                '_'..='~' => GRAPHICS[ch as usize - '_' as usize],
                _ => ch,
            },
        }
    }
}

/// DEC special graphics from `_` to `~`.
const GRAPHICS: [char; 32] = [
    ' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺', '⎻', '─',
    '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
];

/// G0 to G3 and which of them is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Charsets {
    sets: [Charset; 4],
    gl: u8,
    /// SS2 or SS3: for the next character alone.
    single: Option<u8>,
}

impl Charsets {
    pub(super) fn designate(&mut self, slot: u8, set: Charset) {
        self.sets[usize::from(slot & 3)] = set;
    }

    pub(super) fn lock(&mut self, slot: u8) {
        self.gl = slot & 3;
    }

    pub(super) fn single(&mut self, slot: u8) {
        self.single = Some(slot);
    }

    /// Whether ASCII is printed as it is.
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        self.single.is_none() && self.sets[usize::from(self.gl)] == Charset::Ascii
    }

    /// The set for the next character.
    pub(super) fn next(&mut self) -> Charset {
        self.sets[usize::from(self.single.take().unwrap_or(self.gl))]
    }
}
