//! One check as a child process: `prova check --format json …` with limits of its own.
//!
//! Whatever becomes of the child, there is an answer: one that crashes, is killed or says nothing that
//! can be read is an `error`, with what it wrote last. A child that does not end by itself some time after
//! its limit is killed with everything it started. Children die with whoever started them.

use crate::store::{Finished, Job};
use serde_json::Value;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a child may take beyond its limit before it is killed.
const GRACE: Duration = Duration::from_secs(20);
/// No more than this is read of what a child says.
const MOST_OUTPUT: u64 = 64 << 20;

/// How children are started.
#[derive(Clone, Debug)]
pub struct Children {
    /// The `prova` command.
    pub command: PathBuf,
    /// What it is told besides a job's own words.
    pub words: Vec<String>,
    /// Where it runs.
    pub folder: Option<PathBuf>,
    /// Set when everything should stop.
    pub stopped: Arc<AtomicBool>,
}

/// The words that a child is started with, without the command itself.
pub fn words(job: &Job, more: &[String]) -> Vec<String> {
    let mut words = vec!["check".to_string(), "--format".into(), "json".into()];
    // A batch keeps one answer for each question.
    words.extend(["--no-config".into(), "--first".into()]);
    words.extend(["--timeout".into(), job.timeout.max(1).to_string()]);
    if job.memory > 0 {
        words.extend(["--memory".into(), job.memory.to_string()]);
    }
    words.extend(more.iter().cloned());
    words.extend(job.words.iter().cloned());
    words
}

impl Children {
    /// Runs one check. `None` if it was stopped from outside.
    pub fn run(&self, job: &Job) -> Option<Finished> {
        let start = Instant::now();
        let mut command = Command::new(&self.command);
        command
            .args(words(job, &self.words))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let parent = std::process::id();
        // SAFETY: only calls that may be made between fork and exec.
        unsafe {
            command.pre_exec(move || {
                libc::setpgid(0, 0);
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                // The parent may have died before that was asked for.
                match libc::getppid() as u32 == parent {
                    true => Ok(()),
                    false => Err(std::io::ErrorKind::Interrupted.into()),
                }
            });
        }
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                let what = format!("cannot run {}: {error}", self.command.display());
                return Some(failed("start", what, start));
            }
        };
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let reader = |pipe: Option<Box<dyn Read + Send>>| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                if let Some(pipe) = pipe {
                    let _ = pipe.take(MOST_OUTPUT).read_to_end(&mut bytes);
                }
                bytes
            })
        };
        let out = reader(out.map(|p| Box::new(p) as _));
        let err = reader(err.map(|p| Box::new(p) as _));
        let limit = Duration::from_secs(job.timeout.max(1)) + GRACE;
        let (ended, stopped) = wait(child.id(), start + limit, &self.stopped);
        let _ = child.wait();
        // Solvers and compilers that a killed child left behind hold its pipes.
        kill_group(child.id());
        let (out, err) = (out.join().ok()?, err.join().ok()?);
        if stopped {
            return None;
        }
        let mut finished = match ended {
            Some((status, cpu, peak)) => {
                let mut finished = understood(&out, &err, status);
                finished.cpu = cpu;
                finished.peak = finished.peak.max(peak);
                finished
            }
            None => failed("stuck", "it did not end after its limit".into(), start),
        };
        finished.seconds = start.elapsed().as_secs_f64();
        Some(finished)
    }
}

/// Waits for a child: its status, processor time and peak memory. Kills it at the deadline or when
/// everything stops.
fn wait(process: u32, deadline: Instant, stop: &AtomicBool) -> (Option<(i32, f64, u64)>, bool) {
    let mut pause = Duration::from_millis(1);
    let mut stopped = false;
    let mut late = false;
    loop {
        let mut status = 0;
        // SAFETY: zeros are a value of this structure, and the call fills it.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the pointers are to the variables above.
        let waited = unsafe { libc::wait4(process as i32, &mut status, libc::WNOHANG, &mut usage) };
        if waited != 0 {
            let time = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
            let cpu = time(usage.ru_utime) + time(usage.ru_stime);
            let ended =
                (waited > 0 && !late).then_some((status, cpu, usage.ru_maxrss as u64 * 1024));
            return (ended, stopped);
        }
        if stop.load(Ordering::Relaxed) && !stopped {
            stopped = true;
            kill_group(process);
        }
        if Instant::now() > deadline && !late {
            late = true;
            kill_group(process);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(25));
    }
}

fn kill_group(leader: u32) {
    // SAFETY: a plain system call; the group may be gone.
    unsafe { libc::killpg(leader as i32, libc::SIGKILL) };
}

fn failed(reason: &str, message: String, start: Instant) -> Finished {
    Finished {
        verdict: "error".into(),
        reason: reason.into(),
        message,
        seconds: start.elapsed().as_secs_f64(),
        ..Finished::default()
    }
}

/// What a child's output means.
pub fn understood(out: &[u8], err: &[u8], status: i32) -> Finished {
    let status = std::process::ExitStatus::from_raw(status);
    if let Ok(answer) = serde_json::from_slice::<Value>(out) {
        // An answer counts only with the exit status that belongs to it.
        let wanted = match answer["verdict"].as_str() {
            Some("proved") => Some(0),
            Some("violated") => Some(1),
            Some("unknown") => Some(3),
            Some("bounded") => Some(4),
            _ => None,
        };
        if wanted.is_some() && status.code() == wanted {
            return finished(answer);
        }
    }
    let said = String::from_utf8_lossy(err);
    let last = said.lines().rev().find(|l| !l.trim().is_empty());
    let first = said
        .lines()
        .find(|l| l.starts_with("error") || l.starts_with("internal error"));
    let message = first.or(last).unwrap_or("it said nothing").to_string();
    let (reason, message) = match (status.code(), status.signal()) {
        (Some(2), _) => ("input", message),
        (Some(code), _) => ("status", format!("exit status {code}: {message}")),
        (None, Some(signal)) => ("signal", format!("killed by signal {signal}: {message}")),
        (None, None) => ("status", message),
    };
    Finished {
        verdict: "error".into(),
        reason: reason.into(),
        message,
        json: serde_json::json!({ "verdict": "error", "said": last_lines(&said) }),
        ..Finished::default()
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

/// The columns of an answer.
pub fn finished(answer: Value) -> Finished {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let evidence = &answer["evidence"];
    let statistics = &answer["statistics"];
    let seconds = statistics["seconds"].as_f64();
    Finished {
        verdict: text(&answer["verdict"]),
        reason: text(&evidence["reason"]),
        message: text(&evidence["message"]),
        file: text(&evidence["at"]["file"]),
        line: evidence["at"]["line"].as_u64().unwrap_or(0),
        seconds: seconds.unwrap_or(0.0),
        cpu: 0.0,
        peak: statistics["peak_memory_bytes"].as_u64().unwrap_or(0),
        iterations: statistics["iterations"].as_u64().unwrap_or(0),
        recalled: text(&answer["recalled"]),
        json: answer,
    }
}

/// Whether a file is there that a job needs; messages name it.
pub fn missing(job: &Job, folder: Option<&Path>) -> Option<String> {
    let there = |f: &&String| {
        let path = Path::new(f.as_str());
        folder.map_or(path.exists(), |folder| folder.join(path).exists())
    };
    job.files.iter().find(|f| !there(f)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_needs_its_exit_status() {
        let proved = br#"{ "verdict": "proved", "evidence": {}, "statistics": {} }"#;
        assert_eq!(understood(proved, b"", 0).verdict, "proved");
        // 1 << 8 is exit status 1.
        assert_eq!(understood(proved, b"", 1 << 8).verdict, "error");
        let killed = understood(proved, b"a panic\n", 9);
        assert_eq!(killed.reason, "signal");
        assert!(killed.message.contains("signal 9: a panic"), "{killed:?}");
        let half = &proved[..20];
        assert_eq!(understood(half, b"", 0).verdict, "error");
    }

    #[test]
    fn children_that_do_not_end_are_killed_with_what_they_started() {
        let stopped = Arc::new(AtomicBool::new(false));
        let children = Children {
            command: "/bin/sh".into(),
            words: Vec::new(),
            folder: None,
            stopped: stopped.clone(),
        };
        // `sh check …` fails at once: that is an answer, too.
        let job = Job {
            timeout: 1,
            ..Job::default()
        };
        let answer = children.run(&job).expect("nobody stopped it");
        assert_eq!(answer.verdict, "error");
        stopped.store(true, Ordering::Relaxed);
        let mut sleeping = Command::new("sleep")
            .arg("600")
            .process_group(0)
            .spawn()
            .expect("sleep");
        let late = Instant::now() + Duration::from_secs(600);
        let (_, was_stopped) = wait(sleeping.id(), late, &stopped);
        assert!(was_stopped);
        let _ = sleeping.wait();
    }
}
