//! Answers as one page without scripts: for each target the machine as a picture, and what the verdict
//! rests on. *Does not conform* is the strategy as a tree: at each node what the component does and
//! why no answer of the specification helps, with the component's own line; then the native runs.

use crate::conform::{Answer, Verdict};
use crate::lts::draw;
use crate::shown::{Seen, Shown};
use crate::told::Told;
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 62em; color: #222; }
h1 { font-size: 1.4em; } h2 { font-size: 1.15em; margin-top: 2em; } h3 { font-size: 1em; }
code, .line { font: 13px/1.5 ui-monospace, monospace; }
.line { background: #f4f4f4; display: block; padding: .1em .6em; white-space: pre-wrap; }
ul.tree, ul.tree ul { list-style: none; border-left: 2px solid #ccc; margin: .2em 0 .2em .6em; padding-left: 1em; }
ul.tree li { margin: .5em 0; } .action { font-weight: 600; } .way, .place { color: #666; font-size: 13px; }
.conforms { color: #283; } .violates, .lost { color: #b22; } .unknown { color: #a60; }
";

/// The page of some answers, by the names of their targets.
pub fn page(answers: &[(String, Answer)]) -> String {
    let mut out = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Conformance</title>\n<style>",
    );
    out.push_str(STYLE);
    out.push_str("</style></head><body>\n<h1>Conformance</h1>\n");
    let mut lines = Lines::default();
    for (name, answer) in answers {
        one(&mut out, &mut lines, name, answer);
    }
    out + "</body></html>\n"
}

fn one(out: &mut String, lines: &mut Lines, name: &str, answer: &Answer) {
    let (class, said) = match &answer.verdict {
        Verdict::Conforms { .. } => ("conforms", "conforms"),
        Verdict::Violates(_) => ("violates", "does not conform"),
        Verdict::Unknown(_) => ("unknown", "unknown"),
    };
    let name = escaped(name);
    let _ = writeln!(
        out,
        "<h2><code>{name}</code>: <span class=\"{class}\">{said}</span></h2>"
    );
    match &answer.verdict {
        Verdict::Conforms {
            pairs, accepted, ..
        } => {
            let _ = writeln!(
                out,
                "<p>There is a relation of {pairs} pairs between the procedure's states and the \
                 machine's. Its checker made {} conditions of it, and all of them hold.</p>",
                accepted.conditions
            );
        }
        Verdict::Violates(shown) => violation(out, lines, shown),
        Verdict::Unknown(why) => {
            let _ = writeln!(out, "<p>{}</p>", escaped(&why.to_string()));
            if !answer.effort.suspected.is_empty() {
                out.push_str("<h3>Suspected, for nothing may be run</h3>\n");
                tree(out, lines, &answer.effort.suspected);
            }
            list(out, "Conditions that were tried", &answer.effort.chosen);
        }
    }
    let _ = writeln!(
        out,
        "<details><summary>The machine</summary>\n{}</details>",
        draw::svg(&answer.specification, &answer.alphabet)
    );
    let effort = &answer.effort;
    let _ = writeln!(
        out,
        "<p class=\"way\">{} iterations, {} conditions, {} predicates, {} states, {} positions.</p>",
        effort.iterations, effort.conditions, effort.predicates, effort.states, effort.positions
    );
    list(out, "Taken for granted, shown by nobody", &answer.routines);
    list(out, "Taken for granted, and shown here", &answer.shown);
    let assumed: Vec<String> = answer.assumed.iter().map(ToString::to_string).collect();
    list(out, "Assumed", &assumed);
}

fn violation(out: &mut String, lines: &mut Lines, shown: &Shown) {
    out.push_str("<h3>What the procedure does, and why no answer helps</h3>\n");
    tree(out, lines, &shown.tree);
    out.push_str("<h3>Native runs</h3>\n");
    if shown.branching {
        out.push_str(
            "<p>No single run shows it: the runs begin alike, and the machine has to decide before \
             they part.</p>\n",
        );
    }
    out.push_str("<ol>\n");
    shown.runs.iter().for_each(|run| ran(out, run));
    out.push_str("</ol>\n");
}

/// The strategy, as lists in lists: a list for each choice of the specification.
fn tree(out: &mut String, lines: &mut Lines, nodes: &[Told]) {
    let mut open = 0;
    let mut before: Option<&Told> = None;
    out.push_str("<ul class=\"tree\">\n");
    for node in nodes {
        while open > node.depth {
            out.push_str("</ul></li>\n");
            open -= 1;
        }
        while open < node.depth {
            out.push_str("<li><ul>\n");
            open += 1;
        }
        // A choice was made right before: say which of the answers this is.
        let chosen = before.is_none_or(|b| b.answers.len() > 1 || b.answers.is_empty());
        if node.depth > 0 && chosen {
            let _ = writeln!(
                out,
                "<li class=\"way\">if it answers by going to <code>{}</code>:</li>",
                escaped(&node.state)
            );
        }
        out.push_str("<li>");
        for condition in &node.way {
            let _ = write!(out, "<div class=\"way\">where {}</div>", escaped(condition));
        }
        let _ = write!(
            out,
            "it shows <span class=\"action\">{}</span> <span class=\"place\">{}</span>",
            escaped(&node.action),
            escaped(&node.place)
        );
        if let Some(line) = lines.at(&node.place) {
            let _ = write!(out, "<span class=\"line\">{}</span>", escaped(line.trim()));
        }
        let state = escaped(&node.state);
        let _ = match node.answers.as_slice() {
            [] => {
                let allowed = match node.allowed.is_empty() {
                    true => "nothing".to_string(),
                    false => escaped(&node.allowed.join(", ")),
                };
                write!(
                    out,
                    "<div class=\"lost\">the machine, in <code>{state}</code>, has no answer: it \
                     allows {allowed}</div>"
                )
            }
            [one] => write!(
                out,
                "<div>the machine goes from <code>{state}</code> to <code>{}</code></div>",
                escaped(one)
            ),
            many => write!(
                out,
                "<div>the machine, in <code>{state}</code>, may go to {}; none of them helps</div>",
                many.iter()
                    .map(|s| format!("<code>{}</code>", escaped(s)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        };
        out.push_str("</li>\n");
        before = Some(node);
    }
    out.push_str(&"</ul></li>\n".repeat(open));
    out.push_str("</ul>\n");
}

fn ran(out: &mut String, run: &Seen) {
    let _ = write!(out, "<li>{}", escaped(&run.actions.join(", ")));
    for input in &run.inputs {
        let _ = write!(
            out,
            "<br><code>{} = {}</code>",
            escaped(&input.name),
            escaped(&input.value.to_string())
        );
    }
    for note in run.notes.iter().chain(&run.repeat) {
        let _ = write!(out, "<br><code>{}</code>", escaped(note));
    }
    out.push_str("</li>\n");
}

fn list(out: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h3>{title}</h3>\n<ul>");
    for item in items {
        let _ = writeln!(out, "<li><code>{}</code></li>", escaped(item));
    }
    out.push_str("</ul>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Lines of the files that places name, as far as they can be read.
#[derive(Default)]
struct Lines(BTreeMap<String, Vec<String>>);

impl Lines {
    /// The line at `file:line:column`.
    fn at(&mut self, place: &str) -> Option<&str> {
        let mut parts = place.rsplitn(3, ':');
        let (_, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        let line: usize = line.parse().ok()?;
        let lines = self.0.entry(file.to_string()).or_insert_with(|| {
            let text = std::fs::read(file).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            text.lines().map(str::to_string).collect()
        });
        lines.get(line.checked_sub(1)?).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: usize, action: &str, state: &str, answers: &[&str]) -> Told {
        Told {
            depth,
            action: action.into(),
            place: "at its end".into(),
            way: vec!["x < 1".into()],
            state: state.into(),
            answers: answers.iter().map(|s| s.to_string()).collect(),
            allowed: vec!["b".into()],
        }
    }

    #[test]
    fn choices_of_the_specification_are_lists() {
        let nodes = [
            node(0, "a", "s", &["l", "r"]),
            node(1, "c", "l", &[]),
            node(1, "d", "r", &[]),
        ];
        let mut out = String::new();
        tree(&mut out, &mut Lines::default(), &nodes);
        assert_eq!(out.matches("<ul").count(), out.matches("</ul>").count());
        assert_eq!(out.matches("<li").count(), out.matches("</li>").count());
        for wanted in [
            "going to <code>l</code>",
            "going to <code>r</code>",
            "may go to <code>l</code>, <code>r</code>; none of them helps",
            "has no answer: it allows b",
            "where x &lt; 1",
        ] {
            assert!(out.contains(wanted), "{wanted}: {out}");
        }
    }
}
