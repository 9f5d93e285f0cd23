//! The `coax` binary.

fn main() {}
