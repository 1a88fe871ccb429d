//! Equality, of all sorts.

use crate::bits::Bits;
use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;

impl Terms {
    /// Equality of two terms of one sort. For floats this is identity; see [`Terms::feq`].
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        assert!(
            self.same_sort(a, b),
            "equality of {} and {}",
            self.sort(a),
            self.sort(b)
        );
        if a == b {
            return self.tru();
        }
        match self.sort(a) {
            Sort::Bool => self.eq_bool(a, b),
            Sort::BitVec(width) => self.eq_bv(a, b, width),
            Sort::Float(_) => {
                if self.is_const(a) && self.is_const(b) {
                    return self.fals();
                }
                self.mk_eq(a, b)
            }
            Sort::Array { .. } => self.mk_eq(a, b),
        }
    }

    fn mk_eq(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.mk(Op::Eq, Sort::Bool, &[a, b])
    }

    fn eq_bool(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.as_bool(b) {
            return if value { a } else { self.not(a) };
        }
        match (self.op(a), self.op(b)) {
            (Op::Not, Op::Not) => return self.eq(self.child(a, 0), self.child(b, 0)),
            (Op::Not, _) => {
                let same = self.eq(self.child(a, 0), b);
                return self.not(same);
            }
            (_, Op::Not) => {
                let same = self.eq(a, self.child(b, 0));
                return self.not(same);
            }
            (Op::Ult | Op::Ule | Op::Slt | Op::Sle, Op::Ult | Op::Ule | Op::Slt | Op::Sle)
                if self.not(a) == b =>
            {
                return self.fals();
            }
            _ => {}
        }
        self.mk_eq(a, b)
    }

    fn eq_bv(&mut self, a: Term, b: Term, width: u32) -> Term {
        let (a, b) = self.ordered(a, b);
        let sums = matches!(self.op(a), Op::Add | Op::Mul | Op::Neg)
            || matches!(self.op(b), Op::Add | Op::Mul | Op::Neg);
        let (a, b) = match width {
            ..=64 if sums => self.linear_equation(a, b).unwrap_or((a, b)),
            _ => (a, b),
        };
        if a == b {
            return self.tru();
        }
        if let Some(y) = self.as_bits(b) {
            if let Some(x) = self.as_bits(a) {
                return self.bool_const(x == y);
            }
            if let Some(simpler) = self.eq_constant(a, &y) {
                return simpler;
            }
        }
        if self.distinct_objects(a, b) {
            return self.fals();
        }
        match (self.op(a), self.op(b)) {
            (Op::Zext, Op::Zext) | (Op::Sext, Op::Sext) => {
                let (x, y) = (self.child(a, 0), self.child(b, 0));
                if self.same_sort(x, y) {
                    return self.eq(x, y);
                }
            }
            (Op::Concat, Op::Concat) => {
                let (xh, xl) = (self.child(a, 0), self.child(a, 1));
                let (yh, yl) = (self.child(b, 0), self.child(b, 1));
                if self.same_sort(xl, yl) {
                    let high = self.eq(xh, yh);
                    let low = self.eq(xl, yl);
                    return self.and2(high, low);
                }
            }
            (Op::BvNot, Op::BvNot) => return self.eq(self.child(a, 0), self.child(b, 0)),
            _ => {}
        }
        if let Some(simpler) = self.eq_branch(a, b) {
            return simpler;
        }
        if let Some(simpler) = self.eq_branch(b, a) {
            return simpler;
        }
        self.mk_eq(a, b)
    }

    /// `ite(c, x, y) = x` is `c or y = x`.
    fn eq_branch(&mut self, choice: Term, other: Term) -> Option<Term> {
        if self.op(choice) != Op::Ite {
            return None;
        }
        let (c, x, y) = (
            self.child(choice, 0),
            self.child(choice, 1),
            self.child(choice, 2),
        );
        if x == other {
            // Both branches constant is settled before; a nested choice is not looked into.
            let same = if self.op(y) == Op::Ite {
                self.mk_eq(y, x)
            } else {
                self.eq(y, x)
            };
            return Some(self.or2(c, same));
        }
        if y == other {
            let same = if self.op(x) == Op::Ite {
                self.mk_eq(x, y)
            } else {
                self.eq(x, y)
            };
            let negated = self.not(c);
            return Some(self.or2(negated, same));
        }
        None
    }

    /// Equality with a constant, by the shape of the other side.
    fn eq_constant(&mut self, a: Term, y: &Bits) -> Option<Term> {
        let width = y.width();
        if let Some(test) = self.test_constant_ite(a, |x| x == y) {
            return Some(test);
        }
        match self.op(a) {
            Op::Zext | Op::Sext => {
                let inner = self.child(a, 0);
                let low = y.extract(self.width(inner) - 1, 0);
                let back = match self.op(a) {
                    Op::Zext => low.zext(width),
                    _ => low.sext(width),
                };
                if back != *y {
                    return Some(self.fals());
                }
                let low = self.bits(low);
                Some(self.eq(inner, low))
            }
            Op::Concat => {
                let (high, low) = (self.child(a, 0), self.child(a, 1));
                let split = self.width(low);
                let top = self.bits(y.extract(width - 1, split));
                let bottom = self.bits(y.extract(split - 1, 0));
                let high = self.eq(high, top);
                let low = self.eq(low, bottom);
                Some(self.and2(high, low))
            }
            Op::BvNot => {
                let flipped = self.bits(y.not());
                Some(self.eq(self.child(a, 0), flipped))
            }
            Op::BvXor => {
                let x = self.as_bits(self.child(a, 1))?;
                let flipped = self.bits(x.xor(y));
                Some(self.eq(self.child(a, 0), flipped))
            }
            Op::BvAnd => {
                let mask = self.as_bits(self.child(a, 1))?;
                (!y.and(&mask.not()).is_zero()).then(|| self.fals())
            }
            Op::BvOr => {
                let mask = self.as_bits(self.child(a, 1))?;
                (y.and(&mask) != mask).then(|| self.fals())
            }
            Op::Mul => {
                // k·x = y: divided by an odd k; by an even one it may be impossible.
                let k = self.as_u64(self.child(a, 1))?;
                let value = y.to_u64().filter(|_| width <= 64)?;
                let zeros = k.trailing_zeros();
                if zeros == 0 {
                    let quotient = value.wrapping_mul(inverse(k));
                    let quotient = self.bv(u128::from(quotient), width);
                    return Some(self.eq(self.child(a, 0), quotient));
                }
                (value != 0 && value.trailing_zeros() < zeros).then(|| self.fals())
            }
            _ => None,
        }
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}
