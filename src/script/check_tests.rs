use proptest::prelude::*;

use super::super::fixture::FakeWords;
use super::*;

fn with(text: &str, environment: Option<&Environment<'_>>) -> Vec<String> {
    let mistakes = check(text.as_bytes(), &FakeWords, environment);
    mistakes.iter().map(ToString::to_string).collect()
}

/// The mistakes in `text`, where only HOME is in the environment.
fn mistakes(text: &str) -> Vec<String> {
    with(
        text,
        Some(&|name| (name == "HOME").then(|| "/home".to_owned())),
    )
}

#[track_caller]
fn one(text: &str, start: &str) {
    let found = mistakes(text);
    assert!(
        found.len() == 1 && found[0].starts_with(start),
        "{text}: {found:#?}, not {start}"
    );
}

#[track_caller]
fn good(text: &str) {
    assert_eq!(mistakes(text), [""; 0], "{text}");
}

#[test]
fn a_good_script_has_no_mistakes() {
    good(
        "set timeout 5s\nset x $HOME\nstart -- sh\nexpect --timeout 1s {\n \"$x\" => send $x; again\n eof => exit 3\n}\nwait --exit; assert exit 0",
    );
}

#[test]
fn an_unknown_verb_names_the_nearest() {
    one(
        "\n  sned x",
        "2:3: there is no verb \"sned\" (did you mean send?)",
    );
    one(
        "ehco x",
        "1:1: there is no verb \"ehco\" (did you mean echo?)",
    );
    one("qqqqqq", "1:1: there is no verb \"qqqqqq\" (a line begins");
}

#[test]
fn bad_flags_are_named_where_they_stand() {
    one("send a --entr b", "1:8: unexpected argument '--entr' found");
    one(
        "expect --frsh {\n a\n}",
        "1:8: unexpected argument '--frsh' found",
    );
    one("expect --timeout 5x a", "1:18: \"5x\" is not a duration");
}

#[test]
fn a_line_with_variables_is_judged_by_what_does_not_depend_on_them() {
    good("expect --timeout $HOME a");
    good("send -s $HOME a");
    one(
        "send --entr $HOME",
        "1:6: unexpected argument '--entr' found",
    );
}

#[test]
fn bad_values_of_statements_are_named() {
    one("set timeout 5x", "1:13: \"5x\" is not a duration");
    one("set deadline soon", "1:14: \"soon\" is not a duration");
    one("exit 256", "1:6: \"256\" is no exit code");
    one("assert exit -1", "1:13: \"-1\" is no exit code");
    one("session a/b", "1:9: ");
    one("set a", "1:1: set is not written like this");
    good("set timeout $HOME; exit $HOME");
}

#[test]
fn again_stands_last_in_an_arm() {
    one("again", "1:1: again outside of an expect block");
    one(
        "expect {\n a => again; send b\n}",
        "2:7: nothing after again",
    );
    one("expect {\n a\n eof => again\n}", "3:9: again in an eof arm");
}

#[test]
fn a_block_needs_patterns_and_one_arm_for_each_end() {
    one(
        "expect {\n eof => echo x\n}",
        "1:1: this block has no pattern",
    );
    one("expect {\n}", "1:1: this block has no pattern");
    one("expect {\n a\n eof\n eof => echo x\n}", "4:2: a second eof");
    one("expect b {\n a\n}", "1:1: a pattern before the block");
}

#[test]
fn an_arm_outside_of_a_block_is_a_mistake() {
    one("expect eof", "1:8: eof is an arm of a block");
    one("expect {\"a\" => send b", "1:13: => outside of a block");
    good("expect \"eof\" '=>'; send =>");
}

#[test]
fn variables_that_nothing_sets_are_named() {
    one("echo \"$nope\"", "1:7: $nope is not set");
    one("echo $1", "1:6: the last match captured no $1");
    one("echo $late\nset late x", "1:6: $late is not set");
    good("echo ${nope:-x}$HOME$status$session");
    good("expect a\necho $1");
    good("expect 're:(?<major>x)'\necho $major");
    good("expect {\n a => echo $x\n b => set x 1; again\n}");
    good("expect re:$HOME\necho $perhaps");
}

#[test]
fn without_an_environment_names_are_taken_to_be_set() {
    assert_eq!(with("echo $nope", None), [""; 0]);
    assert_eq!(with("echo $1", None).len(), 1);
}

#[test]
fn every_mistake_is_found_at_once_and_in_order() {
    let found =
        mistakes("sned 'x\nsned\necho $a\nexpect {\n a => agian\n}\nagain\n}\nset timeout x");
    let places: Vec<_> = found
        .iter()
        .map(|line| line.split(' ').next().unwrap_or_default())
        .collect();
    assert_eq!(
        places,
        ["1:6:", "2:1:", "3:6:", "5:7:", "7:1:", "8:1:", "9:13:"]
    );
}

#[test]
fn a_great_many_mistakes_are_counted() {
    let found = mistakes(&"}\n".repeat(1000));
    assert_eq!(found.len(), 101);
    assert!(found[100].contains("900 more mistakes"));
}

proptest! {
    #[test]
    fn noise_never_panics(
        text in "([a-z$#;\\\\{}=>'\"\r\n é1-]|\\$\\{a:-|expect \\{|\\}\n|=> |set |exit |again|send ){0,60}"
    ) {
        check(text.as_bytes(), &FakeWords, None);
    }
}
