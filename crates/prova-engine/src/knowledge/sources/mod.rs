//! The interface of all sources of facts, and which of them are on.
//!
//! | file | what it holds |
//! |---|---|
//! | [`intervals`] | an abstract interpretation of the whole program |
//! | [`path`] | predicates along an abstract path that cannot be run |
//! | [`states`] | what the states of tests have in common |
//! | [`mine`] | candidate relations from such states |
//! | [`pointers`] | the same for addresses, which lie to objects and to each other |
//! | [`checked`] | what the program checks, and what its stores leave |
//! | [`entered`] | and against what a loop was entered with |
//! | [`followed`] | cells of arrays that ghosts follow |
//! | [`stated`] | the invariants that users gave |

pub mod checked;
pub mod entered;
pub mod followed;
pub mod intervals;
pub mod mine;
pub mod path;
pub mod pointers;
pub mod stated;
pub mod states;

use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use crate::testing::forest::Forest;
use prova_logic::{Solver, Term, Terms};

/// What a source may look at.
pub struct View<'a, 'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// Its steps.
    pub steps: &'p Steps,
    /// Its arena.
    pub terms: &'a mut Terms,
    /// The tests so far.
    pub forest: &'a Forest<'p>,
    /// A solver with a limit.
    pub solver: &'a mut dyn Solver,
    /// What the search that asks speaks of already.
    pub spoken: &'a [Term],
    /// Steps from the start to an error that the search that asks cannot exclude.
    pub path: Option<&'a [BlockId]>,
}

/// Proposes facts. Nothing is believed before [`mod@crate::knowledge::houdini`] has kept it.
pub trait Generalise {
    /// Its name on the command line and in explanations.
    fn name(&self) -> &'static str;

    /// Candidates by cutpoint.
    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>>;
}

/// Which sources are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The unsatisfiable core of the one query, instead of the whole preimage.
    pub core: bool,
    /// Branch conditions dropped where they only unroll a loop.
    pub branch: bool,
    /// Predicates along an abstract path that cannot be run.
    pub path: bool,
    /// Invariants from the states of tests.
    pub tests: bool,
    /// An abstract interpretation before the search.
    pub ai: bool,
}

impl Default for Sources {
    fn default() -> Self {
        Sources {
            core: true,
            branch: true,
            path: true,
            tests: true,
            ai: true,
        }
    }
}

impl Sources {
    /// None at all: the papers' weakest preconditions as they are.
    pub const NONE: Sources = Sources {
        core: false,
        branch: false,
        path: false,
        tests: false,
        ai: false,
    };
}
