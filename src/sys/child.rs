//! A program on the slave side of a terminal: how it is born, how its end is seen, signals to it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use rustix::process::{Pid, WaitOptions};

use super::pty::Slave;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It left with this code.
    Exited(i32),
    /// It was ended by this signal.
    Killed(i32),
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program and its arguments.
    pub argv: Vec<OsString>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// The directory to run in, or none for this process's.
    pub cwd: Option<PathBuf>,
}

/// A child process and the descriptor that tells its end.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
    ended: Option<Ended>,
    watch: watch::Watch,
}

impl Program {
    /// Runs the program on `slave`: a session of its own with that terminal as its controlling one,
    /// its group in the foreground, every signal at its default and none blocked, no descriptor
    /// above 2. Returns when exec has succeeded; exec's own error is the error.
    pub fn spawn(&self, slave: Slave) -> io::Result<Child> {
        let (program, arguments) = self
            .argv
            .split_first()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::from(slave.fd.try_clone()?))
            .stdout(Stdio::from(slave.fd.try_clone()?))
            .stderr(Stdio::from(slave.fd));
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        let parent = std::process::id();
        // SAFETY: `become_session` makes async-signal-safe calls only and allocates nothing.
        unsafe {
            command.pre_exec(move || become_session(parent));
        }
        let process = command.spawn()?;
        let watch = watch::Watch::of(&process)?;
        Ok(Child {
            process,
            ended: None,
            watch,
        })
    }
}

/// Runs between fork and exec, so it may use async-signal-safe calls only.
fn become_session(parent: u32) -> io::Result<()> {
    reset_signals();
    rustix::process::setsid()?;
    // Makes the terminal on fd 0 the controlling one; the kernel then puts this process's group,
    // which setsid has just made, in its foreground.
    rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?;
    watch::die_with(parent)?;
    watch::close_on_exec_above_2();
    Ok(())
}

/// Puts every signal at its default and unblocks all: a background shell's ignored SIGINT, or a
/// pipeline's ignored SIGPIPE, must not reach the program.
fn reset_signals() {
    // SAFETY: sigaction and sigprocmask are async-signal-safe; the structures are plain data for
    // which all zeroes is valid (SIG_DFL, no flags, empty mask). Failure for a number that is not a
    // signal, or is the C library's own, is what is wanted.
    unsafe {
        let mut default: libc::sigaction = std::mem::zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        for signal in 1..=64 {
            libc::sigaction(signal, &raw const default, std::ptr::null_mut());
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
    watch::reset_reserved_signals();
}

impl Child {
    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Looks whether the process has ended, and reaps it then. Never waits.
    pub fn try_wait(&mut self) -> io::Result<Option<Ended>> {
        if self.ended.is_none()
            && let Some(status) = self.process.try_wait()?
        {
            self.ended = Some(ended(status));
        }
        Ok(self.ended)
    }

    /// How the process ended, if that has been seen.
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }
}

impl AsFd for Child {
    /// Readable when [`Child::try_wait`] has something to see.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.watch.as_fd()
    }
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, signal) => Ended::Killed(signal.unwrap_or(0)),
    }
}

/// Whether a program of that name is in one of the directories of `path`.
pub fn finds(path: &OsStr, program: &Path) -> bool {
    std::env::split_paths(path).any(|folder| folder.join(program).is_file())
}

/// Reaps every ended child of this process but `keep`, which its owner reaps: orphans come here
/// because the process asked for them ([`adopt_orphans`]).
pub fn reap_orphans(keep: Option<u32>) {
    loop {
        let options = rustix::process::WaitIdOptions::EXITED
            | rustix::process::WaitIdOptions::NOHANG
            | rustix::process::WaitIdOptions::NOWAIT;
        let Ok(Some(_)) = rustix::process::waitid(rustix::process::WaitId::All, options) else {
            return;
        };
        let Some(pid) = watch::first_ended_child(keep) else {
            return;
        };
        let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
            return;
        };
        if rustix::process::waitpid(Some(pid), WaitOptions::NOHANG).is_err() {
            return;
        }
    }
}

/// `PR_SET_CHILD_SUBREAPER`: orphaned descendants become children of this process instead of init's,
/// so that they can be found and reaped. Does nothing where the system has no such thing.
pub fn adopt_orphans() {
    watch::adopt_orphans();
}

#[cfg(target_os = "linux")]
mod watch {
    //! Linux: a pidfd tells a child's end, the kernel ends it with its parent, orphans are adopted.

    use super::{AsFd, BorrowedFd, OwnedFd, Pid, io};

    #[derive(Debug)]
    pub(super) struct Watch(OwnedFd);

    impl Watch {
        pub(super) fn of(process: &std::process::Child) -> io::Result<Self> {
            let pid = Pid::from_child(process);
            let flags = rustix::process::PidfdFlags::empty();
            Ok(Self(rustix::process::pidfd_open(pid, flags)?))
        }
    }

    impl AsFd for Watch {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.0.as_fd()
        }
    }

    pub(super) fn die_with(parent: u32) -> io::Result<()> {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        // The parent may have died before the request.
        if rustix::process::getppid()
            .is_none_or(|pid| pid.as_raw_nonzero().get().cast_unsigned() != parent)
        {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        Ok(())
    }

    pub(super) fn close_on_exec_above_2() {
        // SAFETY: plain system call on descriptors of this process, which are marked, not closed:
        // the one through which exec's error is told stays open until exec. An error (a kernel
        // before 5.11) leaves what std marks by itself.
        unsafe {
            libc::syscall(
                libc::SYS_close_range,
                3 as libc::c_uint,
                libc::c_uint::MAX,
                libc::CLOSE_RANGE_CLOEXEC,
            );
        }
    }

    /// The C library keeps signals 32 to 34 to itself and touches them for nobody, but a program that
    /// is not written in C may have left them ignored.
    pub(super) fn reset_reserved_signals() {
        // SAFETY: plain system call; all zeroes is the kernel's SIG_DFL without flags, and 64 bytes are
        // more than its structure has anywhere. 8 is the size of its signal set.
        unsafe {
            let default = [0_u64; 8];
            for signal in 32..=34 {
                libc::syscall(
                    libc::SYS_rt_sigaction,
                    signal,
                    default.as_ptr(),
                    std::ptr::null_mut::<u64>(),
                    8_usize,
                );
            }
        }
    }

    pub(super) fn adopt_orphans() {
        let this = rustix::process::getpid();
        // An error means an old kernel: orphans then go to init, as everywhere else.
        let _ = rustix::process::set_child_subreaper(Some(this));
    }

    /// The first zombie among this process's children, `keep` left out.
    pub(super) fn first_ended_child(keep: Option<u32>) -> Option<u32> {
        super::super::process::children(std::process::id())
            .into_iter()
            .filter(|pid| Some(*pid) != keep)
            .find(|pid| super::super::process::is_zombie(*pid))
    }
}

#[cfg(not(target_os = "linux"))]
mod watch {
    //! Elsewhere: SIGCHLD's self-pipe tells a child's end; there is no death signal and no adoption.

    use super::{AsFd, BorrowedFd, io};
    use crate::sys::signal::Signals;

    #[derive(Debug)]
    pub(super) struct Watch(Signals);

    impl Watch {
        pub(super) fn of(_: &std::process::Child) -> io::Result<Self> {
            Signals::catch(&[libc::SIGCHLD]).map(Self)
        }
    }

    impl AsFd for Watch {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.0.as_fd()
        }
    }

    pub(super) fn die_with(_parent: u32) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn close_on_exec_above_2() {
        for fd in 3..1024 {
            // SAFETY: marks descriptors of this process; those that are not open fail harmlessly.
            unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }

    pub(super) fn reset_reserved_signals() {}

    pub(super) fn adopt_orphans() {}

    pub(super) fn first_ended_child(_keep: Option<u32>) -> Option<u32> {
        None
    }
}
