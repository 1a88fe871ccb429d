//! Facts for all runs, from the sources of [`crate::knowledge::sources`]: before the search, and when a
//! cutpoint keeps being split (Gulavani et al., *SYNERGY: A New Algorithm for Property
//! Checking*, §5, leaves the hook open).

use super::{Work, QUERY_RESOURCE};
use crate::knowledge::sources::checked::Checked;
use crate::knowledge::sources::intervals::Facts;
use crate::knowledge::sources::path::Path;
use crate::knowledge::sources::stated::Stated;
use crate::knowledge::sources::states::Tests;
use crate::knowledge::sources::Generalise;
use crate::knowledge::{Learned, Request};
use crate::problem::blocks::Cutpoint;
use crate::problem::transitions::Exclusion;
use crate::proof::recheck::step_possible;
use crate::regions::graph::MAIN;
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

impl Work<'_, '_> {
    /// Facts that hold whatever the search finds.
    pub(super) fn interpret(&mut self) {
        if std::mem::replace(&mut self.own.interpreted, true) {
            return;
        }
        if self.own.dash.sources.ai && self.steps.blocks.blocks.len() <= MOST_BLOCKS {
            let new = self.take_in(&mut [&mut Facts, &mut Stated], FACT_CALLS);
            if new > 0 && self.facts_suffice() {
                self.begin_again();
            }
        }
    }

    /// A cutpoint keeps being split: look for invariants in the states that tests have been in,
    /// and along the paths that cannot be run.
    pub(super) fn learn(&mut self) {
        self.own.patience *= 2;
        let calls = LEARNING_CALLS + self.own.statistics.iterations;
        let mut sources: Vec<&mut dyn Generalise> = Vec::new();
        let (mut path, mut tests, mut stated) = (Path, Tests, Stated);
        if self.own.dash.sources.path {
            sources.push(&mut path);
        }
        if self.own.dash.sources.tests {
            self.go_round();
            for i in 0..KILLING_TESTS {
                let seed = self
                    .known
                    .seed
                    .wrapping_add(1000 + self.own.statistics.learning_calls + i);
                self.add_test(Test {
                    rest: Policy::SeededInputs(seed),
                    ..Test::default()
                });
            }
            sources.push(&mut tests);
        }
        if sources.is_empty() || self.known.forest.failing().is_some() {
            return;
        }
        // Few and likely: they are judged by themselves.
        if self.own.dash.sources.tests
            && self.take_in(&mut [&mut Checked], calls) > 0
            && self.facts_suffice()
        {
            self.begin_again();
            return;
        }
        sources.push(&mut stated);
        if self.take_in(&mut sources, calls) == 0 {
            self.own.patience *= 2;
        } else if self.facts_suffice() {
            self.begin_again();
        }
    }

    /// A solver whose questions are not to take long.
    fn learning_solver(&self) -> Option<Box<dyn Solver>> {
        let mut solver = new_solver(&self.own.dash.solver).ok()?;
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
        let blocks = &self.steps.blocks;
        let suffice = blocks.ids().all(|id| {
            let block = blocks.block(id);
            if !blocks.errors.contains(&block.target) {
                return true;
            }
            let facts: Vec<Term> = self.facts(block.source);
            self.own.statistics.learning_calls += 1;
            let step = step_possible(
                self.encoding,
                self.terms,
                self.transitions,
                &mut *solver,
                &facts,
                id,
                &[Vec::new()],
            );
            step == Answer::Unsat
        });
        self.own.statistics.solver_time += solver.statistics().time;
        self.own.statistics.learning_time += began.elapsed();
        suffice
    }

    fn facts(&self, cutpoint: Cutpoint) -> Vec<Term> {
        let facts = self.known.facts(cutpoint).iter();
        facts.map(|f| f.term).collect()
    }

    /// Tells the graph what has come to be known, whoever found it; says how much of it is new.
    pub(super) fn take_facts(&mut self) -> Vec<(Cutpoint, Term)> {
        let mut all_new = Vec::new();
        for cutpoint in self.steps.blocks.cutpoints() {
            let facts = self.facts(cutpoint);
            let taken = std::mem::replace(&mut self.own.taken[cutpoint.index()], facts.len());
            let graph = &self.own.graph;
            let known = |f: &Term| {
                let mut regions = graph.regions_at(MAIN, cutpoint);
                regions.all(|r| graph.region(r).facts.binary_search(f).is_ok())
            };
            let new: Vec<Term> = facts[taken..]
                .iter()
                .copied()
                .filter(|f| !known(f))
                .collect();
            self.strengthen(cutpoint, &new);
            all_new.extend(new.into_iter().map(|f| (cutpoint, f)));
        }
        all_new
    }

    /// The facts are the proof: what the search split before only makes it larger.
    fn begin_again(&mut self) {
        self.own.graph = super::coarsest(self.own.problem, self.steps);
        self.own.undecided.clear();
        for cutpoint in self.steps.blocks.cutpoints() {
            let facts = self.facts(cutpoint);
            self.strengthen(cutpoint, &facts);
        }
        let no = self.terms.fals();
        for &error in &self.steps.blocks.errors {
            self.strengthen(error, &[no]);
        }
        for test in 0..self.known.forest.count() {
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
        let predicate = self.terms.and(facts);
        let negation = self.terms.not(predicate);
        let mut oracle = Exclusion {
            terms: &mut *self.terms,
            transitions: self.transitions,
        };
        let graph = &mut self.own.graph;
        graph.strengthen(cutpoint, (predicate, negation), facts, &mut oracle);
    }

    /// Goes round the loop that is split most, the ways that tests have gone, for long.
    fn go_round(&mut self) {
        let counts = self.own.split_counts.iter().enumerate();
        let Some((most, _)) = counts.rev().max_by_key(|(_, &count)| count) else {
            return;
        };
        let Some(location) = self.steps.blocks.locations[most] else {
            return;
        };
        for test in self.known.forest.rounds(self.prepared.entry(), location) {
            let time = self.budget.remaining();
            self.known.forest.add_within(test, rounds::STEPS, time);
            self.place_tests();
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
        let graph = &self.own.graph;
        let regions = self
            .steps
            .blocks
            .cutpoints()
            .flat_map(|c| graph.regions_at(MAIN, c));
        let spoken: Vec<Term> = regions
            .flat_map(|r| graph.region(r).facts.clone())
            .collect();
        let path = graph.shortest_path();
        let request = Request {
            spoken: &spoken,
            path: path.as_deref(),
            solver: &mut *solver,
        };
        // Counted in calls, not in seconds: the same input takes the same way every time.
        let learned = self.known.learn(self.terms, request, sources, || {
            calls = calls.saturating_sub(1);
            calls == 0 || budget.poll().is_some()
        });
        let Ok(learned) = learned else { return 0 };
        self.own.statistics.learning_calls += learned.kept.calls;
        self.own.statistics.candidates += learned.candidates;
        self.own.statistics.solver_time += solver.statistics().time;
        self.own.statistics.learning_time += began.elapsed();
        let new_facts = self.take_facts();
        self.own.statistics.learned += new_facts.len() as u64;
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
