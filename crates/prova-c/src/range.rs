//! Which signed values an expression can have, from its shape alone: enough to see that sums of
//! converted `char`s do not overflow.

use crate::fold::{mask, signed};
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, ExprPool, Type};

/// An interval of signed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub low: i128,
    pub high: i128,
}

/// Deeper expressions have their type's range.
const DEPTH: u32 = 12;

impl Range {
    fn of_width(width: u16) -> Range {
        Range {
            low: i128::MIN >> (128 - width),
            high: i128::MAX >> (128 - width),
        }
    }

    /// The only number in it, if there is one.
    pub fn single(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    fn within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Exact results of an operation, unless they are out of reach.
    pub fn combined(self, op: BinaryOp, other: Range) -> Option<Range> {
        let all = |f: fn(i128, i128) -> Option<i128>| {
            let mut found: Option<Range> = None;
            for a in [self.low, self.high] {
                for b in [other.low, other.high] {
                    let v = f(a, b)?;
                    let before = found.unwrap_or(Range { low: v, high: v });
                    found = Some(Range {
                        low: before.low.min(v),
                        high: before.high.max(v),
                    });
                }
            }
            found
        };
        match op {
            BinaryOp::Add => all(i128::checked_add),
            BinaryOp::Sub => all(i128::checked_sub),
            BinaryOp::Mul => all(i128::checked_mul),
            _ => None,
        }
    }
}

/// The values of an integer expression, read as signed.
pub(crate) fn range(pool: &ExprPool, id: ExprId) -> Range {
    of(pool, id, DEPTH)
}

fn of(pool: &ExprPool, id: ExprId, depth: u32) -> Range {
    let Type::Int(width) = pool.ty(id) else {
        return Range::of_width(128);
    };
    let whole = Range::of_width(width);
    if depth == 0 {
        return whole;
    }
    let below = |e| of(pool, e, depth - 1);
    let found = match pool.get(id) {
        Expr::Int { value, width } => {
            let value = signed(value, width);
            Range {
                low: value,
                high: value,
            }
        }
        Expr::Cast {
            op: CastOp::SExt,
            arg,
            ..
        } => below(arg),
        Expr::Cast {
            op: CastOp::ZExt,
            arg,
            ..
        } => {
            let inner = below(arg);
            let Type::Int(from) = pool.ty(arg) else {
                return whole;
            };
            if inner.low >= 0 && from < 128 {
                inner
            } else if from < 127 {
                Range {
                    low: 0,
                    high: mask(from) as i128,
                }
            } else {
                whole
            }
        }
        Expr::Cast {
            op: CastOp::Trunc,
            arg,
            ..
        } => below(arg),
        Expr::Ite {
            then, otherwise, ..
        } => {
            let (a, b) = (below(then), below(otherwise));
            Range {
                low: a.low.min(b.low),
                high: a.high.max(b.high),
            }
        }
        Expr::Binary { op, left, right } => {
            let (a, b) = (below(left), below(right));
            match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => a.combined(op, b).unwrap_or(whole),
                // A mask without a sign bit bounds the result from both sides.
                BinaryOp::And if a.low >= 0 || b.low >= 0 => {
                    let bound = |r: Range| if r.low >= 0 { r.high } else { i128::MAX };
                    Range {
                        low: 0,
                        high: bound(a).min(bound(b)),
                    }
                }
                BinaryOp::SRem | BinaryOp::URem => match b.single() {
                    Some(c) if c > 0 => Range {
                        low: if op == BinaryOp::URem || a.low >= 0 {
                            0
                        } else {
                            1 - c
                        },
                        high: c - 1,
                    },
                    _ => whole,
                },
                BinaryOp::SDiv => match b.single() {
                    Some(c) if c > 0 => Range {
                        low: a.low / c,
                        high: a.high / c,
                    },
                    _ => whole,
                },
                BinaryOp::LShr | BinaryOp::UDiv if a.low >= 0 => Range {
                    low: 0,
                    high: a.high,
                },
                BinaryOp::AShr => Range {
                    low: a.low.min(0),
                    high: a.high.max(0),
                },
                _ => whole,
            }
        }
        _ => whole,
    };
    // Results that do not fit wrap round: then nothing is known.
    if found.within(whole) {
        found
    } else {
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_ir::{DataModel, RegId};

    #[test]
    fn shapes_bound_values() {
        let mut pool = ExprPool::new(DataModel::Lp64);
        let c = pool.reg(RegId(0), Type::Int(8));
        let x = pool.reg(RegId(1), Type::Int(32));
        let wide = pool.cast(CastOp::SExt, c, Type::Int(32));
        let one = pool.int(1, 32);
        let sum = pool.binary(BinaryOp::Add, wide, one);
        assert_eq!(
            range(&pool, sum),
            Range {
                low: -127,
                high: 128
            }
        );
        let byte = pool.cast(CastOp::ZExt, c, Type::Int(32));
        assert_eq!(range(&pool, byte), Range { low: 0, high: 255 });
        let more = pool.binary(BinaryOp::Add, x, one);
        assert_eq!(range(&pool, more), Range::of_width(32), "it may wrap");
        let seven = pool.int(7, 32);
        let low = pool.binary(BinaryOp::And, x, seven);
        assert_eq!(range(&pool, low), Range { low: 0, high: 7 });
        let rest = pool.binary(BinaryOp::SRem, x, seven);
        assert_eq!(range(&pool, rest), Range { low: -6, high: 6 });
        let cut = pool.cast(CastOp::Trunc, sum, Type::Int(8));
        assert_eq!(range(&pool, cut), Range::of_width(8), "128 does not fit");
    }
}
