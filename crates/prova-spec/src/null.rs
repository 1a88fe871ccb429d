//! The property `no-null-deref`: what an access adds an offset to is not null. No other state is
//! needed, so this is the quick part of `valid-deref`.
//!
//! Where a program keeps the address of a member, `q = &p->b`, that of a member of nothing is a
//! small number: then the whole first page counts as null.

use crate::access::{accesses, describe, split};
use crate::property::Property;
use crate::steps::{Check, Insertions, Step};
use prova_ir::{BinaryOp, Callee, Expr, ExprId, LocId, Program, Statement};

/// Puts a check before every access through a pointer.
pub(crate) fn weave_null(program: &mut Program) {
    let page = keeps_members(program);
    let check = |program: &mut Program, pointer: ExprId, message: String| {
        check(program, pointer, message, page)
    };
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        let mut insertions = Insertions::new(&body);
        for (location, edges) in body.outgoing().iter().enumerate() {
            // Both ways of a branch evaluate the same condition.
            let Some(&edge) = edges.first() else { continue };
            let statement = &body.edge(edge).statement;
            let mut done: Vec<ExprId> = Vec::new();
            for access in accesses(program, statement) {
                let root = split(&mut program.exprs, access.address).0;
                if done.contains(&root) || never_null(program, root) {
                    continue;
                }
                done.push(root);
                let what = if access.write { "write" } else { "read" };
                let message = format!("{what} through {}, which is null", describe(program, root));
                insertions.before(LocId::new(location), check(program, root, message));
            }
            if let Statement::Call {
                callee: Callee::Indirect(pointer),
                ..
            } = *statement
            {
                let message = format!("call of {}, which is null", describe(program, pointer));
                insertions.before(LocId::new(location), check(program, pointer, message));
            }
        }
        insertions.apply(&mut program.exprs, &mut body);
        program.procedures[p].body = Some(body);
    }
}

fn never_null(program: &Program, root: ExprId) -> bool {
    matches!(
        program.exprs.get(root),
        Expr::Address(_) | Expr::Function(_)
    )
}

/// Whether the address of a place behind a pointer becomes a value of its own.
fn keeps_members(program: &Program) -> bool {
    let pool = &program.exprs;
    let moved = |e: &ExprId| match pool.get(*e) {
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => {
            let offset = matches!(pool.get(right), Expr::Int { value, .. } if value < PAGE.into());
            offset && !never_null(program, left)
        }
        _ => false,
    };
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let mut statements = bodies.flat_map(|b| &b.edges).map(|e| &e.statement);
    statements.any(|statement| match statement {
        Statement::Assign { value, .. } | Statement::Store { value, .. } => moved(value),
        Statement::Call { arguments, .. } => arguments.iter().any(moved),
        _ => false,
    })
}

/// Nothing lies below this address.
const PAGE: u64 = 4096;

fn check(program: &mut Program, pointer: ExprId, message: String, page: bool) -> Step {
    let ok = if page {
        let first = program.exprs.add(Expr::Pointer(PAGE));
        program.exprs.binary(BinaryOp::ULe, first, pointer)
    } else {
        let null = program.exprs.add(Expr::Pointer(0));
        program.exprs.binary(BinaryOp::Ne, pointer, null)
    };
    Step::Check(Check {
        ok,
        property: Property::NoNullDeref.name(),
        message,
    })
}
