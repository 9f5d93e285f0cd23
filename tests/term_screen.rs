//! The screen by families of control functions, drawn as text: rows apart by `|`.

use coax::term::{Pos, Size, Term};
use coax::view::{self, Look};

fn term(bytes: &str) -> Term {
    let mut term = Term::new(Size { rows: 4, cols: 8 }, 100);
    term.feed(bytes.as_bytes());
    term
}

fn screen(bytes: &str) -> String {
    view::lines(term(bytes).screen(), &Look::default()).join("|")
}

fn cursor(bytes: &str) -> (u16, u16) {
    let Pos { row, col } = term(bytes).screen().cursor();
    (row, col)
}

fn replies(bytes: &str) -> String {
    String::from_utf8(term(bytes).take_replies()).expect("answers are text")
}

#[test]
fn the_last_column_waits_to_wrap() {
    assert_eq!(cursor("12345678"), (0, 7));
    assert_eq!(screen("123456789"), "12345678|9");
    assert_eq!(screen("12345678\r\n9"), "12345678|9");
    assert_eq!(screen("12345678\x08X"), "123456X8");
    assert_eq!(screen("12345678\x1b[KX"), "1234567X");
    assert_eq!(screen("\x1b[?7l123456789"), "12345679");
}

#[test]
fn wide_characters_keep_their_halves_together() {
    assert_eq!(screen("日本\x1b[2GX"), " X本");
    assert_eq!(screen("1234567日"), "1234567|日");
    assert_eq!(screen("日本\x1b[1;2H\x1b[P"), " 本");
    assert_eq!(screen("日本\x1b[1;4H\x1b[K"), "日");
}

#[test]
fn a_cluster_is_one_cell() {
    assert_eq!(cursor("👩\u{200d}💻"), (0, 2));
    assert_eq!(cursor("🇩🇪"), (0, 2));
    assert_eq!(cursor("e\u{301}"), (0, 1));
    assert_eq!(cursor("❤\u{fe0f}"), (0, 2));
    assert_eq!(cursor("\x1b[?2027l❤\u{fe0f}"), (0, 1));
}

#[test]
fn lf_at_the_bottom_margin_scrolls_the_region() {
    assert_eq!(screen("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nX"), "a|c|X|d");
    assert_eq!(
        screen("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2;1H\x1bMX"),
        "a|X|b|d"
    );
}

#[test]
fn lines_that_leave_the_top_go_to_the_scrollback() {
    let term = term("1\r\n2\r\n3\r\n4\r\n5\r\n6");
    let look = Look {
        scrollback: Some(usize::MAX),
        ..Look::default()
    };
    assert_eq!(
        view::lines(term.screen(), &look),
        ["1", "2", "3", "4", "5", "6"]
    );
    assert_eq!(term.screen().scrollback_len(), 2);
}

#[test]
fn il_and_dl_move_lines_inside_the_region() {
    assert_eq!(screen("a\r\nb\r\nc\r\nd\x1b[2;2H\x1b[LX"), "a|X|b|c");
    assert_eq!(screen("a\r\nb\r\nc\r\nd\x1b[2;2H\x1b[MX"), "a|X|d");
}

#[test]
fn left_and_right_margins_bound_scrolling_and_wrapping() {
    assert_eq!(screen("\x1b[?69h\x1b[3;5s\x1b[1;3Habcd"), "  abc|  d");
    assert_eq!(
        screen("abcdefgh\r\nABCDEFGH\x1b[?69h\x1b[3;5s\x1b[S"),
        "abCDEfgh|AB   FGH"
    );
}

#[test]
fn the_alternate_screen_is_remembered_when_it_is_left() {
    let term = term("main\x1b[?1049h\x1b[Hdialog\x1b[?1049l");
    assert_eq!(view::lines(term.screen(), &Look::default()), ["main"]);
    assert_eq!(
        term.screen().last_alternate(),
        Some(vec!["dialog".to_owned()])
    );
    assert!(!term.screen().alt_screen());
}

#[test]
fn queries_are_answered() {
    assert_eq!(
        replies("\x1b[c"),
        "\x1b[?64;1;2;6;9;15;16;17;18;21;22;28;29c"
    );
    assert_eq!(replies("ab\x1b[6n"), "\x1b[1;3R");
    assert_eq!(replies("\x1b[18t"), "\x1b[8;4;8t");
    assert_eq!(replies("\x1b[?2026$p"), "\x1b[?2026;2$y");
    assert_eq!(replies("\x1b[2;3r\x1bP$qr\x1b\\"), "\x1bP1$r2;3r\x1b\\");
    assert_eq!(replies("\x1b[7;1;1;1;1;1*y"), "\x1bP7!~FFE0\x1b\\");
    assert_eq!(replies("\x1b]11;?\x07"), "\x1b]11;rgb:ffff/ffff/ffff\x07");
    assert_eq!(replies("\x1b[>5u\x1b[?u"), "\x1b[?5u");
}

#[test]
fn unknown_sequences_are_counted_and_not_shown() {
    let term = term("a\x1b[5zb\x1b[5z\x1b[?9999h\x1b]4242;x\x07");
    assert_eq!(view::lines(term.screen(), &Look::default()), ["ab"]);
    let counted = term.unhandled();
    assert_eq!(counted.len(), 3, "{counted:?}");
    assert!(counted.contains(&("CSI z".to_owned(), 2)), "{counted:?}");
}

#[test]
fn content_hash_sees_text_alone() {
    let hash = |bytes: &str| term(bytes).screen().content_hash();
    assert_eq!(hash("ab"), hash("\x1b[31mab\x1b[3;3H"));
    assert_ne!(hash("ab"), hash("ac"));
    assert_eq!(hash(""), hash("   "));
}
