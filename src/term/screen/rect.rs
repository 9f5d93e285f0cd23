//! Rectangles: DECCARA, DECRARA, DECCRA, DECFRA, DECERA, DECSERA.

use super::erase::What;
use super::{Screen, full};
use crate::term::cell::Cell;
use crate::term::function::Area;
use crate::term::grid::Span;
use crate::term::params::Params;
use crate::term::pen::Attrs;

/// What DECCARA and DECRARA do with the attributes they name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Set,
    Reverse,
}

impl Screen {
    /// The cells that `area` means: relative to the margins in origin mode; nothing where it is empty.
    pub(super) fn area(&self, area: Area) -> Option<Span> {
        let within = if self.cursor.origin {
            self.margins
        } else {
            full(self.size())
        };
        let from = |value: u16, first: u16| first.saturating_add(value.max(1) - 1);
        let to = |value: u16, first: u16, last: u16| {
            if value == 0 {
                last
            } else {
                from(value, first).min(last)
            }
        };
        let span = Span {
            top: from(area.top, within.top),
            left: from(area.left, within.left),
            bottom: to(area.bottom, within.top, within.bottom),
            right: to(area.right, within.left, within.right),
        };
        (span.top <= span.bottom && span.left <= span.right).then_some(span)
    }

    /// DECERA, `CSI area $ z`, and DECSERA, `CSI area $ {`: erase an area; the former whatever
    /// guards it.
    pub(super) fn decera(&mut self, area: Area, what: What, at: u64) {
        let Some(span) = self.area(area) else { return };
        if what == What::Erase {
            self.unguard(span);
        }
        self.erase(span, what, at);
    }

    fn unguard(&mut self, span: Span) {
        for row in span.top..=span.bottom {
            for cell in self.grid.row_mut(row).cells_mut()
                [usize::from(span.left)..=usize::from(span.right)]
                .iter_mut()
                .filter(|cell| cell.is_guarded())
            {
                cell.pen.attrs.set(Attrs::GUARDED, false);
            }
        }
    }

    /// DECFRA, `CSI char ; area $ x`: fill an area with a character.
    pub(super) fn decfra(&mut self, fill: u16, area: Area, at: u64) {
        let Some(span) = self.area(area) else { return };
        let Ok(byte @ (0x20..=0x7e | 0xa0..=0xff)) = u8::try_from(fill) else {
            return;
        };
        self.unguard(span);
        self.erase(span, What::Erase, at);
        let ch = if byte < 0x80 {
            self.cursor.charsets.next().map(char::from(byte))
        } else {
            char::from(byte)
        };
        let glyph = crate::term::cell::Glyph::Char(ch);
        let cell = Cell::new(glyph, crate::term::cell::Breadth::Narrow, self.cursor.pen);
        for row in span.top..=span.bottom {
            self.grid.row_mut(row).cells_mut()[usize::from(span.left)..=usize::from(span.right)]
                .fill(cell);
        }
    }

    /// DECCRA, `CSI area ; page ; top ; left ; page $ v`: copy an area.
    pub(super) fn deccra(&mut self, area: Area, top: u16, left: u16, at: u64) {
        let Some(from) = self.area(area) else { return };
        let corner = Area {
            top,
            left,
            bottom: 0,
            right: 0,
        };
        let Some(to) = self.area(corner) else { return };
        let rows = (from.bottom - from.top).min(to.bottom - to.top);
        let cols = (from.right - from.left).min(to.right - to.left);
        let to = Span {
            bottom: to.top + rows,
            right: to.left + cols,
            ..to
        };
        self.wipe(to, at);
        let mut copied: Vec<Vec<Cell>> = Vec::new();
        for row in from.top..=from.top + rows {
            let cells = self.grid.row(row).cells();
            copied.push(cells[usize::from(from.left)..=usize::from(from.left + cols)].to_vec());
        }
        for (row, mut cells) in (to.top..=to.bottom).zip(copied) {
            // Halves whose other half was not copied become blanks.
            let mut part =
                crate::term::row::Row::from_cells(std::mem::take(&mut cells), cols + 1, false);
            part.blank_stray_tail();
            let row = self.grid.row_mut(row);
            row.split_at(usize::from(to.left));
            row.split_at(usize::from(to.right) + 1);
            row.cells_mut()[usize::from(to.left)..=usize::from(to.right)]
                .copy_from_slice(part.cells());
        }
    }

    /// DECCARA, `CSI area ; sgr $ r`, and DECRARA, `CSI area ; sgr $ t`: attributes in an area.
    pub(super) fn deccara(&mut self, area: Area, params: Params<'_>, change: Change) {
        let Some(span) = self.area(area) else { return };
        let mut codes: Vec<u16> = params.values().skip(4).collect();
        if codes.is_empty() {
            codes.push(0);
        }
        let last = self.last_col();
        for row in span.top..=span.bottom {
            let (mut left, mut right) = (span.left, span.right);
            if self.extent < 2 {
                left = if row == span.top { span.left } else { 0 };
                right = if row == span.bottom { span.right } else { last };
            }
            for cell in
                &mut self.grid.row_mut(row).cells_mut()[usize::from(left)..=usize::from(right)]
            {
                for code in &codes {
                    change_attrs(&mut cell.pen.attrs, *code, change);
                }
            }
        }
    }
}

fn change_attrs(attrs: &mut Attrs, code: u16, change: Change) {
    let simple = Attrs::RECTANGULAR;
    match (code, change) {
        (0, Change::Set) => {
            for (_, attr) in simple {
                attrs.set(attr, false);
            }
            attrs.set_underline(0);
        }
        (0, Change::Reverse) => {
            for (_, attr) in simple {
                attrs.toggle(attr);
            }
            attrs.set_underline(u8::from(attrs.underline() == 0));
        }
        (4, Change::Set) => attrs.set_underline(1),
        (24, Change::Set) => attrs.set_underline(0),
        (4, Change::Reverse) => attrs.set_underline(u8::from(attrs.underline() == 0)),
        (22..=28, Change::Set) => {
            let wanted = if code == 22 { 1 } else { code - 20 };
            for (_, attr) in simple.iter().filter(|(code, _)| *code == wanted) {
                attrs.set(*attr, false);
            }
        }
        _ => {
            for (_, attr) in simple.iter().filter(|(known, _)| *known == code) {
                match change {
                    Change::Set => attrs.set(*attr, true),
                    Change::Reverse => attrs.toggle(*attr),
                }
            }
        }
    }
}
