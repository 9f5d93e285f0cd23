use super::*;

#[derive(Default)]
struct Log(Vec<String>);

impl Sink for Log {
    fn print(&mut self, at: u64, text: &str) {
        // One line a character, so that a split does not show.
        for (index, ch) in text.char_indices() {
            self.0.push(format!("{} {ch}", at + index as u64));
        }
    }

    fn replacement(&mut self, at: u64) {
        self.0.push(format!("{at} bad"));
    }

    fn execute(&mut self, at: u64, function: Function<'_>) {
        self.0.push(format!("{at} {function:?}"));
    }
}

fn decode(bytes: &[u8]) -> Vec<String> {
    let mut log = Log::default();
    Decoder::new().feed(bytes, &mut log);
    let mut split = Log::default();
    let mut decoder = Decoder::new();
    for byte in bytes {
        decoder.feed(std::slice::from_ref(byte), &mut split);
    }
    assert_eq!(log.0, split.0, "one byte at a time");
    log.0
}

#[test]
fn text_and_controls_carry_their_offsets() {
    assert_eq!(
        decode(b"a\r\nb\x1b[2;3Hc"),
        [
            "0 a",
            "1 Cr",
            "2 Lf",
            "3 b",
            "9 Cup { row: 1, col: 2 }",
            "10 c"
        ]
    );
}

#[test]
fn del_is_ignored() {
    assert_eq!(decode(b"a\x7fb"), ["0 a", "2 b"]);
}

#[test]
fn bad_utf8_is_one_replacement_for_each_maximal_part() {
    assert_eq!(
        decode(b"\xf0\x9f\x98x\xff\xc0\xaf"),
        ["0 bad", "3 x", "4 bad", "5 bad", "6 bad"]
    );
    assert_eq!(decode(b"\xe6\x97\x1b[m"), ["0 bad", "4 Sgr([0])"]);
}

#[test]
fn c1_controls_come_as_utf8() {
    assert_eq!(
        decode("é\u{9b}1mx\u{85}y".as_bytes()),
        ["0 é", "5 Sgr([1])", "6 x", "8 Nel", "9 y"]
    );
}

#[test]
fn a_lone_byte_of_c1_is_bad_utf8() {
    assert_eq!(decode(b"\x9b1m"), ["0 bad", "1 1", "2 m"]);
}

#[test]
fn osc_ends_at_bel_st_and_utf8_st() {
    let want = |end: usize, bel: bool| {
        vec![format!(
            "{end} Osc {{ number: 0, text: [97, 59, 98], bel: {bel} }}"
        )]
    };
    assert_eq!(decode(b"\x1b]0;a;b\x07"), want(7, true));
    assert_eq!(decode(b"\x1b]0;a;b\x1b\\"), want(8, false));
    assert_eq!(decode("\u{1b}]0;a;b\u{9c}".as_bytes()), want(8, false));
}

#[test]
fn cancelled_strings_do_nothing() {
    assert_eq!(decode(b"\x1b]0;a\x18b"), ["6 b"]);
    assert_eq!(decode(b"\x1b]0;a\x1bMb"), ["6 Ri", "7 b"]);
    assert_eq!(decode(b"\x1bP$qm\x1ab"), ["6 b"]);
    assert_eq!(decode(b"\x1b_hello\x07\x1b\\b"), ["10 b"]);
}

#[test]
fn can_sub_and_esc_cancel_a_control_sequence() {
    assert_eq!(decode(b"\x1b[1\x18mx"), ["4 m", "5 x"]);
    assert_eq!(decode(b"\x1b[1\x1b[2Cx"), ["6 Cuf(2)", "7 x"]);
}

#[test]
fn controls_inside_a_sequence_act_at_once() {
    assert_eq!(decode(b"\x1b[1\r;2H"), ["3 Cr", "6 Cup { row: 0, col: 1 }"]);
}

#[test]
fn dcs_carries_its_payload() {
    assert_eq!(decode(b"\x1bP$qr\x1b\\"), ["6 Decrqss([114])"]);
}

#[test]
fn long_strings_stay_bounded() {
    let mut bytes = b"\x1b]52;c;".to_vec();
    bytes.extend(std::iter::repeat_n(b'A', 1 << 20));
    bytes.extend(b"\x07x");
    let mut log = Log::default();
    Decoder::new().feed(&bytes, &mut log);
    assert_eq!(log.0.len(), 2);
    assert!(log.0[0].len() < 8 * OSC_MAX);
}

#[test]
fn unknown_sequences_say_their_name() {
    assert_eq!(
        decode(b"\x1b[?1z\x1b(Bx\x1b#7\x1b[9J"),
        [
            "4 CSI ? z",
            "7 Scs { slot: 0, wide: false, set: 66 }",
            "8 x",
            "11 ESC # 7",
            "15 CSI 9 J"
        ]
        .map(|line| if line.contains("CSI") || line.contains("ESC") {
            let (at, name) = line.split_once(' ').expect("two parts");
            format!("{at} Unknown({name})")
        } else {
            line.to_owned()
        })
    );
}
