//! Classes of values: predicate abstraction whose predicates are the program's own comparisons with
//! constants, explored state by state (Graf and Saïdi, *Construction of Abstract State Graphs with
//! PVS*, CAV 1997, section 3: states are monomials over the predicates, successors are computed one
//! by one).
//!
//! Event loops compute with numbers of which they only ever ask where they lie. Explicit values
//! never end there; but all values between two constants that a variable is compared with take the
//! same branches, so its class is enough, and there are few classes. What an assignment makes of a
//! class is computed with ranges, without a solver. A path to an error is put to the solver: it is a
//! test, or the variables that would have shown that it is none are kept exactly from then on.
//!
//! | file | what it holds |
//! |---|---|
//! | [`cuts`] | where the program cuts the values of a variable |
//! | [`domain`] | states and their steps |

pub mod cuts;
pub mod domain;

use crate::engine::{Engine, Progress, Search, Turn};
use crate::engines::values::prove::Explored;
use crate::engines::values::refine::{judge, Judge, Judgement, Suspect};
use crate::engines::values::state::Precision;
use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::reach::explore::{Exploration, Found as Met, Manner};
use crate::reach::flow::Flow;
use domain::{Classes, ClassesDomain, Found, Kept};
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Terms};
use prova_task::{Statistics, Unknown};

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct ByClasses {
    /// Its solver.
    pub solver: SolverConfig,
}

/// The deterministic limit of the question whether a path is real.
const QUERY_RESOURCE: u64 = 40_000_000;
/// And of those that make a reason smaller.
const SHRINK_RESOURCE: u64 = 1_000_000;
/// Steps between two looks at the clock.
const POLL: u64 = 64;

impl Engine for ByClasses {
    fn name(&self) -> &'static str {
        "classes"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        let flow = Flow::new(&steps.blocks);
        let solver = new_solver(&self.solver).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })?;
        let mut judging = Judge {
            solver,
            shrinking: Limit::default(),
            last: None,
        };
        judging.solver.set_minimal_cores(false);
        Ok(Box::new(ClassesSearch {
            solver: self.solver.clone(),
            problem,
            steps,
            kept: Kept::new(terms, steps),
            exploration: Exploration::new(&flow, Manner::SEARCH, Classes::default()),
            before: 0,
            flow,
            judging,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

/// A search, between its turns.
struct ClassesSearch<'p> {
    solver: SolverConfig,
    problem: &'p Problem,
    steps: &'p Steps,
    flow: Flow,
    kept: Kept,
    exploration: Exploration<Classes, Found>,
    /// Steps of explorations that kept less.
    before: u64,
    judging: Judge,
    statistics: Statistics,
}

impl<'p> Search<'p> for ClassesSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        let so_far = self.before + self.exploration.steps;
        let last = so_far.saturating_add(turn.quota.steps);
        let budget = turn.budget;
        loop {
            self.statistics.iterations += 1;
            let before = self.before;
            let mut domain = ClassesDomain {
                steps: self.steps,
                kept: &self.kept,
            };
            let stop = |steps: u64, _: &ClassesDomain| {
                before + steps > last || (steps.is_multiple_of(POLL) && budget.poll().is_some())
            };
            let exploration = &mut self.exploration;
            let met = exploration.go_on(turn.terms, &self.flow, &mut domain, stop);
            let states = self.exploration.graph.count() as u64;
            self.statistics.set("abstract_states", states);
            turn.observer.progress(&self.statistics);
            self.explain(turn, &met, states);
            let ((node, last_block), trapping) = match met {
                Met::Limit => {
                    return match budget.poll() {
                        Some(stop) => Progress::Exhausted(Unknown::Stopped(stop)),
                        None => Progress::Working,
                    }
                }
                Met::Closed => return self.conclude(turn),
                Met::Error(step) => (step, false),
                Met::Trapped(step) => (step, true),
            };
            let mut path = self.exploration.graph.path(node);
            path.push(last_block);
            if let Some(progress) = self.judge(turn, &path, trapping) {
                return progress;
            }
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> ClassesSearch<'p> {
    fn conclude(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        self.statistics.regions = self.exploration.graph.count() as u64;
        let states = self.kept.states(turn.terms, &self.exploration.graph);
        let mut claim = Explored::new(self.problem, self.steps, &self.flow, &states);
        let (problem, solver) = (self.problem, &self.solver);
        proved(problem, solver, turn, &mut claim, &mut self.statistics)
    }

    /// Whether a path is real; keeps more where it is not.
    fn judge(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        path: &[BlockId],
        trapping: bool,
    ) -> Option<Progress> {
        let last = *path.last().expect("paths are not empty");
        let edges = &self.steps.blocks.block(last).edges;
        let body = self.problem.prepared.body();
        let span = edges.last().map(|&e| body.edge(e).span);
        let undecided = |reason: String| {
            let edges = 1;
            Some(Progress::Exhausted(Unknown::Undecided {
                edges,
                reason,
                span,
            }))
        };
        let limit = |resource| Limit {
            resource: Some(resource),
            time: turn.budget.for_a_question(),
        };
        let judging = &mut self.judging;
        judging.solver.reset();
        judging.solver.set_limit(limit(QUERY_RESOURCE));
        judging.shrinking = limit(SHRINK_RESOURCE);
        let solving = judging.solver.statistics().time;
        let judgement = judge(
            &self.problem.encoding,
            turn.terms,
            &self.steps.transitions,
            &self.steps.blocks,
            Suspect { path, trapping },
            &Precision::default(),
            judging,
        );
        self.statistics.solver_calls += 1;
        self.statistics.solver_time += judging.solver.statistics().time - solving;
        match judgement {
            Judgement::Undecided(reason) => undecided(reason),
            Judgement::Real(real) => {
                let forest = &mut turn.known.forest;
                let test = match forest.test_along(turn.terms, &real) {
                    Ok(test) => test,
                    Err(reason) => return undecided(reason),
                };
                let number = forest.add(test, turn.budget.remaining());
                self.statistics.tests += 1;
                violated(forest).or_else(|| undecided(forest.why_not(number)))
            }
            Judgement::Spurious { variables, .. } => {
                self.statistics.splits += 1;
                if !self.kept.sharpen(turn.terms, self.steps, &variables) {
                    return undecided("classes do not exclude a path that cannot be run".into());
                }
                self.before += self.exploration.steps;
                self.exploration = Exploration::new(&self.flow, Manner::SEARCH, Classes::default());
                None
            }
        }
    }

    fn explain(&self, turn: &mut Turn, met: &Met, states: u64) {
        if !turn.observer.explains() {
            return;
        }
        let end = match met {
            Met::Error(step) => {
                let blocks = self.exploration.graph.path(step.0).len() + 1;
                format!("a path of {blocks} blocks to an error")
            }
            Met::Closed => "no error".into(),
            Met::Trapped(_) => "no error, but a trap".into(),
            Met::Limit => "stopped".into(),
        };
        turn.observer.explain(&format!(
            "{:>5}  {} variables kept exactly: {states} states, {end}",
            self.statistics.iterations,
            self.kept.exact.len(),
        ));
    }
}
