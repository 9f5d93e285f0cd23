//! What stood there when a wait failed: the screen, the last lines, what the program does.

use std::time::Instant;

use crate::session::{Answer, Session, describe};
use crate::sys::process;

/// How many lines of the transcript are shown beside the screen.
const LAST_LINES: usize = 6;

/// A report of `session` for a person; `near` is the nearest miss, if there is one.
pub(super) fn of(session: &Session, near: Option<String>, now: Instant) -> String {
    let screen = session.screen();
    let size = screen.size();
    let mut lines: Vec<String> = (0..size.rows)
        .map(|row| screen.row_text(row, true))
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let cursor = screen.cursor();
    let mut report = format!(
        "screen {}x{}{}, cursor at row {} column {}:\n",
        size.rows,
        size.cols,
        if screen.alt_screen() {
            " (alternate)"
        } else {
            ""
        },
        cursor.row,
        cursor.col,
    );
    for line in &lines {
        report.push_str("  | ");
        report.push_str(line);
        report.push('\n');
    }
    if lines.is_empty() {
        report.push_str("  (empty)\n");
    }
    if screen.alt_screen() {
        let last = session.transcript().last_lines(LAST_LINES);
        if !last.is_empty() {
            report.push_str("last lines printed:\n");
            for line in last.lines() {
                report.push_str("  | ");
                report.push_str(line);
                report.push('\n');
            }
        }
    }
    if let Some(near) = near {
        report.push_str(&format!("nearest: {near}\n"));
    }
    match session.ended() {
        Some((ended, _)) => report.push_str(&format!("the program {}\n", describe(ended))),
        None => report.push_str(&alive(session, now)),
    }
    let unanswered = screen.unanswered();
    if !unanswered.is_empty() {
        report.push_str(&format!(
            "queries that went unanswered: {}\n",
            unanswered.join(", ")
        ));
    }
    report
}

/// What the program is doing, as a clause: whether it waits, who works and in which call.
pub(super) fn doing(session: &Session, now: Instant) -> String {
    let probe = session.waiting(now);
    let who = probe.process.map_or_else(String::new, |pid| {
        format!("process {pid} ({}) ", process::command(pid))
    });
    let call = probe
        .call
        .as_ref()
        .map_or_else(String::new, |call| format!(" in {call}"));
    let reason = probe.reason;
    match probe.answer {
        Answer::Waiting { certain: true } => format!("{who}waits for input{call}"),
        Answer::Waiting { .. } => format!("{who}seems to wait for input{call} ({reason})"),
        Answer::Working if who.is_empty() => format!("it works: {reason}"),
        Answer::Working => format!("{who}works{call} ({reason})"),
        Answer::Unknown => format!("whether it waits for input is unknown: {who}{reason}"),
    }
}

fn alive(session: &Session, now: Instant) -> String {
    let mode = session.discipline().map_or_else(String::new, |mode| {
        format!(
            ", terminal in {} mode with echo {}",
            if mode.canonical { "canonical" } else { "raw" },
            if mode.echo { "on" } else { "off" },
        )
    });
    let foreground = session
        .foreground()
        .map(|group| format!(", in the foreground: {}", process::command(group)))
        .unwrap_or_default();
    format!(
        "the program runs (process {}){foreground}{mode}\n{}\n",
        session.pid(),
        doing(session, now),
    )
}
