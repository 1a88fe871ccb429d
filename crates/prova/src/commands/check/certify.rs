//! No proof is printed before a checker that shares no code with the engines has accepted it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use prova_certify::certificate::{Certificate, VERSION};
use prova_certify::prepare::{digest, digest_bytes};
use prova_certify::{check, Accepted, Failure, Limits};
use prova_ir::{Assumption, DataModel, World};
use prova_logic::SolverChoice;
use prova_task::{Budget, Outcome, Proof, Report, Stop, Task, Unknown};
use serde_json::{json, Value};

use crate::arguments::Sources;

/// How long a solver may think about one condition.
pub const PATIENCE: Duration = Duration::from_secs(40);

/// Options that `check` has for certificates.
#[derive(Debug, Args, Default)]
pub struct Options {
    /// Write the certificate of a proof to this file; `prova certify` checks it again.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// The solvers that certify proofs, asked one after the other: cvc5, z3, a path, or
    /// `in-process` [default: cvc5 and z3 as far as they are installed].
    #[arg(long, value_name = "SOLVER", value_delimiter = ',')]
    certify_with: Vec<String>,

    /// Do not certify proofs: what is not certified is not called proved.
    #[arg(long, conflicts_with = "certificate")]
    no_certify: bool,
}

/// What was checked, as a certificate names it.
pub struct Subject<'a> {
    pub sources: &'a Sources,
    pub property: &'a str,
    pub entry: &'a Option<String>,
    pub label: &'a Option<String>,
    /// The measures that were woven in.
    pub measures: &'a [String],
}

/// How a proof was certified.
#[derive(Debug)]
pub struct Certified {
    accepted: Accepted,
    time: Duration,
    /// The certificate.
    pub text: String,
}

/// Lets a report pass if it proves nothing, or if its proof is certified; else it becomes
/// `unknown`.
pub fn gate(
    options: &Options,
    subject: &Subject,
    task: &Task,
    budget: &Budget,
    report: Report,
) -> anyhow::Result<(Report, Option<Certified>)> {
    let Outcome::Proved(proof) = &report.outcome else {
        return Ok((report, None));
    };
    let start = Instant::now();
    if options.no_certify {
        let reason = Unknown::Certificate("not certified, as asked (--no-certify)".into());
        return Ok((rejected(report, reason), None));
    }
    let text = match write(subject, task, proof) {
        Ok(text) => text,
        Err(reason) => return Ok((rejected(report, Unknown::Certificate(reason)), None)),
    };
    let limits = Limits {
        query: PATIENCE,
        deadline: budget.remaining().map(|left| Instant::now() + left),
        cancelled: &|| budget.poll().is_some(),
        ask_all: false,
    };
    let solvers = solvers(&options.certify_with);
    let outcome = Certificate::parse(&text)
        .and_then(|certificate| check(&task.program, &certificate, &solvers, &limits));
    let accepted = match outcome {
        Ok(accepted) => accepted,
        Err(failure) => {
            let open = matches!(failure, Failure::Interrupted | Failure::Undecided(_));
            let reason = match (budget.poll(), failure) {
                (Some(stop), _) if open => Unknown::Stopped(stop),
                (None, Failure::Interrupted) => Unknown::Stopped(Stop::Time),
                (_, failure) => Unknown::Certificate(failure.to_string()),
            };
            return Ok((rejected(report, reason), None));
        }
    };
    if let Some(file) = &options.certificate {
        std::fs::write(file, &text)
            .with_context(|| format!("cannot write the certificate to {}", file.display()))?;
    }
    let certified = Certified {
        accepted,
        time: start.elapsed(),
        text,
    };
    Ok((report, Some(certified)))
}

/// Whether the checker accepts a proof that nobody wants to keep; an error says why not.
pub fn accepts(task: &Task, proof: &Proof, budget: &Budget) -> Result<(), String> {
    let claims = prova_engine::proof::certificate::claims(proof)?;
    let text = format!(
        "(prova-certificate {VERSION})\n(passes {})\n(prepared \"{}\")\n{claims}",
        proof.passes.join(" "),
        digest(&proof.program)
    );
    let limits = Limits {
        query: PATIENCE,
        deadline: budget.remaining().map(|left| Instant::now() + left),
        cancelled: &|| budget.poll().is_some(),
        ask_all: false,
    };
    Certificate::parse(&text)
        .and_then(|certificate| check(&task.program, &certificate, &solvers(&[]), &limits))
        .map(|_| ())
        .map_err(|failure| failure.to_string())
}

fn rejected(report: Report, reason: Unknown) -> Report {
    Report {
        outcome: Outcome::Unknown(reason),
        ..report
    }
}

/// The solvers that were named; else cvc5, if it is there, and then z3, or the Z3 that is linked in.
pub fn solvers(named: &[String]) -> Vec<SolverChoice> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let runs = |name: &&&str| std::env::split_paths(&folders).any(|f| f.join(name).is_file());
    let solver = |name: &str| match name {
        "in-process" => SolverChoice::Z3,
        other => SolverChoice::Pipe(other.to_string()),
    };
    if !named.is_empty() {
        return named.iter().map(|name| solver(name)).collect();
    }
    let found = ["cvc5", "z3"].iter().filter(runs).map(|name| solver(name));
    let mut found: Vec<SolverChoice> = found.collect();
    if !found.contains(&solver("z3")) {
        found.push(SolverChoice::Z3);
    }
    found
}

/// The certificate of a proof.
fn write(subject: &Subject, task: &Task, proof: &Proof) -> Result<String, String> {
    let quoted = |text: &str| format!("\"{}\"", text.replace(['"', '\n'], "?"));
    let mut lines = vec![
        format!("(prova-certificate {VERSION})"),
        format!("(property {})", quoted(subject.property)),
        format!("(model {})", model_name(task.program.model)),
    ];
    let named = |keyword: &str, name: &Option<String>| {
        let name = name.as_deref()?;
        Some(format!("({keyword} {})", quoted(name)))
    };
    lines.extend(named("entry", subject.entry));
    lines.extend(named("label", subject.label));
    for (keyword, value) in assumptions(&subject.sources.world, &task.assumed) {
        lines.push(format!("(assume {keyword} {})", quoted(&value)));
    }
    for (name, digest) in source_digests(subject.sources).map_err(|e| e.to_string())? {
        lines.push(format!("(source {} {})", quoted(&name), quoted(&digest)));
    }
    for measure in subject.measures {
        lines.push(format!("(measure {})", quoted(measure)));
    }
    lines.push(format!("(passes {})", proof.passes.join(" ")));
    lines.push(format!("(prepared {})", quoted(&digest(&proof.program))));
    lines.push(prova_engine::proof::certificate::claims(proof)?);
    Ok(lines.join("\n"))
}

/// How a data model is named.
pub fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}

/// What a certificate says of assumptions, as keywords and values: how the world is read, and what
/// that means for this program.
pub fn assumptions(world: &World, assumed: &[Assumption]) -> Vec<(&'static str, String)> {
    let mut all = world.choices();
    for assumption in assumed {
        let pair = (assumption.keyword(), assumption.value());
        if !all.contains(&pair) {
            all.push(pair);
        }
    }
    all
}

/// Names and digests of the source files.
pub fn source_digests(sources: &Sources) -> std::io::Result<Vec<(String, String)>> {
    let one = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok((name.into_owned(), digest_bytes(&std::fs::read(path)?)))
    };
    sources.files.iter().map(one).collect()
}

impl Certified {
    /// One line for people.
    pub fn line(&self) -> String {
        let time = self.time.as_secs_f64();
        format!("certified: {}, {time:.2} s", describe(&self.accepted))
    }

    /// The same for machines.
    pub fn json(&self) -> Value {
        let accepted = &self.accepted;
        json!({
            "conditions": accepted.conditions,
            "by": accepted.by.iter().map(|(name, count)| json!({
                "solver": name,
                "conditions": count,
            })).collect::<Vec<_>>(),
            "seconds": self.time.as_secs_f64(),
        })
    }
}

/// How the conditions of a certificate were shown.
pub fn describe(accepted: &Accepted) -> String {
    let asked: usize = accepted.by.iter().map(|b| b.1).sum();
    let mut parts = vec![format!("{} plain to see", accepted.conditions - asked)];
    for (name, count) in accepted.by.iter().filter(|b| b.1 > 0) {
        parts.push(format!("{count} by {name}"));
    }
    format!("{} conditions ({})", accepted.conditions, parts.join(", "))
}
