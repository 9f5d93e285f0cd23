//! The bounded ring of raw bytes, on one timeline of absolute offsets, and the chunks it came in.
//!
//! Chunks cover exactly the bytes that are kept: when the record of a chunk goes, so do its bytes.
//! What was dropped is counted by the offsets themselves. Memory is taken by need.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// How many bytes are kept unless somebody says otherwise.
pub const DEFAULT_BOUND: usize = 2 * 1024 * 1024;

/// How many chunks are kept at most.
const MAX_CHUNKS: usize = 65_536;

/// Where bytes came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// A program's standard output, on a pipe.
    Stdout,
    /// A program's standard error, on a pipe.
    Stderr,
    /// A terminal, where both are one.
    Combined,
}

/// What was appended in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its number, from 0, over all streams.
    pub seq: u64,
    /// The offset of its first byte.
    pub offset: u64,
    /// How many bytes it had.
    pub len: u64,
    /// Where it came from.
    pub stream: Stream,
    /// When it was appended, in the milliseconds that the caller gave.
    pub at_ms: u64,
}

impl Chunk {
    /// The offset after its last byte.
    pub fn end(&self) -> u64 {
        self.offset + self.len
    }
}

/// What a chunk's record holds; its number and length follow from its neighbours.
#[derive(Clone, Copy, Debug)]
struct Record {
    offset: u64,
    at_ms: u64,
    stream: Stream,
}

/// The last bytes of a stream that has no end.
#[derive(Debug)]
pub struct Ring {
    bytes: VecDeque<u8>,
    oldest: u64,
    bound: usize,
    records: VecDeque<Record>,
    first_seq: u64,
}

impl Default for Ring {
    fn default() -> Self {
        Self::new(DEFAULT_BOUND)
    }
}

impl Ring {
    /// An empty ring that keeps at most `bound` bytes, and at least one.
    pub fn new(bound: usize) -> Self {
        Self {
            bytes: VecDeque::new(),
            oldest: 0,
            bound: bound.max(1),
            records: VecDeque::new(),
            first_seq: 0,
        }
    }

    /// Appends bytes as one chunk; no bytes are no chunk.
    pub fn append(&mut self, bytes: &[u8], stream: Stream, at_ms: u64) -> Option<Chunk> {
        if bytes.is_empty() {
            return None;
        }
        let offset = self.end();
        self.records.push_back(Record {
            offset,
            at_ms,
            stream,
        });
        let kept = &bytes[bytes.len().saturating_sub(self.bound)..];
        let over = (self.bytes.len() + kept.len()).saturating_sub(self.bound);
        self.bytes.drain(..over);
        self.bytes.extend(kept);
        self.oldest = offset + bytes.len() as u64 - self.bytes.len() as u64;
        if self.records.len() > MAX_CHUNKS {
            let next = self.records[1].offset.max(self.oldest);
            self.bytes.drain(..clamp(next - self.oldest));
            self.oldest = next;
        }
        while self
            .records
            .get(1)
            .is_some_and(|next| next.offset <= self.oldest)
        {
            self.records.pop_front();
            self.first_seq += 1;
        }
        self.chunk(self.latest_seq() - 1)
    }

    /// The offset of the oldest byte that is kept.
    pub fn oldest(&self) -> u64 {
        self.oldest
    }

    /// The offset after the newest byte.
    pub fn end(&self) -> u64 {
        self.oldest + self.bytes.len() as u64
    }

    /// How many bytes are not kept any more.
    pub fn dropped(&self) -> u64 {
        self.oldest
    }

    /// The number that the next chunk will have.
    pub fn latest_seq(&self) -> u64 {
        self.first_seq + self.records.len() as u64
    }

    /// The number of the oldest chunk of which anything is kept.
    pub fn oldest_seq(&self) -> u64 {
        self.first_seq
    }

    /// The kept bytes from `from` to before `to`, as two slices that follow each other.
    pub fn slices(&self, from: u64, to: u64) -> (&[u8], &[u8]) {
        let start = clamp(from.max(self.oldest) - self.oldest).min(self.bytes.len());
        let end = clamp(to.max(self.oldest) - self.oldest).clamp(start, self.bytes.len());
        let (front, back) = self.bytes.as_slices();
        let cut = front.len();
        (
            &front[start.min(cut)..end.min(cut)],
            &back[start.max(cut) - cut..end.max(cut) - cut],
        )
    }

    /// The kept bytes from `from` to before `to`.
    pub fn range(&self, from: u64, to: u64) -> Vec<u8> {
        let (front, back) = self.slices(from, to);
        [front, back].concat()
    }

    /// The chunk of that number, if anything of it is kept. Its offset may lie before the oldest byte.
    pub fn chunk(&self, seq: u64) -> Option<Chunk> {
        let index = clamp(seq.checked_sub(self.first_seq)?);
        let record = self.records.get(index)?;
        let end = self
            .records
            .get(index + 1)
            .map_or(self.end(), |next| next.offset);
        Some(Chunk {
            seq,
            offset: record.offset,
            len: end - record.offset,
            stream: record.stream,
            at_ms: record.at_ms,
        })
    }

    /// The number of the chunk that holds the byte at `offset`; after the end, the next number.
    pub fn seq_at(&self, offset: u64) -> u64 {
        if offset >= self.end() {
            return self.latest_seq();
        }
        let after = self
            .records
            .partition_point(|record| record.offset <= offset);
        self.first_seq + after.saturating_sub(1) as u64
    }

    /// The chunks from number `seq` on, in order.
    pub fn chunks_from(&self, seq: u64) -> impl Iterator<Item = Chunk> + '_ {
        (seq.max(self.first_seq)..self.latest_seq()).filter_map(|seq| self.chunk(seq))
    }
}

fn clamp(distance: u64) -> usize {
    usize::try_from(distance).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn old_bytes_go_and_are_counted() {
        let mut ring = Ring::new(4);
        ring.append(b"abc", Stream::Combined, 1);
        ring.append(b"def", Stream::Combined, 2);
        assert_eq!((ring.oldest(), ring.end(), ring.dropped()), (2, 6, 2));
        assert_eq!(ring.range(0, 99), b"cdef");
        assert_eq!(ring.range(3, 5), b"de");
        assert_eq!(ring.range(5, 3), b"");
        ring.append(b"0123456789", Stream::Combined, 3);
        assert_eq!(ring.range(0, 99), b"6789");
        assert_eq!(ring.oldest(), 12);
    }

    #[test]
    fn chunks_have_numbers_over_all_streams() {
        let mut ring = Ring::new(5);
        ring.append(b"out", Stream::Stdout, 10);
        assert_eq!(ring.append(b"", Stream::Stdout, 11), None);
        let err = ring.append(b"err", Stream::Stderr, 12).unwrap();
        assert_eq!(
            (err.seq, err.offset, err.len, err.stream, err.at_ms),
            (1, 3, 3, Stream::Stderr, 12)
        );
        assert_eq!(ring.latest_seq(), 2);
        assert_eq!((ring.seq_at(2), ring.seq_at(3), ring.seq_at(6)), (0, 1, 2));
        ring.append(b"more", Stream::Stdout, 13);
        assert_eq!(ring.oldest_seq(), 1);
        assert_eq!(
            ring.chunks_from(0).map(|c| c.seq).collect::<Vec<_>>(),
            [1, 2]
        );
    }

    #[test]
    fn idle_ring_holds_no_memory() {
        assert_eq!(Ring::default().bytes.capacity(), 0);
    }

    #[test]
    fn chunk_records_are_bounded() {
        let mut ring = Ring::new(1 << 20);
        for n in 0..MAX_CHUNKS as u64 + 100 {
            ring.append(b"ab", Stream::Combined, n);
        }
        assert_eq!(ring.records.len(), MAX_CHUNKS);
        assert_eq!(ring.chunk(ring.oldest_seq()).unwrap().offset, ring.oldest());
    }

    proptest! {
        #[test]
        fn ring_keeps_the_end_of_what_was_appended(
            bound in 1usize..40,
            parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 0..20),
        ) {
            let mut ring = Ring::new(bound);
            let mut all = Vec::new();
            for part in &parts {
                ring.append(part, Stream::Combined, 0);
                all.extend_from_slice(part);
                prop_assert_eq!(ring.end(), all.len() as u64);
                prop_assert_eq!(ring.range(0, ring.end()), &all[all.len().saturating_sub(bound)..]);
                let chunks: Vec<Chunk> = ring.chunks_from(0).collect();
                prop_assert!(chunks.windows(2).all(|two| two[0].end() == two[1].offset));
                if let (Some(first), Some(last)) = (chunks.first(), chunks.last()) {
                    prop_assert!(first.offset <= ring.oldest() && ring.oldest() < first.end());
                    prop_assert_eq!(last.end(), ring.end());
                }
            }
        }
    }
}
