//! `coax resize`.

use clap::Args;

use crate::fault::Fault;
use crate::verb::{Order, Resize, Verb};

use super::{Around, Common, Spelled, Voice};

#[derive(Args, Debug)]
pub(super) struct ResizeArgs {
    #[command(flatten)]
    common: Common,
    /// Rows
    #[arg(long, value_name = "N", required_unless_present = "cols", value_parser = clap::value_parser!(u16).range(1..=4096))]
    rows: Option<u16>,
    /// Columns
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    cols: Option<u16>,
}

impl Spelled for ResizeArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Resize(Resize {
                rows: self.rows,
                cols: self.cols,
            }),
        };
        Ok((order, self.common.voice()))
    }
}
