//! What blocks do to states, as terms; preimages of facts; the free exclusion of edges.
//!
//! A block is one path, so its transition is a guard and a parallel assignment. The preimage of a
//! fact is a substitution, and costs nothing where the block does not touch the fact's variables
//! (the frame rule). That is also why many abstract edges can be excluded without a solver: if
//! the preimage of a target's fact contradicts a fact of the source, no state makes the step.

use crate::problem::blocks::BlockId;
use crate::regions::graph::Oracle;
use prova_exec::transfer::Transfer;
use prova_exec::translate::Unencodable;
use prova_ir::EdgeId;
use prova_logic::{Op, Substitution, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// A block's transition, or why it has none.
pub struct Transition {
    /// Guards, effect and inputs.
    pub transfer: Transfer,
    cache: RefCell<Cache>,
}

/// Preimages that were computed.
struct Cache {
    substitution: Substitution,
    preimages: FxHashMap<Term, Term>,
}

impl Transition {
    fn new(terms: &Terms, transfer: Transfer) -> Transition {
        let substitution = transfer.substitution(terms);
        Transition {
            transfer,
            cache: RefCell::new(Cache {
                substitution,
                preimages: FxHashMap::default(),
            }),
        }
    }

    /// The value of a state variable behind the block.
    pub fn update(&self, variable: Term) -> Term {
        self.cache
            .borrow()
            .substitution
            .get(variable)
            .unwrap_or(variable)
    }
}

/// The transitions of all blocks.
#[derive(Default)]
pub struct Transitions {
    transitions: Vec<Transition>,
}

/// A block that cannot be encoded.
#[derive(Debug)]
pub struct Failure {
    /// The reason.
    pub error: Unencodable,
    /// Its IR edges.
    pub edges: Vec<EdgeId>,
}

impl Transitions {
    /// Transitions from transfers, one per block.
    pub fn new(
        terms: &Terms,
        transfers: Vec<Result<Transfer, Failure>>,
    ) -> Result<Transitions, Failure> {
        let mut transitions = Vec::with_capacity(transfers.len());
        for transfer in transfers {
            transitions.push(Transition::new(terms, transfer?));
        }
        Ok(Transitions { transitions })
    }

    /// Adds a block.
    pub fn push(&mut self, terms: &Terms, transfer: Transfer) -> BlockId {
        self.transitions.push(Transition::new(terms, transfer));
        BlockId(self.transitions.len() as u32 - 1)
    }

    /// Whoever takes the block does so in states with these facts.
    pub fn strengthen(&mut self, terms: &Terms, block: BlockId, facts: &[Term]) {
        let guard = &mut self.transitions[block.index()].transfer.guard;
        for &fact in facts {
            if !guard.contains(&fact) && terms.op(fact) != Op::True {
                guard.push(fact);
            }
        }
    }

    /// The transition of a block.
    pub fn get(&self, block: BlockId) -> &Transition {
        &self.transitions[block.index()]
    }

    /// What must hold for a block to be taken.
    pub fn guard(&self, block: BlockId) -> &[Term] {
        &self.get(block).transfer.guard
    }

    /// All transitions, by block.
    pub fn all(&self) -> impl Iterator<Item = (BlockId, &Transition)> {
        self.transitions
            .iter()
            .enumerate()
            .map(|(i, t)| (BlockId(i as u32), t))
    }

    /// What must hold before the block for `fact` to hold after it, guards aside.
    pub fn preimage(&self, terms: &mut Terms, block: BlockId, fact: Term) -> Term {
        let cache = &mut *self.transitions[block.index()].cache.borrow_mut();
        if let Some(&known) = cache.preimages.get(&fact) {
            return known;
        }
        let preimage = terms.substitute(fact, &mut cache.substitution);
        cache.preimages.insert(fact, preimage);
        preimage
    }

    /// Everything that must hold before the block for all of `facts` to hold after it: guards and
    /// preimages, flattened to conjuncts without repetition.
    pub fn conjuncts(&self, terms: &mut Terms, block: BlockId, facts: &[Term]) -> Vec<Term> {
        let mut all = self.get(block).transfer.guard.clone();
        for &fact in facts {
            all.push(self.preimage(terms, block, fact));
        }
        let mut flat = Vec::with_capacity(all.len());
        for t in all {
            match terms.op(t) {
                Op::True => {}
                Op::And => flat.extend_from_slice(terms.children(t)),
                _ => flat.push(t),
            }
        }
        let mut seen = FxHashSet::default();
        flat.retain(|&t| seen.insert(t));
        flat
    }
}

fn contradicts(terms: &mut Terms, source: &[Term], guard: &[Term], t: Term) -> bool {
    match terms.op(t) {
        Op::False => true,
        Op::And => {
            let children = terms.children(t).to_vec();
            let mut children = children.into_iter();
            children.any(|c| contradicts(terms, source, guard, c))
        }
        Op::Or => {
            let children = terms.children(t).to_vec();
            let mut children = children.into_iter();
            children.all(|c| contradicts(terms, source, guard, c))
        }
        // The negation of a cube: all of the cube holds before.
        Op::Not => {
            let cube = terms.not(t);
            let parts = terms.conjuncts(cube);
            let holds = |p: &Term| source.binary_search(p).is_ok() || guard.contains(p);
            parts.iter().all(holds)
        }
        _ => contradicts_literal(terms, source, guard, t),
    }
}

fn contradicts_literal(terms: &mut Terms, source: &[Term], guard: &[Term], t: Term) -> bool {
    let negation = terms.not(t);
    source.binary_search(&negation).is_ok() || guard.contains(&negation)
}

/// Excludes abstract edges by what is plain to see of transitions.
pub struct Exclusion<'a> {
    /// The arena.
    pub terms: &'a mut Terms,
    /// The transitions.
    pub transitions: &'a Transitions,
}

impl Oracle for Exclusion<'_> {
    fn excludes(&mut self, source: &[Term], block: BlockId, target: &[Term]) -> bool {
        let terms = &mut *self.terms;
        let guard = &self.transitions.get(block).transfer.guard;
        if guard.iter().any(|&g| contradicts(terms, source, &[], g)) {
            return true;
        }
        let mut needed: FxHashSet<Term> = guard.iter().copied().collect();
        for &fact in target {
            let preimage = self.transitions.preimage(terms, block, fact);
            if contradicts(terms, source, guard, preimage) {
                return true;
            }
            needed.extend(terms.conjuncts(preimage));
        }
        // The source lies outside a cube that the step needs whole.
        source.iter().any(|&fact| {
            let cube = terms.not(fact);
            let parts = terms.conjuncts(cube);
            let held = |p: &Term| needed.contains(p) || source.binary_search(p).is_ok();
            parts.len() > 1 && parts.iter().all(held)
        })
    }
}
