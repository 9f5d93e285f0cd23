//! What is to be typed: whole units in order, and the terminal's own replies between them.
//!
//! A unit is one send: nothing comes between its bytes. Replies to queries go before the next unit
//! that has not begun. Nothing here blocks: what the terminal does not take now waits.

use std::collections::VecDeque;

/// How many bytes of replies are kept for a program that asks and never reads; more are dropped.
const REPLIES_MAX: usize = 64 * 1024;

/// Which unit: its number in the order in which units came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

/// How far a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// So many of its bytes are in the terminal.
    Going(usize),
    /// All of it is in the terminal.
    Gone,
    /// The terminal went away when so many of its bytes were in it.
    Cut(usize),
}

#[derive(Debug)]
struct Unit {
    ticket: Ticket,
    bytes: Vec<u8>,
    written: usize,
}

/// The queue.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    replies: VecDeque<u8>,
    units: VecDeque<Unit>,
    next: u64,
    cut: Vec<(Ticket, usize)>,
}

/// What is to be written next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<'a> {
    /// Replies of the terminal.
    Replies(&'a [u8]),
    /// The rest of a unit; `begins` with its first byte.
    Unit {
        /// The bytes that are not written yet.
        rest: &'a [u8],
        /// Whether nothing of it is written yet.
        begins: bool,
    },
}

impl Outgoing {
    /// Appends a unit.
    pub(super) fn push(&mut self, bytes: Vec<u8>) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        if !bytes.is_empty() {
            self.units.push_back(Unit {
                ticket,
                bytes,
                written: 0,
            });
        }
        ticket
    }

    /// Appends replies of the terminal.
    pub(super) fn reply(&mut self, bytes: &[u8]) {
        let room = REPLIES_MAX.saturating_sub(self.replies.len());
        if bytes.len() <= room {
            self.replies.extend(bytes);
        }
    }

    /// What is to be written next, or none.
    pub(super) fn next(&mut self) -> Option<Next<'_>> {
        let under_way = self.units.front().is_some_and(|unit| unit.written > 0);
        if !self.replies.is_empty() && !under_way {
            return Some(Next::Replies(self.replies.make_contiguous()));
        }
        self.units.front().map(|unit| Next::Unit {
            rest: &unit.bytes[unit.written..],
            begins: unit.written == 0,
        })
    }

    /// So many bytes of what [`Outgoing::next`] gave have been written.
    pub(super) fn written(&mut self, count: usize) {
        match self.next() {
            Some(Next::Replies(_)) => {
                self.replies.drain(..count.min(self.replies.len()));
            }
            Some(Next::Unit { .. }) => {
                if let Some(unit) = self.units.front_mut() {
                    unit.written += count;
                    if unit.written >= unit.bytes.len() {
                        self.units.pop_front();
                    }
                }
            }
            None => {}
        }
    }

    /// Whether nothing waits to be written.
    pub(super) fn is_empty(&self) -> bool {
        self.replies.is_empty() && self.units.is_empty()
    }

    /// How far a unit is.
    pub(super) fn way(&self, ticket: Ticket) -> Way {
        if let Some(unit) = self.units.iter().find(|unit| unit.ticket == ticket) {
            return Way::Going(unit.written);
        }
        let cut = self.cut.iter().find(|(cut, _)| *cut == ticket);
        cut.map_or(Way::Gone, |(_, written)| Way::Cut(*written))
    }

    /// Takes the unwritten rest of a unit back; how far it was.
    pub(super) fn withdraw(&mut self, ticket: Ticket) -> Way {
        let way = self.way(ticket);
        self.units.retain(|unit| unit.ticket != ticket);
        way
    }

    /// Forgets everything: the terminal is gone.
    pub(super) fn clear(&mut self) {
        self.replies.clear();
        let units = self.units.drain(..);
        self.cut
            .extend(units.map(|unit| (unit.ticket, unit.written)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_go_between_units_never_inside() {
        let mut out = Outgoing::default();
        let first = out.push(b"abc".to_vec());
        let second = out.push(b"de".to_vec());
        out.written(1);
        out.reply(b"R");
        assert_eq!(
            out.next(),
            Some(Next::Unit {
                rest: b"bc",
                begins: false
            })
        );
        out.written(2);
        assert_eq!(out.way(first), Way::Gone);
        assert_eq!(out.next(), Some(Next::Replies(b"R")));
        out.written(1);
        assert_eq!(
            out.next(),
            Some(Next::Unit {
                rest: b"de",
                begins: true
            })
        );
        assert_eq!(out.way(second), Way::Going(0));
    }

    #[test]
    fn a_withdrawn_unit_tells_how_far_it_was() {
        let mut out = Outgoing::default();
        let ticket = out.push(b"abc".to_vec());
        out.written(2);
        assert_eq!(out.withdraw(ticket), Way::Going(2));
        assert!(out.is_empty());
        assert_eq!(out.withdraw(ticket), Way::Gone);
    }

    #[test]
    fn a_program_that_never_reads_its_replies_costs_bounded_memory() {
        let mut out = Outgoing::default();
        for _ in 0..100_000 {
            out.reply(b"\x1b[0n");
        }
        let Some(Next::Replies(kept)) = out.next() else {
            panic!("there are replies");
        };
        assert!(kept.len() <= REPLIES_MAX);
    }
}
