//! Spelled and printed: the command line, the environment, standard output. One file a command.
//!
//! The first word picks one entry of [`TABLE`], and only that entry's arguments are built: a process
//! that lives for two milliseconds has no time for thirty commands. Help, manual and completions
//! build them all.

mod around;
mod end;
mod expect;
mod key;
mod list;
mod passthrough;
mod print;
mod read;
mod render;
mod resize;
mod run;
mod screen;
mod script;
mod send;
mod shell;
mod signal;
mod start;
mod status;
mod wait;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command};

use crate::client::Client;
use crate::fault::{Exit, Fault};
use crate::verb::{Driver, Limit, Name, Order};

use around::Around;

/// One command.
pub struct Entry {
    name: &'static str,
    about: &'static str,
    command: fn(Command) -> Command,
    act: Act,
}

/// Reads the arguments of a command as an order.
type Read = fn(&ArgMatches, &Around) -> Result<(Order, Voice), Fault>;

/// What a command does.
#[derive(Clone, Copy)]
enum Act {
    /// It is an order to a driver, and can stand in a script.
    Order(Read),
    /// It is more than that; where it is an order too, that can stand in a script.
    Own {
        run: fn(&ArgMatches, &Around) -> Result<Exit, Fault>,
        order: Option<Read>,
    },
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Voice {
    /// One JSON object in place of text.
    pub json: bool,
}

/// What every command about a session takes.
#[derive(Args, Clone, Debug, Default)]
struct Common {
    /// The session; else `$COAX_SESSION`, else the only one
    #[arg(short, long, value_name = "NAME", value_parser = name)]
    session: Option<Name>,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

impl Common {
    fn voice(&self) -> Voice {
        Voice { json: self.json }
    }
}

/// The arguments of a command that is an order.
trait Spelled: Args {
    /// The order that they spell.
    fn order(self, around: &Around) -> Result<(Order, Voice), Fault>;
}

fn order<A: Spelled>(matches: &ArgMatches, around: &Around) -> Result<(Order, Voice), Fault> {
    let spelled = A::from_arg_matches(matches).map_err(|error| Fault::usage(error.to_string()))?;
    spelled.order(around)
}

const fn ordered<A: Spelled>(name: &'static str, about: &'static str) -> Entry {
    Entry {
        name,
        about,
        command: A::augment_args,
        act: Act::Order(order::<A>),
    }
}

/// Every command, in the order in which help lists them.
pub const TABLE: &[Entry] = &[
    ordered::<start::StartArgs>(
        "start",
        "Open a session: run a program on a terminal of its own and keep it",
    ),
    ordered::<send::SendArgs>("send", "Type text, as it is"),
    ordered::<key::KeyArgs>("key", "Press keys, as xterm would send them"),
    ordered::<expect::ExpectArgs>("expect", "Wait for the first of some patterns"),
    ordered::<wait::WaitArgs>(
        "wait",
        "Wait until the program is ready, quiet, changed or over",
    ),
    Entry {
        name: "screen",
        about: "Show the screen; with -- CMD, run it, wait until it is ready, show, end it",
        command: screen::ScreenArgs::augment_args,
        act: Act::Own {
            run: screen::run,
            order: Some(order::<screen::ScreenArgs>),
        },
    },
    Entry {
        name: "read",
        about: "Read what was printed, from a cursor on; nothing is consumed",
        command: read::ReadArgs::augment_args,
        act: Act::Own {
            run: read::run,
            order: Some(order::<read::ReadArgs>),
        },
    },
    ordered::<status::StatusArgs>("status", "Tell how a session is"),
    ordered::<list::ListArgs>("list", "List sessions"),
    ordered::<resize::ResizeArgs>("resize", "Give the terminal another size"),
    ordered::<signal::SignalArgs>("signal", "Send a signal to the foreground process group"),
    ordered::<end::StopArgs>(
        "stop",
        "End the program and all that it started; keep what it printed",
    ),
    ordered::<end::CloseArgs>("close", "Forget a session; end its program first"),
    Entry {
        name: "run",
        about: "Run a script; with -- CMD, give CMD a terminal and pass its output and exit code on",
        command: run::RunArgs::augment_args,
        act: Act::Own {
            run: run::run,
            order: None,
        },
    },
    Entry {
        name: "render",
        about: "Put bytes through the terminal alone and show the screen",
        command: render::RenderArgs::augment_args,
        act: Act::Own {
            run: render::run,
            order: None,
        },
    },
    Entry {
        name: "completions",
        about: "Print the completions for a shell",
        command: shell::CompletionsArgs::augment_args,
        act: Act::Own {
            run: shell::completions,
            order: None,
        },
    },
    Entry {
        name: "man",
        about: "Print the manual page",
        command: shell::ManArgs::augment_args,
        act: Act::Own {
            run: shell::man,
            order: None,
        },
    },
];

impl Entry {
    fn build(&self) -> Command {
        // Said last: the comment on a struct of shared arguments would stand in its place.
        (self.command)(Command::new(self.name))
            .about(self.about)
            .long_about(None)
    }
}

/// The whole command line, for help, manual and completions.
pub fn command() -> Command {
    TABLE
        .iter()
        .fold(root(), |root, entry| root.subcommand(entry.build()))
}

fn root() -> Command {
    Command::new("coax")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Drive interactive programs: type to them, know when they wait, read their screens")
        .after_help(AFTER_HELP)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
}

const AFTER_HELP: &str = "\
Durations are 5, 5s, 250ms, 2m or none. Exit codes: 0 done, 1 a check failed, 2 usage, 3 the program
ended first, 4 no such session, 5 its host is gone, 6 refused, 124 timeout, 125 coax failed, 126 and
127 the program cannot be run or is not found.

  coax start -s demo -- bash      coax expect -s demo '$ '      coax send -s demo --enter 'ls'
  coax screen -s demo             coax stop -s demo             coax screen -- htop";

/// Does what the command line says.
pub fn run(args: Vec<OsString>) -> Exit {
    crate::sys::signal::hear_of_children();
    let json = args
        .iter()
        .skip(1)
        .take_while(|word| *word != "--")
        .any(|word| word == "--json");
    let entry = args
        .get(1)
        .and_then(|word| TABLE.iter().find(|entry| word == entry.name));
    let command = match entry {
        Some(entry) => root().subcommand(entry.build()),
        None => command(),
    };
    let matches = match command.try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return print::misspelled(&error, json),
    };
    let done = (|| {
        let (_, matches) = matches
            .subcommand()
            .ok_or_else(|| Fault::usage("no command"))?;
        let entry = entry.ok_or_else(|| Fault::usage("no such command"))?;
        let around = Around::new();
        match entry.act {
            Act::Order(order) => {
                let (order, voice) = order(matches, &around)?;
                perform(order, voice, &around)
            }
            Act::Own { run, .. } => run(matches, &around),
        }
    })();
    done.unwrap_or_else(|fault| print::fault(&fault, None, json))
}

/// Hands an order to the sessions' hosts and prints the answer.
fn perform(order: Order, voice: Voice, around: &Around) -> Result<Exit, Fault> {
    let mut client = around.client()?;
    let answer = client.perform(order);
    notice(&mut client);
    Ok(match answer {
        Ok((name, reply)) => print::reply(&reply, name.as_ref(), voice)?,
        Err(fault) => print::fault(&fault, client.subject(), voice.json),
    })
}

fn notice(client: &mut Client) {
    if let Some(notice) = client.take_notice() {
        print::talk(&notice);
    }
}

/// Reads the words of one command, as a script has them.
///
/// # Errors
/// Usage, when they are not a command that can stand in a script.
fn spoken(words: &[String], around: &Around) -> Result<(Order, Voice), Fault> {
    let first = words.first().map_or("", String::as_str);
    let entry = TABLE.iter().find(|entry| entry.name == first);
    let order = entry.and_then(|entry| match entry.act {
        Act::Order(order) => Some(order),
        Act::Own { order, .. } => order,
    });
    let (Some(entry), Some(order)) = (entry, order) else {
        return Err(Fault::usage(format!(
            "there is no command {first:?} in a script"
        )));
    };
    let matches = entry
        .build()
        .no_binary_name(false)
        .disable_help_flag(true)
        .try_get_matches_from(words)
        .map_err(|error| Fault::usage(first_line(&error)))?;
    order(&matches, around)
}

/// The words that can begin a command in a script.
fn script_words() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter_map(|entry| match entry.act {
        Act::Order(_) | Act::Own { order: Some(_), .. } => Some(entry.name),
        Act::Own { order: None, .. } => None,
    })
}

/// What clap says, in one line.
fn first_line(error: &clap::Error) -> String {
    let said = error.to_string();
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    if error.kind() == ErrorKind::MissingRequiredArgument {
        return said
            .lines()
            .take_while(|line| !line.trim().is_empty())
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ");
    }
    said.lines().next().unwrap_or_default().to_owned()
}

/// A value that coax itself reads, with its hint in clap's message.
fn hinted<T>(read: Result<T, Fault>) -> Result<T, String> {
    read.map_err(|fault| match fault.hint.as_str() {
        "" => fault.message,
        hint => format!("{}; {hint}", fault.message),
    })
}

fn name(word: &str) -> Result<Name, String> {
    hinted(word.parse())
}

fn limit(word: &str) -> Result<Limit, String> {
    hinted(word.parse())
}

fn milliseconds(word: &str) -> Result<u64, String> {
    hinted(crate::verb::duration(word))
        .map(|duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

/// `KEY=VALUE`.
fn label(word: &str) -> Result<(String, String), String> {
    word.split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .ok_or_else(|| "a label is KEY=VALUE".to_owned())
}
