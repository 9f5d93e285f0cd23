//! Bytes as they stand in messages.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::transcript::base64;

/// Bytes that need not be text: a string where they are UTF-8, `{"base64": ...}` where not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// The bytes as a word of the operating system.
    pub fn to_os(&self) -> OsString {
        OsString::from_vec(self.0.clone())
    }

    /// The bytes as text, U+FFFD for what is not UTF-8.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl From<&OsStr> for Bytes {
    fn from(word: &OsStr) -> Self {
        Self(word.as_bytes().to_vec())
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

/// How bytes are spelled that are not text.
#[derive(Serialize, Deserialize)]
struct Coded {
    base64: String,
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Coded {
                base64: base64::encode(&self.0),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self(text.into_bytes())),
            coded => {
                let coded = Coded::deserialize(coded).map_err(Error::custom)?;
                base64::decode(&coded.base64)
                    .map(Self)
                    .ok_or_else(|| Error::custom("not base64"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_text_travel_coded() {
        for bytes in [b"plain".to_vec(), vec![0xff, 0, 10]] {
            let json = serde_json::to_string(&Bytes(bytes.clone())).expect("serializes");
            assert_eq!(
                serde_json::from_str::<Bytes>(&json).expect("reads"),
                Bytes(bytes)
            );
        }
    }
}
