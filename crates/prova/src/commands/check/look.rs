//! How the answer looks: colours, how much of it, and files for other tools.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use prova_report::source::place;
use prova_report::terminal::Paint;
use prova_task::GraphView;
use prova_task::{Outcome, Report, Task};
use serde_json::Value;

use crate::project::file::File;

/// Options about what is shown.
#[derive(Debug, Args, Default)]
pub struct Look {
    /// Print the verdict and nothing else.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Leave nothing out, however long it gets.
    #[arg(short, long)]
    pub verbose: bool,

    /// Write the result as SARIF 2.1.0, for code-scanning sites and editors.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,

    /// Write a report for a browser: source, failing run, regions, invariants; one file.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

impl Look {
    /// Takes what the command line leaves open from the project's file.
    pub fn take(&mut self, project: &File) {
        let files = &project.keys.output;
        let path = |file: &Option<PathBuf>| file.as_ref().map(|f| project.path(f));
        self.report = self.report.take().or_else(|| path(&files.report));
        self.sarif = self.sarif.take().or_else(|| path(&files.sarif));
    }

    /// Colours on a terminal, unless NO_COLOR is set.
    pub fn paint(&self) -> Paint {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        Paint {
            color: !unwanted && std::io::stdout().is_terminal(),
            verbose: self.verbose,
        }
    }
}

/// Files for other tools, gathered over all properties.
#[derive(Debug, Default)]
pub struct Files {
    sarif: Option<Value>,
    page: Option<String>,
    violated: bool,
    /// Violations behind the one that the page is about.
    further: Vec<Value>,
}

/// What one report adds to them.
pub struct Made {
    sarif: Option<Value>,
    page: Option<String>,
    violation: Option<Value>,
}

/// Makes what a report adds to the files.
pub fn made(
    look: &Look,
    property: &str,
    task: &Task,
    report: &Report,
    graphs: &[GraphView],
) -> Made {
    let sarif = look.sarif.as_ref();
    let page = look.report.as_ref();
    Made {
        sarif: sarif.map(|_| prova_report::sarif::sarif(task, report, property)),
        page: page.map(|_| prova_report::html::page(task, report, graphs, property)),
        violation: match &report.outcome {
            Outcome::Violated(v) => {
                let at = place(&task.program, v.span);
                Some(serde_json::json!({ "message": v.message, "at": at }))
            }
            _ => None,
        },
    }
}

impl Files {
    /// Takes in a report. SARIF gets a result per property; the page is that of the first
    /// violation, or else of the last property.
    pub fn take(&mut self, made: Made) {
        match (&mut self.sarif, made.sarif) {
            (Some(all), Some(log)) => prova_report::sarif::join(all, log),
            (None, log) => self.sarif = log,
            (Some(_), None) => {}
        }
        if self.violated {
            self.further.extend(made.violation);
        } else {
            self.violated = made.violation.is_some();
            self.page = made.page;
        }
    }

    /// Writes what was asked for.
    pub fn write(&self, look: &Look) -> anyhow::Result<()> {
        if let (Some(file), Some(log)) = (&look.sarif, &self.sarif) {
            std::fs::write(file, format!("{log:#}\n"))
                .with_context(|| format!("cannot write SARIF to {}", file.display()))?;
        }
        if let (Some(file), Some(page)) = (&look.report, &self.page) {
            let page = prova_report::html::with_further(page, &self.further);
            std::fs::write(file, page)
                .with_context(|| format!("cannot write the report to {}", file.display()))?;
        }
        Ok(())
    }
}

/// What a verdict rests on, in one line of keywords and values.
pub fn assumed(report: &Report) -> Option<String> {
    let violated = match report.outcome {
        Outcome::Proved(_) | Outcome::Bounded(_) => false,
        Outcome::Violated(_) => true,
        Outcome::Unknown(_) => return None,
    };
    let all = report.scope.assumptions.iter();
    let all = all.filter(|a| !violated || a.concerns_violations());
    let all: Vec<String> = all
        .map(|a| format!("{} {}", a.keyword(), a.value()))
        .collect();
    (!all.is_empty()).then(|| format!("assumed: {}", all.join(", ")))
}

/// The verdict in one line, with the property, the function, and what it rests on.
pub fn one_line(task: &Task, report: &Report, property: &str, entry: Option<&String>) -> String {
    let entry = entry.map_or("main", String::as_str);
    let verdict = format!("{} [{property}, {entry}]", verdict(task, report));
    match assumed(report) {
        Some(assumed) => format!("{verdict} ({assumed})"),
        None => verdict,
    }
}

fn verdict(task: &Task, report: &Report) -> String {
    match &report.outcome {
        Outcome::Proved(_) => match &report.scope.vacuous {
            Some(reason) => format!("proved, but vacuously: {reason}"),
            None => "proved: no run reaches an error".into(),
        },
        Outcome::Violated(v) => {
            format!(
                "violated: {} at {}",
                v.message,
                place(&task.program, v.span)
            )
        }
        Outcome::Bounded(bounded) => {
            let text = bounded.message(|s| place(&task.program, s));
            format!("bounded: {text}")
        }
        Outcome::Unknown(reason) => format!("unknown: {reason}"),
    }
}
