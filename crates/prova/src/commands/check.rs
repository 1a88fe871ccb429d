//! `prova check`: a test that fails, or a proof that none can.

mod answer;
pub mod certify;
mod clash;
mod decide;
#[cfg(test)]
mod dishonest;
mod effort;
mod evidence;
mod facts;
mod further;
mod fuzzing;
pub mod invariant;
mod look;
mod memory;
mod parallel;
pub mod property;
#[cfg(test)]
mod stuck;
pub mod termination;
pub mod vacuity;
mod watch;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use prova_engine::engines::bmc::bounds::Bounds;
use prova_engine::engines::dart::Order;
use prova_engine::interpolation::First;
use prova_engine::knowledge::sources as generalise;
use prova_engine::{registry, Abstraction, Granularity, Settings};
use prova_ir::World;
use prova_logic::{SolverChoice, SolverConfig};
use prova_spec::Check;
use prova_task::{Budget, Checker, Inline};

use decide::{goals, last_word, Decision, Known};

use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::project::file::File;
use crate::status::{Rejected, Status};
use crate::watchdog;
use crate::world::{check_names, competition, WorldArguments};

/// Arguments of `prova check`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// Check this function with arbitrary arguments and globals, instead of `main`. May be given
    /// several times; each has a verdict of its own. `*` stands for every function but `main` that is
    /// defined in the files that are given.
    #[arg(long, value_name = "FUNCTION")]
    entry: Vec<String>,

    /// The same as `--entry '*'`, with one line for each answer unless `--verbose` asks for more.
    #[arg(long)]
    each_function: bool,

    /// Check functions only where this invariant of their module holds: a file with an expression of
    /// C, as `prova adequacy` writes it for a module.
    #[arg(long, value_name = "FILE", requires = "entry")]
    assume_invariant: Option<PathBuf>,

    /// Check every function that has a contract, each by itself: calls of functions
    /// whose contract says what they assign do what the contract says.
    #[arg(long)]
    modular: bool,

    #[command(flatten)]
    properties: property::PropertyArguments,

    /// Stop at the first violation of each property. Otherwise every place that fails is reported, each
    /// with its own test, as long as there is time. Always on with `--format svcomp`.
    #[arg(long, overrides_with = "first")]
    first: bool,

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

    /// Let two plans of `auto` work at once, on two processors, and take the first answer. Which one
    /// that is can differ from run to run. `termination` is decided as without it.
    #[arg(long)]
    parallel: bool,

    /// How many rounds of loops are followed by engines that unwind them: a number for all loops, or
    /// `LOOP=N` with `FILE:LINE`, a line or a function for the loops there. Without it they are
    /// followed further and further.
    #[arg(long, value_name = "[LOOP=]N")]
    bound: Vec<String>,

    /// How large the steps of the abstraction are [default: basic].
    #[arg(long, value_enum)]
    block: Option<Block>,

    /// Which calls are inlined; the others are crossed by queries to the procedures called
    /// [default: always].
    #[arg(long, value_enum)]
    inline: Option<InlineName>,

    #[command(flatten)]
    world: WorldArguments,

    /// Assume that no signed operation overflows, where `termination` is not proved otherwise. On with
    /// `--format svcomp`.
    #[arg(long)]
    overflow_never: bool,

    /// Let the loop at this C label run for ever, where `termination` is asked about: an event loop.
    /// What it calls and the loops in it have to end.
    #[arg(long, value_name = "LABEL")]
    may_run_forever: Vec<String>,

    /// Ask procedures anew at every call, to see what summaries are worth.
    #[arg(long)]
    no_summaries: bool,

    #[command(flatten)]
    fuzzing: fuzzing::FuzzArguments,

    /// Which path is run next, with `--engine dart`.
    #[arg(long, value_enum, value_name = "ORDER", default_value = "generational")]
    order: OrderName,
    /// What predicate abstraction keeps of predicates: what each says by itself, or all
    /// combinations [default: cartesian].
    #[arg(long, value_enum)]
    abstraction: Option<AbstractionName>,

    /// Who is asked for interpolants: our own ways, or cvc5 first if it is installed
    /// [default: own].
    #[arg(long, value_enum)]
    interpolants: Option<InterpolantsName>,

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

    #[command(flatten)]
    memory_of: memory::MemoryArguments,
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

/// Which path `--engine dart` runs next.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OrderName {
    /// The one that differs last from the newest.
    DepthFirst,
    /// All that differ in one branch, those of paths that went somewhere new first.
    Generational,
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum InterpolantsName {
    /// Cores and preconditions.
    Own,
    /// cvc5 first.
    Cvc5,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum AbstractionName {
    /// Each predicate by itself.
    Cartesian,
    /// All combinations.
    Boolean,
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
    arguments.overflow_never |= arguments.format == Format::Svcomp;
    arguments.first |= arguments.format == Format::Svcomp;
    let mut checks = arguments.properties.plan()?;
    if arguments.modular {
        checks.iter_mut().for_each(|check| check.modular = true);
        arguments.entry = contracted(&arguments)?;
    }
    if arguments.each_function || arguments.entry.iter().any(|e| e == EVERY) {
        arguments.look.quiet |= arguments.each_function && !arguments.look.verbose;
        arguments.entry = every_function(&arguments)?;
    }
    let checks = checks;
    let budget = Budget::new(
        arguments.timeout.map(Duration::from_secs),
        arguments.memory.map(|mb| mb.saturating_mul(1 << 20)),
    );
    watchdog::interruptible(&budget);
    let (engine, settings) = (arguments.engine()?, arguments.settings()?);
    let name = engine.name();
    let goals = goals(&arguments, &checks);
    let progress = Mutex::default();
    let speak = |known: &mut Known, stop| {
        if std::io::stderr().is_terminal() {
            // Where progress was shown.
            eprint!("\r\x1b[K");
        }
        let said = Output::past_the_lock()
            .map_err(Into::into)
            .and_then(|mut out| {
                last_word(&arguments, &goals, name, known, &progress, stop, &mut out)
            });
        said.unwrap_or(Status::Unknown)
    };
    let known = Known::nothing(goals.len());
    let ended = watchdog::guarded(&budget, known, speak, |floor| {
        let operations = checks.iter().any(Check::needs_operations);
        let watchers = arguments.properties.watchers()?;
        let program = input::load_watched(&arguments.sources, operations, watchers)?;
        check_names(&program, &arguments.sources.world)?;
        if arguments.memory_of.list_functions {
            return list(&program, floor);
        }
        let mut invariants = Vec::new();
        if let Some(file) = &arguments.assume_invariant {
            if checks.iter().any(termination::is_asked) {
                let why = "termination is not proved under an invariant that is assumed";
                return Err(Rejected::because(why).into());
            }
            let (text, shown) = (invariant::read(file)?, file.display().to_string());
            for entry in &arguments.entry {
                let sources = &arguments.sources;
                let compiled = invariant::Invariant::compile(sources, entry, &text, &shown)?;
                invariants.push((entry.clone(), compiled));
            }
        }
        termination::check_labels(&program, &arguments.may_run_forever)?;
        let decision = Decision {
            invariants: &invariants,
            arguments: &arguments,
            goals: &goals,
            program: &program,
            budget: &budget,
            engine: &*engine,
            settings: &settings,
            progress: &progress,
            floor,
        };
        let status = decision.run(&mut Output::new())?;
        arguments.fuzzing.write()?;
        Ok(status)
    });
    match ended {
        // The search that lost may still work: nothing may be taken from under it.
        Ok(status) if arguments.parallel => watchdog::end(status),
        ended => ended,
    }
}

/// Runs `prova fuzz`: a check by fuzzing alone, for as long as it is let.
pub fn fuzz(mut arguments: Arguments) -> anyhow::Result<Status> {
    arguments.engine = Some("fuzz".into());
    run(arguments)
}

/// The functions that `--modular` checks: those that were named, or all that have a contract.
fn contracted(arguments: &Arguments) -> anyhow::Result<Vec<String>> {
    if !arguments.entry.is_empty() {
        return Ok(arguments.entry.clone());
    }
    let program = input::load_watched(&arguments.sources, false, Vec::new())?;
    let found = prova_spec::contracts::functions(&program);
    if found.is_empty() {
        return Err(Rejected::because("no function has a contract").into());
    }
    Ok(found)
}

/// What `--entry` calls all functions.
const EVERY: &str = "*";

/// The functions that are defined in the files that are given, `main` left out, behind those that
/// were named.
fn every_function(arguments: &Arguments) -> anyhow::Result<Vec<String>> {
    let program = input::load_watched(&arguments.sources, false, Vec::new())?;
    let given = |p: &&prova_ir::Procedure| {
        let file = program.files.get(p.span.file.index());
        let file = file.map(|f| std::path::Path::new(&f.name));
        file.is_some_and(|f| arguments.sources.files.iter().any(|g| g == f))
    };
    let named = |p: &&prova_ir::Procedure| !p.c_name.is_empty() && p.c_name != "main";
    let own = program.procedures.iter().filter(|p| p.body.is_some());
    let own = own.filter(named).filter(given).map(|p| p.c_name.clone());
    let mut found: Vec<String> = Vec::new();
    let first = arguments.entry.iter().filter(|e| *e != EVERY).cloned();
    for name in first.chain(own) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    match found.is_empty() {
        true => Err(Rejected::because("no function but `main` is defined here").into()),
        false => Ok(found),
    }
}

/// Prints the names of a program's own functions.
fn list(program: &prova_ir::Program, floor: &watchdog::Floor<Known>) -> anyhow::Result<Status> {
    let mut held = floor.take();
    let mut out = Output::new();
    writeln!(out, "{}", serde_json::json!(memory::own_functions(program)))?;
    out.flush()?;
    held.said = Some(Status::Fine);
    Ok(Status::Fine)
}

impl Arguments {
    /// What was chosen about engines.
    fn settings(&self) -> Result<Settings, Rejected> {
        Ok(Settings {
            granularity: match self.block.unwrap_or(Block::Basic) {
                Block::Statement => Granularity::Statement,
                Block::Basic => Granularity::Basic,
                Block::LoopFree => Granularity::LoopFree,
            },
            solver: SolverConfig {
                choice: match self.solver.as_deref() {
                    None | Some("z3") => SolverChoice::Z3,
                    Some(other) => SolverChoice::Pipe(other.to_string()),
                },
                log: self.log_queries.clone(),
                ..SolverConfig::default()
            },
            inline: match self.inline.unwrap_or(InlineName::Always) {
                InlineName::Never => Inline::Never,
                InlineName::Always => Inline::Always,
            },
            without_summaries: self.no_summaries,
            interpolants: match self.interpolants {
                None | Some(InterpolantsName::Own) => First::Own,
                Some(InterpolantsName::Cvc5) => First::Cvc5,
            },
            seeds: self.fuzzing.read()?,
            kept: self.fuzzing.kept(),
            accept: self.certify.acceptance(),
            exchange: None,
            quota: None,
            order: match self.order {
                OrderName::DepthFirst => Order::DepthFirst,
                OrderName::Generational => Order::Generational,
            },
            bounds: Bounds::parse(&self.bound).map_err(Rejected::because)?,
            abstraction: match self.abstraction {
                None | Some(AbstractionName::Cartesian) => Abstraction::Cartesian,
                Some(AbstractionName::Boolean) => Abstraction::Boolean,
            },
            sources: self
                .generalise
                .as_deref()
                .map_or_else(generalise::Sources::default, sources),
        })
    }

    /// The engine that was chosen, with its options.
    fn engine(&self) -> Result<Box<dyn Checker>, Rejected> {
        let settings = self.settings()?;
        let name = self.engine.as_deref().unwrap_or(registry::AUTO.0);
        if self.parallel && name != registry::AUTO.0 {
            let why = format!("--parallel is for the engine `{}`", registry::AUTO.0);
            return Err(Rejected::because(why));
        }
        registry::checker(name, &settings)
            .ok_or_else(|| Rejected::because(format!("there is no engine `{name}`")))
    }

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
        if self.bound.is_empty() {
            self.bound = search.bound.clone();
        }
        self.seed = self.seed.or(search.seed);
        self.look.take(project);
        Ok(())
    }
}
