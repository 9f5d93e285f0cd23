//! What came closest, for the report of a wait that failed.
//!
//! Only the end of the text is looked at, so that a report costs little however much was printed.

use super::{Kind, Pattern, compile};

/// How much of the end of the text is looked at.
const LOOKED_AT: usize = 256 * 1024;

/// Fragments shorter than this say nothing.
const SHORTEST: usize = 3;

/// What came closest to a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearMiss {
    /// What is different, as a clause: ``only `Pass` of it was printed``.
    pub what: String,
    /// The line where it stands.
    pub line: String,
}

impl Pattern {
    /// What in `text` came closest to this pattern, for a pattern that is not found in it.
    pub fn nearest_miss(&self, text: &str) -> Option<NearMiss> {
        let mut from = text.len().saturating_sub(LOOKED_AT);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let text = &text[from..];
        self.other_case(text)
            .or_else(|| self.other_blanks(text))
            .or_else(|| self.other_kind(text))
            .or_else(|| self.fragment(text))
    }

    fn other_case(&self, text: &str) -> Option<NearMiss> {
        let regex = compile(&format!("(?i){}", self.expression().ok()?), &self.source).ok()?;
        let hit = regex.find(text).filter(|hit| !hit.is_empty())?;
        Some(near(text, hit.range(), "it is there in other case"))
    }

    /// Blanks, tabs and line ends in other numbers.
    fn other_blanks(&self, text: &str) -> Option<NearMiss> {
        if self.kind != Kind::Text || !self.source.contains(char::is_whitespace) {
            return None;
        }
        let words: Vec<String> = self.source.split_whitespace().map(regex::escape).collect();
        if words.is_empty() {
            return None;
        }
        let hit = compile(&words.join(r"\s+"), &self.source)
            .ok()?
            .find(text)?;
        Some(near(
            text,
            hit.range(),
            "it is there with other blanks or line ends",
        ))
    }

    /// A regex that was meant literally, or a literal that was meant as a regex or glob.
    fn other_kind(&self, text: &str) -> Option<NearMiss> {
        let others: &[(Kind, &str)] = match self.kind {
            Kind::Text
                if self
                    .source
                    .contains(['*', '+', '?', '\\', '[', '^', '$', '|']) =>
            {
                &[
                    (
                        Kind::Regex,
                        "it would match as a regular expression (`re:`)",
                    ),
                    (Kind::Glob, "it would match as a glob (`glob:`)"),
                ]
            }
            Kind::Text => &[],
            Kind::Glob | Kind::Regex => &[(Kind::Text, "it is there literally (`text:`)")],
        };
        others.iter().find_map(|&(kind, what)| {
            let other = Self {
                kind,
                ..self.clone()
            };
            Some(near(text, other.compile().ok()?.find(text)?.range(), what))
        })
    }

    /// The longest beginning or end of a literal that was printed.
    fn fragment(&self, text: &str) -> Option<NearMiss> {
        if self.kind != Kind::Text || self.source.len() > 4096 {
            return None;
        }
        let cuts: Vec<usize> = self
            .source
            .char_indices()
            .map(|(at, _)| at)
            .skip(1)
            .collect();
        // What contains a longer beginning contains a shorter one: the cut can be bisected.
        let heads = cuts.partition_point(|&cut| text.contains(&self.source[..cut]));
        let tails = cuts.partition_point(|&cut| !text.contains(&self.source[cut..]));
        let head = heads.checked_sub(1).map_or("", |i| &self.source[..cuts[i]]);
        let tail = cuts.get(tails).map_or("", |&cut| &self.source[cut..]);
        let best = if head.len() >= tail.len() { head } else { tail };
        if best.chars().count() < SHORTEST {
            return None;
        }
        let at = text.rfind(best)?;
        Some(near(
            text,
            at..at + best.len(),
            &format!("only `{best}` of it is there"),
        ))
    }
}

fn near(text: &str, at: std::ops::Range<usize>, what: &str) -> NearMiss {
    let start = text[..at.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at.end..]
        .find('\n')
        .map_or(text.len(), |more| at.end + more);
    NearMiss {
        what: what.to_owned(),
        line: text[start..end].chars().take(400).collect(),
    }
}
