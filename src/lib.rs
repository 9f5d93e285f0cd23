//! coax: a modern `expect`.

pub mod fault;
pub mod pattern;
pub mod term;
