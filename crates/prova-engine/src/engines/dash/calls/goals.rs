//! What is asked of a callee: a predicate behind a call, told in the callee's own terms.
//!
//! A fact of the region behind a call either speaks of nothing that the callee can write, then it
//! crosses (it must hold before the call, and that is all), or it becomes part of the goal: the
//! variable that receives the result becomes the callee's result, variables of the caller become
//! *ghosts*, constants that the callee does not know. Ghosts are numbered in the order in which
//! they occur, so that the same predicate at another call is the same goal.

use super::effects::Effects;
use super::units::Site;
use crate::problem::encoding::Encoding;
use crate::regions::graph::Goal;
use prova_exec::state_vars::StateVar;
use prova_logic::{Substitution, Term, Terms};
use rustc_hash::FxHashSet;

/// A region behind a call, seen from the callee.
#[derive(Clone, Debug)]
pub struct Question {
    /// What crosses the call untouched: it must hold before.
    pub frame: Vec<Term>,
    /// The rest.
    pub goal: Goal,
    /// The goal's ghosts and the variables of the caller that they stand for.
    pub ghosts: Vec<(Term, Term)>,
}

impl Question {
    /// Those of its ghosts that a graph knows.
    pub fn ghosts_among(&self, known: &[Term]) -> Vec<(Term, Term)> {
        let ghosts = self.ghosts.iter().copied();
        ghosts.filter(|(ghost, _)| known.contains(ghost)).collect()
    }
}

/// Turns the facts of a region behind a call into a question to the callee.
pub fn question(
    terms: &mut Terms,
    encoding: &Encoding,
    site: &Site,
    effects: &Effects,
    facts: &[Term],
) -> Question {
    let vars = &encoding.vars;
    let program = &encoding.prepared.program;
    let mut written: FxHashSet<Term> = effects
        .registers
        .iter()
        .chain(&site.result)
        .map(|r| vars.register[r.index()])
        .collect();
    written.extend(effects.classes.iter().map(|c| vars.memory[c.index()]));
    if effects.allocates {
        written.insert(vars.heap_top);
    }
    let (touched, frame): (Vec<Term>, Vec<Term>) = facts
        .iter()
        .partition(|&&f| terms.free_vars(f).iter().any(|v| written.contains(v)));

    let mut substitution = Substitution::new();
    let mut ghosts: Vec<(Term, Term)> = Vec::new();
    let mut done: FxHashSet<Term> = FxHashSet::default();
    if let Some(target) = site.result {
        let variable = vars.register[target.index()];
        if let Some(own) = program.procedure(site.callee).result {
            substitution.insert(terms, variable, vars.register[own.index()]);
        }
        done.insert(variable);
    }
    for variable in terms.free_vars_of(&touched) {
        if !done.insert(variable) || vars.base_of(variable).is_some() {
            continue;
        }
        let shared = match vars.meaning(variable) {
            Some(StateVar::Register(r)) => program.register(r).owner.is_none(),
            Some(StateVar::Memory(_) | StateVar::HeapTop) => true,
            None => false,
        };
        if !shared {
            let sort = terms.sort(variable);
            let ghost = terms.var(&format!("ghost.{}:{sort}", ghosts.len()), sort);
            ghosts.push((ghost, variable));
            substitution.insert(terms, variable, ghost);
        }
    }
    let mut goal = Vec::with_capacity(touched.len());
    for fact in touched {
        goal.push(terms.substitute(fact, &mut substitution));
    }
    goal.sort_unstable();
    goal.dedup();
    Question {
        frame,
        goal: Goal::Exit(goal),
        ghosts,
    }
}

/// What a goal says of the state behind a call, in the caller's terms: the way back from
/// [`question`].
pub fn behind_call(
    terms: &mut Terms,
    encoding: &Encoding,
    site: &Site,
    goal: &[Term],
    ghosts: &[(Term, Term)],
) -> Vec<Term> {
    let vars = &encoding.vars;
    let mut back = Substitution::from_pairs(terms, ghosts);
    let own = encoding.prepared.program.procedure(site.callee).result;
    if let (Some(own), Some(target)) = (own, site.result) {
        let (own, target) = (vars.register[own.index()], vars.register[target.index()]);
        back.insert(terms, own, target);
    }
    goal.iter()
        .map(|&f| terms.substitute(f, &mut back))
        .collect()
}
