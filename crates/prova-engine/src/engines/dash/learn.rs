//! Facts for all runs, from the sources of [`crate::generalise`]: before the search, and when a
//! cutpoint keeps being split (seed 000 §5 leaves the hook open).

use super::{Search, QUERY_RESOURCE};
use crate::knowledge::sources::intervals::Facts;
use crate::knowledge::sources::path::Path;
use crate::knowledge::sources::states::Tests;
use crate::knowledge::sources::{Generalise, View};
use crate::knowledge::{learn, Learned};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::proof::recheck;
use crate::testing::rounds;
use prova_exec::{Policy, Test};
use prova_logic::{new_solver, Answer, Limit, Solver, Term};

/// Solver calls that one search for invariants may take, besides one per iteration so far.
const LEARNING_CALLS: u64 = 100;
/// Solver calls for the facts of the abstract interpretation.
const FACT_CALLS: u64 = 600;
/// Larger programs, in blocks, are not interpreted abstractly.
const MOST_BLOCKS: usize = 400;
/// Random tests before candidates are mined: they refute what only looks like an invariant.
const KILLING_TESTS: u64 = 3;
/// Facts shown by `--explain` at a time.
const SHOWN: usize = 12;

impl Search<'_> {
    /// Facts that hold whatever the search finds.
    pub(super) fn interpret(&mut self) {
        if self.dash.sources.ai && self.blocks.blocks.len() <= MOST_BLOCKS {
            self.take_in(&mut [&mut Facts], FACT_CALLS);
        }
    }

    /// A cutpoint keeps being split: look for invariants in the states that tests have been in,
    /// and along the paths that cannot be run.
    pub(super) fn learn(&mut self) {
        self.patience *= 2;
        let calls = LEARNING_CALLS + self.statistics.iterations;
        let mut sources: Vec<&mut dyn Generalise> = Vec::new();
        let (mut path, mut tests) = (Path, Tests);
        if self.dash.sources.path {
            sources.push(&mut path);
        }
        if self.dash.sources.tests {
            self.go_round();
            for i in 0..KILLING_TESTS {
                let seed = self
                    .seed
                    .wrapping_add(1000 + self.statistics.learning_calls + i);
                self.add_test(Test {
                    rest: Policy::SeededInputs(seed),
                    ..Test::default()
                });
            }
            sources.push(&mut tests);
        }
        if sources.is_empty() || self.violation.is_some() {
            return;
        }
        if self.take_in(&mut sources, calls) == 0 {
            self.patience *= 2;
        } else if self.facts_suffice() {
            self.begin_again();
        }
    }

    /// A solver whose questions are not to take long.
    fn learning_solver(&self) -> Option<Box<dyn Solver>> {
        let mut solver = new_solver(&self.dash.solver).ok()?;
        solver.set_limit(Limit {
            resource: Some(QUERY_RESOURCE / 10),
            time: self.budget.remaining(),
        });
        Some(solver)
    }

    /// Whether no step leads from where the facts hold to an error.
    fn facts_suffice(&mut self) -> bool {
        let Some(mut solver) = self.learning_solver() else {
            return false;
        };
        let began = std::time::Instant::now();
        let suffice = (0..self.blocks.blocks.len()).all(|i| {
            let id = BlockId(i as u32);
            let block = self.blocks.block(id);
            if !self.blocks.errors.contains(&block.target) {
                return true;
            }
            let facts = self.facts[block.source.index()].clone();
            let step = recheck::step_possible(
                self.encoding,
                &mut self.transitions,
                &mut *solver,
                &facts,
                id,
                &[Vec::new()],
            );
            self.statistics.learning_calls += 1;
            step == Answer::Unsat
        });
        self.statistics.solver_time += solver.statistics().time;
        self.statistics.learning_time += began.elapsed();
        suffice
    }

    /// The facts are the proof: what the search split before only makes it larger.
    fn begin_again(&mut self) {
        self.graph = self.blocks.regions();
        self.undecided.clear();
        let facts = self.facts.clone();
        for (index, facts) in facts.iter().enumerate() {
            self.strengthen(Cutpoint(index as u32), facts);
        }
        let no = self.transitions.terms.fals();
        for &error in &self.blocks.errors.clone() {
            self.strengthen(error, &[no]);
        }
        for test in 0..self.forest.count() {
            self.place_states(test);
        }
        if self.observer.explains() {
            self.observer.explain(
                "       these facts keep every run from the errors: begun again with them",
            );
        }
    }

    fn strengthen(&mut self, cutpoint: Cutpoint, facts: &[Term]) {
        if facts.is_empty() {
            return;
        }
        let predicate = self.transitions.terms.and(facts);
        let negation = self.transitions.terms.not(predicate);
        self.graph
            .strengthen(cutpoint, predicate, facts, negation, &mut self.transitions);
    }

    /// Goes round the loop that is split most, the ways that tests have gone, for long.
    fn go_round(&mut self) {
        let counts = self.split_counts.iter().enumerate();
        let Some((most, _)) = counts.rev().max_by_key(|(_, &count)| count) else {
            return;
        };
        let Some(location) = self.blocks.locations[most] else {
            return;
        };
        for test in self.forest.rounds(self.prepared.entry(), location) {
            let time = self.budget.remaining();
            let added = self.forest.add_within(test, rounds::STEPS, time);
            self.place(added);
        }
    }

    /// Strengthens the abstraction by what sources propose and steps preserve. Gives the number
    /// of new facts.
    fn take_in(&mut self, sources: &mut [&mut dyn Generalise], mut calls: u64) -> usize {
        let Some(mut solver) = self.learning_solver() else {
            return 0;
        };
        let began = std::time::Instant::now();
        let budget = self.budget;
        let mut view = View {
            encoding: self.encoding,
            transitions: &mut self.transitions,
            blocks: &self.blocks,
            graph: &self.graph,
            forest: &self.forest,
            solver: &mut *solver,
        };
        // Counted in calls, not in seconds: the same input takes the same way every time.
        let learned = learn(&mut view, sources, || {
            calls = calls.saturating_sub(1);
            calls == 0 || budget.poll().is_some()
        });
        self.statistics.learning_calls += learned.kept.calls;
        self.statistics.candidates += learned.candidates;
        self.statistics.solver_time += solver.statistics().time;
        self.statistics.learning_time += began.elapsed();
        let mut new_facts: Vec<(Cutpoint, Term)> = Vec::new();
        for (index, facts) in learned.kept.invariants.iter().enumerate() {
            let cutpoint = Cutpoint(index as u32);
            let known = |f: &Term| {
                self.graph
                    .regions_at(cutpoint)
                    .all(|r| self.graph.region(r).facts.binary_search(f).is_ok())
            };
            let new: Vec<Term> = facts.iter().copied().filter(|f| !known(f)).collect();
            new_facts.extend(new.iter().map(|&f| (cutpoint, f)));
            self.strengthen(cutpoint, &new);
            self.facts[index].extend(new);
        }
        self.statistics.learned += new_facts.len() as u64;
        self.explain_facts(&learned, &new_facts);
        new_facts.len()
    }

    fn explain_facts(&mut self, learned: &Learned, new: &[(Cutpoint, Term)]) {
        if !self.observer.explains() {
            return;
        }
        let mut lines = vec![format!(
            "       {} of {} candidates hold in all runs and are new ({} queries)",
            new.len(),
            learned.candidates,
            learned.kept.calls
        )];
        for &(cutpoint, fact) in new.iter().take(SHOWN) {
            let names = self.names();
            let place = match self.span_of(cutpoint) {
                None => "start".to_string(),
                Some(span) => names.place(span),
            };
            let source = learned.origin[&(cutpoint.index(), fact)];
            let text = names.predicate(fact);
            lines.push(format!("       {place} {text}, from {source}"));
        }
        if new.len() > SHOWN {
            lines.push(format!("       and {} more", new.len() - SHOWN));
        }
        for line in lines {
            self.observer.explain(&line);
        }
    }
}
