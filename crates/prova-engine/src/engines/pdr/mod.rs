//! Property-directed reachability on the blocks of a program (Bradley, *SAT-Based Model Checking
//! without Unrolling*, VMCAI 2011; for control-flow automata, with frames at each place: Lange,
//! Neuhäußer and Noll, *IC3 Software Model Checking on Control Flow Automata*, FMCAD 2015).
//!
//! A cube of states at a cutpoint from which an error is reached is an *obligation* to show that no
//! run is in it within so many rounds. If some state of the frame before steps into it, the states
//! like that one are the next obligation; if none does, the cube grows to as many states as can be
//! excluded for the same reason, and its negation is a lemma. Lemmas that hold in a higher frame
//! move there; where a frame is the same as the next one, nothing leaves it, and it is a proof. An
//! obligation at the start is a path to the error.
//!
//! | file | what it holds |
//! |---|---|
//! | [`frames`] | lemmas by cutpoint, with the frames that they hold in |
//! | [`obligations`] | what is still to be excluded |
//! | [`ask`] | the question whether a frame steps into a cube |
//! | [`cube`] | predecessors of a cube, from a state |
//! | [`weaken`] | literals that say less |
//! | `block` | excluding a cube, and how lemmas are made general |
//! | `learn` | facts from others, and lemmas left for them |

pub mod ask;
mod block;
pub mod cube;
pub mod frames;
mod learn;
pub mod obligations;
pub mod weaken;

use crate::engine::{Engine, Progress, Search, Turn};
use crate::engines::values::refine::{judge, Judge, Judgement, Suspect};
use crate::engines::values::state::Precision;
use crate::knowledge::sources::Sources;
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::{Problem, Steps};
use crate::proof::conclude::{proved, violated};
use crate::proof::inductive::Inductive;
use crate::reach::flow::Flow;
use ask::Asking;
use block::Blocked;
use frames::Frames;
use obligations::{Obligation, Obligations};
use prova_logic::{new_solver, Limit, Solver, SolverConfig, Terms};
use prova_task::{Statistics, Stop, Unknown};

/// The engine and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Pdr {
    /// Its solver.
    pub solver: SolverConfig,
    /// Where facts may come from.
    pub sources: Sources,
}

/// The deterministic limit of a question whether a frame steps into a cube.
const STEP_RESOURCE: u64 = 20_000_000;
/// And of one that only makes a lemma more general.
const GENERAL_RESOURCE: u64 = 500_000;
/// And whether a whole path can be run.
const PATH_RESOURCE: u64 = 40_000_000;

impl Engine for Pdr {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        terms: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        let steps = problem.steps(terms)?;
        let solver = || {
            new_solver(&self.solver).map_err(|e| Unknown::Unsupported {
                what: format!("this solver: {e}"),
                span: None,
            })
        };
        let mut judging = solver()?;
        judging.set_minimal_cores(false);
        let cutpoints = steps.blocks.locations.len();
        Ok(Box::new(PdrSearch {
            engine: self.clone(),
            problem,
            steps,
            flow: Flow::new(&steps.blocks),
            asking: Asking {
                problem,
                steps,
                solver: solver()?,
                calls: 0,
            },
            judging: Judge {
                solver: judging,
                shrinking: Limit::default(),
                last: None,
            },
            frames: Frames::new(cutpoints),
            obligations: Obligations::default(),
            level: 0,
            begun: false,
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

/// A search, between its turns.
struct PdrSearch<'p> {
    engine: Pdr,
    problem: &'p Problem,
    steps: &'p Steps,
    flow: Flow,
    asking: Asking<'p>,
    judging: Judge,
    frames: Frames,
    obligations: Obligations,
    /// The frame from which errors are being excluded.
    level: u32,
    begun: bool,
    statistics: Statistics,
}

impl<'p> Search<'p> for PdrSearch<'p> {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        self.statistics.tests = turn.known.forest.count().into();
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.interpret(turn);
            self.demand();
        }
        let quota = turn.quota.iterations_over(self.statistics.locations);
        let last = self.statistics.iterations.saturating_add(quota);
        while self.statistics.iterations < last {
            if let Some(stop) = turn.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            self.statistics.iterations += 1;
            let Some(number) = self.obligations.next() else {
                match self.round_over(turn) {
                    Some(progress) => return progress,
                    None => continue,
                }
            };
            let began = self.asking.solver.statistics().time;
            let progress = self.meet(turn, number);
            self.statistics.solver_time += self.asking.solver.statistics().time - began;
            self.statistics.solver_calls = self.asking.calls;
            self.statistics.set("frames", self.level.into());
            self.statistics.set("lemmas", self.frames.count() as u64);
            turn.observer.progress(&self.statistics);
            if let Some(progress) = progress {
                return progress;
            }
        }
        Progress::Working
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl<'p> PdrSearch<'p> {
    /// Errors are to be excluded from the frame of this turn.
    fn demand(&mut self) {
        for &cutpoint in &self.steps.blocks.errors {
            self.obligations.add(Obligation {
                cutpoint,
                cube: Vec::new(),
                level: self.level,
                next: None,
                distance: 0,
            });
        }
    }

    /// Works on an obligation.
    fn meet(&mut self, turn: &mut Turn<'_, 'p>, number: usize) -> Option<Progress> {
        let Obligation {
            cutpoint,
            cube,
            level,
            distance,
            ..
        } = self.obligations.get(number).clone();
        if cutpoint == Cutpoint::START {
            return self.path_found(turn, number);
        }
        let nobody = level == 0 && self.flow.is_head(cutpoint);
        if nobody || self.frames.excludes(cutpoint, &cube, level) {
            self.obligations.done(number);
            return None;
        }
        match self.block(turn, cutpoint, &cube, level) {
            Blocked::By(cube, level) => {
                self.obligations.done(number);
                self.explain_lemma(turn, cutpoint, &cube, level);
                self.frames.add(turn.terms, cutpoint, cube, level);
                // It will come again in a higher frame: better now, with what is known of it.
                if level < self.level {
                    let same = self.obligations.get(number).clone();
                    let level = level + 1;
                    self.obligations.add(Obligation { level, ..same });
                }
                None
            }
            Blocked::From(block, level, cube) => {
                let cutpoint = self.flow.source(block);
                self.obligations.add(Obligation {
                    cutpoint,
                    cube,
                    level,
                    next: Some((block, number)),
                    distance: distance + 1,
                });
                None
            }
            Blocked::Undecided(reason) => Some(self.undecided(turn, reason, Some(cutpoint))),
        }
    }

    fn undecided(&self, turn: &Turn, reason: String, at: Option<Cutpoint>) -> Progress {
        if let Some(stop) = turn.budget.poll() {
            return Progress::Exhausted(Unknown::Stopped(stop));
        }
        let body = self.problem.prepared.body();
        let location = at.and_then(|c| self.steps.blocks.locations[c.index()]);
        Progress::Exhausted(Unknown::Undecided {
            edges: 1,
            reason,
            span: location.map(|l| body.location(l).span),
        })
    }

    /// All errors are out of this frame: lemmas move up, and the next frame's turn comes.
    fn round_over(&mut self, turn: &mut Turn<'_, 'p>) -> Option<Progress> {
        self.obligations.clear();
        self.level += 1;
        if self.level > 1 {
            if let Err(stop) = self.propagate(turn) {
                return Some(Progress::Exhausted(Unknown::Stopped(stop)));
            }
            if let Some(level) = self.frames.fixed(self.level - 1) {
                return Some(self.conclude(turn, level));
            }
            self.leave(turn);
        }
        self.demand();
        None
    }

    /// Lets every lemma hold as high as it does.
    fn propagate(&mut self, turn: &mut Turn<'_, 'p>) -> Result<(), Stop> {
        for level in 1..self.level {
            for cutpoint in self.flow.order.clone() {
                for lemma in self.frames.lemmas(cutpoint).to_vec() {
                    if let Some(stop) = turn.budget.poll() {
                        return Err(stop);
                    }
                    if lemma.level == level && self.excluded(turn, cutpoint, &lemma.cube, level + 1)
                    {
                        self.frames.raise(cutpoint, lemma.term, level + 1);
                    }
                }
            }
        }
        Ok(())
    }

    /// Nothing leaves the frame of this number.
    fn conclude(&mut self, turn: &mut Turn<'_, 'p>, level: u32) -> Progress {
        let mut cases = Vec::new();
        for cutpoint in self.steps.blocks.cutpoints() {
            let facts = turn.known.facts(cutpoint).iter().map(|f| f.term);
            let mut all: Vec<_> = facts.chain(self.frames.says(cutpoint, level)).collect();
            all.sort_unstable();
            all.dedup();
            let nobody = all.contains(&turn.terms.fals());
            cases.push(if nobody { Vec::new() } else { vec![all] });
        }
        let mut claim = Inductive::new(self.problem, self.steps, cases);
        let solver = self.engine.solver.clone();
        proved(
            self.problem,
            &solver,
            turn,
            &mut claim,
            &mut self.statistics,
        )
    }

    /// An obligation at the start is a path to the error: it is run.
    fn path_found(&mut self, turn: &mut Turn<'_, 'p>, number: usize) -> Option<Progress> {
        let path: Vec<BlockId> = self.obligations.path(number);
        let judging = &mut self.judging;
        judging.solver.reset();
        judging.solver.set_limit(Limit {
            resource: Some(PATH_RESOURCE),
            time: turn.budget.for_a_question(),
        });
        let judgement = judge(
            &self.problem.encoding,
            turn.terms,
            &self.steps.transitions,
            &self.steps.blocks,
            Suspect {
                path: &path,
                trapping: false,
            },
            &Precision::default(),
            judging,
        );
        self.statistics.solver_calls += 1;
        match judgement {
            Judgement::Undecided(reason) => Some(self.undecided(turn, reason, None)),
            Judgement::Real(real) => {
                let forest = &mut turn.known.forest;
                let test = match forest.test_along(turn.terms, &real) {
                    Ok(test) => test,
                    Err(reason) => return Some(self.undecided(turn, reason, None)),
                };
                let number = forest.add(test, turn.budget.remaining());
                self.statistics.tests += 1;
                match violated(forest) {
                    Some(verdict) => Some(verdict),
                    None => {
                        let reason = forest.why_not(number);
                        Some(self.undecided(turn, reason, None))
                    }
                }
            }
            // What single steps do not show, as that objects of different types lie apart, takes
            // facts of other sources.
            Judgement::Spurious { .. } => match self.learn_from(turn, &path) {
                0 => {
                    let reason = "no single step excludes a path that cannot be run".into();
                    Some(self.undecided(turn, reason, None))
                }
                _ => {
                    self.obligations.clear();
                    self.demand();
                    None
                }
            },
        }
    }
}
