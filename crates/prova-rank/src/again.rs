//! A search for states that come again, as one for error locations: at some round of a loop, which one
//! is chosen freely, what the registers hold that the loop changes is kept, and the error is that they
//! hold it again at the head (Biere, Artho, Schuppan: *Liveness Checking as Safety Checking*, FMICS 2002).
//!
//! Nothing is said of memory: a test that gets there has to be looked at.

use crate::components::Component;
use crate::weave::TERMINATION;
use prova_ir::{
    BinaryOp, EdgeId, ErrorLocation, LocId, Origin, ProcId, Program, RegId, Register, Role, Span,
    Statement, Type,
};

/// The name of the inputs that choose a round, as far as it is fixed.
pub const CHOICE: &str = "prova.chosen";

/// Weaves the search into one loop.
pub fn seek(program: &mut Program, id: ProcId, component: &Component) {
    let Some(body) = &program.procedure(id).body else {
        return;
    };
    let mut changed: Vec<RegId> = Vec::new();
    for edge in body.edges.iter().filter(|e| component.contains(e.source)) {
        let target = match &edge.statement {
            Statement::Assign { target, .. } | Statement::Allocate { target, .. } => Some(*target),
            Statement::Nondet { target, .. } => Some(*target),
            Statement::Call { result, .. } => *result,
            _ => None,
        };
        let named = |r: &RegId| program.register(*r).role != Role::Temporary;
        changed.extend(target.filter(named).filter(|r| !changed.contains(r)));
    }
    let mut register = |name: &str, ty: Type, owner: Option<ProcId>| {
        let name = program.fresh_register_name(name);
        program.add_register(Register {
            name,
            c_name: String::new(),
            ty,
            ctype: None,
            owner,
            role: Role::Temporary,
            initial: None,
            span: Span::NONE,
        })
    };
    let byte = Type::Int(8);
    let (kept, choice) = (
        register("prova.kept", byte, Some(id)),
        register(CHOICE, byte, Some(id)),
    );
    let mut copies = Vec::new();
    for &r in &changed {
        let ty = program.register(r).ty;
        let name = program.fresh_register_name("prova.copy");
        let copy = program.add_register(Register {
            name,
            c_name: String::new(),
            ty,
            ctype: None,
            owner: Some(id),
            role: Role::Temporary,
            initial: None,
            span: Span::NONE,
        });
        copies.push((copy, r));
    }
    let zero = program.exprs.int(0, 8);
    let one = program.exprs.int(1, 8);
    let is_kept = program.read(kept);
    let is_kept = program.exprs.binary(BinaryOp::Eq, is_kept, one);
    let chosen = program.read(choice);
    let chosen = program.exprs.binary(BinaryOp::Eq, chosen, one);
    let mut same = is_kept;
    for &(copy, r) in &copies {
        let (a, b) = (program.read(copy), program.read(r));
        let equal = match program.register(r).ty {
            Type::Float(_) => continue,
            _ => program.exprs.binary(BinaryOp::Eq, a, b),
        };
        same = program.exprs.binary(BinaryOp::And, same, equal);
    }
    let values: Vec<_> = copies.iter().map(|&(c, r)| (c, program.read(r))).collect();
    let pool = &mut program.exprs;
    let (other, not_chosen, not_kept) = (pool.not(same), pool.not(chosen), pool.not(is_kept));
    let Some(body) = &mut program.procedures[id.index()].body else {
        return;
    };
    let (head, span) = (component.head, body.location(component.head).span);
    let leaving: Vec<EdgeId> = body.outgoing()[head.index()].clone();
    let entering: Vec<usize> = (0..body.edges.len())
        .filter(|&e| body.edges[e].target == head && !component.contains(body.edges[e].source))
        .collect();
    // Coming from outside, nothing is kept yet.
    let fresh = body.add_location(span);
    let assign = |target, value| Statement::Assign { target, value };
    body.add_edge(fresh, head, assign(kept, zero), span);
    for edge in entering {
        body.edges[edge].target = fresh;
    }
    if body.entry == head {
        body.entry = fresh;
    }
    let error = body.add_location(span);
    let mut at = body.add_location(span);
    body.add_edge(head, error, Statement::Assume(same), span);
    body.add_edge(head, at, Statement::Assume(other), span);
    let end = body.add_location(span);
    let ask = body.add_location(span);
    body.add_edge(at, end, Statement::Assume(is_kept), span);
    body.add_edge(at, ask, Statement::Assume(not_kept), span);
    at = body.add_location(span);
    let origin = Origin::Choice(CHOICE.to_owned());
    let target = choice;
    body.add_edge(ask, at, Statement::Nondet { target, origin }, span);
    let mut next: LocId = body.add_location(span);
    body.add_edge(at, end, Statement::Assume(not_chosen), span);
    body.add_edge(at, next, Statement::Assume(chosen), span);
    for (copy, value) in values {
        let then = body.add_location(span);
        body.add_edge(next, then, assign(copy, value), span);
        next = then;
    }
    body.add_edge(next, end, assign(kept, one), span);
    for edge in leaving {
        body.edges[edge.index()].source = end;
    }
    body.errors.push(ErrorLocation {
        location: error,
        property: TERMINATION.to_owned(),
        message: "the loop comes back to where it was".to_owned(),
    });
    prova_ir::debug_validate(program, "seek");
}
