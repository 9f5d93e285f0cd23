//! What the terminal answers, by families of queries, as xterm's ctlseqs has it.

use coax::term::{Size, Term};
use coax::view::{self, Look};

fn term(bytes: &str) -> Term {
    let mut term = Term::new(Size { rows: 25, cols: 80 }, 100);
    term.feed(bytes.as_bytes());
    term
}

fn replies(bytes: &str) -> String {
    String::from_utf8(term(bytes).take_replies()).expect("answers are text")
}

/// Each query with its answer, without what both have in front.
fn check(table: &[(&str, &str)]) {
    for (query, want) in table {
        assert_eq!(&replies(query), want, "{query:?}");
    }
}

#[test]
fn dsr_family() {
    check(&[
        ("\x1b[5n", "\x1b[0n"),
        ("\x1b[6;5H\x1b[6n", "\x1b[6;5R"),
        ("\x1b[6;5H\x1b[?6n", "\x1b[?6;5;1R"),
        ("\x1b[3;9r\x1b[?6h\x1b[2;4H\x1b[6n", "\x1b[2;4R"),
        ("\x1b[?15n", "\x1b[?13n"),
        ("\x1b[?25n", "\x1b[?20n"),
        ("\x1b[?26n", "\x1b[?27;1;0;0n"),
        ("\x1b[?53n", "\x1b[?53n"),
        ("\x1b[?55n", "\x1b[?53n"),
        ("\x1b[?56n", "\x1b[?57;1n"),
        ("\x1b[?62n", "\x1b[0*{"),
        ("\x1b[?63;123n", "\x1bP123!~0000\x1b\\"),
        ("\x1b[?75n", "\x1b[?70n"),
        ("\x1b[?85n", "\x1b[?83n"),
    ]);
}

#[test]
fn device_attributes() {
    let da1 = "\x1b[?64;1;2;6;9;15;16;17;18;21;22;28;29c";
    check(&[
        ("\x1b[c", da1),
        ("\x1b[0c", da1),
        ("\x1bZ", da1),
        ("\x1b[>c", "\x1b[>41;390;0c"),
        ("\x1b[=c", "\x1bP!|00000000\x1b\\"),
        ("\x1b[1c", ""),
    ]);
    assert!(replies("\x1b[>q").starts_with("\x1bP>|coax("));
}

#[test]
fn eight_bit_answers_after_s8c1t() {
    check(&[
        ("\x1b G\x1b[5n", "\u{9b}0n"),
        ("\x1b G\x1bP$qr\x1b\\", "\u{90}1$r1;25r\u{9c}"),
        ("\x1b G\x1b F\x1b[5n", "\x1b[0n"),
    ]);
}

#[test]
fn decrqm_tells_set_reset_never_and_unknown() {
    for mode in [2, 4, 12, 20] {
        check(&[
            (
                &format!("\x1b[{mode}h\x1b[{mode}$p"),
                &format!("\x1b[{mode};1$y"),
            ),
            (
                &format!("\x1b[{mode}l\x1b[{mode}$p"),
                &format!("\x1b[{mode};2$y"),
            ),
        ]);
    }
    for mode in [1, 5, 7, 10, 11, 13, 14, 15, 16, 17, 18, 19] {
        check(&[(&format!("\x1b[{mode}$p"), &format!("\x1b[{mode};4$y"))]);
    }
    let private = [
        1, 3, 4, 5, 6, 7, 8, 12, 18, 19, 25, 40, 41, 42, 44, 45, 47, 66, 67, 69, 80, 1000, 1002,
        1003, 1004, 1005, 1006, 1007, 1010, 1015, 1016, 1034, 1035, 1036, 1045, 1047, 1049, 2004,
        2026, 2027,
    ];
    for mode in private {
        let allow = if mode == 3 { "\x1b[?40h" } else { "" };
        check(&[
            (
                &format!("{allow}\x1b[?{mode}h\x1b[?{mode}$p"),
                &format!("\x1b[?{mode};1$y"),
            ),
            (
                &format!("{allow}\x1b[?{mode}l\x1b[?{mode}$p"),
                &format!("\x1b[?{mode};2$y"),
            ),
        ]);
    }
    check(&[("\x1b[?4711$p", "\x1b[?4711;0$y")]);
}

#[test]
fn decscl_takes_away_what_a_level_does_not_know() {
    check(&[
        ("\x1b[62;1\"p\x1b[4$p", ""),
        ("\x1b[63;1\"p\x1b[4$p", "\x1b[4;2$y"),
        (
            "\x1b[63;1\"p\x1b[?69h\x1b[5;6s\x1b[1;5Habc\x1b[6n",
            "\x1b[1;8R",
        ),
        (
            "\x1b[64;1\"p\x1b[?69h\x1b[5;6s\x1b[1;5Habc\x1b[6n",
            "\x1b[2;6R",
        ),
        ("\x1b[65;1\"p\x1bP$q\"p\x1b\\", "\x1bP1$r64;1\"p\x1b\\"),
    ]);
}

#[test]
fn decrqss_gives_settings_back() {
    for (set, what, want) in [
        ("\x1b[5;6r", "r", "5;6r"),
        ("\x1b[?69h\x1b[3;4s", "s", "3;4s"),
        ("\x1b[1m", "m", "0;1m"),
        ("\x1b[m", "m", "0m"),
        ("\x1b[1;4;31;48;5;200m", "m", "0;1;4;31;48:5:200m"),
        ("\x1b[21;7;93;48;2;1;2;3m", "m", "0;21;7;93;48:2::1:2:3m"),
        ("\x1b[4:3;58:5:9m", "m", "0;4:3;58:5:9m"),
        ("\x1b[4 q", " q", "4 q"),
        ("\x1b[1\"q", "\"q", "1\"q"),
        ("", "\"p", "64;1\"p"),
        ("\x1b[0*x", "*x", "0*x"),
        ("\x1b[2*x", "*x", "2*x"),
        ("\x1b[0$}", "$}", "0$}"),
        ("\x1b[0$~", "$~", "0$~"),
        ("", "t", "25t"),
        ("", "*|", "25*|"),
        ("", "$|", "80$|"),
    ] {
        check(&[(
            &format!("{set}\x1bP$q{what}\x1b\\"),
            &format!("\x1bP1$r{want}\x1b\\"),
        )]);
    }
    check(&[("\x1bP$q+r\x1b\\", "\x1bP0$r\x1b\\")]);
}

#[test]
fn checksums_are_negated_sums_of_codes() {
    check(&[
        ("\x1b[7;1;1;1;1;1*y", "\x1bP7!~FFE0\x1b\\"),
        ("A\x1b[7;1;1;1;1;1*y", "\x1bP7!~FFBF\x1b\\"),
        ("ab\x1b[7;1;1;1;1;2*y", "\x1bP7!~FF3D\x1b\\"),
        ("A\x1b[1#y\x1b[7;1;1;1;1;1*y", "\x1bP7!~0041\x1b\\"),
        (
            "\x1b[5;5HX\x1b[5;7r\x1b[?69h\x1b[5;7s\x1b[?6h\x1b[7;1;1;1;1;1*y",
            "\x1bP7!~FFA8\x1b\\",
        ),
    ]);
}

#[test]
fn window_operations_are_told_as_if_there_were_a_window() {
    check(&[
        ("\x1b[18t", "\x1b[8;25;80t"),
        ("\x1b[19t", "\x1b[9;25;80t"),
        ("\x1b[16t", "\x1b[6;20;10t"),
        ("\x1b[14t", "\x1b[4;500;800t"),
        ("\x1b[15t", "\x1b[5;500;800t"),
        ("\x1b[11t", "\x1b[1t"),
        ("\x1b[2t\x1b[11t", "\x1b[2t"),
        ("\x1b[2t\x1b[1t\x1b[11t", "\x1b[1t"),
        ("\x1b[13t", "\x1b[3;0;0t"),
        ("\x1b[3;1;2t\x1b[13t", "\x1b[3;1;2t"),
        ("\x1b[3;;1t\x1b[13t", "\x1b[3;0;1t"),
    ]);
}

#[test]
fn titles_are_stacked_each_for_itself() {
    let both = "\x1b[20t\x1b[21t";
    let answer = |icon: &str, title: &str| format!("\x1b]L{icon}\x1b\\\x1b]l{title}\x1b\\");
    for (bytes, icon, title) in [
        ("\x1b]0;a\x07", "a", "a"),
        ("\x1b]1;a\x1b\\\x1b]2;b\x1b\\", "a", "b"),
        ("\x1b]0;a\x07\x1b[22;0t\x1b]0;x\x07\x1b[23;0t", "a", "a"),
        (
            "\x1b]0;a\x07\x1b[22;0t\x1b]0;x\x07\x1b[23;1t\x1b[23;2t",
            "a",
            "x",
        ),
        (
            "\x1b]0;a\x07\x1b[22;0t\x1b]0;x\x07\x1b[23;2t\x1b[23;1t",
            "x",
            "a",
        ),
        (
            "\x1b]2;a\x07\x1b]1;b\x07\x1b[22;1t\x1b[22;2t\x1b]0;x\x07\x1b[23t",
            "b",
            "a",
        ),
    ] {
        check(&[(&format!("{bytes}{both}"), &answer(icon, title))]);
    }
}

#[test]
fn titles_can_be_in_hex() {
    check(&[
        (
            "\x1b[>2;1T\x1b[>0;3t\x1b]2;6162\x07\x1b[21t",
            "\x1b]lab\x1b\\",
        ),
        ("\x1b[>1t\x1b]1;ab\x07\x1b[20t", "\x1b]L6162\x1b\\"),
        ("\x1b[>0;1t\x1b]2;61\x07\x1b[21t", "\x1b]l61\x1b\\"),
        ("\x1b[>0;1t\x1bc\x1b]2;a\x07\x1b[21t", "\x1b]la\x1b\\"),
    ]);
}

#[test]
fn colours_are_set_told_and_reset() {
    let st = "\x1b\\";
    for (bytes, want) in [
        ("4;1;?", "4;1;rgb:cdcd/0000/0000"),
        ("4;1;#123456\x07\x1b]4;1;?", "4;1;rgb:1212/3434/5656"),
        ("4;1;#fff\x07\x1b]4;1;?", "4;1;rgb:f0f0/f0f0/f0f0"),
        ("4;1;#f00f00f00\x07\x1b]4;1;?", "4;1;rgb:f0f0/f0f0/f0f0"),
        (
            "4;1;rgb:8080/0000/ffff\x07\x1b]4;1;?",
            "4;1;rgb:8080/0000/ffff",
        ),
        ("4;1;red\x07\x1b]4;1;?", "4;1;rgb:ffff/0000/0000"),
        (
            "4;1;#123456\x07\x1b]104;1\x07\x1b]4;1;?",
            "4;1;rgb:cdcd/0000/0000",
        ),
        (
            "4;1;#123456\x07\x1b]104\x07\x1b]4;1;?",
            "4;1;rgb:cdcd/0000/0000",
        ),
        ("4;256;#102030\x07\x1b]4;256;?", "4;256;rgb:1010/2020/3030"),
        ("5;0;#102030\x07\x1b]4;256;?", "4;256;rgb:1010/2020/3030"),
        ("5;1;#102030\x07\x1b]5;1;?", "5;1;rgb:1010/2020/3030"),
        (
            "5;1;#102030\x07\x1b]105;1\x07\x1b]5;1;?",
            "5;1;rgb:0000/0000/0000",
        ),
        ("10;#102030\x07\x1b]10;?", "10;rgb:1010/2020/3030"),
        (
            "11;#102030\x07\x1b]111\x07\x1b]11;?",
            "11;rgb:ffff/ffff/ffff",
        ),
        ("12;?", "12;rgb:0000/0000/0000"),
    ] {
        check(&[(&format!("\x1b]{bytes}{st}"), &format!("\x1b]{want}{st}"))]);
    }
    check(&[
        (
            "\x1b]10;#111111;#222222\x07\x1b]10;?;?\x07",
            "\x1b]10;rgb:1111/1111/1111\x07\x1b]11;rgb:2222/2222/2222\x07",
        ),
        (
            "\x1b]4;1;?;2;?\x07",
            "\x1b]4;1;rgb:cdcd/0000/0000\x07\x1b]4;2;rgb:0000/cdcd/0000\x07",
        ),
    ]);
}

#[test]
fn colours_are_stacked() {
    check(&[
        (
            "\x1b[#P\x1b]4;1;#123456\x07\x1b[#Q\x1b]4;1;?\x07",
            "\x1b]4;1;rgb:cdcd/0000/0000\x07",
        ),
        ("\x1b[#P\x1b[#P\x1b[#R", "\x1b[?2;2#Q"),
    ]);
}

#[test]
fn the_clipboard_is_held_inside() {
    check(&[
        (
            "\x1b]52;;dGVzdA==\x07\x1b]52;;?\x1b\\",
            "\x1b]52;s0;dGVzdA==\x1b\\",
        ),
        (
            "\x1b]52;c;dGVzdA==\x07\x1b]52;c;?\x07",
            "\x1b]52;c;dGVzdA==\x07",
        ),
        ("\x1b]52;c;!\x07\x1b]52;c;?\x07", "\x1b]52;c;\x07"),
    ]);
}

#[test]
fn termcap_entries_are_told_in_hex() {
    check(&[
        ("\x1bP+q436F\x1b\\", "\x1bP1+r436F=323536\x1b\\"),
        (
            "\x1bP+q6b63757531;544e\x1b\\",
            "\x1bP1+r6b63757531=1B4F41;544e=787465726D2D323536636F6C6F72\x1b\\",
        ),
        ("\x1bP+q787878\x1b\\", "\x1bP0+r787878\x1b\\"),
        ("\x1bP+q436F;787878;436F\x1b\\", "\x1bP1+r436F=323536\x1b\\"),
    ]);
}

#[test]
fn presentation_reports() {
    check(&[
        ("\x1b[2$w", "\x1bP2$u9/17/25/33/41/49/57/65/73\x1b\\"),
        ("\x1b[3g\x1b[1;5H\x1bH\x1b[2$w", "\x1bP2$u5\x1b\\"),
        ("\x1bP2$t4/20\x1b\\\x1b[2$w", "\x1bP2$u4/20\x1b\\"),
        (
            "\x1b[3;4H\x1b[1;7m\x1b[1\"q\x1b[1$w",
            "\x1bP1$u3;4;1;I;A;@;0;2;@;BBBB\x1b\\",
        ),
        (
            "\x1b[3g\x1b[?5W\x1b[2$w",
            "\x1bP2$u9/17/25/33/41/49/57/65/73\x1b\\",
        ),
        ("\x1b[\"v", "\x1b[25;80;1;1;1\"w"),
        ("\x1b[&u", "\x1bP0!u%5\x1b\\"),
        ("\x1b['|", "\x1b[0&w"),
        ("\x1b[x", "\x1b[2;1;1;128;128;1;0x"),
        ("\x1b[1x", "\x1b[3;1;1;128;128;1;0x"),
        (
            "\x1b[1;4;31mab\x1b[m\x1b[1mc\x1b[1;1;1;2#|\x1b[1;1;1;3#|",
            "\x1b[0;1;4;31m\x1b[0;1m",
        ),
    ]);
}

#[test]
fn keyboard_protocols() {
    check(&[
        ("\x1b[?u", "\x1b[?0u"),
        ("\x1b[>5u\x1b[?u", "\x1b[?5u"),
        ("\x1b[>5u\x1b[>1u\x1b[<u\x1b[?u", "\x1b[?5u"),
        ("\x1b[=3u\x1b[=4;2u\x1b[?u", "\x1b[?7u"),
        ("\x1b[=3u\x1b[=1;3u\x1b[?u", "\x1b[?2u"),
        ("\x1b[>4;2m\x1b[?4m", "\x1b[>4;2m"),
        ("\x1b[>4;2m\x1b[>4m\x1b[?4m", "\x1b[>4;0m"),
        ("\x1b[>5u\x1b[?1049h\x1b[?u", "\x1b[?0u"),
        ("\x1b[>5u\x1b[?1049h\x1b[>3u\x1b[?1049l\x1b[?u", "\x1b[?5u"),
    ]);
}

#[test]
fn private_modes_are_saved_and_restored() {
    check(&[
        ("\x1b[?7s\x1b[?7l\x1b[?7r\x1b[?7$p", "\x1b[?7;1$y"),
        ("\x1b[?7l\x1b[?7s\x1b[?7h\x1b[?7r\x1b[?7$p", "\x1b[?7;2$y"),
    ]);
}

#[test]
fn a_tab_behind_a_full_line_wraps_with_mode_41_alone() {
    let full = "x".repeat(80);
    check(&[
        (&format!("\x1b[?41h{full}\t\x1b[6n"), "\x1b[2;9R"),
        (&format!("{full}\t\x1b[6n"), "\x1b[1;80R"),
    ]);
}

#[test]
fn rectangles_are_erased_whatever_guards_them() {
    let shown = |bytes: &str| view::lines(term(bytes).screen(), &Look::default()).join("|");
    assert_eq!(shown("\x1bVab\x1bWc\x1b[2J"), "ab");
    assert_eq!(shown("\x1bVab\x1bWc\x1b[1;1;1;2$z"), "  c");
    assert_eq!(shown("\x1b[1\"qab\x1b[0\"qc\x1b[1;1;1;3${"), "ab");
    assert_eq!(shown("\x1b[1\"qab\x1b[0\"qc\x1b[33;1;1;1;3$x"), "!!!");
}
