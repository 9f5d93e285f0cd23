//! What goes between a client and a host: JSON objects, one a line. Pure.
//!
//! The rules, so that a client and a host of different ages understand each other: every object has
//! the protocol version `v`; fields are only added, unknown ones are ignored; a verb that a host does
//! not know is answered with a fault; a host answers a version that is not its own with a fault, in a
//! form that every version reads (`v`, and `fault` with `kind`, `message` and `hint`). The first
//! answer is an acknowledgement, at once; the second is the reply or the fault, and the last.

mod frame;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::fault::{Fault, Kind};
use crate::verb::{Bytes, Name, Reply, Start, Verb};

pub use frame::Frames;

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;

/// What a host is told at its birth, over a pipe.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Birth {
    /// The runtime directory.
    pub root: Bytes,
    /// The session's name.
    pub name: Name,
    /// What to run.
    pub start: Start,
    /// How long the session is kept after its program has ended, in milliseconds; none for ever.
    pub ttl_ms: Option<u64>,
    /// Whether the name was taken over.
    pub replaced: bool,
}

/// What a host answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The request has been read; the rest follows.
    Acknowledged,
    /// The verb is done.
    Done(Box<Reply>),
    /// The verb has failed.
    Failed(Box<Fault>),
}

/// The line that asks for `verb`.
pub fn request(verb: &Verb) -> Result<Vec<u8>, Fault> {
    line(&json!({ "v": PROTOCOL, "call": to_value(verb)? }))
}

/// Reads a request.
///
/// # Errors
/// The fault to answer with: it is not a request, or not one of this version.
pub fn read_request(line: &[u8]) -> Result<Verb, Fault> {
    let mut object: Value = serde_json::from_slice(line)
        .map_err(|error| Fault::usage(format!("the request is not JSON: {error}")))?;
    check_version(&object)?;
    let call = object.get_mut("call").map(Value::take).unwrap_or_default();
    serde_json::from_value(call).map_err(|error| {
        Fault::usage(format!("the request is not understood: {error}"))
            .hint("the session was started by another version of coax: stop it and start it again")
    })
}

/// The line of an answer.
pub fn answer(answer: &Answer) -> Vec<u8> {
    let object = match answer {
        Answer::Acknowledged => json!({ "v": PROTOCOL, "ack": true }),
        Answer::Done(reply) => match to_value(reply) {
            Ok(reply) => json!({ "v": PROTOCOL, "reply": reply }),
            Err(fault) => json!({ "v": PROTOCOL, "fault": fault }),
        },
        Answer::Failed(fault) => json!({ "v": PROTOCOL, "fault": fault }),
    };
    line(&object).unwrap_or_default()
}

/// Reads an answer.
///
/// # Errors
/// Host gone, when it is not one.
pub fn read_answer(line: &[u8]) -> Result<Answer, Fault> {
    let garbled = |what: &str| {
        Fault::new(
            Kind::HostGone,
            format!("the session's host answers something else: {what}"),
        )
        .hint("it may be of another version of coax: stop it with that one, or kill it")
    };
    let mut object: Value =
        serde_json::from_slice(line).map_err(|error| garbled(&error.to_string()))?;
    if let Some(fault) = object.get_mut("fault") {
        let fault: Fault =
            serde_json::from_value(fault.take()).map_err(|error| garbled(&error.to_string()))?;
        return Ok(Answer::Failed(Box::new(fault)));
    }
    check_version(&object)?;
    if let Some(reply) = object.get_mut("reply") {
        let reply =
            serde_json::from_value(reply.take()).map_err(|error| garbled(&error.to_string()))?;
        return Ok(Answer::Done(Box::new(reply)));
    }
    if object.get("ack").is_some() {
        return Ok(Answer::Acknowledged);
    }
    Err(garbled("neither reply nor fault"))
}

fn check_version(object: &Value) -> Result<(), Fault> {
    match object.get("v").and_then(Value::as_u64) {
        Some(PROTOCOL) => Ok(()),
        Some(other) => Err(Fault::new(
            Kind::HostGone,
            format!("the session's host and this coax are of different versions (protocols {PROTOCOL} and {other})"),
        )
        .hint("use the coax that started the session, or stop it and start it again")),
        None => Err(Fault::usage("the message has no protocol version")),
    }
}

/// The fields that `--json` promises for a reply: without the wrapping that names its verb, and with
/// what stands under an empty name in the object around it, as far down as lists and objects go.
pub fn fields(reply: &Reply) -> Value {
    match serde_json::to_value(reply) {
        Ok(Value::Object(wrapped)) => wrapped
            .into_iter()
            .next()
            .map_or(Value::Null, |(_, fields)| flat(fields)),
        _ => Value::Null,
    }
}

fn flat(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(flat).collect()),
        Value::Object(mut fields) => {
            let inner = fields.remove("").map(flat);
            let mut fields: Map<_, _> = fields
                .into_iter()
                .map(|(name, value)| (name, flat(value)))
                .collect();
            if let Some(Value::Object(inner)) = inner {
                fields.extend(inner);
            }
            Value::Object(fields)
        }
        value => value,
    }
}

/// Writes something as a line of JSON.
///
/// # Errors
/// Internal, when it cannot be JSON.
pub fn write<T: Serialize>(of: &T) -> Result<Vec<u8>, Fault> {
    line(&to_value(of)?)
}

/// Reads something from JSON. Through a [`Value`], as everything here, so that its code is there once.
///
/// # Errors
/// Internal, when it is not that.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice::<Value>(text)
        .and_then(serde_json::from_value)
        .map_err(|error| Fault::internal(format!("not what was expected: {error}")))
}

fn to_value<T: Serialize>(of: &T) -> Result<Value, Fault> {
    serde_json::to_value(of)
        .map_err(|error| Fault::internal(format!("no JSON can be made: {error}")))
}

fn line(object: &Value) -> Result<Vec<u8>, Fault> {
    let mut line = serde_json::to_vec(object)
        .map_err(|error| Fault::internal(format!("no JSON can be made: {error}")))?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verb::{Resize, Resized};

    #[test]
    fn requests_and_answers_come_back_as_they_went() {
        let verb = Verb::Resize(Resize {
            rows: Some(3),
            cols: None,
        });
        assert_eq!(read_request(&request(&verb).expect("a line")), Ok(verb));
        let size = crate::term::Size { rows: 3, cols: 80 };
        for said in [
            Answer::Acknowledged,
            Answer::Done(Box::new(Reply::Resized(Resized { size }))),
            Answer::Failed(Box::new(Fault::usage("no"))),
        ] {
            assert_eq!(read_answer(&answer(&said)), Ok(said));
        }
    }

    #[test]
    fn another_version_is_answered_clearly() {
        let asked = read_request(br#"{"v":2,"call":{"status":{}}}"#);
        let fault = asked.expect_err("another version");
        assert_eq!(fault.kind, Kind::HostGone);
        assert!(
            fault.message.contains("different versions"),
            "{}",
            fault.message
        );
    }

    #[test]
    fn fields_of_the_future_are_ignored() {
        let asked =
            read_request(br#"{"v":1,"new":[1],"call":{"resize":{"rows":3,"cols":null,"dpi":96}}}"#);
        assert_eq!(
            asked,
            Ok(Verb::Resize(Resize {
                rows: Some(3),
                cols: None
            }))
        );
    }

    #[test]
    fn garbage_is_a_fault() {
        for garbage in [
            &b""[..],
            b"{",
            b"\xff\xfe",
            b"[]",
            b"{}",
            br#"{"v":1}"#,
            br#"{"v":1,"call":{"dance":{}}}"#,
        ] {
            assert!(read_request(garbage).is_err(), "{garbage:?}");
        }
    }
}
