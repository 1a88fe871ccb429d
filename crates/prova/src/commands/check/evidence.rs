//! What `prova check` does with a violation before it says so: it happens again, natively, or it
//! is none.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use prova_evidence::suite::Suite;
use prova_evidence::told::told;
use prova_evidence::witness::graphml::graphml;
use prova_evidence::witness::{correctness_witness, violation_witness};
use prova_evidence::{confirm, Confirmed, How, NotConfirmed, Options, Sources};
use prova_task::{Outcome, Report, Task, Unknown};
use serde_json::{json, Value};

/// Arguments about evidence.
#[derive(Clone, Debug, Args)]
pub struct EvidenceArguments {
    /// Keep the C harness that makes the error happen in a plain gcc program.
    #[arg(long, value_name = "FILE")]
    harness: Option<PathBuf>,

    /// Write a witness (format 2.0, YAML) of what was found.
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,

    /// Write a violation's witness as GraphML, too (format 1.0).
    #[arg(long, value_name = "FILE")]
    witness_graphml: Option<PathBuf>,

    /// Write the tests that were run as a regression suite into this folder.
    #[arg(long, value_name = "DIR")]
    tests: Option<PathBuf>,

    /// Write those tests only that reach something new, and one that fails.
    #[arg(long, requires = "tests")]
    minimise_tests: bool,

    /// Do not compile and run a failing test; it is no violation then, unless its property is one
    /// that no compiled program shows.
    #[arg(long)]
    no_replay: bool,

    /// Time a compiled failing test may run.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    replay_timeout: u64,
}

impl EvidenceArguments {
    /// The same for a further violation: files get its number, `a.c` becomes `a-2.c`; the tests that
    /// were run are written once.
    pub fn numbered(&self, number: usize) -> EvidenceArguments {
        let mut other = self.clone();
        if number < 2 {
            return other;
        }
        let files = [
            &mut other.harness,
            &mut other.witness,
            &mut other.witness_graphml,
        ];
        for path in files.into_iter().flatten() {
            let stem = path.file_stem().unwrap_or_default();
            let stem = stem.to_string_lossy().into_owned();
            let name = match path.extension() {
                Some(end) => format!("{stem}-{number}.{}", end.to_string_lossy()),
                None => format!("{stem}-{number}"),
            };
            path.set_file_name(name);
        }
        other.tests = None;
        other
    }
}

/// What came of it.
#[derive(Default)]
pub struct Evidence {
    confirmed: Option<Confirmed>,
    refuted: Option<NotConfirmed>,
    /// Files that were written, and what could not be.
    files: Vec<String>,
}

/// Confirms a violation. One that cannot be confirmed becomes unknown.
pub fn gather(
    arguments: &EvidenceArguments,
    sources: &Sources,
    task: &Task,
    report: &mut Report,
) -> Evidence {
    let mut evidence = Evidence::default();
    evidence
        .files
        .extend(suite(arguments, sources, task, report));
    let violation = match &mut report.outcome {
        Outcome::Violated(violation) => violation,
        Outcome::Proved(proof) => {
            if let Some(path) = &arguments.witness {
                let text = correctness_witness(task, proof, sources).map(|w| w.write());
                evidence.files.push(write("witness", path, text));
            }
            return evidence;
        }
        Outcome::Bounded(_) | Outcome::Unknown(_) => return evidence,
    };
    let options = Options {
        native: !arguments.no_replay,
        harness: arguments.harness.clone(),
        time: Duration::from_secs(arguments.replay_timeout),
    };
    match confirm(task, sources, violation, &options) {
        Ok(confirmed) => {
            violation.inputs = told(&violation.inputs);
            let files = violation_files(arguments, sources, &confirmed);
            evidence.files.extend(files);
            evidence.confirmed = Some(confirmed);
        }
        Err(refuted) => {
            report.outcome = Outcome::Unknown(Unknown::Replay(refuted.what.clone()));
            evidence.refuted = Some(refuted);
        }
    }
    evidence
}

/// Writes the tests, if that was asked for.
fn suite(
    arguments: &EvidenceArguments,
    sources: &Sources,
    task: &Task,
    report: &Report,
) -> Option<String> {
    let folder = arguments.tests.as_ref()?;
    let written = Suite::new(task, &report.scope.tests, arguments.minimise_tests).and_then(|s| {
        s.write(task, sources, folder)?;
        Ok(s)
    });
    Some(match written {
        Ok(suite) => format!(
            "tests: {} in {}, {}",
            suite.tests.len(),
            folder.display(),
            suite.coverage.summary()
        ),
        Err(e) => format!("no tests in `{}`: {e}", folder.display()),
    })
}

/// Writes what was asked for about a violation.
fn violation_files(
    arguments: &EvidenceArguments,
    sources: &Sources,
    confirmed: &Confirmed,
) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(path) = &arguments.witness {
        let text = violation_witness(&confirmed.recording, sources).map(|w| w.write());
        said.push(write("witness", path, text));
    }
    if let Some(path) = &arguments.witness_graphml {
        let text = graphml(&confirmed.recording, sources);
        said.push(write("witness", path, text));
    }
    said
}

/// Writes a file; says so, or why not.
fn write(what: &str, path: &Path, text: Result<String, String>) -> String {
    let name = path.display();
    let written = text.and_then(|t| std::fs::write(path, t).map_err(|e| e.to_string()));
    match written {
        Ok(()) => format!("{what}: {name}"),
        Err(e) => format!("no {what} in `{name}`: {e}"),
    }
}

impl Evidence {
    /// Prints how a violation was confirmed, or the traces of one that was not.
    pub fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(confirmed) = &self.confirmed {
            match &confirmed.how {
                How::Native => writeln!(
                    out,
                    "  replayed: compiled with a harness, the program shows the error"
                )?,
                How::Interpretation(why) => writeln!(out, "  replayed by interpretation: {why}")?,
            }
            for note in &confirmed.notes {
                writeln!(out, "  note: {note}")?;
            }
            match confirmed.repeat.as_slice() {
                [] => writeln!(
                    out,
                    "  to repeat it by hand, keep the harness with --harness FILE"
                )?,
                lines => {
                    writeln!(out, "  to repeat it by hand:")?;
                    lines.iter().try_for_each(|l| writeln!(out, "    {l}"))?;
                }
            }
        }
        for line in &self.files {
            writeln!(out, "  {line}")?;
        }
        if let Some(refuted) = &self.refuted {
            for (title, trace) in [("our run", &refuted.ours), ("native run", &refuted.native)] {
                if !trace.is_empty() {
                    writeln!(out, "  {title}:")?;
                    trace.iter().try_for_each(|l| writeln!(out, "    {l}"))?;
                }
            }
        }
        Ok(())
    }

    /// The same for machines.
    pub fn as_json(&self) -> Value {
        match (&self.confirmed, &self.refuted) {
            (Some(c), _) => json!({
                "how": match &c.how {
                    How::Native => "native",
                    How::Interpretation(_) => "interpretation",
                },
                "why": match &c.how {
                    How::Native => None,
                    How::Interpretation(why) => Some(why),
                },
                "notes": c.notes,
                "repeat": c.repeat,
                "files": self.files,
                "seconds": c.time.as_secs_f64(),
            }),
            (None, Some(r)) => json!({ "how": "failed", "ours": r.ours, "native": r.native }),
            (None, None) => Value::Null,
        }
    }
}
