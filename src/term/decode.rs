//! Bytes to text and control functions. The only file that names `vte`.
//!
//! Runs of printable text go around vte: UTF-8 is decoded here, across any read boundary, with one
//! U+FFFD for each maximal part of a bad sequence as Unicode recommends. Control sequences go
//! through vte. It tells no byte offsets, so this file mirrors which kind of sequence is open, and
//! hands it the bytes of sequences alone. C1 controls are acted on where they come as UTF-8
//! (U+0080 to U+009F), as xterm does in its UTF-8 mode. Everything held between reads is bounded.

use super::dispatch;
use super::function::{Function, Name};
use super::params::Params;
use super::scan::{ascii_len, first_char, high_len, params_len};
pub(super) use vte::{Params as Parsed, ParamsIter};

/// How many bytes of an OSC are kept; the rest is dropped.
const OSC_MAX: usize = 8192;
/// How many bytes of a DCS are kept; the rest is dropped.
const DCS_MAX: usize = 4096;
/// Stands for the semicolons after the first one of an OSC while vte has it, since vte splits at
/// semicolons and keeps only so many parts. Never a byte of UTF-8.
const SEMICOLON: u8 = 0xff;

/// Takes what a [`Decoder`] finds, in order.
pub trait Sink {
    /// Printable text. `at` is the absolute offset of its first byte; each byte of `text` is the
    /// byte of the stream at the same distance.
    fn print(&mut self, at: u64, text: &str);

    /// Printable text that is ASCII throughout, likewise.
    #[inline]
    fn ascii(&mut self, at: u64, bytes: &[u8]) {
        self.print(at, std::str::from_utf8(bytes).unwrap_or_default());
    }

    /// One character above ASCII whose first byte came at `at`.
    fn character(&mut self, at: u64, ch: char) {
        self.print(at, ch.encode_utf8(&mut [0; 4]));
    }

    /// A bad UTF-8 sequence that begins at `at`, shown as U+FFFD.
    fn replacement(&mut self, at: u64);

    /// A control function whose last byte is at the absolute offset `at`.
    fn execute(&mut self, at: u64, function: Function<'_>);
}

/// Which kind of sequence is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Ground,
    Escape,
    Csi,
    Osc,
    Dcs,
    /// SOS, PM and APC.
    Other,
}

/// Turns bytes into text and control functions, keeping its state across slices.
pub struct Decoder {
    parser: vte::Parser<OSC_MAX>,
    inside: Inside,
    /// How many bytes were fed.
    offset: u64,
    /// The beginning of a character that was cut off by the end of a slice.
    partial: [u8; 4],
    partial_len: usize,
    /// The last byte was 0xc2, inside a sequence: with the next one it may be a C1 control.
    held: bool,
    /// The last byte was an ESC inside a string: with a backslash it ends it. Inside ESC: an
    /// intermediate byte was seen.
    escaped: bool,
    /// The first semicolon of this OSC was seen.
    numbered: bool,
    /// How much of this OSC was kept.
    osc_len: usize,
    string: StringState,
}

/// What is kept of a device control string.
#[derive(Default)]
struct StringState {
    name: Option<Name>,
    number: u16,
    payload: Vec<u8>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder at offset 0 with nothing open.
    pub fn new() -> Self {
        Self {
            parser: vte::Parser::default(),
            inside: Inside::Ground,
            offset: 0,
            partial: [0; 4],
            partial_len: 0,
            held: false,
            escaped: false,
            numbered: false,
            osc_len: 0,
            string: StringState::default(),
        }
    }

    /// How many bytes were fed so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether a control sequence or a character is cut off at the end of what was fed.
    pub fn is_open(&self) -> bool {
        self.inside != Inside::Ground || self.partial_len > 0
    }

    /// Decodes `bytes` and tells `sink` what is in them. Any split of the same bytes tells the same.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut impl Sink) {
        let mut at = 0;
        while at < bytes.len() {
            at = match self.inside {
                Inside::Ground => self.ground(bytes, at, sink),
                Inside::Escape => self.escape(bytes, at, sink),
                Inside::Csi => self.csi(bytes, at, sink),
                Inside::Osc | Inside::Dcs | Inside::Other => self.string(bytes, at, sink),
            };
        }
        self.offset += bytes.len() as u64;
    }

    fn ground(&mut self, bytes: &[u8], at: usize, sink: &mut impl Sink) -> usize {
        if self.partial_len > 0 {
            return self.complete(bytes, at, sink);
        }
        let mut at = at;
        while self.inside == Inside::Ground && at < bytes.len() {
            let rest = &bytes[at..];
            let offset = self.offset + at as u64;
            at += match rest[0] {
                0x20..=0x7e => {
                    let len = ascii_len(rest);
                    sink.ascii(offset, &rest[..len]);
                    len
                }
                0x80.. => self.high_text(rest, at, sink),
                0x1b => self.begin(rest, offset, sink),
                byte => {
                    if let Some(function) = dispatch::c0(byte) {
                        sink.execute(offset, function);
                    }
                    1
                }
            };
        }
        at
    }

    /// Acts on a control sequence that is there as a whole, else opens an escape sequence; says how
    /// many bytes that took.
    #[inline]
    fn begin(&mut self, rest: &[u8], offset: u64, sink: &mut impl Sink) -> usize {
        if rest.get(1) == Some(&b'[') {
            let last = 2 + params_len(&rest[2..]);
            if matches!(rest.get(last), Some(0x40..=0x7e)) {
                let at = offset + last as u64;
                self.parser.advance(&mut Whole { sink, at }, &rest[..=last]);
                return last + 1;
            }
        }
        self.inside = Inside::Escape;
        self.advance(&rest[..1], offset, sink);
        1
    }

    /// Prints the bytes above ASCII that `rest`, which stands at `at`, begins with; says how far it
    /// came.
    fn high_text(&mut self, rest: &[u8], at: usize, sink: &mut impl Sink) -> usize {
        let run = &rest[..high_len(rest)];
        // A character between ASCII ones needs no look at a run as a whole.
        if run.len() <= 4
            && let Some((ch, len)) = first_char(run)
        {
            let offset = self.offset + at as u64;
            if ch < '\u{a0}' {
                self.c1(run[1], offset + 1, sink);
            } else {
                sink.character(offset, ch);
            }
            return len;
        }
        let error = match std::str::from_utf8(run) {
            Ok(text) => return self.text(text, at, sink),
            Err(error) => error,
        };
        let valid = error.valid_up_to();
        if valid > 0 {
            let text = std::str::from_utf8(&run[..valid]).unwrap_or_default();
            return self.text(text, at, sink);
        }
        match error.error_len() {
            None if run.len() == rest.len() => {
                self.partial[..run.len()].copy_from_slice(run);
                self.partial_len = run.len();
                run.len()
            }
            cut => {
                sink.replacement(self.offset + at as u64);
                cut.unwrap_or(run.len())
            }
        }
    }

    /// Prints `text`, up to and including the first C1 control in it; says how far it came.
    fn text(&mut self, text: &str, at: usize, sink: &mut impl Sink) -> usize {
        let bytes = text.as_bytes();
        let maybe = bytes.contains(&0xc2);
        let c1 = if maybe {
            bytes.windows(2).position(|pair| is_c1(pair[0], pair[1]))
        } else {
            None
        };
        let plain = c1.unwrap_or(bytes.len());
        if plain > 0 {
            sink.print(self.offset + at as u64, &text[..plain]);
        }
        match c1 {
            None => plain,
            Some(c1) => {
                self.c1(bytes[c1 + 1], self.offset + (at + c1 + 1) as u64, sink);
                c1 + 2
            }
        }
    }

    /// Goes on with a character whose beginning was in an earlier slice.
    fn complete(&mut self, bytes: &[u8], at: usize, sink: &mut impl Sink) -> usize {
        let old = self.partial_len;
        let begin = self.offset + at as u64 - old as u64;
        self.partial[old] = bytes[at];
        let buffer = self.partial;
        let part = &buffer[..=old];
        match std::str::from_utf8(part) {
            Ok(text) => {
                self.partial_len = 0;
                if old == 1 && is_c1(part[0], part[1]) {
                    self.c1(part[1], begin + 1, sink);
                } else {
                    sink.print(begin, text);
                }
                at + 1
            }
            Err(error) if error.error_len().is_none() => {
                self.partial_len += 1;
                at + 1
            }
            // The new byte does not continue it: what stood before is one maximal part.
            Err(_) => {
                self.partial_len = 0;
                sink.replacement(begin);
                at
            }
        }
    }

    fn escape(&mut self, bytes: &[u8], at: usize, sink: &mut impl Sink) -> usize {
        let byte = bytes[at];
        let offset = self.offset + at as u64;
        if byte >= 0x80 || self.held {
            return self.high(byte, at, sink);
        }
        // Once an intermediate byte was seen, a final byte opens nothing.
        let intermediate = self.escaped;
        self.inside = match byte {
            b'[' if !intermediate => Inside::Csi,
            b']' if !intermediate => Inside::Osc,
            b'P' if !intermediate => Inside::Dcs,
            b'X' | b'^' | b'_' if !intermediate => Inside::Other,
            0x18 | 0x1a | 0x30..=0x7e => Inside::Ground,
            _ => Inside::Escape,
        };
        self.escaped = match byte {
            0x20..=0x2f => true,
            0x00..=0x17 | 0x19 | 0x1c..=0x1f | 0x7f => intermediate,
            _ => false,
        };
        self.numbered = false;
        self.osc_len = 0;
        self.advance(&[byte], offset, sink);
        at + 1
    }

    fn csi(&mut self, bytes: &[u8], at: usize, sink: &mut impl Sink) -> usize {
        if self.held {
            return self.high(bytes[at], at, sink);
        }
        let end = at + params_len(&bytes[at..]);
        let offset = self.offset + end as u64;
        let Some(&byte) = bytes.get(end) else {
            self.advance(&bytes[at..end], offset, sink);
            return end;
        };
        if byte >= 0x80 {
            self.advance(&bytes[at..end], offset, sink);
            return self.high(byte, end, sink);
        }
        match byte {
            0x1b => self.inside = Inside::Escape,
            0x18 | 0x1a | 0x40..=0x7e => self.inside = Inside::Ground,
            _ => {}
        }
        self.advance(&bytes[at..=end], offset, sink);
        end + 1
    }

    /// A byte above ASCII, or after one, inside ESC or CSI: ignored, unless the two are a C1 control.
    fn high(&mut self, byte: u8, at: usize, sink: &mut impl Sink) -> usize {
        let c1 = self.held && is_c1(0xc2, byte);
        let consumed = byte >= 0x80;
        self.held = consumed && byte == 0xc2;
        if c1 {
            let offset = self.offset + at as u64;
            self.advance(&[0x18], offset, sink);
            self.c1(byte, offset, sink);
        }
        at + usize::from(consumed)
    }

    fn string(&mut self, bytes: &[u8], at: usize, sink: &mut impl Sink) -> usize {
        let byte = bytes[at];
        let offset = self.offset + at as u64;
        if self.escaped {
            self.escaped = false;
            if byte == b'\\' {
                self.terminate(offset, sink);
                return at + 1;
            }
            self.cancel(0x1b, offset, sink);
            self.inside = Inside::Escape;
            return at;
        }
        if self.held {
            self.held = false;
            if byte == 0x9c {
                self.terminate(offset, sink);
                return at + 1;
            }
            self.payload(&[0xc2], offset, sink);
        }
        let special = |byte: &u8| matches!(byte, 0x07 | 0x18 | 0x1a | 0x1b | 0xc2);
        let end = at
            + bytes[at..]
                .iter()
                .position(special)
                .unwrap_or(bytes.len() - at);
        self.payload(&bytes[at..end], offset, sink);
        let Some(&byte) = bytes.get(end) else {
            return end;
        };
        let offset = self.offset + end as u64;
        match byte {
            0x07 if self.inside == Inside::Osc => {
                self.inside = Inside::Ground;
                self.advance(&[byte], offset, sink);
            }
            0x18 | 0x1a => self.cancel(byte, offset, sink),
            0x1b => self.escaped = true,
            0xc2 => self.held = true,
            _ => {}
        }
        end + 1
    }

    /// Ends a string properly.
    fn terminate(&mut self, offset: u64, sink: &mut impl Sink) {
        self.inside = Inside::Ground;
        self.advance(b"\x1b\\", offset, sink);
    }

    /// Ends a string without acting on it.
    fn cancel(&mut self, byte: u8, offset: u64, sink: &mut impl Sink) {
        self.inside = Inside::Ground;
        self.string.name = None;
        self.string.payload.clear();
        let mut nothing = Performer {
            sink,
            at: offset,
            cancelled: true,
            string: &mut self.string,
        };
        self.parser.advance(&mut nothing, &[byte]);
    }

    /// Hands the content of a string to vte.
    fn payload(&mut self, bytes: &[u8], offset: u64, sink: &mut impl Sink) {
        match self.inside {
            Inside::Osc => {
                let bytes = &bytes[..bytes.len().min(OSC_MAX - self.osc_len)];
                self.osc_len += bytes.len();
                for part in bytes.split_inclusive(|byte| *byte == b';') {
                    match part.split_last() {
                        Some((b';', text)) if self.numbered => {
                            self.advance(text, offset, sink);
                            self.advance(&[SEMICOLON], offset, sink);
                        }
                        _ => {
                            self.numbered |= part.ends_with(b";");
                            self.advance(part, offset, sink);
                        }
                    }
                }
            }
            // vte would end a DCS at 0x9c, which here is a part of a character.
            Inside::Dcs => {
                for part in bytes.split(|byte| *byte >= 0x80) {
                    self.advance(part, offset, sink);
                }
            }
            _ => {}
        }
    }

    /// Acts on a C1 control: the same as ESC and the byte less 0x40.
    fn c1(&mut self, byte: u8, offset: u64, sink: &mut impl Sink) {
        self.held = false;
        self.escaped = false;
        self.numbered = false;
        self.osc_len = 0;
        self.inside = match byte {
            0x90 => Inside::Dcs,
            0x98 | 0x9e | 0x9f => Inside::Other,
            0x9b => Inside::Csi,
            0x9d => Inside::Osc,
            _ => Inside::Ground,
        };
        self.advance(&[0x1b, byte - 0x40], offset, sink);
    }

    /// Hands bytes to vte. One copy of its state machine is enough, and faster than ten.
    #[inline(never)]
    fn advance(&mut self, bytes: &[u8], at: u64, sink: &mut impl Sink) {
        let mut performer = Performer {
            sink,
            at,
            cancelled: false,
            string: &mut self.string,
        };
        self.parser.advance(&mut performer, bytes);
    }
}

/// Receives vte's calls and passes them on as control functions.
struct Performer<'a, S> {
    sink: &'a mut S,
    at: u64,
    cancelled: bool,
    string: &'a mut StringState,
}

impl<S: Sink> vte::Perform for Performer<'_, S> {
    fn execute(&mut self, byte: u8) {
        if let Some(function) = dispatch::c0(byte) {
            self.sink.execute(self.at, function);
        }
    }

    fn csi_dispatch(&mut self, params: &vte::Params, marks: &[u8], overflow: bool, last: char) {
        control(self.sink, self.at, params, marks, overflow, last);
    }

    fn esc_dispatch(&mut self, marks: &[u8], overflow: bool, last: u8) {
        // The second half of a terminator.
        if marks.is_empty() && last == b'\\' {
            return;
        }
        let name = name("ESC", marks, char::from(last));
        let function = if overflow {
            Function::Unknown(name)
        } else {
            dispatch::esc(name)
        };
        self.sink.execute(self.at, function);
    }

    fn osc_dispatch(&mut self, parts: &[&[u8]], bel: bool) {
        if self.cancelled {
            return;
        }
        let number = parts
            .first()
            .and_then(|part| std::str::from_utf8(part).ok()?.parse().ok());
        let Some(number) = number else {
            let name = Name {
                family: "OSC",
                marks: [0; 2],
                last: 0,
                number: None,
            };
            self.sink.execute(self.at, Function::Unknown(name));
            return;
        };
        let semicolons = |byte: &u8| if *byte == SEMICOLON { b';' } else { *byte };
        let text: Vec<u8> = parts
            .get(1)
            .map(|part| part.iter().map(semicolons).collect())
            .unwrap_or_default();
        self.sink.execute(
            self.at,
            Function::Osc {
                number,
                text: &text,
                bel,
            },
        );
    }

    fn hook(&mut self, params: &vte::Params, marks: &[u8], _overflow: bool, last: char) {
        self.string.name = Some(name("DCS", marks, last));
        self.string.number = params.iter().next().map_or(0, |group| group[0]);
        self.string.payload.clear();
    }

    fn put(&mut self, byte: u8) {
        if self.string.payload.len() < DCS_MAX {
            self.string.payload.push(byte);
        }
    }

    fn unhook(&mut self) {
        if let Some(name) = self.string.name.take() {
            let payload = std::mem::take(&mut self.string.payload);
            self.sink
                .execute(self.at, dispatch::dcs(name, self.string.number, &payload));
        }
    }
}

/// Receives vte's one call for a control sequence that is there as a whole. With nothing else to
/// call, vte's state machine comes out a good deal smaller.
struct Whole<'a, S> {
    sink: &'a mut S,
    at: u64,
}

impl<S: Sink> vte::Perform for Whole<'_, S> {
    #[inline]
    fn csi_dispatch(&mut self, params: &vte::Params, marks: &[u8], overflow: bool, last: char) {
        control(self.sink, self.at, params, marks, overflow, last);
    }
}

#[inline]
fn control(
    sink: &mut impl Sink,
    at: u64,
    params: &vte::Params,
    marks: &[u8],
    overflow: bool,
    last: char,
) {
    let params = Params::new(params);
    // Most control sequences.
    if marks.is_empty() {
        match last {
            'm' => return sink.execute(at, Function::Sgr(params)),
            'H' => return sink.execute(at, dispatch::cup(params)),
            _ => {}
        }
    }
    let name = name("CSI", marks, last);
    // Too many numbers: the first ones count. Too many marks: no such sequence.
    let function = if overflow && params.count() < Params::MAX {
        Function::Unknown(name)
    } else {
        dispatch::csi(name, params)
    };
    sink.execute(at, function);
}

#[inline]
fn name(family: &'static str, marks: &[u8], last: char) -> Name {
    let mark = |index: usize| marks.get(index).copied().unwrap_or(0);
    Name {
        family,
        marks: [mark(0), mark(1)],
        last: u8::try_from(last).unwrap_or(0),
        number: None,
    }
}

fn is_c1(first: u8, second: u8) -> bool {
    first == 0xc2 && (0x80..=0x9f).contains(&second)
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
