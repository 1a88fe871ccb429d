//! Predicate abstraction: what is asked of states at each cutpoint. The default predicates come from
//! the conditional branches, backwards through the program (Yorsh, Ball, Sagiv: *Testing,
//! Abstraction, Theorem Proving: Better Together!*, section 4.5).
//!
//! The condition of a branch is asked where the branch is, and what it was made of, where that is: its
//! weakest precondition through the block before. Through a block that leads back to the head of a
//! loop it is asked only if the block leaves it as it is, for a precondition of a precondition would
//! count the rounds of the loop.

use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::Steps;
use prova_logic::{Op, Sort, Term, Terms};
use std::collections::VecDeque;

/// Predicates at one cutpoint, at most, by default.
const MOST: usize = 10;
/// Larger ones are nobody's idea.
const LARGEST: usize = 60;

/// The predicates at each cutpoint.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    /// By cutpoint.
    pub at: Vec<Vec<Term>>,
}

impl Predicates {
    /// None, at any of so many cutpoints.
    pub fn none(cutpoints: usize) -> Predicates {
        Predicates {
            at: vec![Vec::new(); cutpoints],
        }
    }

    /// Adds a predicate, unless it or its negation is there.
    pub fn add(&mut self, terms: &mut Terms, cutpoint: Cutpoint, predicate: Term) -> bool {
        let negation = terms.not(predicate);
        let here = &mut self.at[cutpoint.index()];
        let new = terms.as_bool(predicate).is_none()
            && !here.contains(&predicate)
            && !here.contains(&negation);
        if new {
            here.push(predicate);
        }
        new
    }

    /// Those of the branches, and what they were made of.
    pub fn of_branches(terms: &mut Terms, steps: &Steps) -> Predicates {
        let blocks = &steps.blocks;
        let incoming = blocks.incoming();
        let mut found = Predicates::none(blocks.locations.len());
        let mut work: VecDeque<(Cutpoint, Term)> = VecDeque::new();
        for id in blocks.ids().skip(1) {
            let source = blocks.block(id).source;
            // What the program asks, not what has to hold for an access to be one.
            for guard in steps.transitions.get(id).transfer.assumed.clone() {
                for atom in atoms(terms, guard) {
                    if speaks_of_the_state(terms, steps, id, atom)
                        && found.has_room(source)
                        && found.add(terms, source, atom)
                    {
                        work.push_back((source, atom));
                    }
                }
            }
        }
        while let Some((at, predicate)) = work.pop_front() {
            for &id in &incoming[at.index()] {
                let source = blocks.block(id).source;
                if source == Cutpoint::START {
                    continue;
                }
                let before = steps.transitions.preimage(terms, id, predicate);
                let around = steps.component[source.index()] == steps.component[at.index()]
                    && steps.in_loop[at.index()];
                if around && before != predicate {
                    continue;
                }
                for atom in atoms(terms, before) {
                    if terms.size(atom) <= LARGEST
                        && speaks_of_the_state(terms, steps, id, atom)
                        && found.has_room(source)
                        && found.add(terms, source, atom)
                    {
                        work.push_back((source, atom));
                    }
                }
            }
        }
        found
    }

    fn has_room(&self, cutpoint: Cutpoint) -> bool {
        self.at[cutpoint.index()].len() < MOST
    }
}

/// Whether a term speaks of nothing that the block reads.
fn speaks_of_the_state(terms: &Terms, steps: &Steps, block: BlockId, t: Term) -> bool {
    let inputs = &steps.transitions.get(block).transfer.inputs;
    let free = terms.free_vars(t);
    !free.is_empty() && inputs.iter().all(|i| !free.contains(&i.var))
}

/// The conditions that a truth value is made of, without negations around them.
fn atoms(terms: &mut Terms, t: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![t];
    while let Some(t) = open.pop() {
        let children = terms.children(t).to_vec();
        let whole = match terms.op(t) {
            Op::And | Op::Or | Op::Not => false,
            Op::Eq => terms.sort(children[0]) != Sort::Bool,
            Op::Ite => false,
            _ => true,
        };
        match whole {
            true => found.push(t),
            false => open.extend(children),
        }
    }
    found.retain(|&t| terms.as_bool(t).is_none() && terms.op(t) != Op::Var);
    found.sort_unstable();
    found.dedup();
    found
}
