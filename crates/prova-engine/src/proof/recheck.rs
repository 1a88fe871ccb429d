//! Steps put to a solver once more: no verdict *proved* without this.
//!
//! Each is asked from facts and transitions alone; what a search did to exclude it plays no part.

use crate::problem::alias::{resolve, Known};
use crate::problem::blocks::BlockId;
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use prova_logic::{Answer, Solver, Term, Terms};
use rustc_hash::FxHashSet;

/// Why a claim is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// An error can be reached.
    ErrorReachable,
    /// A step leads out of the claimed states, or the solver could not show that it does not.
    Step {
        /// The block.
        block: BlockId,
        /// What the solver said.
        answer: String,
    },
    /// The claim does not fit together.
    Malformed(String),
    /// The budget ran out before every step was checked.
    Interrupted,
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Flaw::ErrorReachable => f.write_str("an error can be reached"),
            Flaw::Step { block, answer } => {
                write!(f, "the step through block {}: {answer}", block.index())
            }
            Flaw::Malformed(what) => f.write_str(what),
            Flaw::Interrupted => f.write_str("the budget ran out"),
        }
    }
}

/// Asks whether some state with all of `facts` steps through `block` into one of the `targets`.
pub fn step_possible(
    encoding: &Encoding,
    terms: &mut Terms,
    transitions: &Transitions,
    solver: &mut dyn Solver,
    facts: &[Term],
    block: BlockId,
    targets: &[Vec<Term>],
) -> Answer {
    let mut cases = Vec::with_capacity(targets.len());
    for target in targets {
        let preimages: Vec<Term> = target
            .iter()
            .map(|&f| transitions.preimage(terms, block, f))
            .collect();
        cases.push(terms.and(&preimages));
    }
    let guard = transitions.get(block).transfer.guard.clone();
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
