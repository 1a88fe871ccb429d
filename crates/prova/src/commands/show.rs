//! `prova show`: the program that the C files stand for, as text, as a graph or in numbers.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use prova_conform::lts::syntax::{Abstraction, Machine, Role};
use prova_conform::lts::{expand, Alphabet};
use prova_engine::engines::slam::{boolean_program, Slam};
use prova_engine::Granularity;
use prova_ir::{dot, text, ProcId, Program, Stats};
use prova_library::{kind, Kind};
use prova_spec::{weave_unreach_call, Spec};
use prova_task::border::settle;
use prova_task::{Budget, Task};
use std::collections::BTreeSet;

use super::model::{printed, Shape};
use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};
use crate::watchdog;
use crate::world::competition;

/// Arguments of `prova show`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub sources: Sources,

    /// Draw the graph of a procedure, the entry unless named, for Graphviz.
    #[arg(long, value_name = "PROC", num_args = 0..=1)]
    dot: Option<Option<String>>,

    /// Print counts instead of the program.
    #[arg(long, conflicts_with = "dot")]
    stats: bool,

    /// Print the Boolean program that `check --engine slam` makes of the program: predicates, and
    /// what each step does to them.
    #[arg(long, conflicts_with_all = ["dot", "stats"])]
    boolean: bool,

    /// For `--boolean`: refinements before it is printed, at most.
    #[arg(long, value_name = "N", default_value_t = 12, requires = "boolean")]
    iterations: u64,

    /// Print a machine of this file (`.lts`), or the machine that a rule (`.slic`) is, instead of a
    /// program.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dot", "stats", "boolean"])]
    lts: Option<PathBuf>,

    /// For `--lts`: which machine; the first unless told.
    #[arg(long, value_name = "NAME", requires = "lts")]
    machine: Option<String>,

    /// For `--lts`: how it is printed.
    #[arg(long = "as", value_enum, default_value_t = Shape::Dot, requires = "lts")]
    shape: Shape,

    /// The files need not have a `main`.
    #[arg(long)]
    library: bool,
}

/// Seconds that refining for `--boolean` may take.
const SECONDS: u64 = 60;

/// Runs `prova show`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    if let Some(path) = &arguments.lts {
        if path.extension().is_some_and(|e| e == "slic") {
            return super::model::of_rule(path, arguments.shape);
        }
        return machine(path, arguments.machine.as_deref(), arguments.shape);
    }
    arguments.sources.settle()?;
    if arguments.boolean {
        return boolean(&mut arguments);
    }
    let (program, replaced) = input::load_with_calls(&arguments.sources)?;
    if !arguments.library {
        input::demand_main(&program, &arguments.sources)?;
    }
    let mut out = Output::new();
    if arguments.stats {
        write!(out, "{}", stats(&program, &replaced))?;
    } else if let Some(name) = &arguments.dot {
        let procedure = find(&program, name.as_deref())?;
        let graph = dot::dot(&program, procedure).ok_or_else(|| {
            let name = &program.procedure(procedure).c_name;
            Rejected::because(format!("`{name}` has no body to draw"))
        })?;
        out.write_all(graph.as_bytes())?;
    } else {
        out.write_all(text::print(&program).as_bytes())?;
    }
    out.flush()?;
    Ok(Status::Fine)
}

/// A file's first machine, as a rule.
pub fn as_rule(path: &Path) -> Result<String, Rejected> {
    drawn(path, None, Shape::Slic)
}

/// Prints a machine of a file.
fn machine(path: &Path, name: Option<&str>, shape: Shape) -> anyhow::Result<Status> {
    let text = drawn(path, name, shape)?;
    let mut out = Output::new();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Status::Fine)
}

/// A machine of a file in one of the shapes; the first target's, or the first, unless it is named.
fn drawn(path: &Path, name: Option<&str>, shape: Shape) -> Result<String, Rejected> {
    let file = super::conform::read(path)?;
    let plain = |m: &&Machine| m.parameters.is_empty();
    let mut machines = file.machines.iter().filter(plain);
    let target = file.abstractions.iter().find(|a| a.role == Role::Target);
    let target = target.map(|t| t.cases[0].machine.text.as_str());
    let found = match name.or(target) {
        Some(name) => machines.find(|m| m.name.text == name),
        None => machines.next(),
    };
    let Some(found) = found else {
        let message = match name {
            Some(name) => format!("there is no machine `{name}`"),
            None => "there is no machine without parameters".to_string(),
        };
        return Err(Rejected::because(message));
    };
    let mut alphabet = Alphabet::default();
    let lts = expand::machine(&file, &found.name, &mut alphabet).map_err(|e| Rejected::from(*e))?;
    let uses = |a: &&Abstraction| a.cases.iter().any(|c| c.machine.text == found.name.text);
    let procedure = file
        .abstractions
        .iter()
        .find(uses)
        .map(|a| a.name.text.as_str());
    printed(&lts, &alphabet, &found.name.text, procedure, shape)
}

/// Prints the Boolean program of a search for calls of `reach_error`.
fn boolean(arguments: &mut Arguments) -> anyhow::Result<Status> {
    let world = competition();
    arguments.sources.world = world.clone();
    let mut program = input::load(&arguments.sources)?;
    input::demand_main(&program, &arguments.sources)?;
    let spec = Spec::default();
    settle(&mut program, &world, &|name| spec.is_about(name));
    weave_unreach_call(&mut program, &spec);
    let budget = Budget::new(Some(Duration::from_secs(SECONDS)), None);
    watchdog::interruptible(&budget);
    let (text, iterations) = boolean_program(
        &Slam::default(),
        &Task::new(program, 0),
        Granularity::Basic,
        &budget,
        arguments.iterations,
    )
    .map_err(|unknown| Rejected::because(unknown.to_string()))?;
    let mut out = Output::new();
    writeln!(out, "// after {iterations} iterations")?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Status::Fine)
}

/// Counts, with what is known of each function that the program does not define.
fn stats(program: &Program, replaced: &BTreeSet<String>) -> Stats {
    const KINDS: [&str; 3] = ["modelled", "known, not modelled", "the user's own"];
    let mut stats = Stats::of(program, &KINDS, &|name| match kind(name) {
        Kind::Modelled => 0,
        Kind::Known => 1,
        Kind::Own => 2,
    });
    stats.outside[0].1.extend(replaced.iter().cloned());
    // What models say to the machine is nobody's function, and their helpers are not the user's.
    let helper = |name: &String| {
        let mut own = program.procedures.iter().filter(|p| &p.c_name == name);
        own.any(|p| p.body.is_some())
    };
    for (_, names) in &mut stats.outside {
        names.retain(|name| !name.starts_with("__prova_"));
    }
    stats.outside[2].1.retain(|name| !helper(name));
    stats
}

/// The procedure with this name, or the entry.
fn find(program: &Program, name: Option<&str>) -> Result<ProcId, Rejected> {
    match name {
        Some(name) => program
            .find_procedure(name)
            .ok_or_else(|| Rejected::because(format!("there is no procedure `{name}`"))),
        None => program
            .entry
            .ok_or_else(|| Rejected::because("there is no entry to draw; name a procedure")),
    }
}
