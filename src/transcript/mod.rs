//! What happened, in order: the raw bytes, the match text, the echoes to leave out, the mark.

mod ring;
mod text;

pub use ring::{Chunk, DEFAULT_BOUND, Ring, Stream};
pub use text::{MatchText, Version};
