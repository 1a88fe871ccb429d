//! Arrays by an arbitrary cell: the program with ghosts that follow one cell of every array, or two
//! ([`prova_exec::cells`] says why a proof of it is one of the program), and facts about them
//! ([`crate::knowledge::sources::followed`]). The cells are arbitrary, so what holds of them holds of
//! all, and no quantifier is asked about (Monniaux and Gonnord, *Cell Morphing: From Array Programs to
//! Array-Free Horn Clauses*, SAS 2016).
//!
//! The program with ghosts is a problem of its own, with knowledge of its own, which is there for one
//! turn. Its tests are no tests of the program, so all that comes of it is *proved*; the certificate
//! names the pass, and the checker repeats it.
//!
//! Its steps are as large as they can be: an assertion that computes its condition first and looks at
//! it later is one step then, and no fact has to say what lies between.

use super::ai::{claim_of_facts, open_block};
use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::knowledge::sources::followed::{Ends, Followed};
use crate::knowledge::sources::intervals::Facts;
use crate::knowledge::sources::Generalise;
use crate::knowledge::{Knowledge, Request};
use crate::problem::blocks::Granularity;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use prova_exec::cells::Ghosts;
use prova_exec::state_vars::StateVar;
use prova_exec::translate::translate;
use prova_exec::{Policy, Test};
use prova_logic::{new_solver, Limit, Model, SolverConfig, Term, Terms, Value};
use prova_task::{Statistics, Unknown};

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// Its solver, which judges the facts.
    pub solver: SolverConfig,
}

/// The deterministic limit of one question.
const RESOURCE: u64 = 1_500_000;
/// Questions to the solver that one source may cost.
const CALLS: u64 = 400;
/// Cells that are followed at most.
const MOST: usize = 2;
/// Positions that tests follow, one of them beyond all arrays, and what else they are given: small
/// numbers, none of them twice in a row.
const FIRST_POSITIONS: [u128; 9] = [0, 1, 2, 4, 7, 3, 1 << 20, 1, 2];
const GIVEN: [u128; 8] = [5, 9, 0, 3, 11, 6, 2, 8];
/// How many numbers a test is given.
const LENGTH: usize = 64;
/// Steps that a test takes at most; and one that has to get past long loops.
const STEPS: u64 = 20_000;
const LONG: u64 = 1_500_000;
const LONG_POSITIONS: [u128; 2] = [3, 4];
/// Positions that others are computed from, and how many pairs are tried.
const RELATED_FROM: [u64; 2] = [3, 1];
const MOST_RELATED: usize = 8;

impl Engine for Cells {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        _: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        Ok(Box::new(CellsSearch {
            config: self.solver.clone(),
            problem,
            done: 0,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

struct CellsSearch<'p> {
    config: SolverConfig,
    problem: &'p Problem,
    /// So many cells were followed with all that may be spent on it.
    done: usize,
    statistics: Statistics,
}

impl<'p> Search<'p> for CellsSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        let whole = turn.quota.questions >= CALLS && turn.quota.resource >= RESOURCE;
        let rounds = turn.quota.iterations.max(turn.quota.least_iterations);
        let last = match usize::try_from(rounds) {
            Ok(rounds) => self.done.saturating_add(rounds).min(MOST),
            Err(_) => MOST,
        };
        for count in self.done + 1..=last {
            self.statistics.iterations += 1;
            match self.follow(count, turn) {
                Ok(Some(progress)) => return progress,
                Ok(None) => {}
                Err(unknown) => return Progress::Exhausted(unknown),
            }
            if let Some(stop) = turn.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            if whole {
                self.done = count;
            }
        }
        if self.done < MOST {
            return Progress::Working;
        }
        Progress::Exhausted(Unknown::Undecided {
            edges: 1,
            reason: "what is known of single cells does not exclude an error".into(),
            span: None,
        })
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> CellsSearch<'p> {
    /// Follows so many cells; gives a proof if the facts about them are one.
    fn follow(
        &mut self,
        count: usize,
        turn: &mut Turn<'_, 'p>,
    ) -> Result<Option<Progress>, Unknown> {
        let unsupported = |what: String| Unknown::Unsupported { what, span: None };
        let followed = self.problem.prepared.with_cells(count);
        let (prepared, ghosts) = followed.map_err(unsupported)?;
        let problem = Problem::new(prepared, Granularity::LoopFree);
        let mut known = Knowledge::beside(&problem, turn.known.seed)?;
        let terms = &mut *problem.terms.borrow_mut();
        let steps = problem.steps(terms)?;
        let budget = turn.budget;
        let related = related_positions(&problem, terms, &ghosts);
        self.test(&mut known, &ghosts, related, steps, turn);
        if known.forest.failing().is_some() {
            return Ok(None);
        }
        let mut solver = new_solver(&self.config).map_err(|e| unsupported(e.to_string()))?;
        solver.set_limit(Limit {
            resource: Some(turn.quota.resource.min(RESOURCE)),
            time: budget.for_a_question(),
        });
        let (ghosts, mut facts) = (&ghosts, Facts);
        let mut ends = Ends { ghosts };
        // That addresses do not wrap around is rarely needed, and dear.
        let [mut cells, mut addresses] = [false, true].map(|behind| Followed { ghosts, behind });
        let sources: [&mut dyn Generalise; 4] = [&mut facts, &mut ends, &mut cells, &mut addresses];
        let mut open = None;
        for source in sources {
            let request = Request {
                spoken: &[],
                path: None,
                solver: &mut *solver,
            };
            let most = turn.quota.questions.min(CALLS);
            let mut calls = 0;
            let stop = || {
                calls += 1;
                calls > most || budget.poll().is_some()
            };
            let learned = known.learn(terms, request, &mut [source], stop)?;
            self.statistics.learning_calls += learned.kept.calls;
            self.statistics.candidates += learned.candidates;
            open = open_block(&problem, steps, &known, terms, &mut *solver);
            if turn.observer.explains() {
                turn.observer.explain(&format!(
                    "       cells: {} facts of {} candidates about {} cells of {} arrays{}{}",
                    learned.kept.invariants.iter().map(Vec::len).sum::<usize>(),
                    learned.candidates,
                    count,
                    ghosts.contents.len(),
                    if learned.kept.interrupted {
                        ", out of questions"
                    } else {
                        ""
                    },
                    if open.is_some() { ", not enough" } else { "" },
                ));
            }
            if open.is_none() {
                break;
            }
        }
        self.statistics.learned = known.count() as u64;
        self.statistics.solver_time += solver.statistics().time;
        if open.is_some() {
            return Ok(None);
        }
        let mut claim = claim_of_facts(&problem, steps, &known, terms);
        let mut own = Turn {
            terms,
            known: &mut known,
            quota: Quota::ALL,
            budget,
            observer: &mut *turn.observer,
        };
        let progress = proved(
            &problem,
            &self.config,
            &mut own,
            &mut claim,
            &mut self.statistics,
        );
        Ok(match progress {
            Progress::Done(verdict) => Some(Progress::Done(verdict)),
            // Others may know more; and what failed here says nothing of the program itself.
            _ => None,
        })
    }

    /// Runs a few tests with small positions: they refute what only looks like a fact. Where they do not
    /// get everywhere, two more get further.
    fn test<'q>(
        &mut self,
        known: &mut Knowledge<'q>,
        ghosts: &Ghosts,
        related: Vec<Vec<u128>>,
        steps: &Steps,
        turn: &Turn<'_, 'p>,
    ) {
        let count = ghosts.positions.len() as u128;
        let near = |first: u128| (0..count).map(|p| first + p).collect::<Vec<u128>>();
        let made = |i: usize, positions: Vec<u128>| {
            let given = GIVEN.iter().cycle().skip(i).take(LENGTH).copied();
            Test {
                values: positions.into_iter().chain(given).collect(),
                rest: Policy::SeededInputs(turn.known.seed.wrapping_add(i as u64)),
                ..Test::default()
            }
        };
        let mut tried: Vec<Vec<u128>> = FIRST_POSITIONS.iter().map(|&p| near(p)).collect();
        tried.extend(related);
        for (i, positions) in tried.into_iter().enumerate() {
            let test = made(i, positions);
            known
                .forest
                .add_within(test, STEPS, turn.budget.remaining());
            if known.forest.failing().is_some() {
                return;
            }
        }
        let blocks = &steps.blocks;
        let component = blocks.components();
        let in_loops = blocks.in_loops(&component);
        let mut heads = blocks.cutpoints().filter(|c| in_loops[c.index()]);
        if heads.any(|c| known.forest.states_at(blocks, c).is_empty()) {
            for (i, &first) in LONG_POSITIONS.iter().enumerate() {
                let test = made(i, near(first));
                known.forest.add_long(test, LONG, turn.budget.remaining());
            }
        }
    }
}

/// Positions of which one is what the text makes of the other: no small ones may be so by chance.
fn related_positions(problem: &Problem, terms: &mut Terms, ghosts: &Ghosts) -> Vec<Vec<u128>> {
    let encoding = &problem.encoding;
    let variable = |r| encoding.vars.variable(StateVar::Register(r));
    let positions: Vec<Term> = ghosts.positions.iter().map(|&p| variable(p)).collect();
    let mut found: Vec<Vec<u128>> = Vec::new();
    for &relation in &ghosts.hints.relations {
        let mut defined = Vec::new();
        let context = encoding.context();
        let term = translate(terms, context, relation, &encoding.vars, &mut defined);
        let Ok(term) = term else { continue };
        let &[left, right] = terms.children(term) else {
            continue;
        };
        for (here, there) in [(0, 1), (1, 0)] {
            let made = match (left == positions[here], right == positions[here]) {
                (true, _) => right,
                (_, true) => left,
                _ => continue,
            };
            if terms.free_vars(made) != [positions[there]] {
                continue;
            }
            for first in RELATED_FROM {
                let width = terms.width(positions[there]);
                let mut model = Model::new();
                model.insert(positions[there], Value::bv(first.into(), width));
                let Some(value) = terms.eval(made, &model).as_u64() else {
                    continue;
                };
                let mut pair = vec![0; 2];
                pair[here] = value.into();
                pair[there] = first.into();
                if found.len() < MOST_RELATED && !found.contains(&pair) {
                    found.push(pair);
                }
            }
        }
    }
    found
}
