//! One session of a test, and how the tests talk to it: each word is a process of its own.

use serde_json::Value;

use crate::coax::{Coax, Done};

/// A session with a program in it.
pub struct Session<'a> {
    coax: &'a Coax,
    name: String,
    /// What `start` answered.
    pub started: Value,
}

impl Coax {
    /// Starts a program in a session.
    pub fn start<'a>(&'a self, name: &str, argv: &[&str]) -> Session<'a> {
        self.start_with(name, &[], argv)
    }

    /// Starts a program in a session, with options of `start`.
    pub fn start_with<'a>(&'a self, name: &str, options: &[&str], argv: &[&str]) -> Session<'a> {
        let started = self.json(&[&["start", "-s", name], options, &["--"], argv].concat());
        Session {
            coax: self,
            name: name.to_owned(),
            started,
        }
    }

    /// Starts a shell line in a session.
    pub fn start_sh<'a>(&'a self, name: &str, line: &str) -> Session<'a> {
        self.start(name, &["sh", "-c", line])
    }
}

impl Session<'_> {
    fn words<'w>(&'w self, verb: &'w str, rest: &[&'w str]) -> Vec<&'w str> {
        [&[verb, "-s", &self.name], rest].concat()
    }

    /// Runs a verb; whatever it answers.
    pub fn run(&self, verb: &str, rest: &[&str]) -> Done {
        self.coax.run(&self.words(verb, rest))
    }

    /// Runs a verb that must succeed; what it printed.
    pub fn ok(&self, verb: &str, rest: &[&str]) -> String {
        self.coax.ok(&self.words(verb, rest))
    }

    /// Runs a verb with `--json` that must succeed.
    pub fn json(&self, verb: &str, rest: &[&str]) -> Value {
        self.coax.json(&self.words(verb, rest))
    }

    /// Types a line.
    pub fn enter(&self, line: &str) {
        self.ok("send", &["--enter", "--", line]);
    }

    /// Types text without Enter.
    pub fn send(&self, text: &str) {
        self.ok("send", &["--", text]);
    }

    /// Presses keys.
    pub fn key(&self, keys: &[&str]) {
        self.ok("key", keys);
    }

    /// Waits for a pattern.
    pub fn expect(&self, pattern: &str) {
        self.ok("expect", &["--", pattern]);
    }

    /// What the screen shows.
    pub fn screen(&self) -> String {
        self.ok("screen", &[])
    }

    /// Waits for the end of the program; its exit code.
    pub fn exit(&self) -> i32 {
        self.run("wait", &["--exit"]).code
    }

    /// The number that `start` or `status` gave under `field`.
    pub fn number(&self, field: &str) -> u64 {
        self.started[field]
            .as_u64()
            .unwrap_or_else(|| panic!("no {field} in {}", self.started))
    }

    /// What `status` says.
    pub fn status(&self) -> Value {
        self.json("status", &[])
    }
}
