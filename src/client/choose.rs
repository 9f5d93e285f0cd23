//! Which session is meant where an order names none.

use crate::fault::{Fault, Kind};
use crate::verb::{Name, Reach, Verb};

use super::Client;

impl Client {
    /// The session that `named` names; else the usual one; else the only one, a live one before
    /// ended ones. With several, a verb that looks takes the most recently started live one, and a
    /// verb that acts refuses.
    ///
    /// # Errors
    /// No such session, or several where the verb acts.
    pub(super) fn choose(&mut self, named: Option<Name>, verb: &Verb) -> Result<Name, Fault> {
        if let Some(name) = named {
            return Ok(name);
        }
        if let Some(usual) = self.usual.as_deref().filter(|usual| !usual.is_empty()) {
            return usual
                .parse()
                .map_err(|fault: Fault| fault.hint("COAX_SESSION is set to it"));
        }
        let all = self.place.all()?;
        let live: Vec<_> = all
            .iter()
            .filter(|(_, standing)| standing.is_live())
            .collect();
        let candidates = if live.is_empty() {
            all.iter().collect()
        } else {
            live
        };
        match candidates[..] {
            [] => Err(Fault::new(Kind::NoSession, "there is no session")
                .hint("coax start -- PROGRAM opens one")),
            [(only, _)] => Ok(only.clone()),
            [.., (newest, _)] => match verb.reach() {
                Reach::Looks => {
                    self.notice = Some(format!(
                        "{} sessions; this is {newest}, the most recently started",
                        candidates.len()
                    ));
                    Ok(newest.clone())
                }
                Reach::Acts => {
                    let all: Vec<_> = candidates
                        .iter()
                        .map(|(name, _)| name.to_string())
                        .collect();
                    Err(Fault::new(
                        Kind::AmbiguousSession,
                        format!("which session? There are {}", all.join(", ")),
                    )
                    .hint("name one with -s, or set COAX_SESSION"))
                }
            },
        }
    }
}
