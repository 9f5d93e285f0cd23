//! How a host begins: entered before anything else of the program, told over a pipe what to run, and
//! answering over a pipe that it runs.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::fault::{Fault, Kind};
use crate::link::place::Place;
use crate::link::visitor::Bell;
use crate::session::{Session, Spec};
use crate::sys::dir::{self, Lock};
use crate::sys::signal::Signals;
use crate::sys::{child, clock, daemon, process};
use crate::verb::{Facts, Reply, Started, timestamp};
use crate::wire::{self, Birth};

use super::{Host, spoken};

/// The variable that tells a program which session it is in.
const OWN_NAME: &str = "COAX_SESSION";

/// The whole life of a host.
pub fn main() {
    daemon::let_go();
    child::adopt_orphans();
    let born = daemon::read_input()
        .map_err(|error| Fault::internal(format!("the host was told nothing: {error}")))
        .and_then(|input| wire::read::<Birth>(&input))
        .and_then(|birth| bear(&birth));
    match born {
        Err(fault) => {
            // Whoever asked is told, if still there.
            let _ = daemon::answer_and_hush(&spoken(Err(fault)));
        }
        Ok((mut host, started)) => {
            let _ = daemon::answer_and_hush(&spoken(Ok(Reply::Started(started))));
            // A loop that fails leaves the session lost, which the next verb reports.
            let _ = host.serve();
        }
    }
}

fn bear(birth: &Birth) -> Result<(Host, Started), Fault> {
    let place = Place::open(Path::new(&birth.root.to_os()))?;
    let name = birth.name.clone();
    let lock = claim(&place, birth)?;
    let host = furnish(&place, birth, lock);
    if host.is_err() {
        // A program that cannot be run leaves no session behind.
        let _ = place.remove(&name);
    }
    host
}

/// Takes the lock of the session's directory, which is made where it is missing.
fn claim(place: &Place, birth: &Birth) -> Result<Lock, Fault> {
    let name = &birth.name;
    let failed = |error: std::io::Error| {
        Fault::internal(format!("{}: {error}", place.session(name).display()))
    };
    for _ in 0..100 {
        if let Err(error) = dir::make(&place.session(name))
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(failed(error));
        }
        let path = place.lock(name);
        match Lock::take(&path) {
            Ok(Some(lock)) if lock.stands_at(&path) => return Ok(lock),
            Ok(None) if path.exists() => {
                return Err(
                    Fault::new(Kind::NameTaken, format!("session {name} is live"))
                        .hint("choose another name, or stop and close that one"),
                );
            }
            // Somebody removed the directory in between.
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Err(Fault::internal(format!(
        "the directory of session {name} comes and goes"
    )))
}

fn furnish(place: &Place, birth: &Birth, lock: Lock) -> Result<(Host, Started), Fault> {
    let name = birth.name.clone();
    let directory = place.session(&name);
    let failed =
        |error: std::io::Error| Fault::internal(format!("{}: {error}", directory.display()));
    tidy(&directory).map_err(failed)?;
    let signals = Signals::catch(&[process::CHLD, process::TERM]).map_err(failed)?;
    let start = &birth.start;
    let cwd = start.cwd.as_ref().map(|cwd| cwd.to_os().into());
    let mut session = Session::spawn(&Spec {
        argv: start.argv.iter().map(crate::verb::Bytes::to_os).collect(),
        env: environment(birth),
        cwd,
        size: start.size,
    })?;
    session.own_orphans(Vec::new());
    if start.no_probe {
        session.ask_nothing();
    }
    let here = daemon::leave_directory();
    let bell = Bell::hang(&directory).map_err(failed)?;
    let at = clock::wall_ms();
    let mut facts = Facts {
        name: name.to_string(),
        pid: session.pid(),
        host_pid: std::process::id(),
        command: start.argv.iter().map(crate::verb::Bytes::to_text).collect(),
        cwd: match &start.cwd {
            Some(cwd) => cwd.to_text(),
            None => here
                .map(|here| here.to_string_lossy().into_owned())
                .unwrap_or_default(),
        },
        started_at: timestamp(at),
        started_at_ms: at,
        description: start.description.clone(),
        owner: start.owner.clone(),
        labels: start.labels.iter().cloned().collect(),
        ..Facts::default()
    };
    facts.refresh(&session, at);
    place.write_facts(&name, &facts).map_err(failed)?;
    let started = Started {
        name: name.clone(),
        pid: session.pid(),
        host_pid: std::process::id(),
        size: start.size,
        offset: session.offset(),
        replaced: birth.replaced,
    };
    let host = Host {
        place: place.clone(),
        name,
        facts,
        session,
        bell,
        guests: Vec::new(),
        signals,
        ttl: birth.ttl_ms.map(Duration::from_millis),
        _lock: lock,
        leave_by: None,
    };
    Ok((host, started))
}

/// The program's whole environment: what was asked for, and the session's own name, so that what the
/// program runs can speak of it.
fn environment(birth: &Birth) -> Vec<(OsString, OsString)> {
    let asked = birth
        .start
        .env
        .iter()
        .map(|(name, value)| (name.to_os(), value.to_os()));
    let own = (
        OsString::from(OWN_NAME),
        OsString::from(birth.name.as_str()),
    );
    asked
        .filter(|(name, _)| name != OWN_NAME)
        .chain([own])
        .collect()
}

/// Removes what the directory's last host left: everything but the lock.
fn tidy(directory: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name() != "lock"
            && let Err(error) = remove(&entry.path())
            // A client that asked the last host takes its pipes along.
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(error);
        }
    }
    Ok(())
}

fn remove(path: &Path) -> std::io::Result<()> {
    if path.symlink_metadata()?.is_dir() {
        std::fs::remove_dir_all(path)
    } else {
        std::fs::remove_file(path)
    }
}
