//! `prova run`: the program, run on inputs from a file or drawn at random.
//!
//! Exit status: 0 if the run came to an end of its own (it returned, exited, aborted or broke an
//! assumption), 1 if it reached an error location, 2 for bad inputs, 3 if it was stopped by a
//! limit or by undefined behaviour, so that what it would have done is not known.

pub mod inputs;
mod trace;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use prova_exec::{run_plain, Code, Exhausted, Limits, Run, RunEnd, Summary, Test};
use prova_ir::{MarkerKind, Program, Statement, UNMODELLED};
use prova_spec::{weave_unreach_call, Spec};
use prova_task::border::settle;
use prova_task::Budget;

use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog::{self, Floor};
use crate::world::{check_names, competition, WorldArguments};

/// Arguments of `prova run`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    #[command(flatten)]
    world: WorldArguments,

    /// Read input values from this file, one per line; # starts a comment.
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    inputs: Option<PathBuf>,

    /// Draw input values from this seed; without it and without a file they are zero.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Print each source line with the values it changed.
    #[arg(long)]
    trace: bool,

    /// Stop after so many steps.
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    max_steps: u64,

    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    max_time: u64,

    /// Stop when so many megabytes are in use.
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    max_memory: usize,
}

/// Runs `prova run`.
pub fn run(arguments: Arguments) -> anyhow::Result<Status> {
    let budget = Budget::new(Some(Duration::from_secs(arguments.max_time)), None);
    watchdog::interruptible(&budget);
    let speak = |(): &mut (), stop| watchdog::said_plainly(stop);
    watchdog::guarded(&budget, (), speak, |floor| {
        executed(arguments, &budget, floor)
    })
}

fn executed(
    mut arguments: Arguments,
    budget: &Budget,
    floor: &Floor<()>,
) -> anyhow::Result<Status> {
    arguments.sources.settle()?;
    let world = arguments.world.world(competition());
    arguments.sources.world = world.clone();
    let mut program = input::load(&arguments.sources)?;
    check_names(&program, &world)?;
    take_one_order(&mut program);
    let spec = Spec::default();
    settle(&mut program, &world, &|name| spec.is_about(name));
    weave_unreach_call(&mut program, &spec);
    let program = Arc::new(program);
    let code =
        Code::new(Arc::clone(&program)).map_err(|error| Rejected::because(error.to_string()))?;
    let limits = Limits {
        steps: arguments.max_steps,
        time: budget.remaining(),
        memory: arguments.max_memory << 20,
        ..Limits::default()
    };
    let (test, summary) = match &arguments.inputs {
        Some(path) => inputs::run(&code, path, limits)?,
        None => {
            let mut test = arguments.seed.map_or_else(Test::zero, Test::seeded);
            test.exhausted = Exhausted::Continue;
            let summary = run_plain(&code, &test, limits);
            (test, summary)
        }
    };
    let mut held = floor.take();
    let mut out = Output::new();
    if arguments.trace {
        let run = Run::new(&code, &test, limits);
        trace::print(&run, &mut out)?;
    }
    out.write_all(&summary.output)?;
    out.flush()?;
    report(&program, &summary);
    let status = status(&program, &summary.end);
    held.said = Some(status);
    Ok(status)
}

/// A run takes one of the orders that C allows, where a verdict would have to hold for all.
fn take_one_order(program: &mut Program) {
    let open = MarkerKind::Other(prova_c::OPEN_ORDER.into());
    let markers = &program.markers;
    let bodies = program
        .procedures
        .iter_mut()
        .filter_map(|p| p.body.as_mut());
    for edge in bodies.flat_map(|b| &mut b.edges) {
        match edge.statement {
            Statement::Marker(id) if markers[id.index()].kind == open => {
                edge.statement = Statement::Skip;
            }
            _ => {}
        }
    }
}

/// What the end of a run means for the exit status.
fn status(program: &Program, end: &RunEnd) -> Status {
    match end {
        RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Aborted(_) | RunEnd::AssumeFailed(_) => {
            Status::Fine
        }
        RunEnd::ErrorReached(_) if not_modelled(program, end).is_some() => Status::Unknown,
        RunEnd::ErrorReached(_) => Status::Violated,
        RunEnd::InputsExhausted(_) => Status::BadInput,
        RunEnd::Trap(..)
        | RunEnd::StepLimit(_)
        | RunEnd::TimeLimit
        | RunEnd::MemoryLimit
        | RunEnd::StackOverflow(_)
        | RunEnd::Unsupported(_) => Status::Unknown,
    }
}

/// What the run came to that is not modelled, if it ended there.
fn not_modelled<'p>(program: &'p Program, end: &RunEnd) -> Option<&'p str> {
    let at = end.at()?;
    let error = program
        .procedure(at.proc)
        .body
        .as_ref()?
        .error_at(at.location)?;
    (error.property == UNMODELLED).then_some(error.message.as_str())
}

/// Says on standard error how it ended, so that standard output is the program's own.
fn report(program: &Program, summary: &Summary) {
    let mut unknown: Vec<&str> = summary
        .unknown_calls
        .iter()
        .map(|&p| program.procedure(p).c_name.as_str())
        .collect();
    unknown.sort_unstable();
    unknown.dedup();
    for name in unknown {
        eprintln!("prova: `{name}` has no body: what it returned was arbitrary");
    }
    let place = summary.end.at().and_then(|at| {
        let body = program.procedure(at.proc).body.as_ref()?;
        input::place(program, body.location(at.location).span)
    });
    let what = match not_modelled(program, &summary.end) {
        Some(what) => format!("the run came to {what}"),
        None => summary.end.describe(program),
    };
    match place {
        Some(place) => eprintln!("prova: {place}: {what}"),
        None => eprintln!("prova: {what}"),
    }
}
