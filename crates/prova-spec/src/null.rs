//! The property `no-null-deref`: what an access adds an offset to is not null. No other state is
//! needed, so this is the quick part of `valid-deref`.

use crate::access::{accesses, describe, split};
use crate::property::Property;
use crate::steps::{Check, Insertions, Step};
use prova_ir::{BinaryOp, Callee, Expr, ExprId, LocId, Program, Statement};

/// Puts a check before every access through a pointer.
pub(crate) fn weave_null(program: &mut Program) {
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

fn check(program: &mut Program, pointer: ExprId, message: String) -> Step {
    let null = program.exprs.add(Expr::Pointer(0));
    Step::Check(Check {
        ok: program.exprs.binary(BinaryOp::Ne, pointer, null),
        property: Property::NoNullDeref.name(),
        message,
    })
}
