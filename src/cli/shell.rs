//! `coax completions` and `coax man`: the committed files, which a test keeps equal to the commands.

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};

use crate::fault::{Exit, Fault};

use super::{Around, print};

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args, Debug)]
pub(super) struct ManArgs {}

pub(super) fn completions(matches: &ArgMatches, _: &Around) -> Result<Exit, Fault> {
    let args = CompletionsArgs::from_arg_matches(matches)
        .map_err(|error| Fault::usage(error.to_string()))?;
    let out = print::out(match args.shell {
        Shell::Bash => include_bytes!("../../completions/coax.bash"),
        Shell::Zsh => include_bytes!("../../completions/_coax"),
        Shell::Fish => include_bytes!("../../completions/coax.fish"),
    });
    out.map(|()| Exit::OK)
}

pub(super) fn man(_: &ArgMatches, _: &Around) -> Result<Exit, Fault> {
    print::out(include_bytes!("../../man/coax.1")).map(|()| Exit::OK)
}
