//! `send`: types text, as it is.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::fault::{Fault, Kind};
use crate::keys;
use crate::session::{Session, Ticket, Way};
use crate::sys::pty::LINE_MAX;

use super::then::Following;
use super::{After, Bytes, Limit, Progress, Reply, Task, Then, report};

/// How long a line that is too long for the line discipline waits for the mode to change.
const MODE_CHANGE: Duration = Duration::from_secs(1);

/// How soon the mode is looked at again while waiting for it to change.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// What `send` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Send {
    /// What is typed.
    pub bytes: Bytes,
    /// Whether Enter (CR) follows.
    pub enter: bool,
    /// Whether it is typed as a paste: bracketed if the program asked for that, else LF becomes CR.
    pub paste: bool,
    /// Whether bytes that the terminal acts on are meant.
    pub control: bool,
    /// What follows.
    #[serde(default)]
    pub then: Then,
    /// How long at most; 30 s unless given.
    pub timeout: Option<Limit>,
}

/// It has been typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// How many bytes went into the terminal.
    pub bytes_written: u64,
    /// The transcript's end when they had.
    pub offset: u64,
    /// Whether the terminal echoes.
    pub echo: Option<bool>,
    /// What came of what followed.
    #[serde(rename = "", default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
}

impl Send {
    pub(super) fn begin(self, session: &mut Session, now: Instant) -> Result<Box<dyn Task>, Fault> {
        // What was given is judged: the brackets of a paste are meant.
        let refusal = (!self.control)
            .then(|| acted_on(session, &self.bytes.0))
            .flatten();
        let mut bytes = if self.paste {
            let bracketed = session.screen().modes().bracketed_paste();
            keys::paste(&self.bytes.0, bracketed)
        } else {
            self.bytes.0
        };
        if self.enter {
            bytes.push(b'\r');
        }
        let following = self.then.begin(session, self.timeout, now)?;
        let typing = Typing::new(bytes, refusal, following, self.timeout, now);
        Ok(Box::new(typing))
    }
}

/// Bytes on their way into the terminal.
pub(super) struct Typing {
    stage: Stage,
    length: usize,
    following: Following,
    limit: Limit,
    deadline: Option<Instant>,
    mode_by: Instant,
}

enum Stage {
    Refused(Fault),
    Held(Vec<u8>),
    Under(Ticket),
    Typed(Sent),
}

impl Typing {
    /// Begins to type `bytes`, unless there is a `refusal` already.
    pub(super) fn new(
        bytes: Vec<u8>,
        refusal: Option<Fault>,
        following: Following,
        timeout: Option<Limit>,
        now: Instant,
    ) -> Self {
        let limit = timeout.unwrap_or_default();
        let deadline = limit.deadline(now);
        let mode_by = now + MODE_CHANGE;
        Self {
            length: bytes.len(),
            following,
            stage: refusal.map_or_else(|| Stage::Held(bytes), Stage::Refused),
            limit,
            deadline,
            mode_by: deadline.map_or(mode_by, |deadline| deadline.min(mode_by)),
        }
    }

    fn late(&self, session: &Session, written: usize, now: Instant) -> Fault {
        let mut fault = Fault::new(
            Kind::Timeout,
            format!(
                "the terminal took {written} of {} bytes within {}: the program does not read",
                self.length, self.limit
            ),
        )
        .hint("--timeout waits longer; the rest was taken back")
        .report(report::of(session, None, now));
        fault.bytes_written = Some(written as u64);
        fault
    }
}

impl Task for Typing {
    fn poll(&mut self, session: &mut Session, now: Instant) -> Progress {
        if let Stage::Held(bytes) = &mut self.stage {
            if let Some(fault) = too_long(session, bytes) {
                if now < self.mode_by {
                    return Progress::Again(Some(self.mode_by.min(now + LOOK_AGAIN)));
                }
                return Progress::done(Err(fault));
            }
            match session.send(std::mem::take(bytes), now) {
                Ok(ticket) => self.stage = Stage::Under(ticket),
                Err(fault) => return Progress::done(Err(fault)),
            }
        }
        match &self.stage {
            Stage::Refused(fault) => Progress::done(Err(fault.clone())),
            Stage::Held(_) => Progress::Again(None),
            Stage::Under(ticket) => match session.way(*ticket) {
                Way::Cut(written) => {
                    let mut fault = session.gone("type the rest");
                    fault.bytes_written = Some(written as u64);
                    Progress::done(Err(fault))
                }
                Way::Gone => {
                    self.stage = Stage::Typed(Sent {
                        bytes_written: self.length as u64,
                        offset: session.offset(),
                        echo: session.discipline().map(|mode| mode.echo),
                        after: None,
                    });
                    self.poll(session, now)
                }
                Way::Going(_) if self.deadline.is_some_and(|deadline| now >= deadline) => {
                    let written = match session.withdraw(*ticket) {
                        Way::Going(written) | Way::Cut(written) => written,
                        Way::Gone => self.length,
                    };
                    Progress::done(Err(self.late(session, written, now)))
                }
                Way::Going(_) => Progress::Again(self.deadline),
            },
            Stage::Typed(sent) => match self.following.poll(session, now) {
                Ok(after) => Progress::done(Ok(Reply::Sent(Sent {
                    after,
                    ..sent.clone()
                }))),
                Err(Progress::Done(mut answer)) => {
                    if let Err(fault) = answer.as_mut() {
                        fault.bytes_written = Some(sent.bytes_written);
                    }
                    Progress::Done(answer)
                }
                Err(again) => again,
            },
        }
    }

    fn cancel(&mut self, session: &mut Session) {
        if let Stage::Under(ticket) = self.stage {
            session.withdraw(ticket);
        }
    }
}

/// The refusal of bytes that the terminal would act on.
fn acted_on(session: &Session, bytes: &[u8]) -> Option<Fault> {
    let acted = session.line_rules()?.acts_on(bytes);
    let shown: Vec<_> = acted.iter().take(4).map(ToString::to_string).collect();
    (!acted.is_empty()).then(|| {
        Fault::new(
            Kind::ControlBytes,
            format!("the text has bytes that the terminal acts on: {}", shown.join(", ")),
        )
        .hint("--control sends them all the same; coax key presses keys such as C-c; nothing was sent")
    })
}

/// The refusal of a line that the line discipline would cut.
fn too_long(session: &Session, bytes: &[u8]) -> Option<Fault> {
    if bytes.len() + session.open_line() <= LINE_MAX || !session.discipline()?.canonical {
        return None;
    }
    let longest = bytes
        .split(|byte| matches!(byte, b'\r' | b'\n'))
        .enumerate()
        .map(|(index, line)| line.len() + if index == 0 { session.open_line() } else { 0 })
        .max()?;
    (longest > LINE_MAX).then(|| {
        Fault::new(
            Kind::CanonicalLine,
            format!(
                "a line of {longest} bytes would be cut: the terminal is in canonical mode, where a line holds {LINE_MAX}"
            ),
        )
        .hint("wait until the program reads in raw mode, send shorter lines, or hand the data over in a file; nothing was sent")
    })
}
