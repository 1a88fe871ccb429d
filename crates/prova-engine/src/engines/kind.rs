//! k-induction: no error in the first k steps, and none behind k steps without one (Sheeran, Singh,
//! Stålmarck: Checking Safety Properties Using Induction and a SAT-Solver, FMCAD 2000; with
//! auxiliary invariants as in Beyer, Dangl, Wendler: Boosting k-Induction with Continuously-Refined
//! Invariants, CAV 2015).
//!
//! A step leads from the head of a loop to the next one. The base case is [`super::bmc`]'s: the
//! program unwound for as many rounds. The step case begins at each head in an arbitrary state where
//! the facts hold that are known there, in all paths at once. The certificate says what facts these
//! are and what k is, and the checker takes the steps itself.

use super::bmc::bounds::Bounds;
use super::bmc::{Bmc, BmcSearch, Looked};
use crate::engine::{Engine, Progress, Search, Turn};
use crate::knowledge::sources::checked::Checked;
use crate::knowledge::sources::intervals::Facts;
use crate::knowledge::sources::stated::Stated;
use crate::knowledge::sources::states::Tests;
use crate::knowledge::sources::Generalise;
use crate::knowledge::Request;
use crate::problem::blocks::Cutpoint;
use crate::problem::unwind::ask::Found;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated, Claim};
use crate::proof::recheck::Flaw;
use prova_ir::Span;
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Term, Terms};
use prova_task::{Contract, Invariant, Manner, Statistics, Unknown};

/// Steps that are taken together at most.
const MOST: u64 = 8;
/// Paths of k steps that a checker is asked to walk.
const MOST_PATHS: f64 = 50_000.0;
/// Solver calls for facts.
const FACT_CALLS: u64 = 600;
/// The deterministic limit of a question for facts.
const FACT_RESOURCE: u64 = 2_000_000;

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    /// Its solver.
    pub solver: SolverConfig,
}

struct KindSearch<'p> {
    base: BmcSearch<'p>,
    problem: &'p Problem,
    steps: &'p Steps,
    solver: SolverConfig,
    /// Steps that are taken together now.
    k: u64,
    learned: bool,
}

impl Engine for Kind {
    fn name(&self) -> &'static str {
        "kind"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        let bmc = Bmc {
            solver: self.solver.clone(),
            bounds: Bounds::default(),
        };
        Ok(Box::new(KindSearch {
            base: bmc.search(problem, terms)?,
            problem,
            steps,
            solver: self.solver.clone(),
            k: 1,
            learned: false,
        }))
    }
}

impl<'p> Search<'p> for KindSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        let quota = turn.quota.iterations.max(turn.quota.least_iterations);
        let last = self.base.statistics.iterations.saturating_add(quota);
        while self.base.statistics.iterations < last {
            if self.k > MOST {
                return Progress::Exhausted(Unknown::Undecided {
                    edges: 1,
                    reason: format!("no proof by induction over {MOST} steps"),
                    span: None,
                });
            }
            if self.paths() > MOST_PATHS {
                return Progress::Exhausted(Unknown::Undecided {
                    edges: 1,
                    reason: format!("{} steps have too many paths for a checker", self.k),
                    span: None,
                });
            }
            self.base.statistics.iterations += 1;
            // A run that passes k heads takes no loop for more than k rounds.
            let looked = self.base.look(turn, &|_| Some(self.k));
            if let Looked::Ended(progress) = looked {
                return progress;
            }
            self.learn(turn);
            match self.step_holds(turn) {
                Err(unknown) => return Progress::Exhausted(unknown),
                Ok(true) => return self.conclude(turn),
                Ok(false) => self.k += 1,
            }
            turn.observer.progress(&self.base.statistics);
        }
        Progress::Working
    }

    fn statistics(&self) -> &Statistics {
        &self.base.statistics
    }
}

impl<'p> KindSearch<'p> {
    /// Heads of loops.
    fn heads(&self) -> Vec<Cutpoint> {
        let order = &self.base.unwinding.order;
        let cutpoints = self.steps.blocks.cutpoints();
        cutpoints.filter(|&c| order.is_head(c)).collect()
    }

    /// How many paths k steps have, from heads and from the start: the checker walks each of them.
    fn paths(&self) -> f64 {
        let blocks = &self.steps.blocks;
        let order = &self.base.unwinding.order;
        let targets: Vec<Vec<Cutpoint>> = blocks
            .outgoing()
            .into_iter()
            .map(|out| out.into_iter().map(|b| blocks.block(b).target).collect())
            .collect();
        let mut ways = vec![0.0; targets.len()];
        let mut seen = vec![false; targets.len()];
        let mut open: Vec<(Cutpoint, bool)> = Vec::new();
        let mut worst = 0.0f64;
        for source in self.heads().into_iter().chain([Cutpoint::START]) {
            open.extend(targets[source.index()].iter().map(|&t| (t, false)));
            // Behind all it leads to, a cutpoint knows how many ways lead on to a head or out.
            while let Some((at, known)) = open.pop() {
                if order.is_head(at) {
                    ways[at.index()] = 1.0;
                } else if known {
                    let on = targets[at.index()].iter().map(|t| ways[t.index()]);
                    ways[at.index()] = on.sum::<f64>().max(1.0);
                } else if !std::mem::replace(&mut seen[at.index()], true) {
                    open.push((at, true));
                    open.extend(targets[at.index()].iter().map(|&t| (t, false)));
                }
            }
            let on = targets[source.index()].iter().map(|t| ways[t.index()]);
            worst = worst.max(on.sum());
        }
        worst.powi(self.k as i32)
    }

    /// Asks the sources for facts, once.
    fn learn(&mut self, turn: &mut Turn<'_, 'p>) {
        if std::mem::replace(&mut self.learned, true) {
            return;
        }
        let Ok(mut solver) = new_solver(&self.solver) else {
            return;
        };
        solver.set_limit(Limit {
            resource: Some(FACT_RESOURCE),
            time: turn.budget.remaining(),
        });
        let (mut facts, mut checked) = (Facts, Checked);
        let (mut tests, mut stated) = (Tests, Stated);
        let sources: [&mut dyn Generalise; 3] = [&mut facts, &mut checked, &mut tests];
        for source in sources {
            let mut calls = 0;
            let stop = || {
                calls += 1;
                calls > FACT_CALLS || turn.budget.poll().is_some()
            };
            let request = Request {
                spoken: &[],
                path: None,
                solver: &mut *solver,
            };
            if let Ok(learned) =
                turn.known
                    .learn(turn.terms, request, &mut [source, &mut stated], stop)
            {
                self.base.statistics.learning_calls += learned.kept.calls;
            }
        }
        self.base.statistics.learned = turn.known.count() as u64;
    }

    /// Whether no error lies behind k steps from any head.
    fn step_holds(&mut self, turn: &mut Turn<'_, 'p>) -> Result<bool, Unknown> {
        let heads = self.heads();
        let known: Vec<Vec<Term>> = self
            .steps
            .blocks
            .cutpoints()
            .map(|c| turn.known.facts(c).iter().map(|f| f.term).collect())
            .collect();
        for head in heads {
            let budget = turn.budget;
            let bad = self.base.unwinding.steps_from(
                turn.terms,
                head,
                &|c: Cutpoint| known[c.index()].clone(),
                self.k,
                &mut || budget.poll().is_some(),
            );
            let bad = match (bad, budget.poll()) {
                (Ok(bad), _) => bad,
                (Err(_), Some(stop)) => return Err(Unknown::Stopped(stop)),
                (Err(_), None) => return Ok(false),
            };
            let limit = turn.quota.limit(budget.for_a_question());
            match self.base.asker.any(turn.terms, &bad, limit) {
                Found::Never => {}
                Found::Model(_) => return Ok(false),
                Found::Open(reason) => {
                    return match budget.poll() {
                        Some(stop) => Err(Unknown::Stopped(stop)),
                        None => Err(Unknown::Undecided {
                            edges: 1,
                            reason,
                            span: None,
                        }),
                    }
                }
            }
        }
        Ok(true)
    }

    fn conclude(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        let blocks = &self.steps.blocks;
        let body = self.problem.prepared.body();
        let mut invariants = Vec::new();
        for cutpoint in blocks.cutpoints() {
            let Some(location) = blocks.locations[cutpoint.index()] else {
                continue;
            };
            let head = self.base.unwinding.order.is_head(cutpoint);
            if !head && location != body.entry {
                continue;
            }
            let facts = turn.known.facts(cutpoint).iter().filter(|_| head);
            invariants.push(Invariant {
                procedure: self.problem.prepared.entry(),
                location,
                span: body.location(location).span,
                cases: vec![facts.map(|f| f.term).collect()],
            });
        }
        let mut claim = KInductive {
            k: self.k,
            invariants,
        };
        let (problem, statistics) = (self.problem, &mut self.base.statistics);
        proved(problem, &self.solver, turn, &mut claim, statistics)
    }
}

/// Facts at the heads of loops, and that k steps from them lead to no error.
struct KInductive {
    k: u64,
    invariants: Vec<Invariant>,
}

impl Claim for KInductive {
    /// The facts are proved where they are learned, the steps were asked of a solver of their own; the
    /// checker takes every path by itself.
    fn recheck(
        &mut self,
        _: &mut Terms,
        _: &mut dyn Solver,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        match self.k {
            0 => Err(Flaw::Malformed("no step at all".into())),
            _ => Ok(0),
        }
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        None
    }

    fn manner(&self) -> Manner {
        Manner::KInductive(self.k)
    }

    fn says(&mut self, _: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        (std::mem::take(&mut self.invariants), Vec::new())
    }
}
