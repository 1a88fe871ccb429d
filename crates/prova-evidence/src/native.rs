//! The native run of a test: the original sources and a harness, compiled, and run behind a wall.

use crate::build::{self, Build};
use crate::c_types::printf_command;
use crate::confirm::{Options, TRACE};
use crate::copy::{copies, plain_inline, Copy};
use crate::harness::{harness, Harness, Left, Made, ASSUMED, DIVERGED, EXHAUSTED, REACHED};
use crate::recording::{is_model, Recording};
use crate::sandbox::{self, confined, Ended, Limits};
use crate::shown::{Sanitizer, Shown};
use crate::supply::is_defined;
use crate::Sources;
use prova_ir::DataModel;
use prova_spec::Spec;
use prova_task::Task;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long the compiler may take.
const COMPILE: Duration = Duration::from_secs(60);
/// How long a program runs that never ends, if its rounds cannot be counted.
const FOREVER: Duration = Duration::from_millis(1_500);
/// Memory of the native run.
const MEMORY: u64 = 4 << 30;
/// The environment of a program without sanitizers.
const PLAIN: &[&[(&str, &str)]] = &[&[]];

/// What is run.
pub(crate) struct Attempt<'a> {
    pub task: &'a Task,
    pub shown: &'a Shown,
    pub sources: &'a Sources,
    pub recording: &'a Recording,
    pub folder: &'a Path,
    pub options: &'a Options,
}

/// A harness with the copies that it needs.
pub(crate) struct Built {
    harness: Harness,
    copies: Vec<Copy>,
    /// What to know about them.
    pub notes: Vec<String>,
    old_inline: bool,
}

/// What came of a native run.
pub(crate) enum Native {
    /// It showed the error.
    Shown {
        /// Whether it needed a stack larger than usual.
        large_stack: bool,
        /// What it tried and may not, in sentences.
        refused: Vec<String>,
    },
    /// There was none; why.
    NotRun(String),
    /// It did not; what happened, and what it said.
    Not(String, Vec<String>),
}

impl Attempt<'_> {
    /// Makes the harness.
    pub fn build(&self) -> Result<Built, String> {
        let own: Vec<PathBuf> = (0..self.sources.files.len())
            .map(|i| self.sources.absolute(i))
            .collect();
        let made = Made {
            program: &self.task.program,
            sources: self.sources,
            errors: self.errors(),
            left: self.left(),
            accesses: self.sanitizer().is_some_and(Sanitizer::is_large),
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
            left: self.left(),
            accesses: self.sanitizer().is_some_and(Sanitizer::is_large),
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
            .collect();
        Build {
            sources,
            harness,
            files,
            includes: built.harness.includes,
            wraps: built.harness.wraps.clone(),
            zeroed: !self.recording.unset.is_empty(),
            old_inline: built.old_inline,
            called: self.called(),
            sanitize: self.sanitizer().map(|s| s.checks),
            output,
        }
    }

    /// Writes harness and copies where the user wants them; gives the lines that repeat the run.
    pub fn keep(&self, path: &Path, built: &Built) -> std::io::Result<Vec<String>> {
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
        let run = build::quoted(run.as_os_str());
        let run = match &self.recording.stdin {
            None => run,
            Some(bytes) if bytes.is_empty() => format!("{run} </dev/null"),
            Some(bytes) => format!("{} | {run}", printf_command(bytes)),
        };
        let mut lines = command.lines();
        lines.push(run);
        let kept = self.harness_in(&folder, &stem, &built.copies, &lines);
        std::fs::write(path, &kept.text)?;
        Ok(lines)
    }

    /// Compiles and runs it.
    pub fn native(&self, built: &Built) -> Native {
        let absolute = Sources {
            options: self.absolute_options(),
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
                return Native::NotRun("there is no C compiler".into())
            }
            Err(e) => return Native::Not(format!("the compiler cannot be run: {e}"), Vec::new()),
        };
        if compiled.code() != Some(0) {
            let model = self.sources.options.model;
            if model == DataModel::Ilp32 && !self.compiles_at_all(model) {
                let why = "the C compiler cannot make 32-bit programs (package gcc-multilib)";
                return Native::NotRun(why.into());
            }
            let lines = compiled.errors.lines().take(TRACE).map(str::to_owned);
            return Native::Not("the harness does not compile".into(), lines.collect());
        }
        let own = self.folder.join("run");
        self.run(&output, &own, &built.harness, false)
    }

    /// The sanitizer that has to complain, if one has to.
    pub fn sanitizer(&self) -> Option<&'static Sanitizer> {
        match self.shown {
            Shown::Sanitizer(sanitizer) => Some(sanitizer),
            _ => None,
        }
    }

    /// Functions of the library that the program defines itself: the compiler must not take them
    /// for the library's.
    fn called(&self) -> Vec<String> {
        let program = &self.task.program;
        let own = program.procedures.iter().filter(|p| p.body.is_some());
        let own = own.filter(|p| !is_model(program, p.span) && !is_defined(&p.c_name));
        own.filter(|p| !p.c_name.is_empty())
            .map(|p| p.c_name.clone())
            .collect()
    }

    /// What the harness shows as an error.
    fn errors(&self) -> Option<&Spec> {
        match self.shown {
            Shown::Harness(spec) => Some(spec),
            _ => None,
        }
    }

    /// Which blocks that are left at the end the harness shows as an error.
    fn left(&self) -> Option<Left> {
        match self.shown {
            Shown::Blocks(left) => Some(*left),
            _ => None,
        }
    }

    /// What the front end was told, whatever the current folder is.
    fn absolute_options(&self) -> prova_c::Options {
        let mut options = self.sources.options.clone();
        let own = options.per_file.values_mut().map(|f| &mut f.include_dirs);
        for dir in own.chain([&mut options.include_dirs]).flatten() {
            if let Ok(absolute) = std::path::absolute(&*dir) {
                *dir = absolute;
            }
        }
        options
    }

    /// Runs the compiler; the first command that fails is the last one.
    fn compile(&self, build: &Build) -> std::io::Result<Ended> {
        let limits = Limits {
            time: COMPILE,
            memory: None,
            large_stack: false,
            file: 1 << 30,
            output: 1 << 14,
        };
        let mut last = None;
        for words in build.commands() {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]);
            let ended = sandbox::run(command, self.folder, limits)?;
            let failed = ended.code() != Some(0);
            last = Some(ended);
            if failed {
                break;
            }
        }
        last.ok_or_else(|| std::io::Error::other("nothing to compile"))
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

    /// Runs the program in a folder of its own, in each environment until it shows the error. What
    /// our machine has no limit for may be too much for the usual stack: then once more with a
    /// larger one.
    fn run(&self, program: &Path, own: &Path, harness: &Harness, large_stack: bool) -> Native {
        let limits = Limits {
            time: match self.shown {
                Shown::Forever => self.options.time.min(FOREVER),
                _ => self.options.time,
            },
            memory: match self.sanitizer() {
                Some(sanitizer) if sanitizer.is_large() => None,
                _ => Some(MEMORY),
            },
            large_stack,
            file: 1 << 24,
            output: 1 << 16,
        };
        let input = self.recording.stdin.as_deref().unwrap_or_default();
        let environments = self.sanitizer().map_or(PLAIN, |s| s.environments());
        let mut last = None;
        for environment in environments {
            let fresh = match own.exists() {
                true => std::fs::remove_dir_all(own),
                false => Ok(()),
            };
            if let Err(e) = fresh.and_then(|()| std::fs::create_dir(own)) {
                return Native::NotRun(format!("it has no folder of its own: {e}"));
            }
            let ended = match confined(program, own, input, environment, limits) {
                Ok(ended) => ended,
                Err(e) => return Native::NotRun(e.to_string()),
            };
            if self.shows(&ended, harness) {
                let refused = ended.refusals().collect();
                return Native::Shown {
                    large_stack,
                    refused,
                };
            }
            last = Some(ended);
        }
        let Some(ended) = last else {
            return Native::NotRun("there is no environment for it".into());
        };
        if ended.is_fault() && !large_stack {
            return self.run(program, own, harness, true);
        }
        self.missed(&ended)
    }

    /// Whether a run showed the error.
    fn shows(&self, ended: &Ended, harness: &Harness) -> bool {
        if let Some(sanitizer) = self.sanitizer() {
            let complains = sanitizer.complains(&ended.errors) && ended.code() != Some(0);
            return complains || sanitizer.signal.is_some() && ended.signal() == sanitizer.signal;
        }
        if matches!(self.shown, Shown::Forever) && self.lasts(ended) {
            return true;
        }
        let last = ended.errors.lines().next_back().unwrap_or_default();
        let said = last.contains("prova: error reached: ")
            && last.ends_with(&format!("[{}]", harness.token));
        ended.code() == Some(REACHED) && said
    }

    /// Whether a run that never ends was still running when it was stopped, or has used up its stack
    /// where it is one of calls in calls.
    fn lasts(&self, ended: &Ended) -> bool {
        ended.status.is_none() || ended.is_fault() && self.recording.again.is_some_and(|a| a.call)
    }

    /// What a run did that did not show the error.
    fn missed(&self, ended: &Ended) -> Native {
        let last = ended.errors.lines().next_back().unwrap_or_default();
        // The program may end with these by itself.
        let what = match ended.code().filter(|_| last.starts_with("prova: ")) {
            Some(ASSUMED) => "an assumption does not hold".to_owned(),
            Some(DIVERGED) => "it took another way".to_owned(),
            Some(EXHAUSTED) => "it asked for more values than were recorded".to_owned(),
            _ => ended.describe(),
        };
        let what = match ended.refused.first() {
            Some(refused) => {
                format!("{what}; it tried to {refused}, which the sandbox does not allow")
            }
            None => what,
        };
        let mut trace: Vec<String> = ended.errors.lines().map(str::to_owned).collect();
        if trace.len() > TRACE {
            trace.drain(TRACE / 2..trace.len() - TRACE / 2);
        }
        trace.extend(ended.refusals());
        trace.push(ended.describe());
        let how = match self.sanitizer() {
            Some(s) => format!(" (-fsanitize={})", s.checks),
            None => String::new(),
        };
        Native::Not(
            format!("compiled{how} and run, the program does not show the error: {what}"),
            trace,
        )
    }
}
