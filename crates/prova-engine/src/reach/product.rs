//! Two domains as one: a state of each, for the same states of the program.
//!
//! Both take each step; then each may tell the other what it knows ([`Strengthen`]), and a pair
//! that excludes itself is dropped. This happens behind a step and nowhere else: told after a
//! widening, a domain would take back what widening gave away, and might never end.

use super::domain::{Domain, Merged, Post, Scan};
use crate::problem::blocks::BlockId;
use prova_logic::Terms;

/// Takes in what another domain knows.
pub trait Strengthen<Other: Domain>: Domain {
    /// The state with what the other one beside it tells. `None` if no state of the program is in
    /// both.
    fn strengthen(
        &mut self,
        _terms: &mut Terms,
        state: Self::State,
        _beside: &Other::State,
    ) -> Option<Self::State> {
        Some(state)
    }
}

/// Two domains.
#[derive(Clone, Debug)]
pub struct Product<A, B>(pub A, pub B);

impl<A, B> Domain for Product<A, B>
where
    A: Strengthen<B>,
    B: Strengthen<A>,
    A::State: Clone,
    B::State: Clone,
{
    type State = (A::State, B::State);
    type Opened = (A::Opened, B::Opened);
    // What covers one half need not cover the other: neither's index can tell.
    type Index = Scan;
    const JOINS: bool = A::JOINS || B::JOINS;

    fn initial(&mut self, terms: &mut Terms) -> Self::State {
        (self.0.initial(terms), self.1.initial(terms))
    }

    fn open(&mut self, terms: &mut Terms, state: &Self::State) -> Self::Opened {
        (self.0.open(terms, &state.0), self.1.open(terms, &state.1))
    }

    fn post(
        &mut self,
        terms: &mut Terms,
        state: &Self::State,
        opened: &mut Self::Opened,
        block: BlockId,
    ) -> Post<Self::State> {
        let first = match self.0.post(terms, &state.0, &mut opened.0, block) {
            Post::Impossible => return Post::Impossible,
            Post::Trap => None,
            Post::To(states) => Some(states),
        };
        let second = match self.1.post(terms, &state.1, &mut opened.1, block) {
            Post::Impossible => return Post::Impossible,
            Post::Trap => None,
            Post::To(states) => Some(states),
        };
        // What one knows to trap does so whatever the other knows.
        let (Some(first), Some(second)) = (first, second) else {
            return Post::Trap;
        };
        let mut pairs = Vec::with_capacity(first.len() * second.len());
        for a in &first {
            for b in &second {
                let Some(a) = self.0.strengthen(terms, a.clone(), b) else {
                    continue;
                };
                let b = self.1.strengthen(terms, b.clone(), &a);
                pairs.extend(b.map(|b| (a, b)));
            }
        }
        match pairs.is_empty() {
            true => Post::Impossible,
            false => Post::To(pairs),
        }
    }

    fn covers(&mut self, terms: &mut Terms, state: &Self::State, other: &Self::State) -> bool {
        self.0.covers(terms, &state.0, &other.0) && self.1.covers(terms, &state.1, &other.1)
    }

    fn join(
        &mut self,
        terms: &mut Terms,
        old: &Self::State,
        new: &Self::State,
    ) -> Merged<Self::State> {
        let first = merged(&mut self.0, terms, &old.0, &new.0, false);
        let second = merged(&mut self.1, terms, &old.1, &new.1, false);
        both(old, first, second)
    }

    fn widen(
        &mut self,
        terms: &mut Terms,
        old: &Self::State,
        new: &Self::State,
    ) -> Merged<Self::State> {
        let first = merged(&mut self.0, terms, &old.0, &new.0, true);
        let second = merged(&mut self.1, terms, &old.1, &new.1, true);
        both(old, first, second)
    }
}

/// One half of a join. A domain that keeps its states apart does not object to the other half's
/// join where its own states are the same.
fn merged<D: Domain>(
    domain: &mut D,
    terms: &mut Terms,
    old: &D::State,
    new: &D::State,
    widen: bool,
) -> Merged<D::State> {
    if D::JOINS {
        return match widen {
            true => domain.widen(terms, old, new),
            false => domain.join(terms, old, new),
        };
    }
    match domain.covers(terms, old, new) && domain.covers(terms, new, old) {
        true => Merged::Covered,
        false => Merged::Apart,
    }
}

fn both<A: Clone, B: Clone>(old: &(A, B), first: Merged<A>, second: Merged<B>) -> Merged<(A, B)> {
    match (first, second) {
        (Merged::Apart, _) | (_, Merged::Apart) => Merged::Apart,
        (Merged::Covered, Merged::Covered) => Merged::Covered,
        (Merged::Grown(a), Merged::Covered) => Merged::Grown((a, old.1.clone())),
        (Merged::Covered, Merged::Grown(b)) => Merged::Grown((old.0.clone(), b)),
        (Merged::Grown(a), Merged::Grown(b)) => Merged::Grown((a, b)),
    }
}
