//! `coax send`.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use clap::Args;

use crate::fault::Fault;
use crate::pattern::{self, Pattern};
use crate::verb::{Bytes, Expect, Format, Limit, Order, Send, Show, Then, Verb};

use super::{Around, Common, Spelled, Voice, limit};

/// What follows the typing; what `send` and `key` share.
#[derive(Args, Debug)]
pub(super) struct ThenArgs {
    /// Then wait until the program is ready
    #[arg(long)]
    wait: bool,
    /// Then wait for a pattern, as expect does
    #[arg(long, value_name = "PATTERN")]
    expect: Option<String>,
    /// Then show the screen
    #[arg(long)]
    screen: bool,
}

impl ThenArgs {
    pub(super) fn then(&self, json: bool) -> Result<Then, Fault> {
        let pattern = self
            .expect
            .as_ref()
            .map(|word| Pattern::parse(word, pattern::Kind::Text));
        let expect = pattern.transpose()?.map(|pattern| Expect {
            patterns: vec![pattern],
            ..Expect::default()
        });
        let show = Show {
            format: if json { Format::Json } else { Format::Text },
            ..Show::default()
        };
        Ok(Then {
            expect,
            wait: self.wait,
            screen: self.screen.then_some(show),
        })
    }
}

#[derive(Args, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct SendArgs {
    #[command(flatten)]
    common: Common,
    /// Press Enter after it
    #[arg(long)]
    enter: bool,
    /// Type it as a paste: bracketed if the program asked for that, else line feeds become Enter
    #[arg(long)]
    paste: bool,
    /// Send bytes too that the terminal acts on, such as ^C
    #[arg(long)]
    control: bool,
    /// Take the text from a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["stdin", "hex", "text"])]
    file: Option<PathBuf>,
    /// Take the text from standard input
    #[arg(long, conflicts_with_all = ["hex", "text"])]
    stdin: bool,
    /// Send these bytes, two hexadecimal digits each
    #[arg(long, value_name = "HEX", conflicts_with = "text")]
    hex: Option<String>,
    #[command(flatten)]
    then: ThenArgs,
    /// How long at most [default: 30s]
    #[arg(long, value_name = "D", value_parser = limit)]
    timeout: Option<Limit>,
    /// The text; never interpreted
    #[arg(value_name = "TEXT")]
    text: Option<OsString>,
}

impl Spelled for SendArgs {
    fn order(self, around: &Around) -> Result<(Order, Voice), Fault> {
        let mut control = self.control;
        let bytes = if around.is_dry() && (self.file.is_some() || self.stdin) {
            Vec::new()
        } else if let Some(file) = &self.file {
            std::fs::read(file)
                .map_err(|error| Fault::usage(format!("{}: {error}", file.display())))?
        } else if self.stdin {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|error| Fault::usage(format!("standard input cannot be read: {error}")))?;
            bytes
        } else if let Some(hex) = &self.hex {
            // Whoever writes bytes by number means them.
            control = true;
            unhex(hex)?
        } else if let Some(text) = self.text {
            text.into_vec()
        } else if self.enter {
            Vec::new()
        } else {
            return Err(Fault::usage("there is nothing to send")
                .hint("give a TEXT, --file, --stdin, --hex, or --enter alone"));
        };
        let send = Send {
            bytes: Bytes(bytes),
            enter: self.enter,
            paste: self.paste,
            control,
            then: self.then.then(self.common.json)?,
            timeout: self.timeout,
        };
        let order = Order {
            session: self.common.session.clone(),
            verb: Verb::Send(send),
        };
        Ok((order, self.common.voice()))
    }
}

fn unhex(word: &str) -> Result<Vec<u8>, Fault> {
    let digits: Vec<u8> = word
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let bad = || {
        Fault::usage(format!("{word:?} is not hexadecimal"))
            .hint("two digits a byte, blanks between them if you like: 1b 5b 41")
    };
    if !digits.len().is_multiple_of(2) {
        return Err(bad());
    }
    digits
        .chunks(2)
        .map(|pair| {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let value = digit(pair[0])
                .zip(digit(pair[1]))
                .map(|(high, low)| high * 16 + low);
            value
                .and_then(|value| u8::try_from(value).ok())
                .ok_or_else(bad)
        })
        .collect()
}
