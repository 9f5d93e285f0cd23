//! The wall round the kernel: the only floor with `rustix`, `libc`, `unsafe` and `cfg(target_os)`.
//! It has no policy and knows no terminal meaning; every Linux call has a named fallback here.

#![allow(
    unsafe_code,
    reason = "this floor is the wall: each use says why it is sound"
)]

pub mod child;
pub mod clock;
pub mod daemon;
pub mod dir;
pub mod fifo;
pub mod poll;
pub mod probe;
pub mod process;
pub mod pty;
pub mod signal;
pub mod tty;
