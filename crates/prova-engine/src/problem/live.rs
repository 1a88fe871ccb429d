//! Which state variables still matter where.

use crate::problem::blocks::{BlockId, Blocks};
use crate::problem::transitions::Transitions;
use prova_logic::{Term, Terms};
use rustc_hash::FxHashSet;

/// Variables whose value can still decide a branch, by cutpoint.
pub fn live(terms: &Terms, transitions: &Transitions, blocks: &Blocks) -> Vec<FxHashSet<Term>> {
    let incoming = blocks.incoming();
    let mut live: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); incoming.len()];
    let mut work: Vec<BlockId> = (0..blocks.blocks.len())
        .map(|i| BlockId(i as u32))
        .collect();
    let mut waiting: FxHashSet<BlockId> = work.iter().copied().collect();
    while let Some(id) = work.pop() {
        waiting.remove(&id);
        let block = blocks.block(id);
        let transfer = &transitions.get(id).transfer;
        let behind = live[block.target.index()].clone();
        let here = &mut live[block.source.index()];
        let before = here.len();
        for &guard in &transfer.guard {
            here.extend(terms.free_vars(guard));
        }
        let mut written: FxHashSet<Term> = FxHashSet::default();
        for &(variable, value) in &transfer.updates {
            written.insert(variable);
            if behind.contains(&variable) {
                here.extend(terms.free_vars(value));
            }
        }
        here.extend(behind.difference(&written));
        if here.len() > before {
            for &id in &incoming[block.source.index()] {
                if waiting.insert(id) {
                    work.push(id);
                }
            }
        }
    }
    live
}
