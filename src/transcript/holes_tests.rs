#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::holes::{Holes, Place, TtyMode};
use super::text::MatchText;
use crate::term::trail::{LineStart, Run, Written};

const RAW: TtyMode = TtyMode {
    icanon: false,
    echo: false,
};
const COOKED: TtyMode = TtyMode {
    icanon: true,
    echo: true,
};
const SECRET: TtyMode = TtyMode {
    icanon: true,
    echo: false,
};

/// A match text written by hand, as the trail would.
struct Page {
    text: MatchText,
    holes: Holes,
    line: u64,
}

impl Page {
    fn new() -> Self {
        Self {
            text: MatchText::new(1 << 20),
            holes: Holes::default(),
            line: 0,
        }
    }

    fn append(&mut self, text: &str, lines: Vec<LineStart>) {
        let runs = vec![Run {
            at: 0,
            offset: self.text.end(),
            flat: false,
        }];
        self.text.append(&Written {
            text: text.to_owned(),
            runs,
            lines,
        });
        self.holes.judge(&self.text);
    }

    /// Prints text; each line of it is a new logical line.
    fn print(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            let fresh = self.text.end() == 0 || self.text.slice(0, self.text.end()).ends_with('\n');
            let lines = if fresh {
                vec![LineStart {
                    at: 0,
                    line: self.line,
                    col: 0,
                }]
            } else {
                Vec::new()
            };
            self.append(part, lines);
            if part.ends_with('\n') {
                self.line += 1;
            }
        }
    }

    /// Closes the version of the line under way and begins another at `col`.
    fn repaint(&mut self, col: u32, text: &str) {
        let line = self.line;
        self.append(&format!("\n{text}"), vec![LineStart { at: 1, line, col }]);
    }

    fn send(&mut self, text: &str, mode: TtyMode, col: u32) {
        let here = Place {
            line: self.line,
            col,
        };
        self.holes.sent(text.as_bytes(), mode, here, &self.text);
    }

    fn settle(&mut self) {
        self.holes.settle(&self.text);
    }

    fn seen(&self) -> String {
        self.holes
            .visible(&self.text, 0, u64::MAX)
            .iter()
            .map(|(_, part)| *part)
            .collect()
    }
}

#[test]
fn echo_of_the_tty_is_a_hole_and_its_newline_stays() {
    let mut page = Page::new();
    page.print("name? ");
    page.send("bob\r", COOKED, 6);
    page.print("bob\nhello bob\n");
    assert_eq!(page.seen(), "name? \nhello bob\n");
}

#[test]
fn echo_of_the_tty_may_come_after_other_output_and_in_pieces() {
    let mut page = Page::new();
    page.send("done\r", COOKED, 0);
    for part in ["work", "ing\ndo", "ne"] {
        page.print(part);
    }
    assert_eq!(page.seen(), "working\n");
    page.print("\nall");
    assert_eq!(page.seen(), "working\n\nall");
}

#[test]
fn several_lines_are_echoed_by_the_tty_in_order() {
    let mut page = Page::new();
    page.send("a\nb\r", COOKED, 0);
    page.print("a\nb\na\nb\n");
    assert_eq!(page.seen(), "\n\na\nb\n");
}

#[test]
fn half_an_echo_is_let_go_when_nothing_comes() {
    let mut page = Page::new();
    page.send("yes\r", COOKED, 0);
    page.print("ye");
    assert_eq!(page.seen(), "");
    page.settle();
    assert_eq!(page.seen(), "ye");
    page.print("s\n");
    assert_eq!(page.seen(), "yes\n");
}

#[test]
fn contradicted_echo_is_let_go_at_once() {
    let mut page = Page::new();
    page.send("yes\r", COOKED, 0);
    page.print("ye");
    page.print("ah");
    assert_eq!(page.seen(), "yeah");
}

#[test]
fn unechoed_line_has_no_hole() {
    let mut page = Page::new();
    page.print("Password: ");
    page.send("swordfish\r", SECRET, 10);
    page.print("\nswordfish\n");
    assert_eq!(page.seen(), "Password: \nswordfish\n");
}

#[test]
fn echo_of_a_shell_is_a_hole_where_the_cursor_stood() {
    let mut page = Page::new();
    page.print("$ ");
    page.send("echo DONE\r", RAW, 2);
    for part in ["e", "cho ", "DONE"] {
        page.print(part);
        assert_eq!(page.seen(), "$ ");
    }
    page.print("\nDONE\n$ ");
    assert_eq!(page.seen(), "$ \nDONE\n$ ");
}

#[test]
fn echo_painted_again_is_hidden_in_every_version() {
    let mut page = Page::new();
    page.print("$ ");
    page.send("ls\r", RAW, 2);
    page.print("l");
    page.repaint(0, "$ ls");
    page.repaint(2, "ls");
    page.repaint(3, "s");
    page.print("\nfile\n");
    assert_eq!(page.seen(), "$ \n$ \n\n\nfile\n");
}

#[test]
fn wide_prompt_counts_its_columns() {
    let mut page = Page::new();
    page.print("目录 é> ");
    page.send("ls\r", RAW, 8);
    page.print("ls\n");
    assert_eq!(page.seen(), "目录 é> \n");
}

#[test]
fn answer_that_only_begins_like_the_key_is_no_echo() {
    let mut page = Page::new();
    page.print("go? ");
    page.send("y\r", RAW, 4);
    page.print("y");
    assert_eq!(page.seen(), "go? ");
    page.print("es, going\n");
    assert_eq!(page.seen(), "go? yes, going\n");
}

#[test]
fn suggestion_behind_the_echo_leaves_it_hidden() {
    let mut page = Page::new();
    page.print("> ");
    page.send("echo DONE\r", RAW, 2);
    page.print("echo DONE; exit");
    page.print("\n");
    assert_eq!(page.seen(), "> ; exit\n");
}

#[test]
fn text_elsewhere_is_no_echo() {
    let mut page = Page::new();
    page.print("$ ");
    page.send("ls\r", RAW, 2);
    page.print("\nls\n");
    page.repaint(0, "x ls");
    assert_eq!(page.seen(), "$ \nls\n\nx ls");
}

#[test]
fn text_without_enter_is_seen_until_enter_follows() {
    let mut page = Page::new();
    page.print("$ ");
    page.send("ls", RAW, 2);
    page.print("ls");
    assert_eq!(page.seen(), "$ ls");
    page.send("\r", RAW, 4);
    page.print("\n");
    assert_eq!(page.seen(), "$ \n");

    let mut page = Page::new();
    page.print("$ ");
    page.send("ls", RAW, 2);
    page.print("ls");
    page.send("\x1b[A", RAW, 4);
    page.send("\r", RAW, 4);
    page.print("\n");
    assert_eq!(page.seen(), "$ ls\n");
}

#[test]
fn control_characters_and_bad_bytes_leave_no_hole() {
    let mut page = Page::new();
    page.print("$ ");
    page.send("l\ts\r", RAW, 2);
    page.holes
        .sent(b"\xff\r", RAW, Place { line: 0, col: 2 }, &page.text);
    page.print("l       s\n");
    assert_eq!(page.seen(), "$ l       s\n");
}

#[test]
fn pasted_line_is_hidden_without_its_brackets() {
    let mut page = Page::new();
    page.print("$ ");
    page.send("\x1b[200~make all\x1b[201~", RAW, 2);
    page.send("\r", RAW, 2);
    page.print("make all\n");
    assert_eq!(page.seen(), "$ \n");
}

#[test]
fn line_typed_ahead_is_hidden_behind_the_next_prompt_too() {
    let mut page = Page::new();
    page.print("$ ");
    page.send("sleep 1\r", RAW, 2);
    page.print("sleep 1\n");
    page.send("echo DONE\r", COOKED, 0);
    page.print("echo DONE\n$ echo");
    assert_eq!(page.seen(), "$ \n\n$ ");
    page.print(" DONE\nDONE\n$ ");
    assert_eq!(page.seen(), "$ \n\n$ \nDONE\n$ ");
}

#[test]
fn further_lines_of_one_input_are_hidden_behind_the_same_prompt() {
    let mut page = Page::new();
    page.print(">>> ");
    page.send("a = 1\nb = 2\nprint(a)\r", RAW, 4);
    page.print("a = 1\n>>> b = 2\n>>> print(a)\n1\n>>> ");
    assert_eq!(page.seen(), ">>> \n>>> \n>>> \n1\n>>> ");
}

#[test]
fn slow_echo_is_hidden_after_a_pause() {
    let mut page = Page::new();
    page.print("$ ");
    page.send("ls\r", RAW, 2);
    page.settle();
    page.print("ls");
    assert_eq!(page.seen(), "$ ");
    page.print("\nfile\n");
    assert_eq!(page.seen(), "$ \nfile\n");
}

proptest! {
    // One line is sent, so that holes of several lines cannot touch.
    #[test]
    fn only_text_that_was_sent_is_hidden(
        line in "[ab é]{1,3}", when in 0usize..6, mode in prop::sample::select(vec![RAW, COOKED, SECRET]),
        steps in prop::collection::vec((0u8..4, "[ab é]{0,3}", 0u32..4), 0..20),
    ) {
        let mut page = Page::new();
        for (n, (what, words, col)) in steps.into_iter().enumerate() {
            if n == when {
                page.send(&format!("{line}\r"), mode, col);
            }
            match what {
                0 => page.print(&words),
                1 => page.print(&format!("{words}\n")),
                2 => page.repaint(col, &words),
                _ => page.settle(),
            }
        }
        page.settle();
        let mut at = 0;
        for (start, part) in page.holes.visible(&page.text, 0, u64::MAX) {
            let hidden = page.text.slice(at, start);
            prop_assert!(line.contains(hidden), "{hidden:?} was hidden");
            prop_assert!(hidden.is_empty() || mode != SECRET);
            at = start + part.len() as u64;
        }
    }

    #[test]
    fn nothing_is_held_back_for_ever(
        lines in prop::collection::vec(("[ab\r]{0,4}", any::<bool>(), "[ab\n]{0,5}"), 0..12),
    ) {
        let mut page = Page::new();
        for (typed, raw, printed) in lines {
            page.send(&typed, if raw { RAW } else { COOKED }, 0);
            page.print(&printed);
        }
        page.settle();
        prop_assert_eq!(page.holes.pending(), None);
    }
}
