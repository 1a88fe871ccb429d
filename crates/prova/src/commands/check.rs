//! `prova check`: a test that fails, or a proof that none can.

mod answer;
pub mod certify;
#[cfg(test)]
mod dishonest;
mod evidence;
mod look;
pub mod property;
mod watch;
mod watchdog;

use std::io::{IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::Mutex;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use prova_engine::knowledge::sources as generalise;
use prova_engine::{registry, Granularity, Settings};
use prova_exec::Given;
use prova_ir::{Program, World};
use prova_logic::{SolverChoice, SolverConfig};
use prova_spec::Check;
use prova_task::{
    check_modelled, Budget, Checker, Inline, Outcome, Report, Scope, Statistics, Stop, Task,
    Unknown,
};

use answer::{answer, Answer};

use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::project::file::File;
use crate::status::{Rejected, Status};
use crate::world::{check_names, competition, WorldArguments};

/// Arguments of `prova check`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// Check this function with arbitrary arguments and globals, instead of `main`. May be given
    /// several times; each has a verdict of its own.
    #[arg(long, value_name = "FUNCTION")]
    entry: Vec<String>,

    #[command(flatten)]
    properties: property::PropertyArguments,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,

    /// Stop when this much memory is in use.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// Seed for random tests [default: 0].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// The algorithm; `prova engines` tells what they are [default: auto].
    #[arg(long, value_parser = PossibleValuesParser::new(registry::names()))]
    engine: Option<String>,

    /// How large the steps of the abstraction are [default: basic].
    #[arg(long, value_enum)]
    block: Option<Block>,

    /// Which calls are inlined; the others are crossed by queries to the procedures called
    /// [default: always].
    #[arg(long, value_enum)]
    inline: Option<InlineName>,

    #[command(flatten)]
    world: WorldArguments,

    /// Ask procedures anew at every call, to see what summaries are worth.
    #[arg(long)]
    no_summaries: bool,

    /// Where DASH takes predicates and invariants from beside plain preconditions; `none` alone
    /// for nothing else. All by default.
    #[arg(long, value_name = "SOURCES", value_delimiter = ',', value_enum)]
    generalise: Option<Vec<SourceName>>,

    /// The solver: z3, or a program that speaks SMT-LIB 2 (cvc5, bitwuzla, a path)
    /// [default: z3].
    #[arg(long, value_name = "SOLVER")]
    solver: Option<String>,

    /// Write every solver query into this folder, as files any solver can replay.
    #[arg(long, value_name = "DIR")]
    log_queries: Option<PathBuf>,

    /// Tell each iteration: the frontier, what was asked, what came of it.
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    evidence: evidence::EvidenceArguments,

    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    certify: certify::Options,

    #[command(flatten)]
    look: look::Look,
}

/// What `--generalise` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SourceName {
    /// None of them.
    None,
    /// The unsatisfiable core of the one query.
    Core,
    /// Branch conditions dropped where they only unroll a loop.
    Branch,
    /// Predicates along whole paths that cannot be run.
    Path,
    /// Invariants from the states that tests have been in.
    Tests,
    /// An abstract interpretation before the search.
    Ai,
}

/// The sources that were chosen.
fn sources(names: &[SourceName]) -> generalise::Sources {
    generalise::Sources {
        core: names.contains(&SourceName::Core),
        branch: names.contains(&SourceName::Branch),
        path: names.contains(&SourceName::Path),
        tests: names.contains(&SourceName::Tests),
        ai: names.contains(&SourceName::Ai),
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Block {
    /// One statement.
    Statement,
    /// A straight line of statements.
    Basic,
    /// A path without a loop.
    LoopFree,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum InlineName {
    /// None.
    Never,
    /// All, where nothing recurses.
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// The last line is TRUE, FALSE(unreach-call) or UNKNOWN(reason).
    Svcomp,
    /// One JSON object.
    Json,
}

/// Runs `prova check`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    if let Some(project) = arguments.sources.settle()? {
        arguments.take(&project)?;
        if !arguments.look.quiet {
            eprintln!("prova: settings from {}", project.path.display());
        }
    }
    arguments.sources.world = arguments.world.world(match arguments.format {
        Format::Svcomp => competition(),
        Format::Text | Format::Json => World::default(),
    });
    let checks = arguments.properties.plan()?;
    let operations = checks.iter().any(Check::needs_operations);
    let watchers = arguments.properties.watchers()?;
    let program = input::load_watched(&arguments.sources, operations, watchers)?;
    check_names(&program, &arguments.sources.world)?;
    let budget = Budget::new(
        arguments.timeout.map(Duration::from_secs),
        arguments.memory.map(|mb| mb.saturating_mul(1 << 20)),
    );
    let cancel = budget.cancel_handle();
    // A second handler cannot be set in one process; then Ctrl-C simply ends it.
    let _ = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            // Whoever presses it twice does not want to wait.
            std::process::exit(130);
        }
    });

    let settings = Settings {
        granularity: match arguments.block.unwrap_or(Block::Basic) {
            Block::Statement => Granularity::Statement,
            Block::Basic => Granularity::Basic,
            Block::LoopFree => Granularity::LoopFree,
        },
        solver: SolverConfig {
            choice: match arguments.solver.as_deref() {
                None | Some("z3") => SolverChoice::Z3,
                Some(other) => SolverChoice::Pipe(other.to_string()),
            },
            log: arguments.log_queries.clone(),
            ..SolverConfig::default()
        },
        inline: match arguments.inline.unwrap_or(InlineName::Always) {
            InlineName::Never => Inline::Never,
            InlineName::Always => Inline::Always,
        },
        without_summaries: arguments.no_summaries,
        sources: arguments
            .generalise
            .as_deref()
            .map_or_else(generalise::Sources::default, sources),
    };
    let name = arguments.engine.as_deref().unwrap_or(registry::AUTO.0);
    let engine = registry::checker(name, &settings)
        .ok_or_else(|| Rejected::because(format!("there is no engine `{name}`")))?;
    let mut out = Output::new();
    decide(&arguments, &checks, &program, &budget, &*engine, &mut out)
}

/// Has an engine decide each check, and prints what holds up: its proofs are certified, its
/// violations replayed.
fn decide(
    arguments: &Arguments,
    checks: &[Check],
    program: &Program,
    budget: &Budget,
    engine: &dyn Checker,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let mut files = look::Files::default();
    let mut answers = Vec::new();
    let entries: Vec<Option<String>> = match arguments.entry.as_slice() {
        [] => vec![None],
        named => named.iter().cloned().map(Some).collect(),
    };
    let seed = arguments.seed.unwrap_or(0);
    let goals: Vec<Goal> = entries
        .iter()
        .flat_map(|entry| checks.iter().map(move |check| Goal { entry, check }))
        .collect();
    let mut earlier: Vec<Given> = Vec::new();
    for (i, goal) in goals.iter().enumerate() {
        let (check, entry) = (goal.check, goal.entry);
        let share = budget.share(goals.len() - i);
        let task = match property::woven(program, check, entry, &arguments.sources.world)? {
            Ok(woven) => Task {
                earlier: earlier.clone(),
                assumed: woven.assumed,
                unmodelled: woven.unmodelled,
                ..Task::new(woven.program, seed)
            },
            Err(error) => {
                let report = property::not_woven(&error);
                let task = Task::new(program.clone(), seed);
                files.add(&arguments.look, &check.name, &task, &report, &[]);
                answers.push(answer(
                    arguments,
                    out,
                    &task,
                    goal,
                    engine.name(),
                    report,
                    None,
                )?);
                continue;
            }
        };
        // What was printed so far must not be lost if the search is ended from outside.
        out.flush()?;
        let known = Mutex::default();
        let mut watch = watch::Watch::new(arguments.explain, &arguments.look, &task, &known);
        let name = engine.name();
        let speak = |stop| speak(arguments, &task, goal, name, &known, &answers, stop);
        let report = watchdog::guarded(&share, speak, || {
            check_modelled(engine, &task, &share, &mut watch)
        });
        // The next property's search begins with the tests of this one.
        earlier.extend(report.scope.tests.iter().cloned());
        match &report.outcome {
            Outcome::Proved(_) => watch.phase("certifying the proof"),
            Outcome::Violated(_) => watch.phase("replaying the failing test"),
            Outcome::Unknown(_) => {}
        }
        let subject = certify::Subject {
            sources: &arguments.sources,
            property: &check.key(),
            entry,
            label: &check.calls.label,
        };
        let (mut report, certified) =
            certify::gate(&arguments.certify, &subject, &task, &share, report)?;
        let sources = prova_evidence::Sources {
            files: arguments.sources.files.clone(),
            options: arguments.sources.options(),
            calls: check.calls.clone(),
            properties: check.properties.iter().map(|p| p.name().into()).collect(),
        };
        let evidence = evidence::gather(&arguments.evidence, &sources, &task, &mut report);
        let graphs = watch.finish();
        files.add(&arguments.look, &check.name, &task, &report, &graphs);
        let extra = Some((certified, evidence));
        answers.push(answer(
            arguments,
            out,
            &task,
            goal,
            engine.name(),
            report,
            extra,
        )?);
    }
    files.write(&arguments.look)?;
    property::summary(out, arguments.format, &answers)?;
    out.flush()?;
    Ok(property::combined(answers.iter().map(|a| a.status)))
}

impl Arguments {
    /// Takes what the command line leaves open from the project's file.
    fn take(&mut self, project: &File) -> Result<(), Rejected> {
        let keys = &project.keys;
        if self.entry.is_empty() {
            self.entry = keys.entries.clone();
        }
        self.properties.take(project)?;
        self.world.take(project)?;
        self.timeout = self.timeout.or(keys.budget.timeout);
        self.memory = self.memory.or(keys.budget.memory);
        let search = &keys.search;
        let engine = project.one_of(&search.engine, registry::names())?;
        self.engine = self.engine.take().or(engine);
        self.block = self.block.or(project.word(&search.block)?);
        self.inline = self.inline.or(project.word(&search.inline)?);
        self.solver = self.solver.take().or_else(|| search.solver.clone());
        self.seed = self.seed.or(search.seed);
        self.look.take(project);
        Ok(())
    }
}

/// Says what is known of a search that did not come back; gives the exit code.
fn speak(
    arguments: &Arguments,
    task: &Task,
    goal: &Goal,
    engine: &str,
    known: &Mutex<Statistics>,
    answers: &[Answer],
    stop: Stop,
) -> i32 {
    let mut statistics = known.lock().map(|k| k.clone()).unwrap_or_default();
    statistics.peak_memory = prova_task::budget::peak_bytes().unwrap_or(0);
    let report = Report {
        outcome: Outcome::Unknown(Unknown::Stopped(stop)),
        statistics,
        scope: Scope::default(),
    };
    let mut answers = answers.to_vec();
    // The search holds the lock of standard output.
    let Ok(file) = std::io::stdout().as_fd().try_clone_to_owned() else {
        return Status::Unknown.code().into();
    };
    let mut out = Output::to(Box::new(std::fs::File::from(file)));
    if std::io::stderr().is_terminal() {
        // Where progress was shown.
        eprint!("\r\x1b[K");
    }
    if let Ok(last) = answer(arguments, &mut out, task, goal, engine, report, None) {
        answers.push(last);
        let _ = property::summary(&mut out, arguments.format, &answers);
    }
    let _ = out.flush();
    property::combined(answers.iter().map(|a| a.status))
        .code()
        .into()
}

/// One check of one entry.
struct Goal<'a> {
    entry: &'a Option<String>,
    check: &'a Check,
}

impl Goal<'_> {
    /// Its name where there are several.
    fn name(&self, arguments: &Arguments) -> String {
        match self.entry {
            Some(entry) if arguments.entry.len() > 1 => format!("{entry}, {}", self.check.name),
            _ => self.check.name.clone(),
        }
    }
}
