//! Frames: what is known of the states at each cutpoint within so many rounds.
//!
//! A frame is counted in *arrivals at loop heads*, not in steps: the frame of number n at a
//! cutpoint contains all states in which a run can be there having arrived at loop heads at most n
//! times. Between heads the graph has no cycle, so a step that does not arrive at a head stays in
//! its number, and programs need about as many frames as loops must be gone round, however many
//! steps a round takes. Nobody stands at a head without having arrived there: frame 0 is empty at
//! heads.
//!
//! Lemmas are kept with the highest frame that they are known for; they hold in all lower ones.

use crate::problem::blocks::{BlockId, Cutpoint};
use crate::reach::flow::Flow;
use prova_logic::{Term, Terms};

/// What no state of some frames satisfies, at one cutpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// Conjuncts that do not hold together there, in order.
    pub cube: Vec<Term>,
    /// The negation of the cube.
    pub term: Term,
    /// The highest frame it is known for.
    pub level: u32,
}

/// The lemmas of all cutpoints.
#[derive(Debug, Default)]
pub struct Frames {
    at: Vec<Vec<Lemma>>,
}

impl Frames {
    /// No lemmas at so many cutpoints.
    pub fn new(cutpoints: usize) -> Frames {
        Frames {
            at: vec![Vec::new(); cutpoints],
        }
    }

    /// The lemmas at a cutpoint.
    pub fn lemmas(&self, cutpoint: Cutpoint) -> &[Lemma] {
        &self.at[cutpoint.index()]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.at.iter().map(Vec::len).sum()
    }

    /// What the lemmas say of a frame.
    pub fn says(&self, cutpoint: Cutpoint, level: u32) -> impl Iterator<Item = Term> + '_ {
        let lemmas = self.at[cutpoint.index()].iter();
        lemmas.filter(move |l| l.level >= level).map(|l| l.term)
    }

    /// Whether a lemma plainly excludes a cube from a frame.
    pub fn excludes(&self, cutpoint: Cutpoint, cube: &[Term], level: u32) -> bool {
        let within = |l: &Lemma| l.cube.iter().all(|c| cube.binary_search(c).is_ok());
        let mut lemmas = self.at[cutpoint.index()].iter();
        lemmas.any(|l| l.level >= level && within(l))
    }

    /// Adds a lemma; what it makes superfluous goes.
    pub fn add(&mut self, terms: &mut Terms, cutpoint: Cutpoint, cube: Vec<Term>, level: u32) {
        let all = terms.and(&cube);
        let term = terms.not(all);
        let here = &mut self.at[cutpoint.index()];
        let weaker = |l: &Lemma| cube.iter().all(|c| l.cube.binary_search(c).is_ok());
        here.retain(|l| l.level > level || !weaker(l));
        here.push(Lemma { cube, term, level });
    }

    /// Lets a lemma hold in a higher frame.
    pub fn raise(&mut self, cutpoint: Cutpoint, lemma: Term, level: u32) {
        for l in &mut self.at[cutpoint.index()] {
            if l.term == lemma {
                l.level = l.level.max(level);
            }
        }
    }

    /// Forgets lemmas that are said elsewhere.
    pub fn forget(&mut self, cutpoint: Cutpoint, said: impl Fn(Term) -> bool) {
        self.at[cutpoint.index()].retain(|l| !said(l.term));
    }

    /// A number whose frame is the same as the next one, among those from 1 to `last`: then nothing
    /// leaves it.
    pub fn fixed(&self, last: u32) -> Option<u32> {
        let mut levels = 1..=last;
        levels.find(|&n| self.at.iter().flatten().all(|l| l.level != n))
    }
}

/// The number of the frame from which a block leads into frame `level` of its target; `None` if
/// that one is empty.
pub fn before(flow: &Flow, block: BlockId, level: u32) -> Option<u32> {
    let (source, target) = (flow.source(block), flow.target(block));
    let level = match flow.is_head(target) {
        true => level.checked_sub(1)?,
        false => level,
    };
    (level > 0 || !flow.is_head(source)).then_some(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::Sort;

    #[test]
    fn a_stronger_lemma_takes_the_place_of_weaker_ones() {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|n| terms.var(n, Sort::Bool));
        let at = Cutpoint(1);
        let mut frames = Frames::new(2);
        frames.add(&mut terms, at, vec![a, b], 1);
        frames.add(&mut terms, at, vec![a, b], 3);
        assert_eq!(frames.count(), 1);
        frames.add(&mut terms, at, vec![a], 2);
        assert_eq!(frames.count(), 2, "the weaker one holds in more frames");
        assert!(frames.excludes(at, &[a, b], 3) && !frames.excludes(at, &[a], 3));
        assert_eq!(frames.fixed(3), Some(1));
        assert_eq!(frames.says(at, 3).count(), 1);
    }
}
