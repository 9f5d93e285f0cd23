//! The binary end to end, one file a theme.

mod coax;
mod lifecycle;
mod programs;
