//! `coax start`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use clap::Args;

use crate::fault::Fault;
use crate::term::Size;
use crate::verb::{Bytes, Name, Order, Start, Verb, check};

use super::{Around, Spelled, Voice, label, name};

#[derive(Args, Debug)]
pub(super) struct StartArgs {
    /// The new session's name; else the first free one of s1, s2, ...
    #[arg(short, long, value_name = "NAME", value_parser = name)]
    session: Option<Name>,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    program: ProgramArgs,
    /// What it is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// A label to choose it by (again for more)
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<(String, String)>,
    /// Whom it belongs to
    #[arg(long, value_name = "OWNER")]
    owner: Option<String>,
    /// In a script: the session outlives the script
    #[arg(long)]
    detach: bool,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    argv: Vec<OsString>,
}

/// What every command that runs a program takes.
#[derive(Args, Debug)]
pub(super) struct ProgramArgs {
    /// Rows of the terminal
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=4096))]
    rows: u16,
    /// Columns of the terminal
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..=4096))]
    cols: u16,
    #[command(flatten)]
    surroundings: SurroundingsArgs,
}

/// The variables of an environment.
type Environment = Vec<(OsString, OsString)>;

/// Where and with what environment a program runs.
#[derive(Args, Debug, Default)]
pub(super) struct SurroundingsArgs {
    /// The directory to run in
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// K=V sets a variable, K passes it on, -K removes it (again for more)
    #[arg(long = "env", value_name = "E", allow_hyphen_values = true)]
    env: Vec<OsString>,
    /// What TERM says
    #[arg(long, value_name = "TERM", default_value = "xterm-256color")]
    term: String,
}

impl SurroundingsArgs {
    /// The directory, absolute, and the environment with `TERM` in it.
    pub(super) fn resolve(&self, around: &Around) -> Result<(Option<PathBuf>, Environment), Fault> {
        let cwd = match &self.cwd {
            None => around.cwd(),
            Some(dir) => {
                let dir = around
                    .cwd()
                    .map_or_else(|| dir.clone(), |here| here.join(dir));
                if !around.is_dry() && !dir.is_dir() {
                    return Err(
                        Fault::usage(format!("{} is not a directory", dir.display()))
                            .hint("--cwd takes a directory that exists"),
                    );
                }
                Some(dir)
            }
        };
        let mut env = around.passed_on();
        let mut set = |name: &OsStr, value: Option<OsString>| {
            env.retain(|(known, _)| known != name);
            if let Some(value) = value {
                env.push((name.to_owned(), value));
            }
        };
        set(OsStr::new("TERM"), Some(self.term.clone().into()));
        for word in &self.env {
            let bytes = word.as_bytes();
            let equals = bytes.iter().position(|byte| *byte == b'=');
            let bad = || {
                Fault::usage(format!("{} is no --env", word.display()))
                    .hint("K=V sets a variable, K passes it on, -K removes it")
            };
            match equals {
                Some(0) => return Err(bad()),
                Some(at) => {
                    let (name, value) = (&bytes[..at], &bytes[at + 1..]);
                    set(
                        OsStr::from_bytes(name),
                        Some(OsStr::from_bytes(value).to_owned()),
                    );
                }
                None if bytes.is_empty() || bytes == b"-" => return Err(bad()),
                None if bytes[0] == b'-' => set(OsStr::from_bytes(&bytes[1..]), None),
                None => {
                    let value = word.to_str().and_then(|name| around.var(name));
                    set(word, value);
                }
            }
        }
        Ok((cwd, env))
    }
}

impl ProgramArgs {
    /// The start of `argv` with these.
    pub(super) fn start(&self, argv: &[OsString], around: &Around) -> Result<Start, Fault> {
        let size = Size {
            rows: self.rows,
            cols: self.cols,
        };
        check(size)?;
        let (cwd, env) = self.surroundings.resolve(around)?;
        if argv.first().is_none_or(|program| program.is_empty()) {
            return Err(Fault::usage("there is no program to run")
                .hint("write it after --: coax start -- bash"));
        }
        Ok(Start {
            argv: argv
                .iter()
                .map(|word| Bytes::from(word.as_os_str()))
                .collect(),
            size,
            cwd: cwd.map(|cwd| Bytes::from(cwd.as_os_str())),
            env: env
                .iter()
                .map(|(name, value)| {
                    (
                        Bytes::from(name.as_os_str()),
                        Bytes::from(value.as_os_str()),
                    )
                })
                .collect(),
            no_probe: !around.probes(),
            ..Start::default()
        })
    }
}

impl Spelled for StartArgs {
    fn order(self, around: &Around) -> Result<(Order, Voice), Fault> {
        let start = Start {
            description: self.description,
            labels: self.labels,
            owner: self.owner,
            detach: self.detach,
            ..self.program.start(&self.argv, around)?
        };
        let order = Order {
            session: self.session,
            verb: Verb::Start(Box::new(start)),
        };
        Ok((order, Voice { json: self.json }))
    }
}
