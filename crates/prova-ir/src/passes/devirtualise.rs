//! Calls through pointers become branches over direct calls: `e == &f`, `e == &g`, …. Where `e` is
//! none of them and may come from outside of the program ([`Foreign`]), a pointer into the unknown
//! zone leads to a function that nobody can name: what it does is not modelled. Anything else is a
//! trap.
//!
//! Candidates are the procedures whose address occurs in an expression or in the initial
//! contents of an object, and whose shape the call has: as many parameters, of the same types,
//! and a result of the type that is asked for. No other function of the program can be called: its
//! address comes from such an expression only, and an arbitrary pointer is not its address. To call a function in another shape than its own is undefined in C: a trap, as is
//! the call of no function at all. A function without a body and without known parameters fits
//! every call.

use super::foreign::Foreign;
use crate::expr::{BinaryOp, Expr};
use crate::fold::Folder;
use crate::ids::{ExprId, LocId, ProcId, RegId};
use crate::program::*;

/// What became of the calls through pointers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Devirtualised {
    /// How many calls there were.
    pub calls: usize,
    /// How many direct calls took their places.
    pub arms: usize,
}

/// Makes all calls direct.
pub fn devirtualise(program: &mut Program) -> Devirtualised {
    let candidates = address_taken(program);
    let foreign = Foreign::new(program);
    let mut report = Devirtualised::default();
    let mut folder = Folder::default();
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        // Matching looks at signatures and bodies of others; this one's own is known to exist.
        let has_body =
            |program: &Program, q: ProcId| q.index() == p || program.procedure(q).body.is_some();
        for i in 0..body.edges.len() {
            let Statement::Call {
                result,
                callee: Callee::Indirect(pointer),
                ref arguments,
            } = body.edges[i].statement
            else {
                continue;
            };
            let arguments = arguments.clone();
            let outside = foreign.pointer(program, pointer);
            let pointer = folder.fold(&mut program.exprs, pointer);
            report.calls += 1;
            let fits: Vec<ProcId> = candidates
                .iter()
                .copied()
                .filter(|&q| matches(program, q, has_body(program, q), result, &arguments))
                .collect();
            report.arms += expand(program, &mut body, i, pointer, &fits, outside);
        }
        program.procedures[p].body = Some(body);
    }
    crate::debug_validate(program, "devirtualise");
    report
}

/// Procedures whose address occurs anywhere, by increasing id.
pub fn address_taken(program: &Program) -> Vec<ProcId> {
    let mut used = vec![false; program.exprs.len()];
    program.for_each_expression(|e| used[e.index()] = true);
    let mut taken = vec![false; program.procedures.len()];
    // Parents have larger ids than their operands.
    for i in (0..used.len()).rev() {
        let id = ExprId::new(i);
        if used[i] {
            for child in program.exprs.children(id) {
                used[child.index()] = true;
            }
            if let Expr::Function(p) = program.exprs.get(id) {
                taken[p.index()] = true;
            }
        }
    }
    let ids = (0..taken.len()).filter(|&i| taken[i]);
    ids.map(ProcId::new).collect()
}

/// Whether a call has the shape of a procedure.
pub fn fits(program: &Program, id: ProcId, result: Option<RegId>, arguments: &[ExprId]) -> bool {
    let has_body = program.procedure(id).body.is_some();
    matches(program, id, has_body, result, arguments)
}

fn matches(
    program: &Program,
    id: ProcId,
    has_body: bool,
    result: Option<RegId>,
    arguments: &[ExprId],
) -> bool {
    let callee = program.procedure(id);
    let type_of = |r: RegId| program.register(r).ty;
    let result_fits = match (result, callee.result) {
        (Some(to), Some(from)) => type_of(to) == type_of(from),
        (Some(_), None) => !has_body,
        (None, _) => true,
    };
    if !has_body && callee.parameters.is_empty() {
        return result_fits;
    }
    let mut pairs = callee.parameters.iter().zip(arguments);
    result_fits
        && callee.parameters.len() == arguments.len()
        && pairs.all(|(r, e)| type_of(*r) == program.exprs.ty(*e))
}

/// Replaces edge `i` by a chain of branches; says how many direct calls that made.
fn expand(
    program: &mut Program,
    body: &mut Body,
    i: usize,
    pointer: ExprId,
    fits: &[ProcId],
    outside: bool,
) -> usize {
    let call = body.edges[i].clone();
    let direct = |p: ProcId| match &call.statement {
        Statement::Call {
            result, arguments, ..
        } => Statement::Call {
            result: *result,
            callee: Callee::Direct(p),
            arguments: arguments.clone(),
        },
        other => other.clone(),
    };
    if let Expr::Function(p) = program.exprs.get(pointer) {
        if fits.contains(&p) {
            body.edges[i].statement = direct(p);
            return 1;
        }
    }
    let span = call.span;
    let mut at = call.source;
    // The first edge takes the place of the call.
    let mut first = Some(i);
    let mut add = |body: &mut Body, at: LocId, to: LocId, statement: Statement| match first.take() {
        Some(i) => {
            body.edges[i].target = to;
            body.edges[i].statement = statement;
        }
        None => drop(body.add_edge(at, to, statement, span)),
    };
    for &p in fits {
        let function = program.exprs.add(Expr::Function(p));
        let equal = program.exprs.binary(BinaryOp::Eq, pointer, function);
        let differs = program.exprs.not(equal);
        let arm = body.add_location(span);
        let other = body.add_location(span);
        add(body, at, arm, Statement::Assume(equal));
        body.add_edge(at, other, Statement::Assume(differs), span);
        body.add_edge(arm, call.target, direct(p), span);
        at = other;
    }
    if outside {
        let zone = program.model.unknown_zone();
        let start = program.exprs.add(Expr::Pointer(zone.start));
        let end = program.exprs.add(Expr::Pointer(zone.end));
        let above = program.exprs.binary(BinaryOp::ULe, start, pointer);
        let below = program.exprs.binary(BinaryOp::ULt, pointer, end);
        let unknown = program.exprs.binary(BinaryOp::And, above, below);
        let known = program.exprs.not(unknown);
        let (error, other) = (body.add_location(span), body.add_location(span));
        add(body, at, error, Statement::Assume(unknown));
        body.add_edge(at, other, Statement::Assume(known), span);
        body.errors.push(ErrorLocation {
            location: error,
            property: UNMODELLED.to_owned(),
            message: "a call through a pointer to a function that is not part of the program"
                .to_owned(),
        });
        at = other;
    }
    let trap = body.add_location(span);
    add(body, at, trap, Statement::Halt(Halt::Trap));
    fits.len()
}
