//! The abstract states that are covered, and who covered each: the value `a` of Figure 3.

use crate::problem::blocks::Cutpoint;
use prova_logic::{Term, Terms};
use std::collections::BTreeMap;

/// Whether each predicate holds; `None` for either.
pub type Abstract = Vec<Option<bool>>;

/// Who covered a state first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A test, by its number in the forest.
    Test(u32),
    /// All tests together.
    Tests,
    /// A run from a fabricated state, by its number.
    Fabricated(usize),
    /// Nobody: a solver could say neither that it is possible nor that it is not.
    Nobody,
}

/// Covered states by cutpoint.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// By cutpoint.
    pub at: Vec<BTreeMap<Abstract, By>>,
}

impl Covered {
    /// Nothing but the start.
    pub fn new(cutpoints: usize) -> Covered {
        let mut at = vec![BTreeMap::new(); cutpoints];
        at[Cutpoint::START.index()].insert(Vec::new(), By::Nobody);
        Covered { at }
    }

    /// Adds a state; whether it is new.
    pub fn add(&mut self, cutpoint: Cutpoint, state: Abstract, by: By) -> bool {
        let here = &mut self.at[cutpoint.index()];
        let known = |s: &Abstract| {
            let mut pairs = s.iter().zip(&state);
            pairs.all(|(general, own)| general.is_none() || general == own)
        };
        if here.keys().any(known) {
            return false;
        }
        here.insert(state, by);
        true
    }

    /// How many there are, the start left out.
    pub fn count(&self) -> usize {
        self.at.iter().skip(1).map(BTreeMap::len).sum()
    }

    /// The states at a cutpoint as conjunctions over its predicates.
    pub fn cases(
        &self,
        terms: &mut Terms,
        cutpoint: Cutpoint,
        predicates: &[Term],
    ) -> Vec<Vec<Term>> {
        let mut cases = Vec::new();
        for state in self.at[cutpoint.index()].keys() {
            let mut case = Vec::new();
            for (predicate, value) in predicates.iter().zip(state) {
                match value {
                    Some(true) => case.push(*predicate),
                    Some(false) => case.push(terms.not(*predicate)),
                    None => {}
                }
            }
            case.sort_unstable();
            cases.push(case);
        }
        cases
    }

    /// What γ makes of them: that a state is one of them.
    pub fn gamma(&self, terms: &mut Terms, cutpoint: Cutpoint, predicates: &[Term]) -> Term {
        let cases = self.cases(terms, cutpoint, predicates);
        let cases: Vec<Term> = cases.iter().map(|case| terms.and(case)).collect();
        terms.or(&cases)
    }
}
