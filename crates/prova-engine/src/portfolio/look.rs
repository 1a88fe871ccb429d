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
    /// Whether a loop reads inputs and has a long chain of conditions on whole numbers.
    pub events: bool,
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
            events: events(prepared),
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

/// Conditions that make a long chain.
const MANY_CONDITIONS: usize = 150;

/// Whether there are inputs on cycles, and many conditions that compare a register with a constant.
fn events(prepared: &Prepared) -> bool {
    let body = prepared.body();
    let exprs = &prepared.program.exprs;
    let compares = |condition: ExprId| {
        exprs.subexpressions(condition).into_iter().any(|e| {
            let Expr::Binary { op, left, right } = exprs.get(e) else {
                return false;
            };
            let sides = [left, right].map(|side| exprs.get(side));
            op.is_comparison()
                && sides.iter().any(|s| matches!(s, Expr::Reg(_)))
                && sides.iter().any(|s| matches!(s, Expr::Int { .. }))
        })
    };
    let (mut inputs, mut conditions) = (false, 0);
    for (edge, on_cycle) in body.edges.iter().zip(edges_on_cycles(body)) {
        match edge.statement {
            Statement::Nondet { .. } => inputs |= on_cycle,
            Statement::Assume(c) => conditions += usize::from(on_cycle && compares(c)),
            _ => {}
        }
    }
    inputs && conditions >= MANY_CONDITIONS
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
