//! The terminal: bytes in, screen state out. Pure; holds no descriptor and reads no clock.

pub mod decode;
mod dispatch;
pub mod function;
pub mod geometry;
pub mod params;
pub mod trail;

pub use geometry::{Pos, Size};
