//! Differences of variables, bounded by constants (Miné's zones). The signed readings are meant,
//! as numbers without an end: a difference is only taken from a term whose ranges show that it
//! does not wrap.

use prova_logic::ranges::{with_constant, Range, Ranges};
use prova_logic::{Op, Term, Terms};
use std::collections::BTreeSet;

/// The variables whose differences are followed, in order: others speak of them by position.
#[derive(Clone, Debug, Default)]
pub struct Among(Vec<Term>);

impl Among {
    /// These variables.
    pub fn of(mut variables: Vec<Term>) -> Among {
        variables.sort_unstable();
        variables.dedup();
        Among(variables)
    }

    /// The variables, in order.
    pub fn variables(&self) -> &[Term] {
        &self.0
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// These and others.
    pub fn and(mut self, others: &Among) -> Among {
        self.0.extend(&others.0);
        Among::of(self.0)
    }

    /// The first few of them.
    pub fn first(&self, most: usize) -> Among {
        Among(self.0.iter().copied().take(most).collect())
    }

    /// The place of a variable.
    pub fn position(&self, variable: Term) -> Option<usize> {
        self.0.binary_search(&variable).ok()
    }
}

/// A square of bounds: in row x and column y stands c if x − y ≤ c.
#[derive(Clone, Debug, PartialEq)]
pub struct Zones {
    side: usize,
    bounds: Vec<i128>,
}

/// No bound.
const NONE: i128 = i128::MAX;

/// A number: a variable's signed reading, if any, and a constant.
type Linear = (Option<Term>, i128);

/// The number that a term reads as, signed or not, if it is one for these ranges.
fn linear(terms: &Terms, ranges: &Ranges, t: Term, signed: bool) -> Option<Linear> {
    let range = ranges.eval(terms, t)?;
    if range.value().is_some() {
        let value = if signed {
            range.signed().0
        } else {
            range.unsigned().0
        };
        return Some((None, value));
    }
    let nonnegative = |r: &Range| r.signed().0 >= 0;
    if !signed && !nonnegative(&range) {
        return None;
    }
    match terms.op(t) {
        Op::Var => Some((Some(t), 0)),
        Op::Sext => linear(terms, ranges, terms.children(t)[0], true),
        Op::Zext => linear(terms, ranges, terms.children(t)[0], false),
        Op::Add => {
            let (inner, bits) = with_constant(terms, t)?;
            let by = Range::constant(bits, range.width()).signed().0;
            let before = ranges.eval(terms, inner)?.signed();
            let all = Range::all(range.width()).signed();
            let (variable, c) = linear(terms, ranges, inner, true)?;
            (before.0 + by >= all.0 && before.1 + by <= all.1).then_some((variable, c + by))
        }
        _ => None,
    }
}

/// Variables whose differences may matter: compared with each other, or computed from such.
pub fn related(
    terms: &Terms,
    guards: impl Iterator<Item = Term>,
    updates: &[(Term, Term)],
    most: usize,
) -> Among {
    let mut found = BTreeSet::new();
    let scalar = |t: Term| {
        terms.op(t) == Op::Var
            && terms.object(t).is_none()
            && matches!(terms.sort(t), prova_logic::Sort::BitVec(w) if (2..=64).contains(&w))
    };
    // A comparison may be a value, too, before it is asked about.
    let compared = guards.chain(updates.iter().map(|u| u.1));
    for root in compared {
        for t in terms.post_order(&[root]) {
            if !matches!(terms.op(t), Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule) {
                continue;
            }
            let variables: Vec<Term> = terms
                .free_vars(t)
                .iter()
                .copied()
                .filter(|&v| scalar(v))
                .collect();
            if (2..=3).contains(&variables.len()) {
                found.extend(variables);
            }
        }
    }
    for _ in 0..4 {
        let before = found.len();
        for &(variable, value) in updates {
            if let [from] = terms.free_vars(value)[..] {
                if scalar(variable)
                    && scalar(from)
                    && (found.contains(&variable) || found.contains(&from))
                {
                    found.extend([variable, from]);
                }
            }
        }
        if found.len() == before {
            break;
        }
    }
    Among(found.into_iter().take(most).collect())
}

impl Zones {
    /// Nothing known of so many variables.
    pub fn new(among: &Among) -> Zones {
        let side = among.0.len();
        Zones {
            side,
            bounds: vec![NONE; side * side],
        }
    }

    /// All bounds.
    pub fn bounds<'a>(&'a self, among: &'a Among) -> impl Iterator<Item = (Term, Term, i128)> + 'a {
        let known = self.bounds.iter().enumerate().filter(|(_, &c)| c != NONE);
        known.map(|(i, &c)| (among.0[i / self.side], among.0[i % self.side], c))
    }

    fn get(&self, x: usize, y: usize) -> Option<i128> {
        let bound = self.bounds[x * self.side + y];
        (bound != NONE).then_some(bound)
    }

    fn bound(&self, among: &Among, x: Term, y: Term) -> Option<i128> {
        self.get(among.position(x)?, among.position(y)?)
    }

    fn add(&mut self, x: usize, y: usize, c: i128) {
        let bound = &mut self.bounds[x * self.side + y];
        *bound = c.min(*bound);
    }

    /// Takes in a condition.
    pub fn assume(&mut self, terms: &Terms, ranges: &Ranges, among: &Among, t: Term, holds: bool) {
        let children = terms.children(t);
        let signed = matches!(terms.op(t), Op::Slt | Op::Sle | Op::Eq);
        let read = |t: Term| linear(terms, ranges, t, signed);
        let mut less = |a: Term, b: Term, by: i128| {
            // a ≤ b − by
            if let (Some((Some(x), c)), Some((Some(y), d))) = (read(a), read(b)) {
                if let (Some(x), Some(y)) = (among.position(x), among.position(y)) {
                    if x != y {
                        self.add(x, y, d - c - by);
                    }
                }
            }
        };
        match (terms.op(t), holds) {
            (Op::Not, _) => self.assume(terms, ranges, among, children[0], !holds),
            (Op::And, true) | (Op::Or, false) => {
                for &c in children {
                    self.assume(terms, ranges, among, c, holds);
                }
            }
            (Op::Eq, true) if matches!(terms.sort(children[0]), prova_logic::Sort::BitVec(_)) => {
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

    /// What the difference of two variables can be, for a term that is one and does not wrap.
    pub fn difference(
        &self,
        terms: &Terms,
        ranges: &Ranges,
        among: &Among,
        t: Term,
    ) -> Option<Range> {
        let (x, y) = match (terms.op(t), terms.children(t)) {
            (Op::Add, &[a, b]) if terms.op(b) == Op::Neg => (a, terms.children(b)[0]),
            (Op::Add, &[a, b]) if terms.op(a) == Op::Neg => (b, terms.children(a)[0]),
            _ => return None,
        };
        let (a, b) = (ranges.eval(terms, x)?, ranges.eval(terms, y)?);
        let all = Range::all(a.width()).signed();
        let plain = (a.signed().0 - b.signed().1, a.signed().1 - b.signed().0);
        let low = self.bound(among, y, x);
        let low = low.map_or(plain.0, |c| plain.0.max(-c));
        let high = self.bound(among, x, y);
        let high = high.map_or(plain.1, |c| plain.1.min(c));
        let fits = low >= all.0 && high <= all.1;
        fits.then(|| Range::between(low, high, a.width()))?
    }

    /// The zones behind a parallel assignment; `ranges` are those before it.
    pub fn assign(
        &self,
        terms: &Terms,
        ranges: &Ranges,
        among: &Among,
        update: impl Fn(Term) -> Term,
    ) -> Zones {
        let numbers: Vec<(Option<Linear>, Option<Range>)> = among
            .0
            .iter()
            .map(|&v| {
                let value = update(v);
                let from = linear(terms, ranges, value, true);
                (from, ranges.eval(terms, value))
            })
            .collect();
        let mut after = Zones::new(among);
        for (v, (from, range)) in numbers.iter().enumerate() {
            for (w, (other, beside)) in numbers.iter().enumerate() {
                if v == w {
                    continue;
                }
                if let (Some((Some(y), c)), Some((Some(z), d))) = (from, other) {
                    let known = || self.bound(among, *y, *z);
                    let before = if y == z { Some(0) } else { known() };
                    if let Some(bound) = before {
                        after.add(v, w, bound + c - d);
                    }
                }
                // What ranges say of differences is kept, too: it may outlive them in a loop.
                if let (Some(a), Some(b)) = (range, beside) {
                    let all = Range::all(a.width()).signed();
                    if a.signed().1 < all.1 && b.signed().0 > all.0 {
                        after.add(v, w, a.signed().1 - b.signed().0);
                    }
                }
            }
        }
        after
    }

    /// Adds what follows from two bounds together.
    pub fn close(&mut self) {
        for k in 0..self.side {
            for x in 0..self.side {
                let Some(c) = self.get(x, k) else { continue };
                for y in (0..self.side).filter(|&y| y != x) {
                    if let Some(d) = self.get(k, y) {
                        self.add(x, y, c + d);
                    }
                }
            }
        }
    }

    /// Bounds of both, the weaker ones.
    pub fn join(&self, other: &Zones) -> Zones {
        let both = self.bounds.iter().zip(&other.bounds);
        Zones {
            side: self.side,
            bounds: both.map(|(&c, &d)| c.max(d)).collect(),
        }
    }

    /// The join, without the bounds that moved.
    pub fn widen(&self, next: &Zones) -> Zones {
        let both = self.bounds.iter().zip(&next.bounds);
        Zones {
            side: self.side,
            bounds: both.map(|(&c, &d)| if d <= c { c } else { NONE }).collect(),
        }
    }
}
