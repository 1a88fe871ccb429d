//! What confines a process from the moment its program starts: no new rights, Landlock, and a
//! filter of system calls whose doubtful ones come to a thread of ours (`watch`).
//!
//! Everything that allocates is done before the fork. Between fork and exec there are a few system
//! calls only. The filter is in force before the program's first instruction, so constructors,
//! loaders and inline assembly find it there.

use super::files::Files;
use super::filter::{filter, Filtered};
use super::watch::Watch;
use seccompiler::sock_filter;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// A wall that is ready for one process.
pub struct Wall {
    watch: Watch,
    /// Our copy of what the process uses; closed once it runs.
    given: Option<Given>,
}

/// What the process needs between fork and exec.
struct Given {
    filter: Vec<sock_filter>,
    rules: Option<OwnedFd>,
    socket: UnixStream,
}

impl Wall {
    /// Builds the wall around a program that will run in a folder.
    pub fn new(program: &Path, folder: &Path) -> Result<Wall, String> {
        let files = Files::new(folder, program).map_err(|e| e.to_string())?;
        let rules = files.ruleset().map_err(|e| format!("Landlock: {e}"))?;
        let (ours, socket) = UnixStream::pair().map_err(|e| e.to_string())?;
        let filter = filter(Filtered {
            socket: socket.as_raw_fd(),
            threads: rules.is_some(),
        })?;
        let given = Given {
            filter,
            rules,
            socket,
        };
        Ok(Wall {
            watch: Watch::start(ours, files).map_err(|e| e.to_string())?,
            given: Some(given),
        })
    }

    /// Puts it around the process that a command starts.
    pub fn surround(&mut self, command: &mut Command) {
        let Some(given) = &self.given else { return };
        let socket = given.socket.as_raw_fd();
        let rules = given.rules.as_ref().map(|r| r.as_raw_fd());
        let filter = given.filter.clone();
        // SAFETY: between fork and exec `confine` makes system calls only and allocates nothing.
        unsafe {
            command.pre_exec(move || confine(&filter, rules, socket));
        }
    }

    /// The process runs, or never will: it is the only one to hold its end of the socket.
    pub fn started(&mut self) {
        self.given = None;
    }

    /// Once it has ended: what it was refused, in words.
    pub fn refused(self) -> Vec<String> {
        self.watch.finish()
    }
}

/// Confines this process. Runs between fork and exec.
fn confine(filter: &[sock_filter], rules: Option<RawFd>, socket: RawFd) -> io::Result<()> {
    let checked = |result: libc::c_long| match result {
        0.. => Ok(result),
        _ => Err(io::Error::last_os_error()),
    };
    let program = libc::sock_fprog {
        len: filter.len() as libc::c_ushort,
        filter: filter.as_ptr() as *mut libc::sock_filter,
    };
    // SAFETY: plain system calls; the kernel copies the filter, whose type has the kernel's layout.
    let listener = unsafe {
        checked(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into())?;
        // It goes with whoever started it.
        checked(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0).into())?;
        if let Some(rules) = rules {
            checked(libc::syscall(libc::SYS_landlock_restrict_self, rules, 0))?;
        }
        checked(libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &program,
        ))?
    };
    send(socket, listener as RawFd)
}

/// Hands a descriptor over a socket, without allocating.
fn send(socket: RawFd, descriptor: RawFd) -> io::Result<()> {
    let mut byte = 0u8;
    let mut piece = libc::iovec {
        iov_base: (&raw mut byte).cast(),
        iov_len: 1,
    };
    // Aligned as a header of control data has to be.
    let mut control = [0usize; 8];
    // SAFETY: `control` has room for a header and one descriptor, and outlives the call.
    let sent = unsafe {
        let size = size_of::<RawFd>() as libc::c_uint;
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &raw mut piece;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = libc::CMSG_SPACE(size) as _;
        let header = libc::CMSG_FIRSTHDR(&message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size) as _;
        libc::CMSG_DATA(header)
            .cast::<RawFd>()
            .write_unaligned(descriptor);
        libc::sendmsg(socket, &message, 0)
    };
    match sent {
        1 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
