//! coax: a modern `expect`.

pub mod fault;
pub mod keys;
pub mod pattern;
pub mod term;
pub mod transcript;
pub mod view;
