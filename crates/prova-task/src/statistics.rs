//! What a check took: counters that all engines have in common, and named ones of each.

use crate::effort::Refined;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a check took. Counts are reproducible; times are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Iterations of the main loop: frontiers extended or refined.
    pub iterations: u64,
    /// Solver calls of the main loop; one per iteration.
    pub solver_calls: u64,
    /// Solver calls spent on invariants from tests.
    pub learning_calls: u64,
    /// Facts learned for all runs.
    pub learned: u64,
    /// Candidates that were tried for such facts.
    pub candidates: u64,
    /// Time spent on finding and checking them.
    pub learning_time: Duration,
    /// Solver calls of the final check of a proof.
    pub certify_calls: u64,
    /// Time in the solver.
    pub solver_time: Duration,
    /// Tests run.
    pub tests: u64,
    /// States at cutpoints in the forest.
    pub forest_states: u64,
    /// Regions at the end.
    pub regions: u64,
    /// Splits.
    pub splits: u64,
    /// Locations of the analysed procedure.
    pub locations: u64,
    /// The places that were split most, most often first.
    pub refined: Vec<Refined>,
    /// Peak resident memory in bytes.
    pub peak_memory: u64,
    /// Whole time.
    pub time: Duration,
    /// What an engine counts of its own, by name.
    pub counters: BTreeMap<&'static str, u64>,
}

impl Statistics {
    /// What an engine counted under a name.
    pub fn counter(&self, name: &str) -> u64 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    /// Counts.
    pub fn count(&mut self, name: &'static str, by: u64) {
        *self.counters.entry(name).or_default() += by;
    }

    /// Keeps the larger value.
    pub fn at_least(&mut self, name: &'static str, value: u64) {
        let largest = self.counters.entry(name).or_default();
        *largest = value.max(*largest);
    }

    /// Sets a value.
    pub fn set(&mut self, name: &'static str, value: u64) {
        self.counters.insert(name, value);
    }

    /// Adds the time that another search took, and what it did besides its own iterations.
    pub fn add_time_of(&mut self, other: &Statistics) {
        self.solver_time += other.solver_time;
        self.learning_time += other.learning_time;
        self.learning_calls += other.learning_calls;
        self.candidates += other.candidates;
    }
}
