//! Path interpolation: predicates from one abstract path that cannot be run.
//!
//! The conditions of a whole path from the start to an error are one formula. Where it has no
//! model, the unsatisfiable core names the conditions that exclude each other. Two sequences of
//! predicates follow along the path ([`crate::interpolation::along`]), both interpolants restricted
//! to the core: backward, what the rest of the core demands (weakest preconditions), of which the
//! negation holds; forward, what the path says of the variables the rest speaks of (strongest
//! postconditions).
//! Predicates without large constants come first: they are the ones that generalise (Jhala and
//! Majumdar, *Software Model Checking*, §5.1).

use super::{Generalise, View};
use crate::interpolation::along::{demands, facts};
use crate::interpolation::formula::{judge, Judged};
use crate::interpolation::{weight, Desk, Question};
use prova_logic::Term;

/// Longer paths are left alone.
const LONGEST: usize = 400;
/// Larger predicates are not proposed, in nodes.
const LARGEST: usize = 60;
/// Predicates proposed at one cutpoint.
const MOST: usize = 40;

/// The source.
#[derive(Debug, Default)]
pub struct Path;

impl Generalise for Path {
    fn name(&self) -> &'static str {
        "path"
    }

    fn candidates(&mut self, view: &mut View) -> Vec<Vec<Term>> {
        let blocks = &view.steps.blocks;
        let mut found = vec![Vec::new(); blocks.locations.len()];
        let Some(path) = view.path.filter(|p| p.len() <= LONGEST) else {
            return found;
        };
        let question = Question::impossible(view.terms, path);
        let mut desk = Desk {
            problem: view.problem,
            steps: view.steps,
            terms: view.terms,
            solver: view.solver,
        };
        let Judged::Impossible(core) = judge(&mut desk, &question, None) else {
            return found;
        };
        let Some(behind) = demands(&mut desk, &question, &core) else {
            return found;
        };
        let ahead = facts(&mut desk, &question, &core, &behind, true);
        for (k, &block) in path.iter().enumerate().skip(1) {
            let cutpoint = blocks.block(block).source.index();
            let terms = &mut *view.terms;
            let mut here: Vec<Term> = Vec::new();
            for &demand in &behind[k] {
                here.push(terms.not(demand));
            }
            if behind[k].len() > 1 {
                let all = terms.and(&behind[k]);
                here.push(terms.not(all));
            }
            here.extend(&ahead[k]);
            let slot: &mut Vec<Term> = &mut found[cutpoint];
            for t in here {
                if terms.size(t) <= LARGEST && terms.as_bool(t).is_none() && !slot.contains(&t) {
                    slot.push(t);
                }
            }
        }
        // What holds at one place of a loop mostly holds at the others.
        let mut all: Vec<Term> = found.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let live = &view.steps.live;
        let terms = &*view.terms;
        for (index, slot) in found.iter_mut().enumerate() {
            let here = |t: &Term| terms.free_vars(*t).iter().all(|v| live[index].contains(v));
            for &t in all.iter().filter(|t| here(t)) {
                if !slot.contains(&t) {
                    slot.push(t);
                }
            }
            slot.sort_by_key(|&t| weight(terms, t));
            slot.truncate(MOST);
        }
        found
    }
}
