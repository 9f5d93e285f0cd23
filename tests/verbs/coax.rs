//! The binary as its users run it: each test has a runtime directory of its own and leaves nothing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The binary with a runtime directory and a scratch directory of its own.
pub struct Coax {
    root: PathBuf,
    env: Vec<(String, String)>,
}

/// What a command answered.
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
    what: String,
}

/// A command that runs beside the test.
pub struct Running {
    pub child: Child,
    what: String,
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Coax {
    pub fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("coax-test-{}-{number}", std::process::id()));
        for folder in ["", "run", "work", "home"] {
            let path = root.join(folder);
            std::fs::create_dir(&path).expect("a fresh folder");
            private(&path);
        }
        Self {
            root,
            env: Vec::new(),
        }
    }

    /// The same with a variable of the environment.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The scratch directory, in which commands run.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The runtime directory.
    pub fn dir(&self) -> PathBuf {
        self.root.join("run")
    }

    /// Writes a file into the scratch directory.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.work().join(name);
        std::fs::write(&path, text).expect("the file can be written");
        path
    }

    /// Reads a file of the scratch directory.
    pub fn file(&self, name: &str) -> String {
        let path = self.work().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A command of the binary, ready to be run.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coax"));
        self.surround(&mut command);
        command.args(args).stdin(Stdio::null());
        command
    }

    /// Gives a command the test's surroundings.
    pub fn surround(&self, command: &mut Command) {
        command
            .current_dir(self.work())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.join("home"))
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("COAX_DIR", self.dir())
            .envs(self.env.iter().map(|(name, value)| (name, value)));
    }

    /// Runs a command of the binary.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Done {
        let output = self.command(args).output().expect("the binary runs");
        let what = args
            .iter()
            .map(|word| word.as_ref().to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join(" ");
        Done::of(&output, what)
    }

    /// Runs a command of the binary that must succeed; what it printed.
    pub fn ok<S: AsRef<OsStr>>(&self, args: &[S]) -> String {
        let done = self.run(args);
        assert_eq!(done.code, 0, "{done}");
        done.out
    }

    /// Runs a command of the binary with `--json` that must succeed.
    pub fn json(&self, args: &[&str]) -> serde_json::Value {
        let done = self.run(&json(args));
        assert_eq!(done.code, 0, "{done}");
        done.json()
    }

    /// Begins a command of the binary that runs beside the test.
    pub fn begin(&self, args: &[&str]) -> Running {
        let child = self
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        Running {
            child,
            what: args.join(" "),
        }
    }

    /// Runs a script; what it answered.
    pub fn script(&self, text: &str) -> Done {
        let path = self.write("script.coax", text);
        self.run(&[OsStr::new("run"), OsStr::new("--script"), path.as_os_str()])
    }

    /// Runs a shell command in the same surroundings that must succeed; what it printed.
    pub fn sh(&self, line: &str) -> String {
        let mut command = Command::new("sh");
        self.surround(&mut command);
        let coax = Path::new(env!("CARGO_BIN_EXE_coax"));
        let output = command
            .args(["-c", line])
            .env("COAX", coax)
            .stdin(Stdio::null())
            .output()
            .expect("sh runs");
        let done = Done::of(&output, line.to_owned());
        assert_eq!(done.code, 0, "{done}");
        done.out
    }
}

impl Coax {
    /// Waits until a process is gone: not there, or ended and not reaped by whoever should.
    pub fn gone(&self, pid: u64) {
        until(&format!("process {pid} is gone"), || !lives(pid));
    }

    /// The processes that descend from this test: its runtime directory is in their environment.
    pub fn processes(&self) -> Vec<u64> {
        let mark = format!("COAX_DIR={}\0", self.dir().display()).into_bytes();
        let marked = |pid: &u64| {
            let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environ.windows(mark.len()).any(|part| part == mark)
        };
        let entries = std::fs::read_dir("/proc")
            .expect("/proc is there")
            .flatten();
        entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(marked)
            .collect()
    }
}

/// Whether a process is there and has not ended.
pub fn lives(pid: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(')')
        .next()
        .and_then(|rest| rest.split_whitespace().next());
    !matches!(state, None | Some("Z" | "X"))
}

/// Waits for a fact that nothing tells of: looks again and again, for 20 s at most.
pub fn until(fact: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "never: {fact}");
        std::thread::park_timeout(Duration::from_millis(2));
    }
}

/// `args` with `--json` after the verb.
fn json<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let mut words = args.to_vec();
    words.insert(1, "--json");
    words
}

impl Done {
    pub fn of(output: &Output, what: String) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let signal = output.status.signal().map(|signal| 128 + signal);
        Self {
            code: output.status.code().or(signal).expect("it ended"),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            what,
        }
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// Asserts the exit code, and that the error says all of `words`.
    pub fn fails(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{self}");
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in {self}");
        }
        assert!(!self.err.contains("panicked"), "{self}");
    }
}

impl Running {
    /// Waits for its end; what it answered.
    pub fn done(self) -> Done {
        let output = self.child.wait_with_output().expect("it ends");
        Done::of(&output, self.what)
    }
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            code,
            out,
            err,
            what,
        } = self;
        write!(
            f,
            "coax {what} ended with {code}\n--- out\n{out}\n--- err\n{err}"
        )
    }
}

impl Drop for Coax {
    fn drop(&mut self) {
        let list = self.run(&["list", "--json"]);
        let sessions = serde_json::from_str::<serde_json::Value>(&list.out).unwrap_or_default();
        for session in sessions["sessions"].as_array().into_iter().flatten() {
            let name = session["session"].as_str().unwrap_or_default();
            self.run(&["stop", "-s", name, "--grace", "200ms"]);
            self.run(&["close", "-s", name]);
        }
        if !std::thread::panicking() {
            until("no process is left behind", || self.processes().is_empty());
        }
        let left: Vec<_> = std::fs::read_dir(self.dir())
            .map(|entries| entries.flatten().map(|entry| entry.file_name()).collect())
            .unwrap_or_default();
        let _ = std::fs::remove_dir_all(&self.root);
        if !std::thread::panicking() {
            assert!(left.is_empty(), "left in the runtime directory: {left:?}");
        }
    }
}

fn private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).expect("ours");
}

/// Whether a program is there.
pub fn there(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    })
}

/// Ends the test where a program is missing, saying so by name.
#[macro_export]
macro_rules! needs {
    ($($program:literal),+) => {
        $(if !$crate::coax::there($program) {
            eprintln!("skipped: {} is missing", $program);
            return;
        })+
    };
}
