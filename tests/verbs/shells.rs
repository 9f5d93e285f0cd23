//! Shells and other programs that read lines: kept alive by separate processes, and again by a
//! script. Their echo of what is typed is not what is expected.

use crate::coax::Coax;
use crate::needs;
use crate::session::Session;

const BASH: [&str; 4] = ["bash", "--norc", "--noprofile", "-i"];

#[test]
fn bash_is_kept_alive_over_ten_invocations() {
    needs!("bash");
    let coax = Coax::new();
    let bash = coax.start_with("sh", &["--env", "PS1=$ "], &BASH);
    for number in 1..=10 {
        bash.expect("$ ");
        bash.enter(&format!("n=$((n + {number})); echo sum=$n"));
        bash.expect(&format!("sum={}\n", number * (number + 1) / 2));
    }
    bash.enter("exit 3");
    assert_eq!(bash.exit(), 3);
}

#[test]
fn bash_in_a_script() {
    needs!("bash");
    let coax = Coax::new();
    let done = coax.script(
        r#"
        start --env 'PS1=$ ' -- bash --norc --noprofile -i
        expect "$ "
        send --enter 'for i in 1 2 3; do n=$((n + i)); done; echo sum=$n'
        expect re:"sum=(?<sum>\d+)\n"
        echo "the sum is $sum"
        send --enter 'exit 3'
        wait --exit
        assert exit 3
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
    assert_eq!(done.out, "the sum is 6\n");
}

/// Has `shell` wait for a line and then print a word that stood in the command; `prompt` is there.
fn the_echo_is_never_the_answer(shell: &Session<'_>, prompt: &str) {
    shell.expect(prompt);
    shell.enter("read x; echo done");
    // Only the echo can be there: the shell waits for a line.
    shell
        .run("expect", &["--timeout", "300ms", "done"])
        .fails(124, &["\"done\""]);
    shell.enter("go");
    shell.expect("done");
    shell.expect(prompt);
    shell.enter("echo \"do\"\"ne\"");
    shell.expect("done");
    shell.expect(prompt);
    shell.enter("echo done");
    let matched = shell.json("expect", &["done"]);
    assert_eq!(matched["match"], "done", "{matched}");
    // The whole output stands before the next prompt, so it was not the echo that matched.
    let rest = shell.json("expect", &[prompt]);
    let before = rest["before"].as_str().unwrap();
    assert!(!before.contains("done"), "{rest}");
    shell.enter("exit");
    shell.exit();
}

#[test]
fn the_echo_of_bash_is_not_its_output() {
    needs!("bash");
    let coax = Coax::new();
    let shell = coax.start_with("a", &["--env", "PS1=ready> "], &BASH);
    the_echo_is_never_the_answer(&shell, "ready> ");
}

#[test]
fn the_echo_of_zsh_is_not_its_output() {
    needs!("zsh");
    let coax = Coax::new();
    let shell = coax.start_with("a", &["--env", "PS1=ready> "], &["zsh", "-f", "-i"]);
    the_echo_is_never_the_answer(&shell, "ready> ");
}

#[test]
fn the_echo_of_fish_is_not_its_output() {
    needs!("fish");
    let coax = Coax::new();
    let prompt = "function fish_prompt; echo -n 'ready> '; end; function fish_greeting; end";
    let shell = coax.start("a", &["fish", "--no-config", "--private", "-C", prompt]);
    the_echo_is_never_the_answer(&shell, "ready> ");
}

#[test]
fn the_echo_of_a_plain_sh_is_not_its_output() {
    let coax = Coax::new();
    let shell = coax.start_with(
        "a",
        &["--env", "PS1=ready> ", "--env", "-ENV"],
        &["sh", "-i"],
    );
    the_echo_is_never_the_answer(&shell, "ready> ");
}

#[test]
fn zsh_and_fish_in_a_script() {
    needs!("zsh", "fish");
    let coax = Coax::new();
    let done = coax.script(
        r#"
        start -s z --env 'PS1=ready> ' -- zsh -f -i
        start -s f -- fish --no-config --private -C "function fish_prompt; echo -n 'ready> '; end"
        session z
        expect "ready> "
        send --enter 'echo "do""ne"'
        expect done
        session f
        expect "ready> "
        send --enter 'echo "do""ne"'
        expect done
        send --enter exit
        wait --exit
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
}

#[test]
fn python_answers_and_ends_at_the_end_of_input() {
    needs!("python3");
    let coax = Coax::new();
    let python = coax.start("py", &["python3", "-q"]);
    python.expect(">>> ");
    python.enter("word = 'do' + 'ne'");
    python.expect(">>> ");
    python.enter("print(word, 6 * 7)");
    python.expect("done 42\n");
    python.enter("for i in range(2):");
    python.expect("... ");
    python.enter("    print('line', i)");
    python.expect("... ");
    python.enter("");
    python.expect("line 0\nline 1\n");
    python.expect(">>> ");
    python.key(&["C-d"]);
    assert_eq!(python.exit(), 0);
}

#[test]
fn python_in_a_script() {
    needs!("python3");
    let coax = Coax::new();
    let done = coax.script(
        r#"
        start -- python3 -q
        expect ">>> "
        send --enter "import sys; print(2 ** 100)"
        expect "1267650600228229401496703205376"
        send --enter "sys.exit(4)"
        wait --exit; assert exit 4
        "#,
    );
    assert_eq!(done.code, 0, "{done}");
}

const ASK: &str = r"
const ask = require('readline').createInterface({ input: process.stdin, output: process.stdout });
ask.question('name? ', name => {
  console.log('hello ' + name.toUpperCase());
  ask.close();
});
";

#[test]
fn node_asks_a_question() {
    needs!("node");
    let coax = Coax::new();
    coax.write("ask.js", ASK);
    let node = coax.start("n", &["node", "ask.js"]);
    node.expect("name? ");
    node.enter("ada");
    node.expect("hello ADA\n");
    assert_eq!(node.exit(), 0);
}

#[test]
fn node_in_a_script() {
    needs!("node");
    let coax = Coax::new();
    coax.write("ask.js", ASK);
    let done = coax.script("start -- node ask.js\nexpect 'name? '\nsend --enter ada\nexpect 'hello ADA'\nwait --exit\n");
    assert_eq!(done.code, 0, "{done}");
}
