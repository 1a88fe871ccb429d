//! Cubes that lead to an error, and wait to be shown out of reach.

use crate::problem::blocks::{BlockId, Cutpoint};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A cube from which an error is reached, to be excluded from a frame.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Where.
    pub cutpoint: Cutpoint,
    /// Which states.
    pub cube: Vec<Term>,
    /// From which frame.
    pub level: u32,
    /// The block that leads to the next one, and that one's number; `None` at the error.
    pub next: Option<(BlockId, usize)>,
    /// Blocks to the error.
    pub distance: u32,
}

use prova_logic::Term;

/// All obligations of one frame's turn.
#[derive(Debug, Default)]
pub struct Obligations {
    all: Vec<Obligation>,
    /// The lowest frame first; in one frame the farthest from the error, for the others wait for it.
    waiting: BTreeSet<(u32, Reverse<u32>, usize)>,
}

impl Obligations {
    /// Adds one.
    pub fn add(&mut self, obligation: Obligation) {
        let number = self.all.len();
        let key = (obligation.level, Reverse(obligation.distance), number);
        self.waiting.insert(key);
        self.all.push(obligation);
    }

    /// The next one, which goes on waiting until it is [done](Self::done).
    pub fn next(&self) -> Option<usize> {
        self.waiting.first().map(|w| w.2)
    }

    /// The obligation with a number.
    pub fn get(&self, number: usize) -> &Obligation {
        &self.all[number]
    }

    /// Does not wait for it any more.
    pub fn done(&mut self, number: usize) {
        let o = &self.all[number];
        self.waiting.remove(&(o.level, Reverse(o.distance), number));
    }

    /// The blocks from an obligation to the error.
    pub fn path(&self, number: usize) -> Vec<BlockId> {
        let mut path = Vec::new();
        let mut at = number;
        while let Some((block, next)) = self.all[at].next {
            path.push(block);
            at = next;
        }
        path
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        *self = Obligations::default();
    }
}
