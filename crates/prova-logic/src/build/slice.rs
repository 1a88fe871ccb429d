//! Concatenation, slices, extensions.

use crate::bits::Bits;
use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;

impl Terms {
    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (hw, lw) = (self.width(high), self.width(low));
        let width = hw + lw;
        if let Some(h) = self.as_bits(high) {
            if h.is_zero() {
                return self.zext(low, width);
            }
            if let Some(l) = self.as_bits(low) {
                return self.bits(h.concat(&l));
            }
        }
        // Adjacent slices of one term fuse, also under a lower neighbour.
        if let Some(fused) = self.fuse(high, low) {
            return fused;
        }
        if self.op(high) == Op::Concat {
            let (top, middle) = (self.child(high, 0), self.child(high, 1));
            // Concatenations lean right: a ++ (b ++ c).
            let rest = self.concat(middle, low);
            return self.concat(top, rest);
        }
        if self.op(high) == Op::Zext {
            let inner = self.child(high, 0);
            let rest = self.concat(inner, low);
            return self.zext(rest, width);
        }
        if self.op(low) == Op::Concat {
            let (next, rest) = (self.child(low, 0), self.child(low, 1));
            if let Some(fused) = self.fuse(high, next) {
                return self.concat(fused, rest);
            }
            if let (Some(h), Some(n)) = (self.as_bits(high), self.as_bits(next)) {
                let both = self.bits(h.concat(&n));
                return self.concat(both, rest);
            }
        }
        self.mk(Op::Concat, Sort::BitVec(width), &[high, low])
    }

    /// One slice for two adjacent ones; a sign extension for a repeated sign bit.
    fn fuse(&mut self, high: Term, low: Term) -> Option<Term> {
        if self.op(high) != Op::Extract || self.op(low) != Op::Extract {
            return None;
        }
        let (source, (hi, mid)) = (self.child(high, 0), self.bounds(high));
        let (other, (below, lo)) = (self.child(low, 0), self.bounds(low));
        (source == other && mid == below + 1).then(|| self.extract(source, hi, lo))
    }

    /// Zeros put above, to the given width.
    pub fn zext(&mut self, t: Term, width: u32) -> Term {
        let from = self.width(t);
        assert!(width >= from, "a zero extension does not narrow");
        if width == from {
            return t;
        }
        match self.op(t) {
            Op::BvConst => match self.as_bits(t) {
                Some(bits) => self.bits(bits.zext(width)),
                None => t,
            },
            Op::Zext => self.zext(self.child(t, 0), width),
            Op::Ite => match self.map_constant_ite(t, |b| b.zext(width)) {
                Some(mapped) => mapped,
                None => self.mk(Op::Zext, Sort::BitVec(width), &[t]),
            },
            _ => self.mk(Op::Zext, Sort::BitVec(width), &[t]),
        }
    }

    /// Copies of the sign bit put above, to the given width.
    pub fn sext(&mut self, t: Term, width: u32) -> Term {
        let from = self.width(t);
        assert!(width >= from, "a sign extension does not narrow");
        if width == from {
            return t;
        }
        match self.op(t) {
            Op::BvConst => match self.as_bits(t) {
                Some(bits) => self.bits(bits.sext(width)),
                None => t,
            },
            Op::Zext => self.zext(self.child(t, 0), width),
            Op::Sext => self.sext(self.child(t, 0), width),
            Op::Ite => match self.map_constant_ite(t, |b| b.sext(width)) {
                Some(mapped) => mapped,
                None => self.mk(Op::Sext, Sort::BitVec(width), &[t]),
            },
            _ => self.mk(Op::Sext, Sort::BitVec(width), &[t]),
        }
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&mut self, t: Term, hi: u32, lo: u32) -> Term {
        let width = self.width(t);
        assert!(lo <= hi && hi < width, "slice [{hi}:{lo}] of {width} bits");
        if lo == 0 && hi + 1 == width {
            return t;
        }
        match self.op(t) {
            Op::BvConst => {
                if let Some(bits) = self.as_bits(t) {
                    return self.bits(bits.extract(hi, lo));
                }
            }
            Op::Extract => {
                let (_, below) = self.bounds(t);
                return self.extract(self.child(t, 0), hi + below, lo + below);
            }
            Op::Concat => {
                let (high, low) = (self.child(t, 0), self.child(t, 1));
                let split = self.width(low);
                if lo >= split {
                    return self.extract(high, hi - split, lo - split);
                }
                if hi < split {
                    return self.extract(low, hi, lo);
                }
                let top = self.extract(high, hi - split, 0);
                let bottom = self.extract(low, split - 1, lo);
                return self.concat(top, bottom);
            }
            Op::Zext | Op::Sext => {
                let inner = self.child(t, 0);
                let from = self.width(inner);
                if hi < from {
                    return self.extract(inner, hi, lo);
                }
                if self.op(t) == Op::Zext {
                    if lo >= from {
                        return self.bv(0, hi - lo + 1);
                    }
                    let low = self.extract(inner, from - 1, lo);
                    return self.zext(low, hi - lo + 1);
                }
                if lo < from {
                    let low = self.extract(inner, from - 1, lo);
                    return self.sext(low, hi - lo + 1);
                }
                let sign = self.extract(inner, from - 1, from - 1);
                return self.sext(sign, hi - lo + 1);
            }
            Op::Ite => {
                if let Some(mapped) = self.map_constant_ite(t, |b| b.extract(hi, lo)) {
                    return mapped;
                }
            }
            Op::BvAnd | Op::BvOr | Op::BvXor => {
                let (a, b) = (self.child(t, 0), self.child(t, 1));
                if self.slices_well(a, hi, lo) && self.slices_well(b, hi, lo) {
                    let op = self.op(t);
                    let (a, b) = (self.extract(a, hi, lo), self.extract(b, hi, lo));
                    return match op {
                        Op::BvAnd => self.bv_and(a, b),
                        Op::BvOr => self.bv_or(a, b),
                        _ => self.bv_xor(a, b),
                    };
                }
            }
            Op::BvNot => {
                let a = self.child(t, 0);
                if self.slices_well(a, hi, lo) {
                    let a = self.extract(a, hi, lo);
                    return self.bv_not(a);
                }
            }
            Op::Add | Op::Mul | Op::Neg | Op::Var => {
                if let Some(low) = self.extract_low_arithmetic(t, hi, lo) {
                    return low;
                }
            }
            _ => {}
        }
        self.mk_extract(t, hi, lo)
    }

    /// Whether a slice of the term is no larger than the term.
    fn slices_well(&self, t: Term, hi: u32, lo: u32) -> bool {
        match self.op(t) {
            Op::BvConst | Op::Concat | Op::Zext | Op::Extract => true,
            Op::Sext => hi < self.width(self.child(t, 0)) || lo == 0,
            Op::Ite => self.as_constant_ite(t).is_some(),
            _ => self.known_low_zeros(t) > hi,
        }
    }

    /// How many low bits are zero because the term is the address of an aligned object.
    fn known_low_zeros(&self, t: Term) -> u32 {
        let object = self.variable(t).and_then(|v| v.object);
        object.map_or(0, |o| o.align.trailing_zeros())
    }

    /// Low bits of sums are sums of low bits: worth it where all of them get simpler.
    fn extract_low_arithmetic(&mut self, t: Term, hi: u32, lo: u32) -> Option<Term> {
        if self.known_low_zeros(t) > hi {
            return Some(self.bv(0, hi - lo + 1));
        }
        let width = self.width(t);
        if width > 64 || hi + 1 == width || self.op(t) == Op::Var {
            return None;
        }
        let linear = self.linear(t, width);
        let low = hi + 1;
        let gone = |terms: &Terms, atom: Term, coefficient: u64| {
            terms.known_low_zeros(atom) + coefficient.trailing_zeros() >= low
        };
        for &(atom, coefficient) in linear.monomials() {
            if !gone(self, atom, coefficient) && (atom == t || !self.slices_well(atom, hi, 0)) {
                return None;
            }
        }
        let mut sum = self.bits(Bits::new(u128::from(linear.constant), low));
        for &(atom, coefficient) in linear.monomials() {
            if gone(self, atom, coefficient) {
                continue;
            }
            let atom = self.extract(atom, hi, 0);
            let factor = self.bv(u128::from(coefficient), low);
            let product = self.mul(atom, factor);
            sum = self.add(sum, product);
        }
        Some(self.extract(sum, hi, lo))
    }
}
