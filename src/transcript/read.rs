//! The answer to `read`: a slice of the transcript from a cursor, as text, plain or raw.
//!
//! Cursors count raw bytes in every form. A character that is cut off at the end of a slice belongs
//! to the next one, so cursors given back never cut a character, nor does a sequence of reads lose or
//! repeat one. Waiting for more is not done here.

use serde::{Deserialize, Serialize};

use super::base64;
use super::plain::plain;
use super::ring::{Chunk, Ring, Stream};
use crate::fault::Fault;
use crate::pattern::LineFilter;

/// How far back to look for what a slice begins in.
const PRIMER: usize = 64 * 1024;

/// How much plain text is given when nothing was said; moves can make more of it than there are bytes.
const PLAIN_MAX: usize = 8 * 1024 * 1024;

/// How the bytes are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// As they are, as text; bytes that are not UTF-8 become U+FFFD.
    #[default]
    Text,
    /// As the lines that a terminal would show.
    Plain,
    /// As they are, in base64.
    Raw,
}

/// Which streams are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Streams {
    /// Everything, in the order of arrival.
    #[default]
    Combined,
    /// Everything, with the chunks that tell which stream each part is from.
    All,
    /// Standard output alone; on a terminal there is none.
    Stdout,
    /// Standard error alone; on a terminal there is none.
    Stderr,
}

impl Streams {
    fn has(self, stream: Stream) -> bool {
        match self {
            Self::Combined | Self::All => true,
            Self::Stdout => stream == Stream::Stdout,
            Self::Stderr => stream == Stream::Stderr,
        }
    }
}

/// What to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadAsk {
    /// From this cursor on; of two starts the later counts, without any the beginning.
    pub since: Option<u64>,
    /// From this chunk on; the slice then ends with a chunk.
    pub since_seq: Option<u64>,
    /// How the bytes are given.
    pub form: Form,
    /// Which streams.
    pub stream: Streams,
    /// How many raw bytes at most, and at least one character.
    pub max_bytes: Option<usize>,
    /// Only lines in which this expression matches.
    pub grep: Option<String>,
    /// Only the last so many lines.
    pub lines: Option<usize>,
    /// With the chunks.
    pub chunks: bool,
    /// Nothing more will come: the beginning of a character at the end is given as it is.
    pub ended: bool,
    /// The terminal's width, which bounds moves in plain text.
    pub cols: Option<u16>,
}

/// What was read. Cursors are byte offsets, `seq`s count chunks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadAnswer {
    /// Where the slice begins.
    pub cursor: u64,
    /// Where the next one begins.
    pub next_cursor: u64,
    /// The end of what there is.
    pub latest: u64,
    /// The chunk where the slice begins.
    pub since_seq: u64,
    /// The chunk where the next one begins.
    pub next_seq: u64,
    /// The number that the next chunk will have.
    pub latest_seq: u64,
    /// How many bytes between the place that was asked for and `cursor` are gone. Where that place is
    /// a chunk that is gone, all bytes that are.
    pub dropped: u64,
    /// There is more than was given: after the slice, or in lines that were left out.
    pub truncated: bool,
    /// The text, unless the form is raw.
    pub text: String,
    /// The bytes, where the form is raw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// The chunks, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunks: Option<Vec<ChunkText>>,
}

/// One chunk of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkText {
    /// Its number.
    pub seq: u64,
    /// Where it came from.
    pub stream: Stream,
    /// The offset of the first byte that is given.
    pub offset: u64,
    /// When it came.
    pub timestamp_ms: u64,
    /// Its text, in the form that was asked for; base64 where that is raw.
    pub text: String,
}

/// The bytes of one answer and where they came from.
struct Slice {
    bytes: Vec<u8>,
    /// Chunk, first offset and end of each part, in order.
    parts: Vec<(Chunk, u64, u64)>,
    /// The offset after the slice.
    end: u64,
    /// More was left for the next one.
    cut: bool,
}

/// Reads a slice of what `ring` keeps.
pub fn read(ring: &Ring, ask: &ReadAsk) -> Result<ReadAnswer, Fault> {
    if ask.form == Form::Raw && (ask.grep.is_some() || ask.lines.is_some()) {
        return Err(Fault::usage("raw bytes have no lines to choose from")
            .hint("leave --raw away, or --grep and --lines"));
    }
    let filter = ask.grep.as_deref().map(LineFilter::new).transpose()?;
    let (asked, gone_seq) = start_of(ring, ask);
    let mut start = asked.max(ring.oldest());
    if ask.form != Form::Raw {
        start = whole_start(ring, ask.stream, start);
    }
    let mut slice = collect(ring, ask, start);
    // In the order of chunks the held back bytes belong to a chunk that counts as read.
    let boundary = slice.end;
    if ask.form != Form::Raw && !(ask.ended && boundary == ring.end()) {
        hold_back(&mut slice);
    }
    let mut answer = ReadAnswer {
        cursor: start,
        next_cursor: slice.end,
        latest: ring.end(),
        since_seq: ask.since_seq.unwrap_or_else(|| ring.seq_at(start)),
        next_seq: ring.seq_at(if ask.since_seq.is_some() {
            boundary
        } else {
            slice.end
        }),
        latest_seq: ring.latest_seq(),
        dropped: if gone_seq {
            start
        } else {
            start.saturating_sub(asked)
        },
        truncated: slice.cut,
        ..ReadAnswer::default()
    };
    match ask.form {
        Form::Raw => answer.base64 = Some(base64::encode(&slice.bytes)),
        Form::Text => answer.text = String::from_utf8_lossy(&slice.bytes).into_owned(),
        Form::Plain => {
            let before = before(ring, ask.stream, start, PRIMER);
            let shown = plain(
                &before,
                &slice.bytes,
                ask.cols,
                ask.max_bytes.unwrap_or(PLAIN_MAX),
            );
            answer.text = shown.text;
            answer.truncated |= shown.truncated;
        }
    }
    if filter.is_some() || ask.lines.is_some() {
        let (text, fewer) = choose(&answer.text, filter.as_ref(), ask.lines);
        answer.text = text;
        answer.truncated |= fewer;
    }
    if ask.chunks || ask.stream == Streams::All {
        answer.chunks = Some(chunks(ring, ask, &slice));
    }
    Ok(answer)
}

/// Where reading begins, and whether that is a chunk whose place is not known any more.
fn start_of(ring: &Ring, ask: &ReadAsk) -> (u64, bool) {
    let since = ask.since.unwrap_or(0).min(ring.end());
    match ask.since_seq {
        Some(seq) if seq < ring.oldest_seq() => {
            let gone = since < ring.oldest();
            (since.max(ring.oldest()), gone)
        }
        Some(seq) => (
            ring.chunk(seq)
                .map_or(ring.end(), |chunk| chunk.offset)
                .max(since),
            false,
        ),
        None => (since, false),
    }
}

/// Moves a start to the beginning of the character that it would cut: back where that is kept, else on.
fn whole_start(ring: &Ring, streams: Streams, start: u64) -> u64 {
    let tail = unfinished(&before(ring, streams, start, 4));
    if tail > 0 {
        return places_before(ring, streams, start, tail);
    }
    if start > 0 && start == ring.oldest() {
        let next = ring.range(start, start + 3);
        return start + next.iter().take_while(|byte| **byte & 0xc0 == 0x80).count() as u64;
    }
    start
}

/// The bytes from `start` on, as many as were asked for.
fn collect(ring: &Ring, ask: &ReadAsk, start: u64) -> Slice {
    let mut room = ask.max_bytes.map_or(usize::MAX, |max| max.max(4));
    let mut slice = Slice {
        bytes: Vec::new(),
        parts: Vec::new(),
        end: ring.end(),
        cut: false,
    };
    for chunk in ring.chunks_from(ring.seq_at(start)) {
        if !ask.stream.has(chunk.stream) {
            continue;
        }
        let from = chunk.offset.max(start);
        let len = usize::try_from(chunk.end() - from).unwrap_or(usize::MAX);
        // By chunks, the one that was asked for is given however long it is.
        let owed = ask
            .since_seq
            .is_some_and(|seq| chunk.seq <= seq.max(ring.oldest_seq()));
        if len > room && !owed {
            let some = if ask.since_seq.is_some() { 0 } else { room };
            slice.end = from + some as u64;
            slice.cut = true;
            if some > 0 {
                slice.push(ring, chunk, from, slice.end);
            }
            break;
        }
        room = room.saturating_sub(len);
        slice.push(ring, chunk, from, chunk.end());
    }
    slice
}

impl Slice {
    fn push(&mut self, ring: &Ring, chunk: Chunk, from: u64, to: u64) {
        let (front, back) = ring.slices(from, to);
        self.bytes.extend_from_slice(front);
        self.bytes.extend_from_slice(back);
        self.parts.push((chunk, from, to));
    }
}

/// Leaves the beginning of a character at the end for the next slice.
fn hold_back(slice: &mut Slice) {
    let mut tail = unfinished(&slice.bytes);
    slice.bytes.truncate(slice.bytes.len() - tail);
    while tail > 0 {
        let Some((_, from, to)) = slice.parts.last_mut() else {
            return;
        };
        let here = usize::try_from(*to - *from).unwrap_or(tail).min(tail);
        *to -= here as u64;
        slice.end = *to;
        tail -= here;
        if from == to {
            slice.parts.pop();
        }
    }
}

/// How many bytes at the end are the beginning of a character.
fn unfinished(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let needs = match bytes[bytes.len() - back] {
            0x80..=0xbf => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 0,
        };
        return if needs > back { back } else { 0 };
    }
    0
}

/// The bytes of those streams in front of `start`, from the last newline on, `most` at most.
fn before(ring: &Ring, streams: Streams, start: u64, most: usize) -> Vec<u8> {
    let mut parts = Vec::new();
    let mut len = 0;
    for chunk in chunks_before(ring, streams, start) {
        let to = chunk.end().min(start);
        let from = chunk.offset.max(to.saturating_sub((most - len) as u64));
        let part = ring.range(from, to);
        let line = part
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map(|at| at + 1);
        len += part.len();
        parts.push(part[line.unwrap_or(0)..].to_vec());
        if line.is_some() || len >= most {
            break;
        }
    }
    parts.reverse();
    parts.concat()
}

/// The offset of the byte that stands `count` bytes of those streams in front of `start`.
fn places_before(ring: &Ring, streams: Streams, start: u64, count: usize) -> u64 {
    let mut left = count as u64;
    for chunk in chunks_before(ring, streams, start) {
        let to = chunk.end().min(start);
        let here = to - chunk.offset.max(ring.oldest());
        if here >= left {
            return to - left;
        }
        left -= here;
    }
    start
}

/// The chunks of those streams that have bytes in front of `start`, the last first.
fn chunks_before(ring: &Ring, streams: Streams, start: u64) -> impl Iterator<Item = Chunk> + '_ {
    let last = ring.seq_at(start);
    (ring.oldest_seq()..=last)
        .rev()
        .filter_map(|seq| ring.chunk(seq))
        .filter(move |chunk| chunk.offset < start && streams.has(chunk.stream))
}

/// The lines that were asked for, and whether some were left out for their number.
fn choose(text: &str, filter: Option<&LineFilter>, count: Option<usize>) -> (String, bool) {
    let kept: Vec<&str> = text
        .split_inclusive('\n')
        .filter(|line| {
            filter.is_none_or(|filter| filter.keeps(line.trim_end_matches(['\r', '\n'])))
        })
        .collect();
    let from = kept.len().saturating_sub(count.unwrap_or(usize::MAX));
    (kept[from..].concat(), from > 0)
}

/// Each chunk's text; a character belongs to the chunk in which its stream completes it.
fn chunks(ring: &Ring, ask: &ReadAsk, slice: &Slice) -> Vec<ChunkText> {
    let mut cut: [Vec<u8>; 3] = Default::default();
    let mut answer: Vec<ChunkText> = Vec::with_capacity(slice.parts.len());
    for (chunk, from, to) in &slice.parts {
        let cut = &mut cut[chunk.stream as usize];
        let text = match ask.form {
            Form::Raw => base64::encode(&ring.range(*from, *to)),
            Form::Plain => {
                let own = match chunk.stream {
                    Stream::Stdout => Streams::Stdout,
                    Stream::Stderr => Streams::Stderr,
                    Stream::Combined => Streams::Combined,
                };
                let before = before(ring, own, *from, PRIMER);
                plain(&before, &ring.range(*from, *to), ask.cols, PLAIN_MAX).text
            }
            Form::Text => {
                cut.extend(ring.range(*from, *to));
                let rest = cut.split_off(cut.len() - unfinished(cut));
                let whole = std::mem::replace(cut, rest);
                String::from_utf8_lossy(&whole).into_owned()
            }
        };
        answer.push(ChunkText {
            seq: chunk.seq,
            stream: chunk.stream,
            offset: *from,
            timestamp_ms: chunk.at_ms,
            text,
        });
    }
    answer
}
