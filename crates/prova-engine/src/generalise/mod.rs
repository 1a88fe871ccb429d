//! Generalisation: facts that no single path shows (seed 000 §5 leaves the hook open).
//!
//! | file | what it holds |
//! |---|---|
//! | [`sources`] | which sources there are, and the interface they share |
//! | [`ai`] | an abstract interpretation of the whole program |
//! | [`path`] | predicates along an abstract path that cannot be run |
//! | [`mine`] | candidate relations from the states that tests have been in |
//! | [`pointers`] | the same for addresses, which lie to objects and to each other |
//! | [`houdini`] | the inductive ones among all candidates |
//!
//! [`learn`] puts them together. Two more sources need no candidates: the unsatisfiable core of
//! the one query, and the branch condition that is dropped where it only unrolls a loop
//! (`dash/extend.rs`, `dash/choose.rs`).

pub mod ai;
pub mod houdini;
pub mod mine;
pub mod path;
pub mod pointers;
pub mod sources;

use crate::dash::blocks::Blocks;
use crate::dash::forest::Forest;
use crate::dash::graph::{BlockId, Cutpoint, RegionGraph};
use crate::dash::spread;
use crate::dash::transitions::Transitions;
use houdini::{houdini, Kept};
use mine::{mine, Samples};
use prova_logic::{Op, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;
pub use sources::{Generalise, Sources, View};
use std::collections::BTreeSet;

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
        let mut candidates = vec![Vec::new(); view.blocks.locations.len()];
        for (index, slot) in candidates.iter_mut().enumerate().skip(1) {
            let (terms, cutpoint) = (&mut view.transitions.terms, Cutpoint(index as u32));
            let samples = sample(terms, view.graph, view.forest, cutpoint, &watched);
            let placed = sample(terms, view.graph, view.forest, cutpoint, &bases);
            *slot = pointers::pointers(terms, &samples, &placed);
            slot.extend(mine(terms, &samples, &constants));
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
    let rows: Vec<Vec<u64>> = spread(&states, MOST_STATES)
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
