//! Globs as regular expressions.
//!
//! The wildcards stay within a line, and `*` takes as little as makes the rest match: what a glob
//! finds then does not depend on how much had arrived when it was looked for.

use std::iter::Peekable;
use std::str::Chars;

use crate::fault::Fault;

/// The expression that a glob stands for.
pub(super) fn expression(glob: &str) -> Result<String, Fault> {
    let mut out = String::with_capacity(glob.len() + 8);
    let mut rest = glob.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '*' => {
                while rest.next_if_eq(&'*').is_some() {}
                out.push_str("[^\\n]*?");
            }
            '?' => out.push_str("[^\\n]"),
            '[' => set(glob, &mut rest, &mut out)?,
            '\\' => match rest.next() {
                Some(next) => literal(next, &mut out),
                None => {
                    return Err(Fault::usage(format!(
                        "the glob `{glob}` ends in a backslash that takes nothing"
                    ))
                    .hint("write `\\\\` for a backslash"));
                }
            },
            c => literal(c, &mut out),
        }
    }
    Ok(out)
}

/// `[a-z]`, `[!a-z]` or `[^a-z]`; a `]` that comes first is a member.
fn set(glob: &str, rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Result<(), Fault> {
    let unfinished = || {
        Fault::usage(format!("the glob `{glob}` has a `[` without its `]`"))
            .hint("write `\\[` for the character itself, or leave `glob:` and `--glob` away")
    };
    let negated = rest.next_if(|c| matches!(c, '!' | '^')).is_some();
    out.push_str(if negated { "[^\\n" } else { "[" });
    let mut first = true;
    loop {
        let low = match rest.next().ok_or_else(unfinished)? {
            ']' if !first => break,
            '\\' => rest.next().ok_or_else(unfinished)?,
            c => c,
        };
        first = false;
        let mut ahead = rest.clone();
        let range = ahead.next() == Some('-') && ahead.peek().is_some_and(|c| *c != ']');
        member(low, out);
        if range {
            rest.next();
            let high = match rest.next().ok_or_else(unfinished)? {
                '\\' => rest.next().ok_or_else(unfinished)?,
                c => c,
            };
            if high < low {
                return Err(Fault::usage(format!(
                    "the glob `{glob}` has a range that runs backwards: `{low}-{high}`"
                )));
            }
            out.push('-');
            member(high, out);
        }
    }
    out.push(']');
    Ok(())
}

fn member(c: char, out: &mut String) {
    if c.is_ascii_punctuation() {
        out.push('\\');
    }
    out.push(c);
}

fn literal(c: char, out: &mut String) {
    out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
}
