//! coax: a modern `expect`.
//!
//! coax runs a program on a pseudo-terminal, keeps it alive between commands, and lets a shell line or
//! a script type to it, wait for it and read its screen. The binary is the product; this crate is how
//! it is built, for those who work on it. Nothing of it is promised to other crates yet.
//!
//! # Floors
//!
//! A module imports only lower floors, and a test (`tests/floors.rs`) holds it, together with what only
//! some place may name: vte, system calls, clap, printing, the clock.
//!
//! | floor | modules | what they hold |
//! |--:|---|---|
//! | 8 | [`cli`] | the command line, the environment, standard output; one file a command |
//! | 7 | [`script`], [`host`], [`client`] | verbs in a file; the process of a session, and who talks to it |
//! | 6 | [`link`] | FIFOs and the runtime directory |
//! | 5 | [`wire`] | the messages between client and host, pure |
//! | 4 | [`verb`] | the waist: what can be asked of a session and what is answered; one file a verb |
//! | 3 | [`session`] | one live program: spawn, pump, end |
//! | 2 | [`sys`], [`view`], [`keys`], [`transcript`], [`wait`] | the system; a screen as text; keys as bytes; what was printed; when it is time |
//! | 1 | [`term`], [`pattern`] | the terminal; what a match is; both pure |
//! | 0 | [`fault`] | what went wrong, and the table of exit codes |
//!
//! A front door is where verbs come from: the command line and scripts now. Each makes the same
//! [`verb::Order`] and hands it to a [`verb::Driver`], which is a session in this process
//! ([`verb::Local`]) or the client of a host ([`client::Client`]). So a verb is written once.
//!
//! # Where the bytes go
//!
//! ```text
//! master fd --bytes--> session's pump --1--> transcript: ring, match text, holes, mark
//!                                     --2--> term: decode -> function -> screen -> grid
//!                                              |--replies--> outgoing queue --> master fd
//!                                              '--&Screen--> wait::judge, view --> Reply --> client
//! ```
//!
//! The pump is the one place where bytes arrive. Everything after it follows from the bytes and their
//! order alone, so that what is replayed equals what was live. Pure code takes the time as an argument;
//! a verb that has to wait is a [`verb::Task`] that is judged again when something happened or when it
//! asked to be, and nobody sleeps.
//!
//! # Words
//!
//! | word | meaning |
//! |---|---|
//! | session | a program, its terminal, its transcript; it outlives the program until it is closed |
//! | host | the background process that holds a session, one each |
//! | driver | whoever carries a verb out |
//! | place | the runtime directory, where sessions are found |
//! | doorbell | the FIFO at which a client tells a host which pair of FIFOs to open |
//! | offset | how many bytes the program had printed; the one measure of time in a transcript |
//! | cursor (of `read`) | an offset that a reader keeps; the terminal's cursor is another thing |
//! | match text | what patterns see: printed text without escapes, lines whole, append-only |
//! | version | what a line showed until some of it was replaced; the match text has every one |
//! | hole | the echo of what was typed, which patterns do not see |
//! | mark | where the next `expect` begins; only a match moves it |
//! | revision | the offset at which the text of the screen last changed |
//! | evidence | what ended a wait |
//! | settled, idle | the screen unchanged, nothing printed, for so long |
//! | canonical, raw | whether the terminal hands over lines that it edits, or every byte |
//! | fault | a failure as a small report: what was wanted, what was seen, what to try |
//! | pen | colours and attributes of what is printed next |
//! | pending wrap | the cursor in the last column, to wrap with the next character |
//!
//! # Changes to the design
//!
//! Where the code differs from the design that it began with, and why:
//!
//! - `run -- CMD` sends VEOF twice when what was fed ends in an unfinished line. On such a line the
//!   first one only hands over what is there; the second one is the end of the file.
//! - `screen -- CMD` takes `--size ROWSxCOLS`: `--rows A:B` is there already and chooses rows.
//! - `stop` and `close` send TERM first and HUP 100 ms later: the default of the one would cut a handler of
//!   the other short. Daemons that stay are told as `stayed`.
//! - A terminal has a million cells at most, and a hundred thousand are told with `--cells` at once: a host
//!   has others to serve.
//! - The lock of a session is one of an open file description (OFD), which can be asked about without
//!   being taken.
//! - `F13` to `F20` are Shift with `F1` to `F8`, as the terminfo entry `xterm-256color` says.

pub mod cli;
pub mod client;
pub mod fault;
pub mod host;
pub mod keys;
pub mod link;
pub mod pattern;
pub mod script;
pub mod session;
pub mod sys;
pub mod term;
pub mod transcript;
pub mod verb;
pub mod view;
pub mod wait;
pub mod wire;
