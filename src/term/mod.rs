//! The terminal: bytes in, screen state out. Pure; holds no descriptor and reads no clock.
//!
//! [`Term::feed`] decodes bytes to text and control functions, and the [`Screen`] acts on them.
//! Answers to queries wait in [`Term::take_replies`]; sequences that are not known are counted.

pub mod cast;
pub mod cell;
mod charset;
pub mod decode;
mod dispatch;
pub mod function;
pub mod geometry;
mod grid;
mod history;
pub mod mode;
pub mod params;
pub mod pen;
pub mod pool;
pub mod row;
mod scan;
pub mod screen;
mod sieve;
mod tabs;
pub mod trail;
pub mod width;

pub use geometry::{Pos, Size};
pub use screen::Screen;
pub use sieve::Sieve;
pub use trail::Written;

use decode::Decoder;

/// A terminal.
pub struct Term {
    decoder: Decoder,
    screen: Screen,
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Term")
            .field("size", &self.screen.size())
            .finish_non_exhaustive()
    }
}

impl Term {
    /// A terminal of this size that keeps at most `scrollback` lines above its primary screen. Its
    /// trail is off.
    pub fn new(size: Size, scrollback: usize) -> Self {
        let size = Size {
            rows: size.rows.max(1),
            cols: size.cols.max(1),
        };
        Self {
            decoder: Decoder::new(),
            screen: Screen::new(size, scrollback),
        }
    }

    /// Acts on what a program wrote. Any split of the same bytes leads to the same state.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.decoder.feed(bytes, &mut self.screen);
    }

    /// Changes the size; soft-wrapped lines of the primary screen and its scrollback wrap anew.
    pub fn resize(&mut self, size: Size) {
        self.screen.resize(size);
    }

    /// What stands on the display.
    pub fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Answers to the program's queries since the last call, to be written to it.
    pub fn take_replies(&mut self) -> Vec<u8> {
        self.screen.take_replies()
    }

    /// How many bytes were fed so far.
    pub fn offset(&self) -> u64 {
        self.decoder.offset()
    }

    /// Sequences that are not known, with how often each came.
    pub fn unhandled(&self) -> Vec<(String, u64)> {
        self.screen.unhandled().collect()
    }

    /// Switches the recording of the trail. Whoever switches it on takes what it records: it grows
    /// until [`Term::take_trail`].
    pub fn set_trail(&mut self, on: bool) {
        self.screen.trail_mut().set(on);
    }

    /// What was printed since the last call, for patterns to read.
    pub fn take_trail(&mut self) -> Written {
        self.screen.trail_mut().take()
    }

    /// On which rows the lines of the trail begin, those that came since the last call. To be taken as
    /// often as the trail.
    pub fn take_rows(&mut self) -> trail::Rows {
        self.screen.trail_mut().take_rows()
    }

    /// Where the cursor stands on the trail: the logical line, and the logical column at which the
    /// next character goes.
    pub fn trail_here(&self) -> (u64, u32) {
        self.screen.trail_here()
    }
}
