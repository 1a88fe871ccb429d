//! `prova check`: a test that fails, or a proof that none can.

pub mod certify;
#[cfg(test)]
mod dishonest;
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
use crate::status::Status;

/// Arguments of `prova check`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// Check this function with arbitrary arguments and globals, instead of `main`.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    #[command(flatten)]
    properties: property::PropertyArguments,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,

    /// Stop when this much memory is in use.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// Seed for random tests.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The algorithm.
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    engine: EngineName,

    /// How large the steps of the abstraction are.
    #[arg(long, value_enum, default_value_t = Block::Basic)]
    block: Block,

    /// Which calls are inlined; the others are crossed by queries to the procedures called.
    #[arg(long, value_enum, default_value_t = InlineName::Always)]
    inline: InlineName,

    /// Ask procedures anew at every call, to see what summaries are worth.
    #[arg(long)]
    no_summaries: bool,

    /// The solver: z3, or a program that speaks SMT-LIB 2 (cvc5, bitwuzla, a path).
    #[arg(long, value_name = "SOLVER", default_value = "z3")]
    solver: String,

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
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    let checks = arguments.properties.plan()?;
    let operations = checks.iter().any(Check::needs_operations);
    let watchers = arguments.properties.watchers()?;
    let program = input::load_watched(&arguments.sources, operations, watchers)?;
    let budget = Budget::new(
        arguments.timeout.map(Duration::from_secs),
        arguments.memory.map(|mb| mb.saturating_mul(1 << 20)),
    );
    let cancel = budget.cancel_handle();
    // A second handler cannot be set in one process; then Ctrl-C simply ends it.
    let _ = ctrlc::set_handler(move || cancel.store(true, Ordering::Relaxed));

    let dash = Dash {
        granularity: match arguments.block {
            Block::Statement => Granularity::Statement,
            Block::Basic => Granularity::Basic,
            Block::LoopFree => Granularity::LoopFree,
        },
        solver: SolverConfig {
            choice: match arguments.solver.as_str() {
                "z3" => SolverChoice::Z3,
                other => SolverChoice::Pipe(other.to_string()),
            },
            log: arguments.log_queries.clone(),
            ..SolverConfig::default()
        },
        inline: match arguments.inline {
            InlineName::Never => Inline::Never,
            InlineName::Always => Inline::Always,
        },
        without_summaries: arguments.no_summaries,
        ..Dash::default()
    };
    let engine: Box<dyn Engine> = match arguments.engine {
        EngineName::Auto => Box::new(Auto { dash }),
        EngineName::Dash => Box::new(dash),
        EngineName::Values => Box::new(Values {
            solver: dash.solver,
            ..Values::default()
        }),
    };
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
    engine: &dyn Engine,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let mut files = look::Files::default();
    let mut answers = Vec::new();
    for (i, check) in checks.iter().enumerate() {
        let share = budget.share(checks.len() - i);
        let task = match property::woven(program, check, &arguments.entry)? {
            Ok(program) => Task {
                program,
                seed: arguments.seed,
            },
            Err(error) => {
                let report = property::not_woven(&error);
                let task = Task {
                    program: program.clone(),
                    seed: arguments.seed,
                };
                files.add(&arguments.look, &task, &report, &[]);
                answers.push(answer(
                    arguments,
                    out,
                    &task,
                    check,
                    engine.name(),
                    report,
                    None,
                )?);
                continue;
            }
        };
        let mut watch = watch::Watch::new(arguments.explain, &arguments.look);
        let report = check_modelled(engine, &task, &share, &mut watch);
        let graphs = watch.finish();
        let subject = certify::Subject {
            sources: &arguments.sources,
            property: &check.key(),
            entry: &arguments.entry,
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
        files.add(&arguments.look, &task, &report, &graphs);
        let extra = Some((certified, evidence));
        answers.push(answer(
            arguments,
            out,
            &task,
            check,
            engine.name(),
            report,
            extra,
        )?);
    }
    files.write(&arguments.look)?;
    property::summary(out, arguments.format, checks, &answers)?;
    out.flush()?;
    Ok(property::combined(answers.iter().map(|a| a.status)))
}

/// Prints a report, unless that has to wait for the others, and keeps what is needed of it.
fn answer(
    arguments: &Arguments,
    out: &mut Output,
    task: &Task,
    check: &Check,
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
            if arguments.properties.several() {
                write!(out, "{}: ", check.name)?;
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
            object["property"] = json!(check.name);
            if let Some((certified, evidence)) = &extra {
                object["certified"] = certified.as_ref().map_or(Value::Null, |c| c.json());
                object["replay"] = evidence.as_json();
            }
            json = Some(object);
        }
    }
    Ok(Answer {
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
