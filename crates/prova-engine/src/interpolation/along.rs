//! Two sequences along a path, both from its core alone: going back what the rest of it demands
//! (weakest preconditions), going forward what it says of the terms that the rest speaks of
//! (strongest postconditions). What is read on the way is projected.
//!
//! Backward sequences are short and relate variables; around loops they count: each round another
//! constant. Forward ones give the values that variables have, and what those have in common.

use super::formula::Core;
use super::{lasting, Desk, Interpolate, Question, Sequence};
use crate::problem::project::project;
use crate::problem::walk::Walk;
use prova_logic::{Op, Sort, Term, Terms};
use rustc_hash::FxHashSet;

/// Larger demands are given up, in nodes.
const LARGEST: usize = 4_000;
/// Terms that a forward fact may relate at one place.
const RELATED: usize = 12;

/// Weakest preconditions of the core.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backward;

/// Strongest postconditions of the core, of what its rest speaks of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forward {
    /// Whether values are compared with one another, too: those that are the same, or lie apart by a
    /// constant.
    pub relates: bool,
}

impl Interpolate for Backward {
    fn name(&self) -> &'static str {
        "weakest preconditions"
    }

    fn propose(&mut self, desk: &mut Desk, question: &Question, core: &Core) -> Option<Sequence> {
        let demands = demands(desk, question, core)?;
        let terms = &mut *desk.terms;
        let mut sequence = vec![question.before.to_vec()];
        for demand in &demands[1..question.path.len()] {
            let all = terms.and(demand);
            let holds = terms.not(all);
            sequence.push(plain(terms, holds));
        }
        sequence.push(vec![question.after]);
        Some(sequence)
    }
}

impl Interpolate for Forward {
    fn name(&self) -> &'static str {
        "strongest postconditions"
    }

    fn propose(&mut self, desk: &mut Desk, question: &Question, core: &Core) -> Option<Sequence> {
        let demands = demands(desk, question, core)?;
        let mut sequence = facts(desk, question, core, &demands, self.relates);
        sequence[0] = question.before.to_vec();
        sequence.push(vec![question.after]);
        Some(sequence)
    }
}

/// The conjuncts of a term, without *true*.
fn plain(terms: &Terms, t: Term) -> Vec<Term> {
    let mut parts = terms.conjuncts(t);
    parts.retain(|&p| terms.op(p) != Op::True);
    parts
}

/// What the core demands of the state at each place, for the end to be as it should not.
pub fn demands(desk: &mut Desk, question: &Question, core: &Core) -> Option<Sequence> {
    let terms = &mut *desk.terms;
    let transitions = &desk.steps.transitions;
    let n = question.path.len();
    let mut demands: Sequence = vec![Vec::new(); n + 1];
    let outside = terms.not(question.after);
    demands[n] = plain(terms, outside);
    for k in (0..n).rev() {
        let mut here = core.guards[k].clone();
        for fact in demands[k + 1].clone() {
            let before = transitions.preimage(terms, question.path[k], fact);
            here.extend(terms.conjuncts(before));
        }
        let inputs = &transitions.get(question.path[k]).transfer.inputs;
        let inputs: Vec<Term> = inputs.iter().map(|i| i.var).collect();
        let mut here = project(terms, &here, &inputs);
        here.retain(|&t| terms.op(t) != Op::True);
        here.sort_unstable();
        here.dedup();
        if here.contains(&terms.fals()) {
            // Nobody gets through from here: before it nothing is demanded.
            for demand in &mut demands[..=k] {
                *demand = vec![terms.fals()];
            }
            break;
        }
        if here.iter().map(|&t| terms.size(t)).sum::<usize>() > LARGEST {
            return None;
        }
        demands[k] = here;
    }
    Some(demands)
}

/// What the path says, at each place but the last, of the terms that the demands there speak of;
/// what their values have in common if it `relates` them.
pub fn facts(
    desk: &mut Desk,
    question: &Question,
    core: &Core,
    demands: &[Vec<Term>],
    relates: bool,
) -> Vec<Vec<Term>> {
    let terms = &mut *desk.terms;
    let transitions = &desk.steps.transitions;
    let vars = &desk.problem.encoding.vars;
    let mut walk = Walk::default();
    // The state before the path has names of its own.
    let mut first: FxHashSet<Term> = FxHashSet::default();
    for &block in question.path {
        let transfer = &transitions.get(block).transfer;
        first.extend(terms.free_vars_of(&transfer.guard));
        let values: Vec<Term> = transfer.updates.iter().map(|u| u.1).collect();
        first.extend(terms.free_vars_of(&values));
    }
    first.extend(demands.iter().flat_map(|d| terms.free_vars_of(d)));
    let mut first: Vec<Term> = first.into_iter().collect();
    first.sort_unstable();
    first.retain(|&v| vars.meaning(v).is_some());
    let mut hidden = walk.name(terms, &first);
    let mut known: Vec<Term> = Vec::new();
    for &given in &core.before {
        known.push(walk.term(terms, given));
    }
    let mut found = Vec::new();
    for (k, &block) in question.path.iter().enumerate() {
        let leaves = leaves(terms, &demands[k]);
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        for leaf in leaves {
            pairs.push((leaf, walk.term(terms, leaf)));
        }
        let mut here = match relates {
            true => related(terms, &pairs),
            false => Vec::new(),
        };
        let mut all = known.clone();
        all.extend(pairs.iter().map(|&(leaf, value)| terms.eq(leaf, value)));
        let spoken: FxHashSet<Term> = terms.free_vars_of(&all).into_iter().collect();
        let arbitrary = hidden.iter().copied().filter(|v| spoken.contains(v));
        let arbitrary: Vec<Term> = arbitrary.collect();
        here.extend(project(terms, &all, &arbitrary));
        here.retain(|&t| terms.op(t) != Op::True && lasting(desk.problem, terms, t));
        here.sort_unstable();
        here.dedup();
        found.push(here);
        let read = walk.enter(terms, transitions, block);
        hidden.extend(read.iter().map(|i| i.var));
        for &guard in &core.guards[k] {
            known.push(walk.term(terms, guard));
        }
        walk.leave(terms, transitions, block);
    }
    found
}

/// What terms with these values have in common: the same value, or values that lie apart by a
/// constant.
fn related(terms: &mut Terms, pairs: &[(Term, Term)]) -> Vec<Term> {
    let mut found = Vec::new();
    for (i, &(one, first)) in pairs.iter().enumerate().take(RELATED) {
        for &(other, second) in &pairs[i + 1..] {
            if terms.sort(one) != terms.sort(other) {
                continue;
            }
            if first == second {
                found.push(terms.eq(one, other));
            } else if matches!(terms.sort(one), Sort::BitVec(_)) {
                let apart = terms.sub(first, second);
                if terms.as_bits(apart).is_some() {
                    let moved = terms.add(other, apart);
                    found.push(terms.eq(one, moved));
                }
            }
        }
    }
    found
}

/// The variables and memory cells that terms speak of.
fn leaves(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let array = |t: Term| matches!(terms.sort(t), Sort::Array { .. });
    let mut found: Vec<Term> = Vec::new();
    for t in terms.post_order(roots) {
        let variable = terms.is_var(t) && terms.object(t).is_none() && !array(t);
        let cell = terms.op(t) == Op::Select && terms.is_var(terms.children(t)[0]);
        if (variable || cell) && !array(t) {
            found.push(t);
        }
    }
    found
}
