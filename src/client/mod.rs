//! The short-lived end: carries orders to the hosts of sessions, and chooses the session where the
//! order leaves that open.

mod choose;
mod start;

use std::os::fd::BorrowedFd;
use std::rc::Rc;

use crate::fault::{Fault, Kind};
use crate::link::caller;
use crate::link::place::{Place, Standing};
use crate::sys::clock;
use crate::verb::{
    Closed, Driver, GRACE, Limit, List, Listed, Name, Order, Reply, Start, Stopped, Verb, Which,
};
use crate::wire::{self, Answer};

pub use start::HOST;

/// Something that ends a wait for a host: a signal to this process.
pub trait Interrupt {
    /// What becomes readable when it comes; none when waits are not to be ended (any more).
    fn source(&self) -> Option<BorrowedFd<'_>>;
}

/// A driver over the link.
pub struct Client {
    place: Place,
    /// `COAX_SESSION`, where it is set.
    usual: Option<String>,
    /// `COAX_TTL` in milliseconds; none for ever.
    ttl_ms: Option<u64>,
    notice: Option<String>,
    subject: Option<Name>,
    interrupt: Option<Rc<dyn Interrupt>>,
}

impl Client {
    /// A client of the sessions in `place`. `usual` is the session that is meant where an order
    /// names none; `ttl_ms` how long sessions are kept after their program's end.
    pub fn new(place: Place, usual: Option<String>, ttl_ms: Option<u64>) -> Self {
        Self {
            place,
            usual,
            ttl_ms,
            notice: None,
            subject: None,
            interrupt: None,
        }
    }

    /// Ends waits when `interrupt` comes.
    pub fn heed(&mut self, interrupt: Rc<dyn Interrupt>) {
        self.interrupt = Some(interrupt);
    }

    /// Which session was chosen, where several could have been meant; told once.
    pub fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    /// The session that the last order was about, where it was about one.
    pub fn subject(&self) -> Option<&Name> {
        self.subject.as_ref()
    }

    fn call(&mut self, name: &Name, mut verb: Verb) -> Result<Reply, Fault> {
        match self.place.look(name) {
            None => return Err(self.unknown(name)),
            Some(Standing::Lost(_)) => {
                return match verb {
                    Verb::Close(_) => self.close_lost(name),
                    _ => Err(caller::gone(name)),
                };
            }
            Some(Standing::Hosted(_)) => {}
        }
        let deadline = answer_by(&mut verb);
        let request = wire::request(&verb)?;
        let session = self.place.session(name);
        let interrupt = self
            .interrupt
            .as_ref()
            .and_then(|interrupt| interrupt.source());
        match caller::call(&session, name, &request, deadline, interrupt) {
            Ok(Answer::Done(reply)) => Ok(*reply),
            Ok(Answer::Failed(fault)) => Err(*fault),
            Ok(Answer::Acknowledged) => Err(Fault::internal("a host acknowledged twice")),
            // It was closed, or its time was over, since it was looked for.
            Err(fault) if fault.kind == Kind::HostGone && self.place.look(name).is_none() => {
                Err(self.unknown(name))
            }
            Err(fault) => Err(fault),
        }
    }

    fn close_lost(&self, name: &Name) -> Result<Reply, Fault> {
        if !self.place.remove_lost(name)? {
            return Err(Fault::new(
                Kind::NameTaken,
                format!("session {name} has just been started anew"),
            ));
        }
        Ok(Reply::Closed(Closed {
            stopped: Stopped {
                status: "lost".to_owned(),
                ..Stopped::default()
            },
        }))
    }

    fn list(&self, list: &List) -> Result<Reply, Fault> {
        let mut sessions = Vec::new();
        let mut pruned = Vec::new();
        for (name, standing) in self.place.all()? {
            let live = standing.is_live();
            if list.prune
                && matches!(standing, Standing::Lost(_))
                && self.place.remove_lost(&name)?
            {
                pruned.push(name.to_string());
                continue;
            }
            let wanted = match list.which {
                Which::Running => live,
                Which::Completed => !live,
                Which::All => true,
            };
            let mut facts = standing.facts().clone();
            if live {
                facts.duration_ms = clock::wall_ms().saturating_sub(facts.started_at_ms);
            }
            let labelled = list
                .labels
                .iter()
                .all(|(key, value)| facts.labels.get(key) == Some(value));
            if wanted && labelled {
                sessions.push(facts);
            }
        }
        Ok(Reply::Listed(Listed { sessions, pruned }))
    }

    fn unknown(&self, name: &Name) -> Fault {
        let names: Vec<_> = self
            .place
            .names()
            .unwrap_or_default()
            .iter()
            .map(Name::to_string)
            .collect();
        let hint = if names.is_empty() {
            "there are no sessions; coax start -- PROGRAM opens one".to_owned()
        } else {
            format!("there are {}", names.join(", "))
        };
        Fault::new(Kind::NoSession, format!("there is no session {name}")).hint(hint)
    }
}

impl Driver for Client {
    fn perform(&mut self, order: Order) -> Result<(Option<Name>, Reply), Fault> {
        self.subject.clone_from(&order.session);
        match order.verb {
            Verb::Start(start) => {
                let started = self.start(order.session, *start)?;
                Ok((Some(started.name.clone()), Reply::Started(started)))
            }
            Verb::List(list) => Ok((None, self.list(&list)?)),
            verb => {
                let name = self.choose(order.session, &verb)?;
                self.subject = Some(name.clone());
                let reply = self.call(&name, verb)?;
                Ok((Some(name), reply))
            }
        }
    }
}

impl Client {
    fn start(&mut self, name: Option<Name>, start: Start) -> Result<crate::verb::Started, Fault> {
        start::start(&self.place, name, start, self.ttl_ms)
    }
}

/// When the host must have answered, by the verb's own limit.
fn answer_by(verb: &mut Verb) -> Option<std::time::Instant> {
    match verb {
        Verb::Stop(stop) => {
            let grace = stop
                .grace_ms
                .map_or(GRACE, std::time::Duration::from_millis);
            Some(clock::now() + grace)
        }
        Verb::Read(_) => None,
        verb => match verb.limit_mut() {
            Some(limit) => limit.unwrap_or_default().deadline(clock::now()),
            None => Limit::DEFAULT.deadline(clock::now()),
        },
    }
}
