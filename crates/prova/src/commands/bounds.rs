//! `prova bounds`: for each loop a bound on its rounds that is proved and certified, or none.
//!
//! Each loop is asked about by itself, the others may run for ever meanwhile: what is not known of one
//! says nothing about another.

use std::io::Write;
use std::time::Duration;

use clap::{Args, ValueEnum};
use prova_engine::{registry, Settings};
use prova_ir::{Program, World};
use prova_spec::{Check, Property};
use prova_task::proof::Ending;
use prova_task::{Budget, Outcome, Silent, Task};
use prova_termination::shape::{circles, Circle};
use serde_json::json;

use super::check::certify;
use super::check::property::{woven, Woven};
use super::check::termination::{self, How};
use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::world::{check_names, WorldArguments};

/// Arguments of `prova bounds`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// Look at this function, called with arbitrary arguments and globals, and at what it calls,
    /// instead of `main`.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,

    /// Assume that no signed operation overflows, where a loop is not bounded otherwise.
    #[arg(long)]
    overflow_never: bool,

    #[command(flatten)]
    world: WorldArguments,

    #[command(flatten)]
    certify: certify::Options,

    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, a line for each loop.
    Text,
    /// One JSON object.
    Json,
}

/// What is known of one loop.
struct Found {
    function: String,
    place: String,
    /// Why it ends, if that is proved.
    ending: Option<Ending>,
    /// What that rests on, or why nothing is known.
    notes: Vec<String>,
}

/// Runs `prova bounds`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    arguments.sources.settle()?;
    arguments.sources.world = arguments.world.world(World::default());
    let budget = Budget::new(Some(Duration::from_secs(arguments.timeout)), None);
    let sources = &arguments.sources;
    let check = Check::of(Property::Termination);
    let program = input::load_watched(sources, true, Vec::new())?;
    check_names(&program, &sources.world)?;
    let Woven {
        program: plain,
        assumed,
        unmodelled,
        ..
    } = woven(&program, &check, &arguments.entry, &sources.world)?
        .map_err(|e| Rejected::because(e.to_string()))?;
    let task = std::sync::Arc::new(Task {
        assumed,
        unmodelled,
        ..Task::new(plain, 0)
    });
    let mut direct = task.program.clone();
    prova_ir::passes::devirtualise::devirtualise(&mut direct);
    let circles = circles(&direct);
    let loops: Vec<usize> = (0..circles.len())
        .filter(|i| circles[*i].component.is_some() && direct.is_own(circles[*i].span))
        .collect();
    let mut found = Vec::new();
    for (turn, &only) in loops.iter().enumerate() {
        let share = budget.share(loops.len() - turn);
        let asked = (&program, &check);
        found.push(one(
            &arguments,
            asked,
            &task,
            (&direct, &circles[only], only),
            &share,
        )?);
    }
    let mut out = Output::new();
    match arguments.format {
        Format::Text => print(&mut out, &found)?,
        Format::Json => {
            let each = found.iter().map(|f| {
                let bound = f.ending.as_ref().and_then(|e| e.bound.clone());
                let measure = f.ending.as_ref().map(|e| e.measure.clone());
                json!({ "function": f.function, "at": f.place, "bound": bound,
                        "ends": f.ending.is_some(), "measure": measure, "notes": f.notes })
            });
            writeln!(out, "{}", json!({ "loops": each.collect::<Vec<_>>() }))?;
        }
    }
    out.flush()?;
    let bounded = |f: &Found| f.ending.as_ref().is_some_and(|e| e.bound.is_some());
    Ok(match found.iter().all(bounded) {
        true => Status::Fine,
        false => Status::Unknown,
    })
}

/// What can be shown of one loop.
fn one(
    arguments: &Arguments,
    (program, check): (&Program, &Check),
    task: &std::sync::Arc<Task>,
    (direct, circle, only): (&Program, &Circle, usize),
    budget: &Budget,
) -> anyhow::Result<Found> {
    let settings = Settings {
        accept: arguments.certify.acceptance(),
        ..Settings::default()
    };
    let (name, _) = registry::AUTO;
    let engine = registry::checker(name, &settings)
        .ok_or_else(|| Rejected::because(format!("there is no engine `{name}`")))?;
    let how = How {
        settings: &settings,
        overflow_ends: arguments.overflow_never,
        may_run_forever: &[],
        only: Some(only),
    };
    let world = &arguments.sources.world;
    let asked = (program, check, &arguments.entry, world);
    let decided = termination::decide(&*engine, how, asked, task, budget, &mut Silent);
    let subject = certify::Subject {
        sources: &arguments.sources,
        property: &decided.key,
        entry: &arguments.entry,
        label: &None,
        measures: &decided.measures,
    };
    let (report, _) = certify::gate(
        &arguments.certify,
        &subject,
        &decided.task,
        budget,
        decided.report,
    )?;
    let mut found = Found {
        function: direct.procedure(circle.procedure).c_name.clone(),
        place: input::place(direct, circle.span).unwrap_or_default(),
        ending: None,
        notes: Vec::new(),
    };
    match report.outcome {
        Outcome::Proved(proof) => {
            let mut endings = proof.ends.into_iter().flatten();
            found.ending = endings.find(|e| e.span == circle.span && e.calls.is_none());
            // That the other loops may run for ever is how this one was asked about.
            let own = |a: &&prova_ir::Assumption| !matches!(a, prova_ir::Assumption::Forever(..));
            let assumed = report.scope.assumptions.iter().filter(own);
            found.notes = assumed.map(|a| format!("assumed: {a}")).collect();
        }
        Outcome::Violated(violation) => found.notes.push(violation.message.clone()),
        Outcome::Bounded(_) => found.notes.push("no measure was found".into()),
        Outcome::Unknown(why) => found.notes.push(why.to_string()),
    }
    Ok(found)
}

fn print(out: &mut Output, found: &[Found]) -> anyhow::Result<()> {
    if found.is_empty() {
        writeln!(out, "there are no loops")?;
    }
    for f in found {
        let said = match f.ending.as_ref().map(|e| &e.bound) {
            Some(Some(bound)) => format!("at most `{bound}` rounds"),
            Some(None) => "it ends; no bound is known".to_owned(),
            None => "none".to_owned(),
        };
        writeln!(out, "{}: the loop of `{}`: {said}", f.place, f.function)?;
        for note in &f.notes {
            writeln!(out, "  {note}")?;
        }
    }
    Ok(())
}
