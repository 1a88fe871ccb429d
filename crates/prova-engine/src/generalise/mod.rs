//! Generalisation: facts that no single path shows (seed 000 §5 leaves the hook open).
//!
//! | file | what it holds |
//! |---|---|
//! | [`mine`] | candidate relations from the states that tests have been in |
//! | [`houdini`] | the inductive ones among them |
//!
//! [`learn`] puts the two together for a region graph that keeps being split.

pub mod houdini;
pub mod mine;

use crate::dash::blocks::Blocks;
use crate::dash::encoding::Encoding;
use crate::dash::forest::Forest;
use crate::dash::graph::{Cutpoint, RegionGraph};
use crate::dash::transitions::Transitions;
use houdini::{houdini, Kept};
use mine::{mine, Samples};
use prova_logic::{Op, Solver, Sort, Term, Terms, Value};
use std::collections::BTreeSet;

/// More variables than this are not sampled at a cutpoint.
pub(crate) const MOST_VARIABLES: usize = 40;
/// States sampled per cutpoint.
pub(crate) const MOST_STATES: usize = 120;
/// Candidates kept per cutpoint.
pub(crate) const MOST_CANDIDATES: usize = 300;

/// Invariants from the forest's states, by cutpoint. They hold in every reachable state.
pub fn learn(
    encoding: &Encoding,
    transitions: &mut Transitions,
    blocks: &Blocks,
    graph: &RegionGraph,
    forest: &Forest,
    solver: &mut dyn Solver,
    stop: impl FnMut() -> bool,
) -> Kept {
    let count = blocks.locations.len();
    let watched = watched(transitions, blocks, graph);
    let constants = constants(transitions, blocks);
    let mut candidates = vec![Vec::new(); count];
    for (index, slot) in candidates.iter_mut().enumerate().skip(1) {
        let samples = sample(
            &transitions.terms,
            graph,
            forest,
            Cutpoint(index as u32),
            &watched,
        );
        let mut found = mine(&mut transitions.terms, &samples, &constants);
        found.truncate(MOST_CANDIDATES);
        *slot = found;
    }
    let mut kept = houdini(encoding, transitions, blocks, candidates, solver, stop);
    for facts in &mut kept.invariants {
        prune(&transitions.terms, facts);
    }
    kept
}

/// Drops what a stronger fact about the same variables says already: bounds and orders of
/// variables whose few values are all known.
pub(crate) fn prune(terms: &Terms, facts: &mut Vec<Term>) {
    let listed: BTreeSet<Term> = facts
        .iter()
        .filter(|&&f| matches!(terms.op(f), Op::Eq | Op::Or))
        .filter_map(|&f| match terms.free_vars(f)[..] {
            [only] => Some(only),
            _ => None,
        })
        .collect();
    facts.retain(|&f| {
        let values =
            matches!(terms.op(f), Op::Eq | Op::Or | Op::Var) && terms.free_vars(f).len() == 1;
        values || !terms.free_vars(f).iter().all(|v| listed.contains(v))
    });
}

/// What to watch: variables, and memory cells at fixed addresses, that the abstraction already
/// speaks of, and those that blocks compute them from or compare them with.
fn watched(transitions: &Transitions, blocks: &Blocks, graph: &RegionGraph) -> Vec<Term> {
    let terms = &transitions.terms;
    let mut found: BTreeSet<Term> = BTreeSet::new();
    for index in 0..blocks.locations.len() {
        for region in graph.regions_at(Cutpoint(index as u32)) {
            collect(terms, &graph.region(region).facts, &mut found);
        }
    }
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

/// Scalars that terms speak of: variables of the state, and reads at fixed addresses.
pub(crate) fn collect(terms: &Terms, roots: &[Term], found: &mut BTreeSet<Term>) {
    for t in terms.post_order(roots) {
        let scalar = match terms.sort(t) {
            Sort::Bool => true,
            Sort::BitVec(width) => width <= 64,
            _ => false,
        };
        let fixed_read = terms.op(t) == Op::Select
            && terms.op(terms.children(t)[0]) == Op::Var
            && terms
                .free_vars(terms.children(t)[1])
                .iter()
                .all(|&v| terms.object(v).is_some());
        let variable = terms.op(t) == Op::Var && terms.object(t).is_none();
        if scalar && (fixed_read || variable) {
            found.insert(t);
        }
    }
}

/// Integer constants in the text of the program, and their neighbours: where bounds are sought.
fn constants(transitions: &Transitions, blocks: &Blocks) -> BTreeSet<u64> {
    let terms = &transitions.terms;
    let mut found: BTreeSet<u64> = [0, 1].into_iter().collect();
    for index in 1..blocks.blocks.len() {
        let transfer = &transitions
            .get(crate::dash::graph::BlockId(index as u32))
            .transfer;
        for t in terms.post_order(&transfer.guard) {
            if terms.op(t) == Op::BvConst {
                if let Some(value) = terms.as_u64(t) {
                    found.extend([value, value.wrapping_add(1), value.wrapping_sub(1)]);
                }
            }
        }
    }
    found
}

fn sample(
    terms: &Terms,
    graph: &RegionGraph,
    forest: &Forest,
    cutpoint: Cutpoint,
    watched: &[Term],
) -> Samples {
    let mut states = Vec::new();
    for region in graph.regions_at(cutpoint) {
        states.extend(graph.region(region).states.iter().copied());
    }
    states.sort_unstable();
    let stride = states.len().div_ceil(MOST_STATES).max(1);
    let rows: Vec<Vec<u64>> = states
        .iter()
        .step_by(stride)
        .map(|&state| {
            watched
                .iter()
                .map(|&v| match forest.evaluate(terms, state, v) {
                    Value::Bool(b) => u64::from(b),
                    other => other.as_u64().unwrap_or(0),
                })
                .collect()
        })
        .collect();
    Samples {
        variables: watched.to_vec(),
        rows,
    }
}
