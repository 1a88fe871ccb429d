//! What `prova check` does with a violation before it says so: it happens again, natively, or it
//! is none.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use prova_engine::{Outcome, Report, Task, Unknown};
use prova_evidence::{confirm, Confirmed, How, NotConfirmed, Options, Sources};
use serde_json::{json, Value};

use crate::output::Output;

/// Arguments about evidence.
#[derive(Debug, Args)]
pub struct EvidenceArguments {
    /// Keep the C harness that makes the error happen in a plain gcc program.
    #[arg(long, value_name = "FILE")]
    harness: Option<PathBuf>,

    /// Do not compile and run a failing test; interpret it once more instead.
    #[arg(long)]
    no_replay: bool,

    /// Time a compiled failing test may run.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    replay_timeout: u64,
}

/// Properties whose violations a plain native run shows.
const SHOWN: [&str; 2] = ["unreach-call", "assert"];

/// What came of it.
#[derive(Debug, Default)]
pub struct Evidence {
    confirmed: Option<Confirmed>,
    refuted: Option<NotConfirmed>,
}

/// Confirms a violation. One that cannot be confirmed becomes unknown.
pub fn gather(
    arguments: &EvidenceArguments,
    sources: &Sources,
    task: &Task,
    report: &mut Report,
) -> Evidence {
    let mut evidence = Evidence::default();
    let Outcome::Violated(violation) = &report.outcome else {
        return evidence;
    };
    let natively = SHOWN.contains(&violation.property.as_str());
    let options = Options {
        native: !arguments.no_replay && natively,
        harness: arguments.harness.clone(),
        time: Duration::from_secs(arguments.replay_timeout),
    };
    match confirm(task, sources, violation, &options) {
        Ok(mut confirmed) => {
            if !natively && !arguments.no_replay {
                let why = "a plain program does not show this error";
                confirmed.how = How::Interpretation(why.into());
            }
            evidence.confirmed = Some(confirmed);
        }
        Err(refuted) => {
            report.outcome = Outcome::Unknown(Unknown::Replay(refuted.what.clone()));
            evidence.refuted = Some(refuted);
        }
    }
    evidence
}

impl Evidence {
    /// Prints how a violation was confirmed, or the traces of one that was not.
    pub fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        if let Some(confirmed) = &self.confirmed {
            match &confirmed.how {
                How::Native => writeln!(
                    out,
                    "  replayed: compiled with a harness, the program reaches the error"
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
                "seconds": c.time.as_secs_f64(),
            }),
            (None, Some(r)) => json!({ "how": "failed", "ours": r.ours, "native": r.native }),
            (None, None) => Value::Null,
        }
    }
}
