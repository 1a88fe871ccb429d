//! The page: the source in colours. Green is covered (and by how many tests), grey is impossible (and
//! which certificate says so), red is open (and why). A line has the colour of its worst goal, and
//! what its goals are beside it.

use crate::goal::{Goal, Kind};
use crate::session::End;
use prova_ir::Program;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A goal as the page shows it.
pub struct Shown<'a> {
    /// The goal.
    pub goal: &'a Goal,
    /// How it ended.
    pub end: &'a End,
    /// Tests of the suite that cover it.
    pub tests: usize,
    /// How near tests came, where it is open.
    pub near: String,
}

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; color: #222; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
table { border-collapse: collapse; } td, th { padding: 0 .7em; text-align: left; }
.source td { font: 13px/1.5 ui-monospace, monospace; white-space: pre; vertical-align: top; padding: 0 .5em; }
.source td.note { font: 12px/1.6 system-ui, sans-serif; white-space: normal; color: #555; }
.number { color: #999; text-align: right !important; user-select: none; }
.covered td.code { background: #dff5df; } .impossible td.code { background: #e4e4e4; color: #666; }
.open td.code { background: #fbdcdc; }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .3em; }
.dot.covered { background: #3a3; } .dot.impossible { background: #999; } .dot.open { background: #c33; }
";

/// The page of a program, whose files have these texts.
pub fn page(program: &Program, texts: &BTreeMap<u32, String>, shown: &[Shown]) -> String {
    let mut out = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage</title>\n<style>",
    );
    out.push_str(STYLE);
    out.push_str("</style></head><body>\n<h1>Coverage</h1>\n");
    summary(&mut out, shown);
    for (file, text) in texts {
        let name = program.files.get(*file as usize).map_or("?", |f| &f.name);
        let here: Vec<&Shown> = shown
            .iter()
            .filter(|s| s.goal.span.file.0 == *file)
            .collect();
        if here.is_empty() {
            continue;
        }
        let _ = writeln!(out, "<h2>{}</h2>\n<table class=\"source\">", escaped(name));
        for (index, line) in text.lines().enumerate() {
            let number = index as u32 + 1;
            let goals: Vec<&&Shown> = here.iter().filter(|s| s.goal.span.line == number).collect();
            let worst = goals.iter().map(|s| class(s.end)).max_by_key(|c| match *c {
                "open" => 2,
                "impossible" => 1,
                _ => 0,
            });
            let tests = goals
                .iter()
                .filter(|s| s.goal.kind == Kind::Line)
                .map(|s| s.tests)
                .max()
                .unwrap_or(0);
            let count = match tests {
                0 => String::new(),
                n => format!("{n}×"),
            };
            let _ = writeln!(
                out,
                "<tr class=\"{}\"><td class=\"number\">{number}</td><td class=\"number\">{count}</td>\
                 <td class=\"code\">{}</td><td class=\"note\">{}</td></tr>",
                worst.unwrap_or(""),
                escaped(line),
                notes(&goals)
            );
        }
        out.push_str("</table>\n");
    }
    out.push_str("</body></html>\n");
    out
}

fn class(end: &End) -> &'static str {
    match end {
        End::Covered => "covered",
        End::Impossible(_) => "impossible",
        End::Open(_) => "open",
    }
}

fn summary(out: &mut String, shown: &[Shown]) {
    out.push_str("<table><tr><th></th><th>covered</th><th>impossible</th><th>open</th></tr>\n");
    for kind in Kind::ALL {
        let of = |class_: &str| {
            let own = shown.iter().filter(|s| s.goal.kind == kind);
            own.filter(|s| class(s.end) == class_).count()
        };
        let counts = [of("covered"), of("impossible"), of("open")];
        if counts.iter().sum::<usize>() > 0 {
            let [covered, impossible, open] = counts;
            let word = kind.word();
            let _ = writeln!(
                out,
                "<tr><td>{word}</td><td>{covered}</td><td>{impossible}</td><td>{open}</td></tr>"
            );
        }
    }
    out.push_str("</table>\n");
}

/// What the goals of a line are, lines and functions that are covered left out.
fn notes(goals: &[&&Shown]) -> String {
    let mut notes = Vec::new();
    for shown in goals {
        let plain = matches!(shown.goal.kind, Kind::Line | Kind::Function);
        let said = match shown.end {
            End::Covered if plain => continue,
            End::Covered if shown.tests == 1 => "1 test".to_owned(),
            End::Covered => format!("{} tests", shown.tests),
            End::Impossible(number) => format!("impossible (certificate {})", number + 1),
            End::Open(why) => format!("open: {why}; {}", shown.near),
        };
        notes.push(format!(
            "<span class=\"dot {}\"></span>{}: {}",
            class(shown.end),
            escaped(&shown.goal.what),
            escaped(&said)
        ));
    }
    notes.join("<br>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
