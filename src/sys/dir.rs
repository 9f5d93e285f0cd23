//! Directories that nobody else may have a hand in, and the locks in them.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Why a directory cannot be trusted.
#[derive(Debug)]
pub enum Distrust {
    /// It is a symbolic link.
    Symlink,
    /// It is not a directory.
    NotADirectory,
    /// It belongs to this user number, which is not ours.
    Owner(u32),
    /// Its mode lets others in.
    Mode(u32),
    /// It could not be made or looked at.
    Io(io::Error),
}

/// The number of the user that this process acts as.
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Makes sure that `path` is a directory of ours with mode 0700 and no symbolic link; makes it
/// where it is missing, and its parents as well.
pub fn private(path: &Path) -> Result<(), Distrust> {
    // Without a slash at the end, which would look through a symbolic link.
    let path = &path.components().collect::<std::path::PathBuf>();
    match make(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            std::fs::DirBuilder::new()
                .mode(0o700)
                .recursive(true)
                .create(path)
                .map_err(Distrust::Io)?;
        }
        Err(error) => return Err(Distrust::Io(error)),
    }
    let seen = std::fs::symlink_metadata(path).map_err(Distrust::Io)?;
    if seen.file_type().is_symlink() {
        return Err(Distrust::Symlink);
    }
    if !seen.is_dir() {
        return Err(Distrust::NotADirectory);
    }
    if seen.uid() != user() {
        return Err(Distrust::Owner(seen.uid()));
    }
    if seen.mode() & 0o077 != 0 {
        return Err(Distrust::Mode(seen.mode() & 0o7777));
    }
    Ok(())
}

/// Makes a directory with mode 0700; its parent must be there, and it must not.
pub fn make(path: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

/// A lock that is held until it is dropped or its process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock on the file at `path`, which is made where it is missing; none when another
    /// process holds it.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
            .open(path)?;
        Ok(lock::take(&file)?.then_some(Self { file }))
    }

    /// Whether the file at `path` is still the one that is locked.
    pub fn stands_at(&self, path: &Path) -> bool {
        let ours = self.file.metadata();
        let there = std::fs::symlink_metadata(path);
        ours.ok()
            .zip(there.ok())
            .is_some_and(|(ours, there)| ours.ino() == there.ino() && ours.dev() == there.dev())
    }

    /// Whether some process holds the lock on the file at `path`.
    pub fn is_held(path: &Path) -> bool {
        let Ok(file) = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NONBLOCK)
            .open(path)
        else {
            return false;
        };
        lock::is_held(&file)
    }
}

#[cfg(target_os = "linux")]
mod lock {
    //! Locks of an open file description: they can be asked about without being taken.

    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;

    fn whole_file() -> libc::flock {
        // SAFETY: plain data; all zeroes is the whole file from its beginning.
        let mut lock: libc::flock = unsafe { std::mem::zeroed() };
        lock.l_type = i16::try_from(libc::F_WRLCK).unwrap_or_default();
        lock
    }

    pub(super) fn take(file: &File) -> io::Result<bool> {
        let lock = whole_file();
        // SAFETY: the descriptor is open and the structure lives through the call.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &raw const lock) } == 0 {
            return Ok(true);
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::EAGAIN | libc::EACCES) => Ok(false),
            _ => Err(error),
        }
    }

    pub(super) fn is_held(file: &File) -> bool {
        let mut lock = whole_file();
        // SAFETY: the descriptor is open and the structure lives through the call.
        let asked = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_GETLK, &raw mut lock) };
        asked == 0 && i32::from(lock.l_type) != libc::F_UNLCK
    }
}

#[cfg(not(target_os = "linux"))]
mod lock {
    //! Elsewhere: flock, which has to be tried to be asked about.

    use std::fs::File;
    use std::io;

    use rustix::fs::FlockOperation;

    pub(super) fn take(file: &File) -> io::Result<bool> {
        match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn is_held(file: &File) -> bool {
        rustix::fs::flock(file, FlockOperation::NonBlockingLockShared)
            == Err(rustix::io::Errno::WOULDBLOCK)
    }
}

/// Random letters and digits for a name that nobody can guess: 128 bits.
pub fn random_name() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    let mut filled = 0;
    while filled < bytes.len() {
        filled +=
            rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())?;
    }
    Ok(bytes
        .iter()
        .fold(String::with_capacity(32), |mut name, byte| {
            for digit in [byte >> 4, byte & 15] {
                name.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
            }
            name
        }))
}
