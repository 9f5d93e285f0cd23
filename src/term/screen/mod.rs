//! The screen: what stands on the display, and every control function that changes it, split by
//! family. Rows and columns are zero-based. The reference is xterm where programs can tell.

mod cursor;
mod edit;
mod erase;
mod osc;
mod print;
mod query;
mod rect;
mod report;
mod resize;
mod scroll;
mod state;
mod status;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cell::Cell;
use super::charset::Charsets;
use super::decode::Sink;
use super::function::{Function, Name};
use super::geometry::{Pos, Size};
use super::grid::{Grid, Span};
use super::history::History;
use super::mode::{Mode, Modes};
use super::pen::{Color, Pen};
use super::pool::{Extra, Link, Pool};
use super::tabs::Tabs;
use super::trail::Trail;

pub use osc::Palette;
pub use query::{CursorShape, Shape};

/// How many kinds of unknown sequences are told apart; more are counted together.
const UNHANDLED_MAX: usize = 256;

/// The cursor and what is saved with it.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    row: u16,
    col: u16,
    /// The last column was written, and the next character wraps.
    pending: bool,
    pen: Pen,
    charsets: Charsets,
    origin: bool,
}

/// Where the alternate screen as it was last left stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Never,
    InOther,
    InSpare,
}

/// What XTPUSHSGR keeps, and how deep such stacks are.
const STACK_MAX: usize = 16;

/// What stands on the display.
pub struct Screen {
    grid: Grid,
    /// The other one of primary and alternate screen.
    other: Grid,
    /// Where the alternate screen as it was last left stands.
    left: Left,
    spare: Option<Grid>,
    on_alternate: bool,
    history: History,
    cursor: Cursor,
    /// DECSC's memory: of the screen in use, and of the other one.
    saved: Cursor,
    other_saved: Cursor,
    /// The scroll region.
    margins: Span,
    modes: Modes,
    saved_modes: BTreeMap<u16, bool>,
    tabs: Tabs,
    shape: CursorShape,
    /// Where the last character went, while a combining one would join it.
    last: Option<Pos>,
    /// The last printed character, for REP.
    repeat: Option<char>,
    clusters: Pool<Arc<str>>,
    extras: Pool<Extra>,
    link: Option<Arc<Link>>,
    title: String,
    icon: String,
    titles: Vec<(String, String)>,
    pens: Vec<(Pen, Option<Color>)>,
    kitty: [Vec<u8>; 2],
    /// The kitty keyboard flags of the screen that is not shown.
    other_kitty: u8,
    palette: Palette,
    clipboard: Vec<u8>,
    replies: Vec<u8>,
    unhandled: BTreeMap<Name, u64>,
    unanswered: Vec<String>,
    level: u16,
    eight_bit: bool,
    /// DECSACE's value.
    extent: u16,
    /// Bit 0: titles are set in hex; bit 1: they are told so.
    title_modes: u8,
    window: status::Window,
    palettes: Vec<Palette>,
    checksum: u16,
    scratch: String,
    classes: super::width::Classes,
    trail: Trail,
}

impl Screen {
    pub(super) fn new(size: Size, scrollback: usize) -> Self {
        Self {
            grid: Grid::new(size),
            other: Grid::new(size),
            left: Left::Never,
            spare: None,
            on_alternate: false,
            history: History::new(scrollback, size.cols),
            cursor: Cursor::default(),
            saved: Cursor::default(),
            other_saved: Cursor::default(),
            margins: full(size),
            modes: Modes::default(),
            saved_modes: BTreeMap::new(),
            tabs: Tabs::new(size.cols),
            shape: CursorShape::default(),
            last: None,
            repeat: None,
            clusters: Pool::new(1 << 16),
            extras: Pool::new(usize::from(u16::MAX)),
            link: None,
            title: String::new(),
            icon: String::new(),
            titles: Vec::new(),
            pens: Vec::new(),
            kitty: [Vec::new(), Vec::new()],
            other_kitty: 0,
            palette: Palette::default(),
            clipboard: Vec::new(),
            replies: Vec::new(),
            unhandled: BTreeMap::new(),
            unanswered: Vec::new(),
            level: 64,
            eight_bit: false,
            extent: 0,
            title_modes: 0,
            window: status::Window::default(),
            palettes: Vec::new(),
            checksum: 0,
            scratch: String::new(),
            classes: super::width::Classes::new(),
            trail: Trail::new(size.cols),
        }
    }

    pub(super) fn trail_mut(&mut self) -> &mut Trail {
        &mut self.trail
    }

    /// Where the trail stands: the logical line and column of the cursor.
    pub(super) fn trail_here(&self) -> (u64, u32) {
        self.trail.here(self.cursor.col, self.cursor.pending)
    }

    pub(super) fn take_replies(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.replies)
    }

    /// Counts a sequence that is not known.
    fn unknown(&mut self, name: Name) {
        let name = if self.unhandled.len() >= UNHANDLED_MAX && !self.unhandled.contains_key(&name) {
            Name {
                family: "other",
                marks: [0; 2],
                last: 0,
                number: None,
            }
        } else {
            name
        };
        *self.unhandled.entry(name).or_default() += 1;
    }

    fn last_row(&self) -> u16 {
        self.size().rows - 1
    }

    fn last_col(&self) -> u16 {
        self.size().cols - 1
    }

    /// What an erased cell becomes.
    #[inline]
    fn blank(&self) -> Cell {
        Cell::blank(self.cursor.pen.erased())
    }

    /// Forgets that the next character would wrap, and where the last one went.
    #[inline]
    fn reset_wrap(&mut self) {
        self.cursor.pending = false;
        self.last = None;
    }

    /// Whether the cursor is inside the left and right margins.
    fn inside_cols(&self) -> bool {
        (self.margins.left..=self.margins.right).contains(&self.cursor.col)
    }

    fn inside_rows(&self) -> bool {
        (self.margins.top..=self.margins.bottom).contains(&self.cursor.row)
    }

    /// Tells the trail that the cells of `span` are about to be wiped or moved.
    #[inline]
    fn wipe(&mut self, span: Span, at: u64) {
        if self.trail.is_on() {
            self.trail.wipe(
                i32::from(span.top) - i32::from(self.cursor.row),
                i32::from(span.bottom) - i32::from(self.cursor.row),
                span.left,
                span.right,
                at,
            );
        }
    }

    /// Makes room in the pools: forgets what no cell names any more.
    #[cold]
    fn sweep(&mut self) {
        let mut clusters = vec![false; 1 << 16 | 1];
        let mut extras = vec![false; 1 << 16];
        let mut see = |cells: &[Cell]| {
            for cell in cells {
                let cluster = super::row::cluster_of(*cell) as usize;
                if let Some(used) = clusters.get_mut(cluster) {
                    *used = true;
                }
                extras[usize::from(cell.pen.extra)] = true;
            }
        };
        let grids = [Some(&self.grid), Some(&self.other), self.spare.as_ref()];
        for row in grids.into_iter().flatten().flat_map(Grid::rows) {
            see(row.cells());
        }
        self.history.lines(|cells, _| see(cells));
        let pens = [self.cursor.pen, self.saved.pen, self.other_saved.pen];
        for pen in pens.iter().chain(self.pens.iter().map(|(pen, _)| pen)) {
            extras[usize::from(pen.extra)] = true;
        }
        self.clusters
            .retain(|number| clusters.get(number as usize) == Some(&true));
        self.extras
            .retain(|number| extras.get(number as usize) == Some(&true));
    }

    /// Gives the pen the hyperlink in force and this underline colour.
    fn set_extra(&mut self, underline: Color) {
        let extra = Extra {
            underline,
            link: self.link.clone(),
        };
        if extra == Extra::default() {
            self.cursor.pen.extra = 0;
            return;
        }
        let mut number = self.extras.number(&extra);
        if number.is_none() {
            self.sweep();
            number = self.extras.number(&extra);
        }
        self.cursor.pen.extra = number
            .and_then(|number| u16::try_from(number).ok())
            .unwrap_or(0);
    }

    fn underline_color(&self) -> Color {
        self.extras
            .get(u32::from(self.cursor.pen.extra))
            .map_or(Color::Default, |extra| extra.underline)
    }
}

/// The whole of a screen.
fn full(size: Size) -> Span {
    Span {
        top: 0,
        bottom: size.rows - 1,
        left: 0,
        right: size.cols - 1,
    }
}

impl Sink for Screen {
    #[inline]
    fn ascii(&mut self, at: u64, bytes: &[u8]) {
        if self.cursor.charsets.is_plain() && !self.modes.has(Mode::Irm) {
            self.print_ascii(at, bytes);
        } else {
            self.print_mapped(at, bytes);
        }
    }

    fn print(&mut self, at: u64, text: &str) {
        self.print_text(at, text);
    }

    #[inline]
    fn character(&mut self, at: u64, ch: char) {
        self.print_char(at, ch, true);
    }

    fn replacement(&mut self, at: u64) {
        self.print_char(at, char::REPLACEMENT_CHARACTER, false);
    }

    #[inline]
    fn execute(&mut self, at: u64, function: Function<'_>) {
        match function {
            Function::Sgr(params) => {
                self.repeat = None;
                self.sgr(params);
            }
            Function::Cup { row, col } => {
                self.repeat = None;
                let before = self.cursor.row;
                self.cup(row, col);
                self.moved(before, at);
            }
            function => self.run(at, function),
        }
    }
}

impl Screen {
    /// Acts on a control function, and tells the trail where that led.
    #[inline(never)]
    fn run(&mut self, at: u64, function: Function<'_>) {
        use Function as F;
        let row = self.cursor.row;
        if !matches!(function, F::Rep(_)) {
            self.repeat = None;
        }
        self.act(at, function);
        // A line feed told the trail itself, and so did what wraps.
        let told = matches!(
            function,
            F::Lf | F::Vt | F::Ff | F::Ind | F::Nel | F::Ht | F::Rep(_)
        );
        if !told {
            self.moved(row, at);
        }
    }

    /// Tells the trail that the cursor came from the row `from`.
    #[inline]
    fn moved(&mut self, from: u16, at: u64) {
        if self.cursor.row != from && self.trail.is_on() {
            let rows = i32::from(self.cursor.row) - i32::from(from);
            self.trail.row_changed(rows, at);
        }
    }

    /// Acts on a control function: one exhaustive match, each family in its own file.
    #[expect(clippy::too_many_lines, reason = "one line for each control function")]
    fn act(&mut self, at: u64, function: Function<'_>) {
        use Function as F;
        match function {
            F::Bel | F::Nop | F::Enq | F::Lsr(_) => {}
            F::Bs => self.bs(),
            F::Ht => self.ht(at),
            F::Lf | F::Vt | F::Ff => self.lf(at),
            F::Cr => self.cr(),
            F::So => self.cursor.charsets.lock(1),
            F::Si => self.cursor.charsets.lock(0),
            F::Ind => self.ind(at),
            F::Nel => self.nel(at),
            F::Hts => self.tabs.set(self.cursor.col, true),
            F::Ri => self.ri(at),
            F::Ss2 => self.cursor.charsets.single(2),
            F::Ss3 => self.cursor.charsets.single(3),
            F::Spa => self.cursor.pen.attrs.set(super::pen::Attrs::GUARDED, true),
            F::Epa => self.cursor.pen.attrs.set(super::pen::Attrs::GUARDED, false),
            F::Decid | F::Da1 => self.da1(),
            F::Decbi => self.decbi(at),
            F::Decsc => self.decsc(),
            F::Decrc | F::Scorc => self.decrc(),
            F::Decfi => self.decfi(at),
            F::Deckpam => self.modes.set(Mode::Decnkm, true),
            F::Deckpnm => self.modes.set(Mode::Decnkm, false),
            F::Ris => self.ris(at),
            F::Ls(slot) => self.cursor.charsets.lock(slot),
            F::Decaln => self.decaln(at),
            F::S8c1t(on) => self.eight_bit = on,
            F::Scs { slot, wide, set } => {
                self.cursor
                    .charsets
                    .designate(slot, super::charset::Charset::named(wide, set));
            }
            F::Ich(count) => self.ich(count, at),
            F::Sl(count) => self.sl(count, at),
            F::Cuu(count) => self.cuu(count),
            F::Sr(count) => self.sr(count, at),
            F::Cud(count) => self.cud(count),
            F::Cuf(count) => self.cuf(count),
            F::Cub(count) => self.cub(count),
            F::Cnl(count) => self.cnl(count),
            F::Cpl(count) => self.cpl(count),
            F::Cha(col) => self.cha(col),
            F::Cup { row, col } => self.cup(row, col),
            F::Cht(count) => self.cht(count),
            F::Ed(extent) => self.ed(extent, erase::What::Erase, at),
            F::Decsed(extent) => self.ed(extent, erase::What::Select, at),
            F::El(extent) => self.el(extent, erase::What::Erase, at),
            F::Decsel(extent) => self.el(extent, erase::What::Select, at),
            F::Il(count) => self.il(count, at),
            F::Dl(count) => self.dl(count, at),
            F::Dch(count) => self.dch(count, at),
            F::Su(count) => self.su(count, at),
            F::Sd(count) => self.sd(count, at),
            F::Ech(count) => self.ech(count, at),
            F::Cbt(count) => self.cbt(count),
            F::Hpr(count) => self.hpr(count),
            F::Rep(count) => self.rep(count, at),
            F::Vpa(row) => self.vpa(row),
            F::Vpr(count) => self.vpr(count),
            F::Tbc(which) => self.tbc(which),
            F::Sm(params) => self.ansi_modes(params, true),
            F::Rm(params) => self.ansi_modes(params, false),
            F::Decset(params) => self.private_modes(params, true, at),
            F::Decrst(params) => self.private_modes(params, false, at),
            F::Xtsave(params) => self.xtsave(params),
            F::Xtrestore(params) => self.xtrestore(params, at),
            F::Sgr(params) => self.sgr(params),
            F::Xtpushsgr => self.xtpushsgr(),
            F::Xtpopsgr => self.xtpopsgr(),
            F::Xtmodkeys { resource, value } => self.xtmodkeys(resource, value),
            F::Xtqmodkeys(resource) => self.xtqmodkeys(resource),
            F::Decstr => self.decstr(),
            F::Decscl { level, bits } => self.decscl(level, bits, at),
            F::Decscusr(shape) => self.decscusr(shape),
            F::Decsca(on) => self.decsca(on),
            F::Decstbm { top, bottom } => self.decstbm(top, bottom),
            F::Decslrm { left, right } => self.decslrm(left, right),
            F::Xttitle(params, on) => self.xttitle(params, on),
            F::Xtpushcolors => self.xtpushcolors(),
            F::Xtpopcolors => self.xtpopcolors(),
            F::Xtreportcolors => self.xtreportcolors(),
            F::Xtreportsgr(area) => self.xtreportsgr(area),
            F::Xtsmgraphics(item) => self.reply_csi(&format!("?{item};1;0S")),
            F::Decst8c => self.tabs = Tabs::new(self.size().cols),
            F::Decrqde => self.decrqde(),
            F::Decrqupss => self.reply_dcs("0!u%5"),
            F::Decrqlp => self.reply_csi("0&w"),
            F::Xtwinops(params) => self.xtwinops(params),
            F::Deccara(area, params) => self.deccara(area, params, rect::Change::Set),
            F::Decrara(area, params) => self.deccara(area, params, rect::Change::Reverse),
            F::Deccra { area, top, left } => self.deccra(area, top, left, at),
            F::Decfra { fill, area } => self.decfra(fill, area, at),
            F::Decera(area) => self.decera(area, erase::What::Erase, at),
            F::Decsera(area) => self.decera(area, erase::What::Select, at),
            F::Decsace(value) => self.extent = if value <= 2 { value } else { self.extent },
            F::Decic(count) => self.decic(count, at),
            F::Decdc(count) => self.decdc(count, at),
            F::Da2 => self.da2(),
            F::Da3 => self.da3(),
            F::Xtversion => self.xtversion(),
            F::Dsr(what) => self.dsr(what),
            F::Decdsr(what, id) => self.decdsr(what, id),
            // A VT220 does not know it.
            F::DecrqmAnsi(_) | F::Decrqm(_) if self.level < 63 => {}
            F::DecrqmAnsi(number) => self.decrqm(number, false),
            F::Decrqm(number) => self.decrqm(number, true),
            F::Decreqtparm(what) => self.decreqtparm(what),
            F::Decrqcra { id, area } => self.decrqcra(id, area),
            F::Xtchecksum(how) => self.checksum = how,
            F::Decrqpsr(what) => self.decrqpsr(what),
            F::KittyQuery => self.kitty_query(),
            F::KittyPush(flags) => self.kitty_push(flags),
            F::KittyPop(count) => self.kitty_pop(count),
            F::KittySet(flags, how) => self.kitty_set(flags, how),
            F::Osc { number, text, bel } => self.osc(number, text, bel),
            F::Decrqss(what) => self.decrqss(what),
            F::Xtgettcap(names) => self.xtgettcap(names),
            F::Decrsps(what, text) => self.decrsps(what, text),
            F::Unknown(name) => self.unknown(name),
        }
    }
}
