//! What users say of loops: their invariants are the first candidates.
//!
//! An invariant is an error location that is entered where it does not hold
//! ([`prova_ir::LOOP_CONTRACT`]), so that it is an obligation of every check. Here it is read off
//! the step from the loop's head to that error: what the last condition on the way denies is the
//! invariant. Houdini (Flanagan and Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001)
//! judges it together with what other sources propose, so that one which is true but not inductive by itself
//! is kept where the others give what is missing. Nothing rests on a candidate that is dropped: the error is
//! still there.

use super::states::states;
use super::{Generalise, View};
use prova_ir::LOOP_CONTRACT;
use prova_logic::{Term, Value};

/// Larger ones are not proposed, in nodes.
const LARGEST: usize = 400;

/// The source.
#[derive(Debug, Default)]
pub struct Stated;

impl Generalise for Stated {
    fn name(&self) -> &'static str {
        "stated"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let blocks = &view.steps.blocks;
        let mut found: Vec<Vec<Term>> = vec![Vec::new(); blocks.locations.len()];
        let body = view.problem.prepared.body();
        let stated = body.errors.iter();
        let stated = stated.filter(|e| e.property == LOOP_CONTRACT);
        let stated: Vec<_> = stated
            .filter_map(|e| blocks.cutpoint_of[e.location.index()])
            .collect();
        if stated.is_empty() {
            return found;
        }
        for id in blocks.ids() {
            let block = blocks.block(id);
            if !stated.contains(&block.target) {
                continue;
            }
            let Some(&denied) = view.steps.transitions.get(id).transfer.assumed.last() else {
                continue;
            };
            let held = view.terms.not(denied);
            if view.terms.size(held) > LARGEST {
                continue;
            }
            // What a test refutes is an error that will be found, and no candidate.
            let seen = states(view, block.source);
            let holds = |s| view.forest.evaluate(view.terms, s, held) == Value::Bool(true);
            let here = &mut found[block.source.index()];
            if !here.contains(&held) && seen.into_iter().all(holds) {
                here.push(held);
            }
        }
        found
    }
}
