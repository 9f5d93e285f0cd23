//! Bytes that the tty acts on itself in place of handing them to the program.
//!
//! Which ones those are follows from the tty's `c_cc` and modes, as Linux `n_tty` reads them; the
//! caller fills [`LineRules`] from termios.

use std::fmt;

/// The control characters of a tty; `None` where one is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // They are termios' own names.
pub struct ControlChars {
    pub intr: Option<u8>,
    pub quit: Option<u8>,
    pub susp: Option<u8>,
    pub erase: Option<u8>,
    pub werase: Option<u8>,
    pub kill: Option<u8>,
    pub eof: Option<u8>,
    pub eol: Option<u8>,
    pub eol2: Option<u8>,
    pub reprint: Option<u8>,
    pub lnext: Option<u8>,
    pub start: Option<u8>,
    pub stop: Option<u8>,
}

impl Default for ControlChars {
    /// What a new tty has.
    fn default() -> Self {
        Self {
            intr: Some(0x03),
            quit: Some(0x1c),
            susp: Some(0x1a),
            erase: Some(0x7f),
            werase: Some(0x17),
            kill: Some(0x15),
            eof: Some(0x04),
            eol: None,
            eol2: None,
            reprint: Some(0x12),
            lnext: Some(0x16),
            start: Some(0x11),
            stop: Some(0x13),
        }
    }
}

/// What decides how a tty reads its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of termios.
pub struct LineRules {
    /// ISIG: intr, quit and susp send signals.
    pub isig: bool,
    /// ICANON: lines are edited and end with Enter.
    pub icanon: bool,
    /// IEXTEN: with ICANON, also werase, reprint and lnext.
    pub iexten: bool,
    /// IXON: stop and start hold and release the output.
    pub ixon: bool,
    /// The characters.
    pub chars: ControlChars,
}

/// A byte that the tty would act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acted {
    /// Where in the text it stands.
    pub at: usize,
    /// The byte.
    pub byte: u8,
    /// Its name in termios.
    pub name: &'static str,
    /// What the tty would do.
    pub effect: &'static str,
}

impl fmt::Display for Acted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.byte {
            byte @ (0..=0x1f | 0x7f) => write!(f, "^{}", char::from(byte ^ 0x40))?,
            byte => write!(f, "0x{byte:02x}")?,
        }
        write!(f, " ({}: {}) at byte {}", self.name, self.effect, self.at)
    }
}

impl LineRules {
    /// The bytes of `text` that the tty would act on, in order. Enter is not one of them.
    pub fn acts_on(&self, text: &[u8]) -> Vec<Acted> {
        let table = self.table();
        text.iter()
            .enumerate()
            .filter_map(|(at, &byte)| {
                let (_, name, effect) = *table.iter().find(|(char, ..)| *char == byte)?;
                Some(Acted {
                    at,
                    byte,
                    name,
                    effect,
                })
            })
            .collect()
    }

    fn table(&self) -> Vec<(u8, &'static str, &'static str)> {
        let c = &self.chars;
        let extended = self.icanon && self.iexten;
        [
            (self.isig, c.intr, "intr", "interrupts the program"),
            (
                self.isig,
                c.quit,
                "quit",
                "ends the program with a core dump",
            ),
            (self.isig, c.susp, "susp", "stops the program"),
            (self.ixon, c.stop, "stop", "holds the output"),
            (self.ixon, c.start, "start", "releases the output"),
            (self.icanon, c.eof, "eof", "ends the input"),
            (self.icanon, c.erase, "erase", "erases a character"),
            (self.icanon, c.kill, "kill", "erases the line"),
            (extended, c.werase, "werase", "erases a word"),
            (extended, c.reprint, "rprnt", "prints the line again"),
            (
                extended,
                c.lnext,
                "lnext",
                "takes the next character as it is",
            ),
            (self.icanon, c.eol, "eol", "ends the line"),
            (self.icanon, c.eol2, "eol2", "ends the line"),
        ]
        .into_iter()
        .filter(|(on, char, ..)| *on && !matches!(char, Some(b'\r' | b'\n')))
        .filter_map(|(_, char, name, effect)| Some((char?, name, effect)))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COOKED: LineRules = LineRules {
        isig: true,
        icanon: true,
        iexten: true,
        ixon: true,
        chars: ControlChars {
            intr: Some(3),
            quit: Some(0x1c),
            susp: Some(0x1a),
            erase: Some(0x7f),
            werase: Some(0x17),
            kill: Some(0x15),
            eof: Some(4),
            eol: Some(b'\n'),
            eol2: None,
            reprint: Some(0x12),
            lnext: Some(0x16),
            start: Some(0x11),
            stop: Some(0x13),
        },
    };

    fn names(rules: &LineRules, text: &[u8]) -> Vec<&'static str> {
        rules.acts_on(text).iter().map(|acted| acted.name).collect()
    }

    #[test]
    fn cooked_tty_acts_on_its_control_characters() {
        let text = b"a\x03b\x04\x1a\x13\x16\x7f\x15\x17\r\n\t\x1b";
        let want = [
            "intr", "eof", "susp", "stop", "lnext", "erase", "kill", "werase",
        ];
        assert_eq!(names(&COOKED, text), want);
    }

    #[test]
    fn raw_tty_acts_on_nothing() {
        let raw = LineRules {
            chars: COOKED.chars,
            ..LineRules::default()
        };
        assert_eq!(names(&raw, b"\x03\x04\x16\x13"), Vec::<&str>::new());
    }

    #[test]
    fn each_flag_has_its_own() {
        let signals = LineRules {
            icanon: false,
            ixon: false,
            ..COOKED
        };
        assert_eq!(names(&signals, b"\x03\x04\x16\x13"), ["intr"]);
        let flow = LineRules {
            icanon: false,
            isig: false,
            ..COOKED
        };
        assert_eq!(names(&flow, b"\x03\x04\x16\x13"), ["stop"]);
        let plain = LineRules {
            iexten: false,
            ..COOKED
        };
        assert_eq!(names(&plain, b"\x16\x04"), ["eof"]);
    }

    #[test]
    fn disabled_and_moved_characters_are_followed() {
        let mut rules = COOKED;
        rules.chars.intr = None;
        rules.chars.kill = Some(b'@');
        assert_eq!(names(&rules, b"\x03a@\x15"), ["kill"]);
    }

    #[test]
    fn acted_byte_is_shown_with_caret_name_and_place() {
        let acted = COOKED.acts_on(b"ab\x03");
        assert_eq!(
            acted[0].to_string(),
            "^C (intr: interrupts the program) at byte 2"
        );
    }
}
