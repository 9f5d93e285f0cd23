//! Mouse and focus events as bytes, as xterm sends them in the modes that the program has set; what
//! it did not ask for is not sent.

use super::Mods;
use crate::fault::Fault;
use crate::term::Pos;
use crate::term::mode::{Mouse, MouseEncoding};

/// A button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Their names say it.
pub enum Button {
    Left,
    Middle,
    Right,
    WheelUp,
    WheelDown,
    WheelLeft,
    WheelRight,
}

impl Button {
    fn code(self) -> u16 {
        match self {
            Self::Left => 0,
            Self::Middle => 1,
            Self::Right => 2,
            Self::WheelUp => 64,
            Self::WheelDown => 65,
            Self::WheelLeft => 66,
            Self::WheelRight => 67,
        }
    }
}

/// What the mouse did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// A button went down; of a wheel, it turned by a notch.
    Press(Button),
    /// A button went up.
    Release(Button),
    /// The mouse moved with that button down.
    Drag(Button),
    /// The mouse moved with no button down.
    Hover,
}

/// Something that the mouse did at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MouseEvent {
    /// What.
    pub gesture: Gesture,
    /// Where.
    pub at: Pos,
    /// Which modifiers were held.
    pub mods: Mods,
}

impl MouseEvent {
    /// The bytes that xterm sends for this event.
    ///
    /// # Errors
    /// When the program does not ask for such events, or the place cannot be told in the encoding
    /// that it set.
    pub fn encode(&self, mouse: Mouse, encoding: MouseEncoding) -> Result<Vec<u8>, Fault> {
        self.check(mouse)?;
        let (button, flags) = match self.gesture {
            Gesture::Press(button) | Gesture::Release(button) => (button.code(), 0),
            Gesture::Drag(button) => (button.code(), 32),
            Gesture::Hover => (3, 32),
        };
        let held = |mods: Mods, code: u16| if self.mods.has(mods) { code } else { 0 };
        let mods = match mouse {
            Mouse::X10 => 0,
            _ => held(Mods::SHIFT, 4) | held(Mods::META, 8) | held(Mods::CTRL, 16),
        };
        let released = matches!(self.gesture, Gesture::Release(_));
        // The older encodings do not tell which button went up.
        let nameless = if released { 3 } else { button } | flags | mods;
        let (col, row) = (u32::from(self.at.col) + 1, u32::from(self.at.row) + 1);
        let last = if released { 'm' } else { 'M' };
        let code = button | flags | mods;
        Ok(match encoding {
            MouseEncoding::Sgr => format!("\x1b[<{code};{col};{row}{last}").into_bytes(),
            MouseEncoding::SgrPixels => {
                // The middle of the cell; a cell is told as 10 by 20.
                let (x, y) = (col * 10 - 5, row * 20 - 10);
                format!("\x1b[<{code};{x};{y}{last}").into_bytes()
            }
            MouseEncoding::Urxvt => format!("\x1b[{};{col};{row}M", nameless + 32).into_bytes(),
            MouseEncoding::Default => {
                let byte = |value: u32| u8::try_from(value + 32).map_err(|_| self.too_far(223));
                let mut bytes = b"\x1b[M".to_vec();
                bytes.extend([byte(u32::from(nameless))?, byte(col)?, byte(row)?]);
                bytes
            }
            MouseEncoding::Utf8 => {
                let mut text = String::from("\x1b[M");
                for value in [u32::from(nameless), col, row] {
                    let ch = char::from_u32(value + 32).filter(|ch| *ch < '\u{800}');
                    text.push(ch.ok_or_else(|| self.too_far(2015))?);
                }
                text.into_bytes()
            }
        })
    }

    fn check(self, mouse: Mouse) -> Result<(), Fault> {
        let wheel = |button: Button| button.code() >= 64;
        let wanted = match (self.gesture, mouse) {
            (_, Mouse::Off) => {
                return Err(Fault::usage("the program does not ask for mouse events")
                    .hint("it would with CSI ? 1000 h; wait until it has drawn its screen"));
            }
            (Gesture::Press(button), Mouse::X10) => !wheel(button),
            (Gesture::Press(_), _) => true,
            (Gesture::Release(button), _) => mouse != Mouse::X10 && !wheel(button),
            (Gesture::Drag(_), _) => matches!(mouse, Mouse::Button | Mouse::Any),
            (Gesture::Hover, _) => mouse == Mouse::Any,
        };
        if wanted {
            return Ok(());
        }
        let asked = match mouse {
            Mouse::X10 => "presses alone",
            Mouse::Normal | Mouse::Highlight => "presses and releases",
            Mouse::Button => "presses, releases and drags",
            Mouse::Off | Mouse::Any => "something else",
        };
        Err(Fault::usage(format!(
            "the program asks for {asked}, not for this"
        )))
    }

    fn too_far(self, last: u16) -> Fault {
        let Pos { row, col } = self.at;
        Fault::usage(format!(
            "row {row}, column {col} is beyond what the program's mouse encoding can tell"
        ))
        .hint(format!(
            "it tells rows and columns below {last}; programs that want more set CSI ? 1006 h"
        ))
    }
}

/// The bytes for gaining or losing the focus; nothing where the program does not ask, mode 1004.
pub fn focus(gained: bool, asked: bool) -> Option<&'static [u8]> {
    asked.then_some(if gained { b"\x1b[I" } else { b"\x1b[O" })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn sent(gesture: Gesture, at: (u16, u16), mouse: Mouse, encoding: MouseEncoding) -> String {
        let event = MouseEvent {
            gesture,
            at: Pos {
                row: at.0,
                col: at.1,
            },
            mods: Mods::NONE,
        };
        event.encode(mouse, encoding).map_or_else(
            |fault| format!("! {}", fault.message),
            |bytes| bytes.escape_ascii().to_string(),
        )
    }

    #[test]
    fn each_encoding_tells_button_and_place() {
        let press = Gesture::Press(Button::Left);
        let release = Gesture::Release(Button::Right);
        for (encoding, down, up) in [
            (MouseEncoding::Default, r"\x1b[M %$", r"\x1b[M#%$"),
            (MouseEncoding::Utf8, r"\x1b[M %$", r"\x1b[M#%$"),
            (MouseEncoding::Sgr, r"\x1b[<0;5;4M", r"\x1b[<2;5;4m"),
            (MouseEncoding::Urxvt, r"\x1b[32;5;4M", r"\x1b[35;5;4M"),
            (
                MouseEncoding::SgrPixels,
                r"\x1b[<0;45;70M",
                r"\x1b[<2;45;70m",
            ),
        ] {
            assert_eq!(sent(press, (3, 4), Mouse::Normal, encoding), down);
            assert_eq!(sent(release, (3, 4), Mouse::Normal, encoding), up);
        }
    }

    #[test]
    fn moves_and_wheels_have_codes_of_their_own() {
        let sgr = |gesture| sent(gesture, (0, 0), Mouse::Any, MouseEncoding::Sgr);
        assert_eq!(sgr(Gesture::Drag(Button::Middle)), r"\x1b[<33;1;1M");
        assert_eq!(sgr(Gesture::Hover), r"\x1b[<35;1;1M");
        assert_eq!(sgr(Gesture::Press(Button::WheelUp)), r"\x1b[<64;1;1M");
        assert_eq!(sgr(Gesture::Press(Button::WheelDown)), r"\x1b[<65;1;1M");
    }

    #[test]
    fn modifiers_are_bits_of_the_button() {
        let event = MouseEvent {
            gesture: Gesture::Press(Button::Left),
            at: Pos::default(),
            mods: Mods::CTRL.with(Mods::SHIFT),
        };
        let bytes = |mouse| event.encode(mouse, MouseEncoding::Sgr).unwrap();
        assert_eq!(bytes(Mouse::Normal), b"\x1b[<20;1;1M");
        assert_eq!(bytes(Mouse::X10), b"\x1b[<0;1;1M");
    }

    #[test]
    fn what_was_not_asked_for_is_refused() {
        let refused = |gesture, mouse| {
            sent(gesture, (0, 0), mouse, MouseEncoding::Sgr).starts_with("! the program")
        };
        assert!(refused(Gesture::Press(Button::Left), Mouse::Off));
        assert!(refused(Gesture::Release(Button::Left), Mouse::X10));
        assert!(refused(Gesture::Drag(Button::Left), Mouse::Normal));
        assert!(refused(Gesture::Hover, Mouse::Button));
        assert!(refused(Gesture::Release(Button::WheelUp), Mouse::Any));
        let far = |encoding| sent(Gesture::Press(Button::Left), (0, 300), Mouse::Any, encoding);
        assert!(far(MouseEncoding::Default).contains("beyond"));
        assert!(!far(MouseEncoding::Utf8).contains("beyond"));
    }

    #[test]
    fn focus_is_told_when_asked() {
        assert_eq!(focus(true, true), Some(&b"\x1b[I"[..]));
        assert_eq!(focus(false, true), Some(&b"\x1b[O"[..]));
        assert_eq!(focus(true, false), None);
    }
}
