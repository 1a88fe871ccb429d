//! The one kind of question: does some state of a frame step through a block into a cube?

use super::cube;
use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use prova_logic::{Answer, Solver, Term, Terms};
use rustc_hash::FxHashMap;

/// What came of a question.
pub enum Step {
    /// No state does; these literals of the cube suffice to see it.
    Impossible(Vec<Term>),
    /// All states of this cube do, and one of them is in the frame.
    From(Vec<Term>),
    /// The solver gave up, or its model means something else to us.
    Undecided(String),
}

/// Who asks.
pub struct Asking<'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// Its steps.
    pub steps: &'p Steps,
    /// The solver.
    pub solver: Box<dyn Solver>,
    /// How many questions were asked.
    pub calls: u64,
}

impl Asking<'_> {
    /// Asks whether a state with all of `facts` steps through `block` into the cube.
    pub fn step(
        &mut self,
        terms: &mut Terms,
        facts: &[Term],
        block: BlockId,
        cube: &[Term],
    ) -> Step {
        let transitions = &self.steps.transitions;
        // Each literal before the block; those that hold anyway are not asked about.
        let mut of: FxHashMap<Term, Term> = FxHashMap::default();
        let mut assumptions = Vec::new();
        for &literal in cube {
            let before = transitions.preimage(terms, block, literal);
            match terms.as_bool(before) {
                Some(true) => {}
                Some(false) => return Step::Impossible(vec![literal]),
                None => {
                    if of.insert(before, literal).is_none() {
                        assumptions.push(before);
                    }
                }
            }
        }
        let guard = transitions.guard(block).to_vec();
        if guard.iter().any(|&g| terms.as_bool(g) == Some(false)) {
            return Step::Impossible(Vec::new());
        }
        let mut asserted = facts.to_vec();
        asserted.extend(&guard);
        let mut query = asserted.clone();
        query.extend(&assumptions);
        let axioms = self.problem.encoding.axioms(terms, &query);
        query.extend(&axioms);
        asserted.extend(axioms);
        self.calls += 1;
        self.solver.push();
        for &t in &asserted {
            self.solver.assert(terms, t);
        }
        let step = match self.solver.check(terms, &assumptions) {
            Answer::Unknown(reason) => Step::Undecided(reason.to_string()),
            Answer::Unsat => {
                let core = self.solver.core();
                let mut needed: Vec<Term> =
                    core.iter().filter_map(|t| of.get(t).copied()).collect();
                needed.sort_unstable();
                Step::Impossible(needed)
            }
            Answer::Sat => {
                let variables = terms.free_vars_of(&query);
                match self.solver.model(terms, &variables) {
                    Err(error) => Step::Undecided(error.to_string()),
                    Ok(model) => {
                        let inputs = &transitions.get(block).transfer.inputs;
                        let inputs: Vec<Term> = inputs.iter().map(|i| i.var).collect();
                        let needed = [&guard[..], &assumptions].concat();
                        let before = cube::before(terms, &needed, &inputs, &model);
                        before.map_or_else(
                            || Step::Undecided("a model that is none".into()),
                            Step::From,
                        )
                    }
                }
            }
        };
        self.solver.pop(1);
        step
    }
}
