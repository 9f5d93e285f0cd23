//! coax: a modern `expect`.

pub mod cli;
pub mod client;
pub mod fault;
pub mod host;
pub mod keys;
pub mod link;
pub mod pattern;
pub mod script;
pub mod session;
pub mod sys;
pub mod term;
pub mod transcript;
pub mod verb;
pub mod view;
pub mod wait;
pub mod wire;
