use proptest::prelude::*;

use super::super::word::{Piece, Var};
use super::*;

fn good(text: &str) -> Script {
    let (script, mistakes) = parse(text.as_bytes());
    assert!(mistakes.is_empty(), "{text}: {mistakes:?}");
    script
}

fn mistakes(text: &[u8]) -> Vec<String> {
    parse(text).1.iter().map(ToString::to_string).collect()
}

const INSTALLER: &str = r#"#!/usr/bin/env -S coax run
start -- ./install.sh
expect --timeout 5s {
  "Overwrite? [y/N]"      => send --enter y; again
  re:"version (\d+)"      => set major $1
  "a" 'b' eof             => {
    echo "gone"           # a comment
    expect {
      "c"
      timeout => fail "no answer"
    }
  }
}
wait --exit; assert exit 3
"#;

#[test]
fn a_block_has_arms_with_commands_on_their_line_or_in_braces() {
    let script = good(INSTALLER);
    assert_eq!(
        script.to_string(),
        r#"start -- ./install.sh
expect --timeout 5s {
  "Overwrite? [y/N]" => {
    send --enter y
    again
  }
  "re:version (\\d+)" => {
    set major ${1}
  }
  "a" "b" eof => {
    echo "gone"
    expect {
      "c"
      timeout => {
        fail "no answer"
      }
    }
  }
}
wait --exit
assert exit 3
"#
    );
    let expect = &script.commands[1];
    assert_eq!(expect.text, "expect --timeout 5s");
    assert_eq!(expect.place, Place { line: 3, column: 1 });
    let arms = expect.block.as_deref().unwrap_or_default();
    assert_eq!(arms[1].body[0].text, "set major $1");
    assert_eq!(
        arms[1].body[0].place,
        Place {
            line: 5,
            column: 30
        }
    );
}

#[test]
fn the_example_of_the_documentation_is_a_script() {
    let lines = include_str!("mod.rs")
        .lines()
        .map(|line| line.trim_start_matches("//!"));
    let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
    let example = lines.skip_while(|line| *line != "```text").skip(1);
    let example: Vec<_> = example.take_while(|line| *line != "```").collect();
    assert_eq!(good(&example.join("\n")).commands.len(), 8);
}

#[test]
fn a_block_may_stand_on_one_line() {
    let script = good("expect { \"a\"; eof => echo x; again }; send b");
    assert_eq!(script.commands.len(), 2);
    let arms = script.commands[0].block.as_deref().unwrap_or_default();
    assert_eq!(arms.len(), 2);
    assert_eq!(arms[1].catches, [Catch::Eof]);
    assert_eq!(arms[1].body.len(), 2);
}

#[test]
fn a_quoted_eof_is_a_pattern() {
    let script = good("expect {\n \"eof\" 'timeout' => echo x\n}");
    let arms = script.commands[0].block.as_deref().unwrap_or_default();
    assert_eq!((arms[0].patterns.len(), arms[0].catches.len()), (2, 0));
}

#[test]
fn braces_inside_words_are_text() {
    good("send {}\nsend a{b}\nsend '{' \"}\"\nsend \\{\nsend =>");
}

#[test]
fn every_mistake_of_a_script_is_found_at_once() {
    let found = mistakes(
        b"send 'a\n}\nwait {\n zzz\n}\nexpect {\n => send\n --fresh \"x\" => send\n \"y\" => {\n  send a\n } b\n \"z\" =>\n}\n{ x }\nexpect {\n \"q\"",
    );
    let starts = [
        "1:6: this ' is not closed",
        "2:1: this } closes nothing",
        "3:6: wait takes no block",
        "7:2: no pattern before =>",
        "8:2: --fresh is no pattern",
        "11:4: the block of an arm ends the arm",
        "12:6: nothing is done after this =>",
        "14:1: this { has no command before it",
        "15:8: this { is never closed",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found} should be {start}");
    }
}

#[test]
fn an_arrow_that_touches_its_neighbours_is_a_mistake() {
    let found = mistakes(b"expect {\n \"a\"=> send b\n c =>send d\n \"e=>\" => send '=>'\n}");
    let starts = ["2:2: => stands alone", "3:4: => stands alone"];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    assert!(
        found
            .iter()
            .zip(starts)
            .all(|(found, start)| found.starts_with(start)),
        "{found:#?}"
    );
}

#[test]
fn hostile_text_is_read_in_one_pass() {
    for part in [
        "\\ ",
        "\\\\",
        "'",
        "\"$",
        "${a:-",
        "{ ",
        "expect { a => ",
        "} ",
        "\\\n",
        "expect {\n",
    ] {
        parse(part.repeat((1 << 20) / part.len()).as_bytes());
    }
}

#[test]
fn a_file_that_is_not_text_is_named_at_its_first_byte() {
    let found = mistakes(b"send a\nsend \xc3\xa9\xff");
    assert!(
        found[0].starts_with("2:7: the byte 0xff here is not UTF-8"),
        "{found:?}"
    );
}

#[test]
fn nesting_is_bounded() {
    let deep = "expect {\n\"a\" => ".repeat(100_000);
    assert!(
        mistakes(deep.as_bytes())
            .iter()
            .any(|line| line.contains("nest deeper than 32"))
    );
    let closed = format!(
        "{}{}",
        "expect {\n\"a\" => {\n".repeat(500),
        "}\n}\n".repeat(500)
    );
    assert_eq!(mistakes(closed.as_bytes()).len(), 1);
    mistakes("{ ".repeat(100_000).as_bytes());
    mistakes("} ".repeat(100_000).as_bytes());
}

fn text() -> impl Strategy<Value = Piece> {
    prop_oneof!["[ -~]{1,6}", "[\\PC\\n\\t\\r\\x00-\\x1f]{1,6}"].prop_map(Piece::Text)
}

fn var(default: Option<Vec<Piece>>) -> impl Strategy<Value = Piece> {
    "[a-zA-Z_][a-z0-9_]{0,3}|[0-9]{1,2}".prop_map(move |name| {
        Piece::Var(Var {
            name,
            default: default.clone(),
            place: Place::START,
        })
    })
}

/// A word in normal form: no empty text, no neighbouring texts.
fn word() -> impl Strategy<Value = Word> {
    let default = prop::collection::vec(
        prop_oneof!["[ -~é]{1,5}".prop_map(Piece::Text), var(None)],
        0..3,
    );
    let default = prop::option::of(default.prop_map(normal));
    let piece = prop_oneof![text(), default.prop_flat_map(var)];
    prop_oneof![
        prop::collection::vec(piece, 0..4).prop_map(|pieces| Word {
            place: Place::START,
            pieces: normal(pieces),
            bare: false,
        }),
        "[a-z:/.%@!-][a-z:/.=%@!-]{0,7}".prop_map(|text| Word {
            place: Place::START,
            pieces: vec![Piece::Text(text)],
            bare: true,
        }),
    ]
}

fn normal(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut joined = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => super::super::word::push_text(&mut joined, &text),
            piece @ Piece::Var(_) => joined.push(piece),
        }
    }
    joined
}

fn command(words: Vec<Word>, block: Option<Vec<Arm>>) -> Command {
    let mut words = words;
    if block.is_some() {
        words.insert(
            0,
            Word {
                place: Place::START,
                pieces: vec![Piece::Text("expect".into())],
                bare: true,
            },
        );
    }
    Command {
        place: Place::START,
        text: String::new(),
        words,
        block,
        spoilt: false,
    }
}

fn commands() -> impl Strategy<Value = Vec<Command>> {
    let words = || prop::collection::vec(word(), 1..4);
    let leaf = words().prop_map(|words| command(words, None));
    let tree = leaf.prop_recursive(4, 24, 3, move |inner| {
        let pattern = word().prop_filter("is a pattern", |word| {
            !(word.bare && (word.to_string().starts_with('-') || Catch::of(word).is_some()))
                && !word.is_bare("=>")
        });
        let arm = (
            prop::collection::vec(pattern, 1..3),
            prop::sample::subsequence(vec![Catch::Eof, Catch::Timeout], 0..=2),
            prop::collection::vec(inner, 0..3),
        );
        let arm = arm.prop_map(|(patterns, catches, body)| Arm {
            place: Place::START,
            patterns,
            catches,
            body,
            spoilt: false,
        });
        (words(), prop::collection::vec(arm, 0..3))
            .prop_map(|(words, arms)| command(words, Some(arms)))
    });
    prop::collection::vec(tree, 0..4)
}

proptest! {
    #[test]
    fn what_is_printed_reads_back_the_same(commands in commands()) {
        let script = Script { commands };
        let printed = script.to_string();
        let (read, mistakes) = parse(printed.as_bytes());
        prop_assert_eq!(&mistakes, &vec![], "{}", printed);
        prop_assert_eq!(&read, &script, "{}", printed);
        prop_assert_eq!(read.to_string(), printed);
    }

    #[test]
    fn what_is_read_without_mistakes_prints_and_reads_back_the_same(
        text in "([a-z$#;\\\\{}=>'\"\n 1-]|\\$\\{a:-|expect \\{|\\}\n|=> ){0,40}"
    ) {
        let (script, mistakes) = parse(text.as_bytes());
        if mistakes.is_empty() {
            let printed = script.to_string();
            let (again, mistakes) = parse(printed.as_bytes());
            prop_assert_eq!(&mistakes, &vec![], "{}", printed);
            prop_assert_eq!(again, script, "{}", printed);
        }
    }

    #[test]
    fn noise_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        parse(&bytes);
    }

    #[test]
    fn noise_of_the_language_never_panics(
        text in "([a-z$#;\\\\{}=>'\"\r\n\t é1-]|\\$\\{a:-|expect \\{|\\}|\\\\x|\\\\u\\{){0,200}"
    ) {
        for mistake in parse(text.as_bytes()).1 {
            prop_assert!(mistake.place.line >= 1 && mistake.place.column >= 1);
        }
    }
}
