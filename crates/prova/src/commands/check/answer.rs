//! What is printed of a check: for people, for the competition, as JSON.

use std::io::Write;

use prova_ir::{Assumption, Program, Span, Undefined};
use prova_report::help::{busy, hints};
use prova_task::{Outcome, Report, Statistics, Task};
use serde_json::{json, Value};

use super::decide::Goal;
use super::{certify, evidence, look, Arguments, Format};
use crate::status::Status;

/// Prints a report, unless that has to wait for the others, and keeps what is needed of it.
pub fn answer(
    arguments: &Arguments,
    out: &mut dyn Write,
    task: &Task,
    goal: &Goal,
    engine: &str,
    report: Report,
    extra: Option<(Option<certify::Certified>, evidence::Evidence)>,
) -> anyhow::Result<Answer> {
    let mut json = None;
    match arguments.format {
        Format::Text | Format::Svcomp if arguments.look.quiet => {
            let property = &goal.check.name;
            writeln!(
                out,
                "{}",
                look::one_line(task, &report, property, goal.entry)
            )?;
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
        assumed: look::assumed(&report),
        contracts: report
            .scope
            .assumptions
            .iter()
            .filter_map(contract)
            .collect(),
        status: match report.outcome {
            Outcome::Proved(_) => Status::Fine,
            Outcome::Violated(_) => Status::Violated,
            Outcome::Bounded(_) => Status::Bounded,
            Outcome::Unknown(_) => Status::Unknown,
        },
    })
}

/// What is left of a check once it is printed.
#[derive(Clone)]
pub struct Answer {
    pub name: String,
    pub json: Option<Value>,
    pub line: String,
    /// What the verdict rests on, in one line.
    pub assumed: Option<String>,
    /// Functions whose contracts it rests on.
    pub contracts: Vec<String>,
    pub status: Status,
}

/// The function whose contract an assumption is about.
fn contract(assumption: &Assumption) -> Option<String> {
    match assumption {
        Assumption::Contract(name) => Some(name.clone()),
        _ => None,
    }
}

fn competition_line(report: &Report) -> String {
    match &report.outcome {
        Outcome::Proved(_) => "TRUE".into(),
        Outcome::Violated(violation) => format!("FALSE({})", violation.property),
        Outcome::Bounded(_) => "UNKNOWN(bounded)".into(),
        Outcome::Unknown(reason) => format!("UNKNOWN({})", reason.keyword()),
    }
}

/// What it took, in one line.
fn print_statistics(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
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
            let contracts: Vec<Value> = prova_report::contracts::contracts(proof)
                .iter()
                .map(|c| {
                    json!({ "function": c.function, "at": at(c.span), "requires": c.requires,
                            "ensures": c.ensures, "safe": c.safe })
                })
                .collect();
            (
                "proved",
                json!({ "invariants": invariants, "contracts": contracts }),
            )
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
        Outcome::Bounded(bounded) => {
            let loops = bounded.loops.iter();
            let loops = loops.map(|l| json!({ "at": at(l.span), "rounds": l.rounds }));
            let place = |s| prova_report::source::place(program, s);
            (
                "bounded",
                json!({
                    "message": bounded.message(place),
                    "loops": loops.collect::<Vec<_>>(),
                }),
            )
        }
        Outcome::Unknown(reason) => (
            "unknown",
            json!({
                "reason": reason.keyword(),
                "message": reason.to_string(),
                "at": reason.span().map(at),
                "refined": busy(program, report).iter().map(|b| json!({
                    "at": at(b.span), "what": b.what, "splits": b.splits, "last": b.last,
                })).collect::<Vec<_>>(),
                "hints": hints(program, reason, report),
            }),
        ),
    };
    let s = &report.statistics;
    let scope = &report.scope;
    json!({
        "version": 2,
        "engine": engine,
        "verdict": verdict,
        "evidence": evidence,
        "scope": {
            "undefined": scope.assumptions.iter().filter_map(|a| match a {
                Assumption::Function { name, reading, calls } => Some(json!({
                    "function": name,
                    "writes": *reading == Undefined::Havoc,
                    "calls": calls.iter().map(|s| at(*s)).collect::<Vec<_>>(),
                })),
                _ => None,
            }).collect::<Vec<_>>(),
            "markers": scope.markers.iter().map(|(w, s)| json!({ "what": w, "at": at(*s) })).collect::<Vec<_>>(),
            "unreached": scope.unreached.iter().map(|s| at(*s)).collect::<Vec<_>>(),
            "vacuous": scope.vacuous,
            "assumptions": scope.assumptions.iter().map(|a| json!({
                "kind": a.keyword(),
                "value": a.value(),
                "text": a.to_string(),
                "switch": a.switch(),
            })).collect::<Vec<_>>(),
        },
        "statistics": statistics(s),
    })
}

/// What it took: common counters, and those of the engine.
fn statistics(s: &Statistics) -> Value {
    let mut all = json!({
        "iterations": s.iterations,
        "solver_calls": s.solver_calls,
        "certify_calls": s.certify_calls,
        "solver_seconds": s.solver_time.as_secs_f64(),
        "learning_calls": s.learning_calls,
        "learning_seconds": s.learning_time.as_secs_f64(),
        "facts_learned": s.learned,
        "tests": s.tests,
        "forest_states": s.forest_states,
        "regions": s.regions,
        "splits": s.splits,
        "foreseen": s.counter("foreseen"),
        "graphs": s.counter("graphs"),
        "queries": s.counter("queries"),
        "summaries_used": s.counter("summaries_used"),
        "removed_edges": s.counter("removed_edges"),
        "largest_predicate": s.counter("largest_predicate"),
        "locations": s.locations,
        "peak_memory_bytes": s.peak_memory,
        "seconds": s.time.as_secs_f64(),
    });
    for (name, count) in &s.counters {
        all[*name] = json!(count);
    }
    all
}
