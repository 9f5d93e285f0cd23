//! One live program on a terminal: its process, the pump, the transcript, the screen, its end.

mod close;
mod evidence;
mod outgoing;
mod pump;
mod revision;
mod spawn;

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use crate::fault::{Fault, Kind};
use crate::keys::{ControlChars, LineRules};
use crate::sys::child::{Child, Ended};
use crate::sys::poll::Interest;
use crate::sys::process::{self, Process};
use crate::sys::pty::{Discipline, Master};
use crate::term::{Screen, Size, Term};
use crate::transcript::{ReadAnswer, ReadAsk, Transcript};

pub use crate::sys::probe::{Answer, Probe};
pub use close::Scope;
pub use outgoing::{Ticket, Way};
pub use revision::Revisions;
pub use spawn::{NOT_PASSED_ON, Spec};

use close::{Ending, Family, Stage};
use evidence::Evidence;
use outgoing::Outgoing;
use pump::Deserted;

/// A program on a terminal, with all that it printed and what its screen shows.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts, not a state machine"
)]
pub struct Session {
    master: Option<Master>,
    child: Child,
    term: Term,
    transcript: Transcript,
    outgoing: Outgoing,
    evidence: Evidence,
    revisions: Revisions,
    began: Instant,
    last_output: Option<Instant>,
    last_input: Option<Instant>,
    ended: Option<(Ended, Instant)>,
    drained: Option<bool>,
    /// Bytes typed since the last line end, which the line discipline may still hold.
    open_line: usize,
    /// Whether more output waits than one turn took.
    more: bool,
    /// Whether something was printed since the screen was last compared.
    stale: bool,
    /// While the program runs and nobody has its terminal open: when that is looked at again.
    deserted: Option<Deserted>,
    /// Whether output is left where it is for now.
    held: bool,
    /// Whether the terminal's replies to queries are typed.
    answers: bool,
    /// Whose processes are ended with the program.
    family: Family,
    ending: Option<Ending>,
    ending_look: Option<Instant>,
    ended_with_it: Vec<Process>,
    left: Vec<Process>,
}

impl Session {
    fn new(master: Master, child: Child, term: Term, transcript: Transcript, now: Instant) -> Self {
        Self {
            master: Some(master),
            family: Family {
                root: child.pid(),
                others: Vec::new(),
                program: child.pid(),
                alive: true,
            },
            child,
            revisions: Revisions::of(term.screen()),
            term,
            transcript,
            outgoing: Outgoing::default(),
            evidence: Evidence::new(true),
            began: now,
            last_output: None,
            last_input: None,
            ended: None,
            drained: None,
            open_line: 0,
            more: false,
            stale: false,
            deserted: None,
            held: false,
            answers: true,
            ending: None,
            ending_look: None,
            ended_with_it: Vec::new(),
            left: Vec::new(),
        }
    }

    /// This process adopts the program's orphans, so that all of its descendants are the program's
    /// but for the children `others`, which it had before.
    pub fn own_orphans(&mut self, others: Vec<u32>) {
        self.family.root = std::process::id();
        self.family.others = others;
    }

    /// The descriptors to wait on before the next [`Session::turn`], with what is wanted of each.
    pub fn watched(&self) -> Vec<(BorrowedFd<'_>, Interest)> {
        let mut watched = Vec::with_capacity(2);
        // A terminal that nobody has open would end every wait at once.
        let deserted = self.deserted.is_some() || self.held && self.ended.is_some();
        if let Some(master) = self.master.as_ref().filter(|_| !deserted) {
            let interest = Interest {
                read: !self.held,
                write: !self.outgoing.is_empty(),
            };
            watched.push((master.as_fd(), interest));
        }
        if self.ended.is_none() {
            let interest = Interest {
                read: true,
                write: false,
            };
            watched.push((self.child.as_fd(), interest));
        }
        watched
    }

    /// Leaves what the program prints where it is, so that a program that prints more than is taken
    /// waits, until it is not held any more.
    pub fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Whether more output waits already, so that the next turn must not wait for anything.
    pub fn has_more(&self) -> bool {
        self.more
    }

    /// The screen.
    pub fn screen(&self) -> &Screen {
        self.term.screen()
    }

    /// The terminal.
    pub fn term(&self) -> &Term {
        &self.term
    }

    /// All that was printed.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// All that was printed, to move its mark.
    pub fn transcript_mut(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    /// The program's process.
    pub fn pid(&self) -> u32 {
        self.child.pid()
    }

    /// How and when the program ended, if it has.
    pub fn ended(&self) -> Option<(Ended, Instant)> {
        self.ended
    }

    /// After the program's end: whether its output was read to the end of file, once that is known.
    pub fn drained(&self) -> Option<bool> {
        self.drained
    }

    /// Whether the program has ended and no more output will come.
    pub fn is_over(&self) -> bool {
        self.ended.is_some() && self.master.is_none()
    }

    /// When the program was started.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// When the program last printed something.
    pub fn last_output(&self) -> Option<Instant> {
        self.last_output
    }

    /// When something was last typed.
    pub fn last_input(&self) -> Option<Instant> {
        self.last_input
    }

    /// How far something that was sent is.
    pub fn way(&self, ticket: Ticket) -> Way {
        self.outgoing.way(ticket)
    }

    /// Takes back what is unwritten of something that was sent.
    pub fn withdraw(&mut self, ticket: Ticket) -> Way {
        self.outgoing.withdraw(ticket)
    }

    /// How the line discipline treats input now; none when the terminal is gone.
    pub fn discipline(&self) -> Option<Discipline> {
        self.master.as_ref()?.discipline().ok()
    }

    /// The foreground process group.
    pub fn foreground(&self) -> Option<u32> {
        self.master.as_ref()?.foreground()
    }

    /// Answers a read of the transcript.
    ///
    /// # Errors
    /// Usage, when the question makes no sense.
    pub fn read(&self, ask: &ReadAsk) -> Result<ReadAnswer, Fault> {
        self.transcript.read(&ReadAsk {
            ended: self.is_over(),
            cols: Some(self.screen().size().cols),
            ..ask.clone()
        })
    }

    /// The transcript's end: how many bytes the program has printed.
    pub fn offset(&self) -> u64 {
        self.transcript.ring().end()
    }

    /// What the screen's rows have come to, compared with the last look if something was printed
    /// since.
    pub fn revisions(&mut self, now: Instant) -> &Revisions {
        if self.stale {
            self.stale = false;
            let at = self.last_output.unwrap_or(now);
            self.revisions
                .look(self.term.screen(), self.transcript.ring().end(), at);
        }
        &self.revisions
    }

    /// Gives the terminal another size: first the screen, then the program hears of it.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn resize(&mut self, size: Size, now: Instant) -> Result<(), Fault> {
        let Some(master) = &self.master else {
            return Err(self.gone("resize"));
        };
        self.term.resize(size);
        self.stale = true;
        self.last_input = Some(now);
        master
            .resize(size.rows, size.cols)
            .map_err(|error| Fault::internal(format!("the terminal takes no size: {error}")))
    }

    /// Sends a signal to the terminal's foreground process group, or to the program where there is
    /// none; gives the group.
    ///
    /// # Errors
    /// When the program has ended, or the group may not be signalled.
    pub fn signal(&mut self, number: i32, now: Instant) -> Result<u32, Fault> {
        if self.ended.is_some() {
            return Err(self.gone("signal"));
        }
        self.last_input = Some(now);
        let group = self.foreground().unwrap_or(self.child.pid());
        if process::signal_group(group, number) {
            return Ok(group);
        }
        if process::signal(self.child.pid(), number) {
            return Ok(self.child.pid());
        }
        Err(Fault::internal(format!(
            "process group {group} may not be signalled"
        )))
    }

    /// Switches off the terminal's own replies to queries: another terminal answers them.
    pub fn leave_queries_to_others(&mut self) {
        self.answers = false;
    }

    /// Begins to end the program, and with it what `scope` says: asks, and after `grace` kills.
    pub fn end(&mut self, scope: Scope, grace: Duration, now: Instant) {
        if let Some(ending) = &mut self.ending {
            ending.join(scope, grace, now);
        } else {
            let family = self.family.clone();
            self.ending = Some(Ending::begin(scope, family, grace, now));
        }
        self.tend(now);
    }

    /// What was ended with the program and what could not be, once that is over and the last output
    /// is there.
    pub fn end_report(&self) -> Option<(&[Process], &[Process])> {
        let over = self.ending.is_none() && (self.is_over() || !self.left.is_empty());
        over.then_some((&self.ended_with_it, &self.left))
    }

    /// What the program started and left in process sessions of its own: daemons that somebody wanted.
    pub fn daemons(&self) -> Vec<Process> {
        let mut found = self.family.living();
        found.retain(|process| process.session != self.family.program);
        found
    }

    /// Goes on with an ending that is under way.
    fn tend(&mut self, now: Instant) {
        let Some(ending) = &mut self.ending else {
            return;
        };
        match ending.turn(now) {
            Stage::Going(look) => self.ending_look = Some(look),
            Stage::Over { ended, left } => {
                self.ending = None;
                self.ending_look = None;
                for process in ended {
                    if !self.ended_with_it.contains(&process) {
                        self.ended_with_it.push(process);
                    }
                }
                self.left = left;
                if !self.left.is_empty() {
                    // Closing the master is the last thing that it can be told.
                    self.hang_up(false);
                }
            }
        }
    }

    /// When the next [`Session::turn`] is due although nothing happened.
    pub fn look_again(&self) -> Option<Instant> {
        let deserted = self.deserted.map(|deserted| deserted.look);
        self.ending_look
            .into_iter()
            .chain(self.drain_until())
            .chain(deserted)
            .min()
    }

    /// How the line discipline acts on what is typed now; none when the terminal is gone.
    pub fn line_rules(&self) -> Option<LineRules> {
        let mode = self.discipline()?;
        let special = mode.special;
        // _POSIX_VDISABLE is 0 on Linux and 255 on macOS.
        let on = |byte: u8| (byte != 0 && byte != 255).then_some(byte);
        Some(LineRules {
            isig: mode.signals,
            icanon: mode.canonical,
            iexten: mode.extended,
            ixon: mode.flow,
            chars: ControlChars {
                intr: on(special.intr),
                quit: on(special.quit),
                susp: on(special.susp),
                erase: on(special.erase),
                werase: on(special.werase),
                kill: on(special.kill),
                eof: on(special.eof),
                eol: on(special.eol),
                eol2: on(special.eol2),
                reprint: on(special.reprint),
                lnext: on(special.lnext),
                start: on(special.start),
                stop: on(special.stop),
            },
        })
    }

    /// How many bytes stand in the line that is being typed, as far as they were sent from here.
    pub fn open_line(&self) -> usize {
        self.open_line
    }

    /// Follows how much stands in the line that is being typed, by what was just written.
    fn note_typed(&mut self, bytes: &[u8], mode: Option<Discipline>) {
        let Some(mode) = mode.filter(|mode| mode.canonical) else {
            self.open_line = 0;
            return;
        };
        let special = mode.special;
        let ends = [
            special.eol,
            special.eol2,
            special.eof,
            special.kill,
            special.intr,
            special.quit,
            special.susp,
        ];
        for byte in bytes {
            match byte {
                b'\r' | b'\n' => self.open_line = 0,
                byte if *byte != 0 && ends.contains(byte) => self.open_line = 0,
                byte if *byte == special.erase => {
                    self.open_line = self.open_line.saturating_sub(1);
                }
                _ => self.open_line += 1,
            }
        }
    }

    fn cannot_type(&self) -> Option<Fault> {
        (self.ended.is_some() || self.master.is_none()).then(|| self.gone("type"))
    }

    /// The fault for something that cannot be done any more.
    pub fn gone(&self, wanted: &str) -> Fault {
        let how = self.ended.map_or_else(
            || "has closed its terminal".to_owned(),
            |(ended, _)| describe(ended),
        );
        Fault::new(Kind::Ended, format!("cannot {wanted}: the program {how}"))
            .hint("its screen and transcript can still be read until the session is closed")
    }
}

/// How a program ended, as the end of a sentence about it.
pub fn describe(ended: Ended) -> String {
    match ended {
        Ended::Exited(code) => format!("has exited with code {code}"),
        Ended::Killed(signal) => {
            format!("was ended by signal {}", process::signal_name(signal))
        }
    }
}
