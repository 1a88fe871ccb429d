//! `prova validate`: whether a witness, from whatever tool, is right about a program.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use prova_engine::Auto;
use prova_evidence::witness::validate::{read, Refused, Validation, Verdict};
use prova_evidence::Options;
use prova_ir::World;
use prova_task::{Budget, Silent};

use super::check::certify::accepts;
use crate::arguments::Sources;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog;
use crate::world::{competition, WorldArguments};

/// Arguments of `prova validate`.
#[derive(Debug, Args)]
#[command(
    override_usage = "prova validate [OPTIONS] [FILE]... <WITNESS>",
    after_help = "Example:\n  prova validate lock.c lock.yml\n\nThe last file is the witness: YAML, format 2.0, of a violation or of a proof.\n\
                  Exit status: 0 confirmed, 1 rejected, 2 bad usage or input, 3 unknown."
)]
pub struct ValidateArguments {
    #[command(flatten)]
    pub sources: Sources,

    /// The function that was checked with arbitrary arguments and globals, instead of `main`.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,

    /// Stop when this much memory is in use.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    #[command(flatten)]
    world: WorldArguments,

    /// Do not compile and run tests; a violation is not confirmed then.
    #[arg(long)]
    no_replay: bool,
}

/// Runs `prova validate`.
pub fn run(mut arguments: ValidateArguments) -> anyhow::Result<Status> {
    let Some(path) = arguments.sources.files.pop() else {
        return Err(Rejected::because("a program and a witness are needed").into());
    };
    arguments.sources.settle()?;
    // Witnesses are the competition's.
    let world = arguments.world.world(competition());
    arguments.sources.world = world.clone();
    let files = arguments.sources.files.clone();
    let witness = read(&path).map_err(refused)?;
    let sources = prova_evidence::Sources {
        files,
        options: arguments.sources.options(),
        ..Default::default()
    };
    let budget = Budget::new(
        arguments.timeout.map(Duration::from_secs),
        arguments.memory.map(|mb| mb.saturating_mul(1 << 20)),
    );
    watchdog::interruptible(&budget);
    let engine = Auto::default();
    let options = Options {
        native: !arguments.no_replay,
        ..Options::default()
    };
    let validation = Validation {
        sources: &sources,
        entry: arguments.entry.as_deref(),
        engine: &engine,
        budget: &budget,
        options: &options,
        certify: &|task, proof| accepts(task, proof, &budget),
        world: &world,
    };
    let speak = |(): &mut (), stop| watchdog::said_as_answer("unknown", stop);
    watchdog::guarded(&budget, (), speak, |floor| {
        let verdict = validation.run(&witness, &mut Silent).map_err(refused)?;
        let mut held = floor.take();
        let status = print(verdict, &world)?;
        held.said = Some(status);
        Ok(status)
    })
}

/// Prints what came of it.
fn print(verdict: Verdict, world: &World) -> anyhow::Result<Status> {
    let mut out = Output::new();
    let status = match verdict {
        Verdict::Confirmed(why) => {
            writeln!(out, "confirmed: {why}")?;
            Status::Fine
        }
        Verdict::Rejected(why) => {
            writeln!(out, "rejected: {why}")?;
            Status::Violated
        }
        Verdict::Unknown(why) => {
            writeln!(out, "unknown: {why}")?;
            Status::Unknown
        }
    };
    if status != Status::Unknown {
        let choices = world.choices().into_iter();
        let choices: Vec<String> = choices.map(|(k, v)| format!("{k} {v}")).collect();
        writeln!(out, "  assumed: {}", choices.join(", "))?;
    }
    out.flush()?;
    Ok(status)
}

fn refused(why: Refused) -> Rejected {
    Rejected::because(why.to_string())
}
