//! The terminal: bytes in, screen state out. Pure; holds no descriptor and reads no clock.

pub mod geometry;
pub mod trail;

pub use geometry::{Pos, Size};
