//! Which predicates belong to which cutpoint (§6, *predicate inference*): a branch condition that
//! was chosen belongs where the branch is; before each block that leads there, what must hold for
//! it to hold there, and so on backwards.
//!
//! A condition about a counter has ever new preconditions round a loop. Only the first few are
//! taken: the model is right for any predicates, only less precise for fewer.

use super::program::Component;
use prova_engine::interpolation::lasting;
use prova_engine::problem::blocks::Cutpoint;
use prova_logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::rc::Rc;

/// Preconditions of one condition at one cutpoint.
const FEW: usize = 4;
/// Predicates at a cutpoint: enough for a loop round a switch with as many cases.
pub const MOST: usize = 512;
/// A condition that was needed in so many places is taken wherever it is asked: else a program that
/// asks it in a thousand places takes hundreds of iterations.
const OFTEN: usize = 3;
/// Larger conditions are not taken apart.
const LARGE: usize = 400;

/// A condition and where it belongs.
pub type Seed = (Cutpoint, Term);

/// Predicates by cutpoint.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Predicates {
    /// Shared with those that were chosen before, where nothing was added.
    at: Vec<Rc<Vec<Term>>>,
    /// The conditions that were chosen.
    pub seeds: Vec<Seed>,
}

impl Predicates {
    /// None, for a component.
    pub fn none(component: &Component) -> Predicates {
        Predicates {
            at: vec![Rc::default(); component.steps.blocks.locations.len()],
            seeds: Vec::new(),
        }
    }

    /// The predicates at a cutpoint.
    pub fn at(&self, cutpoint: Cutpoint) -> &[Term] {
        &self.at[cutpoint.index()]
    }

    /// How many different ones there are.
    pub fn count(&self) -> usize {
        let all: FxHashSet<Term> = self.at.iter().flat_map(|at| at.iter().copied()).collect();
        all.len()
    }

    /// Adds a predicate at one cutpoint only.
    pub fn add_here(&mut self, terms: &mut Terms, cutpoint: Cutpoint, predicate: Term) -> bool {
        let mut new = false;
        for atom in atoms(terms, predicate) {
            let here = &mut self.at[cutpoint.index()];
            if cutpoint != Cutpoint::START && here.len() < MOST && !here.contains(&atom) {
                Rc::make_mut(here).push(atom);
                new = true;
            }
        }
        new
    }

    /// Adds a condition where it belongs, and what leads to it before.
    pub fn add(&mut self, component: &Component, terms: &mut Terms, seed: Seed) {
        if self.seeds.contains(&seed) {
            return;
        }
        self.seeds.push(seed);
        let mut places = vec![seed.0];
        if self.seeds.iter().filter(|s| s.1 == seed.1).count() == OFTEN {
            let known: FxHashSet<Seed> = self.seeds.iter().copied().collect();
            let asked = component.asked.get(&seed.1).into_iter().flatten();
            let fresh = asked.filter(|&&at| !known.contains(&(at, seed.1)));
            let fresh: Vec<Cutpoint> = fresh.copied().collect();
            self.seeds.extend(fresh.iter().map(|&at| (at, seed.1)));
            places.extend(fresh);
        }
        for atom in atoms(terms, seed.1) {
            let seeds = places.iter().map(|&at| (at, atom)).collect();
            self.spread(component, terms, seeds);
        }
    }

    fn spread(&mut self, component: &Component, terms: &mut Terms, seeds: VecDeque<Seed>) {
        let mut taken: Vec<usize> = vec![0; self.at.len()];
        let mut seen: FxHashSet<Seed> = FxHashSet::default();
        let mut work = seeds;
        while let Some((cutpoint, predicate)) = work.pop_front() {
            let place = cutpoint.index();
            if cutpoint == Cutpoint::START || !seen.insert((cutpoint, predicate)) {
                continue;
            }
            if !lasting(component.problem, terms, predicate) {
                continue;
            }
            if !self.at[place].contains(&predicate) {
                if taken[place] >= FEW || self.at[place].len() >= MOST {
                    continue;
                }
                taken[place] += 1;
                Rc::make_mut(&mut self.at[place]).push(predicate);
            }
            for &block in &component.incoming[place] {
                let source = component.steps.blocks.block(block).source;
                let before = component
                    .steps
                    .transitions
                    .preimage(terms, block, predicate);
                for atom in atoms(terms, before) {
                    work.push_back((source, atom));
                }
            }
        }
    }
}

/// The parts of a condition that are no conjunctions and the like, without negations and constants.
pub fn atoms(terms: &Terms, condition: Term) -> Vec<Term> {
    if terms.size(condition) > LARGE {
        return vec![condition];
    }
    let (mut found, mut work) = (Vec::new(), vec![condition]);
    let mut seen = FxHashSet::default();
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        let children = terms.children(t);
        let boolean = children.iter().all(|&c| terms.sort(c) == Sort::Bool);
        match terms.op(t) {
            Op::True | Op::False => {}
            Op::Not | Op::And | Op::Or => work.extend(children.iter().rev()),
            Op::Ite | Op::Eq if boolean => work.extend(children.iter().rev()),
            _ => found.push(t),
        }
    }
    found
}
