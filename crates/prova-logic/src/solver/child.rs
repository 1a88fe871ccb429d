//! A solver process: lines in, S-expressions out, with a time limit on each answer.

use super::sexpr::{Collector, Sexpr};
use super::SolverError;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How much of the process's error output is kept for messages.
const STDERR_KEPT: u64 = 4096;

/// Why no answer came.
#[derive(Debug)]
pub(super) enum Silence {
    /// The time was over.
    Time,
    /// The process ended, or talked nonsense.
    Broken(String),
}

/// A running solver. Dropped, it is killed.
pub(super) struct SolverProcess {
    child: Child,
    input: Sender<String>,
    output: Receiver<String>,
    stderr: Arc<Mutex<String>>,
}

impl SolverProcess {
    /// Starts the program.
    pub(super) fn start(program: &str, arguments: &[String]) -> Result<SolverProcess, SolverError> {
        let failed = |reason: String| SolverError::Start {
            command: program.to_string(),
            reason,
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C is for us: a solver that it ended would look like one that failed.
            .process_group(0)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let missing = || failed("no pipe to the process".to_string());
        let mut stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let errors = child.stderr.take().ok_or_else(missing)?;
        // Threads on both sides, so that neither a full pipe nor a silent child can block us.
        let (input, commands) = channel::<String>();
        thread::spawn(move || {
            for text in commands {
                if stdin
                    .write_all(text.as_bytes())
                    .and_then(|()| stdin.flush())
                    .is_err()
                {
                    break;
                }
            }
        });
        let (lines, output) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if lines.send(line).is_err() {
                    break;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&stderr);
        thread::spawn(move || {
            let mut errors = errors;
            let mut text = Vec::new();
            let _ = errors.by_ref().take(STDERR_KEPT).read_to_end(&mut text);
            if let Ok(mut kept) = kept.lock() {
                *kept = String::from_utf8_lossy(&text).trim().to_string();
            }
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
        });
        Ok(SolverProcess {
            child,
            input,
            output,
            stderr,
        })
    }

    /// Sends commands. A broken pipe shows at the next answer.
    pub(super) fn send(&mut self, text: String) {
        let _ = self.input.send(text);
    }

    /// The next S-expression.
    pub(super) fn receive(&mut self, within: Option<Duration>) -> Result<Sexpr, Silence> {
        let deadline = within.map(|limit| Instant::now() + limit);
        let mut collector = Collector::default();
        loop {
            let line = match deadline {
                None => self
                    .output
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    self.output.recv_timeout(left)
                }
            };
            let line = match line {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(Silence::Time),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Silence::Broken(self.last_words()))
                }
            };
            match collector.line(&line) {
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => {}
                Err(error) => return Err(Silence::Broken(format!("{error} in `{line}`"))),
            }
        }
    }

    /// Why the process ended, as far as it said.
    fn last_words(&mut self) -> String {
        let status = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        // The thread that reads the error output needs a moment after the end.
        for _ in 0..20 {
            if self.stderr.lock().is_ok_and(|text| !text.is_empty()) {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let said = self
            .stderr
            .lock()
            .map(|text| text.clone())
            .unwrap_or_default();
        match said.is_empty() {
            true => format!("the process ended ({status})"),
            false => format!("the process ended ({status}): {said}"),
        }
    }
}

impl Drop for SolverProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
