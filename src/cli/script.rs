//! Scripts on the command line: what `src/script` needs of the world, handed in.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::Interrupt;
use crate::fault::{Exit, Fault};
use crate::script::{
    Clock, Ground, Out, Outcome, Runner, Said, Spoken, Trouble, Words, check as mistakes,
};
use crate::sys::poll::{self, Interest};
use crate::sys::signal::{self, Signals};
use crate::sys::{clock, process};

use super::{Around, Voice, print, script_words, spoken};

/// The words of the command line.
struct CommandLine<'a> {
    around: &'a Around,
    dry: Around,
    json: bool,
}

impl Words for CommandLine<'_> {
    fn order(&self, words: &[String]) -> Result<Spoken, Fault> {
        let (order, voice) = spoken(words, self.around)?;
        Ok(Spoken::Order {
            order,
            json: voice.json || self.json,
        })
    }

    fn check(&self, words: &[String]) -> Result<(), Fault> {
        spoken(words, &self.dry).map(drop)
    }

    fn verbs(&self) -> Vec<&str> {
        script_words().collect()
    }
}

/// Standard output.
struct Stdout {
    json: bool,
}

impl Out for Stdout {
    fn say(&mut self, said: Said<'_>) -> Result<(), Fault> {
        match said {
            Said::Echo(text) => print::out(format!("{text}\n").as_bytes())?,
            Said::Reply {
                words,
                session,
                reply,
            } => {
                let json = self.json || words.iter().any(|word| word == "--json");
                print::answer(reply, session, Voice { json })?;
            }
        }
        Ok(())
    }
}

/// The time, and the signals that want the script to end.
struct Watch {
    signals: Signals,
    came: Cell<Option<i32>>,
}

impl Watch {
    fn look(&self) {
        if let Some(signal) = self.signals.take().first() {
            self.came.set(Some(self.came.get().unwrap_or(*signal)));
        }
    }
}

impl Clock for Watch {
    fn now(&self) -> Instant {
        clock::now()
    }

    fn sleep(&self, duration: Duration) {
        use std::os::fd::AsFd;
        let until = clock::now() + duration;
        while self.interrupted().is_none() && clock::now() < until {
            let read = Interest {
                read: true,
                write: false,
            };
            if poll::wait(&[(self.signals.as_fd(), read)], Some(until)).is_err() {
                return;
            }
        }
    }

    fn interrupted(&self) -> Option<i32> {
        self.look();
        self.came.get()
    }
}

impl Interrupt for Watch {
    fn source(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        use std::os::fd::AsFd;
        // What is done after an interruption, the ending of sessions, is not interrupted.
        self.came.get().is_none().then(|| self.signals.as_fd())
    }
}

/// Runs a script.
pub(super) fn run(file: &Path, json: bool, around: &Around) -> Result<Exit, Fault> {
    let bytes = read(file)?;
    let caught: Vec<_> = [process::INT, process::TERM, process::HUP]
        .into_iter()
        .filter(|signal| !signal::is_ignored(*signal))
        .collect();
    let signals = Signals::catch(&caught)
        .map_err(|error| Fault::internal(format!("signals cannot be caught: {error}")))?;
    let watch = Rc::new(Watch {
        signals,
        came: Cell::new(None),
    });
    let mut client = around.client()?;
    client.heed(Rc::clone(&watch) as Rc<dyn Interrupt>);
    let words = words(around, json);
    let outcome = Runner::new(
        file.display().to_string(),
        Ground {
            words: &words,
            driver: &mut client,
            out: &mut Stdout { json },
            clock: watch.as_ref(),
            environment: &|name| around.text(name),
        },
    )
    .run(&bytes);
    Ok(tell(file, &outcome, json))
}

/// Names every mistake of a script.
pub(super) fn check(file: &Path, json: bool, around: &Around) -> Result<Exit, Fault> {
    let bytes = read(file)?;
    let words = words(around, json);
    let found = mistakes(&bytes, &words, None);
    if json {
        print::out(&print::json_line(
            &json!({ "ok": found.is_empty(), "mistakes": found }),
        ))?;
    }
    if found.is_empty() {
        return Ok(Exit::OK);
    }
    print::mistakes(&file.display().to_string(), &found);
    Ok(Exit::USAGE)
}

fn words(around: &Around, json: bool) -> CommandLine<'_> {
    CommandLine {
        around,
        dry: Around::dry(),
        json,
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Fault> {
    std::fs::read(file).map_err(|error| {
        Fault::usage(format!("{}: {error}", file.display()))
            .hint("coax run FILE runs the script in FILE")
    })
}

fn tell(file: &Path, outcome: &Outcome, json: bool) -> Exit {
    let object = match &outcome.trouble {
        None => None,
        Some(Trouble::Mistakes(found)) => {
            print::mistakes(&file.display().to_string(), found);
            let count = found.len();
            let fault = Fault::usage(format!(
                "the script has {count} mistakes, so nothing of it was run"
            ));
            Some(json!({ "ok": false, "error": fault, "mistakes": found }))
        }
        Some(Trouble::Failure(failure)) => {
            print::talk(&failure.to_string());
            Some(json!({ "ok": false, "error": failure.fault, "failure": failure }))
        }
    };
    if let Some(object) = object.filter(|_| json) {
        // The exit code tells it all the same.
        let _ = print::out(&print::json_line(&object));
    }
    for fault in &outcome.cleanup {
        print::talk(&format!("at the end: {fault}"));
    }
    outcome.exit
}
