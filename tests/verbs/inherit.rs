//! What a program gets of whoever started its session, and what its host keeps: line by line as the
//! manual promises it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use serde_json::Value;

use crate::coax::{Coax, lives};
use crate::needs;
use crate::session::Session;

/// Runs a line of sh that starts session `a` with `$COAX`, and waits until its program has ended; what
/// that printed, as lines.
fn printed(coax: &Coax, line: &str) -> String {
    coax.sh(line);
    coax.ok(&["wait", "-s", "a", "--exit"]);
    coax.ok(&["read", "-s", "a", "--plain"])
}

/// What follows `name` in what `/proc/PID/status` says.
fn field<'t>(text: &'t str, name: &str) -> &'t str {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).trim()
}

#[test]
fn every_signal_is_at_its_default_and_none_is_blocked() {
    let coax = Coax::new();
    // A background job of a shell ignores INT and QUIT; the rest is ignored and blocked by hand.
    let seen = printed(
        &coax,
        "trap '' PIPE HUP TERM TSTP TTOU CHLD; \
         env --block-signal=INT,TERM,CHLD,USR1 \"$COAX\" start -s a -- cat /proc/self/status & wait",
    );
    for what in ["SigIgn:", "SigBlk:", "SigCgt:", "SigPnd:"] {
        assert_eq!(field(&seen, what), "0000000000000000", "{what} {seen}");
    }
}

#[test]
fn a_signal_that_a_background_shell_ignores_still_ends_the_program() {
    let coax = Coax::new();
    coax.sh("\"$COAX\" start -s a -- cat & wait");
    coax.ok(&["key", "-s", "a", "C-c"]);
    assert_eq!(coax.run(&["wait", "-s", "a", "--exit"]).code, 130);
}

#[test]
fn no_descriptor_above_2_reaches_the_program() {
    let coax = Coax::new();
    coax.write("open", "");
    let seen = printed(
        &coax,
        "exec 3<open 7<open 8>>open 9<open; \"$COAX\" start -s a -- sh -c 'ls /proc/$$/fd; true'",
    );
    assert_eq!(seen.split_whitespace().collect::<Vec<_>>(), ["0", "1", "2"]);
}

#[test]
fn the_program_leads_a_session_on_a_terminal_of_its_own_in_its_foreground() {
    let coax = Coax::new();
    let cat = coax.start_sh("a", "tty; cat /proc/$$/stat; cat");
    cat.expect("re:^/dev/pts/\\d+\n");
    let matched = cat.json("expect", &["re:(?m)^.*\\) (.*)$"]);
    let fields: Vec<&str> = matched["captures"]["1"]
        .as_str()
        .unwrap()
        .split(' ')
        .collect();
    let pid = cat.number("pid").to_string();
    let [group, session, tty, foreground] = [fields[2], fields[3], fields[4], fields[5]];
    assert_eq!([group, session], [pid.as_str(), pid.as_str()]);
    assert_ne!(tty, "0", "a controlling terminal");
    // The `cat` that is asked runs in the shell's own group.
    assert_eq!(foreground, pid);
    assert_eq!(cat.status()["foreground"].as_u64(), Some(cat.number("pid")));
}

#[test]
fn the_size_is_there_before_the_program() {
    let coax = Coax::new();
    let size = coax.start_with("a", &["--rows", "33", "--cols", "101"], &["stty", "size"]);
    size.expect("33 101\n");
    assert_eq!(
        size.started["size"],
        serde_json::json!({ "rows": 33, "cols": 101 })
    );
    let usual = coax.start("b", &["stty", "size"]);
    usual.expect("24 80\n");
    assert_eq!(
        coax.script("start --rows 5 --cols 12 -- stty size\nexpect '5 12'\n")
            .code,
        0
    );
    let program = coax.run(&["run", "--rows", "7", "--cols", "9", "--", "stty", "size"]);
    assert_eq!(program.out, "7 9\r\n", "{program}");
}

/// The environment of a program that runs `env -0`.
fn environment(session: &Session<'_>) -> Vec<(String, String)> {
    assert_eq!(session.exit(), 0);
    let raw = session.ok("read", &["--raw"]);
    raw.split('\0')
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn value<'e>(env: &'e [(String, String)], name: &str) -> Option<&'e str> {
    env.iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.as_str())
}

const MISLEADING: [&str; 6] = ["COLUMNS", "LINES", "TERMCAP", "TMUX", "TMUX_PANE", "STY"];

#[test]
fn the_environment_is_the_callers_but_for_what_would_mislead() {
    let coax = MISLEADING
        .iter()
        .fold(Coax::new(), |coax, name| coax.env(name, "17"))
        .env("KEPT", "as it is\n=")
        .env("TERM", "dumb")
        .env("COAX_SESSION", "another");
    let env = environment(&coax.start("a", &["env", "-0"]));
    for name in MISLEADING {
        assert_eq!(value(&env, name), None, "{name}");
    }
    assert_eq!(value(&env, "KEPT"), Some("as it is\r\n="));
    assert_eq!(value(&env, "TERM"), Some("xterm-256color"));
    assert_eq!(value(&env, "COAX_SESSION"), Some("a"));
    assert!(value(&env, "HOME").is_some(), "{env:?}");
}

#[test]
fn env_sets_passes_on_and_removes() {
    let coax = Coax::new()
        .env("COLUMNS", "17")
        .env("GONE", "1")
        .env("CHANGED", "1");
    let options = [
        "--env",
        "NEW=a=b",
        "--env",
        "COLUMNS",
        "--env",
        "-GONE",
        "--env",
        "CHANGED=2",
        "--env",
        "EMPTY=",
        "--env",
        "NEVER_SET",
        "--term",
        "vt100",
    ];
    let env = environment(&coax.start_with("a", &options, &["env", "-0"]));
    assert_eq!(value(&env, "NEW"), Some("a=b"));
    assert_eq!(value(&env, "COLUMNS"), Some("17"));
    assert_eq!(value(&env, "GONE"), None);
    assert_eq!(value(&env, "CHANGED"), Some("2"));
    assert_eq!(value(&env, "EMPTY"), Some(""));
    assert_eq!(value(&env, "NEVER_SET"), None);
    assert_eq!(value(&env, "TERM"), Some("vt100"));
    coax.run(&["start", "--env", "=x", "--", "env"])
        .fails(2, &["--env", "K=V"]);
    coax.run(&["start", "--env", "", "--", "env"])
        .fails(2, &["--env", "K=V"]);
}

#[test]
fn the_program_can_drive_its_own_session() {
    let coax = Coax::new();
    let binary = env!("CARGO_BIN_EXE_coax");
    let own = coax.start(
        "own",
        &[
            "sh",
            "-c",
            "read go; exec \"$0\" resize --json --rows 9",
            binary,
        ],
    );
    coax.start("other", &["cat"]);
    own.enter("");
    own.expect("\"session\":\"own\"");
    assert_eq!(own.status()["size"]["rows"], 9);
}

#[test]
fn a_program_with_a_slash_is_found_from_its_directory() {
    let coax = Coax::new();
    coax.sh("mkdir sub bin && printf '#!/bin/sh\\npwd\\n' >sub/prog && chmod +x sub/prog && cp sub/prog bin/only-here");
    let here = coax.work().canonicalize().expect("it is there");
    let sub = coax.start_with("a", &["--cwd", "sub"], &["./prog"]);
    sub.expect(&format!("{}/sub\n", here.display()));
    assert_eq!(
        sub.status()["cwd"]
            .as_str()
            .map(|cwd| cwd.ends_with("/sub")),
        Some(true)
    );
    // Without a slash: in the PATH of the program, not in that of coax.
    let path = format!("PATH={}/bin:/usr/bin:/bin", here.display());
    let found = coax.start_with("b", &["--env", &path], &["only-here"]);
    found.expect(&format!("{}\n", here.display()));
    coax.run(&["start", "--", "only-here"])
        .fails(127, &["only-here", "PATH"]);
    coax.run(&["start", "--env", "-PATH", "--cwd", "sub", "--", "prog"])
        .fails(127, &["prog"]);
}

#[test]
fn arguments_arrive_as_given() {
    let coax = Coax::new();
    let words = ["a b", "", "new\nline", "$HOME `x` * \\", "--", "-s"];
    let mut command: Vec<OsString> = [
        "start",
        "-s",
        "a",
        "--",
        "sh",
        "-c",
        "od -An -v -tx1 /proc/$$/cmdline; true",
    ]
    .iter()
    .map(OsString::from)
    .collect();
    command.extend(words.iter().map(OsString::from));
    command.push(OsString::from_vec(vec![b'x', 0xff, 0xfe, 0x01]));
    coax.ok(&command);
    coax.ok(&["wait", "-s", "a", "--exit"]);
    let dump = coax.ok(&["read", "-s", "a", "--plain"]);
    let mut seen: Vec<u8> = Vec::new();
    for byte in dump.split_whitespace() {
        seen.push(u8::from_str_radix(byte, 16).unwrap());
    }
    let mut wanted = words.join("\0").into_bytes();
    wanted.extend(b"\0x\xff\xfe\x01\0");
    assert!(seen.ends_with(&wanted), "{dump}");
}

#[test]
fn start_inside_a_command_substitution_returns() {
    let coax = Coax::new();
    // The shell reads until every copy of its pipe is closed: the host and the program hold none.
    let name = coax
        .sh("name=$(\"$COAX\" start -- cat 2>&1); echo \"<$name>\"; \"$COAX\" start -- cat | cat");
    assert_eq!(name, "<s1>\ns2\n");
}

#[test]
fn start_works_without_standard_descriptors() {
    let coax = Coax::new();
    coax.sh("\"$COAX\" start -s a -- cat <&- >&- 2>&-; \"$COAX\" start -s b -- cat </dev/null >/dev/full 2>&1; true");
    for name in ["a", "b"] {
        coax.ok(&["send", "-s", name, "--enter", "hello"]);
        coax.ok(&["expect", "-s", name, "--echo", "hello\nhello"]);
    }
}

#[test]
fn the_host_keeps_nothing_of_its_caller() {
    needs!("ls");
    let coax = Coax::new().env("SECRET_OF_CALLER", "hush");
    coax.write("open", "");
    coax.sh("exec 7<open 9>>open; \"$COAX\" start -s a -- cat");
    let status: Value = coax.json(&["status", "-s", "a"]);
    let host = status["host_pid"].as_u64().unwrap();
    let link = |name: &str| std::fs::read_link(format!("/proc/{host}/{name}")).expect("a link");
    for standard in ["fd/0", "fd/1", "fd/2"] {
        assert_eq!(link(standard).to_str(), Some("/dev/null"), "{standard}");
    }
    assert_eq!(link("cwd").to_str(), Some("/"));
    for entry in std::fs::read_dir(format!("/proc/{host}/fd"))
        .unwrap()
        .flatten()
    {
        let target = std::fs::read_link(entry.path()).unwrap_or_default();
        assert!(
            !target.starts_with(coax.work()),
            "{} is {}",
            entry.path().display(),
            target.display()
        );
    }
    let environ = std::fs::read(format!("/proc/{host}/environ")).unwrap();
    assert_eq!(environ, b"", "the environment comes over a pipe");
    let stat = std::fs::read_to_string(format!("/proc/{host}/stat")).unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    let own = std::fs::read_to_string("/proc/self/stat").unwrap();
    let ours: Vec<&str> = own.rsplit(')').next().unwrap().split_whitespace().collect();
    assert_ne!(fields[3], ours[3], "a process session of its own");
    assert_eq!(fields[4], "0", "no controlling terminal");
}

#[test]
fn the_host_lives_on_when_the_callers_group_is_ended() {
    needs!("setsid");
    let coax = Coax::new();
    let mut command = std::process::Command::new("setsid");
    coax.surround(&mut command);
    // The shell ends itself with its whole process group.
    let line = "\"$COAX\" start -s a -- cat; trap '' TERM; kill -TERM 0; kill -INT 0; kill -KILL 0";
    let ended = command
        .args(["-w", "sh", "-c", line])
        .env("COAX", env!("CARGO_BIN_EXE_coax"))
        .output()
        .expect("it runs");
    assert!(!ended.status.success());
    let status = coax.json(&["status", "-s", "a"]);
    assert!(lives(status["host_pid"].as_u64().unwrap()), "{status}");
    assert_eq!(status["status"], "running");
}
