//! Proofs from tests and fabricated states (Yorsh, Ball, Sagiv: *Testing, Abstraction, Theorem
//! Proving: Better Together!*, ISSTA 2006).
//!
//! | file | what it holds |
//! |---|---|
//! | [`procedure`] | the procedure of Figure 3 |
//! | [`abstraction`] | predicates, and where they come from |
//! | [`states`] | the abstract states that are covered |
//! | [`intervals`] | the same procedure with intervals and widening |
//!
//! Tests say which abstract states are covered; a solver says whether these are closed under the
//! program's steps. Where they are not, it gives a state that is not covered and one step away, and
//! the program is run from there: the state need not be reachable, which is what makes this a proof
//! and not only a search. In the end it has the abstract states of the most precise abstract
//! interpretation with the same predicates (Theorem 3.2), or a state in which an error is possible:
//! then the predicates are too few, or the error is real, and the paper does not say which.

pub mod abstraction;
pub mod intervals;
pub mod procedure;
pub mod states;

use crate::engine::{Engine, Progress, Search, Turn};
use crate::problem::{blocks::Granularity, Problem};
use crate::proof::conclude::{proved, violated};
use crate::proof::inductive::Inductive;
use abstraction::Predicates;
use procedure::{Checked, Procedure};
use prova_exec::{Policy, Test};
use prova_logic::{new_solver, Solver, SolverConfig, Terms};
use prova_task::{Statistics, Unknown};

/// Tests that are run where an error seems possible, before that is all that can be said.
const MORE_TESTS: u64 = 24;

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Fabricate {
    /// The solver.
    pub solver: SolverConfig,
}

struct FabricateSearch<'p> {
    config: SolverConfig,
    solver: Box<dyn Solver>,
    procedure: Procedure<'p>,
    /// Tests that were run because an error seemed possible.
    tried: u64,
    statistics: Statistics,
}

impl Engine for Fabricate {
    fn name(&self) -> &'static str {
        "fabricate"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let mut procedure = Procedure::new(problem, terms, Granularity::LoopFree)?;
        procedure.predicates = Predicates::of_branches(terms, &procedure.steps);
        let solver = new_solver(&self.solver).map_err(|e| Unknown::CheckFailed(e.to_string()))?;
        Ok(Box::new(FabricateSearch {
            config: self.solver.clone(),
            solver,
            procedure,
            tried: 0,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

impl<'p> Search<'p> for FabricateSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let progress = self.run(turn);
        let asked = self.solver.statistics();
        self.statistics.solver_calls = self.procedure.questions;
        self.statistics.solver_time = asked.time;
        let fabricated = self.procedure.fabricated.len() as u64;
        self.statistics.set("fabricated", fabricated);
        let covered = self.procedure.covered.count() as u64;
        self.statistics.set("abstract_states", covered);
        progress
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> FabricateSearch<'p> {
    fn run(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        let quota = turn.quota.iterations_over(self.statistics.locations);
        let last = self.statistics.iterations.saturating_add(quota);
        self.statistics.tests = u64::from(turn.known.forest.count());
        loop {
            if let Some(verdict) = violated(&turn.known.forest) {
                return verdict;
            }
            self.procedure.absorb(turn.terms, &turn.known.forest);
            if self.procedure.error().is_some() {
                // Perhaps it is real, and easy to come to.
                if self.tried < MORE_TESTS && turn.known.forest.reads_inputs(0) {
                    self.tried += 1;
                    let seed = turn
                        .known
                        .seed
                        .wrapping_add(self.tried.wrapping_mul(0x9e37_79b9));
                    let test = Test {
                        rest: Policy::SeededInputs(seed),
                        ..Test::default()
                    };
                    turn.known.forest.add(test, turn.budget.remaining());
                    self.statistics.tests = u64::from(turn.known.forest.count());
                    continue;
                }
                return Progress::Exhausted(Unknown::Undecided {
                    edges: 0,
                    reason: format!(
                        "an error is possible in {} abstract states with {} fabricated: the \
                         predicates of the branches are too few, or the error is real",
                        self.procedure.covered.count(),
                        self.procedure.fabricated.len()
                    ),
                    span: None,
                });
            }
            if self.statistics.iterations >= last {
                return Progress::Working;
            }
            self.statistics.iterations += 1;
            turn.observer.progress(&self.statistics);
            self.solver
                .set_limit(turn.quota.limit(turn.budget.for_a_question()));
            let checked = self
                .procedure
                .check(turn.terms, &mut *self.solver, turn.budget);
            match checked {
                Err(unknown) => return Progress::Exhausted(unknown),
                Ok(Checked::Fabricated) => {}
                Ok(Checked::Invariant) => {
                    let cases = self.procedure.cases(turn.terms);
                    let problem = self.procedure.problem;
                    let mut claim = Inductive::new(problem, &self.procedure.steps, cases);
                    return proved(
                        problem,
                        &self.config,
                        turn,
                        &mut claim,
                        &mut self.statistics,
                    );
                }
            }
        }
    }
}
