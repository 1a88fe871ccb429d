//! The bits of NaNs. Terms know one NaN, machines have many, and C does not say which one an
//! operation gives. As long as a float is only ever read as a float, nobody can tell. Where the
//! same bytes are read as an integer (a union, a `memcpy`), this pass splits the store in two:
//!
//! ```text
//!   [a] := x    becomes    assume x == x;  [a] := isnan(x) ? number : x
//!                      or  assume x != x;  havoc [a];  assume [a] != [a]
//! ```
//!
//! so that the memory then holds the bits of some NaN, any one. A transfer refuses stores that
//! this pass should have split ([`Unencodable::NanBits`](crate::translate::Unencodable)): taking
//! the one NaN of the terms for all of them would prove things that are not so.

use crate::points_to::Partition;
use prova_ir::{
    BinaryOp, CastOp, EdgeId, Expr, ExprId, ExprPool, FloatKind, Origin, Program, Statement, Type,
    UnaryOp,
};

/// Splits the stores of floats whose bits may be seen; says how many.
pub fn separate_nan_bits(program: &mut Program) -> usize {
    let found = floats_stored(program);
    if found.is_empty() {
        return 0;
    }
    let partition = Partition::new(program);
    let mut count = 0;
    for (proc, edge, address, value) in found {
        let seen_as = partition.class_of(address).map(|c| partition.class(c));
        if seen_as.is_none_or(|class| matches!(class.cell_type, Some(Type::Float(_)))) {
            continue;
        }
        split(program, proc, edge, address, value);
        count += 1;
    }
    count
}

/// Stores of floats that may be NaNs.
fn floats_stored(program: &Program) -> Vec<(usize, EdgeId, ExprId, ExprId)> {
    let mut found = Vec::new();
    for (proc, procedure) in program.procedures.iter().enumerate() {
        let edges = procedure.body.iter().flat_map(|b| b.edges.iter());
        for (i, edge) in edges.enumerate() {
            let Statement::Store { address, value } = edge.statement else {
                continue;
            };
            let is_float = matches!(program.exprs.ty(value), Type::Float(_));
            if is_float && !is_number(&program.exprs, value) {
                found.push((proc, EdgeId::new(i), address, value));
            }
        }
    }
    found
}

/// Whether an expression is plainly no NaN.
fn is_number(exprs: &ExprPool, value: ExprId) -> bool {
    let mut at = value;
    loop {
        match exprs.get(at) {
            Expr::Cast {
                op: CastOp::SToF | CastOp::UToF,
                ..
            } => return true,
            Expr::Cast {
                op: CastOp::FToF,
                arg,
                ..
            }
            | Expr::Unary {
                op: UnaryOp::FNeg,
                arg,
            } => at = arg,
            Expr::Float { kind, bits } => return !is_nan(kind, bits),
            _ => return false,
        }
    }
}

fn is_nan(kind: FloatKind, bits: u128) -> bool {
    let bits = match kind {
        FloatKind::X87 => prova_logic::float::x87_from_storage(bits),
        _ => bits,
    };
    prova_logic::float::is_nan(crate::state_vars::float_format(kind), bits)
}

fn split(program: &mut Program, proc: usize, edge: EdgeId, address: ExprId, value: ExprId) {
    let exprs = &mut program.exprs;
    let ty = exprs.ty(value);
    let number = exprs.binary(BinaryOp::FEq, value, value);
    let nan = exprs.not(number);
    // Any number would do: it is never stored.
    let filler = match ty {
        Type::Float(kind) => exprs.add(Expr::Float {
            kind,
            bits: filler(kind),
        }),
        _ => return,
    };
    let stored = exprs.add(Expr::Ite {
        cond: number,
        then: value,
        otherwise: filler,
    });
    let again = exprs.load(address, ty);
    let same = exprs.binary(BinaryOp::FEq, again, again);
    let still_nan = exprs.not(same);
    let size = ty.bytes(program.model);
    let Some(body) = &mut program.procedures[proc].body else {
        return;
    };
    let (from, to, span) = {
        let edge = body.edge(edge);
        (edge.source, edge.target, edge.span)
    };
    let [plain, odd, written] = [(); 3].map(|()| body.add_location(span));
    body.edges[edge.index()].target = plain;
    body.edges[edge.index()].statement = Statement::Assume(number);
    let value = stored;
    body.add_edge(plain, to, Statement::Store { address, value }, span);
    body.add_edge(from, odd, Statement::Assume(nan), span);
    // Like storage nobody has written: its bits are arbitrary, and no pointers.
    let origin = Origin::Uninitialised;
    let havoc = Statement::Havoc {
        address,
        size,
        origin,
    };
    body.add_edge(odd, written, havoc, span);
    body.add_edge(written, to, Statement::Assume(still_nan), span);
}

/// A number that programs hardly have, so that nothing merges with it.
fn filler(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::F32 => 0x3a83_126f,
        FloatKind::F64 => 0x3f50_624d_d2f1_a9fc,
        FloatKind::X87 => 0x3ff5_8312_6e97_8d4f_df3b,
    }
}
