//! The partition re-proved: no verdict *proved* without this.
//!
//! The regions that the abstraction can reach from the start claim to be closed: every step out
//! of one of them ends in one of them, and none is an error. Each step is put to a fresh solver,
//! from facts and transitions alone; what the search did to remove edges plays no part.

use crate::problem::alias::{resolve, Known};
use crate::problem::blocks::{BlockId, Blocks, Cutpoint};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use crate::regions::graph::RegionGraph;
use prova_logic::{Answer, Solver, Term};
use rustc_hash::FxHashSet;

/// Why a partition is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// An error region is abstractly reachable.
    ErrorReachable,
    /// A step leads out of the claimed invariant, or the solver could not show that it does not.
    Step {
        /// Where it starts.
        cutpoint: Cutpoint,
        /// The block.
        block: BlockId,
        /// What the solver said.
        answer: String,
    },
    /// The budget ran out before every step was checked.
    Interrupted,
}

/// Checks that a region graph without an abstract error path is a proof. Returns the number of
/// solver calls.
pub fn certify(
    encoding: &Encoding,
    graph: &RegionGraph,
    transitions: &mut Transitions,
    blocks: &Blocks,
    solver: &mut dyn Solver,
    mut stop: impl FnMut() -> bool,
) -> Result<u64, Flaw> {
    let reachable = graph.reachable();
    let mut calls = 0;
    for cutpoint in (0..blocks.locations.len()).map(|i| Cutpoint(i as u32)) {
        for id in graph
            .regions_at(cutpoint)
            .filter(|r| reachable[r.0 as usize])
        {
            if blocks.errors.contains(&cutpoint) {
                return Err(Flaw::ErrorReachable);
            }
            let facts = graph.region(id).facts.clone();
            for (index, block) in blocks
                .blocks
                .iter()
                .enumerate()
                .filter(|(_, b)| b.source == cutpoint)
            {
                let block_id = BlockId(index as u32);
                let outside: Vec<Vec<Term>> = graph
                    .regions_at(block.target)
                    .filter(|r| !reachable[r.0 as usize])
                    .map(|r| graph.region(r).facts.clone())
                    .collect();
                if outside.is_empty() {
                    continue;
                }
                if stop() {
                    return Err(Flaw::Interrupted);
                }
                calls += 1;
                let answer =
                    step_possible(encoding, transitions, solver, &facts, block_id, &outside);
                if answer != Answer::Unsat {
                    return Err(Flaw::Step {
                        cutpoint,
                        block: block_id,
                        answer: format!("{answer:?}"),
                    });
                }
            }
        }
    }
    Ok(calls)
}

/// Asks whether some state with all of `facts` steps through `block` into one of the `targets`.
pub fn step_possible(
    encoding: &Encoding,
    transitions: &mut Transitions,
    solver: &mut dyn Solver,
    facts: &[Term],
    block: BlockId,
    targets: &[Vec<Term>],
) -> Answer {
    let mut cases = Vec::with_capacity(targets.len());
    for target in targets {
        let preimages: Vec<Term> = target
            .iter()
            .map(|&f| transitions.preimage(block, f))
            .collect();
        cases.push(transitions.terms.and(&preimages));
    }
    let guard = transitions.get(block).transfer.guard.clone();
    let terms = &mut transitions.terms;
    let mut asserted = facts.to_vec();
    asserted.extend(guard);
    let step = terms.or(&cases);
    // Reads over writes are decided by what is asserted beside them: a solver takes long over
    // many pointers that may all be the same.
    let known: FxHashSet<Term> = asserted.iter().flat_map(|&t| terms.conjuncts(t)).collect();
    asserted.push(resolve(terms, step, &mut Known(&known)).term);
    let axioms = encoding.axioms(terms, &asserted);
    asserted.extend(axioms);
    solver.push();
    for &t in &asserted {
        solver.assert(terms, t);
    }
    let answer = solver.check(terms, &[]);
    solver.pop(1);
    answer
}
