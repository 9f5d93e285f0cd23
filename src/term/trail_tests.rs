use super::*;
use crate::term::{Size, Term};

fn trail(cols: u16, bytes: &[u8]) -> Written {
    let mut term = Term::new(Size { rows: 5, cols }, 10);
    term.set_trail(true);
    term.feed(bytes);
    let whole = term.take_trail();
    let mut term = Term::new(Size { rows: 5, cols }, 10);
    term.set_trail(true);
    let mut split = Written::default();
    for byte in bytes {
        term.feed(std::slice::from_ref(byte));
        split.append(&term.take_trail());
    }
    assert_eq!(whole, split, "one byte at a time");
    whole
}

fn text(bytes: &str) -> String {
    trail(20, bytes.as_bytes()).text
}

#[test]
fn another_character_begins_a_new_version() {
    assert_eq!(text("10%\r20%"), "10%\n20%");
    assert_eq!(text("x\u{8} \u{8}"), "x\n ");
}

#[test]
fn the_same_character_appends_nothing() {
    assert_eq!(text("10%\r10%!"), "10%!");
}

#[test]
fn line_feeds_always_end_a_line() {
    assert_eq!(text("a\r\n\r\nb"), "a\n\nb");
}

#[test]
fn forward_moves_leave_a_gap_of_blanks() {
    assert_eq!(text("a\tb\x1b[3Cc"), "a       b   c");
}

#[test]
fn soft_wrapped_rows_are_one_line() {
    assert_eq!(trail(5, b"hello world").text, "hello world");
    assert_eq!(trail(5, "abcd日本語".as_bytes()).text, "abcd日本語");
}

#[test]
fn erased_text_was_still_seen() {
    assert_eq!(text("Password:\r\x1b[Kok"), "Password:\nok");
    assert_eq!(text("ab\x1b[Kc"), "abc");
}

#[test]
fn leaving_the_line_closes_it() {
    assert_eq!(text("a\x1b[3;5Hb\x1b[?1049hc"), "a\nb\nc");
}

#[test]
fn moves_inside_a_wrapped_line_stay_in_it() {
    assert_eq!(trail(5, b"helloworld\x1b[A\x1b[5Gx").text, "helloworld\nx");
    assert_eq!(
        trail(5, b"hellowor\x1b[A\x1b[B\x1b[4Gld").text,
        "helloworld"
    );
}

#[test]
fn combining_characters_stay_with_their_base() {
    assert_eq!(text("e\u{301}x"), "e\u{301}x");
}

#[test]
fn runs_map_text_to_offsets() {
    let written = trail(20, b"ab\x1b[2Cc\r\nd");
    assert_eq!(written.text, "ab  c\nd");
    let run = |at, offset, flat| Run { at, offset, flat };
    assert_eq!(
        written.runs,
        [
            run(0, 0, false),
            run(2, 6, true),
            run(4, 6, false),
            run(5, 8, true),
            run(6, 9, false)
        ]
    );
    assert_eq!(
        written
            .lines
            .iter()
            .map(|line| (line.at, line.line, line.col))
            .collect::<Vec<_>>(),
        [(0, 0, 0), (6, 1, 0)]
    );
}

#[test]
fn a_line_without_end_needs_no_memory_without_end() {
    let mut term = Term::new(Size { rows: 5, cols: 80 }, 10);
    term.set_trail(true);
    let chunk = [b'x'; 8000];
    for _ in 0..100 {
        term.feed(&chunk);
        assert_eq!(term.take_trail().text.len(), chunk.len());
    }
    assert_eq!(term.trail_here().1, 800_000);
}
