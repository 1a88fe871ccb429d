//! The question of directed testing: can a run go on through a block, into a set of states?
//!
//! Godefroid, Klarlund and Sen, *DART: Directed Automated Random Testing*, drive a test to a branch
//! that others missed; `GenSuitableTest` of Gulavani et al., *SYNERGY*, Figure 2, drives it into a
//! region. The path of a test gives the constraints, the block and the states behind it the rest;
//! a model is the test that goes there.
//!
//! Nothing is learned from a *no*: that is the asker's business.

use crate::engines::dash::extend::Prefix;
use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use crate::testing::forest::{Crossing, Forest, StateRef};
use prova_exec::transfer::Access;
use prova_exec::Test;
use prova_logic::{
    new_solver, Answer, Limit, Solver, SolverConfig, SolverError, Substitution, Term, Terms,
};
use prova_task::{Budget, Unknown};

/// Questions after which a solver forgets everything: an incremental solver slows down.
const SOLVER_LIFE: u64 = 64;
/// The deterministic limit of one question, in the solver's units.
const RESOURCE: u64 = 20_000_000;

/// Whose run is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Any run: the block is the program's start.
    Start,
    /// Any run that takes the path to this state.
    Path(StateRef),
    /// The run with this very state; only what the block itself reads is open.
    State(StateRef),
}

/// What came of a question.
pub enum Crossed {
    /// A test that goes there.
    Test(Test),
    /// There is none.
    No,
    /// The solver gave up, or its model is no test; why.
    Undecided(String),
}

/// A solver that is asked about single steps.
pub struct Asker {
    solver: Box<dyn Solver>,
    calls: u64,
}

impl Asker {
    /// An asker with a solver of this kind.
    pub fn new(config: &SolverConfig) -> Result<Asker, Unknown> {
        let failed = |e: SolverError| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        };
        let mut solver = new_solver(config).map_err(failed)?;
        solver.set_minimal_cores(false);
        Ok(Asker { solver, calls: 0 })
    }

    /// Questions so far.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// The time they took.
    pub fn time(&self) -> std::time::Duration {
        self.solver.statistics().time
    }

    /// The solver for one more question.
    pub fn solver(&mut self, budget: &Budget) -> &mut dyn Solver {
        self.calls += 1;
        if self.calls.is_multiple_of(SOLVER_LIFE) {
            self.solver.reset();
        }
        self.solver.set_limit(Limit {
            resource: Some(RESOURCE),
            time: budget.for_a_question(),
        });
        &mut *self.solver
    }

    /// Whether all of `asserted` can hold; a model if they can.
    pub fn ask(
        &mut self,
        problem: &Problem,
        terms: &mut Terms,
        budget: &Budget,
        mut asserted: Vec<Term>,
    ) -> (Answer, Option<(prova_logic::Model, Vec<Term>)>) {
        let axioms = problem.encoding.axioms(terms, &asserted);
        asserted.extend(axioms);
        let solver = self.solver(budget);
        solver.push();
        for &t in &asserted {
            solver.assert(terms, t);
        }
        let answer = solver.check(terms, &[]);
        let model = match answer {
            Answer::Sat => {
                let variables = terms.free_vars_of(&asserted);
                solver.model(terms, &variables).ok()
            }
            _ => None,
        };
        solver.pop(1);
        (answer, model.map(|m| (m, asserted)))
    }

    /// Asks for a test that takes a block to where all of `facts` hold.
    #[allow(clippy::too_many_arguments)]
    pub fn cross(
        &mut self,
        problem: &Problem,
        steps: &Steps,
        terms: &mut Terms,
        forest: &mut Forest,
        budget: &Budget,
        whose: Whose,
        block: BlockId,
        facts: &[Term],
    ) -> Result<Crossed, Unknown> {
        let transfer = &steps.transitions.get(block).transfer;
        let needed = steps.transitions.conjuncts(terms, block, facts);
        if let Whose::State(state) = whose {
            // What the block reads aside, a state says by itself what it does.
            let open = |t: Term| transfer.inputs.iter().any(|i| terms.mentions(t, i.var));
            let decided = |t: &&Term| !open(**t);
            if needed
                .iter()
                .filter(decided)
                .any(|&t| !forest.holds(terms, state, t))
            {
                return Ok(Crossed::No);
            }
        }
        let mut variables = terms.free_vars_of(&needed);
        for access in &transfer.accesses {
            variables.extend(terms.free_vars(access.address));
        }
        variables.sort_unstable();
        variables.dedup();
        let mut prefix = match whose {
            Whose::Start => {
                // What the start leaves open is known to the symbolic run of the first test.
                forest.prefix(terms, StateRef { test: 0, step: 0 }, &[])?;
                Prefix::new(terms, Substitution::new(), Vec::new(), Vec::new())
            }
            Whose::Path(state) | Whose::State(state) => forest.prefix(terms, state, &variables)?,
        };
        let mut along = |terms: &mut Terms, t: Term| terms.substitute(t, &mut prefix.values);
        let mut asserted: Vec<Term> = needed.iter().map(|&t| along(terms, t)).collect();
        let mut accesses = prefix.accesses.clone();
        for access in &transfer.accesses {
            let address = along(terms, access.address);
            accesses.push(Access { address, ..*access });
        }
        asserted.extend(problem.encoding.separation(terms, &accesses));
        if asserted.contains(&terms.fals()) {
            return Ok(Crossed::No);
        }
        match whose {
            Whose::Start => {}
            Whose::Path(_) => asserted.extend(&prefix.constraints),
            Whose::State(state) => {
                let pinned = forest.pinned(terms, state, &asserted);
                asserted.extend(pinned);
            }
        }
        let (answer, model) = self.ask(problem, terms, budget, asserted);
        let (model, query) = match (answer, model) {
            (Answer::Unsat, _) => return Ok(Crossed::No),
            (Answer::Unknown(reason), _) => return Ok(Crossed::Undecided(reason.to_string())),
            (Answer::Sat, None) => return Ok(Crossed::Undecided("no model was given".into())),
            (Answer::Sat, Some(found)) => found,
        };
        let crossing = Crossing {
            model: &model,
            query: &query,
            edges: &steps.blocks.block(block).edges,
            inputs: &transfer.inputs,
        };
        let state = match whose {
            Whose::Start => None,
            Whose::Path(state) | Whose::State(state) => Some(state),
        };
        Ok(match forest.test_from_model(terms, state, &crossing) {
            Ok(test) => Crossed::Test(test),
            Err(reason) => Crossed::Undecided(reason),
        })
    }
}
