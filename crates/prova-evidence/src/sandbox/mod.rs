//! Child processes. The compiler runs with limits on time, memory and files. A compiled program
//! runs *confined* besides: it starts no processes, has no network, opens no files but those of
//! its own folder and what it needs to start, and changes nothing outside. What it tries all the
//! same fails, and comes back in words.
//!
//! | file | what it holds |
//! |---|---|
//! | `calls` | system calls and what is done with them |
//! | `filter` | that as a program for the kernel |
//! | `files` | which files may be opened; Landlock |
//! | `wall` | how a process gets it all before its program starts |
//! | `watch` | the thread that answers doubtful calls, and remembers refusals |
//!
//! A child gets an empty environment but for `PATH` and a few words, and is killed with all its
//! children when its time is up.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod calls;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod files;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod filter;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod wall;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
#[path = "no_wall.rs"]
mod wall;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod watch;

use nix::sys::resource::{getrlimit, setrlimit, Resource};
use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wall::Wall;

/// What a child may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time on the wall clock, and of the processor.
    pub time: Duration,
    /// Bytes of address space.
    pub memory: Option<u64>,
    /// Whether its stack may take all of that, as far as the system allows, instead of the usual.
    pub large_stack: bool,
    /// Bytes of any file it writes.
    pub file: u64,
    /// Bytes of its output that are kept, at each end.
    pub output: usize,
}

/// How a child ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its status; `None` if its time was up.
    pub status: Option<ExitStatus>,
    /// What it wrote to standard error; the middle is cut if that is long.
    pub errors: String,
    /// Time it took.
    pub time: Duration,
    /// What it tried and a confined program may not: "start another process".
    pub refused: Vec<String>,
}

/// Why a program did not run at all.
#[derive(Debug, thiserror::Error)]
pub enum NotRun {
    /// It cannot be confined, and then it is not run.
    #[error("this system does not let a program be confined ({0})")]
    NoWall(String),
    /// It cannot be started.
    #[error("the program cannot be run: {0}")]
    NotStarted(std::io::Error),
}

impl Ended {
    /// Its exit status, if it exited by itself.
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|s| s.code())
    }

    /// The signal that ended it.
    pub fn signal(&self) -> Option<i32> {
        self.status.and_then(|s| s.signal())
    }

    /// Whether it went where there is no memory.
    pub fn is_fault(&self) -> bool {
        self.signal() == Some(Signal::SIGSEGV as i32)
    }

    /// What a confined program tried and may not, a sentence each.
    pub fn refusals(&self) -> impl Iterator<Item = String> + '_ {
        let sentence =
            |what| format!("the program tried to {what}, which the sandbox does not allow");
        self.refused.iter().map(sentence)
    }

    /// A sentence for people.
    pub fn describe(&self) -> String {
        let Some(status) = self.status else {
            return format!("it was stopped after {:.1} s", self.time.as_secs_f64());
        };
        match (status.code(), status.signal()) {
            (Some(code), _) => format!("it ended with status {code}"),
            (None, Some(number)) => match Signal::try_from(number) {
                Ok(signal) => format!("it was ended by {signal}"),
                Err(_) => format!("it was ended by signal {number}"),
            },
            (None, None) => "it ended in an unknown way".into(),
        }
    }
}

/// Runs a command in a folder until it ends or its time is up. It has no input, and standard
/// output goes nowhere.
pub fn run(mut command: Command, folder: &Path, limits: Limits) -> std::io::Result<Ended> {
    let path = std::env::var_os("PATH");
    command.env_clear();
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command.stdin(Stdio::null());
    watched(command, folder, limits, &[], None)
}

/// Runs a program in a folder of its own, confined, with this standard input and these words in
/// its environment.
pub fn confined(
    program: &Path,
    folder: &Path,
    input: &[u8],
    environment: &[(&str, &str)],
    limits: Limits,
) -> Result<Ended, NotRun> {
    let wall = Wall::new(program, folder).map_err(NotRun::NoWall)?;
    let mut command = Command::new(program);
    command.env_clear().envs(environment.iter().copied());
    command.stdin(Stdio::piped());
    watched(command, folder, limits, input, Some(wall)).map_err(|e| match e.raw_os_error() {
        // What the kernel says to a program that it cannot start.
        Some(libc::ENOENT | libc::ENOEXEC | libc::ENOMEM | libc::E2BIG) => NotRun::NotStarted(e),
        _ => NotRun::NoWall(e.to_string()),
    })
}

/// Starts a command, with limits, and stays until it ends.
fn watched(
    mut command: Command,
    folder: &Path,
    limits: Limits,
    input: &[u8],
    mut wall: Option<Wall>,
) -> std::io::Result<Ended> {
    command
        .env("LC_ALL", "C")
        .env("TMPDIR", folder)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0);
    let seconds = limits.time.as_secs() + 1;
    // SAFETY: between fork and exec nothing but `setrlimit` and `getrlimit` is called, which are safe
    // there.
    unsafe {
        command.pre_exec(move || {
            let set = |resource, limit: u64| setrlimit(resource, limit, limit);
            set(Resource::RLIMIT_CPU, seconds)?;
            set(Resource::RLIMIT_FSIZE, limits.file)?;
            set(Resource::RLIMIT_CORE, 0)?;
            set(Resource::RLIMIT_NOFILE, 64)?;
            if let Some(bytes) = limits.memory {
                set(Resource::RLIMIT_AS, bytes)?;
            }
            if limits.large_stack {
                let (_, most) = getrlimit(Resource::RLIMIT_STACK)?;
                setrlimit(Resource::RLIMIT_STACK, most, most)?;
            }
            Ok(())
        });
    }
    // Behind the wall limits cannot be set any more.
    if let Some(wall) = &mut wall {
        wall.surround(&mut command);
    }
    let started = Instant::now();
    let spawned = command.spawn();
    if let Some(wall) = &mut wall {
        wall.started();
    }
    let mut child = spawned?;
    let group = Pid::from_raw(child.id() as i32);
    let writer = child.stdin.take().map(|mut pipe| {
        let input = input.to_vec();
        // It may end before it has read everything.
        std::thread::spawn(move || pipe.write_all(&input))
    });
    let stream = child.stderr.take();
    let keep = limits.output;
    let reader = std::thread::spawn(move || stream.map(|s| read_ends(s, keep)).unwrap_or_default());
    let mut pause = Duration::from_micros(200);
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if started.elapsed() >= limits.time => break None,
            None => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(5));
    };
    // Children of the child would hold the pipe open.
    let _ = killpg(group, Signal::SIGKILL);
    let _ = child.wait();
    let time = started.elapsed();
    let errors = reader.join().unwrap_or_default();
    if let Some(writer) = writer {
        let _ = writer.join();
    }
    Ok(Ended {
        refused: wall.map(Wall::refused).unwrap_or_default(),
        status,
        errors,
        time,
    })
}

/// Reads to the end and keeps the first and the last bytes.
fn read_ends(mut stream: impl Read, keep: usize) -> String {
    let mut first: Vec<u8> = Vec::new();
    let mut last: Vec<u8> = Vec::new();
    let mut cut = false;
    let mut buffer = [0; 1 << 14];
    while let Ok(n) = stream.read(&mut buffer) {
        if n == 0 {
            break;
        }
        let room = keep.saturating_sub(first.len()).min(n);
        first.extend(&buffer[..room]);
        last.extend(&buffer[room..n]);
        if last.len() > 2 * keep {
            last.drain(..last.len() - keep);
            cut = true;
        }
    }
    if cut {
        first.extend(b"\n...\n");
    }
    first.extend(last);
    String::from_utf8_lossy(&first).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let folder = tempfile::tempdir().expect("a folder");
        run(command, folder.path(), limits).expect("sh runs")
    }

    const LIMITS: Limits = Limits {
        time: Duration::from_secs(5),
        memory: None,
        large_stack: false,
        file: 1 << 12,
        output: 64,
    };

    #[test]
    fn a_status_and_a_message_come_back() {
        let ended = shell("echo out; echo err >&2; exit 7", LIMITS);
        assert_eq!(ended.code(), Some(7));
        assert_eq!(ended.errors, "err\n");
    }

    #[test]
    fn a_child_that_never_ends_is_stopped_with_its_children() {
        let limits = Limits {
            time: Duration::from_millis(200),
            ..LIMITS
        };
        let ended = shell("sleep 60 & while :; do sleep 1; done", limits);
        assert!(ended.status.is_none(), "{}", ended.describe());
    }

    #[test]
    fn files_cannot_grow_without_end() {
        let ended = shell("head -c 100000 /dev/zero > big; wc -c < big >&2", LIMITS);
        assert!(ended.errors.contains("4096"), "{}", ended.errors);
    }

    #[test]
    fn long_output_is_cut_in_the_middle() {
        let ended = shell(
            "i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done",
            LIMITS,
        );
        assert!(ended.errors.starts_with("line 0\n"));
        assert!(ended.errors.ends_with("line 1999\n"));
        assert!(ended.errors.len() < 512);
    }
}
