//! `read`: what was printed, from a cursor on. Nothing is consumed.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::session::Session;
use crate::transcript::{ReadAnswer, ReadAsk};
use crate::wait::{Condition, Verdict, judge};

use super::{Progress, Reply, Task, wait};

/// What `read` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Read {
    /// What is read, and from where on.
    pub ask: ReadAsk,
    /// Wait until nothing was printed for so many milliseconds, from the call on.
    pub idle_ms: Option<u64>,
    /// Wait until there is something after the cursor, or nothing more will come.
    pub follow: bool,
}

/// A piece of the transcript.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// The piece.
    #[serde(rename = "")]
    pub answer: ReadAnswer,
    /// Whether nothing more will come.
    pub over: bool,
}

impl Passage {
    /// What is printed for a person: the text, or the raw bytes.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.answer.base64 {
            Some(coded) => crate::transcript::base64::decode(coded).unwrap_or_default(),
            None => self.answer.text.clone().into_bytes(),
        }
    }
}

impl Read {
    pub(super) fn begin(self, session: &mut Session, now: Instant) -> Result<Box<dyn Task>, Fault> {
        // A mistake in what is asked for is told before anything is waited for.
        session.read(&ReadAsk {
            max_bytes: Some(1),
            ..self.ask.clone()
        })?;
        Ok(Box::new(Reading {
            read: self,
            began: now,
        }))
    }
}

struct Reading {
    read: Read,
    began: Instant,
}

impl Task for Reading {
    fn poll(&mut self, session: &mut Session, now: Instant) -> Progress {
        if let Some(ms) = self.read.idle_ms {
            let mut seen = wait::seen(session, &[], now);
            seen.began = self.began;
            let idle = Condition::Idle(Duration::from_millis(ms));
            if let Verdict::NotYet(again) = judge(idle, &seen, now) {
                return Progress::Again(again);
            }
        }
        let over = session.is_over();
        let answer = match session.read(&self.read.ask) {
            Ok(answer) => answer,
            Err(fault) => return Progress::done(Err(fault)),
        };
        if self.read.follow && !over && answer.next_cursor <= answer.cursor {
            // Nothing new, or the beginning of a character.
            return Progress::Again(None);
        }
        Progress::done(Ok(Reply::Passage(Box::new(Passage {
            over: over && answer.next_cursor >= answer.latest,
            answer,
        }))))
    }
}
