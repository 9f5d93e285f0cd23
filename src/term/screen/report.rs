//! Answers: device attributes, status, modes, checksums, keyboard flags. Only bytes are made here;
//! whoever holds the terminal's descriptor writes them.

use super::Screen;
use crate::term::cell::Glyph;
use crate::term::function::{Area, Name};
use crate::term::geometry::Pos;
use crate::term::mode::Mode;

/// The version that DA2 and XTVERSION tell: the xterm whose behaviour is followed.
const XTERM: u16 = 390;

impl Screen {
    /// Queues an answer; a program that never reads them is not remembered without bound.
    pub(super) fn reply(&mut self, answer: &str) {
        if self.replies.len() < 1 << 16 {
            self.replies.extend_from_slice(answer.as_bytes());
        }
    }

    pub(super) fn reply_csi(&mut self, rest: &str) {
        let csi = if self.eight_bit { "\u{9b}" } else { "\x1b[" };
        self.reply(&format!("{csi}{rest}"));
    }

    pub(super) fn reply_dcs(&mut self, body: &str) {
        let (dcs, st) = if self.eight_bit {
            ("\u{90}", "\u{9c}")
        } else {
            ("\x1bP", "\x1b\\")
        };
        self.reply(&format!("{dcs}{body}{st}"));
    }

    /// DA1, `CSI c`: what are you?
    pub(super) fn da1(&mut self) {
        self.reply_csi("?64;1;2;6;9;15;16;17;18;21;22;28;29c");
    }

    /// DA2, `CSI > c`: which version?
    pub(super) fn da2(&mut self) {
        self.reply_csi(&format!(">41;{XTERM};0c"));
    }

    /// DA3, `CSI = c`: which unit?
    pub(super) fn da3(&mut self) {
        self.reply_dcs("!|00000000");
    }

    /// XTVERSION, `CSI > q`: name and version?
    pub(super) fn xtversion(&mut self) {
        self.reply_dcs(concat!(">|coax(", env!("CARGO_PKG_VERSION"), ")"));
    }

    /// DSR, `CSI n n`: status (5) and cursor position (6).
    pub(super) fn dsr(&mut self, what: u16) {
        match what {
            5 => self.reply_csi("0n"),
            6 => {
                let Pos { row, col } = self.relative();
                self.reply_csi(&format!("{};{}R", row + 1, col + 1));
            }
            _ => self.leave_unanswered(query("CSI", 0, what, b'n')),
        }
    }

    /// DECDSR, `CSI ? n n`: DEC's status reports.
    pub(super) fn decdsr(&mut self, what: u16, id: u16) {
        let answer = match what {
            6 => {
                let Pos { row, col } = self.relative();
                format!("?{};{};1R", row + 1, col + 1)
            }
            15 => "?13n".to_owned(),
            25 => "?20n".to_owned(),
            26 => "?27;1;0;0n".to_owned(),
            53 | 55 => "?53n".to_owned(),
            56 => "?57;1n".to_owned(),
            62 => "0*{".to_owned(),
            63 => {
                self.reply_dcs(&format!("{id}!~0000"));
                return;
            }
            75 => "?70n".to_owned(),
            85 => "?83n".to_owned(),
            996 => "?997;1n".to_owned(),
            _ => return self.leave_unanswered(query("CSI", b'?', what, b'n')),
        };
        self.reply_csi(&answer);
    }

    /// DECRQM, `CSI n $ p` and `CSI ? n $ p`: is this mode set? 1 set, 2 reset, 4 never, 0 not known.
    pub(super) fn decrqm(&mut self, number: u16, private: bool) {
        let state = if private {
            self.private_mode_state(number)
                .map(|on| if on { 1 } else { 2 })
        } else {
            match number {
                1 | 5 | 7 | 10 | 11 | 13..=19 => Some(4),
                _ => Mode::numbered(number, false)
                    .map(|mode| if self.modes.has(mode) { 1 } else { 2 }),
            }
        };
        let mark = if private { "?" } else { "" };
        self.reply_csi(&format!("{mark}{number};{}$y", state.unwrap_or(0)));
    }

    /// DECREQTPARM, `CSI n x`: terminal parameters?
    pub(super) fn decreqtparm(&mut self, what: u16) {
        if what <= 1 {
            self.reply_csi(&format!("{};1;1;128;128;1;0x", what + 2));
        }
    }

    /// DECRQCRA, `CSI id ; page ; area * y`: the negated sum of the area's character codes.
    pub(super) fn decrqcra(&mut self, id: u16, area: Area) {
        let mut sum = 0_u16;
        if let Some(span) = self.area(area) {
            for row in span.top..=span.bottom {
                for cell in
                    &self.grid.row(row).cells()[usize::from(span.left)..=usize::from(span.right)]
                {
                    let code = match cell.glyph() {
                        Glyph::Unset => 0x20,
                        Glyph::Char(ch) => u32::from(ch),
                        Glyph::Cluster(number) => {
                            let text = self.clusters.get(number);
                            text.map_or(0, |text| {
                                text.chars().map(u32::from).fold(0, u32::wrapping_add)
                            })
                        }
                    };
                    let [low, high, ..] = code.to_le_bytes();
                    sum = sum.wrapping_add(u16::from_le_bytes([low, high]));
                }
            }
        }
        // XTCHECKSUM's lowest bit: as it is, not negated.
        let sum = if self.checksum & 1 != 0 {
            sum
        } else {
            sum.wrapping_neg()
        };
        self.reply_dcs(&format!("{id}!~{sum:04X}"));
    }

    /// `CSI ? u`: which kitty keyboard flags?
    pub(super) fn kitty_query(&mut self) {
        let flags = self.modes.kitty_keyboard;
        self.reply_csi(&format!("?{flags}u"));
    }

    fn kitty_stack(&mut self) -> &mut Vec<u8> {
        &mut self.kitty[usize::from(self.on_alternate)]
    }

    /// `CSI > flags u`: push kitty keyboard flags.
    pub(super) fn kitty_push(&mut self, flags: u16) {
        let now = self.modes.kitty_keyboard;
        let stack = self.kitty_stack();
        if stack.len() >= super::STACK_MAX {
            stack.remove(0);
        }
        stack.push(now);
        self.modes.kitty_keyboard = flags.to_le_bytes()[0] & 31;
    }

    /// `CSI < n u`: pop kitty keyboard flags.
    pub(super) fn kitty_pop(&mut self, count: u16) {
        for _ in 0..count.min(64) {
            self.modes.kitty_keyboard = self.kitty_stack().pop().unwrap_or(0);
        }
    }

    /// `CSI = flags ; how u`: set (1), add (2) or remove (3) kitty keyboard flags.
    pub(super) fn kitty_set(&mut self, flags: u16, how: u16) {
        let flags = flags.to_le_bytes()[0] & 31;
        let now = &mut self.modes.kitty_keyboard;
        match how {
            1 => *now = flags,
            2 => *now |= flags,
            3 => *now &= !flags,
            _ => {}
        }
    }

    /// XTMODKEYS, `CSI > resource ; value m`.
    pub(super) fn xtmodkeys(&mut self, resource: u16, value: Option<u16>) {
        match (resource, value) {
            (4, value) => self.modes.modify_other_keys = value.unwrap_or(0).min(2).to_le_bytes()[0],
            (0, None) => self.modes.modify_other_keys = 0,
            _ => {}
        }
    }

    /// XTQMODKEYS, `CSI ? resource m`.
    pub(super) fn xtqmodkeys(&mut self, resource: u16) {
        let value = if resource == 4 {
            self.modes.modify_other_keys
        } else {
            2
        };
        self.reply_csi(&format!(">{resource};{value}m"));
    }
}

/// The name of a query.
pub(super) fn query(family: &'static str, mark: u8, number: u16, last: u8) -> Name {
    Name {
        family,
        marks: [mark, 0],
        last,
        number: Some(number),
    }
}
