//! `prova adequacy`: whether tests are enough. Abstract states that they miss are put to an engine: a
//! test that reaches one, a certified proof that nothing does, or open.

mod ask;
mod print;
pub(super) mod probes;
mod tests;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::Args;
use prova_adequacy::judge::{judge, Asked, Settings};
use prova_adequacy::{module, predicates, ranges};
use prova_engine::problem::Problem;
use prova_engine::{registry, Granularity};
use prova_evidence::recording::code;
use prova_ir::{Program, World};
use prova_logic::SolverConfig;
use prova_task::prepare::{prepare_as, Form};
use prova_task::{Budget, Outcome, Report, Scope, Statistics, Task, Unknown};

use super::check::certify;
use super::check::property::{named, woven, Woven};
use crate::arguments::Sources;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog::{self, Floor};
use crate::world::{check_names, WorldArguments};
use probes::Text;

/// Arguments of `prova adequacy`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// Judge the tests of this function, called with arbitrary arguments and globals, instead of
    /// `main`.
    #[arg(long, value_name = "FUNCTION", conflicts_with = "module")]
    entry: Option<String>,

    /// Find the invariant of this module: what its initialiser establishes and every function keeps.
    #[arg(long, value_name = "FILE", requires = "init", conflicts_with = "files")]
    module: Option<PathBuf>,

    /// The initialiser of the module.
    #[arg(long, value_name = "FUNCTION", requires = "module")]
    init: Option<String>,

    /// Functions of the module that are called [default: all that can be].
    #[arg(
        long,
        value_name = "FUNCTIONS",
        value_delimiter = ',',
        requires = "module"
    )]
    functions: Vec<String>,

    /// Write the program that stands for the module to this file; `prova certify` reads it with the
    /// certificate.
    #[arg(long, value_name = "FILE", requires = "module")]
    driver: Option<PathBuf>,

    /// The tests: a file with a value a line, a test case of the competition's (.xml), or a folder of
    /// them; may be given several times [default: one of zeros and a few at random].
    #[arg(long, value_name = "FILE|DIR")]
    tests: Vec<PathBuf>,

    /// A command that prints tests, one a line, its values with spaces or commas between them; may be
    /// given several times.
    #[arg(long, value_name = "COMMAND")]
    tests_from: Vec<String>,

    /// What is asked of states, and where: lines of `FUNCTION[:LABEL,LINE]: PREDICATE; PREDICATE`
    /// [default: the conditions of branches, backwards through the program].
    #[arg(long, value_name = "FILE")]
    predicates: Option<PathBuf>,

    /// C functions that predicates may call, beside those of the program. Probes change nothing and
    /// have no loop.
    #[arg(long, value_name = "FILE", requires = "predicates")]
    probes: Option<PathBuf>,

    /// Keep a range for each integer variable in the place of predicates, with widening.
    #[arg(long, conflicts_with = "predicates")]
    intervals: bool,

    /// Write the invariant of the module to this file, as C, once it is certified; `prova check
    /// --assume-invariant` reads it.
    #[arg(long, value_name = "FILE", requires = "module")]
    invariant: Option<PathBuf>,

    /// The property whose errors are looked for on the way.
    #[arg(long, value_name = "NAME|FILE", default_value = "unreach-call")]
    property: String,

    /// Who says whether a missing state is real; `prova engines` tells what they are.
    #[arg(long, value_parser = PossibleValuesParser::new(registry::names()), default_value = registry::AUTO.0)]
    engine: String,

    /// Do not ask whether missing states are real.
    #[arg(long)]
    no_answers: bool,

    /// Write tests that reach missing states into this folder, a value a line.
    #[arg(long, value_name = "DIR")]
    offer: Option<PathBuf>,

    /// Write a page with the source and its states.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,

    /// Stop when this much memory is in use.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// Seed for random tests.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    world: WorldArguments,

    #[command(flatten)]
    certify: certify::Options,
}

/// Runs `prova adequacy`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    if let Some(module) = &arguments.module {
        arguments.sources.files = vec![module.clone()];
    }
    arguments.sources.settle()?;
    arguments.sources.world = arguments.world.world(World::default());
    let budget = Budget::new(
        Some(Duration::from_secs(arguments.timeout)),
        arguments.memory.map(|mb| mb.saturating_mul(1 << 20)),
    );
    watchdog::interruptible(&budget);
    let speak = |(): &mut (), stop| watchdog::said_as_answer("open", stop);
    watchdog::guarded(&budget, (), speak, |floor| {
        judged(&mut arguments, &budget, floor)
    })
}

fn judged(arguments: &mut Arguments, budget: &Budget, floor: &Floor<()>) -> anyhow::Result<Status> {
    let check = named(&arguments.property)?;
    let mut options = arguments.sources.options();
    options.checks = check.needs_operations();
    let mut texts = Text::read(&arguments.sources.files)?;
    let mut notes = Vec::new();
    let groups = match &arguments.predicates {
        None => Vec::new(),
        Some(path) => {
            let shown = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|e| Rejected::because(format!("cannot read `{shown}`: {e}")))?;
            let mut groups = predicates::parse(&text)
                .map_err(|wrong| Rejected::because(format!("{shown}:{wrong}")))?;
            for group in &mut groups {
                if arguments.module.is_some() && group.function == "module" {
                    group.function = module::DRIVER.into();
                    group.places = vec![predicates::Where::Label("prova_head".into())];
                }
            }
            groups
        }
    };
    if let Some(init) = &arguments.init {
        let program = texts.load(&options)?;
        let hidden = |p: &prova_ir::Procedure| texts.is_static(p.span.line);
        let driver = |read: &[&str]| {
            module::driver(&program, init, &arguments.functions, &hidden, read)
                .map_err(Rejected::because)
        };
        let mut without = texts.clone();
        without.append(0, &driver(&[])?.text);
        let read = probes::harmless(&without, &options, &groups, module::DRIVER);
        let driver = driver(&read)?;
        texts.append(0, &driver.text);
        if let Some(file) = &arguments.driver {
            std::fs::write(file, texts.marked(0))
                .with_context(|| format!("cannot write {}", file.display()))?;
            // That is what a certificate is about.
            arguments.sources.files = vec![file.clone()];
        }
        notes.push(format!(
            "the module's functions: {}",
            driver.functions.join(", ")
        ));
        for object in &driver.objects {
            notes.push(format!(
                "assumed: pointers to its type lead to one object, `{object}`"
            ));
        }
        for (name, why) in &driver.left_out {
            notes.push(format!("left out: `{name}`, {why}"));
        }
    }
    let arguments = &*arguments;
    let program = texts.load(&options)?;
    check_names(&program, &arguments.sources.world)?;
    let world = &arguments.sources.world;
    let Woven {
        program: marked,
        assumed,
        unmodelled,
        ..
    } = woven(&program, &check, &arguments.entry, world)?
        .map_err(|e| Rejected::because(e.to_string()))?;
    let task = Task {
        assumed,
        unmodelled,
        ..Task::new(marked, arguments.seed)
    };
    let code = code(&task).map_err(|e| Rejected::because(e.to_string()))?;
    let tests = tests::read(
        &arguments.tests,
        &arguments.tests_from,
        &code,
        arguments.seed,
    )?;
    let shown = arguments
        .predicates
        .as_ref()
        .map_or(String::new(), |p| p.display().to_string());
    let functions = arguments.probes.as_deref().map(probes::functions);
    let functions = functions.transpose()?;
    let compile = |groups: &[predicates::Group]| match groups.is_empty() {
        true => Ok((Program::new(program.model), Vec::new())),
        false => probes::compile(
            &texts,
            &options,
            &program,
            groups,
            &shown,
            functions.as_deref(),
        ),
    };
    let (mut probes, mut compiled) = compile(&groups)?;
    let form = Form {
        sliced: false,
        ..Form::USUAL
    };
    let prepared = prepare_as(&task.program, form).map_err(|e| {
        let unknown = Unknown::from(e);
        anyhow::anyhow!("{unknown}")
    })?;
    let problem = Problem::new(prepared, Granularity::Basic);
    let settings = Settings {
        solver: SolverConfig::default(),
        budget: &budget.share(2),
        past_errors: false,
    };
    let user = arguments.predicates.is_some() || arguments.intervals;
    let mut groups = groups;
    let outcome = match arguments.intervals {
        true => {
            let driver = program.find_procedure(module::DRIVER);
            let head = driver.filter(|_| arguments.module.is_some());
            let head = head.map(|p| (p, "prova_head"));
            let (outcome, questions) = ranges::judge(&problem, &task, &tests, head, &settings)
                .map_err(|unknown| anyhow::anyhow!("{unknown}"))?;
            (probes, compiled) = compile(&questions)?;
            groups = questions;
            outcome
        }
        false => {
            let asked = Asked {
                groups: &groups,
                compiled: &compiled,
                probes: &probes,
            };
            judge(&problem, &task, &tests, user.then_some(&asked), &settings)
                .map_err(|unknown| anyhow::anyhow!("{unknown}"))?
                .map_err(|wrong| Rejected::because(format!("{shown}:{wrong}")))?
        }
    };
    let asked = Asked {
        groups: &groups,
        compiled: &compiled,
        probes: &probes,
    };
    let mut answers = Vec::new();
    if !arguments.no_answers {
        let asker = ask::Asker {
            arguments,
            task: &task,
            asked: user.then_some(&asked),
            outcome: &outcome,
            tests: &tests,
        };
        answers = asker.answers(budget)?;
    }
    let mut certified = None;
    if let Some(Ok(proof)) = outcome.proof {
        let report = Report {
            outcome: Outcome::Proved(proof),
            statistics: Statistics::default(),
            scope: Scope::default(),
        };
        let subject = certify::Subject {
            measures: &[],
            sources: &arguments.sources,
            property: &check.key(),
            entry: &arguments.entry,
            label: &check.calls.label,
        };
        let (report, gated) = certify::gate(&arguments.certify, &subject, &task, budget, report)?;
        certified = Some(match (gated, report.outcome) {
            (Some(gated), _) => Ok(gated.line()),
            (None, Outcome::Unknown(unknown)) => Err(unknown.to_string()),
            (None, _) => Err("the proof was not certified".into()),
        });
    } else if let Some(Err(unknown)) = &outcome.proof {
        certified = Some(Err(unknown.to_string()));
    }
    let said = print::Said {
        program: &task.program,
        places: &outcome.places,
        missing: &outcome.missing,
        answers: &answers,
        fabricated: outcome.fabricated,
        count: outcome.count,
        closed: &outcome.closed,
        error: &outcome.error,
        failing: outcome.failing,
        certified: &certified,
        module: arguments.module.is_some(),
        ranges: arguments.intervals,
        assumed: &task.assumed,
        notes: &notes,
    };
    if let Some(folder) = &arguments.offer {
        ask::offer(folder, &answers)?;
    }
    if let Some(file) = &arguments.page {
        std::fs::write(file, said.page(&texts))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    if let (Some(file), Some(text)) = (&arguments.invariant, said.certified_invariant()) {
        std::fs::write(file, text + "\n")
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut held = floor.take();
    let mut out = Output::new();
    let status = said.text(&mut out)?;
    out.flush()?;
    held.said = Some(status);
    Ok(status)
}
