//! Laws of the terminal, as property tests: splits, noise, resizes, and views that are fixed points.
#![expect(clippy::unwrap_used, reason = "a test may")]

use coax::term::cell::Breadth;
use coax::term::{Size, Term, Written};
use coax::view::{self, Look};
use proptest::prelude::*;

/// Bytes that look like what programs write, with noise among them.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        Just("hello".to_owned()),
        Just(" ".to_owned()),
        Just("日本".to_owned()),
        Just("e\u{301}".to_owned()),
        Just("👩\u{200d}💻".to_owned()),
        Just("🇩🇪".to_owned()),
        Just("❤\u{fe0f}".to_owned()),
        Just("\u{200d}\u{301}".to_owned()),
        "[a-z ]{0,30}",
    ];
    let control = prop_oneof![
        Just("\r".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\x08".to_owned()),
        Just("\t".to_owned()),
        Just("\x0e".to_owned()),
        Just("\x0f".to_owned()),
        Just("\x1b(0".to_owned()),
        Just("\x1b)0".to_owned()),
        Just("\x1bM".to_owned()),
        Just("\x1bD".to_owned()),
        Just("\x1b7".to_owned()),
        Just("\x1b8".to_owned()),
        Just("\x1b#8".to_owned()),
        Just("\x1bc".to_owned()),
        Just("\x1b6".to_owned()),
        Just("\x1b9".to_owned()),
        Just("\x1b]0;title\x07".to_owned()),
        Just("\x1b]8;;http://x\x1b\\".to_owned()),
        Just("\x1bP$qm\x1b\\".to_owned()),
        Just("\u{9b}2J".to_owned()),
    ];
    let modes = prop_oneof![
        Just(1),
        Just(5),
        Just(6),
        Just(7),
        Just(40),
        Just(45),
        Just(47),
        Just(69),
        Just(1047),
        Just(1048),
        Just(1049),
        Just(2027),
    ];
    let private = (modes, prop::bool::ANY)
        .prop_map(|(mode, on)| format!("\x1b[?{mode}{}", if on { 'h' } else { 'l' }));
    let csi = (prop::collection::vec(0_u16..30, 0..7), "[@A-Za-z]").prop_map(|(params, last)| {
        let params: Vec<String> = params.iter().map(ToString::to_string).collect();
        format!("\x1b[{}{last}", params.join(";"))
    });
    let marked = (
        prop::collection::vec(0_u16..30, 0..8),
        "[$'*#\" !]",
        "[@A-Zp-z{|}~]",
    )
        .prop_map(|(params, mark, last)| {
            let params: Vec<String> = params.iter().map(ToString::to_string).collect();
            format!("\x1b[{}{mark}{last}", params.join(";"))
        });
    let sgr = prop_oneof![
        Just("\x1b[1;31m"),
        Just("\x1b[44m"),
        Just("\x1b[4:3m"),
        Just("\x1b[38;2;1;2;3m"),
        Just("\x1b[58:5:9m"),
        Just("\x1b[m"),
        Just("\x1b[1\"q"),
        Just("\x1bV"),
        Just("\x1bW"),
        Just("\x1b[4h"),
        Just("\x1b[4l"),
    ]
    .prop_map(str::to_owned);
    let noise = prop::collection::vec(any::<u8>(), 0..12);
    let piece = prop_oneof![
        6 => text.prop_map(String::into_bytes),
        4 => control.prop_map(String::into_bytes),
        4 => csi.prop_map(String::into_bytes),
        1 => marked.prop_map(String::into_bytes),
        1 => private.prop_map(String::into_bytes),
        2 => sgr.prop_map(String::into_bytes),
        1 => noise,
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn sizes() -> impl Strategy<Value = Size> {
    (1_u16..12, 1_u16..30).prop_map(|(rows, cols)| Size { rows, cols })
}

fn term(size: Size) -> Term {
    let mut term = Term::new(size, 20);
    term.set_trail(true);
    term
}

fn all() -> Look {
    Look {
        cells: true,
        full: true,
        scrollback: Some(usize::MAX),
        ..Look::default()
    }
}

/// What every row must be, whatever came.
fn check(term: &Term) {
    let screen = term.screen();
    let size = screen.size();
    let cursor = screen.cursor();
    assert!(
        cursor.row < size.rows && cursor.col < size.cols,
        "cursor {cursor:?} in {size:?}"
    );
    for row in 0..size.rows {
        let cells = screen.row(row).cells();
        assert_eq!(cells.len(), usize::from(size.cols));
        for (col, cell) in cells.iter().enumerate() {
            match cell.breadth() {
                Breadth::Head => {
                    assert_eq!(
                        cells.get(col + 1).map(|next| next.breadth()),
                        Some(Breadth::Tail),
                        "head at {row},{col}"
                    );
                }
                Breadth::Tail => {
                    assert!(
                        col > 0 && cells[col - 1].breadth() == Breadth::Head,
                        "tail at {row},{col}"
                    );
                }
                Breadth::Narrow => {}
            }
        }
    }
    let _ = view::json(screen, &all());
    let _ = screen.last_alternate();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_gives_the_same_screen_and_trail(size in sizes(), bytes in stream(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let mut whole = term(size);
        whole.feed(&bytes);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let mut split = term(size);
        let mut trail = Written::default();
        let mut from = 0;
        for to in cuts.into_iter().chain([bytes.len()]) {
            split.feed(&bytes[from..to]);
            trail.append(&split.take_trail());
            from = to;
        }
        prop_assert_eq!(view::json(whole.screen(), &all()), view::json(split.screen(), &all()));
        prop_assert_eq!(whole.take_trail(), trail);
        prop_assert_eq!(whole.take_replies(), split.take_replies());
        prop_assert_eq!(whole.unhandled(), split.unhandled());
        prop_assert_eq!(whole.trail_here(), split.trail_here());
        check(&whole);
    }

    #[test]
    fn the_trail_maps_to_bytes_of_the_stream(size in sizes(), bytes in stream()) {
        let mut term = term(size);
        term.feed(&bytes);
        let written = term.take_trail();
        for (index, run) in written.runs.iter().enumerate() {
            let end = written.runs.get(index + 1).map_or(written.text.len(), |next| next.at);
            let text = &written.text.as_bytes()[run.at..end];
            let at = usize::try_from(run.offset).unwrap();
            prop_assert!(at < bytes.len());
            if !run.flat {
                prop_assert_eq!(text, &bytes[at..at + text.len()]);
            }
        }
        let breaks = written.text.matches('\n').count();
        prop_assert!(written.lines.len() == breaks || written.lines.len() == breaks + 1);
        prop_assert!(written.lines.is_sorted_by_key(|line| line.line));
    }

    #[test]
    fn the_ansi_view_is_a_fixed_point(size in sizes(), bytes in stream()) {
        let mut first = term(size);
        first.feed(&bytes);
        let drawn = view::ansi(first.screen(), &Look::default());
        let mut second = term(size);
        second.feed(&drawn);
        let look = Look { cells: true, full: true, ..Look::default() };
        let (one, two) = (view::json(first.screen(), &look), view::json(second.screen(), &look));
        prop_assert_eq!(&one["lines"], &two["lines"]);
        prop_assert_eq!(&one["cells"], &two["cells"]);
        prop_assert_eq!(&one["cursor"], &two["cursor"]);
    }

    #[test]
    fn resize_storms_keep_every_row_whole(size in sizes(), steps in prop::collection::vec((stream(), sizes()), 0..6)) {
        let mut term = term(size);
        for (bytes, size) in steps {
            term.feed(&bytes);
            check(&term);
            term.resize(size);
            check(&term);
        }
    }

    #[test]
    fn noise_never_panics(size in sizes(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut term = term(size);
        term.feed(&bytes);
        check(&term);
    }
}

#[test]
fn shrinking_to_one_cell_and_back_loses_no_scrollback() {
    let size = Size { rows: 24, cols: 80 };
    let mut term = Term::new(size, 1000);
    for line in 0..300 {
        term.feed(format!("line {line} of a long log that wraps nowhere\r\n").as_bytes());
    }
    let before = view::lines(term.screen(), &all());
    term.resize(Size { rows: 1, cols: 1 });
    check(&term);
    term.resize(size);
    check(&term);
    assert_eq!(before, view::lines(term.screen(), &all()));
}

#[test]
fn reflow_keeps_the_cursor_on_its_character() {
    let mut term = Term::new(Size { rows: 6, cols: 10 }, 100);
    term.feed(b"one\r\nthe quick brown fox\x1b[3D");
    term.resize(Size { rows: 6, cols: 7 });
    assert_eq!(
        view::lines(term.screen(), &Look::default()),
        ["one", "the qui", "ck brow", "n fox"]
    );
    assert_eq!(
        (term.screen().cursor().row, term.screen().cursor().col),
        (3, 2)
    );
    term.resize(Size { rows: 6, cols: 30 });
    assert_eq!(
        view::lines(term.screen(), &Look::default()),
        ["one", "the quick brown fox"]
    );
    assert_eq!(
        (term.screen().cursor().row, term.screen().cursor().col),
        (1, 16)
    );
}
