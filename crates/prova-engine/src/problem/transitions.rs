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

/// A block's transition, or why it has none.
pub struct Transition {
    /// Guards, effect and inputs.
    pub transfer: Transfer,
    substitution: Substitution,
    preimages: FxHashMap<Term, Term>,
}

impl Transition {
    /// The value of a state variable behind the block.
    pub fn update(&self, variable: Term) -> Term {
        self.substitution.get(variable).unwrap_or(variable)
    }
}

/// The transitions of all blocks.
pub struct Transitions {
    /// The arena of all terms of this check.
    pub terms: Terms,
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
        terms: Terms,
        transfers: Vec<Result<Transfer, Failure>>,
    ) -> Result<Transitions, Failure> {
        let mut transitions = Vec::with_capacity(transfers.len());
        for transfer in transfers {
            let transfer = transfer?;
            let substitution = transfer.substitution(&terms);
            transitions.push(Transition {
                transfer,
                substitution,
                preimages: FxHashMap::default(),
            });
        }
        Ok(Transitions { terms, transitions })
    }

    /// Adds a block.
    pub fn push(&mut self, transfer: Transfer) -> BlockId {
        let substitution = transfer.substitution(&self.terms);
        self.transitions.push(Transition {
            transfer,
            substitution,
            preimages: FxHashMap::default(),
        });
        BlockId(self.transitions.len() as u32 - 1)
    }

    /// Whoever takes the block does so in states with these facts.
    pub fn strengthen(&mut self, block: BlockId, facts: &[Term]) {
        let guard = &mut self.transitions[block.index()].transfer.guard;
        for &fact in facts {
            if !guard.contains(&fact) && self.terms.op(fact) != Op::True {
                guard.push(fact);
            }
        }
    }

    /// The transition of a block.
    pub fn get(&self, block: BlockId) -> &Transition {
        &self.transitions[block.index()]
    }

    /// All transitions, by block.
    pub fn all(&self) -> impl Iterator<Item = (BlockId, &Transition)> {
        self.transitions
            .iter()
            .enumerate()
            .map(|(i, t)| (BlockId(i as u32), t))
    }

    /// What must hold before the block for `fact` to hold after it, guards aside.
    pub fn preimage(&mut self, block: BlockId, fact: Term) -> Term {
        let transition = &mut self.transitions[block.index()];
        if let Some(&known) = transition.preimages.get(&fact) {
            return known;
        }
        let preimage = self.terms.substitute(fact, &mut transition.substitution);
        transition.preimages.insert(fact, preimage);
        preimage
    }

    /// Everything that must hold before the block for all of `facts` to hold after it: guards and
    /// preimages, flattened to conjuncts without repetition.
    pub fn conjuncts(&mut self, block: BlockId, facts: &[Term]) -> Vec<Term> {
        let mut all = self.get(block).transfer.guard.clone();
        for &fact in facts {
            all.push(self.preimage(block, fact));
        }
        let mut flat = Vec::with_capacity(all.len());
        for t in all {
            match self.terms.op(t) {
                Op::True => {}
                Op::And => flat.extend_from_slice(self.terms.children(t)),
                _ => flat.push(t),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        flat.retain(|&t| seen.insert(t));
        flat
    }

    fn contradicts(&mut self, source: &[Term], guard: &[Term], t: Term) -> bool {
        match self.terms.op(t) {
            Op::False => true,
            Op::And => {
                let children = self.terms.children(t).to_vec();
                children
                    .into_iter()
                    .any(|c| self.contradicts(source, guard, c))
            }
            Op::Or => {
                let children = self.terms.children(t).to_vec();
                children
                    .into_iter()
                    .all(|c| self.contradicts_literal(source, guard, c))
            }
            // The negation of a cube: all of the cube holds before.
            Op::Not => {
                let cube = self.terms.not(t);
                let parts = self.terms.conjuncts(cube);
                parts
                    .iter()
                    .all(|p| source.binary_search(p).is_ok() || guard.contains(p))
            }
            _ => self.contradicts_literal(source, guard, t),
        }
    }

    fn contradicts_literal(&mut self, source: &[Term], guard: &[Term], t: Term) -> bool {
        let negation = self.terms.not(t);
        source.binary_search(&negation).is_ok() || guard.contains(&negation)
    }
}

impl Oracle for Transitions {
    fn excludes(&mut self, source: &[Term], block: BlockId, target: &[Term]) -> bool {
        let guard = self.get(block).transfer.guard.clone();
        if guard.iter().any(|&g| self.contradicts(source, &[], g)) {
            return true;
        }
        let mut needed: FxHashSet<Term> = guard.iter().copied().collect();
        for &fact in target {
            let preimage = self.preimage(block, fact);
            if self.contradicts(source, &guard, preimage) {
                return true;
            }
            needed.extend(self.terms.conjuncts(preimage));
        }
        // The source lies outside a cube that the step needs whole.
        source.iter().any(|&fact| {
            let cube = self.terms.not(fact);
            let parts = self.terms.conjuncts(cube);
            parts.len() > 1
                && parts
                    .iter()
                    .all(|p| needed.contains(p) || source.binary_search(p).is_ok())
        })
    }
}
