//! Bit-vector arithmetic: constants, sums, products, quotients.

use crate::bits::Bits;
use crate::term::{Op, Term};
use crate::terms::Terms;
use num_bigint::BigUint;

impl Terms {
    /// A bit-vector constant, modulo 2^width.
    pub fn bv(&mut self, value: u128, width: u32) -> Term {
        self.bits(Bits::new(value, width))
    }

    /// A bit-vector constant from a signed value, modulo 2^width (at most 128 bits).
    pub fn bv_signed(&mut self, value: i128, width: u32) -> Term {
        if width > 128 {
            return self.bits(Bits::new(value as u128, 128).sext(width));
        }
        self.bits(Bits::new(value as u128, width))
    }

    /// A bit-vector constant of any size, modulo 2^width.
    pub fn bv_big(&mut self, value: BigUint, width: u32) -> Term {
        self.bits(Bits::from_big(value, width))
    }

    /// `b ? 1 : 0` at a width.
    pub fn bool_to_bv(&mut self, b: Term, width: u32) -> Term {
        let one = self.bv(1, width);
        let zero = self.bv(0, width);
        self.ite(b, one, zero)
    }

    /// Sum.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if width <= 64 {
            return self.linear_sum(a, b, 1);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(y) = self.as_bits(b) {
            if y.is_zero() {
                return a;
            }
            if let Some(x) = self.as_bits(a) {
                return self.bits(x.add(&y));
            }
            if self.op(a) == Op::Add {
                if let Some(x) = self.as_bits(self.child(a, 1)) {
                    let constant = self.bits(x.add(&y));
                    return self.add(self.child(a, 0), constant);
                }
            }
        }
        if self.op(b) == Op::Neg && self.child(b, 0) == a
            || self.op(a) == Op::Neg && self.child(a, 0) == b
        {
            return self.bv(0, width);
        }
        self.mk_like(Op::Add, &[a, b])
    }

    /// Difference.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        if self.common_width(a, b) <= 64 {
            return self.linear_sum(a, b, u64::MAX);
        }
        let negated = self.neg(b);
        self.add(a, negated)
    }

    /// Two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        if self.width(a) <= 64 {
            return self.linear_scale(a, u64::MAX);
        }
        if let Some(x) = self.as_bits(a) {
            return self.bits(x.neg());
        }
        if self.op(a) == Op::Neg {
            return self.child(a, 0);
        }
        self.mk_like(Op::Neg, &[a])
    }

    /// Product.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if width <= 64 {
            if let Some(factor) = self.as_u64(b) {
                return self.linear_scale(a, factor);
            }
        } else if let Some(y) = self.as_bits(b) {
            if y.is_zero() {
                return b;
            }
            if y.is_one() {
                return a;
            }
            if let Some(x) = self.as_bits(a) {
                return self.bits(x.mul(&y));
            }
        }
        // A sign comes out, so that x * -y and -(x * y) are one term.
        if self.op(a) == Op::Neg {
            let product = self.mul(self.child(a, 0), b);
            return self.neg(product);
        }
        if self.op(b) == Op::Neg {
            let product = self.mul(a, self.child(b, 0));
            return self.neg(product);
        }
        self.mk_like(Op::Mul, &[a, b])
    }

    /// Folds a division by or of constants that needs no look at the other operand.
    fn fold_division(
        &mut self,
        a: Term,
        b: Term,
        f: impl Fn(&Bits, &Bits) -> Bits,
    ) -> Option<Term> {
        self.common_width(a, b);
        let (x, y) = (self.as_bits(a)?, self.as_bits(b)?);
        Some(self.bits(f(&x, &y)))
    }

    /// Unsigned quotient; all ones if the divisor is zero.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_division(a, b, Bits::udiv) {
            return folded;
        }
        if let Some(shift) = self.as_bits(b).and_then(|y| y.power_of_two()) {
            let width = self.width(a);
            let high = self.extract(a, width - 1, shift);
            return self.zext(high, width);
        }
        self.mk_like(Op::Udiv, &[a, b])
    }

    /// Unsigned remainder; the dividend if the divisor is zero.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_division(a, b, Bits::urem) {
            return folded;
        }
        if let Some(y) = self.as_bits(b) {
            let width = self.width(a);
            if y.is_zero() {
                return a;
            }
            match y.power_of_two() {
                Some(0) => return self.bv(0, width),
                Some(shift) => {
                    let low = self.extract(a, shift - 1, 0);
                    return self.zext(low, width);
                }
                None => {}
            }
        }
        self.mk_like(Op::Urem, &[a, b])
    }

    /// Signed quotient, rounded towards zero. By zero: 1 for a negative dividend, else -1.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_division(a, b, Bits::sdiv) {
            return folded;
        }
        if let Some(y) = self.as_bits(b) {
            if y.is_one() && y.width() > 1 {
                return a;
            }
            if self.is_zero_extended(a) && !y.is_negative() && !y.is_zero() {
                return self.udiv(a, b);
            }
        }
        self.mk_like(Op::Sdiv, &[a, b])
    }

    /// Signed remainder, with the dividend's sign; the dividend if the divisor is zero.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_division(a, b, Bits::srem) {
            return folded;
        }
        if let Some(y) = self.as_bits(b) {
            if y.is_zero() {
                return a;
            }
            if y.is_one() && y.width() > 1 {
                return self.bv(0, y.width());
            }
            if self.is_zero_extended(a) && !y.is_negative() {
                return self.urem(a, b);
            }
        }
        if let Some((x, y, signed)) = self.narrowed(a, b) {
            // Neither a remainder nor, by zero, the dividend needs more bits than the operands.
            let width = self.width(a);
            return if signed {
                let remainder = self.srem(x, y);
                self.sext(remainder, width)
            } else {
                let remainder = self.urem(x, y);
                self.zext(remainder, width)
            };
        }
        self.mk_like(Op::Srem, &[a, b])
    }

    /// Two operands before they were both extended from the same width, and whether by their
    /// signs. Constants that fit count as extended.
    fn narrowed(&mut self, a: Term, b: Term) -> Option<(Term, Term, bool)> {
        let (wide, inner) = match (self.op(a), self.op(b)) {
            (Op::Sext | Op::Zext, _) => (self.op(a), self.child(a, 0)),
            (_, Op::Sext | Op::Zext) => (self.op(b), self.child(b, 0)),
            _ => return None,
        };
        let width = self.width(inner);
        let signed = wide == Op::Sext;
        let mut narrow = [a, b];
        for t in &mut narrow {
            let op = self.op(*t);
            if op == Op::BvConst {
                let low = self.extract(*t, width - 1, 0);
                let again = if signed {
                    self.sext(low, self.width(*t))
                } else {
                    self.zext(low, self.width(*t))
                };
                if again != *t {
                    return None;
                }
                *t = low;
            } else if op == wide && self.width(self.child(*t, 0)) == width {
                *t = self.child(*t, 0);
            } else {
                return None;
            }
        }
        Some((narrow[0], narrow[1], signed))
    }

    /// Whether the sign bit is zero for all to see.
    pub(super) fn is_zero_extended(&self, t: Term) -> bool {
        match self.op(t) {
            Op::Zext => true,
            Op::BvConst => self.as_bits(t).is_some_and(|b| !b.is_negative()),
            _ => false,
        }
    }
}
