//! A closed set of abstract states proved again by a solver, block by block, from nothing but the
//! facts and the transitions.

use super::explore::Exploration;
use crate::dash::blocks::Blocks;
use crate::dash::encoding::Encoding;
use crate::dash::graph::{BlockId, Cutpoint};
use crate::dash::transitions::Transitions;
use crate::outcome::Invariant;
use prova_ir::Span;
use prova_logic::{Answer, Solver, Term};

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

/// Checks that every block leads from the cases of its source into those of its target, and none
/// to an error. Gives the number of solver calls, or what failed.
pub fn prove(
    encoding: &Encoding,
    transitions: &mut Transitions,
    blocks: &Blocks,
    cases: &[Vec<Vec<Term>>],
    solver: &mut dyn Solver,
    mut stop: impl FnMut() -> bool,
) -> Result<u64, String> {
    let mut calls = 0;
    for (index, block) in blocks.blocks.iter().enumerate() {
        let (source, target) = (&cases[block.source.index()], &cases[block.target.index()]);
        if source.is_empty() || target.iter().any(|c| c.is_empty()) {
            continue;
        }
        if stop() {
            return Err("the budget ran out".into());
        }
        let id = BlockId(index as u32);
        let mut inside = Vec::with_capacity(target.len());
        if !blocks.errors.contains(&block.target) {
            for case in target {
                let preimages: Vec<Term> =
                    case.iter().map(|&f| transitions.preimage(id, f)).collect();
                inside.push(transitions.terms.and(&preimages));
            }
        }
        let mut asserted = transitions.get(id).transfer.guard.clone();
        let terms = &mut transitions.terms;
        let before: Vec<Term> = source.iter().map(|c| terms.and(c)).collect();
        asserted.push(terms.or(&before));
        let arrived = terms.or(&inside);
        asserted.push(terms.not(arrived));
        if asserted.contains(&terms.fals()) {
            continue;
        }
        let axioms = encoding.axioms(terms, &asserted);
        asserted.extend(axioms);
        solver.push();
        for &t in &asserted {
            solver.assert(terms, t);
        }
        calls += 1;
        let answer = solver.check(terms, &[]);
        solver.pop(1);
        if answer != Answer::Unsat {
            return Err(format!("the step through block {index}: {answer:?}"));
        }
    }
    Ok(calls)
}

/// The cases as invariants at locations.
pub fn invariants(
    blocks: &Blocks,
    cases: Vec<Vec<Vec<Term>>>,
    span: impl Fn(Cutpoint) -> Span,
) -> Vec<Invariant> {
    let mut found = Vec::new();
    for (index, cases) in cases.into_iter().enumerate() {
        if let Some(location) = blocks.locations[index] {
            found.push(Invariant {
                location,
                span: span(Cutpoint(index as u32)),
                cases,
            });
        }
    }
    found
}
