//! What README.md shows is what happens: its `console` blocks are run, one after the other, in one
//! shell, and what they print is compared.
//!
//! Numbers may differ (processes, times, offsets), and so may the amount of blanks; an object may have
//! more fields than are shown; a line `...` stands for any lines, one that ends in `...` for any end.

#![allow(clippy::print_stderr, reason = "a test says what it leaves out")]

use std::path::Path;
use std::process::{Command, Stdio};

/// A command as it is typed, and what it prints.
struct Step {
    command: String,
    shown: Vec<String>,
}

fn steps(readme: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (
                line.strip_prefix("$ "),
                line.strip_prefix("> "),
                steps.last_mut(),
            ) {
                (Some(command), ..) => {
                    steps.push(Step {
                        command: command.to_owned(),
                        shown: Vec::new(),
                    });
                }
                (_, Some(more), Some(step)) if step.shown.is_empty() => {
                    step.command.push('\n');
                    step.command.push_str(more);
                }
                (.., Some(step)) => step.shown.push(line.to_owned()),
                (.., None) => panic!("a console block begins with a command: {line}"),
            },
        }
    }
    steps
}

/// What of a line counts: each number as one `0`, blanks as one.
fn gist(line: &str) -> String {
    let mut out = String::new();
    let mut number = false;
    for c in line
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
    {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !number {
            out.push('0');
        }
        number = c.is_ascii_digit();
    }
    out
}

fn like(shown: &[String], seen: &[String]) -> bool {
    match shown.split_first() {
        None => seen.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=seen.len()).any(|skip| like(rest, &seen[skip..]))
        }
        Some((first, rest)) => seen.split_first().is_some_and(|(line, after)| {
            let same = match first.strip_suffix("...") {
                Some(start) => gist(line).starts_with(&gist(start)),
                None => gist(line) == gist(first) || holds(first, line),
            };
            same && like(rest, after)
        }),
    }
}

/// Whether both are JSON objects, and the one that is seen has every field of the one that is shown.
fn holds(shown: &str, seen: &str) -> bool {
    let object = |line| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line);
    let (Ok(shown), Ok(seen)) = (object(shown), object(seen)) else {
        return false;
    };
    let same =
        |a: &serde_json::Value, b: &serde_json::Value| gist(&a.to_string()) == gist(&b.to_string());
    shown
        .iter()
        .all(|(name, value)| seen.get(name).is_some_and(|other| same(value, other)))
}

/// A line that parts what the commands print.
const MARK: &str = "\u{1e}";

#[test]
fn what_the_readme_shows_is_what_happens() {
    let there = |program: &str| {
        Command::new(program)
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_ok()
    };
    if let Some(program) = ["bash", "git"].into_iter().find(|program| !there(program)) {
        eprintln!("left out: {program} is not installed");
        return;
    }
    let steps = steps(include_str!("../README.md"));
    assert!(
        steps.len() > 20,
        "README.md shows less than it did: {} commands",
        steps.len()
    );

    let mut script = String::from("exec 2>&1\n");
    for Step { command, .. } in &steps {
        // The build that is tested, in place of another one.
        let command = command.replace("cargo run --release -- ", "coax ");
        script.push_str(&format!("code=$?; echo {MARK}; (exit $code)\n{command}\n"));
    }
    let scratch = std::env::temp_dir().join(format!("coax-readme-{}", std::process::id()));
    let home = scratch.join("home");
    std::fs::create_dir_all(&home).expect("a fresh folder");
    let binary = Path::new(env!("CARGO_BIN_EXE_coax"))
        .parent()
        .expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["--norc", "--noprofile", "-c", &script])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_clear()
        .env("PATH", format!("{}:{path}", binary.display()))
        .env("HOME", &home)
        .env("LANG", "C.UTF-8")
        .env("BASH_SILENCE_DEPRECATION_WARNING", "1")
        .env("COAX_DIR", scratch.join("run"))
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    let printed = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    let left: Vec<_> = std::fs::read_dir(&home).expect("the folder").collect();
    let sessions: Vec<_> = std::fs::read_dir(scratch.join("run"))
        .expect("the folder")
        .collect();
    let tidy = left.is_empty() && sessions.is_empty();
    std::fs::remove_dir_all(&scratch).expect("the folder goes");

    let parts: Vec<&str> = printed.split(&format!("{MARK}\n")).skip(1).collect();
    assert_eq!(parts.len(), steps.len(), "{printed}");
    for (step, part) in steps.iter().zip(parts) {
        let seen: Vec<String> = part.lines().map(ToOwned::to_owned).collect();
        assert!(
            like(&step.shown, &seen),
            "README.md shows\n$ {}\n{}\n--- but it prints\n{part}",
            step.command,
            step.shown.join("\n"),
        );
    }
    assert!(
        tidy,
        "something was left in HOME or in the runtime directory: {left:?} {sessions:?}"
    );
}
