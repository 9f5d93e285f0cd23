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

/// Run it with `--release -- --ignored --nocapture` to see the time.
#[test]
#[ignore = "slow without optimisation"]
#[allow(clippy::print_stdout)]
fn hundred_megabytes_pass_in_linear_time() {
    let mut session = Session::new();
    session.print("$ ");
    session.send("make\r", 2);
    session.print("make\n");
    let chunk = "line of the build log: compiling a crate\n".repeat(90);
    let mut searcher = session.searcher(r"re:made \d+ of");
    let begin = std::time::Instant::now();
    for _ in 0..100_000_000 / chunk.len() {
        session.print(&chunk);
        assert_eq!(
            session.all.search(&mut searcher, Echo::Hidden, Lines::All),
            None
        );
    }
    session.print("made 7 of 7");
    assert!(
        session
            .all
            .search(&mut searcher, Echo::Hidden, Lines::All)
            .is_some()
    );
    println!("{:?}", begin.elapsed());
    assert!(begin.elapsed().as_secs() < 5);
}

/// With the terminal's own trail: a shell that paints its line as zsh does, with a suggestion.
#[test]
fn echo_is_hidden_in_what_the_terminal_writes() {
    use crate::term::{Size, Term};
    for cut in [1, 3, 1000] {
        let mut all = Transcript::default();
        let mut term = Term::new(Size::default(), 0);
        term.set_trail(true);
        let feed = |term: &mut Term, all: &mut Transcript, bytes: &str| {
            for part in bytes.as_bytes().chunks(cut) {
                all.absorb(part, Stream::Combined, 0);
                term.feed(part);
                all.note(&term.take_trail());
            }
        };
        feed(
            &mut term,
            &mut all,
            "\x1b[32m~/目录\x1b[0m % \x1b[K\x1b[?2004h",
        );
        let (line, col) = term.trail_here();
        all.sent(b"echo DONE\r", RAW, Place { line, col });
        let patterns = [Pattern::parse("DONE", Kind::Text).unwrap()];
        let mut searcher = all.searcher(&patterns).unwrap();
        feed(
            &mut term,
            &mut all,
            "e\x08\x1b[31mec\x1b[0mho \x08\x08\x08\x08\x08\x1b[1mecho\x1b[0m DONE",
        );
        assert_eq!(
            all.search(&mut searcher, Echo::Hidden, Lines::All),
            None,
            "cut {cut}"
        );
        feed(&mut term, &mut all, "\x1b[?2004l\r\r\n");
        assert_eq!(
            all.search(&mut searcher, Echo::Hidden, Lines::All),
            None,
            "cut {cut}"
        );
        feed(&mut term, &mut all, "DONE\r\n");
        let found = all.search(&mut searcher, Echo::Hidden, Lines::All).unwrap();
        assert_eq!(all.before(&found, Echo::Hidden), "~/目录 % \n", "cut {cut}");
        let offset = usize::try_from(all.text().offset_at(found.start)).unwrap();
        assert_eq!(&all.ring().range(0, u64::MAX)[offset..], b"DONE\r\n");
    }
}
