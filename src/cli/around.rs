//! What is around the process: environment, working directory, standard input. Looked at here only.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::client::Client;
use crate::fault::Fault;
use crate::link::place::Place;
use crate::sys::dir;
use crate::verb::{Limit, NOT_PASSED_ON};

/// How long a session is kept after its program's end, unless `COAX_TTL` says otherwise: 10 min.
const TTL_MS: u64 = 10 * 60 * 1000;

/// Switches off that the kernel is asked whether a program waits.
const NO_PROBE: &str = "COAX_NO_PROBE";

/// What is around the process; a value, so that what reads it says so.
#[derive(Debug)]
pub(super) struct Around {
    dry: bool,
}

#[allow(clippy::unused_self, reason = "whoever has no surroundings cannot ask")]
impl Around {
    pub(super) fn new() -> Self {
        Self { dry: false }
    }

    /// Nothing: for words that are only checked, so that what they name need not be there yet.
    pub(super) fn dry() -> Self {
        Self { dry: true }
    }

    /// Whether files, directories and standard input are not to be touched.
    pub(super) fn is_dry(&self) -> bool {
        self.dry
    }

    /// A variable of the environment, where it is set and text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    /// A variable of the environment, where it is set.
    pub(super) fn var(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }

    /// The environment that a program is given unless told otherwise.
    pub(super) fn passed_on(&self) -> Vec<(OsString, OsString)> {
        std::env::vars_os()
            .filter(|(name, _)| !NOT_PASSED_ON.iter().any(|hidden| name == hidden))
            .collect()
    }

    /// Whether the kernel is asked if a program waits for input: `COAX_NO_PROBE` switches that off.
    pub(super) fn probes(&self) -> bool {
        self.var(NO_PROBE).is_none_or(|value| value.is_empty())
    }

    /// The working directory.
    pub(super) fn cwd(&self) -> Option<PathBuf> {
        std::env::current_dir().ok()
    }

    /// The driver of the sessions in the runtime directory: `COAX_DIR`, else `coax` in
    /// `XDG_RUNTIME_DIR`, else `/tmp/coax-UID`.
    pub(super) fn client(&self) -> Result<Client, Fault> {
        let set = |name| {
            self.var(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let root = set("COAX_DIR")
            .or_else(|| set("XDG_RUNTIME_DIR").map(|runtime| runtime.join("coax")))
            .unwrap_or_else(|| PathBuf::from(format!("/tmp/coax-{}", dir::user())));
        let ttl_ms = match self.text("COAX_TTL") {
            None => Some(TTL_MS),
            Some(word) => match word.parse::<Limit>().map_err(|fault| {
                Fault::usage(format!("COAX_TTL: {}", fault.message)).hint(fault.hint)
            })? {
                Limit::After(ttl) => Some(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)),
                Limit::None => None,
            },
        };
        Ok(Client::new(
            Place::open(&root)?,
            self.text("COAX_SESSION"),
            ttl_ms,
        ))
    }
}
