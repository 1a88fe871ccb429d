//! Conditions that cannot hold together, as ranges show: each condition narrows the ranges for the
//! others, alternatives are tried one by one, and the range of a float is halved where that may
//! help (Brain, D'Silva, Griggio, Haller and Kroening, *Deciding Floating-Point Logic with Abstract
//! Conflict Driven Clause Learning*, FMSD 2014, without the learning).
//!
//! What would be unsound: a range that leaves out a value. All else only costs time.

use super::eval::Ranges;
use super::floats::Floats;
use crate::term::{Op, Term};
use crate::terms::Terms;

/// Rounds in which conditions narrow each other's ranges.
const ROUNDS: usize = 4;
/// Ranges that are halved at most.
const HALVED: u32 = 512;
/// Halvings of one range inside another.
const DEPTH: u32 = 24;
/// Subterms that are looked at, in all.
const LOOKED_AT: usize = 4_000_000;

/// Whether it is plain that these conditions cannot all hold.
pub fn impossible(terms: &Terms, conditions: &[Term]) -> bool {
    let mut refuter = Refuter {
        terms,
        conditions: conditions.to_vec(),
        size: terms.post_order(conditions).len(),
        halved: 0,
        looked: 0,
    };
    refuter.refute(Ranges::default(), 0)
}

struct Refuter<'a> {
    terms: &'a Terms,
    conditions: Vec<Term>,
    size: usize,
    halved: u32,
    looked: usize,
}

impl Refuter<'_> {
    /// Whether nothing in these ranges satisfies the conditions.
    fn refute(&mut self, mut ranges: Ranges, depth: u32) -> bool {
        if !self.narrow(&mut ranges) {
            return true;
        }
        if depth == DEPTH {
            return false;
        }
        let Some((variable, lower, upper)) = self.halves(&ranges) else {
            return false;
        };
        self.halved += 1;
        let mut parts = [lower, upper].into_iter();
        parts.all(|part| {
            if self.halved > HALVED || self.looked > LOOKED_AT {
                return false;
            }
            let mut ranges = ranges.clone();
            ranges.set_float(variable, part);
            self.refute(ranges, depth + 1)
        })
    }

    /// Takes in all conditions; `false` if one cannot hold.
    fn narrow(&mut self, ranges: &mut Ranges) -> bool {
        for _ in 0..ROUNDS {
            let before = ranges.clone();
            for &condition in &self.conditions {
                self.looked += self.size;
                if !ranges.assume(self.terms, condition, true)
                    || !self.alternatives(ranges, condition)
                {
                    return false;
                }
            }
            if *ranges == before {
                break;
            }
        }
        true
    }

    /// Takes in a disjunction: one of its parts holds.
    fn alternatives(&self, ranges: &mut Ranges, condition: Term) -> bool {
        let (parts, holds) = match self.terms.op(condition) {
            Op::Or => (self.terms.children(condition), true),
            Op::Not => {
                let inner = self.terms.children(condition)[0];
                match self.terms.op(inner) {
                    Op::And => (self.terms.children(inner), false),
                    _ => return true,
                }
            }
            _ => return true,
        };
        let mut possible = parts.iter().filter(|&&part| {
            let mut ranges = ranges.clone();
            ranges.assume(self.terms, part, holds)
        });
        match (possible.next(), possible.next()) {
            (None, _) => false,
            (Some(&only), None) => ranges.assume(self.terms, only, holds),
            _ => true,
        }
    }

    /// The widest range of a float between two numbers, and its halves.
    fn halves(&self, ranges: &Ranges) -> Option<(Term, Floats, Floats)> {
        let known = ranges.known_floats();
        let bounded = known.filter_map(|(v, range)| Some((range.spread()?, v, range)));
        let widest = bounded.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let (_, variable, range) = widest?;
        let (lower, upper) = range.halves()?;
        Some((variable, lower, upper))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::{FloatFormat, Sort};

    const F32: FloatFormat = FloatFormat::F32;

    fn number(terms: &mut Terms, x: f32) -> Term {
        terms.float_const(F32, x.to_bits().into())
    }

    /// A polynomial near the sine: its value is below 2 where |x| < 1.57, which takes halving.
    #[test]
    fn a_polynomial_is_bounded() {
        for (bound, expected) in [(2.0, true), (0.9, false)] {
            let mut terms = Terms::new();
            let x = terms.var("x", Sort::Float(F32));
            let [low, high] = [-1.57f32, 1.57].map(|c| number(&mut terms, c));
            let inside = [terms.flt(low, x), terms.flt(x, high)];
            let square = terms.fmul(x, x);
            let cube = terms.fmul(square, x);
            let fifth = terms.fmul(cube, square);
            let (six, more) = (number(&mut terms, 6.0), number(&mut terms, 120.0));
            let (a, b) = (terms.fdiv(cube, six), terms.fdiv(fifth, more));
            let sum = terms.fsub(x, a);
            let sum = terms.fadd(sum, b);
            let bound = number(&mut terms, bound);
            let below = terms.fle(sum, bound);
            let above = terms.not(below);
            let all = [inside[0], inside[1], above];
            assert_eq!(impossible(&terms, &all), expected);
        }
    }

    #[test]
    fn one_of_several_alternatives_is_enough() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Float(F32));
        let [one, two, three] = [1.0, 2.0, 3.0].map(|c| number(&mut terms, c));
        let inside = [terms.fle(one, x), terms.fle(x, two)];
        let (under, over) = (terms.flt(x, one), terms.flt(three, x));
        let either = terms.or2(under, over);
        assert!(impossible(&terms, &[inside[0], inside[1], either]));
        let open = terms.flt(one, x);
        let either = terms.or2(under, open);
        assert!(!impossible(&terms, &[inside[0], inside[1], either]));
    }

    #[test]
    fn a_nan_is_in_no_order_and_still_possible() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Float(F32));
        let one = number(&mut terms, 1.0);
        let (below, above) = (terms.flt(x, one), terms.fle(one, x));
        let (not_below, not_above) = (terms.not(below), terms.not(above));
        assert!(!impossible(&terms, &[not_below, not_above]));
        let nan = terms.is_nan(x);
        let number = terms.not(nan);
        assert!(impossible(&terms, &[number, not_below, not_above]));
    }
}
