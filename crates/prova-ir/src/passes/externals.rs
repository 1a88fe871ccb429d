//! Calls of functions that have no body and no meaning known to the machine: what they return is
//! arbitrary, the call itself writes nothing, and they are reported so that every verdict can say
//! what it rests on. What they may write is said by statements behind the call, in a procedure of
//! the same C name that stands for the function (`prova_exec::undefined`), or assumed to be
//! nothing.
//!
//! Arguments are still evaluated where that can trap. A function declared `noreturn` ends the
//! program. If its address is called in a shape it does not have, the result is arbitrary too.

use crate::fold::can_trap;
use crate::ids::{ExprId, ProcId, RegId};
use crate::program::*;
use crate::source::Span;
use crate::types::Type;

/// A function without a body that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// The procedure.
    pub procedure: ProcId,
    /// Its C name.
    pub name: String,
    /// Where it is called.
    pub sites: Vec<(ProcId, Span)>,
    /// Whether some call takes a pointer from it.
    pub returns_pointer: bool,
    /// Whether some call passes a pointer that it could write through.
    pub takes_pointer: bool,
    /// Whether statements say what it may write; otherwise it is assumed to write nothing.
    pub writes: bool,
}

/// Replaces calls of functions that have no body, except those `known` by their C name. The
/// list is in the order of the procedures.
pub fn externals(program: &mut Program, known: &dyn Fn(&str) -> bool) -> Vec<External> {
    let external: Vec<bool> = program
        .procedures
        .iter()
        .map(|p| p.body.is_none() && !known(&p.c_name))
        .collect();
    let mut found: Vec<Option<External>> = vec![None; program.procedures.len()];
    for p in 0..external.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        for i in 0..body.edges.len() {
            let Statement::Call {
                result,
                callee: Callee::Direct(callee),
                ref arguments,
            } = body.edges[i].statement
            else {
                continue;
            };
            if !external[callee.index()] {
                continue;
            }
            let arguments = arguments.clone();
            let span = body.edges[i].span;
            let declaration = program.procedure(callee);
            let entry = found[callee.index()].get_or_insert_with(|| External {
                procedure: callee,
                name: declaration.c_name.clone(),
                sites: Vec::new(),
                returns_pointer: false,
                takes_pointer: false,
                writes: false,
            });
            entry.sites.push((ProcId::new(p), span));
            let is_pointer = |r: RegId| program.register(r).ty == Type::Ptr;
            entry.returns_pointer |= result.is_some_and(is_pointer);
            entry.takes_pointer |= arguments.iter().any(|e| program.exprs.ty(*e) == Type::Ptr);
            let statement = match result {
                _ if declaration.noreturn => Statement::Halt(Halt::Abort),
                Some(target) => Statement::Nondet {
                    target,
                    origin: Origin::Undefined(entry.name.clone()),
                },
                None => Statement::Skip,
            };
            evaluate_arguments(program, &mut body, ProcId::new(p), i);
            body.edges[i].statement = statement;
        }
        program.procedures[p].body = Some(body);
    }
    crate::debug_validate(program, "externals");
    let mut found: Vec<External> = found.into_iter().flatten().collect();
    for external in &mut found {
        let stands_for = |p: ProcId| program.procedure(p).c_name == external.name;
        if let Some(&(own, _)) = external.sites.iter().find(|s| stands_for(s.0)) {
            external.writes = true;
            external.sites = calls_of(program, own);
        }
    }
    found
}

/// Where a procedure is called.
fn calls_of(program: &Program, callee: ProcId) -> Vec<(ProcId, Span)> {
    let mut sites = Vec::new();
    for (p, procedure) in program.procedures.iter().enumerate() {
        let edges = procedure.body.iter().flat_map(|b| &b.edges);
        let calls = edges.filter(|e| match e.statement {
            Statement::Call { callee: c, .. } => c == Callee::Direct(callee),
            _ => false,
        });
        sites.extend(calls.map(|e| (ProcId::new(p), e.span)));
    }
    sites
}

/// Puts the arguments of the call on edge `i` of `procedure` whose evaluation can trap before
/// it, into temporaries: the call itself can then be replaced. `body` is the procedure's, which
/// may have been taken out of the program.
pub fn evaluate_arguments(program: &mut Program, body: &mut Body, procedure: ProcId, i: usize) {
    let edge = &body.edges[i];
    let span = edge.span;
    let trapping: Vec<ExprId> = edge
        .statement
        .expressions()
        .filter(|e| can_trap(&program.exprs, *e))
        .collect();
    for value in trapping {
        let target = temporary(program, procedure, value, span);
        let next = body.add_location(span);
        let source = std::mem::replace(&mut body.edges[i].source, next);
        body.add_edge(source, next, Statement::Assign { target, value }, span);
    }
}

fn temporary(program: &mut Program, owner: ProcId, value: ExprId, span: Span) -> RegId {
    let name = program.fresh_register_name("argument");
    program.add_register(Register {
        name,
        c_name: String::new(),
        ty: program.exprs.ty(value),
        ctype: None,
        owner: Some(owner),
        role: Role::Temporary,
        initial: None,
        span,
    })
}
