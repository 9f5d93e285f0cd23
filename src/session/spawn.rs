//! From what is wanted to a live program.

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::fault::{Fault, Kind};
use crate::sys::child::{self, Program};
use crate::sys::{clock, pty};
use crate::term::{Size, Term};
use crate::transcript::Transcript;

use super::Session;

/// Lines of scrollback that are kept.
pub(super) const SCROLLBACK: usize = 10_000;

/// Variables of the caller that would mislead a program on a terminal of its own.
pub const NOT_PASSED_ON: [&str; 6] = ["COLUMNS", "LINES", "TERMCAP", "TMUX", "TMUX_PANE", "STY"];

/// What a new session is to be.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The program and its arguments, as they are.
    pub argv: Vec<OsString>,
    /// The program's whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// The directory to run in, or none for this process's.
    pub cwd: Option<PathBuf>,
    /// The size of the terminal.
    pub size: Size,
}

impl Session {
    /// Opens a terminal and runs the program on it; returns when exec has succeeded.
    ///
    /// # Errors
    /// Not found, cannot be run, or usage when the directory is not one; nothing is left behind.
    pub fn spawn(spec: &Spec) -> Result<Self, Fault> {
        if let Some(cwd) = &spec.cwd
            && !cwd.is_dir()
        {
            return Err(
                Fault::usage(format!("{} is not a directory", cwd.display()))
                    .hint("--cwd takes a directory that exists"),
            );
        }
        let (master, slave) = pty::open(spec.size.rows, spec.size.cols).map_err(|error| {
            Fault::internal(format!("no pseudo-terminal can be opened: {error}")).hint(
                "see that /dev/ptmx is there and that /proc/sys/kernel/pty/max is not reached",
            )
        })?;
        let program = Program {
            argv: spec.argv.clone(),
            env: spec.env.clone(),
            cwd: spec.cwd.clone(),
        };
        let child = program
            .spawn(slave)
            .map_err(|error| why_not(spec, &error))?;
        let mut term = Term::new(spec.size, SCROLLBACK);
        term.set_trail(true);
        Ok(Self::new(
            master,
            child,
            term,
            Transcript::default(),
            clock::now(),
        ))
    }
}

/// Why exec failed, as a person would say it.
fn why_not(spec: &Spec, error: &io::Error) -> Fault {
    let name = spec.argv.first().cloned().unwrap_or_default();
    let shown = name.to_string_lossy().into_owned();
    let path_name = Path::new(&name);
    let has_slash = shown.contains('/');
    let place = match &spec.cwd {
        Some(cwd) => cwd.join(path_name),
        None => path_name.to_owned(),
    };
    let path_of = || {
        spec.env
            .iter()
            .find(|(name, _)| name == "PATH")
            .map(|(_, path)| path)
    };
    // exec gives the same error for a program and for the interpreter that its first line names.
    let is_there = || {
        has_slash && place.exists()
            || !has_slash && path_of().is_some_and(|path| child::finds(path, path_name))
    };
    match error.kind() {
        io::ErrorKind::NotFound if is_there() => Fault::new(
            Kind::CannotRun,
            format!("{shown} cannot be run: the interpreter that it names is not there"),
        )
        .hint("look at its first line"),
        io::ErrorKind::NotFound if has_slash => {
            Fault::new(Kind::NotFound, format!("{shown}: no such file"))
                .hint("a program with a slash in its name is looked for from --cwd on")
        }
        io::ErrorKind::NotFound => {
            let path =
                path_of().map_or("not set".into(), |path| path.to_string_lossy().into_owned());
            Fault::new(
                Kind::NotFound,
                format!("{shown}: not found in the PATH of the program"),
            )
            .hint(format!("PATH is {path}"))
        }
        io::ErrorKind::PermissionDenied => {
            let what = if place.is_dir() {
                "it is a directory"
            } else if place
                .metadata()
                .is_ok_and(|seen| seen.permissions().mode() & 0o111 == 0)
            {
                "it is not executable"
            } else {
                "permission denied"
            };
            Fault::new(Kind::CannotRun, format!("{shown} cannot be run: {what}"))
        }
        _ => Fault::new(Kind::CannotRun, format!("{shown} cannot be run: {error}")),
    }
}
