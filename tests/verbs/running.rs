//! `run`: a terminal for a program that wants one, and scripts.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use crate::coax::{Coax, Done, until};

impl Coax {
    /// Runs a program on a terminal with that on standard input.
    fn fed(&self, input: &[u8], argv: &[&str]) -> Done {
        let words = [&["run", "--"], argv].concat();
        let mut child = self
            .command(&words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let feeds = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().expect("it ends");
        // A program that does not read to the end is no mistake.
        let _ = feeds.join();
        Done::of(&output, words.join(" "))
    }
}

#[test]
fn the_exit_code_and_the_output_are_the_programs() {
    let coax = Coax::new();
    for code in [0, 1, 7, 124, 255] {
        let done = coax.run(&[
            "run",
            "--",
            "sh",
            "-c",
            &format!("echo out; echo err >&2; exit {code}"),
        ]);
        assert_eq!(
            (done.code, done.out.as_str()),
            (code, "out\r\nerr\r\n"),
            "{done}"
        );
        assert_eq!(
            done.err.contains("the program itself exited with code 124"),
            code == 124,
            "{done}"
        );
    }
    for signal in [1, 2, 9, 11, 15] {
        let done = coax.run(&["run", "--", "sh", "-c", &format!("kill -{signal} $$")]);
        assert_eq!(done.code, 128 + signal, "{done}");
    }
    let tty = coax.run(&[
        "run",
        "--",
        "sh",
        "-c",
        "test -t 0 && test -t 1 && test -t 2 && stty size",
    ]);
    assert_eq!((tty.code, tty.out.as_str()), (0, "24 80\r\n"), "{tty}");
    assert_eq!(coax.ok(&["list"]), "", "it is no session");
}

#[test]
fn ten_megabytes_pass_whole_and_in_order() {
    let coax = Coax::new();
    let done = coax.run(&["run", "--", "sh", "-c", "stty raw; seq 1500000"]);
    assert_eq!(done.code, 0);
    let wanted: String = (1..=1_500_000)
        .map(|number| format!("{number}\n"))
        .collect();
    assert!(
        wanted.len() > 10_000_000 && done.out == wanted,
        "{} bytes",
        done.out.len()
    );
}

#[test]
fn standard_input_is_typed_and_ends() {
    let coax = Coax::new();
    // With and without a newline at its end, and nothing at all.
    let cat = ["sh", "-c", "stty -echo; echo ready; cat | od -An -c"];
    assert_eq!(
        coax.fed(b"", &["sh", "-c", "echo not waiting"]).out,
        "not waiting\r\n"
    );
    let whole = coax.fed(b"one\ntwo\n", &cat);
    assert!(
        whole.code == 0 && whole.out.contains("o   n   e  \\n   t   w   o  \\n"),
        "{whole}"
    );
    let cut = coax.fed(b"one\ntwo", &cat);
    assert!(
        cut.code == 0 && cut.out.trim_end().ends_with("t   w   o"),
        "{cut}"
    );
    let long: String = (0..20_000).map(|line| format!("line {line}\n")).collect();
    let much = coax.fed(long.as_bytes(), &["sh", "-c", "stty -echo; wc -lc"]);
    // What was typed before `stty` is echoed, up to the middle of a line.
    assert!(
        much.out
            .trim_end()
            .ends_with(&format!(" 20000  {}", long.len())),
        "{}",
        much.out
    );
    // A program that does not read it, and one that reads a part.
    assert_eq!(coax.fed(long.as_bytes(), &["true"]).code, 0);
    let part = coax.fed(
        b"first\nsecond\n",
        &["sh", "-c", "stty -echo; read a; echo \"<$a>\""],
    );
    assert!(part.out.contains("<first>"), "{part}");
    // Without input nothing is typed: `read` waits, and the limit ends it.
    let none = coax.run(&[
        "run",
        "--timeout",
        "300ms",
        "--",
        "sh",
        "-c",
        "read x; echo read",
    ]);
    none.fails(124, &["did not end within 300 ms", "--timeout"]);
    assert!(!none.out.contains("read\r\n"), "{none}");
}

#[test]
fn a_limit_ends_the_program_and_all_that_it_started() {
    let coax = Coax::new();
    let done = coax.run(&[
        "run",
        "--timeout",
        "300ms",
        "--",
        "sh",
        "-c",
        "echo started; sleep 2001 & sleep 2002; echo never",
    ]);
    done.fails(124, &["300 ms"]);
    assert_eq!(done.out, "started\r\n");
    assert_eq!(coax.processes(), [0_u64; 0]);
}

/// Starts `coax run` and reads what it prints until there is that line.
fn running(coax: &Coax, words: &[&str], line: &str) -> (Child, BufReader<impl Read + use<>>) {
    let mut child = coax
        .command(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut read = String::new();
    while !read.contains(line) {
        read.clear();
        assert_ne!(reader.read_line(&mut read).unwrap(), 0, "{line} never came");
    }
    (child, reader)
}

/// The exit code of a process, as a shell tells it.
fn code(child: &mut Child) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    let status = child.wait().expect("it ends");
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap())
}

#[test]
fn signals_go_to_the_program_and_end_the_run() {
    let coax = Coax::new();
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let line = format!(
            "trap 'echo got {name}; exit 9' {name}; echo up; while :; do sleep 2003 & wait; done"
        );
        let (mut child, mut rest) = running(&coax, &["run", "--", "sh", "-c", &line], "up");
        coax.sh(&format!("kill -{name} {}", child.id()));
        let mut said = String::new();
        rest.read_to_string(&mut said).unwrap();
        assert!(said.contains(&format!("got {name}")), "{said}");
        assert_eq!(code(&mut child), 128 + number);
        until("nothing is left", || coax.processes().is_empty());
    }
    // One that does not listen is ended after the grace.
    let (mut child, _rest) = running(
        &coax,
        &[
            "run",
            "--",
            "sh",
            "-c",
            "trap '' TERM HUP; echo up; sleep 2004; sleep 2005",
        ],
        "up",
    );
    coax.sh(&format!("kill -TERM {}", child.id()));
    assert_eq!(code(&mut child), 143);
    until("nothing is left", || coax.processes().is_empty());
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let coax = Coax::new();
    let out =
        coax.sh("\"$COAX\" run -- sh -c 'while :; do echo yes; done' 2>err | head -n 2; cat err");
    assert_eq!(out, "yes\r\nyes\r\n");
    until("nothing is left", || coax.processes().is_empty());
}

#[test]
fn queries_are_answered_and_cut_from_what_is_passed_on() {
    let coax = Coax::new();
    let ask = "stty raw -echo min 0 time 50; printf 'before\\033[6nafter\\033[c'; head -c 6 | od -An -tx1";
    let done = coax.run(&["run", "--", "sh", "-c", ask]);
    assert_eq!(done.code, 0, "{done}");
    assert!(done.out.starts_with("beforeafter"), "{done}");
    assert!(done.out.contains("1b 5b 31 3b 37 52"), "{done}");
}

#[test]
fn the_size_may_be_chosen_and_the_environment_too() {
    let coax = Coax::new().env("COLUMNS", "17").env("LINES", "4");
    let done = coax.run(&[
        "run",
        "--rows",
        "50",
        "--cols",
        "132",
        "--env",
        "A=b c",
        "--cwd",
        "/",
        "--",
        "sh",
        "-c",
        "stty size; pwd; echo $A $TERM; env | grep -c '^COLUMNS='",
    ]);
    assert_eq!(
        done.out, "50 132\r\n/\r\nb c xterm-256color\r\n0\r\n",
        "{done}"
    );
}

#[test]
fn a_script_ends_with_the_code_of_what_failed() {
    let coax = Coax::new();
    let cases = [
        ("start -- cat\nsend --enter hi\nexpect hi\n", 0),
        ("exit 42\n", 42),
        ("fail \"no reason\"\n", 1),
        ("start -- cat\nassert screen nothing\n", 1),
        ("start -- cat\nexpect --not --timeout 20s x { }\n", 2),
        ("start -- sh -c 'echo x'\nexpect --not x\n", 1),
        ("start -- sh -c 'exit 0'\nexpect never\n", 3),
        ("send -s none x\n", 4),
        ("start -- cat\nsend \"\\x03\"\n", 6),
        ("start -- cat\nexpect --timeout 100ms never\n", 124),
        ("set timeout 100ms\nstart -- cat\nexpect never\n", 124),
        (
            "set deadline 200ms\nstart -- cat\nexpect --timeout none never\n",
            124,
        ),
        ("start -- /\n", 126),
        ("start -- no-such-program\n", 127),
        ("start -- sh -c 'exit 9'\nwait --exit\n", 9),
        ("start -- sh -c 'kill -9 $$'\nwait --exit\n", 137),
        ("start -- sh -c 'exit 9'\nwait --exit\nassert exit 8\n", 1),
    ];
    for (script, code) in cases {
        let done = coax.script(script);
        assert_eq!(done.code, code, "{script}{done}");
        assert!(
            code == 0 || code == 42 || done.err.contains("script.coax:"),
            "{script}{done}"
        );
        assert_eq!(coax.ok(&["list"]), "", "{script}");
        assert_eq!(coax.processes(), [0_u64; 0], "{script}");
    }
}

#[test]
fn a_failure_names_its_line_and_shows_the_screen() {
    let coax = Coax::new();
    let done = coax.script("start -- sh -c 'echo Overwrite it?; cat'\n\n# a comment\nexpect --timeout 300ms Override\n");
    done.fails(
        124,
        &[
            "script.coax:4: expect --timeout 300ms Override: no match",
            "| Overwrite it?",
            "hint:",
        ],
    );
    let done = coax.script(
        "start -- cat\nexpect --timeout 0 {\n  nothing\n  timeout => fail \"no answer\"\n}\n",
    );
    done.fails(1, &["script.coax:4: no answer"]);
}

#[test]
fn a_script_that_is_interrupted_ends_its_sessions() {
    let coax = Coax::new();
    coax.write("long.coax", "start -s a -- sh -c 'trap \"\" HUP; echo up; sleep 2006'\nexpect up\necho going\nexpect --timeout none never\n");
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let (mut child, _rest) = running(&coax, &["run", "long.coax"], "going");
        coax.sh(&format!("kill -{name} {}", child.id()));
        assert_eq!(code(&mut child), 128 + number, "{name}");
        assert_eq!(coax.ok(&["list"]), "");
        assert_eq!(coax.processes(), [0_u64; 0]);
    }
}

#[test]
fn a_detached_session_outlives_the_script() {
    let coax = Coax::new();
    let done =
        coax.script("start -s stays --detach -- cat\nstart -s goes -- cat\nfail on purpose\n");
    assert_eq!(done.code, 1, "{done}");
    assert!(coax.ok(&["list"]).starts_with("stays "));
    coax.ok(&["send", "--enter", "still here"]);
    coax.ok(&["expect", "still here"]);
}

#[test]
fn a_script_can_be_a_program() {
    let coax = Coax::new();
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_coax"));
    coax.write("say", "#!/usr/bin/env -S coax run\nstart -- sh -c 'read a; echo \"<$a>\"'\nsend --enter $WORD\nexpect re:\"<.*>\"\necho $0\n");
    coax.sh("chmod +x say");
    let mut command = Command::new("./say");
    coax.surround(&mut command);
    let path = format!(
        "{}:{}",
        binary.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let output = command
        .env("PATH", path)
        .env("WORD", "hello there")
        .output()
        .expect("it runs");
    let done = Done::of(&output, "./say".to_owned());
    assert_eq!(
        (done.code, done.out.as_str()),
        (0, "<hello there>\n"),
        "{done}"
    );
}

#[test]
fn a_script_is_checked_without_being_run() {
    let coax = Coax::new();
    coax.write("good.coax", "start -- sh -c '>made'\nset x 1\nexpect re:\"(?<who>a+)\" --timeout $x\nsend --file $who\nwait --exit\n");
    let done = coax.run(&["run", "--check", "good.coax"]);
    assert_eq!(done.code, 0, "{done}");
    assert!(!coax.work().join("made").exists());
    assert_eq!(coax.ok(&["list"]), "");
}

#[test]
fn the_screen_of_a_program_is_one_command() {
    let coax = Coax::new();
    let line = "printf 'one\\033[3;5Hthree'; read x";
    assert_eq!(
        coax.ok(&["screen", "--", "sh", "-c", line]),
        "one\n\n    three\n"
    );
    assert_eq!(
        coax.ok(&["screen", "--size", "2x10", "--", "stty", "size"]),
        "2 10\n"
    );
    assert_eq!(coax.processes(), [0_u64; 0]);
    assert_eq!(coax.ok(&["list"]), "");
}

#[test]
fn a_caller_that_ignores_its_children_is_no_hindrance() {
    let coax = Coax::new();
    let line = "trap '' CHLD; \"$COAX\" run -- sh -c 'echo ran'; \"$COAX\" start -s a -- cat; \"$COAX\" close -s a";
    assert_eq!(coax.sh(line), "ran\r\na\n");
}

#[test]
fn a_reader_that_stalls_does_not_stop_the_clock() {
    let coax = Coax::new();
    // The reader waits for run to have ended, which it only can if it does not wait for the reader.
    let line = "mkfifo done; { \"$COAX\" run --timeout 300ms -- yes; echo $? >code; : >done; } | \
                { : <done; cat >/dev/null; }; cat code";
    assert_eq!(coax.sh(line), "124\n");
}
