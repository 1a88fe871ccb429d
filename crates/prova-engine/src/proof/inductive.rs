//! Cases at cutpoints as a claim: what most searches have in the end.
//!
//! At each cutpoint a disjunction of conjunctions over the state. No case means that nothing gets
//! there, an empty case says nothing. The claim is a proof if every step out of a case leads into a
//! case, and no error has one.

use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::{Problem, Steps};
use crate::proof::conclude::Claim;
use crate::proof::recheck::{step_possible, Flaw};
use prova_ir::Span;
use prova_logic::{Answer, Solver, Term, Terms};
use prova_task::{Contract, Invariant};

/// Cases by cutpoint, each a conjunction.
pub type Cases = Vec<Vec<Vec<Term>>>;

/// Cases without those that say more than another does: sets of conjuncts, each sorted.
pub fn without_larger(mut cases: Vec<Vec<Term>>) -> Vec<Vec<Term>> {
    cases.sort_by_key(Vec::len);
    let mut kept: Vec<Vec<Term>> = Vec::new();
    for case in cases {
        let says_more = |k: &Vec<Term>| k.iter().all(|t| case.binary_search(t).is_ok());
        if !kept.iter().any(says_more) {
            kept.push(case);
        }
    }
    kept
}

/// Cases that claim to be inductive.
pub struct Inductive<'a> {
    problem: &'a Problem,
    steps: &'a Steps,
    cases: Cases,
    /// Blocks with something unmodelled on them that some case may take.
    marked: Vec<BlockId>,
}

impl<'a> Inductive<'a> {
    /// The claim that these cases, by cutpoint, are inductive. The start has one, and it is empty.
    pub fn new(problem: &'a Problem, steps: &'a Steps, mut cases: Cases) -> Self {
        cases.resize(steps.blocks.locations.len(), Vec::new());
        cases[Cutpoint::START.index()] = vec![Vec::new()];
        Inductive {
            problem,
            steps,
            cases,
            marked: Vec::new(),
        }
    }

    fn marker(&self, block: BlockId) -> Option<(String, Span)> {
        let mut edges = self.steps.blocks.block(block).edges.iter();
        edges.find_map(|&e| self.problem.prepared.marker_on(e))
    }

    fn ask(
        &self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        facts: &[Term],
        block: BlockId,
        outside: Term,
    ) -> Answer {
        let (encoding, transitions) = (&self.problem.encoding, &self.steps.transitions);
        let target = [vec![outside]];
        step_possible(encoding, terms, transitions, solver, facts, block, &target)
    }
}

impl Claim for Inductive<'_> {
    fn recheck(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        let blocks = &self.steps.blocks;
        for error in &blocks.errors {
            self.cases[error.index()].clear();
        }
        let mut calls = 0;
        let mut marked = Vec::new();
        for block in blocks.ids() {
            let (source, target) = (blocks.block(block).source, blocks.block(block).target);
            let arrived = &self.cases[target.index()];
            let arrived: Vec<Term> = arrived.iter().map(|case| terms.and(case)).collect();
            let arrived = terms.or(&arrived);
            let outside = terms.not(arrived);
            let marks = self.marker(block).is_some();
            for facts in &self.cases[source.index()] {
                if stop() {
                    return Err(Flaw::Interrupted);
                }
                if terms.as_bool(outside) != Some(false) {
                    calls += 1;
                    let answer = self.ask(terms, solver, facts, block, outside);
                    if answer != Answer::Unsat {
                        let answer = format!("{answer:?}");
                        return Err(Flaw::Step { block, answer });
                    }
                }
                if marks && !marked.contains(&block) {
                    calls += 1;
                    let anywhere = terms.tru();
                    if self.ask(terms, solver, facts, block, anywhere) != Answer::Unsat {
                        marked.push(block);
                    }
                }
            }
        }
        self.marked = marked;
        Ok(calls)
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        self.marked.iter().find_map(|&block| self.marker(block))
    }

    fn says(&mut self, _: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        let cases = std::mem::take(&mut self.cases);
        let blocks = &self.steps.blocks;
        (blocks.invariants(&self.problem.prepared, cases), Vec::new())
    }
}
