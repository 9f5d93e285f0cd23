//! What shells show of what is typed, where it wraps, has tabs or is pasted: never what is expected.

use crate::coax::Coax;
use crate::needs;
use crate::session::Session;

const PROMPT: &str = "ready> ";

fn bash(coax: &Coax) -> Session<'_> {
    let bash = ["bash", "--norc", "--noprofile", "-i"];
    coax.start_with("a", &["--env", "PS1=ready> "], &bash)
}

fn zsh(coax: &Coax) -> Session<'_> {
    coax.start_with("a", &["--env", "PS1=ready> "], &["zsh", "-f", "-i"])
}

fn fish(coax: &Coax) -> Session<'_> {
    let prompt = "function fish_prompt; echo -n 'ready> '; end; function fish_greeting; end";
    coax.start("a", &["fish", "--no-config", "--private", "-C", prompt])
}

/// The echo of long lines is hidden, and output that repeats it is seen.
fn long_lines_are_not_their_output(shell: &Session<'_>) {
    shell.expect(PROMPT);
    let narrow = "x".repeat(120);
    let wide = "語".repeat(60);
    for filling in [&narrow, &wide, &format!("a{wide}")] {
        shell.enter(&format!(": MARK {filling} MARK; echo MA''RK2"));
        let matched = shell.json("expect", &["re:MARK.?"]);
        assert_eq!(matched["match"], "MARK2", "{matched}");
        shell.expect(PROMPT);
    }
    shell.enter(&format!("echo {narrow}"));
    shell.expect(&format!("{narrow}\n"));
    shell.expect(PROMPT);
}

/// The echo of pasted lines is hidden.
fn pasted_lines_are_not_their_output(shell: &Session<'_>) {
    shell.expect(PROMPT);
    let long = "y".repeat(100);
    let lines = format!("sleep 0.3\n: MARK {long}\n: MARK; echo MA''RK2");
    shell.ok("send", &["--paste", "--enter", "--", &lines]);
    let matched = shell.json("expect", &["re:MARK.?"]);
    assert_eq!(matched["match"], "MARK2", "{matched}");
}

#[test]
fn long_lines_in_bash_are_not_their_output() {
    needs!("bash");
    let coax = Coax::new();
    long_lines_are_not_their_output(&bash(&coax));
}

#[test]
fn long_lines_in_zsh_are_not_their_output() {
    needs!("zsh");
    let coax = Coax::new();
    long_lines_are_not_their_output(&zsh(&coax));
}

#[test]
fn long_lines_in_fish_are_not_their_output() {
    needs!("fish");
    let coax = Coax::new();
    long_lines_are_not_their_output(&fish(&coax));
}

#[test]
fn lines_pasted_into_bash_are_not_their_output() {
    needs!("bash");
    let coax = Coax::new();
    pasted_lines_are_not_their_output(&bash(&coax));
}

#[test]
fn lines_pasted_into_zsh_are_not_their_output() {
    needs!("zsh");
    let coax = Coax::new();
    pasted_lines_are_not_their_output(&zsh(&coax));
}

#[test]
fn lines_pasted_into_fish_are_not_their_output() {
    needs!("fish");
    let coax = Coax::new();
    pasted_lines_are_not_their_output(&fish(&coax));
}

#[test]
fn tabs_that_the_tty_echoes_are_not_output() {
    let coax = Coax::new();
    // One line is read, and printed again once there is another.
    let cat = coax.start_sh("a", "echo go; read a; read b; printf '%s\\n' \"$a\"; cat");
    cat.expect("go\n");
    cat.enter("a\tMARK");
    cat.run("expect", &["--timeout", "300ms", "MARK"])
        .fails(124, &["\"MARK\""]);
    cat.enter("");
    cat.expect("a       MARK\n");
}

#[test]
fn tabs_typed_into_a_plain_shell_are_not_output() {
    needs!("dash");
    let coax = Coax::new();
    let options = ["--env", "PS1=ready> ", "--env", "-ENV"];
    let dash = coax.start_with("a", &options, &["dash", "-i"]);
    dash.expect(PROMPT);
    dash.enter(":\tMARK; echo MA''RK2");
    let matched = dash.json("expect", &["re:MARK.?"]);
    assert_eq!(matched["match"], "MARK2", "{matched}");
}

#[test]
fn lines_typed_ahead_of_pasted_ones_are_not_their_output() {
    needs!("bash");
    let coax = Coax::new();
    let shell = bash(&coax);
    shell.expect(PROMPT);
    let lines = "sleep 0.3\necho P1\necho P2";
    shell.ok("send", &["--paste", "--enter", "--", lines]);
    shell.send("sleep 0.3; echo K1; echo K1");
    shell.key(&["Enter"]);
    shell.enter("echo K2");
    for word in ["P1", "P2", "K1", "K1", "K2"] {
        // It stands alone in its line.
        let matched = shell.json("expect", &[&format!("re:.*{word}.*")]);
        assert_eq!(matched["match"], word, "{matched}");
    }
}
