//! Reachability of a Boolean program with binary decision diagrams (Ball, Rajamani, *Bebop: A Symbolic
//! Model Checker for Boolean Programs*, SPIN 2000), for one procedure: states by cutpoint, ring
//! by ring, and a shortest path to an error if there is one.
//!
//! A predicate has two variables, side by side: its value before a block and behind it.

use super::program::{Assignment, BooleanBlock, BooleanProgram, Cube, Cubes};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::reach::flow::Flow;
use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};
use prova_logic::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How a search through a Boolean program ended.
pub enum Reached {
    /// These blocks lead to an error.
    Error(Vec<BlockId>),
    /// No error can be reached; what can, by cutpoint.
    Closed(Vec<Bdd>),
    /// Told to stop.
    Stopped,
}

/// The variables, and everything as diagrams.
pub struct Bebop<'a> {
    flow: &'a Flow,
    /// Values before a block at even, behind it at odd places.
    set: BddVariableSet,
    /// The same places with the names exchanged: a way to rename.
    exchanged: BddVariableSet,
    before: Vec<BddVariable>,
    behind: Vec<BddVariable>,
    relations: Vec<Bdd>,
}

impl<'a> Bebop<'a> {
    /// A program as diagrams.
    pub fn new(program: &BooleanProgram, flow: &'a Flow) -> Bebop<'a> {
        let names = |first: char, second: char| -> BddVariableSet {
            let pair = |i: usize| [format!("{first}{i}"), format!("{second}{i}")];
            let all: Vec<String> = (0..program.predicates.len()).flat_map(pair).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            BddVariableSet::new(&all)
        };
        let set = names('b', 'n');
        let all = set.variables();
        let before: Vec<BddVariable> = all.iter().copied().step_by(2).collect();
        let behind: Vec<BddVariable> = all.iter().copied().skip(1).step_by(2).collect();
        let mut this = Bebop {
            flow,
            exchanged: names('n', 'b'),
            set,
            before,
            behind,
            relations: Vec::new(),
        };
        let possible = this.cubes(&program.enforce, &this.behind).not();
        let relations = program.blocks.iter().map(|b| this.relation(b, &possible));
        this.relations = relations.collect();
        this
    }

    fn cube(&self, cube: &Cube, variables: &[BddVariable]) -> Bdd {
        let mut all = self.set.mk_true();
        for &(i, holds) in cube.iter().rev() {
            all = all.and(&self.set.mk_literal(variables[i], holds));
        }
        all
    }

    fn cubes(&self, cubes: &Cubes, variables: &[BddVariable]) -> Bdd {
        let mut any = self.set.mk_false();
        for cube in cubes {
            any = any.or(&self.cube(cube, variables));
        }
        any
    }

    fn relation(&self, block: &BooleanBlock, possible: &Bdd) -> Bdd {
        let mut all = self.cubes(&block.excluded, &self.before).not();
        for (i, assignment) in block.assignments.iter().enumerate().rev() {
            let value = self.set.mk_var(self.behind[i]);
            let how = match assignment {
                Assignment::Keep => self.set.mk_var(self.before[i]).iff(&value),
                Assignment::Choose { yes, no } => {
                    let yes = self.cubes(yes, &self.before).imp(&value);
                    yes.and(&self.cubes(no, &self.before).imp(&value.not()))
                }
            };
            all = all.and(&how);
        }
        if let Some(relation) = &block.relation {
            let mut any = self.set.mk_false();
            for (before, behind) in relation {
                let one = self.cube(before, &self.before);
                any = any.or(&one.and(&self.cube(behind, &self.behind)));
            }
            all = all.and(&any);
        }
        all.and(possible)
    }

    /// What can stand behind a block, of states before it.
    fn image(&self, states: &Bdd, block: BlockId) -> Bdd {
        let both = states.and(&self.relations[block.index()]);
        self.exchange(&both.exists(&self.before))
    }

    /// What may lead through a block to states behind it.
    fn preimage(&self, states: &Bdd, block: BlockId) -> Bdd {
        let both = self.exchange(states).and(&self.relations[block.index()]);
        both.exists(&self.behind)
    }

    /// Values before as values behind, and the other way round.
    fn exchange(&self, states: &Bdd) -> Bdd {
        let exchanged = self.set.transfer_from(states, &self.exchanged);
        exchanged.expect("neighbours change places, and no others")
    }

    /// Goes for an error.
    pub fn search(&self, mut stop: impl FnMut() -> bool) -> Reached {
        let cutpoints = self.flow.outgoing.len();
        let mut reached = vec![self.set.mk_false(); cutpoints];
        let mut ring: BTreeMap<Cutpoint, Bdd> = BTreeMap::new();
        ring.insert(Cutpoint::START, self.set.mk_true());
        let mut rings = Vec::new();
        while !ring.is_empty() {
            let mut next: BTreeMap<Cutpoint, Bdd> = BTreeMap::new();
            for (cutpoint, states) in &ring {
                let here = &mut reached[cutpoint.index()];
                *here = here.or(states);
            }
            for (cutpoint, states) in &ring {
                for &block in &self.flow.outgoing[cutpoint.index()] {
                    if stop() {
                        return Reached::Stopped;
                    }
                    let target = self.flow.target(block);
                    let image = self.image(states, block);
                    let new = image.and_not(&reached[target.index()]);
                    if new.is_false() {
                        continue;
                    }
                    if self.flow.is_error(target) {
                        let mut path = vec![block];
                        let last = self.preimage(&new, block).and(states);
                        rings.push(ring.clone());
                        self.back(&rings, *cutpoint, last, &mut path);
                        return Reached::Error(path);
                    }
                    let slot = next.entry(target).or_insert_with(|| self.set.mk_false());
                    *slot = slot.or(&new);
                }
            }
            rings.push(std::mem::replace(&mut ring, next));
        }
        Reached::Closed(reached)
    }

    /// The path to states in the last ring, put before what is there.
    fn back(
        &self,
        rings: &[BTreeMap<Cutpoint, Bdd>],
        mut cutpoint: Cutpoint,
        mut states: Bdd,
        path: &mut Vec<BlockId>,
    ) {
        for ring in rings.iter().rev().skip(1) {
            let mut ways = self.flow.incoming[cutpoint.index()].iter();
            let found = ways.find_map(|&block| {
                let source = self.flow.source(block);
                let before = ring.get(&source)?.and(&self.preimage(&states, block));
                (!before.is_false()).then_some((block, source, before))
            });
            let (block, source, before) = found.expect("a ring is the image of the one before");
            path.push(block);
            (cutpoint, states) = (source, before);
        }
        path.reverse();
    }

    /// States as a term over the predicates.
    pub fn term(&self, terms: &mut Terms, predicates: &[Term], states: &Bdd) -> Term {
        let mut made: FxHashMap<usize, Term> = FxHashMap::default();
        for pointer in states.pointers() {
            let t = if pointer.is_zero() {
                terms.fals()
            } else if pointer.is_one() {
                terms.tru()
            } else {
                let predicate = predicates[states.var_of(pointer).to_index() / 2];
                let high = made[&states.high_link_of(pointer).to_index()];
                let low = made[&states.low_link_of(pointer).to_index()];
                terms.ite(predicate, high, low)
            };
            made.insert(pointer.to_index(), t);
        }
        made[&states.root_pointer().to_index()]
    }
}
