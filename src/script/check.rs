//! Finds every mistake of a script at once, before anything is started.
//!
//! Only what can be proved is a mistake: a word with a variable in it may turn out to be right, so
//! a line that holds one is judged by what does not depend on its value.

use std::collections::BTreeSet;

use crate::fault::Fault;
use crate::verb::{Limit, Name, Verb};

use super::act::{self, Act};
use super::parse::parse;
use super::place::{Mistake, Place};
use super::run::{ASSERT_SCREEN, exit_code};
use super::tree::{Arm, Catch, Command, Script};
use super::vars::{Environment, is_number, undefined};
use super::word::{Piece, Word};
use super::{Spoken, Words, answer};

/// How many mistakes are listed; more are counted.
const MAX_LISTED: usize = 100;

/// What variables are taken to hold. A line that neither suits, and that is refused in the same
/// words with both, is wrong whatever they hold.
const PLACEHOLDERS: [&str; 2] = ["1", "xyz"];

/// Every mistake in the script that `bytes` are. Variables that nothing sets are mistakes only where
/// the environment is known.
pub fn check(
    bytes: &[u8],
    words: &dyn Words,
    environment: Option<&Environment<'_>>,
) -> Vec<Mistake> {
    read(bytes, words, environment).err().unwrap_or_default()
}

/// The script that `bytes` are, or all of its mistakes.
pub(super) fn read(
    bytes: &[u8],
    words: &dyn Words,
    environment: Option<&Environment<'_>>,
) -> Result<Script, Vec<Mistake>> {
    let (script, mistakes) = parse(bytes);
    let mut checker = Checker {
        words,
        environment,
        known: Known::default(),
        mistakes,
    };
    checker.commands(&script.commands, None);
    let mut mistakes = checker.mistakes;
    if mistakes.is_empty() {
        return Ok(script);
    }
    mistakes.sort_by_key(|mistake| mistake.place);
    if mistakes.len() > MAX_LISTED {
        let more = mistakes.len() - MAX_LISTED;
        let place = mistakes[MAX_LISTED].place;
        mistakes.truncate(MAX_LISTED);
        mistakes.push(Mistake::new(
            place,
            format!("{more} more mistakes from here on"),
        ));
    }
    Err(mistakes)
}

struct Checker<'w> {
    words: &'w dyn Words,
    environment: Option<&'w Environment<'w>>,
    known: Known,
    mistakes: Vec<Mistake>,
}

/// What may have a value at some place of a script.
#[derive(Default)]
struct Known {
    names: BTreeSet<String>,
    /// Whether there may have been a match.
    matched: bool,
    /// Whether a pattern is put together at run time, and may name its groups as it likes.
    anything: bool,
}

impl Known {
    /// Adds what `commands` may give a value to, in their blocks too.
    fn add(&mut self, commands: &[Command]) {
        for command in commands {
            if let Ok(Act::Set(name, _)) = act::read(command) {
                self.names.insert(name);
            }
            self.add_groups(&command.words);
            for arm in command.block.iter().flatten() {
                self.add_groups(&arm.patterns);
                self.add(&arm.body);
            }
            self.matched |= command.block.is_some()
                || command.words.iter().any(|word| {
                    let text = word.to_string();
                    text == "expect" || text.starts_with("--expect")
                });
        }
    }

    /// Adds the groups that `words` name, where they are patterns: `(?<NAME>...)`.
    fn add_groups(&mut self, words: &[Word]) {
        for word in words {
            for piece in &word.pieces {
                match piece {
                    Piece::Text(text) => {
                        let names = text
                            .split('<')
                            .skip(1)
                            .filter_map(|rest| rest.split_once('>'));
                        self.names.extend(names.map(|(name, _)| name.to_owned()));
                    }
                    Piece::Var(_) => self.anything = true,
                }
            }
        }
    }
}

impl Checker<'_> {
    fn mistake(&mut self, place: Place, message: impl Into<String>, hint: &str) {
        self.mistakes.push(Mistake::new(place, message).hint(hint));
    }

    /// Judges `commands`, which stand in `arm` if in one. As deep as blocks nest, which is bounded.
    fn commands(&mut self, commands: &[Command], arm: Option<&Arm>) {
        for (index, command) in commands.iter().enumerate() {
            if command.spoilt {
                self.known.add(std::slice::from_ref(command));
                continue;
            }
            match act::read(command) {
                Ok(act) => {
                    let last = index + 1 == commands.len();
                    self.act(command, &act, arm, last);
                }
                Err(mistake) => self.mistakes.push(mistake),
            }
        }
    }

    fn act(&mut self, command: &Command, act: &Act<'_>, arm: Option<&Arm>, last: bool) {
        self.variables(&command.words);
        match act {
            Act::Again => self.again(command.place, arm, last),
            Act::AssertExit(code) | Act::Exit(Some(code)) => self.literal(code, exit_code),
            Act::AssertScreen(pattern) => {
                let line = ASSERT_SCREEN.map(|word| meant(word, command.place));
                self.line(&[line.as_slice(), &[(*pattern).clone()]].concat());
            }
            Act::Echo(_) | Act::Exit(None) | Act::Fail(_) | Act::Set(..) => {}
            Act::Expect(words, arms) => self.expect(command, words, arms, arm.is_some()),
            Act::Session(name) => self.literal(name, str::parse::<Name>),
            Act::SetDeadline(limit) | Act::SetTimeout(limit) => {
                self.literal(limit, str::parse::<Limit>);
            }
            Act::Verb(words) => self.verb(words),
        }
        if command.block.is_none() {
            self.known.add(std::slice::from_ref(command));
        }
    }

    fn again(&mut self, place: Place, arm: Option<&Arm>, last: bool) {
        match arm {
            None => {
                let hint = "it stands in an arm of an expect block";
                self.mistake(place, "again outside of an expect block", hint);
            }
            Some(arm) if arm.catches.contains(&Catch::Eof) => {
                let hint = "the program has ended, so nothing more can come";
                self.mistake(place, "again in an eof arm", hint);
            }
            Some(_) if !last => {
                self.mistake(place, "nothing after again is ever done", "put it last");
            }
            Some(_) => {}
        }
    }

    /// Judges a word that a statement takes, where it holds no variable.
    fn literal<T>(&mut self, word: &Word, read: impl Fn(&str) -> Result<T, Fault>) {
        if let Some(Err(fault)) = word.literal().map(|text| read(&text)) {
            self.mistake(word.place, fault.message, &fault.hint);
        }
    }

    fn verb(&mut self, words: &[Word]) {
        let Some((first, rest)) = words.split_first() else {
            return;
        };
        let name = first.literal().unwrap_or_default();
        if !self.words.verbs().contains(&name.as_str()) {
            let hint = match self.nearest(&name) {
                Some(near) => format!("did you mean {near}?"),
                None => "a line begins with a verb or a statement".to_owned(),
            };
            self.mistake(first.place, format!("there is no verb \"{name}\""), &hint);
            return;
        }
        if name == "expect" {
            if let Some(word) = rest.iter().find(|word| Catch::of(word).is_some()) {
                let hint = "expect { } has such an arm, wait --exit waits for the end; quote it where it is text";
                let message = format!("{word} is an arm of a block, not a pattern");
                return self.mistake(word.place, message, hint);
            }
            if let Some(word) = rest.iter().find(|word| word.is_bare("=>")) {
                let hint = "blanks stand around { and }; quote => where it is text";
                return self.mistake(word.place, "=> outside of a block", hint);
            }
        }
        self.line(words);
    }

    /// Judges the words of a verb by the definitions of the command line.
    fn line(&mut self, words: &[Word]) {
        let mut faults = Vec::new();
        for filled in fill(words) {
            match self.words.check(&filled) {
                Ok(()) => return,
                Err(fault) => faults.push(fault),
            }
        }
        if let Some(fault) = same(&faults) {
            let place = culprit(words, &fault.message);
            self.mistake(place, fault.message.clone(), &fault.hint);
        }
    }

    fn expect(&mut self, command: &Command, words: &[Word], arms: &[Arm], inside: bool) {
        // What an arm sets, `again` carries to the arms before it: so all of the outermost block counts.
        if !inside {
            self.known.add(std::slice::from_ref(command));
        }
        let mut line = words.to_vec();
        line.push(meant("--", command.place));
        let patterns: Vec<_> = arms
            .iter()
            .flat_map(|arm| arm.patterns.iter().cloned())
            .collect();
        if arms.iter().any(|arm| arm.spoilt) {
            self.variables(&patterns);
        } else if patterns.is_empty() {
            let hint = "wait --exit waits for the end of the program";
            self.mistake(command.place, "this block has no pattern", hint);
        } else {
            self.variables(&patterns);
            let many = patterns.len();
            line.extend(patterns);
            self.line(&line);
            self.count(&line, command.place, many);
        }
        let mut seen = Vec::new();
        for arm in arms {
            for catch in &arm.catches {
                if seen.contains(catch) {
                    let message = format!("a second {} in this block", catch.word());
                    self.mistake(arm.place, message, "only the first would ever be led to");
                }
                seen.push(*catch);
            }
            self.commands(&arm.body, Some(arm));
        }
    }

    /// Patterns before the brace belong to no arm.
    fn count(&mut self, line: &[Word], place: Place, many: usize) {
        let orders = fill(line)
            .into_iter()
            .map(|filled| self.words.order(&filled));
        for spoken in orders.flatten() {
            if let Spoken::Order { order, .. } = spoken
                && let Verb::Expect(expect) = &order.verb
                && answer::patterns(expect) != many
            {
                let hint = "patterns stand in the block, flags before it";
                return self.mistake(place, "a pattern before the block", hint);
            }
        }
    }

    /// Names the variables in `words` that nothing can have set.
    fn variables(&mut self, words: &[Word]) {
        for var in words.iter().flat_map(Word::vars) {
            if var.default.is_some() {
                continue;
            }
            let number = is_number(&var.name);
            let unset = if number {
                !self.known.matched
            } else {
                !self.known.anything
                    && !self.known.names.contains(&var.name)
                    && !act::GIVEN.contains(&var.name.as_str())
                    && self
                        .environment
                        .is_some_and(|look_up| look_up(&var.name).is_none())
            };
            if unset {
                let hint = if number {
                    "an expect with a regex stands before it"
                } else {
                    "set NAME VALUE gives it a value, ${NAME:-DEFAULT} does without"
                };
                self.mistake(var.place, undefined(&var.name), hint);
            }
        }
    }

    fn nearest(&self, name: &str) -> Option<String> {
        // Nobody reads so many hints, and a file that is no script would pay for them.
        if self.mistakes.len() > MAX_LISTED {
            return None;
        }
        let statements: Vec<&str> = act::statements().collect();
        [self.words.verbs(), statements]
            .concat()
            .into_iter()
            .map(|word| (distance(name, word), word))
            .filter(|(far, word)| *far <= 1 + word.len() / 4)
            .min()
            .map(|(_, word)| word.to_owned())
    }
}

/// A word that the script does not hold, but means at `place`.
fn meant(text: &str, place: Place) -> Word {
    Word {
        place,
        pieces: vec![Piece::Text(text.to_owned())],
        bare: true,
    }
}

/// The words with variables filled in, once for each placeholder where there are any.
fn fill(words: &[Word]) -> Vec<Vec<String>> {
    let with = |placeholder: &str| {
        let text = |word: &Word| {
            let pieces = word.pieces.iter().map(|piece| match piece {
                Piece::Text(text) => text.as_str(),
                Piece::Var(_) => placeholder,
            });
            pieces.collect()
        };
        words.iter().map(text).collect()
    };
    if words.iter().all(|word| word.literal().is_some()) {
        vec![with("")]
    } else {
        PLACEHOLDERS.map(with).into()
    }
}

/// The fault that all of `faults` are.
fn same(faults: &[Fault]) -> Option<&Fault> {
    let (first, rest) = faults.split_first()?;
    rest.iter()
        .all(|fault| fault.message == first.message)
        .then_some(first)
}

/// Where the word stands that `message` quotes; the first one if it quotes none.
fn culprit(words: &[Word], message: &str) -> Place {
    let named = |text: &str| {
        let mut marks = ['"', '\'', '`'].iter();
        !text.is_empty() && marks.any(|mark| message.contains(&format!("{mark}{text}{mark}")))
    };
    // A pattern may be quoted without the `re:` before it.
    let quoted = |word: &&Word| {
        let text = word.literal().unwrap_or_default();
        named(&text) || text.split_once(':').is_some_and(|(_, text)| named(text))
    };
    let rest = words.iter().skip(1).find(quoted);
    rest.or(words.first())
        .map_or(Place::START, |word| word.place)
}

/// How many letters have to be changed, added or left out to make `a` of `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
