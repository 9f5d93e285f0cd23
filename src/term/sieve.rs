//! Output without the queries in it: for whoever passes it on to a place that must not answer them.

use super::decode::{Decoder, Sink};
use super::function::Function;

/// How much of an unfinished sequence is held back; a longer one is no query.
const HELD_MAX: usize = 64 * 1024;

/// Cuts queries out of a stream, whatever pieces it comes in.
#[derive(Default)]
pub struct Sieve {
    decoder: Decoder,
    /// The bytes from `from` on that were not decided yet.
    held: Vec<u8>,
    from: u64,
}

impl Sieve {
    /// A sieve at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// What of the stream can be passed on now.
    pub fn strain(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(bytes);
        let mut cuts = Cuts {
            next: self.from,
            queries: Vec::new(),
        };
        self.decoder.feed(bytes, &mut cuts);
        let end = self.from + self.held.len() as u64;
        let mut decided = if self.decoder.is_open() {
            cuts.next
        } else {
            end
        };
        if end - decided > HELD_MAX as u64 {
            decided = end;
        }
        let place = |offset: u64| usize::try_from(offset - self.from).unwrap_or(usize::MAX);
        let mut passed = Vec::with_capacity(place(decided));
        let mut done = 0;
        for (start, stop) in cuts.queries {
            passed.extend_from_slice(&self.held[done..place(start)]);
            done = place(stop);
        }
        passed.extend_from_slice(&self.held[done..place(decided).max(done)]);
        self.held.drain(..place(decided));
        self.from = decided;
        passed
    }
}

/// Where the queries are. What is decoded tiles the stream, so a function begins where the one
/// before it, or the text, ended.
struct Cuts {
    next: u64,
    queries: Vec<(u64, u64)>,
}

impl Sink for Cuts {
    fn print(&mut self, at: u64, text: &str) {
        self.next = at + text.len() as u64;
    }

    fn replacement(&mut self, at: u64) {
        self.next = at + 1;
    }

    fn execute(&mut self, at: u64, function: Function<'_>) {
        if function.is_query() {
            self.queries.push((self.next, at + 1));
        }
        self.next = at + 1;
    }
}

impl Function<'_> {
    /// Whether this asks the terminal for an answer.
    pub fn is_query(&self) -> bool {
        match self {
            Self::Enq
            | Self::Decid
            | Self::Da1
            | Self::Da2
            | Self::Da3
            | Self::Xtversion
            | Self::Dsr(_)
            | Self::Decdsr(..)
            | Self::DecrqmAnsi(_)
            | Self::Decrqm(_)
            | Self::Decreqtparm(_)
            | Self::Xtreportcolors
            | Self::Xtreportsgr(_)
            | Self::Xtsmgraphics(_)
            | Self::Decrqde
            | Self::Decrqupss
            | Self::Decrqlp
            | Self::Decrqcra { .. }
            | Self::Decrqpsr(_)
            | Self::KittyQuery
            | Self::Xtqmodkeys(_)
            | Self::Decrqss(_)
            | Self::Xtgettcap(_) => true,
            Self::Xtwinops(params) => matches!(params.get(0), 11 | 13..=16 | 18..=21),
            // OSC 4 ; n ; ? and OSC 10 ; ? and the like; a title may end in a question mark.
            Self::Osc { number, text, .. } => {
                *number >= 4 && text.split(|byte| *byte == b';').any(|part| part == b"?")
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strained(pieces: &[&[u8]]) -> Vec<u8> {
        let mut sieve = Sieve::new();
        pieces
            .iter()
            .flat_map(|piece| sieve.strain(piece))
            .collect()
    }

    #[test]
    fn queries_are_cut_and_all_else_stays() {
        let stream = b"a\x1b[31mb\x1b[6nc\x1b[cd\x1b]11;?\x1b\\e\xff\xc3\xa9\x1b[2Jf";
        let want = b"a\x1b[31mbcde\xff\xc3\xa9\x1b[2Jf".to_vec();
        assert_eq!(strained(&[stream]), want);
        for cut in 0..stream.len() {
            assert_eq!(
                strained(&[&stream[..cut], &stream[cut..]]),
                want,
                "cut at {cut}"
            );
        }
    }

    #[test]
    fn an_endless_sequence_is_not_held_for_ever() {
        let mut sieve = Sieve::new();
        let begun = sieve.strain(b"\x1b]52;c;");
        assert!(begun.is_empty());
        let rest = sieve.strain(&vec![b'A'; 2 * HELD_MAX]);
        assert!(rest.len() > HELD_MAX);
    }
}
