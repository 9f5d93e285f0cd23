//! What a program prints without end is held within bounds.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;

use coax::term::{Size, Term};

/// How much one kind of stream may add to the memory of the process.
const BOUND: usize = 24 << 20;

fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("statm");
    let pages = statm
        .split(' ')
        .nth(1)
        .and_then(|word| word.parse::<usize>().ok());
    pages.expect("a number of pages") * 4096
}

/// So many pieces, each made from its number.
fn stream(count: usize, piece: impl Fn(usize, &mut String)) -> String {
    let mut text = String::new();
    for index in 0..count {
        piece(index, &mut text);
    }
    text
}

#[test]
fn endless_streams_stay_within_bounds() {
    let long = "x".repeat(4 << 20);
    let streams = [
        ("a title", format!("\x1b]0;{long}")),
        ("a device control string", format!("\x1bP$q{long}")),
        ("an application string", format!("\x1b_{long}")),
        ("numbers", format!("\x1b[{}", "1;".repeat(2 << 20))),
        ("marks", format!("\x1b[{}", "$".repeat(4 << 20))),
        ("a cluster", format!("a{}", "\u{301}".repeat(1 << 20))),
        ("queries that nobody takes", "\x1b[c".repeat(400_000)),
        (
            "clusters",
            stream(200_000, |index, text| {
                let (one, two) = (index % 50_000, index / 50_000);
                let mark = |number: usize| {
                    char::from_u32(0x300 + u32::try_from(number).unwrap_or(0) % 0x60)
                };
                text.extend([
                    'e',
                    mark(one).unwrap_or('a'),
                    mark(one / 96).unwrap_or('a'),
                    mark(two).unwrap_or('a'),
                ]);
            }),
        ),
        (
            "links",
            stream(100_000, |index, text| {
                let _ = write!(text, "\x1b]8;;http://x/{index}\x07l");
            }),
        ),
        (
            "unknown sequences",
            stream(100_000, |index, text| {
                let _ = write!(text, "\x1b[?{index}h\x1b]{index};x\x07\x1b[{}z", index % 7);
            }),
        ),
        (
            "stacks",
            "\x1b[22t\x1b[#{\x1b[#P\x1b[>1u\x1b[?7s".repeat(100_000),
        ),
        (
            "colours",
            stream(100_000, |index, text| {
                let _ = write!(text, "\x1b]4;{};#{index:06x}\x07", index % 300);
            }),
        ),
    ];
    let mut term = Term::new(Size { rows: 24, cols: 80 }, 1000);
    // What is there once is no growth.
    for (_, stream) in &streams {
        term.feed(&stream.as_bytes()[..stream.len() / 8]);
    }
    for (name, stream) in &streams {
        let before = resident();
        for chunk in stream.as_bytes().chunks(1 << 16) {
            term.feed(chunk);
        }
        let grown = resident().saturating_sub(before);
        assert!(grown < BOUND, "{name}: {grown} bytes more");
        term.feed(b"\x18\x1b\\");
    }
}
