//! A run for other tools: CSV, JSON, SARIF.

use crate::policy::{Policy, Standing};
use crate::store::{Entry, Finished};
use serde_json::{json, Value};

/// A line for each check. Fields that need it are quoted as RFC 4180 says.
pub fn csv(entries: &[Entry]) -> String {
    let head = "program,entry,property,verdict,reason,message,file,line,seconds,cpu,peak_bytes,iterations,recalled,expected";
    let mut out = format!("{head}\n");
    for entry in entries {
        let none = Finished::default();
        let a = entry.answer.as_ref().unwrap_or(&none);
        let job = &entry.job;
        let fields = [
            job.program.clone(),
            job.entry.clone(),
            job.property.clone(),
            a.verdict.clone(),
            a.reason.clone(),
            a.message.clone(),
            a.file.clone(),
            a.line.to_string(),
            format!("{:.3}", a.seconds),
            format!("{:.3}", a.cpu),
            a.peak.to_string(),
            a.iterations.to_string(),
            a.recalled.clone(),
            job.expected.clone().unwrap_or_default(),
        ];
        out.push_str(&fields.map(|f| quoted(&f)).join(","));
        out.push('\n');
    }
    out
}

fn quoted(field: &str) -> String {
    match field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_string(),
    }
}

/// One object with all checks; `whole` gives each check's whole answer.
pub fn json(entries: &[Entry], whole: &dyn Fn(&Entry) -> Option<Value>) -> Value {
    let checks: Vec<Value> = entries
        .iter()
        .map(|entry| {
            let job = &entry.job;
            let a = entry.answer.as_ref();
            json!({
                "program": job.program,
                "entry": job.entry,
                "property": job.property,
                "words": job.words,
                "expected": job.expected,
                "verdict": a.map(|a| &a.verdict),
                "reason": a.map(|a| &a.reason),
                "seconds": a.map(|a| a.seconds),
                "cpu_seconds": a.map(|a| a.cpu),
                "recalled": a.map(|a| &a.recalled),
                "answer": whole(entry),
            })
        })
        .collect();
    json!({ "version": 1, "checks": checks })
}

/// SARIF 2.1.0 of all: violations are errors, open checks notes, proofs are passes. What is suppressed
/// says so.
pub fn sarif(entries: &[Entry], policy: &Policy, version: &str) -> Value {
    let mut rules: Vec<String> = entries.iter().map(|e| e.job.property.clone()).collect();
    rules.sort();
    rules.dedup();
    let results: Vec<Value> = entries
        .iter()
        .filter_map(|entry| Some(result(entry, entry.answer.as_ref()?, policy)))
        .collect();
    let rules: Vec<Value> = rules
        .iter()
        .map(|id| json!({ "id": id, "shortDescription": { "text": format!("the property {id}") } }))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Prova",
                "version": version,
                "rules": rules,
            } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn result(entry: &Entry, answer: &Finished, policy: &Policy) -> Value {
    let (kind, level) = match answer.verdict.as_str() {
        "proved" => ("pass", "none"),
        "violated" => ("fail", "error"),
        _ => ("open", "none"),
    };
    let what = match answer.message.as_str() {
        "" => answer.verdict.clone(),
        message => message.to_string(),
    };
    let text = format!("{}: {what}", entry.job.name());
    let mut result = json!({
        "ruleId": entry.job.property,
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "partialFingerprints": { "prova/check/v1": crate::policy::finding(&entry.job, answer) },
    });
    let file = match answer.file.as_str() {
        "" => entry.job.files.first().map_or("", String::as_str),
        file => file,
    };
    if !file.is_empty() {
        // What is about a program as a whole stands at its beginning.
        let region = json!({ "startLine": answer.line.max(1) });
        let place = json!({ "artifactLocation": { "uri": uri(file) }, "region": region });
        result["locations"] = json!([{ "physicalLocation": place }]);
    }
    if let Standing::Suppressed(reason) = policy.standing(&entry.job, answer) {
        result["suppressions"] = json!([{ "kind": "external", "justification": reason }]);
    }
    result
}

/// A path as a reference: what a reference may not contain is written as RFC 3986 says.
fn uri(path: &str) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(b);
    let mut out = String::new();
    for byte in path.trim_start_matches("./").as_bytes() {
        match plain(byte) {
            true => out.push(*byte as char),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    match out.starts_with('/') {
        true => format!("file://{out}"),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_references_are_quoted() {
        assert_eq!(quoted("a,b \"c\""), "\"a,b \"\"c\"\"\"");
        assert_eq!(uri("./a b/ü.c"), "a%20b/%C3%BC.c");
        assert_eq!(uri("/x/a.c"), "file:///x/a.c");
    }
}
