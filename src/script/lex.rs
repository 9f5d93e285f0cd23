//! Text to words. Quotes, escapes, variables, comments and continued lines end here; what stands
//! above sees words and the ends of commands.
//!
//! A quote ends on its own line, so an unclosed one is named where it opens and spoils one line
//! only. Everything is read in one pass; every mistake is kept, and reading goes on after it.

use super::place::{Mistake, Place};
use super::word::{Piece, Var, Word, push_text};

/// How deep `${A:-${B:-...}}` may go.
const MAX_DEFAULTS: u32 = 16;

/// What a script is made of.
#[derive(Debug)]
pub(super) enum Token {
    /// A word.
    Word(Lexed),
    /// The end of a line.
    Newline,
    /// A semicolon.
    Semicolon,
}

/// A word and where it was found.
#[derive(Debug)]
pub(super) struct Lexed {
    /// The word.
    pub(super) word: Word,
    /// The bytes of the script that it was written with.
    pub(super) span: std::ops::Range<usize>,
    /// Whether a mistake stands in it, so that what it says is not to be judged.
    pub(super) spoilt: bool,
}

/// The tokens of `text`, and every mistake in it.
pub(super) fn lex(text: &str) -> (Vec<Token>, Vec<Mistake>) {
    let mut lexer = Lexer {
        text,
        at: 0,
        place: Place::START,
        mistakes: Vec::new(),
    };
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    let mut tokens = Vec::new();
    while let Some(c) = lexer.peek() {
        match c {
            ' ' | '\t' | '\r' => lexer.skip(1),
            '\n' => {
                lexer.skip(1);
                tokens.push(Token::Newline);
            }
            ';' => {
                lexer.skip(1);
                tokens.push(Token::Semicolon);
            }
            '#' => lexer.skip_line(),
            '\\' if lexer.continues() => {}
            _ => tokens.push(Token::Word(lexer.word())),
        }
    }
    (tokens, lexer.mistakes)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    place: Place,
    mistakes: Vec<Mistake>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.peek(), None | Some('\n')) {
            self.bump();
        }
    }

    /// Takes a backslash and the end of its line, where that is what stands here.
    fn continues(&mut self) -> bool {
        let Some(rest) = self.rest().strip_prefix('\\') else {
            return false;
        };
        let length = match rest {
            _ if rest.starts_with('\n') => 2,
            _ if rest.starts_with("\r\n") => 3,
            "" => 1,
            _ => return false,
        };
        self.skip(length);
        true
    }

    fn word(&mut self) -> Lexed {
        let (start, place, known) = (self.at, self.place, self.mistakes.len());
        let mut word = Word {
            place,
            pieces: Vec::new(),
            bare: true,
        };
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' => break,
                '\'' => {
                    word.bare = false;
                    self.single(&mut word.pieces);
                }
                '"' => {
                    word.bare = false;
                    self.double(&mut word.pieces);
                }
                '\\' => {
                    word.bare = false;
                    self.escaped(&mut word.pieces);
                }
                '$' => self.dollar(&mut word.pieces, 0),
                c => {
                    self.skip(1);
                    push_text(&mut word.pieces, c.encode_utf8(&mut [0; 4]));
                }
            }
        }
        Lexed {
            word,
            span: start..self.at,
            spoilt: self.mistakes.len() > known,
        }
    }

    /// A backslash outside of quotes: the next character stands for itself.
    fn escaped(&mut self, pieces: &mut Vec<Piece>) {
        if self.continues() {
            return;
        }
        let place = self.place;
        self.skip(1);
        let after = self.rest().trim_start_matches([' ', '\t', '\r']);
        if after.is_empty() || after.starts_with('\n') {
            self.mistakes.push(
                Mistake::new(place, "blanks after the backslash that continues the line")
                    .hint("end the line with the backslash, or quote the blank"),
            );
            self.skip_line();
            return;
        }
        let Some(c) = self.bump() else { return };
        if c.is_ascii_alphanumeric() {
            self.mistakes.push(
                Mistake::new(place, format!("\\{c} outside of quotes would be just {c}")).hint(
                    format!("write \"\\{c}\" for the escape, '\\{c}' for both characters"),
                ),
            );
        }
        push_text(pieces, c.encode_utf8(&mut [0; 4]));
    }

    /// `'...'`: verbatim to the next quote.
    fn single(&mut self, pieces: &mut Vec<Piece>) {
        let place = self.place;
        self.skip(1);
        let mut text = String::new();
        loop {
            match self.peek() {
                None | Some('\n') => return self.unclosed(place, '\''),
                Some('\'') => break,
                Some(c) => text.push(c),
            }
            self.skip(1);
        }
        self.skip(1);
        push_text(pieces, &text);
    }

    fn unclosed(&mut self, place: Place, quote: char) {
        self.mistakes.push(
            Mistake::new(place, format!("this {quote} is not closed on its line")).hint(match quote {
                '"' => "close it; \\n stands for a new line, a backslash at the end of the line continues it",
                _ => "close it; inside double quotes \\n stands for a new line",
            }),
        );
    }

    /// `"..."`: escapes and variables.
    fn double(&mut self, pieces: &mut Vec<Piece>) {
        let opened = self.place;
        self.skip(1);
        let mut run = Run::default();
        loop {
            match self.peek() {
                None | Some('\n') => {
                    self.flush(&mut run, pieces);
                    return self.unclosed(opened, '"');
                }
                Some('"') => {
                    self.skip(1);
                    return self.flush(&mut run, pieces);
                }
                Some('$') => {
                    self.flush(&mut run, pieces);
                    self.dollar(pieces, 0);
                }
                Some('\\') if self.continues() => {}
                Some('\\') => self.escape(&mut run),
                Some(c) => {
                    self.skip(1);
                    run.push(c);
                }
            }
        }
    }

    /// One escape in double quotes; an unknown one keeps its backslash, so `re:"\d+"` works.
    fn escape(&mut self, run: &mut Run) {
        let place = self.place;
        self.skip(1);
        let Some(c) = self.peek() else { return };
        let plain = match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'e' => '\u{1b}',
            'a' => '\u{7}',
            '0' => '\0',
            '\\' | '"' | '$' => c,
            'x' => {
                let digits = self.rest().get(1..3).unwrap_or_default();
                if digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                    let byte = u8::from_str_radix(digits, 16).unwrap_or_default();
                    self.skip(3);
                    return run.byte(byte, place);
                }
                return run.push('\\');
            }
            'u' if self.rest().starts_with("u{") => {
                let digits = self.rest()[2..]
                    .split(|c: char| !c.is_ascii_hexdigit())
                    .next();
                let digits = digits.unwrap_or_default();
                let closed = self.rest()[2 + digits.len()..].starts_with('}');
                let scalar = u32::from_str_radix(digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                if let (true, Some(scalar)) = (closed, scalar) {
                    self.skip(3 + digits.len());
                    return run.push(scalar);
                }
                self.mistakes.push(
                    Mistake::new(place, "\\u{...} names no character")
                        .hint("write its number in hex: \\u{e9} is é"),
                );
                return;
            }
            // The character itself follows as text, so that a quote or a dollar is still seen.
            _ => return run.push('\\'),
        };
        self.skip(1);
        run.push(plain);
    }

    /// Moves what was gathered in double quotes to `pieces`.
    fn flush(&mut self, run: &mut Run, pieces: &mut Vec<Piece>) {
        let bytes = std::mem::take(&mut run.bytes);
        let first = run.first_byte.take();
        match String::from_utf8(bytes) {
            Ok(text) => push_text(pieces, &text),
            Err(_) => self.mistakes.push(
                Mistake::new(
                    first.unwrap_or(self.place),
                    "the \\x bytes here are not UTF-8 text",
                )
                .hint(
                    "write \\u{e9} for a character, send --hex for bytes, \"\\\\xe9\" in a regex",
                ),
            ),
        }
    }

    /// `$NAME`, `$1`, `${NAME}`, `${NAME:-DEFAULT}`; any other `$` stands for itself.
    fn dollar(&mut self, pieces: &mut Vec<Piece>, depth: u32) {
        let place = self.place;
        self.skip(1);
        match self.peek() {
            Some('{') => self.braced(place, pieces, depth),
            Some('(') => {
                self.mistakes.push(
                    Mistake::new(place, "a script runs no commands in $(...)")
                        .hint("write \\$( in double quotes, or single quotes, where it is text"),
                );
            }
            _ => match self.name() {
                Some(name) => pieces.push(Piece::Var(Var {
                    name,
                    default: None,
                    place,
                })),
                None => push_text(pieces, "$"),
            },
        }
    }

    /// A name or the number of a capture, where one stands here.
    fn name(&mut self) -> Option<String> {
        let first = self.peek()?;
        let rest = self.rest();
        let length = if first.is_ascii_digit() {
            rest.bytes().take_while(u8::is_ascii_digit).count()
        } else if first.is_ascii_alphabetic() || first == '_' {
            rest.bytes()
                .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
                .count()
        } else {
            return None;
        };
        let name = rest[..length].to_owned();
        self.skip(length);
        Some(name)
    }

    fn braced(&mut self, place: Place, pieces: &mut Vec<Piece>, depth: u32) {
        self.skip(1);
        let name = self.name();
        let default = if self.rest().starts_with(":-") {
            self.skip(2);
            if depth >= MAX_DEFAULTS {
                self.mistakes.push(Mistake::new(
                    place,
                    "defaults in defaults, too deep to read",
                ));
                self.skip_line();
                return;
            }
            Some(self.default(depth + 1))
        } else {
            None
        };
        match name {
            Some(name) if self.peek() == Some('}') => {
                self.skip(1);
                pieces.push(Piece::Var(Var {
                    name,
                    default,
                    place,
                }));
            }
            _ => self.mistakes.push(
                Mistake::new(place, "${ without a name and its }")
                    .hint("write ${NAME} or ${NAME:-DEFAULT}; \\${ in double quotes is text"),
            ),
        }
    }

    /// What stands between `:-` and `}`: text and variables; a backslash frees the next character.
    fn default(&mut self, depth: u32) -> Vec<Piece> {
        let mut pieces = Vec::new();
        loop {
            match self.peek() {
                None | Some('\n' | '}') => return pieces,
                Some('$') => self.dollar(&mut pieces, depth),
                Some(c) => {
                    self.skip(1);
                    let c = match self.peek() {
                        Some(next) if c == '\\' && next != '\n' => {
                            self.skip(1);
                            next
                        }
                        _ => c,
                    };
                    push_text(&mut pieces, c.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }
}

/// Text in double quotes while it is gathered: bytes, because `\x` writes bytes.
#[derive(Default)]
struct Run {
    bytes: Vec<u8>,
    first_byte: Option<Place>,
}

impl Run {
    fn push(&mut self, c: char) {
        self.bytes
            .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn byte(&mut self, byte: u8, place: Place) {
        self.bytes.push(byte);
        self.first_byte.get_or_insert(place);
    }
}

#[cfg(test)]
#[path = "lex_tests.rs"]
mod tests;
