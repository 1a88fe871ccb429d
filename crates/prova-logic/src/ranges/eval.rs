//! Terms over ranges: what a term can be where the variables are in their ranges, and what a
//! condition tells of them.

use super::floats::Floats;
use super::range::Range;
use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;
use rustc_hash::FxHashMap;

/// Ranges of variables; those absent can be anything. Booleans are bit-vectors of one bit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranges {
    of: FxHashMap<Term, Range>,
    floats: FxHashMap<Term, Floats>,
}

/// The width in which a sort is followed.
pub fn width_of(terms: &Terms, t: Term) -> Option<u32> {
    match terms.sort(t) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) if (1..=64).contains(&width) => Some(width),
        _ => None,
    }
}

/// What terms were found to be, for the same ranges.
#[derive(Default)]
pub struct Memo {
    bits: FxHashMap<Term, Option<Range>>,
    floats: FxHashMap<Term, Floats>,
}

impl Ranges {
    /// The range of a variable; `None` if it is not followed.
    pub fn get(&self, terms: &Terms, variable: Term) -> Option<Range> {
        let width = width_of(terms, variable)?;
        Some(self.of.get(&variable).copied().unwrap_or(Range::all(width)))
    }

    /// Sets a range.
    pub fn set(&mut self, variable: Term, range: Range) {
        if range.is_all() {
            self.of.remove(&variable);
        } else {
            self.of.insert(variable, range);
        }
    }

    /// All ranges that say something.
    pub fn known(&self) -> impl Iterator<Item = (Term, Range)> + '_ {
        self.of.iter().map(|(&v, &r)| (v, r))
    }

    /// The range of a float variable; `None` if it is no float.
    pub fn float(&self, terms: &Terms, variable: Term) -> Option<Floats> {
        let format = terms.sort(variable).format()?;
        let known = self.floats.get(&variable).copied();
        Some(known.unwrap_or(Floats::all(format)))
    }

    /// Sets the range of a float.
    pub fn set_float(&mut self, variable: Term, range: Floats) {
        if range.is_all() {
            self.floats.remove(&variable);
        } else {
            self.floats.insert(variable, range);
        }
    }

    /// All ranges of floats that say something.
    pub fn known_floats(&self) -> impl Iterator<Item = (Term, Floats)> + '_ {
        self.floats.iter().map(|(&v, &r)| (v, r))
    }

    /// Combines with other ranges, variable by variable; what either does not know, nobody knows.
    pub fn combine(
        &self,
        other: &Ranges,
        f: impl Fn(&Range, &Range) -> Range,
        g: impl Fn(&Floats, &Floats) -> Floats,
    ) -> Ranges {
        let mut both = Ranges::default();
        for (variable, range) in &self.of {
            if let Some(second) = other.of.get(variable) {
                both.set(*variable, f(range, second));
            }
        }
        for (variable, range) in &self.floats {
            if let Some(second) = other.floats.get(variable) {
                both.set_float(*variable, g(range, second));
            }
        }
        both
    }

    /// What terms can be.
    pub fn eval(&self, terms: &Terms, root: Term) -> Option<Range> {
        self.eval_with(terms, root, &mut Memo::default())
    }

    /// As [`eval`](Self::eval), remembering what was computed for the same ranges.
    pub fn eval_with(&self, terms: &Terms, root: Term, memo: &mut Memo) -> Option<Range> {
        if let Some(&known) = memo.bits.get(&root) {
            return known;
        }
        self.fill(terms, root, memo);
        memo.bits.get(&root).copied().flatten()
    }

    /// What a float can be.
    pub fn eval_float(&self, terms: &Terms, root: Term) -> Option<Floats> {
        self.eval_float_with(terms, root, &mut Memo::default())
    }

    /// As [`eval_float`](Self::eval_float), remembering what was computed for the same ranges.
    pub fn eval_float_with(&self, terms: &Terms, root: Term, memo: &mut Memo) -> Option<Floats> {
        terms.sort(root).format()?;
        if let Some(&known) = memo.floats.get(&root) {
            return Some(known);
        }
        self.fill(terms, root, memo);
        memo.floats.get(&root).copied()
    }

    fn fill(&self, terms: &Terms, root: Term, memo: &mut Memo) {
        for t in terms.post_order(&[root]) {
            if memo.bits.contains_key(&t) || memo.floats.contains_key(&t) {
                continue;
            }
            match terms.sort(t).format() {
                Some(_) => {
                    let value = self.float_step(terms, t, memo);
                    memo.floats.insert(t, value);
                }
                None => {
                    let value = self.step(terms, t, memo);
                    memo.bits.insert(t, value);
                }
            }
        }
    }

    fn float_step(&self, terms: &Terms, t: Term, memo: &Memo) -> Floats {
        let format = terms.format(t);
        let mode = terms.rounding(t);
        let child = |i: usize| memo.floats[&terms.children(t)[i]];
        let bits = |i: usize| memo.bits[&terms.children(t)[i]];
        let all = Floats::all(format);
        match terms.op(t) {
            Op::FloatConst => terms
                .as_float(t)
                .map_or(all, |(_, bits)| Floats::constant(format, bits)),
            Op::Var => self.float(terms, t).unwrap_or(all),
            Op::Ite => match bits(0).and_then(|c| c.value()) {
                Some(1) => child(1),
                Some(_) => child(2),
                None => child(1).join(&child(2)),
            },
            Op::Fadd => child(0).add(&child(1), mode),
            Op::Fsub => child(0).sub(&child(1), mode),
            Op::Fmul if terms.children(t)[0] == terms.children(t)[1] => {
                // A square: its operands have one sign.
                let size = child(0).abs();
                size.mul(&size, mode)
            }
            Op::Fmul => child(0).mul(&child(1), mode),
            Op::Fdiv => child(0).div(&child(1), mode),
            Op::Fsqrt => child(0).sqrt(mode),
            Op::Fround => child(0).round(mode),
            Op::Fneg => child(0).neg(),
            Op::Fabs => child(0).abs(),
            Op::FloatToFloat => child(0).convert(format, mode),
            Op::SbvToFloat | Op::UbvToFloat => {
                let signed = terms.op(t) == Op::SbvToFloat;
                let of = |r: Range| Floats::from_integers(&r, signed, format, mode);
                bits(0).map_or(all, of)
            }
            Op::FloatFromBits => bits(0).map_or(all, |r| Floats::from_bits(&r, format)),
            _ => all,
        }
    }

    fn step(&self, terms: &Terms, t: Term, memo: &Memo) -> Option<Range> {
        let width = width_of(terms, t)?;
        let child = |i: usize| -> Option<Range> { memo.bits[&terms.children(t)[i]] };
        let float = |i: usize| memo.floats[&terms.children(t)[i]];
        let truth = |b: Option<bool>| match b {
            Some(b) => Range::constant(u64::from(b), 1),
            None => Range::all(1),
        };
        let result = match terms.op(t) {
            Op::True => Range::constant(1, 1),
            Op::False => Range::constant(0, 1),
            Op::BvConst => Range::constant(terms.as_u64(t)?, width),
            Op::Var => return self.get(terms, t),
            Op::Not => truth(child(0)?.value().map(|v| v == 0)),
            Op::And => {
                let values: Vec<Option<u64>> = (0..terms.children(t).len())
                    .map(|i| child(i).and_then(|r| r.value()))
                    .collect();
                if values.contains(&Some(0)) {
                    Range::constant(0, 1)
                } else {
                    truth(values.iter().all(|v| *v == Some(1)).then_some(true))
                }
            }
            Op::Or => {
                let values: Vec<Option<u64>> = (0..terms.children(t).len())
                    .map(|i| child(i).and_then(|r| r.value()))
                    .collect();
                if values.contains(&Some(1)) {
                    Range::constant(1, 1)
                } else {
                    truth(values.iter().all(|v| *v == Some(0)).then_some(false))
                }
            }
            Op::Eq if terms.sort(terms.children(t)[0]).format().is_some() => {
                let (a, b) = (float(0), float(1));
                truth(match (a.value(), b.value()) {
                    (Some(x), Some(y)) => Some(x == y),
                    _ if a.meet(&b).is_none() => Some(false),
                    _ => None,
                })
            }
            Op::Feq => truth(float(0).equal(&float(1))),
            Op::Flt => truth(float(0).below(&float(1), true)),
            Op::Fle => truth(float(0).below(&float(1), false)),
            Op::FisNan => truth(match (float(0).may_be_nan(), float(0).may_be_number()) {
                (false, _) => Some(false),
                (_, false) => Some(true),
                _ => None,
            }),
            Op::FisInf => truth(float(0).infinite()),
            Op::FisZero => truth(float(0).zero()),
            Op::FisNeg => truth(float(0).negative()),
            Op::FloatToSbv | Op::FloatToUbv => {
                let signed = terms.op(t) == Op::FloatToSbv;
                let cut = float(0).to_integers(width, signed);
                cut.unwrap_or(Range::all(width))
            }
            Op::FloatToBits => float(0).to_bits().unwrap_or(Range::all(width)),
            Op::Eq => {
                let (a, b) = (child(0)?, child(1)?);
                truth(match (a.value(), b.value()) {
                    (Some(x), Some(y)) => Some(x == y),
                    _ if a.meet(&b).is_none() => Some(false),
                    _ => None,
                })
            }
            Op::Slt => truth(order(child(0)?.signed(), child(1)?.signed(), true)),
            Op::Sle => truth(order(child(0)?.signed(), child(1)?.signed(), false)),
            Op::Ult => truth(order(child(0)?.unsigned(), child(1)?.unsigned(), true)),
            Op::Ule => truth(order(child(0)?.unsigned(), child(1)?.unsigned(), false)),
            Op::Ite => {
                let (yes, no) = (child(1), child(2));
                match child(0).and_then(|c| c.value()) {
                    Some(1) => yes?,
                    Some(_) => no?,
                    None => yes?.join(&no?),
                }
            }
            Op::Add | Op::Mul => {
                let mut all = child(0)?;
                for i in 1..terms.children(t).len() {
                    let next = child(i)?;
                    all = match terms.op(t) {
                        Op::Add => all.add(&next),
                        _ => all.mul(&next),
                    };
                }
                all
            }
            Op::Neg => child(0)?.neg(),
            Op::BvNot => {
                let (known, ones) = child(0)?.bits();
                Range::with_bits(known, !ones, width)
            }
            Op::BvAnd => {
                let (a, b) = (child(0)?, child(1)?);
                let ((ka, oa), (kb, ob)) = (a.bits(), b.bits());
                let zeros = (ka & !oa) | (kb & !ob);
                let bits = Range::with_bits(zeros | (ka & kb), oa & ob, width);
                let most = a.unsigned().1.min(b.unsigned().1);
                let below = Range::between_unsigned(0, most, width)?;
                bits.meet(&below).unwrap_or(bits)
            }
            Op::BvOr => {
                let (a, b) = (child(0)?, child(1)?);
                let ((ka, oa), (kb, ob)) = (a.bits(), b.bits());
                Range::with_bits((ka & kb) | oa | ob, oa | ob, width)
            }
            Op::BvXor => {
                let (a, b) = (child(0)?, child(1)?);
                let ((ka, oa), (kb, ob)) = (a.bits(), b.bits());
                Range::with_bits(ka & kb, oa ^ ob, width)
            }
            Op::Shl => {
                let by = child(1)?.value().filter(|&by| by < u64::from(width))?;
                child(0)?.mul(&Range::constant(1 << by, width))
            }
            Op::Lshr | Op::Ashr => {
                let by = child(1)?.value().filter(|&by| by < u64::from(width))?;
                child(0)?.shift_right(by as u32, terms.op(t) == Op::Ashr)
            }
            Op::Urem => {
                let (a, b) = (child(0)?, child(1)?);
                let most = if b.unsigned().0 > 0 {
                    a.unsigned().1.min(b.unsigned().1 - 1)
                } else {
                    a.unsigned().1
                };
                Range::between_unsigned(0, most, width)?
            }
            Op::Udiv => {
                let (a, b) = (child(0)?, child(1)?);
                if b.unsigned().0 == 0 {
                    return Some(Range::all(width));
                }
                let (low, high) = (
                    a.unsigned().0 / b.unsigned().1,
                    a.unsigned().1 / b.unsigned().0,
                );
                Range::between_unsigned(low, high, width)?
            }
            Op::Srem => {
                let (a, b) = (child(0)?, child(1)?);
                let size = b.signed().0.abs().max(b.signed().1.abs());
                let by_zero = b.signed().0 <= 0 && b.signed().1 >= 0;
                let bound = if by_zero { i128::MAX } else { size - 1 };
                let low = if a.signed().0 >= 0 {
                    0
                } else {
                    a.signed().0.max(-bound)
                };
                let high = if a.signed().1 <= 0 {
                    0
                } else {
                    a.signed().1.min(bound)
                };
                Range::between(low, high, width)?
            }
            Op::Sdiv => {
                let (a, b) = (child(0)?, child(1)?);
                if b.signed().0 <= 0 {
                    return Some(Range::all(width));
                }
                let all = [
                    a.signed().0 / b.signed().0,
                    a.signed().0 / b.signed().1,
                    a.signed().1 / b.signed().0,
                    a.signed().1 / b.signed().1,
                ];
                Range::between(*all.iter().min()?, *all.iter().max()?, width)?
            }
            Op::Zext => child(0)?.extend(width, false),
            Op::Sext => child(0)?.extend(width, true),
            Op::Extract => {
                let (hi, lo) = terms.bounds(t);
                let whole = child(0)?;
                let part = if lo == 0 {
                    whole
                } else {
                    whole.shift_right(lo, false)
                };
                part.truncate(hi - lo + 1)
            }
            _ => Range::all(width),
        };
        Some(result)
    }

    /// Takes in that a condition holds. `false` if it cannot.
    #[must_use]
    pub fn assume(&mut self, terms: &Terms, condition: Term, holds: bool) -> bool {
        let now = self.eval(terms, condition).and_then(|r| r.value());
        if now == Some(u64::from(!holds)) {
            return false;
        }
        let children = terms.children(condition);
        match (terms.op(condition), holds) {
            (Op::Not, _) => self.assume(terms, children[0], !holds),
            (Op::And, true) | (Op::Or, false) => {
                children.iter().all(|&c| self.assume(terms, c, holds))
            }
            (Op::Var, _) => self.constrain(terms, condition, &Range::constant(u64::from(holds), 1)),
            (Op::Eq, true) if terms.sort(children[0]).format().is_some() => {
                let (a, b) = (children[0], children[1]);
                let (Some(x), Some(y)) = (self.eval_float(terms, a), self.eval_float(terms, b))
                else {
                    return true;
                };
                self.constrain_float(terms, a, Some(y)) && self.constrain_float(terms, b, Some(x))
            }
            (Op::Eq, false) if terms.sort(children[0]).format().is_some() => true,
            (Op::Feq | Op::Flt | Op::Fle, _) => self.float_order(
                terms,
                terms.op(condition),
                (children[0], children[1]),
                holds,
            ),
            (Op::FisNan, _) => {
                let Some(now) = self.eval_float(terms, children[0]) else {
                    return true;
                };
                let to = if holds { now.only_nan() } else { now.numbers() };
                self.constrain_float(terms, children[0], to)
            }
            (Op::Eq, true) => {
                let (Some(a), Some(b)) =
                    (self.eval(terms, children[0]), self.eval(terms, children[1]))
                else {
                    return true;
                };
                let Some(both) = a.meet(&b) else { return false };
                self.constrain(terms, children[0], &both)
                    && self.constrain(terms, children[1], &both)
            }
            (Op::Eq, false) => self.differ(terms, children[0], children[1]),
            (Op::Slt, true) => self.ordered(terms, children[0], children[1], true, true),
            (Op::Sle, true) => self.ordered(terms, children[0], children[1], true, false),
            (Op::Ult, true) => self.ordered(terms, children[0], children[1], false, true),
            (Op::Ule, true) => self.ordered(terms, children[0], children[1], false, false),
            (Op::Slt, false) => self.ordered(terms, children[1], children[0], true, false),
            (Op::Sle, false) => self.ordered(terms, children[1], children[0], true, true),
            (Op::Ult, false) => self.ordered(terms, children[1], children[0], false, false),
            (Op::Ule, false) => self.ordered(terms, children[1], children[0], false, true),
            _ => true,
        }
    }

    /// `a < b` or `a <= b`.
    fn ordered(&mut self, terms: &Terms, a: Term, b: Term, signed: bool, strict: bool) -> bool {
        let (Some(x), Some(y)) = (self.eval(terms, a), self.eval(terms, b)) else {
            return true;
        };
        let less = i128::from(strict);
        let width = x.width();
        let (below, above) = if signed {
            (
                Range::between(i128::MIN / 2, y.signed().1 - less, width),
                Range::between(x.signed().0 + less, i128::MAX / 2, width),
            )
        } else {
            (
                Range::between_unsigned(0, y.unsigned().1 - less, width),
                Range::between_unsigned(x.unsigned().0 + less, i128::MAX / 2, width),
            )
        };
        let (Some(below), Some(above)) = (below, above) else {
            return false;
        };
        self.constrain(terms, a, &below) && self.constrain(terms, b, &above)
    }

    /// A comparison of floats, or that it does not hold.
    fn float_order(&mut self, terms: &Terms, op: Op, (a, b): (Term, Term), holds: bool) -> bool {
        let (Some(x), Some(y)) = (self.eval_float(terms, a), self.eval_float(terms, b)) else {
            return true;
        };
        let ordered = !x.may_be_nan() && !y.may_be_nan();
        let (below, above) = match (op, holds) {
            (Op::Flt, true) => (x.under(&y, true), y.over(&x, true)),
            (Op::Fle, true) => (x.under(&y, false), y.over(&x, false)),
            (Op::Feq, true) => {
                let both = |r: Floats, s: &Floats| r.under(s, false)?.over(s, false);
                (both(x, &y), both(y, &x))
            }
            // Of two that are in order, what is not below is above.
            (Op::Flt, false) if ordered => (x.over(&y, false), y.under(&x, false)),
            (Op::Fle, false) if ordered => (x.over(&y, true), y.under(&x, true)),
            _ => return true,
        };
        self.constrain_float(terms, a, below) && self.constrain_float(terms, b, above)
    }

    /// Takes in that a float is in a range; `None` is empty. `false` if it cannot be.
    fn constrain_float(&mut self, terms: &Terms, t: Term, to: Option<Floats>) -> bool {
        let (Some(now), Some(to)) = (self.eval_float(terms, t), to) else {
            return false;
        };
        let Some(both) = now.meet(&to) else {
            return false;
        };
        let inner = terms.children(t).first().copied();
        match (terms.op(t), inner) {
            (Op::Var, _) => {
                self.set_float(t, both);
                true
            }
            (Op::Fneg, Some(inner)) => self.constrain_float(terms, inner, Some(both.neg())),
            (Op::FloatToFloat, Some(inner)) => {
                let format = terms.format(inner);
                let wider = format.exponent <= both.format().exponent
                    && format.significand <= both.format().significand;
                !wider || self.constrain_float(terms, inner, both.narrowed(format))
            }
            (Op::FloatFromBits, Some(inner)) => match both.to_bits() {
                Some(bits) if width_of(terms, inner).is_some() => {
                    self.constrain(terms, inner, &bits)
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// A bound that is excluded moves in by one.
    fn differ(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        for (t, other) in [(a, b), (b, a)] {
            let (Some(r), Some(out)) = (self.eval(terms, t), self.eval(terms, other)) else {
                return true;
            };
            if out.value().is_none() {
                continue;
            }
            let (value, raw) = (out.signed().0, out.unsigned().0);
            let (mut signed, mut unsigned) = (r.signed(), r.unsigned());
            signed.0 += i128::from(signed.0 == value);
            signed.1 -= i128::from(signed.1 == value);
            unsigned.0 += i128::from(unsigned.0 == raw);
            unsigned.1 -= i128::from(unsigned.1 == raw);
            let width = r.width();
            let (Some(s), Some(u)) = (
                Range::between(signed.0, signed.1, width),
                Range::between_unsigned(unsigned.0, unsigned.1, width),
            ) else {
                return false;
            };
            if !self.constrain(terms, t, &s) || !self.constrain(terms, t, &u) {
                return false;
            }
        }
        true
    }

    /// Takes in that a term is in a range. `false` if it cannot be.
    fn constrain(&mut self, terms: &Terms, t: Term, to: &Range) -> bool {
        let Some(now) = self.eval(terms, t) else {
            return true;
        };
        let Some(both) = now.meet(to) else {
            return false;
        };
        match terms.op(t) {
            Op::Var => {
                self.set(t, both);
                true
            }
            Op::Zext | Op::Sext => {
                let inner = terms.children(t)[0];
                match width_of(terms, inner) {
                    // Every value of the extension is the extension of its low bits.
                    Some(width) => self.constrain(terms, inner, &both.truncate(width)),
                    None => true,
                }
            }
            Op::Add => match with_constant(terms, t) {
                Some((inner, constant)) => {
                    let back = Range::constant(constant, both.width()).neg();
                    self.constrain(terms, inner, &both.add(&back))
                }
                None => true,
            },
            _ => true,
        }
    }
}

/// A term with a constant added to it.
pub fn with_constant(terms: &Terms, t: Term) -> Option<(Term, u64)> {
    match (terms.op(t), terms.children(t)) {
        (Op::Add, &[a, b]) => match (terms.as_u64(a), terms.as_u64(b)) {
            (_, Some(c)) => Some((a, c)),
            (Some(c), _) => Some((b, c)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether one is less than (or equal to) another, if bounds tell.
fn order(a: (i128, i128), b: (i128, i128), strict: bool) -> Option<bool> {
    let less = |x: i128, y: i128| if strict { x < y } else { x <= y };
    if less(a.1, b.0) {
        Some(true)
    } else if !less(a.0, b.1) {
        Some(false)
    } else {
        None
    }
}
