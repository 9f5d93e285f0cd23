//! `coax run`: a script, or a program that is given a terminal.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};

use crate::fault::{Exit, Fault};
use crate::session::{Session, Spec};
use crate::sys::{child, process, tty};
use crate::term::Size;
use crate::verb::{Limit, check};

use super::passthrough::Passthrough;
use super::start::SurroundingsArgs;
use super::{Around, limit, script};

#[derive(Args, Debug)]
pub(super) struct RunArgs {
    /// A script, as FILE alone is
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "check", "argv"])]
    script: Option<PathBuf>,
    /// Name every mistake of a script, and run nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "argv"])]
    check: Option<PathBuf>,
    /// Answer with JSON objects
    #[arg(long)]
    json: bool,
    /// Rows of the terminal, else those of the terminal outside, else 24
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    rows: Option<u16>,
    /// Columns of the terminal, else those of the terminal outside, else 80
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    cols: Option<u16>,
    /// How long the program may run at most
    #[arg(long, value_name = "D", value_parser = limit, default_value = "none")]
    timeout: Limit,
    #[command(flatten)]
    surroundings: SurroundingsArgs,
    /// A script
    #[arg(value_name = "FILE", conflicts_with = "argv")]
    file: Option<PathBuf>,
    /// A program and its arguments
    #[arg(last = true, value_name = "CMD")]
    argv: Vec<OsString>,
}

impl RunArgs {
    /// Options that say something of a program say nothing of a script.
    fn refuse_for_scripts(matches: &ArgMatches) -> Result<(), Fault> {
        let given =
            |id: &str| matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
        for option in ["rows", "cols", "timeout", "cwd", "env", "term"] {
            if given(option) {
                return Err(Fault::usage(format!(
                    "--{option} is for coax run -- CMD, not for a script"
                ))
                .hint(
                    "in a script, set timeout and set deadline limit it, and start takes the rest",
                ));
            }
        }
        Ok(())
    }
}

/// Runs a script or a program.
pub(super) fn run(matches: &ArgMatches, around: &Around) -> Result<Exit, Fault> {
    let args =
        RunArgs::from_arg_matches(matches).map_err(|error| Fault::usage(error.to_string()))?;
    if args.argv.is_empty() {
        RunArgs::refuse_for_scripts(matches)?;
    }
    if let Some(file) = &args.check {
        return script::check(file, args.json, around);
    }
    if let Some(file) = args.script.as_ref().or(args.file.as_ref()) {
        return script::run(file, args.json, around);
    }
    if args.argv.is_empty() {
        return Err(Fault::usage("there is nothing to run")
            .hint("coax run FILE runs a script, coax run -- CMD gives CMD a terminal"));
    }
    let (rows, cols) = tty::size().unwrap_or((24, 80));
    let size = Size {
        rows: args.rows.unwrap_or(rows),
        cols: args.cols.unwrap_or(cols),
    };
    check(size)?;
    let others = process::children(std::process::id());
    child::adopt_orphans();
    let (cwd, env) = args.surroundings.resolve(around)?;
    let mut session = Session::spawn(&Spec {
        argv: args.argv,
        env,
        cwd,
        size,
    })?;
    session.own_orphans(others);
    // Nobody waits for its turn here: whatever comes is passed on.
    session.ask_nothing();
    let follow = args.rows.is_none() && args.cols.is_none();
    Passthrough::new(session, follow, args.timeout)?.run()
}
