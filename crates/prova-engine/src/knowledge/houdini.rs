//! Houdini: the largest inductive part of a set of candidates (Flanagan and Leino's scheme).
//!
//! Each cutpoint has candidates that hold in every state the tests have been in. A candidate that
//! some step from candidate states can break is dropped, until none is. What is left holds in
//! every state that a run can reach, whatever the tests happened to see: it holds after the start
//! block, and every block preserves it.
//!
//! A model that breaks a candidate is a state behind a step. It satisfies what is left there, so
//! that what the next steps from it break is dropped as well, without another question.

use crate::problem::blocks::{BlockId, Blocks};
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use prova_logic::{Answer, Evaluator, Model, Solver, Term, Terms, Value};
use std::collections::BTreeSet;

/// Steps from one model that are looked at.
const FOLLOWED: usize = 64;

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

/// Drops candidates until the rest is inductive, given what is known by cutpoint: facts that were
/// proved before, by themselves.
#[allow(clippy::too_many_arguments)]
pub fn houdini(
    encoding: &Encoding,
    terms: &mut Terms,
    transitions: &Transitions,
    blocks: &Blocks,
    known: &[Vec<Term>],
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
                .map(|&c| (c, transitions.preimage(terms, id, c)))
                .collect();
            let mut facts = candidates[source].clone();
            facts.extend(known.get(source).into_iter().flatten());
            // A claim that is also a fact is preserved without asking.
            let open: Vec<(Term, Term)> = claims
                .into_iter()
                .filter(|&(_, p)| !facts.contains(&p) && terms.as_bool(p) != Some(true))
                .collect();
            if open.is_empty() {
                break;
            }
            let broken = broken_claims(
                encoding,
                terms,
                solver,
                transitions.guard(id),
                &facts,
                &open,
                &mut calls,
            );
            if broken.claims.is_empty() {
                break;
            }
            candidates[target].retain(|c| !broken.claims.contains(c));
            work.extend(outgoing[target].iter().copied());
            for model in broken.models {
                let changed = follow(
                    terms,
                    transitions,
                    blocks,
                    &outgoing,
                    &mut candidates,
                    id,
                    model,
                );
                for cutpoint in changed {
                    work.extend(outgoing[cutpoint].iter().copied());
                }
            }
        }
    }
    Kept {
        invariants: candidates,
        calls,
        interrupted: false,
    }
}

/// Goes on from a model behind a block, as long as steps break something; drops what they break.
/// Gives the cutpoints that lost candidates.
fn follow(
    terms: &mut Terms,
    transitions: &Transitions,
    blocks: &Blocks,
    outgoing: &[Vec<BlockId>],
    candidates: &mut [Vec<Term>],
    block: BlockId,
    model: Model,
) -> Vec<usize> {
    let mut changed = Vec::new();
    let mut steps = 0;
    let mut work = vec![(block, model)];
    while let Some((block, before)) = work.pop() {
        let state = behind(terms, transitions, block, before);
        let mut evaluator = Evaluator::new();
        for &next in &outgoing[blocks.block(block).target.index()] {
            let target = blocks.block(next).target.index();
            steps += 1;
            if steps > FOLLOWED {
                return changed;
            }
            let guard = transitions.get(next).transfer.guard.clone();
            let claims = candidates[target].iter();
            let before: Vec<Term> = claims
                .map(|&c| transitions.preimage(terms, next, c))
                .collect();
            let terms = &*terms;
            let mut holds = |t: Term| {
                let value = evaluator.eval(terms, t, |v| state.get(v).cloned());
                value == Value::Bool(true)
            };
            if before.is_empty() || !guard.into_iter().all(&mut holds) {
                continue;
            }
            let count = before.len();
            let mut kept = before.into_iter().map(holds);
            candidates[target].retain(|_| kept.next() == Some(true));
            if candidates[target].len() < count {
                changed.push(target);
                work.push((next, state.clone()));
            }
        }
    }
    changed
}

/// The state behind a block.
fn behind(terms: &Terms, transitions: &Transitions, block: BlockId, before: Model) -> Model {
    let mut evaluator = Evaluator::new();
    let mut after = before.clone();
    for &(variable, value) in &transitions.get(block).transfer.updates {
        let value = evaluator.eval(terms, value, |v| before.get(v).cloned());
        after.insert(variable, value);
    }
    after
}

/// Claims that a step can break, and the states that showed it.
pub(crate) struct Broken {
    pub claims: Vec<Term>,
    pub models: Vec<Model>,
}

/// Claims that a step with this guard can break: those a model breaks. None means that none can be broken.
/// Where the solver gives up, it is asked about each half; a single claim that it cannot decide
/// counts as broken.
pub(crate) fn broken_claims(
    encoding: &Encoding,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    guard: &[Term],
    facts: &[Term],
    open: &[(Term, Term)],
    calls: &mut u64,
) -> Broken {
    *calls += 1;
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
    let model = match answer {
        Answer::Sat => {
            let variables = terms.free_vars_of(&asserted);
            solver.model(terms, &variables).ok()
        }
        _ => None,
    };
    solver.pop(1);
    let mut broken = Broken {
        claims: Vec::new(),
        models: Vec::new(),
    };
    match answer {
        Answer::Unsat => {}
        Answer::Unknown(_) if open.len() > 1 => {
            let (first, second) = open.split_at(open.len() / 2);
            for half in [first, second] {
                let more = broken_claims(encoding, terms, solver, guard, facts, half, calls);
                broken.claims.extend(more.claims);
                broken.models.extend(more.models);
            }
        }
        _ => {
            if let Some(model) = model {
                let fails = |p: Term| !terms.holds(p, &model);
                let claims = open.iter().filter(|&&(_, p)| fails(p));
                broken.claims = claims.map(|&(c, _)| c).collect();
                broken.models.push(model);
            }
            // A model the evaluator reads differently would loop for ever: give the claims up.
            if broken.claims.is_empty() {
                broken.claims = open.iter().map(|&(c, _)| c).collect();
            }
        }
    }
    broken
}
