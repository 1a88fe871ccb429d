//! A path to an error that a search cannot exclude: a test if it can be run, a core if not.

use super::formula::{judge, Core, Judged};
use super::{interpolate, Desk, Interpolate, Question, Sequence};
use crate::engine::{Progress, Turn};
use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::violated;
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Terms};
use prova_task::{Budget, Statistics, Unknown};

/// The deterministic limit of the question whether a path is real.
const PATH_RESOURCE: u64 = 40_000_000;
/// And of one about a single step.
const STEP_RESOURCE: u64 = 1_000_000;

/// Who looks at paths, with a solver.
pub struct Examiner<'p> {
    problem: &'p Problem,
    steps: &'p Steps,
    /// The solver.
    pub solver: Box<dyn Solver>,
}

/// What became of a path to an error.
pub enum Examined {
    /// It ends the search.
    Ended(Progress),
    /// It cannot be run.
    Impossible(Core),
}

impl<'p> Examiner<'p> {
    /// One with this solver.
    pub fn new(
        problem: &'p Problem,
        steps: &'p Steps,
        config: &SolverConfig,
    ) -> Result<Examiner<'p>, Unknown> {
        let mut solver = new_solver(config).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })?;
        solver.set_minimal_cores(false);
        Ok(Examiner {
            problem,
            steps,
            solver,
        })
    }

    /// Questions about single steps from now on, within the budget.
    pub fn limit(&mut self, budget: &Budget) {
        self.solver.set_limit(limit(budget, STEP_RESOURCE));
    }

    /// What is needed to ask about steps.
    pub fn desk<'a>(&'a mut self, terms: &'a mut Terms) -> Desk<'a> {
        Desk {
            problem: self.problem,
            steps: self.steps,
            terms,
            solver: &mut *self.solver,
        }
    }

    /// Looks at a path from the start to an error: runs it if it can be run.
    pub fn examine(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        path: &[BlockId],
        statistics: &mut Statistics,
    ) -> Examined {
        let ended = |unknown| Examined::Ended(Progress::Exhausted(unknown));
        let undecided = |reason: String, span| {
            ended(Unknown::Undecided {
                edges: 1,
                reason,
                span,
            })
        };
        self.solver.reset();
        self.solver.set_limit(limit(turn.budget, PATH_RESOURCE));
        let question = Question::impossible(turn.terms, path);
        let shrinking = Some(limit(turn.budget, STEP_RESOURCE));
        statistics.solver_calls += 1;
        let judged = judge(&mut self.desk(turn.terms), &question, shrinking);
        self.limit(turn.budget);
        let real = match judged {
            Judged::Impossible(core) => return Examined::Impossible(core),
            Judged::Undecided(reason) => {
                return match turn.budget.poll() {
                    Some(stop) => ended(Unknown::Stopped(stop)),
                    None => undecided(reason, None),
                }
            }
            Judged::Real(real) => real,
        };
        let forest = &mut turn.known.forest;
        let test = match forest.test_along(turn.terms, &real) {
            Ok(test) => test,
            Err(reason) => return undecided(reason, None),
        };
        let number = forest.add(test, turn.budget.remaining());
        statistics.tests += 1;
        match violated(forest) {
            Some(verdict) => Examined::Ended(verdict),
            None => {
                let edges = path.last().map(|&b| &self.steps.blocks.block(b).edges);
                let last = edges.and_then(|e| e.last());
                let span = last.map(|&e| self.problem.prepared.body().edge(e).span);
                undecided(forest.why_not(number), span)
            }
        }
    }

    /// Interpolants of a path that cannot be run.
    pub fn interpolate(
        &mut self,
        terms: &mut Terms,
        question: &Question,
        core: &Core,
        ways: &mut [&mut dyn Interpolate],
    ) -> Option<Sequence> {
        interpolate(&mut self.desk(terms), question, core, ways)
    }
}

fn limit(budget: &Budget, resource: u64) -> Limit {
    Limit {
        resource: Some(resource),
        time: budget.for_a_question(),
    }
}
