//! Becoming a background process: a detached copy of this binary, and what it lets go of.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags};

/// Runs this binary again with `argument` as a background process: in a process session of its own,
/// a child of init's, with an empty environment. Writes `input` to its standard input and gives what
/// it says on its standard output until it closes it.
///
/// # Errors
/// When the binary cannot be run again, or ends without a word.
pub fn launch(argument: &OsStr, input: &[u8]) -> io::Result<Vec<u8>> {
    let binary = std::env::current_exe()?;
    let mut command = Command::new(binary);
    command
        .arg0("coax")
        .arg(argument)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    // SAFETY: `detach` makes async-signal-safe calls only: setsid, fork, _exit.
    unsafe {
        command.pre_exec(detach);
    }
    let mut process = command.spawn()?;
    let mut stdin = process.stdin.take();
    let mut stdout = process.stdout.take();
    // The process that was spawned has already given way to its own child.
    process.wait()?;
    if let Some(mut stdin) = stdin.take() {
        stdin.write_all(input)?;
    }
    let mut said = Vec::new();
    if let Some(stdout) = &mut stdout {
        stdout.read_to_end(&mut said)?;
    }
    Ok(said)
}

/// Leaves the caller's process session and leaves the caller without a child to reap.
fn detach() -> io::Result<()> {
    rustix::process::setsid()?;
    // SAFETY: between fork and exec this process has one thread, and only exec or _exit follow.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(()),
        // SAFETY: ends this process at once, without handlers.
        _ => unsafe { libc::_exit(0) },
    }
}

/// Closes every descriptor above 2 that was inherited, and leaves the signals of the caller behind:
/// none is blocked, SIGPIPE and SIGHUP are ignored.
pub fn let_go() {
    // SAFETY: called first thing in a new process, before anything here owns a descriptor.
    unsafe {
        #[cfg(target_os = "linux")]
        libc::syscall(
            libc::SYS_close_range,
            3 as libc::c_uint,
            libc::c_uint::MAX,
            0,
        );
        #[cfg(not(target_os = "linux"))]
        for fd in 3..1024 {
            libc::close(fd);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        for signal in 1..=64 {
            let ignored = matches!(
                signal,
                libc::SIGPIPE
                    | libc::SIGHUP
                    | libc::SIGINT
                    | libc::SIGQUIT
                    | libc::SIGTTOU
                    | libc::SIGTTIN
                    | libc::SIGTSTP
            );
            libc::signal(
                signal,
                if ignored {
                    libc::SIG_IGN
                } else {
                    libc::SIG_DFL
                },
            );
        }
    }
}

/// Reads the whole of standard input.
pub fn read_input() -> io::Result<Vec<u8>> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    Ok(input)
}

/// Says `words` on standard output, the last thing that is said there, and puts /dev/null on the
/// three standard descriptors.
pub fn answer_and_hush(words: &[u8]) -> io::Result<()> {
    let mut out = File::from(rustix::stdio::stdout().try_clone_to_owned()?);
    let said = out.write_all(words);
    drop(out);
    hush()?;
    said
}

/// Puts /dev/null on the three standard descriptors.
pub fn hush() -> io::Result<()> {
    let null: OwnedFd =
        rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// Goes to the root directory, so that no file system is kept busy; gives where the process was.
pub fn leave_directory() -> Option<PathBuf> {
    let was = std::env::current_dir().ok();
    let _ = std::env::set_current_dir("/");
    was
}
