//! A run for a browser: one page with tables and all checks, and a page for each check. Plain HTML; the
//! long list is filtered by a few lines of script, so that ten thousand rows stay quick.

use crate::policy::{Policy, Standing};
use crate::store::{Entry, Run};
use crate::table::{by_program, by_property, by_verdict, place, Table};
use crate::Error;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#1c2530;background:#fff}\
table{border-collapse:collapse;margin:1em 0}td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #dde3ea}\
td:first-child,th:first-child{text-align:left}.list td{text-align:left}.proved{color:#17692b}.violated{color:#b3261e}\
.unknown,.bounded,.error{color:#7a5200}pre{background:#f4f6f8;padding:1em;overflow:auto}input{font:inherit;padding:.3em .6em;width:24em}\
@media(prefers-color-scheme:dark){body{background:#14181d;color:#dfe6ee}td,th{border-color:#303a45}pre{background:#1d232a}\
.proved{color:#7ad491}.violated{color:#ff8a80}.unknown,.bounded,.error{color:#f0c060}a{color:#8ab8ff}}";

const SCRIPT: &str = "const rows=[...document.querySelectorAll('#checks tbody tr')];\
document.getElementById('filter').addEventListener('input',e=>{const words=e.target.value.toLowerCase().split(' ');\
for(const r of rows){const t=r.dataset.t||(r.dataset.t=r.textContent.toLowerCase());r.hidden=!words.every(w=>t.includes(w));}});";

/// Writes `index.html` and a page for each check into a folder.
pub fn write(
    folder: &Path,
    run: &Run,
    entries: &[Entry],
    policy: &Policy,
    whole: &dyn Fn(&Entry) -> Option<Value>,
) -> Result<(), Error> {
    let failed = |path: &Path| Error::io(format!("cannot write {}", path.display()));
    let pages = folder.join("checks");
    std::fs::create_dir_all(&pages).map_err(failed(&pages))?;
    let index = folder.join("index.html");
    std::fs::write(&index, all(run, entries, policy)).map_err(failed(&index))?;
    for entry in entries.iter().filter(|e| e.answer.is_some()) {
        let path = pages.join(format!("{}.html", entry.number));
        std::fs::write(&path, one(entry, whole(entry), policy)).map_err(failed(&path))?;
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn shell(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body>\n\
         <h1>{title}</h1>\n{body}</body></html>\n"
    )
}

fn table(table: &Table) -> String {
    let mut out = format!("<h2>{}</h2>\n<table><thead><tr>", escaped(&table.title));
    for cell in &table.head {
        let _ = write!(out, "<th>{}</th>", escaped(cell));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", escaped(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
    out
}

/// The page for all.
pub fn all(run: &Run, entries: &[Entry], policy: &Policy) -> String {
    let done = entries.iter().filter(|e| e.answer.is_some()).count();
    let day = crate::policy::date(run.started as i64);
    let mut body = format!(
        "<p>Run {} of {}, {day}, Prova {}: {done} of {} checks done.</p>\n",
        run.id,
        escaped(&run.name),
        escaped(&run.version),
        entries.len()
    );
    for made in [
        by_verdict(entries),
        by_program(entries),
        by_property(entries),
    ] {
        body.push_str(&table(&made));
    }
    body.push_str(
        "<h2>Checks</h2>\n<p><input id=\"filter\" placeholder=\"program, property, verdict …\"></p>\n\
         <table id=\"checks\" class=\"list\"><thead><tr><th>check</th><th>verdict</th><th>why</th><th>where</th>\
         <th>iterations</th><th>s</th></tr></thead><tbody>\n",
    );
    for entry in entries {
        let Some(answer) = &entry.answer else {
            let _ = writeln!(
                body,
                "<tr><td>{}</td><td>not done</td></tr>",
                escaped(&entry.job.name())
            );
            continue;
        };
        let why = match policy.standing(&entry.job, answer) {
            Standing::Suppressed(reason) => format!("suppressed: {reason}"),
            Standing::Known => "in the baseline".into(),
            Standing::Unexpected => "not as expected".into(),
            _ => answer.reason.clone(),
        };
        let _ = writeln!(
            body,
            "<tr><td><a href=\"checks/{}.html\">{}</a></td><td class=\"{v}\">{v}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{:.1}</td></tr>",
            entry.number,
            escaped(&entry.job.name()),
            escaped(&why),
            escaped(&place(answer)),
            answer.iterations,
            answer.seconds,
            v = escaped(&answer.verdict),
        );
    }
    let _ = write!(body, "</tbody></table>\n<script>{SCRIPT}</script>\n");
    shell(&format!("Prova: {}", run.name), &body)
}

/// The page of one check.
pub fn one(entry: &Entry, answer: Option<Value>, policy: &Policy) -> String {
    let mut body = String::from("<p><a href=\"../index.html\">all checks</a></p>\n");
    if let Some(said) = &entry.answer {
        let v = escaped(&said.verdict);
        let _ = writeln!(
            body,
            "<p><strong class=\"{v}\">{v}</strong> {} {}</p>",
            escaped(&said.message),
            escaped(&place(said))
        );
        if let Standing::Suppressed(reason) = policy.standing(&entry.job, said) {
            let _ = writeln!(body, "<p>Suppressed: {}</p>", escaped(&reason));
        }
    }
    let words: Vec<&str> = entry.job.words.iter().map(String::as_str).collect();
    let line = shlex::try_join(words).unwrap_or_default();
    let _ = writeln!(
        body,
        "<pre>prova check --timeout {} {}</pre>",
        entry.job.timeout,
        escaped(&line)
    );
    let answer = answer.unwrap_or_default();
    let evidence = &answer["evidence"];
    if let Some(inputs) = evidence["inputs"].as_array().filter(|i| !i.is_empty()) {
        body.push_str("<h2>Inputs that show it</h2>\n<table class=\"list\"><tbody>\n");
        for input in inputs {
            let text = |key: &str| escaped(input[key].as_str().unwrap_or_default());
            let line = input["at"]["line"].as_u64().unwrap_or(0);
            let _ = writeln!(
                body,
                "<tr><td>{}</td><td>{}</td><td>line {line}</td></tr>",
                text("name"),
                text("value")
            );
        }
        body.push_str("</tbody></table>\n");
    }
    if let Some(invariants) = evidence["invariants"].as_array().filter(|i| !i.is_empty()) {
        body.push_str("<h2>What holds where</h2>\n<table class=\"list\"><tbody>\n");
        for invariant in invariants {
            let at = &invariant["at"];
            let file = escaped(at["file"].as_str().unwrap_or_default());
            let line = at["line"].as_u64().unwrap_or(0);
            let cases: Vec<String> = invariant["cases"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|case| {
                    let facts = case.as_array().into_iter().flatten();
                    let facts: Vec<&str> = facts.filter_map(Value::as_str).collect();
                    escaped(&facts.join(" and "))
                })
                .collect();
            let _ = writeln!(
                body,
                "<tr><td>{file}:{line}</td><td>{}</td></tr>",
                cases.join("<br>or ")
            );
        }
        body.push_str("</tbody></table>\n");
    }
    if let Some(assumed) = answer["scope"]["assumptions"]
        .as_array()
        .filter(|a| !a.is_empty())
    {
        body.push_str("<h2>What it rests on</h2>\n<ul>\n");
        for assumption in assumed {
            let text = escaped(assumption["text"].as_str().unwrap_or_default());
            let _ = writeln!(body, "<li>{text}</li>");
        }
        body.push_str("</ul>\n");
    }
    let pretty = serde_json::to_string_pretty(&answer).unwrap_or_default();
    let _ = writeln!(
        body,
        "<details><summary>The whole answer</summary><pre>{}</pre></details>",
        escaped(&pretty)
    );
    shell(&entry.job.name(), &body)
}
