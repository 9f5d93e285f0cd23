//! The waist: what coax can do with a session. One file a verb: what it takes, what it answers, what
//! it does.
//!
//! Every front door (the command line, a script, a tool) makes the same [`Order`] and hands it to a
//! [`Driver`], which is a session in this process or the client of a host. A verb that has to wait
//! is a [`Task`]: it is judged again whenever something happened, and never blocks.

mod bytes;
mod driver;
mod expect;
mod key;
mod limit;
mod list;
mod name;
mod read;
mod report;
mod resize;
mod screen;
mod send;
mod signal;
mod start;
mod status;
mod stop;
mod task;
mod then;
mod wait;

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::session::Session;

pub use crate::session::NOT_PASSED_ON;
pub use crate::sys::process::signal_name;
pub use bytes::Bytes;
pub use driver::{Driver, Local};
pub use expect::{Expect, Matched, Sight};
pub use key::Press;
pub use limit::{Limit, duration, spell};
pub use list::{List, Listed, Which};
pub use name::Name;
pub use read::{Passage, Read};
pub use resize::{Resize, Resized, check};
pub use screen::{Format, Show, Shown, view};
pub use send::{Send, Sent};
pub use signal::{Signal, Signalled};
pub use start::{Start, Started};
pub use status::{Facts, Status, timestamp};
pub use stop::{Close, Closed, Ended, GRACE, Stop, Stopped};
pub use task::{Progress, Task};
pub use then::{After, Then};
pub use wait::{Until, Wait, Waited};

/// What is wanted of which session.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The session, or none where the choice is left open.
    pub session: Option<Name>,
    /// What is wanted.
    pub verb: Verb,
}

/// What coax can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Opens a session.
    Start(Box<Start>),
    /// Types text.
    Send(Send),
    /// Presses keys.
    Key(Press),
    /// Waits for a pattern.
    Expect(Expect),
    /// Waits for a condition.
    Wait(Wait),
    /// Shows the screen.
    Screen(Show),
    /// Reads the transcript.
    Read(Read),
    /// Tells how a session is.
    Status(Status),
    /// Lists sessions.
    List(List),
    /// Gives the terminal another size.
    Resize(Resize),
    /// Sends a signal to the foreground process group.
    Signal(Signal),
    /// Ends the program and all that it started.
    Stop(Stop),
    /// Forgets a session; ends its program first.
    Close(Close),
}

/// What a verb answers: serialized, the fields that `--json` promises.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(
    missing_docs,
    reason = "each variant is the answer of the verb of that name"
)]
pub enum Reply {
    Started(Started),
    Sent(Sent),
    Matched(Box<Matched>),
    Waited(Waited),
    Shown(Box<Shown>),
    Passage(Box<Passage>),
    Facts(Box<Facts>),
    Listed(Listed),
    Resized(Resized),
    Signalled(Signalled),
    Stopped(Stopped),
    Closed(Closed),
}

/// Which sessions a verb may choose by itself when several could be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It only looks: the most recently started live session will do.
    Looks,
    /// It acts: the session must be named.
    Acts,
}

impl Verb {
    /// The word that names this verb on every front door.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::Send(_) => "send",
            Self::Key(_) => "key",
            Self::Expect(_) => "expect",
            Self::Wait(_) => "wait",
            Self::Screen(_) => "screen",
            Self::Read(_) => "read",
            Self::Status(_) => "status",
            Self::List(_) => "list",
            Self::Resize(_) => "resize",
            Self::Signal(_) => "signal",
            Self::Stop(_) => "stop",
            Self::Close(_) => "close",
        }
    }

    /// Whether this verb looks or acts.
    pub fn reach(&self) -> Reach {
        match self {
            Self::Expect(_)
            | Self::Wait(_)
            | Self::Screen(_)
            | Self::Read(_)
            | Self::Status(_)
            | Self::List(_) => Reach::Looks,
            Self::Start(_)
            | Self::Send(_)
            | Self::Key(_)
            | Self::Resize(_)
            | Self::Signal(_)
            | Self::Stop(_)
            | Self::Close(_) => Reach::Acts,
        }
    }

    /// The limit that was asked for, where the verb waits and one was given.
    pub fn limit_mut(&mut self) -> Option<&mut Option<Limit>> {
        match self {
            Self::Send(send) => Some(&mut send.timeout),
            Self::Key(press) => Some(&mut press.timeout),
            Self::Expect(expect) => Some(&mut expect.timeout),
            Self::Wait(wait) => Some(&mut wait.timeout),
            Self::Start(_)
            | Self::Screen(_)
            | Self::Read(_)
            | Self::Status(_)
            | Self::List(_)
            | Self::Resize(_)
            | Self::Signal(_)
            | Self::Stop(_)
            | Self::Close(_) => None,
        }
    }
}

/// Begins a verb on a session; verbs that need not wait are done at once.
///
/// `start`, `list` and `status` are for drivers: they are about more than one live program.
pub fn begin(verb: Verb, session: &mut Session, now: Instant) -> Box<dyn Task> {
    let begun = match verb {
        Verb::Send(send) => send.begin(session, now),
        Verb::Key(press) => press.begin(session, now),
        Verb::Expect(expect) => expect.begin(session, now),
        Verb::Wait(wait) => Ok(Box::new(wait.begin(now)) as Box<dyn Task>),
        Verb::Screen(show) => Ok(Box::new(show) as Box<dyn Task>),
        Verb::Read(read) => read.begin(session, now),
        Verb::Resize(resize) => resize.perform(session, now).map(task::done),
        Verb::Signal(signal) => signal.perform(session, now).map(task::done),
        Verb::Stop(stop) => Ok(stop.begin(session, now)),
        Verb::Close(close) => close.begin(session, now),
        Verb::Start(_) | Verb::List(_) | Verb::Status(_) => Err(Fault::usage(format!(
            "{} is not for a session's host",
            verb.word()
        ))),
    };
    begun.unwrap_or_else(task::failed)
}
