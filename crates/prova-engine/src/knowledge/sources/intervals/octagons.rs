//! Sums and differences of two variables, bounded by constants (Miné, *The Octagon Abstract
//! Domain*, HOSC 2006).
//!
//! Each variable stands twice in the matrix, as itself and negated: in the row of a and the column
//! of b stands the bound of a − b, so the row of x and the column of −y bound x + y. The signed
//! readings are meant, as numbers without an end: nothing is read off a term unless ranges show
//! that it does not wrap, and a bound behind an assignment is one that the terms assigned had
//! before it. What wraps is known by its range alone.

use super::zones::Among;
use crate::problem::transitions::Transitions;
use prova_logic::ranges::{with_constant, Range, Ranges};
use prova_logic::{Op, Term, Terms};
use std::collections::BTreeSet;

/// A sum of variables with factors, and a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    parts: Vec<(Term, i128)>,
    constant: i128,
}

impl Form {
    fn constant(constant: i128) -> Form {
        Form {
            parts: Vec::new(),
            constant,
        }
    }

    fn plus(mut self, other: &Form, factor: i128) -> Option<Form> {
        self.constant = self
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        for &(variable, by) in &other.parts {
            let by = by.checked_mul(factor)?;
            match self.parts.iter_mut().find(|p| p.0 == variable) {
                Some(part) => part.1 = part.1.checked_add(by)?,
                None => self.parts.push((variable, by)),
            }
        }
        self.parts.retain(|p| p.1 != 0);
        Some(self)
    }

    /// What it can be, as far as ranges tell.
    fn range(&self, terms: &Terms, ranges: &Ranges) -> Option<(i128, i128)> {
        let mut sum = (self.constant, self.constant);
        for &(variable, by) in &self.parts {
            let (low, high) = ranges.get(terms, variable)?.signed();
            let (low, high) = (low.checked_mul(by)?, high.checked_mul(by)?);
            sum.0 = sum.0.checked_add(low.min(high))?;
            sum.1 = sum.1.checked_add(low.max(high))?;
        }
        Some(sum)
    }
}

/// Variables of one form at most: more are not read.
const MOST_PARTS: usize = 4;

/// The number that a term reads as, signed or not, if it is one for these ranges.
pub fn form(terms: &Terms, ranges: &Ranges, t: Term, signed: bool) -> Option<Form> {
    let range = ranges.eval(terms, t)?;
    let read = |r: &Range| if signed { r.signed() } else { r.unsigned() };
    if range.value().is_some() {
        return Some(Form::constant(read(&range).0));
    }
    if !signed && range.signed().0 < 0 {
        return None;
    }
    let children = terms.children(t);
    let found = match terms.op(t) {
        Op::Var => Form {
            parts: vec![(t, 1)],
            constant: 0,
        },
        Op::Sext => return form(terms, ranges, children[0], true),
        Op::Zext => return form(terms, ranges, children[0], false),
        Op::Add => {
            let mut sum = Form::constant(0);
            for &c in children {
                sum = sum.plus(&form(terms, ranges, c, true)?, 1)?;
            }
            sum
        }
        Op::Neg => Form::constant(0).plus(&form(terms, ranges, children[0], true)?, -1)?,
        Op::Mul => {
            let (a, b) = (ranges.eval(terms, children[0])?, children[1]);
            let (factor, other) = match a.value() {
                Some(_) => (a, b),
                None => (ranges.eval(terms, b)?, children[0]),
            };
            factor.value()?;
            let factor = factor.signed().0;
            Form::constant(0).plus(&form(terms, ranges, other, true)?, factor)?
        }
        _ => return None,
    };
    // The sum of the readings is the reading of the sum only if it does not leave the width.
    let all = Range::all(range.width()).signed();
    let (low, high) = found.range(terms, ranges)?;
    (found.parts.len() <= MOST_PARTS && low >= all.0 && high <= all.1).then_some(found)
}

/// Variables that a block moves by constants, one up and another down.
pub fn moved(terms: &Terms, transitions: &Transitions) -> Among {
    let mut found = Vec::new();
    for (_, transition) in transitions.all() {
        let by = |&(v, value): &(Term, Term)| {
            let (inner, by) = with_constant(terms, value)?;
            let width = terms.sort(v).width().filter(|w| inner == v && *w <= 64)?;
            Some((v, Range::constant(by, width).signed().0 > 0))
        };
        let moved: Vec<(Term, bool)> = transition.transfer.updates.iter().filter_map(by).collect();
        let both = moved.iter().any(|m| m.1) && moved.iter().any(|m| !m.1);
        found.extend(moved.iter().filter(|_| both).map(|m| m.0));
    }
    Among::of(found)
}

/// Pairs of variables whose sum something keeps or asks about: one grows by a constant where the
/// other shrinks by one, or the two are added somewhere. The smaller one comes first.
pub fn balanced(terms: &Terms, transitions: &Transitions, among: &Among) -> BTreeSet<(Term, Term)> {
    let mut found = BTreeSet::new();
    let mut pair = |x: Term, y: Term| found.insert((x.min(y), x.max(y)));
    for (_, transition) in transitions.all() {
        let transfer = &transition.transfer;
        let grows = |&v: &Term| {
            let (inner, by) = with_constant(terms, transition.update(v))?;
            let width = terms.sort(v).width().filter(|_| inner == v)?;
            Some((v, Range::constant(by, width).signed().0 > 0))
        };
        let moved: Vec<(Term, bool)> = among.variables().iter().filter_map(grows).collect();
        for &(x, up) in &moved {
            for &(y, _) in moved.iter().filter(|m| m.1 != up) {
                pair(x, y);
            }
        }
        let values = transfer.updates.iter().map(|u| u.1);
        let roots: Vec<Term> = transfer.guard.iter().copied().chain(values).collect();
        for t in terms.post_order(&roots) {
            if let (Op::Add, &[x, y]) = (terms.op(t), terms.children(t)) {
                if among.position(x).is_some() && among.position(y).is_some() {
                    pair(x, y);
                }
            }
        }
    }
    found
}

/// A square of bounds over variables and their negations.
#[derive(Clone, Debug, PartialEq)]
pub struct Octagon {
    side: usize,
    bounds: Vec<i128>,
}

/// No bound.
const NONE: i128 = i128::MAX;

/// The place of a variable's negation, or of the variable if this is one.
fn negated(at: usize) -> usize {
    at ^ 1
}

impl Octagon {
    /// Nothing known of so many variables.
    pub fn new(among: &Among) -> Octagon {
        let side = 2 * among.count();
        let mut this = Octagon {
            side,
            bounds: vec![NONE; side * side],
        };
        for a in 0..side {
            this.bounds[a * side + a] = 0;
        }
        this
    }

    fn get(&self, a: usize, b: usize) -> Option<i128> {
        let bound = self.bounds[a * self.side + b];
        (bound != NONE).then_some(bound)
    }

    fn add(&mut self, a: usize, b: usize, c: i128) {
        for at in [a * self.side + b, negated(b) * self.side + negated(a)] {
            self.bounds[at] = c.min(self.bounds[at]);
        }
    }

    /// The two places of a form of one or two variables, such that the form is their difference.
    fn places(among: &Among, form: &Form) -> Option<(usize, usize)> {
        let place = |variable: Term, positive: bool| {
            Some(2 * among.position(variable)? + usize::from(!positive))
        };
        match form.parts[..] {
            [(x, 2)] => Some((place(x, true)?, place(x, false)?)),
            [(x, -2)] => Some((place(x, false)?, place(x, true)?)),
            [(x, a), (y, b)] if a.abs() == 1 && b.abs() == 1 => {
                Some((place(x, a == 1)?, place(y, b == -1)?))
            }
            _ => None,
        }
    }

    /// The largest value of a form.
    fn most(&self, terms: &Terms, ranges: &Ranges, among: &Among, form: &Form) -> Option<i128> {
        let plain = form.range(terms, ranges).map(|r| r.1);
        let mut doubled = form.clone();
        // A single variable is half of its double.
        let single = matches!(form.parts[..], [(_, 1 | -1)]);
        if single {
            doubled.parts[0].1 *= 2;
        }
        let bound = Self::places(among, &doubled).and_then(|(a, b)| self.get(a, b));
        let bound = bound.map(|c| if single { c.div_euclid(2) } else { c });
        let bound = bound.and_then(|c| c.checked_add(form.constant));
        match (plain, bound) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Takes in that a form is at most zero.
    fn at_most_zero(&mut self, among: &Among, form: &Form) {
        if let Some((a, b)) = Self::places(among, form) {
            self.add(a, b, -form.constant);
        } else if let [(x, by @ (1 | -1))] = form.parts[..] {
            let doubled = Form {
                parts: vec![(x, 2 * by)],
                constant: 2 * form.constant,
            };
            if let Some((a, b)) = Self::places(among, &doubled) {
                self.add(a, b, -doubled.constant);
            }
        }
    }

    /// Takes in a condition.
    pub fn assume(&mut self, terms: &Terms, ranges: &Ranges, among: &Among, t: Term, holds: bool) {
        let children = terms.children(t);
        let signed = matches!(terms.op(t), Op::Slt | Op::Sle | Op::Eq);
        let mut less = |a: Term, b: Term, by: i128| {
            // a + by ≤ b
            let read = |t: Term| form(terms, ranges, t, signed);
            let (Some(a), Some(b)) = (read(a), read(b)) else {
                return;
            };
            let difference = a.plus(&b, -1).and_then(|d| d.plus(&Form::constant(by), 1));
            if let Some(difference) = difference {
                self.at_most_zero(among, &difference);
            }
        };
        match (terms.op(t), holds) {
            (Op::Not, _) => self.assume(terms, ranges, among, children[0], !holds),
            (Op::And, true) | (Op::Or, false) => {
                for &c in children {
                    self.assume(terms, ranges, among, c, holds);
                }
            }
            (Op::Eq, true) if terms.sort(children[0]).width().is_some() => {
                less(children[0], children[1], 0);
                less(children[1], children[0], 0);
            }
            (Op::Slt | Op::Ult, true) => less(children[0], children[1], 1),
            (Op::Sle | Op::Ule, true) => less(children[0], children[1], 0),
            (Op::Slt | Op::Ult, false) => less(children[1], children[0], 0),
            (Op::Sle | Op::Ule, false) => less(children[1], children[0], 1),
            _ => {}
        }
    }

    /// What a term's signed reading can be, where it does not wrap.
    pub fn reading(&self, terms: &Terms, ranges: &Ranges, among: &Among, t: Term) -> Option<Range> {
        let width = terms.sort(t).width().filter(|w| *w <= 64)?;
        let number = form(terms, ranges, t, true)?;
        let high = self.most(terms, ranges, among, &number)?;
        let negative = Form::constant(0).plus(&number, -1)?;
        let low = -self.most(terms, ranges, among, &negative)?;
        Range::between(low, high, width)
    }

    /// The octagon behind a parallel assignment; `ranges` are those before it.
    pub fn assign(
        &self,
        terms: &Terms,
        ranges: &Ranges,
        among: &Among,
        update: impl Fn(Term) -> Term,
    ) -> Octagon {
        let changed: Vec<bool> = among.variables().iter().map(|&v| update(v) != v).collect();
        if !changed.contains(&true) {
            return self.clone();
        }
        // A value that is no form is known by its range.
        let values: Vec<(Option<Form>, Option<Range>)> = among
            .variables()
            .iter()
            .map(|&v| {
                let value = update(v);
                (form(terms, ranges, value, true), ranges.eval(terms, value))
            })
            .collect();
        let sign = |at: usize| if at.is_multiple_of(2) { 1 } else { -1 };
        let edge = |at: usize| -> Option<i128> {
            let (low, high) = values[at / 2].1?.signed();
            Some(if at.is_multiple_of(2) { high } else { -low })
        };
        let mut after = Octagon::new(among);
        for a in 0..self.side {
            for b in (0..self.side).filter(|&b| b != a) {
                if !changed[a / 2] && !changed[b / 2] {
                    after.bounds[a * self.side + b] = self.bounds[a * self.side + b];
                    continue;
                }
                // The bound of a − b is that of what the two were given.
                let forms = (&values[a / 2].0, &values[b / 2].0);
                let exact = match forms {
                    (Some(x), Some(y)) => Form::constant(0)
                        .plus(x, sign(a))
                        .and_then(|d| d.plus(y, -sign(b)))
                        .and_then(|d| self.most(terms, ranges, among, &d)),
                    _ => None,
                };
                let plain = match (edge(a), edge(negated(b))) {
                    (Some(x), Some(y)) => x.checked_add(y),
                    _ => None,
                };
                if let Some(bound) = exact.into_iter().chain(plain).min() {
                    after.add(a, b, bound);
                }
            }
        }
        after
    }

    /// Adds what follows from bounds together: along paths, and from the bounds of single
    /// variables, which are even because numbers are whole (Miné, §4: tight closure).
    pub fn close(&mut self) {
        for k in 0..self.side {
            for a in 0..self.side {
                let Some(c) = self.get(a, k) else { continue };
                for b in (0..self.side).filter(|&b| b != a) {
                    if let Some(d) = self.get(k, b) {
                        self.add(a, b, c.saturating_add(d));
                    }
                }
            }
        }
        for a in 0..self.side {
            if let Some(c) = self.get(a, negated(a)) {
                self.add(a, negated(a), 2 * c.div_euclid(2));
            }
        }
        for a in 0..self.side {
            let Some(c) = self.get(a, negated(a)) else {
                continue;
            };
            for b in (0..self.side).filter(|&b| b != a) {
                if let Some(d) = self.get(negated(b), b) {
                    self.add(a, b, c.saturating_add(d).div_euclid(2));
                }
            }
        }
    }

    /// Bounds of both, the weaker ones.
    pub fn join(&self, other: &Octagon) -> Octagon {
        let both = self.bounds.iter().zip(&other.bounds);
        Octagon {
            side: self.side,
            bounds: both.map(|(&c, &d)| c.max(d)).collect(),
        }
    }

    /// The join, without the bounds that moved.
    pub fn widen(&self, next: &Octagon) -> Octagon {
        let both = self.bounds.iter().zip(&next.bounds);
        Octagon {
            side: self.side,
            bounds: both.map(|(&c, &d)| if d <= c { c } else { NONE }).collect(),
        }
    }

    /// Bounds of sums of two variables: (x, y, least and most of x + y), as far as they are known.
    pub fn sums<'a>(
        &'a self,
        among: &'a Among,
    ) -> impl Iterator<Item = (Term, Term, Option<i128>, Option<i128>)> + 'a {
        let variables = among.variables();
        let pairs = (0..variables.len()).flat_map(|y| (0..y).map(move |x| (x, y)));
        pairs.map(move |(x, y)| {
            let most = self.get(2 * x, 2 * y + 1);
            let least = self.get(2 * x + 1, 2 * y).map(|c| -c);
            (variables[x], variables[y], least, most)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::{Model, Sort, Value};

    const WIDTH: u32 = 4;

    fn signed(bits: u128) -> i128 {
        (bits as i128 + 8) % 16 - 8
    }

    fn state(variables: &[Term], mut number: u128) -> Model {
        let digit = |v: &Term| {
            let value = Value::bv(number % 16, WIDTH);
            number /= 16;
            (*v, value)
        };
        variables.iter().map(digit).collect()
    }

    fn holds(octagon: &Octagon, variables: &[Term], state: &Model) -> bool {
        let value = |at: usize| {
            let bits = state.get(variables[at / 2]).and_then(Value::as_u64);
            let n = signed(bits.expect("all have values").into());
            if at.is_multiple_of(2) {
                n
            } else {
                -n
            }
        };
        let side = octagon.side;
        (0..side * side).all(|i| {
            let bound = octagon.get(i / side, i % side);
            bound.is_none_or(|c| value(i / side) - value(i % side) <= c)
        })
    }

    fn within(terms: &Terms, ranges: &Ranges, variables: &[Term], state: &Model) -> bool {
        variables.iter().all(|&v| {
            let (low, high) = ranges.get(terms, v).expect("followed").signed();
            let n = state.get(v).and_then(Value::as_u64).expect("a value");
            (low..=high).contains(&signed(n.into()))
        })
    }

    /// A small generator of numbers: the same ones every time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }
    }

    fn value(terms: &mut Terms, variables: &[Term], dice: &mut Dice) -> Term {
        let x = variables[dice.below(2) as usize];
        let y = variables[dice.below(2) as usize];
        let c = terms.bv(dice.below(16).into(), WIDTH);
        match dice.below(7) {
            0 => terms.add(x, c),
            1 => terms.add(x, y),
            2 => terms.sub(x, y),
            3 => terms.neg(x),
            4 => c,
            5 => {
                let sum = terms.add(x, y);
                terms.sub(sum, c)
            }
            _ => terms.mul(x, c),
        }
    }

    fn condition(terms: &mut Terms, variables: &[Term], dice: &mut Dice) -> Term {
        let (a, b) = (value(terms, variables, dice), value(terms, variables, dice));
        match dice.below(5) {
            0 => terms.slt(a, b),
            1 => terms.sle(a, b),
            2 => terms.ult(a, b),
            3 => terms.ule(a, b),
            _ => terms.eq(a, b),
        }
    }

    /// Whatever a program does to a state of an octagon, wrapping around included, is in the octagon
    /// that the operations make of it.
    #[test]
    fn no_state_is_lost() {
        let mut dice = Dice(7);
        for _ in 0..400 {
            let mut terms = Terms::new();
            let variables = ["x", "y"].map(|n| terms.var(n, Sort::BitVec(WIDTH)));
            let among = Among::of(variables.to_vec());
            let mut ranges = Ranges::default();
            for &v in &variables {
                let low = dice.below(16) as i128 - 8;
                let high = low + dice.below(10) as i128;
                if let Some(range) = Range::between(low, high.min(7), WIDTH) {
                    ranges.set(v, range);
                }
            }
            let mut states: Vec<Model> = (0..256).map(|n| state(&variables, n)).collect();
            states.retain(|s| within(&terms, &ranges, &variables, s));
            let mut octagon = Octagon::new(&among);
            for _ in 0..3 {
                let (taken, yes) = (
                    condition(&mut terms, &variables, &mut dice),
                    dice.below(2) == 1,
                );
                if !ranges.assume(&terms, taken, yes) {
                    states.retain(|s| terms.holds(taken, s) == yes);
                    assert!(states.is_empty());
                    break;
                }
                octagon.assume(&terms, &ranges, &among, taken, yes);
                octagon.close();
                states.retain(|s| terms.holds(taken, s) == yes);
                for s in &states {
                    assert!(holds(&octagon, &variables, s), "{s:?} {octagon:?}");
                }
                let values = [0, 1].map(|_| value(&mut terms, &variables, &mut dice));
                for (t, s) in values
                    .iter()
                    .flat_map(|&t| states.iter().map(move |s| (t, s)))
                {
                    let read = octagon.reading(&terms, &ranges, &among, t);
                    let bits = terms.eval(t, s).as_u64().expect("a number");
                    let n = signed(bits.into());
                    assert!(read.is_none_or(|r| (r.signed().0..=r.signed().1).contains(&n)));
                }
                let update = |v: Term| values[variables.iter().position(|&w| w == v).expect("one")];
                let mut after = octagon.assign(&terms, &ranges, &among, update);
                after.close();
                let mut behind = Ranges::default();
                for &v in &variables {
                    behind.set(v, ranges.eval(&terms, update(v)).expect("bits"));
                }
                let step = |s: &Model| -> Model {
                    let pairs = variables.iter().map(|&v| (v, terms.eval(update(v), s)));
                    pairs.collect()
                };
                let next: Vec<Model> = states.iter().map(step).collect();
                for s in &next {
                    assert!(holds(&after, &variables, s), "{s:?} {after:?}");
                    assert!(within(&terms, &behind, &variables, s));
                }
                let (join, wide) = (octagon.join(&after), octagon.widen(&after));
                for s in states.iter().chain(&next) {
                    assert!(holds(&join, &variables, s) && holds(&wide, &variables, s));
                }
                (states, octagon, ranges) = (next, after, behind);
            }
        }
    }

    #[test]
    fn sums_are_followed_round_a_loop() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|n| terms.var(n, Sort::BitVec(32)));
        let among = Among::of(vec![x, y]);
        let mut ranges = Ranges::default();
        for v in [x, y] {
            ranges.set(v, Range::between(1, 9, 32).expect("not empty"));
        }
        let (ten, one) = (terms.bv(10, 32), terms.bv(1, 32));
        let sum = terms.add(x, y);
        let same = terms.eq(sum, ten);
        let mut octagon = Octagon::new(&among);
        octagon.assume(&terms, &ranges, &among, same, true);
        octagon.close();
        let (more, less) = (terms.add(x, one), terms.sub(y, one));
        let update = |v: Term| if v == x { more } else { less };
        let mut after = octagon.assign(&terms, &ranges, &among, update);
        after.close();
        assert_eq!(after.sums(&among).next(), Some((x, y, Some(10), Some(10))));
    }
}
