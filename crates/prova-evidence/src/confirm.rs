//! From an engine's violation to one that may be printed: the test is run again by interpretation
//! on the program as written, and then natively, with the original sources and a harness.
//!
//! A violation that fails here is no violation: it is [`NotConfirmed`], with both traces. No option
//! makes it one. Only what no compiled program can show is taken from the second interpretation,
//! and it is said.

use crate::folder::Folder;
use crate::native::{Attempt, Native};
use crate::recording::Recording;
use crate::shown::{shown, Shown};
use crate::told::told;
use crate::Sources;
use prova_task::{Task, Violation};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How a violation is confirmed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the program is compiled and run; otherwise nothing is confirmed that a compiled
    /// program could show.
    pub native: bool,
    /// Where the harness is kept.
    pub harness: Option<PathBuf>,
    /// Time each run may take.
    pub time: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            native: true,
            harness: None,
            time: Duration::from_secs(10),
        }
    }
}

/// A violation that happened again.
pub struct Confirmed {
    /// The run by interpretation, and what it was given.
    pub recording: Recording,
    /// How.
    pub how: How,
    /// What to know about it: copies with initialisers, and the like.
    pub notes: Vec<String>,
    /// Command lines that repeat it, if the harness was kept.
    pub repeat: Vec<String>,
    /// Time it took.
    pub time: Duration,
}

impl std::fmt::Debug for Confirmed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Confirmed")
            .field("how", &self.how)
            .field("notes", &self.notes)
            .finish_non_exhaustive()
    }
}

/// How a violation happened again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// The original program, compiled with the harness, showed the error.
    Native,
    /// A second, independent run by interpretation reached it, and no compiled program shows such
    /// an error; why not.
    Interpretation(String),
}

/// A violation that did not happen again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct NotConfirmed {
    /// What went wrong.
    pub what: String,
    /// What our run did.
    pub ours: Vec<String>,
    /// What the native run did.
    pub native: Vec<String>,
}

/// Said where the usual stack is not enough.
const LARGE_STACK: &str =
    "the program needs a larger stack than usual: `ulimit -s unlimited` before it is run by hand";
/// Lines of a trace that are kept.
pub(crate) const TRACE: usize = 40;
/// Said of a property that needs nothing but an interpreter.
const NOT_SHOWN: &str = "no compiled program shows an error of this property";

/// Confirms a violation.
pub fn confirm(
    task: &Task,
    sources: &Sources,
    violation: &Violation,
    options: &Options,
) -> Result<Confirmed, NotConfirmed> {
    let started = Instant::now();
    let recording = Recording::of(task, violation, options.time).map_err(|e| NotConfirmed {
        what: e.to_string(),
        ours: our_trace(&task.program, violation),
        native: Vec::new(),
    })?;
    let fail = |what: String, native: Vec<String>| NotConfirmed {
        what,
        ours: our_trace(&task.program, violation),
        native,
    };
    if recording.property != violation.property {
        let what = format!(
            "the test violates {}, not {}",
            recording.property, violation.property
        );
        return Err(fail(what, Vec::new()));
    }
    if recording.has_negative_count() {
        let what = "no program is started with a negative number of arguments".to_owned();
        return Err(fail(what, Vec::new()));
    }
    let folder = Folder::new("prova-replay")
        .map_err(|e| fail(format!("no folder for the replay: {e}"), Vec::new()))?;
    let shown = shown(&violation.property, &sources.calls);
    let attempt = Attempt {
        task,
        sources,
        shown: &shown,
        recording: &recording,
        folder: folder.path(),
        options,
    };
    let built = attempt.build();
    let mut repeat = Vec::new();
    if let (Some(path), Ok(built)) = (&options.harness, &built) {
        repeat = attempt.keep(path, built).map_err(|e| {
            fail(
                format!("`{}` cannot be written: {e}", path.display()),
                Vec::new(),
            )
        })?;
    }
    let not_run = |why: &str| {
        let what = format!("a test fails by interpretation; it was not run natively: {why}");
        fail(what, Vec::new())
    };
    let (how, notes) = if let Shown::Nothing = shown {
        (How::Interpretation(NOT_SHOWN.into()), Vec::new())
    } else if !options.native {
        return Err(not_run("a native run was not wanted"));
    } else if let Some(what) = recording.unwritten.first() {
        return Err(not_run(what));
    } else {
        let built = built.map_err(|e| fail(e, recording.beyond.clone()))?;
        match attempt.native(&built) {
            Native::Shown {
                large_stack,
                refused,
            } => {
                let mut notes = built.notes;
                if large_stack {
                    notes.push(LARGE_STACK.to_owned());
                }
                notes.extend(attempt.sanitizer().map(|s| {
                    format!(
                        "the compiler's sanitizer reports it (-fsanitize={})",
                        s.checks
                    )
                }));
                notes.extend(refused);
                (How::Native, notes)
            }
            Native::NotRun(why) => return Err(not_run(&why)),
            Native::Not(what, mut trace) => {
                trace.extend(recording.beyond.iter().cloned());
                return Err(fail(what, trace));
            }
        }
    };
    Ok(Confirmed {
        recording,
        how,
        notes,
        repeat,
        time: started.elapsed(),
    })
}

/// What our run did, for people: its inputs, and the last lines it passed.
fn our_trace(program: &prova_ir::Program, violation: &Violation) -> Vec<String> {
    let mut trace: Vec<String> = told(&violation.inputs)
        .iter()
        .take(TRACE)
        .map(|i| {
            format!(
                "{} = {} at {}",
                i.name,
                i.value,
                crate::place(program, i.span)
            )
        })
        .collect();
    let skipped = violation.path.len().saturating_sub(TRACE / 2);
    let path = violation.path.iter().skip(skipped);
    trace.extend(path.map(|&span| format!("passes {}", crate::place(program, span))));
    let at = crate::place(program, violation.span);
    trace.push(format!("{} at {at}", violation.message));
    trace
}
