//! Generalisation: facts that no single path shows (seed 000 §5 leaves the hook open).
//!
//! | file | what it holds |
//! |---|---|
//! | [`sources`] | which sources there are, and the interface they share |
//! | [`ai`] | an abstract interpretation of the whole program |
//! | [`path`] | predicates along an abstract path that cannot be run |
//! | [`mine`] | candidate relations from the states that tests have been in |
//! | [`pointers`] | the same for addresses, which lie to objects and to each other |
//! | [`entered`] | and against what a loop was entered with |
//! | [`houdini`] | the inductive ones among all candidates |
//!
//! [`learn`] puts them together. Two more sources need no candidates: the unsatisfiable core of
//! the one query, and the branch condition that is dropped where it only unrolls a loop
//! (`dash/extend.rs`, `dash/choose.rs`).

pub mod ai;
pub mod entered;
pub mod houdini;
pub mod mine;
pub mod path;
pub mod pointers;
pub mod sources;

use crate::dash::blocks::Blocks;
use crate::dash::forest::Forest;
use crate::dash::graph::{BlockId, Cutpoint, RegionGraph, StateRef};
use crate::dash::spread;
use crate::dash::transitions::Transitions;
use houdini::{houdini, Kept};
use mine::{mine, Samples};
use prova_logic::{Model, Op, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;
pub use sources::{Generalise, Sources, View};
use std::collections::{BTreeMap, BTreeSet};

/// More variables than this are not sampled at a cutpoint.
pub(crate) const MOST_VARIABLES: usize = 40;
/// States sampled per cutpoint.
pub(crate) const MOST_STATES: usize = 120;
/// Objects that pointers are looked for in.
const MOST_OBJECTS: usize = 60;
/// Candidates kept per cutpoint.
pub(crate) const MOST_CANDIDATES: usize = 300;

/// Facts that hold in every reachable state, and who proposed them.
#[derive(Debug, Default)]
pub struct Learned {
    /// What was kept, by cutpoint.
    pub kept: Kept,
    /// The source of each fact at a cutpoint.
    pub origin: FxHashMap<(usize, Term), &'static str>,
    /// Candidates that were tried.
    pub candidates: u64,
}

/// Invariants from what sources propose.
pub fn learn(
    view: &mut View,
    sources: &mut [&mut dyn Generalise],
    stop: impl FnMut() -> bool,
) -> Learned {
    let mut candidates = vec![Vec::new(); view.blocks.locations.len()];
    let mut origin = FxHashMap::default();
    for source in sources {
        let proposed = source.candidates(view);
        for (index, mut found) in proposed.into_iter().enumerate() {
            found.truncate(MOST_CANDIDATES);
            for t in found {
                // What a block reads is nothing behind it: facts speak of states only.
                let terms = &view.transitions.terms;
                let lasting = |v: &Term| {
                    view.encoding.vars.meaning(*v).is_some() || terms.object(*v).is_some()
                };
                if !terms.free_vars(t).iter().all(lasting) {
                    continue;
                }
                if index != Cutpoint::START.index()
                    && !origin.contains_key(&(index, t))
                    && view.transitions.terms.op(t) != Op::True
                {
                    origin.insert((index, t), source.name());
                    candidates[index].push(t);
                }
            }
        }
    }
    let mut kept = houdini(
        view.encoding,
        view.transitions,
        view.blocks,
        candidates,
        view.solver,
        stop,
    );
    for facts in &mut kept.invariants {
        prune(&view.transitions.terms, facts);
    }
    Learned {
        kept,
        candidates: origin.len() as u64,
        origin,
    }
}

/// Invariants from tests: what all states of the forest have in common, at each cutpoint.
#[derive(Debug, Default)]
pub struct Tests;

impl Generalise for Tests {
    fn name(&self) -> &'static str {
        "tests"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let watched = watched(view.transitions, view.blocks, view.graph);
        let constants = constants(view.transitions, view.blocks);
        let bases = bases(view.transitions);
        let entered = entered::Entered::new(view);
        let mut candidates = vec![Vec::new(); view.blocks.locations.len()];
        for (index, slot) in candidates.iter_mut().enumerate().skip(1) {
            let cutpoint = Cutpoint(index as u32);
            let values = entered.values(view, cutpoint, &watched);
            let terms = &mut view.transitions.terms;
            let all = [&watched[..], &values].concat();
            let samples = sample(terms, view.graph, view.forest, cutpoint, &all);
            let placed = sample(terms, view.graph, view.forest, cutpoint, &bases);
            *slot = pointers::pointers(terms, &samples, &placed);
            slot.extend(mine(terms, &samples, &constants));
            slot.extend(entered.said_before(view, cutpoint));
        }
        candidates
    }
}

/// The abstract interpretation as a source.
#[derive(Debug, Default)]
pub struct Facts;

impl Generalise for Facts {
    fn name(&self) -> &'static str {
        "ai"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let constants = constants(view.transitions, view.blocks);
        ai::facts(view.transitions, view.blocks, &constants)
    }
}

/// Drops what lists of values say already: bounds, orders and relations that hold for all of the
/// few values of their variables. Nothing else may go: other facts may rest on it.
pub(crate) fn prune(terms: &Terms, facts: &mut Vec<Term>) {
    let listed: BTreeMap<Term, Vec<Value>> =
        facts.iter().filter_map(|&f| listing(terms, f)).collect();
    facts.retain(|&f| listing(terms, f).is_some() || !implied(terms, f, &listed));
}

/// A fact that lists the values of a variable.
fn listing(terms: &Terms, fact: Term) -> Option<(Term, Vec<Value>)> {
    let value = |t: Term| {
        let &[a, b] = terms.children(t) else {
            return None;
        };
        let (x, c) = if terms.is_const(a) { (b, a) } else { (a, b) };
        let plain = terms.op(t) == Op::Eq && terms.is_var(x) && terms.is_const(c);
        plain.then(|| (x, terms.eval(c, &Model::new())))
    };
    match terms.op(fact) {
        Op::Var => Some((fact, vec![Value::Bool(true)])),
        Op::Not if terms.is_var(terms.children(fact)[0]) => {
            Some((terms.children(fact)[0], vec![Value::Bool(false)]))
        }
        Op::Eq => value(fact).map(|(x, v)| (x, vec![v])),
        Op::Or => {
            let parts: Option<Vec<_>> = terms.children(fact).iter().map(|&c| value(c)).collect();
            let parts = parts?;
            let x = parts[0].0;
            let same = parts.iter().all(|p| p.0 == x);
            same.then(|| (x, parts.into_iter().map(|p| p.1).collect()))
        }
        _ => None,
    }
}

/// More combinations of values than this are not tried.
const COMBINATIONS: usize = 256;

/// Whether a fact holds for all listed values of its variables.
fn implied(terms: &Terms, fact: Term, listed: &BTreeMap<Term, Vec<Value>>) -> bool {
    let variables = terms.free_vars(fact);
    let lists: Option<Vec<&Vec<Value>>> = variables.iter().map(|v| listed.get(v)).collect();
    let Some(lists) = lists else { return false };
    let mut count: usize = 1;
    for list in &lists {
        count = count.saturating_mul(list.len());
    }
    count <= COMBINATIONS
        && (0..count).all(|mut which| {
            let mut model = Model::new();
            for (&v, list) in variables.iter().zip(&lists) {
                model.insert(v, list[which % list.len()].clone());
                which /= list.len();
            }
            terms.holds(fact, &model)
        })
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

/// Objects whose addresses occur in the program's steps.
fn bases(transitions: &Transitions) -> Vec<Term> {
    let transfers = transitions.all().map(|(_, t)| &t.transfer);
    let roots: Vec<Term> = transfers
        .flat_map(|t| t.guard.iter().copied().chain(t.updates.iter().map(|u| u.1)))
        .collect();
    let mut bases = transitions.terms.object_bases_in(&roots);
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
fn constants(transitions: &Transitions, blocks: &Blocks) -> BTreeSet<u64> {
    let terms = &transitions.terms;
    let mut found: BTreeSet<u64> = [0, 1].into_iter().collect();
    for index in 1..blocks.blocks.len() {
        let transfer = &transitions.get(BlockId(index as u32)).transfer;
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

/// States that tests have been in at a cutpoint.
fn states(graph: &RegionGraph, cutpoint: Cutpoint) -> Vec<StateRef> {
    let mut states = Vec::new();
    for region in graph.regions_at(cutpoint) {
        states.extend(graph.region(region).states.iter().copied());
    }
    states.sort_unstable();
    spread(&states, MOST_STATES)
}

fn sample(
    terms: &Terms,
    graph: &RegionGraph,
    forest: &Forest,
    cutpoint: Cutpoint,
    watched: &[Term],
) -> Samples {
    let rows: Vec<Vec<u64>> = states(graph, cutpoint)
        .into_iter()
        .map(|state| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lists_of_values_imply_is_dropped() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|n| terms.var(n, Sort::BitVec(8)));
        let [one, two, three] = [1, 2, 3].map(|v| terms.bv(v, 8));
        let (x1, x2) = (terms.eq(x, one), terms.eq(x, two));
        let (y1, y2) = (terms.eq(y, one), terms.eq(y, two));
        let lists = [terms.or2(x1, x2), terms.or2(y1, y2)];
        let bound = terms.ult(x, three);
        let (relation, never) = (terms.eq(x, y), terms.fals());
        let mut facts = vec![lists[0], bound, relation, lists[1], never];
        prune(&terms, &mut facts);
        assert_eq!(facts, [lists[0], relation, lists[1], never]);
    }
}
