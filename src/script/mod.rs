//! Scripts: verbs in a file.
//!
//! A line of a script is a verb in the words of the command line, read by the definitions of the
//! command line; what is here knows quoting, variables, blocks and the order of things. Everything
//! that touches the world is handed in as a [`Ground`].
//!
//! # The language
//!
//! ```text
//! #!/usr/bin/env -S coax run
//! set timeout 20s                         # of each step; set deadline 10m is for the whole script
//! start --env LANG=C -- ./install.sh --prefix "$HOME/app"
//! expect --timeout 1m {
//!   "Overwrite? [y/N]"      => send --enter y; again
//!   re:"version (\d+)"      => set major $1
//!   "Password:" 'Passwort:' => {
//!     send --enter $INSTALL_PASSWORD
//!     again
//!   }
//!   eof                     => fail "the installer died"
//!   timeout                 => fail "no answer"
//! }
//! send --enter "ls -l ${DIR:-/tmp}"; wait
//! screen
//! wait --exit; assert exit 0
//! ```
//!
//! **Lines.** A command ends with its line or with `;`. A backslash at the very end of a line
//! continues it. `#` at the beginning of a word begins a comment. The file is UTF-8.
//!
//! **Words** are parted by blanks; pieces that touch are one word. `'...'` is verbatim. In `"..."`
//! stand variables and `\n \t \r \e \a \0 \\ \" \$ \xHH \u{HEX}`; any other backslash stays, so that
//! `re:"\d+\.\d"` is the regex it looks like (`"\\"` is one backslash). Outside of quotes a backslash
//! frees the next character, which may not be a letter or digit. A quote ends on its own line.
//! `{`, `}` and `=>` mean something only as whole words without quotes.
//!
//! **Variables.** `$NAME`, `${NAME}`, `${NAME:-DEFAULT}` (where it is not set or empty) in bare words
//! and double quotes, never split into words. In this order: what `set` or a named group `(?<NAME>)`
//! of a match gave last, the environment. `$0` is the last match, `$1` its first group (all digits
//! count: `${1}0` is the group and a zero); a group that took no part has no value. `$status` is the exit code that the last `wait --exit`
//! saw, `$session` the current session. One that has no value is a mistake, never empty. Any other
//! `$` is a dollar; `$(` is refused, because nothing runs it.
//!
//! **Statements** beside the verbs:
//!
//! | statement | what it does |
//! |---|---|
//! | `set NAME VALUE` | gives a variable a value |
//! | `set timeout D` | the limit of each later step that has no `--timeout`; 30 s at first |
//! | `set deadline D` | the limit of the whole script, from its start; 30 min at first; 124 |
//! | `echo TEXT...` | prints a line |
//! | `fail MESSAGE` | ends the script with 1 |
//! | `exit [N]` | ends the script with N |
//! | `assert exit N` | the last `wait --exit` saw this code, else 1 |
//! | `assert screen PATTERN` | the screen shows this now, else 1 |
//! | `session NAME` | later commands are about this session |
//! | `again` | the `expect` around it waits once more, with a fresh limit |
//!
//! **`expect` with a block.** Flags stand before the `{`. Each arm is patterns, the first of which
//! to match leads there, then `=>` and commands on the same line or in braces; without `=>` nothing is
//! done. A bare `eof` catches the end of the program before a match, a bare `timeout` the end of the
//! limit; `"eof"` is a pattern. Blocks nest, 32 deep.
//!
//! **Sessions.** Commands without `-s` are about the session started last. Sessions that the script
//! started end with it, however it ends, but for `start --detach`.
//!
//! **The end.** 0, or the exit code of the command that failed, or N of `exit N`. A `wait --exit` whose
//! program ended with another code than 0 fails the script with that code unless `assert exit` is the next
//! command. A script with mistakes is refused with 2 before anything is started, and all of them are named.

mod act;
mod answer;
mod check;
mod failure;
#[cfg(test)]
mod fixture;
mod lex;
mod parse;
mod place;
mod run;
mod tree;
mod vars;
mod word;

use std::time::{Duration, Instant};

use crate::fault::Fault;
use crate::verb::{Driver, Name, Order, Reply};

pub use check::check;
pub use failure::{Failure, Outcome, Trouble};
pub use place::{Mistake, Place};
pub use run::Runner;
pub use tree::{Arm, Catch, Command, Script};
pub use vars::Environment;
pub use word::{Piece, Var, Word};

/// Everything outside of a script that it needs.
pub struct Ground<'g> {
    /// Reads the words of a line.
    pub words: &'g dyn Words,
    /// Carries orders out.
    pub driver: &'g mut dyn Driver,
    /// Shows what the script has to say.
    pub out: &'g mut dyn Out,
    /// The time, and whether it is time to stop.
    pub clock: &'g dyn Clock,
    /// Looks a variable of the environment up.
    pub environment: &'g Environment<'g>,
}

/// Reads the words of a line as the command line does.
pub trait Words {
    /// What the words of a line mean, the verb first.
    ///
    /// # Errors
    /// Usage, when they mean nothing; anything that reading a file or the standard input can meet.
    fn order(&self, words: &[String]) -> Result<Spoken, Fault>;

    /// Whether the words of a line mean something, without touching what they name: a file to
    /// send need not be there yet. Must not depend on anything but the words.
    ///
    /// # Errors
    /// Usage, when they mean nothing.
    fn check(&self, words: &[String]) -> Result<(), Fault> {
        self.order(words).map(drop)
    }

    /// The verbs that there are, for the hint where one is misspelled.
    fn verbs(&self) -> Vec<&str>;
}

/// What the words of a line mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Spoken {
    /// An order for a session.
    Order {
        /// The order.
        order: Order,
        /// Whether its reply is to be shown as JSON.
        json: bool,
    },
    /// `sleep`: nothing, for so long.
    Sleep(Duration),
}

/// Shows what a script has to say.
pub trait Out {
    /// Shows one thing.
    ///
    /// # Errors
    /// Whatever showing it can meet; the script ends with it.
    fn say(&mut self, said: Said<'_>) -> Result<(), Fault>;
}

/// What a script has to say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said<'s> {
    /// The text of an `echo`, a line without its end.
    Echo(&'s str),
    /// The reply of a verb that looks, or of any verb with `--json`.
    Reply {
        /// The words of the line, the verb first, variables filled in.
        words: &'s [String],
        /// The session that it was about.
        session: Option<&'s Name>,
        /// The reply.
        reply: &'s Reply,
    },
}

/// The time, and whether it is time to stop.
pub trait Clock {
    /// The time.
    fn now(&self) -> Instant;

    /// Waits for so long, or until a signal comes.
    fn sleep(&self, duration: Duration);

    /// The signal that wants the script to end, once one has come.
    fn interrupted(&self) -> Option<i32>;
}
