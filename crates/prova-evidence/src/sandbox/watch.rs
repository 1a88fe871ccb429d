//! The thread that watches a confined process: every system call that the filter does not let
//! through by itself comes here, is answered, and is remembered if it was refused.
//!
//! What is decided by numbers (a signal to itself, the one `exec` that starts the program) is
//! decided for good. A path lies in the program's memory, and a second thread could change it
//! after it was looked at: threads are let through only where Landlock keeps them from files.

use super::calls::{calls, Abi, Call, Rule};
use super::files::Files;
use nix::poll::{poll, PollFd, PollFlags, PollTimeout};
use nix::sys::socket::{recvmsg, ControlMessageOwned, MsgFlags};
use std::ffi::OsStr;
use std::fs::File;
use std::io::IoSliceMut;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::thread::JoinHandle;

/// Different refusals that are remembered.
const REMEMBERED: usize = 20;
/// The longest path that the kernel takes.
const PATH: usize = 4096;

/// A thread that watches.
pub struct Watch {
    thread: JoinHandle<Vec<String>>,
    /// Closed to end it.
    end: std::io::PipeWriter,
}

impl Watch {
    /// Starts it. The process will send its listener over the socket.
    pub fn start(socket: UnixStream, files: Files) -> std::io::Result<Watch> {
        let (ended, end) = std::io::pipe()?;
        let thread = std::thread::spawn(move || {
            let mut watcher = Watcher {
                files,
                process: None,
                refused: Vec::new(),
            };
            if let Some(listener) = received(&socket, ended.as_fd()) {
                watcher.serve(&listener, ended.as_fd());
            }
            watcher.refused
        });
        Ok(Watch { thread, end })
    }

    /// Ends it; what was refused, in words.
    pub fn finish(self) -> Vec<String> {
        drop(self.end);
        self.thread.join().unwrap_or_default()
    }
}

/// Waits until one of two has something to say; false if only the second has.
fn waits(first: std::os::fd::BorrowedFd, second: std::os::fd::BorrowedFd) -> bool {
    loop {
        let mut both = [
            PollFd::new(first, PollFlags::POLLIN),
            PollFd::new(second, PollFlags::POLLIN),
        ];
        match poll(&mut both, PollTimeout::NONE) {
            Err(nix::errno::Errno::EINTR) => continue,
            Err(_) => return false,
            Ok(_) => {
                let ready = both[0].revents().unwrap_or(PollFlags::empty());
                return ready.contains(PollFlags::POLLIN);
            }
        }
    }
}

/// The listener, once the process has sent it.
fn received(socket: &UnixStream, ended: std::os::fd::BorrowedFd) -> Option<OwnedFd> {
    if !waits(socket.as_fd(), ended) {
        return None;
    }
    let mut byte = [0];
    let mut pieces = [IoSliceMut::new(&mut byte)];
    let mut space = nix::cmsg_space!(RawFd);
    let flags = MsgFlags::MSG_CMSG_CLOEXEC;
    let message = recvmsg::<()>(socket.as_raw_fd(), &mut pieces, Some(&mut space), flags).ok()?;
    let mut sent = message.cmsgs().ok()?.filter_map(|c| match c {
        ControlMessageOwned::ScmRights(descriptors) => descriptors.first().copied(),
        _ => None,
    });
    // SAFETY: the kernel made this descriptor for us just now.
    sent.next().map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })
}

/// What a call gets.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// It happens.
    Happens,
    /// It fails with this error; what the program wanted, if that is to be said.
    Fails(i32, Option<String>),
}

struct Watcher {
    files: Files,
    /// The process, once its program has started.
    process: Option<u32>,
    refused: Vec<String>,
}

impl Watcher {
    fn serve(&mut self, listener: &OwnedFd, ended: std::os::fd::BorrowedFd) {
        while waits(listener.as_fd(), ended) {
            // SAFETY: the kernel wants this structure zeroed and fills it.
            let mut asked: libc::seccomp_notif = unsafe { std::mem::zeroed() };
            let fd = listener.as_raw_fd();
            // SAFETY: the descriptor is a listener, the structure is the one of this request.
            if unsafe { libc::ioctl(fd, libc::SECCOMP_IOCTL_NOTIF_RECV, &mut asked) } != 0 {
                continue; // The process went away meanwhile.
            }
            let answer = self.decide(&asked);
            // SAFETY: plain integers.
            let mut response: libc::seccomp_notif_resp = unsafe { std::mem::zeroed() };
            response.id = asked.id;
            match answer {
                Answer::Happens => response.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
                Answer::Fails(error, said) => {
                    response.error = -error;
                    self.remember(said);
                }
            }
            // SAFETY: as above.
            unsafe { libc::ioctl(fd, libc::SECCOMP_IOCTL_NOTIF_SEND, &mut response) };
        }
    }

    fn remember(&mut self, said: Option<String>) {
        let Some(said) = said else { return };
        if self.refused.len() < REMEMBERED && !self.refused.contains(&said) {
            self.refused.push(said);
        }
    }

    fn decide(&mut self, asked: &libc::seccomp_notif) -> Answer {
        let data = &asked.data;
        let known =
            Abi::of_audit(data.arch).and_then(|abi| calls().get(&(abi, i64::from(data.nr))));
        let Some(call) = known else {
            let said = format!("make system call {}", data.nr);
            return Answer::Fails(libc::EPERM, Some(said));
        };
        let refused = || Answer::Fails(libc::EPERM, Some(call.wants.to_owned()));
        match call.rule {
            Rule::Allowed => Answer::Happens,
            Rule::Execute if self.process.is_none() && call.name == "execve" => {
                self.process = Some(asked.pid);
                Answer::Happens
            }
            // The first argument of the last kind of signal is a descriptor.
            Rule::Signal if call.name != "pidfd_send_signal" => {
                match Some(data.args[0] as u32) == self.process {
                    true => Answer::Happens,
                    false => refused(),
                }
            }
            // The C library then takes `clone`, whose flags can be seen.
            Rule::Process if call.name == "clone3" => Answer::Fails(libc::ENOSYS, None),
            Rule::Open => self.opens(asked, call),
            Rule::Change => self.changes(asked, call),
            Rule::Limits => Answer::Fails(libc::EPERM, None),
            _ => refused(),
        }
    }

    fn opens(&self, asked: &libc::seccomp_notif, call: &Call) -> Answer {
        let arguments = &asked.data.args;
        let (folder, at, flags) = match call.name {
            "open" => (None, arguments[0], arguments[1]),
            "creat" => (None, arguments[0], libc::O_WRONLY as u64),
            "openat" => (Some(arguments[0]), arguments[1], arguments[2]),
            // Its flags lie in memory: the C library does without.
            _ => return Answer::Fails(libc::ENOSYS, None),
        };
        let Some(path) = path(asked.pid, folder, at) else {
            return Answer::Fails(libc::EFAULT, None);
        };
        let writing = libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC;
        let write = flags as i32 & writing != 0;
        if self.files.may_open(asked.pid, &path, write) {
            return Answer::Happens;
        }
        let how = if write { " for writing" } else { "" };
        let said = format!("open `{}`{how}", path.display());
        Answer::Fails(libc::EACCES, Some(said))
    }

    fn changes(&self, asked: &libc::seccomp_notif, call: &Call) -> Answer {
        let a = &asked.data.args;
        let paths = match call.name {
            "rename" => vec![(None, a[0]), (None, a[1])],
            "renameat" | "renameat2" => vec![(Some(a[0]), a[1]), (Some(a[2]), a[3])],
            "unlinkat" | "mkdirat" => vec![(Some(a[0]), a[1])],
            _ => vec![(None, a[0])],
        };
        for (folder, at) in paths {
            let Some(path) = path(asked.pid, folder, at) else {
                return Answer::Fails(libc::EFAULT, None);
            };
            if !self.files.is_own(&path) {
                let said = format!("{}: `{}`", call.wants, path.display());
                return Answer::Fails(libc::EPERM, Some(said));
            }
        }
        Answer::Happens
    }
}

/// The path that a process names; relative ones are relative to its folder, which it cannot leave.
fn path(process: u32, folder: Option<u64>, at: u64) -> Option<PathBuf> {
    let path = PathBuf::from(OsStr::from_bytes(&string(process, at)?));
    match folder {
        Some(folder) if path.is_relative() && folder as i32 != libc::AT_FDCWD => {
            let link = format!("/proc/{process}/fd/{}", folder as i32);
            Some(std::fs::read_link(link).ok()?.join(path))
        }
        _ => Some(path),
    }
}

/// The text at an address of a process.
fn string(process: u32, at: u64) -> Option<Vec<u8>> {
    let memory = File::open(format!("/proc/{process}/mem")).ok()?;
    let mut text = Vec::new();
    while text.len() < PATH {
        // Page by page: the next one may not be there.
        let from = at.checked_add(text.len() as u64)?;
        let mut piece = vec![0; PATH - (from % PATH as u64) as usize];
        let read = memory.read_at(&mut piece, from).ok()?;
        if read == 0 {
            return None;
        }
        piece.truncate(read);
        if let Some(end) = piece.iter().position(|&b| b == 0) {
            text.extend(&piece[..end]);
            return Some(text);
        }
        text.extend(piece);
    }
    None
}
