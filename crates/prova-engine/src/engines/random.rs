//! Random testing: the smallest engine there is, and the example of `CONTRIBUTING.md`.
//!
//! It runs the program on inputs from seeds, one after another, and keeps the runs that go where
//! none went before, so that engines whose turn comes later have them. It never proves anything:
//! that a program reads no input, so that one run is all there is, is for others to prove.

use crate::engine::{Engine, Progress, Search, Turn};
use crate::problem::Problem;
use crate::proof::conclude::violated;
use prova_exec::{Policy, Test};
use prova_ir::{EdgeId, ProcId};
use prova_logic::Terms;
use prova_task::{Statistics, Unknown};
use rustc_hash::FxHashSet;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

/// Its search: which seeds were used, and which edges were taken.
struct RandomSearch {
    covered: FxHashSet<(ProcId, EdgeId)>,
    statistics: Statistics,
}

impl Engine for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn takes_procedures(&self) -> bool {
        true
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        _: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        Ok(Box::new(RandomSearch {
            covered: FxHashSet::default(),
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

impl<'p> Search<'p> for RandomSearch {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        let quota = turn.quota.iterations_over(self.statistics.locations);
        let last = self.statistics.iterations.saturating_add(quota);
        while self.statistics.iterations < last {
            if let Some(verdict) = violated(&turn.known.forest) {
                return verdict;
            }
            if let Some(stop) = turn.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            if !turn.known.forest.reads_inputs(0) {
                return Progress::Exhausted(Unknown::Undecided {
                    edges: 0,
                    reason: "the program reads no input: no other test can be run".into(),
                    span: None,
                });
            }
            self.statistics.iterations += 1;
            self.statistics.tests += 1;
            let seed = self.statistics.iterations.wrapping_mul(0x9e37_79b9);
            let test = Test {
                rest: Policy::SeededInputs(turn.known.seed.wrapping_add(seed)),
                ..Test::default()
            };
            let covered = &mut self.covered;
            let time = turn.budget.remaining();
            turn.known.forest.add_where(test, time, |run| {
                let places = run.path().filter_map(|(_, p)| Some((p.proc, p.edge?)));
                // Not `any`: all of them are noted.
                places.filter(|place| covered.insert(*place)).count() > 0
            });
            turn.observer.progress(&self.statistics);
        }
        Progress::Working
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}
