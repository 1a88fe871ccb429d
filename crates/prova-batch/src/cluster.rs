//! Checks by way of Dask: a Python process (`python3 -m prova.cluster`) is handed tasks, one JSON object
//! in a line, and hands back answers. Dask spreads, retries and balances; what stays here is the task and
//! the merging of answers, which the store takes once each.

use crate::child::{understood, words};
use crate::schedule::Checks;
use crate::store::{Finished, Job};
use crate::Error;
use serde_json::{json, Value};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A cluster that is connected.
pub struct Cluster {
    process: Mutex<Child>,
    tasks: Mutex<ChildStdin>,
    waiting: Arc<Mutex<Waiting>>,
    words: Vec<String>,
    command: String,
    stopped: Arc<std::sync::atomic::AtomicBool>,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    /// Whoever waits for an answer; `None` once the process has ended.
    answers: HashMap<u64, Sender<Value>>,
    ended: bool,
}

impl Cluster {
    /// Connects to a scheduler, or starts workers by `slurm`, `pbs` and the like.
    pub fn connect(
        python: &str,
        address: &str,
        command: &str,
        words: Vec<String>,
        stopped: Arc<std::sync::atomic::AtomicBool>,
    ) -> Result<Cluster, Error> {
        let mut process = Command::new(python)
            .args(["-m", "prova.cluster", address])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(Error::io(format!("cannot run {python}")))?;
        let (Some(tasks), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Error::input("the cluster's process has no pipes"));
        };
        let mut lines = BufReader::new(answers).lines();
        // It says one line once it is connected.
        match lines.next() {
            Some(Ok(line)) if line.contains("\"ready\"") => {}
            _ => {
                let _ = process.wait();
                return Err(Error::input(format!(
                    "no cluster at {address}: is the Python package installed (`pip install ./python[cluster]`)?"
                )));
            }
        }
        let waiting: Arc<Mutex<Waiting>> = Arc::default();
        let listeners = waiting.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let Ok(answer) = serde_json::from_str::<Value>(&line) else {
                    continue;
                };
                let id = answer["id"].as_u64().unwrap_or(u64::MAX);
                let mut listeners = listeners.lock().unwrap_or_else(|e| e.into_inner());
                if let Some(listener) = listeners.answers.remove(&id) {
                    let _ = listener.send(answer);
                }
            }
            let mut listeners = listeners.lock().unwrap_or_else(|e| e.into_inner());
            listeners.ended = true;
            listeners.answers.clear();
        });
        Ok(Cluster {
            process: Mutex::new(process),
            tasks: Mutex::new(tasks),
            waiting,
            words,
            command: command.into(),
            stopped,
        })
    }

    fn submit(&self, job: &Job) -> Option<Receiver<Value>> {
        let (sender, receiver) = channel();
        let id = {
            let mut waiting = self.waiting.lock().unwrap_or_else(|e| e.into_inner());
            if waiting.ended {
                return None;
            }
            let id = waiting.next;
            waiting.next += 1;
            waiting.answers.insert(id, sender);
            id
        };
        let folder = std::env::current_dir().unwrap_or_default();
        let task = json!({
            "id": id,
            "name": job.name(),
            "command": self.command,
            "words": words(job, &self.words),
            "files": job.files,
            "folder": folder.display().to_string(),
            "timeout": job.timeout,
            "memory": job.memory,
        });
        let mut tasks = self.tasks.lock().unwrap_or_else(|e| e.into_inner());
        writeln!(tasks, "{task}")
            .and_then(|()| tasks.flush())
            .ok()?;
        Some(receiver)
    }
}

impl Checks for Cluster {
    fn check(&self, job: &Job) -> Option<Finished> {
        let start = Instant::now();
        let lost = |what: &str| Finished {
            verdict: "error".into(),
            reason: "cluster".into(),
            message: what.into(),
            seconds: start.elapsed().as_secs_f64(),
            ..Finished::default()
        };
        let Some(receiver) = self.submit(job) else {
            return Some(lost("the cluster is gone"));
        };
        loop {
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok(answer) => return Some(read(&answer)),
                Err(RecvTimeoutError::Timeout) => {
                    if self.stopped.load(std::sync::atomic::Ordering::Relaxed) {
                        return None;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Some(lost("the cluster is gone")),
            }
        }
    }
}

/// What a worker says of a check.
fn read(answer: &Value) -> Finished {
    let text = |key: &str| answer[key].as_str().unwrap_or_default();
    if let Some(error) = answer["error"].as_str() {
        return Finished {
            verdict: "error".into(),
            reason: "cluster".into(),
            message: error.into(),
            ..Finished::default()
        };
    }
    // As the kernel would say it.
    let status = match answer["status"].as_i64().unwrap_or(-1) {
        signal if signal < 0 => (-signal) as i32,
        code => (code as i32) << 8,
    };
    let mut finished = understood(text("out").as_bytes(), text("err").as_bytes(), status);
    finished.seconds = answer["seconds"].as_f64().unwrap_or(finished.seconds);
    finished.cpu = answer["cpu"].as_f64().unwrap_or(0.0);
    finished
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // It ends when nobody hands it tasks any more; one that does not is killed.
        let mut process = self.process.lock().unwrap_or_else(|e| e.into_inner());
        let _ = process.kill();
        let _ = process.wait();
    }
}
