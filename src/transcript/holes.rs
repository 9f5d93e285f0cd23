//! Echoes of what was typed, as holes in the match text: a command must not match its own pattern.
//!
//! Only a line that was submitted with Enter has a hole, and in doubt it has none. Where the tty echoes
//! (ICANON and ECHO), the hole is the next run equal to the line, tabs expanded, with the newline of
//! Enter after it.
//! Where the program echoes (ICANON off), it is the line at the place where the cursor stood at the
//! write, in whichever version of that logical line the program paints; a version that ends in the
//! middle of the echo hides what it has of it. Where the line takes several rows, or a paste in brackets
//! has several lines, the echo is laid out over the screen's rows ([`Layout`]), however the program goes
//! from row to row; it is over with the first text below its last row, and with any other text that
//! begins where it would go on. More after the echo in the same line leaves it hidden
//! only when a word ends between the two: `y` typed and `yes` printed is no echo.
//!
//! A line that the tty echoes early, while another program still runs, is echoed again by the shell
//! behind its next prompt: the prompt seen before an earlier line tells that place. The further lines
//! of one input are found the same way.
//!
//! While an echo is under way its text is held back ([`Holes::pending`]), until it is complete,
//! contradicted, or [`Holes::settle`] says that nothing more comes.

use std::collections::VecDeque;

use super::layout::{Layout, Match};
use super::tabs::{self, Tabbed};
use super::text::{MatchText, Version};
use crate::term::width;

/// Echoes that are waited for at once; the oldest is given up for a new one.
const MAX_ECHOES: usize = 64;

/// How much text may come before an echo.
const PATIENCE: u64 = 64 * 1024;

/// The tty's mode at the moment of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtyMode {
    /// ICANON: the tty edits lines.
    pub icanon: bool,
    /// ECHO: the tty echoes.
    pub echo: bool,
}

/// Where the cursor stands in the match text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The logical line.
    pub line: u64,
    /// The logical column; soft-wrapped rows count on.
    pub col: u32,
}

/// The holes of a session and the echoes that may yet become some.
#[derive(Debug, Default)]
pub struct Holes {
    echoes: VecDeque<Echo>,
    /// Ascending and apart.
    hidden: VecDeque<(u64, u64)>,
    typed: Option<Typed>,
    prompt: Option<String>,
    pending: Option<u64>,
    /// Up to here text was let go by [`Holes::settle`].
    released: u64,
    /// The echoes behind a prompt are looked for from here.
    prompts_from: u64,
    /// The next echo of the tty is looked for from here.
    lines_from: u64,
}

/// Text that was sent without Enter.
#[derive(Debug)]
struct Typed {
    text: String,
    mode: TtyMode,
    here: Place,
    from: u64,
    ahead: bool,
}

#[derive(Debug)]
enum Echo {
    /// By the tty: this line and a newline.
    Line { line: String, from: u64, since: u64 },
    /// By the program, at a place.
    At(At),
    /// By the program, behind its prompt.
    Prompted {
        sent: String,
        prompt: String,
        from: u64,
    },
}

/// An echo by the program at a place.
#[derive(Debug)]
struct At {
    sent: String,
    place: Place,
    /// The text position of the write.
    from: u64,
    /// Versions before this one are judged.
    scan: u64,
    /// It must fill the rest of its line.
    whole: bool,
    /// The row that the line of the place begins on.
    row: i64,
    /// The columns of a row, by which it is laid out; 0 where they are not known.
    width: u32,
    /// How it may stand on the screen; spots count from the beginning of the place's line.
    layouts: Vec<Layout>,
    /// Up to which spot it was shown.
    reached: u32,
}

impl At {
    fn new(sent: &str, place: Place, from: u64, scan: u64, text: &MatchText) -> Self {
        let mut at = Self {
            sent: sent.to_owned(),
            place,
            from,
            scan,
            whole: false,
            row: text.row_of(place.line),
            width: 0,
            layouts: Vec::new(),
            reached: place.col,
        };
        at.lay_out(text.width());
        at
    }

    fn lay_out(&mut self, width: u32) {
        self.width = width;
        // The further lines of one input begin at the margin, or below the first.
        let below = self.place.col.checked_rem(width).unwrap_or(0);
        let indents = if self.sent.contains('\n') && below > 0 {
            &[0, below][..]
        } else {
            &[0]
        };
        self.layouts = indents
            .iter()
            .map(|indent| Layout::new(&self.sent, self.place.col, *indent, width))
            .collect();
    }

    fn last_row(&self) -> u32 {
        let rows = self.layouts.iter().map(Layout::last_row);
        rows.max().unwrap_or(0)
    }

    /// The spot at which a version begins: none above the place's line.
    fn spot(&self, version: Version, text: &MatchText) -> Option<u32> {
        if version.line == self.place.line {
            return Some(version.col);
        }
        let down = u32::try_from(text.row_of(version.line).checked_sub(self.row)?).ok()?;
        down.checked_mul(self.width)?.checked_add(version.col)
    }
}

/// What has become of an echo.
enum Fate {
    /// It is over.
    Done,
    /// It goes on, with text held back from there.
    Waits(Option<u64>),
    /// It goes on as another one.
    Turns(Echo),
}

impl Holes {
    /// Notes an input at the moment of its write: the cursor stands at `here`, and what the terminal
    /// has shown so far is in `text`.
    pub fn sent(&mut self, bytes: &[u8], mode: TtyMode, here: Place, text: &MatchText) {
        let before = self.typed.take();
        let from = text.end();
        // A line that was submitted is not over: what is typed now is echoed behind the next prompt.
        let ahead = self.is_under_way();
        let bytes = without_brackets(bytes);
        let Ok(mut input) = String::from_utf8(bytes) else {
            return;
        };
        if mode.icanon || text.width() == 0 {
            input = input.replace('\n', "\r");
        }
        let mut parts: Vec<&str> = input.split('\r').collect();
        let tail = parts.pop().unwrap_or_default();
        if parts.is_empty() {
            if is_plain(tail, mode) {
                self.typed = Some(Typed {
                    text: tail.to_owned(),
                    mode,
                    here,
                    from,
                    ahead,
                });
            }
            return;
        }
        let (first, mode_then, here, since, ahead) = match &before {
            Some(typed) if parts[0].is_empty() => {
                let Typed { text, mode, .. } = typed;
                (text.as_str(), *mode, typed.here, typed.from, typed.ahead)
            }
            _ => (parts[0], mode, here, from, ahead),
        };
        self.submitted(first, mode_then, Some(here), since, text);
        if ahead && !mode_then.icanon {
            self.submitted(first, mode_then, None, since, text);
        }
        for line in &parts[1..] {
            self.submitted(line, mode, None, from, text);
        }
        self.judge(text);
    }

    /// Looks at the text that has come since: to be called whenever it has grown.
    pub fn judge(&mut self, text: &MatchText) {
        while self
            .hidden
            .front()
            .is_some_and(|hole| hole.1 <= text.oldest())
        {
            self.hidden.pop_front();
        }
        let mut pending: Option<u64> = None;
        // The tty echoes lines in order, and so does a shell behind its prompts.
        let (mut line_waits, mut prompt_waits) = (false, false);
        let mut queue = std::mem::take(&mut self.echoes);
        while let Some(mut echo) = queue.pop_front() {
            let fate = match &mut echo {
                Echo::Line { .. } if line_waits => Fate::Waits(None),
                Echo::Prompted { .. } if prompt_waits => Fate::Waits(None),
                Echo::Line { line, from, since } => self.judge_line(line, from, *since, text),
                Echo::At(at) => self.judge_at(at, text),
                Echo::Prompted { sent, prompt, from } => {
                    self.judge_prompted(sent, prompt, from, text)
                }
            };
            match fate {
                Fate::Done => {}
                Fate::Turns(next) => queue.push_front(next),
                Fate::Waits(held) => {
                    match &echo {
                        Echo::Line { .. } => line_waits = true,
                        Echo::At(at) => prompt_waits |= at.whole,
                        Echo::Prompted { .. } => prompt_waits = true,
                    }
                    pending = pending.into_iter().chain(held).min();
                    self.echoes.push_back(echo);
                }
            }
        }
        // What was let go stays so.
        self.pending = pending.map(|at| at.max(self.released));
    }

    /// Nothing has come for a while, neither output nor input: what is held back is text, and an echo
    /// that the tty owed does not come.
    pub fn settle(&mut self, text: &MatchText) {
        self.released = text.end();
        self.pending = None;
        self.echoes
            .retain(|echo| !matches!(echo, Echo::Line { .. }));
    }

    /// From where on text is held back.
    pub fn pending(&self) -> Option<u64> {
        self.pending
    }

    /// The parts of the text from `from` to before `to` that are neither hidden nor held back.
    pub fn visible<'a>(&self, text: &'a MatchText, from: u64, to: u64) -> Vec<(u64, &'a str)> {
        let to = to.min(self.pending.unwrap_or(u64::MAX)).min(text.end());
        let mut at = from.max(text.oldest());
        let mut parts = Vec::new();
        let after = self.hidden.partition_point(|hole| hole.1 <= at);
        for &(start, end) in self.hidden.range(after..) {
            if start >= to {
                break;
            }
            parts.push((at, text.slice(at, start)));
            at = at.max(end);
        }
        parts.push((at, text.slice(at, to)));
        parts.retain(|(_, part)| !part.is_empty());
        parts
    }

    fn submitted(
        &mut self,
        line: &str,
        mode: TtyMode,
        here: Option<Place>,
        from: u64,
        text: &MatchText,
    ) {
        if !is_plain(line, mode) {
            return;
        }
        let echo = match (mode.icanon, mode.echo, here) {
            (true, false, _) => return,
            (true, true, _) => Echo::Line {
                line: format!("{line}\n"),
                from,
                since: from,
            },
            (false, _, Some(place)) => {
                let ahead = self.is_under_way();
                if !ahead {
                    self.echoes
                        .retain(|echo| !matches!(echo, Echo::Prompted { .. }));
                }
                let scan = text
                    .versions_from(from)
                    .next()
                    .map_or(from, |v| v.pos.min(from));
                if !ahead || self.prompt.is_none() {
                    self.prompt = prompt_before(place, scan, text).or(self.prompt.take());
                }
                Echo::At(At::new(line, place, from, scan, text))
            }
            (false, _, None) => match &self.prompt {
                Some(prompt) => Echo::Prompted {
                    sent: line.to_owned(),
                    prompt: prompt.clone(),
                    from,
                },
                None => return,
            },
        };
        self.prompts_from = self.prompts_from.max(from);
        self.expect(echo);
    }

    /// Whether an echo by the program is not over yet.
    fn is_under_way(&self) -> bool {
        self.echoes.iter().any(|echo| matches!(echo, Echo::At(_)))
    }

    fn expect(&mut self, echo: Echo) {
        if self.echoes.len() == MAX_ECHOES {
            self.echoes.pop_front();
        }
        self.echoes.push_back(echo);
    }

    fn judge_line(&mut self, line: &str, from: &mut u64, since: u64, text: &MatchText) -> Fate {
        let end = text.end();
        *from = (*from).max(self.lines_from).max(text.oldest());
        let rest = text.slice(*from, end);
        let (whole, held) = if line.contains('\t') {
            match tabs::find(line, *from, text) {
                Some(Tabbed::Whole(start, after)) => (Some((start, after)), 0),
                Some(Tabbed::Begun(start)) => (None, end - start),
                None => (None, 0),
            }
        } else {
            let whole = rest.find(line).map(|at| {
                let start = *from + at as u64;
                (start, start + line.len() as u64)
            });
            (whole, overlap(rest, line) as u64)
        };
        if let Some((start, after)) = whole {
            self.hide(start, after - 1);
            // What the tty echoes next comes after it.
            self.lines_from = after;
            return match &self.prompt {
                // A program that edits lines would complete a word instead.
                Some(prompt) if !line.contains('\t') => Fate::Turns(Echo::Prompted {
                    sent: line.trim_end_matches('\n').to_owned(),
                    prompt: prompt.clone(),
                    from: after,
                }),
                _ => Fate::Done,
            };
        }
        if end - since > PATIENCE {
            return Fate::Done;
        }
        *from = end - held;
        Fate::Waits((held > 0).then_some(*from))
    }

    fn judge_at(&mut self, at: &mut At, text: &MatchText) -> Fate {
        if text.oldest() > at.from || text.end() - at.from > PATIENCE {
            return Fate::Done;
        }
        if at.width != text.width() && at.width > 0 {
            // The screen has another width now: what is in the same line is all that is sure.
            if at.sent.contains('\n') {
                return Fate::Done;
            }
            at.lay_out(0);
        }
        let mut pending = None;
        let mut versions = text.versions_from(at.scan).peekable();
        while let Some(version) = versions.next() {
            let later = version.line > at.place.line && version.pos >= at.from;
            let next = versions.peek().map(|next| next.pos);
            let spot = at.spot(version, text);
            let below = spot.is_some_and(|spot| {
                spot.checked_div(at.width)
                    .is_none_or(|row| row > at.last_row())
            });
            if later && (at.width == 0 || below) {
                self.prompts_from = self.prompts_from.max(version.pos);
                return Fate::Done;
            }
            if later || version.line == at.place.line {
                let before = u64::from(at.place.col.max(at.width));
                let shown = Shown::new(version, next, before, at.sent.len(), text);
                let matched = spot.and_then(|spot| {
                    let mut found = at
                        .layouts
                        .iter()
                        .filter_map(|layout| layout.find(shown.text, spot, at.reached));
                    found.next()
                });
                let echo = matched.and_then(|matched| echo_in(&shown, matched, at.whole));
                let start = version.pos + echo.map_or(0, |echo| echo.0) as u64;
                match echo.filter(|_| start >= at.from) {
                    Some((_, len)) => {
                        match len {
                            Some(len) => self.hide(start, start + len as u64),
                            None => pending = Some(start),
                        }
                        let reached = matched.map_or(0, |matched| matched.reached);
                        at.reached = at.reached.max(reached);
                    }
                    // Something else begins where the echo would go on.
                    None if later && !shown.text.trim().is_empty() => {
                        self.prompts_from = self.prompts_from.max(version.pos);
                        return Fate::Done;
                    }
                    None => {}
                }
            }
            if let Some(next) = next {
                at.scan = next;
            }
        }
        Fate::Waits(pending)
    }

    fn judge_prompted(&self, sent: &str, prompt: &str, from: &mut u64, text: &MatchText) -> Fate {
        *from = (*from).max(self.prompts_from).max(text.oldest());
        let mut versions = text.versions_from(*from).peekable();
        while let Some(version) = versions.next() {
            let behind = version.pos + prompt.len() as u64;
            if version.pos >= *from && version.col == 0 && text.slice(version.pos, behind) == prompt
            {
                let place = Place {
                    line: version.line,
                    col: columns(prompt),
                };
                let mut at = At::new(sent, place, behind, version.pos, text);
                at.whole = true;
                return Fate::Turns(Echo::At(at));
            }
            if let Some(next) = versions.peek() {
                *from = next.pos.max(*from);
            }
        }
        Fate::Waits(None)
    }

    /// Adds a hole and keeps the holes ascending and apart.
    fn hide(&mut self, start: u64, end: u64) {
        let first = self.hidden.partition_point(|hole| hole.1 < start);
        let last = self.hidden.partition_point(|hole| hole.0 <= end);
        let mut hole = (start, end);
        for old in self.hidden.drain(first..last.max(first)) {
            hole = (hole.0.min(old.0), hole.1.max(old.1));
        }
        self.hidden.insert(first, hole);
    }
}

/// As much of a version of a line as an echo in it can need.
struct Shown<'a> {
    text: &'a str,
    /// Nothing can be added to it.
    closed: bool,
    /// There is more of it than is here.
    longer: bool,
}

impl<'a> Shown<'a> {
    /// The echo begins so many columns behind the version's beginning at most, and has `len` bytes.
    fn new(version: Version, next: Option<u64>, col: u64, len: usize, text: &'a MatchText) -> Self {
        let enough = col * 16 + len as u64 * 2 + 16;
        let end = next.unwrap_or(text.end());
        let part = text.slice(version.pos, end.min(version.pos.saturating_add(enough)));
        match part.find('\n') {
            Some(at) => Self {
                text: &part[..at],
                closed: true,
                longer: false,
            },
            None => Self {
                text: part,
                closed: next.is_some(),
                longer: version.pos + (part.len() as u64) < end,
            },
        }
    }
}

/// Where the echo is in a version of its line, and its length, or nothing while it is under way.
fn echo_in(shown: &Shown<'_>, matched: Match, whole: bool) -> Option<(usize, Option<usize>)> {
    let len = matched.end - matched.start;
    let Some(next) = matched.next else {
        // Whether a word goes on is not known before something follows.
        let len = shown.closed.then_some(len);
        return (!shown.longer).then_some((matched.start, len));
    };
    let goes_on = is_word(next) && shown.text[..matched.end].ends_with(is_word);
    (!whole && !goes_on).then_some((matched.start, Some(len)))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the tty or the program shows the text as it is. A tab is shown as one by the tty alone.
fn is_plain(text: &str, mode: TtyMode) -> bool {
    let shown = |c: char| !c.is_control() || c == '\n' || (c == '\t' && mode.icanon);
    !text.is_empty() && text.chars().all(shown)
}

/// The text in the cursor's line up to the cursor.
fn prompt_before(place: Place, scan: u64, text: &MatchText) -> Option<String> {
    let version = text
        .versions_from(scan)
        .find(|version| version.line == place.line && version.col == 0)?;
    let shown = Shown::new(version, None, u64::from(place.col), 0, text);
    let prompt = &shown.text[..index_of(shown.text, place.col)?];
    (!prompt.trim().is_empty()).then(|| prompt.to_owned())
}

/// The byte index of a column.
fn index_of(text: &str, col: u32) -> Option<usize> {
    let mut at = 0;
    for (index, cluster) in clusters(text) {
        if at >= col {
            return (at == col).then_some(index);
        }
        at += u32::from(width::of_cluster(cluster));
    }
    (at == col).then_some(text.len())
}

fn columns(text: &str) -> u32 {
    clusters(text)
        .map(|(_, cluster)| u32::from(width::of_cluster(cluster)))
        .sum()
}

fn clusters(text: &str) -> impl Iterator<Item = (usize, &str)> {
    unicode_segmentation::UnicodeSegmentation::grapheme_indices(text, true)
}

/// How much of the end of `text` is a beginning of `line`.
fn overlap(text: &str, line: &str) -> usize {
    line.char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .rev()
        .find(|&len| text.ends_with(&line[..len]))
        .unwrap_or(0)
}

/// The input without the brackets of a bracketed paste: the lines in it end with a line feed, those that
/// are submitted with a return.
fn without_brackets(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    let mut inside = false;
    while let Some((&first, others)) = rest.split_first() {
        rest = if rest.starts_with(b"\x1b[200~") || rest.starts_with(b"\x1b[201~") {
            inside = rest[4] == b'0';
            &rest[6..]
        } else {
            out.push(match first {
                b'\r' | b'\n' if inside => b'\n',
                b'\n' => b'\r',
                other => other,
            });
            others
        };
    }
    out
}
