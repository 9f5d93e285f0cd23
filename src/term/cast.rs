//! Recordings: asciicast of versions 1, 2 and 3 as what was printed, when, and at which size.

use serde_json::Value;

use super::geometry::Size;

/// What happened in a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Something was printed.
    Output(String),
    /// The terminal got another size.
    Resize(Size),
}

/// A recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Cast {
    /// The size in the beginning.
    pub size: Size,
    /// What happened and when, in seconds from the beginning, in order.
    pub events: Vec<(f64, Happening)>,
}

/// Whether a file that begins so is a recording.
pub fn is_cast(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let brace = line.trim_ascii_start().first() == Some(&b'{');
    let head = String::from_utf8_lossy(head);
    brace
        && head.contains("\"version\"")
        && (head.contains("\"width\"") || head.contains("\"term\""))
}

impl Cast {
    /// Reads a recording; says in words what is wrong with it, if something is.
    ///
    /// # Errors
    /// When the header is none, or a line is no event.
    pub fn read(text: &str) -> Result<Self, String> {
        if let Ok(whole) = serde_json::from_str::<Value>(text)
            && whole["version"] == 1
        {
            return Self::first(&whole);
        }
        let mut lines = text.lines().zip(1..);
        let header = lines.next().map_or("", |(line, _)| line);
        let header: Value =
            serde_json::from_str(header).map_err(|error| format!("line 1: {error}"))?;
        let (size, intervals) = match header["version"].as_u64() {
            Some(2) => (size(&header["width"], &header["height"])?, false),
            Some(3) => (
                size(&header["term"]["cols"], &header["term"]["rows"])?,
                true,
            ),
            version => return Err(format!("line 1: no version 1, 2 or 3 but {version:?}")),
        };
        let mut cast = Self {
            size,
            events: Vec::new(),
        };
        let mut now = 0.0;
        for (line, at) in lines {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = || format!("line {at}: no event [time, kind, data]");
            let event: Value = serde_json::from_str(line).map_err(|_| bad())?;
            let time = event[0].as_f64().ok_or_else(bad)?;
            now = if intervals { now + time } else { time };
            let data = event[2].as_str().unwrap_or_default();
            match event[1].as_str().ok_or_else(bad)? {
                "o" => cast.events.push((now, Happening::Output(data.to_owned()))),
                "r" => {
                    let (cols, rows) = data.split_once('x').ok_or_else(bad)?;
                    let number = |text: &str| text.parse::<u16>().ok().filter(|number| *number > 0);
                    let (rows, cols) =
                        (number(rows).ok_or_else(bad)?, number(cols).ok_or_else(bad)?);
                    let size = Size { rows, cols };
                    cast.events.push((now, Happening::Resize(size)));
                }
                // What was typed, marks, the exit code, and what may come.
                _ => {}
            }
        }
        Ok(cast)
    }

    /// Version 1: one object, with delays.
    fn first(whole: &Value) -> Result<Self, String> {
        let size = size(&whole["width"], &whole["height"])?;
        let mut now = 0.0;
        let mut events = Vec::new();
        for (index, event) in whole["stdout"].as_array().into_iter().flatten().enumerate() {
            let (Some(delay), Some(text)) = (event[0].as_f64(), event[1].as_str()) else {
                return Err(format!("stdout[{index}]: no event [delay, data]"));
            };
            now += delay;
            events.push((now, Happening::Output(text.to_owned())));
        }
        Ok(Self { size, events })
    }
}

fn size(cols: &Value, rows: &Value) -> Result<Size, String> {
    let side = |value: &Value| {
        let side = value.as_u64().and_then(|side| u16::try_from(side).ok());
        side.filter(|side| *side > 0)
    };
    match (side(rows), side(cols)) {
        (Some(rows), Some(cols)) => Ok(Size { rows, cols }),
        _ => Err("the header has no width and height".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(text: &str) -> Happening {
        Happening::Output(text.to_owned())
    }

    #[test]
    fn all_three_versions_tell_the_same() {
        let one = r#"{"version": 1, "width": 80, "height": 24, "duration": 2.0,
            "stdout": [[0.5, "a"], [1.0, "b"]]}"#;
        let two = "{\"version\": 2, \"width\": 80, \"height\": 24}\n[0.5, \"o\", \"a\"]\n[0.7, \"i\", \"x\"]\n[1.5, \"o\", \"b\"]\n";
        let three = "{\"version\": 3, \"term\": {\"cols\": 80, \"rows\": 24}}\n# talk\n[0.5, \"o\", \"a\"]\n[1.0, \"o\", \"b\"]\n[0.1, \"x\", \"0\"]\n";
        for text in [one, two, three] {
            assert!(is_cast(text.as_bytes()), "{text}");
            let cast = Cast::read(text).expect("a recording");
            assert_eq!(cast.size, Size { rows: 24, cols: 80 });
            assert_eq!(cast.events, [(0.5, output("a")), (1.5, output("b"))]);
        }
    }

    #[test]
    fn sizes_change_on_the_way() {
        let text = "{\"version\": 2, \"width\": 80, \"height\": 24}\n[1, \"r\", \"100x30\"]\n";
        let cast = Cast::read(text).expect("a recording");
        let size = Size {
            rows: 30,
            cols: 100,
        };
        assert_eq!(cast.events, [(1.0, Happening::Resize(size))]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let head = "{\"version\": 2, \"width\": 80, \"height\": 24}\n";
        for (text, want) in [
            ("{\"version\": 4}", "line 1"),
            ("{\"version\": 2}", "width"),
            (&format!("{head}[1, \"o\", \"a\"]\nnonsense\n"), "line 3"),
            (&format!("{head}[1, \"r\", \"0x0\"]\n"), "line 2"),
        ] {
            let error = Cast::read(text).expect_err("no recording");
            assert!(error.contains(want), "{error}");
        }
        assert!(!is_cast(b"{\"a\": 1}"));
        assert!(!is_cast(b"\x1b[1mhello"));
    }
}
