//! Whether a program computes with `float` or `double`. With 32 bits a compiler may do that in the
//! registers of the x87, which hold more digits than the types have (C's `FLT_EVAL_METHOD` 2);
//! programs here round every result to its type, as with SSE. `long double` is as precise as the
//! registers, and values that are only copied or compared are not rounded.

use crate::expr::{BinaryOp, CastOp, Expr};
use crate::ids::ExprId;
use crate::program::Program;
use crate::types::{FloatKind, Type};

/// Whether some operation gives a `float` or `double` that had to be rounded.
pub fn rounds_floats(program: &Program) -> bool {
    let mut used = vec![false; program.exprs.len()];
    program.for_each_expression(|e| used[e.index()] = true);
    // Parents have larger ids than their operands.
    for i in (0..used.len()).rev() {
        let id = ExprId::new(i);
        if !used[i] {
            continue;
        }
        if is_rounded(program, id) {
            return true;
        }
        for child in program.exprs.children(id) {
            used[child.index()] = true;
        }
    }
    false
}

fn is_rounded(program: &Program, id: ExprId) -> bool {
    let short = matches!(
        program.exprs.ty(id),
        Type::Float(FloatKind::F32 | FloatKind::F64)
    );
    let computed = match program.exprs.get(id) {
        Expr::Binary { op, .. } => matches!(
            op,
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv
        ),
        Expr::Cast { op, .. } => matches!(op, CastOp::SToF | CastOp::UToF | CastOp::FToF),
        _ => false,
    };
    short && computed
}
