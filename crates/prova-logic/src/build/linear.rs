//! Linear forms: bit-vector sums of up to 64 bits in one canonical shape.
//!
//! `Σ kᵢ·tᵢ + c` modulo 2^width, atoms in order of age. A sum of more than [`MAX`] monomials is
//! an atom itself, so the work per constructor is bounded.

use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;

/// The most monomials a linear form holds.
const MAX: usize = 8;

/// A linear form. `len` monomials of distinct atoms, ascending; coefficients are not zero.
#[derive(Clone, Copy)]
pub(super) struct Linear {
    pub(super) width: u32,
    monomials: [(Term, u64); MAX],
    len: usize,
    pub(super) constant: u64,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Linear {
    fn constant(width: u32, constant: u64) -> Linear {
        let constant = constant & mask(width);
        Linear {
            width,
            monomials: [(Term(0), 0); MAX],
            len: 0,
            constant,
        }
    }

    pub(super) fn monomials(&self) -> &[(Term, u64)] {
        &self.monomials[..self.len]
    }

    /// Adds `coefficient * atom`; false if there is no room.
    fn add_monomial(&mut self, atom: Term, coefficient: u64) -> bool {
        let coefficient = coefficient & mask(self.width);
        if coefficient == 0 {
            return true;
        }
        match self.monomials[..self.len].binary_search_by_key(&atom, |m| m.0) {
            Ok(at) => {
                let sum = self.monomials[at].1.wrapping_add(coefficient) & mask(self.width);
                self.monomials[at].1 = sum;
                if sum == 0 {
                    self.monomials.copy_within(at + 1..self.len, at);
                    self.len -= 1;
                }
                true
            }
            Err(_) if self.len == MAX => false,
            Err(at) => {
                self.monomials.copy_within(at..self.len, at + 1);
                self.monomials[at] = (atom, coefficient);
                self.len += 1;
                true
            }
        }
    }

    /// `self + factor * other`, if it has room for all.
    pub(super) fn add_scaled(&self, other: &Linear, factor: u64) -> Option<Linear> {
        let mut sum = *self;
        sum.constant = sum
            .constant
            .wrapping_add(other.constant.wrapping_mul(factor))
            & mask(self.width);
        for &(atom, coefficient) in other.monomials() {
            if !sum.add_monomial(atom, coefficient.wrapping_mul(factor)) {
                return None;
            }
        }
        Some(sum)
    }
}

impl Terms {
    /// The linear form of a bit-vector term of at most 64 bits.
    pub(super) fn linear(&self, t: Term, width: u32) -> Linear {
        debug_assert!(width <= 64);
        if let Some(value) = self.as_u64(t) {
            return Linear::constant(width, value);
        }
        let (rest, constant) = self.split_offset(t);
        let mut linear = Linear::constant(width, constant);
        let mut spine = rest;
        let mut fits = true;
        let mut steps = 0;
        while fits && self.op(spine) == Op::Add {
            let (atom, coefficient) = self.monomial(self.child(spine, 1), width);
            // Steps are counted too: equal atoms may recur on a spine that had no room.
            steps += 1;
            fits = steps < MAX && linear.add_monomial(atom, coefficient);
            spine = self.child(spine, 0);
        }
        if fits {
            let (atom, coefficient) = self.monomial(spine, width);
            fits = linear.add_monomial(atom, coefficient);
        }
        if !fits {
            linear = Linear::constant(width, constant);
            linear.add_monomial(rest, 1);
        }
        linear
    }

    /// `(x, c)` with `t = x + c`; `c` is zero if there is no constant to split off.
    /// For bit-vectors of at most 64 bits.
    pub(super) fn split_offset(&self, t: Term) -> (Term, u64) {
        if self.op(t) == Op::Add {
            if let Some(constant) = self.as_u64(self.child(t, 1)) {
                return (self.child(t, 0), constant);
            }
        }
        (t, 0)
    }

    fn monomial(&self, t: Term, width: u32) -> (Term, u64) {
        match self.op(t) {
            Op::Neg => (self.child(t, 0), mask(width)),
            Op::Mul => match self.as_u64(self.child(t, 1)) {
                Some(coefficient) => (self.child(t, 0), coefficient),
                None => (t, 1),
            },
            _ => (t, 1),
        }
    }

    /// The term of a linear form.
    pub(super) fn linear_term(&mut self, linear: &Linear) -> Term {
        let width = linear.width;
        let mut sum = None;
        for &(atom, coefficient) in linear.monomials() {
            let monomial = self.scaled_atom(atom, coefficient, width);
            sum = Some(match sum {
                None => monomial,
                Some(sum) => self.mk_like(Op::Add, &[sum, monomial]),
            });
        }
        match sum {
            None => self.bv(u128::from(linear.constant), width),
            Some(sum) if linear.constant == 0 => sum,
            Some(sum) => {
                let constant = self.bv(u128::from(linear.constant), width);
                self.mk_like(Op::Add, &[sum, constant])
            }
        }
    }

    fn scaled_atom(&mut self, atom: Term, coefficient: u64, width: u32) -> Term {
        if coefficient == 1 {
            atom
        } else if coefficient == mask(width) {
            self.mk(Op::Neg, Sort::BitVec(width), &[atom])
        } else {
            let coefficient = self.bv(u128::from(coefficient), width);
            self.mk_like(Op::Mul, &[atom, coefficient])
        }
    }

    /// `a + factor * b` at most 64 bits wide, canonical.
    pub(super) fn linear_sum(&mut self, a: Term, b: Term, factor: u64) -> Term {
        let width = self.width(a);
        let (la, lb) = (self.linear(a, width), self.linear(b, width));
        if let Some(sum) = la.add_scaled(&lb, factor) {
            return self.linear_term(&sum);
        }
        // No room: only the constants are pulled out.
        let (mut la, mut lb) = (la, lb);
        let constant = la.constant.wrapping_add(lb.constant.wrapping_mul(factor)) & mask(width);
        (la.constant, lb.constant) = (0, 0);
        let left = self.linear_term(&la);
        let right = self.linear_term(&lb);
        let right = self.linear_scale(right, factor);
        let (left, right) = self.ordered(left, right);
        let sum = self.mk_like(Op::Add, &[left, right]);
        if constant == 0 {
            return sum;
        }
        let constant = self.bv(u128::from(constant), width);
        self.mk_like(Op::Add, &[sum, constant])
    }

    /// `factor * a` at most 64 bits wide, canonical.
    pub(super) fn linear_scale(&mut self, a: Term, factor: u64) -> Term {
        let width = self.width(a);
        let linear = self.linear(a, width);
        match Linear::constant(width, 0).add_scaled(&linear, factor) {
            Some(scaled) => self.linear_term(&scaled),
            None => unreachable!("scaling adds no monomials"),
        }
    }

    /// `P = N` with `a - b = P - N`, everything common to both sides gone; or the truth value.
    /// `None` if there is nothing to gain. At most 64 bits wide.
    pub(super) fn linear_equation(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let width = self.width(a);
        let (la, lb) = (self.linear(a, width), self.linear(b, width));
        let difference = la.add_scaled(&lb, u64::MAX)?;
        let sign_bit = 1u64 << (width - 1);
        // The oldest atom has a positive coefficient: a - b = 0 and b - a = 0 are one equation.
        let flip = difference
            .monomials()
            .first()
            .is_some_and(|m| m.1 > sign_bit);
        let mut left = Linear::constant(width, 0);
        let mut right = Linear::constant(width, 0);
        for &(atom, coefficient) in difference.monomials() {
            let (positive, magnitude) = if coefficient > sign_bit {
                (false, coefficient.wrapping_neg())
            } else {
                (true, coefficient)
            };
            let side = if positive != flip {
                &mut left
            } else {
                &mut right
            };
            side.add_monomial(atom, magnitude);
        }
        let constant = difference.constant;
        right.constant = if flip {
            constant
        } else {
            constant.wrapping_neg() & mask(width)
        };
        Some((self.linear_term(&left), self.linear_term(&right)))
    }
}
