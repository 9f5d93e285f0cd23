//! Modes, the alternate screen, resets, the pen and its stack.

use super::{Cursor, Left, STACK_MAX, Screen, full};
use crate::term::cell::Cell;
use crate::term::charset::Charsets;
use crate::term::function::Name;
use crate::term::grid::Grid;
use crate::term::history::History;
use crate::term::mode::{Mode, Modes, Mouse, MouseEncoding};
use crate::term::params::Params;
use crate::term::pen::{Attrs, Color, Pen};
use crate::term::tabs::Tabs;

impl Screen {
    /// SM and RM, `CSI n h` and `CSI n l`: ANSI modes.
    pub(super) fn ansi_modes(&mut self, params: Params<'_>, on: bool) {
        for number in params.values() {
            match Mode::numbered(number, false) {
                Some(mode) => self.modes.set(mode, on),
                None if (1..=22).contains(&number) => {}
                None => self.unknown_mode(number, 0, on),
            }
        }
    }

    /// DECSET and DECRST, `CSI ? n h` and `CSI ? n l`: private modes.
    pub(super) fn private_modes(&mut self, params: Params<'_>, on: bool, at: u64) {
        for number in params.values() {
            self.private_mode(number, on, at);
        }
    }

    fn unknown_mode(&mut self, number: u16, mark: u8, on: bool) {
        let last = if on { b'h' } else { b'l' };
        self.unknown(Name {
            family: "CSI",
            marks: [mark, 0],
            last,
            number: Some(number),
        });
    }

    fn private_mode(&mut self, number: u16, on: bool, at: u64) {
        match number {
            47 => self.switch(on, Entering::Keep, at),
            1047 => {
                let leaving = !on && self.on_alternate;
                self.switch(on, Entering::Keep, at);
                if leaving {
                    self.keep_left(Entering::Clear);
                    let blank = self.blank();
                    self.other.fill(blank);
                }
            }
            1048 if on => self.decsc(),
            1048 => self.decrc(),
            1049 if on => {
                if !self.on_alternate {
                    self.decsc();
                }
                self.switch(true, Entering::Clear, at);
            }
            1049 => {
                if self.on_alternate {
                    self.switch(false, Entering::Keep, at);
                }
                self.decrc();
            }
            9 | 1000..=1003 => {
                let mouse = Modes::mouse_numbered(number).unwrap_or_default();
                self.modes.mouse = if on { mouse } else { Mouse::Off };
            }
            1005 | 1006 | 1015 | 1016 => {
                let encoding = Modes::encoding_numbered(number).unwrap_or_default();
                self.modes.mouse_encoding = if on { encoding } else { MouseEncoding::Default };
            }
            _ => match Mode::numbered(number, true) {
                Some(mode) => self.known_mode(mode, on, at),
                None => self.unknown_mode(number, b'?', on),
            },
        }
    }

    fn known_mode(&mut self, mode: Mode, on: bool, at: u64) {
        match mode {
            Mode::Decom => {
                self.cursor.origin = on;
                self.cup(0, 0);
            }
            Mode::Deccolm => {
                if !self.modes.has(Mode::Allow80To132) {
                    return;
                }
                // The pty's width stays as it is; the rest of it happens.
                self.margins = full(self.size());
                if self.level < 65 || !self.modes.has(Mode::Decncsm) {
                    self.wipe(full(self.size()), at);
                    let blank = self.blank();
                    self.grid.fill(blank);
                }
                self.cup(0, 0);
            }
            Mode::Declrmm if self.level < 64 => return,
            Mode::Declrmm if !on => {
                self.margins.left = 0;
                self.margins.right = self.last_col();
            }
            Mode::Blink => self.shape.blink = on,
            _ => {}
        }
        self.modes.set(mode, on);
    }

    /// Whether the private mode is set; nothing where it is not known.
    pub(super) fn private_mode_state(&self, number: u16) -> Option<bool> {
        Some(match number {
            47 | 1047 | 1049 => self.on_alternate,
            1048 => true,
            6 => self.cursor.origin,
            9 | 1000..=1003 => Modes::mouse_number(self.modes.mouse) == number,
            1005 | 1006 | 1015 | 1016 => {
                Modes::encoding_number(self.modes.mouse_encoding) == number
            }
            12 => self.shape.blink,
            _ => self.modes.has(Mode::numbered(number, true)?),
        })
    }

    /// XTSAVE, `CSI ? n s`: remember private modes.
    pub(super) fn xtsave(&mut self, params: Params<'_>) {
        for number in params.values() {
            if let Some(on) = self.private_mode_state(number) {
                self.saved_modes.insert(number, on);
            }
        }
    }

    /// XTRESTORE, `CSI ? n r`: private modes as they were remembered.
    pub(super) fn xtrestore(&mut self, params: Params<'_>, at: u64) {
        for number in params.values() {
            if let Some(on) = self.saved_modes.get(&number).copied() {
                self.private_mode(number, on, at);
            }
        }
    }

    /// Before the alternate screen in `other` changes: keeps it as it was left.
    fn keep_left(&mut self, entering: Entering) {
        if self.left == Left::InOther {
            let size = self.size();
            let spare = self.spare.take().filter(|spare| spare.size() == size);
            let mut spare = spare.unwrap_or_else(|| Grid::new(size));
            match entering {
                Entering::Keep => spare.clone_from(&self.other),
                Entering::Clear => std::mem::swap(&mut spare, &mut self.other),
            }
            self.spare = Some(spare);
            self.left = Left::InSpare;
        }
    }

    /// Modes 47, 1047 and 1049: to the alternate screen or back. The cursor stays.
    fn switch(&mut self, on: bool, entering: Entering, at: u64) {
        if on == self.on_alternate {
            if on && entering == Entering::Clear {
                self.wipe(full(self.size()), at);
                let blank = self.blank();
                self.grid.fill(blank);
            }
            return;
        }
        self.trail.leave(at);
        if on {
            self.keep_left(entering);
        } else {
            self.left = Left::InOther;
        }
        std::mem::swap(&mut self.grid, &mut self.other);
        std::mem::swap(&mut self.saved, &mut self.other_saved);
        std::mem::swap(&mut self.modes.kitty_keyboard, &mut self.other_kitty);
        self.on_alternate = on;
        if on && entering == Entering::Clear {
            let blank = self.blank();
            self.grid.fill(blank);
        }
        // A pending wrap stays pending, as in xterm.
        self.last = None;
    }

    /// DECSTR, `CSI ! p`: soft reset.
    pub(super) fn decstr(&mut self) {
        self.margins = full(self.size());
        self.cursor.origin = false;
        self.cursor.pen = Pen::default();
        self.cursor.charsets = Charsets::default();
        self.link = None;
        let initial = [
            (Mode::Dectcem, true),
            (Mode::Irm, false),
            (Mode::Kam, false),
            (Mode::Decawm, true),
            (Mode::Decckm, false),
            (Mode::Decnkm, false),
            (Mode::ReverseWrap, false),
            (Mode::Declrmm, false),
            (Mode::Decnrcm, false),
        ];
        for (mode, on) in initial {
            self.modes.set(mode, on);
        }
        self.saved = Cursor::default();
        self.reset_wrap();
    }

    /// RIS, `ESC c`: everything as in the beginning.
    pub(super) fn ris(&mut self, at: u64) {
        self.trail.leave(at);
        if self.on_alternate {
            self.switch(false, Entering::Keep, at);
        }
        let size = self.size();
        self.grid.fill(Cell::default());
        self.keep_left(Entering::Clear);
        self.other.fill(Cell::default());
        self.cursor = Cursor::default();
        self.saved = Cursor::default();
        self.other_saved = Cursor::default();
        self.margins = full(size);
        self.modes = Modes::default();
        self.saved_modes.clear();
        self.tabs = Tabs::new(size.cols);
        self.shape = super::CursorShape::default();
        self.repeat = None;
        self.link = None;
        self.titles.clear();
        self.pens.clear();
        self.kitty = [Vec::new(), Vec::new()];
        self.other_kitty = 0;
        self.palette = super::Palette::default();
        self.level = 64;
        self.eight_bit = false;
        self.extent = 0;
        self.title_modes = 0;
        self.palettes.clear();
        self.checksum = 0;
        self.last = None;
        History::clear(&mut self.history);
    }

    /// DECSCL, `CSI level ; bits " p`: conformance level, with a reset.
    pub(super) fn decscl(&mut self, level: u16, bits: u16, _at: u64) {
        // 65 would be a VT520, which this is not.
        if (61..=64).contains(&level) {
            self.decstr();
            self.level = level;
            self.eight_bit = level > 61 && bits != 1;
        }
    }

    /// SGR, `CSI n ; ... m`: the pen.
    pub(super) fn sgr(&mut self, params: Params<'_>) {
        if let Some(underline) = self.cursor.pen.sgr(params)
            && (underline != Color::Default || self.cursor.pen.extra != 0)
        {
            self.set_extra(underline);
        }
    }

    /// XTPUSHSGR, `CSI # {`: keep the pen.
    pub(super) fn xtpushsgr(&mut self) {
        if self.pens.len() < STACK_MAX {
            self.pens
                .push((self.cursor.pen, Some(self.underline_color())));
        }
    }

    /// XTPOPSGR, `CSI # }`: the pen that was kept last.
    pub(super) fn xtpopsgr(&mut self) {
        if let Some((pen, underline)) = self.pens.pop() {
            let guards = self.cursor.pen.attrs;
            self.cursor.pen = pen;
            self.cursor
                .pen
                .attrs
                .set(Attrs::PROTECTED, guards.has(Attrs::PROTECTED));
            self.set_extra(underline.unwrap_or_default());
        }
    }

    /// DECSCUSR, `CSI n SP q`: the cursor's shape.
    pub(super) fn decscusr(&mut self, number: u16) {
        if let Some(shape) = super::CursorShape::numbered(number) {
            self.shape = shape;
        }
    }
}

/// What entering the alternate screen does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entering {
    Keep,
    Clear,
}
