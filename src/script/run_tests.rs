use crate::verb::Ended;

use super::super::fixture::{Next, World};
use super::*;

fn failure(outcome: &Outcome) -> &Failure {
    match &outcome.trouble {
        Some(Trouble::Failure(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

/// The exit code of `script` while the program does `next`, and what happened.
fn run(script: &str, next: impl IntoIterator<Item = Next>) -> (u8, Vec<String>) {
    let (outcome, log) = World::new(next).run(script);
    (outcome.exit.0, log)
}

#[test]
fn lines_go_to_the_session_started_last_and_it_ends_with_the_script() {
    let (exit, log) = run(
        "start -s a -- x\nsend one\nstart -- y\nsend two\nsend -s a three\nsession a; send four",
        [],
    );
    assert_eq!(exit, 0);
    assert_eq!(
        log,
        [
            "start a",
            "a: send one",
            "start s2",
            "s2: send two",
            "a: send three",
            "a: send four",
            "s2: close",
            "a: close"
        ]
    );
}

#[test]
fn a_closed_session_gives_way_to_the_one_before() {
    let (_, log) = run("start -s a -- x\nstart -s b -- x\nclose\nsend one", []);
    assert_eq!(log[2..], ["b: close", "a: send one", "a: close"]);
}

#[test]
fn a_detached_session_stays() {
    let (_, log) = run("start -s a --detach -- x\nsend one", []);
    assert_eq!(log, ["start a", "a: send one"]);
}

#[test]
fn without_a_session_of_its_own_a_script_leaves_the_choice_to_the_driver() {
    let (_, log) = run("send one", []);
    assert_eq!(log, ["-: send one"]);
}

#[test]
fn a_match_leads_to_its_arm_and_again_waits_once_more() {
    let script = r#"
        start -s a -- x
        expect --timeout 5s {
          "Overwrite?" "Sure?" => send --enter y; again
          re:"version (\d+)"   => set major $1
        }
        echo "got $major $0"
    "#;
    let next = [
        Next::Matches(1, &["Sure?"]),
        Next::Matches(0, &["Overwrite?"]),
        Next::Matches(2, &["version 7", "7"]),
    ];
    let (exit, log) = run(script, next);
    assert_eq!(exit, 0);
    let wait = "a: expect Overwrite?|Sure?|re:version (\\d+) (5 s)";
    assert_eq!(
        log[1..],
        [
            wait,
            "a: send y",
            wait,
            "a: send y",
            wait,
            "said got 7 version 7",
            "a: close"
        ]
    );
}

#[test]
fn the_end_and_the_limit_have_arms() {
    let script = "expect {\n x\n eof => echo ended\n timeout => echo late; again\n}\necho on";
    let (exit, log) = run(script, [Next::Hangs, Next::Ends]);
    assert_eq!(exit, 0);
    assert_eq!(
        log,
        [
            "-: expect x (30 s)",
            "said late",
            "-: expect x (30 s)",
            "said ended",
            "said on"
        ]
    );
}

#[test]
fn what_no_arm_catches_fails_the_script() {
    assert_eq!(run("expect {\n x\n eof\n}", [Next::Hangs]).0, 124);
    assert_eq!(run("expect {\n x\n timeout\n}", [Next::Ends]).0, 3);
    assert_eq!(
        run("expect {\n x\n timeout\n eof\n}", [Next::HostGone]).0,
        5
    );
}

#[test]
fn blocks_nest_and_again_is_about_the_innermost() {
    let script = "expect {\n x => {\n  expect {\n   y => again\n   z => echo inner\n  }\n  echo outer\n }\n}";
    let next = [0, 0, 1].map(|index| Next::Matches(index, &[]));
    let (_, log) = run(script, next);
    assert_eq!(
        log,
        [
            "-: expect x (30 s)",
            "-: expect y|z (30 s)",
            "-: expect y|z (30 s)",
            "said inner",
            "said outer"
        ]
    );
}

#[test]
fn a_failure_names_file_line_and_command_and_shows_the_screen() {
    let (outcome, log) = World::new([Next::Hangs])
        .run("start -s a -- x\n  expect $HOME \"Password:\" # wait\nsend never");
    let failure = failure(&outcome);
    assert_eq!(
        failure.to_string(),
        "t.coax:2: expect $HOME \"Password:\": no match within 30 s\n| login: |"
    );
    assert_eq!(failure.place, Place { line: 2, column: 3 });
    let json = serde_json::to_value(failure).expect("serializes");
    assert_eq!(json["line"], 2);
    assert_eq!(json["exit_code"], 124);
    assert_eq!(json["error"]["kind"], "timeout");
    assert_eq!(log[2..], ["a: stop", "a: close"]);
}

#[test]
fn exit_and_fail_end_the_script() {
    assert_eq!(run("exit 7\necho x", []), (7, vec![]));
    assert_eq!(run("exit", []).0, 0);
    assert_eq!(run("fail no luck", []).0, 1);
    let (outcome, log) = World::new([]).run("start -s a -- x\nexpect {\n x => exit 3\n}\necho on");
    assert_eq!((outcome.exit.0, &outcome.trouble), (3, &None));
    assert_eq!(log[2..], ["a: stop", "a: close"]);
}

#[test]
fn the_code_of_the_program_is_the_code_of_the_script_unless_asserted() {
    assert_eq!(
        run("wait --exit\necho on", [Next::Exits(7)]),
        (7, vec!["-: wait (30 s)".into()])
    );
    assert_eq!(run("wait --exit", [Next::Killed(9)]).0, 137);
    assert_eq!(run("wait --exit; assert exit 7", [Next::Exits(7)]).0, 0);
    assert_eq!(run("wait --exit; assert exit 0", [Next::Exits(7)]).0, 1);
    assert_eq!(run("wait --exit; assert exit 7", [Next::Exits(0)]).0, 1);
    assert_eq!(
        run("wait --exit\necho $status", [Next::Exits(0)]).1[1],
        "said 0"
    );
    assert_eq!(run("assert exit 0", []).0, 2);
}

#[test]
fn the_timeout_that_is_set_is_the_limit_of_steps_without_one() {
    let (_, log) = run(
        "set timeout 2s\nexpect a\nexpect --timeout 3s b\nset timeout none\nexpect c",
        [],
    );
    assert_eq!(
        log,
        [
            "-: expect a (2 s)",
            "-: expect b (3 s)",
            "-: expect c (30 min)"
        ]
    );
}

#[test]
fn the_deadline_cuts_each_step_and_ends_the_script() {
    let script = "set deadline 1m\nexpect {\n a\n timeout => again\n}";
    let (outcome, log) = World::new([Next::Hangs, Next::Hangs, Next::Hangs]).run(script);
    assert_eq!(log, ["-: expect a (30 s)", "-: expect a (30 s)"]);
    let failed = failure(&outcome);
    assert_eq!((outcome.exit.0, failed.place.line), (124, 2));
    assert!(
        failed.to_string().contains("deadline of 1 min has passed"),
        "{failed}"
    );

    let script = "set deadline 45s\nexpect {\n a\n timeout => again\n}";
    let (outcome, log) = World::new([Next::Hangs, Next::Hangs]).run(script);
    assert_eq!(log[1], "-: expect a (15 s)");
    assert!(failure(&outcome).to_string().contains("| login: |"));

    let (outcome, log) = World::new([]).run("set deadline 1s\nsleep 5\necho on");
    assert_eq!((outcome.exit.0, log), (124, vec![]));
}

#[test]
fn replies_of_verbs_that_look_are_shown_and_others_with_json() {
    let (_, log) = run("screen\nsend x\nsend --json \"$HOME\"", []);
    assert_eq!(
        log,
        [
            "-: screen",
            "said the reply of screen",
            "-: send x",
            "-: send /home",
            "said the reply of send --json /home"
        ]
    );
}

#[test]
fn an_assertion_about_the_screen_fails_with_1() {
    assert_eq!(
        run("assert screen x", [Next::Matches(0, &[])]),
        (0, vec!["-: expect x (0 ms)".into()])
    );
    let (outcome, _) = World::new([Next::Hangs]).run("assert screen \"a b\"");
    assert_eq!(outcome.exit.0, 1);
    assert!(
        failure(&outcome)
            .to_string()
            .contains("does not show \"a b\"")
    );
}

#[test]
fn a_capture_that_is_not_there_fails_where_it_stands() {
    let (outcome, _) = World::new([]).run("expect x\nsend \"no $3\"");
    let failed = failure(&outcome);
    assert_eq!(
        (outcome.exit.0, failed.place),
        (
            2,
            Place {
                line: 2,
                column: 10
            }
        )
    );
}

#[test]
fn a_script_with_mistakes_starts_nothing() {
    let (outcome, log) = World::new([]).run("start -s a -- x\nsned y\nsend 'z\n");
    assert_eq!((outcome.exit.0, log), (2, vec![]));
    assert!(matches!(outcome.trouble, Some(Trouble::Mistakes(mistakes)) if mistakes.len() == 2));
}

#[test]
fn what_should_not_match_and_does_fails_with_1() {
    let (outcome, _) = World::new([Next::Unwanted]).run("expect x");
    assert_eq!(outcome.exit.0, 1);
    assert!(
        failure(&outcome)
            .to_string()
            .contains("should not be there: \"oops\"")
    );
}

#[test]
fn a_process_that_cannot_be_ended_is_named() {
    let mut world = World::new([]);
    world.left = vec![Ended {
        pid: 7,
        command: "sudo x".to_owned(),
    }];
    let (outcome, _) = world.run("start -s a -- x\nstop");
    assert_eq!(outcome.exit.0, 1);
    assert!(failure(&outcome).to_string().contains("left: 7 (sudo x)"));
    let (outcome, _) = world.run("start -s a -- x\nexit 3");
    assert_eq!((outcome.exit.0, outcome.cleanup.len()), (3, 1));
}

#[test]
fn a_signal_ends_the_script_and_its_sessions() {
    let world = World::new([Next::Hangs]);
    world.signal.set(Some(15));
    let (outcome, log) = world.run("start -s a -- x\nexpect {\n x\n timeout => echo late\n}");
    assert_eq!((outcome.exit.0, log), (143, vec![]));
}

#[test]
fn what_goes_wrong_while_cleaning_up_does_not_hide_the_failure() {
    let mut world = World::new([Next::Ends]);
    world.fail_close = true;
    let (outcome, log) = world.run("start -s a -- x\nstart -s b -- x\nexpect x");
    assert_eq!(outcome.exit.0, 3);
    assert_eq!(outcome.cleanup.len(), 2);
    assert_eq!(log[3..], ["b: stop", "a: stop"]);
}
