//! Key names: `Enter`, `F5`, `x`, with `C-`, `M-`, `S-` in front of any.

use std::fmt;
use std::str::FromStr;

use super::{Key, Mods, Press};
use crate::fault::Fault;

/// Names that are shown, and the other spellings that are understood. Case does not matter.
const NAMES: &[(Key, &str, &[&str])] = &[
    (Key::Enter, "Enter", &["Return", "CR"]),
    (Key::Tab, "Tab", &[]),
    (Key::Escape, "Escape", &["Esc"]),
    (Key::Char(' '), "Space", &["SPC"]),
    (Key::Backspace, "Backspace", &["BSpace", "BS"]),
    (Key::Delete, "Delete", &["Del", "DC"]),
    (Key::Insert, "Insert", &["Ins", "IC"]),
    (Key::Up, "Up", &["ArrowUp"]),
    (Key::Down, "Down", &["ArrowDown"]),
    (Key::Left, "Left", &["ArrowLeft"]),
    (Key::Right, "Right", &["ArrowRight"]),
    (Key::Home, "Home", &[]),
    (Key::End, "End", &[]),
    (Key::PageUp, "PageUp", &["PgUp", "PPage", "Prior"]),
    (
        Key::PageDown,
        "PageDown",
        &["PgDn", "PgDown", "NPage", "Next"],
    ),
];

const MODIFIERS: [(&str, Mods); 3] = [("C-", Mods::CTRL), ("M-", Mods::META), ("S-", Mods::SHIFT)];

/// The last function key.
const LAST_F: u8 = 20;

impl Press {
    /// Reads a key's name.
    pub fn parse(name: &str) -> Result<Self, Fault> {
        let mut mods = Mods::NONE;
        let mut rest = name;
        while let Some((after, held)) = MODIFIERS.iter().find_map(|(prefix, held)| {
            let after = rest
                .strip_prefix(prefix)
                .filter(|after| !after.is_empty())?;
            Some((after, *held))
        }) {
            mods = mods.with(held);
            rest = after;
        }
        // `S-Tab` has names of its own on many keyboards and in terminfo.
        if ["BTab", "BackTab"]
            .iter()
            .any(|tab| tab.eq_ignore_ascii_case(rest))
        {
            return Ok(Self {
                key: Key::Tab,
                mods: mods.with(Mods::SHIFT),
            });
        }
        match caret(rest) {
            Some(c) => Ok(Self {
                key: Key::Char(c),
                mods: mods.with(Mods::CTRL),
            }),
            None => key(rest)
                .map(|key| Self { key, mods })
                .ok_or_else(|| unknown(name, rest)),
        }
    }
}

impl FromStr for Press {
    type Err = Fault;

    fn from_str(name: &str) -> Result<Self, Fault> {
        Self::parse(name)
    }
}

impl fmt::Display for Press {
    /// The name that [`Press::parse`] reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (prefix, held) in MODIFIERS {
            if self.mods.has(held) {
                f.write_str(prefix)?;
            }
        }
        match self.key {
            Key::F(n) => write!(f, "F{n}"),
            key => match (NAMES.iter().find(|(named, ..)| *named == key), key) {
                (Some((_, name, _)), _) => f.write_str(name),
                (None, Key::Char(c)) => write!(f, "{c}"),
                (None, other) => write!(f, "{other:?}"),
            },
        }
    }
}

/// `^C` is how such a key is often written.
fn caret(name: &str) -> Option<char> {
    let mut chars = name.strip_prefix('^')?.chars();
    chars
        .next()
        .filter(|c| chars.next().is_none() && c.is_ascii_graphic())
}

fn key(name: &str) -> Option<Key> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_control()).then_some(Key::Char(c));
    }
    let number = name
        .strip_prefix(['F', 'f'])
        .filter(|n| !n.starts_with(['0', '+']));
    if let Some(n) = number.and_then(|n| n.parse().ok()) {
        return (n <= LAST_F).then_some(Key::F(n));
    }
    NAMES
        .iter()
        .find(|(_, shown, others)| {
            [*shown]
                .iter()
                .chain(*others)
                .any(|known| known.eq_ignore_ascii_case(name))
        })
        .map(|(key, ..)| *key)
}

fn unknown(name: &str, rest: &str) -> Fault {
    let all: Vec<&str> = NAMES.iter().map(|(_, shown, _)| *shown).collect();
    let near: Vec<String> = all
        .iter()
        .filter(|known| distance(&known.to_lowercase(), &rest.to_lowercase()) <= 2)
        .map(|known| format!("`{}{known}`", &name[..name.len() - rest.len()]))
        .collect();
    let message = if name.is_empty() {
        "a key needs a name".to_owned()
    } else if near.is_empty() {
        format!("there is no key `{name}`")
    } else {
        format!("there is no key `{name}`; near to it: {}", near.join(", "))
    };
    Fault::usage(message).hint(format!(
        "keys are {}, F1 to F{LAST_F} and any one character, with C- M- S- before any of them; \
         to type a word use `send`",
        all.join(", ")
    ))
}

/// How many characters must be changed, put in or left out to make `a` from `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(32).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn press(key: Key, mods: &[Mods]) -> Press {
        Press {
            key,
            mods: mods.iter().fold(Mods::NONE, |all, one| all.with(*one)),
        }
    }

    #[test]
    fn modifiers_stand_before_any_key() {
        for (name, want) in [
            ("x", press(Key::Char('x'), &[])),
            ("-", press(Key::Char('-'), &[])),
            ("C--", press(Key::Char('-'), &[Mods::CTRL])),
            ("C-", press(Key::Char('C'), &[])),
            ("C-M-x", press(Key::Char('x'), &[Mods::CTRL, Mods::META])),
            ("M-C-x", press(Key::Char('x'), &[Mods::CTRL, Mods::META])),
            ("S-F5", press(Key::F(5), &[Mods::SHIFT])),
            ("C-\\", press(Key::Char('\\'), &[Mods::CTRL])),
            ("C-Space", press(Key::Char(' '), &[Mods::CTRL])),
            ("^C", press(Key::Char('C'), &[Mods::CTRL])),
            ("BTab", press(Key::Tab, &[Mods::SHIFT])),
            ("é", press(Key::Char('é'), &[])),
        ] {
            if name == "C-" {
                assert!(Press::parse(name).is_err());
            } else {
                assert_eq!(Press::parse(name).unwrap(), want, "{name}");
            }
        }
    }

    #[test]
    fn names_have_aliases_in_any_case() {
        for (name, key) in [
            ("esc", Key::Escape),
            ("RETURN", Key::Enter),
            ("PgUp", Key::PageUp),
            ("BSpace", Key::Backspace),
            ("del", Key::Delete),
            ("f20", Key::F(20)),
        ] {
            assert_eq!(Press::parse(name).unwrap().key, key, "{name}");
        }
    }

    #[test]
    fn unknown_key_names_near_ones_and_all() {
        let fault = Press::parse("C-Entr").unwrap_err();
        assert_eq!(
            fault.message,
            "there is no key `C-Entr`; near to it: `C-Enter`, `C-End`"
        );
        assert!(fault.hint.contains("PageDown") && fault.hint.contains("F20"));
        for bad in ["", "F21", "F0", "F01", "hello", "\u{1}", "C-hello"] {
            let fault = Press::parse(bad).unwrap_err();
            assert_eq!(fault.kind, crate::fault::Kind::Usage, "{bad:?}");
        }
    }

    #[test]
    fn shown_name_is_read_back() {
        for name in ["C-M-S-Left", "Space", "C-Space", "F13", "x", "C-@", "S-Tab"] {
            let press = Press::parse(name).unwrap();
            assert_eq!(press.to_string(), name);
            assert_eq!(Press::parse(&press.to_string()).unwrap(), press);
        }
    }
}
