//! From a task's program to one whose procedures are analysed one by one.
//!
//! As for inlining, calls become direct and arbitrary values inputs, which keep their order: a
//! test of the result is a test of the program. Besides:
//!
//! * a `noreturn` procedure that returns all the same traps, as it does where it is inlined;
//! * a frame object of a procedure that can be active twice at once has no single address. It
//!   becomes memory that is allocated when its life starts, with its address in a register of the
//!   activation. So do large objects whose contents would have to be made arbitrary cell by cell
//!   at every entry.

use super::{as_written, Prepared};
use crate::outcome::Unknown;
use prova_ir::passes::activations::{allocate_frames, forget_uncalled, trap_returns};
use prova_ir::passes::named;
use prova_ir::passes::simplify_graph::{simplify_graph, Labels};
use prova_ir::passes::uninitialised::uninitialised;
use prova_ir::Program;

/// The passes of [`prepare`], as certificates name them.
pub const PASSES: &[&str] = named::PROCEDURES;

/// Prepares a program whose error locations are woven in.
pub fn prepare(program: &Program) -> Result<Prepared, Unknown> {
    let original = as_written(program);
    let entry = original
        .entry
        .filter(|e| original.procedure(*e).body.is_some())
        .ok_or(Unknown::Unsupported {
            what: "a program without an entry".into(),
            span: None,
        })?;
    let mut program = original.clone();
    forget_uncalled(&mut program);
    trap_returns(&mut program);
    allocate_frames(&mut program);
    uninitialised(&mut program);
    simplify_graph(&mut program, Labels::Drop);
    Ok(Prepared::of_procedures(program, original, entry))
}
