//! Invariants from tests: what all states that tests have been in at a cutpoint have in common.

use super::mine::{mine, Samples};
use super::{entered, pointers, Generalise, View};
use crate::problem::blocks::Cutpoint;
use crate::problem::transitions::Transitions;
use crate::testing::forest::{spread, StateRef};
use prova_logic::{Op, Sort, Term, Terms, Value};
use std::collections::BTreeSet;

/// More variables than this are not sampled at a cutpoint.
pub(crate) const MOST_VARIABLES: usize = 40;
/// States sampled per cutpoint.
pub(crate) const MOST_STATES: usize = 120;
/// Objects that pointers are looked for in.
const MOST_OBJECTS: usize = 60;

/// Invariants from tests: what all states of the forest have in common, at each cutpoint.
#[derive(Debug, Default)]
pub struct Tests;

impl Generalise for Tests {
    fn name(&self) -> &'static str {
        "tests"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let transitions = &view.steps.transitions;
        let watched = watched(view.terms, transitions, view.spoken);
        let constants = constants(view.terms, transitions);
        let bases = bases(view.terms, transitions);
        let entered = entered::Entered::new(view);
        let mut candidates = vec![Vec::new(); view.steps.blocks.locations.len()];
        for (index, slot) in candidates.iter_mut().enumerate().skip(1) {
            let cutpoint = Cutpoint(index as u32);
            let values = entered.values(view, cutpoint, &watched);
            let all = [&watched[..], &values].concat();
            let samples = sample(view, cutpoint, &all);
            let placed = sample(view, cutpoint, &bases);
            *slot = pointers::pointers(view.terms, &samples, &placed);
            slot.extend(mine(view.terms, &samples, &constants));
            slot.extend(entered.said_before(view, cutpoint));
        }
        candidates
    }
}

/// What to watch: variables, and memory cells at fixed addresses, that the abstraction already
/// speaks of, and those that blocks compute them from or compare them with.
pub(super) fn watched(terms: &Terms, transitions: &Transitions, spoken: &[Term]) -> Vec<Term> {
    let mut found: BTreeSet<Term> = BTreeSet::new();
    collect(terms, spoken, &mut found);
    for _ in 0..2 {
        let mut more = found.clone();
        for (_, transition) in transitions.all() {
            let transfer = &transition.transfer;
            for &(variable, value) in &transfer.updates {
                if found.contains(&variable) {
                    collect(terms, &[value], &mut more);
                }
            }
            for &guard in &transfer.guard {
                let mut here = BTreeSet::new();
                collect(terms, &[guard], &mut here);
                if !here.is_disjoint(&found) {
                    more.extend(here);
                }
            }
        }
        if more.len() == found.len() || more.len() > MOST_VARIABLES {
            break;
        }
        found = more;
    }
    found.into_iter().take(MOST_VARIABLES).collect()
}

/// Objects whose addresses occur in the program's steps.
pub(super) fn bases(terms: &Terms, transitions: &Transitions) -> Vec<Term> {
    let transfers = transitions.all().map(|(_, t)| &t.transfer);
    let roots: Vec<Term> = transfers
        .flat_map(|t| t.guard.iter().copied().chain(t.updates.iter().map(|u| u.1)))
        .collect();
    let mut bases = terms.object_bases_in(&roots);
    bases.truncate(MOST_OBJECTS);
    bases
}

/// Cells at addresses larger than this, in nodes, are not watched.
const LARGEST_ADDRESS: usize = 12;

/// Scalars that terms speak of: variables of the state, and reads of memory.
pub(crate) fn collect(terms: &Terms, roots: &[Term], found: &mut BTreeSet<Term>) {
    for t in terms.post_order(roots) {
        let scalar = match terms.sort(t) {
            Sort::Bool => true,
            Sort::BitVec(width) => width <= 64,
            _ => false,
        };
        // A cell at an address that is fixed or that a few variables give.
        let fixed_read = terms.op(t) == Op::Select
            && terms.op(terms.children(t)[0]) == Op::Var
            && terms.size(terms.children(t)[1]) <= LARGEST_ADDRESS;
        let variable = terms.op(t) == Op::Var && terms.object(t).is_none();
        if scalar && (fixed_read || variable) {
            found.insert(t);
        }
    }
}

/// Integer constants in the text of the program, and their neighbours: where bounds are sought.
pub(crate) fn constants(terms: &Terms, transitions: &Transitions) -> BTreeSet<u64> {
    let mut found: BTreeSet<u64> = [0, 1].into_iter().collect();
    // The first block sets the program up: its numbers are addresses.
    for (_, transition) in transitions.all().skip(1) {
        for t in terms.post_order(&transition.transfer.guard) {
            if terms.op(t) == Op::BvConst {
                if let Some(value) = terms.as_u64(t) {
                    found.extend([value, value.wrapping_add(1), value.wrapping_sub(1)]);
                }
            }
        }
    }
    found
}

/// States that tests have been in at a cutpoint.
pub(super) fn states(view: &View, cutpoint: Cutpoint) -> Vec<StateRef> {
    let states = view.forest.states_at(&view.steps.blocks, cutpoint);
    spread(&states, MOST_STATES)
}

/// Values of what is watched in these states.
pub(super) fn sample(view: &View, cutpoint: Cutpoint, watched: &[Term]) -> Samples {
    let value = |state: StateRef, v: Term| match view.forest.evaluate(view.terms, state, v) {
        Value::Bool(b) => u64::from(b),
        other => other.as_u64().unwrap_or(0),
    };
    let rows = states(view, cutpoint).into_iter();
    let rows = rows.map(|state| watched.iter().map(|&v| value(state, v)).collect());
    Samples {
        variables: watched.to_vec(),
        rows: rows.collect(),
    }
}
