//! `prova check`: a test that fails, or a proof that none can.

pub mod certify;
mod evidence;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::{Args, ValueEnum};
use prova_engine::{
    Auto, Budget, Dash, Engine, Granularity, Inline, Observer, Outcome, Report, Task, Values,
};
use prova_ir::{Program, Span};
use prova_logic::{SolverChoice, SolverConfig};
use prova_spec::{make_entry, weave_unreach_call, Spec};
use serde_json::{json, Value};

use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};

/// Arguments of `prova check`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// Check this function with arbitrary arguments and globals, instead of `main`.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// What to check; `unreach-call` is all there is yet.
    #[arg(long, value_name = "NAME", default_value = "unreach-call", value_parser = ["unreach-call"])]
    property: String,

    /// Reaching this C label is an error, too.
    #[arg(long, value_name = "NAME")]
    error_label: Option<String>,

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
enum Format {
    /// For people.
    Text,
    /// The last line is TRUE, FALSE(unreach-call) or UNKNOWN(reason).
    Svcomp,
    /// One JSON object.
    Json,
}

/// Runs `prova check`.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    let mut program = input::load_library(&arguments.sources)?;
    weave(&mut program, &arguments.entry, &arguments.error_label)?;

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
    let task = Task {
        program,
        seed: arguments.seed,
    };
    let report = engine.check(
        &task,
        &budget,
        &mut Explain {
            wanted: arguments.explain,
        },
    );
    let subject = certify::Subject {
        sources: &arguments.sources,
        property: &arguments.property,
        entry: &arguments.entry,
        label: &arguments.error_label,
    };
    let (mut report, certified) =
        certify::gate(&arguments.certify, &subject, &task, &budget, report)?;

    let sources = prova_evidence::Sources {
        files: arguments.sources.files.clone(),
        options: arguments.sources.options(),
        error_label: arguments.error_label.clone(),
    };
    let evidence = evidence::gather(&arguments.evidence, &sources, &task, &mut report);

    let mut out = Output::new();
    match arguments.format {
        Format::Text | Format::Svcomp => {
            print_text(&mut out, &task.program, &report)?;
            if let Some(certified) = &certified {
                writeln!(out, "  {}", certified.line())?;
            }
            evidence.print(&mut out)?;
        }
        Format::Json => {
            let mut object = as_json(&task.program, &report, engine.name());
            object["certified"] = certified.as_ref().map_or(Value::Null, |c| c.json());
            object["replay"] = evidence.as_json();
            writeln!(out, "{object:#}")?;
        }
    }
    if arguments.format == Format::Svcomp {
        writeln!(out, "{}", competition_line(&report))?;
    }
    out.flush()?;
    Ok(match report.outcome {
        Outcome::Proved(_) => Status::Fine,
        Outcome::Violated(_) => Status::Violated,
        Outcome::Unknown(_) => Status::Unknown,
    })
}

/// Weaves the property in and sets the entry.
pub fn weave(
    program: &mut Program,
    entry: &Option<String>,
    label: &Option<String>,
) -> Result<(), Rejected> {
    let spec = Spec {
        label: label.clone(),
        ..Spec::default()
    };
    let woven = weave_unreach_call(program, &spec);
    if let Some(name) = label {
        if woven.labels == 0 {
            return Err(Rejected::because(format!("there is no label `{name}`")));
        }
    }
    if let Some(name) = entry {
        let procedure = program
            .find_procedure(name)
            .filter(|p| program.procedure(*p).body.is_some())
            .ok_or_else(|| {
                Rejected::because(format!("there is no function `{name}` with a body"))
            })?;
        make_entry(program, procedure).map_err(|e| Rejected::because(e.to_string()))?;
    }
    if program.entry.is_none() {
        return Err(Rejected::because(
            "there is no `main`; name a function with --entry",
        ));
    }
    Ok(())
}

struct Explain {
    wanted: bool,
}

impl Observer for Explain {
    fn explain(&mut self, line: &str) {
        // Straight to standard error: a person follows it while the search goes on.
        let _ = writeln!(std::io::stderr(), "{line}");
    }

    fn explains(&self) -> bool {
        self.wanted
    }
}

fn competition_line(report: &Report) -> String {
    match &report.outcome {
        Outcome::Proved(_) => "TRUE".into(),
        Outcome::Violated(violation) => format!("FALSE({})", violation.property),
        Outcome::Unknown(reason) => format!("UNKNOWN({})", reason.keyword()),
    }
}

fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.index()) {
        Some(file) if span.is_known() => format!("{}:{}:{}", file.name, span.line, span.column),
        _ => "an unknown place".into(),
    }
}

fn print_text(out: &mut Output, program: &Program, report: &Report) -> anyhow::Result<()> {
    match &report.outcome {
        Outcome::Proved(proof) => {
            match &report.scope.vacuous {
                Some(reason) => writeln!(out, "proved, but vacuously: {reason}")?,
                None => writeln!(out, "proved: no run reaches an error")?,
            }
            print_scope(out, program, report)?;
            let facts = proof.invariants.iter().filter(|i| i.says_something());
            let places = facts.count();
            if places > 0 {
                writeln!(out, "  shown with facts at {places} places")?;
            }
        }
        Outcome::Violated(violation) => {
            writeln!(
                out,
                "violated: {} at {}",
                violation.message,
                place(program, violation.span)
            )?;
            if violation.inputs.is_empty() {
                writeln!(out, "  on every run")?;
            }
            for input in &violation.inputs {
                writeln!(
                    out,
                    "  input {} = {}  ({})",
                    input.name,
                    input.value,
                    place(program, input.span)
                )?;
            }
            print_path(out, program, &violation.path)?;
        }
        Outcome::Unknown(reason) => {
            writeln!(out, "unknown: {reason}")?;
            if let Some(span) = reason.span() {
                writeln!(out, "  at {}", place(program, span))?;
            }
            print_scope(out, program, report)?;
        }
    }
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

/// The lines a run passes, runs of consecutive ones joined; the middle of a long path is cut.
fn print_path(out: &mut Output, program: &Program, path: &[Span]) -> anyhow::Result<()> {
    const ENDS: usize = 20;
    let lines: Vec<String> = path.iter().map(|&span| place(program, span)).collect();
    writeln!(out, "  path:")?;
    if lines.len() <= 2 * ENDS {
        lines.iter().try_for_each(|l| writeln!(out, "    {l}"))?;
    } else {
        lines[..ENDS]
            .iter()
            .try_for_each(|l| writeln!(out, "    {l}"))?;
        writeln!(out, "    … {} more …", lines.len() - 2 * ENDS)?;
        lines[lines.len() - ENDS..]
            .iter()
            .try_for_each(|l| writeln!(out, "    {l}"))?;
    }
    Ok(())
}

fn print_scope(out: &mut Output, program: &Program, report: &Report) -> anyhow::Result<()> {
    let scope = &report.scope;
    for (name, sites) in &scope.undefined {
        let first = sites
            .first()
            .map(|s| place(program, *s))
            .unwrap_or_default();
        writeln!(
            out,
            "  assumed: `{name}` has no body; it returns an arbitrary value and changes nothing ({} call{}, first at {first})",
            sites.len(),
            if sites.len() == 1 { "" } else { "s" }
        )?;
    }
    for (what, span) in &scope.markers {
        writeln!(
            out,
            "  not modelled, and avoided: {what} at {}",
            place(program, *span)
        )?;
    }
    for assumption in &scope.assumptions {
        writeln!(out, "  assumed: {assumption}")?;
    }
    if !scope.unreached.is_empty() {
        let shown: Vec<String> = scope
            .unreached
            .iter()
            .take(5)
            .map(|s| place(program, *s))
            .collect();
        let more = scope.unreached.len().saturating_sub(shown.len());
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        writeln!(out, "  no test reached: {}{rest}", shown.join(", "))?;
    }
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
