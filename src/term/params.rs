//! The numbers of a control sequence, with colon-separated parts kept apart from whole parameters.
//!
//! A missing number is 0, as nearly every control function takes it. Bounded: what comes after
//! [`Params::MAX`] numbers is dropped.

/// The numbers of a control sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Params {
    values: [u16; Self::MAX],
    len: u8,
    /// Bit `i` is set where value `i` was joined to the one before it by a colon.
    joined: u32,
}

impl Params {
    /// How many numbers are kept.
    pub const MAX: usize = 32;

    /// No numbers.
    pub fn new() -> Self {
        Self {
            values: [0; Self::MAX],
            len: 0,
            joined: 0,
        }
    }

    /// Appends a number; `joined` says that a colon stood before it.
    pub fn push(&mut self, value: u16, joined: bool) {
        let at = usize::from(self.len);
        if at < Self::MAX {
            self.values[at] = value;
            self.joined |= u32::from(joined) << at;
            self.len += 1;
        }
    }

    /// The number at `index`, or 0.
    pub fn get(&self, index: usize) -> u16 {
        self.values().get(index).copied().unwrap_or(0)
    }

    /// All numbers in order, colons or not.
    pub fn values(&self) -> &[u16] {
        &self.values[..usize::from(self.len)]
    }

    /// Whether the number at `index` is joined by a colon to the one before it.
    pub fn joined(&self, index: usize) -> bool {
        index < usize::from(self.len) && self.joined >> index & 1 == 1
    }

    /// The end of the group that begins at `start`: the index after its last joined part.
    pub fn group_end(&self, start: usize) -> usize {
        if self.joined == 0 {
            return start + 1;
        }
        let mut end = start + 1;
        while self.joined(end) {
            end += 1;
        }
        end
    }
}

impl Default for Params {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Params {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[")?;
        for (index, value) in self.values().iter().enumerate() {
            let mark = match (index, self.joined(index)) {
                (0, _) => "",
                (_, true) => ":",
                (_, false) => ";",
            };
            write!(f, "{mark}{value}")?;
        }
        f.write_str("]")
    }
}
