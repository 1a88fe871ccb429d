//! Tests that go on as others began: the inputs of one round of a loop, given again and again.
//!
//! An error far behind a counter is met backwards one value at a time, while a test that takes
//! the same way round the loop passes all of them in one run (the rare path of Yorsh, Ball and
//! Sagiv, *Testing, Abstraction, Theorem Proving: Better Together!*, Figure 6). Such tests know nothing of the error; they only save the search the counting.

use crate::testing::forest::Forest;
use prova_exec::{Policy, Test};
use prova_ir::{LocId, ProcId};
use rustc_hash::FxHashSet;

/// Different ways round a loop that are repeated.
const MOST_ROUNDS: usize = 6;
/// Rounds of one test that are looked at.
const LOOKED_AT: usize = 64;
/// Steps of a round that is worth repeating.
const LONGEST_ROUND: u32 = 500;
/// Inputs of a test that repeats a round.
const MOST_INPUTS: usize = 4_000;
/// Steps of such a test: every branch on its inputs is a constraint on its path.
pub const STEPS: u64 = 20_000;

impl Forest<'_> {
    /// A test for each way round a location that some test took and that reads inputs.
    pub fn rounds(&self, procedure: ProcId, location: LocId) -> Vec<Test> {
        let mut ways: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut found = Vec::new();
        for entry in &self.entries {
            let run = &entry.run;
            let visits = run.visits(procedure, location);
            for pair in visits.windows(2).take(LOOKED_AT) {
                let (from, to) = (pair[0], pair[1]);
                let first = run.inputs.partition_point(|i| i.step < from);
                let last = run.inputs.partition_point(|i| i.step < to);
                if first == last || to - from > LONGEST_ROUND {
                    continue;
                }
                let way: Vec<u32> = (from..to).filter_map(|s| run.position_at(s)).collect();
                if !ways.insert(way) {
                    continue;
                }
                let read: Vec<u128> = run.inputs[..last].iter().map(|i| i.value).collect();
                let again = read[first..].to_vec();
                let more = MOST_INPUTS.saturating_sub(last);
                let mut test = run.test.clone();
                test.values = read;
                test.values.extend(again.into_iter().cycle().take(more));
                test.rest = Policy::Zero;
                found.push(test);
                if found.len() == MOST_ROUNDS {
                    return found;
                }
            }
        }
        found
    }
}
