//! `coax render`: the terminal alone, no process.

use std::io::Read;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};

use crate::fault::{Exit, Fault};
use crate::term::{Size, Term};
use crate::verb::{Format, Reply, check, view};

use super::screen::LookArgs;
use super::{Around, Voice, print};

/// Lines of scrollback that are kept.
const SCROLLBACK: usize = 10_000;

#[derive(Args, Debug)]
pub(super) struct RenderArgs {
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: LookArgs,
    /// Rows of the terminal
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=4096))]
    rows: u16,
    /// Columns of the terminal
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..=4096))]
    cols: u16,
    /// The bytes; else standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Bytes in, a screen out.
pub(super) fn run(matches: &ArgMatches, _: &Around) -> Result<Exit, Fault> {
    let args =
        RenderArgs::from_arg_matches(matches).map_err(|error| Fault::usage(error.to_string()))?;
    let size = Size {
        rows: args.rows,
        cols: args.cols,
    };
    check(size)?;
    let mut term = Term::new(size, SCROLLBACK);
    match &args.file {
        None => feed(&mut term, &mut std::io::stdin().lock(), "standard input")?,
        Some(file) => {
            let name = file.display().to_string();
            let mut input = std::fs::File::open(file)
                .map_err(|error| Fault::usage(format!("{name}: {error}")))?;
            feed(&mut term, &mut input, &name)?;
        }
    }
    let format = args.look.format(args.json);
    let shown = view(term.screen(), format, &args.look.look(None))?;
    let json = matches!(format, Format::Json);
    print::reply(&Reply::Shown(Box::new(shown)), None, Voice { json })
}

fn feed(term: &mut Term, input: &mut impl Read, name: &str) -> Result<(), Fault> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                term.feed(&buffer[..count]);
                // Nobody is there to be answered.
                term.take_replies();
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Fault::usage(format!("{name}: {error}"))),
        }
    }
}
