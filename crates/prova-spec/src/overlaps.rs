//! Texts that must lie apart, for models that copy them: `__prova_apart(a, b, n)` demands that `n` bytes
//! from `a` on and `n` bytes from `b` on do not overlap. C says nothing of a call where they do, so it is
//! an error of memory safety (`memory::calls`), and elsewhere nothing is known behind it.

use crate::addresses::Observations;
use crate::steps::{Check, Insertions, Step};
use prova_ir::{BinaryOp, Callee, ExprId, ExprPool, ProcId, Program, Statement, UNMODELLED};

/// The function that demands it. Models declare it; it has no body.
pub(crate) const APART: &str = "__prova_apart";

/// Whether a procedure stands for [`APART`].
pub(crate) fn is_apart(program: &Program, procedure: ProcId) -> bool {
    let procedure = program.procedure(procedure);
    procedure.c_name == APART && procedure.body.is_none()
}

/// Whether ranges of so many bytes do not overlap.
pub(crate) fn apart(pool: &mut ExprPool, a: ExprId, b: ExprId, bytes: ExprId) -> ExprId {
    let end_of_a = pool.binary(BinaryOp::PtrAdd, a, bytes);
    let end_of_b = pool.binary(BinaryOp::PtrAdd, b, bytes);
    let before = pool.binary(BinaryOp::ULe, end_of_a, b);
    let behind = pool.binary(BinaryOp::ULe, end_of_b, a);
    pool.binary(BinaryOp::Or, before, behind)
}

/// Gives calls of [`APART`] their meaning, in a program whose memory is not checked.
pub(crate) fn weave_overlaps(program: &mut Program) {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let mut edges = bodies.flat_map(|b| &b.edges);
    if !edges.any(|e| demanded(program, &e.statement).is_some()) {
        return;
    }
    let seen = Observations::of(program);
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        let mut insertions = Insertions::new(&body);
        for i in 0..body.edges.len() {
            let Some([a, b, bytes]) = demanded(program, &body.edges[i].statement) else {
                continue;
            };
            body.edges[i].statement = Statement::Skip;
            if !seen.apart(a, b) {
                let check = Check {
                    ok: apart(&mut program.exprs, a, b, bytes),
                    property: UNMODELLED,
                    message: "a copy between texts that overlap".to_owned(),
                };
                insertions.before(body.edges[i].source, Step::Check(check));
            }
        }
        insertions.apply(&mut program.exprs, &mut body);
        program.procedures[p].body = Some(body);
    }
}

/// The arguments of a call of [`APART`].
fn demanded(program: &Program, statement: &Statement) -> Option<[ExprId; 3]> {
    match statement {
        Statement::Call {
            callee: Callee::Direct(callee),
            arguments,
            ..
        } if is_apart(program, *callee) => arguments[..].try_into().ok(),
        _ => None,
    }
}
