//! Facts that hold in all runs prune the model: a transition that a proven fact forbids is not
//! there. It is an option, so that the paper's own algorithm can be measured by itself.
//!
//! The facts are those of an abstract interpretation and of the states that tests were in, kept if
//! they are inductive together. They go into the certificate with the relation and are checked with
//! it, so a wrong one costs a verdict and nothing else.

use crate::model::program::Component;
use prova_engine::knowledge::learn;
use prova_engine::knowledge::sources::intervals::Facts;
use prova_engine::knowledge::sources::View;
use prova_engine::testing::forest::Forest;
use prova_logic::{new_solver, Limit, SolverConfig, Term, Terms};
use prova_task::Budget;

/// The deterministic limit of one question.
const RESOURCE: u64 = 4_000_000;

/// Facts by cutpoint; none if nobody can be asked.
pub fn proven<'a>(
    component: &'a Component<'a>,
    forest: &Forest<'a>,
    terms: &mut Terms,
    budget: &Budget,
) -> Vec<Vec<Term>> {
    let Ok(mut solver) = new_solver(&SolverConfig::default()) else {
        return Vec::new();
    };
    solver.set_limit(Limit {
        resource: Some(RESOURCE),
        time: budget.for_a_question(),
    });
    let mut view = View {
        problem: component.problem,
        steps: &component.steps,
        terms,
        forest,
        solver: &mut *solver,
        spoken: &[],
        path: None,
    };
    let mut facts = Facts;
    let stop = || budget.poll().is_some();
    learn(&mut view, &[], Vec::new(), &mut [&mut facts], stop)
        .kept
        .invariants
}
