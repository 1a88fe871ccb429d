//! Bitwise operators and shifts.

use crate::bits::Bits;
use crate::term::{Op, Term};
use crate::terms::Terms;

impl Terms {
    /// Bitwise complement.
    pub fn bv_not(&mut self, a: Term) -> Term {
        self.width(a);
        if let Some(x) = self.as_bits(a) {
            return self.bits(x.not());
        }
        if self.op(a) == Op::BvNot {
            return self.child(a, 0);
        }
        if let Some(mapped) = self.map_constant_ite(a, Bits::not) {
            return mapped;
        }
        self.mk_like(Op::BvNot, &[a])
    }

    fn complementary(&self, a: Term, b: Term) -> bool {
        self.op(a) == Op::BvNot && self.child(a, 0) == b
            || self.op(b) == Op::BvNot && self.child(b, 0) == a
    }

    /// `(x op c1) op c2` is `x op (c1 op c2)`.
    fn fold_nested(
        &mut self,
        op: Op,
        a: Term,
        y: &Bits,
        f: fn(&Bits, &Bits) -> Bits,
    ) -> Option<(Term, Term)> {
        if self.op(a) != op {
            return None;
        }
        let x = self.as_bits(self.child(a, 1))?;
        let constant = self.bits(f(&x, y));
        Some((self.child(a, 0), constant))
    }

    /// Bitwise and. A mask of low bits becomes a slice, zero-extended.
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.bv(0, width);
        }
        if let Some(y) = self.as_bits(b) {
            if y.is_zero() {
                return b;
            }
            if y.is_ones() {
                return a;
            }
            if let Some(x) = self.as_bits(a) {
                return self.bits(x.and(&y));
            }
            if let Some(mapped) = self.map_constant_ite(a, |x| x.and(&y)) {
                return mapped;
            }
            let plus_one = y.add(&Bits::new(1, width));
            if let Some(bits) = plus_one.power_of_two() {
                let low = self.extract(a, bits - 1, 0);
                return self.zext(low, width);
            }
            if self.op(a) == Op::Zext {
                let inner = self.child(a, 0);
                let mask = self.bits(y.extract(self.width(inner) - 1, 0));
                let masked = self.bv_and(inner, mask);
                return self.zext(masked, width);
            }
            if let Some((x, c)) = self.fold_nested(Op::BvAnd, a, &y, Bits::and) {
                return self.bv_and(x, c);
            }
        }
        self.mk_like(Op::BvAnd, &[a, b])
    }

    /// Bitwise or. Operands that occupy different bits become a concatenation.
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.bits(Bits::ones(width));
        }
        if let Some(y) = self.as_bits(b) {
            if y.is_zero() {
                return a;
            }
            if y.is_ones() {
                return b;
            }
            if let Some(x) = self.as_bits(a) {
                return self.bits(x.or(&y));
            }
            if let Some(mapped) = self.map_constant_ite(a, |x| x.or(&y)) {
                return mapped;
            }
            if let Some((x, c)) = self.fold_nested(Op::BvOr, a, &y, Bits::or) {
                return self.bv_or(x, c);
            }
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        if let Some(joined) = self.join_disjoint(b, a) {
            return joined;
        }
        self.mk_like(Op::BvOr, &[a, b])
    }

    /// `(high ++ 0) | zext(low)` is `high ++ low`, if `low` fits into the zeros.
    fn join_disjoint(&mut self, shifted: Term, low: Term) -> Option<Term> {
        let width = self.width(shifted);
        let (core, core_width) = match self.op(shifted) {
            Op::Zext => (self.child(shifted, 0), self.width(self.child(shifted, 0))),
            _ => (shifted, width),
        };
        if self.op(core) != Op::Concat || self.op(low) != Op::Zext {
            return None;
        }
        let (high, zeros) = (self.child(core, 0), self.child(core, 1));
        let room = self.width(zeros);
        let inner = self.child(low, 0);
        if !self.as_bits(zeros)?.is_zero() || self.width(inner) > room {
            return None;
        }
        debug_assert!(core_width <= width);
        let bottom = self.zext(inner, room);
        let joined = self.concat(high, bottom);
        Some(self.zext(joined, width))
    }

    /// Bitwise exclusive or.
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.bv(0, width);
        }
        if self.complementary(a, b) {
            return self.bits(Bits::ones(width));
        }
        if let Some(y) = self.as_bits(b) {
            if y.is_zero() {
                return a;
            }
            if y.is_ones() {
                return self.bv_not(a);
            }
            if let Some(x) = self.as_bits(a) {
                return self.bits(x.xor(&y));
            }
            if let Some(mapped) = self.map_constant_ite(a, |x| x.xor(&y)) {
                return mapped;
            }
            if let Some((x, c)) = self.fold_nested(Op::BvXor, a, &y, Bits::xor) {
                return self.bv_xor(x, c);
            }
        }
        self.mk_like(Op::BvXor, &[a, b])
    }

    /// The constant distance of a shift: `Some(None)` if it is the width or more.
    fn constant_distance(&self, by: Term) -> Option<Option<u32>> {
        let distance = self.as_bits(by)?;
        let width = u128::from(distance.width());
        Some(distance.to_u128().filter(|d| *d < width).map(|d| d as u32))
    }

    /// Shift left. By a constant, it is a product or, of a term made of slices, a concatenation.
    pub fn shl(&mut self, a: Term, by: Term) -> Term {
        let width = self.common_width(a, by);
        match self.constant_distance(by) {
            Some(None) => self.bv(0, width),
            Some(Some(0)) => a,
            Some(Some(distance)) => {
                if let Some(x) = self.as_bits(a) {
                    let by = Bits::new(u128::from(distance), width);
                    return self.bits(x.shl(&by));
                }
                if width > 64 || matches!(self.op(a), Op::Zext | Op::Concat | Op::Extract) {
                    let kept = self.extract(a, width - 1 - distance, 0);
                    let zeros = self.bv(0, distance);
                    return self.concat(kept, zeros);
                }
                self.linear_scale(a, 1u64 << distance)
            }
            None => self.mk_like(Op::Shl, &[a, by]),
        }
    }

    /// Shift right, zeros coming in. By a constant, it is a slice.
    pub fn lshr(&mut self, a: Term, by: Term) -> Term {
        let width = self.common_width(a, by);
        match self.constant_distance(by) {
            Some(None) => self.bv(0, width),
            Some(Some(distance)) => {
                let high = self.extract(a, width - 1, distance);
                self.zext(high, width)
            }
            None => self.mk_like(Op::Lshr, &[a, by]),
        }
    }

    /// Shift right, sign bits coming in. By a constant, it is a slice.
    pub fn ashr(&mut self, a: Term, by: Term) -> Term {
        let width = self.common_width(a, by);
        match self.constant_distance(by) {
            Some(None) => {
                let sign = self.extract(a, width - 1, width - 1);
                self.sext(sign, width)
            }
            Some(Some(distance)) => {
                let high = self.extract(a, width - 1, distance);
                self.sext(high, width)
            }
            None => self.mk_like(Op::Ashr, &[a, by]),
        }
    }
}
