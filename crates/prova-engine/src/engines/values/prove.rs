//! A closed set of abstract states proved again, step by step, from nothing but the facts and the
//! transitions.

use super::domain::States;
use super::slim::slim;
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
        }
    }
}

impl Claim for Explored<'_> {
    fn recheck(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        let slim = slim(terms, self.steps, self.flow, self.whole);
        match prove(self, &slim, terms, solver, stop) {
            Ok(calls) => {
                self.slim = Some(slim);
                Ok(calls)
            }
            // Should less not do, all of it must.
            Err(_) => prove(self, self.whole, terms, solver, stop),
        }
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        let blocks = &self.steps.blocks;
        let taken = blocks.ids().filter(|b| self.whole.taken.contains(b));
        let mut edges = taken.flat_map(|b| &blocks.block(b).edges);
        edges.find_map(|&e| self.problem.prepared.marker_on(e))
    }

    fn gets_past_traps(&self) -> bool {
        // An exploration that can only trap somewhere has not been called closed.
        true
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
fn prove(
    claim: &Explored,
    states: &States,
    terms: &mut Terms,
    solver: &mut dyn Solver,
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
pub struct Prover<'a> {
    /// The state as variables.
    pub encoding: &'a Encoding,
    /// What blocks do.
    pub transitions: &'a Transitions,
    /// Who is asked.
    pub solver: &'a mut dyn Solver,
    /// Questions so far.
    pub calls: u64,
}

impl Prover<'_> {
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
        if self.calls.is_multiple_of(SOLVER_LIFE) {
            self.solver.reset();
        }
        self.solver.push();
        for &t in &asserted {
            self.solver.assert(terms, t);
        }
        let answer = self.solver.check(terms, &[]);
        self.solver.pop(1);
        if answer != Answer::Unsat {
            let answer = format!("{answer:?}");
            return Err(Flaw::Step { block, answer });
        }
        Ok(())
    }
}
