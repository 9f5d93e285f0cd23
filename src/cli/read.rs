//! `coax read`.

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};

use crate::fault::{Exit, Fault};
use crate::transcript::{Form, ReadAsk, Streams};
use crate::verb::{Driver, Order, Read, Reply, Verb};

use super::{Around, Common, Spelled, Voice, perform, print};

#[derive(Args, Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct ReadArgs {
    #[command(flatten)]
    common: Common,
    /// From this offset on, as `next_cursor` told it
    #[arg(long, value_name = "N")]
    since: Option<u64>,
    /// From this chunk on, as `next_seq` told it
    #[arg(long, value_name = "N")]
    since_seq: Option<u64>,
    /// As the lines that a terminal would show, without escapes; else as it was printed
    #[arg(long, conflicts_with = "raw")]
    plain: bool,
    /// The bytes as they are; in JSON in base64
    #[arg(long)]
    raw: bool,
    /// Which stream
    #[arg(long, value_name = "STREAM", default_value = "combined")]
    stream: StreamArg,
    /// Wait until nothing was printed for so many milliseconds (1 to 10000), from now on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    wait_for_idle_ms: Option<u64>,
    /// At most so many bytes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_bytes: Option<u64>,
    /// Only lines that match this regular expression
    #[arg(long, value_name = "RE")]
    grep: Option<String>,
    /// Only the last N lines
    #[arg(long, value_name = "N")]
    lines: Option<usize>,
    /// Go on until the program is over
    #[arg(long, conflicts_with_all = ["lines", "wait_for_idle_ms"])]
    follow: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StreamArg {
    Stdout,
    Stderr,
    Combined,
    All,
}

impl Spelled for ReadArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let ask = ReadAsk {
            since: self.since,
            since_seq: self.since_seq,
            form: match (self.plain, self.raw) {
                (true, _) => Form::Plain,
                // Text would not give bytes back that are not UTF-8; for a person they are as they are.
                (_, true) => Form::Raw,
                _ if self.common.json => Form::Text,
                _ if self.grep.is_some() || self.lines.is_some() => Form::Text,
                _ => Form::Raw,
            },
            stream: match self.stream {
                StreamArg::Stdout => Streams::Stdout,
                StreamArg::Stderr => Streams::Stderr,
                StreamArg::Combined => Streams::Combined,
                StreamArg::All => Streams::All,
            },
            max_bytes: self
                .max_bytes
                .map(|max| usize::try_from(max).unwrap_or(usize::MAX)),
            grep: self.grep,
            lines: self.lines,
            ..ReadAsk::default()
        };
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Read(Read {
                ask,
                idle_ms: self.wait_for_idle_ms,
                follow: self.follow,
            }),
        };
        Ok((order, self.common.voice()))
    }
}

/// A piece of the transcript, or with `--follow` piece after piece.
pub(super) fn run(matches: &ArgMatches, around: &Around) -> Result<Exit, Fault> {
    let args =
        ReadArgs::from_arg_matches(matches).map_err(|error| Fault::usage(error.to_string()))?;
    let follow = args.follow;
    let (mut order, voice) = args.order(around)?;
    if !follow {
        return perform(order, voice, around);
    }
    let mut client = around.client()?;
    loop {
        let (name, reply) = client.perform(order.clone())?;
        super::notice(&mut client);
        let Reply::Passage(passage) = &reply else {
            return Err(Fault::internal("something else was answered"));
        };
        if passage.answer.next_cursor > passage.answer.cursor {
            match print::answer(&reply, name.as_ref(), voice) {
                Err(fault) if fault.message == print::GONE => return Ok(Exit::OK),
                printed => printed?,
            }
        }
        if passage.over {
            return Ok(Exit::OK);
        }
        order.session = name;
        if let Verb::Read(read) = &mut order.verb {
            read.ask.since = Some(passage.answer.next_cursor);
            read.ask.since_seq = None;
        }
    }
}
