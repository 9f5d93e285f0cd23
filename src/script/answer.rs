//! What a script reads out of the replies of verbs. The only file here that knows their fields.

use crate::fault::{Fault, Kind};
use crate::verb::{Close, Expect, Matched, Name, Order, Reply, Stop, Verb, Waited};

/// The captures of a match, by number; empty where a group took no part.
pub(super) fn numbered(matched: &Matched) -> Vec<String> {
    let groups = matched.captures.iter();
    groups
        .map(|group| group.clone().unwrap_or_default())
        .collect()
}

/// The captures of a match that have a name.
pub(super) fn named(_matched: &Matched) -> Vec<(String, String)> {
    Vec::new()
}

/// How many patterns `expect` was given.
pub(super) fn patterns(expect: &Expect) -> usize {
    expect.patterns.len()
}

/// The exit code of the program whose end was waited for, 128 more than the signal that ended it.
pub(super) fn ended_with(waited: &Waited) -> Option<i32> {
    if !waited.for_exit {
        return None;
    }
    waited
        .exit_code
        .or(waited.signal.map(|signal| 128 + signal))
}

/// Whether a reply is what its verb was asked for, so that a script shows it.
pub(super) fn looks(reply: &Reply) -> bool {
    match reply {
        Reply::Shown(_) | Reply::Passage(_) | Reply::Reading(_) | Reply::Listed(_) => true,
        Reply::Started(_)
        | Reply::Sent(_)
        | Reply::Matched(_)
        | Reply::Waited(_)
        | Reply::Resized(_)
        | Reply::Signalled(_)
        | Reply::Stopped(_)
        | Reply::Closed(_) => false,
    }
}

/// Whether an order is about one session, so that a script's current one can be meant.
pub(super) fn is_of_session(verb: &Verb) -> bool {
    match verb {
        Verb::Start(_) | Verb::List(_) => false,
        Verb::Send(_)
        | Verb::Key(_)
        | Verb::Expect(_)
        | Verb::Wait(_)
        | Verb::Screen(_)
        | Verb::Read(_)
        | Verb::Status(_)
        | Verb::Resize(_)
        | Verb::Signal(_)
        | Verb::Stop(_)
        | Verb::Close(_) => true,
    }
}

/// The order that ends a session's program and all that it started.
pub(super) fn stop(name: &Name) -> Order {
    Order {
        session: Some(name.clone()),
        verb: Verb::Stop(Stop::default()),
    }
}

/// The order that forgets a session.
pub(super) fn close(name: &Name) -> Order {
    Order {
        session: Some(name.clone()),
        verb: Verb::Close(Close::default()),
    }
}

/// What an ending could not end, as a failure; none where nothing is left.
pub(super) fn left(name: &Name, reply: &Reply) -> Option<Fault> {
    let left = match reply {
        Reply::Stopped(stopped) => &stopped.left,
        Reply::Closed(closed) => &closed.stopped.left,
        _ => return None,
    };
    let commands: Vec<_> = left
        .iter()
        .map(|process| format!("{} ({})", process.pid, process.command))
        .collect();
    (!commands.is_empty()).then(|| {
        let message = format!(
            "processes of session {name} are left: {}",
            commands.join(", ")
        );
        Fault::new(Kind::CheckFailed, message).hint("coax may not signal them; end them by hand")
    })
}
