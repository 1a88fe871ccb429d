//! Explicit values procedure by procedure (Sharir and Pnueli, *Two Approaches to Interprocedural
//! Data Flow Analysis*, 1981, section 3: the functional approach, tabulated for the entry values
//! that are met).
//!
//! A procedure is followed once for each state it is entered in; what it returns with is written in
//! a table, and whoever enters it so again looks there. So a function that calls itself twice costs
//! as many activations as it has different arguments, whatever the number of its calls, and a
//! recursion that ends in every run needs no invariant: running it is the proof. Values are those of
//! [`crate::engines::values`], all variables being kept.
//!
//! When nothing new is found and no error was met, each row is a contract of its own: entered here,
//! it returns there. A call rests on the rows that it looked at.
//!
//! | file | what it holds |
//! |---|---|
//! | [`rows`] | the table, and how it is filled |
//! | [`matter`] | which variables matter where |
//! | [`prove`] | the filled table as a proof |

pub mod matter;
pub mod prove;
pub mod rows;

use crate::engine::{Engine, Progress, Search, Turn};
use crate::engines::dash::calls::units::Units;
use crate::engines::values::ask::Asked;
use crate::problem::transitions::Transitions;
use crate::problem::Problem;
use crate::proof::conclude::{proved, violated};
use matter::Matter;
use prova_exec::{Policy, Test};
use prova_logic::{new_solver, Limit, SolverConfig, Terms};
use prova_task::{Statistics, Unknown};
use prove::Filled;
use rows::{Met, Table};

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Its solver.
    pub solver: SolverConfig,
}

/// The deterministic limit of a question whether a state is possible.
const RESOURCE: u64 = 1_000_000;
/// Tests at random where an error seems to be within reach.
const RANDOM_TESTS: u64 = 64;
/// Steps of the one run of a program that reads nothing.
const LONG_RUN: u64 = 30_000_000;
/// Steps between two looks at the clock.
const POLL: u64 = 64;

impl Engine for Tables {
    fn name(&self) -> &'static str {
        "tables"
    }

    fn takes_procedures(&self) -> bool {
        true
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let mut transitions = Transitions::default();
        let encoding = &problem.encoding;
        let mut units = Units::new(encoding, terms, &mut transitions, problem.granularity)?;
        for site in units.site_ids() {
            units.bind(terms, &mut transitions, site, &[]);
        }
        let config = SolverConfig {
            limit: Limit {
                resource: Some(RESOURCE),
                ..self.solver.limit
            },
            ..self.solver.clone()
        };
        let solver = new_solver(&config).map_err(|e| Unknown::Unsupported {
            what: format!("this solver: {e}"),
            span: None,
        })?;
        let matter = Matter::new(encoding, terms, &transitions, &units);
        Ok(Box::new(TablesSearch {
            solver: self.solver.clone(),
            problem,
            asked: Asked::new(solver),
            table: Table::default(),
            units,
            transitions,
            matter,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

/// A search, between its turns.
struct TablesSearch<'p> {
    solver: SolverConfig,
    problem: &'p Problem,
    units: Units,
    transitions: Transitions,
    matter: Matter,
    asked: Asked,
    table: Table,
    statistics: Statistics,
}

impl<'p> Search<'p> for TablesSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        self.statistics.iterations += 1;
        let budget = turn.budget;
        let last = self.table.steps.saturating_add(turn.quota.steps);
        let most_asked = self.asked.cost.saturating_add(turn.quota.questions);
        let stop = |steps: u64, asked: &Asked| {
            steps > last
                || asked.cost > most_asked
                || (steps.is_multiple_of(POLL) && budget.poll().is_some())
        };
        let world = rows::World {
            encoding: &self.problem.encoding,
            units: &self.units,
            transitions: &self.transitions,
            matter: &self.matter,
        };
        let met = self.table.fill(turn.terms, &world, &mut self.asked, stop);
        self.statistics.solver_time = self.asked.solver.statistics().time;
        self.statistics.regions = self.table.states() as u64;
        self.statistics.set("rows", self.table.rows.len() as u64);
        turn.observer.progress(&self.statistics);
        if turn.observer.explains() {
            let (rows, states) = (self.table.rows.len(), self.table.states());
            let end = match met {
                Met::Closed => "no error",
                Met::Limit => "stopped",
                Met::Error(_) => "values do not exclude an error",
                Met::Trap(_) => "undefined behaviour that cannot be avoided",
            };
            let steps = self.table.steps;
            let line = format!("       {rows} rows of {states} states in {steps} steps: {end}");
            turn.observer.explain(&line);
        }
        let undecided = |reason: &str, span| {
            Progress::Exhausted(Unknown::Undecided {
                edges: 1,
                reason: reason.into(),
                span,
            })
        };
        match met {
            Met::Limit => match budget.poll() {
                Some(stop) => Progress::Exhausted(Unknown::Stopped(stop)),
                None => Progress::Working,
            },
            Met::Error(span) => {
                // A program that reads nothing has one run, however long it is. Others have
                // many, and this engine does not know which: some of them may do.
                let seed = turn.known.seed;
                let forest = &mut turn.known.forest;
                if (0..forest.count()).all(|test| !forest.reads_inputs(test)) {
                    forest.add_within(Test::zero(), LONG_RUN, budget.remaining());
                } else {
                    let seeds = (0..RANDOM_TESTS).map(|i| seed.wrapping_add(10 + i));
                    for seed in seeds {
                        let rest = Policy::SeededInputs(seed);
                        let test = Test {
                            rest,
                            ..Test::default()
                        };
                        forest.add_where(test, budget.remaining(), |_| false);
                        if forest.failing().is_some() {
                            break;
                        }
                    }
                }
                if let Some(verdict) = violated(forest) {
                    return verdict;
                }
                undecided("values do not exclude a path that is not run", span)
            }
            Met::Trap(span) => undecided("every way on is undefined behaviour", span),
            Met::Closed => {
                let mut claim = Filled {
                    problem: self.problem,
                    units: &self.units,
                    transitions: &self.transitions,
                    matter: &self.matter,
                    table: &self.table,
                };
                let (problem, solver) = (self.problem, &self.solver);
                proved(problem, solver, turn, &mut claim, &mut self.statistics)
            }
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}
