//! Keys by name, and the bytes that xterm sends for them.
//!
//! A [`Press`] is a key with its modifiers; [`Press::encode`] follows the modes that the program has
//! set. [`paste`] is for text that is pasted, [`LineRules`] for bytes that the tty would act on
//! itself. Sources: xterm's ctlseqs, the terminfo entry `xterm-256color`, `XLookupString` for control
//! with a character, Linux `n_tty`.

mod encode;
mod kitty;
mod line;
mod mouse;
mod name;
mod paste;

pub use encode::KeyModes;
pub use kitty::KeyEvent;
pub use line::{Acted, ControlChars, LineRules};
pub use mouse::{Button, Gesture, MouseEvent, focus};
pub use paste::paste;

/// A key without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character.
    Char(char),
    /// Return, on the main block.
    Enter,
    /// The tabulator.
    Tab,
    /// Escape.
    Escape,
    /// Backspace, the key that deletes to the left.
    Backspace,
    /// Insert.
    Insert,
    /// Delete, the key that deletes to the right.
    Delete,
    /// Cursor up.
    Up,
    /// Cursor down.
    Down,
    /// Cursor right.
    Right,
    /// Cursor left.
    Left,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, from 1 to 20.
    F(u8),
}

/// Which modifiers are held. The bits are those of xterm's parameter less one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mods(u8);

impl Mods {
    /// No modifier.
    pub const NONE: Self = Self(0);
    /// Shift.
    pub const SHIFT: Self = Self(1);
    /// Meta, which is Alt.
    pub const META: Self = Self(2);
    /// Control.
    pub const CTRL: Self = Self(4);

    /// These and those.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` are held.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// xterm's parameter: 1 and the bits.
    fn parameter(self) -> u8 {
        self.0 + 1
    }
}

/// A key with the modifiers that are held with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Press {
    /// The key.
    pub key: Key,
    /// The modifiers.
    pub mods: Mods,
}
