//! `prova check`: a test that fails, or a proof that none can.

pub mod certify;
mod evidence;
mod look;
pub mod property;
mod watch;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::{Args, ValueEnum};
use prova_engine::{
    check_modelled, Auto, Budget, Dash, Engine, Granularity, Inline, Outcome, Report, Task, Values,
};
use prova_ir::{Program, Span};
use prova_logic::{SolverChoice, SolverConfig};
use prova_spec::Check;
use serde_json::{json, Value};

use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::project::file::File;
use crate::status::{Rejected, Status};

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

    /// The algorithm [default: auto].
    #[arg(long, value_enum)]
    engine: Option<EngineName>,

    /// How large the steps of the abstraction are [default: basic].
    #[arg(long, value_enum)]
    block: Option<Block>,

    /// Which calls are inlined; the others are crossed by queries to the procedures called
    /// [default: always].
    #[arg(long, value_enum)]
    inline: Option<InlineName>,

    /// Ask procedures anew at every call, to see what summaries are worth.
    #[arg(long)]
    no_summaries: bool,

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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EngineName {
    /// Explicit values for a while, then DASH.
    Auto,
    /// Proofs from tests.
    Dash,
    /// Explicit values of the variables that matter.
    Values,
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
    let checks = arguments.properties.plan()?;
    let operations = checks.iter().any(Check::needs_operations);
    let program = input::load_library(&arguments.sources, operations)?;
    let budget = Budget::new(
        arguments.timeout.map(Duration::from_secs),
        arguments.memory.map(|mb| mb.saturating_mul(1 << 20)),
    );
    let cancel = budget.cancel_handle();
    // A second handler cannot be set in one process; then Ctrl-C simply ends it.
    let _ = ctrlc::set_handler(move || cancel.store(true, Ordering::Relaxed));

    let dash = Dash {
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
        ..Dash::default()
    };
    let engine: Box<dyn Engine> = match arguments.engine.unwrap_or(EngineName::Auto) {
        EngineName::Auto => Box::new(Auto { dash }),
        EngineName::Dash => Box::new(dash),
        EngineName::Values => Box::new(Values {
            solver: dash.solver,
            ..Values::default()
        }),
    };
    let mut files = look::Files::default();
    let mut out = Output::new();
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
    for (i, goal) in goals.iter().enumerate() {
        let (check, entry) = (goal.check, goal.entry);
        let share = budget.share(goals.len() - i);
        let task = match property::woven(&program, check, entry)? {
            Ok(program) => Task { program, seed },
            Err(error) => {
                let report = property::not_woven(&error);
                let task = Task {
                    program: program.clone(),
                    seed,
                };
                files.add(&arguments.look, &task, &report, &[]);
                answers.push(answer(
                    &arguments,
                    &mut out,
                    &task,
                    goal,
                    engine.name(),
                    report,
                    None,
                )?);
                continue;
            }
        };
        let mut watch = watch::Watch::new(arguments.explain, &arguments.look);
        let report = check_modelled(&*engine, &task, &share, &mut watch);
        let graphs = watch.finish();
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
            error_label: check.calls.label.clone(),
        };
        let evidence = evidence::gather(&arguments.evidence, &sources, check, &task, &mut report);
        files.add(&arguments.look, &task, &report, &graphs);
        let extra = Some((certified, evidence));
        answers.push(answer(
            &arguments,
            &mut out,
            &task,
            goal,
            engine.name(),
            report,
            extra,
        )?);
    }
    files.write(&arguments.look)?;
    property::summary(&mut out, arguments.format, &answers)?;
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
        self.timeout = self.timeout.or(keys.budget.timeout);
        self.memory = self.memory.or(keys.budget.memory);
        let search = &keys.search;
        self.engine = self.engine.or(project.word(&search.engine)?);
        self.block = self.block.or(project.word(&search.block)?);
        self.inline = self.inline.or(project.word(&search.inline)?);
        self.solver = self.solver.take().or_else(|| search.solver.clone());
        self.seed = self.seed.or(search.seed);
        self.look.take(project);
        Ok(())
    }
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

/// Prints a report, unless that has to wait for the others, and keeps what is needed of it.
fn answer(
    arguments: &Arguments,
    out: &mut Output,
    task: &Task,
    goal: &Goal,
    engine: &str,
    report: Report,
    extra: Option<(Option<certify::Certified>, evidence::Evidence)>,
) -> anyhow::Result<Answer> {
    let mut json = None;
    match arguments.format {
        Format::Text | Format::Svcomp if arguments.look.quiet => {
            writeln!(out, "{}", look::one_line(task, &report))?;
        }
        Format::Text | Format::Svcomp => {
            if arguments.properties.several() || arguments.entry.len() > 1 {
                write!(out, "{}: ", goal.name(arguments))?;
            }
            prova_report::terminal::print(out, arguments.look.paint(), task, &report)?;
            print_statistics(out, &report)?;
            if let Some((certified, evidence)) = &extra {
                if let Some(certified) = certified {
                    writeln!(out, "  {}", certified.line())?;
                }
                evidence.print(out)?;
            }
        }
        Format::Json => {
            let mut object = as_json(&task.program, &report, engine);
            object["property"] = json!(goal.check.name);
            object["entry"] = json!(goal.entry);
            if let Some((certified, evidence)) = &extra {
                object["certified"] = certified.as_ref().map_or(Value::Null, |c| c.json());
                object["replay"] = evidence.as_json();
            }
            json = Some(object);
        }
    }
    Ok(Answer {
        name: goal.name(arguments),
        json,
        line: competition_line(&report),
        status: match report.outcome {
            Outcome::Proved(_) => Status::Fine,
            Outcome::Violated(_) => Status::Violated,
            Outcome::Unknown(_) => Status::Unknown,
        },
    })
}

/// What is left of a check once it is printed.
pub struct Answer {
    name: String,
    json: Option<Value>,
    line: String,
    status: Status,
}

fn competition_line(report: &Report) -> String {
    match &report.outcome {
        Outcome::Proved(_) => "TRUE".into(),
        Outcome::Violated(violation) => format!("FALSE({})", violation.property),
        Outcome::Unknown(reason) => format!("UNKNOWN({})", reason.keyword()),
    }
}

/// What it took, in one line.
fn print_statistics(out: &mut Output, report: &Report) -> anyhow::Result<()> {
    let s = &report.statistics;
    writeln!(
        out,
        "  {} iterations, {} tests, {} regions, {} splits, {:.2} s ({:.2} s solving)",
        s.iterations,
        s.tests,
        s.regions,
        s.splits,
        s.time.as_secs_f64(),
        s.solver_time.as_secs_f64()
    )?;
    Ok(())
}

fn as_json(program: &Program, report: &Report, engine: &str) -> Value {
    let at = |span: Span| {
        json!({
            "file": program.files.get(span.file.index()).map(|f| f.name.clone()),
            "line": span.line,
            "column": span.column,
        })
    };
    let (verdict, evidence) = match &report.outcome {
        Outcome::Proved(proof) => {
            let invariants: Vec<Value> = proof
                .invariants
                .iter()
                .filter(|i| i.says_something())
                .map(|i| {
                    let cases: Vec<Vec<String>> = i
                        .cases
                        .iter()
                        .map(|c| {
                            c.iter()
                                .map(|&t| proof.terms.display(t).to_string())
                                .collect()
                        })
                        .collect();
                    json!({ "at": at(i.span), "cases": cases })
                })
                .collect();
            ("proved", json!({ "invariants": invariants }))
        }
        Outcome::Violated(violation) => {
            let inputs: Vec<Value> = violation
                .inputs
                .iter()
                .map(|i| json!({ "name": i.name, "value": i.value, "at": at(i.span) }))
                .collect();
            (
                "violated",
                json!({
                    "property": violation.property,
                    "message": violation.message,
                    "at": at(violation.span),
                    "inputs": inputs,
                }),
            )
        }
        Outcome::Unknown(reason) => (
            "unknown",
            json!({ "reason": reason.keyword(), "message": reason.to_string(), "at": reason.span().map(at) }),
        ),
    };
    let s = &report.statistics;
    let scope = &report.scope;
    json!({
        "version": 1,
        "engine": engine,
        "verdict": verdict,
        "evidence": evidence,
        "scope": {
            "undefined": scope.undefined.iter().map(|(n, sites)| json!({
                "function": n,
                "calls": sites.iter().map(|s| at(*s)).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "markers": scope.markers.iter().map(|(w, s)| json!({ "what": w, "at": at(*s) })).collect::<Vec<_>>(),
            "unreached": scope.unreached.iter().map(|s| at(*s)).collect::<Vec<_>>(),
            "vacuous": scope.vacuous,
            "assumptions": scope.assumptions,
        },
        "statistics": {
            "iterations": s.iterations,
            "solver_calls": s.solver_calls,
            "certify_calls": s.certify_calls,
            "solver_seconds": s.solver_time.as_secs_f64(),
            "tests": s.tests,
            "forest_states": s.forest_states,
            "regions": s.regions,
            "splits": s.splits,
            "foreseen": s.foreseen,
            "graphs": s.graphs,
            "queries": s.queries,
            "summaries_used": s.summaries_used,
            "removed_edges": s.removed_edges,
            "largest_predicate": s.largest_predicate,
            "locations": s.locations,
            "peak_memory_bytes": s.peak_memory,
            "seconds": s.time.as_secs_f64(),
        },
    })
}
