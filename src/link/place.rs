//! The runtime directory and the directories of sessions in it.

use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::fault::{Fault, Kind};
use crate::sys::clock;
use crate::sys::dir::{self, Distrust, Lock};
use crate::verb::{Facts, Name};
use crate::wire;

/// How old the facts of a lost session are when any start removes it.
const LOST_FOR_GOOD: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a start may take until it has written its facts, in milliseconds.
const BIRTH_MS: u64 = 5000;

/// A runtime directory that has been looked at: ours, mode 0700, no symbolic link.
#[derive(Clone, Debug)]
pub struct Place {
    root: PathBuf,
}

/// What stands behind a name.
#[derive(Debug)]
pub enum Standing {
    /// A host holds its lock.
    Hosted(Box<Facts>),
    /// Its host is gone.
    Lost(Box<Facts>),
}

impl Place {
    /// The runtime directory at `root`, made where it is missing.
    ///
    /// # Errors
    /// When it is not ours alone.
    pub fn open(root: &Path) -> Result<Self, Fault> {
        dir::private(root).map_err(|why| distrusted(root, &why))?;
        // Hosts live in the root directory, so the path must not depend on where we are.
        let root = std::path::absolute(root)
            .map_err(|error| Fault::internal(format!("{}: {error}", root.display())))?;
        Ok(Self { root })
    }

    /// The runtime directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of a session.
    pub fn session(&self, name: &Name) -> PathBuf {
        self.root.join(name.as_str())
    }

    /// The lock that a session's host holds for life.
    pub fn lock(&self, name: &Name) -> PathBuf {
        self.session(name).join("lock")
    }

    /// The doorbell of a session's host.
    pub fn bell(&self, name: &Name) -> PathBuf {
        self.session(name).join("bell")
    }

    /// Whether the name is claimed by a host that cannot be asked yet.
    pub fn is_being_born(&self, name: &Name) -> bool {
        Lock::is_held(&self.lock(name)) && !self.bell(name).exists()
    }

    /// The names that there are, hosted or lost.
    pub fn names(&self) -> Result<Vec<Name>, Fault> {
        let entries = std::fs::read_dir(&self.root)
            .map_err(|error| Fault::internal(format!("{}: {error}", self.root.display())))?;
        let mut names: Vec<Name> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        names.sort();
        Ok(names)
    }

    /// What stands behind a name, or none.
    pub fn look(&self, name: &Name) -> Option<Standing> {
        if !self.session(name).is_dir() {
            return None;
        }
        let mut facts = self.facts(name);
        let held = Lock::is_held(&self.lock(name));
        if facts.name.is_empty() {
            // Its host has not written any, or what made the directory has not become one yet.
            facts.name = name.to_string();
            facts.started_at_ms = made_at(&self.session(name));
            let age = clock::wall_ms().saturating_sub(facts.started_at_ms);
            if held || age < BIRTH_MS {
                "starting".clone_into(&mut facts.status);
                "running".clone_into(&mut facts.state);
                return Some(Standing::Hosted(Box::new(facts)));
            }
        }
        if held {
            return Some(Standing::Hosted(Box::new(facts)));
        }
        "lost".clone_into(&mut facts.status);
        "stopped".clone_into(&mut facts.state);
        Some(Standing::Lost(Box::new(facts)))
    }

    /// Every session, in the order in which they were started.
    pub fn all(&self) -> Result<Vec<(Name, Standing)>, Fault> {
        let mut all: Vec<_> = self
            .names()?
            .into_iter()
            .filter_map(|name| self.look(&name).map(|standing| (name, standing)))
            .collect();
        all.sort_by_key(|(_, standing)| standing.facts().started_at_ms);
        Ok(all)
    }

    fn facts(&self, name: &Name) -> Facts {
        std::fs::read(self.session(name).join("facts.json"))
            .ok()
            .and_then(|text| wire::read(&text).ok())
            .unwrap_or_default()
    }

    /// Writes a session's facts, whole or not at all.
    pub fn write_facts(&self, name: &Name, facts: &Facts) -> io::Result<()> {
        let fresh = self.session(name).join("facts.new");
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(true)
            .mode(0o600)
            .open(&fresh)?;
        file.write_all(&wire::write(facts).map_err(io::Error::other)?)?;
        std::fs::rename(fresh, self.session(name).join("facts.json"))
    }

    /// Removes a session's directory. Its name is free from the first step on.
    pub fn remove(&self, name: &Name) -> io::Result<()> {
        let trash = self.root.join(format!(".gone-{}", dir::random_name()?));
        match std::fs::rename(self.session(name), &trash) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(()) => empty(&trash),
        }
    }

    /// Removes a session that has no host; false when one holds its lock after all.
    pub fn remove_lost(&self, name: &Name) -> Result<bool, Fault> {
        let failed = |error: io::Error| {
            Fault::internal(format!(
                "{} cannot be removed: {error}",
                self.session(name).display()
            ))
        };
        match Lock::take(&self.lock(name)) {
            Ok(Some(_lock)) => {}
            Ok(None) => return Ok(false),
            // Not even a lock can be made there: whatever it is, no host is in it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        self.remove(name).map_err(failed)?;
        Ok(true)
    }

    /// Removes sessions that have been lost for a day, and what an interrupted removal left.
    pub fn sweep(&self) {
        let Ok(entries) = std::fs::read_dir(&self.root) else {
            return;
        };
        for entry in entries.flatten() {
            let file = entry.file_name();
            let Some(word) = file.to_str() else { continue };
            if word.starts_with(".gone-") {
                // Errors are the next sweep's.
                let _ = std::fs::remove_dir_all(entry.path());
            } else if let Ok(name) = word.parse::<Name>()
                && is_old(&self.session(&name))
                && !Lock::is_held(&self.lock(&name))
            {
                let _ = self.remove_lost(&name);
            }
        }
    }
}

impl Standing {
    /// What is known of the session.
    pub fn facts(&self) -> &Facts {
        match self {
            Self::Hosted(facts) | Self::Lost(facts) => facts,
        }
    }

    /// Whether its program runs, as far as its facts tell.
    pub fn is_live(&self) -> bool {
        matches!(self, Self::Hosted(facts) if facts.state != "stopped")
    }
}

/// Removes a directory that has lost its name. A client that had just found it may still make its
/// pipes in it, and another process's sweep may be at it too.
fn empty(trash: &Path) -> io::Result<()> {
    for _ in 0..10 {
        match std::fs::remove_dir_all(trash) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            done => return done,
        }
    }
    // The next sweep's.
    Ok(())
}

fn made_at(session: &Path) -> u64 {
    let made = session.symlink_metadata().and_then(|seen| seen.modified());
    made.ok()
        .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok())
        .and_then(|since| u64::try_from(since.as_millis()).ok())
        .unwrap_or_default()
}

fn is_old(session: &Path) -> bool {
    let written = |path: &Path| {
        path.symlink_metadata()
            .and_then(|seen| seen.modified())
            .ok()
    };
    written(&session.join("facts.json"))
        .or_else(|| written(session))
        .and_then(|at| SystemTime::now().duration_since(at).ok())
        .is_some_and(|age| age > LOST_FOR_GOOD)
}

fn distrusted(root: &Path, why: &Distrust) -> Fault {
    let path = root.display();
    let what = match why {
        Distrust::Symlink => format!("{path} is a symbolic link"),
        Distrust::NotADirectory => format!("{path} is not a directory"),
        Distrust::Owner(owner) => format!("{path} belongs to user {owner}, not to you"),
        Distrust::Mode(mode) => format!("{path} lets others in (mode {mode:04o})"),
        Distrust::Io(error) => format!("{path} cannot be used: {error}"),
    };
    let hint = match why {
        Distrust::Mode(_) => format!("chmod 700 {path}, if nobody else has been in it"),
        _ => "set COAX_DIR to a directory of yours with mode 0700".to_owned(),
    };
    Fault::new(
        Kind::Internal,
        format!("sessions cannot be kept there: {what}"),
    )
    .hint(hint)
}
