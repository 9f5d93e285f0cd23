//! `coax signal`.

use clap::Args;

use crate::fault::Fault;
use crate::verb::{Order, Signal, Verb};

use super::{Around, Common, Spelled, Voice};

#[derive(Args, Debug)]
pub(super) struct SignalArgs {
    #[command(flatten)]
    common: Common,
    /// The signal: INT, SIGTERM, 9, ...
    #[arg(value_name = "SIG")]
    signal: String,
}

impl Spelled for SignalArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let signal = Signal {
            signal: self.signal,
        };
        signal.number()?;
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Signal(signal),
        };
        Ok((order, self.common.voice()))
    }
}
