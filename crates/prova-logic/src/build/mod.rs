//! The constructors. Each gives the simplest term it can find in bounded time: it looks at its
//! arguments a few levels down and never walks a whole term.
//!
//! Canonical forms the rest of the crate may rely on:
//! - sums up to 64 bits are `((m1 + m2) + …) + c`, each `m` an atom, `-atom` or `atom * k`;
//! - there is no subtraction, no `Not` over a comparison, no comparison of two constants;
//! - commutative operators hold a constant on the right and otherwise the older term left;
//! - shifts and masks by constants become slices, extensions and products.

mod arith;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod equality;
mod float;
mod linear;
mod object;
mod slice;

pub(crate) use float::float_to_bits_or_least;

use crate::term::Term;
use crate::terms::Terms;
use crate::Bits;

impl Terms {
    /// Two operands in canonical order: a constant last, otherwise the older first.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        match (self.is_const(a), self.is_const(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ if a <= b => (a, b),
            _ => (b, a),
        }
    }

    /// The operands' common width.
    fn common_width(&self, a: Term, b: Term) -> u32 {
        assert!(
            self.same_sort(a, b),
            "operands of sorts {} and {}",
            self.sort(a),
            self.sort(b)
        );
        self.width(a)
    }

    /// `ite(c, k1, k2)` with constant branches, taken apart.
    fn as_constant_ite(&self, t: Term) -> Option<(Term, Bits, Bits)> {
        if self.op(t) != crate::Op::Ite {
            return None;
        }
        let children = self.children(t);
        Some((
            children[0],
            self.as_bits(children[1])?,
            self.as_bits(children[2])?,
        ))
    }

    /// Applies a function of constants to both branches of a constant `ite`.
    fn map_constant_ite(&mut self, t: Term, f: impl Fn(&Bits) -> Bits) -> Option<Term> {
        let (condition, yes, no) = self.as_constant_ite(t)?;
        let yes = self.bits(f(&yes));
        let no = self.bits(f(&no));
        Some(self.ite(condition, yes, no))
    }

    /// Applies a predicate of constants to both branches of a constant `ite`.
    fn test_constant_ite(&mut self, t: Term, f: impl Fn(&Bits) -> bool) -> Option<Term> {
        let (condition, yes, no) = self.as_constant_ite(t)?;
        Some(match (f(&yes), f(&no)) {
            (true, true) => self.tru(),
            (false, false) => self.fals(),
            (true, false) => condition,
            (false, true) => self.not(condition),
        })
    }
}
