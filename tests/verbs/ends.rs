//! How programs end, and that nothing of what they printed is lost.

use crate::coax::Coax;

/// Prints 10 MB of lines and then asks.
const MUCH: &str =
    "yes 0123456789abcdef | head -c 10000000; printf '\\nready? '; read a; echo \"got $a\"";

#[test]
fn a_program_that_prints_ten_megabytes_and_then_asks() {
    let coax = Coax::new();
    let much = coax.start_sh("a", MUCH);
    much.expect("ready? ");
    much.enter("yes");
    much.expect("got yes");
    assert_eq!(much.exit(), 0);
    let status = much.status();
    // 588,235 lines and two more each gained a carriage return.
    assert!(status["offset"].as_u64().unwrap() > 10_588_000, "{status}");
    assert!(status["dropped"].as_u64().unwrap() > 8_000_000, "{status}");
    assert!(
        much.screen().ends_with("\nready? yes\ngot yes\n"),
        "{}",
        much.screen()
    );
}

#[test]
fn ten_megabytes_and_a_question_in_a_script() {
    let coax = Coax::new();
    coax.write("much", MUCH);
    let done = coax.script(
        "start -- sh much\nexpect 'ready? '\nsend --enter yes\nexpect 'got yes'\nwait --exit\n",
    );
    assert_eq!(done.code, 0, "{done}");
}

#[test]
fn a_program_that_exits_with_7() {
    let coax = Coax::new();
    let seven = coax.start_sh("a", "echo leaving; exit 7");
    seven.expect("leaving");
    assert_eq!(seven.exit(), 7);
    let status = seven.status();
    assert_eq!(
        (&status["status"], &status["exit_code"], &status["state"]),
        (&"exited".into(), &7.into(), &"stopped".into())
    );
    let done = coax.script("start -- sh -c 'echo leaving; exit 7'\nexpect leaving\nwait --exit\n");
    done.fails(7, &["script.coax:3: wait --exit", "7"]);
    let done = coax.script("start -- sh -c 'exit 7'\nwait --exit\nassert exit 7\necho $status\n");
    assert_eq!((done.code, done.out.as_str()), (0, "7\n"), "{done}");
}

#[test]
fn a_program_that_is_ended_by_a_signal() {
    let coax = Coax::new();
    let killed = coax.start("a", &["cat"]);
    killed.ok("signal", &["TERM"]);
    assert_eq!(killed.exit(), 143);
    let status = killed.status();
    assert_eq!(
        (&status["status"], &status["signal"]),
        (&"killed".into(), &15.into())
    );
    let done = coax.script("start -- cat\nsignal KILL\nwait --exit\nassert exit 137\n");
    assert_eq!(done.code, 0, "{done}");
}

#[test]
fn the_last_line_of_a_program_that_ends_at_once_is_never_lost() {
    let coax = Coax::new();
    for round in 1..=200 {
        let line = format!("the last line, round {round}");
        let program = ["sh", "-c", "printf '%s' \"$1\"; exit 5", "sh", &line];
        let last = coax.start("a", &program);
        last.ok("expect", &["--timeout", "20", "--", &line]);
        assert_eq!(last.exit(), 5);
        let piped = coax.run(&[&["run", "--"], &program[..]].concat());
        assert_eq!(
            (piped.code, piped.out.as_str()),
            (5, line.as_str()),
            "{piped}"
        );
    }
}

#[test]
fn a_program_may_close_its_terminal_and_open_it_again() {
    let coax = Coax::new();
    coax.sh("mkfifo gate");
    let program = coax.start_sh(
        "a",
        "echo one; exec <&- >&- 2>&-; read x <gate; exec >/dev/tty; echo two; exit 3",
    );
    program.expect("one\n");
    // The gate opens when the program has closed its terminal and reads there.
    coax.sh("timeout 20 sh -c 'echo >gate'");
    program.expect("two\n");
    assert_eq!(program.exit(), 3);
    assert_eq!(program.status()["drained"], true);
}

#[test]
fn a_program_that_closes_its_terminal_before_it_ends_is_not_hung_up() {
    let coax = Coax::new();
    // cat closes its descriptors one by one before it exits.
    for _ in 0..60 {
        let cat = coax.start("a", &["cat"]);
        cat.key(&["C-d"]);
        assert_eq!(cat.exit(), 0);
    }
}

#[test]
fn what_was_printed_can_be_read_after_the_end() {
    let coax = Coax::new();
    let over = coax.start_sh("a", "printf 'one\\ntwo\\n'");
    assert_eq!(over.exit(), 0);
    assert_eq!(over.screen(), "one\ntwo\n");
    assert_eq!(over.ok("read", &["--plain"]), "one\ntwo\n");
    over.expect("two");
    over.run("expect", &["three"])
        .fails(3, &["\"three\"", "has exited with code 0"]);
    for wait in [
        &["--settle", "1h"][..],
        &["--idle", "1h"],
        &["--change", "999999"],
        &[],
    ] {
        assert_eq!(over.json("wait", wait)["evidence"], "exited", "{wait:?}");
    }
    over.run("send", &["more"])
        .fails(3, &["has exited with code 0"]);
    over.run("key", &["Enter"]).fails(3, &["has exited"]);
    over.run("signal", &["INT"]).fails(3, &["has exited"]);
    over.run("resize", &["--rows", "10"])
        .fails(3, &["has exited"]);
    over.ok("stop", &[]);
    over.ok("close", &[]);
    over.run("screen", &[]).fails(4, &["no session a"]);
}
