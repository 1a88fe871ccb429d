//! Houdini: the largest inductive part of a set of candidates (Flanagan and Leino's scheme).
//!
//! Each cutpoint has candidates that hold in every state the tests have been in. A candidate that
//! some step from candidate states can break is dropped, until none is. What is left holds in
//! every state that a run can reach, whatever the tests happened to see: it holds after the start
//! block, and every block preserves it.

use crate::dash::blocks::Blocks;
use crate::dash::encoding::Encoding;
use crate::dash::graph::BlockId;
use crate::dash::transitions::Transitions;
use prova_logic::{Answer, Solver, Term};
use std::collections::BTreeSet;

/// What became of the candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Facts by cutpoint that hold whenever execution is there.
    pub invariants: Vec<Vec<Term>>,
    /// Solver calls it took.
    pub calls: u64,
    /// Whether it ended before all was checked; then there are no invariants at all.
    pub interrupted: bool,
}

/// Drops candidates until the rest is inductive.
pub fn houdini(
    encoding: &Encoding,
    transitions: &mut Transitions,
    blocks: &Blocks,
    mut candidates: Vec<Vec<Term>>,
    solver: &mut dyn Solver,
    mut stop: impl FnMut() -> bool,
) -> Kept {
    let mut calls = 0;
    let outgoing = blocks.outgoing();
    let mut work: BTreeSet<BlockId> = (0..blocks.blocks.len())
        .map(|i| BlockId(i as u32))
        .collect();
    while let Some(id) = work.pop_first() {
        let block = blocks.block(id);
        let (source, target) = (block.source.index(), block.target.index());
        loop {
            if candidates[target].is_empty() {
                break;
            }
            if stop() {
                return Kept {
                    invariants: vec![Vec::new(); candidates.len()],
                    calls,
                    interrupted: true,
                };
            }
            let claims: Vec<(Term, Term)> = candidates[target]
                .iter()
                .map(|&c| (c, transitions.preimage(id, c)))
                .collect();
            let facts = candidates[source].clone();
            // A claim that is also a fact is preserved without asking.
            let open: Vec<(Term, Term)> = claims
                .into_iter()
                .filter(|&(_, p)| !facts.contains(&p) && transitions.terms.as_bool(p) != Some(true))
                .collect();
            if open.is_empty() {
                break;
            }
            let broken =
                broken_claims(encoding, transitions, solver, &facts, id, &open, &mut calls);
            if broken.is_empty() {
                break;
            }
            candidates[target].retain(|c| !broken.contains(c));
            work.extend(outgoing[target].iter().copied());
        }
    }
    Kept {
        invariants: candidates,
        calls,
        interrupted: false,
    }
}

/// Claims that one step can break: those a model breaks. Empty means that none can be broken.
/// Where the solver gives up, it is asked about each half; a single claim that it cannot decide
/// counts as broken.
pub(crate) fn broken_claims(
    encoding: &Encoding,
    transitions: &mut Transitions,
    solver: &mut dyn Solver,
    facts: &[Term],
    block: BlockId,
    open: &[(Term, Term)],
    calls: &mut u64,
) -> Vec<Term> {
    *calls += 1;
    let guard = transitions.get(block).transfer.guard.clone();
    let terms = &mut transitions.terms;
    let negations: Vec<Term> = open.iter().map(|&(_, p)| terms.not(p)).collect();
    let mut asserted = facts.to_vec();
    asserted.extend(guard);
    asserted.push(terms.or(&negations));
    let axioms = encoding.axioms(terms, &asserted);
    asserted.extend(axioms);
    solver.push();
    for &t in &asserted {
        solver.assert(terms, t);
    }
    let answer = solver.check(terms, &[]);
    let all = || open.iter().map(|&(c, _)| c).collect();
    let broken: Vec<Term> = match answer {
        Answer::Unsat | Answer::Unknown(_) => Vec::new(),
        Answer::Sat => {
            let variables = terms.free_vars_of(&asserted);
            let broken: Vec<Term> = match solver.model(terms, &variables) {
                Ok(model) => open
                    .iter()
                    .filter(|&&(_, p)| !terms.holds(p, &model))
                    .map(|&(c, _)| c)
                    .collect(),
                Err(_) => Vec::new(),
            };
            // A model the evaluator reads differently would loop for ever: give the claims up.
            match broken.is_empty() {
                true => all(),
                false => broken,
            }
        }
    };
    solver.pop(1);
    match answer {
        Answer::Unknown(_) if open.len() == 1 => all(),
        Answer::Unknown(_) => {
            let (first, second) = open.split_at(open.len() / 2);
            let mut broken = Vec::new();
            for half in [first, second] {
                let more = broken_claims(encoding, transitions, solver, facts, block, half, calls);
                broken.extend(more);
            }
            broken
        }
        _ => broken,
    }
}
