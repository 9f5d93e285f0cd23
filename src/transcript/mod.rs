//! What happened, in order: the raw bytes, the match text, the echoes to leave out, the mark.

pub mod base64;
mod breadth;
mod holes;
#[cfg(test)]
mod holes_tests;
mod plain;
mod read;
#[cfg(test)]
mod read_tests;
mod ring;
mod text;

pub use holes::{Holes, Place, TtyMode};
pub use plain::{Plain, plain};
pub use read::{ChunkText, Form, ReadAnswer, ReadAsk, Streams, read};
pub use ring::{Chunk, DEFAULT_BOUND, Ring, Stream};
pub use text::{MatchText, Version};
