//! Where clients and hosts meet: many at once, and everything that can go wrong between them.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FileType, Mode, OFlags};
use serde_json::Value;

use crate::coax::{Coax, lives, until};
use crate::session::Session;

#[test]
fn ten_sessions_at_once_with_three_clients_each_answer_whoever_asked() {
    let coax = Coax::new();
    let names: Vec<String> = (0..10).map(|number| format!("n{number}")).collect();
    let print = "read go; echo one $0; echo two $0; echo three $0; cat";
    let sessions: Vec<Session<'_>> = names
        .iter()
        .map(|name| coax.start(name, &["sh", "-c", print, name]))
        .collect();
    let mut asked = Vec::new();
    for name in &names {
        for word in ["one", "two", "three"] {
            let pattern = format!("re:{word} (n\\d+)");
            asked.push((
                name,
                word,
                coax.begin(&["expect", "--json", "-s", name, "--screen", &pattern]),
            ));
        }
    }
    for session in &sessions {
        session.enter("go");
    }
    for (name, word, asked) in asked {
        let done = asked.done();
        assert_eq!(done.code, 0, "{done}");
        let answer = done.json();
        assert_eq!(answer["session"], name.as_str(), "{answer}");
        assert_eq!(answer["match"], format!("{word} {name}"), "{answer}");
    }
}

#[test]
fn many_sends_at_once_arrive_whole() {
    let coax = Coax::new();
    let cat = coax.start_sh("a", "stty -echo; echo ready; cat >got");
    cat.expect("ready");
    let line = |number: usize| format!("{number:02}").repeat(500);
    let lines: Vec<String> = (0..12).map(line).collect();
    let sends: Vec<_> = lines
        .iter()
        .map(|line| coax.begin(&["send", "-s", "a", "--enter", line]))
        .collect();
    for send in sends {
        let done = send.done();
        assert_eq!(done.code, 0, "{done}");
    }
    cat.key(&["C-d"]);
    assert_eq!(cat.exit(), 0);
    let got = coax.file("got");
    let mut got: Vec<&str> = got.lines().collect();
    got.sort_unstable();
    assert_eq!(got, lines);
}

/// How many clients are at a host: it has the reply pipe of each open.
fn clients(host: u64) -> usize {
    let links = std::fs::read_dir(format!("/proc/{host}/fd"))
        .into_iter()
        .flatten()
        .flatten();
    links
        .filter_map(|link| std::fs::read_link(link.path()).ok())
        .filter(|target| target.to_string_lossy().contains("/reply."))
        .count()
}

#[test]
fn a_client_that_is_killed_while_it_waits_costs_the_host_nothing() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    let host = cat.number("host_pid");
    let mut client = coax.begin(&["expect", "-s", "a", "never"]);
    until("the client waits", || clients(host) == 1);
    client.child.kill().unwrap();
    client.child.wait().unwrap();
    until("the host has let go of it", || clients(host) == 0);
    cat.enter("still here");
    cat.expect("still here");
    let left: Vec<_> = std::fs::read_dir(coax.dir().join("a"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert!(
        !left
            .iter()
            .any(|name| name.to_string_lossy().starts_with("re")),
        "{left:?}"
    );
}

/// A client written by hand.
struct Hand {
    reply: File,
    request: File,
    bell: File,
    id: String,
}

fn hex(number: u32) -> String {
    format!("{number:032x}")
}

impl Hand {
    fn new(session: &Path, number: u32) -> Self {
        let id = hex(number);
        let paths: [PathBuf; 2] =
            ["reply", "request"].map(|end| session.join(format!("{end}.{id}")));
        for path in &paths {
            rustix::fs::mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        }
        let nonblocking = i32::try_from(OFlags::NONBLOCK.bits()).unwrap();
        let open = |path: &Path, read, write| {
            OpenOptions::new()
                .read(read)
                .write(write)
                .custom_flags(nonblocking)
                .open(path)
                .unwrap()
        };
        Self {
            reply: open(&paths[0], true, false),
            request: open(&paths[1], true, true),
            bell: open(&session.join("bell"), false, true),
            id,
        }
    }

    fn ask(&mut self, request: &[u8]) {
        self.request.write_all(request).unwrap();
        self.ring(&format!("{}\n", self.id).into_bytes());
    }

    fn ring(&mut self, line: &[u8]) {
        self.bell.write_all(line).unwrap();
    }

    /// All lines of the answer, once the host has said that much and closed its end.
    fn answers(&mut self) -> Vec<Value> {
        let mut said = Vec::new();
        until("the host has answered", || {
            let mut buffer = [0; 4096];
            match self.reply.read(&mut buffer) {
                Ok(0) => !said.is_empty(),
                Ok(count) => {
                    said.extend_from_slice(&buffer[..count]);
                    false
                }
                Err(_) => false,
            }
        });
        let said = String::from_utf8(said).unwrap();
        said.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

#[test]
fn requests_that_are_garbage_are_answered_and_harm_nothing() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    let directory = coax.dir().join("a");
    let deep = format!("{{\"v\":1,\"call\":{}}}\n", "[".repeat(100_000));
    let cases: [(&[u8], &str, &str); 8] = [
        (b"garbage\n", "usage", "not JSON"),
        (b"\xff\xfe\0\n", "usage", "not JSON"),
        (b"\n", "usage", "not JSON"),
        (b"{}\n", "usage", "version"),
        (b"{\"v\":1}\n", "usage", "not understood"),
        (
            b"{\"v\":1,\"call\":{\"dance\":{}}}\n",
            "usage",
            "not understood",
        ),
        (
            b"{\"v\":0,\"call\":{\"status\":{}}}\n",
            "host_gone",
            "different versions",
        ),
        (
            b"{\"v\":99,\"whatever\":[1]}\n",
            "host_gone",
            "different versions",
        ),
    ];
    for (number, (request, kind, message)) in (1..).zip(cases) {
        let mut hand = Hand::new(&directory, number);
        hand.ask(request);
        let answers = hand.answers();
        let fault = &answers.last().unwrap()["fault"];
        assert_eq!(fault["kind"], kind, "{answers:?}");
        assert!(
            fault["message"].as_str().unwrap().contains(message),
            "{answers:?}"
        );
    }
    // Longer than any pipe, and deeper than any reader should go.
    let mut hand = Hand::new(&directory, 100);
    hand.ring(format!("{}\n", hex(100)).as_bytes());
    let mut rest = deep.as_bytes();
    until("the host has read it", || {
        let count = hand.request.write(rest).unwrap_or(0);
        rest = &rest[count..];
        rest.is_empty()
    });
    assert_eq!(hand.answers().last().unwrap()["fault"]["kind"], "usage");
    cat.enter("still here");
    cat.expect("still here");
}

#[test]
fn a_host_answers_a_request_in_two_lines() {
    let coax = Coax::new();
    coax.start("a", &["cat"]);
    let mut hand = Hand::new(&coax.dir().join("a"), 1);
    hand.ask(b"{\"v\":1,\"call\":{\"resize\":{\"rows\":7,\"cols\":null,\"new\":[]}},\"more\":1}\n");
    let answers = hand.answers();
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(answers[0]["ack"], true);
    assert_eq!(
        answers[1]["reply"]["resized"]["size"]["rows"], 7,
        "{answers:?}"
    );
}

#[test]
fn a_request_that_is_cut_off_is_waited_for_five_seconds() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    let host = cat.number("host_pid");
    let directory = coax.dir().join("a");
    let mut hand = Hand::new(&directory, 1);
    let began = Instant::now();
    hand.ask(b"{\"v\":1,\"call\":");
    until("the host has let it in", || clients(host) == 1);
    // Meanwhile everybody else is served, and one that goes away is let go of at once.
    let mut other = Hand::new(&directory, 2);
    other.ask(b"{\"v\":1");
    until("another is let in", || clients(host) == 2);
    drop(other);
    until("it is let go of", || clients(host) == 1);
    cat.enter("served");
    cat.expect("served");
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "this machine is too slow for this test"
    );
    until("patience has an end", || clients(host) == 0);
    assert!(
        began.elapsed() >= Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    let mut rest = String::new();
    hand.reply.read_to_string(&mut rest).unwrap();
    assert_eq!(
        rest, "{\"ack\":true,\"v\":1}\n",
        "it was heard, and no more"
    );
}

#[test]
fn a_bell_that_is_rung_with_nonsense_still_rings() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    let directory = coax.dir().join("a");
    let mut hand = Hand::new(&directory, 1);
    let long = [&b"x".repeat(3000)[..], b"\n"].concat();
    let lines: [&[u8]; 7] = [
        b"\n",
        b"nonsense\n",
        b"../../../../etc/passwd\n",
        b"\xff\xfe\0\n",
        &long,
        // Nobody is there.
        b"00000000000000000000000000000abc\n",
        // A line that was never finished: what comes next is another client's.
        b"half a li",
    ];
    for line in lines {
        hand.ring(line);
    }
    cat.enter("still here");
    cat.expect("still here");
    cat.status();
}

#[test]
fn something_else_in_the_place_of_a_pipe_is_refused() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    let directory = coax.dir().join("a");
    let mut hand = Hand::new(&directory, 1);
    let victim = coax.write("victim", "precious");
    std::os::unix::fs::symlink(&victim, directory.join(format!("reply.{}", hex(2)))).unwrap();
    std::fs::write(directory.join(format!("request.{}", hex(2))), "{\"v\":1}\n").unwrap();
    hand.ring(format!("{}\n", hex(2)).as_bytes());
    cat.status();
    assert_eq!(coax.file("victim"), "precious");
}

#[test]
fn a_host_that_is_killed_ends_the_wait_of_its_clients_at_once() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    let host = cat.number("host_pid");
    let waiting = [
        coax.begin(&["expect", "-s", "a", "never"]),
        coax.begin(&["wait", "-s", "a", "--exit", "--timeout", "none"]),
        coax.begin(&["read", "-s", "a", "--follow"]),
    ];
    until("they wait", || clients(host) == 3);
    let began = Instant::now();
    coax.sh(&format!("kill -9 {host}"));
    for client in waiting {
        client
            .done()
            .fails(5, &["session a is gone", "coax close -s a"]);
    }
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
    coax.gone(cat.number("pid"));
}

#[test]
fn a_host_that_does_not_answer_is_given_up_after_a_second() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    let host = cat.number("host_pid");
    coax.sh(&format!("kill -STOP {host}"));
    let began = Instant::now();
    cat.run("screen", &[])
        .fails(5, &["did not answer within 1 s", "hint"]);
    let took = began.elapsed();
    assert!(
        took >= Duration::from_millis(900) && took < Duration::from_secs(4),
        "{took:?}"
    );
    assert_eq!(coax.json(&["list"])["sessions"][0]["status"], "running");
    coax.sh(&format!("kill -CONT {host}"));
    cat.enter("awake");
    cat.expect("awake");
    until("no pipe is left", || {
        let names = std::fs::read_dir(coax.dir().join("a"))
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name());
        names
            .into_iter()
            .all(|name| !name.to_string_lossy().starts_with("re"))
    });
}

#[test]
fn a_name_is_given_once_however_many_want_it() {
    let coax = Coax::new();
    for name in ["a", "b", "c", "d", "e"] {
        let starts: Vec<_> = (0..4)
            .map(|_| coax.begin(&["start", "-s", name, "--", "cat"]))
            .collect();
        let mut codes: Vec<i32> = starts
            .into_iter()
            .map(|start| {
                let done = start.done();
                assert!(done.code == 0 || done.err.contains("is live"), "{done}");
                done.code
            })
            .collect();
        codes.sort_unstable();
        assert_eq!(codes, [0, 6, 6, 6]);
    }
    // Those that have ended give their names up, each to one.
    for name in ["a", "b", "c", "d", "e"] {
        coax.ok(&["stop", "-s", name]);
        let starts: Vec<_> = (0..4)
            .map(|_| coax.begin(&["start", "-s", name, "--", "cat"]))
            .collect();
        let mut codes: Vec<i32> = starts
            .into_iter()
            .map(|start| {
                let done = start.done();
                assert!(done.code == 0 || done.err.contains("is live"), "{done}");
                done.code
            })
            .collect();
        codes.sort_unstable();
        assert_eq!(codes, [0, 6, 6, 6]);
    }
    let free: Vec<_> = (0..5)
        .map(|_| coax.begin(&["start", "--", "cat"]))
        .collect();
    let mut names: Vec<String> = free.into_iter().map(|start| start.done().out).collect();
    names.sort();
    assert_eq!(names, ["s1\n", "s2\n", "s3\n", "s4\n", "s5\n"]);
}

#[test]
fn names_of_ended_and_lost_sessions_are_taken_over() {
    let coax = Coax::new();
    let first = coax.start("a", &["cat"]);
    assert_eq!(first.started["replaced"], false);
    coax.run(&["start", "-s", "a", "--", "cat"])
        .fails(6, &["session a is live", "coax stop -s a"]);
    first.key(&["C-d"]);
    assert_eq!(first.exit(), 0);
    let second = coax.start("a", &["cat"]);
    assert_eq!(second.started["replaced"], true);
    assert_eq!(second.screen(), "");
    coax.sh(&format!("kill -9 {}", second.number("host_pid")));
    coax.gone(second.number("host_pid"));
    let third = coax.start("a", &["cat"]);
    assert_eq!(third.started["replaced"], true);
    third.enter("mine");
    third.expect("mine");
}

#[test]
fn lost_sessions_are_listed_pruned_and_closed() {
    let coax = Coax::new();
    for name in ["a", "b", "c"] {
        let cat = coax.start(name, &["cat"]);
        if name != "c" {
            coax.sh(&format!("kill -9 {}", cat.number("host_pid")));
            coax.gone(cat.number("host_pid"));
        }
    }
    let all = coax.json(&["list"]);
    let status = |index: usize| all["sessions"][index]["status"].as_str().unwrap();
    assert_eq!(
        [status(0), status(1), status(2)],
        ["lost", "lost", "running"]
    );
    for verb in [
        &["screen"][..],
        &["send", "x"],
        &["stop"],
        &["status"],
        &["wait", "--exit"],
    ] {
        let words = [&verb[..1], &["-s", "a"], &verb[1..]].concat();
        coax.run(&words)
            .fails(5, &["session a is gone", "coax close -s a"]);
    }
    assert_eq!(coax.json(&["close", "-s", "a"])["status"], "lost");
    let pruned = coax.ok(&["list", "--prune"]);
    assert!(
        pruned.contains("removed b\n") && pruned.starts_with("c "),
        "{pruned}"
    );
    coax.run(&["close", "-s", "b"])
        .fails(4, &["no session b", "there are c"]);
}

#[test]
fn a_session_vanishes_by_itself_when_its_time_is_over() {
    let coax = Coax::new().env("COAX_TTL", "300ms");
    let over = coax.start_sh("a", "echo over");
    let live = coax.start("b", &["cat"]);
    over.expect("over");
    over.exit();
    coax.gone(over.number("host_pid"));
    assert_eq!(
        coax.json(&["list"])["sessions"].as_array().unwrap().len(),
        1
    );
    assert!(!coax.dir().join("a").exists());
    assert!(lives(live.number("host_pid")));
    Coax::new()
        .env("COAX_TTL", "soon")
        .run(&["start", "--", "cat"])
        .fails(2, &["COAX_TTL", "soon"]);
}

/// Makes something in the place of the runtime directory, and says what a start says to it.
fn place_is_refused(make: &str, words: &[&str]) {
    let coax = Coax::new();
    coax.sh(make);
    let place = coax.work().join("place");
    let elsewhere = coax
        .command(&["start", "-s", "a", "--", "cat"])
        .env("COAX_DIR", &place)
        .output()
        .unwrap();
    let said = crate::coax::Done::of(&elsewhere, make.to_owned());
    said.fails(125, words);
    assert!(!place.join("a").exists(), "nothing was made there");
    coax.sh("chmod -R u+rwx place; rm -rf place real");
}

#[test]
fn a_runtime_directory_that_others_could_touch_is_refused() {
    place_is_refused(
        "mkdir -m 700 real; ln -s real place",
        &["place is a symbolic link", "COAX_DIR"],
    );
    place_is_refused("ln -s nowhere place", &["place is a symbolic link"]);
    place_is_refused(
        "mkdir -m 770 place",
        &["lets others in (mode 0770)", "chmod 700"],
    );
    place_is_refused(
        "mkdir -m 701 place",
        &["lets others in (mode 0701)", "chmod 700"],
    );
    place_is_refused("echo >place", &["place is not a directory"]);
    place_is_refused("mkfifo place", &["place is not a directory"]);
    if rustix::process::geteuid().is_root() {
        place_is_refused(
            "mkdir -m 700 place; chown 65534 place",
            &["belongs to user 65534", "COAX_DIR"],
        );
    }
}

#[test]
fn the_runtime_directory_is_made_for_its_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let coax = Coax::new();
    let runtime = coax.work().join("runtime");
    std::fs::create_dir(&runtime).unwrap();
    let mut command = coax.command(&["start", "-s", "a", "--", "cat"]);
    let started = command
        .env_remove("COAX_DIR")
        .env("XDG_RUNTIME_DIR", &runtime)
        .output()
        .unwrap();
    assert!(started.status.success(), "{started:?}");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&runtime.join("coax")), 0o700);
    assert_eq!(mode(&runtime.join("coax/a/facts.json")), 0o600);
    let mut command = coax.command(&["close", "-s", "a"]);
    let closed = command
        .env("COAX_DIR", runtime.join("coax"))
        .output()
        .unwrap();
    assert!(closed.status.success(), "{closed:?}");
}
