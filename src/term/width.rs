//! How many columns a character or a cluster takes, and what joins into one cluster: decided here
//! and nowhere else, from the tables of the pinned `unicode-width` and `unicode-segmentation`.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A cluster longer than this takes no more characters; they are dropped.
pub(super) const CLUSTER_MAX: usize = 256;

/// The columns of one character on its own: 0, 1 or 2.
pub fn of_char(ch: char) -> u8 {
    match ch {
        // The bulk of wide text, without a table.
        '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}' => 2,
        ' '..='~' => 1,
        _ => ch
            .width()
            .map_or(0, |width| if width > 1 { 2 } else { u8::from(width == 1) }),
    }
}

/// What a character does on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(u8);

impl Class {
    const APART: u8 = 4;

    /// How many columns it takes.
    #[inline]
    pub(super) fn columns(self) -> u8 {
        self.0 & 3
    }

    /// Whether it takes columns and surely begins a cluster of its own.
    #[inline]
    pub(super) fn is_apart(self) -> bool {
        self.0 & Self::APART != 0
    }
}

/// Classes of the characters that came last: what a text has, it has often, and the tables are slow.
#[derive(Clone, Debug)]
pub(super) struct Classes([(char, Class); Self::SLOTS]);

impl Classes {
    const SLOTS: usize = 64;

    pub(super) fn new() -> Self {
        Self([('\0', Class(0)); Self::SLOTS])
    }

    #[inline]
    pub(super) fn of(&mut self, ch: char) -> Class {
        let slot = &mut self.0[ch as usize % Self::SLOTS];
        if slot.0 != ch {
            *slot = (ch, class(ch));
        }
        slot.1
    }
}

#[inline(never)]
fn class(ch: char) -> Class {
    let columns = of_char(ch);
    let apart = columns > 0 && surely_apart(ch);
    Class(columns | if apart { Class::APART } else { 0 })
}

/// The columns of a cluster: 1 or 2.
pub fn of_cluster(cluster: &str) -> u8 {
    if cluster.width() > 1 { 2 } else { 1 }
}

/// Whether `ch` takes two columns and never joins what stands before it.
#[inline]
pub(super) fn surely_wide(ch: char) -> bool {
    matches!(ch, '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
}

/// Whether `next` surely begins a cluster of its own, whatever ordinary character stands before.
fn surely_apart(next: char) -> bool {
    matches!(next,
        '\u{a0}'..='\u{a8}' | '\u{aa}'..='\u{ac}' | '\u{af}'..='\u{2ff}' | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205e}' | '\u{2070}'..='\u{20cf}' | '\u{2100}'..='\u{2bff}' | '\u{2e80}'..='\u{3029}'
        | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}')
}

/// Whether what comes after `ch` may join it although it does not look like it.
pub(super) fn may_hold(ch: char) -> bool {
    matches!(ch, '\u{200d}' | '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97c}' | '\u{ac00}'..='\u{d7ff}' | '\u{1f1e6}'..='\u{1f1ff}')
        || (ch >= '\u{600}' && of_char(ch) == 0)
        || ('\u{900}'..='\u{1100}').contains(&ch)
}

/// Whether `joined` is one cluster.
pub(super) fn is_one(joined: &str) -> bool {
    let mut clusters = joined.graphemes(true);
    clusters.next().is_some() && clusters.next().is_none()
}

/// Whether `after`, directly behind `before`, would join its last cluster.
pub fn joins(before: &str, after: &str) -> bool {
    let joined = format!("{before}{after}");
    !joined
        .grapheme_indices(true)
        .any(|(at, _)| at == before.len())
        && !before.is_empty()
}
