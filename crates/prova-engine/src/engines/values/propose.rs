//! What the states that were followed have in common, left as candidates for whoever learns facts:
//! a search that was stopped has seen which few values a variable takes, and DASH need not find
//! them again one split at a time.

use super::{ValuesSearch, Way};
use crate::engine::Turn;
use crate::problem::blocks::Cutpoint;
use prova_logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// More states than this are not looked at.
const MOST_STATES: usize = 20_000;
/// Values that are listed.
const MOST_VALUES: usize = 4;

impl ValuesSearch<'_> {
    /// Leaves lists of values that all states at a cutpoint agree on.
    pub(super) fn propose(&self, way: &Way, turn: &mut Turn) {
        let graph = &way.exploration.graph;
        for (index, nodes) in graph.places().enumerate() {
            if nodes.is_empty() || nodes.len() > MOST_STATES {
                continue;
            }
            let mut values: BTreeMap<Term, (usize, BTreeSet<Term>)> = BTreeMap::new();
            for &node in nodes {
                for &(key, value) in &graph[node].state.entries {
                    let seen = values.entry(key).or_default();
                    seen.0 += 1;
                    if seen.1.len() <= MOST_VALUES {
                        seen.1.insert(value);
                    }
                }
            }
            for (key, (count, values)) in values {
                let terms = &mut *turn.terms;
                let plain = matches!(terms.sort(key), Sort::BitVec(_) | Sort::Bool)
                    && values.iter().all(|&v| terms.is_const(v));
                if count < nodes.len() || values.len() > MOST_VALUES || !plain {
                    continue;
                }
                let cases: Vec<Term> = values.iter().map(|&v| terms.eq(key, v)).collect();
                let candidate = terms.or(&cases);
                turn.known.propose(Cutpoint(index as u32), candidate);
            }
        }
    }
}
