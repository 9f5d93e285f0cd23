//! `coax stop` and `coax close`.

use clap::Args;

use crate::fault::Fault;
use crate::verb::{Close, Order, Stop, Verb};

use super::{Around, Common, Spelled, Voice, milliseconds};

#[derive(Args, Debug)]
pub(super) struct StopArgs {
    #[command(flatten)]
    common: Common,
    /// How long it may take to end by itself before it is killed [default: 2s]
    #[arg(long, value_name = "D", value_parser = milliseconds)]
    grace: Option<u64>,
}

#[derive(Args, Debug)]
pub(super) struct CloseArgs {
    #[command(flatten)]
    common: Common,
}

impl Spelled for StopArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Stop(Stop {
                grace_ms: self.grace,
            }),
        };
        Ok((order, self.common.voice()))
    }
}

impl Spelled for CloseArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Close(Close::default()),
        };
        Ok((order, self.common.voice()))
    }
}
