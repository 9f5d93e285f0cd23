//! It is your turn: programs that wait are known to wait, those that work are never taken for them.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::coax::{Coax, Done};
use crate::needs;

/// A program that waits: `wait` says so without doubt, and what it asks stands on the screen.
fn waits(argv: &[&str], asks: &str) {
    let coax = Coax::new();
    let session = coax.start_with("a", &["--env", "PS1=ready> "], argv);
    let waited = session.json("wait", &[]);
    let screen = session.screen();
    assert_eq!(waited["evidence"], "input", "{waited}\n{screen}");
    assert_eq!(waited["certain"], true, "{waited}\n{screen}");
    assert!(waited["quiet_ms"].as_u64().unwrap() < 500, "{waited}");
    assert!(screen.contains(asks), "no {asks:?} in {screen}");
    let status = &session.status()["waiting_for_input"];
    assert_eq!(status["answer"], "waiting", "{status}");
    assert_eq!(status["certain"], true, "{status}");
    assert!(status["call"].is_string(), "{status}");
    assert!(status["process"].is_u64(), "{status}");
}

/// A program that works: `wait` never says that it certainly waits, and a timeout says `words`.
fn works(argv: &[&str], begins: &str, words: &[&str]) {
    let coax = Coax::new();
    let session = coax.start("a", argv);
    session.expect(begins);
    let waited = session.run("wait", &["--json", "--timeout", "500ms"]);
    if waited.code == 124 {
        for word in words {
            assert!(waited.err.contains(word), "no {word:?} in {waited}");
        }
    } else {
        assert_eq!(waited.json()["certain"], false, "{waited}");
        assert!(words.is_empty(), "{waited}");
    }
    let status = &session.status()["waiting_for_input"];
    assert_eq!(status["certain"], false, "{status}");
    session.ok("stop", &["--grace", "0"]);
}

#[test]
fn bash_waits() {
    needs!("bash");
    waits(&["bash", "--norc", "--noprofile", "-i"], "ready>");
}

#[test]
fn zsh_waits() {
    needs!("zsh");
    waits(&["zsh", "-f", "-i"], "ready>");
}

#[test]
fn a_shell_that_reads_a_line_waits() {
    waits(&["sh", "-c", "printf 'name? '; read name"], "name?");
}

#[test]
fn cat_waits_before_it_has_printed_anything() {
    waits(&["cat"], "");
}

#[test]
fn python_waits() {
    needs!("python3");
    waits(&["python3", "-q"], ">>>");
}

#[test]
fn getpass_waits() {
    needs!("python3");
    let program = "import getpass; getpass.getpass('secret? ')";
    waits(&["python3", "-c", program], "secret?");
}

#[test]
fn perl_waits() {
    needs!("perl");
    waits(
        &["perl", "-e", "$| = 1; print 'line? '; $_ = <STDIN>"],
        "line?",
    );
}

#[test]
fn node_readline_waits() {
    needs!("node");
    let program = "require('readline').createInterface({ input: process.stdin, \
                   output: process.stdout }).question('name? ', () => {})";
    waits(&["node", "-e", program], "name?");
}

#[test]
fn a_node_program_below_another_waits() {
    needs!("node");
    let program = "require('child_process').spawn('sh', ['-c', 'printf \"go on? \"; read x'], \
                   { stdio: 'inherit' })";
    waits(&["node", "-e", program], "go on?");
}

#[test]
fn vim_waits() {
    needs!("vim");
    waits(&["vim", "-u", "NONE", "-N", "/etc/passwd"], "root:");
}

#[test]
fn less_waits() {
    needs!("less");
    waits(&["less", "/etc/passwd"], "root:");
}

#[test]
fn less_behind_a_pipe_waits_on_the_terminal() {
    needs!("less");
    waits(&["sh", "-c", "yes | less"], "y");
}

#[test]
fn gdb_waits() {
    needs!("gdb");
    waits(&["gdb", "-q", "-nx"], "(gdb)");
}

#[test]
fn a_select_without_a_timeout_waits() {
    needs!("python3");
    let program = "import select; print('select', end='', flush=True); select.select([0], [], [])";
    waits(&["python3", "-c", program], "select");
}

#[test]
fn a_poll_of_dev_tty_waits() {
    needs!("python3");
    let program = "import select; tty = open('/dev/tty'); p = select.poll(); \
                   p.register(tty, select.POLLIN); print('poll', end='', flush=True); p.poll()";
    waits(&["python3", "-c", program], "poll");
}

#[test]
fn an_epoll_of_a_descriptor_of_its_own_waits() {
    needs!("python3");
    let program = "import os, select; e = select.epoll(); e.register(os.dup(0), select.EPOLLIN); \
                   print('epoll', end='', flush=True); e.poll(5)";
    waits(&["python3", "-c", program], "epoll");
}

#[test]
fn the_program_on_an_inner_terminal_waits() {
    needs!("script");
    waits(
        &["script", "-qc", "printf 'inner? '; cat", "/dev/null"],
        "inner?",
    );
}

#[test]
fn a_sleep_works() {
    works(
        &["sh", "-c", "echo begun; sleep 60"],
        "begun",
        &[
            "not ready within 500 ms",
            "(sleep 60) works in clock_nanosleep",
        ],
    );
}

#[test]
fn a_busy_loop_works() {
    works(
        &["sh", "-c", "echo begun; while :; do :; done"],
        "begun",
        &["works (runs)"],
    );
}

#[test]
fn a_pipeline_works() {
    works(
        &["sh", "-c", "echo begun; sleep 60 | cat"],
        "begun",
        &["sleep 60"],
    );
}

#[test]
fn a_spinner_works() {
    let program = "while :; do printf '\\r|'; sleep 0.05; printf '\\r/'; sleep 0.05; done";
    works(&["sh", "-c", program], "|", &["not ready"]);
}

#[test]
fn a_node_readline_with_a_progress_timer_may_work() {
    needs!("node");
    let program = "const r = require('readline').createInterface({ input: process.stdin, \
                   output: process.stdout }); let n = 0; \
                   setInterval(() => process.stdout.write(`\\rstep ${n++}`), 80)";
    works(&["node", "-e", program], "step 3", &[]);
}

#[test]
fn a_select_loop_that_still_prints_may_work() {
    needs!("python3");
    let program = "import select\nn = 0\nwhile True:\n  n += 1\n  \
                   print('\\rturn', n, end='', flush=True)\n  select.select([0], [], [], 0.1)";
    works(&["python3", "-c", program], "turn 3", &[]);
}

#[test]
fn a_thread_that_draws_leaves_doubt() {
    needs!("python3");
    let program = "import threading, time\ndef spin():\n  n = 0\n  while True:\n    n += 1\n    \
                   print('\\rspin', n, end='', flush=True)\n    time.sleep(0.3)\n\
                   threading.Thread(target=spin, daemon=True).start()\ninput()";
    works(&["python3", "-c", program], "spin 2", &[]);
}

#[test]
fn a_parent_that_polls_while_its_child_works_may_work() {
    needs!("python3");
    let program = "import select, subprocess; subprocess.Popen(['sleep', '60']); \
                   print('begun', flush=True); select.select([0], [], [])";
    works(&["python3", "-c", program], "begun", &[]);
}

#[test]
fn a_program_that_waits_for_the_network_too_may_work() {
    needs!("python3");
    let program = "import select, socket; s = socket.create_server(('127.0.0.1', 0)); \
                   c = socket.create_connection(s.getsockname()); \
                   print('begun', flush=True); select.select([0, c], [], [])";
    works(&["python3", "-c", program], "begun", &[]);
}

#[test]
fn a_download_works() {
    needs!("python3");
    let program = "import socket; s = socket.create_server(('127.0.0.1', 0)); \
                   c = socket.create_connection(s.getsockname()); \
                   print('begun', flush=True); c.recv(1)";
    works(&["python3", "-c", program], "begun", &["works in recvfrom"]);
}

#[test]
fn a_stopped_job_does_not_wait() {
    works(
        &["sh", "-c", "echo begun; kill -STOP $$; read x"],
        "begun",
        &["works (stopped)"],
    );
}

#[test]
fn a_program_on_an_inner_terminal_works() {
    needs!("script");
    works(
        &["script", "-qc", "echo begun; sleep 60", "/dev/null"],
        "begun",
        &[],
    );
}

/// Answers each line after a millisecond.
const ANSWERS: &str = "$| = 1; while (<STDIN>) { chomp; select undef, undef, undef, 0.001; \
                       print \"answer to $_\\n\" }";

#[test]
fn what_is_typed_is_never_followed_by_the_old_screen() {
    needs!("perl");
    let coax = Coax::new();
    let session = coax.start("a", &["perl", "-e", ANSWERS]);
    for number in 1..=200 {
        let line = format!("line {number}");
        session.enter(&line);
        let waited = session.json("wait", &[]);
        assert_eq!(waited["evidence"], "input", "{waited}");
        let screen = session.screen();
        let answer = format!("answer to {line}\n");
        assert!(
            screen.ends_with(&answer),
            "no {answer:?} in {screen}\n{waited}"
        );
    }
}

#[test]
fn a_step_is_one_call() {
    needs!("perl");
    let coax = Coax::new();
    let session = coax.start("a", &["perl", "-e", ANSWERS]);
    for number in 1..=200 {
        let step = ["--enter", "--wait", "--screen", &number.to_string()];
        let screen = session.ok("send", &step);
        let answer = format!("answer to {number}\n");
        assert!(screen.ends_with(&answer), "no {answer:?} in {screen}");
    }
    let step = session.json(
        "send",
        &["--enter", "--wait", "--expect", "to last", "last"],
    );
    assert_eq!(step["bytes_written"], 5, "{step}");
    assert_eq!(step["matched"]["match"], "to last", "{step}");
    assert_eq!(step["evidence"], "input", "{step}");
    assert_eq!(step["certain"], true, "{step}");
    let step = session.json("key", &["--wait", "--screen", "x", "Enter"]);
    let lines = step["screen"]["lines"].as_array().unwrap();
    assert!(
        lines.iter().any(|line| line == "answer to x"),
        "no answer in {step}"
    );
}

#[test]
fn a_step_that_is_not_answered_says_what_was_typed_and_who_works() {
    let coax = Coax::new();
    let session = coax.start_sh("a", "read x; sleep 60");
    let step = ["--enter", "--wait", "--json", "--timeout", "300ms", "go"];
    let late = session.run("send", &step);
    late.fails(124, &["not ready within 300 ms", "sleep 60"]);
    assert_eq!(late.json()["error"]["bytes_written"], 3, "{late}");
    session
        .run("send", &["--timeout", "100ms", "--expect", "never", "x"])
        .fails(124, &["no match for \"never\""]);
    session.ok("stop", &["--grace", "0"]);
}

#[test]
fn half_a_line_is_not_taken_by_its_reader() {
    let coax = Coax::new();
    let session = coax.start("a", &["cat"]);
    session.json("wait", &[]);
    session.send("half");
    let waited = session.json("wait", &[]);
    assert_eq!(waited["evidence"], "input", "{waited}");
    assert_eq!(waited["certain"], false, "{waited}");
    assert_eq!(session.screen(), "half\n");
}

#[test]
fn without_the_probe_the_screen_settles_and_the_answer_says_so() {
    let coax = Coax::new().env("COAX_NO_PROBE", "1");
    let session = coax.start_sh("a", "echo hello; cat");
    session.expect("hello");
    let waited = session.json("wait", &[]);
    assert_eq!(waited["evidence"], "settled", "{waited}");
    assert_eq!(waited["certain"], false, "{waited}");
    assert_eq!(waited["reason"], "COAX_NO_PROBE is set", "{waited}");
    let status = &session.status()["waiting_for_input"];
    assert_eq!(status["answer"], "unknown", "{status}");
    assert_eq!(coax.ok(&["screen", "--", "echo", "shown"]), "shown\n");
}

#[test]
fn a_program_that_works_on_is_shown_when_its_screen_is_still() {
    let coax = Coax::new();
    let program = ["screen", "--", "sh", "-c", "echo shown; sleep 60"];
    assert_eq!(coax.ok(&program), "shown\n");
}

#[test]
fn rows_that_always_change_can_be_left_out() {
    let coax = Coax::new();
    let program = "n=0; echo; echo text; while :; do n=$((n + 1)); \
                   printf '\\033[1;1H%s' $n; sleep 0.02; done";
    let session = coax.start_sh("a", program);
    session.expect("text");
    let settle = ["--settle", "300ms", "--timeout", "2s"];
    session
        .run("wait", &settle)
        .fails(124, &["never unchanged"]);
    let ignoring = [&settle[..], &["--ignore-rows", "0:1"]].concat();
    assert_eq!(session.json("wait", &ignoring)["evidence"], "settled");
    session.ok("stop", &["--grace", "0"]);
}

#[test]
fn a_failed_expect_says_who_waits() {
    let coax = Coax::new();
    let session = coax.start("a", &["cat"]);
    session.json("wait", &[]);
    session
        .run("expect", &["--timeout", "100ms", "never"])
        .fails(124, &["(cat) waits for input in read"]);
}

/// An ordinary user with a directory of its own, in which are coax and a cat that runs as root.
struct User {
    folder: PathBuf,
}

/// Nobody's number.
const NOBODY: u32 = 65534;

impl User {
    /// None where this test does not run as root, or nobody can be somebody else.
    fn new() -> Option<Self> {
        let root = Command::new("id").arg("-u").output().ok()?;
        if root.stdout != b"0\n" {
            return None;
        }
        let folder = std::env::temp_dir().join(format!("coax-user-{}", std::process::id()));
        let user = Self { folder };
        std::fs::create_dir(&user.folder).unwrap();
        user.copy(Path::new(env!("CARGO_BIN_EXE_coax")), "coax", 0o755);
        user.copy(Path::new("/bin/cat"), "cat", 0o4755);
        std::os::unix::fs::chown(&user.folder, Some(NOBODY), Some(NOBODY)).unwrap();
        Some(user)
    }

    fn copy(&self, from: &Path, name: &str, mode: u32) {
        let to = self.folder.join(name);
        std::fs::copy(from, &to).unwrap();
        std::fs::set_permissions(&to, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn run(&self, args: &[&str]) -> Done {
        let number = NOBODY.to_string();
        let output = Command::new("setpriv")
            .args(["--reuid", &number, "--regid", &number, "--clear-groups"])
            .arg("./coax")
            .args(args)
            .current_dir(&self.folder)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("COAX_DIR", self.folder.join("run"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Done::of(&output, args.join(" "))
    }

    fn json(&self, args: &[&str]) -> Value {
        let done = self.run(args);
        assert_eq!(done.code, 0, "{done}");
        done.json()
    }

    /// What `wait` and `status` say of a program.
    fn waited(&self, argv: &[&str]) -> (Value, Value) {
        let start = [&["start", "-s", "a", "--json", "--"], argv].concat();
        self.json(&start);
        let waited = self.json(&["wait", "-s", "a", "--json"]);
        let status = self.json(&["status", "-s", "a", "--json"]);
        self.json(&["close", "-s", "a", "--json"]);
        (waited, status["waiting_for_input"].clone())
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn an_ordinary_user_sees_its_own_programs_and_not_those_that_run_as_root() {
    needs!("setpriv");
    let Some(user) = User::new() else {
        eprintln!("skipped: not root");
        return;
    };
    let (waited, status) = user.waited(&["cat"]);
    assert_eq!(waited["certain"], true, "{waited} {status}");
    let (waited, status) = user.waited(&["./cat"]);
    assert_eq!(waited["evidence"], "settled", "{waited} {status}");
    assert_eq!(status["answer"], "unknown", "{status}");
    assert_eq!(status["reason"], "the process cannot be looked at");
    let (waited, status) = user.waited(&["sh", "-c", "stty -echo; exec ./cat"]);
    assert_eq!(waited["evidence"], "input", "{waited} {status}");
    assert_eq!(waited["certain"], false, "{waited} {status}");
    assert_eq!(status["reason"], "noecho", "{status}");
}
