//! A stream as the functions in it, a line each: where it begins, what it is, the bytes themselves.

use std::fmt::Write as _;

use crate::term::decode::{Decoder, Sink};
use crate::term::function::Function;

/// How much of a text or a string is shown.
const SHOWN: usize = 60;

/// What is in `bytes`: text in quotes, control functions by their mnemonics with decoded arguments
/// (rows and columns from 0), and those that are not known with `??` before them.
pub fn trace(bytes: &[u8]) -> Vec<u8> {
    let mut lines = Lines {
        bytes,
        next: 0,
        out: String::new(),
    };
    let mut decoder = Decoder::new();
    decoder.feed(bytes, &mut lines);
    let open = decoder.is_open();
    let rest = bytes.get(lines.next..).unwrap_or_default();
    if open && !rest.is_empty() {
        lines.line(bytes.len(), "?? cut off");
    }
    lines.out.into_bytes()
}

struct Lines<'a> {
    bytes: &'a [u8],
    /// Where the next item begins: what is decoded tiles the stream.
    next: usize,
    out: String,
}

impl Lines<'_> {
    /// A line for the item that ends before `end`.
    fn line(&mut self, end: usize, what: &str) {
        let bytes = self.bytes.get(self.next..end).unwrap_or_default();
        let raw = shown(&bytes.escape_ascii().to_string());
        let _ = writeln!(self.out, "{:>8}  {what:<32}  {raw}", self.next);
        self.next = end;
    }
}

impl Sink for Lines<'_> {
    fn print(&mut self, at: u64, text: &str) {
        self.next = place(at);
        let end = self.next + text.len();
        self.line(end, &format!("text {}", shown(&format!("{text:?}"))));
    }

    fn replacement(&mut self, at: u64) {
        // Whatever of it is bad belongs to it; the next item says where that ends.
        self.next = place(at);
        let end = self.next + 1;
        self.line(end, "?? bad UTF-8");
    }

    fn execute(&mut self, at: u64, function: Function<'_>) {
        self.line(place(at) + 1, &spelled(&function));
    }
}

fn place(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The mnemonic and its arguments.
fn spelled(function: &Function<'_>) -> String {
    let string = |text: &[u8]| shown(&format!("{:?}", String::from_utf8_lossy(text)));
    match function {
        Function::Unknown(name) => format!("?? {name}"),
        Function::Osc { number, text, .. } => format!("OSC {number} {}", string(text)),
        Function::Decrqss(text) => format!("DECRQSS {}", string(text)),
        Function::Xtgettcap(text) => format!("XTGETTCAP {}", string(text)),
        Function::Decrsps(kind, text) => format!("DECRSPS {kind} {}", string(text)),
        Function::DecrqmAnsi(mode) => format!("DECRQM {mode}"),
        Function::Decrqm(mode) => format!("DECRQM ?{mode}"),
        Function::Scs { slot, set, .. } => {
            let [more, last] = set.to_be_bytes();
            let more = if more == 0 {
                String::new()
            } else {
                char::from(more).to_string()
            };
            format!("SCS G{slot} {more}{}", char::from(last))
        }
        other => {
            let debug = format!("{other:?}");
            let end = debug
                .find(|ch: char| !ch.is_ascii_alphanumeric())
                .unwrap_or(debug.len());
            let (name, arguments) = debug.split_at(end);
            let arguments = arguments
                .replace(['(', '{', '['], " ")
                .replace([')', '}', ']'], "");
            let arguments = arguments.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{} {arguments}", name.to_ascii_uppercase())
                .trim_end()
                .to_owned()
        }
    }
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_has_a_line_with_its_place() {
        let stream =
            b"hi\x1b[2;3H\x1b[1;31m\xe6\x97\xa5\x1b[5z\r\n\x1b]0;t\x07\x1b(0\x1b[?25l\xff\x1b[1";
        let lines = String::from_utf8(trace(stream)).expect("text");
        let want = "
       0  text \"hi\"                         hi
       2  CUP row: 1, col: 2                \\x1b[2;3H
       8  SGR 1;31                          \\x1b[1;31m
      15  text \"日\"                          \\xe6\\x97\\xa5
      18  ?? CSI z                          \\x1b[5z
      22  CR                                \\r
      23  LF                                \\n
      24  OSC 0 \"t\"                         \\x1b]0;t\\x07
      30  SCS G0 0                          \\x1b(0
      33  DECRST 25                         \\x1b[?25l
      39  ?? bad UTF-8                      \\xff
      40  ?? cut off                        \\x1b[1
";
        assert_eq!(lines, want.trim_start_matches('\n'));
    }
}
