#![allow(clippy::unwrap_used)]

use super::*;
use crate::pattern::Kind;
use crate::term::trail::{LineStart, Run};

const RAW: TtyMode = TtyMode {
    icanon: false,
    echo: false,
};

/// A transcript whose terminal prints each part at the end of the line under way.
struct Session {
    all: Transcript,
    line: u64,
}

impl Session {
    fn new() -> Self {
        Self {
            all: Transcript::default(),
            line: 0,
        }
    }

    fn print(&mut self, text: &str) {
        let offset = self.all.ring().end();
        self.all.absorb(text.as_bytes(), Stream::Combined, 0);
        let mut lines = Vec::new();
        if self.all.text().end() == 0 {
            lines.push(LineStart {
                at: 0,
                line: 0,
                col: 0,
            });
        }
        for (at, _) in text.match_indices('\n') {
            self.line += 1;
            lines.push(LineStart {
                at: at + 1,
                line: self.line,
                col: 0,
            });
        }
        let runs = vec![Run {
            at: 0,
            offset,
            flat: false,
        }];
        self.all.note(&Written {
            text: text.to_owned(),
            runs,
            lines,
        });
    }

    fn send(&mut self, text: &str, col: u32) {
        self.all.sent(
            text.as_bytes(),
            RAW,
            Place {
                line: self.line,
                col,
            },
        );
    }

    fn searcher(&self, word: &str) -> Searcher {
        self.all
            .searcher(&[Pattern::parse(word, Kind::Text).unwrap()])
            .unwrap()
    }

    fn expect(&mut self, word: &str) -> Option<(u64, u64)> {
        let mut searcher = self.searcher(word);
        let found = self.all.search(&mut searcher, Echo::Hidden, Lines::All)?;
        self.all.matched(&found);
        Some((found.start, found.end))
    }
}

#[test]
fn command_does_not_match_its_own_pattern() {
    let mut session = Session::new();
    session.print("$ ");
    session.send("echo DONE\r", 2);
    let mut searcher = session.searcher("DONE");
    for part in ["ec", "ho DO", "NE", "\n"] {
        session.print(part);
        assert_eq!(
            session.all.search(&mut searcher, Echo::Hidden, Lines::All),
            None
        );
    }
    session.print("DONE\n$ ");
    let found = session
        .all
        .search(&mut searcher, Echo::Hidden, Lines::All)
        .unwrap();
    assert_eq!((found.start, found.end), (12, 16));
    assert_eq!(session.all.before(&found, Echo::Hidden), "$ \n");
    assert_eq!(session.all.before(&found, Echo::Shown), "$ echo DONE\n");
    let mut all = session.searcher("DONE");
    assert_eq!(
        session
            .all
            .search(&mut all, Echo::Shown, Lines::All)
            .unwrap()
            .start,
        7
    );
}

#[test]
fn prompt_before_and_output_after_an_echo_are_adjacent() {
    let mut session = Session::new();
    session.print("$ ");
    session.send("ls\r", 2);
    session.print("ls\nfile\n");
    assert_eq!(session.expect(r"re:\$ \nfile"), Some((0, 9)));
}

#[test]
fn only_a_match_moves_the_mark() {
    let mut session = Session::new();
    session.print("one two one");
    assert_eq!(session.expect("two"), Some((4, 7)));
    assert_eq!(session.expect("two"), None);
    assert_eq!(session.all.mark(), 7);
    session.send("x\r", 11);
    assert_eq!(session.expect("one"), Some((8, 11)));
}

#[test]
fn finished_lines_can_be_asked_for() {
    let mut session = Session::new();
    session.print("10%\n20");
    let mut searcher = session.searcher(r"re:(?m)^\d+");
    let found = session
        .all
        .search(&mut searcher, Echo::Hidden, Lines::Finished)
        .unwrap();
    session.all.matched(&found);
    let mut searcher = session.searcher(r"re:\d+");
    assert_eq!(
        session
            .all
            .search(&mut searcher, Echo::Hidden, Lines::Finished),
        None
    );
    session.print("0\n");
    let found = session
        .all
        .search(&mut searcher, Echo::Hidden, Lines::Finished)
        .unwrap();
    assert_eq!(found.text, "200");
}

#[test]
fn held_back_text_is_let_go_when_quiet() {
    let mut session = Session::new();
    session.print("> ");
    session.send("hello\r", 2);
    session.print("he");
    assert!(session.all.holds_back());
    assert_eq!(session.expect("he"), None);
    session.all.settle();
    assert!(!session.all.holds_back());
    assert_eq!(session.expect("he"), Some((2, 4)));
}

#[test]
fn last_lines_are_for_reports() {
    let mut session = Session::new();
    session.print("a\nb\nc\n");
    assert_eq!(session.all.last_lines(2), "b\nc\n");
    assert_eq!(session.all.last_lines(9), "a\nb\nc\n");
    assert_eq!(session.all.last_lines(0), "");
    session.print("$ ");
    assert_eq!(session.all.last_lines(2), "c\n$ ");
}

#[test]
fn raw_bytes_are_matched_by_their_offsets() {
    let mut session = Session::new();
    session
        .all
        .absorb(b"\x1b[1m\xff\xffok\xc3", Stream::Combined, 0);
    let patterns = [Pattern::parse("re:\\x1b\\[1m.*k", Kind::Text).unwrap()];
    let mut searcher = Searcher::new(&patterns, 0).unwrap();
    let found = session.all.search_raw(&mut searcher).unwrap();
    assert_eq!((found.start, found.end), (0, 8));
    assert_eq!(found.text, "\x1b[1m\x1a\x1aok");
    searcher.restart(8);
    session.all.absorb(b"\xa9 \x1b[1mok", Stream::Combined, 0);
    assert_eq!(session.all.search_raw(&mut searcher).unwrap().start, 11);
}
