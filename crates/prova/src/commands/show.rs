//! `prova show`: the program that the C files stand for, as text, as a graph or in numbers.

use std::io::Write;

use clap::Args;
use prova_ir::{dot, text, ProcId, Program, Stats};

use crate::arguments::Sources;
use crate::input;
use crate::output::Output;
use crate::status::{Rejected, Status};

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

    /// The files need not have a `main`.
    #[arg(long)]
    library: bool,
}

/// Runs `prova show`.
pub fn run(mut arguments: Arguments) -> anyhow::Result<Status> {
    arguments.sources.settle()?;
    let program = if arguments.library {
        input::load_library(&arguments.sources, false)?
    } else {
        input::load(&arguments.sources)?
    };
    let mut out = Output::new();
    if arguments.stats {
        write!(out, "{}", Stats::of(&program, &input::is_modelled))?;
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
