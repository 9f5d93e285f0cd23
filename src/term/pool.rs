//! What few cells have, kept once beside the grid: clusters of several characters, hyperlinks,
//! underline colours. Bounded; what no cell names any more is swept out when it is full.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::pen::Color;

/// What a cell has beyond its pen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extra {
    /// The colour of the underline.
    pub underline: Color,
    /// The hyperlink.
    pub link: Option<Arc<Link>>,
}

/// A hyperlink, OSC 8.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Link {
    /// The `id` parameter, or empty.
    pub id: String,
    /// Where it leads.
    pub uri: String,
}

/// Values by small numbers from 1 on, each kept once.
#[derive(Clone, Debug)]
pub struct Pool<T> {
    slots: Vec<Option<T>>,
    numbers: HashMap<T, u32>,
    free: Vec<u32>,
    max: usize,
}

impl<T: Clone + Eq + Hash> Pool<T> {
    /// A pool of at most `max` values.
    pub fn new(max: usize) -> Self {
        Self {
            slots: Vec::new(),
            numbers: HashMap::new(),
            free: Vec::new(),
            max,
        }
    }

    /// The number of `value`, which is kept from now on; nothing when the pool is full.
    pub fn number<Q>(&mut self, value: &Q) -> Option<u32>
    where
        T: std::borrow::Borrow<Q> + for<'a> From<&'a Q>,
        Q: Eq + Hash + ?Sized,
    {
        if let Some(number) = self.numbers.get(value) {
            return Some(*number);
        }
        let number = if let Some(number) = self.free.pop() {
            number
        } else if self.slots.len() < self.max {
            self.slots.push(None);
            u32::try_from(self.slots.len()).ok()?
        } else {
            return None;
        };
        let value = T::from(value);
        self.numbers.insert(value.clone(), number);
        self.slots[number as usize - 1] = Some(value);
        Some(number)
    }

    /// The value with that number.
    pub fn get(&self, number: u32) -> Option<&T> {
        self.slots.get((number as usize).checked_sub(1)?)?.as_ref()
    }

    /// Forgets what `used` does not hold.
    pub fn retain(&mut self, used: impl Fn(u32) -> bool) {
        for (index, slot) in self.slots.iter_mut().enumerate() {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            if slot.is_some() && !used(number) {
                if let Some(value) = slot.take() {
                    self.numbers.remove(&value);
                }
                self.free.push(number);
            }
        }
    }
}

impl From<&Extra> for Extra {
    fn from(extra: &Extra) -> Self {
        extra.clone()
    }
}
