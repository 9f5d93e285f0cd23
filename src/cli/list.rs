//! `coax list`.

use clap::{Args, ValueEnum};

use crate::fault::Fault;
use crate::verb::{List, Order, Verb, Which};

use super::{Around, Spelled, Voice, label};

#[derive(Args, Debug)]
pub(super) struct ListArgs {
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
    /// Which sessions: those that run, those that are over, or all
    #[arg(long, value_name = "WHICH", default_value = "all")]
    status: StatusArg,
    /// Only sessions with this label (again for more)
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<(String, String)>,
    /// Remove lost sessions
    #[arg(long)]
    prune: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StatusArg {
    Running,
    Completed,
    All,
}

impl Spelled for ListArgs {
    fn order(self, _: &Around) -> Result<(Order, Voice), Fault> {
        let list = List {
            which: match self.status {
                StatusArg::Running => Which::Running,
                StatusArg::Completed => Which::Completed,
                StatusArg::All => Which::All,
            },
            labels: self.labels,
            prune: self.prune,
        };
        let order = Order {
            session: None,
            verb: Verb::List(list),
        };
        Ok((order, Voice { json: self.json }))
    }
}
