//! A key as bytes, as xterm sends it in the modes that the program has set.

use super::{Key, Mods, Press};

/// The modes that decide what a key sends. The caller fills it from the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is one mode of the terminal, named in its line.
pub struct KeyModes {
    /// DECCKM, `CSI ? 1 h`: cursor keys, Home and End send SS3.
    pub app_cursor: bool,
    /// DECBKM, `CSI ? 67 h`: Backspace sends BS in place of DEL.
    pub backspace_bs: bool,
    /// LNM, `CSI 20 h`: Enter sends CR LF.
    pub newline: bool,
    /// `CSI ? 2004 h`: pasted text is bracketed. For [`paste`](super::paste).
    pub bracketed_paste: bool,
    /// modifyOtherKeys, `CSI > 4 ; n m`: at 1 a character whose modifier has no code of old is sent as
    /// `CSI 27 ; mods ; code ~`, at 2 every character with Control or Meta.
    pub modify_other_keys: u8,
}

impl Press {
    /// The bytes that xterm sends for this key.
    ///
    /// F13 to F20 send what Shift with F1 to F8 sends: so says the terminfo entry `xterm-256color`, by
    /// which programs read it. Control with a character that has no control code sends the character
    /// alone, as xterm does, unless modifyOtherKeys is on.
    pub fn encode(&self, modes: KeyModes) -> Vec<u8> {
        let held = self.mods;
        match self.key {
            Key::Char(c) => character(c, held, modes),
            Key::Enter if modes.newline => meta(held, "\r\n"),
            Key::Enter => simple('\r', held, modes),
            Key::Tab if held.has(Mods::SHIFT) => meta(held, "\x1b[Z"),
            Key::Tab => simple('\t', held, modes),
            Key::Escape => simple('\x1b', held, modes),
            // Control gives the other one of the two.
            Key::Backspace if modes.backspace_bs == held.has(Mods::CTRL) => {
                simple('\x7f', held, modes)
            }
            Key::Backspace => simple('\x08', held, modes),
            Key::Up => cursor('A', held, modes),
            Key::Down => cursor('B', held, modes),
            Key::Right => cursor('C', held, modes),
            Key::Left => cursor('D', held, modes),
            Key::End => cursor('F', held, modes),
            Key::Home => cursor('H', held, modes),
            Key::Insert => tilde(2, held),
            Key::Delete => tilde(3, held),
            Key::PageUp => tilde(5, held),
            Key::PageDown => tilde(6, held),
            Key::F(n @ 13..) => function(n - 12, held.with(Mods::SHIFT)),
            Key::F(n) => function(n, held),
        }
    }
}

fn character(c: char, held: Mods, modes: KeyModes) -> Vec<u8> {
    let c = if held.has(Mods::SHIFT) { upper(c) } else { c };
    let control = if held.has(Mods::CTRL) {
        control_code(c)
    } else {
        None
    };
    let lost = held.has(Mods::CTRL) && control.is_none();
    let modified = held.has(Mods::CTRL) || held.has(Mods::META);
    match modes.modify_other_keys {
        1 if lost => other(c, held),
        2 if modified => other(c, held),
        _ => meta(held, control.unwrap_or(c).encode_utf8(&mut [0; 4])),
    }
}

/// Enter, Tab, Escape and Backspace: only Meta makes a difference, save at modifyOtherKeys 2.
fn simple(c: char, held: Mods, modes: KeyModes) -> Vec<u8> {
    if modes.modify_other_keys == 2 && held != Mods::NONE {
        return other(c, held);
    }
    meta(held, c.encode_utf8(&mut [0; 4]))
}

fn other(c: char, held: Mods) -> Vec<u8> {
    format!("\x1b[27;{};{}~", held.parameter(), u32::from(c)).into_bytes()
}

fn meta(held: Mods, text: &str) -> Vec<u8> {
    let escape: &[u8] = if held.has(Mods::META) { b"\x1b" } else { b"" };
    [escape, text.as_bytes()].concat()
}

fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// What Control makes of a character: the table of `XLookupString`, and `C-?`, which is DEL.
fn control_code(c: char) -> Option<char> {
    let byte = u8::try_from(c).ok()?;
    let code = match byte {
        b' ' | b'@'..=b'~' => byte & 0x1f,
        b'2' => 0,
        b'3'..=b'7' => byte - b'3' + 0x1b,
        b'8' | b'?' => 0x7f,
        b'/' => 0x1f,
        _ => return None,
    };
    Some(char::from(code))
}

/// Cursor keys, Home and End: `CSI X`, `SS3 X` with DECCKM, `CSI 1 ; held X` with modifiers.
fn cursor(last: char, held: Mods, modes: KeyModes) -> Vec<u8> {
    match held {
        Mods::NONE if modes.app_cursor => format!("\x1bO{last}"),
        Mods::NONE => format!("\x1b[{last}"),
        held => format!("\x1b[1;{}{last}", held.parameter()),
    }
    .into_bytes()
}

/// `CSI n ~`, or `CSI n ; held ~`.
fn tilde(number: u8, held: Mods) -> Vec<u8> {
    match held {
        Mods::NONE => format!("\x1b[{number}~"),
        held => format!("\x1b[{number};{}~", held.parameter()),
    }
    .into_bytes()
}

/// F1 to F4 are `SS3 P` to `SS3 S`, the others `CSI n ~` with the numbers of a VT220.
fn function(n: u8, held: Mods) -> Vec<u8> {
    match n {
        0..=4 => {
            let last = char::from(b'P' + n.saturating_sub(1));
            match held {
                Mods::NONE => format!("\x1bO{last}"),
                held => format!("\x1b[1;{}{last}", held.parameter()),
            }
            .into_bytes()
        }
        5 => tilde(15, held),
        6..=10 => tilde(n + 11, held),
        _ => tilde(n + 12, held),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn sent(name: &str, modes: KeyModes) -> String {
        String::from_utf8(Press::parse(name).unwrap().encode(modes)).unwrap()
    }

    fn check(modes: KeyModes, table: &[(&str, &str)]) {
        for (name, want) in table {
            assert_eq!(&sent(name, modes), want, "{name}");
        }
    }

    #[test]
    fn keys_send_what_xterm_sends() {
        check(
            KeyModes::default(),
            &[
                ("Enter", "\r"),
                ("Tab", "\t"),
                ("S-Tab", "\x1b[Z"),
                ("Escape", "\x1b"),
                ("Space", " "),
                ("Backspace", "\x7f"),
                ("C-Backspace", "\x08"),
                ("Delete", "\x1b[3~"),
                ("Insert", "\x1b[2~"),
                ("Up", "\x1b[A"),
                ("Home", "\x1b[H"),
                ("End", "\x1b[F"),
                ("PageUp", "\x1b[5~"),
                ("PageDown", "\x1b[6~"),
                ("é", "é"),
            ],
        );
    }

    #[test]
    fn function_keys_follow_terminfo() {
        let all = "\x1bOP \x1bOQ \x1bOR \x1bOS \x1b[15~ \x1b[17~ \x1b[18~ \x1b[19~ \x1b[20~ \x1b[21~ \
                   \x1b[23~ \x1b[24~ \x1b[1;2P \x1b[1;2Q \x1b[1;2R \x1b[1;2S \x1b[15;2~ \x1b[17;2~ \
                   \x1b[18;2~ \x1b[19;2~";
        for (n, want) in (1..=20).zip(all.split(' ')) {
            assert_eq!(sent(&format!("F{n}"), KeyModes::default()), want, "F{n}");
        }
        check(
            KeyModes::default(),
            &[
                ("C-F1", "\x1b[1;5P"),
                ("S-F5", "\x1b[15;2~"),
                ("C-F13", "\x1b[1;6P"),
            ],
        );
    }

    #[test]
    fn modifiers_become_a_parameter() {
        let modes = KeyModes {
            app_cursor: true,
            ..KeyModes::default()
        };
        check(
            modes,
            &[
                ("C-Left", "\x1b[1;5D"),
                ("S-Up", "\x1b[1;2A"),
                ("C-M-S-End", "\x1b[1;8F"),
                ("C-Delete", "\x1b[3;5~"),
                ("M-PageUp", "\x1b[5;3~"),
            ],
        );
    }

    #[test]
    fn control_and_meta_of_characters() {
        check(
            KeyModes::default(),
            &[
                ("C-c", "\x03"),
                ("C-C", "\x03"),
                ("C-@", "\0"),
                ("C-Space", "\0"),
                ("C-[", "\x1b"),
                ("C-\\", "\x1c"),
                ("C-]", "\x1d"),
                ("C-^", "\x1e"),
                ("C-_", "\x1f"),
                ("C-/", "\x1f"),
                ("C-?", "\x7f"),
                ("M-x", "\x1bx"),
                ("C-M-x", "\x1b\x18"),
                ("S-a", "A"),
                ("M-Enter", "\x1b\r"),
                ("M-Backspace", "\x1b\x7f"),
                ("C-1", "1"),
                ("C-é", "é"),
            ],
        );
    }

    #[test]
    fn cursor_keys_follow_application_mode() {
        let modes = KeyModes {
            app_cursor: true,
            ..KeyModes::default()
        };
        check(
            modes,
            &[("Up", "\x1bOA"), ("End", "\x1bOF"), ("Insert", "\x1b[2~")],
        );
    }

    #[test]
    fn other_modes_are_followed() {
        let modes = KeyModes {
            backspace_bs: true,
            newline: true,
            ..KeyModes::default()
        };
        check(
            modes,
            &[
                ("Backspace", "\x08"),
                ("C-Backspace", "\x7f"),
                ("Enter", "\r\n"),
            ],
        );
        let modes = KeyModes {
            modify_other_keys: 1,
            ..KeyModes::default()
        };
        check(
            modes,
            &[("C-1", "\x1b[27;5;49~"), ("C-c", "\x03"), ("M-x", "\x1bx")],
        );
        let modes = KeyModes {
            modify_other_keys: 2,
            ..KeyModes::default()
        };
        check(
            modes,
            &[
                ("C-c", "\x1b[27;5;99~"),
                ("S-Enter", "\x1b[27;2;13~"),
                ("x", "x"),
                ("S-a", "A"),
            ],
        );
    }
}
