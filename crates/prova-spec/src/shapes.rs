//! Calls of a function through a pointer of another type: C does not say what they do (6.5.2.2 §9), and what
//! a machine does with an argument too few is nothing to rest on. Where the points-to analysis sees that
//! such a function may be behind a pointer, a run that calls it is not modelled.
//!
//! Elsewhere such a call is a trap (`prova_ir::passes::devirtualise`): no such pointer comes there.

use crate::steps::{Check, Insertions, Step};
use prova_exec::points_to::reach::Reach;
use prova_ir::passes::devirtualise::fits;
use prova_ir::{BinaryOp, Callee, Expr, ProcId, Program, Statement, UNMODELLED};

/// Weaves it in, where memory is not checked: there a call of no function is an error.
pub(crate) fn weave_shapes(program: &mut Program) {
    let indirect = |s: &Statement| {
        matches!(
            s,
            Statement::Call {
                callee: Callee::Indirect(_),
                ..
            }
        )
    };
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    if !bodies
        .flat_map(|b| &b.edges)
        .any(|e| indirect(&e.statement))
    {
        return;
    }
    let reach = Reach::new(program);
    for p in 0..program.procedures.len() {
        let Some(body) = &program.procedures[p].body else {
            continue;
        };
        let mut found = Vec::new();
        for edge in &body.edges {
            let Statement::Call {
                result,
                callee: Callee::Indirect(pointer),
                arguments,
            } = &edge.statement
            else {
                continue;
            };
            let behind = reach.of_expression(*pointer);
            let functions = behind.map_or(&[][..], |place| &reach.contents(place).functions);
            let odd = functions
                .iter()
                .filter(|f| !fits(program, **f, *result, arguments));
            found.extend(odd.map(|f| (edge.source, *pointer, *f)));
        }
        if found.is_empty() {
            continue;
        }
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        let mut insertions = Insertions::new(&body);
        for (at, pointer, function) in found {
            let check = other_than(program, pointer, function);
            insertions.before(at, Step::Check(check));
        }
        insertions.apply(&mut program.exprs, &mut body);
        program.procedures[p].body = Some(body);
    }
}

fn other_than(program: &mut Program, pointer: prova_ir::ExprId, function: ProcId) -> Check {
    let address = program.exprs.add(Expr::Function(function));
    let ok = program.exprs.binary(BinaryOp::Ne, pointer, address);
    let name = &program.procedure(function).c_name;
    Check {
        ok,
        property: UNMODELLED,
        message: format!("a call of `{name}` through a pointer of another type"),
    }
}
