//! Facts for all runs: who proposes them and who judges them (Gulavani et al., "SYNERGY", section 5,
//! leaves the hook open).
//!
//! | file | what it holds |
//! |---|---|
//! | [`sources`] | those who propose |
//! | [`houdini`] | the inductive ones among all candidates |
//! | [`prune`] | what others say already |
//!
//! [`learn`] puts them together. Two more sources need no candidates: the unsatisfiable core of
//! the one query, and the branch condition that is dropped where it only unrolls a loop
//! (`engines/dash/extend.rs`, `engines/dash/choose.rs`).

pub mod houdini;
pub mod prune;
pub mod sources;

use crate::problem::blocks::Cutpoint;
use houdini::{houdini, Kept};
use prova_logic::{Op, Term};
use prune::prune;
use rustc_hash::FxHashMap;
use sources::{Generalise, View};

/// Candidates kept per cutpoint.
pub(crate) const MOST_CANDIDATES: usize = 300;

/// Facts that hold in every reachable state, and who proposed them.
#[derive(Debug, Default)]
pub struct Learned {
    /// What was kept, by cutpoint.
    pub kept: Kept,
    /// The source of each fact at a cutpoint.
    pub origin: FxHashMap<(usize, Term), &'static str>,
    /// Candidates that were tried.
    pub candidates: u64,
}

/// Invariants from what sources propose.
pub fn learn(
    view: &mut View,
    sources: &mut [&mut dyn Generalise],
    stop: impl FnMut() -> bool,
) -> Learned {
    let mut candidates = vec![Vec::new(); view.blocks.locations.len()];
    let mut origin = FxHashMap::default();
    for source in sources {
        let proposed = source.candidates(view);
        for (index, mut found) in proposed.into_iter().enumerate() {
            found.truncate(MOST_CANDIDATES);
            for t in found {
                // What a block reads is nothing behind it: facts speak of states only.
                let terms = &view.transitions.terms;
                let lasting = |v: &Term| {
                    view.encoding.vars.meaning(*v).is_some() || terms.object(*v).is_some()
                };
                if !terms.free_vars(t).iter().all(lasting) {
                    continue;
                }
                if index != Cutpoint::START.index()
                    && !origin.contains_key(&(index, t))
                    && view.transitions.terms.op(t) != Op::True
                {
                    origin.insert((index, t), source.name());
                    candidates[index].push(t);
                }
            }
        }
    }
    let mut kept = houdini(
        view.encoding,
        view.transitions,
        view.blocks,
        candidates,
        view.solver,
        stop,
    );
    for facts in &mut kept.invariants {
        prune(&view.transitions.terms, facts);
    }
    Learned {
        kept,
        candidates: origin.len() as u64,
        origin,
    }
}
