//! Where the characters of an echo stand on the screen.
//!
//! A *spot* is the column counted on over the rows, from the row of the place where the echo begins: the
//! rows of the screen, not the logical lines, because some programs move to the next row by themselves.
//! Without the screen's width there is one row without end.

use unicode_segmentation::UnicodeSegmentation;

use crate::term::width;

/// The lines of what was typed, laid out.
#[derive(Debug)]
pub(super) struct Layout {
    width: u32,
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    text: String,
    /// For each cluster its spot and where it begins in the text.
    cells: Vec<(u32, usize)>,
    start: u32,
    end: u32,
}

/// How a version of a line stands to the echo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// Which bytes of the version are the echo.
    pub start: usize,
    /// Where they end.
    pub end: usize,
    /// Up to which spot the echo is shown now.
    pub reached: u32,
    /// What stands right after its end.
    pub next: Option<char>,
}

impl Layout {
    /// Lays out `sent` from the spot `start` on; its further lines begin at the column `indent`.
    pub(super) fn new(sent: &str, start: u32, indent: u32, width: u32) -> Self {
        let mut lines: Vec<Line> = Vec::new();
        for text in sent.split('\n') {
            let start = match lines.last() {
                Some(last) => (last.end / width.max(1) + 1) * width + indent,
                None => start,
            };
            let mut walk = Walk { spot: start, width };
            let cells = text
                .grapheme_indices(true)
                .map(|(at, cluster)| (walk.step(cluster), at))
                .collect();
            lines.push(Line {
                text: text.to_owned(),
                cells,
                start,
                end: walk.spot,
            });
        }
        Self { width, lines }
    }

    /// The row of its last character.
    pub(super) fn last_row(&self) -> u32 {
        let end = self.lines.last().map_or(0, |line| line.end);
        end.checked_div(self.width).unwrap_or(0)
    }

    /// Finds the echo in a version that begins at `spot`; it is shown up to `reached` already.
    pub(super) fn find(&self, text: &str, spot: u32, reached: u32) -> Option<Match> {
        let row = |spot: u32| spot.checked_div(self.width).unwrap_or(0);
        let (number, line) = self.lines.iter().enumerate().find(|(number, line)| {
            spot <= line.end && (*number == 0 || row(spot) >= row(line.start))
        })?;
        let mut walk = Walk {
            spot,
            width: self.width,
        };
        let mut start = 0;
        if spot <= line.start {
            // The line's beginning is in the version, behind the prompt or an indent.
            while walk.spot < line.start {
                let cluster = text[start..].graphemes(true).next()?;
                if number > 0 && cluster != " " {
                    return None;
                }
                walk.step(cluster);
                start += cluster.len();
            }
            if walk.spot != line.start {
                return None;
            }
        }
        if self.something_between(reached, walk.spot) {
            return None;
        }
        let mut cells = line.cells.iter().peekable();
        while cells.next_if(|cell| cell.0 < walk.spot).is_some() {}
        let mut matched = Match {
            start,
            end: start,
            reached: walk.spot,
            next: None,
        };
        if walk.spot == line.end {
            return None;
        }
        for (index, cluster) in text[start..].grapheme_indices(true) {
            let Some(&&(at_spot, at)) = cells.peek() else {
                matched.next = cluster.chars().next();
                break;
            };
            let last = start + index + cluster.len() == text.len();
            let here = walk.spot;
            let shown = walk.step(cluster);
            let typed = line.text[at..].graphemes(true).next().unwrap_or_default();
            if shown == at_spot && cluster == typed {
                cells.next();
            } else if at_spot > here && cluster == " " {
                // A wide character did not fit in the row, and the program filled it up.
            } else if last && at_spot == here && typed.starts_with(cluster) {
                matched.end = text.len();
                return Some(matched);
            } else if last && cluster == " " && self.width > 0 && here.is_multiple_of(self.width) {
                // A blank and a return, only for the cursor to be in the next row.
                break;
            } else {
                return None;
            }
            matched.end = start + index + cluster.len();
            matched.reached = walk.spot;
        }
        if matched.end == start {
            return None;
        }
        Some(matched)
    }

    /// Whether something that can be seen stands in the echo between two spots.
    fn something_between(&self, from: u32, to: u32) -> bool {
        self.lines.iter().any(|line| {
            let first = line.cells.partition_point(|cell| cell.0 < from);
            let last = line.cells.partition_point(|cell| cell.0 < to);
            let end = line.cells.get(last).map_or(line.text.len(), |cell| cell.1);
            line.cells
                .get(first)
                .is_some_and(|cell| !line.text[cell.1..end.max(cell.1)].trim().is_empty())
        })
    }
}

/// Goes over clusters as the terminal does.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    pub spot: u32,
    pub width: u32,
}

impl Walk {
    /// The spot of the next cluster.
    pub(super) fn step(&mut self, cluster: &str) -> u32 {
        let columns = u32::from(width::of_cluster(cluster));
        if self.width > 1 && columns == 2 && (self.spot + 1).is_multiple_of(self.width) {
            self.spot += 1;
        }
        let spot = self.spot;
        self.spot += columns;
        spot
    }
}
