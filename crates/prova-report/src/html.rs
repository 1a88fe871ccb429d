//! One self-contained page: annotated source, the failing run step by step, regions as they came
//! to be, invariants, statistics. No network; the data is JSON in the page, `page.js` draws it.

use crate::facts::{facts, FactsAt};
use crate::source::Sources;
use crate::story::{replay, tell, Event};
use crate::terminal::ending_text;
use prova_ir::{FileId, Span};
use prova_task::proof::Ending;
use prova_task::GraphView;
use prova_task::{Outcome, Report, Task};
use serde_json::{json, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Longer facts of regions are cut.
const LONGEST: usize = 400;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The page of a check; `graphs` are the region graphs in the order in which they were seen.
pub fn page(task: &Task, report: &Report, graphs: &[GraphView], property: &str) -> String {
    let data = data(task, report, graphs, property);
    // Inside a script element, `<` could end it.
    let text = data.to_string().replace('<', "\\u003c");
    PAGE.replace("/*STYLE*/", STYLE)
        .replace("/*SCRIPT*/", SCRIPT)
        .replace("/*DATA*/", &text)
}

/// The page with a list of the violations at other places, each a `message` and where it is (`at`).
pub fn with_further(page: &str, further: &[Value]) -> String {
    let text = json!(further).to_string().replace('<', "\\u003c");
    page.replacen(NO_FURTHER, &format!("\"further\":{text}"), 1)
}

/// Where they go.
const NO_FURTHER: &str = "\"further\":[]";

fn data(task: &Task, report: &Report, graphs: &[GraphView], property: &str) -> Value {
    let program = &task.program;
    let sources = Sources::default();
    let executable = executable(task);
    let mut shown: BTreeMap<FileId, BTreeSet<u32>> = BTreeMap::new();
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    for span in bodies.flat_map(|b| b.edges.iter().map(|e| e.span)) {
        if span.is_known() {
            let lines = shown.entry(span.file).or_default();
            if executable.contains(&(span.file, span.line)) {
                lines.insert(span.line);
            }
        }
    }
    let unreached: BTreeSet<(FileId, u32)> = report
        .scope
        .unreached
        .iter()
        .map(|s| (s.file, s.line))
        .collect();
    // Without tests of its own an engine cannot say which lines were passed.
    let tested = report.statistics.tests > 0;
    let files: Vec<Value> = shown
        .iter()
        .map(|(file, lines)| {
            let missed: Vec<u32> = lines
                .iter()
                .copied()
                .filter(|l| unreached.contains(&(*file, *l)))
                .collect();
            json!({
                "name": program.files.get(file.index()).map_or("?", |f| f.name.as_str()),
                "lines": *sources.lines(program, *file),
                "executable": if tested { lines.clone() } else { BTreeSet::new() },
                "missed": if tested { missed } else { Vec::new() },
            })
        })
        .collect();
    let name = |s: Span| crate::source::file_name(program, s).to_string();
    let at = match &report.outcome {
        Outcome::Violated(v) => Some(crate::source::place(program, v.span)),
        Outcome::Unknown(u) => u.span().map(|s| crate::source::place(program, s)),
        Outcome::Proved(_) | Outcome::Bounded(_) => None,
    };
    let (verdict, message, trace, inputs) = match &report.outcome {
        Outcome::Violated(v) => {
            let mut steps = Vec::new();
            if let Some(run) = replay(task, v) {
                let story = tell(&run, v, &sources);
                story
                    .events
                    .iter()
                    .for_each(|e| trace_steps(e, 1, &mut steps));
            }
            let inputs = v.inputs.iter().map(|i| {
                json!({ "name": i.name, "value": i.value, "file": name(i.span), "line": i.span.line })
            });
            ("violated", v.message.clone(), steps, inputs.collect())
        }
        Outcome::Proved(proof) => {
            let text = match &report.scope.vacuous {
                Some(reason) => format!("vacuously: {reason}"),
                None if proof.ends.is_some() => "every run ends".into(),
                None => "no run reaches an error".into(),
            };
            ("proved", text, Vec::new(), Vec::<Value>::new())
        }
        Outcome::Bounded(b) => {
            let text = b.message(|s| crate::source::place(program, s));
            ("bounded", text, Vec::new(), Vec::new())
        }
        Outcome::Unknown(u) => ("unknown", u.to_string(), Vec::new(), Vec::new()),
    };
    // Why loops end stands beside them, before what holds there.
    let ending = |e: &Ending| FactsAt {
        span: e.span,
        cases: vec![vec![ending_text(program, e)]],
        loop_head: true,
    };
    let invariants: Vec<Value> = match &report.outcome {
        Outcome::Proved(proof) => proof
            .ends
            .iter()
            .flatten()
            .map(ending)
            .chain(facts(proof))
            .map(|f| {
                json!({ "file": name(f.span), "line": f.span.line, "text": f.text(),
                        "cases": f.cases.iter().take(40).collect::<Vec<_>>(), "head": f.loop_head })
            })
            .collect(),
        _ => Vec::new(),
    };
    let contracts: Vec<Value> = match &report.outcome {
        Outcome::Proved(proof) => crate::contracts::contracts(proof)
            .iter()
            .map(|c| json!({ "file": name(c.span), "line": c.span.line, "function": c.function, "text": c.text() }))
            .collect(),
        _ => Vec::new(),
    };
    let busy: Vec<Value> = crate::help::busy(program, report)
        .iter()
        .map(|b| json!({ "file": name(b.span), "line": b.span.line, "what": b.what, "splits": b.splits, "last": b.last }))
        .collect();
    let hints = match &report.outcome {
        Outcome::Unknown(reason) => crate::help::hints(program, reason, report),
        _ => Vec::new(),
    };
    // The same regions occur in graph after graph.
    let mut told: std::collections::HashMap<&str, String> = std::collections::HashMap::new();
    for region in graphs.iter().flat_map(|g| &g.regions) {
        told.entry(&region.facts).or_insert_with(|| {
            let facts = region.facts.trim_matches(['[', ']']);
            let facts = crate::facts::plain(program, &crate::contracts::ghosts(facts));
            match facts.char_indices().nth(LONGEST) {
                Some((cut, _)) => format!("{}…", &facts[..cut]),
                None => facts,
            }
        });
    }
    let graphs: Vec<Value> = graphs
        .iter()
        .map(|g| {
            let regions = g.regions.iter().map(|r| {
                json!({ "place": r.span.map(|s| format!("line {}", s.line)), "line": r.span.map(|s| s.line),
                        "facts": told.get(r.facts.as_str()), "states": r.states, "error": r.error })
            });
            json!({ "title": g.title, "iteration": g.iteration, "regions": regions.collect::<Vec<_>>(),
                    "places": crate::layout::layout(g.regions.len(), &g.edges),
                    "edges": g.edges, "frontier": g.frontier })
        })
        .collect();
    let s = &report.statistics;
    let assumed = report.scope.assumptions.iter();
    let assumed: Vec<String> = assumed.map(ToString::to_string).collect();
    json!({
        "verdict": verdict, "property": property, "further": [], "message": message, "at": at, "files": files, "trace": trace, "inputs": inputs,
        "contracts": contracts, "busy": busy, "hints": hints,
        "invariants": invariants, "graphs": graphs, "assumed": assumed,
        "statistics": [
            ["iterations", s.iterations], ["tests", s.tests], ["regions", s.regions],
            ["splits", s.splits], ["solver calls", s.solver_calls],
            ["states in the forest", s.forest_states], ["locations", s.locations],
            ["milliseconds", s.time.as_millis() as u64],
            ["milliseconds solving", s.solver_time.as_millis() as u64],
        ],
    })
}

/// The lines that tests could have come to, as far as engines kept them. Lines that the property
/// itself stands for, such as a call of `reach_error`, are not among them.
fn executable(task: &Task) -> BTreeSet<(FileId, u32)> {
    let Ok(prepared) = prova_task::Inline::Always.prepare(&task.program) else {
        return BTreeSet::new();
    };
    let program = &prepared.program;
    let bodies = program
        .procedures
        .iter()
        .enumerate()
        .filter(|(i, _)| !prepared.is_one_procedure() || *i == prepared.entry().index());
    let mut lines = BTreeSet::new();
    for body in bodies.filter_map(|(_, p)| p.body.as_ref()) {
        for edge in body.edges.iter().filter(|e| e.span.is_known()) {
            let error = body.is_error(edge.target);
            if !(error && edge.statement == prova_ir::Statement::Skip) {
                lines.insert((edge.span.file, edge.span.line));
            }
        }
    }
    lines
}

fn trace_steps(event: &Event, times: usize, into: &mut Vec<Value>) {
    match event {
        Event::Line(line) => {
            let mut step = json!(line);
            step["times"] = json!(times);
            into.push(step);
        }
        Event::Repeat { times, body, last } => {
            body.iter().for_each(|e| trace_steps(e, *times, into));
            if let Some(step) = into.last_mut() {
                step["last"] = json!(last);
            }
        }
        Event::Enter { .. } | Event::Leave { .. } => {}
    }
}
