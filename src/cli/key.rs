//! `coax key`.

use clap::Args;

use crate::fault::Fault;
use crate::verb::{Limit, Order, Press, Verb};

use super::send::ThenArgs;
use super::{Around, Common, Spelled, Voice, limit};

#[derive(Args, Debug)]
pub(super) struct KeyArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    then: ThenArgs,
    /// How long at most [default: 30s]
    #[arg(long, value_name = "D", value_parser = limit)]
    timeout: Option<Limit>,
    /// Enter, Tab, Escape, Up, F5, one character, ...; C- M- S- before it hold Control, Meta, Shift
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,
}

impl Spelled for KeyArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let press = Press {
            keys: self.keys,
            then: self.then.then(self.common.json)?,
            timeout: self.timeout,
        };
        press.check()?;
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Key(press),
        };
        Ok((order, self.common.voice()))
    }
}
