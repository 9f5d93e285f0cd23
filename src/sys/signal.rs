//! Signals to this process as bytes in a pipe, so that one poll sees them too.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::pipe::PipeFlags;

/// Where the handler writes; -1 before the first catch.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// The signals that this process catches. One at a time in a process; dropping it leaves the
/// handlers in place with nobody listening.
#[derive(Debug)]
pub struct Signals {
    read: OwnedFd,
    _write: OwnedFd,
}

extern "C" fn note(signal: libc::c_int) {
    let fd = PIPE.load(Ordering::Relaxed);
    let byte = [signal.to_le_bytes()[0]];
    // SAFETY: write is async-signal-safe and errno is put back; the pipe does not block, a full one
    // already says enough.
    unsafe {
        let errno = errno_place();
        let saved = *errno;
        libc::write(fd, byte.as_ptr().cast(), 1);
        *errno = saved;
    }
}

#[cfg(target_os = "linux")]
unsafe fn errno_place() -> *mut libc::c_int {
    // SAFETY: always valid for the calling thread.
    unsafe { libc::__errno_location() }
}

#[cfg(not(target_os = "linux"))]
unsafe fn errno_place() -> *mut libc::c_int {
    // SAFETY: always valid for the calling thread.
    unsafe { libc::__error() }
}

impl Signals {
    /// Catches `signals` from now on.
    pub fn catch(signals: &[i32]) -> io::Result<Self> {
        let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        PIPE.store(write.as_raw_fd(), Ordering::Relaxed);
        for signal in signals {
            // SAFETY: `note` is async-signal-safe, and the structure is plain data.
            let done = unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = note as *const () as libc::sighandler_t;
                action.sa_flags = libc::SA_RESTART;
                libc::sigemptyset(&raw mut action.sa_mask);
                libc::sigaction(*signal, &raw const action, std::ptr::null_mut())
            };
            if done != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(Self {
            read,
            _write: write,
        })
    }

    /// The signals that came since the last call, in order.
    pub fn take(&self) -> Vec<i32> {
        let mut taken = Vec::new();
        let mut buffer = [0; 64];
        while let Ok(count) = rustix::io::read(&self.read, &mut buffer) {
            if count == 0 {
                break;
            }
            taken.extend(buffer[..count].iter().map(|byte| i32::from(*byte)));
        }
        taken
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.read.as_fd()
    }
}

/// Has the ends of children told again: some callers leave SIGCHLD ignored, and then nobody can wait
/// for a child.
pub fn hear_of_children() {
    // SAFETY: puts one signal at its default.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// Whether a signal was ignored when this process began (a background shell ignores SIGINT).
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: asks only; the structure is plain data.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}
