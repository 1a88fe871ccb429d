//! `RefineWithGeneralization` (line 35 of Figure 2, section 5): facts for all runs, where preimages
//! alone would split a place for ever.
//!
//! The authors leave open what it is and take a widening of their own; here it asks the sources of
//! the house ([`crate::knowledge::sources`]), and Houdini keeps what is inductive. It is called when a
//! place keeps being split, each time twice as late as the time before.

use super::Work;
use crate::knowledge::sources::intervals::Facts;
use crate::knowledge::sources::path::Path;
use crate::knowledge::sources::states::Tests;
use crate::knowledge::sources::Generalise;
use crate::knowledge::Request;
use crate::problem::blocks::Cutpoint;
use crate::problem::transitions::Exclusion;
use crate::problem::Steps;
use crate::regions::graph::MAIN;
use prova_exec::{Policy, Test};
use prova_logic::{new_solver, Limit, Term};

/// A place that was split this often makes the search look for facts.
const FIRST_PATIENCE: u32 = 8;
/// Solver calls of one search for facts, besides one for each iteration so far.
const CALLS: u64 = 400;
/// The limit of each of them, in the solver's units.
const RESOURCE: u64 = 2_000_000;
/// Random tests beforehand: they refute what only looks like an invariant.
const KILLING_TESTS: u64 = 3;

/// What is remembered between calls.
pub(super) struct State {
    /// Splits by cutpoint.
    splits: Vec<u32>,
    /// How often a cutpoint has to be split before facts are sought again.
    patience: u32,
    /// Facts that the graph has been told, by cutpoint.
    taken: Vec<usize>,
}

impl State {
    pub(super) fn new(steps: &Steps) -> State {
        let places = steps.blocks.locations.len();
        State {
            splits: vec![0; places],
            patience: FIRST_PATIENCE,
            taken: vec![0; places],
        }
    }
}

impl Work<'_, '_> {
    pub(super) fn refine_with_generalisation(&mut self, cutpoint: Cutpoint) {
        let sources = self.own.synergy.sources;
        let state = &mut self.own.generalised;
        state.splits[cutpoint.index()] += 1;
        let wanted = sources.path || sources.tests || sources.ai;
        if !wanted || state.splits[cutpoint.index()] < state.patience {
            return;
        }
        state.patience *= 2;
        let began = std::time::Instant::now();
        let (mut path, mut tests, mut facts) = (Path, Tests, Facts);
        let mut asked: Vec<&mut dyn Generalise> = Vec::new();
        if sources.path {
            asked.push(&mut path);
        }
        if sources.ai {
            asked.push(&mut facts);
        }
        if sources.tests {
            for i in 0..KILLING_TESTS {
                let seed = 1000 + self.own.statistics.learning_calls + i;
                let test = Test {
                    rest: Policy::SeededInputs(self.known.seed.wrapping_add(seed)),
                    ..Test::default()
                };
                self.known.forest.add(test, self.budget.remaining());
            }
            self.place_tests();
            asked.push(&mut tests);
        }
        if self.known.forest.failing().is_none() {
            self.learn(&mut asked);
        }
        self.own.statistics.learning_time += began.elapsed();
    }

    fn learn(&mut self, sources: &mut [&mut dyn Generalise]) {
        let Ok(mut solver) = new_solver(&self.own.synergy.solver) else {
            return;
        };
        solver.set_limit(Limit {
            resource: Some(RESOURCE),
            time: self.budget.remaining(),
        });
        let graph = &self.own.graph;
        let places = self.steps.blocks.cutpoints();
        let regions = places.flat_map(|c| graph.regions_at(MAIN, c));
        let spoken: Vec<Term> = regions
            .flat_map(|r| graph.region(r).facts.iter().copied())
            .collect();
        let path = graph.shortest_path();
        let request = Request {
            spoken: &spoken,
            path: path.as_deref(),
            solver: &mut *solver,
        };
        // Counted in calls, not in seconds: the same input takes the same way every time.
        let mut calls = CALLS + self.own.statistics.iterations;
        let budget = self.budget;
        let learned = self.known.learn(self.terms, request, sources, || {
            calls = calls.saturating_sub(1);
            calls == 0 || budget.poll().is_some()
        });
        if let Ok(learned) = learned {
            self.own.statistics.learning_calls += learned.kept.calls;
            self.own.statistics.candidates += learned.candidates;
            self.own.statistics.learned += self.take_facts();
        }
    }

    /// Tells the graph what has come to be known, whoever found it; says how much of it is new.
    pub(super) fn take_facts(&mut self) -> u64 {
        let mut new = 0;
        for cutpoint in self.steps.blocks.cutpoints() {
            let facts = self.known.facts(cutpoint).iter().map(|f| f.term);
            let facts: Vec<Term> = facts.collect();
            let taken = &mut self.own.generalised.taken[cutpoint.index()];
            let told = std::mem::replace(taken, facts.len());
            let facts = &facts[told..];
            if facts.is_empty() {
                continue;
            }
            new += facts.len() as u64;
            let predicate = self.terms.and(facts);
            let negation = self.terms.not(predicate);
            let mut oracle = Exclusion {
                terms: &mut *self.terms,
                transitions: &self.steps.transitions,
            };
            let graph = &mut self.own.graph;
            graph.strengthen(cutpoint, (predicate, negation), facts, &mut oracle);
        }
        new
    }
}
