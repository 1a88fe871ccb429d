//! A test as it is changed: input values in order, and bytes of memory that starts arbitrary or is
//! given new contents. Everything else is zero.

use prova_exec::{Exhausted, Test};
use std::collections::BTreeMap;

/// A test that may be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Values of inputs, in the order in which they are asked for.
    pub values: Vec<u128>,
    /// First contents of memory, by address.
    pub contents: BTreeMap<u64, u8>,
    /// What the n-th piece of memory got that was given new contents, by offset.
    pub fresh: BTreeMap<(u32, u64), u8>,
}

impl Candidate {
    /// A test that ends where its values do.
    pub fn test(&self) -> Test {
        Test {
            values: self.values.clone(),
            contents: self.contents.clone(),
            fresh: self.fresh.clone(),
            exhausted: Exhausted::Stop,
            ..Test::default()
        }
    }

    /// What can be changed of a test that somebody else made.
    pub fn of(test: &Test) -> Candidate {
        Candidate {
            values: test.values.clone(),
            contents: test.contents.clone(),
            fresh: test.fresh.clone(),
        }
    }

    /// Makes a test of it in the place of another one, whose room is used again.
    pub(crate) fn onto(&self, test: &mut Test) {
        test.values.clone_from(&self.values);
        test.contents.clone_from(&self.contents);
        test.fresh.clone_from(&self.fresh);
        test.exhausted = Exhausted::Stop;
    }
}
