//! Scripts.

mod lex;
mod parse;
mod place;
mod tree;
mod word;

pub use place::{Mistake, Place};
pub use tree::{Arm, Catch, Command, Script};
pub use word::{Piece, Var, Word};
