//! A closed set of abstract states proved again, step by step, from nothing but the facts and the
//! transitions.

use super::domain::States;
use super::slim::{self, says_alignment, slim};
use super::state::State;
use crate::engines::dash::SOLVER_LIFE;
use crate::problem::blocks::BlockId;
use crate::problem::encoding::Encoding;
use crate::problem::transitions::Transitions;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::Claim;
use crate::proof::recheck::Flaw;
use crate::reach::flow::Flow;
use crate::reach::graph::NodeId;
use prova_ir::Span;
use prova_logic::{Answer, Solver, Substitution, Term, Terms};
use prova_task::{Contract, Invariant};
use rustc_hash::FxHashSet;

/// States between two looks at the clock.
const POLL: usize = 64;

/// A closed set of states that claims to be a proof.
pub struct Explored<'a> {
    problem: &'a Problem,
    steps: &'a Steps,
    flow: &'a Flow,
    /// What was explored.
    whole: &'a States,
    /// What its proof seems to need of it.
    slim: Option<States>,
    /// More questions than this are not asked.
    most: u64,
}

impl<'a> Explored<'a> {
    /// The claim of an exploration that is closed.
    pub fn new(problem: &'a Problem, steps: &'a Steps, flow: &'a Flow, whole: &'a States) -> Self {
        Explored {
            problem,
            steps,
            flow,
            whole,
            slim: None,
            most: u64::MAX,
        }
    }

    /// The same, given up if it takes more questions than so many: whoever is asked may take long
    /// over each.
    pub fn asking_at_most(mut self, most: u64) -> Self {
        self.most = most;
        self
    }
}

impl Claim for Explored<'_> {
    fn recheck(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        let slim = slim(terms, self.steps, self.flow, self.whole, true);
        if self.most < u64::MAX {
            let questions = prove(self, &slim, terms, None, stop)?;
            if questions > self.most {
                let what = format!("{questions} questions would be asked");
                return Err(Flaw::Malformed(what));
            }
        }
        if says_alignment(terms, self.whole) {
            let least = slim::slim(terms, self.steps, self.flow, self.whole, false);
            if let Ok(calls) = prove(self, &least, terms, Some(&mut *solver), stop) {
                self.slim = Some(least);
                return Ok(calls);
            }
        }
        match prove(self, &slim, terms, Some(&mut *solver), stop) {
            Ok(calls) => {
                self.slim = Some(slim);
                Ok(calls)
            }
            // Should less not do, all of it must.
            Err(_) => prove(self, self.whole, terms, Some(solver), stop),
        }
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        let blocks = &self.steps.blocks;
        let taken = blocks.ids().filter(|b| self.whole.taken.contains(b));
        let mut edges = taken.flat_map(|b| &blocks.block(b).edges);
        edges.find_map(|&e| self.problem.prepared.marker_on(e))
    }

    fn says(&mut self, terms: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        let cases = cases(terms, self.slim.as_ref().unwrap_or(self.whole));
        let blocks = &self.steps.blocks;
        (blocks.invariants(&self.problem.prepared, cases), Vec::new())
    }
}

/// The states at each cutpoint, as cases of an invariant.
fn cases(terms: &mut Terms, states: &States) -> Vec<Vec<Vec<Term>>> {
    let mut of = |nodes: &[NodeId]| {
        let facts = nodes.iter().map(|&n| states[n].state.facts(terms));
        let mut cases: Vec<Vec<Term>> = facts.collect();
        if cases.iter().any(|c| c.is_empty()) {
            cases = vec![Vec::new()];
        }
        cases
    };
    states.places().map(&mut of).collect()
}

/// Checks that every step out of every state leads into the state that was said to cover it, and
/// none to an error. Values that a state fixes settle most of it; the solver is asked for the
/// rest. Gives the number of solver calls, or what failed.
fn prove<'s>(
    claim: &Explored,
    states: &States,
    terms: &mut Terms,
    solver: Option<&'s mut (dyn Solver + 's)>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<u64, Flaw> {
    let blocks = &claim.steps.blocks;
    let mut prover = Prover {
        encoding: &claim.problem.encoding,
        transitions: &claim.steps.transitions,
        solver,
        calls: 0,
    };
    let mut facts_of: Vec<Option<Vec<Term>>> = vec![None; states.next().index()];
    for id in states.ids() {
        let node = &states[id];
        if id.index() % POLL == 0 && stop() {
            return Err(Flaw::Interrupted);
        }
        let mut substitution = node.state.substitution(terms);
        for &block in &claim.flow.outgoing[node.cutpoint.index()] {
            let mut targets: Vec<Vec<Term>> = Vec::new();
            for &covering in states.successors((id, block)).unwrap_or_default() {
                let target = states.get(covering);
                let Some(target) = target.filter(|t| t.cutpoint == blocks.block(block).target)
                else {
                    let what = format!("block {} leads elsewhere", block.index());
                    return Err(Flaw::Malformed(what));
                };
                if blocks.errors.contains(&target.cutpoint) {
                    return Err(Flaw::ErrorReachable);
                }
                let facts = facts_of[covering.index()]
                    .get_or_insert_with(|| target.state.facts(terms))
                    .clone();
                targets.push(facts);
            }
            prover.leads(terms, &node.state, &mut substitution, block, targets)?;
        }
    }
    Ok(prover.calls)
}

/// Proves single steps of states.
pub struct Prover<'a, 's> {
    /// The state as variables.
    pub encoding: &'a Encoding,
    /// What blocks do.
    pub transitions: &'a Transitions,
    /// Who is asked; nobody if questions are only counted.
    pub solver: Option<&'s mut (dyn Solver + 's)>,
    /// Questions so far.
    pub calls: u64,
}

impl Prover<'_, '_> {
    /// Checks that a block leads from a state into one of the targets. The substitution has the
    /// state's values.
    pub fn leads(
        &mut self,
        terms: &mut Terms,
        state: &State,
        substitution: &mut Substitution,
        block: BlockId,
        targets: Vec<Vec<Term>>,
    ) -> Result<(), Flaw> {
        let guard = self.transitions.get(block).transfer.guard.clone();
        let mut known: FxHashSet<Term> = state.literals.iter().copied().collect();
        known.insert(terms.tru());
        for &g in &guard {
            let t = terms.substitute(g, substitution);
            for part in terms.conjuncts(t) {
                if known.contains(&terms.not(part)) {
                    return Ok(());
                }
                known.insert(part);
            }
        }
        // Each case says what the step does not arrive in; none is left if one surely holds.
        let mut outside: Vec<Vec<Term>> = Vec::new();
        for facts in targets {
            let mut open = Vec::new();
            for fact in facts {
                let before = self.transitions.preimage(terms, block, fact);
                let t = terms.substitute(before, substitution);
                if !known.contains(&t) {
                    open.push(t);
                }
            }
            if open.is_empty() {
                return Ok(());
            }
            outside.push(open);
        }
        // The state's values are in the terms already.
        let mut asserted: Vec<Term> = known.into_iter().collect();
        asserted.sort_unstable();
        for open in outside {
            let arrived = terms.and(&open);
            asserted.push(terms.not(arrived));
        }
        let axioms = self.encoding.axioms(terms, &asserted);
        asserted.extend(axioms);
        self.calls += 1;
        let Some(solver) = &mut self.solver else {
            return Ok(());
        };
        if self.calls.is_multiple_of(SOLVER_LIFE) {
            solver.reset();
        }
        solver.push();
        for &t in &asserted {
            solver.assert(terms, t);
        }
        let answer = solver.check(terms, &[]);
        solver.pop(1);
        if answer != Answer::Unsat {
            let answer = format!("{answer:?}");
            return Err(Flaw::Step { block, answer });
        }
        Ok(())
    }
}
