//! Unsigned and signed comparisons. Against a constant they are always strict, so that one
//! fact has one form.

use crate::bits::Bits;
use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;
use std::cmp::Ordering::{Greater, Less};

impl Terms {
    /// Unsigned `a < b`.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if a == b {
            return self.fals();
        }
        let ones = Bits::ones(width);
        if let Some(y) = self.as_bits(b) {
            if let Some(x) = self.as_bits(a) {
                return self.bool_const(x.ucmp(&y) == Less);
            }
            if y.is_zero() {
                return self.fals();
            }
            if y.is_one() {
                let zero = self.bv(0, width);
                return self.eq(a, zero);
            }
            if y.is_ones() {
                return self.ne(a, b);
            }
            if let Some(test) = self.test_constant_ite(a, |x| x.ucmp(&y) == Less) {
                return test;
            }
            if self.op(a) == Op::Zext {
                let inner = self.child(a, 0);
                let from = self.width(inner);
                if !y.extract(width - 1, from).is_zero() {
                    return self.tru();
                }
                let low = self.bits(y.extract(from - 1, 0));
                return self.ult(inner, low);
            }
        } else if let Some(x) = self.as_bits(a) {
            if x.is_ones() {
                return self.fals();
            }
            if x.is_zero() {
                return self.ne(b, a);
            }
            if x.add(&Bits::new(1, width)) == ones {
                let ones = self.bits(ones);
                return self.eq(b, ones);
            }
            if let Some(test) = self.test_constant_ite(b, |y| x.ucmp(y) == Less) {
                return test;
            }
            if self.op(b) == Op::Zext {
                let inner = self.child(b, 0);
                let from = self.width(inner);
                if !x.extract(width - 1, from).is_zero() {
                    return self.fals();
                }
                let low = self.bits(x.extract(from - 1, 0));
                return self.ult(low, inner);
            }
        }
        if let Some((x, y)) = self.same_extension(a, b) {
            return self.ult(x, y);
        }
        if let Some(order) = self.compare_in_object(a, b) {
            return self.bool_const(order == Less);
        }
        self.mk(Op::Ult, Sort::Bool, &[a, b])
    }

    /// Unsigned `a <= b`.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if a == b {
            return self.tru();
        }
        if let Some(y) = self.as_bits(b) {
            if y.is_ones() {
                return self.tru();
            }
            let next = self.bits(y.add(&Bits::new(1, width)));
            return self.ult(a, next);
        }
        if let Some(x) = self.as_bits(a) {
            if x.is_zero() {
                return self.tru();
            }
            let previous = self.bits(x.sub(&Bits::new(1, width)));
            return self.ult(previous, b);
        }
        if let Some((x, y)) = self.same_extension(a, b) {
            return self.ule(x, y);
        }
        if let Some(order) = self.compare_in_object(a, b) {
            return self.bool_const(order != Greater);
        }
        self.mk(Op::Ule, Sort::Bool, &[a, b])
    }

    /// Signed `a < b`.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if a == b {
            return self.fals();
        }
        let one = Bits::new(1, width);
        let least = Bits::min_signed(width);
        let greatest = least.not();
        if let Some(y) = self.as_bits(b) {
            if let Some(x) = self.as_bits(a) {
                return self.bool_const(x.scmp(&y) == Less);
            }
            if y == least {
                return self.fals();
            }
            if y == greatest {
                return self.ne(a, b);
            }
            if y == least.add(&one) {
                let least = self.bits(least);
                return self.eq(a, least);
            }
            if let Some(test) = self.test_constant_ite(a, |x| x.scmp(&y) == Less) {
                return test;
            }
            match self.op(a) {
                Op::Zext if y.is_negative() => return self.fals(),
                Op::Zext => return self.ult(a, b),
                Op::Sext => {
                    let inner = self.child(a, 0);
                    let low = y.extract(self.width(inner) - 1, 0);
                    if low.sext(width) != y {
                        return self.bool_const(!y.is_negative());
                    }
                    let low = self.bits(low);
                    return self.slt(inner, low);
                }
                _ => {}
            }
        } else if let Some(x) = self.as_bits(a) {
            if x == greatest {
                return self.fals();
            }
            if x == least {
                return self.ne(b, a);
            }
            if x.add(&one) == greatest {
                let greatest = self.bits(greatest);
                return self.eq(b, greatest);
            }
            if let Some(test) = self.test_constant_ite(b, |y| x.scmp(y) == Less) {
                return test;
            }
            match self.op(b) {
                Op::Zext if x.is_negative() => return self.tru(),
                Op::Zext => return self.ult(a, b),
                Op::Sext => {
                    let inner = self.child(b, 0);
                    let low = x.extract(self.width(inner) - 1, 0);
                    if low.sext(width) != x {
                        return self.bool_const(x.is_negative());
                    }
                    let low = self.bits(low);
                    return self.slt(low, inner);
                }
                _ => {}
            }
        }
        match self.same_extension(a, b) {
            Some((x, y)) if self.op(a) == Op::Zext => self.ult(x, y),
            Some((x, y)) => self.slt(x, y),
            None => self.mk(Op::Slt, Sort::Bool, &[a, b]),
        }
    }

    /// Signed `a <= b`.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if a == b {
            return self.tru();
        }
        let least = Bits::min_signed(width);
        if let Some(y) = self.as_bits(b) {
            if y == least.not() {
                return self.tru();
            }
            let next = self.bits(y.add(&Bits::new(1, width)));
            return self.slt(a, next);
        }
        if let Some(x) = self.as_bits(a) {
            if x == least {
                return self.tru();
            }
            let previous = self.bits(x.sub(&Bits::new(1, width)));
            return self.slt(previous, b);
        }
        match self.same_extension(a, b) {
            Some((x, y)) if self.op(a) == Op::Zext => self.ule(x, y),
            Some((x, y)) => self.sle(x, y),
            None => self.mk(Op::Sle, Sort::Bool, &[a, b]),
        }
    }

    /// The operands of two extensions of one kind from one width. Both kinds keep both orders
    /// (a zero extension turns the signed one into the unsigned one).
    fn same_extension(&self, a: Term, b: Term) -> Option<(Term, Term)> {
        let op = self.op(a);
        if !matches!(op, Op::Zext | Op::Sext) || self.op(b) != op {
            return None;
        }
        let (x, y) = (self.child(a, 0), self.child(b, 0));
        self.same_sort(x, y).then_some((x, y))
    }

    /// Unsigned `a > b`.
    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    /// Unsigned `a >= b`.
    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    /// Signed `a > b`.
    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    /// Signed `a >= b`.
    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }
}
