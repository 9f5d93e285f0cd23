//! Echoes as real shells paint them, through the terminal's own trail.

use super::{Echo, Lines, Place, Stream, Transcript, TtyMode};
use crate::term::{Size, Term};

const RAW: TtyMode = TtyMode {
    icanon: false,
    echo: false,
};
const COOKED: TtyMode = TtyMode {
    icanon: true,
    echo: true,
};
const CUTS: [usize; 5] = [1, 2, 3, 7, 10_000];

/// A session whose output arrives in pieces of `cut` bytes.
struct Shell {
    all: Transcript,
    term: Term,
    cut: usize,
}

impl Shell {
    fn new(cut: usize, prompt: &str) -> Self {
        let mut term = Term::new(Size { rows: 10, cols: 80 }, 10);
        term.set_trail(true);
        let all = Transcript::default();
        let mut shell = Self { all, term, cut };
        shell.print(prompt);
        shell
    }

    fn print(&mut self, bytes: &str) {
        for part in bytes.as_bytes().chunks(self.cut) {
            self.feed(part);
        }
    }

    fn feed(&mut self, part: &[u8]) {
        self.all.absorb(part, Stream::Combined, 0);
        self.term.feed(part);
        self.all.place(&self.term.take_rows());
        self.all.note(&self.term.take_trail());
    }

    /// Prints, and nothing of it is seen but blanks.
    fn echo(&mut self, bytes: &str) {
        let from = self.seen().len();
        for part in bytes.as_bytes().chunks(self.cut) {
            self.feed(part);
            let seen = self.seen();
            assert_eq!(seen[from..].trim(), "", "cut {}", self.cut);
        }
    }

    fn send(&mut self, text: &str, mode: TtyMode) {
        let (line, col) = self.term.trail_here();
        self.all.place(&self.term.take_rows());
        self.all.sent(text.as_bytes(), mode, Place { line, col });
    }

    fn seen(&self) -> String {
        let parts = self.all.segments(0, Echo::Hidden, Lines::All);
        parts.iter().map(|(_, part)| *part).collect()
    }

    /// What is seen, without blank lines and without blanks at the end of lines.
    fn lines(&self) -> Vec<String> {
        let seen = self.seen();
        let lines = seen.lines().map(|line| line.trim_end().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    }
}

fn marked() -> String {
    format!(": MARK {}; echo MA''RK2", "x".repeat(120))
}

/// zsh prints a blank and a return at the margin.
fn zsh(line: &str) -> String {
    let (first, rest) = line.split_at(73);
    let begin = &rest[..1];
    format!(":\x08{first} \r\x1b[K{begin}\r{rest}\x1b[?2004l\r\r\n")
}

/// fish goes to the next row by itself, and paints the whole line again at the end.
fn fish() -> String {
    let exes = "x".repeat(120);
    let line = marked();
    [
        ": \r\x1b[9CMARK \r\x1b[14C",
        &exes,
        ";\x1b[A\r\r\n\x1b[55C \x1b[A\r\r\n\x1b[56Cecho \x1b[A\r\r\n\x1b[61CMA''RK2\x1b[A\r\r\n\x1b[68C\x1b[A\x1b[61D",
        &line,
        "\x1b[A\r\r\n\x1b[68C\r\n\x1b[30m\x1b(B\x1b[m",
    ]
    .concat()
}

const BASH_PASTE: &str = "\x1b[7msleep 0.3\x1b[27m\r\n\r\x1b[7mecho P1\x1b[27m\r\n\r\n\r\x1b[7m  echo P2\x1b[27m\
     \x1b[A\x1b[A\x1b[A\x08\x08sleep 0.3\r\n\recho P1\r\n\r\n\r  echo P2\r\n\x1b[?2004l\r";

const ZSH_PASTE: &str = "\x1b[7msleep 0.3\x1b[27m\r\r\n\x1b[7mecho P1\x1b[27m\x1b[K\r\r\n\x1b[K\r\r\n\x1b[7m  echo P2\x1b[27m\x1b[K\
     \x1b[3A\x1b[2D\x1b[27ms\x1b[27mleep 0.3\x1b[1B\r\x1b[27mecho P1\x1b[2B\r  echo P2\x1b[?2004l\r\r\n";

const PASTE: &str = "\x1b[200~sleep 0.3\necho P1\n\n  echo P2\x1b[201~\r";

#[test]
fn zsh_wraps_a_line_with_a_blank_at_the_margin() {
    for cut in CUTS {
        let mut shell = Shell::new(cut, "ready> \x1b[K\x1b[?2004h");
        shell.send(&format!("{}\r", marked()), RAW);
        shell.echo(&zsh(&marked()));
        shell.print("MARK2\r\n");
        assert_eq!(shell.lines(), ["ready>", "MARK2"], "cut {cut}");
    }
}

#[test]
fn bash_fills_up_a_row_before_a_wide_character() {
    for cut in CUTS {
        let mut shell = Shell::new(cut, "r> ");
        let [first, rest] = [37, 23].map(|count| "語".repeat(count));
        shell.send(&format!(": {first}{rest}; echo Z9\r"), RAW);
        shell.print(&format!(": {first} {rest}; echo Z9\r\nZ9\r\n"));
        assert_eq!(shell.lines(), ["r>", "Z9"], "cut {cut}");
    }
}

#[test]
fn fish_goes_to_the_next_row_by_itself() {
    for cut in CUTS {
        let mut shell = Shell::new(cut, "\x1b[m\rready> \x1b[K\r\x1b[7C");
        shell.send(&format!("{}\r", marked()), RAW);
        shell.echo(&fish());
        shell.print("MARK2\r\n");
        assert_eq!(shell.lines(), ["ready>", "MARK2"], "cut {cut}");
        // The same where the screen scrolls meanwhile.
        shell.print("\x1b[10;1Hready> ");
        shell.send(&format!("{}\r", marked()), RAW);
        shell.echo(&fish());
        shell.print("MARK2\r\n");
        assert_eq!(shell.lines()[2..], ["ready>", "MARK2"], "cut {cut}");
    }
}

#[test]
fn pasted_lines_are_one_echo() {
    for cut in CUTS {
        for paste in [BASH_PASTE, ZSH_PASTE] {
            let mut shell = Shell::new(cut, "ready> ");
            shell.send(PASTE, RAW);
            shell.echo(paste);
            shell.print("P1\r\nP2\r\nready> ");
            assert_eq!(shell.lines(), ["ready>", "P1", "P2", "ready>"], "cut {cut}");
        }
    }
}

#[test]
fn the_same_text_right_after_its_echo_is_seen() {
    for cut in CUTS {
        let line = marked();
        for echo in [zsh(&line), fish()] {
            let mut shell = Shell::new(cut, "ready> ");
            shell.send(&format!("{line}\r"), RAW);
            shell.echo(&echo);
            shell.print(&format!("{line}\r\n"));
            assert_eq!(shell.lines(), ["ready>", &line], "cut {cut}");
            // The part of it that stood in the echo's second row.
            shell.print(&format!("{}\r\n", &line[73..]));
            assert_eq!(shell.lines()[2..], [&line[73..]], "cut {cut}");
        }
        let mut shell = Shell::new(cut, "ready> ");
        shell.send(PASTE, RAW);
        shell.echo(BASH_PASTE);
        shell.print("sleep 0.3\r\necho P1\r\n\r\n  echo P2\r\n");
        let output = ["sleep 0.3", "echo P1", "  echo P2"];
        assert_eq!(shell.lines()[1..], output, "cut {cut}");
    }
}

#[test]
fn without_an_echo_nothing_is_hidden_in_the_rows_below() {
    for cut in CUTS {
        let mut shell = Shell::new(cut, "secret: ");
        shell.send(&format!("{}x\r", "x".repeat(200)), RAW);
        shell.print("\r\nxxx\r\n");
        assert_eq!(shell.lines(), ["secret:", "xxx"], "cut {cut}");

        let mut shell = Shell::new(cut, "> ");
        shell.send("\x1b[200~one\ntwo\nthree\x1b[201~\r", RAW);
        shell.print("\r\ntwo\r\nthree\r\n");
        assert_eq!(shell.lines(), [">", "two", "three"], "cut {cut}");

        // An echo that is broken off does not come back.
        let mut shell = Shell::new(cut, "> ");
        shell.send("\x1b[200~one\ntwo\nthree\nfour\x1b[201~\r", RAW);
        shell.print("one\r\nno\r\nthree\r\nfour\r\n");
        assert_eq!(shell.lines(), [">", "no", "three", "four"], "cut {cut}");
    }
}

#[test]
fn after_the_screen_was_cleared_nothing_is_hidden() {
    for cut in CUTS {
        let mut shell = Shell::new(cut, "\r\n\r\n> ");
        shell.send(&format!("{}\r", "ab ".repeat(40)), RAW);
        shell.print("\x1b[H\x1b[2Jab ab\r\n\r\n> ab ab\r\nab ab\r\n");
        assert_eq!(
            shell.lines(),
            [">", "ab ab", "> ab ab", "ab ab"],
            "cut {cut}"
        );
    }
}

#[test]
fn another_width_ends_what_was_laid_out() {
    for cut in CUTS {
        let mut shell = Shell::new(cut, "> ");
        shell.send("\x1b[200~one\ntwo\x1b[201~\r", RAW);
        shell.term.resize(Size { rows: 10, cols: 40 });
        shell.print("one\r\ntwo\r\n");
        assert_eq!(shell.lines(), ["> one", "two"], "cut {cut}");
        shell.print("> ");
        shell.send("echo one\r", RAW);
        shell.term.resize(Size { rows: 10, cols: 60 });
        shell.print("echo one\r\none\r\n");
        assert_eq!(shell.lines()[2..], [">", "one"], "cut {cut}");
    }
}

#[test]
fn tabs_in_the_echo_of_the_tty_are_expanded() {
    for cut in CUTS {
        for (prompt, line) in [
            ("", "a\tMARK"),
            ("", "\tMARK"),
            ("", "\t\tMARK\t\t"),
            ("$ ", "a\tMARK\t"),
            ("$ ", "\t语\tMARK"),
            ("$ ", "       \tMARK"),
        ] {
            let mut shell = Shell::new(cut, prompt);
            shell.send(&format!("{line}\r"), COOKED);
            shell.echo(&format!("{line}\r\n"));
            let after = shell.seen().len();
            shell.print(&format!("{line}\r\n"));
            let output = &shell.seen()[after..];
            assert!(output.contains("MARK"), "{line:?}, cut {cut}");
        }
        // After other output, and where tabs do not stand for these blanks.
        let mut shell = Shell::new(cut, "");
        shell.send("a\tMARK\r", COOKED);
        shell.print("x\r\na  MARK\r\na\tMARK\r\nMARK\r\n");
        assert_eq!(shell.lines(), ["x", "a  MARK", "MARK"], "cut {cut}");
    }
}

#[test]
fn half_an_echo_with_tabs_is_let_go_when_nothing_comes() {
    let mut shell = Shell::new(1, "");
    shell.send("a\tb\r", COOKED);
    shell.print("a\t");
    assert_eq!(shell.seen(), "");
    shell.all.settle();
    assert_eq!(shell.seen(), "a");
    shell.print("c\r\n");
    assert_eq!(shell.seen(), "a       c\n");
}

#[test]
fn lines_typed_ahead_of_an_echo_are_hidden_behind_the_next_prompts() {
    for cut in CUTS {
        let mut shell = Shell::new(cut, "ready> ");
        shell.send(PASTE, RAW);
        shell.send("echo K1", RAW);
        shell.send("\r", RAW);
        shell.send("echo K2\r", RAW);
        shell.echo(BASH_PASTE);
        shell.print("P1\r\necho K1\r\nready> echo K1\r\nK1\r\nready> echo K2\r\nK2\r\n");
        let seen = ["ready>", "P1", "echo K1", "ready>", "K1", "ready>", "K2"];
        assert_eq!(shell.lines(), seen, "cut {cut}");
    }
}
