//! Tab stops, every eight columns in the beginning.

/// The tab stops of a screen.
#[derive(Clone, Debug)]
pub(super) struct Tabs(Vec<bool>);

impl Tabs {
    pub(super) fn new(cols: u16) -> Self {
        let mut tabs = Self(Vec::new());
        tabs.resize(cols);
        tabs
    }

    /// Columns that are new get the stops of the beginning.
    pub(super) fn resize(&mut self, cols: u16) {
        for col in self.0.len()..usize::from(cols) {
            self.0.push(col % 8 == 0 && col > 0);
        }
    }

    /// HTS and TBC 0: sets or clears the stop at `col`.
    pub(super) fn set(&mut self, col: u16, on: bool) {
        if let Some(stop) = self.0.get_mut(usize::from(col)) {
            *stop = on;
        }
    }

    /// TBC 3: clears all stops.
    pub(super) fn clear(&mut self) {
        self.0.fill(false);
    }

    /// The next stop right of `col`, or `last`.
    pub(super) fn next(&self, col: u16, last: u16) -> u16 {
        (col + 1..last)
            .find(|col| self.0[usize::from(*col)])
            .unwrap_or(last)
    }

    /// The next stop left of `col`, or 0.
    pub(super) fn previous(&self, col: u16) -> u16 {
        (0..col)
            .rev()
            .find(|col| self.0[usize::from(*col)])
            .unwrap_or(0)
    }

    /// All stops, for DECTABSR.
    pub(super) fn stops(&self, cols: u16) -> impl Iterator<Item = u16> {
        (0..cols).filter(|col| self.0.get(usize::from(*col)) == Some(&true))
    }
}
