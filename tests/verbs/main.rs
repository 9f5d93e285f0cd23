//! The binary end to end, one file a theme.

#![allow(unreachable_pub, missing_docs, reason = "a test crate has no users")]
#![allow(
    clippy::format_collect,
    clippy::print_stderr,
    clippy::unused_self,
    clippy::unwrap_used,
    reason = "a test says what went wrong, and reads well"
)]

mod coax;
mod echoes;
mod ends;
mod expecting;
mod inherit;
mod lifecycle;
mod link;
mod programs;
mod ready;
mod running;
mod session;
mod shells;
mod stop;
mod typing;
mod usage;
