//! coax: a modern `expect`.

pub mod fault;
pub mod keys;
pub mod pattern;
pub mod script;
pub mod term;
pub mod transcript;
