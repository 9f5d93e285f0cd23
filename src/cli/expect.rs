//! `coax expect`.

use clap::{ArgMatches, Args, FromArgMatches};

use crate::fault::Fault;
use crate::pattern::{self, Pattern};
use crate::verb::{Expect, Limit, Order, Sight, Verb};

use super::{Around, Common, Spelled, Voice, limit};

/// The flags; the patterns stand in [`ExpectArgs`], because their order counts.
#[derive(Args, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct Flags {
    #[command(flatten)]
    common: Common,
    /// Patterns are regular expressions (for one: re:PATTERN)
    #[arg(long, conflicts_with = "glob")]
    regex: bool,
    /// Patterns are globs (for one: glob:PATTERN)
    #[arg(long)]
    glob: bool,
    /// Look at what is printed only
    #[arg(long, conflicts_with_all = ["screen", "raw", "line"])]
    stream: bool,
    /// Look at what stands on the screen, old or new
    #[arg(long, conflicts_with_all = ["raw", "line"])]
    screen: bool,
    /// Look at the bytes as they are printed, escapes and all
    #[arg(long, conflicts_with = "line")]
    raw: bool,
    /// Look at finished lines only
    #[arg(long)]
    line: bool,
    /// On the screen, only rows in which something was written after the last match
    #[arg(long)]
    fresh: bool,
    /// See the echo of what was typed too
    #[arg(long)]
    echo: bool,
    /// Fail when it matches; done when the time is over, or the program, without a match
    #[arg(long)]
    not: bool,
    /// How long at most; 0 looks once [default: 30s]
    #[arg(long, value_name = "D", value_parser = limit)]
    timeout: Option<Limit>,
    /// A pattern with a name that the answer tells (again for more)
    #[arg(long, value_name = "NAME=PATTERN")]
    on: Vec<String>,
    /// What to wait for; the first of several to match. re: glob: text: in front choose how it is read
    #[arg(value_name = "PATTERN", required_unless_present = "on")]
    patterns: Vec<String>,
}

/// What `coax expect` takes, the patterns in the order in which they were written.
#[derive(Debug)]
pub(super) struct ExpectArgs {
    flags: Flags,
    patterns: Vec<Pattern>,
}

impl FromArgMatches for ExpectArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let flags = Flags::from_arg_matches(matches)?;
        let kind = match (flags.regex, flags.glob) {
            (true, _) => pattern::Kind::Regex,
            (_, true) => pattern::Kind::Glob,
            _ => pattern::Kind::Text,
        };
        let places = |id| matches.indices_of(id).into_iter().flatten();
        let plain = places("patterns")
            .zip(&flags.patterns)
            .map(|(at, word)| (at, Pattern::parse(word, kind)));
        let named = places("on")
            .zip(&flags.on)
            .map(|(at, word)| (at, Pattern::parse_named(word, kind)));
        let mut patterns: Vec<_> = plain.chain(named).collect();
        patterns.sort_by_key(|(at, _)| *at);
        let patterns = patterns
            .into_iter()
            .map(|(_, pattern)| pattern)
            .collect::<Result<_, Fault>>()
            .map_err(|fault| {
                let said = match fault.hint.as_str() {
                    "" => fault.message,
                    hint => format!("{}; {hint}", fault.message),
                };
                clap::Error::raw(clap::error::ErrorKind::ValueValidation, said)
            })?;
        Ok(Self { flags, patterns })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for ExpectArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Flags::augment_args_for_update(command)
    }
}

impl Spelled for ExpectArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let flags = self.flags;
        let sight = if flags.stream {
            Sight::Stream
        } else if flags.screen {
            Sight::Screen
        } else if flags.raw {
            Sight::Raw
        } else if flags.line {
            Sight::Line
        } else {
            Sight::Both
        };
        if flags.fresh && sight != Sight::Screen {
            return Err(Fault::usage("--fresh says something of the screen only")
                .hint("use it with --screen; the stream is always read from the last match on"));
        }
        let expect = Expect {
            patterns: self.patterns,
            sight,
            fresh: flags.fresh,
            echo: flags.echo,
            not: flags.not,
            after: None,
            timeout: flags.timeout,
        };
        let order = Order {
            session: flags.common.session.clone(),
            verb: Verb::Expect(expect),
        };
        Ok((order, flags.common.voice()))
    }
}
