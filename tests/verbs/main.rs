//! The binary end to end, one file a theme.

#![allow(unreachable_pub, missing_docs, reason = "a test crate has no users")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test says what went wrong"
)]

mod coax;
mod echoes;
mod ends;
mod expecting;
mod inherit;
mod lifecycle;
mod link;
mod programs;
mod running;
mod session;
mod shells;
mod stop;
mod typing;
mod usage;
