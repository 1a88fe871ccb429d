//! What is visible of an offset's arithmetic: a constant plus multiples of a stride.

use prova_ir::{BinaryOp, CastOp, Expr, ExprId, ExprPool, UnaryOp};

/// Nothing below this depth is looked at; it counts as an unknown multiple of one.
const DEPTH: u32 = 24;

/// `(c, s)`: the value is `c` plus a multiple of `s`; `s` is zero for a constant.
pub(super) fn linear(pool: &ExprPool, e: ExprId) -> (i64, u64) {
    let (c, s) = walk(pool, e, DEPTH);
    match (i64::try_from(c), u64::try_from(s)) {
        (Ok(c), Ok(s)) => (c, s),
        _ => (0, 1),
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

const ANYTHING: (i128, u128) = (0, 1);

fn constant(pool: &ExprPool, e: ExprId) -> Option<i128> {
    match pool.get(e) {
        Expr::Int { value, width } if width <= 64 => {
            let shift = 128 - u32::from(width);
            Some(((value << shift) as i128) >> shift)
        }
        _ => None,
    }
}

fn scale((c, s): (i128, u128), by: i128) -> (i128, u128) {
    match (c.checked_mul(by), s.checked_mul(by.unsigned_abs())) {
        (Some(c), Some(s)) if s > 0 || by != 0 => (c, s),
        (Some(_), Some(_)) => (0, 0),
        _ => ANYTHING,
    }
}

fn walk(pool: &ExprPool, e: ExprId, depth: u32) -> (i128, u128) {
    if let Some(value) = constant(pool, e) {
        return (value, 0);
    }
    if depth == 0 {
        return ANYTHING;
    }
    let depth = depth - 1;
    let sum = |(a, s): (i128, u128), (b, t): (i128, u128)| match a.checked_add(b) {
        Some(c) => (c, gcd(s, t)),
        None => ANYTHING,
    };
    match pool.get(e) {
        Expr::Binary { op, left, right } => match op {
            BinaryOp::Add => sum(walk(pool, left, depth), walk(pool, right, depth)),
            BinaryOp::Sub => {
                let right = scale(walk(pool, right, depth), -1);
                sum(walk(pool, left, depth), right)
            }
            BinaryOp::Mul => match (constant(pool, left), constant(pool, right)) {
                (_, Some(by)) => scale(walk(pool, left, depth), by),
                (Some(by), _) => scale(walk(pool, right, depth), by),
                // A product of two unknowns is a multiple of both strides' product.
                _ => match (walk(pool, left, depth), walk(pool, right, depth)) {
                    ((0, s), (0, t)) => s.checked_mul(t).map_or(ANYTHING, |s| (0, s)),
                    ((0, s), _) | (_, (0, s)) => (0, s),
                    _ => ANYTHING,
                },
            },
            BinaryOp::Shl => match constant(pool, right) {
                Some(by @ 0..=63) => scale(walk(pool, left, depth), 1 << by),
                _ => ANYTHING,
            },
            _ => ANYTHING,
        },
        Expr::Unary {
            op: UnaryOp::Neg,
            arg,
        } => scale(walk(pool, arg, depth), -1),
        // Narrow arithmetic may wrap: only powers of two survive that.
        Expr::Cast {
            op: CastOp::SExt | CastOp::ZExt,
            arg,
            ..
        } => {
            let width = pool.ty(arg);
            let (c, s) = walk(pool, arg, depth);
            let s = match width {
                prova_ir::Type::Int(w) if w < 128 => gcd(s, 1 << w),
                _ => 1,
            };
            if s <= 1 {
                ANYTHING
            } else {
                (c.rem_euclid(s as i128), s)
            }
        }
        Expr::Ite {
            then, otherwise, ..
        } => {
            let (a, s) = walk(pool, then, depth);
            let (b, t) = walk(pool, otherwise, depth);
            (a, gcd(gcd(s, t), a.abs_diff(b)))
        }
        _ => ANYTHING,
    }
}
