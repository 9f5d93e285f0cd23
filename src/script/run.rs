//! Runs a script against a driver, and ends the sessions that it started, however it ends.
//!
//! The recursion here is as deep as the blocks of the script nest, which the parser bounds.

use std::time::{Duration, Instant};

use crate::fault::{Exit, Fault, Kind};
use crate::verb::{Limit, Name, Order, Reply, Verb, spell};

use super::act::{self, Act};
use super::failure::{Failure, Outcome, Trouble};
use super::place::Place;
use super::tree::{Arm, Catch, Command, Script};
use super::vars::{Vars, Wrong};
use super::word::Word;
use super::{Ground, Said, Spoken, answer, check};

/// How long a whole script may take unless it says `set deadline`.
const DEADLINE: Duration = Duration::from_secs(30 * 60);

/// What a command leads to.
#[derive(Debug, PartialEq, Eq)]
enum Flow {
    /// The next command.
    On,
    /// Another wait of the `expect` around it.
    Again,
    /// The end of the script.
    Exit(u8),
}

/// Why an order came to nothing.
struct Miss {
    fault: Fault,
    /// The script's exit code, where it is not the one of the fault.
    exit: Option<Exit>,
    /// Whether the whole script is over with it, so that no arm may catch it.
    whole: bool,
}

impl From<Fault> for Miss {
    fn from(fault: Fault) -> Self {
        Self {
            fault,
            exit: None,
            whole: false,
        }
    }
}

/// Why a command failed, and where in it, if that is not its beginning.
struct Fail {
    miss: Miss,
    place: Option<Place>,
}

impl From<Miss> for Fail {
    fn from(miss: Miss) -> Self {
        Self { miss, place: None }
    }
}

impl From<Fault> for Fail {
    fn from(fault: Fault) -> Self {
        Miss::from(fault).into()
    }
}

impl From<Wrong> for Fail {
    fn from(wrong: Wrong) -> Self {
        let hint = "set NAME VALUE gives it a value, ${NAME:-DEFAULT} does without";
        Self {
            miss: Fault::usage(wrong.message).hint(hint).into(),
            place: Some(wrong.place),
        }
    }
}

/// Runs scripts.
pub struct Runner<'g> {
    file: String,
    ground: Ground<'g>,
    vars: Vars<'g>,
    began: Instant,
    deadline: Limit,
    timeout: Limit,
    started: Vec<Name>,
    current: Option<Name>,
    /// The code of the program whose end was waited for last.
    status: Option<i32>,
    /// The screen that an `expect` with a block has acted on: `again` wants a later one.
    acted_on: Option<u64>,
}

impl<'g> Runner<'g> {
    /// A runner on `ground`; `file` is what failures call the script.
    pub fn new(file: impl Into<String>, ground: Ground<'g>) -> Self {
        Self {
            file: file.into(),
            vars: Vars::new(ground.environment),
            began: ground.clock.now(),
            deadline: Limit::After(DEADLINE),
            timeout: Limit::DEFAULT,
            started: Vec::new(),
            current: None,
            status: None,
            acted_on: None,
            ground,
        }
    }

    /// The sessions that the script has started and that end with it, oldest first.
    pub fn started(&self) -> &[Name] {
        &self.started
    }

    /// Runs the script that `bytes` are, unless it has mistakes, and ends its sessions.
    pub fn run(&mut self, bytes: &[u8]) -> Outcome {
        let environment = Some(self.ground.environment);
        match check::read(bytes, self.ground.words, environment) {
            Ok(script) => self.run_script(&script),
            Err(mistakes) => Outcome {
                exit: Exit::USAGE,
                trouble: Some(Trouble::Mistakes(mistakes)),
                cleanup: Vec::new(),
            },
        }
    }

    fn run_script(&mut self, script: &Script) -> Outcome {
        self.began = self.ground.clock.now();
        let (exit, trouble) = match self.commands(&script.commands) {
            Ok(Flow::On | Flow::Again) => (Exit::OK, None),
            Ok(Flow::Exit(code)) => (Exit(code), None),
            Err(failure) => (failure.exit, Some(Trouble::Failure(failure))),
        };
        Outcome {
            exit,
            trouble,
            cleanup: self.clean_up(exit != Exit::OK),
        }
    }

    /// Ends the sessions that the script started, the last one first. After a failure all that they
    /// started is ended too; after a good end a daemon that somebody wanted stays, as with `close`.
    fn clean_up(&mut self, failed: bool) -> Vec<Fault> {
        let mut faults = Vec::new();
        while let Some(name) = self.started.pop() {
            let stop = failed.then(|| answer::stop(&name));
            for order in stop.into_iter().chain([answer::close(&name)]) {
                let closes = matches!(order.verb, Verb::Close(_));
                match self.ground.driver.perform(order) {
                    Ok((_, reply)) => faults.extend(answer::verdict(&reply)),
                    // It is gone already; of a lost host, `close` has the last word.
                    Err(fault) if fault.kind == Kind::NoSession => {}
                    Err(fault) if fault.kind == Kind::HostGone && !closes => {}
                    Err(fault) => faults.push(fault),
                }
            }
        }
        faults
    }

    fn commands(&mut self, commands: &[Command]) -> Result<Flow, Box<Failure>> {
        for (index, command) in commands.iter().enumerate() {
            let flow = match act::read(command) {
                Ok(Act::Expect(words, arms)) => self.expect(command, words, arms)?,
                Ok(act) => {
                    let next = commands.get(index + 1).map(act::read);
                    let asserted = matches!(next, Some(Ok(Act::AssertExit(_))));
                    self.act(&act, asserted)
                        .map_err(|fail| self.failure(command, fail))?
                }
                Err(mistake) => {
                    let fault = Fault::usage(mistake.message).hint(mistake.hint);
                    return Err(self.failure(command, fault.into()));
                }
            };
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn failure(&self, command: &Command, fail: Fail) -> Box<Failure> {
        let Fail { miss, place } = fail;
        Box::new(Failure {
            file: self.file.clone(),
            place: place.unwrap_or(command.place),
            command: command.text.clone(),
            exit: miss.exit.unwrap_or(miss.fault.exit()),
            fault: miss.fault,
        })
    }

    /// Carries out a command that has no block.
    fn act(&mut self, act: &Act<'_>, asserted: bool) -> Result<Flow, Fail> {
        if let Act::Again = act {
            return Ok(Flow::Again);
        }
        self.look_up()?;
        match act {
            Act::AssertExit(code) => {
                let wanted = self.code(code)?;
                self.assert_exit(wanted)?;
            }
            Act::AssertScreen(pattern) => self.assert_screen(pattern)?,
            Act::Echo(words) => {
                let text = self.vars.expand_all(words)?.join(" ");
                self.ground.out.say(Said::Echo(&text))?;
            }
            Act::Exit(None) => return Ok(Flow::Exit(0)),
            Act::Exit(Some(code)) => return Ok(Flow::Exit(self.code(code)?)),
            Act::Fail(words) => {
                let text = self.vars.expand_all(words)?.join(" ");
                return Err(self.seen(Fault::new(Kind::CheckFailed, text)).into());
            }
            Act::Session(name) => {
                let name = self.vars.expand(name)?.parse()?;
                self.choose(Some(name));
            }
            Act::Set(name, value) => {
                let value = self.vars.expand(value)?;
                self.vars.set(name, value);
            }
            Act::SetDeadline(limit) => self.deadline = self.vars.expand(limit)?.parse()?,
            Act::SetTimeout(limit) => self.timeout = self.vars.expand(limit)?.parse()?,
            Act::Verb(words) => {
                let words = self.vars.expand_all(words)?;
                if let Some(Reply::Waited(waited)) = self.perform(&words)?
                    && let Some(code) = answer::ended_with(&waited)
                    && code != 0
                    && !asserted
                {
                    let Miss { fault, exit, whole } = ended_with(code);
                    let fault = self.seen(fault);
                    return Err(Miss { fault, exit, whole }.into());
                }
            }
            // `again` stands above; blocks are told apart before, because their commands fail by themselves.
            Act::Again | Act::Expect(..) => {}
        }
        Ok(Flow::On)
    }

    /// The same fault with the screen of the current session, where there is one.
    fn seen(&mut self, fault: Fault) -> Fault {
        let Some(session) = self.current.clone() else {
            return fault;
        };
        match self.ground.driver.perform(answer::look(session)) {
            Ok((_, Reply::Shown(shown))) => {
                let text = String::from_utf8_lossy(&shown.rendered()).into_owned();
                let rows = text.lines().map(|row| format!("  | {row}"));
                let lines: Vec<_> = std::iter::once("screen:".to_owned()).chain(rows).collect();
                fault.report(lines.join("\n"))
            }
            // The fault itself is what matters.
            _ => fault,
        }
    }

    /// Carries out an `expect` with a block: one order for all of its arms.
    fn expect(
        &mut self,
        command: &Command,
        words: &[Word],
        arms: &[Arm],
    ) -> Result<Flow, Box<Failure>> {
        let mut acted_on = None;
        loop {
            self.acted_on = acted_on;
            let arm = self.await_arm(words, arms);
            acted_on = self.acted_on.take();
            let arm = arm.map_err(|fail| self.failure(command, fail))?;
            let Some(arm) = arm else {
                return Ok(Flow::On);
            };
            match self.commands(&arm.body)? {
                Flow::Again => {}
                flow => return Ok(flow),
            }
        }
    }

    /// Waits until an arm is led to.
    fn await_arm<'s>(&mut self, words: &[Word], arms: &'s [Arm]) -> Result<Option<&'s Arm>, Fail> {
        self.look_up()?;
        let mut line = self.vars.expand_all(words)?;
        line.push("--".to_owned());
        let mut owners = Vec::new();
        for arm in arms {
            line.extend(self.vars.expand_all(&arm.patterns)?);
            owners.extend(arm.patterns.iter().map(|_| arm));
        }
        match self.perform(&line) {
            Ok(Some(Reply::Matched(matched))) => {
                self.acted_on = answer::screen(&matched);
                Ok(matched.index.and_then(|index| owners.get(index).copied()))
            }
            Ok(_) => Ok(None),
            Err(miss) => {
                let catch = match miss.fault.kind {
                    Kind::Ended => Some(Catch::Eof),
                    Kind::Timeout => Some(Catch::Timeout),
                    _ => None,
                };
                let caught = catch
                    .filter(|_| !miss.whole)
                    .and_then(|catch| arms.iter().find(|arm| arm.catches.contains(&catch)));
                caught.map(Some).ok_or_else(|| miss.into())
            }
        }
    }

    fn assert_exit(&mut self, wanted: u8) -> Result<(), Fault> {
        match self.status {
            Some(code) if code == i32::from(wanted) => Ok(()),
            Some(code) => {
                let message = format!("the program ended with {code}, not with {wanted}");
                Err(self.seen(Fault::new(Kind::CheckFailed, message)))
            }
            None => Err(Fault::usage("no program was waited for to end")
                .hint("wait --exit stands before assert exit")),
        }
    }

    fn assert_screen(&mut self, pattern: &Word) -> Result<(), Fail> {
        let pattern = self.vars.expand(pattern)?;
        let line = ASSERT_SCREEN.map(ToOwned::to_owned);
        let line = [line.as_slice(), std::slice::from_ref(&pattern)].concat();
        match self.perform(&line) {
            Ok(_) => Ok(()),
            Err(mut miss) => {
                if !miss.whole && matches!(miss.fault.kind, Kind::Timeout | Kind::Ended) {
                    let message = format!("the screen does not show \"{pattern}\"");
                    miss.fault = Fault::new(Kind::CheckFailed, message)
                        .hint("expect --screen waits until it does")
                        .report(miss.fault.report);
                }
                Err(miss.into())
            }
        }
    }

    fn code(&self, word: &Word) -> Result<u8, Fail> {
        let text = self.vars.expand(word)?;
        exit_code(&text).map_err(Fail::from)
    }

    /// Ends the script where somebody interrupts it or its time is up.
    fn look_up(&self) -> Result<(), Miss> {
        if let Some(signal) = self.ground.clock.interrupted() {
            return Err(interrupted(signal));
        }
        match self.left() {
            Some(left) if left.is_zero() => Err(self.past_deadline(String::new())),
            _ => Ok(()),
        }
    }

    /// What is left of the script's time.
    fn left(&self) -> Option<Duration> {
        let deadline = self.deadline.deadline(self.began)?;
        Some(deadline.saturating_duration_since(self.ground.clock.now()))
    }

    fn past_deadline(&self, report: String) -> Miss {
        let whole = match self.deadline {
            Limit::After(whole) => spell(whole),
            Limit::None => Limit::None.to_string(),
        };
        let message = format!("the script's deadline of {whole} has passed");
        let fault = Fault::new(Kind::Timeout, message);
        Miss {
            fault: fault.hint("set deadline D allows longer").report(report),
            exit: None,
            whole: true,
        }
    }

    /// Carries out one line of words, within its own limit and the script's.
    fn perform(&mut self, words: &[String]) -> Result<Option<Reply>, Miss> {
        let (mut order, json) = match self.ground.words.order(words)? {
            Spoken::Order { order, json } => (order, json),
            Spoken::Sleep(duration) => return self.sleep(duration).map(|()| None),
        };
        if order.session.is_none() && answer::is_of_session(&order.verb) {
            order.session.clone_from(&self.current);
        }
        if let Verb::Expect(expect) = &mut order.verb {
            expect.after = self.acted_on;
        }
        let cut = self.limit(&mut order);
        let keep = !matches!(&order.verb, Verb::Start(start) if start.detach);
        let asked = order.session.clone();
        match self.ground.driver.perform(order) {
            Ok((session, reply)) => {
                let session = session.or(asked);
                self.note(session.as_ref(), &reply, keep);
                if json || answer::looks(&reply) {
                    let session = session.as_ref();
                    self.ground.out.say(Said::Reply {
                        words,
                        session,
                        reply: &reply,
                    })?;
                }
                match answer::verdict(&reply) {
                    Some(fault) => Err(fault.into()),
                    None => Ok(Some(reply)),
                }
            }
            Err(fault) => Err(match self.ground.clock.interrupted() {
                Some(signal) => interrupted(signal),
                None if cut && fault.kind == Kind::Timeout => self.past_deadline(fault.report),
                None => fault.into(),
            }),
        }
    }

    /// Gives an order that waits its limit; says whether the script's deadline cut it short.
    fn limit(&self, order: &mut Order) -> bool {
        let Some(slot) = order.verb.limit_mut() else {
            return false;
        };
        let wanted = slot.unwrap_or(self.timeout);
        let (limit, cut) = match (wanted, self.left()) {
            (Limit::After(wanted), Some(left)) if wanted <= left => (Limit::After(wanted), false),
            (_, Some(left)) => (Limit::After(left), true),
            (wanted, None) => (wanted, false),
        };
        *slot = Some(limit);
        cut
    }

    fn sleep(&self, duration: Duration) -> Result<(), Miss> {
        let left = self.left().unwrap_or(duration);
        self.ground.clock.sleep(duration.min(left));
        if duration > left {
            return Err(self.past_deadline(String::new()));
        }
        self.look_up()
    }

    /// Remembers what a reply means for the commands after it.
    fn note(&mut self, session: Option<&Name>, reply: &Reply, keep: bool) {
        match reply {
            Reply::Started(started) => {
                self.started.retain(|name| *name != started.name);
                if keep {
                    self.started.push(started.name.clone());
                }
                self.choose(Some(started.name.clone()));
            }
            Reply::Matched(matched) => {
                self.vars.capture(answer::captures(matched));
            }
            Reply::Waited(waited) => {
                if let Some(code) = answer::ended_with(waited) {
                    self.status = Some(code);
                    self.vars.set("status", code.to_string());
                }
            }
            Reply::Closed(_) => {
                self.started.retain(|name| Some(name) != session);
                if self.current.as_ref() == session {
                    self.choose(self.started.last().cloned());
                }
            }
            Reply::Sent(_)
            | Reply::Shown(_)
            | Reply::Passage(_)
            | Reply::Facts(_)
            | Reply::Listed(_)
            | Reply::Resized(_)
            | Reply::Signalled(_)
            | Reply::Stopped(_) => {}
        }
    }

    /// Makes `session` the one that orders without a name are about.
    fn choose(&mut self, session: Option<Name>) {
        if let Some(name) = &session {
            self.vars.set("session", name.to_string());
        }
        self.current = session;
    }
}

/// The words of `assert screen`, but for its pattern.
pub(super) const ASSERT_SCREEN: [&str; 5] = ["expect", "--screen", "--timeout", "0", "--"];

/// The code that `exit` and `assert exit` take.
pub(super) fn exit_code(text: &str) -> Result<u8, Fault> {
    text.parse().map_err(|_| {
        Fault::usage(format!("\"{text}\" is no exit code")).hint("an exit code is 0 to 255")
    })
}

fn ended_with(code: i32) -> Miss {
    let message = format!("the program ended with exit code {code}");
    let fault = Fault::new(Kind::CheckFailed, message);
    Miss {
        fault: fault.hint(format!(
            "write assert exit {code} after it where that is right"
        )),
        exit: u8::try_from(code).ok().map(Exit),
        whole: true,
    }
}

fn interrupted(signal: i32) -> Miss {
    let fault = Fault::new(Kind::CheckFailed, format!("interrupted by signal {signal}"));
    Miss {
        fault,
        exit: u8::try_from(128 + signal).ok().map(Exit),
        whole: true,
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
