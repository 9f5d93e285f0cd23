//! The numbers of a control sequence, with colon-separated parts kept apart from whole parameters.
//!
//! They stay where the parser holds them: most sequences have one or two, and a copy of the rest
//! costs more than reading them. A missing number is 0, as nearly every control function takes it.
//! Bounded: what comes after [`Params::MAX`] numbers is dropped.

use super::decode::{ParamsIter, Parsed};

/// The numbers of a control sequence.
#[derive(Clone, Copy)]
pub struct Params<'a>(&'a Parsed);

impl<'a> Params<'a> {
    /// How many numbers are kept.
    pub const MAX: usize = 32;

    #[inline]
    pub(super) fn new(params: &'a Parsed) -> Self {
        Self(params)
    }

    /// The parameters in order, each with the parts that colons join to it.
    #[inline]
    pub fn groups(self) -> Groups<'a> {
        self.0.iter()
    }

    /// All numbers in order, colons or not.
    pub fn values(self) -> impl Iterator<Item = u16> + 'a {
        self.groups().flatten().copied()
    }

    /// The number at `index`, if it was given.
    pub fn given(self, index: usize) -> Option<u16> {
        self.values().nth(index)
    }

    /// The number at `index`, or 0.
    pub fn get(self, index: usize) -> u16 {
        self.given(index).unwrap_or(0)
    }

    /// How many numbers there are.
    pub fn count(self) -> usize {
        self.0.len()
    }

    /// The first two parameters, without their parts.
    #[inline]
    pub(super) fn first(self) -> [u16; 2] {
        let mut groups = self.groups();
        let mut next = || groups.next().map_or(0, |group| group[0]);
        [next(), next()]
    }
}

/// Goes through [`Params::groups`].
pub type Groups<'a> = ParamsIter<'a>;

impl PartialEq for Params<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.groups().eq(other.groups())
    }
}

impl Eq for Params<'_> {}

impl std::fmt::Debug for Params<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[")?;
        for (index, group) in self.groups().enumerate() {
            f.write_str(if index > 0 { ";" } else { "" })?;
            for (part, value) in group.iter().enumerate() {
                write!(f, "{}{value}", if part > 0 { ":" } else { "" })?;
            }
        }
        f.write_str("]")
    }
}
