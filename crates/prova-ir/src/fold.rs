//! Constant folding: evaluates operations on constants as [`crate::expr`] defines them, and
//! rewrites the few patterns that lowering leaves behind.
//!
//! What is kept: traps. A division by a constant zero is left alone, and nothing that could trap
//! is dropped. Float arithmetic is left alone too.

use crate::expr::{BinaryOp, CastOp, Expr, ExprPool, UnaryOp};
use crate::ids::ExprId;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// `value` without bits beyond `width`.
pub fn mask(value: u128, width: u16) -> u128 {
    match width {
        0 => 0,
        1..=127 => value & ((1 << width) - 1),
        _ => value,
    }
}

/// `value` of `width` bits as a signed number.
pub fn signed(value: u128, width: u16) -> i128 {
    match width {
        1..=127 => ((value << (128 - width)) as i128) >> (128 - width),
        _ => value as i128,
    }
}

/// The value of a unary operation on integers of `width` bits; `None` for floats.
pub fn eval_unary(op: UnaryOp, arg: u128, width: u16) -> Option<u128> {
    match op {
        UnaryOp::Neg => Some(mask(arg.wrapping_neg(), width)),
        UnaryOp::Not => Some(mask(!arg, width)),
        UnaryOp::FNeg => None,
    }
}

/// The value of a binary operation on integers (or addresses) of `width` bits, of width 1 if it
/// is a comparison; `None` for a trap and for floats.
pub fn eval_binary(op: BinaryOp, left: u128, right: u128, width: u16) -> Option<u128> {
    use BinaryOp::*;
    let (s, t) = (signed(left, width), signed(right, width));
    let shift = u32::try_from(right)
        .ok()
        .filter(|&by| by < u32::from(width));
    let value = match op {
        UDiv | SDiv | URem | SRem if right == 0 => return None,
        Add | PtrAdd => left.wrapping_add(right),
        Sub => left.wrapping_sub(right),
        Mul => left.wrapping_mul(right),
        UDiv => left / right,
        URem => left % right,
        SDiv => s.wrapping_div(t) as u128,
        SRem => s.wrapping_rem(t) as u128,
        And => left & right,
        Or => left | right,
        Xor => left ^ right,
        Shl => shift.map_or(0, |by| left << by),
        LShr => shift.map_or(0, |by| left >> by),
        AShr => (s >> shift.unwrap_or(127)) as u128,
        Eq => u128::from(left == right),
        Ne => u128::from(left != right),
        ULt => u128::from(left < right),
        ULe => u128::from(left <= right),
        SLt => u128::from(s < t),
        SLe => u128::from(s <= t),
        FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => return None,
    };
    Some(mask(value, width))
}

/// The value of a conversion between integers or addresses; `None` where a float is involved.
pub fn eval_cast(op: CastOp, arg: u128, from: u16, to: u16) -> Option<u128> {
    match op {
        CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => Some(arg),
        CastOp::SExt => Some(mask(signed(arg, from) as u128, to)),
        CastOp::Trunc => Some(mask(arg, to)),
        CastOp::SToF | CastOp::UToF | CastOp::FToS | CastOp::FToU | CastOp::FToF => None,
    }
}

/// Whether evaluating an expression can trap, for every expression of a pool at once.
pub fn traps(pool: &ExprPool) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(pool.len());
    for id in pool.ids() {
        let trap = traps_itself(pool, id) || pool.children(id).any(|c| found[c.index()]);
        found.push(trap);
    }
    found
}

/// Whether the outermost operation of an expression can trap: a load, a division by anything
/// but a constant other than zero.
pub fn traps_itself(pool: &ExprPool, id: ExprId) -> bool {
    match pool.get(id) {
        Expr::Load { .. } => true,
        Expr::Binary { op, right, .. } => {
            op.traps_on_zero() && !matches!(pool.get(right), Expr::Int { value, .. } if value != 0)
        }
        _ => false,
    }
}

/// Whether evaluating an expression can trap.
pub fn can_trap(pool: &ExprPool, root: ExprId) -> bool {
    pool.subexpressions(root)
        .into_iter()
        .any(|e| traps_itself(pool, e))
}

/// Folds expressions, each once.
#[derive(Default)]
pub struct Folder {
    done: FxHashMap<ExprId, ExprId>,
}

impl Folder {
    /// The folded form of an expression: of the same type and, where it does not trap, value.
    pub fn fold(&mut self, pool: &mut ExprPool, root: ExprId) -> ExprId {
        pool.rewrite(root, &mut self.done, fold_operation)
    }
}

fn constant(pool: &ExprPool, id: ExprId) -> Option<(u128, u16)> {
    match pool.get(id) {
        Expr::Int { value, width } => Some((value, width)),
        Expr::Pointer(address) => Some((u128::from(address), pool.model().pointer_bits() as u16)),
        _ => None,
    }
}

fn number(pool: &mut ExprPool, value: u128, ty: Type) -> ExprId {
    match ty {
        Type::Ptr => pool.add(Expr::Pointer(value as u64)),
        Type::Int(width) => pool.int(value, width),
        Type::Float(kind) => pool.add(Expr::Float { kind, bits: value }),
    }
}

/// One operation whose operands are folded already.
pub fn fold_operation(pool: &mut ExprPool, expr: Expr, ty: Type) -> ExprId {
    match expr {
        Expr::Unary { op, arg } => {
            if let Some((a, width)) = constant(pool, arg) {
                if let Some(value) = eval_unary(op, a, width) {
                    return number(pool, value, ty);
                }
            }
            match pool.get(arg) {
                Expr::Unary { op: inner, arg } if inner == op => arg,
                _ => pool.add(expr),
            }
        }
        Expr::Binary { op, left, right } => fold_binary(pool, op, left, right, ty),
        Expr::Cast { op, arg, to } => {
            if let Some((a, from)) = constant(pool, arg) {
                let width = to.bits(pool.model()) as u16;
                if let Some(value) = eval_cast(op, a, from, width) {
                    return number(pool, value, to);
                }
            }
            match (op, pool.get(arg)) {
                (
                    CastOp::PtrToInt,
                    Expr::Cast {
                        op: CastOp::IntToPtr,
                        arg,
                        ..
                    },
                )
                | (
                    CastOp::IntToPtr,
                    Expr::Cast {
                        op: CastOp::PtrToInt,
                        arg,
                        ..
                    },
                ) => arg,
                _ => pool.add(expr),
            }
        }
        Expr::Ite {
            cond,
            then,
            otherwise,
        } => match constant(pool, cond) {
            _ if then == otherwise && !can_trap(pool, cond) => then,
            Some((1, _)) if !can_trap(pool, otherwise) => then,
            Some((0, _)) if !can_trap(pool, then) => otherwise,
            _ => pool.add(expr),
        },
        _ => pool.add_typed(expr, ty),
    }
}

fn fold_binary(pool: &mut ExprPool, op: BinaryOp, left: ExprId, right: ExprId, ty: Type) -> ExprId {
    use BinaryOp::*;
    let (a, b) = (constant(pool, left), constant(pool, right));
    if let (Some((a, width)), Some((b, _))) = (a, b) {
        if let Some(value) = eval_binary(op, a, b, width) {
            return number(pool, value, ty);
        }
    }
    match (op, a, b) {
        (Add | Sub | Or | Xor | Shl | LShr | AShr | PtrAdd, _, Some((0, _))) => return left,
        (Add | Or | Xor, Some((0, _)), _) => return right,
        (PtrAdd, _, Some((by, width))) => {
            if let Expr::Binary {
                op: PtrAdd,
                left: base,
                right: first,
            } = pool.get(left)
            {
                if let Some((first, _)) = constant(pool, first) {
                    let by = pool.int(first.wrapping_add(by), width);
                    return fold_binary(pool, PtrAdd, base, by, ty);
                }
            }
        }
        // Objects and functions never lie at address zero.
        (Eq | Ne, _, Some((0, _))) if is_base(pool, left) => return pool.bool(op == Ne),
        (Eq | Ne, Some((0, _)), _) if is_base(pool, right) => return pool.bool(op == Ne),
        (And, _, Some((1, 1))) => return left,
        (And, Some((1, 1)), _) => return right,
        // `(int)(a < b) != 0` and its kin.
        (Eq | Ne, _, Some((value, _))) if value <= 1 => {
            if let Some(truth) = as_truth(pool, left) {
                let same = (op == Ne) == (value == 0);
                return if same { truth } else { pool.not(truth) };
            }
        }
        _ => {}
    }
    pool.binary(op, left, right)
}

fn is_base(pool: &ExprPool, id: ExprId) -> bool {
    matches!(pool.get(id), Expr::Address(_) | Expr::Function(_))
}

/// The truth value an integer that is zero or one was made of.
fn as_truth(pool: &ExprPool, id: ExprId) -> Option<ExprId> {
    match pool.get(id) {
        Expr::Cast {
            op: CastOp::ZExt,
            arg,
            ..
        } if pool.ty(arg).is_bool() => Some(arg),
        Expr::Ite {
            cond,
            then,
            otherwise,
        } => match (constant(pool, then), constant(pool, otherwise)) {
            (Some((1, _)), Some((0, _))) => Some(cond),
            _ => None,
        },
        _ => None,
    }
}
