//! Passes by their names, as certificates list them. Each keeps which errors can be reached, or
//! lets more of them be reached.
//!
//! This is the one list: engines name the passes that they prepare a program with, certificates
//! repeat these names, the checker applies them again, and `docs/certificates.md` tells them to
//! people (`tests/named.rs` holds it against the table).

use super::activations::{allocate_frames, forget_uncalled, trap_returns};
use super::*;
use crate::program::{Program, Statement};

/// Programs with more locations than this are not inlined.
pub const MOST_LOCATIONS: usize = 2_000_000;

/// What every list begins with: without them a program means less than it says.
pub const ALWAYS: &[&str] = &["devirtualise", "externals", "uninitialised", "nans"];

/// What makes one procedure of a program.
pub const ONE_PROCEDURE: &[&str] = &[
    "devirtualise",
    "externals",
    "uninitialised",
    "nans",
    "inline",
    "simplify",
    "slice",
];

/// What keeps procedures apart.
pub const PROCEDURES: &[&str] = &[
    "devirtualise",
    "externals",
    "uninitialised",
    "nans",
    "uncalled",
    "noreturn",
    "frames",
    "uninitialised",
    "simplify",
];

/// A pass that has a name.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// What it does, for people.
    pub what: &'static str,
    apply: Apply,
}

/// How a pass is applied.
enum Apply {
    /// To every program.
    Always(fn(&mut Program)),
    /// It names the functions without a body that it made arbitrary.
    Telling(fn(&mut Program) -> Vec<External>),
    /// Not to every program; an error says why.
    Perhaps(fn(&mut Program) -> Result<(), String>),
    /// By somebody else: it knows more than this crate does.
    Elsewhere,
}

/// All passes that have a name.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "devirtualise",
        what: "calls through pointers become branches over direct calls",
        apply: Apply::Always(|program| {
            devirtualise(program);
        }),
    },
    Pass {
        name: "externals",
        what: "functions without a body return arbitrary values",
        apply: Apply::Telling(|program| externals(program, &|_| false)),
    },
    Pass {
        name: "uninitialised",
        what: "variables that are read before they are written get arbitrary values",
        apply: Apply::Always(|program| {
            uninitialised(program);
        }),
    },
    Pass {
        name: "nans",
        what: "the bits of floats that are no numbers are kept apart from their values",
        apply: Apply::Elsewhere,
    },
    Pass {
        name: "inline",
        what: "everything that the entry calls becomes one procedure; refused where procedures recurse",
        apply: Apply::Perhaps(|program| inlined(program, Recursion::Refused)),
    },
    Pass {
        name: "inline-recursion-once",
        what: "the same, with procedures that call themselves once; going deeper is an error",
        apply: Apply::Perhaps(|program| inlined(program, Recursion::UpTo(1))),
    },
    Pass {
        name: "uncalled",
        what: "procedures that nobody calls lose their bodies",
        apply: Apply::Always(forget_uncalled),
    },
    Pass {
        name: "noreturn",
        what: "returning from a function that does not return is a trap",
        apply: Apply::Always(trap_returns),
    },
    Pass {
        name: "frames",
        what: "objects of procedures that may be active more than once are allocated",
        apply: Apply::Always(allocate_frames),
    },
    Pass {
        name: "simplify",
        what: "constants are folded, skips and decided branches removed",
        apply: Apply::Always(|program| {
            simplify_graph(program, Labels::Drop);
        }),
    },
    Pass {
        name: "slice",
        what: "what cannot matter for an error is removed; refused where there are calls",
        apply: Apply::Perhaps(sliced),
    },
    Pass {
        name: "entries",
        what: "what loops were entered with is kept",
        apply: Apply::Always(|program| {
            entries(program);
        }),
    },
    Pass {
        name: "cells",
        what: "ghosts follow an arbitrary cell of every array; refused where there is none in a loop",
        apply: Apply::Elsewhere,
    },
    Pass {
        name: "cell-pairs",
        what: "the same, for two arbitrary cells",
        apply: Apply::Elsewhere,
    },
];

/// Applies a pass; names the functions without a body that it made arbitrary.
pub fn apply(program: &mut Program, name: &str) -> Result<Vec<External>, String> {
    let pass = PASSES.iter().find(|pass| pass.name == name);
    match pass.map(|pass| &pass.apply) {
        Some(Apply::Always(apply)) => apply(program),
        Some(Apply::Telling(apply)) => return Ok(apply(program)),
        Some(Apply::Perhaps(apply)) => apply(program)?,
        Some(Apply::Elsewhere) => return Err(format!("the pass `{name}` is applied elsewhere")),
        None => return Err(format!("there is no pass `{name}`")),
    }
    Ok(Vec::new())
}

fn inlined(program: &mut Program, recursion: Recursion) -> Result<(), String> {
    let inlined = inline_with(program, recursion, MOST_LOCATIONS);
    *program = inlined.map_err(|e| e.to_string())?.program;
    Ok(())
}

/// It looks at one procedure.
fn sliced(program: &mut Program) -> Result<(), String> {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let mut edges = bodies.flat_map(|b| &b.edges);
    if edges.any(|e| matches!(e.statement, Statement::Call { .. })) {
        return Err("the pass `slice` is for programs without calls".into());
    }
    slice(program, SliceOptions::default());
    Ok(())
}
