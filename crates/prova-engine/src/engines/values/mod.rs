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
//! | [`explore`] | reachability over them |
//! | [`refine`] | whether a path is real, and what would have told that it is not |
//! | [`slim`] | of the closed set, what a proof needs |
//! | [`prove`] | the closed set as a proof |

pub mod ask;
pub mod explore;
pub mod prove;
pub mod refine;
pub mod slim;
pub mod state;

use crate::problem::blocks::{Blocks, Granularity};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use crate::testing::forest::Forest;
use ask::Asked;
use explore::{Exploration, Found, Map};
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Terms};
use prova_task::budget::{self, Budget};
use prova_task::prepare::{prepare, prepare_as, Form, Prepared, Unprepared};
use prova_task::*;
use refine::{judge, sharpen, Judge, Judgement, Kin, Suspect};
use state::Precision;

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Its solver.
    pub solver: SolverConfig,
    /// Block steps for the attempt that keeps every variable; [`WHOLE`] if absent.
    pub whole: Option<u64>,
    /// And questions to the solver for it; no limit if absent. Programs that need many are not
    /// followed well as they are.
    pub questions: Option<u64>,
    /// Block steps for the search that keeps few variables; no limit if absent.
    pub steps: Option<u64>,
}

/// The deterministic limit of the query whether a path is real.
const QUERY_RESOURCE: u64 = 40_000_000;
/// And of one whether a state is possible: if that is not seen soon, it counts as possible.
const STATE_RESOURCE: u64 = 1_000_000;
/// Random tests run before the search.
const RANDOM_TESTS: u64 = 4;
/// Block steps for the attempt that keeps every variable.
pub const WHOLE: u64 = 2_000_000;
/// Steps between two looks at the clock.
const POLL: u64 = 64;

impl Checker for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report {
        let mut statistics = Statistics::default();
        let prepared = prepare(&task.program).or_else(|reason| match reason {
            Unprepared::Recursion(_) => prepare_as(&task.program, Form::NOT_DEEP),
            other => Err(other),
        });
        let decided = match prepared {
            Err(reason) => (Outcome::Unknown(reason.into()), Scope::default()),
            Ok(prepared) => self.decide(task, &prepared, budget, observer, &mut statistics),
        };
        Report::at_end(budget, statistics, decided)
    }
}

impl Values {
    /// Decides a prepared program.
    pub fn decide(
        &self,
        task: &Task,
        prepared: &Prepared,
        budget: &Budget,
        observer: &mut dyn Observer,
        statistics: &mut Statistics,
    ) -> (Outcome, Scope) {
        let mut terms = Terms::new();
        let encoding = Encoding::new(&mut terms, prepared);
        let mut forest = match Forest::new(&encoding) {
            Ok(forest) => forest,
            Err(unknown) => return (Outcome::Unknown(unknown), prepared.scope()),
        };
        let outcome = self
            .search(
                task,
                &encoding,
                terms,
                &mut forest,
                budget,
                observer,
                statistics,
            )
            .unwrap_or_else(Outcome::Unknown);
        let mut scope = prepared.scope();
        forest.complete_scope(&mut scope, prepared);
        (outcome, scope)
    }

    #[allow(clippy::too_many_arguments)]
    fn search(
        &self,
        task: &Task,
        encoding: &Encoding,
        terms: Terms,
        forest: &mut Forest,
        budget: &Budget,
        observer: &mut dyn Observer,
        statistics: &mut Statistics,
    ) -> Result<Outcome, Unknown> {
        let prepared = encoding.prepared;
        statistics.locations = prepared.body().locations.len() as u64;
        for test in forest.tests_to_begin_with(task, RANDOM_TESTS) {
            let added = forest.add(test, budget.remaining());
            statistics.tests += 1;
            if let Some(span) = added.error {
                return Ok(forest.judge(added.number, span));
            }
            if !forest.reads_inputs(0) {
                break;
            }
        }
        let blocks = Blocks::new(prepared.body(), Granularity::Basic);
        let mut transitions = encoding.transitions(terms, &blocks)?;
        let map = Map::new(&transitions, &blocks);
        let kin = Kin::new(encoding);
        let mut judging = Judge {
            solver: self.new_solver(budget, Some(QUERY_RESOURCE))?,
            shrinking: limit(budget, Some(STATE_RESOURCE)),
            last: None,
        };
        judging.solver.set_minimal_cores(false);
        let mut asked = Asked::new(self.new_solver(budget, Some(STATE_RESOURCE))?);
        // Programs that branch little on their inputs are followed as they are.
        let mut precision = Precision::everything(&encoding.vars.all());
        let mut whole = true;
        let mut total = 0;
        loop {
            statistics.iterations += 1;
            let most = if whole {
                self.whole.or(Some(WHOLE))
            } else {
                self.steps
            };
            let questions = self.questions;
            let (exploration, found) = Exploration::run(
                &mut transitions,
                &blocks,
                &map,
                &precision,
                &mut asked,
                |steps, asked| {
                    most.is_some_and(|limit| {
                        if whole {
                            steps > limit || questions.is_some_and(|most| asked > most)
                        } else {
                            total + steps > limit
                        }
                    }) || (steps % POLL == 0 && budget.poll().is_some())
                },
            );
            total += exploration.steps;
            statistics.solver_time =
                asked.solver.statistics().time + judging.solver.statistics().time;
            statistics.forest_states = exploration.nodes.len() as u64;
            observer.progress(statistics);
            if observer.explains() {
                observer.explain(&format!(
                    "{:>5}  {} values and {} relations kept: {} states, {}",
                    statistics.iterations,
                    precision.values.len(),
                    precision.relations.len(),
                    exploration.nodes.len(),
                    match &found {
                        Found::Error(path) =>
                            format!("a path of {} blocks to an error", path.len()),
                        Found::Closed => "no error".into(),
                        Found::Trapped(path) => {
                            format!("no error, but a trap behind {} blocks", path.len())
                        }
                        Found::Limit => "stopped".into(),
                    }
                ));
            }
            match found {
                Found::Limit if whole && budget.poll().is_none() => {
                    whole = false;
                    total = 0;
                    precision = Precision::default();
                }
                Found::Limit => {
                    let stop = budget.poll().unwrap_or(budget::Stop::Time);
                    return Ok(Outcome::Unknown(Unknown::Stopped(stop)));
                }
                Found::Closed => {
                    return self.conclude(
                        encoding,
                        transitions,
                        &blocks,
                        &map,
                        &exploration,
                        budget,
                        statistics,
                    );
                }
                Found::Error(ref path) | Found::Trapped(ref path) => {
                    let trapping = matches!(found, Found::Trapped(_));
                    let last = *path.last().expect("paths are not empty");
                    let span = blocks
                        .block(last)
                        .edges
                        .last()
                        .map(|&e| prepared.body().edge(e).span);
                    let undecided = |reason: String| Unknown::Undecided {
                        edges: 1,
                        reason,
                        span,
                    };
                    judging.solver.reset();
                    let patience = limit(budget, Some(QUERY_RESOURCE));
                    judging.solver.set_limit(patience);
                    judging.shrinking = limit(budget, Some(STATE_RESOURCE));
                    let judgement = judge(
                        encoding,
                        &mut transitions,
                        &blocks,
                        Suspect { path, trapping },
                        &precision,
                        &mut judging,
                    );
                    statistics.solver_calls += 1;
                    match judgement {
                        Judgement::Undecided(reason) => {
                            return Err(Unknown::Undecided {
                                edges: 1,
                                reason,
                                span: None,
                            })
                        }
                        Judgement::Real(real) => {
                            let test = forest.test_along(&mut transitions.terms, &real).map_err(
                                |reason| Unknown::Undecided {
                                    edges: 1,
                                    reason,
                                    span: None,
                                },
                            )?;
                            let added = forest.add(test, budget.remaining());
                            statistics.tests += 1;
                            return match added.error {
                                Some(span) => Ok(forest.judge(added.number, span)),
                                None => Err(undecided(forest.why_not(added.number))),
                            };
                        }
                        Judgement::Spurious { variables, blamed } => {
                            if observer.explains() {
                                let names = crate::problem::names::Names {
                                    prepared,
                                    terms: &transitions.terms,
                                };
                                let text = names.facts(&blamed);
                                observer.explain(&format!("       it cannot be run: {text}"));
                                let mut new = variables.clone();
                                new.retain(|v| !precision.values.contains(v));
                                let text = names.facts(&new);
                                observer.explain(&format!("       new in play: {text}"));
                            }
                            statistics.splits += 1;
                            if !sharpen(&mut precision, &kin, &variables) {
                                if std::mem::take(&mut whole) {
                                    precision = Precision::default();
                                    total = 0;
                                    continue;
                                }
                                return Err(undecided(
                                    "values do not exclude a path that cannot be run".into(),
                                ));
                            }
                        }
                    }
                }
            }
        }
    }

    fn new_solver(
        &self,
        budget: &Budget,
        resource: Option<u64>,
    ) -> Result<Box<dyn Solver>, Unknown> {
        let config = SolverConfig {
            limit: limit(budget, resource),
            ..self.solver.clone()
        };
        new_solver(&config).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn conclude(
        &self,
        encoding: &Encoding,
        mut transitions: Transitions,
        blocks: &Blocks,
        map: &Map,
        exploration: &Exploration,
        budget: &Budget,
        statistics: &mut Statistics,
    ) -> Result<Outcome, Unknown> {
        let prepared = encoding.prepared;
        for (index, block) in blocks.blocks.iter().enumerate() {
            if !exploration
                .taken
                .contains(&crate::problem::blocks::BlockId(index as u32))
            {
                continue;
            }
            // What a marker does is not known: nothing behind it is proved.
            if let Some((what, span)) = block.edges.iter().find_map(|&e| prepared.marker_on(e)) {
                return Err(Unknown::Unmodelled {
                    what,
                    span: Some(span),
                });
            }
        }
        let slim = slim::slim(&mut transitions, blocks, map, exploration);
        let mut fresh = self.new_solver(budget, None)?;
        let mut prove = |exploration: &Exploration, transitions: &mut Transitions| {
            prove::prove(
                encoding,
                transitions,
                blocks,
                map,
                exploration,
                &mut *fresh,
                || budget.poll().is_some(),
            )
        };
        // Should less not do, all of it must.
        let (kept, proved) = match prove(&slim, &mut transitions) {
            Ok(calls) => (&slim, Ok(calls)),
            Err(_) => (exploration, prove(exploration, &mut transitions)),
        };
        let calls = proved.map_err(|what| match budget.poll() {
            Some(stop) => Unknown::Stopped(stop),
            None => Unknown::CheckFailed(what),
        })?;
        let cases = prove::cases(&mut transitions, kept);
        statistics.regions = cases.iter().map(|c| c.len() as u64).sum();
        statistics.certify_calls = calls;
        statistics.solver_time += fresh.statistics().time;
        let invariants = prove::invariants(prepared.entry(), blocks, cases, |cutpoint| {
            let location = blocks.locations[cutpoint.index()].expect("asked for locations only");
            prepared.body().location(location).span
        });
        Ok(Outcome::Proved(Box::new(Proof {
            program: prepared.program.clone(),
            passes: prepared.passes.clone(),
            terms: transitions.terms,
            invariants,
            contracts: Vec::new(),
        })))
    }
}

fn limit(budget: &Budget, resource: Option<u64>) -> Limit {
    Limit {
        resource,
        time: budget.for_a_question(),
    }
}
