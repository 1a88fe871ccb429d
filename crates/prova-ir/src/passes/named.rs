//! Passes by their names, as certificates list them. Each keeps which errors can be reached.

use super::activations::{allocate_frames, forget_uncalled, trap_returns};
use super::*;
use crate::program::{Program, Statement};

/// Programs with more locations than this are not inlined.
const LOCATIONS: usize = 2_000_000;

/// Applies a pass; names the functions without a body that it made arbitrary.
pub fn apply(program: &mut Program, name: &str) -> Result<Vec<External>, String> {
    let mut undefined = Vec::new();
    match name {
        "devirtualise" => drop(devirtualise(program)),
        "externals" => undefined = externals(program, &|_| false),
        "uninitialised" => drop(uninitialised(program)),
        "inline" => *program = inlined(program, Recursion::Refused)?,
        "inline-recursion-once" => *program = inlined(program, Recursion::UpTo(1))?,
        "uncalled" => forget_uncalled(program),
        "noreturn" => trap_returns(program),
        "frames" => allocate_frames(program),
        "simplify" => drop(simplify_graph(program, Labels::Drop)),
        // It looks at one procedure.
        "slice" if !calls(program) => drop(slice(program, SliceOptions::default())),
        "entries" => drop(entries(program)),
        _ => return Err(format!("there is no pass `{name}` for this")),
    }
    Ok(undefined)
}

fn inlined(program: &Program, recursion: Recursion) -> Result<Program, String> {
    let inlined = inline_with(program, recursion, LOCATIONS);
    Ok(inlined.map_err(|e| e.to_string())?.program)
}

fn calls(program: &Program) -> bool {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let mut edges = bodies.flat_map(|b| &b.edges);
    edges.any(|e| matches!(e.statement, Statement::Call { .. }))
}
