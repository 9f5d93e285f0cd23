//! Mistakes: each gets a message that says what was wanted, the right exit code, and leaves nothing.

use crate::coax::Coax;

#[test]
fn without_a_command_help_is_shown() {
    let coax = Coax::new();
    let bare = coax.run::<&str>(&[]);
    assert_eq!(bare.code, 2, "{bare}");
    assert!(
        bare.err.contains("Usage: coax") && bare.err.contains("start"),
        "{bare}"
    );
    let help = coax.run(&["--help"]);
    assert!(help.code == 0 && help.out.contains("Exit codes"), "{help}");
    assert_eq!(
        coax.ok(&["--version"]),
        format!("coax {}\n", env!("CARGO_PKG_VERSION"))
    );
    coax.run(&["dance"]).fails(2, &["dance", "Usage"]);
    coax.run(&["--json", "dance"]).fails(2, &["--json"]);
    coax.run(&["screen", "--wibble"])
        .fails(2, &["--wibble", "Usage"]);
}

#[test]
fn durations_are_checked() {
    let coax = Coax::new();
    coax.start("a", &["cat"]);
    for word in ["soon", "-1", "5 s", "1y", "", "1e9", "99999999999h"] {
        for words in [
            &["expect", "-s", "a", "x"][..],
            &["wait", "-s", "a"],
            &["send", "-s", "a", "x"],
            &["key", "-s", "a", "x"],
        ] {
            let option = format!("--timeout={word}");
            coax.run(&[words, &[option.as_str()]].concat())
                .fails(2, &["--timeout"]);
        }
        coax.run(&["wait", "-s", "a", &format!("--settle={word}")])
            .fails(2, &["--settle"]);
    }
    coax.run(&["wait", "-s", "a", "--settle", "1s", "--exit"])
        .fails(2, &["--settle", "--exit"]);
    coax.run(&["expect", "-s", "a", "x", "--timeout", "soon"])
        .fails(2, &["soon", "250ms"]);
}

#[test]
fn sizes_are_checked() {
    let coax = Coax::new();
    coax.start("a", &["cat"]);
    for size in ["0", "-1", "many", "100000", "4097", ""] {
        for option in ["--rows", "--cols"] {
            let option = format!("{option}={size}");
            coax.run(&["start", &option, "--", "cat"])
                .fails(2, &[&option[..6]]);
            coax.run(&["run", &option, "--", "cat"])
                .fails(2, &[&option[..6]]);
            coax.run(&["resize", "-s", "a", &option]).fails(2, &[]);
        }
    }
    coax.run(&["screen", "--size", "0x80", "--", "cat"])
        .fails(2, &["0x80"]);
    coax.run(&["screen", "--size", "80", "--", "cat"])
        .fails(2, &["ROWSxCOLS"]);
    coax.run(&["resize", "-s", "a"]).fails(2, &["--rows"]);
    // The largest is possible.
    let big = coax.start_with(
        "big",
        &["--rows", "4000", "--cols", "250"],
        &["stty", "size"],
    );
    big.expect("4000 250");
    assert_eq!(
        coax.json(&["list"])["sessions"].as_array().unwrap().len(),
        2
    );
}

#[test]
fn names_are_checked() {
    let coax = Coax::new();
    let long = "x".repeat(65);
    for name in [
        "", ".", "..", "a/b", "../a", "/tmp/a", ".hidden", "-a", "a b", "a\nb", "\u{e9}", &long,
    ] {
        let option = format!("--session={name}");
        for verb in [
            &["start", "--", "cat"][..],
            &["screen"],
            &["close"],
            &["send", "x"],
        ] {
            let words = [&verb[..1], &[option.as_str()], &verb[1..]].concat();
            coax.run(&words).fails(2, &["name"]);
        }
    }
    coax.start(&long[..64], &["cat"]);
    coax.start("A.b_c-9", &["cat"]);
    assert_eq!(std::fs::read_dir(coax.dir()).unwrap().count(), 2);
}

#[test]
fn which_session_is_meant() {
    let coax = Coax::new();
    coax.run(&["screen"])
        .fails(4, &["no session", "coax start"]);
    coax.run(&["send", "x"]).fails(4, &["no session"]);
    coax.run(&["screen", "-s", "a"]).fails(4, &["no session a"]);
    coax.start("a", &["cat"]);
    coax.ok(&["send", "--enter", "to the only one"]);
    coax.start("b", &["cat"]);
    let refused = coax.run(&["send", "--json", "x"]);
    refused.fails(6, &["a, b", "-s"]);
    assert_eq!(refused.json()["error"]["kind"], "ambiguous_session");
    for verb in [
        &["stop"][..],
        &["close"],
        &["signal", "INT"],
        &["resize", "--rows", "9"],
        &["key", "x"],
    ] {
        coax.run(verb).fails(6, &["a, b"]);
    }
    let newest = coax.run(&["status", "--json"]);
    assert_eq!(newest.json()["session"], "b");
    assert!(newest.err.contains("this is b"), "{newest}");
    // A name that is given and unknown is never replaced.
    coax.run(&["screen", "-s", "c"])
        .fails(4, &["no session c", "a, b"]);
    let usual = Coax::new().env("COAX_SESSION", "gone");
    usual.start("other", &["cat"]);
    usual
        .run(&["screen"])
        .fails(4, &["no session gone", "other"]);
    coax.ok(&["stop", "-s", "b"]);
    // A live one comes before ended ones.
    coax.ok(&["send", "--enter", "to the only live one"]);
    coax.ok(&["expect", "-s", "a", "to the only live one"]);
}

#[test]
fn a_program_must_be_named() {
    let coax = Coax::new();
    coax.run(&["start"]).fails(2, &["CMD"]);
    coax.run(&["start", "--"]).fails(2, &["CMD"]);
    coax.run(&["start", "--", ""])
        .fails(2, &["no program", "coax start -- bash"]);
    coax.run(&["start", "cat"]).fails(2, &["cat"]);
    coax.run(&["run"])
        .fails(2, &["nothing to run", "coax run -- CMD"]);
    coax.run(&["run", "--", "no-such-program"])
        .fails(127, &["not found"]);
    coax.run(&["run", "--", "/"]).fails(126, &["directory"]);
    coax.run(&["screen", "--", "no-such-program"])
        .fails(127, &["not found"]);
    coax.run(&["run", "--cwd", "nowhere", "--", "true"])
        .fails(2, &["nowhere"]);
    assert_eq!(coax.ok(&["list"]), "");
}

#[test]
fn other_words_are_checked() {
    let coax = Coax::new();
    coax.start("a", &["cat"]);
    coax.run(&["signal", "-s", "a", "NOPE"])
        .fails(2, &["NOPE", "TERM"]);
    coax.run(&["signal", "-s", "a", "0"]).fails(2, &["0"]);
    coax.run(&["signal", "-s", "a", "999"]).fails(2, &["999"]);
    coax.run(&["start", "--label", "x", "--", "cat"])
        .fails(2, &["KEY=VALUE"]);
    coax.run(&["list", "--status", "some"]).fails(2, &["some"]);
    coax.run(&["screen", "-s", "a", "--format", "png"])
        .fails(2, &["png"]);
    coax.run(&["screen", "-s", "a", "--rows", "5:5"])
        .fails(2, &["A:B"]);
    coax.run(&["screen", "-s", "a", "--", "cat"])
        .fails(2, &["do not go together"]);
    coax.run(&["read", "-s", "a", "--since", "x"])
        .fails(2, &["--since"]);
    coax.run(&["completions", "tcsh"]).fails(2, &["tcsh"]);
    assert_eq!(
        coax.json(&["list"])["sessions"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn scripts_with_mistakes_are_refused_whole() {
    let coax = Coax::new();
    let cases: [(&[u8], &[&str]); 9] = [
        (
            b"start -- cat\nsend \"unclosed\n",
            &[":2:6: this \" is not closed"],
        ),
        (
            b"start -- cat\nsend 'unclosed\n",
            &[":2:6: this ' is not closed"],
        ),
        (
            b"start -- cat\nexpect {\n  \"a\" => send b\n",
            &[":2:8: this { is never closed"],
        ),
        (
            b"start -- cat\ndance\n",
            &[":2:1: there is no verb \"dance\""],
        ),
        (b"start -- cat\nsned x\n", &["did you mean send?"]),
        (b"start -- cat\nexpect re:'(x'\n", &[":2:8:", "(x"]),
        (b"start -- cat\nexpect --timeout soon x\n", &[":2:", "soon"]),
        (b"start -- cat\nkey Entr\n", &[":2:5:", "Entr"]),
        (b"start -- cat\necho \"\xff\xfe\"\n", &[":2:", "UTF-8"]),
    ];
    for (text, words) in cases {
        let path = coax.work().join("bad.coax");
        std::fs::write(&path, text).unwrap();
        for option in ["--script", "--check"] {
            let done = coax.run(&["run", option, "bad.coax"]);
            done.fails(2, words);
            done.fails(2, &["bad.coax:"]);
        }
    }
    assert_eq!(coax.ok(&["list"]), "", "nothing was started");
    coax.run(&["run", "none.coax"]).fails(2, &["none.coax"]);
    coax.run(&["run", "--check", "."]).fails(2, &["."]);
    // All mistakes at once.
    coax.write("two.coax", "dance\nkey Nope\nset\n");
    let two = coax.run(&["run", "--check", "two.coax"]);
    two.fails(2, &["two.coax:1:1", "two.coax:2:5", "two.coax:3:1"]);
}

#[test]
fn failures_are_one_json_object_with_a_kind() {
    let coax = Coax::new();
    coax.start("a", &["cat"]);
    coax.start("b", &["cat"]);
    coax.write("bad.coax", "dance\n");
    coax.write("fails.coax", "start -- cat\nexpect --timeout 0 never\n");
    let over = coax.start_sh("over", "exit 1");
    over.exit();
    let cases: [(&[&str], i32, &str); 11] = [
        (&["screen", "--json", "-s", "none"], 4, "no_session"),
        (&["screen", "--json", "-s", "a/b"], 2, "usage"),
        (&["send", "--json", "x"], 6, "ambiguous_session"),
        (
            &["expect", "--json", "-s", "a", "--timeout", "0", "x"],
            124,
            "timeout",
        ),
        (
            &["wait", "--json", "-s", "a", "--exit", "--timeout", "0"],
            124,
            "timeout",
        ),
        (&["expect", "--json", "-s", "a", "re:("], 2, "usage"),
        (&["send", "--json", "-s", "over", "x"], 3, "ended"),
        (
            &["start", "--json", "-s", "a", "--", "cat"],
            6,
            "name_taken",
        ),
        (
            &["start", "--json", "--", "no-such-program"],
            127,
            "not_found",
        ),
        (&["start", "--json", "--", "/"], 126, "cannot_run"),
        (&["key", "--json", "-s", "a", "Nope"], 2, "usage"),
    ];
    for (words, code, kind) in cases {
        let done = coax.run(words);
        assert_eq!(done.code, code, "{done}");
        assert_eq!(done.out.lines().count(), 1, "{done}");
        let answer = done.json();
        assert_eq!(
            (&answer["ok"], &answer["error"]["kind"]),
            (&false.into(), &kind.into()),
            "{done}"
        );
        assert!(
            !answer["error"]["message"].as_str().unwrap().is_empty(),
            "{done}"
        );
    }
    let mistakes = coax.run(&["run", "--json", "--check", "bad.coax"]);
    assert_eq!(
        (mistakes.code, &mistakes.json()["ok"]),
        (2, &false.into()),
        "{mistakes}"
    );
    let failure = coax.run(&["run", "--json", "fails.coax"]);
    assert_eq!(failure.code, 124, "{failure}");
    let last: serde_json::Value =
        serde_json::from_str(failure.out.lines().last().unwrap()).unwrap();
    assert_eq!(last["failure"]["error"]["kind"], "timeout", "{failure}");
}
