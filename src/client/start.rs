//! Opening a session: a name is found, a host is born, its word is waited for.

use std::ffi::OsStr;
use std::io;

use crate::fault::{Fault, Kind};
use crate::link::caller;
use crate::link::place::{Place, Standing};
use crate::sys::{clock, daemon, dir};
use crate::verb::{Bytes, Close, Limit, Name, Reply, Start, Started, Verb};
use crate::wire::{self, Answer, Birth};

/// The argument that makes the binary a host.
pub const HOST: &str = "__host";

/// How many names are tried before giving up.
const NAMES_MAX: u32 = 100_000;

/// How often it is looked who has a name before it counts as taken.
const LOOKS_MAX: u32 = 100;

/// Opens a session named `name`, or with the first free name of `s1`, `s2`, ...
pub(super) fn start(
    place: &Place,
    name: Option<Name>,
    start: Start,
    ttl_ms: Option<u64>,
) -> Result<Started, Fault> {
    place.sweep();
    let (name, replaced) = match name {
        Some(name) => {
            let replaced = make_free(place, &name)?;
            (name, replaced)
        }
        None => (claim_free(place)?, false),
    };
    let birth = Birth {
        root: Bytes::from(place.root().as_os_str()),
        name: name.clone(),
        start,
        ttl_ms,
        replaced,
    };
    let input = wire::write(&birth)?;
    let said = daemon::launch(OsStr::new(HOST), &input)
        .map_err(|error| Fault::internal(format!("the session's host cannot be started: {error}")));
    if said.as_ref().map_or(true, Vec::is_empty) {
        // Nobody is there to remove what was claimed.
        let _ = place.remove_lost(&name);
    }
    let said = said?;
    match wire::read_answer(said.trim_ascii_end()) {
        Ok(Answer::Done(reply)) => match *reply {
            Reply::Started(started) => Ok(started),
            _ => Err(Fault::internal(
                "the session's host answered something else",
            )),
        },
        Ok(Answer::Failed(fault)) => Err(*fault),
        _ => Err(Fault::internal("the session's host ended without a word")
            .hint("is there memory, and a process number, for one more process?")),
    }
}

/// Makes the first free directory of `s1`, `s2`, ...; making it claims the name.
fn claim_free(place: &Place) -> Result<Name, Fault> {
    for number in 1..=NAMES_MAX {
        let name: Name = format!("s{number}").parse()?;
        match dir::make(&place.session(&name)) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(Fault::internal(format!(
                    "{}: {error}",
                    place.session(&name).display()
                )));
            }
        }
    }
    Err(Fault::internal(format!(
        "{NAMES_MAX} sessions are there already"
    )))
}

/// Makes sure that nothing live has the name; true when something that had ended gave it up.
fn make_free(place: &Place, name: &Name) -> Result<bool, Fault> {
    let taken = || {
        Fault::new(Kind::NameTaken, format!("session {name} is live")).hint(format!(
            "choose another name, or end it with coax stop -s {name}"
        ))
    };
    for _ in 0..LOOKS_MAX {
        let host = match place.look(name) {
            None => return Ok(false),
            Some(Standing::Lost(_)) => return Ok(true),
            Some(Standing::Hosted(facts)) => facts.host_pid,
        };
        // One question: between two, somebody else may have started what this would close.
        match ask(place, name, &Verb::Close(Close { ended: true })) {
            Ok(_) => return Ok(true),
            Err(fault) if fault.kind == Kind::NameTaken => return Err(taken()),
            // Its host has the lock and hangs the bell next.
            Err(fault) if fault.kind == Kind::HostGone && place.is_being_born(name) => {
                return Err(taken());
            }
            // It was closed meanwhile, perhaps by somebody who wants the name as well.
            Err(fault)
                if fault.kind == Kind::HostGone && (host == 0 || !stands(place, name, host)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Err(taken())
}

/// Whether that host has the name.
fn stands(place: &Place, name: &Name, host: u32) -> bool {
    matches!(place.look(name), Some(Standing::Hosted(facts)) if facts.host_pid == host)
}

fn ask(place: &Place, name: &Name, verb: &Verb) -> Result<Reply, Fault> {
    let deadline = Limit::DEFAULT.deadline(clock::now());
    match caller::call(
        &place.session(name),
        name,
        &wire::request(verb)?,
        deadline,
        None,
    )? {
        Answer::Done(reply) => Ok(*reply),
        Answer::Failed(fault) => Err(*fault),
        Answer::Acknowledged => Err(Fault::internal("a host acknowledged twice")),
    }
}
