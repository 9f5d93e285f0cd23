//! What a command means: a statement of the language, a block, or a verb with its words.
//!
//! Statements stand in one table, with how they are written; a new one is a row here, a variant,
//! and an arm in `check` and in `run`.

use super::place::Mistake;
use super::tree::{Arm, Command};
use super::word::Word;

/// What a command means.
#[derive(Debug)]
pub(super) enum Act<'c> {
    /// `again`: the `expect` around it waits once more.
    Again,
    /// `assert exit N`: the program that was waited for ended with this code.
    AssertExit(&'c Word),
    /// `assert screen PATTERN`: the screen shows this now.
    AssertScreen(&'c Word),
    /// `echo TEXT...`: says it.
    Echo(&'c [Word]),
    /// `exit [N]`: ends the script.
    Exit(Option<&'c Word>),
    /// An `expect` with a block.
    Expect(&'c [Word], &'c [Arm]),
    /// `fail TEXT...`: ends the script, which has failed.
    Fail(&'c [Word]),
    /// `session NAME`: what follows is about this session.
    Session(&'c Word),
    /// `set NAME VALUE`: gives a variable a value.
    Set(String, &'c Word),
    /// `set deadline D`: how long the whole script may take.
    SetDeadline(&'c Word),
    /// `set timeout D`: how long each step may take.
    SetTimeout(&'c Word),
    /// A verb with its words.
    Verb(&'c [Word]),
}

/// A statement: its word, how it is written, and what its words mean, where they mean something.
struct Statement {
    word: &'static str,
    usage: &'static str,
    read: fn(&[Word]) -> Option<Act<'_>>,
}

const STATEMENTS: [Statement; 7] = [
    Statement {
        word: "again",
        usage: "again",
        read: |words| words.is_empty().then_some(Act::Again),
    },
    Statement {
        word: "assert",
        usage: "assert exit N, assert screen PATTERN",
        read: |words| match words {
            [what, code] if what.is_bare("exit") => Some(Act::AssertExit(code)),
            [what, pattern] if what.is_bare("screen") => Some(Act::AssertScreen(pattern)),
            _ => None,
        },
    },
    Statement {
        word: "echo",
        usage: "echo TEXT...",
        read: |words| Some(Act::Echo(words)),
    },
    Statement {
        word: "exit",
        usage: "exit [N]",
        read: |words| (words.len() < 2).then(|| Act::Exit(words.first())),
    },
    Statement {
        word: "fail",
        usage: "fail MESSAGE",
        read: |words| (!words.is_empty()).then_some(Act::Fail(words)),
    },
    Statement {
        word: "session",
        usage: "session NAME",
        read: |words| match words {
            [name] => Some(Act::Session(name)),
            _ => None,
        },
    },
    Statement {
        word: "set",
        usage: "set NAME VALUE, set timeout D, set deadline D",
        read: |words| match words {
            [name, value] if name.is_bare("timeout") => Some(Act::SetTimeout(value)),
            [name, value] if name.is_bare("deadline") => Some(Act::SetDeadline(value)),
            [name, value] => Some(Act::Set(settable(name)?, value)),
            _ => None,
        },
    },
];

/// The words that begin a statement.
pub(super) fn statements() -> impl Iterator<Item = &'static str> {
    STATEMENTS.iter().map(|statement| statement.word)
}

/// What `command` means.
pub(super) fn read(command: &Command) -> Result<Act<'_>, Mistake> {
    let (first, words) = command
        .words
        .split_first()
        .ok_or_else(|| Mistake::new(command.place, "a command has a word at least"))?;
    let Some(word) = first.literal() else {
        return Err(
            Mistake::new(first.place, "the name of a command holds no variable")
                .hint("write the verb out"),
        );
    };
    if let Some(arms) = &command.block {
        return Ok(Act::Expect(&command.words, arms));
    }
    match STATEMENTS.iter().find(|statement| statement.word == word) {
        None => Ok(Act::Verb(&command.words)),
        Some(statement) => (statement.read)(words).ok_or_else(|| {
            let mistake = Mistake::new(command.place, format!("{word} is not written like this"));
            mistake.hint(format!("write {}", statement.usage))
        }),
    }
}

/// The variable that `set` may give a value: a name, and not one that coax itself sets.
fn settable(word: &Word) -> Option<String> {
    let name = word.literal()?;
    let mut bytes = name.bytes();
    let first = bytes.next()?;
    let plain = (first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (plain && !GIVEN.contains(&name.as_str())).then_some(name)
}

/// The variables that coax sets: the current session, and the code of the program that `wait --exit`
/// saw end.
pub(super) const GIVEN: [&str; 2] = ["session", "status"];

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn reads(line: &str) -> Result<String, String> {
        let (script, mistakes) = parse(line.as_bytes());
        assert!(mistakes.is_empty(), "{mistakes:?}");
        match read(&script.commands[0]) {
            Ok(act) => Ok(format!("{act:?}")
                .split(['(', ' '])
                .next()
                .unwrap_or_default()
                .to_owned()),
            Err(mistake) => Err(mistake.to_string()),
        }
    }

    #[test]
    fn statements_are_known_and_everything_else_is_a_verb() {
        for (line, act) in [
            ("again", "Again"),
            ("assert exit 3", "AssertExit"),
            ("assert screen \"a b\"", "AssertScreen"),
            ("echo", "Echo"),
            ("exit", "Exit"),
            ("exit $x", "Exit"),
            ("fail a b", "Fail"),
            ("session web", "Session"),
            ("set a $b", "Set"),
            ("set timeout 5s", "SetTimeout"),
            ("set deadline 1h", "SetDeadline"),
            ("send a", "Verb"),
            ("expect a", "Verb"),
            ("expect {\n}", "Expect"),
            ("nonsense", "Verb"),
        ] {
            assert_eq!(reads(line), Ok(act.to_owned()), "{line}");
        }
    }

    #[test]
    fn a_statement_that_is_written_wrongly_says_how_it_is_written() {
        for line in [
            "again now",
            "assert",
            "assert exit",
            "assert exti 3",
            "exit 1 2",
            "fail",
            "session",
            "set a",
            "set a=b",
            "set 1 b",
            "set status 3",
            "set $a b",
            "set timeout",
        ] {
            let said = reads(line).expect_err(line);
            assert!(
                said.contains("is not written like this (write "),
                "{line}: {said}"
            );
        }
        assert!(reads("$verb a").is_err());
    }
}
