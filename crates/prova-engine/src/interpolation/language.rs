//! Interpolants in a small language first.
//!
//! Whoever refutes the paths of a loop by *i = 0*, *i = 1*, *i = 2* refutes one after the other; the
//! same paths are often refuted by *i ≤ n*, or *i = j*. So all that the core demands and all that the
//! path says are candidates at its places; those with the smallest constants are tried alone, then
//! more, until they suffice: the idea of a hierarchy of languages (Jhala, McMillan, *A Practical and
//! Complete Approach to Predicate Refinement*, TACAS 2006), with candidates instead of a split prover.
//!
//! Going forward keeps the candidates that follow from those before them; going back leaves those
//! that the end needs.

use super::along::{demands, facts};
use super::formula::Core;
use super::{lasting, leads, plainly, weight, Desk, Interpolate, Question, Sequence};
use prova_logic::{Answer, Op, Term, Terms};
use rustc_hash::FxHashMap;

/// Larger predicates are no candidates, in nodes.
const LARGEST: usize = 60;
/// Candidates at one place.
const MOST: usize = 30;
/// Questions for one sequence.
const QUESTIONS: usize = 600;
/// Languages that are tried.
const LANGUAGES: usize = 4;
/// Longer paths are left to others.
const LONGEST: usize = 300;

/// The way.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmallLanguage;

impl Interpolate for SmallLanguage {
    fn name(&self) -> &'static str {
        "the smallest language that will do"
    }

    fn propose(&mut self, desk: &mut Desk, question: &Question, core: &Core) -> Option<Sequence> {
        if question.path.len() > LONGEST {
            return None;
        }
        let candidates = candidates(desk, question, core)?;
        let mut weights: Vec<u64> = candidates.iter().flatten().map(|c| c.0).collect();
        weights.sort_unstable();
        weights.dedup();
        // The smallest ones, and all.
        let last = weights.last().copied();
        let mut languages: Vec<u64> = weights.into_iter().take(LANGUAGES - 1).collect();
        languages.extend(last.filter(|w| !languages.contains(w)));
        let mut questions = QUESTIONS;
        languages.into_iter().find_map(|most| {
            let forward = forward(desk, question, core, &candidates, most, &mut questions)?;
            backward(desk, question, &forward)
        })
    }
}

/// Candidates at each place of a path with their weights, plain ones first.
fn candidates(desk: &mut Desk, question: &Question, core: &Core) -> Option<Vec<Vec<(u64, Term)>>> {
    let demands = demands(desk, question, core)?;
    let facts = facts(desk, question, core, &demands, true);
    let (steps, problem) = (desk.steps, desk.problem);
    let terms = &mut *desk.terms;
    let n = question.path.len();
    let mut at: FxHashMap<u32, Vec<Term>> = FxHashMap::default();
    for k in 1..n {
        let cutpoint = steps.blocks.block(question.path[k]).source;
        let mut here: Vec<Term> = Vec::new();
        for &demand in &demands[k] {
            here.push(terms.not(demand));
            here.extend(bounds(terms, demand));
        }
        let all = terms.and(&demands[k]);
        here.push(terms.not(all));
        here.extend(&facts[k]);
        // What holds at one visit of a place may hold at all of them.
        at.entry(cutpoint.0).or_default().extend(here);
    }
    for here in at.values_mut() {
        here.retain(|&t| {
            terms.as_bool(t).is_none() && terms.size(t) <= LARGEST && lasting(problem, terms, t)
        });
        here.sort_by_cached_key(|&t| weight(terms, t));
        here.dedup();
        here.truncate(MOST);
    }
    let mut found = vec![Vec::new(); n + 1];
    for (k, &block) in question.path.iter().enumerate().skip(1) {
        let here = &at[&steps.blocks.block(block).source.0];
        found[k] = here.iter().map(|&t| (weight(terms, t).0, t)).collect();
    }
    Some(found)
}

/// A strict bound holds up to its end, too: *i < n* inside of a loop is *i ≤ n* around it.
fn bounds(terms: &mut Terms, t: Term) -> Vec<Term> {
    let inner = match terms.op(t) {
        Op::Not => terms.children(t)[0],
        _ => t,
    };
    let &[a, b] = terms.children(inner) else {
        return Vec::new();
    };
    match terms.op(inner) {
        Op::Slt | Op::Sle => vec![terms.sle(a, b), terms.sle(b, a)],
        Op::Ult | Op::Ule => vec![terms.ule(a, b), terms.ule(b, a)],
        _ => Vec::new(),
    }
}

/// At each place the candidates that follow from those before it. `None` if they do not suffice.
fn forward(
    desk: &mut Desk,
    question: &Question,
    core: &Core,
    candidates: &[Vec<(u64, Term)>],
    most: u64,
    questions: &mut usize,
) -> Option<Sequence> {
    let n = question.path.len();
    let no = desk.terms.fals();
    let mut sequence = vec![question.before.to_vec()];
    for (k, &block) in question.path.iter().enumerate() {
        let before = sequence[k].clone();
        if before.contains(&no) {
            sequence.push(vec![no]);
            continue;
        }
        // Only a condition of the core ends the path.
        let ends = k + 1 == n || !core.guards[k].is_empty();
        if ends {
            *questions = questions.checked_sub(1)?;
            let goal = if k + 1 == n { question.after } else { no };
            if leads(desk, &before, block, &[goal]) {
                sequence.push(vec![goal]);
                continue;
            }
            if k + 1 == n {
                return None;
            }
        }
        let mut here = Vec::new();
        for &(weight, candidate) in &candidates[k + 1] {
            if weight > most {
                continue;
            }
            let plain = plainly(desk.terms, desk.steps, &before, block, candidate);
            if !plain {
                *questions = questions.checked_sub(1)?;
            }
            if plain || leads(desk, &before, block, &[candidate]) {
                here.push(candidate);
            }
        }
        sequence.push(here);
    }
    // The end may have been excluded earlier than asked.
    sequence[n] = vec![question.after];
    Some(sequence)
}

/// What of a sequence its end needs.
fn backward(desk: &mut Desk, question: &Question, sequence: &Sequence) -> Option<Sequence> {
    let n = question.path.len();
    let no = desk.terms.fals();
    let mut needed: Sequence = vec![Vec::new(); n + 1];
    needed[0] = question.before.to_vec();
    needed[n] = vec![question.after];
    for k in (1..n).rev() {
        if needed[k + 1].is_empty() {
            continue;
        }
        needed[k] = match sequence[k].contains(&no) {
            true => vec![no],
            false => enough(desk, question, k, &sequence[k], &needed[k + 1])?,
        };
    }
    Some(needed)
}

/// Those of the facts before the k-th block that lead to others behind it.
fn enough(
    desk: &mut Desk,
    question: &Question,
    k: usize,
    facts: &[Term],
    to: &[Term],
) -> Option<Vec<Term>> {
    let transitions = &desk.steps.transitions;
    let terms = &mut *desk.terms;
    let block = question.path[k];
    let guard = transitions.guard(block).to_vec();
    let (mut kept, mut open) = (Vec::new(), Vec::new());
    for &fact in to {
        let before = transitions.preimage(terms, block, fact);
        match facts.contains(&before) {
            true => kept.push(before),
            false if guard.contains(&before) || terms.op(before) == Op::True => {}
            false => open.push(before),
        }
    }
    if !open.is_empty() {
        let all = terms.and(&open);
        let mut asserted = vec![terms.not(all)];
        asserted.extend(guard);
        let roots = [&asserted[..], facts].concat();
        asserted.extend(desk.problem.encoding.axioms(terms, &roots));
        desk.solver.push();
        for &t in &asserted {
            desk.solver.assert(terms, t);
        }
        // Plain facts last: a solver looks at them first.
        let answer = desk.solver.check(terms, facts);
        if answer == Answer::Unsat {
            kept.extend(desk.solver.core());
        }
        desk.solver.pop(1);
        if answer != Answer::Unsat {
            return None;
        }
    }
    kept.sort_unstable();
    kept.dedup();
    Some(kept)
}
