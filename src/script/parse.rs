//! Words to a tree: commands, blocks, arms. What a command means is not known here, only which
//! ones take a block.
//!
//! Reading goes on after a mistake, so that all are found at once. Every level of nesting is a
//! brace, and braces are bounded, so hostile text cannot exhaust the stack.

use super::lex::{Lexed, Token, lex};
use super::place::{Mistake, Place};
use super::tree::{Arm, Catch, Command, Script};
use super::word::Word;

/// How deep blocks may nest.
pub(super) const MAX_DEPTH: usize = 32;

/// How long a script may be, in bytes.
const MAX_LENGTH: usize = 4 << 20;

/// The commands that take a block of arms.
const WITH_ARMS: [&str; 1] = ["expect"];

/// What `bytes` say as a script, and every mistake of spelling, quotes and blocks in them.
pub(super) fn parse(bytes: &[u8]) -> (Script, Vec<Mistake>) {
    if bytes.len() > MAX_LENGTH {
        let mistake = Mistake::new(
            Place::START,
            "this is longer than 4 MiB, so it is no script",
        );
        return (Script::default(), vec![mistake]);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            return (
                Script::default(),
                vec![not_text(bytes, error.valid_up_to())],
            );
        }
    };
    let (tokens, mistakes) = lex(text);
    let mut parser = Parser {
        text,
        partners: partners(&tokens),
        tokens,
        at: 0,
        depth: 0,
        mistakes,
    };
    let commands = parser.lines();
    let mut mistakes = parser.mistakes;
    mistakes.sort_by_key(|mistake| mistake.place);
    (Script { commands }, mistakes)
}

/// The mistake of a file that is not UTF-8 from the byte `valid` on.
fn not_text(bytes: &[u8], valid: usize) -> Mistake {
    let before = String::from_utf8_lossy(&bytes[..valid]);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let place = Place {
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column).unwrap_or(u32::MAX),
    };
    let byte = bytes.get(valid).copied().unwrap_or_default();
    Mistake::new(place, format!("the byte 0x{byte:02x} here is not UTF-8"))
        .hint("save the script as UTF-8; send --hex sends any byte")
}

/// For each token that opens a block, the one that closes it.
fn partners(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if let Token::Word(lexed) = token {
            if lexed.word.is_bare("{") {
                open.push(index);
            } else if lexed.word.is_bare("}")
                && let Some(opened) = open.pop()
            {
                partners[opened] = Some(index);
            }
        }
    }
    partners
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    partners: Vec<Option<usize>>,
    at: usize,
    depth: usize,
    mistakes: Vec<Mistake>,
}

/// What stands next, as the grammar sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Word,
    Open,
    Close,
    Newline,
    Semicolon,
    Nothing,
}

impl Parser<'_> {
    fn next(&self) -> Next {
        match self.tokens.get(self.at) {
            None => Next::Nothing,
            Some(Token::Newline) => Next::Newline,
            Some(Token::Semicolon) => Next::Semicolon,
            Some(Token::Word(lexed)) if lexed.word.is_bare("{") => Next::Open,
            Some(Token::Word(lexed)) if lexed.word.is_bare("}") => Next::Close,
            Some(Token::Word(_)) => Next::Word,
        }
    }

    fn lexed(&self) -> Option<&Lexed> {
        match self.tokens.get(self.at) {
            Some(Token::Word(lexed)) => Some(lexed),
            _ => None,
        }
    }

    fn is_arrow(&self) -> bool {
        self.lexed().is_some_and(|lexed| lexed.word.is_bare("=>"))
    }

    /// Where the next token stands, or the last one if there is none.
    fn place(&self) -> Place {
        let words = |token: &Token| match token {
            Token::Word(lexed) => Some(lexed.word.place),
            Token::Newline | Token::Semicolon => None,
        };
        let ahead = self.tokens[self.at..].iter().find_map(words);
        let behind = || self.tokens.iter().rev().find_map(words);
        ahead.or_else(behind).unwrap_or(Place::START)
    }

    fn mistake(&mut self, place: Place, message: impl Into<String>, hint: &str) {
        self.mistakes.push(Mistake::new(place, message).hint(hint));
    }

    fn skip_line(&mut self) {
        while !matches!(self.next(), Next::Newline | Next::Close | Next::Nothing) {
            self.at += 1;
        }
    }

    /// Commands up to the brace that closes them, which is left, or to the end.
    fn lines(&mut self) -> Vec<Command> {
        let mut commands = Vec::new();
        loop {
            match self.next() {
                Next::Nothing => return commands,
                Next::Newline | Next::Semicolon => self.at += 1,
                Next::Close if self.depth > 0 => return commands,
                Next::Close => {
                    let place = self.place();
                    self.mistake(place, "this } closes nothing", "quote it where it is text");
                    self.at += 1;
                }
                Next::Open => {
                    let place = self.place();
                    let hint = "a block stands at the end of its command's line, as in: expect {";
                    self.mistake(place, "this { has no command before it", hint);
                    self.at = self.partners[self.at].map_or(self.at, |close| close) + 1;
                }
                Next::Word => commands.extend(self.command()),
            }
        }
    }

    /// One command with its block.
    fn command(&mut self) -> Option<Command> {
        let place = self.place();
        let (mut words, mut spoilt) = (Vec::new(), false);
        let mut span: Option<std::ops::Range<usize>> = None;
        let mut block = None;
        loop {
            match self.next() {
                Next::Word => {}
                Next::Open if self.opens_block(&words) => {
                    block = Some(self.block(&words));
                    break;
                }
                Next::Open => spoilt = true,
                Next::Close if self.depth == 0 => {
                    spoilt = true;
                    let place = self.place();
                    self.mistake(place, "this } closes nothing", "quote it where it is text");
                }
                Next::Close | Next::Newline | Next::Semicolon | Next::Nothing => break,
            }
            let lexed = self.lexed()?;
            spoilt |= lexed.spoilt;
            let (start, end) = (lexed.span.start, lexed.span.end);
            span = Some(span.map_or(start, |span| span.start)..end);
            words.push(lexed.word.clone());
            self.at += 1;
        }
        let span = span?;
        Some(Command {
            place,
            text: self.text[span].to_owned(),
            words,
            block: block.flatten(),
            spoilt,
        })
    }

    /// Whether the brace that stands here opens a block; a mistake where it cannot.
    fn opens_block(&mut self, words: &[Word]) -> bool {
        let takes = |word: &Word| WITH_ARMS.iter().any(|name| word.is_bare(name));
        if words.first().is_some_and(takes) {
            return true;
        }
        let (place, name) = (self.place(), words.first().map(ToString::to_string));
        let name = name.unwrap_or_default();
        let hint = "quote the { where it is text; expect takes a block";
        self.mistake(place, format!("{name} takes no block"), hint);
        // A brace at the end of the line was meant as a block, and what is in it would only add noise.
        let last = matches!(self.tokens.get(self.at + 1), None | Some(Token::Newline));
        last && self.partners[self.at].is_some()
    }

    /// The block that opens here, with what must follow it; none where it was skipped.
    fn block(&mut self, words: &[Word]) -> Option<Vec<Arm>> {
        let takes = |word: &Word| WITH_ARMS.iter().any(|name| word.is_bare(name));
        let wanted = words.first().is_some_and(takes);
        let arms = if wanted && self.enter() {
            let arms = self.arms();
            self.leave();
            Some(arms)
        } else {
            self.at = self.partners[self.at].map_or(self.tokens.len(), |close| close + 1);
            None
        };
        if matches!(self.next(), Next::Word | Next::Open) {
            let place = self.place();
            let hint = "put what follows on a line of its own";
            self.mistake(place, "a block ends its command", hint);
            self.skip_line();
        }
        arms
    }

    /// Takes an opening brace, unless it nests too deep.
    fn enter(&mut self) -> bool {
        let place = self.place();
        if self.depth >= MAX_DEPTH {
            let message = format!("blocks nest deeper than {MAX_DEPTH}");
            self.mistake(place, message, "split the script");
            return false;
        }
        if self.partners[self.at].is_none() {
            let hint = "a } that stands alone closes it";
            self.mistake(place, "this { is never closed", hint);
        }
        self.depth += 1;
        self.at += 1;
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
        if self.next() == Next::Close {
            self.at += 1;
        }
    }

    /// Arms up to the brace that closes them, which is left, or to the end.
    fn arms(&mut self) -> Vec<Arm> {
        let mut arms = Vec::new();
        loop {
            match self.next() {
                Next::Nothing | Next::Close => return arms,
                Next::Newline | Next::Semicolon => self.at += 1,
                Next::Word | Next::Open => arms.push(self.arm()),
            }
        }
    }

    fn arm(&mut self) -> Arm {
        let mut arm = Arm {
            place: self.place(),
            patterns: Vec::new(),
            catches: Vec::new(),
            body: Vec::new(),
            spoilt: false,
        };
        while self.next() == Next::Word && !self.is_arrow() {
            let Some(lexed) = self.lexed() else { break };
            let word = lexed.word.clone();
            let written = &self.text[lexed.span.clone()];
            let glued = written.starts_with("=>") || written.ends_with("=>");
            arm.spoilt |= lexed.spoilt || glued;
            self.at += 1;
            if glued {
                let hint = "put a blank before and after it, or quotes around it where it is text";
                self.mistake(word.place, "=> stands alone", hint);
            }
            if let Some(catch) = Catch::of(&word) {
                arm.catches.push(catch);
            } else if word.bare && word.to_string().starts_with('-') {
                let hint = "flags stand before the {, a pattern that begins with - in quotes";
                self.mistake(word.place, format!("{word} is no pattern"), hint);
                arm.spoilt = true;
            } else {
                arm.patterns.push(word);
            }
        }
        if self.is_arrow() {
            let place = self.place();
            if arm.place == place {
                arm.spoilt = true;
                self.mistake(place, "no pattern before =>", "write PATTERN => COMMANDS");
            }
            self.at += 1;
            self.body(&mut arm.body, place);
        } else if self.next() == Next::Open {
            let place = self.place();
            self.mistake(
                place,
                "no => before the commands of an arm",
                "write PATTERN => {",
            );
            self.at = self.partners[self.at].map_or(self.tokens.len(), |close| close + 1);
        }
        arm
    }

    /// What an arm does: a block of lines, or commands on the same line.
    fn body(&mut self, body: &mut Vec<Command>, arrow: Place) {
        let known = self.mistakes.len();
        if self.next() == Next::Open {
            if self.enter() {
                *body = self.lines();
                self.leave();
            } else {
                self.at = self.partners[self.at].map_or(self.tokens.len(), |close| close + 1);
            }
            if matches!(self.next(), Next::Word | Next::Open) {
                let place = self.place();
                let hint = "put the next arm on a line of its own";
                self.mistake(place, "the block of an arm ends the arm", hint);
                self.skip_line();
            }
        } else {
            loop {
                match self.next() {
                    Next::Word => body.extend(self.command()),
                    Next::Semicolon => self.at += 1,
                    Next::Open => {
                        let place = self.place();
                        let hint = "a block stands at the end of its command, as in: expect {";
                        self.mistake(place, "this { has no command before it", hint);
                        self.at = self.partners[self.at].map_or(self.at, |close| close) + 1;
                    }
                    Next::Close | Next::Newline | Next::Nothing => break,
                }
            }
        }
        if body.is_empty() && self.mistakes.len() == known {
            let hint = "leave => out where a match needs nothing done";
            self.mistake(arrow, "nothing is done after this =>", hint);
        }
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
