//! No proof is printed before a checker that shares no code with the engines has accepted it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use prova_certify::certificate::{Certificate, VERSION};
use prova_certify::prepare::{digest, digest_bytes};
use prova_certify::{check, Accepted, Failure, Limits};
use prova_engine::{Accept, Acceptance};
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

    /// What was accepted already.
    #[arg(skip)]
    judge: Judge,
}

impl Options {
    /// Who accepts proofs while a search can still go on without them; nobody, if none is wanted.
    pub fn acceptance(&self) -> Accept {
        let solvers = solvers(&self.certify_with);
        let before: Option<Arc<dyn Acceptance>> = match self.no_certify {
            true => None,
            false => Some(Arc::new(Before {
                judge: self.judge.clone(),
                solvers,
            })),
        };
        Accept(before)
    }
}

/// Checks certificates, and remembers the last one that was accepted: whoever asks again about the
/// same claims on the same program gets the same answer.
#[derive(Clone, Debug, Default)]
struct Judge(Arc<Mutex<Option<Remembered>>>);

#[derive(Debug)]
struct Remembered {
    /// The digest of the program that the property is woven into.
    program: String,
    body: String,
    accepted: Accepted,
    time: Duration,
}

impl Judge {
    /// Checks claims on a program. How long that took, now or when it was done.
    fn check(
        &self,
        task: &Task,
        body: &str,
        solvers: &[SolverChoice],
        budget: &Budget,
    ) -> Result<(Accepted, Duration), Failure> {
        let start = Instant::now();
        // Two searches may ask at once: nobody waits for the other's certificate.
        let last = || self.0.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(last) = last().as_ref().filter(|last| last.body == body) {
            if last.program == digest(&task.program) {
                return Ok((last.accepted.clone(), last.time));
            }
        }
        let limits = Limits {
            query: PATIENCE,
            deadline: budget.remaining().map(|left| Instant::now() + left),
            cancelled: &|| budget.poll().is_some(),
            ask_all: false,
        };
        let certificate = Certificate::parse(&format!("(prova-certificate {VERSION})\n{body}"))?;
        let accepted = check(&task.program, &certificate, solvers, &limits)?;
        let time = start.elapsed();
        *last() = Some(Remembered {
            program: digest(&task.program),
            body: body.to_string(),
            accepted: accepted.clone(),
            time,
        });
        Ok((accepted, time))
    }
}

/// Asked before a proof ends a search.
struct Before {
    judge: Judge,
    solvers: Vec<SolverChoice>,
}

impl Acceptance for Before {
    fn judge(&self, task: &Task, proof: &Proof, budget: &Budget) -> Result<(), String> {
        let checked = self.judge.check(task, &body(proof)?, &self.solvers, budget);
        checked.map(|_| ()).map_err(|failure| failure.to_string())
    }
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
    /// The measures in it.
    measures: Vec<String>,
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
    if options.no_certify {
        let reason = Unknown::Certificate("not certified, as asked (--no-certify)".into());
        return Ok((rejected(report, reason), None));
    }
    let written = header(subject, task).and_then(|header| Ok((header, body(proof)?)));
    let (header, body) = match written {
        Ok(written) => written,
        Err(reason) => return Ok((rejected(report, Unknown::Certificate(reason)), None)),
    };
    let solvers = solvers(&options.certify_with);
    let (accepted, time) = match options.judge.check(task, &body, &solvers, budget) {
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
    let text = format!("{header}\n{body}");
    if let Some(file) = &options.certificate {
        std::fs::write(file, &text)
            .with_context(|| format!("cannot write the certificate to {}", file.display()))?;
    }
    let certified = Certified {
        accepted,
        time,
        text,
        measures: subject.measures.to_vec(),
    };
    Ok((report, Some(certified)))
}

/// Whether the checker accepts a proof that nobody wants to keep; an error says why not.
pub fn accepts(task: &Task, proof: &Proof, budget: &Budget) -> Result<(), String> {
    let before = Before {
        judge: Judge::default(),
        solvers: solvers(&[]),
    };
    before.judge(task, proof, budget)
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

/// What a certificate says of the proof itself: all that a checker needs beside the program.
fn body(proof: &Proof) -> Result<String, String> {
    let claims = prova_engine::proof::certificate::claims(proof)?;
    let passes = proof.passes.join(" ");
    let prepared = digest(&proof.program);
    Ok(format!(
        "(passes {passes})\n(prepared \"{prepared}\")\n{claims}"
    ))
}

/// What stands before that, for whoever finds the certificate later: what it is about.
fn header(subject: &Subject, task: &Task) -> Result<String, String> {
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
        let kinds = super::termination::kinds(&self.measures);
        json!({
            "measures": kinds.iter().map(|(line, kind)| json!({
                "measure": line,
                "kind": kind,
            })).collect::<Vec<_>>(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use prova_engine::{registry, Settings};
    use prova_task::Silent;

    fn task(constant: u32) -> Task {
        let text = format!(
            "extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);
             int main(void) {{ unsigned x = __VERIFIER_nondet_uint();
               if (x * x == {constant}) reach_error(); return 0; }}"
        );
        let options = prova_c::Options::default();
        let unit = prova_c::parse_text("square.c", &text, &options).expect("it is C");
        let mut program = prova_c::lower(vec![unit], &options)
            .expect("it is C")
            .program;
        prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
        Task::new(program, 0)
    }

    #[test]
    fn nothing_is_asked_twice_and_nothing_of_another_program() {
        let (task, other) = (task(3), task(7));
        let engine = registry::checker("dash", &Settings::default()).expect("there is one");
        let report = engine.check(&task, &Budget::unlimited(), &mut Silent);
        let Outcome::Proved(proof) = &report.outcome else {
            panic!("no square is 3 modulo 4");
        };
        let claims = body(proof).expect("it can be written");
        let (judge, all) = (Judge::default(), Budget::unlimited());
        // Without a solver nothing is decided that is not plain to see.
        assert!(judge.check(&task, &claims, &[], &all).is_err());
        let accepted = judge.check(&task, &claims, &[SolverChoice::Z3], &all);
        assert_eq!(
            accepted.expect("it is a proof").0.by,
            [("Z3 in this process".into(), 1)]
        );
        assert!(judge.check(&task, &claims, &[], &all).is_ok());
        assert!(judge
            .check(&other, &claims, &[SolverChoice::Z3], &all)
            .is_err());
        let weaker = format!("{claims}\n");
        assert!(judge.check(&task, &weaker, &[], &all).is_err());
    }
}
