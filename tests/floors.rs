//! The shape of the code: imports go down the floors, crates stay behind their walls, no file passes
//! 600 lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Every module with its floor; a module imports only lower ones, and itself.
const FLOORS: &[(&str, u8)] = &[
    ("fault", 0),
    ("term", 1),
    ("pattern", 1),
    ("sys", 2),
    ("view", 2),
    ("keys", 2),
    ("transcript", 2),
    ("wait", 2),
    ("session", 3),
    ("verb", 4),
    ("wire", 5),
    ("link", 6),
    ("host", 7),
    ("client", 7),
    ("script", 7),
    ("cli", 8),
];

/// What only some place may name.
const WALLS: &[(&str, &[&str])] = &[
    ("vte::", &["src/term/decode.rs"]),
    ("rustix::", &["src/sys/"]),
    ("libc::", &["src/sys/"]),
    ("unsafe ", &["src/sys/"]),
    ("cfg(target_os", &["src/sys/"]),
    ("clap::", &["src/cli/"]),
    ("anyhow", &["src/cli/"]),
    ("println!", &[]),
    ("std::env::", &["src/cli/", "src/sys/", "src/main.rs"]),
    ("Instant::now", &["src/sys/clock.rs"]),
    ("SystemTime::now", &["src/sys/clock.rs", "src/link/"]),
    ("thread::sleep", &[]),
];

fn sources() -> BTreeMap<PathBuf, String> {
    fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                found.insert(path, text);
            }
        }
    }
    let mut found = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    walk(&root.join("src"), &mut found);
    found
        .into_iter()
        .map(|(path, text)| (path.strip_prefix(root).expect("inside").to_owned(), text))
        .collect()
}

/// The code of a file: without comments and without the unit tests at its foot.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end]
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn is_test(path: &Path) -> bool {
    let stem = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    stem.ends_with("tests") || stem == "fixture"
}

fn floor(module: &str) -> Option<u8> {
    FLOORS
        .iter()
        .find(|(name, _)| *name == module)
        .map(|(_, floor)| *floor)
}

#[test]
fn modules_import_lower_floors_only() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let mut parts = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned());
        let module = parts.nth(1).expect("a file in src");
        let module = module.trim_end_matches(".rs");
        if matches!(module, "lib" | "main") || is_test(&path) {
            continue;
        }
        let here = floor(module).unwrap_or_else(|| panic!("{module} has no floor"));
        for (at, _) in code(&text).match_indices("crate::") {
            let code = code(&text);
            let used: String = code[at + 7..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            let Some(there) = floor(&used) else { continue };
            if used != module && there >= here {
                wrong.push(format!("{}: {module} uses {used}", path.display()));
            }
        }
    }
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "imports that do not go down:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn crates_stay_behind_their_walls() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if is_test(&path) {
            continue;
        }
        let code = code(&text);
        for (what, places) in WALLS {
            let inside = places
                .iter()
                .any(|place| path.starts_with(place) || path == Path::new(place));
            if code.contains(what) && !inside {
                wrong.push(format!("{}: {what}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "behind the wall:\n{}", wrong.join("\n"));
}

#[test]
fn no_file_passes_600_lines() {
    let long: Vec<_> = sources()
        .into_iter()
        .map(|(path, text)| (text.lines().count(), path))
        .filter(|(lines, _)| *lines > 600)
        .collect();
    assert!(long.is_empty(), "too long: {long:?}");
}
