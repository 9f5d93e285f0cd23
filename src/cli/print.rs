//! Answers as text or JSON, and faults. The only place that writes to standard output and error.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is where printing is done"
)]

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::fault::{Exit, Fault, Kind};
use crate::script::Mistake;
use crate::verb::{After, Closed, Ended, Facts, Name, Reply, Waited};
use crate::wire;

use super::Voice;

/// Writes bytes to standard output.
///
/// # Errors
/// Internal, when they cannot be written; a reader that has gone is [`GONE`].
pub(super) fn out(bytes: &[u8]) -> Result<(), Fault> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Fault::internal(GONE),
        _ => Fault::internal(format!("the answer cannot be written: {error}")),
    })
}

/// What a fault says when nobody reads standard output any more: a quiet end.
pub(super) const GONE: &str = "nobody reads the answer";

/// Says something to the person, on standard error.
pub(super) fn talk(words: &str) {
    let _ = writeln!(io::stderr(), "coax: {words}");
}

/// Prints a reply.
///
/// # Errors
/// Those of [`out`].
pub(super) fn answer(reply: &Reply, name: Option<&Name>, voice: Voice) -> Result<(), Fault> {
    if let Reply::Passage(passage) = reply
        && passage.answer.dropped > 0
        && !voice.json
    {
        talk(&format!(
            "{} bytes before this are not kept any more",
            passage.answer.dropped
        ));
    }
    if voice.json {
        out(&json_line(&object(reply, name)))
    } else {
        out(&text(reply))
    }
}

/// Prints a reply; the exit code that it ends with.
///
/// # Errors
/// Those of [`out`].
pub(super) fn reply(reply: &Reply, name: Option<&Name>, voice: Voice) -> Result<Exit, Fault> {
    match answer(reply, name, voice) {
        Err(fault) if fault.message != GONE => return Err(fault),
        _ => {}
    }
    Ok(verdict(reply))
}

/// The exit code that a reply ends with; what has to be said about it is said.
fn verdict(reply: &Reply) -> Exit {
    match reply {
        Reply::Stopped(stopped) | Reply::Closed(Closed { stopped }) if !stopped.left.is_empty() => {
            for left in &stopped.left {
                talk(&format!(
                    "left: process {} ({}) may not be ended",
                    left.pid, left.command
                ));
            }
            Exit::CHECK
        }
        Reply::Matched(matched) if matched.unwanted => {
            talk(&format!(
                "found what should not be there: {:?}",
                matched.text
            ));
            Exit::CHECK
        }
        Reply::Waited(waited) if waited.for_exit => {
            let exit = program_exit(waited.exit_code, waited.signal);
            if exit == Exit::TIMEOUT {
                talk("the program itself exited with code 124");
            }
            exit
        }
        _ => Exit::OK,
    }
}

/// A program's own end as an exit code: its code, or 128 and the signal's number.
pub(super) fn program_exit(code: Option<i32>, signal: Option<i32>) -> Exit {
    let byte = |number: i32| u8::try_from(number & 0xff).unwrap_or(u8::MAX);
    match (code, signal) {
        (Some(code), _) => Exit(byte(code)),
        (None, Some(signal)) => Exit(byte(128 + signal)),
        (None, None) => Exit::OK,
    }
}

/// The object that `--json` promises.
fn object(reply: &Reply, name: Option<&Name>) -> Value {
    let mut object = Map::new();
    let failed = match reply {
        Reply::Matched(matched) if matched.unwanted => Some("found what should not be there"),
        Reply::Stopped(stopped) | Reply::Closed(Closed { stopped }) if !stopped.left.is_empty() => {
            Some("some processes could not be ended")
        }
        _ => None,
    };
    object.insert("ok".to_owned(), json!(failed.is_none()));
    if let Some(name) = name {
        object.insert("session".to_owned(), json!(name.as_str()));
    }
    if let Value::Object(fields) = wire::fields(reply) {
        // What only the printing needs, and the name that stands there as `session`.
        let inner: &[&str] = match reply {
            Reply::Started(_) => &["name"],
            Reply::Waited(_) => &["for_exit"],
            Reply::Matched(_) => &["unwanted"],
            _ => &[],
        };
        object.extend(
            fields
                .into_iter()
                .filter(|(name, _)| !inner.contains(&name.as_str())),
        );
    }
    if let Some(message) = failed {
        let fault = Fault::new(Kind::CheckFailed, message);
        object.insert("error".to_owned(), json!(fault));
    }
    Value::Object(object)
}

/// A JSON value as a line.
pub(super) fn json_line(value: &Value) -> Vec<u8> {
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    line
}

fn text(reply: &Reply) -> Vec<u8> {
    match reply {
        Reply::Started(started) => format!("{}\n", started.name).into_bytes(),
        Reply::Sent(sent) => sent.after.as_ref().map_or_else(Vec::new, followed),
        Reply::Resized(_) | Reply::Signalled(_) => Vec::new(),
        Reply::Closed(closed) => processes("stays", &closed.stopped.stayed).into_bytes(),
        Reply::Matched(matched) => matched.line().into_bytes(),
        Reply::Waited(waited) => evidence(waited).into_bytes(),
        Reply::Shown(shown) => shown.rendered(),
        Reply::Passage(passage) => passage.bytes(),
        Reply::Facts(facts) => status(facts).into_bytes(),
        Reply::Listed(listed) => listed
            .sessions
            .iter()
            .map(line)
            .chain(listed.pruned.iter().map(|name| format!("removed {name}\n")))
            .collect::<String>()
            .into_bytes(),
        Reply::Stopped(stopped) => {
            let mut text = match (stopped.exit_code, stopped.signal) {
                (Some(code), _) => format!("exited {code}\n"),
                (None, Some(signal)) => format!("killed {}\n", crate::verb::signal_name(signal)),
                (None, None) => format!("{}\n", stopped.status),
            };
            text.push_str(&processes("ended", &stopped.ended));
            text.into_bytes()
        }
    }
}

/// What followed some typing: the screen if it was asked for, else what the waits ended with.
fn followed(after: &After) -> Vec<u8> {
    if let Some(shown) = &after.shown {
        return shown.rendered();
    }
    let matched = after.matched.as_ref().map(|matched| matched.line());
    let waited = after.waited.as_ref().map(evidence);
    [matched, waited]
        .into_iter()
        .flatten()
        .collect::<String>()
        .into_bytes()
}

fn processes(what: &str, processes: &[Ended]) -> String {
    let lines: Vec<_> = processes
        .iter()
        .map(|process| format!("{what} {} {}\n", process.pid, process.command))
        .collect();
    lines.concat()
}

fn evidence(waited: &Waited) -> String {
    wire::fields(&Reply::Waited(waited.clone()))
        .get("evidence")
        .and_then(Value::as_str)
        .map_or_else(String::new, |word| format!("{word}\n"))
}

/// One session on one line: name, status, size, age, command.
fn line(facts: &Facts) -> String {
    format!(
        "{:<16} {:<10} {:>4}x{:<4} {:>8}  {}\n",
        facts.name,
        how(facts),
        facts.size.rows,
        facts.size.cols,
        age(facts.duration_ms),
        shown(&facts.command),
    )
}

fn how(facts: &Facts) -> String {
    match (facts.status.as_str(), facts.exit_code, facts.signal) {
        ("exited", Some(code), _) => format!("exited {code}"),
        ("killed", _, Some(signal)) => format!("killed {}", crate::verb::signal_name(signal)),
        (status, ..) => status.to_owned(),
    }
}

fn age(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..60 => format!("{}.{}s", seconds, ms % 1000 / 100),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        3600..86400 => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
        _ => format!("{}d{:02}h", seconds / 86400, seconds / 3600 % 24),
    }
}

fn shown(command: &[String]) -> String {
    command
        .iter()
        .map(|word| {
            if word.is_empty()
                || word.contains(|c: char| {
                    c.is_whitespace() || c.is_control() || "'\"\\$`".contains(c)
                })
            {
                format!("{word:?}")
            } else {
                word.clone()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn status(facts: &Facts) -> String {
    let mut rows = vec![
        ("session", facts.name.clone()),
        ("status", how(facts)),
        ("command", shown(&facts.command)),
        ("cwd", facts.cwd.clone()),
        ("pid", facts.pid.to_string()),
        ("host", facts.host_pid.to_string()),
        ("size", format!("{}x{}", facts.size.rows, facts.size.cols)),
        ("started", facts.started_at.clone()),
        ("duration", age(facts.duration_ms)),
    ];
    if let Some(live) = &facts.live {
        let mode = match (live.canonical, live.echo) {
            (Some(canonical), Some(echo)) => format!(
                "{}, echo {}",
                if canonical { "canonical" } else { "raw" },
                if echo { "on" } else { "off" }
            ),
            _ => "gone".to_owned(),
        };
        rows.push(("terminal", mode));
        rows.push((
            "printed",
            format!("{} bytes, {} dropped", live.offset, live.dropped),
        ));
        if !live.title.is_empty() {
            rows.push(("title", live.title.clone()));
        }
        rows.push((
            "waiting",
            format!(
                "{} ({})",
                live.waiting_for_input.answer, live.waiting_for_input.reason
            ),
        ));
        for (sequence, count) in &live.unknown_sequences {
            rows.push(("unknown", format!("{sequence} ({count})")));
        }
        for query in &live.unanswered {
            rows.push(("unanswered", query.clone()));
        }
    }
    let lines: Vec<_> = rows
        .into_iter()
        .map(|(name, value)| format!("{name:<10} {value}\n"))
        .collect();
    lines.concat()
}

/// Prints a fault; the exit code that it ends with.
pub(super) fn fault(fault: &Fault, session: Option<&Name>, json: bool) -> Exit {
    if json {
        let mut object = json!({ "ok": false, "error": fault });
        if let Some(name) = session {
            object["session"] = json!(name.as_str());
        }
        // The exit code tells it all the same.
        let _ = out(&json_line(&object));
    }
    let mut words = format!("coax: {}\n", fault.message);
    if !fault.report.is_empty() {
        words.push_str(fault.report.trim_end());
        words.push('\n');
    }
    if !fault.hint.is_empty() {
        words.push_str(&format!("hint: {}\n", fault.hint));
    }
    let _ = io::stderr().write_all(words.as_bytes());
    fault.exit()
}

/// Prints the mistakes of a script, a line each.
pub(super) fn mistakes(file: &str, found: &[Mistake]) {
    let mut words = String::new();
    for mistake in found {
        words.push_str(&format!("{file}:{mistake}\n"));
    }
    let _ = io::stderr().write_all(words.as_bytes());
}

/// Prints what clap has to say: help and version on standard output, mistakes on standard error.
pub(super) fn misspelled(error: &clap::Error, json: bool) -> Exit {
    let rendered = error.render().to_string();
    if !error.use_stderr() {
        return match out(rendered.as_bytes()) {
            Err(fault) if fault.message != GONE => fault.exit(),
            _ => Exit::OK,
        };
    }
    if json {
        let said = super::first_line(error);
        let _ = out(&json_line(
            &json!({ "ok": false, "error": Fault::usage(said) }),
        ));
    }
    let _ = io::stderr().write_all(rendered.as_bytes());
    Exit::USAGE
}
