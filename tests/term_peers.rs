//! The terminal beside two others, `alacritty_terminal` and `vt100`, on what all three should show
//! alike. Left out is what they are known to do otherwise than xterm: what a control function does
//! to a wrap that is pending or to a half of a wide character, where DECSTBM, IL and DL leave the
//! cursor, moves through margins, DCH at the end of a row, ED 1 in the second row.

use std::num::NonZero;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::term::{Config, Term as Alacritty, test::TermSize};
use alacritty_terminal::vte::ansi::{Processor, StdSyncHandler};
use coax::term::pen::{Attrs, Color};
use coax::term::{Pos, Size, Term};
use proptest::prelude::*;

const SIZE: Size = Size { rows: 6, cols: 20 };

/// What is fed: text, which may wrap, or a control function, before which nothing is pending.
fn piece() -> impl Strategy<Value = String> {
    let count = 1_u16..5;
    let place = (1_u16..=SIZE.rows, 1_u16..=SIZE.cols);
    let text = prop_oneof![
        4 => "[a-zA-Z0-9 ]{1,25}",
        1 => Just("é─█ñ".to_owned()),
    ];
    let moves = prop_oneof![
        Just("\r".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\x08".to_owned()),
        Just("\t".to_owned()),
        Just("\x1bM".to_owned()),
        Just("\x1b7".to_owned()),
        Just("\x1b8".to_owned()),
        place
            .clone()
            .prop_map(|(row, col)| format!("\x1b[{row};{col}H")),
        (count.clone(), "[ABCDEFG]").prop_map(|(count, last)| format!("\x1b[{count}{last}")),
        (1..=SIZE.rows).prop_map(|row| format!("\x1b[{row}d")),
    ];
    let edits = prop_oneof![
        Just("\x1b[J".to_owned()),
        Just("\x1b[2J".to_owned()),
        (0_u16..3).prop_map(|extent| format!("\x1b[{extent}K")),
        (count.clone(), "[@X]").prop_map(|(count, last)| format!("\x1b[{count}{last}")),
        (count, "[LM]").prop_map(|(count, last)| format!("\x1b[{count}{last}\r")),
        // A region is left again at once: the two move the cursor through margins.
        (1_u16..4, 4_u16..=SIZE.rows, "[a-z]{1,5}").prop_map(|(top, bottom, text)| {
            format!("\x1b[{top};{bottom}r\x1b[{bottom};1H\n{text}\r\n\x1b[{top};1H\x1bM{text}\x1b[r\x1b[H")
        }),
    ];
    let pens = prop_oneof![
        Just("\x1b[m".to_owned()),
        (30_u16..38).prop_map(|code| format!("\x1b[{code}m")),
        prop_oneof![
            Just(1),
            Just(3),
            Just(4),
            Just(7),
            Just(22),
            Just(24),
            Just(27)
        ]
        .prop_map(|code| format!("\x1b[{code}m")),
    ];
    prop_oneof![5 => text, 4 => moves, 2 => edits, 2 => pens]
}

type Look = (Option<u8>, [bool; 3], bool);

struct Three {
    coax: Term,
    alacritty: Alacritty<VoidListener>,
    processor: Processor<StdSyncHandler>,
    vt100: vt100::Parser,
}

impl Three {
    fn new() -> Self {
        let size = |side| NonZero::new(side).expect("a size");
        let (rows, cols) = (usize::from(SIZE.rows), usize::from(SIZE.cols));
        Self {
            coax: Term::new(SIZE, 100),
            alacritty: Alacritty::new(Config::default(), &TermSize::new(cols, rows), VoidListener),
            processor: Processor::new(),
            vt100: vt100::Parser::new(size(SIZE.rows), size(SIZE.cols), 100),
        }
    }

    fn feed(&mut self, text: &str) {
        self.coax.feed(text.as_bytes());
        self.processor.advance(&mut self.alacritty, text.as_bytes());
        self.vt100.process(text.as_bytes());
    }

    fn rows(&self) -> [Vec<String>; 3] {
        let screen = self.coax.screen();
        let coax = (0..SIZE.rows).map(|row| screen.row_text(row, true));
        let grid = self.alacritty.grid();
        let alacritty = (0..grid.screen_lines()).map(|row| {
            let line = &grid[Line(i32::try_from(row).expect("a row"))];
            let text: String = (0..grid.columns())
                .map(|col| &line[Column(col)])
                .filter(|cell| {
                    !cell
                        .flags
                        .intersects(Flags::WIDE_CHAR_SPACER | Flags::LEADING_WIDE_CHAR_SPACER)
                })
                .map(|cell| if cell.c == '\t' { ' ' } else { cell.c })
                .collect();
            text.trim_end().to_owned()
        });
        let vt100 = self.vt100.screen().rows(0, SIZE.cols);
        [
            coax.collect(),
            alacritty.collect(),
            vt100.map(|row| row.trim_end().to_owned()).collect(),
        ]
    }

    /// The pens of what is written, of coax and `vt100`: foreground, bold, italic, underlined, inverse.
    fn pens(&self) -> (Vec<Option<Look>>, Vec<Option<Look>>) {
        let mut pens = (Vec::new(), Vec::new());
        for row in 0..SIZE.rows {
            for (col, cell) in (0..).zip(self.coax.screen().row(row).cells()) {
                let attrs = cell.pen.attrs;
                let fg = match cell.pen.fg() {
                    Color::Indexed(index) => Some(index),
                    Color::Default | Color::Rgb(..) => None,
                };
                let bits = [Attrs::BOLD, Attrs::ITALIC, Attrs::INVERSE].map(|attr| attrs.has(attr));
                pens.0
                    .push((!cell.is_blank()).then_some((fg, bits, attrs.underline() > 0)));
                let cell = self.vt100.screen().cell(row, col).expect("a cell");
                let fg = match cell.fgcolor() {
                    vt100::Color::Idx(index) => Some(index),
                    vt100::Color::Default | vt100::Color::Rgb(..) => None,
                };
                let bits = [cell.bold(), cell.italic(), cell.inverse()];
                let blank = cell.contents().trim().is_empty();
                pens.1
                    .push((!blank).then_some((fg, bits, cell.underline())));
            }
        }
        pens
    }

    fn cursors(&self) -> [(u16, u16); 3] {
        let Pos { row, col } = self.coax.screen().cursor();
        let point = self.alacritty.grid().cursor.point;
        let (vt100_row, vt100_col) = self.vt100.screen().cursor_position();
        [
            (row, col),
            (
                u16::try_from(point.line.0).expect("a row"),
                u16::try_from(point.column.0).expect("a column"),
            ),
            (vt100_row, vt100_col.min(SIZE.cols - 1)),
        ]
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn three_terminals_show_the_same(pieces in prop::collection::vec(piece(), 0..30)) {
        let mut three = Three::new();
        let mut fed = String::new();
        for piece in pieces {
            // What a pending wrap means to a control function is where they part.
            let piece = if three.coax.screen().pending_wrap() && piece.starts_with(char::is_control) {
                format!("\r{piece}")
            } else {
                piece
            };
            fed.push_str(&piece);
            three.feed(&piece);
            let [coax, alacritty, vt100] = three.rows();
            prop_assert_eq!(&coax, &alacritty, "alacritty after {:?}", fed);
            prop_assert_eq!(&coax, &vt100, "vt100 after {:?}", fed);
            let (coax, vt100) = three.pens();
            prop_assert_eq!(coax, vt100, "pens after {:?}", fed);
            let [coax, alacritty, vt100] = three.cursors();
            prop_assert_eq!(coax, alacritty, "alacritty's cursor after {:?}", fed);
            prop_assert_eq!(coax, vt100, "vt100's cursor after {:?}", fed);
        }
    }
}
