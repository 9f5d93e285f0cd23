//! Keys in the kitty keyboard protocol, by the flags that the program pushed. Source: kitty's
//! "Comprehensive keyboard handling in terminals".

use super::{Key, Mods, Press};

/// Keys that mean something else in the old encoding have one of their own.
const DISAMBIGUATE: u8 = 1;
/// Repeats and releases are told.
const EVENTS: u8 = 2;
/// The shifted character is told beside the key's own.
const ALTERNATES: u8 = 4;
/// Every key is told so, text too.
const ALL: u8 = 8;
/// The text that a key makes is told with it.
const TEXT: u8 = 16;

/// What a key did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyEvent {
    /// It went down.
    #[default]
    Press,
    /// It is held.
    Repeat,
    /// It went up.
    Release,
}

/// The name of a key: a number, and the letter at the end of its sequence.
struct Code {
    number: u32,
    last: char,
    /// What it types, and what Shift makes of that.
    text: Option<(char, Option<char>)>,
}

impl Press {
    /// The bytes of the kitty keyboard protocol for this key with these flags; nothing where the key
    /// goes out as it always did, [`Press::encode`], or not at all, as releases do then.
    pub fn encode_kitty(&self, event: KeyEvent, flags: u8) -> Option<Vec<u8>> {
        let has = |flag: u8| flags & flag != 0;
        if flags & (DISAMBIGUATE | EVENTS | ALL) == 0 {
            return None;
        }
        let (code, held) = self.code();
        let told = event != KeyEvent::Press && has(EVENTS);
        let plain = matches!(self.key, Key::Enter | Key::Tab | Key::Backspace);
        let chord = held.has(Mods::CTRL) || held.has(Mods::META);
        let wanted = match (has(ALL), &code.text) {
            (true, _) => true,
            (false, Some(_)) => has(DISAMBIGUATE) && chord,
            // Or else a shell could not be left by typing `reset` and Enter after a crash.
            (false, None) if plain => has(DISAMBIGUATE) && held != Mods::NONE,
            (false, None) => has(DISAMBIGUATE) || told,
        };
        if !wanted || (event == KeyEvent::Release && !told) {
            return None;
        }
        let mut out = String::from("\x1b[");
        let mut number = code.number.to_string();
        if has(ALTERNATES)
            && held.has(Mods::SHIFT)
            && let Some((_, Some(shifted))) = code.text
        {
            number = format!("{number}:{}", u32::from(shifted));
        }
        let typed = code
            .text
            .filter(|_| has(ALL) && has(TEXT) && !chord && event != KeyEvent::Release);
        let mods = match (held, told) {
            (Mods::NONE, false) => String::new(),
            (held, false) => held.parameter().to_string(),
            (held, true) => {
                let kind = if event == KeyEvent::Repeat { 2 } else { 3 };
                format!("{}:{kind}", held.parameter())
            }
        };
        // A lone 1 before a letter is left out.
        if code.last == 'u' || code.last == '~' || !mods.is_empty() || typed.is_some() {
            out.push_str(&number);
        }
        if !mods.is_empty() || typed.is_some() {
            out.push(';');
            out.push_str(&mods);
        }
        if let Some((base, shifted)) = typed {
            let ch = shifted.filter(|_| held.has(Mods::SHIFT)).unwrap_or(base);
            out.push(';');
            out.push_str(&u32::from(ch).to_string());
        }
        out.push(code.last);
        Some(out.into_bytes())
    }

    /// The key's code and the modifiers that it takes: an upper-case letter is one with Shift.
    fn code(&self) -> (Code, Mods) {
        let named = |number: u32, last: char| Code {
            number,
            last,
            text: None,
        };
        let code = match self.key {
            Key::Char(ch) => {
                let mut lower = ch.to_lowercase();
                let base = match (lower.next(), lower.next()) {
                    (Some(one), None) => one,
                    _ => ch,
                };
                let mut upper = base.to_uppercase();
                let shifted = match (upper.next(), upper.next()) {
                    (Some(one), None) if one != base => Some(one),
                    _ => None,
                };
                let code = Code {
                    number: u32::from(base),
                    last: 'u',
                    text: Some((base, shifted)),
                };
                let shift = if base == ch { Mods::NONE } else { Mods::SHIFT };
                return (code, self.mods.with(shift));
            }
            Key::Escape => named(27, 'u'),
            Key::Enter => named(13, 'u'),
            Key::Tab => named(9, 'u'),
            Key::Backspace => named(127, 'u'),
            Key::Insert => named(2, '~'),
            Key::Delete => named(3, '~'),
            Key::PageUp => named(5, '~'),
            Key::PageDown => named(6, '~'),
            Key::Up => named(1, 'A'),
            Key::Down => named(1, 'B'),
            Key::Right => named(1, 'C'),
            Key::Left => named(1, 'D'),
            Key::End => named(1, 'F'),
            Key::Home => named(1, 'H'),
            Key::F(1) => named(1, 'P'),
            Key::F(2) => named(1, 'Q'),
            // Its letter would be that of the cursor's report.
            Key::F(3) => named(13, '~'),
            Key::F(4) => named(1, 'S'),
            Key::F(5) => named(15, '~'),
            Key::F(n @ 6..=10) => named(u32::from(n) + 11, '~'),
            Key::F(n @ 11..=12) => named(u32::from(n) + 12, '~'),
            Key::F(n) => named(57363 + u32::from(n), 'u'),
        };
        (code, self.mods)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn sent(name: &str, event: KeyEvent, flags: u8) -> String {
        let bytes = Press::parse(name).unwrap().encode_kitty(event, flags);
        bytes.map_or("old".to_owned(), |bytes| bytes.escape_ascii().to_string())
    }

    #[test]
    fn each_level_takes_more_keys() {
        for (name, none, disambiguate, all) in [
            ("a", "old", "old", r"\x1b[97u"),
            ("A", "old", "old", r"\x1b[97;2u"),
            ("C-a", "old", r"\x1b[97;5u", r"\x1b[97;5u"),
            ("M-a", "old", r"\x1b[97;3u", r"\x1b[97;3u"),
            ("C-M-S-a", "old", r"\x1b[97;8u", r"\x1b[97;8u"),
            ("Escape", "old", r"\x1b[27u", r"\x1b[27u"),
            ("Enter", "old", "old", r"\x1b[13u"),
            ("S-Enter", "old", r"\x1b[13;2u", r"\x1b[13;2u"),
            ("Tab", "old", "old", r"\x1b[9u"),
            ("Backspace", "old", "old", r"\x1b[127u"),
            ("Up", "old", r"\x1b[A", r"\x1b[A"),
            ("C-Up", "old", r"\x1b[1;5A", r"\x1b[1;5A"),
            ("F1", "old", r"\x1b[P", r"\x1b[P"),
            ("F3", "old", r"\x1b[13~", r"\x1b[13~"),
            ("F12", "old", r"\x1b[24~", r"\x1b[24~"),
            ("F13", "old", r"\x1b[57376u", r"\x1b[57376u"),
            ("PageUp", "old", r"\x1b[5~", r"\x1b[5~"),
        ] {
            for (flags, want) in [(0, none), (DISAMBIGUATE, disambiguate), (ALL, all)] {
                assert_eq!(sent(name, KeyEvent::Press, flags), want, "{name} {flags}");
            }
        }
    }

    #[test]
    fn releases_and_repeats_are_told_when_asked() {
        let flags = DISAMBIGUATE | EVENTS;
        assert_eq!(sent("Up", KeyEvent::Release, flags), r"\x1b[1;1:3A");
        assert_eq!(sent("Up", KeyEvent::Repeat, flags), r"\x1b[1;1:2A");
        assert_eq!(sent("a", KeyEvent::Release, flags), "old");
        assert_eq!(sent("a", KeyEvent::Release, flags | ALL), r"\x1b[97;1:3u");
        assert_eq!(sent("Up", KeyEvent::Release, DISAMBIGUATE), "old");
    }

    #[test]
    fn shifted_characters_and_text_are_told_when_asked() {
        let press = KeyEvent::Press;
        assert_eq!(sent("A", press, ALL | ALTERNATES), r"\x1b[97:65;2u");
        assert_eq!(sent("a", press, ALL | TEXT), r"\x1b[97;;97u");
        assert_eq!(sent("A", press, ALL | TEXT), r"\x1b[97;2;65u");
        assert_eq!(sent("C-a", press, ALL | TEXT), r"\x1b[97;5u");
    }
}
