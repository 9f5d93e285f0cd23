//! `expect`: waits for the first of some patterns.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::fault::{Fault, Kind};
use crate::pattern::{self, Found, Pattern, Searcher};
use crate::session::{Session, describe};
use crate::term::Screen;
use crate::transcript::{Echo, Lines};

use super::{Limit, Progress, Reply, Task, report};

/// How long nothing may have been printed before a half-echoed line counts as the program's own.
const ECHO_SETTLES: Duration = Duration::from_millis(100);

/// How much of the text before a match is told.
const BEFORE_MAX: usize = 64 * 1024;

/// What is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// The stream from the mark on and, while the alternate screen is on, the screen.
    #[default]
    Both,
    /// The stream from the mark on.
    Stream,
    /// What stands on the screen, old or new.
    Screen,
    /// The bytes as they are, from the mark on.
    Raw,
    /// The finished lines of the stream from the mark on.
    Line,
}

/// What `expect` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command"
)]
pub struct Expect {
    /// The patterns, in the order in which they were given.
    pub patterns: Vec<Pattern>,
    /// What is looked at.
    pub sight: Sight,
    /// On the screen: only matches in rows in which something was written after the mark.
    pub fresh: bool,
    /// Whether the echo of what was typed is seen too.
    pub echo: bool,
    /// Whether a match is a failure.
    pub not: bool,
    /// The screen is looked at only once it is past this revision: what stood there before was seen.
    #[serde(default)]
    pub after: Option<u64>,
    /// How long at most; 30 s unless given.
    pub timeout: Option<Limit>,
}

/// A pattern matched; or with `--not`, none did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Matched {
    /// Which pattern, from 0; none where none matched and none should.
    pub index: Option<usize>,
    /// Its name.
    pub name: Option<String>,
    /// How it was read: `text`, `glob` or `regex`.
    pub kind: Option<String>,
    /// What matched.
    #[serde(rename = "match")]
    pub text: String,
    /// The groups, by number and by name.
    pub captures: BTreeMap<String, String>,
    /// What was printed between the mark and the match, the end of it where it is long.
    pub before: String,
    /// The stream's offset after the match.
    pub offset: u64,
    /// Where it was seen: `stream`, `screen` or `raw`.
    pub source: String,
    /// The screen's revision at the match.
    #[serde(default)]
    pub revision: u64,
    /// Whether it should not have matched.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unwanted: bool,
}

impl Matched {
    /// The match as a line, for a person.
    pub fn line(&self) -> String {
        if self.index.is_none() {
            return String::new();
        }
        format!("{}\n", self.text.trim_end_matches('\n'))
    }
}

impl Expect {
    pub(super) fn begin(self, session: &mut Session, now: Instant) -> Result<Box<dyn Task>, Fault> {
        let limit = self.timeout.unwrap_or_default();
        let mut patterns = self.patterns.clone();
        if self.sight == Sight::Line {
            // Each line is one: `^` and `$` are its ends.
            let regexes = patterns
                .iter_mut()
                .filter(|pattern| pattern.kind == pattern::Kind::Regex);
            for regex in regexes {
                regex.source.insert_str(0, "(?m)");
            }
        }
        let mut expecting = Expecting {
            searcher: session.transcript().searcher(&patterns)?,
            mark: (0, 0),
            echo: if self.echo { Echo::Shown } else { Echo::Hidden },
            seen: None,
            deadline: limit.deadline(now),
            limit,
            expect: self,
        };
        expecting.restart_at_mark(session);
        Ok(Box::new(expecting))
    }
}

struct Expecting {
    expect: Expect,
    searcher: Searcher,
    /// The mark that the searcher began at, in text and in bytes; another match may move it meanwhile.
    mark: (u64, u64),
    echo: Echo,
    /// The version of the screen that was searched last.
    seen: Option<u64>,
    limit: Limit,
    deadline: Option<Instant>,
}

impl Task for Expecting {
    fn poll(&mut self, session: &mut Session, now: Instant) -> Progress {
        let transcript = session.transcript();
        if (transcript.mark(), transcript.raw_mark()) != self.mark {
            self.restart_at_mark(session);
        }
        let last_look = session.is_over() || self.deadline.is_some_and(|deadline| now >= deadline);
        let quiet_at = session
            .last_output()
            .max(session.last_input())
            .map(|at| at + ECHO_SETTLES);
        if session.transcript().holds_back() && (last_look || quiet_at.is_some_and(|at| now >= at))
        {
            session.transcript_mut().settle();
        }
        if let Some(mut matched) = self.look(session, now) {
            matched.revision = session.revisions(now).current();
            return Progress::done(Ok(Reply::Matched(Box::new(matched))));
        }
        if last_look {
            return Progress::done(self.missed(session, now));
        }
        let settles = quiet_at.filter(|_| session.transcript().holds_back());
        Progress::Again(settles.into_iter().chain(self.deadline).min())
    }
}

impl Expecting {
    /// Begins to search at the mark.
    fn restart_at_mark(&mut self, session: &Session) {
        let transcript = session.transcript();
        self.mark = (transcript.mark(), transcript.raw_mark());
        self.searcher.restart(match self.expect.sight {
            Sight::Raw => transcript.raw_mark(),
            _ => transcript.mark(),
        });
    }

    fn look(&mut self, session: &mut Session, now: Instant) -> Option<Matched> {
        match self.expect.sight {
            Sight::Both => self.stream(session, Lines::All).or_else(|| {
                let alternate = session.screen().alt_screen();
                alternate.then(|| self.screen(session, now)).flatten()
            }),
            Sight::Stream => self.stream(session, Lines::All),
            Sight::Line => self.stream(session, Lines::Finished),
            Sight::Screen => self.screen(session, now),
            Sight::Raw => self.raw(session),
        }
    }

    fn stream(&mut self, session: &mut Session, lines: Lines) -> Option<Matched> {
        let transcript = session.transcript();
        let found = transcript.search(&mut self.searcher, self.echo, lines)?;
        let before = transcript.before(&found, self.echo);
        let offset = transcript.offset_after(found.end);
        if !self.expect.not {
            session.transcript_mut().matched(&found);
        }
        Some(self.matched(found, &before, offset, "stream"))
    }

    fn raw(&mut self, session: &mut Session) -> Option<Matched> {
        let transcript = session.transcript();
        let found = transcript.search_raw(&mut self.searcher)?;
        let before = transcript.ring().range(transcript.raw_mark(), found.start);
        if !self.expect.not {
            session.transcript_mut().matched_raw(found.end);
        }
        let offset = found.end;
        Some(self.matched(found, &String::from_utf8_lossy(&before), offset, "raw"))
    }

    fn screen(&mut self, session: &mut Session, now: Instant) -> Option<Matched> {
        let revision = session.revisions(now).current();
        let stale = self.expect.after.is_some_and(|after| revision <= after);
        // The same text written again is no new revision, but fresh.
        let version = if self.expect.fresh {
            session.offset()
        } else {
            revision
        };
        if stale || self.seen == Some(version) {
            return None;
        }
        self.seen = Some(version);
        let (text, rows) = joined(session.screen());
        let mut from = 0;
        let found = loop {
            let found = self.searcher.find_in(&text[from..])?;
            let (start, end) = (from + place(found.start), from + place(found.end));
            if !self.expect.fresh || self.is_fresh(session, &rows, start, end) {
                break Found {
                    start: start as u64,
                    end: end as u64,
                    ..found
                };
            }
            from = text[start..]
                .chars()
                .next()
                .map_or(text.len(), |c| start + c.len_utf8());
        };
        let before = text[..place(found.start)].to_owned();
        let offset = session.offset();
        Some(self.matched(found, &before, offset, "screen"))
    }

    /// Whether a match on the screen touches a row in which something was written after the mark;
    /// `rows` has where in the text each row begins.
    fn is_fresh(&self, session: &Session, rows: &[usize], start: usize, end: usize) -> bool {
        (0..session.screen().size().rows).any(|row| {
            let place = |row: usize| rows.get(row).copied().unwrap_or(usize::MAX);
            let (begins, ends) = (place(usize::from(row)), place(usize::from(row) + 1));
            begins < end && start < ends && session.screen().row_written(row) > self.mark.1
        })
    }

    fn matched(&self, found: Found, before: &str, offset: u64, source: &str) -> Matched {
        let mut captures = BTreeMap::new();
        for capture in &found.captures {
            captures.insert(capture.number.to_string(), capture.text.clone());
            if let Some(name) = &capture.name {
                captures.insert(name.clone(), capture.text.clone());
            }
        }
        let mut cut = before.len().saturating_sub(BEFORE_MAX);
        while !before.is_char_boundary(cut) {
            cut += 1;
        }
        Matched {
            index: Some(found.index),
            name: found.name,
            kind: Some(found.kind.name().to_owned()),
            text: found.text,
            captures,
            before: before[cut..].to_owned(),
            offset,
            source: source.to_owned(),
            revision: 0,
            unwanted: self.expect.not,
        }
    }

    /// There was no match, and there will be none in time.
    fn missed(&self, session: &Session, now: Instant) -> Result<Reply, Fault> {
        if self.expect.not {
            return Ok(Reply::Matched(Box::new(Matched {
                offset: session.offset(),
                source: "none".to_owned(),
                ..Matched::default()
            })));
        }
        let wanted = self.wanted();
        let near = report::of(session, self.nearest(session), now);
        Err(match session.ended() {
            Some((ended, _)) if session.is_over() => Fault::new(
                Kind::Ended,
                format!("no match for {wanted}: the program {}", describe(ended)),
            )
            .report(near),
            _ => Fault::new(
                Kind::Timeout,
                format!("no match for {wanted} within {}", self.limit),
            )
            .hint("--timeout waits longer")
            .report(near),
        })
    }

    fn wanted(&self) -> String {
        let shown: Vec<_> = self
            .expect
            .patterns
            .iter()
            .map(|pattern| match pattern.kind {
                crate::pattern::Kind::Text => format!("{:?}", pattern.source),
                kind => format!("{}{:?}", kind.prefix(), pattern.source),
            })
            .collect();
        shown.join(" or ")
    }

    fn nearest(&self, session: &Session) -> Option<String> {
        let text = if self.expect.sight == Sight::Screen {
            joined(session.screen()).0
        } else {
            session.transcript().seen(self.mark.0, u64::MAX, self.echo)
        };
        if self.echo == Echo::Hidden && self.expect.sight != Sight::Screen {
            let all = session
                .transcript()
                .seen(self.mark.0, u64::MAX, Echo::Shown);
            if self.searcher.find_in(&all).is_some() {
                return Some(
                    "it stands in what was taken for the echo of what was typed; --echo sees it"
                        .to_owned(),
                );
            }
        }
        self.expect.patterns.iter().find_map(|pattern| {
            let miss = pattern.nearest_miss(&text)?;
            Some(format!("{} in {:?}", miss.what, miss.line))
        })
    }
}

fn place(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// The rows of a screen as one text, trailing blanks and empty rows at the end off, soft-wrapped rows
/// joined; and where in it each row begins.
fn joined(screen: &Screen) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut rows = Vec::new();
    for row in 0..screen.size().rows {
        rows.push(text.len());
        let wrapped = screen.wrapped(row);
        text.push_str(&screen.row_text(row, !wrapped));
        if !wrapped {
            text.push('\n');
        }
    }
    text.truncate(text.trim_end_matches('\n').len());
    (text, rows)
}
