//! `expect`: what matches, where it is looked for, what is told, and what becomes of the mark.

use serde_json::Value;

use crate::coax::Coax;
use crate::session::Session;

/// A session whose program prints each line that it is given, escapes and all, after the echo is off.
fn printer<'a>(coax: &'a Coax, name: &str) -> Session<'a> {
    let line = "stty -echo; echo ready; while IFS= read -r line; do printf \"$line\"; done";
    let printer = coax.start_sh(name, line);
    printer.expect("ready\n");
    printer
}

#[test]
fn patterns_are_text_globs_or_regexes() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    let cases: [(&[&str], &str, &str); 8] = [
        (&["a.c [x] $1"], "a.c [x] $1", "text"),
        (&["--regex", r"b(\d)+b"], "b42b", "regex"),
        (&["--glob", "c*?c"], "c--c", "glob"),
        (&[r"re:d\d+"], "d7", "regex"),
        (&["glob:e[0-9]e"], "e5e", "glob"),
        (&["--regex", "text:f.f"], "f.f", "text"),
        (&["--glob", "re:g+"], "ggg", "regex"),
        (&["h\u{e9}\u{4e2d}"], "h\u{e9}\u{4e2d}", "text"),
    ];
    program.enter(r"abc a.c [x] $1 b42b c--c d7 e5e fxf f.f ggg hé中 end\n");
    for (words, text, kind) in cases {
        let matched = program.json("expect", words);
        assert_eq!(
            (&matched["match"], &matched["kind"]),
            (&text.into(), &kind.into()),
            "{matched}"
        );
        assert_eq!(
            (&matched["index"], &matched["source"]),
            (&0.into(), &"stream".into()),
            "{matched}"
        );
    }
    assert_eq!(program.json("expect", &["end\n"])["before"], " ");
}

#[test]
fn the_first_to_match_is_told_by_number_and_name() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"one two three\n");
    let first = program.json(
        "expect",
        &["three", "--on", "second=two", "--on", "third=re:t[a-z]+"],
    );
    assert_eq!(
        (&first["index"], &first["name"], &first["match"]),
        (&1.into(), &"second".into(), &"two".into()),
        "{first}"
    );
    assert_eq!(first["before"], "one ");
    let next = program.json("expect", &["three", "--on", "second=two"]);
    assert_eq!(
        (&next["index"], &next["name"]),
        (&0.into(), &Value::Null),
        "{next}"
    );
    program
        .run("expect", &["--on", "=x"])
        .fails(2, &["name of a pattern"]);
}

#[test]
fn captures_are_told_by_number_and_name() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"version 12.7 of it\n");
    let matched = program.json("expect", &[r"re:version (?<major>\d+)\.(\d+)( beta)?"]);
    assert_eq!(
        matched["captures"],
        serde_json::json!({ "1": "12", "major": "12", "2": "7" })
    );
    assert_eq!(program.ok("expect", &["re:of .."]), "of it\n");
}

#[test]
fn not_fails_when_it_matches_and_waits_when_it_does_not() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"an error came\n");
    let unwanted = program.run("expect", &["--json", "--not", "--timeout", "20s", "error"]);
    unwanted.fails(1, &["error"]);
    assert_eq!(
        (&unwanted.json()["ok"], &unwanted.json()["error"]["kind"]),
        (&false.into(), &"check_failed".into())
    );
    let absent = program.json("expect", &["--not", "--timeout", "200ms", "panic"]);
    assert_eq!(
        (&absent["ok"], &absent["index"]),
        (&true.into(), &Value::Null)
    );
    // It is no match that moves the mark.
    program.expect("error");
    program.key(&["C-d"]);
    program.exit();
    program.ok("expect", &["--not", "--timeout", "none", "panic"]);
}

#[test]
fn the_screen_is_looked_at_when_asked_old_or_new() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"first\nsecond\n");
    program.expect("second\n");
    program
        .run("expect", &["--timeout", "0", "first"])
        .fails(124, &["\"first\""]);
    let seen = program.json("expect", &["--screen", "--timeout", "0", "first\nsecond"]);
    assert_eq!(seen["source"], "screen");
    // The mark stays where it was.
    program.enter(r"third\n");
    assert_eq!(program.json("expect", &["third"])["before"], "");
    program.ok("expect", &["--screen", r"re:(?m)^second$"]);
}

#[test]
fn fresh_wants_what_was_written_after_the_mark() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"answer 1\n");
    program.expect("answer 1\n");
    program
        .run(
            "expect",
            &["--screen", "--fresh", "--timeout", "0", "answer"],
        )
        .fails(124, &["answer"]);
    program.enter(r"answer 2\n");
    let fresh = program.json("expect", &["--screen", "--fresh", r"re:answer \d"]);
    assert_eq!(fresh["match"], "answer 2");
    program
        .run("expect", &["--fresh", "x"])
        .fails(2, &["--screen"]);
}

#[test]
fn the_alternate_screen_is_looked_at_without_being_asked() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    // Drawn from right to left, so that it never was a line of the stream.
    program.enter(r"\033[?1049h\033[2J\033[3;8Hworld\033[3;2Hhello\033[20;1H");
    let seen = program.json("expect", &["hello world"]);
    assert_eq!(seen["source"], "screen", "{seen}");
    program.enter(r"\033[?1049lback");
    program.expect("back");
    program
        .run("expect", &["--timeout", "300ms", "hello world"])
        .fails(124, &["hello world"]);
}

#[test]
fn lines_and_raw_bytes_can_be_asked_for() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"prompt: ");
    program.expect_not_line("prompt");
    program.enter(r"done\n");
    assert_eq!(
        program.json("expect", &["--line", "re:(?m)^prompt: (.*)$"])["captures"]["1"],
        "done"
    );
    program.enter(r"\033[31mred\033[0m\n");
    let raw = program.json("expect", &["--raw", "\u{1b}[31mred"]);
    assert_eq!(raw["source"], "raw", "{raw}");
    program.enter(r"\033[32mgre\033[0men\n");
    program.expect("green");
}

impl Session<'_> {
    /// Sees the text, and that it is not a finished line.
    fn expect_not_line(&self, text: &str) {
        self.ok("expect", &["--screen", text]);
        self.run("expect", &["--line", "--timeout", "0", text])
            .fails(124, &[text]);
    }
}

#[test]
fn a_timeout_shows_what_was_there() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"Overwrite? (y/n) ");
    program.ok("expect", &["--screen", "(y/n)"]);
    let late = program.run("expect", &["--timeout", "150ms", "Overwrite? [y/N]"]);
    late.fails(
        124,
        &[
            "\"Overwrite? [y/N]\"",
            "150 ms",
            "| Overwrite? (y/n)",
            "nearest:",
            "--timeout",
            "the program runs",
            "echo off",
        ],
    );
    let json = program.run(
        "expect",
        &["--json", "--timeout", "0", "never", "re:ne(v)er"],
    );
    let error = json.json()["error"].clone();
    assert_eq!((json.code, &error["kind"]), (124, &"timeout".into()));
    assert!(
        error["report"].as_str().unwrap().contains("Overwrite?"),
        "{error}"
    );
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains(r#""never" or re:"ne(v)er""#),
        "{error}"
    );
}

#[test]
fn the_end_of_the_program_ends_the_wait() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    let waits = coax.begin(&["expect", "-s", "a", "--timeout", "none", "never"]);
    program.enter(r"last words\n");
    program.key(&["C-d"]);
    waits
        .done()
        .fails(3, &["\"never\"", "has exited with code", "| last words"]);
    // What was printed before still matches.
    program.expect("last words");
}

#[test]
fn every_client_shares_one_mark() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"a b a b\n");
    program.ok("expect", &["a"]);
    program.ok("expect", &["a b"]);
    program
        .run("expect", &["--timeout", "0", "b"])
        .fails(124, &["\"b\""]);
    // Sending moves nothing.
    program.enter(r"c\n");
    program.ok("expect", &["c\n"]);
    program.enter(r"a\n");
    assert_eq!(program.json("expect", &["a"])["before"], "");
}

#[test]
fn soft_wrapped_rows_are_one_line() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(&format!(
        r"{}needle that is wrapped{}\n",
        "x".repeat(70),
        "y".repeat(170)
    ));
    let matched = program.json("expect", &[r"re:(?m)^x+needle that is wrappedy+$"]);
    assert_eq!(matched["match"].as_str().map(str::len), Some(70 + 22 + 170));
    program.ok("expect", &["--screen", "needle that is wrapped"]);
}

#[test]
fn what_was_erased_or_overwritten_was_still_seen() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program.enter(r"10%%\r20%%\r100%%\r\033[Kdone\n");
    program.expect("10%");
    program.expect("20%");
    program.expect("100%");
    program.expect("done");
    program.enter(r"password? \r\033[2Kthank you\n");
    program.expect("password? ");
    program.expect("thank you");
    assert!(!program.screen().contains("password"));
}

#[test]
fn a_bad_pattern_is_a_mistake() {
    let coax = Coax::new();
    let program = printer(&coax, "a");
    program
        .run("expect", &["re:(unclosed"])
        .fails(2, &["(unclosed"]);
    program
        .run("expect", &["--regex", "fine", "*"])
        .fails(2, &["*"]);
    program.run("expect", &["glob:[a-"]).fails(2, &["[a-"]);
    program.run("expect", &[]).fails(2, &["PATTERN"]);
    program.run("expect", &[""]).fails(2, &["empty"]);
    program
        .run("expect", &["--screen", "--raw", "x"])
        .fails(2, &["--raw"]);
}

#[test]
fn fresh_wants_something_written_after_the_mark() {
    let coax = Coax::new();
    // All of it comes in one piece, so it is the bytes that count and not when they were looked at.
    let cat = coax.start(
        "a",
        &[
            "sh",
            "-c",
            r"printf 'AAA\r\nprompt> xyz\r\nBBB'; read line; printf '\rBBB'; cat",
        ],
    );
    cat.expect("prompt>");
    let fresh = |what: &str| {
        let args = [
            "expect",
            "-s",
            "a",
            "--screen",
            "--fresh",
            "--timeout",
            "0",
            what,
        ];
        coax.run(&args).code
    };
    assert_eq!(fresh("AAA"), 124, "it stood there before the match");
    assert_eq!(fresh("xyz"), 0);
    assert_eq!(fresh("BBB"), 0);
    cat.expect("BBB");
    assert_eq!(fresh("BBB"), 124);
    coax.ok(&["key", "-s", "a", "Enter"]);
    let args = ["expect", "-s", "a", "--screen", "--fresh", "BBB"];
    assert_eq!(coax.run(&args).code, 0, "the same text, written again");
}

#[test]
fn a_match_on_the_bytes_moves_past_itself_and_sees_what_came_before() {
    let coax = Coax::new();
    let line = r"printf '\033[31mred\033[0m\033[?1h'; cat";
    coax.start("a", &["sh", "-c", line]);
    coax.ok(&["expect", "-s", "a", "--screen", "red"]);
    let raw = |what: &str| {
        let args = ["expect", "-s", "a", "--raw", "--timeout", "0", what];
        coax.run(&args).code
    };
    assert_eq!(raw("\u{1b}[31m"), 0, "nothing was printed before it");
    assert_eq!(raw("\u{1b}[?1h"), 0, "nothing is printed behind it");
    assert_eq!(raw("\u{1b}[?1h"), 124, "it was seen");
}
