//! The end by `stop` and by the program itself: who is asked, who is killed, who stays.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::coax::{Coax, lives, until};
use crate::needs;

/// The commands in a list of processes, in the order of the alphabet.
fn commands(listed: &Value) -> Vec<String> {
    let command = |process: &Value| process["command"].as_str().unwrap().to_owned();
    let mut commands: Vec<String> = listed.as_array().unwrap().iter().map(command).collect();
    commands.sort();
    commands
}

/// Asserts that no process of the test is there: stop says so only when they have ended.
fn nothing_is_left(coax: &Coax) {
    assert_eq!(coax.processes(), [0_u64; 0]);
}

#[test]
fn stop_asks_first_and_tells_what_ended() {
    let coax = Coax::new();
    let polite = coax.start_sh(
        "a",
        "trap 'echo bye; exit 5' TERM HUP; echo up; while :; do sleep 1001 & wait; done",
    );
    polite.expect("up");
    let stopped = polite.json("stop", &[]);
    assert_eq!(
        (&stopped["status"], &stopped["exit_code"]),
        (&"exited".into(), &5.into()),
        "{stopped}"
    );
    let ended = commands(&stopped["ended"]);
    assert!(
        ended.contains(&"sleep 1001".to_owned())
            && ended
                .iter()
                .any(|command| command.starts_with("sh -c trap")),
        "{ended:?}"
    );
    assert_eq!(stopped["left"], serde_json::json!([]));
    assert_eq!(polite.screen(), "up\nbye\n");
    nothing_is_left(&coax);
    // Again is no mistake.
    assert_eq!(polite.json("stop", &[])["exit_code"], 5);
}

#[test]
fn hup_is_sent_as_well_because_shells_ignore_term() {
    needs!("bash");
    let coax = Coax::new();
    let bash = coax.start_with(
        "a",
        &["--env", "PS1=$ "],
        &["bash", "--norc", "--noprofile", "-i"],
    );
    bash.expect("$ ");
    let began = Instant::now();
    let stopped = bash.json("stop", &["--grace", "20s"]);
    assert!(began.elapsed() < Duration::from_secs(15), "{stopped}");
    assert_eq!(stopped["signal"], 1, "{stopped}");
}

#[test]
fn what_ignores_both_is_killed_after_the_grace() {
    let coax = Coax::new();
    let deaf = coax.start_sh("a", "trap '' TERM HUP; echo up; sleep 1002; echo never");
    deaf.expect("up");
    let began = Instant::now();
    let stopped = deaf.json("stop", &["--grace", "300ms"]);
    assert!(began.elapsed() >= Duration::from_millis(300), "{stopped}");
    assert_eq!(
        (&stopped["status"], &stopped["signal"]),
        (&"killed".into(), &9.into()),
        "{stopped}"
    );
    nothing_is_left(&coax);
    let deaf = coax.start_sh("b", "trap '' TERM HUP; echo up; exec sleep 1002");
    deaf.expect("up");
    let began = Instant::now();
    deaf.ok("stop", &[]);
    let took = began.elapsed();
    assert!(
        took >= Duration::from_secs(2) && took < Duration::from_secs(10),
        "{took:?}"
    );
}

#[test]
fn a_stopped_program_is_woken_to_hear_of_its_end() {
    let coax = Coax::new();
    let asleep = coax.start_sh(
        "a",
        "trap 'exit 6' TERM HUP; echo up; kill -STOP $$; exit 1",
    );
    asleep.expect("up");
    until("it is stopped", || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", asleep.number("pid")))
            .unwrap_or_default();
        stat.contains(") T ")
    });
    assert_eq!(asleep.json("stop", &["--grace", "20s"])["exit_code"], 6);
}

#[test]
fn stop_ends_other_groups_and_other_sessions_too() {
    needs!("bash", "setsid");
    let coax = Coax::new();
    let line = "set -m; sleep 1003 & sleep 1004 & setsid sleep 1005 </dev/null >/dev/null 2>&1 & \
                (setsid sh -c 'trap \"\" TERM HUP; sleep 1006' &) ; echo up; wait";
    let many = coax.start("a", &["bash", "-c", line]);
    many.expect("up");
    // Each has become what it is to be: before, it is a shell, or setsid.
    let runs = |number: i32| {
        let line = format!("sleep\0{number}\0");
        let command = |pid| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        coax.processes()
            .iter()
            .any(|pid| command(*pid) == line.as_bytes())
    };
    until("all are there", || (1003..=1006).all(runs));
    let stopped = many.json("stop", &["--grace", "300ms"]);
    let ended = commands(&stopped["ended"]);
    for number in 1003..=1006 {
        assert!(
            ended.contains(&format!("sleep {number}")),
            "{number} in {ended:?}"
        );
    }
    assert_eq!(stopped["left"], serde_json::json!([]));
    nothing_is_left(&coax);
}

/// A line of sh that does something in a process session of its own, and says in a file that it is.
fn daemon(line: &str) -> String {
    format!("setsid sh -c '>up; {line}'")
}

/// Waits for the daemon to be one.
const UP: &str = "until [ -e up ]; do :; done";

#[test]
fn a_daemon_stays_when_the_program_ends_by_itself() {
    needs!("setsid");
    let coax = Coax::new();
    let line = format!(
        "sleep 1008 & {} </dev/null >/dev/null 2>&1 & {UP}; exit 0",
        daemon("exec sleep 1007")
    );
    let program = coax.start_sh("a", &line);
    assert_eq!(program.exit(), 0);
    until("what was on the terminal has ended", || {
        coax.processes().len() == 1
    });
    let daemon = coax.processes()[0];
    let closed = program.json("close", &[]);
    assert!(lives(daemon), "{closed}");
    coax.gone(program.number("host_pid"));
    assert!(lives(daemon));
    coax.sh(&format!("kill -9 {daemon}"));
}

#[test]
fn stop_after_the_end_finds_the_daemon() {
    needs!("setsid");
    let coax = Coax::new();
    let line = format!(
        "{} </dev/null >/dev/null 2>&1 & {UP}; exit 4",
        daemon("exec sleep 1009")
    );
    let program = coax.start_sh("a", &line);
    assert_eq!(program.exit(), 4);
    assert_eq!(coax.processes().len(), 1);
    let stopped = program.json("stop", &[]);
    assert_eq!(commands(&stopped["ended"]), ["sleep 1009"], "{stopped}");
    assert_eq!(stopped["exit_code"], 4);
    nothing_is_left(&coax);
}

#[test]
fn a_grandchild_that_holds_the_terminal_does_not_hold_up_the_end() {
    needs!("setsid");
    let coax = Coax::new();
    // In a session of its own, so that nothing ends it, with the terminal open.
    let line = format!(
        "{} & {UP}; exit 0",
        daemon("trap \"\" HUP TERM; echo held; exec sleep 1010")
    );
    let program = coax.start_sh("a", &line);
    let began = Instant::now();
    program.expect("held");
    assert_eq!(program.exit(), 0);
    assert!(began.elapsed() < Duration::from_secs(10));
    let status = program.status();
    assert_eq!(
        (&status["drained"], &status["status"]),
        (&false.into(), &"exited".into()),
        "{status}"
    );
    program
        .run("expect", &["--timeout", "20s", "never"])
        .fails(3, &["has exited with code 0"]);
    program.ok("stop", &["--grace", "100ms"]);
    nothing_is_left(&coax);
}

#[test]
fn what_a_program_leaves_on_its_terminal_ends_with_it() {
    let coax = Coax::new();
    let program = coax.start_sh(
        "a",
        "(trap '' HUP TERM; sleep 1011) & (sleep 1012) & echo started; exit 0",
    );
    program.expect("started");
    let began = Instant::now();
    assert_eq!(program.exit(), 0);
    assert!(began.elapsed() < Duration::from_secs(10));
    // Asked at once, killed after 2 s.
    until("they have ended", || coax.processes().is_empty());
}

#[test]
fn nothing_is_left_by_close_and_by_a_host_that_is_asked_to_end() {
    let coax = Coax::new();
    let program = coax.start_sh("a", "sleep 1013 & echo up; wait");
    program.expect("up");
    program.ok("close", &[]);
    nothing_is_left(&coax);
    let program = coax.start_sh("b", "sleep 1014 & echo up; wait");
    program.expect("up");
    coax.sh(&format!("kill -TERM {}", program.number("host_pid")));
    coax.gone(program.number("host_pid"));
    nothing_is_left(&coax);
    assert_eq!(coax.ok(&["list"]), "");
}

#[test]
fn grace_is_a_duration() {
    let coax = Coax::new();
    coax.start("a", &["cat"]);
    coax.run(&["stop", "-s", "a", "--grace", "soon"])
        .fails(2, &["soon", "250ms"]);
    assert_eq!(
        coax.json(&["stop", "-s", "a", "--grace", "0"])["status"],
        "killed"
    );
}
