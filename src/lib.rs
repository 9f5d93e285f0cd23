//! coax: a modern `expect`.

pub mod fault;
pub mod term;
pub mod view;
