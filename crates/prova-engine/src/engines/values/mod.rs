//! Explicit values: reachability over the values of few variables, refined by the paths that
//! turn out not to exist (Clarke et al.'s loop; with explicit values instead of predicates, after
//! Beyer and Löwe).
//!
//! Programs whose control is a handful of variables (state machines, schedulers, protocols) need
//! no predicates: following the values that those variables really take is enough. The search
//! starts by keeping no variable at all. A path to an error that the solver refutes names the
//! variables that would have shown it; a path that it confirms is a test, which the machine then
//! runs. When no error is left, the states found are an invariant, proved again like any other.
//!
//! | file | what it holds |
//! |---|---|
//! | [`state`] | abstract states, and when one covers another |
//! | [`ask`] | what the solver is asked about states, and its answers |
//! | [`domain`] | their steps, for [`crate::reach`] to follow |
//! | [`refine`] | whether a path is real, and what would have told that it is not |
//! | [`slim`] | of the closed set, what a proof needs |
//! | `propose` | what the states have in common, for whoever learns facts |
//! | [`prove`] | the closed set as a proof |

pub mod ask;
pub mod domain;
mod propose;
pub mod prove;
pub mod refine;
pub mod slim;
pub mod state;

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::problem::blocks::BlockId;
use crate::problem::names::Names;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::reach::explore::{Exploration, Found, Manner};
use crate::reach::flow::Flow;
use crate::reach::graph::Step;
use ask::Asked;
use domain::{Kept, ValuesDomain};
use prova_ir::Span;
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Term, Terms};
use prova_task::{Budget, Statistics, Unknown};
use prove::Explored;
use refine::{judge, sharpen, Judge, Judgement, Kin, Suspect};
use state::{Precision, Reached, State};

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Its solver.
    pub solver: SolverConfig,
    /// Steps that each of its two ways may take in a turn, whatever the turn allows.
    pub steps: Option<u64>,
}

/// The deterministic limit of the query whether a path is real.
const QUERY_RESOURCE: u64 = 40_000_000;
/// And of one whether a state is possible: if that is not seen soon, it counts as possible.
const STATE_RESOURCE: u64 = 1_000_000;
/// The same where larger values are kept, in turns that are not to be short.
const THOROUGH_RESOURCE: u64 = 8_000_000;
/// Block steps for the attempt that keeps every variable.
pub const WHOLE: u64 = 500_000;
/// The part of a turn for that attempt, and the steps it has in any case.
const WHOLE_PART: u64 = 8;
const FIRST_WHOLE: u64 = 100_000;
/// Steps between two looks at the clock.
const POLL: u64 = 64;

impl Engine for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        let flow = Flow::new(&steps.blocks);
        let solver = |resource| {
            let limit = Limit {
                resource: Some(resource),
                ..self.solver.limit
            };
            let config = SolverConfig {
                limit,
                ..self.solver.clone()
            };
            new_solver(&config).map_err(|e| Unknown::Unsupported {
                what: format!("this solver: {e}"),
                span: None,
            })
        };
        let mut judging = Judge {
            solver: solver(QUERY_RESOURCE)?,
            shrinking: Limit::default(),
            last: None,
        };
        judging.solver.set_minimal_cores(false);
        Ok(Box::new(ValuesSearch {
            solver: self.solver.clone(),
            most: self.steps.unwrap_or(u64::MAX),
            problem,
            steps,
            kin: Kin::new(&problem.encoding),
            judging,
            asked: Asked::new(solver(STATE_RESOURCE)?),
            // Programs that branch little on their inputs are followed as they are.
            whole: Some(Way::new(
                steps,
                &flow,
                Precision::everything(&problem.encoding.vars.all()),
            )),
            few: Way::new(steps, &flow, Precision::default()),
            flow,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

/// A search, between its turns.
struct ValuesSearch<'p> {
    solver: SolverConfig,
    most: u64,
    problem: &'p Problem,
    steps: &'p Steps,
    flow: Flow,
    kin: Kin,
    judging: Judge,
    asked: Asked,
    /// The attempt that keeps every variable, until it is given up.
    whole: Option<Way>,
    /// The search that keeps few.
    few: Way,
    statistics: Statistics,
}

/// A precision, and how far it was followed.
struct Way {
    kept: Kept,
    exploration: Exploration<State, Reached>,
    /// Steps of explorations with other precisions.
    before: u64,
}

impl Way {
    fn new(steps: &Steps, flow: &Flow, precision: Precision) -> Way {
        Way {
            kept: Kept::new(steps, precision),
            exploration: Exploration::new(flow, Manner::SEARCH, State::default()),
            before: 0,
        }
    }

    fn steps(&self) -> u64 {
        self.before + self.exploration.steps
    }

    /// Begins again with another precision.
    fn begin_again(&mut self, steps: &Steps, flow: &Flow) {
        let before = self.steps();
        let precision = std::mem::take(&mut self.kept.precision);
        *self = Way::new(steps, flow, precision);
        self.before = before;
    }
}

/// How following a way ended.
enum Followed {
    /// Its part of the turn is over.
    Paused,
    /// Values do not exclude a path that cannot be run.
    Stuck(Option<Span>),
    /// An answer, or the end.
    Ended(Progress),
}

impl<'p> Search<'p> for ValuesSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        if let Some(mut way) = self.whole.take() {
            // What takes more than a part of a turn is better followed with fewer variables.
            let part = match turn.quota == Quota::ALL {
                true => WHOLE,
                false => (turn.quota.steps / WHOLE_PART).max(FIRST_WHOLE),
            };
            let most = turn.quota.steps.min(part).min(self.most);
            let followed = self.follow(&mut way, turn, most, turn.quota.questions);
            match followed {
                Followed::Ended(progress) => return progress,
                Followed::Stuck(_) => self.propose(&way, turn),
                Followed::Paused => {
                    self.propose(&way, turn);
                    self.whole = (turn.quota != Quota::ALL).then_some(way);
                }
            }
        }
        let mut way = std::mem::replace(
            &mut self.few,
            Way::new(self.steps, &self.flow, Precision::default()),
        );
        let followed = self.follow(&mut way, turn, turn.quota.steps.min(self.most), u64::MAX);
        if let Followed::Paused | Followed::Stuck(_) = followed {
            self.propose(&way, turn);
        }
        self.few = way;
        match followed {
            Followed::Ended(progress) => progress,
            Followed::Paused => Progress::Working,
            Followed::Stuck(span) => Progress::Exhausted(Unknown::Undecided {
                edges: 1,
                reason: "values do not exclude a path that cannot be run".into(),
                span,
            }),
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> ValuesSearch<'p> {
    /// Explores and refines, for at most so many steps and questions.
    fn follow(
        &mut self,
        way: &mut Way,
        turn: &mut Turn<'_, 'p>,
        steps: u64,
        questions: u64,
    ) -> Followed {
        let budget = turn.budget;
        let last = way.steps().saturating_add(steps);
        let most_asked = self.asked.cost.saturating_add(questions);
        // Hard questions are for turns that may ask as many as they like.
        let unhurried = turn.quota.questions == u64::MAX;
        loop {
            self.statistics.iterations += 1;
            let resource = match unhurried && way.kept.precision.thorough() {
                true => THOROUGH_RESOURCE,
                false => STATE_RESOURCE,
            };
            self.asked.solver.set_limit(limit(budget, resource));
            let before = way.before;
            let solving = self.asked.solver.statistics().time;
            let mut domain = ValuesDomain {
                steps: self.steps,
                kept: &mut way.kept,
                asked: &mut self.asked,
            };
            let stop = |steps: u64, domain: &ValuesDomain| {
                before + steps > last
                    || domain.asked.cost > most_asked
                    || (steps.is_multiple_of(POLL) && budget.poll().is_some())
            };
            let found = way
                .exploration
                .go_on(turn.terms, &self.flow, &mut domain, stop);
            self.statistics.solver_time += self.asked.solver.statistics().time - solving;
            let states = way.exploration.graph.count() as u64;
            self.statistics.set("abstract_states", states);
            turn.observer.progress(&self.statistics);
            self.explain(way, &found, turn);
            let ((node, last_block), trapping) = match found {
                Found::Limit => {
                    return match budget.poll() {
                        Some(stop) => Followed::Ended(Progress::Exhausted(Unknown::Stopped(stop))),
                        None => Followed::Paused,
                    };
                }
                Found::Closed => return Followed::Ended(self.conclude(way, turn)),
                Found::Error(step) => (step, false),
                Found::Trapped(step) => (step, true),
            };
            let mut path = way.exploration.graph.path(node);
            path.push(last_block);
            if let Some(followed) = self.judge(way, turn, &path, trapping) {
                return followed;
            }
        }
    }

    /// Whether a path is real; refines the way where it is not.
    fn judge(
        &mut self,
        way: &mut Way,
        turn: &mut Turn<'_, 'p>,
        path: &[BlockId],
        trapping: bool,
    ) -> Option<Followed> {
        let last = *path.last().expect("paths are not empty");
        let edges = &self.steps.blocks.block(last).edges;
        let body = self.problem.prepared.body();
        let span = edges.last().map(|&e| body.edge(e).span);
        let undecided = |reason: String, span| {
            let edges = 1;
            let unknown = Unknown::Undecided {
                edges,
                reason,
                span,
            };
            Some(Followed::Ended(Progress::Exhausted(unknown)))
        };
        let judging = &mut self.judging;
        judging.solver.reset();
        judging.solver.set_limit(limit(turn.budget, QUERY_RESOURCE));
        judging.shrinking = limit(turn.budget, STATE_RESOURCE);
        let solving = judging.solver.statistics().time;
        let judgement = judge(
            &self.problem.encoding,
            turn.terms,
            &self.steps.transitions,
            &self.steps.blocks,
            Suspect { path, trapping },
            &way.kept.precision,
            judging,
        );
        self.statistics.solver_calls += 1;
        self.statistics.solver_time += judging.solver.statistics().time - solving;
        match judgement {
            Judgement::Undecided(reason) => undecided(reason, None),
            Judgement::Real(real) => {
                let forest = &mut turn.known.forest;
                let test = match forest.test_along(turn.terms, &real) {
                    Ok(test) => test,
                    Err(reason) => return undecided(reason, None),
                };
                let number = forest.add(test, turn.budget.remaining());
                self.statistics.tests += 1;
                match violated(forest) {
                    Some(verdict) => Some(Followed::Ended(verdict)),
                    None => undecided(forest.why_not(number), span),
                }
            }
            Judgement::Spurious { variables, blamed } => {
                self.explain_spurious(way, turn, &variables, &blamed);
                self.statistics.splits += 1;
                if !sharpen(&mut way.kept.precision, &self.kin, &variables) {
                    return Some(Followed::Stuck(span));
                }
                if turn.quota.questions == u64::MAX && way.kept.precision.thorough() {
                    self.asked.ask_again();
                }
                way.begin_again(self.steps, &self.flow);
                None
            }
        }
    }

    fn conclude(&mut self, way: &Way, turn: &mut Turn<'_, 'p>) -> Progress {
        let (problem, steps) = (self.problem, self.steps);
        let mut claim = Explored::new(problem, steps, &self.flow, &way.exploration.graph);
        self.statistics.regions = way.exploration.graph.count() as u64;
        proved(
            problem,
            &self.solver,
            turn,
            &mut claim,
            &mut self.statistics,
        )
    }

    fn explain(&self, way: &Way, found: &Found, turn: &mut Turn) {
        if !turn.observer.explains() {
            return;
        }
        let blocks = |step: &Step| way.exploration.graph.path(step.0).len() + 1;
        let end = match found {
            Found::Error(step) => format!("a path of {} blocks to an error", blocks(step)),
            Found::Closed => "no error".into(),
            Found::Trapped(step) => {
                format!("no error, but a trap behind {} blocks", blocks(step))
            }
            Found::Limit => "stopped".into(),
        };
        turn.observer.explain(&format!(
            "{:>5}  {} values and {} relations kept: {} states, {end}",
            self.statistics.iterations,
            way.kept.precision.values.len(),
            way.kept.precision.relations.len(),
            way.exploration.graph.count(),
        ));
    }

    fn explain_spurious(&self, way: &Way, turn: &mut Turn, variables: &[Term], blamed: &[Term]) {
        if !turn.observer.explains() {
            return;
        }
        let names = Names {
            prepared: &self.problem.prepared,
            terms: turn.terms,
        };
        let mut new = variables.to_vec();
        new.retain(|v| !way.kept.precision.values.contains(v));
        let (blamed, new) = (names.facts(blamed), names.facts(&new));
        let lines = [
            format!("       it cannot be run: {blamed}"),
            format!("       new in play: {new}"),
        ];
        for line in lines {
            turn.observer.explain(&line);
        }
    }
}

fn limit(budget: &Budget, resource: u64) -> Limit {
    Limit {
        resource: Some(resource),
        time: budget.for_a_question(),
    }
}
