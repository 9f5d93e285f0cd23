//! The echo of a line with tabs by the tty: a tab goes to the next multiple of eight columns.

use unicode_segmentation::UnicodeSegmentation;

use super::layout::Walk;
use super::text::MatchText;

const STOP: u32 = 8;

/// How much of a line may stand before its echo.
const BEFORE: u64 = 4096;

/// The echo of a line with tabs, in text positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tabbed {
    /// From there to before there.
    Whole(u64, u64),
    /// It begins there and is under way.
    Begun(u64),
}

/// Looks from `from` on for the first echo of `line`, which ends with a newline.
pub(super) fn find(line: &str, from: u64, text: &MatchText) -> Option<Tabbed> {
    let mut versions = text.versions_from(from).peekable();
    while let Some(version) = versions.next() {
        let end = versions.peek().map_or(text.end(), |next| next.pos);
        if from.saturating_sub(version.pos) > BEFORE {
            continue;
        }
        let shown = text.slice(version.pos, end);
        let skip = usize::try_from(from.saturating_sub(version.pos)).unwrap_or(0);
        let mut walk = Walk {
            spot: version.col,
            width: text.width(),
        };
        for (index, cluster) in shown.grapheme_indices(true) {
            if index >= skip
                && let Some((len, whole)) = match_at(line, &shown[index..], walk, version.col)
            {
                let start = version.pos + index as u64;
                return Some(if whole {
                    Tabbed::Whole(start, start + len as u64)
                } else {
                    Tabbed::Begun(start)
                });
            }
            walk.step(cluster);
        }
    }
    None
}

/// The length of the echo that begins with what is shown here, where the walk is, in a version that
/// begins at that column, and whether it is whole.
fn match_at(line: &str, shown: &str, mut walk: Walk, begin: u32) -> Option<(usize, bool)> {
    let mut typed = line;
    if walk.spot == begin && begin > 0 && begin.is_multiple_of(STOP) {
        // Nothing is printed for tabs at the beginning of a line: its text begins behind them.
        let most = usize::try_from(begin / STOP).unwrap_or(0);
        let tabs = line.len() - line.trim_start_matches('\t').len();
        typed = &line[tabs.min(most)..];
    }
    let mut rest = shown;
    let part = Some((shown.len(), false));
    for cluster in typed.graphemes(true) {
        if cluster == "\t" {
            let column = walk.spot.checked_rem(walk.width).unwrap_or(walk.spot);
            let blanks = STOP - column % STOP;
            if walk.width > 0 && column + blanks >= walk.width {
                // The tab ends with the row.
                return None;
            }
            for _ in 0..blanks {
                match rest.strip_prefix(' ') {
                    Some(after) => rest = after,
                    None if rest.is_empty() => return part,
                    // Nothing is printed for tabs at the end of a line.
                    None if rest.starts_with('\n') => break,
                    None => return None,
                }
                walk.spot += 1;
            }
        } else if let Some(after) = rest.strip_prefix(cluster) {
            walk.step(cluster);
            rest = after;
        } else if cluster.starts_with(rest) {
            return part;
        } else {
            return None;
        }
    }
    Some((shown.len() - rest.len(), true))
}
