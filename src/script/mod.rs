//! Scripts: verbs in a file.

mod act;
mod lex;
mod parse;
mod place;
mod tree;
mod vars;
mod word;

pub use place::{Mistake, Place};
pub use tree::{Arm, Catch, Command, Script};
pub use vars::Environment;
pub use word::{Piece, Var, Word};
