//! Facts: those of others to begin with, those that a path asks for, and the lemmas that hold in all
//! runs, left for whoever comes next.

use super::PdrSearch;
use crate::engine::Turn;
use crate::knowledge::sources::intervals::Facts;
use crate::knowledge::sources::path::Path;
use crate::knowledge::sources::states::Tests;
use crate::knowledge::sources::{Generalise, View};
use crate::knowledge::Request;
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::names::Names;
use prova_logic::{new_solver, Limit, Term};

/// Solver calls for the facts of the abstract interpretation.
const FACT_CALLS: u64 = 600;
/// And for lemmas and what a path asks for.
const LEMMA_CALLS: u64 = 200;
/// Larger programs, in blocks, are not interpreted abstractly.
const MOST_BLOCKS: usize = 400;
/// The limit of one question.
const RESOURCE: u64 = 2_000_000;

/// Lemmas as candidates: are they inductive together?
struct Lemmas(Vec<Vec<Term>>);

impl Generalise for Lemmas {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn candidates(&mut self, _: &mut View) -> Vec<Vec<Term>> {
        std::mem::take(&mut self.0)
    }
}

impl<'p> PdrSearch<'p> {
    /// What the abstract interpretation knows, if nobody asked it.
    pub(super) fn interpret(&mut self, turn: &mut Turn<'_, 'p>) {
        let small = self.steps.blocks.blocks.len() <= MOST_BLOCKS;
        if self.engine.sources.ai && small && turn.known.count() == 0 {
            self.take_in(turn, &mut [&mut Facts], None, FACT_CALLS);
        }
    }

    /// Leaves the lemmas that are inductive, and looks for facts in tests now and then.
    pub(super) fn leave(&mut self, turn: &mut Turn<'_, 'p>) {
        let cutpoints = self.steps.blocks.cutpoints();
        let mut lemmas = Lemmas(
            cutpoints
                .map(|c| self.frames.says(c, self.level.min(2)).collect())
                .collect(),
        );
        let mut sources: Vec<&mut dyn Generalise> = vec![&mut lemmas];
        let mut tests = Tests;
        // At 2, 4, 8, …: what tests have in common takes long to judge.
        if self.engine.sources.tests && self.level.is_power_of_two() {
            sources.push(&mut tests);
        }
        self.take_in(turn, &mut sources, None, LEMMA_CALLS);
    }

    /// Facts along a path that no single step excludes. Gives their number.
    pub(super) fn learn_from(&mut self, turn: &mut Turn<'_, 'p>, path: &[BlockId]) -> usize {
        self.take_in(turn, &mut [&mut Path], Some(path), LEMMA_CALLS)
    }

    /// Asks sources, and gives the number of new facts.
    fn take_in(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        sources: &mut [&mut dyn Generalise],
        path: Option<&[BlockId]>,
        mut calls: u64,
    ) -> usize {
        let Ok(mut solver) = new_solver(&self.engine.solver) else {
            return 0;
        };
        let budget = turn.budget;
        solver.set_limit(Limit {
            resource: Some(RESOURCE),
            time: budget.for_a_question(),
        });
        let before = turn.known.count();
        let cutpoints = self.steps.blocks.cutpoints();
        let spoken: Vec<Term> = cutpoints
            .flat_map(|c| self.frames.says(c, 0).collect::<Vec<_>>())
            .collect();
        let request = Request {
            spoken: &spoken,
            path,
            solver: &mut *solver,
        };
        let learned = turn.known.learn(turn.terms, request, sources, || {
            calls = calls.saturating_sub(1);
            calls == 0 || budget.poll().is_some()
        });
        if let Ok(learned) = learned {
            self.statistics.learning_calls += learned.kept.calls;
            self.statistics.candidates += learned.candidates;
        }
        self.statistics.solver_time += solver.statistics().time;
        for cutpoint in self.steps.blocks.cutpoints() {
            let facts = turn.known.facts(cutpoint);
            let said = |lemma: Term| facts.iter().any(|f| f.term == lemma);
            self.frames.forget(cutpoint, said);
        }
        let new = turn.known.count() - before;
        self.statistics.learned += new as u64;
        if turn.observer.explains() && new > 0 {
            let line = format!("       {new} facts hold in all runs");
            turn.observer.explain(&line);
        }
        new
    }

    /// Says what was excluded.
    pub(super) fn explain_lemma(
        &self,
        turn: &mut Turn,
        cutpoint: Cutpoint,
        cube: &[Term],
        level: u32,
    ) {
        if !turn.observer.explains() {
            return;
        }
        let names = Names {
            prepared: &self.problem.prepared,
            terms: turn.terms,
        };
        let body = self.problem.prepared.body();
        let location = self.steps.blocks.locations[cutpoint.index()];
        let place = match location.map(|l| body.location(l).span) {
            None => "start".to_string(),
            Some(span) => names.place(span),
        };
        let line = format!(
            "{:>5}  {place} never {} within {level} of {} rounds",
            self.statistics.iterations,
            names.facts(cube),
            self.level
        );
        turn.observer.explain(&line);
    }
}
