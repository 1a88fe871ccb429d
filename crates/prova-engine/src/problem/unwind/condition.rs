//! Path conditions that remember how they came about, so that they become short again.
//!
//! A condition is a chain of conjuncts, each behind the one that held before. Where two ways meet,
//! what they have in common is found where their chains part; what is different is two short
//! conjunctions, and if these are a branch and its opposite nothing is left of them. So the
//! condition behind an `if` is the condition before it, as in the guards of Kroening and Tautschnig,
//! "CBMC – C Bounded Model Checker" (TACAS 2014).

use prova_logic::{Op, Sort, Term, Terms};
use std::rc::Rc;

/// So many conjuncts are looked at to see that one is there already, or cannot hold.
const LOOKED_AT: usize = 400;

/// A condition: `None` is *true*.
#[derive(Clone, Debug, Default)]
pub struct Condition(Option<Rc<Link>>);

#[derive(Debug)]
struct Link {
    before: Condition,
    conjunct: Term,
    /// All conjuncts so far.
    whole: Term,
    depth: u32,
}

impl Drop for Link {
    // Long chains are taken apart without recursion.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut alone) => next = alone.before.0.take(),
                Err(_) => break,
            }
        }
    }
}

impl Condition {
    fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |l| l.depth)
    }

    fn is(&self, other: &Condition) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// As one term.
    pub fn term(&self, terms: &Terms) -> Term {
        self.0.as_ref().map_or(terms.tru(), |l| l.whole)
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.0.as_deref(), |l| l.before.0.as_deref())
    }

    /// This and one more; `None` if they plainly cannot hold together.
    pub fn and(&self, terms: &mut Terms, conjunct: Term) -> Option<Condition> {
        let parts = match terms.op(conjunct) {
            Op::True => return Some(self.clone()),
            Op::False => return None,
            Op::And => terms.children(conjunct).to_vec(),
            _ => vec![conjunct],
        };
        let mut all = self.clone();
        for part in parts {
            all = all.and_one(terms, part)?;
        }
        Some(all)
    }

    fn and_one(&self, terms: &mut Terms, conjunct: Term) -> Option<Condition> {
        let opposite = terms.not(conjunct);
        let mut ranges = [false, true].map(|signed| range(terms, conjunct, signed));
        for link in self.links().take(LOOKED_AT) {
            if link.conjunct == conjunct {
                return Some(self.clone());
            }
            if link.conjunct == opposite {
                return None;
            }
            for (signed, known) in [false, true].into_iter().zip(&mut ranges) {
                let Some((term, low, high)) = known else {
                    continue;
                };
                match range(terms, link.conjunct, signed) {
                    Some(other) if other.0 == *term => {
                        (*low, *high) = ((*low).max(other.1), (*high).min(other.2));
                    }
                    _ => continue,
                }
                if low > high {
                    return None;
                }
            }
        }
        let before = self.term(terms);
        let whole = terms.and2(before, conjunct);
        if terms.as_bool(whole) == Some(false) {
            return None;
        }
        Some(Condition(Some(Rc::new(Link {
            before: self.clone(),
            conjunct,
            whole,
            depth: self.depth() + 1,
        }))))
    }

    /// Where two chains part.
    fn common<'c>(mut a: &'c Condition, mut b: &'c Condition) -> &'c Condition {
        while !a.is(b) {
            if a.depth() < b.depth() {
                std::mem::swap(&mut a, &mut b);
            }
            a = a.0.as_ref().map_or(a, |l| &l.before);
        }
        a
    }

    /// What this says beyond another condition that it came from.
    fn beyond(&self, terms: &mut Terms, common: &Condition) -> Term {
        let mut parts = Vec::new();
        let mut at = self;
        while !at.is(common) {
            let link = at.0.as_ref().expect("it came from there");
            parts.push(link.conjunct);
            at = &link.before;
        }
        terms.and(&parts)
    }

    /// How many conjuncts two conditions have in common.
    pub fn closeness(&self, other: &Condition) -> u32 {
        Condition::common(self, other).depth()
    }

    /// Either of two conditions that exclude each other; and what tells, where one of them holds,
    /// that it is the first.
    pub fn or(&self, terms: &mut Terms, other: &Condition) -> (Condition, Term) {
        let common = Condition::common(self, other);
        let (first, second) = (self.beyond(terms, common), other.beyond(terms, common));
        let size = |terms: &Terms, t: Term| terms.conjuncts(t).len();
        let first_is_short = size(terms, first) <= size(terms, second);
        let tells =
            match terms.as_bool(first).is_none() && (first_is_short || second == terms.tru()) {
                true => first,
                false => terms.not(second),
            };
        let opposite = terms.not(first);
        let either = match opposite == second {
            true => terms.tru(),
            false => terms.or2(first, second),
        };
        let joined = common.and(terms, either);
        // That both are impossible would have shown before.
        (joined.unwrap_or_else(|| self.clone()), tells)
    }
}

/// What a comparison with a constant says of a term: its least and its greatest value, with or
/// without a sign.
fn range(terms: &Terms, t: Term, signed: bool) -> Option<(Term, i128, i128)> {
    let op = terms.op(t);
    let fits = match op {
        Op::Ult | Op::Ule => !signed,
        Op::Slt | Op::Sle => signed,
        Op::Eq => true,
        _ => false,
    };
    let &[a, b] = terms.children(t) else {
        return None;
    };
    if !fits || !matches!(terms.sort(a), Sort::BitVec(1..=64)) {
        return None;
    }
    let number = |t: Term| match signed {
        true => terms.as_i128(t),
        false => terms.as_u64(t).map(i128::from),
    };
    let strict = i128::from(matches!(op, Op::Ult | Op::Slt));
    match (number(a), number(b)) {
        (Some(n), None) if op == Op::Eq => Some((b, n, n)),
        (None, Some(n)) if op == Op::Eq => Some((a, n, n)),
        (Some(n), None) => Some((b, n + strict, i128::MAX)),
        (None, Some(n)) => Some((a, i128::MIN, n - strict)),
        _ => None,
    }
}
