//! A row of cells with its soft-wrap mark, and the packed form in which scrollback keeps rows.

use super::cell::{Breadth, Cell, Glyph};
use super::pen::{Attrs, Ink, Pen};

/// A row of the grid: always as many cells as the grid has columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    cells: Vec<Cell>,
    /// Whether the line goes on in the next row.
    pub wrapped: bool,
}

impl Row {
    /// A row of `cols` cells like `blank`.
    pub fn new(cols: u16, blank: Cell) -> Self {
        Self {
            cells: vec![blank; usize::from(cols)],
            wrapped: false,
        }
    }

    pub(super) fn from_cells(mut cells: Vec<Cell>, cols: u16, wrapped: bool) -> Self {
        cells.resize(usize::from(cols), Cell::default());
        let mut row = Self { cells, wrapped };
        row.heal(usize::from(cols));
        row.blank_stray_tail();
        row
    }

    /// The cells.
    #[inline]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    #[inline]
    pub(super) fn cells_mut(&mut self) -> &mut [Cell] {
        &mut self.cells
    }

    /// Makes every cell like `blank` and takes the wrap mark off.
    pub(super) fn clear(&mut self, blank: Cell) {
        self.cells.fill(blank);
        self.wrapped = false;
    }

    pub(super) fn resize(&mut self, cols: u16, blank: Cell) {
        self.cells.resize(usize::from(cols), blank);
        self.heal(usize::from(cols));
        self.wrapped = false;
    }

    /// Before what begins at `col` is overwritten, shifted or erased: a wide character that lies
    /// across that edge becomes two blanks.
    #[inline]
    pub(super) fn split_at(&mut self, col: usize) {
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

    /// After the cell left of `col` was overwritten: a tail that lost its head becomes a blank.
    pub(super) fn drop_tail_at(&mut self, col: usize) {
        if let Some(cell) = self
            .cells
            .get_mut(col)
            .filter(|cell| cell.breadth() == Breadth::Tail)
        {
            *cell = Cell::blank(cell.pen.erased());
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
        self.cells
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
        let (bits, drawn) = cells.iter().fold((0, 0), |(bits, drawn), cell| {
            (bits | cell.bits(), drawn | cell.pen.any())
        });
        let pens = drawn == 0;
        let ascii = bits < 0x80;
        scratch.clear();
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        scratch.push(flag(row.wrapped, WRAPPED) | flag(ascii, ASCII) | flag(pens, PLAIN));
        if !pens {
            let runs = || cells.chunk_by(|a, b| a.pen == b.pen);
            scratch.extend(small(runs().count()));
            for run in runs() {
                scratch.extend(small(run.len()));
                put_pen(run[0].pen, scratch);
            }
        }
        if ascii {
            scratch.extend(cells.iter().map(|cell| cell.bits().to_le_bytes()[0]));
        } else {
            scratch.extend(cells.iter().flat_map(|cell| cell.bits().to_le_bytes()));
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

fn put_pen(pen: Pen, out: &mut Vec<u8>) {
    for ink in pen.inks() {
        out.extend(ink.bits().to_le_bytes());
    }
    out.extend(pen.attrs.bits().to_le_bytes());
    out.extend(pen.extra.to_le_bytes());
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
