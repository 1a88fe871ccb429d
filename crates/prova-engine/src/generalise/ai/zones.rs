//! Differences of variables, bounded by constants (Miné's zones). The signed readings are meant,
//! as numbers without an end: a difference is only taken from a term whose ranges show that it
//! does not wrap.

use super::eval::{with_constant, Ranges};
use super::range::Range;
use prova_logic::{Op, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// `bounds[(x, y)] = c`: x − y ≤ c.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zones {
    bounds: BTreeMap<(Term, Term), i128>,
}

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
) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    let scalar = |t: Term| {
        terms.op(t) == Op::Var
            && terms.object(t).is_none()
            && matches!(terms.sort(t), prova_logic::Sort::BitVec(w) if (2..=64).contains(&w))
    };
    for guard in guards {
        for t in terms.post_order(&[guard]) {
            if !matches!(terms.op(t), Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule) {
                continue;
            }
            let variables: Vec<Term> = terms
                .free_vars(t)
                .iter()
                .copied()
                .filter(|&v| scalar(v))
                .collect();
            if variables.len() == 2 {
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
    found.into_iter().take(most).collect()
}

impl Zones {
    /// All bounds.
    pub fn bounds(&self) -> impl Iterator<Item = (Term, Term, i128)> + '_ {
        self.bounds.iter().map(|(&(x, y), &c)| (x, y, c))
    }

    fn add(&mut self, x: Term, y: Term, c: i128) {
        let bound = self.bounds.entry((x, y)).or_insert(c);
        *bound = c.min(*bound);
    }

    /// Takes in a condition.
    pub fn assume(
        &mut self,
        terms: &Terms,
        ranges: &Ranges,
        among: &BTreeSet<Term>,
        t: Term,
        holds: bool,
    ) {
        let children = terms.children(t);
        let signed = matches!(terms.op(t), Op::Slt | Op::Sle | Op::Eq);
        let read = |t: Term| linear(terms, ranges, t, signed);
        let mut less = |a: Term, b: Term, by: i128| {
            // a ≤ b − by
            if let (Some((Some(x), c)), Some((Some(y), d))) = (read(a), read(b)) {
                if x != y && among.contains(&x) && among.contains(&y) {
                    self.add(x, y, d - c - by);
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
    pub fn difference(&self, terms: &Terms, ranges: &Ranges, t: Term) -> Option<Range> {
        let (x, y) = match (terms.op(t), terms.children(t)) {
            (Op::Add, &[a, b]) if terms.op(b) == Op::Neg => (a, terms.children(b)[0]),
            (Op::Add, &[a, b]) if terms.op(a) == Op::Neg => (b, terms.children(a)[0]),
            _ => return None,
        };
        let (a, b) = (ranges.eval(terms, x)?, ranges.eval(terms, y)?);
        let all = Range::all(a.width()).signed();
        let plain = (a.signed().0 - b.signed().1, a.signed().1 - b.signed().0);
        let low = self
            .bounds
            .get(&(y, x))
            .map_or(plain.0, |c| plain.0.max(-c));
        let high = self
            .bounds
            .get(&(x, y))
            .map_or(plain.1, |c| plain.1.min(*c));
        let fits = low >= all.0 && high <= all.1;
        fits.then(|| Range::between(low, high, a.width()))?
    }

    /// The zones behind a parallel assignment; `ranges` are those before it.
    pub fn assign(
        &self,
        terms: &Terms,
        ranges: &Ranges,
        among: &BTreeSet<Term>,
        update: impl Fn(Term) -> Term,
    ) -> Zones {
        let numbers: Vec<(Term, Option<Linear>, Option<Range>)> = among
            .iter()
            .map(|&v| {
                let value = update(v);
                (
                    v,
                    linear(terms, ranges, value, true),
                    ranges.eval(terms, value),
                )
            })
            .collect();
        let mut after = Zones::default();
        for (v, from, _) in &numbers {
            for (w, other, _) in &numbers {
                if v == w {
                    continue;
                }
                if let (Some((Some(y), c)), Some((Some(z), d))) = (from, other) {
                    let before = if y == z {
                        Some(0)
                    } else {
                        self.bounds.get(&(*y, *z)).copied()
                    };
                    if let Some(bound) = before {
                        after.add(*v, *w, bound + c - d);
                    }
                }
            }
        }
        // What ranges say of differences is kept, too: it may outlive them in a loop.
        for (v, _, range) in &numbers {
            for (w, _, other) in &numbers {
                if let (Some(a), Some(b)) = (range, other) {
                    let all = Range::all(a.width()).signed();
                    if v != w && a.signed().1 < all.1 && b.signed().0 > all.0 {
                        after.add(*v, *w, a.signed().1 - b.signed().0);
                    }
                }
            }
        }
        after
    }

    /// Adds what follows from two bounds together.
    pub fn close(&mut self, among: &BTreeSet<Term>) {
        for &k in among {
            let into: Vec<(Term, i128)> = among
                .iter()
                .filter_map(|&x| Some((x, *self.bounds.get(&(x, k))?)))
                .collect();
            let out: Vec<(Term, i128)> = among
                .iter()
                .filter_map(|&y| Some((y, *self.bounds.get(&(k, y))?)))
                .collect();
            for &(x, c) in &into {
                for &(y, d) in &out {
                    if x != y {
                        self.add(x, y, c + d);
                    }
                }
            }
        }
    }

    /// Bounds of both, the weaker ones.
    pub fn join(&self, other: &Zones) -> Zones {
        let mut both = Zones::default();
        for (key, &c) in &self.bounds {
            if let Some(&d) = other.bounds.get(key) {
                both.bounds.insert(*key, c.max(d));
            }
        }
        both
    }

    /// The join, without the bounds that moved.
    pub fn widen(&self, next: &Zones) -> Zones {
        let mut both = self.join(next);
        both.bounds.retain(|key, c| self.bounds[key] == *c);
        both
    }
}
