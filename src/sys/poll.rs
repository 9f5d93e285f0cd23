//! Waiting for descriptors, with a deadline; EINTR is handled once, here.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

/// What is wanted of a descriptor. An error or a hang-up is always told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interest {
    /// Tell when it can be read.
    pub read: bool,
    /// Tell when it can be written.
    pub write: bool,
}

/// What a descriptor is ready for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// It can be read (data, end of file, or an error to fetch).
    pub read: bool,
    /// It can be written.
    pub write: bool,
    /// The other side is gone, or the descriptor is in error.
    pub gone: bool,
}

/// Waits until one of `fds` is ready or `deadline` has come; gives what each is ready for.
///
/// Without a deadline it waits for ever. A signal that was handled ends the wait with nothing ready.
pub fn wait(
    fds: &[(BorrowedFd<'_>, Interest)],
    deadline: Option<Instant>,
) -> io::Result<Vec<Ready>> {
    let mut polled: Vec<PollFd<'_>> = fds
        .iter()
        .map(|(fd, interest)| {
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::IN, interest.read);
            flags.set(PollFlags::OUT, interest.write);
            PollFd::from_borrowed_fd(*fd, flags)
        })
        .collect();
    let timeout = deadline.map(|deadline| {
        let left = deadline.saturating_duration_since(super::clock::now());
        Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        }
    });
    match rustix::event::poll(&mut polled, timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR | Errno::AGAIN) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(polled
        .iter()
        .map(|fd| {
            let got = fd.revents();
            Ready {
                read: got.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR),
                write: got.contains(PollFlags::OUT),
                gone: got.intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL),
            }
        })
        .collect())
}
