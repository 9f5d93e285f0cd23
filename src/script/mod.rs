//! Scripts: verbs in a file.

mod lex;
mod place;
mod word;

pub use place::{Mistake, Place};
pub use word::{Piece, Var, Word};
