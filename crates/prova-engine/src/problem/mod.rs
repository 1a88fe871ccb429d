//! The problem: the prepared program as terms. It is built once for a check; every engine works on
//! it and none owns it.
//!
//! | file | what it holds |
//! |---|---|
//! | [`encoding`] | the state as variables, and what is known of objects |
//! | [`blocks`] | cutpoints and the steps between them |
//! | [`transitions`] | what the steps do, and preimages |
//! | [`step`], [`unroll`] | all paths of a loop-free piece as one relation, and one after another |
//! | [`unwind`] | loops round by round, all paths as one formula |
//! | [`mod@live`] | which variables still matter where |
//! | [`walk`] | the steps of a path one after another |
//! | [`alias`], [`project`] | preimages made plainer: what a path says of aliasing, and arbitrary values |
//! | [`names`] | terms in the user's own words |
//!
//! The arena of terms stands beside the transitions: whoever has a turn is lent it, and facts that
//! one engine leaves are terms that the next one understands.

pub mod alias;
pub mod blocks;
pub mod encoding;
pub mod live;
pub mod names;
pub mod project;
pub mod step;
pub mod transitions;
pub mod unroll;
pub mod unwind;
pub mod walk;

use blocks::{Blocks, Granularity};
use encoding::Encoding;
use live::{live, Live};
use prova_logic::Terms;
use prova_task::{Prepared, Unknown};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use transitions::Transitions;

/// One program, ready for every engine.
pub struct Problem {
    /// The program.
    pub prepared: Arc<Prepared>,
    /// Its state as variables.
    pub encoding: Encoding,
    /// How large steps are.
    pub granularity: Granularity,
    /// The arena of all terms.
    pub terms: RefCell<Terms>,
    steps: OnceCell<Result<Steps, Unknown>>,
}

/// The steps of a program that is one procedure.
pub struct Steps {
    /// Cutpoints and blocks.
    pub blocks: Blocks,
    /// What the blocks do.
    pub transitions: Transitions,
    /// Variables whose value can still decide a branch, by cutpoint.
    pub live: Vec<Live>,
    /// The loop nest each cutpoint belongs to: its strongly connected component.
    pub component: Vec<u32>,
    /// Whether each cutpoint lies on a cycle.
    pub in_loop: Vec<bool>,
}

impl Problem {
    /// A problem with steps of this size.
    pub fn new(prepared: Prepared, granularity: Granularity) -> Problem {
        let prepared = Arc::new(prepared);
        let mut terms = Terms::new();
        let encoding = Encoding::new(&mut terms, prepared.clone());
        Problem {
            prepared,
            encoding,
            granularity,
            terms: RefCell::new(terms),
            steps: OnceCell::new(),
        }
    }

    /// The steps, if the program is one procedure and all of them can be encoded.
    pub fn steps(&self, terms: &mut Terms) -> Result<&Steps, Unknown> {
        let made = self.steps.get_or_init(|| {
            if !self.prepared.is_one_procedure() {
                return Err(Unknown::Unsupported {
                    what: "several procedures".into(),
                    span: None,
                });
            }
            let blocks = Blocks::new(self.prepared.body(), self.granularity);
            let transitions = self.encoding.transitions(terms, &blocks)?;
            let component = blocks.components();
            Ok(Steps {
                live: live(terms, &transitions, &blocks),
                in_loop: blocks.in_loops(&component),
                component,
                blocks,
                transitions,
            })
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// Locations of all procedures.
    pub fn locations(&self) -> u64 {
        if self.prepared.is_one_procedure() {
            return self.prepared.body().locations.len() as u64;
        }
        let procedures = self.prepared.program.procedures.iter();
        let bodies = procedures.filter_map(|p| p.body.as_ref());
        bodies.map(|b| b.locations.len() as u64).sum()
    }
}
