//! Where two processes meet: the runtime directory with a directory a session, and named pipes.
//!
//! A host hangs a doorbell; a client makes a pair of pipes of its own, rings, and is served through
//! them. The order in which the ends are opened matters: see [`caller`] and [`visitor`].

pub mod caller;
pub mod place;
pub mod visitor;
