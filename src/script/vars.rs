//! What `$NAME` stands for: what the script set, what the last match captured, the environment.

use std::collections::BTreeMap;

use super::place::Place;
use super::word::{Piece, Word};

/// How long a word may become, in bytes.
const MAX_LENGTH: usize = 16 << 20;

/// Looks a variable of the environment up.
pub type Environment<'e> = dyn Fn(&str) -> Option<String> + 'e;

/// The variables of a running script.
pub(super) struct Vars<'e> {
    own: BTreeMap<String, String>,
    captures: BTreeMap<String, String>,
    environment: &'e Environment<'e>,
}

/// Why a word has no value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// Where.
    pub(super) place: Place,
    /// Why.
    pub(super) message: String,
}

impl<'e> Vars<'e> {
    /// No variables but the environment's.
    pub(super) fn new(environment: &'e Environment<'e>) -> Self {
        Self {
            own: BTreeMap::new(),
            captures: BTreeMap::new(),
            environment,
        }
    }

    /// Gives `name` a value.
    pub(super) fn set(&mut self, name: &str, value: String) {
        self.own.insert(name.to_owned(), value);
    }

    /// Forgets the numbered captures of the match before, and keeps these; named ones are set.
    pub(super) fn capture(&mut self, captures: BTreeMap<String, String>) {
        let (numbered, named) = captures.into_iter().partition(|(name, _)| is_number(name));
        self.captures = numbered;
        self.own.extend::<BTreeMap<_, _>>(named);
    }

    fn get(&self, name: &str) -> Option<String> {
        let own = if is_number(name) {
            &self.captures
        } else {
            &self.own
        };
        own.get(name).cloned().or_else(|| (self.environment)(name))
    }

    /// The value of `word`. Never split: a word is one word whatever its variables hold.
    pub(super) fn expand(&self, word: &Word) -> Result<String, Wrong> {
        let mut text = String::new();
        self.append(&word.pieces, word.place, &mut text)?;
        Ok(text)
    }

    /// The values of `words`.
    pub(super) fn expand_all(&self, words: &[Word]) -> Result<Vec<String>, Wrong> {
        words.iter().map(|word| self.expand(word)).collect()
    }

    /// Defaults nest as deep as the lexer allows, so this does too.
    fn append(&self, pieces: &[Piece], place: Place, text: &mut String) -> Result<(), Wrong> {
        for piece in pieces {
            match piece {
                Piece::Text(own) => text.push_str(own),
                Piece::Var(var) => match (self.get(&var.name), &var.default) {
                    (Some(value), None) => text.push_str(&value),
                    (Some(value), Some(_)) if !value.is_empty() => text.push_str(&value),
                    (_, Some(default)) => self.append(default, place, text)?,
                    (None, None) => {
                        return Err(Wrong {
                            place: var.place,
                            message: undefined(&var.name),
                        });
                    }
                },
            }
            if text.len() > MAX_LENGTH {
                let message = "this word is longer than 16 MiB".to_owned();
                return Err(Wrong { place, message });
            }
        }
        Ok(())
    }
}

/// Whether a variable is the number of a capture.
pub(super) fn is_number(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_digit())
}

/// What is said of a variable that has no value.
pub(super) fn undefined(name: &str) -> String {
    if is_number(name) {
        format!("the last match captured no ${name}")
    } else {
        format!("${name} is not set")
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    /// What the second word of `line` stands for, with HOME in the environment and two captures.
    fn expand(line: &str) -> Result<String, Wrong> {
        let environment = |name: &str| (name == "HOME").then(|| "/root dir".to_owned());
        let mut vars = Vars::new(&environment);
        vars.set("a", "1 2".into());
        vars.set("none", String::new());
        let captures = [("0", "v7"), ("1", "7"), ("major", "7")];
        vars.capture(
            captures
                .map(|(name, text)| (name.into(), text.into()))
                .into(),
        );
        let (script, mistakes) = parse(line.as_bytes());
        assert!(mistakes.is_empty(), "{mistakes:?}");
        vars.expand(&script.commands[0].words[1])
    }

    #[test]
    fn what_was_set_captures_and_the_environment_have_values() {
        assert_eq!(expand("echo $a"), Ok("1 2".into()));
        assert_eq!(expand("echo \"<$HOME>\"'$a'"), Ok("</root dir>$a".into()));
        assert_eq!(expand("echo $0.$1.$major"), Ok("v7.7.7".into()));
    }

    #[test]
    fn a_default_stands_in_for_what_is_not_set_or_empty() {
        assert_eq!(expand("echo ${b:-x y}"), Ok("x y".into()));
        assert_eq!(expand("echo ${none:-x}"), Ok("x".into()));
        assert_eq!(expand("echo ${a:-x}"), Ok("1 2".into()));
        assert_eq!(expand("echo ${b:-${c:-$a}}"), Ok("1 2".into()));
        assert_eq!(expand("echo \"$none\""), Ok(String::new()));
    }

    #[test]
    fn what_is_not_set_is_named_where_it_stands() {
        let wrong = |line, column| {
            let wrong = expand(line).expect_err("not set");
            assert_eq!(wrong.place, Place { line: 1, column });
            wrong.message
        };
        assert_eq!(wrong("echo \"ab $nope\"", 10), "$nope is not set");
        assert_eq!(wrong("echo $2", 6), "the last match captured no $2");
        assert_eq!(wrong("echo ${b:-$c}", 11), "$c is not set");
    }

    #[test]
    fn a_word_cannot_grow_without_end() {
        let mut vars = Vars::new(&|_| None);
        vars.set("x", "x".repeat(9 << 20));
        let (script, _) = parse(b"set x $x$x");
        let wrong = vars.expand(&script.commands[0].words[2]);
        assert!(wrong.expect_err("too long").message.contains("longer than"));
    }
}
