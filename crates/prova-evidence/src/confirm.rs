//! From an engine's violation to one that may be printed: the test is run again by interpretation
//! on the program as written, and then natively, with the original sources and a harness.
//!
//! A violation that fails here is no violation: it is [`NotConfirmed`], with both traces.

use crate::build::{self, Build};
use crate::copy::{copies, plain_inline, Copy};
use crate::harness::{harness, Harness, Made, ASSUMED, DIVERGED, EXHAUSTED, REACHED};
use crate::recording::Recording;
use crate::sandbox::{self, Ended, Limits};
use crate::shown::{shown, Sanitizer, Shown};
use crate::Sources;
use prova_engine::{Task, Violation};
use prova_ir::DataModel;
use prova_spec::Spec;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How a violation is confirmed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the program is compiled and run; otherwise it is only interpreted once more.
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
    /// The original program, compiled with the harness, reached the error.
    Native,
    /// A second, independent run by interpretation reached it; why not more.
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

/// How long the compiler may take.
const COMPILE: Duration = Duration::from_secs(60);
/// Memory of the native run.
const MEMORY: u64 = 4 << 30;
/// Said where the usual stack is not enough.
const LARGE_STACK: &str =
    "the program needs a larger stack than usual: `ulimit -s unlimited` before it is run by hand";
/// Lines of a trace that are kept.
const TRACE: usize = 40;

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
    let folder = tempfile::Builder::new()
        .prefix("prova-replay")
        .tempdir()
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
    let alike = sources.options.per_file.is_empty();
    if let (Some(path), Ok(built), true) = (&options.harness, &built, alike) {
        repeat = attempt.keep(path, built).map_err(|e| {
            fail(
                format!("`{}` cannot be written: {e}", path.display()),
                vec![],
            )
        })?;
    }
    let interpreted = |why: &str| (How::Interpretation(why.into()), Vec::new());
    let (how, notes) = if !options.native {
        interpreted("as asked")
    } else if let Shown::Nothing = shown {
        interpreted("a compiled program does not show this error")
    } else if let Some(what) = recording.unwritten.first() {
        interpreted(what)
    } else {
        let built = built.map_err(|e| fail(e, recording.beyond.clone()))?;
        match attempt.native(&built) {
            Native::Reached { large_stack } => {
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
                (How::Native, notes)
            }
            Native::NoCompiler(why) => (How::Interpretation(why), Vec::new()),
            // A sanitizer sees much, but not everything that C forbids.
            Native::Not(..) if matches!(shown, Shown::Sanitizer(_)) => {
                interpreted("compiled with sanitizers, the program does not show this error")
            }
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
    let mut trace: Vec<String> = violation
        .inputs
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

struct Attempt<'a> {
    task: &'a Task,
    shown: &'a Shown,
    sources: &'a Sources,
    recording: &'a Recording,
    folder: &'a Path,
    options: &'a Options,
}

struct Built {
    harness: Harness,
    copies: Vec<Copy>,
    notes: Vec<String>,
    old_inline: bool,
}

enum Native {
    /// It reached the error; with a stack larger than usual, maybe.
    Reached {
        large_stack: bool,
    },
    NoCompiler(String),
    Not(String, Vec<String>),
}

impl Attempt<'_> {
    fn build(&self) -> Result<Built, String> {
        let own: Vec<PathBuf> = (0..self.sources.files.len())
            .map(|i| self.sources.absolute(i))
            .collect();
        let made = Made {
            program: &self.task.program,
            sources: self.sources,
            errors: self.errors(),
            paths: &own,
            how: &[],
        };
        let copies = copies(&made, &[self.recording]).map_err(|e| e.to_string())?;
        let notes = copies.iter().flat_map(|c| c.notes.clone()).collect();
        let harness = self.harness_in(self.folder, "harness", &copies, &[]);
        let texts = self.sources.files.iter().map(std::fs::read);
        let old_inline = texts
            .filter_map(Result::ok)
            .any(|text| plain_inline(&String::from_utf8_lossy(&text)));
        Ok(Built {
            harness,
            copies,
            notes,
            old_inline,
        })
    }

    /// The paths of the sources, or of their copies beside a harness with this name.
    fn paths(&self, folder: &Path, stem: &str, copies: &[Copy], absolute: bool) -> Vec<PathBuf> {
        let own = |i: usize| match absolute {
            true => self.sources.absolute(i),
            false => self.sources.files[i].clone(),
        };
        let path = |i: usize| match copies.iter().position(|c| c.index == i) {
            Some(n) => folder.join(format!("{stem}.copy{}.i", n + 1)),
            None => own(i),
        };
        (0..self.sources.files.len()).map(path).collect()
    }

    fn harness_in(&self, folder: &Path, stem: &str, copies: &[Copy], how: &[String]) -> Harness {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let made = Made {
            program: &self.task.program,
            sources: self.sources,
            errors: self.errors(),
            paths: &self.paths(&folder, stem, copies, true),
            how,
        };
        harness(&made, self.recording)
    }

    fn command<'s>(
        &'s self,
        built: &Built,
        sources: &'s Sources,
        harness: PathBuf,
        paths: Vec<PathBuf>,
        output: PathBuf,
    ) -> Build<'s> {
        let files = paths
            .into_iter()
            .enumerate()
            .filter(|(i, _)| Some(*i) != built.harness.includes)
            .map(|(_, path)| path)
            .collect();
        Build {
            sources,
            harness,
            files,
            wraps: built.harness.wraps.clone(),
            zeroed: !self.recording.unset.is_empty(),
            old_inline: built.old_inline,
            sanitize: self.sanitizer().map(|s| s.checks),
            output,
        }
    }

    /// Writes harness and copies where the user wants them; gives the lines that repeat the run.
    fn keep(&self, path: &Path, built: &Built) -> std::io::Result<Vec<String>> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let paths = self.paths(&folder, &stem, &built.copies, false);
        for (copy, path) in built.copies.iter().map(|c| (c, &paths[c.index])) {
            std::fs::write(path, &copy.text)?;
        }
        let command = self.command(
            built,
            self.sources,
            path.to_owned(),
            paths,
            folder.join(format!("{stem}.out")),
        );
        let run = folder.join(format!("{stem}.out"));
        let run = match run.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => run,
            _ => Path::new(".").join(run),
        };
        let lines = vec![command.line(), build::quoted(run.as_os_str())];
        let kept = self.harness_in(&folder, &stem, &built.copies, &lines);
        std::fs::write(path, &kept.text)?;
        Ok(lines)
    }

    fn native(&self, built: &Built) -> Native {
        if !self.sources.options.per_file.is_empty() {
            return Native::NoCompiler(build::DIFFERENT.into());
        }
        let absolute = Sources {
            options: prova_c::Options {
                include_dirs: self.absolute_dirs(),
                ..self.sources.options.clone()
            },
            ..self.sources.clone()
        };
        let harness = self.folder.join("harness.c");
        let output = self.folder.join("replay");
        let paths = self.paths(self.folder, "harness", &built.copies, true);
        let written = std::fs::write(&harness, &built.harness.text).and_then(|()| {
            let mut copies = built.copies.iter();
            copies.try_for_each(|c| std::fs::write(&paths[c.index], &c.text))
        });
        if let Err(e) = written {
            return Native::Not(format!("the harness cannot be written: {e}"), Vec::new());
        }
        let mut command = self.command(built, &absolute, harness, paths, output.clone());
        let mut compiled = self.compile(&command);
        let unknown_option =
            |c: &std::io::Result<Ended>| matches!(c, Ok(e) if e.errors.contains(build::ZEROED));
        if command.zeroed && unknown_option(&compiled) {
            command.zeroed = false;
            compiled = self.compile(&command);
        }
        let compiled = match compiled {
            Ok(ended) => ended,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Native::NoCompiler("there is no C compiler".into())
            }
            Err(e) => return Native::Not(format!("the compiler cannot be run: {e}"), Vec::new()),
        };
        if compiled.code() != Some(0) {
            let model = self.sources.options.model;
            if model == DataModel::Ilp32 && !self.compiles_at_all(model) {
                let why = "the C compiler cannot make 32-bit programs (package gcc-multilib)";
                return Native::NoCompiler(why.into());
            }
            let lines = compiled.errors.lines().take(TRACE).map(str::to_owned);
            return Native::Not("the harness does not compile".into(), lines.collect());
        }
        self.run(&output, &built.harness, false)
    }

    fn sanitizer(&self) -> Option<&'static Sanitizer> {
        match self.shown {
            Shown::Sanitizer(sanitizer) => Some(sanitizer),
            Shown::Harness(_) | Shown::Nothing => None,
        }
    }

    /// What the harness shows as an error.
    fn errors(&self) -> Option<&Spec> {
        match self.shown {
            Shown::Harness(spec) => Some(spec),
            Shown::Sanitizer(_) | Shown::Nothing => None,
        }
    }

    fn absolute_dirs(&self) -> Vec<PathBuf> {
        let dirs = self.sources.options.include_dirs.iter();
        dirs.map(|d| std::path::absolute(d).unwrap_or_else(|_| d.clone()))
            .collect()
    }

    fn compile(&self, build: &Build) -> std::io::Result<Ended> {
        let words = build.command();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        sandbox::run(
            command,
            self.folder,
            Limits {
                time: COMPILE,
                memory: None,
                large_stack: false,
                file: 1 << 30,
                output: 1 << 14,
            },
        )
    }

    /// Whether the compiler makes programs for this data model.
    fn compiles_at_all(&self, model: DataModel) -> bool {
        let source = self.folder.join("probe.c");
        if std::fs::write(&source, "int main(void) { return 0; }\n").is_err() {
            return false;
        }
        let words = build::compiler();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg(build::model_option(model));
        command
            .arg("-o")
            .arg(self.folder.join("probe"))
            .arg(&source);
        let limits = Limits {
            time: COMPILE,
            memory: None,
            large_stack: false,
            file: 1 << 30,
            output: 1 << 10,
        };
        sandbox::run(command, self.folder, limits).is_ok_and(|e| e.code() == Some(0))
    }

    /// Runs the program. What our machine has no limit for may be too much for the usual stack:
    /// then once more with a larger one.
    fn run(&self, program: &Path, harness: &Harness, large_stack: bool) -> Native {
        let limits = Limits {
            time: self.options.time,
            memory: match self.sanitizer() {
                Some(sanitizer) if sanitizer.is_large() => None,
                _ => Some(MEMORY),
            },
            large_stack,
            file: 1 << 24,
            output: 1 << 16,
        };
        let ended = match sandbox::run(Command::new(program), self.folder, limits) {
            Ok(ended) => ended,
            Err(e) => return Native::Not(format!("the program cannot be run: {e}"), Vec::new()),
        };
        if let Some(sanitizer) = self.sanitizer() {
            if sanitizer.complains(&ended.errors) && ended.code() != Some(0) {
                return Native::Reached { large_stack };
            }
        }
        let last = ended.errors.lines().next_back().unwrap_or_default();
        let said = last.contains("prova: error reached: ")
            && last.ends_with(&format!("[{}]", harness.token));
        if ended.code() == Some(REACHED) && said {
            return Native::Reached { large_stack };
        }
        if ended.is_fault() && !large_stack {
            return self.run(program, harness, true);
        }
        let what = match ended.code() {
            Some(ASSUMED) => "an assumption does not hold".to_owned(),
            Some(DIVERGED) => "it took another way".to_owned(),
            Some(EXHAUSTED) => "it asked for more values than were recorded".to_owned(),
            _ => ended.describe(),
        };
        let mut trace: Vec<String> = ended.errors.lines().map(str::to_owned).collect();
        if trace.len() > TRACE {
            trace.drain(TRACE / 2..trace.len() - TRACE / 2);
        }
        trace.push(ended.describe());
        Native::Not(
            format!("compiled and run, the program does not reach the error: {what}"),
            trace,
        )
    }
}
