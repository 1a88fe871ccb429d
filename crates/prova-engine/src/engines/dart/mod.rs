//! Directed testing alone (Godefroid, Klarlund, Sen: *DART: Directed Automated Random Testing*;
//! Godefroid, Levin, Molnar: *Automated Whitebox Fuzz Testing*, for the generational order).
//!
//! A test is run; every branch of its path that depends on inputs is asked to go the other way; each
//! yes is another test. A test is never asked about branches before the one it was made for, so each
//! path is run once ([`Order`] says which comes next). There is no abstraction: a program with n
//! diamonds has 2^n paths, and a loop without a bound has no last one.
//!
//! What it has to say is coverage: the counters `paths`, `covered_edges` and `edges`. Where no branch
//! is left to be turned, all paths were run, and [`tree`] makes a proof of that if it can.

mod tree;

use crate::engine::{Engine, Progress, Quota, Search, Turn};
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::proof::inductive::Inductive;
use crate::testing::branches::Branch;
use crate::testing::cross::{Asker, Crossed, Whose};
use crate::testing::forest::StateRef;
use prova_exec::{RunEnd, Test};
use prova_ir::{EdgeId, ProcId};
use prova_logic::{Answer, SolverConfig, Terms};
use prova_task::{Statistics, Unknown};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use tree::Tree;

/// Inputs that a path may read; a longer one is left where it is.
const MOST_INPUTS: usize = 96;

/// Which branch is turned next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The last one of the newest path.
    DepthFirst,
    /// All of a path, those of paths that went somewhere new first.
    #[default]
    Generational,
}

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Dart {
    /// Which branch is turned next.
    pub order: Order,
    /// The solver.
    pub solver: SolverConfig,
}

impl Engine for Dart {
    fn name(&self) -> &'static str {
        "dart"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        let mut statistics = Statistics {
            locations: problem.locations(),
            ..Statistics::default()
        };
        statistics.set("edges", problem.prepared.body().edges.len() as u64);
        Ok(Box::new(DartSearch {
            dart: self.clone(),
            problem,
            steps,
            asker: Asker::new(&self.solver)?,
            waiting: VecDeque::new(),
            covered: FxHashSet::default(),
            ran: Vec::new(),
            incomplete: None,
            statistics,
        }))
    }
}

/// A path that is to be left.
struct Turning {
    test: u32,
    /// Which of the branches of its path, or behind all of them.
    number: usize,
    how: How,
    /// Whether its path went somewhere new.
    promising: bool,
}

/// How a path is left.
#[derive(Clone, Copy)]
enum How {
    /// A branch goes the other way.
    Branch(Branch),
    /// The assumption that ended it holds.
    Pass,
}

/// A search between its turns.
struct DartSearch<'p> {
    dart: Dart,
    problem: &'p Problem,
    steps: &'p Steps,
    asker: Asker,
    waiting: VecDeque<Turning>,
    covered: FxHashSet<(ProcId, EdgeId)>,
    /// Tests that were run here.
    ran: Vec<u32>,
    /// Why the paths that were run are not all, if they are not.
    incomplete: Option<String>,
    statistics: Statistics,
}

impl<'p> Search<'p> for DartSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let progress = self.run(turn);
        self.statistics.solver_calls = self.asker.calls();
        self.statistics.solver_time = self.asker.time();
        self.statistics
            .set("covered_edges", self.covered.len() as u64);
        progress
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> DartSearch<'p> {
    fn run(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let quota = turn.quota.iterations_over(self.statistics.locations);
        let last = self.statistics.iterations.saturating_add(quota);
        if self.ran.is_empty() {
            if let Err(unknown) = self.try_test(turn, Test::zero(), None) {
                return Progress::Exhausted(unknown);
            }
        }
        loop {
            if let Some(verdict) = violated(&turn.known.forest) {
                return verdict;
            }
            if let Some(stop) = turn.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            if self.statistics.iterations >= last {
                return Progress::Working;
            }
            let Some(turning) = self.next() else {
                return self.conclude(turn);
            };
            self.statistics.iterations += 1;
            turn.observer.progress(&self.statistics);
            if let Err(unknown) = self.leave_path(turn, turning) {
                return Progress::Exhausted(unknown);
            }
        }
    }

    fn next(&mut self) -> Option<Turning> {
        match self.dart.order {
            Order::DepthFirst => self.waiting.pop_back(),
            Order::Generational => {
                let first = self.waiting.iter().position(|t| t.promising);
                self.waiting.remove(first.unwrap_or(0))
            }
        }
    }

    fn leave_path(&mut self, turn: &mut Turn<'_, 'p>, turning: Turning) -> Result<(), Unknown> {
        let crossed = match turning.how {
            How::Branch(branch) => turn.known.forest.turned(
                self.problem,
                turn.terms,
                &mut self.asker,
                turn.budget,
                turning.test,
                branch,
            )?,
            How::Pass => self.pass(turn, turning.test)?,
        };
        match crossed {
            Crossed::No => Ok(()),
            Crossed::Undecided(reason) => {
                self.incomplete.get_or_insert(reason);
                Ok(())
            }
            Crossed::Test(test) => self.try_test(turn, test, Some(turning)),
        }
    }

    /// A test that takes the path of one that an assumption ended, and goes on.
    fn pass(&mut self, turn: &mut Turn<'_, 'p>, test: u32) -> Result<Crossed, Unknown> {
        let (forest, blocks) = (&mut turn.known.forest, &self.steps.blocks);
        let run = forest.run(test);
        let cutpoint = |step: u32| blocks.cutpoint_of[run.location_at(step).location.index()];
        let Some(step) = (0..=run.steps()).rev().find(|&s| cutpoint(s).is_some()) else {
            return Ok(Crossed::Undecided("a run left the blocks".into()));
        };
        let source = cutpoint(step);
        let taken = (step..run.steps()).filter_map(|s| run.edge_at(s)?.edge);
        let taken: Vec<EdgeId> = taken.collect();
        // One way each; where one is possible, the branches behind the assumption lead to the rest.
        for id in blocks.ids() {
            let block = blocks.block(id);
            if Some(block.source) != source || !block.edges.starts_with(&taken) {
                continue;
            }
            let state = Whose::Path(StateRef { test, step });
            let crossed = self.asker.cross(
                self.problem,
                self.steps,
                turn.terms,
                forest,
                turn.budget,
                state,
                id,
                &[],
            )?;
            if !matches!(crossed, Crossed::No) {
                return Ok(crossed);
            }
        }
        Ok(Crossed::No)
    }

    /// Runs a test, and has its branches wait: those behind the one it was made for.
    fn try_test(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        test: Test,
        made_for: Option<Turning>,
    ) -> Result<(), Unknown> {
        let number = self.run_to_end(turn, test);
        let forest = &mut turn.known.forest;
        let run = forest.run(number);
        if !matches!(run.end, RunEnd::AssumeFailed(_)) {
            self.statistics.count("paths", 1);
        }
        let places = run.path().filter_map(|(_, p)| Some((p.proc, p.edge?)));
        // Not `any`: all of them are noted.
        let promising = places.filter(|p| self.covered.insert(*p)).count() > 0;
        if forest.failing().is_some() {
            return Ok(());
        }
        let path = match forest.branches(turn.terms, number) {
            Ok(path) => path,
            Err(unknown) => {
                // The path has no terms; other paths may have.
                self.incomplete.get_or_insert(unknown.to_string());
                return Ok(());
            }
        };
        if path.fixed {
            let reason = "a path rests on what a pointer was";
            self.incomplete.get_or_insert(reason.into());
        }
        let first = match &made_for {
            None => 0,
            Some(made) => {
                let there = path.branches.get(made.number).map(|b| b.condition);
                let arrived = match made.how {
                    How::Branch(branch) => there == Some(turn.terms.not(branch.condition)),
                    How::Pass => there.is_some(),
                };
                if !arrived {
                    let reason = "a test did not go where the model said";
                    self.incomplete.get_or_insert(reason.into());
                }
                match made.how {
                    How::Branch(_) => made.number + 1,
                    How::Pass => made.number,
                }
            }
        };
        let stopped = matches!(forest.run(number).end, RunEnd::AssumeFailed(_));
        let behind = (path.branches.len(), How::Pass);
        let branches = path.branches.into_iter().enumerate().skip(first);
        let turnable = branches.filter(|(_, b)| b.turnable);
        let turnings = turnable.map(|(n, b)| (n, How::Branch(b)));
        let turnings = turnings.chain(stopped.then_some(behind));
        self.waiting.extend(turnings.map(|(n, how)| Turning {
            test: number,
            number: n,
            how,
            promising,
        }));
        Ok(())
    }

    /// Runs a test as far as it reads inputs that may be given; says if that is not to its end.
    fn run_to_end(&mut self, turn: &mut Turn<'_, 'p>, mut test: Test) -> u32 {
        let forest = &mut turn.known.forest;
        loop {
            let number = forest.add(test.clone(), turn.budget.remaining());
            self.statistics.tests += 1;
            let run = forest.run(number);
            let longer = matches!(run.end, RunEnd::InputsExhausted(_));
            if longer && run.inputs.len() < MOST_INPUTS {
                test.values = run.inputs.iter().map(|i| i.value).collect();
                continue;
            }
            let ended = matches!(
                run.end,
                RunEnd::Returned(_)
                    | RunEnd::Exited(_)
                    | RunEnd::Aborted(_)
                    | RunEnd::AssumeFailed(_)
                    | RunEnd::Trap(..)
                    | RunEnd::ErrorReached(_)
            );
            if !ended {
                let what = run.end.describe(&self.problem.prepared.program);
                let reason = format!("a path was not run to its end ({what})");
                self.incomplete.get_or_insert(reason);
            }
            self.ran.push(number);
            return number;
        }
    }

    /// No branch is left.
    fn conclude(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let paths = self.statistics.counter("paths");
        let undecided = |reason: String| {
            Progress::Exhausted(Unknown::Undecided {
                edges: 0,
                reason,
                span: None,
            })
        };
        if let Some(reason) = &self.incomplete {
            return undecided(format!("{paths} paths were run and none fails; {reason}"));
        }
        let uncertified = || {
            format!("no branch is left to be turned: {paths} paths were run and none fails, but no certificate was found")
        };
        let forest = &turn.known.forest;
        let mut tree = Tree::new();
        if !self
            .ran
            .iter()
            .all(|&t| tree.insert(self.steps, forest.run(t)))
        {
            return undecided(uncertified());
        }
        let (problem, budget, asker) = (self.problem, turn.budget, &mut self.asker);
        let cases = tree.cases(self.steps, turn.terms, |terms, conditions| {
            let (answer, _) = asker.ask(problem, terms, budget, conditions);
            answer == Answer::Unsat
        });
        let Some(cases) = cases else {
            return undecided(uncertified());
        };
        let mut claim = Inductive::new(self.problem, self.steps, cases);
        let mut lent = Turn {
            terms: &mut *turn.terms,
            known: &mut *turn.known,
            quota: Quota::ALL,
            budget: turn.budget,
            observer: &mut *turn.observer,
        };
        let config = &self.dart.solver;
        let concluded = proved(
            self.problem,
            config,
            &mut lent,
            &mut claim,
            &mut self.statistics,
        );
        match concluded {
            // What the tree says is weaker than what the runs show: that is nobody's mistake.
            Progress::Exhausted(Unknown::CheckFailed(_)) => undecided(uncertified()),
            other => other,
        }
    }
}
