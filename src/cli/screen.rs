//! `coax screen`: of a session, or of a program that is run for it.

use std::ffi::OsString;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};

use crate::fault::{Exit, Fault};
use crate::session::{Session, Spec};
use crate::sys::{child, process};
use crate::term::Size;
use crate::verb::{Format, Limit, Local, Order, Reply, Show, Stop, Until, Verb, Wait, check};
use std::ops::Range;

use crate::view::Look;

use super::start::SurroundingsArgs;
use super::{Around, Common, Spelled, Voice, limit, perform, print};

/// How long the screen of a program that works, and will not stop, is unchanged before it is shown.
const STILL_MS: u64 = 1000;

/// In which form a screen is shown.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormatArg {
    /// Text, a line a row
    Text,
    /// Text with the escapes that draw it again
    Ansi,
    /// One JSON object
    Json,
    /// A page for a browser
    Html,
    /// A picture
    Svg,
}

/// What of a screen is shown; what `screen` and `render` share.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct LookArgs {
    /// In which form
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,
    /// In JSON: every cell with its colours and attributes
    #[arg(long)]
    cells: bool,
    /// In JSON: the cells, those beside each other with the same pen in one
    #[arg(long)]
    runs: bool,
    /// All rows, with their trailing blanks
    #[arg(long)]
    full: bool,
    /// The lines above the screen too, all or the last N
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "4294967295")]
    scrollback: Option<u32>,
    /// The alternate screen as it was when the program last left it
    #[arg(long)]
    alt_last: bool,
}

impl LookArgs {
    pub(super) fn format(&self, json: bool) -> Format {
        match self.format {
            _ if json => Format::Json,
            FormatArg::Text => Format::Text,
            FormatArg::Ansi => Format::Ansi,
            FormatArg::Json => Format::Json,
            FormatArg::Html => Format::Html,
            FormatArg::Svg => Format::Svg,
        }
    }

    pub(super) fn look(&self, rows: Option<Range<u16>>) -> Look {
        Look {
            rows,
            full: self.full,
            scrollback: self
                .scrollback
                .map(|lines| usize::try_from(lines).unwrap_or(usize::MAX)),
            cells: self.cells,
            runs: self.runs,
            alt_last: self.alt_last,
        }
    }
}

#[derive(Args, Debug)]
pub(super) struct ScreenArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    look: LookArgs,
    /// Only rows A to B - 1, from 0 at the top; either may be left out
    #[arg(long, value_name = "A:B", value_parser = rows)]
    rows: Option<Range<u16>>,
    /// Only the rows that changed after this revision
    #[arg(long, value_name = "REV", conflicts_with_all = ["scrollback", "alt_last"])]
    since: Option<u64>,
    /// With -- CMD: the size of its terminal
    #[arg(long, value_name = "ROWSxCOLS", default_value = "24x80", value_parser = size)]
    size: Size,
    /// With -- CMD: how long it may take to be ready [default: 30s]
    #[arg(long, value_name = "D", value_parser = limit)]
    timeout: Option<Limit>,
    #[command(flatten)]
    surroundings: SurroundingsArgs,
    /// A program to run, show and end
    #[arg(last = true, value_name = "CMD")]
    argv: Vec<OsString>,
}

impl ScreenArgs {
    fn show(&self) -> Show {
        Show {
            format: self.look.format(self.common.json),
            look: self.look.look(self.rows.clone()),
            since: self.since,
        }
    }
}

impl Spelled for ScreenArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        if !self.argv.is_empty() {
            return Err(Fault::usage("screen -- CMD stands by itself")
                .hint("in a script, start the program and then ask for its screen"));
        }
        let order = Order {
            verb: Verb::Screen(self.show()),
            session: self.common.session.clone(),
        };
        // JSON without the flag: the answer is the object either way.
        let json = matches!(self.look.format(self.common.json), Format::Json);
        Ok((order, Voice { json }))
    }
}

pub(super) fn rows(word: &str) -> Result<Range<u16>, String> {
    let bad = || "rows are A:B, from 0 at the top, B not included: 0:5, 20:, :3".to_owned();
    let (from, to) = word.split_once(':').ok_or_else(bad)?;
    let side = |side: &str, open: u16| match side {
        "" => Ok(open),
        side => side.parse().map_err(|_| bad()),
    };
    let rows = side(from, 0)?..side(to, u16::MAX)?;
    if rows.is_empty() {
        Err(bad())
    } else {
        Ok(rows)
    }
}

fn size(word: &str) -> Result<Size, String> {
    let size = word.split_once('x').and_then(|(rows, cols)| {
        Some(Size {
            rows: rows.parse().ok()?,
            cols: cols.parse().ok()?,
        })
    });
    let size = size.ok_or_else(|| "a size is ROWSxCOLS: 24x80".to_owned())?;
    super::hinted(check(size).map(|()| size))
}

/// The screen of a session, or of a program that is run until it is ready and then ended.
pub(super) fn run(matches: &ArgMatches, around: &Around) -> Result<Exit, Fault> {
    let args =
        ScreenArgs::from_arg_matches(matches).map_err(|error| Fault::usage(error.to_string()))?;
    if args.argv.is_empty() {
        let (order, voice) = args.order(around)?;
        return perform(order, voice, around);
    }
    if let Some(name) = &args.common.session {
        return Err(
            Fault::usage(format!("-s {name} and -- CMD do not go together"))
                .hint("one shows a session, the other runs a program of its own"),
        );
    }
    let others = process::children(std::process::id());
    child::adopt_orphans();
    let (cwd, env) = args.surroundings.resolve(around)?;
    let mut session = Session::spawn(&Spec {
        argv: args.argv.clone(),
        env,
        cwd,
        size: args.size,
    })?;
    session.own_orphans(others);
    if !around.probes() {
        session.ask_nothing();
    }
    let mut driver = Local::new(session);
    let ready = driver.call(Verb::Wait(Wait {
        until: Until::Ready,
        still_ms: Some(STILL_MS),
        timeout: args.timeout,
        ..Wait::default()
    }));
    let shown = ready.and_then(|_| driver.call(Verb::Screen(args.show())));
    driver.call(Verb::Stop(Stop::default()))?;
    let shown = shown?;
    let json = matches!(args.look.format(args.common.json), Format::Json);
    if let Reply::Shown(_) = &shown {
        return print::reply(&shown, None, Voice { json });
    }
    Err(Fault::internal("the screen was not shown"))
}
