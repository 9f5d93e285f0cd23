//! When is it time? Pure: what was seen and `now` come in, a verdict goes out.
//!
//! A timer is a fact too: a verdict that is not there yet says when to look again, so nobody sleeps.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// The settle time unless one is given.
pub const SETTLE: Duration = Duration::from_millis(100);

/// How long the screen of a program that certainly waits has been as it is.
pub const BREATH: Duration = Duration::from_millis(2);

/// How long a program that only seems to wait is watched at most.
pub const WATCH: Duration = Duration::from_secs(1);

/// How long a program that has printed nothing yet may take to begin before it counts as quiet.
pub const FIRST_BYTE: Duration = Duration::from_secs(1);

/// How long a frame inside synchronized output (DECSET 2026) may stay unfinished.
pub const FRAME: Duration = Duration::from_millis(150);

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It is the user's turn.
    Ready {
        /// Or the program works, but the screen has not changed for so long.
        still: Option<Duration>,
    },
    /// The screen has not changed for so long.
    Settle(Duration),
    /// Nothing was printed for so long.
    Idle(Duration),
    /// The program has ended.
    Exit,
    /// The screen is past this revision.
    Change(u64),
}

/// What the kernel says of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// It has not been asked since something happened.
    Unasked,
    /// The program waits for input.
    Waiting {
        /// Whether there is no doubt.
        certain: bool,
        /// After how long its loop goes round by itself, where that is soon.
        turn: Option<Duration>,
    },
    /// The program works.
    Working,
    /// The kernel does not tell.
    Unknown,
}

/// What has been seen of a session.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// When the program was started.
    pub began: Instant,
    /// When it last printed something.
    pub output: Option<Instant>,
    /// When the screen last changed.
    pub changed: Option<Instant>,
    /// When something was last done to it: typed, resized, signalled.
    pub acted: Option<Instant>,
    /// The revision of the screen.
    pub revision: u64,
    /// Whether a frame is being drawn inside synchronized output.
    pub in_frame: bool,
    /// Whether the program has ended.
    pub ended: bool,
    /// Whether nothing more will be printed.
    pub over: bool,
    /// What the kernel says.
    pub input: Input,
    /// When the kernel is asked again.
    pub look: Option<Instant>,
}

/// What ended a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The program waits for input.
    Input,
    /// The screen was unchanged for the settle time.
    Settled,
    /// Nothing was printed for the time asked for.
    Idle,
    /// The screen changed.
    Changed,
    /// The program ended.
    Exited,
    /// The deadline passed.
    Timeout,
}

/// Whether a condition is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is.
    Met(Evidence),
    /// Not yet; look again then at the latest, or when something happens.
    NotYet(Option<Instant>),
}

/// Judges `condition` by what was `seen`, at `now`.
pub fn judge(condition: Condition, seen: &Seen, now: Instant) -> Verdict {
    if seen.over {
        return Verdict::Met(match condition {
            Condition::Change(revision) if seen.revision > revision => Evidence::Changed,
            _ => Evidence::Exited,
        });
    }
    match condition {
        Condition::Exit => Verdict::NotYet(None),
        Condition::Change(revision) => {
            if seen.revision > revision {
                Verdict::Met(Evidence::Changed)
            } else {
                Verdict::NotYet(None)
            }
        }
        Condition::Idle(quiet) => {
            let since = latest([Some(seen.began), seen.output, seen.acted]);
            at(since + quiet, Evidence::Idle, now)
        }
        Condition::Settle(quiet) => unchanged(seen, quiet, Evidence::Settled, now),
        Condition::Ready { still } => ready(seen, still, now),
    }
}

/// Judges whether it is the user's turn. No timer alone says so of a program that works.
fn ready(seen: &Seen, still: Option<Duration>, now: Instant) -> Verdict {
    let (quiet, evidence) = match seen.input {
        Input::Unasked => return Verdict::NotYet(seen.look),
        Input::Waiting { certain: true, .. } => (BREATH, Evidence::Input),
        // At least two turns of a loop that goes round by itself.
        Input::Waiting { turn, .. } => {
            let turns = turn.unwrap_or_default().saturating_mul(2);
            (turns.clamp(patience(seen), WATCH), Evidence::Input)
        }
        Input::Working => match still {
            Some(still) => (still, Evidence::Settled),
            None => return Verdict::NotYet(seen.look),
        },
        Input::Unknown => (patience(seen), Evidence::Settled),
    };
    match unchanged(seen, quiet, evidence, now) {
        Verdict::NotYet(due) => Verdict::NotYet(due.into_iter().chain(seen.look).min()),
        Verdict::Met(evidence) => Verdict::Met(evidence),
    }
}

/// How long a quiet screen is watched where there is doubt. Nothing yet in answer to the last act, or
/// nothing to be seen at all: the program, or what is at the other end of its network, is given time
/// to begin. top sets the terminal's modes first and counts for a while then.
fn patience(seen: &Seen) -> Duration {
    let begun = match seen.acted {
        None => seen.changed,
        Some(act) => seen.output.filter(|output| *output >= act),
    };
    if begun.is_some() { SETTLE } else { FIRST_BYTE }
}

/// Whether the screen has been unchanged for `quiet`, with no frame half drawn.
fn unchanged(seen: &Seen, quiet: Duration, evidence: Evidence, now: Instant) -> Verdict {
    let mut due = latest([Some(seen.began), seen.changed, seen.acted]) + quiet;
    if seen.in_frame
        && let Some(output) = seen.output
    {
        due = due.max(output + FRAME);
    }
    at(due, evidence, now)
}

fn at(due: Instant, evidence: Evidence, now: Instant) -> Verdict {
    if now >= due {
        Verdict::Met(evidence)
    } else {
        Verdict::NotYet(Some(due))
    }
}

fn latest<const N: usize>(instants: [Option<Instant>; N]) -> Instant {
    instants
        .into_iter()
        .flatten()
        .max()
        .expect("the first is always there")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn fresh(began: Instant) -> Seen {
        Seen {
            began,
            output: None,
            changed: None,
            acted: None,
            revision: 0,
            in_frame: false,
            ended: false,
            over: false,
            input: Input::Unknown,
            look: None,
        }
    }

    const READY: Condition = Condition::Ready { still: None };

    #[test]
    fn settle_counts_from_the_last_change_of_the_screen() {
        let began = Instant::now();
        let seen = Seen {
            output: Some(began + 900 * MS),
            changed: Some(began + 500 * MS),
            ..fresh(began)
        };
        let judged = |ms| judge(Condition::Settle(100 * MS), &seen, began + ms * MS);
        assert_eq!(judged(599), Verdict::NotYet(Some(began + 600 * MS)));
        assert_eq!(judged(600), Verdict::Met(Evidence::Settled));
    }

    #[test]
    fn idle_counts_from_the_last_byte_or_act() {
        let began = Instant::now();
        let seen = Seen {
            output: Some(began + 200 * MS),
            acted: Some(began + 300 * MS),
            ..fresh(began)
        };
        let judged = |ms| judge(Condition::Idle(50 * MS), &seen, began + ms * MS);
        assert_eq!(judged(349), Verdict::NotYet(Some(began + 350 * MS)));
        assert_eq!(judged(350), Verdict::Met(Evidence::Idle));
    }

    #[test]
    fn an_unfinished_frame_is_waited_for_but_not_for_ever() {
        let began = Instant::now();
        let seen = Seen {
            output: Some(began),
            changed: Some(began),
            in_frame: true,
            ..fresh(began)
        };
        let judged = |ms| judge(Condition::Settle(10 * MS), &seen, began + ms * MS);
        assert_eq!(judged(20), Verdict::NotYet(Some(began + 150 * MS)));
        assert_eq!(judged(150), Verdict::Met(Evidence::Settled));
    }

    #[test]
    fn a_program_that_has_not_begun_is_not_ready() {
        let began = Instant::now();
        let seen = fresh(began);
        assert_eq!(
            judge(READY, &seen, began + 200 * MS),
            Verdict::NotYet(Some(began + FIRST_BYTE))
        );
    }

    #[test]
    fn a_program_that_has_only_set_modes_has_not_begun() {
        let began = Instant::now();
        let seen = Seen {
            output: Some(began + 3 * MS),
            ..fresh(began)
        };
        let judged = |seen: &Seen| judge(READY, seen, began + 200 * MS);
        assert_eq!(judged(&seen), Verdict::NotYet(Some(began + FIRST_BYTE)));
        let shown = Seen {
            changed: Some(began + 3 * MS),
            ..seen
        };
        assert_eq!(judged(&shown), Verdict::Met(Evidence::Settled));
    }

    #[test]
    fn a_program_that_certainly_waits_is_ready_after_a_breath() {
        let began = Instant::now();
        let seen = Seen {
            output: Some(began + 50 * MS),
            changed: Some(began + 50 * MS),
            input: Input::Waiting {
                certain: true,
                turn: None,
            },
            look: Some(began + 51 * MS),
            ..fresh(began)
        };
        let judged = |ms| judge(READY, &seen, began + ms * MS);
        assert_eq!(judged(50), Verdict::NotYet(Some(began + 51 * MS)));
        assert_eq!(judged(52), Verdict::Met(Evidence::Input));
    }

    #[test]
    fn a_loop_that_goes_round_is_watched_for_two_turns() {
        let began = Instant::now();
        let due = |turn: Option<u64>| {
            let seen = Seen {
                input: Input::Waiting {
                    certain: false,
                    turn: turn.map(Duration::from_millis),
                },
                changed: Some(began),
                ..fresh(began)
            };
            match judge(READY, &seen, began) {
                Verdict::NotYet(Some(due)) => (due - began).as_millis(),
                verdict => panic!("{verdict:?}"),
            }
        };
        assert_eq!(
            [None, Some(10), Some(300), Some(900)].map(due),
            [100, 100, 600, 1000]
        );
    }

    #[test]
    fn no_timer_ends_the_work_of_a_program_unless_asked_to() {
        let began = Instant::now();
        let seen = Seen {
            input: Input::Working,
            look: Some(began + 50 * MS),
            ..fresh(began)
        };
        let late = began + 3_600_000 * MS;
        assert_eq!(judge(READY, &seen, late), Verdict::NotYet(seen.look));
        let still = Condition::Ready {
            still: Some(1000 * MS),
        };
        assert_eq!(judge(still, &seen, late), Verdict::Met(Evidence::Settled));
    }

    #[test]
    fn the_end_ends_every_wait() {
        let began = Instant::now();
        let seen = Seen {
            ended: true,
            over: true,
            ..fresh(began)
        };
        for condition in [
            READY,
            Condition::Settle(MS),
            Condition::Idle(MS),
            Condition::Exit,
            Condition::Change(3),
        ] {
            assert_eq!(
                judge(condition, &seen, began),
                Verdict::Met(Evidence::Exited)
            );
        }
    }
}
