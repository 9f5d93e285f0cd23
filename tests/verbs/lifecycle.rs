//! Sessions: born, kept, lost, ended.

use crate::coax::Coax;

#[test]
fn a_session_outlives_the_commands_that_drive_it() {
    let coax = Coax::new();
    assert_eq!(coax.ok(&["start", "-s", "a", "--", "cat"]), "a\n");
    coax.ok(&["send", "-s", "a", "--enter", "hello there"]);
    coax.ok(&["expect", "-s", "a", "--echo", "hello there\nhello there"]);
    assert_eq!(
        coax.ok(&["screen", "-s", "a"]),
        "hello there\nhello there\n"
    );
    coax.ok(&["key", "-s", "a", "C-d"]);
    coax.ok(&["wait", "-s", "a", "--exit"]);
    assert_eq!(
        coax.ok(&["screen", "-s", "a"]),
        "hello there\nhello there\n"
    );
}

#[test]
fn start_says_why_a_program_cannot_be_run() {
    let coax = Coax::new();
    coax.run(&["start", "--", "no-such-program"])
        .fails(127, &["not found", "PATH"]);
    coax.run(&["start", "--", "./no-such-program"])
        .fails(127, &["no such file"]);
    coax.write("plain", "text");
    coax.run(&["start", "--", "./plain"])
        .fails(126, &["not executable"]);
    coax.run(&["start", "--", "/"]).fails(126, &["directory"]);
    coax.run(&["start", "--cwd", "nowhere", "--", "cat"])
        .fails(2, &["nowhere"]);
    assert_eq!(coax.ok(&["list"]), "", "nothing is left behind");
}

#[test]
fn the_programs_exit_code_is_passed_on() {
    let coax = Coax::new();
    coax.ok(&["start", "-s", "seven", "--", "sh", "-c", "exit 7"]);
    assert_eq!(coax.run(&["wait", "-s", "seven", "--exit"]).code, 7);
    let status = coax.json(&["status", "-s", "seven"]);
    assert_eq!(status["status"], "exited");
    assert_eq!(status["exit_code"], 7);
    coax.ok(&["start", "-s", "killed", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(coax.run(&["wait", "-s", "killed", "--exit"]).code, 137);
    assert_eq!(coax.json(&["status", "-s", "killed"])["signal"], 9);
}

#[test]
fn a_killed_host_is_noticed_at_once_and_its_program_is_gone_too() {
    let coax = Coax::new();
    let started = coax.json(&[
        "start",
        "-s",
        "a",
        "--",
        "sh",
        "-c",
        "trap '' HUP; echo up; exec sleep 1000",
    ]);
    coax.ok(&["expect", "-s", "a", "up"]);
    let (host, pid) = (
        started["host_pid"].as_u64().expect("a number"),
        started["pid"].as_u64().expect("a number"),
    );
    coax.sh(&format!("kill -9 {host}"));
    coax.gone(pid);
    coax.run(&["screen", "-s", "a"]).fails(5, &["gone"]);
    assert_eq!(coax.json(&["list"])["sessions"][0]["status"], "lost");
    assert_eq!(
        coax.json(&["start", "-s", "a", "--", "cat"])["replaced"],
        true
    );
    coax.ok(&["close", "-s", "a"]);
    assert_eq!(coax.ok(&["list"]), "");
}

#[test]
fn list_knows_of_an_end_that_wait_has_told() {
    let coax = Coax::new();
    for round in 0..30 {
        coax.ok(&["start", "-s", "a", "--", "sh", "-c", "exit 7"]);
        assert_eq!(coax.run(&["wait", "-s", "a", "--exit"]).code, 7);
        let listed = coax.ok(&["list"]);
        assert!(listed.contains("exited 7"), "round {round}: {listed}");
        coax.ok(&["close", "-s", "a"]);
    }
}
