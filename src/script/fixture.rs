//! A made-up world for the tests of scripts: words, a driver that answers from a list, a clock
//! that only sleeping and waiting move.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::fault::{Fault, Kind};
use crate::pattern::Pattern;
use crate::verb::{
    Close, Closed, Driver, Ended, Expect, Limit, List, Listed, Matched, Name, Order, Reply, Send,
    Sent, Show, Shown, Start, Started, Stop, Stopped, Until, Verb, Wait, duration,
};

use super::{Clock, Ground, Out, Outcome, Runner, Said, Spoken, Words};

pub(super) struct FakeWords;

/// Takes the value that follows `flag` out of `words`.
fn take(words: &mut Vec<String>, flag: &str) -> Result<Option<String>, Fault> {
    let Some(at) = words.iter().position(|word| word == flag) else {
        return Ok(None);
    };
    words.remove(at);
    if at >= words.len() {
        return Err(Fault::usage(format!("a value is missing for '{flag}'")));
    }
    Ok(Some(words.remove(at)))
}

fn switch(words: &mut Vec<String>, flag: &str) -> bool {
    let at = words.iter().position(|word| word == flag);
    at.map(|at| words.remove(at)).is_some()
}

impl Words for FakeWords {
    fn order(&self, words: &[String]) -> Result<Spoken, Fault> {
        let cut = words
            .iter()
            .position(|word| word == "--")
            .unwrap_or(words.len());
        let (mut flags, mut rest) = (words[1..cut].to_vec(), words[cut..].to_vec());
        if !rest.is_empty() {
            rest.remove(0);
        }
        let session = take(&mut flags, "-s")?
            .map(|name| name.parse())
            .transpose()?;
        let timeout = take(&mut flags, "--timeout")?
            .map(|limit| limit.parse())
            .transpose()?;
        let json = switch(&mut flags, "--json");
        let detach = switch(&mut flags, "--detach");
        let exit = switch(&mut flags, "--exit");
        switch(&mut flags, "--screen");
        switch(&mut flags, "--enter");
        if let Some(flag) = flags.iter().find(|word| word.starts_with('-')) {
            return Err(Fault::usage(format!("unexpected argument '{flag}' found")));
        }
        let words = [&words[..1], &flags, &rest].concat();
        let verb = match words[0].as_str() {
            "start" => start(detach),
            "send" => Verb::Send(Send {
                bytes: words[1..].join(" ").as_str().into(),
                timeout,
                ..Send::default()
            }),
            "expect" if words.len() > 1 => Verb::Expect(expect(&words[1..], timeout)),
            "expect" => return Err(Fault::usage("a pattern is missing")),
            "wait" => Verb::Wait(Wait {
                until: if exit { Until::Exit } else { Until::Ready },
                timeout,
                ..Wait::default()
            }),
            "screen" => Verb::Screen(Show::default()),
            "stop" => Verb::Stop(Stop::default()),
            "close" => Verb::Close(Close::default()),
            "list" => Verb::List(List::default()),
            "sleep" => return duration(&words[1]).map(Spoken::Sleep),
            other => return Err(Fault::usage(format!("there is no {other}"))),
        };
        Ok(Spoken::Order {
            order: Order { session, verb },
            json,
        })
    }

    fn verbs(&self) -> Vec<&str> {
        vec![
            "start", "send", "expect", "wait", "screen", "stop", "close", "list", "sleep",
        ]
    }
}

fn start(detach: bool) -> Verb {
    Verb::Start(Box::new(Start {
        detach,
        ..Start::default()
    }))
}

fn expect(patterns: &[String], timeout: Option<Limit>) -> Expect {
    Expect {
        patterns: patterns.iter().map(Pattern::text).collect(),
        timeout,
        ..Expect::default()
    }
}

fn matched(index: usize, captures: &[&str]) -> Reply {
    let groups = captures.iter().enumerate().skip(1);
    Reply::Matched(Box::new(Matched {
        index: Some(index),
        text: captures.first().copied().unwrap_or_default().to_owned(),
        captures: groups
            .map(|(number, text)| (number.to_string(), (*text).to_owned()))
            .collect(),
        ..Matched::default()
    }))
}

fn unwanted() -> Reply {
    Reply::Matched(Box::new(Matched {
        index: Some(0),
        text: "oops".to_owned(),
        unwanted: true,
        ..Matched::default()
    }))
}

fn waited(exit_code: Option<i32>, signal: Option<i32>) -> Reply {
    let fields = serde_json::json!({
        "evidence": "exited", "certain": true, "quiet_ms": 0, "revision": 0,
        "exit_code": exit_code, "signal": signal, "for_exit": true,
    });
    Reply::Waited(serde_json::from_value(fields).expect("is a reply"))
}

/// What the program does at the next `expect` or `wait`.
#[derive(Clone, Debug)]
pub(super) enum Next {
    Matches(usize, &'static [&'static str]),
    Unwanted,
    Exits(i32),
    Killed(i32),
    Ends,
    /// Nothing, until the limit.
    Hangs,
    HostGone,
}

/// A driver that writes down what it is asked.
pub(super) struct World {
    now: Cell<Duration>,
    base: Instant,
    pub(super) signal: Cell<Option<i32>>,
    next: RefCell<VecDeque<Next>>,
    log: RefCell<Vec<String>>,
    pub(super) fail_close: bool,
    pub(super) left: Vec<Ended>,
    sessions: Cell<u32>,
}

pub(super) struct FakeDriver<'w>(&'w World);
pub(super) struct FakeOut<'w>(&'w World);

impl World {
    pub(super) fn new(next: impl IntoIterator<Item = Next>) -> Self {
        Self {
            now: Cell::default(),
            base: Instant::now(),
            signal: Cell::default(),
            next: RefCell::new(next.into_iter().collect()),
            log: RefCell::default(),
            fail_close: false,
            left: Vec::new(),
            sessions: Cell::default(),
        }
    }

    /// Runs `script` as `t.coax`; gives how it ended and what happened meanwhile.
    pub(super) fn run(&self, script: &str) -> (Outcome, Vec<String>) {
        let ground = Ground {
            words: &FakeWords,
            driver: &mut FakeDriver(self),
            out: &mut FakeOut(self),
            clock: self,
            environment: &|name| (name == "HOME").then(|| "/home".to_owned()),
        };
        let outcome = Runner::new("t.coax", ground).run(script.as_bytes());
        (outcome, self.log.take())
    }

    fn log(&self, line: String) {
        self.log.borrow_mut().push(line);
    }

    fn pass(&self, duration: Duration) {
        self.now.set(self.now.get() + duration);
    }

    fn answer(&self, limit: Option<Limit>) -> Result<Reply, Fault> {
        let next = self.next.borrow_mut().pop_front();
        match next.unwrap_or(Next::Matches(0, &["all"])) {
            Next::Matches(index, captures) => Ok(matched(index, captures)),
            Next::Unwanted => Ok(unwanted()),
            Next::Exits(code) => Ok(waited(Some(code), None)),
            Next::Killed(signal) => Ok(waited(None, Some(signal))),
            Next::Ends => Err(Fault::new(Kind::Ended, "the program has ended")),
            Next::HostGone => Err(Fault::new(Kind::HostGone, "the host is gone")),
            Next::Hangs => {
                let limit = limit.unwrap_or_default();
                if let Limit::After(limit) = limit {
                    self.pass(limit);
                }
                Err(
                    Fault::new(Kind::Timeout, format!("no match within {limit}"))
                        .report("| login: |"),
                )
            }
        }
    }
}

impl Driver for FakeDriver<'_> {
    fn perform(&mut self, mut order: Order) -> Result<(Option<Name>, Reply), Fault> {
        let world = self.0;
        let limit = order.verb.limit_mut().and_then(|limit| *limit);
        let name = order.session.clone();
        let of = name.as_ref().map_or("-", Name::as_str).to_owned();
        let within = limit.map(|limit| format!(" ({limit})")).unwrap_or_default();
        let reply = match order.verb {
            Verb::Start(start) => {
                world.sessions.set(world.sessions.get() + 1);
                let name: Name = match name {
                    Some(name) => name,
                    None => format!("s{}", world.sessions.get()).parse()?,
                };
                world.log(format!("start {name}"));
                let reply = Reply::Started(Started {
                    name: name.clone(),
                    pid: 1,
                    host_pid: 2,
                    size: start.size,
                    offset: 0,
                    replaced: false,
                });
                return Ok((Some(name), reply));
            }
            Verb::Send(send) => {
                world.log(format!("{of}: send {}", send.bytes.to_text()));
                sent()
            }
            Verb::Expect(expect) => {
                world.log(format!(
                    "{of}: expect {}{within}",
                    patterns(&expect).join("|")
                ));
                world.answer(limit)?
            }
            Verb::Wait(_) => {
                world.log(format!("{of}: wait{within}"));
                world.answer(limit)?
            }
            Verb::Screen(_) => {
                world.log(format!("{of}: screen"));
                shown()
            }
            Verb::List(_) => Reply::Listed(Listed {
                sessions: Vec::new(),
                pruned: Vec::new(),
            }),
            Verb::Stop(_) => {
                world.log(format!("{of}: stop"));
                Reply::Stopped(Stopped {
                    left: world.left.clone(),
                    ..Stopped::default()
                })
            }
            Verb::Close(_) if world.fail_close => return Err(Fault::internal("will not close")),
            Verb::Close(_) => {
                world.log(format!("{of}: close"));
                Reply::Closed(Closed::default())
            }
            other => panic!("{other:?} is not in the tests"),
        };
        Ok((name, reply))
    }
}

fn sent() -> Reply {
    Reply::Sent(Sent {
        after: None,
        bytes_written: 1,
        offset: 0,
        echo: None,
    })
}

fn shown() -> Reply {
    Reply::Shown(Box::new(Shown {
        rendered: None,
        fields: serde_json::Map::new(),
    }))
}

fn patterns(expect: &Expect) -> Vec<String> {
    let sources = expect.patterns.iter().map(|pattern| &pattern.source);
    sources.cloned().collect()
}

impl Out for FakeOut<'_> {
    fn say(&mut self, said: Said<'_>) -> Result<(), Fault> {
        self.0.log(match said {
            Said::Echo(text) => format!("said {text}"),
            Said::Reply { words, .. } => format!("said the reply of {}", words.join(" ")),
        });
        Ok(())
    }
}

impl Clock for World {
    fn now(&self) -> Instant {
        self.base + self.now.get()
    }

    fn sleep(&self, duration: Duration) {
        self.pass(duration);
    }

    fn interrupted(&self) -> Option<i32> {
        self.signal.get()
    }
}
