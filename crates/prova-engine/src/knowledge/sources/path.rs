//! Path interpolation: predicates from one abstract path that cannot be run.
//!
//! The conditions of a whole path from the start to an error are one formula. Where it has no
//! model, the unsatisfiable core names the conditions that exclude each other. Two sequences of
//! predicates follow along the path, both interpolants restricted to the core: backward, what the
//! rest of the core demands (weakest preconditions), of which the negation holds; forward, the
//! values that the path gives to the variables the rest speaks of (strongest postconditions).
//! Predicates without large constants come first: they are the ones that generalise (Jhala and
//! Majumdar, *Software Model Checking*, §5.1).

use super::{Generalise, View};
use crate::problem::blocks::BlockId;
use crate::problem::project::project;
use crate::problem::walk::Walk;
use prova_logic::{Answer, Op, Term, Terms};
use rustc_hash::FxHashSet;

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
        let Some(core) = refuted(view, path) else {
            return found;
        };
        let behind = backward(view, path, &core);
        let ahead = forward(view, path, &behind);
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

/// How particular a predicate is: its largest constant, then its size.
fn weight(terms: &Terms, t: Term) -> (u64, usize, Term) {
    let mut largest = 0;
    for part in terms.post_order(&[t]) {
        if terms.op(part) == Op::BvConst {
            let bits = terms.as_u64(part).unwrap_or(u64::MAX);
            // Small negative numbers are small.
            let narrow = bits.min((bits as i32).unsigned_abs().into());
            largest = largest.max(narrow.min((bits as i64).unsigned_abs()));
        }
    }
    (largest, terms.size(t), t)
}

/// The conditions of the path's blocks that exclude each other, by place; `None` if they do not.
fn refuted(view: &mut View, path: &[BlockId]) -> Option<Vec<Vec<Term>>> {
    let transitions = &view.steps.transitions;
    let mut walk = Walk::default();
    let mut conditions: Vec<(usize, Term, Term)> = Vec::new();
    for (k, &block) in path.iter().enumerate() {
        walk.enter(view.terms, transitions, block);
        for guard in transitions.get(block).transfer.guard.clone() {
            for part in view.terms.conjuncts(guard) {
                let value = walk.term(view.terms, part);
                conditions.push((k, part, value));
            }
        }
        walk.leave(view.terms, transitions, block);
    }
    let mut core = vec![Vec::new(); path.len()];
    let terms = &mut *view.terms;
    if let Some(&(k, part, _)) = conditions.iter().find(|c| c.2 == terms.fals()) {
        core[k].push(part);
        return Some(core);
    }
    let values: Vec<Term> = conditions.iter().map(|c| c.2).collect();
    let axioms = view.problem.encoding.axioms(terms, &values);
    let mut seen = FxHashSet::default();
    let assumptions: Vec<Term> = values
        .iter()
        .rev()
        .copied()
        .filter(|&t| terms.as_bool(t).is_none() && seen.insert(t))
        .collect();
    view.solver.push();
    for &axiom in &axioms {
        view.solver.assert(terms, axiom);
    }
    let answer = view.solver.check(terms, &assumptions);
    let blamed: FxHashSet<Term> = match answer {
        Answer::Unsat => view.solver.core().into_iter().collect(),
        _ => FxHashSet::default(),
    };
    view.solver.pop(1);
    if answer != Answer::Unsat {
        return None;
    }
    for (k, part, value) in conditions {
        if blamed.contains(&value) {
            core[k].push(part);
        }
    }
    Some(core)
}

/// What the core demands of the state before each block of the path.
fn backward(view: &mut View, path: &[BlockId], core: &[Vec<Term>]) -> Vec<Vec<Term>> {
    let transitions = &view.steps.transitions;
    let mut demands: Vec<Vec<Term>> = vec![Vec::new(); path.len() + 1];
    for k in (1..path.len()).rev() {
        let mut here = core[k].clone();
        for fact in demands[k + 1].clone() {
            let before = transitions.preimage(view.terms, path[k], fact);
            here.extend(view.terms.conjuncts(before));
        }
        let inputs: Vec<Term> = transitions
            .get(path[k])
            .transfer
            .inputs
            .iter()
            .map(|i| i.var)
            .collect();
        let terms = &mut *view.terms;
        let mut here = project(terms, &here, &inputs);
        here.retain(|&t| terms.op(t) != Op::True);
        here.sort_unstable();
        here.dedup();
        if here.contains(&terms.fals()) {
            break;
        }
        demands[k] = here;
    }
    demands
}

/// Values that the path gives to the variables of which the rest demands something.
fn forward(view: &mut View, path: &[BlockId], demands: &[Vec<Term>]) -> Vec<Vec<Term>> {
    let mut facts = vec![Vec::new(); path.len()];
    let transitions = &view.steps.transitions;
    let mut walk = Walk::default();
    for (k, &block) in path.iter().enumerate() {
        let terms = &mut *view.terms;
        for variable in terms.free_vars_of(&demands[k]) {
            let Some(value) = walk.value(variable) else {
                continue;
            };
            let ground = terms
                .free_vars(value)
                .iter()
                .all(|&v| terms.object(v).is_some());
            if ground && !matches!(terms.sort(variable), prova_logic::Sort::Array { .. }) {
                facts[k].push(terms.eq(variable, value));
            }
        }
        walk.enter(view.terms, transitions, block);
        walk.leave(view.terms, transitions, block);
    }
    facts
}
