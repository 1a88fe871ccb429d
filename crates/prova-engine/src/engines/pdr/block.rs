//! Excluding a cube from a frame, and growing it as long as the reason holds (Bradley, §5: what the
//! core of the question does not need goes first, then one literal after another; then words:
//! literals are weakened).

use super::ask::Step;
use super::frames::before;
use super::weaken::weaker;
use super::{PdrSearch, GENERAL_RESOURCE, STEP_RESOURCE};
use crate::engine::Turn;
use crate::problem::blocks::{BlockId, Cutpoint};
use prova_logic::{Limit, Solver, Term};
use std::collections::BTreeSet;

/// Questions that one lemma may take to become more general.
const MOST_QUESTIONS: u32 = 40;

/// What came of trying to exclude a cube.
pub(super) enum Blocked {
    /// A lemma, and the highest frame it is known for.
    By(Vec<Term>, u32),
    /// States of a frame before a block step into the cube.
    From(BlockId, u32, Vec<Term>),
    /// The solver gave up.
    Undecided(String),
}

impl<'p> PdrSearch<'p> {
    /// Tries to exclude a cube from a frame at a cutpoint.
    pub(super) fn block(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        cutpoint: Cutpoint,
        cube: &[Term],
        level: u32,
    ) -> Blocked {
        let time = turn.budget.for_a_question();
        let limit = |resource| Limit {
            resource: Some(resource),
            time,
        };
        self.asking.solver.set_limit(limit(STEP_RESOURCE));
        let mut needed = BTreeSet::new();
        for block in self.flow.incoming[cutpoint.index()].clone() {
            let Some(from) = before(&self.flow, block, level) else {
                continue;
            };
            match self.step(turn, block, from, cube) {
                Step::Impossible(core) => needed.extend(core),
                Step::From(cube) => return Blocked::From(block, from, cube),
                Step::Undecided(reason) => return Blocked::Undecided(reason),
            }
        }
        self.asking.solver.set_limit(limit(GENERAL_RESOURCE));
        let mut cube: Vec<Term> = needed.into_iter().collect();
        self.grow(turn, cutpoint, &mut cube, level);
        let mut highest = level;
        while highest < self.level && self.excluded(turn, cutpoint, &cube, highest + 1) {
            highest += 1;
        }
        Blocked::By(cube, highest)
    }

    /// Whether no state of the frame before a block steps into a cube.
    fn step(&mut self, turn: &mut Turn<'_, 'p>, block: BlockId, from: u32, cube: &[Term]) -> Step {
        let source = self.flow.source(block);
        let facts = turn.known.facts(source).iter().map(|f| f.term);
        let mut facts: Vec<Term> = facts.chain(self.frames.says(source, from)).collect();
        if facts.contains(&turn.terms.fals()) {
            return Step::Impossible(Vec::new());
        }
        // Round a loop of one block the lemma may rest on itself.
        if source == self.flow.target(block) {
            let all = turn.terms.and(cube);
            facts.push(turn.terms.not(all));
        }
        self.asking.step(turn.terms, &facts, block, cube)
    }

    /// Whether a cube is known to be out of a frame, as the questions are limited now.
    pub(super) fn excluded(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        cutpoint: Cutpoint,
        cube: &[Term],
        level: u32,
    ) -> bool {
        let incoming = self.flow.incoming[cutpoint.index()].clone();
        incoming.into_iter().all(|block| {
            let Some(from) = before(&self.flow, block, level) else {
                return true;
            };
            let step = self.step(turn, block, from, cube);
            matches!(step, Step::Impossible(_))
        })
    }

    /// Drops and weakens literals as long as the cube stays out of the frame.
    fn grow(
        &mut self,
        turn: &mut Turn<'_, 'p>,
        cutpoint: Cutpoint,
        cube: &mut Vec<Term>,
        level: u32,
    ) {
        let mut questions = MOST_QUESTIONS;
        let mut at = 0;
        while at < cube.len() && cube.len() > 1 && questions > 0 {
            questions -= 1;
            let mut fewer = cube.clone();
            fewer.remove(at);
            match self.excluded(turn, cutpoint, &fewer, level) {
                true => *cube = fewer,
                false => at += 1,
            }
        }
        for literal in cube.clone() {
            for weaker in weaker(turn.terms, literal) {
                if questions == 0 {
                    return;
                }
                questions -= 1;
                let mut more = cube.clone();
                more.retain(|&t| t != literal);
                if let Err(place) = more.binary_search(&weaker) {
                    more.insert(place, weaker);
                }
                if self.excluded(turn, cutpoint, &more, level) {
                    *cube = more;
                    break;
                }
            }
        }
    }
}
