//! What functions without a body may write: exactly what they reach.
//!
//! The whole program is given, so such a function is a library's. It reaches what its arguments
//! point to, what pointers stored there lead to, and what such functions reached before; and
//! variables that are declared and defined nowhere, for these are the library's. It does not reach
//! the program's other variables. This pass says so with statements, before a property
//! is woven in, so that engines, replay and checker all see the same program:
//!
//! * each such function `f` gets a body that calls the function without one and then gives what
//!   it reaches arbitrary contents (`body`); calls through pointers find it, too;
//! * each object that may be reached, by the points-to analysis, has a flag that says whether it
//!   was, and an address for as long as it lives (`track`). So a run writes what *it* let out,
//!   not what the analysis cannot tell apart.
//!
//! Such a function may also call what it gets hold of, at any time from then on. Nothing is said of
//! that: where it gets hold of a function of the program, the run is not modelled any further
//! (`callbacks`).
//!
//! What is assumed beside that is a [`Limit`], and said with every proof that rests on it:
//!
//! * nothing is written through a parameter that is declared a pointer to `const`;
//! * nothing is freed; a pointer in memory stays, becomes null or leads to an object of the
//!   function's own, as does one that is returned;
//! * of memory that is not tracked (heap blocks but the latest of each allocation of constant size,
//!   what arbitrary pointers lead to, variables of other activations), one object of the parameter's type changes, and pointers
//!   in it are not followed.

mod body;
mod callbacks;
mod track;

use crate::points_to::reach::Reach;
use prova_ir::passes::devirtualise::address_taken;
use prova_ir::{Callee, Limit, ProcId, Program, SourceFile, Span, Statement};
use std::collections::BTreeSet;

/// The file that the bodies stand in, for people.
const FILE: &str = "<undefined>";

/// Gives every function without a body, except those `known` by their C names, a body that writes
/// what it may reach. Says what is assumed beyond that.
pub fn write_what_is_reached(
    program: &mut Program,
    known: &dyn Fn(&str) -> bool,
) -> BTreeSet<Limit> {
    let mut assumed = BTreeSet::new();
    let functions = undefined(program, known, &mut assumed);
    if functions.is_empty() {
        return assumed;
    }
    let reach = Reach::new(program);
    let gates = body::gates(program, &reach, &functions);
    let foreign = body::foreign(program, &reach);
    let tracked = track::track(program, &reach, &gates, &foreign, &mut assumed);
    program.files.push(SourceFile { name: FILE.into() });
    let span = Span {
        file: prova_ir::FileId::new(program.files.len() - 1),
        line: 1,
        column: 1,
    };
    for gate in gates {
        body::give(
            program,
            &reach,
            &tracked,
            gate,
            &foreign,
            span,
            &mut assumed,
        );
    }
    prova_ir::debug_validate(program, "write_what_is_reached");
    assumed
}

/// Whether a procedure's body is one of those: it stands for a function without one.
pub fn stands_in(program: &Program, procedure: ProcId) -> bool {
    let body = program.procedure(procedure).body.as_ref();
    body.is_some_and(|body| {
        let span = body.location(body.entry).span;
        let file = program.files.get(span.file.index());
        span.is_known() && file.is_some_and(|f| f.name == FILE)
    })
}

/// The name of objects whose bytes say what such a body does.
const CHOICE: &str = "undefined.choice#";

/// Whether an object says what such a body does: it is none of the program's.
pub fn is_choice(object: &prova_ir::Object) -> bool {
    object.name.starts_with(CHOICE)
}

/// Functions without a body that may be called, by increasing id.
fn undefined(
    program: &Program,
    known: &dyn Fn(&str) -> bool,
    assumed: &mut BTreeSet<Limit>,
) -> Vec<ProcId> {
    let mut used = vec![false; program.procedures.len()];
    let mut odd = vec![false; program.procedures.len()];
    for p in address_taken(program) {
        used[p.index()] = true;
    }
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    for edge in bodies.flat_map(|b| &b.edges) {
        if let Statement::Call {
            result,
            callee: Callee::Direct(callee),
            arguments,
        } = &edge.statement
        {
            used[callee.index()] = true;
            let function = program.procedure(*callee);
            let ty = |r: &prova_ir::RegId| program.register(*r).ty;
            let mut pairs = function.parameters.iter().zip(arguments);
            let fits = function.parameters.len() == arguments.len()
                && pairs.all(|(r, e)| ty(r) == program.exprs.ty(*e))
                && match (result, &function.result) {
                    (Some(to), Some(from)) => ty(to) == ty(from),
                    (Some(_), None) => false,
                    (None, _) => true,
                };
            odd[callee.index()] |= !fits;
        }
    }
    let mut found = Vec::new();
    for (i, procedure) in program.procedures.iter().enumerate() {
        let name = &procedure.c_name;
        let open = procedure.body.is_none() && !name.is_empty();
        if !open || !used[i] || known(name) {
            continue;
        }
        if odd[i] {
            assumed.insert(Limit::Shape(name.clone()));
        } else {
            found.push(ProcId::new(i));
        }
    }
    found
}
