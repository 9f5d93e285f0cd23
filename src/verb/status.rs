//! `status`: how a session is. Its facts are also what stands on disk, for `list` and for whoever
//! finds a session that was lost.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::session::{Answer, Probe, Session};
use crate::term::Size;

use super::wait;

/// What `status` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {}

/// What is known of whether the program waits for input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    /// `waiting`, `working` or `unknown`.
    pub answer: String,
    /// Whether there is no doubt.
    pub certain: bool,
    /// Why.
    pub reason: String,
    /// The process that it is about.
    #[serde(default)]
    pub process: Option<u32>,
    /// The system call that it is in.
    #[serde(default)]
    pub call: Option<String>,
}

/// What is known of a session. Fields that only a live host knows are left out elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are section JSON of the manual")]
#[serde(default)]
pub struct Facts {
    #[serde(rename = "session")]
    pub name: String,
    pub status: String,
    pub state: String,
    pub pid: u32,
    pub host_pid: u32,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub drained: Option<bool>,
    pub size: Size,
    pub command: Vec<String>,
    pub cwd: String,
    pub started_at: String,
    pub started_at_ms: u64,
    pub ended_at: Option<String>,
    pub ended_at_ms: Option<u64>,
    pub duration_ms: u64,
    pub description: Option<String>,
    pub owner: Option<String>,
    pub service: Option<String>,
    pub labels: std::collections::BTreeMap<String, String>,
    #[serde(rename = "", skip_serializing_if = "Option::is_none")]
    pub live: Option<Reading>,
}

/// What only a live host knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields are section JSON of the manual")]
pub struct Reading {
    pub busy: bool,
    pub title: String,
    pub alt_screen: bool,
    pub revision: u64,
    pub offset: u64,
    pub dropped: u64,
    pub echo: Option<bool>,
    pub canonical: Option<bool>,
    pub foreground: Option<u32>,
    pub waiting_for_input: Waiting,
    pub unanswered: Vec<String>,
    pub unknown_sequences: std::collections::BTreeMap<String, u64>,
}

impl Waiting {
    fn of(probe: Probe) -> Self {
        let (answer, certain) = match probe.answer {
            Answer::Waiting { certain } => ("waiting", certain),
            Answer::Working => ("working", false),
            Answer::Unknown => ("unknown", false),
        };
        Self {
            answer: answer.to_owned(),
            certain,
            reason: probe.reason.to_string(),
            process: probe.process,
            call: probe.call,
        }
    }
}

impl Facts {
    /// Brings what can change up to date.
    pub fn refresh(&mut self, session: &Session, wall_ms: u64) {
        let (exit_code, signal) = wait::codes(session);
        let ended = session.ended().is_some();
        let status = match (exit_code, signal) {
            (Some(_), _) => "exited",
            (None, Some(_)) => "killed",
            (None, None) => "running",
        };
        status.clone_into(&mut self.status);
        let state = if ended { "stopped" } else { "running" };
        state.clone_into(&mut self.state);
        self.exit_code = exit_code;
        self.signal = signal;
        self.drained = session.drained();
        self.size = session.screen().size();
        if ended && self.ended_at_ms.is_none() {
            self.ended_at_ms = Some(wall_ms);
            self.ended_at = Some(timestamp(wall_ms));
        }
        self.duration_ms = self
            .ended_at_ms
            .unwrap_or(wall_ms)
            .saturating_sub(self.started_at_ms);
    }

    /// The same with what only a live host knows.
    #[must_use]
    pub fn with(mut self, session: &mut Session, now: Instant) -> Self {
        let mode = session.discipline();
        let revision = session.revisions(now).current();
        let waiting_for_input = Waiting::of(session.waiting(now));
        let screen = session.screen();
        self.live = Some(Reading {
            busy: false,
            title: screen.title().to_owned(),
            alt_screen: screen.alt_screen(),
            revision,
            offset: session.offset(),
            dropped: session.transcript().ring().dropped(),
            echo: mode.map(|mode| mode.echo),
            canonical: mode.map(|mode| mode.canonical),
            foreground: session.foreground(),
            waiting_for_input,
            unanswered: screen.unanswered().to_vec(),
            unknown_sequences: session.term().unhandled().into_iter().collect(),
        });
        self
    }
}

/// A moment as RFC 3339 writes it, in UTC, to the millisecond.
pub fn timestamp(wall_ms: u64) -> String {
    let (days, ms) = (wall_ms / 86_400_000, wall_ms % 86_400_000);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z",
        ms % 1000
    )
}

/// The date that is so many days after 1970-01-01: whole 400-year cycles first, years that begin in
/// March, so that the leap day comes last.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (cycle, day_of_cycle) = (days / 146_097, days % 146_097);
    let year_of_cycle =
        (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year =
        day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (
        400 * cycle + year_of_cycle + u64::from(month <= 2),
        month,
        day,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_rfc_3339() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(timestamp(1_735_689_599_999), "2024-12-31T23:59:59.999Z");
        assert_eq!(timestamp(4_107_542_400_000), "2100-03-01T00:00:00.000Z");
    }

    #[test]
    fn facts_of_a_lost_session_read_back_without_what_a_host_knows() {
        let facts = Facts {
            name: "a".into(),
            ..Facts::default()
        };
        let json = serde_json::to_string(&facts).expect("serializes");
        assert_eq!(serde_json::from_str::<Facts>(&json).expect("reads"), facts);
    }
}
