//! Interpolation as a service: what holds along a path of blocks that cannot be run.
//!
//! A path is a list of blocks, with a place before each and one at its end. A *sequence interpolant*
//! says something at every place: what was given before the path, at each place something that the
//! step makes of what stands before it, and at the end what was asked for, mostly *false*
//! (McMillan, *Lazy Abstraction with Interpolants*, CAV 2006, section 2; Henzinger, Jhala, Majumdar,
//! McMillan, *Abstractions from Proofs*, POPL 2004). It speaks of the state at its place and of
//! nothing else, so it is a label for a node and a source of predicates at once.
//!
//! | file | what it holds |
//! |---|---|
//! | [`formula`] | a path as a formula: whether it can be run, and the core if it cannot |
//! | [`along`] | what the core demands going back, and what the path says going forward |
//! | [`language`] | the smallest of these that do, those without large constants first |
//! | [`suspect`] | a path to an error: a test if it is real, a core if not |
//!
//! Who proposes a sequence is behind a trait, [`Interpolate`]; nothing is believed of a proposal:
//! [`interpolate`] has each of its steps proved before it hands one out.

pub mod along;
pub mod formula;
pub mod language;
pub mod suspect;

use crate::problem::blocks::BlockId;
use crate::problem::{Problem, Steps};
use crate::proof::recheck::step_possible;
use formula::Core;
use prova_logic::{Answer, Op, Solver, Term, Terms};

/// What an interpolator works with.
pub struct Desk<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Its steps.
    pub steps: &'a Steps,
    /// Its arena.
    pub terms: &'a mut Terms,
    /// A solver with a limit.
    pub solver: &'a mut dyn Solver,
}

/// A path, and what is to be shown of it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// Its blocks, one after another.
    pub path: &'q [BlockId],
    /// What holds before the first.
    pub before: &'q [Term],
    /// What shall hold behind the last; *false* for a path that cannot be run.
    pub after: Term,
}

impl<'q> Question<'q> {
    /// That a path from the start cannot be run.
    pub fn impossible(terms: &Terms, path: &'q [BlockId]) -> Question<'q> {
        Question {
            path,
            before: &[],
            after: terms.fals(),
        }
    }
}

/// Conjuncts at each place of a path, the place behind its last block included.
pub type Sequence = Vec<Vec<Term>>;

/// A way to find interpolants.
pub trait Interpolate {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// A sequence for a path of which the core is known. It may be wrong.
    fn propose(&mut self, desk: &mut Desk, question: &Question, core: &Core) -> Option<Sequence>;
}

/// The first sequence that is one, of those that are proposed.
pub fn interpolate(
    desk: &mut Desk,
    question: &Question,
    core: &Core,
    ways: &mut [&mut dyn Interpolate],
) -> Option<Sequence> {
    ways.iter_mut().find_map(|way| {
        let sequence = way.propose(desk, question, core)?;
        is_interpolant(desk, question, &sequence).then_some(sequence)
    })
}

/// Whether each step of a sequence holds, by the solver where it is not plain to see.
pub fn is_interpolant(desk: &mut Desk, question: &Question, sequence: &Sequence) -> bool {
    let n = question.path.len();
    let ends = sequence.len() == n + 1
        && sequence[0] == question.before
        && desk.terms.and(&sequence[n]) == question.after;
    let speaks = |t: &Term| lasting(desk.problem, desk.terms, *t);
    if !ends || !sequence[1..n].iter().flatten().all(speaks) {
        return false;
    }
    (0..n).all(|k| leads(desk, &sequence[k], question.path[k], &sequence[k + 1]))
}

/// Whether a step leads from facts to others, for certain.
pub fn leads(desk: &mut Desk, from: &[Term], block: BlockId, to: &[Term]) -> bool {
    let terms = &mut *desk.terms;
    if from.contains(&terms.fals()) {
        return true;
    }
    let transitions = &desk.steps.transitions;
    let mut open = Vec::new();
    for &fact in to {
        if !plainly(terms, desk.steps, from, block, fact) {
            open.push(fact);
        }
    }
    if open.is_empty() {
        return true;
    }
    let all = terms.and(&open);
    let outside = [vec![terms.not(all)]];
    let encoding = &desk.problem.encoding;
    let solver = &mut *desk.solver;
    step_possible(encoding, terms, transitions, solver, from, block, &outside) == Answer::Unsat
}

/// Whether it is plain that a fact holds behind a block.
fn plainly(terms: &mut Terms, steps: &Steps, from: &[Term], block: BlockId, fact: Term) -> bool {
    let before = steps.transitions.preimage(terms, block, fact);
    let guard = steps.transitions.guard(block);
    let known = |t: &Term| terms.op(*t) == Op::True || from.contains(t) || guard.contains(t);
    known(&before) || terms.conjuncts(before).iter().all(known)
}

/// Whether a term speaks of states only: what a block reads is nothing behind it.
pub fn lasting(problem: &Problem, terms: &Terms, t: Term) -> bool {
    let vars = &problem.encoding.vars;
    let lasts = |v: &Term| vars.meaning(*v).is_some() || terms.object(*v).is_some();
    terms.free_vars(t).iter().all(lasts)
}

/// How particular a predicate is: its largest constant, then its size. What is less particular
/// generalises more often (Jhala, McMillan, *A Practical and Complete Approach to Predicate
/// Refinement*, TACAS 2006).
pub fn weight(terms: &Terms, t: Term) -> (u64, usize, Term) {
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
