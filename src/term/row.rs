//! A row of cells with its soft-wrap mark, and the packed form in which scrollback keeps rows.

use super::cell::{Breadth, Cell, Glyph};
use super::pen::{Attrs, Ink, Pen};

/// A row of the grid: always as many cells as the grid has columns.
#[derive(Clone, Debug)]
pub struct Row {
    cells: Vec<Cell>,
    /// Whether the line goes on in the next row.
    pub wrapped: bool,
    /// What may be found in it, since it was cleared.
    marks: Marks,
    /// From this column on all cells are as in the beginning.
    touched: u16,
    /// The stream's offset behind the byte for which something was last printed here.
    written: u64,
}

/// What may be found in a row. A row without any of it is scanned, erased and packed faster.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks(u8);

impl Marks {
    const NONE: Self = Self(0);
    const ALL: Self = Self(3);
    /// A cell with another pen than the default one.
    const STYLED: u8 = 1;
    /// A cell with another text than one ASCII character, halves among them.
    const UNICODE: u8 = 2;

    /// ASCII with this pen.
    #[inline]
    pub(super) fn ascii(pen: Pen) -> Self {
        Self(u8::from(pen.any() != 0) * Self::STYLED)
    }

    /// Any text with this pen.
    #[inline]
    pub(super) fn unicode(pen: Pen) -> Self {
        Self(Self::ascii(pen).0 | Self::UNICODE)
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells && self.wrapped == other.wrapped
    }
}

impl Eq for Row {}

impl Row {
    /// A row of `cols` cells like `blank`.
    pub fn new(cols: u16, blank: Cell) -> Self {
        let mut row = Self {
            cells: vec![Cell::default(); usize::from(cols)],
            wrapped: false,
            marks: Marks::NONE,
            touched: 0,
            written: 0,
        };
        row.clear(blank);
        row
    }

    pub(super) fn from_cells(mut cells: Vec<Cell>, cols: u16, wrapped: bool) -> Self {
        cells.resize(usize::from(cols), Cell::default());
        let mut row = Self {
            cells,
            wrapped,
            marks: Marks::ALL,
            touched: cols,
            written: 0,
        };
        row.heal(usize::from(cols));
        row.blank_stray_tail();
        row
    }

    /// The cells.
    #[inline]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cells, to be changed in any way.
    #[inline]
    pub(super) fn cells_mut(&mut self) -> &mut [Cell] {
        self.marks = Marks::ALL;
        self.touched = u16::try_from(self.cells.len()).unwrap_or(u16::MAX);
        &mut self.cells
    }

    /// The stream's offset behind the byte for which something was last printed here.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The cells from `from` up to `end`, to be overwritten with what `marks` says because of the byte
    /// at the offset `at`; what they were halves of becomes blank.
    #[inline]
    pub(super) fn write(&mut self, from: usize, end: usize, marks: Marks, at: u64) -> &mut [Cell] {
        self.written = at + 1;
        self.split_at(from);
        self.split_at(end);
        self.marks.0 |= marks.0;
        let [low, high, ..] = end.to_le_bytes();
        self.touched = self.touched.max(u16::from_le_bytes([low, high]));
        &mut self.cells[from..end]
    }

    /// Makes every cell like `blank` and takes the wrap mark off.
    pub(super) fn clear(&mut self, blank: Cell) {
        self.wrapped = false;
        self.written = 0;
        if blank.is_untouched() {
            self.cells[..usize::from(self.touched)].fill(blank);
            self.marks = Marks::NONE;
            self.touched = 0;
        } else {
            self.cells_mut().fill(blank);
            self.marks = Marks(Marks::STYLED);
        }
    }

    /// Makes the cells from `from` up to `end` like `blank`, save those that SPA guards.
    pub(super) fn erase(&mut self, from: usize, end: usize, blank: Cell) {
        self.split_at(from);
        self.split_at(end);
        let styled = self.marks.0 & Marks::STYLED != 0;
        if styled && self.cells[from..end].iter().any(Cell::is_guarded) {
            let open = self.cells_mut()[from..end].iter_mut();
            for cell in open.filter(|cell| !cell.is_guarded()) {
                *cell = blank;
            }
        } else if blank.is_untouched() {
            let touched = usize::from(self.touched);
            let to = end.min(touched);
            if from < to {
                self.cells[from..to].fill(blank);
            }
            if end >= touched && from < touched {
                self.touched = u16::try_from(from).unwrap_or(u16::MAX);
            }
        } else {
            let written = self.written;
            self.write(from, end, Marks(Marks::STYLED), 0).fill(blank);
            self.written = written;
        }
    }

    pub(super) fn resize(&mut self, cols: u16, blank: Cell) {
        self.cells.resize(usize::from(cols), blank);
        self.marks = Marks::ALL;
        self.touched = cols;
        self.heal(usize::from(cols));
        self.wrapped = false;
    }

    /// Before what begins at `col` is overwritten, shifted or erased: a wide character that lies
    /// across that edge becomes two blanks.
    #[inline]
    pub(super) fn split_at(&mut self, col: usize) {
        if self.marks.0 & Marks::UNICODE != 0 {
            self.split_halves(col);
        }
    }

    fn split_halves(&mut self, col: usize) {
        if self
            .cells
            .get(col)
            .is_some_and(|cell| cell.breadth() == Breadth::Tail)
        {
            self.cells[col] = Cell::blank(self.cells[col].pen.erased());
            if col > 0 {
                self.cells[col - 1] = Cell::blank(self.cells[col - 1].pen);
            }
        }
    }

    /// After cells were cut off or moved: a head without its tail before `end` becomes a blank.
    pub(super) fn heal(&mut self, end: usize) {
        if end > 0 && self.cells[end - 1].breadth() == Breadth::Head {
            self.cells[end - 1] = Cell::blank(self.cells[end - 1].pen);
        }
    }

    /// After cells were cut off at the left: a tail without its head becomes a blank.
    pub(super) fn blank_stray_tail(&mut self) {
        if self.cells[0].breadth() == Breadth::Tail {
            self.cells[0] = Cell::blank(self.cells[0].pen);
        }
    }

    /// How many cells there are up to the last one that is not as in the beginning.
    pub fn used(&self) -> usize {
        self.cells[..usize::from(self.touched)]
            .iter()
            .rposition(|cell| !cell.is_untouched())
            .map_or(0, |last| last + 1)
    }
}

const WRAPPED: u8 = 1;
const ASCII: u8 = 2;
const PLAIN: u8 = 4;

/// A row without its trailing blanks, in as few bytes as it needs: a flag byte; runs of equal pens
/// (a count of runs, then length and pen of each) unless all have the default pen; then a byte a
/// cell if all are ASCII, else four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packed(Box<[u8]>);

impl Packed {
    /// Packs `row`, using `scratch` so that only the result is allocated.
    pub(super) fn pack(row: &Row, scratch: &mut Vec<u8>) -> Self {
        let cells = if row.wrapped {
            row.cells()
        } else {
            &row.cells()[..row.used()]
        };
        let ascii = row.marks.0 & Marks::UNICODE == 0
            || cells.iter().fold(0, |bits, cell| bits | cell.bits()) < 0x80;
        let default = Pen::default();
        let plain =
            row.marks.0 & Marks::STYLED == 0 || cells.iter().all(|cell| cell.pen == default);
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        scratch.clear();
        scratch.push(flag(row.wrapped, WRAPPED) | flag(ascii, ASCII) | flag(plain, PLAIN));
        if !plain {
            put_runs(cells, scratch);
        }
        let start = scratch.len();
        if ascii {
            scratch.resize(start + cells.len(), 0);
            for (byte, cell) in scratch[start..].iter_mut().zip(cells) {
                *byte = cell.bits().to_le_bytes()[0];
            }
        } else {
            scratch.resize(start + 4 * cells.len(), 0);
            let words = scratch[start..].as_chunks_mut::<4>().0;
            for (word, cell) in words.iter_mut().zip(cells) {
                *word = cell.bits().to_le_bytes();
            }
        }
        Self(scratch.as_slice().into())
    }

    /// Whether the line goes on in the next row.
    pub(super) fn wrapped(&self) -> bool {
        self.0[0] & WRAPPED != 0
    }

    /// How many cells it has.
    pub(super) fn len(&self) -> usize {
        let text = self.text().len();
        if self.0[0] & ASCII != 0 {
            text
        } else {
            text / 4
        }
    }

    fn runs(&self) -> &[u8] {
        if self.0[0] & PLAIN != 0 {
            return &[];
        }
        let count = usize::from(u16::from_le_bytes([self.0[1], self.0[2]]));
        &self.0[3..3 + count * RUN]
    }

    fn text(&self) -> &[u8] {
        match self.runs() {
            [] if self.0[0] & PLAIN != 0 => &self.0[1..],
            runs => &self.0[3 + runs.len()..],
        }
    }

    /// Appends its cells to `cells`.
    pub(super) fn unpack(&self, cells: &mut Vec<Cell>) {
        let start = cells.len();
        let text = self.text();
        if self.0[0] & ASCII != 0 {
            cells.extend(
                text.iter()
                    .map(|byte| Cell::from_bits(u32::from(*byte), Pen::default())),
            );
        } else {
            let (words, _) = text.as_chunks::<4>();
            cells.extend(
                words
                    .iter()
                    .map(|word| Cell::from_bits(u32::from_le_bytes(*word), Pen::default())),
            );
        }
        let mut at = start;
        for run in self.runs().as_chunks::<RUN>().0 {
            let len = usize::from(u16::from_le_bytes([run[0], run[1]]));
            let pen = take_pen(run);
            for cell in cells.iter_mut().skip(at).take(len) {
                cell.pen = pen;
            }
            at += len;
        }
    }
}

const RUN: usize = 2 + 12;

fn small(value: usize) -> [u8; 2] {
    u16::try_from(value).unwrap_or(u16::MAX).to_le_bytes()
}

/// Appends how many runs of equal pens there are, and each one's length and pen.
fn put_runs(cells: &[Cell], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0; 2]);
    let mut count = 0_u16;
    let mut rest = cells;
    while let Some(first) = rest.first() {
        let pen = first.pen;
        let same = rest.iter().position(|cell| cell.pen != pen);
        let (run, later) = rest.split_at(same.unwrap_or(rest.len()));
        let [fg, bg] = pen.inks();
        let mut packed = [0; RUN];
        packed[..2].copy_from_slice(&small(run.len()));
        packed[2..6].copy_from_slice(&fg.bits().to_le_bytes());
        packed[6..10].copy_from_slice(&bg.bits().to_le_bytes());
        packed[10..12].copy_from_slice(&pen.attrs.bits().to_le_bytes());
        packed[12..].copy_from_slice(&pen.extra.to_le_bytes());
        out.extend_from_slice(&packed);
        count += 1;
        rest = later;
    }
    out[start..start + 2].copy_from_slice(&count.to_le_bytes());
}

fn take_pen(run: &[u8; RUN]) -> Pen {
    let ink = |at: usize| {
        Ink::from_bits(u32::from_le_bytes([
            run[at],
            run[at + 1],
            run[at + 2],
            run[at + 3],
        ]))
    };
    let attrs = Attrs::from_bits(u16::from_le_bytes([run[10], run[11]]));
    Pen::packed(
        [ink(2), ink(6)],
        attrs,
        u16::from_le_bytes([run[12], run[13]]),
    )
}

/// What `cell` names in the pool of clusters, or 0.
pub(super) fn cluster_of(cell: Cell) -> u32 {
    match cell.glyph() {
        Glyph::Cluster(number) => number,
        _ => 0,
    }
}
