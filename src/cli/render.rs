//! `coax render`: the terminal alone, no process.

use std::io::Read;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};

use crate::fault::{Exit, Fault};
use crate::term::cast::{self, Cast, Happening};
use crate::term::{Size, Term};
use crate::verb::{Format, Reply, check, view};
use crate::view::trace;

use super::screen::LookArgs;
use super::{Around, Voice, print};

/// Lines of scrollback that are kept.
const SCROLLBACK: usize = 10_000;
/// How much is read at once.
const BUFFER: usize = 64 * 1024;

#[derive(Args, Debug)]
pub(super) struct RenderArgs {
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: LookArgs,
    /// Rows of the terminal [default: 24, or those of the recording]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    rows: Option<u16>,
    /// Columns of the terminal [default: 80, or those of the recording]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    cols: Option<u16>,
    /// Each function in the bytes on a line of its own, with its arguments, and no screen
    #[arg(long, conflicts_with_all = ["json", "at"])]
    trace: bool,
    /// Of a recording: what stood there after so many seconds
    #[arg(long, value_name = "SECONDS")]
    at: Option<f64>,
    /// The bytes, or an asciicast; else standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Bytes in, a screen out.
pub(super) fn run(matches: &ArgMatches, _: &Around) -> Result<Exit, Fault> {
    let args =
        RenderArgs::from_arg_matches(matches).map_err(|error| Fault::usage(error.to_string()))?;
    let mut input: Box<dyn Read> = match &args.file {
        None => Box::new(std::io::stdin().lock()),
        Some(file) => Box::new(
            std::fs::File::open(file)
                .map_err(|error| Fault::usage(format!("{}: {error}", file.display())))?,
        ),
    };
    let name = args
        .file
        .as_ref()
        .map_or("standard input".to_owned(), |file| {
            file.display().to_string()
        });
    let failed = |error: std::io::Error| Fault::usage(format!("{name}: {error}"));
    let head = first(&mut input).map_err(failed)?;
    let mut size = Size {
        rows: args.rows.unwrap_or(24),
        cols: args.cols.unwrap_or(80),
    };
    check(size)?;
    let mut term = Term::new(size, SCROLLBACK);
    if cast::is_cast(&head) {
        let mut bytes = head;
        input.read_to_end(&mut bytes).map_err(failed)?;
        let recorded = Cast::read(&String::from_utf8_lossy(&bytes))
            .map_err(|wrong| Fault::usage(format!("{name}: {wrong}")))?;
        let until = args.at.unwrap_or(f64::INFINITY);
        let events = recorded.events.iter().filter(|(time, _)| *time <= until);
        if args.trace {
            let printed: String = events
                .filter_map(|(_, event)| match event {
                    Happening::Output(text) => Some(text.as_str()),
                    Happening::Resize(_) => None,
                })
                .collect();
            print::out(&trace(printed.as_bytes()))?;
            return Ok(Exit::OK);
        }
        size.rows = args.rows.unwrap_or(recorded.size.rows);
        size.cols = args.cols.unwrap_or(recorded.size.cols);
        check(size)?;
        term.resize(size);
        for (_, event) in events {
            match event {
                Happening::Output(text) => term.feed(text.as_bytes()),
                Happening::Resize(size) => {
                    let size = Size {
                        rows: args.rows.unwrap_or(size.rows),
                        cols: args.cols.unwrap_or(size.cols),
                    };
                    check(size)?;
                    term.resize(size);
                }
            }
            // Nobody is there to be answered.
            term.take_replies();
        }
    } else if args.trace {
        let mut bytes = head;
        input.read_to_end(&mut bytes).map_err(failed)?;
        print::out(&trace(&bytes))?;
        return Ok(Exit::OK);
    } else if args.at.is_some() {
        return Err(Fault::usage(
            "--at is for recordings: bytes alone have no times",
        ));
    } else {
        term.feed(&head);
        feed(&mut term, &mut input).map_err(failed)?;
    }
    let format = args.look.format(args.json);
    let shown = view(term.screen(), format, &args.look.look(None))?;
    let json = matches!(format, Format::Json);
    print::reply(&Reply::Shown(Box::new(shown)), None, Voice { json })
}

/// The first bytes, as many as one buffer holds.
fn first(input: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    input.take(BUFFER as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn feed(term: &mut Term, input: &mut impl Read) -> std::io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                term.feed(&buffer[..count]);
                term.take_replies();
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
