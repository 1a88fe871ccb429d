//! Fuzzing as an engine: a campaign (`prova-fuzz`) on the prepared program, beginning with the tests
//! that are known. Tests that take new edges of the program, or come nearer to an error, are run once
//! more with history and enter the forest, so that every other engine goes on from them. It never
//! proves anything.
//!
//! Böhme, Pham, Roychoudhury: Coverage-based Greybox Fuzzing as Markov Chain (CCS 2016); comparisons
//! as in Aschermann, Schumilo, Blazytko, Gawlik, Holz: REDQUEEN (NDSS 2019).

use crate::engine::{Engine, Progress, Search, Turn};
use crate::problem::Problem;
use crate::proof::conclude::violated;
use prova_exec::{run_plain, Limits, Policy, RunEnd, Test};
use prova_fuzz::{Campaign, Candidate, Find};
use prova_ir::{EdgeId, ProcId, UNMODELLED};
use prova_logic::Terms;
use prova_task::{Statistics, Unknown};
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex};

/// Steps between two looks at the budget and the finds.
const ROUND: u64 = 1_000_000;
/// Tests that enter the forest in a turn: each costs every engine something.
const MOST_KEPT: usize = 8;

/// Steps of a long run, and how many are run: errors behind loops of a hundred thousand rounds need
/// nothing but patience. A turn has to be as long as this.
const LONG: u64 = 20_000_000;
const LONG_RUNS: u64 = 2;

/// The tests that a campaign kept so far, for who wants to write them down.
pub type Kept = Arc<Mutex<Vec<Candidate>>>;

/// The engine.
#[derive(Clone, Debug, Default)]
pub struct Fuzz {
    /// Tests to begin with, beside those that are known.
    pub seeds: Vec<Candidate>,
    /// Where the tests go that it keeps.
    pub kept: Option<Kept>,
}

struct FuzzSearch {
    engine: Fuzz,
    campaign: Option<Campaign>,
    /// How many tests of the forest the campaign was offered.
    offered: u32,
    /// Whether the long runs are behind us.
    patient: bool,
    covered: FxHashSet<(ProcId, EdgeId)>,
    statistics: Statistics,
}

impl Engine for Fuzz {
    fn name(&self) -> &'static str {
        "fuzz"
    }

    fn takes_procedures(&self) -> bool {
        true
    }

    fn begin<'p>(
        &self,
        problem: &'p Problem,
        _: &mut Terms,
    ) -> Result<Box<dyn Search<'p> + 'p>, Unknown> {
        Ok(Box::new(FuzzSearch {
            engine: self.clone(),
            campaign: None,
            offered: 0,
            patient: false,
            covered: FxHashSet::default(),
            statistics: Statistics {
                locations: problem.locations(),
                ..Statistics::default()
            },
        }))
    }
}

impl<'p> Search<'p> for FuzzSearch {
    fn advance(&mut self, turn: &mut Turn<'_, 'p>) -> Progress {
        turn.known.begin(turn.budget);
        if let Some(verdict) = violated(&turn.known.forest) {
            return verdict;
        }
        if !turn.known.forest.reads_inputs(0) && !turn.known.forest.has_fills(0) {
            return Progress::Exhausted(Unknown::Undecided {
                edges: 0,
                reason: "the program reads no input: no other test can be run".into(),
                span: None,
            });
        }
        if turn.quota.steps >= LONG && !std::mem::replace(&mut self.patient, true) {
            self.long_runs(turn);
            if let Some(verdict) = violated(&turn.known.forest) {
                return verdict;
            }
        }
        let mut campaign = self.campaign.take().unwrap_or_else(|| {
            let mut campaign = Campaign::new(turn.known.forest.code(), turn.known.seed);
            campaign.offer(self.engine.seeds.drain(..));
            campaign
        });
        let progress = self.go_on(&mut campaign, turn);
        if let Some(mut kept) = self.engine.kept.as_ref().and_then(|k| k.lock().ok()) {
            *kept = campaign.few();
        }
        self.campaign = Some(campaign);
        progress
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl FuzzSearch {
    /// Runs a few random tests to their end, where the first ones were stopped too early. They enter the
    /// forest only if they fail: what they read is too much for anybody to work with.
    fn long_runs(&mut self, turn: &mut Turn) {
        if !turn.known.forest.ran_out_of_steps() {
            return;
        }
        for number in 0..LONG_RUNS {
            let test = Test {
                rest: Policy::SeededInputs(turn.known.seed.wrapping_add(number)),
                ..Test::default()
            };
            let time = turn.budget.remaining();
            let limits = Limits {
                steps: LONG,
                time,
                ..Limits::default()
            };
            self.statistics.tests += 1;
            let code = turn.known.forest.code();
            let RunEnd::ErrorReached(at) = run_plain(code, &test, limits).end else {
                continue;
            };
            let body = code.program.procedure(at.proc).body.as_ref();
            let error = body.and_then(|b| b.error_at(at.location));
            if error.is_some_and(|e| e.property != UNMODELLED) {
                turn.known.forest.add_long(test, LONG, time);
                return;
            }
        }
    }

    fn go_on(&mut self, campaign: &mut Campaign, turn: &mut Turn) -> Progress {
        let tests = self.offered..turn.known.forest.count();
        campaign.offer(tests.map(|n| Candidate::of(&turn.known.forest.given(n))));
        let last = campaign.steps.saturating_add(turn.quota.steps);
        let mut kept = 0;
        while campaign.steps < last {
            if let Some(stop) = turn.budget.poll() {
                return Progress::Exhausted(Unknown::Stopped(stop));
            }
            let steps = ROUND.min(last - campaign.steps);
            let finds = campaign.advance(steps, || turn.budget.poll().is_some());
            for find in finds {
                if find.fails() || kept < MOST_KEPT {
                    kept += usize::from(self.keep(&find, turn));
                }
            }
            self.statistics.iterations = campaign.executions;
            self.statistics.tests = campaign.executions;
            turn.observer.progress(&self.statistics);
            if let Some(verdict) = violated(&turn.known.forest) {
                return verdict;
            }
        }
        self.offered = turn.known.forest.count();
        Progress::Working
    }

    /// Lets the forest have a test that takes a new edge, comes nearer to an error, or fails.
    fn keep(&mut self, find: &Find, turn: &mut Turn) -> bool {
        let covered = &mut self.covered;
        let wanted = find.nearer || find.fails();
        let time = turn.budget.remaining();
        let test = find.candidate.test();
        let added =
            turn.known
                .forest
                .add_where_within(test, prova_fuzz::campaign::STEPS, time, |run| {
                    let places = run.path().filter_map(|(_, p)| Some((p.proc, p.edge?)));
                    // Not `any`: all of them are noted.
                    places.filter(|place| covered.insert(*place)).count() > 0 || wanted
                });
        added.is_some()
    }
}
