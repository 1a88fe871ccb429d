//! A closed set of abstract states proved again, step by step, from nothing but the facts and the
//! transitions.

use super::explore::{Exploration, Map};
use crate::engines::dash::SOLVER_LIFE;
use crate::problem::blocks::{Blocks, Cutpoint};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use prova_ir::{ProcId, Span};
use prova_logic::{Answer, Solver, Term};
use prova_task::Invariant;
use rustc_hash::FxHashSet;

/// States between two looks at the clock.
const POLL: usize = 64;

/// The states at each cutpoint, as cases of an invariant.
pub fn cases(transitions: &mut Transitions, exploration: &Exploration) -> Vec<Vec<Vec<Term>>> {
    exploration
        .reached
        .iter()
        .map(|reached| {
            let mut cases: Vec<Vec<Term>> = reached
                .states
                .iter()
                .map(|&n| {
                    exploration.nodes[n as usize]
                        .state
                        .facts(&mut transitions.terms)
                })
                .collect();
            if cases.iter().any(|c| c.is_empty()) {
                cases = vec![Vec::new()];
            }
            cases
        })
        .collect()
}

/// Checks that every step out of every state leads into the state that was said to cover it, and
/// none to an error. Values that a state fixes settle most of it; the solver is asked for the
/// rest. Gives the number of solver calls, or what failed.
pub fn prove(
    encoding: &Encoding,
    transitions: &mut Transitions,
    blocks: &Blocks,
    map: &Map,
    exploration: &Exploration,
    solver: &mut dyn Solver,
    mut stop: impl FnMut() -> bool,
) -> Result<u64, String> {
    let mut calls: u64 = 0;
    let mut facts_of: Vec<Option<Vec<Term>>> = vec![None; exploration.nodes.len()];
    for (number, node) in exploration.nodes.iter().enumerate() {
        if number % POLL == 0 && stop() {
            return Err("the budget ran out".into());
        }
        let mut substitution = node.state.substitution(&mut transitions.terms);
        for &block in &map.outgoing[node.cutpoint.index()] {
            let guard = transitions.get(block).transfer.guard.clone();
            let terms = &mut transitions.terms;
            let mut known: FxHashSet<Term> = node.state.literals.iter().copied().collect();
            known.insert(terms.tru());
            for &g in &guard {
                let t = terms.substitute(g, &mut substitution);
                known.extend(terms.conjuncts(t));
            }
            if known.contains(&terms.fals()) {
                continue;
            }
            let none = Vec::new();
            let successors = exploration
                .successors
                .get(&(number as u32, block))
                .unwrap_or(&none);
            // Each case says what the step does not arrive in; none is left if one surely holds.
            let mut outside: Vec<Vec<Term>> = Vec::new();
            let mut settled = false;
            for &covering in successors {
                let target = exploration.nodes.get(covering as usize);
                let Some(target) = target.filter(|t| t.cutpoint == blocks.block(block).target)
                else {
                    return Err(format!("block {} leads elsewhere", block.index()));
                };
                if blocks.errors.contains(&target.cutpoint) {
                    return Err(format!("block {} leads to an error", block.index()));
                }
                let facts = facts_of[covering as usize]
                    .get_or_insert_with(|| target.state.facts(&mut transitions.terms))
                    .clone();
                let mut open = Vec::new();
                for fact in facts {
                    let before = transitions.preimage(block, fact);
                    let t = transitions.terms.substitute(before, &mut substitution);
                    if !known.contains(&t) {
                        open.push(t);
                    }
                }
                settled |= open.is_empty();
                outside.push(open);
            }
            if settled {
                continue;
            }
            let terms = &mut transitions.terms;
            // The state's values are in the terms already.
            let mut asserted: Vec<Term> = known.into_iter().collect();
            asserted.sort_unstable();
            for open in outside {
                let arrived = terms.and(&open);
                asserted.push(terms.not(arrived));
            }
            let axioms = encoding.axioms(terms, &asserted);
            asserted.extend(axioms);
            calls += 1;
            if calls.is_multiple_of(SOLVER_LIFE) {
                solver.reset();
            }
            solver.push();
            for &t in &asserted {
                solver.assert(terms, t);
            }
            let answer = solver.check(terms, &[]);
            solver.pop(1);
            if answer != Answer::Unsat {
                return Err(format!(
                    "the step through block {}: {answer:?}",
                    block.index()
                ));
            }
        }
    }
    Ok(calls)
}

/// The cases as invariants at locations.
pub fn invariants(
    procedure: ProcId,
    blocks: &Blocks,
    cases: Vec<Vec<Vec<Term>>>,
    span: impl Fn(Cutpoint) -> Span,
) -> Vec<Invariant> {
    let mut found = Vec::new();
    for (index, cases) in cases.into_iter().enumerate() {
        if let Some(location) = blocks.locations[index] {
            found.push(Invariant {
                procedure,
                location,
                span: span(Cutpoint(index as u32)),
                cases,
            });
        }
    }
    found
}
