//! What is typed arrives, all of it and nothing else; what would be lost or acted on is refused.

use crate::coax::{Coax, until};
use crate::needs;
use crate::session::Session;

#[test]
fn bytes_that_the_terminal_acts_on_are_refused_unless_meant() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    for text in ["a\u{3}", "\u{4}", "x\u{1a}y", "\u{13}", "\u{16}\u{3}"] {
        let refused = cat.run("send", &["--json", "--", text]);
        refused.fails(6, &["^", "--control", "nothing was sent"]);
        assert_eq!(refused.json()["error"]["kind"], "control_bytes");
    }
    cat.enter("whole");
    cat.ok("expect", &["--echo", "re:^whole\nwhole\n"]);
    cat.ok("send", &["--control", "\u{3}"]);
    assert_eq!(cat.exit(), 130);
}

#[test]
fn in_raw_mode_no_byte_is_special() {
    let coax = Coax::new();
    let raw = coax.start_sh(
        "a",
        "stty raw -echo; echo ready; head -c 3 | od -An -tx1; stty sane; head -c 2 | od -An -tx1",
    );
    raw.expect("ready");
    raw.send("\u{3}\u{4}\u{1a}");
    raw.expect("03 04 1a");
    raw.ok("send", &["--hex", "16 03 0d"]);
    raw.expect("03 0a");
}

#[test]
fn a_line_that_would_be_cut_is_refused_whole() {
    let coax = Coax::new();
    let cat = coax.start_sh("a", "stty -echo; echo ready; cat >got");
    cat.expect("ready");
    let fits = "x".repeat(4095);
    cat.enter(&fits);
    for length in [4096, 5000, 100_000] {
        let refused = cat.run("send", &["--json", "--enter", &"y".repeat(length)]);
        refused.fails(6, &["4095", "nothing was sent"]);
        assert_eq!(refused.json()["error"]["kind"], "canonical_line");
    }
    // In pieces it is the same line.
    cat.send(&"z".repeat(4000));
    cat.run("send", &["--enter", &"z".repeat(96)])
        .fails(6, &["4096"]);
    cat.ok("send", &["--enter", &"z".repeat(95)]);
    cat.key(&["C-d"]);
    assert_eq!(cat.exit(), 0);
    assert_eq!(coax.file("got"), format!("{fits}\n{}\n", "z".repeat(4095)));
}

#[test]
fn a_long_line_waits_for_the_mode_to_change() {
    let coax = Coax::new();
    coax.sh("mkfifo gate");
    let raw = coax.start_sh(
        "a",
        "echo ready; read x <gate; stty raw -echo; head -c 5000 | wc -c",
    );
    raw.expect("ready");
    let long = "x".repeat(5000);
    let typing = coax.begin(&["send", "-s", "a", &long]);
    coax.sh("echo >gate");
    let sent = typing.done();
    assert_eq!(sent.code, 0, "{sent}");
    raw.expect("5000");
}

#[test]
fn a_megabyte_of_lines_is_complete() {
    let coax = Coax::new();
    let text: String = (0..20_000)
        .map(|line| format!("line {line} of a file of lines {}\n", "x".repeat(line % 50)))
        .collect();
    assert!(text.len() > 1_000_000);
    coax.write("lines", &text);
    let cat = coax.start_sh("a", "cat >got");
    let sent = cat.json("send", &["--file", "lines"]);
    assert_eq!(sent["bytes_written"], text.len());
    cat.key(&["C-d"]);
    assert_eq!(cat.exit(), 0);
    assert!(coax.file("got") == text);
}

#[test]
fn a_megabyte_in_one_line_reaches_a_raw_reader() {
    let coax = Coax::new();
    let text: String = (0..100_000).map(|number| format!("{number:010}")).collect();
    coax.write("line", &text);
    let reader = coax.start_sh(
        "a",
        "stty raw -echo; echo ready; head -c 1000000 >got; echo complete",
    );
    reader.expect("ready");
    reader.ok("send", &["--file", "line"]);
    reader.expect("complete");
    assert!(coax.file("got") == text);
}

#[test]
fn what_a_program_does_not_read_is_taken_back() {
    let coax = Coax::new();
    coax.sh("mkfifo gate");
    let deaf = coax.start_sh(
        "a",
        "stty raw -echo; echo ready; read x <gate; exec cat >got",
    );
    deaf.expect("ready");
    coax.write("much", &"x".repeat(1_000_000));
    let late = deaf.run("send", &["--json", "--file", "much", "--timeout", "300ms"]);
    late.fails(124, &["of 1000000 bytes", "does not read", "--timeout"]);
    let written = late.json()["error"]["bytes_written"].as_u64().unwrap();
    assert!(written < 1_000_000, "{written}");
    coax.sh("echo >gate");
    deaf.send("the end");
    until("all that was written is there", || {
        so_far(&coax).len() as u64 >= written + 7
    });
    let got = so_far(&coax);
    assert!(got.ends_with("xthe end"), "{}", &got[got.len() - 20..]);
    assert_eq!(got.len() as u64, written + 7);
}

#[test]
fn a_client_that_is_killed_takes_its_unsent_rest_along() {
    let coax = Coax::new();
    coax.sh("mkfifo gate");
    let deaf = coax.start_sh(
        "a",
        "stty raw -echo; echo ready; read x <gate; exec cat >got",
    );
    deaf.expect("ready");
    coax.write("much", &"x".repeat(1_000_000));
    let mut client = coax.begin(&["send", "-s", "a", "--file", "much"]);
    // Whoever comes second waits for the first.
    let second = coax.begin(&["send", "-s", "a", "--timeout", "500ms", "never"]);
    assert!([0, 124].contains(&second.done().code));
    client.child.kill().unwrap();
    client.child.wait().unwrap();
    let last = coax.begin(&["send", "-s", "a", "the end"]);
    coax.sh("echo >gate");
    let last = last.done();
    assert_eq!(last.code, 0, "{last}");
    until("the end is there", || so_far(&coax).ends_with("the end"));
    assert!(so_far(&coax).len() < 1_000_000);
}

/// What the program has written so far, which may not have begun.
fn so_far(coax: &Coax) -> String {
    std::fs::read_to_string(coax.work().join("got")).unwrap_or_default()
}

/// A program that reads so many bytes in raw mode and tells them in hexadecimal; `modes` are switched
/// on before.
fn reader<'a>(coax: &'a Coax, name: &str, modes: &str, count: usize) -> Session<'a> {
    let line = format!(
        "stty raw -echo; printf '{modes}'; echo ready; head -c {count} | od -An -v -tx1 -w{count}"
    );
    let reader = coax.start_sh(name, &line);
    reader.expect("ready");
    reader
}

#[test]
fn a_paste_is_bracketed_where_the_program_asked_for_it() {
    let coax = Coax::new();
    let plain = reader(&coax, "a", "", 3);
    plain.ok("send", &["--paste", "a\nb"]);
    plain.expect("61 0d 62");
    let bracketed = reader(&coax, "b", "\\033[?2004h", 16);
    // The bracket that the text itself brings along is not the end of the paste.
    bracketed.ok("send", &["--paste", "--enter", "a\n\u{1b}[201~b"]);
    bracketed.expect("1b 5b 32 30 30 7e 61 0a 62 1b 5b 32 30 31 7e 0d");
}

#[test]
fn bytes_come_from_hexadecimal_files_and_standard_input() {
    let coax = Coax::new();
    let hex = reader(&coax, "a", "", 4);
    hex.ok("send", &["--hex", "1b5b 00FF"]);
    hex.expect("1b 5b 00 ff");
    for (word, why) in [("1b5", "not hexadecimal"), ("zz", "not hexadecimal")] {
        hex.run("send", &["--hex", word])
            .fails(2, &[why, "two digits"]);
    }
    let file = reader(&coax, "b", "", 5);
    coax.write("some", "four");
    file.ok("send", &["--file", "some", "--enter"]);
    file.expect("66 6f 75 72 0d");
    file.run("send", &["--file", "none"]).fails(2, &["none"]);
    let stdin = reader(&coax, "c", "", 4);
    coax.sh("printf 'in\\tx' | \"$COAX\" send -s c --stdin");
    stdin.expect("69 6e 09 78");
    stdin
        .run("send", &[])
        .fails(2, &["nothing to send", "--enter"]);
    stdin
        .run("send", &["--stdin", "text"])
        .fails(2, &["--stdin"]);
}

#[test]
fn text_is_never_an_option_after_two_dashes() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    for text in [
        "--enter",
        "-s b",
        "--help",
        "$HOME `id` \\n %s",
        "-",
        "\u{e9}\u{4e2d}\u{1f600}",
    ] {
        cat.ok("send", &["--enter", "--", text]);
        cat.ok("expect", &["--echo", &format!("text:{text}\n{text}\n")]);
    }
}

#[test]
fn an_ended_program_takes_no_input() {
    let coax = Coax::new();
    let over = coax.start_sh("a", "exit 4");
    assert_eq!(over.exit(), 4);
    over.run("send", &["x"])
        .fails(3, &["cannot type", "code 4", "hint"]);
    let refused = over.run("key", &["--json", "Enter"]);
    refused.fails(3, &["cannot type"]);
    assert_eq!(refused.json()["error"]["kind"], "ended");
}

#[test]
fn keys_are_sent_as_xterm_sends_them_in_the_modes_of_the_program() {
    let coax = Coax::new();
    let keys = [
        "Up",
        "Home",
        "F1",
        "F5",
        "C-Left",
        "S-Tab",
        "M-x",
        "Backspace",
        "Delete",
        "C-@",
        "Enter",
        "Escape",
    ];
    let common = "1b 4f 50 1b 5b 31 35 7e 1b 5b 31 3b 35 44 1b 5b 5a 1b 78 7f 1b 5b 33 7e 00 0d 1b";
    let usual = reader(&coax, "a", "", 33);
    usual.key(&keys);
    usual.expect(&format!("1b 5b 41 1b 5b 48 {common}"));
    let application = reader(&coax, "b", "\\033[?1h", 33);
    application.key(&keys);
    application.expect(&format!("1b 4f 41 1b 4f 48 {common}"));
}

#[test]
fn a_key_that_nobody_knows_is_a_mistake() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    for key in ["Entr", "C-", "", "F21", "C-Shift-x", "ab"] {
        let refused = cat.run("key", &["Enter", key]);
        refused.fails(2, &["key"]);
    }
    assert_eq!(cat.screen(), "", "nothing of it was pressed");
    cat.run("key", &[]).fails(2, &["KEY"]);
}

#[test]
fn application_cursor_keys_move_in_vim() {
    needs!("vim");
    let coax = Coax::new();
    coax.write("note.txt", "one\ntwo\nthree\n");
    let vim = coax.start("v", &["vim", "--clean", "-n", "note.txt"]);
    vim.expect("three");
    vim.key(&["Down", "Down", "End", "i", "Left", "Up", "X"]);
    vim.ok("expect", &["--screen", "re:tX?wX?o"]);
    vim.ok("expect", &["--screen", "X"]);
    vim.key(&["Escape"]);
    vim.enter(":wq");
    assert_eq!(vim.exit(), 0);
    assert_eq!(coax.file("note.txt"), "one\ntwoX\nthree\n");
}

#[test]
fn a_program_that_asks_much_and_reads_late_gets_its_answers() {
    let coax = Coax::new();
    let asks = coax.start_sh(
        "a",
        "stty raw -echo; i=0; while [ $i -lt 1000 ]; do printf '\\033[6n'; i=$((i+1)); done; echo asked; \
         head -c 6000 >got; echo read",
    );
    asks.expect("asked");
    asks.expect("read");
    assert!(coax.file("got") == "\u{1b}[1;1R".repeat(1000));
}

#[test]
fn a_paste_is_judged_like_text() {
    let coax = Coax::new();
    let cat = coax.start("a", &["cat"]);
    coax.run(&["send", "-s", "a", "--paste", "a\u{3}b"])
        .fails(6, &["^C"]);
    cat.enter("still here");
    cat.expect("still here\n");
}
