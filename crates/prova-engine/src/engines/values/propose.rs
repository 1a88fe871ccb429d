//! What the states that were followed have in common, left as candidates for whoever learns facts:
//! a search that was stopped has seen which few values a variable takes, and which of them go
//! together, and DASH need not find them again one split at a time.

use super::{ValuesSearch, Way};
use crate::engine::Turn;
use crate::problem::blocks::Cutpoint;
use prova_logic::{Sort, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// More states than this are not looked at.
const MOST_STATES: usize = 20_000;
/// Values that are listed.
const MOST_VALUES: usize = 6;
/// Pairs of values that are listed.
const MOST_PAIRS: usize = 8;
/// Candidates that are passed on to a place where nobody came.
const MOST_PASSED_ON: usize = 40;
/// Variables that are looked at two by two.
const MOST_PAIRED: usize = 8;

impl ValuesSearch<'_> {
    /// Leaves lists of values, and of pairs of values, that all states at a cutpoint agree on. Where
    /// nobody came yet, what holds before may hold as well.
    pub(super) fn propose(&self, way: &Way, turn: &mut Turn) {
        let graph = &way.exploration.graph;
        let mut proposed: Vec<Vec<Term>> = graph
            .places()
            .map(|nodes| match nodes.len() {
                1..=MOST_STATES => {
                    let states = || nodes.iter().map(|&n| &graph[n].state.entries[..]);
                    in_common(turn.terms, states)
                }
                _ => Vec::new(),
            })
            .collect();
        let unseen: Vec<bool> = graph.places().map(<[_]>::is_empty).collect();
        for &place in &self.flow.order {
            if unseen[place.index()] {
                let mut before: Vec<Term> = Vec::new();
                for &block in &self.flow.incoming[place.index()] {
                    for &candidate in &proposed[self.flow.source(block).index()] {
                        if before.len() < MOST_PASSED_ON && !before.contains(&candidate) {
                            before.push(candidate);
                        }
                    }
                }
                proposed[place.index()] = before;
            }
        }
        for (index, candidates) in proposed.into_iter().enumerate() {
            for candidate in candidates {
                turn.known.propose(Cutpoint(index as u32), candidate);
            }
        }
    }
}

/// What states have in common: few values, and few pairs of values.
fn in_common<'s, S: Iterator<Item = &'s [(Term, Term)]>>(
    terms: &mut Terms,
    states: impl Fn() -> S,
) -> Vec<Term> {
    let few = few_values(terms, states());
    let mut found = Vec::new();
    for (&key, values) in &few {
        let cases: Vec<Term> = values.iter().map(|&v| terms.eq(key, v)).collect();
        found.push(terms.or(&cases));
    }
    let changing = few.iter().filter(|(_, values)| values.len() > 1);
    let keys: Vec<Term> = changing.map(|(&k, _)| k).take(MOST_PAIRED).collect();
    for (i, &a) in keys.iter().enumerate() {
        for &b in &keys[i + 1..] {
            let all = few[&a].len() * few[&b].len();
            let seen: BTreeSet<(Term, Term)> = states()
                .filter_map(|entries| Some((value(entries, a)?, value(entries, b)?)))
                .collect();
            if seen.len() < all && seen.len() <= MOST_PAIRS {
                found.push(pairs(terms, (a, b), &seen));
            }
        }
    }
    found
}

fn value(entries: &[(Term, Term)], key: Term) -> Option<Term> {
    entries.iter().find(|(k, _)| *k == key).map(|&(_, v)| v)
}

/// Variables that have one of a few constant values in every state.
fn few_values<'s>(
    terms: &Terms,
    states: impl Iterator<Item = &'s [(Term, Term)]>,
) -> BTreeMap<Term, BTreeSet<Term>> {
    let mut values: BTreeMap<Term, (usize, BTreeSet<Term>)> = BTreeMap::new();
    let mut count = 0;
    for entries in states {
        count += 1;
        for &(key, value) in entries {
            let seen = values.entry(key).or_default();
            seen.0 += 1;
            if seen.1.len() <= MOST_VALUES {
                seen.1.insert(value);
            }
        }
    }
    let plain = |key: Term, values: &BTreeSet<Term>| {
        matches!(terms.sort(key), Sort::BitVec(_) | Sort::Bool)
            && values.iter().all(|&v| terms.is_const(v))
    };
    let few = values.into_iter().filter(|(key, (seen, values))| {
        *seen == count && values.len() <= MOST_VALUES && plain(*key, values)
    });
    few.map(|(key, (_, values))| (key, values)).collect()
}

fn pairs(terms: &mut Terms, (a, b): (Term, Term), seen: &BTreeSet<(Term, Term)>) -> Term {
    let cases: Vec<Term> = seen
        .iter()
        .map(|&(x, y)| {
            let both = [terms.eq(a, x), terms.eq(b, y)];
            terms.and(&both)
        })
        .collect();
    terms.or(&cases)
}
