//! Conditions that cannot hold together, as ranges show: each condition narrows the ranges for the
//! others, alternatives are tried one by one, and the range of a float is halved where that may
//! help (Brain, D'Silva, Griggio, Haller and Kroening, *Deciding Floating-Point Logic with Abstract
//! Conflict Driven Clause Learning*, FMSD 2014, without the learning).
//!
//! What would be unsound: a range that leaves out a value. All else only costs time. A witness is
//! evaluated before it is called one.

use super::eval::Ranges;
use super::floats::Floats;
use crate::eval::Evaluator;
use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;
use crate::value::{Model, Value};

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

/// Values that are tried for all variables together.
const TRIED: u64 = 60;

/// Values with which all of these conditions hold, if some that lie near are such. Conditions that
/// speak of memory are left to solvers.
pub fn witness(terms: &Terms, conditions: &[Term]) -> Option<Model> {
    let mut ranges = Ranges::default();
    let mut refuter = Refuter {
        terms,
        conditions: conditions.to_vec(),
        size: 0,
        halved: 0,
        looked: 0,
    };
    if !refuter.narrow(&mut ranges) {
        return None;
    }
    let variables = terms.free_vars_of(conditions);
    let array = |&v: &Term| matches!(terms.sort(v), Sort::Array { .. });
    if variables.iter().any(array) {
        return None;
    }
    // Not at random: the same question gets the same answer.
    let mut dice: u64 = 1;
    for round in 0..TRIED {
        let mut model = Model::new();
        for &v in &variables {
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // All in the middle, all at one end, all at the other, then any.
            let way = if round < 3 { round } else { dice >> 33 };
            model.insert(v, chosen(terms, &ranges, v, way));
        }
        let mut evaluator = Evaluator::new();
        let mut holds = |&c: &Term| {
            let value = evaluator.eval(terms, c, |v| model.get(v).cloned());
            value == Value::Bool(true)
        };
        if conditions.iter().all(&mut holds) {
            return Some(model);
        }
    }
    None
}

/// A value of a variable in its range.
fn chosen(terms: &Terms, ranges: &Ranges, variable: Term, way: u64) -> Value {
    if let Some(range) = ranges.float(terms, variable) {
        return Value::Float(range.format(), range.some(way));
    }
    let width = match terms.sort(variable) {
        Sort::BitVec(width) => width,
        sort => {
            let known = ranges.get(terms, variable).and_then(|r| r.value());
            let value = known.map_or(way % 2 == 1, |v| v == 1);
            return match sort {
                Sort::Bool => Value::Bool(value),
                _ => Value::zero(sort),
            };
        }
    };
    let Some(range) = ranges.get(terms, variable) else {
        return Value::bv(0, width);
    };
    let (low, high) = range.signed();
    let zero = 0i128.clamp(low, high);
    let value = match way % 4 {
        0 => zero,
        1 => low,
        2 => high,
        _ => low + (high - low) / 64 * ((way / 4 % 65) as i128).min(64),
    };
    Value::bv(value as u128, width)
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
    use crate::sort::FloatFormat;

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
    fn a_witness_satisfies_what_is_asked() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Float(F32));
        let n = terms.var("n", Sort::BitVec(32));
        let [zero, ten, two] = [0.0, 10.0, 2.0].map(|c| number(&mut terms, c));
        let square = terms.fmul(x, x);
        let most = terms.bv(7, 32);
        let all = [
            terms.fle(zero, x),
            terms.fle(x, ten),
            terms.flt(two, square),
            terms.ult(n, most),
        ];
        let model = witness(&terms, &all).expect("there are many");
        assert!(all.iter().all(|&c| terms.holds(c, &model)));
        let below = terms.flt(square, zero);
        assert!(witness(&terms, &[below]).is_none());
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
