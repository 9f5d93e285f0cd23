//! How long something may take, as people write it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::fault::Fault;

/// How long something may take: a duration, or no limit. Zero asks once, now.
///
/// Spelled `5`, `5s`, `250ms`, `2m`, `1h`, `1.5s` or `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// At most this long.
    After(Duration),
    /// As long as it takes.
    None,
}

impl Limit {
    /// The deadline of expect, wait, send, exec and readiness unless one is given: 30 s.
    pub const DEFAULT: Self = Self::After(Duration::from_secs(30));

    /// The instant at which this limit is reached, counted from `now`.
    pub fn deadline(self, now: std::time::Instant) -> Option<std::time::Instant> {
        match self {
            Self::After(limit) => now.checked_add(limit),
            Self::None => None,
        }
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::After(limit) => f.write_str(&spell(*limit)),
            Self::None => f.write_str("none"),
        }
    }
}

/// A duration as a person writes it: `250 ms`, `1.5 s`, `2 min`.
pub fn spell(duration: Duration) -> String {
    let ms = duration.as_millis();
    if ms < 1000 {
        format!("{ms} ms")
    } else if ms.is_multiple_of(60_000) {
        format!("{} min", ms / 60_000)
    } else if ms.is_multiple_of(1000) {
        format!("{} s", ms / 1000)
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

/// Reads a duration: a number with `ms`, `s`, `m` or `h` after it, seconds without.
///
/// # Errors
/// Usage, when it is not one, is negative, or is longer than a hundred years.
pub fn duration(word: &str) -> Result<Duration, Fault> {
    let wrong = || {
        Fault::usage(format!("\"{word}\" is not a duration"))
            .hint("write a number with ms, s, m or h after it: 250ms, 5s, 2m; or a bare number of seconds")
    };
    let split = word
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(word.len());
    let (number, unit) = word.split_at(split);
    if number.is_empty() || number == "." {
        return Err(wrong());
    }
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(wrong()),
    };
    let seconds = number.parse::<f64>().map_err(|_| wrong())? * scale;
    if seconds > 3.2e9 {
        return Err(
            Fault::usage(format!("\"{word}\" is longer than a hundred years"))
                .hint("write none for no limit"),
        );
    }
    Ok(Duration::from_secs_f64(seconds))
}

impl FromStr for Limit {
    type Err = Fault;

    fn from_str(word: &str) -> Result<Self, Fault> {
        if word == "none" {
            return Ok(Self::None);
        }
        duration(word).map(Self::After)
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::After(limit) => limit.as_secs_f64().serialize(serializer),
            Self::None => serializer.serialize_str("none"),
        }
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let limit = match (&value, value.as_f64()) {
            (_, Some(seconds)) if (0.0..3.3e9).contains(&seconds) => {
                return Ok(Self::After(Duration::from_secs_f64(seconds)));
            }
            (Value::String(word), _) => word.parse().ok(),
            _ => None,
        };
        limit.ok_or_else(|| Error::custom(format!("{value} is no limit")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_take_units_and_bare_seconds() {
        let ms = |word: &str| duration(word).map(|d| d.as_millis());
        assert_eq!(ms("5"), Ok(5000));
        assert_eq!(ms("250ms"), Ok(250));
        assert_eq!(ms("1.5s"), Ok(1500));
        assert_eq!(ms("2m"), Ok(120_000));
        assert_eq!("none".parse(), Ok(Limit::None));
    }

    #[test]
    fn what_is_no_duration_is_a_usage_fault() {
        for word in [
            "",
            "-1",
            "five",
            "5 s",
            "ms",
            ".",
            "1e99",
            "99999999999999h",
            "5sec",
        ] {
            assert_eq!(
                duration(word).map_err(|fault| fault.kind),
                Err(crate::fault::Kind::Usage),
                "{word:?}"
            );
        }
    }
}
