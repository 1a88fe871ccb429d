//! WP_α: weakest preconditions with the aliasing of a test (Beckman et al., *Proofs from
//! Tests*, §4.2.1, Figure 12).
//!
//! Substituting a store into a predicate leaves reads over writes, `select(store(m, a, v), b)`.
//! Whether `a` equals `b` is asked of the path that the test took. Where the path settles it,
//! that branch alone is kept and the (dis)equality is remembered as part of α; where it does not,
//! both branches stay, as an if-then-else. The split predicate is then `¬(α ∧ ¬WP↓α)`: the state
//! space outside α falls on the side that keeps the abstract edge, so nothing is lost.

use prova_logic::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Tells whether the path that leads to the frontier settles an equality of addresses.
pub trait AliasOracle {
    /// `Some` if all runs along the path agree on `equality`, a term over the state variables.
    fn settled(&mut self, terms: &mut Terms, equality: Term) -> Option<bool>;
}

/// Conditions that are known to hold, asked whether one of them settles an equality.
pub struct Known<'a>(pub &'a FxHashSet<Term>);

impl AliasOracle for Known<'_> {
    fn settled(&mut self, terms: &mut Terms, equality: Term) -> Option<bool> {
        if self.0.contains(&equality) {
            return Some(true);
        }
        let negation = terms.not(equality);
        self.0.contains(&negation).then_some(false)
    }
}

/// A predicate restricted to an alias condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Equal to the original wherever all of `alpha` hold.
    pub term: Term,
    /// (Dis)equalities of addresses, each true along the path.
    pub alpha: Vec<Term>,
}

/// Decides the reads over writes in `root` by the path's aliasing.
pub fn resolve(terms: &mut Terms, root: Term, oracle: &mut dyn AliasOracle) -> Resolved {
    let mut alpha = Vec::new();
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack = vec![(root, false)];
    while let Some((t, children_done)) = stack.pop() {
        if done.contains_key(&t) {
            continue;
        }
        if !children_done {
            stack.push((t, true));
            // A store chain below a select is walked by `read`, link by link.
            stack.extend(terms.children(t).iter().map(|&c| (c, false)));
            continue;
        }
        let children: Vec<Term> = terms.children(t).iter().map(|c| done[c]).collect();
        let new = if terms.op(t) == Op::Select {
            read(terms, children[0], children[1], oracle, &mut alpha)
        } else if children == terms.children(t) {
            t
        } else {
            terms.rebuild(t, &children)
        };
        done.insert(t, new);
    }
    alpha.sort_unstable();
    alpha.dedup();
    Resolved {
        term: done[&root],
        alpha,
    }
}

fn read(
    terms: &mut Terms,
    mut array: Term,
    index: Term,
    oracle: &mut dyn AliasOracle,
    alpha: &mut Vec<Term>,
) -> Term {
    // Writes the path does not settle, outermost first: (same address?, value).
    let mut open: Vec<(Term, Term)> = Vec::new();
    let mut result = loop {
        if terms.op(array) != Op::Store {
            break terms.select(array, index);
        }
        let [inner, at, value] = terms.children(array)[..] else {
            unreachable!("a store has three children")
        };
        let same = terms.eq(at, index);
        match terms.as_bool(same) {
            Some(true) => break value,
            Some(false) => {}
            None => match oracle.settled(terms, same) {
                Some(true) => {
                    alpha.push(same);
                    break value;
                }
                Some(false) => {
                    let differ = terms.not(same);
                    alpha.push(differ);
                }
                None => open.push((same, value)),
            },
        }
        array = inner;
    };
    while let Some((same, value)) = open.pop() {
        result = terms.ite(same, value, result);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::Sort;

    struct Table(Vec<(Term, bool)>);

    impl AliasOracle for Table {
        fn settled(&mut self, _: &mut Terms, equality: Term) -> Option<bool> {
            self.0.iter().find(|(t, _)| *t == equality).map(|(_, v)| *v)
        }
    }

    fn setup() -> (Terms, Term, [Term; 3]) {
        let mut t = Terms::new();
        let m = t.var(
            "m",
            Sort::Array {
                index: 32,
                element: 8,
            },
        );
        let p = ["p", "q", "r"].map(|n| t.var(n, Sort::BitVec(32)));
        (t, m, p)
    }

    #[test]
    fn a_settled_alias_is_taken_and_remembered() {
        let (mut t, m, [p, q, _]) = setup();
        let one = t.bv(1, 8);
        let written = t.store(m, p, one);
        let read = t.select(written, q);
        let predicate = t.eq(read, one);
        let same = t.eq(p, q);

        let resolved = resolve(&mut t, predicate, &mut Table(vec![(same, true)]));
        assert_eq!(t.as_bool(resolved.term), Some(true));
        assert_eq!(resolved.alpha, [same]);

        let resolved = resolve(&mut t, predicate, &mut Table(vec![(same, false)]));
        let before = t.select(m, q);
        let expected = t.eq(before, one);
        assert_eq!(resolved.term, expected);
        assert_eq!(resolved.alpha, [t.not(same)]);
    }

    #[test]
    fn an_open_alias_keeps_both_branches() {
        let (mut t, m, [p, q, r]) = setup();
        let (one, two) = (t.bv(1, 8), t.bv(2, 8));
        let first = t.store(m, p, one);
        let second = t.store(first, q, two);
        let read = t.select(second, r);
        let resolved = resolve(&mut t, read, &mut Table(vec![]));
        let before = t.select(m, r);
        let (same_q, same_p) = (t.eq(q, r), t.eq(p, r));
        let inner = t.ite(same_p, one, before);
        let expected = t.ite(same_q, two, inner);
        assert_eq!(resolved.term, expected);
        assert!(resolved.alpha.is_empty());
    }
}
