//! `coax status`.

use clap::Args;

use crate::fault::Fault;
use crate::verb::{Order, Status, Verb};

use super::{Around, Common, Spelled, Voice};

#[derive(Args, Debug)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    common: Common,
}

impl Spelled for StatusArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Status(Status {}),
        };
        Ok((order, self.common.voice()))
    }
}
