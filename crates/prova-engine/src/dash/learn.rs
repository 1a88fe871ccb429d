//! When a cutpoint keeps being split: invariants from the states that tests have been in
//! (seed 000 §5 leaves the hook open).

use super::graph::Cutpoint;
use super::{Search, QUERY_RESOURCE};
use prova_logic::{new_solver, Limit, Term};

/// Solver calls that one search for invariants may take, besides two per iteration so far.
const LEARNING_CALLS: u64 = 150;

impl Search<'_> {
    /// A cutpoint keeps being split: look for invariants in the states that tests have been in.
    pub(super) fn learn(&mut self) {
        self.patience *= 2;
        let Ok(mut solver) = new_solver(&self.dash.solver) else {
            return;
        };
        solver.set_limit(Limit {
            resource: Some(QUERY_RESOURCE / 10),
            time: self.budget.remaining(),
        });
        // Counted in calls, not in seconds: the same input takes the same way every time.
        let mut calls = LEARNING_CALLS + 2 * self.statistics.iterations;
        let budget = self.budget;
        let kept = crate::generalise::learn(
            self.encoding,
            &mut self.transitions,
            &self.blocks,
            &self.graph,
            &self.forest,
            &mut *solver,
            || {
                calls = calls.saturating_sub(1);
                calls == 0 || budget.poll().is_some()
            },
        );
        self.statistics.learning_calls += kept.calls;
        self.statistics.solver_time += solver.statistics().time;
        let mut learned = 0;
        for (index, facts) in kept.invariants.iter().enumerate() {
            let cutpoint = Cutpoint(index as u32);
            let known = |f: &Term| {
                self.graph
                    .regions_at(cutpoint)
                    .all(|r| self.graph.region(r).facts.binary_search(f).is_ok())
            };
            let new: Vec<Term> = facts.iter().copied().filter(|f| !known(f)).collect();
            if new.is_empty() {
                continue;
            }
            learned += new.len();
            let predicate = self.transitions.terms.and(&new);
            let negation = self.transitions.terms.not(predicate);
            self.graph
                .strengthen(cutpoint, predicate, &new, negation, &mut self.transitions);
        }
        self.statistics.learned += learned as u64;
        if learned == 0 {
            self.patience *= 2;
        }
        if self.observer.explains() {
            let line = format!(
                "       learned {learned} facts from tests ({} queries)",
                kept.calls
            );
            self.observer.explain(&line);
        }
    }
}
