#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::read::{Form, ReadAnswer, ReadAsk, Streams, read};
use super::ring::{Ring, Stream};

fn ring(parts: &[&[u8]]) -> Ring {
    let mut ring = Ring::new(1000);
    for (n, part) in parts.iter().enumerate() {
        ring.append(part, Stream::Combined, 10 * n as u64);
    }
    ring
}

fn since(cursor: u64) -> ReadAsk {
    ReadAsk {
        since: Some(cursor),
        ..ReadAsk::default()
    }
}

fn ask(ring: &Ring, ask: &ReadAsk) -> ReadAnswer {
    read(ring, ask).unwrap()
}

#[test]
fn reading_consumes_nothing_and_goes_on_from_its_cursor() {
    let mut ring = ring(&[b"one\n", b"two\n"]);
    let first = ask(&ring, &ReadAsk::default());
    assert_eq!(
        (
            first.text.as_str(),
            first.cursor,
            first.next_cursor,
            first.latest
        ),
        ("one\ntwo\n", 0, 8, 8)
    );
    assert_eq!(
        (first.since_seq, first.next_seq, first.latest_seq),
        (0, 2, 2)
    );
    assert_eq!(ask(&ring, &ReadAsk::default()), first);
    let none = ask(&ring, &since(8));
    assert_eq!(
        (none.text.as_str(), none.next_cursor, none.truncated),
        ("", 8, false)
    );
    ring.append(b"three", Stream::Combined, 0);
    assert_eq!(ask(&ring, &since(8)).text, "three");
    assert_eq!(ask(&ring, &since(99)).next_cursor, 13);
}

#[test]
fn chunks_are_read_by_number() {
    let ring = ring(&[b"one", b"two", b"three"]);
    let answer = ask(
        &ring,
        &ReadAsk {
            since_seq: Some(1),
            chunks: true,
            ..ReadAsk::default()
        },
    );
    assert_eq!(
        (answer.since_seq, answer.next_seq, answer.text.as_str()),
        (1, 3, "twothree")
    );
    let chunks = answer.chunks.unwrap();
    assert_eq!(
        (
            chunks[1].seq,
            chunks[1].timestamp_ms,
            chunks[1].text.as_str()
        ),
        (2, 20, "three")
    );
    let none = ask(
        &ring,
        &ReadAsk {
            since_seq: Some(3),
            ..ReadAsk::default()
        },
    );
    assert_eq!(
        (none.since_seq, none.next_seq, none.text.as_str()),
        (3, 3, "")
    );
    // A limit ends with a chunk, and one is given however long it is.
    let some = ask(
        &ring,
        &ReadAsk {
            since_seq: Some(0),
            max_bytes: Some(7),
            ..ReadAsk::default()
        },
    );
    assert_eq!(
        (some.text.as_str(), some.next_seq, some.truncated),
        ("onetwo", 2, true)
    );
    let long = ask(
        &ring,
        &ReadAsk {
            since_seq: Some(2),
            max_bytes: Some(4),
            ..ReadAsk::default()
        },
    );
    assert_eq!(
        (long.text.as_str(), long.next_seq, long.truncated),
        ("three", 3, false)
    );
}

#[test]
fn what_is_gone_is_counted() {
    let mut ring = Ring::new(4);
    ring.append(b"abcdef", Stream::Combined, 0);
    let answer = ask(&ring, &since(1));
    assert_eq!(
        (answer.cursor, answer.dropped, answer.text.as_str()),
        (2, 1, "cdef")
    );
    assert_eq!(ask(&ring, &since(3)).dropped, 0);
    ring.append(b"ghij", Stream::Combined, 0);
    let answer = ask(
        &ring,
        &ReadAsk {
            since_seq: Some(0),
            ..ReadAsk::default()
        },
    );
    assert_eq!(
        (answer.dropped, answer.cursor, answer.text.as_str()),
        (6, 6, "ghij")
    );
}

#[test]
fn limit_leaves_the_rest_for_the_next_read() {
    let ring = ring(&["aé漢字".as_bytes()]);
    let first = ask(
        &ring,
        &ReadAsk {
            max_bytes: Some(5),
            ..ReadAsk::default()
        },
    );
    assert_eq!(
        (first.text.as_str(), first.next_cursor, first.truncated),
        ("aé", 3, true)
    );
    let next = ask(
        &ring,
        &ReadAsk {
            since: Some(3),
            max_bytes: Some(1),
            ..ReadAsk::default()
        },
    );
    assert_eq!((next.text.as_str(), next.next_cursor), ("漢", 6));
}

#[test]
fn unfinished_character_waits_for_its_rest() {
    let mut ring = ring(&[b"a\xe6\xbc"]);
    let first = ask(&ring, &ReadAsk::default());
    assert_eq!(
        (first.text.as_str(), first.next_cursor, first.latest),
        ("a", 1, 3)
    );
    let ended = ask(
        &ring,
        &ReadAsk {
            ended: true,
            ..ReadAsk::default()
        },
    );
    assert_eq!((ended.text.as_str(), ended.next_cursor), ("a\u{fffd}", 3));
    ring.append(b"\xa2b", Stream::Combined, 0);
    assert_eq!(ask(&ring, &since(1)).text, "漢b");
    // A cursor inside a character means its beginning.
    assert_eq!(ask(&ring, &since(2)).cursor, 1);
    let by_chunk = ask(
        &ring,
        &ReadAsk {
            since_seq: Some(1),
            ..ReadAsk::default()
        },
    );
    assert_eq!((by_chunk.text.as_str(), by_chunk.cursor), ("漢b", 1));
}

#[test]
fn character_cut_by_the_ring_is_not_begun() {
    let mut ring = Ring::new(4);
    ring.append("漢字".as_bytes(), Stream::Combined, 0);
    let answer = ask(&ring, &since(0));
    assert_eq!(
        (answer.text.as_str(), answer.cursor, answer.dropped),
        ("字", 3, 3)
    );
}

#[test]
fn streams_are_read_apart_or_together() {
    let mut ring = Ring::new(100);
    ring.append(b"o\xc3", Stream::Stdout, 1);
    ring.append(b"err", Stream::Stderr, 2);
    ring.append(b"\xa9t", Stream::Stdout, 3);
    let of = |stream| {
        ask(
            &ring,
            &ReadAsk {
                stream,
                chunks: true,
                ..ReadAsk::default()
            },
        )
    };
    assert_eq!(of(Streams::Stdout).text, "oét");
    assert_eq!(of(Streams::Stderr).text, "err");
    let texts = |answer: ReadAnswer| {
        answer
            .chunks
            .unwrap()
            .into_iter()
            .map(|c| c.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(of(Streams::All)), ["o", "err", "ét"]);
    assert_eq!(of(Streams::Stdout).next_cursor, 7);
    let some = ask(
        &ring,
        &ReadAsk {
            stream: Streams::Stdout,
            since: Some(2),
            max_bytes: Some(4),
            ..ReadAsk::default()
        },
    );
    assert_eq!((some.text.as_str(), some.cursor), ("ét", 1));
}

#[test]
fn plain_text_keeps_raw_cursors() {
    let ring = ring(&[b"\x1b[31mred\x1b[0m 10%\r", b"\x1b[K20%\r\n$ \x1b[38;5"]);
    let plain = ReadAsk {
        form: Form::Plain,
        ..ReadAsk::default()
    };
    let answer = ask(&ring, &plain);
    assert_eq!(
        (answer.text.as_str(), answer.next_cursor),
        ("20%\n$ ", ring.end())
    );
    assert_eq!(
        ask(
            &ring,
            &ReadAsk {
                since: Some(3),
                ..plain
            }
        )
        .text,
        "20%\n$ "
    );
}

#[test]
fn lines_are_chosen_by_expression_and_number() {
    let ring = ring(&[b"error: a\r\nfine\r\nerror: b\r\nerror: c"]);
    let chosen = |grep: Option<&str>, lines| {
        let ask = ReadAsk {
            grep: grep.map(str::to_owned),
            lines,
            form: Form::Plain,
            ..ReadAsk::default()
        };
        let answer = read(&ring, &ask).unwrap();
        (answer.text, answer.truncated)
    };
    assert_eq!(
        chosen(Some("^error: .$"), None),
        ("error: a\nerror: b\nerror: c".to_owned(), false)
    );
    assert_eq!(
        chosen(Some("error"), Some(1)),
        ("error: c".to_owned(), true)
    );
    assert!(!chosen(None, Some(9)).1);
    let bad = ReadAsk {
        grep: Some("(".to_owned()),
        ..ReadAsk::default()
    };
    assert_eq!(
        read(&ring, &bad).unwrap_err().kind,
        crate::fault::Kind::Usage
    );
}

#[test]
fn raw_bytes_are_given_in_base64() {
    let ring = ring(&[b"\x00\xffa"]);
    let answer = ask(
        &ring,
        &ReadAsk {
            form: Form::Raw,
            max_bytes: Some(4),
            ..ReadAsk::default()
        },
    );
    assert_eq!(
        (answer.base64.as_deref(), answer.text.as_str()),
        (Some("AP9h"), "")
    );
    assert!(
        read(
            &ring,
            &ReadAsk {
                form: Form::Raw,
                lines: Some(1),
                ..ReadAsk::default()
            }
        )
        .is_err()
    );
}

#[test]
fn answer_has_the_promised_fields() {
    let json = serde_json::to_value(ask(&ring(&[b"a"]), &ReadAsk::default())).unwrap();
    let mut keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(
        keys,
        [
            "cursor",
            "dropped",
            "latest",
            "latest_seq",
            "next_cursor",
            "next_seq",
            "since_seq",
            "text",
            "truncated"
        ]
    );
}

proptest! {
    #[test]
    fn reads_in_pieces_give_the_whole(
        words in prop::collection::vec("[aé漢\u{1f600}\n]{1,5}", 1..8),
        cuts in prop::collection::vec(1usize..6, 1..40),
        max in 1usize..9, by_chunk in any::<bool>(),
    ) {
        let all = words.concat();
        let mut ring = Ring::new(1000);
        let mut rest = all.as_bytes();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (part, more) = rest.split_at((*cut).min(rest.len()));
            ring.append(part, Stream::Combined, 0);
            rest = more;
        }
        let mut text = String::new();
        let (mut cursor, mut seq) = (0, 0);
        for _ in 0..200 {
            let (since, since_seq) = if by_chunk { (None, Some(seq)) } else { (Some(cursor), None) };
            let answer = read(&ring, &ReadAsk { since, since_seq, max_bytes: Some(max), ..ReadAsk::default() }).unwrap();
            prop_assert!(!answer.text.contains(char::REPLACEMENT_CHARACTER));
            text.push_str(&answer.text);
            (cursor, seq) = (answer.next_cursor, answer.next_seq);
        }
        prop_assert_eq!(text, all);
    }
}
