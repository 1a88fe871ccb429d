//! Solvers as programs that speak SMT-LIB 2 over a pipe, and Z3 in this process where there is
//! none. All queries of a check are written to one process ahead of its answers; one that takes
//! too long is given up and the process started anew behind it.

use crate::script::{Script, Term};
use crate::Failure;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, sync_channel, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What a process gets beyond its own time limit before it is killed.
const GRACE: Duration = Duration::from_millis(700);

/// What a solver says of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It cannot hold.
    Unsat,
    /// It can.
    Sat,
    /// The solver does not know, with its reason.
    Unknown(String),
}

/// Which solver answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solver {
    /// A program by its name or path.
    Program(String),
    /// Z3 in this process.
    InProcess,
}

impl std::fmt::Display for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Solver::Program(name) => f.write_str(name),
            Solver::InProcess => f.write_str("Z3 in this process"),
        }
    }
}

/// Limits of a check.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// For one query.
    pub query: Duration,
    /// For all.
    pub deadline: Option<Instant>,
    /// Says that the check should end.
    pub cancelled: &'a dyn Fn() -> bool,
}

impl Limits<'_> {
    fn left(&self) -> Result<Duration, Failure> {
        let left = self
            .deadline
            .map(|d| d.saturating_duration_since(Instant::now()));
        if (self.cancelled)() || left.is_some_and(|l| l.is_zero()) {
            return Err(Failure::Interrupted);
        }
        Ok(left.map_or(self.query, |l| l.min(self.query)))
    }
}

/// The solvers to ask, one after the other, if nobody said which: cvc5, then z3, as far as they
/// are there.
pub fn installed() -> Vec<Solver> {
    let runs = |name: &&str| {
        let mut command = Command::new(name);
        command
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|s| s.success())
    };
    let mut found: Vec<Solver> = ["cvc5", "z3"]
        .iter()
        .filter(|name| runs(name))
        .map(|name| Solver::Program((*name).to_string()))
        .collect();
    if found.is_empty() {
        found.push(Solver::InProcess);
    }
    found
}

impl Solver {
    /// Answers queries in order, each given by its assertions; ends at the first that can hold.
    pub fn answer(
        &self,
        script: &mut Script,
        queries: &[&[Term]],
        limits: &Limits,
    ) -> Result<Vec<Answer>, Failure> {
        let mut answers = Vec::with_capacity(queries.len());
        while answers.len() < queries.len() && answers.last() != Some(&Answer::Sat) {
            let rest = &queries[answers.len()..];
            let limit = limits.left()?;
            match self {
                Solver::Program(name) => pipe(name, script, rest, limit, limits, &mut answers)?,
                Solver::InProcess => in_process(script, rest[0], limit, &mut answers)?,
            }
        }
        Ok(answers)
    }
}

/// What a query needs said, and the question; `told` are the terms that the process knows.
fn question(script: &mut Script, query: &[Term], told: &mut Vec<bool>) -> Result<String, Failure> {
    let (terms, asserted) = script.query(query)?;
    let mut text = String::new();
    for term in terms {
        if told.len() <= term.index() {
            told.resize(term.index() + 1, false);
        }
        if !std::mem::replace(&mut told[term.index()], true) {
            text.push_str(&script.definition(term));
        }
    }
    text.push_str("(push 1)\n");
    for term in asserted {
        text.push_str(&format!("(assert {})\n", script.name(term)));
    }
    text.push_str("(check-sat)\n(pop 1)\n");
    Ok(text)
}

fn arguments(name: &str, limit: Duration) -> Vec<String> {
    let program = name.rsplit('/').next().unwrap_or(name);
    let millis = limit.as_millis().max(1);
    let fixed: &[&str] = match program {
        p if p.starts_with("cvc5") => &["--lang=smt2", "--incremental", "--fp-exp"],
        p if p.starts_with("z3") => &["-in", "-smt2"],
        p if p.starts_with("bitwuzla") => &["--lang", "smt2"],
        _ => &[],
    };
    let mut all: Vec<String> = fixed.iter().map(|a| (*a).to_string()).collect();
    if program.starts_with("cvc5") {
        all.push(format!("--tlimit-per={millis}"));
    } else if program.starts_with("z3") {
        all.push(format!("-t:{millis}"));
    }
    all
}

/// Lets one process answer as many queries as it can.
fn pipe(
    name: &str,
    script: &mut Script,
    queries: &[&[Term]],
    limit: Duration,
    limits: &Limits,
    answers: &mut Vec<Answer>,
) -> Result<(), Failure> {
    let no_solver = |e: std::io::Error| Failure::NoSolver(format!("`{name}` does not run: {e}"));
    let mut child = Command::new(name)
        .args(arguments(name, limit))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(no_solver)?;
    let outcome = converse(&mut child, script, queries, limit, limits, answers);
    let _ = child.kill();
    let _ = child.wait();
    outcome
}

fn converse(
    child: &mut Child,
    script: &mut Script,
    queries: &[&[Term]],
    limit: Duration,
    limits: &Limits,
    answers: &mut Vec<Answer>,
) -> Result<(), Failure> {
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Failure::NoSolver("no pipe to the solver".into()));
    };
    // Threads on both sides, so that nobody waits for the other. Both end with the process.
    let (ask, asked) = sync_channel::<String>(256);
    std::thread::spawn(move || {
        for text in asked {
            if stdin
                .write_all(text.as_bytes())
                .and_then(|()| stdin.flush())
                .is_err()
            {
                break;
            }
        }
    });
    let (said, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if said.send(line).is_err() {
                break;
            }
        }
    });
    let mut told = Vec::new();
    let mut first = Some("(set-logic ALL)\n".to_string());
    let mut waiting = 0;
    for query in queries {
        let text = first.take().unwrap_or_default() + &question(script, query, &mut told)?;
        if ask.send(text).is_err() {
            break;
        }
        waiting += 1;
        // Take what is there, and do not run too far ahead.
        while waiting > 0 {
            let patience = if waiting > 64 {
                limit + GRACE
            } else {
                Duration::ZERO
            };
            match listen(&lines, patience) {
                None if patience.is_zero() => break,
                heard => {
                    waiting -= 1;
                    if !note(heard, answers) {
                        return Ok(());
                    }
                }
            }
        }
        limits.left()?;
    }
    drop(ask);
    for _ in 0..waiting {
        if !note(listen(&lines, limit + GRACE), answers) {
            return Ok(());
        }
        limits.left()?;
    }
    Ok(())
}

fn listen(lines: &Receiver<String>, patience: Duration) -> Option<Answer> {
    match lines.recv_timeout(patience) {
        Ok(line) => Some(match line.trim() {
            "unsat" => Answer::Unsat,
            "sat" => Answer::Sat,
            "unknown" => Answer::Unknown("it gave up".into()),
            "timeout" => Answer::Unknown("its time was over".into()),
            other => Answer::Unknown(format!("it says `{other}`")),
        }),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Answer::Unknown("it ended".into())),
    }
}

/// Keeps an answer. Says whether the process can be asked on: not after it was killed for its
/// silence, went away, or complained (what it says afterwards belongs to no query).
fn note(heard: Option<Answer>, answers: &mut Vec<Answer>) -> bool {
    let answer = heard.unwrap_or_else(|| Answer::Unknown("its time was over".into()));
    let known = ["it gave up"];
    let well = match &answer {
        Answer::Unknown(reason) => known.contains(&reason.as_str()),
        Answer::Unsat => true,
        Answer::Sat => false,
    };
    answers.push(answer);
    well
}

/// Asks the Z3 that is linked into this program.
fn in_process(
    script: &mut Script,
    query: &[Term],
    limit: Duration,
    answers: &mut Vec<Answer>,
) -> Result<(), Failure> {
    let text = format!(
        "(set-option :timeout {})\n{}",
        limit.as_millis().max(1),
        question(script, query, &mut Vec::new())?
    );
    let text = std::ffi::CString::new(text).map_err(|_| Failure::Unsupported("NUL".into()))?;
    // SAFETY: the context is made, used and deleted here; the text lives until the call returns,
    // and the answer is copied before the context goes.
    let said = unsafe {
        let made = z3_sys::Z3_mk_config().and_then(|config| {
            let context = z3_sys::Z3_mk_context(config);
            z3_sys::Z3_del_config(config);
            context
        });
        let context = made.ok_or_else(|| Failure::NoSolver("Z3 does not start".into()))?;
        z3_sys::Z3_set_error_handler(context, None);
        let said = z3_sys::Z3_eval_smtlib2_string(context, text.as_ptr());
        let said = match said.is_null() {
            true => String::new(),
            false => std::ffi::CStr::from_ptr(said)
                .to_string_lossy()
                .into_owned(),
        };
        z3_sys::Z3_del_context(context);
        said
    };
    answers.push(match said.trim() {
        "unsat" => Answer::Unsat,
        "sat" => Answer::Sat,
        "unknown" => Answer::Unknown("it gave up".into()),
        other => Answer::Unknown(format!("it says `{other}`")),
    });
    Ok(())
}
