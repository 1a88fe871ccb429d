//! Three small domains: constants of all variables, bounds of one, and whether one is even.

use prova_engine::problem::blocks::BlockId;
use prova_engine::problem::Steps;
use prova_engine::reach::domain::{Domain, Merged, Post, Scan};
use prova_engine::reach::product::Strengthen;
use prova_logic::{Op, Substitution, Term, Terms};
use std::collections::BTreeMap;

/// Variables that are constants. States stay apart.
pub struct Constants<'a> {
    pub steps: &'a Steps,
    /// Those that are followed; all, if none is named.
    pub only: Vec<Term>,
}

impl Domain for Constants<'_> {
    type State = BTreeMap<Term, Term>;
    type Opened = Substitution;
    type Index = Scan;

    fn initial(&mut self, _: &mut Terms) -> Self::State {
        BTreeMap::new()
    }

    fn open(&mut self, terms: &mut Terms, state: &Self::State) -> Substitution {
        let pairs: Vec<(Term, Term)> = state.iter().map(|(&v, &c)| (v, c)).collect();
        Substitution::from_pairs(terms, &pairs)
    }

    fn post(
        &mut self,
        terms: &mut Terms,
        state: &Self::State,
        opened: &mut Substitution,
        block: BlockId,
    ) -> Post<Self::State> {
        let transfer = &self.steps.transitions.get(block).transfer;
        let mut traps = false;
        for g in &transfer.guard {
            if terms.substitute(*g, opened) == terms.fals() {
                if transfer.assumed.contains(g) {
                    return Post::Impossible;
                }
                traps = true;
            }
        }
        if traps {
            return Post::Trap;
        }
        let mut behind = state.clone();
        for &(variable, value) in &transfer.updates {
            let value = terms.substitute(value, opened);
            let followed = self.only.is_empty() || self.only.contains(&variable);
            match terms.is_const(value) && followed {
                true => behind.insert(variable, value),
                false => behind.remove(&variable),
            };
        }
        Post::To(vec![behind])
    }

    fn covers(&mut self, _: &mut Terms, state: &Self::State, other: &Self::State) -> bool {
        state.iter().all(|(v, c)| other.get(v) == Some(c))
    }
}

/// The least and the largest value of one variable, for conditions and sums with constants.
pub struct Bounds<'a> {
    pub steps: &'a Steps,
    pub of: Term,
}

/// No bound on either side.
const ALL: (i128, i128) = (i32::MIN as i128, i32::MAX as i128);

impl Bounds<'_> {
    fn of(&self, terms: &Terms, state: (i128, i128), t: Term) -> (i128, i128) {
        if t == self.of {
            return state;
        }
        if let Some(c) = terms.as_i128(t) {
            return (c, c);
        }
        match (terms.op(t), terms.children(t)) {
            (Op::Add, &[a, b]) => {
                let (a, b) = (self.of(terms, state, a), self.of(terms, state, b));
                let sum = (a.0 + b.0, a.1 + b.1);
                match sum.0 >= ALL.0 && sum.1 <= ALL.1 {
                    true => sum,
                    false => ALL,
                }
            }
            _ => ALL,
        }
    }

    fn assume(&self, terms: &Terms, state: &mut (i128, i128), t: Term, holds: bool) {
        let children = terms.children(t);
        let mut less = |a: Term, b: Term, by: i128| {
            if a == self.of {
                state.1 = state.1.min(self.of(terms, *state, b).1 - by);
            }
            if b == self.of {
                state.0 = state.0.max(self.of(terms, *state, a).0 + by);
            }
        };
        match (terms.op(t), holds) {
            (Op::Not, _) => self.assume(terms, state, children[0], !holds),
            (Op::Slt, true) => less(children[0], children[1], 1),
            (Op::Slt, false) => less(children[1], children[0], 0),
            (Op::Sle, true) => less(children[0], children[1], 0),
            (Op::Sle, false) => less(children[1], children[0], 1),
            (Op::Eq, true) => {
                less(children[0], children[1], 0);
                less(children[1], children[0], 0);
            }
            (Op::Eq, false) => {
                for (a, b) in [(children[0], children[1]), (children[1], children[0])] {
                    let out = self.of(terms, *state, b);
                    if a == self.of && out.0 == out.1 {
                        state.0 += i128::from(state.0 == out.0);
                        state.1 -= i128::from(state.1 == out.0);
                    }
                }
            }
            _ => {}
        }
    }
}

impl Domain for Bounds<'_> {
    type State = (i128, i128);
    type Opened = ();
    type Index = Scan;
    const JOINS: bool = true;

    fn initial(&mut self, _: &mut Terms) -> Self::State {
        ALL
    }

    fn open(&mut self, _: &mut Terms, _: &Self::State) {}

    fn post(
        &mut self,
        terms: &mut Terms,
        state: &Self::State,
        _: &mut (),
        block: BlockId,
    ) -> Post<Self::State> {
        let transition = self.steps.transitions.get(block);
        let mut known = *state;
        for &g in &transition.transfer.guard {
            self.assume(terms, &mut known, g, true);
        }
        if known.0 > known.1 {
            return Post::Impossible;
        }
        Post::To(vec![self.of(terms, known, transition.update(self.of))])
    }

    fn covers(&mut self, _: &mut Terms, state: &Self::State, other: &Self::State) -> bool {
        state.0 <= other.0 && other.1 <= state.1
    }

    fn join(
        &mut self,
        terms: &mut Terms,
        old: &Self::State,
        new: &Self::State,
    ) -> Merged<Self::State> {
        match self.covers(terms, old, new) {
            true => Merged::Covered,
            false => Merged::Grown((old.0.min(new.0), old.1.max(new.1))),
        }
    }

    fn widen(
        &mut self,
        terms: &mut Terms,
        old: &Self::State,
        new: &Self::State,
    ) -> Merged<Self::State> {
        if self.covers(terms, old, new) {
            return Merged::Covered;
        }
        let low = if new.0 < old.0 { ALL.0 } else { old.0 };
        let high = if new.1 > old.1 { ALL.1 } else { old.1 };
        Merged::Grown((low, high))
    }
}

/// Whether one variable is odd, if that is known.
pub struct Parity<'a> {
    pub steps: &'a Steps,
    pub of: Term,
}

impl Parity<'_> {
    fn of(&self, terms: &Terms, state: Option<bool>, t: Term) -> Option<bool> {
        if t == self.of {
            return state;
        }
        if let Some(c) = terms.as_u64(t) {
            return Some(c % 2 == 1);
        }
        match (terms.op(t), terms.children(t)) {
            (Op::Add, &[a, b]) => Some(self.of(terms, state, a)? ^ self.of(terms, state, b)?),
            _ => None,
        }
    }
}

impl Domain for Parity<'_> {
    type State = Option<bool>;
    type Opened = ();
    type Index = Scan;
    const JOINS: bool = true;

    fn initial(&mut self, _: &mut Terms) -> Self::State {
        None
    }

    fn open(&mut self, _: &mut Terms, _: &Self::State) {}

    fn post(
        &mut self,
        terms: &mut Terms,
        state: &Self::State,
        _: &mut (),
        block: BlockId,
    ) -> Post<Self::State> {
        let transition = self.steps.transitions.get(block);
        for &g in &transition.transfer.guard {
            let sides = terms.children(g).iter().map(|&c| self.of(terms, *state, c));
            if let (Op::Eq, [Some(a), Some(b)]) = (terms.op(g), &sides.collect::<Vec<_>>()[..]) {
                if a != b {
                    return Post::Impossible;
                }
            }
        }
        Post::To(vec![self.of(terms, *state, transition.update(self.of))])
    }

    fn covers(&mut self, _: &mut Terms, state: &Self::State, other: &Self::State) -> bool {
        state.is_none() || state == other
    }

    fn join(
        &mut self,
        terms: &mut Terms,
        old: &Self::State,
        new: &Self::State,
    ) -> Merged<Self::State> {
        match self.covers(terms, old, new) {
            true => Merged::Covered,
            false => Merged::Grown(None),
        }
    }
}

impl<'a> Strengthen<Bounds<'a>> for Parity<'a> {}

impl<'a> Strengthen<Parity<'a>> for Bounds<'a> {
    fn strengthen(
        &mut self,
        _: &mut Terms,
        state: (i128, i128),
        odd: &Option<bool>,
    ) -> Option<(i128, i128)> {
        let Some(odd) = odd else { return Some(state) };
        let fits = |n: i128| (n.rem_euclid(2) == 1) == *odd;
        let low = if fits(state.0) { state.0 } else { state.0 + 1 };
        let high = if fits(state.1) { state.1 } else { state.1 - 1 };
        (low <= high).then_some((low, high))
    }
}

impl<'a> Strengthen<Bounds<'a>> for Constants<'a> {}

impl<'a> Strengthen<Constants<'a>> for Bounds<'a> {}
