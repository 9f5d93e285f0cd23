//! What a script reads out of the replies of verbs. The only file here that knows their fields.

use std::collections::BTreeMap;

use crate::fault::{Fault, Kind};
use crate::verb::{Close, Expect, Matched, Name, Order, Reply, Show, Stop, Verb, Waited};

/// The captures of a match: the whole of it as `0`, its groups by number and by name. A group that
/// took no part has none.
pub(super) fn captures(matched: &Matched) -> BTreeMap<String, String> {
    let mut captures = matched.captures.clone();
    captures.insert("0".to_owned(), matched.text.clone());
    captures
}

/// The revision of the screen, where that is what matched.
pub(super) fn screen(matched: &Matched) -> Option<u64> {
    (matched.source == "screen").then_some(matched.revision)
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
        Reply::Shown(_) | Reply::Passage(_) | Reply::Facts(_) | Reply::Listed(_) => true,
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

/// The order that looks at a session's screen.
pub(super) fn look(name: Name) -> Order {
    Order {
        session: Some(name),
        verb: Verb::Screen(Show::default()),
    }
}

/// The failure that a reply tells of, though its verb was carried out: on the command line these end
/// with 1.
pub(super) fn verdict(reply: &Reply) -> Option<Fault> {
    let left = match reply {
        Reply::Matched(matched) if matched.unwanted => {
            let message = format!("found what should not be there: {:?}", matched.text);
            return Some(Fault::new(Kind::CheckFailed, message));
        }
        Reply::Stopped(stopped) => &stopped.left,
        Reply::Closed(closed) => &closed.stopped.left,
        Reply::Started(_)
        | Reply::Sent(_)
        | Reply::Matched(_)
        | Reply::Waited(_)
        | Reply::Shown(_)
        | Reply::Passage(_)
        | Reply::Facts(_)
        | Reply::Listed(_)
        | Reply::Resized(_)
        | Reply::Signalled(_) => return None,
    };
    let commands: Vec<_> = left
        .iter()
        .map(|process| format!("{} ({})", process.pid, process.command))
        .collect();
    (!commands.is_empty()).then(|| {
        let message = format!(
            "processes that may not be ended are left: {}",
            commands.join(", ")
        );
        Fault::new(Kind::CheckFailed, message).hint("end them by hand")
    })
}
