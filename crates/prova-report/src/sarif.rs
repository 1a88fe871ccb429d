//! SARIF 2.1.0 (OASIS standard): one run, one result, the story as a code flow.

use crate::source::Sources;
use crate::story::{replay, tell, Event, Line};
use prova_ir::{Program, Span};
use prova_task::{Outcome, Report, Task};
use serde_json::{json, Value};

/// The log of a check of a property.
pub fn sarif(task: &Task, report: &Report, property: &str) -> Value {
    let program = &task.program;
    let sources = Sources::default();
    let (rule, kind, level, text, span) = match &report.outcome {
        Outcome::Violated(v) => (
            v.property.as_str(),
            "fail",
            "error",
            v.message.clone(),
            Some(v.span),
        ),
        Outcome::Proved(_) => (
            property,
            "pass",
            "none",
            "No run reaches an error.".into(),
            None,
        ),
        Outcome::Bounded(b) => {
            let place = |s| crate::source::place(program, s);
            let first = b.loops.first().map(|l| l.span);
            (property, "open", "none", b.message(place), first)
        }
        Outcome::Unknown(u) => (property, "open", "none", u.to_string(), u.span()),
    };
    let mut result = json!({
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": { "text": text },
    });
    if let Some(location) = span.and_then(|s| location(program, s)) {
        result["locations"] = json!([location]);
    }
    if let Outcome::Violated(violation) = &report.outcome {
        if let Some(run) = replay(task, violation) {
            let story = tell(&run, violation, &sources);
            let mut flow = Vec::new();
            story.events.iter().for_each(|e| steps(e, &mut flow));
            if !flow.is_empty() {
                result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow }] }]);
            }
        }
        let inputs: Vec<Value> = violation
            .inputs
            .iter()
            .map(|i| json!({ "name": i.name, "value": i.value }))
            .collect();
        result["properties"] = json!({ "inputs": inputs });
    }
    let assumed = report
        .scope
        .assumptions
        .iter()
        .map(|a| json!({ "kind": a.keyword(), "value": a.value(), "text": a.to_string() }));
    let assumed: Vec<Value> = assumed.collect();
    if !assumed.is_empty() {
        result["properties"]["assumptions"] = json!(assumed);
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Prova",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [{
                    "id": rule,
                    "shortDescription": { "text": rule_text(rule) },
                }],
            }},
            "columnKind": "unicodeCodePoints",
            "results": [result],
        }],
    })
}

/// Adds the results of another check to a log: a run of the tool has one `run`.
pub fn join(log: &mut Value, other: Value) {
    let parts = ["/runs/0/results", "/runs/0/tool/driver/rules"];
    for part in parts {
        let more = other.pointer(part).and_then(Value::as_array).cloned();
        if let Some(Value::Array(all)) = log.pointer_mut(part) {
            for item in more.unwrap_or_default() {
                if part.ends_with("results") || !all.contains(&item) {
                    all.push(item);
                }
            }
        }
    }
}

fn rule_text(rule: &str) -> &'static str {
    match rule {
        "unreach-call" => "An error function, a failing assertion or an error label is reached",
        _ => "A property of the program is violated",
    }
}

fn steps(event: &Event, flow: &mut Vec<Value>) {
    match event {
        Event::Line(line) => flow.push(step(line)),
        Event::Repeat { times, body, .. } => {
            body.iter().for_each(|e| steps(e, flow));
            if let Some(last) = flow.last_mut() {
                last["properties"] = json!({ "repeated": times });
            }
        }
        Event::Enter { .. } | Event::Leave { .. } => {}
    }
}

fn step(line: &Line) -> Value {
    let mut notes: Vec<String> = line.facts.iter().map(|f| f.condition.clone()).collect();
    notes.extend(
        line.changes
            .iter()
            .map(|c| format!("{} = {}", c.name, c.value)),
    );
    notes.extend(line.failure.clone());
    let text = if notes.is_empty() {
        line.text.clone()
    } else {
        notes.join(", ")
    };
    let state: serde_json::Map<String, Value> = line
        .changes
        .iter()
        .map(|c| (c.name.clone(), json!({ "text": c.value })))
        .collect();
    json!({
        "location": {
            "physicalLocation": physical(&line.file, line.line, line.column),
            "message": { "text": text },
            "logicalLocations": [{ "name": line.function, "kind": "function" }],
        },
        "nestingLevel": line.depth,
        "importance": if line.failure.is_some() { "essential" } else { "important" },
        "state": state,
    })
}

fn location(program: &Program, span: Span) -> Option<Value> {
    let file = program
        .files
        .get(span.file.index())
        .filter(|_| span.is_known())?;
    Some(json!({ "physicalLocation": physical(&file.name, span.line, span.column) }))
}

fn physical(file: &str, line: u32, column: u32) -> Value {
    json!({
        "artifactLocation": { "uri": uri(file) },
        "region": { "startLine": line.max(1), "startColumn": column.max(1) },
    })
}

/// A file name as a reference: what URIs do not allow is escaped.
fn uri(name: &str) -> String {
    let mut text = String::new();
    if name.starts_with('/') {
        text += "file://";
    }
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                text.push(byte as char)
            }
            other => text += &format!("%{other:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_become_references() {
        assert_eq!(super::uri("a/b.c"), "a/b.c");
        assert_eq!(super::uri("/x y.c"), "file:///x%20y.c");
    }
}
