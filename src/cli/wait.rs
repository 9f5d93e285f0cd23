//! `coax wait`.

use std::ops::Range;

use clap::Args;

use crate::fault::Fault;
use crate::verb::{Limit, Order, Until, Verb, Wait};

use super::screen::rows;
use super::{Around, Common, Spelled, Voice, limit, milliseconds};

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("until").multiple(false))]
pub(super) struct WaitArgs {
    #[command(flatten)]
    common: Common,
    /// Until the screen has not changed for so long
    #[arg(long, value_name = "D", group = "until", value_parser = milliseconds)]
    settle: Option<u64>,
    /// Until nothing was printed for so long
    #[arg(long, value_name = "D", group = "until", value_parser = milliseconds)]
    idle: Option<u64>,
    /// Until the program has ended; its exit code is passed on
    #[arg(long, group = "until")]
    exit: bool,
    /// Until the screen is past this revision
    #[arg(long, value_name = "REV", group = "until")]
    change: Option<u64>,
    /// Changes in rows A to B - 1 do not count, from 0 at the top; either may be left out (again for
    /// more)
    #[arg(long, value_name = "A:B", value_parser = rows, conflicts_with_all = ["idle", "exit"])]
    ignore_rows: Vec<Range<u16>>,
    /// How long at most; 0 looks once [default: 30s]
    #[arg(long, value_name = "D", value_parser = limit)]
    timeout: Option<Limit>,
}

impl Spelled for WaitArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let until = match (self.settle, self.idle, self.exit, self.change) {
            (Some(ms), ..) => Until::Settle(ms),
            (_, Some(ms), ..) => Until::Idle(ms),
            (_, _, true, _) => Until::Exit,
            (.., Some(revision)) => Until::Change(revision),
            _ => Until::Ready,
        };
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Wait(Wait {
                until,
                ignore_rows: self.ignore_rows,
                timeout: self.timeout,
                ..Wait::default()
            }),
        };
        Ok((order, self.common.voice()))
    }
}
