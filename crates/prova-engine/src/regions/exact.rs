//! Steps between regions as the papers have them: the preimage of a whole region, whether an
//! abstract edge is real, and where the states of tests belong.
//!
//! DASH asks one question and takes what it needs from the answer. SYNERGY and Lee and Yannakakis
//! compute `Pre` and ask about it (Gulavani, Henzinger, Kannan, Nori, Rajamani: *SYNERGY: A New
//! Algorithm for Property Checking*, Figures 2 and 5).

use super::graph::{Cut, Dropped, Edge, Halves, RegionId, Regions, MAIN};
use crate::problem::project::project;
use crate::problem::transitions::{Exclusion, Transitions};
use crate::problem::{Problem, Steps};
use crate::proof::recheck::step_possible;
use crate::testing::cross::Asker;
use crate::testing::forest::{Forest, StateRef};
use prova_logic::{Answer, Op, Term, Terms};
use prova_task::Budget;
use rustc_hash::FxHashMap;

/// What holds in every state that an edge leads out of, and (but for what no formula without
/// quantifiers says) in no other: the preimage of the target, everything that the block reads
/// projected away. It contains the exact one wherever the two differ.
pub fn preimage(
    terms: &mut Terms,
    transitions: &Transitions,
    graph: &Regions,
    edge: Edge,
) -> Vec<Term> {
    let needed = transitions.conjuncts(terms, edge.block, &graph.region(edge.target).facts);
    let inputs = &transitions.get(edge.block).transfer.inputs;
    let inputs: Vec<Term> = inputs.iter().map(|i| i.var).collect();
    let mut before = project(terms, &needed, &inputs);
    before.retain(|&t| terms.op(t) != Op::True);
    before
}

/// Whether some state of a region takes an edge: whether the abstract program has it.
pub fn exists(
    problem: &Problem,
    steps: &Steps,
    terms: &mut Terms,
    asker: &mut Asker,
    budget: &Budget,
    graph: &Regions,
    (source, edge): (RegionId, Edge),
) -> Answer {
    step_possible(
        &problem.encoding,
        terms,
        &steps.transitions,
        asker.solver(budget),
        &graph.region(source).facts,
        edge.block,
        &[graph.region(edge.target).facts.clone()],
    )
}

/// Splits a region by a preimage. States outside of it do not take the edge.
pub fn split(
    steps: &Steps,
    terms: &mut Terms,
    forest: &Forest,
    graph: &mut Regions,
    (region, edge): (RegionId, Edge),
    before: &[Term],
) -> Halves {
    let predicate = terms.and(before);
    let negation = terms.not(predicate);
    // The oracle builds terms, evaluation only reads them: evaluate first.
    let states = graph.region(region).states.iter();
    let holds: FxHashMap<StateRef, bool> = states
        .map(|&s| (s, forest.holds(terms, s, predicate)))
        .collect();
    let cut = Cut {
        predicate,
        yes: before,
        no: &[negation],
        dropped: Some(Dropped::Edge(edge)),
    };
    let mut oracle = Exclusion {
        terms,
        transitions: &steps.transitions,
    };
    graph.split(region, &cut, |s| holds[&s], &mut oracle)
}

/// Puts the states of a test into their regions; gives their number.
pub fn place(steps: &Steps, terms: &Terms, forest: &Forest, graph: &mut Regions, test: u32) -> u64 {
    let mut placed = 0;
    for (cutpoint, states) in forest.states_of(test, &steps.blocks) {
        for state in states {
            let region = graph.locate(MAIN, cutpoint, |p| forest.holds(terms, state, p));
            graph.add_state(region, state);
            placed += 1;
        }
    }
    placed
}
