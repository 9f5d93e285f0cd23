//! System calls of Linux, as `/proc/PID/task/TID/syscall` shows them: numbers, arguments, names.

use libc::c_long;

/// The bits of a futex operation that say which: 0 waits for a span of time.
const FUTEX_OP: u64 = 0x7f;

/// The bit of a futex operation that makes its point in time one of the clock on the wall.
const FUTEX_REALTIME: u64 = 0x100;

/// The bit of a sleep that makes its time a point in time.
const TIMER_ABSTIME: u64 = 1;

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It runs, or would if there were a processor.
    Runs,
    /// It is blocked outside of any system call: for a page, for a tracer.
    Outside,
    /// It is blocked in a call.
    In(Call),
}

/// A system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) number: c_long,
    pub(super) args: [u64; 6],
    /// The stack pointer: below 4 GiB, the process is a 32-bit one.
    pub(super) stack: u64,
}

/// What a call waits for, as far as its arguments tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A read of this descriptor.
    Read(i32),
    /// A write to this descriptor.
    Write(i32),
    /// An array of so many `pollfd`.
    Poll {
        /// Where the array is.
        at: u64,
        /// How many it has.
        count: u64,
        /// When it gives up.
        limit: Limit,
    },
    /// A set of descriptors below `count`.
    Select {
        /// Where the set of those to be read is; 0 without one.
        at: u64,
        /// One more than the highest descriptor.
        count: u64,
        /// When it gives up.
        limit: Limit,
    },
    /// What this epoll watches.
    Epoll {
        /// The epoll's descriptor.
        fd: i32,
        /// When it gives up.
        limit: Limit,
    },
    /// An `io_uring`.
    Uring,
    /// Another process or thread: its end, its signal, its lock.
    Peer,
    /// The time, or a lock until then.
    Pause(Limit),
    /// Something else.
    Other,
}

/// When a call gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// After so many milliseconds; below zero: never.
    Ms(i32),
    /// As a `timespec` there says; at 0: never.
    Spec(u64),
    /// As a `timeval` there says; at 0: never.
    Val(u64),
    /// At the point in time that a `timespec` there says.
    Until {
        /// Where it is.
        at: u64,
        /// Whether it is one of the clock on the wall.
        realtime: bool,
    },
}

/// Reads the line of a `syscall` file.
pub(super) fn parse(line: &[u8]) -> Option<Doing> {
    let mut words = str::from_utf8(line).ok()?.split_ascii_whitespace();
    let number = match words.next()? {
        "running" => return Some(Doing::Runs),
        "-1" => return Some(Doing::Outside),
        number => number.parse().ok()?,
    };
    let mut hex = || u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok();
    let mut args = [0; 6];
    for arg in &mut args {
        *arg = hex()?;
    }
    Some(Doing::In(Call {
        number,
        args,
        stack: hex()?,
    }))
}

impl Call {
    /// Whether it is a call of a 32-bit process, whose numbers mean something else.
    pub(super) fn is_foreign(&self) -> bool {
        u32::try_from(self.stack).is_ok()
    }

    /// What it waits for.
    pub(super) fn form(&self) -> Form {
        let args = self.args;
        // Descriptors and milliseconds are ints: the upper half of the register may hold anything.
        #[allow(clippy::cast_possible_truncation, reason = "as the kernel does it")]
        let int = |arg: u64| (arg as u32).cast_signed();
        match self.number {
            libc::SYS_read | libc::SYS_readv => Form::Read(int(args[0])),
            libc::SYS_write | libc::SYS_writev => Form::Write(int(args[0])),
            // What a stop by a signal interrupted goes on as this; of the calls that do, only poll
            // has its arguments here.
            libc::SYS_restart_syscall => Form::Poll {
                at: args[0],
                count: args[1],
                limit: Limit::Ms(int(args[2])),
            },
            libc::SYS_ppoll => Form::Poll {
                at: args[0],
                count: args[1],
                limit: Limit::Spec(args[2]),
            },
            libc::SYS_pselect6 => Form::Select {
                at: args[1],
                count: args[0],
                limit: Limit::Spec(args[4]),
            },
            libc::SYS_epoll_pwait => Form::Epoll {
                fd: int(args[0]),
                limit: Limit::Ms(int(args[3])),
            },
            libc::SYS_epoll_pwait2 => Form::Epoll {
                fd: int(args[0]),
                limit: Limit::Spec(args[3]),
            },
            libc::SYS_io_uring_enter => Form::Uring,
            libc::SYS_wait4 | libc::SYS_waitid | libc::SYS_rt_sigsuspend => Form::Peer,
            libc::SYS_futex if args[3] == 0 => Form::Peer,
            libc::SYS_futex if args[1] & FUTEX_OP == 0 => Form::Pause(Limit::Spec(args[3])),
            libc::SYS_futex => Form::Pause(Limit::Until {
                at: args[3],
                realtime: args[1] & FUTEX_REALTIME != 0,
            }),
            libc::SYS_nanosleep => Form::Pause(Limit::Spec(args[0])),
            libc::SYS_clock_nanosleep if args[1] & TIMER_ABSTIME == 0 => {
                Form::Pause(Limit::Spec(args[2]))
            }
            libc::SYS_clock_nanosleep => Form::Pause(Limit::Until {
                at: args[2],
                realtime: args[0] == 0,
            }),
            libc::SYS_rt_sigtimedwait if args[2] == 0 => Form::Peer,
            number => older(number, self.args, int),
        }
    }

    /// The call's name, or its number.
    pub(super) fn name(&self) -> String {
        let known = NAMES.iter().find(|(number, _)| *number == self.number);
        known.map_or_else(
            || format!("system call {}", self.number),
            |(_, name)| (*name).to_owned(),
        )
    }
}

/// Calls that newer architectures have no more.
#[cfg(target_arch = "x86_64")]
fn older(number: c_long, args: [u64; 6], int: impl Fn(u64) -> i32) -> Form {
    match number {
        libc::SYS_poll => Form::Poll {
            at: args[0],
            count: args[1],
            limit: Limit::Ms(int(args[2])),
        },
        libc::SYS_select => Form::Select {
            at: args[1],
            count: args[0],
            limit: Limit::Val(args[4]),
        },
        libc::SYS_epoll_wait => Form::Epoll {
            fd: int(args[0]),
            limit: Limit::Ms(int(args[3])),
        },
        libc::SYS_pause => Form::Peer,
        _ => Form::Other,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn older(_: c_long, _: [u64; 6], _: impl Fn(u64) -> i32) -> Form {
    Form::Other
}

/// The calls in which programs are found blocked.
const NAMES: &[(c_long, &str)] = &[
    (libc::SYS_read, "read"),
    (libc::SYS_readv, "readv"),
    (libc::SYS_write, "write"),
    (libc::SYS_writev, "writev"),
    (libc::SYS_ppoll, "ppoll"),
    (libc::SYS_pselect6, "pselect6"),
    (libc::SYS_epoll_pwait, "epoll_pwait"),
    (libc::SYS_epoll_pwait2, "epoll_pwait2"),
    (libc::SYS_io_uring_enter, "io_uring_enter"),
    (libc::SYS_restart_syscall, "restart_syscall"),
    (libc::SYS_wait4, "wait4"),
    (libc::SYS_waitid, "waitid"),
    (libc::SYS_futex, "futex"),
    (libc::SYS_nanosleep, "nanosleep"),
    (libc::SYS_clock_nanosleep, "clock_nanosleep"),
    (libc::SYS_rt_sigsuspend, "rt_sigsuspend"),
    (libc::SYS_rt_sigtimedwait, "rt_sigtimedwait"),
    (libc::SYS_recvfrom, "recvfrom"),
    (libc::SYS_recvmsg, "recvmsg"),
    (libc::SYS_sendto, "sendto"),
    (libc::SYS_sendmsg, "sendmsg"),
    (libc::SYS_connect, "connect"),
    (libc::SYS_accept, "accept"),
    (libc::SYS_accept4, "accept4"),
    (libc::SYS_openat, "openat"),
    (libc::SYS_flock, "flock"),
    (libc::SYS_fcntl, "fcntl"),
    (libc::SYS_fsync, "fsync"),
    (libc::SYS_fdatasync, "fdatasync"),
    (libc::SYS_ioctl, "ioctl"),
    (libc::SYS_splice, "splice"),
    (libc::SYS_sendfile, "sendfile"),
    (libc::SYS_copy_file_range, "copy_file_range"),
    (libc::SYS_msgrcv, "msgrcv"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_poll, "poll"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_select, "select"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_epoll_wait, "epoll_wait"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_pause, "pause"),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_vfork, "vfork"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_syscall_file_is_read() {
        assert_eq!(parse(b"running\n"), Some(Doing::Runs));
        assert_eq!(parse(b"-1 0x7ffc0 0x7f00\n"), Some(Doing::Outside));
        assert_eq!(parse(b"0 0x1"), None);
        let line = format!(
            "{} 0x3 0x7f 0x1 0x0 0x0 0x0 0x7ffd12345678 0x7f11\n",
            libc::SYS_read
        );
        let Some(Doing::In(call)) = parse(line.as_bytes()) else {
            panic!("it is in a call");
        };
        assert_eq!((call.form(), call.name().as_str()), (Form::Read(3), "read"));
        assert!(!call.is_foreign());
    }

    #[test]
    fn a_timeout_below_zero_is_an_int_in_a_register() {
        let call = Call {
            number: libc::SYS_epoll_pwait,
            args: [4, 0x7f00, 8, 0xffff_ffff, 0, 0],
            stack: 0x7ffd_1234_5678,
        };
        let limit = Limit::Ms(-1);
        assert_eq!(call.form(), Form::Epoll { fd: 4, limit });
    }
}
