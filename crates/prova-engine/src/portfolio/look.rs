//! What a program looks like, as far as it matters for who should have the first turns.

use prova_ir::passes::activations::edges_on_cycles;
use prova_ir::passes::loops::Loops;
use prova_ir::{BinaryOp, Expr, ExprId, Program, Statement, Type};
use prova_task::prepare::Prepared;

/// A program at a glance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Locations of the prepared program.
    pub locations: usize,
    /// Whether it has a loop.
    pub loops: bool,
    /// Whether it computes with floats.
    pub floats: bool,
    /// Whether anything comes from outside.
    pub inputs: bool,
    /// Whether a loop reads or writes elements by an index.
    pub arrays: bool,
}

impl Look {
    /// Looks at a program that is one procedure.
    pub fn at(prepared: &Prepared) -> Look {
        let body = prepared.body();
        let float = |statement: &Statement| {
            let written = statement.written_register();
            let ty = written.map(|r| prepared.program.register(r).ty);
            matches!(ty, Some(Type::Float(_)))
        };
        let reads = |statement: &Statement| {
            matches!(
                statement,
                Statement::Nondet { .. } | Statement::Havoc { .. } | Statement::Enter(_)
            )
        };
        let mut statements = body.edges.iter().map(|e| &e.statement);
        Look {
            locations: body.locations.len(),
            loops: !Loops::of(body).heads.is_empty(),
            floats: statements.clone().any(float),
            inputs: statements.any(reads),
            arrays: arrays(prepared),
        }
    }
}

/// Whether a loop stores elements by an index, and some loop reads such ones.
fn arrays(prepared: &Prepared) -> bool {
    let body = prepared.body();
    let program = &*prepared.program;
    let (mut stored, mut loaded) = (false, false);
    for (edge, on_cycle) in body.edges.iter().zip(edges_on_cycles(body)) {
        if !on_cycle {
            continue;
        }
        if let Statement::Store { address, .. } = edge.statement {
            stored |= indexed(program, address);
        }
        for root in edge.statement.expressions() {
            let parts = program.exprs.subexpressions(root).into_iter();
            let mut loads = parts.filter_map(|e| match program.exprs.get(e) {
                Expr::Load { address, .. } => Some(address),
                _ => None,
            });
            loaded |= loads.any(|a| indexed(program, a));
        }
    }
    stored && loaded
}

/// Whether an address is computed with more than constants.
fn indexed(program: &Program, address: ExprId) -> bool {
    let exprs = &program.exprs;
    match exprs.get(address) {
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => !matches!(exprs.get(right), Expr::Int { .. }) || indexed(program, left),
        _ => false,
    }
}
