//! A partition without an abstract way to an error, as a claim.
//!
//! The regions that the abstraction can reach from the start claim to be closed: every step out
//! of one of them ends in one of them, and none is an error.

use super::graph::{RegionId, Regions, MAIN};
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::problem::{Problem, Steps};
use crate::proof::conclude::Claim;
use crate::proof::recheck::{step_possible, Flaw};
use prova_ir::Span;
use prova_logic::{Answer, Solver, Term, Terms};
use prova_task::{Contract, Invariant};

/// A region graph that claims to be a proof.
pub struct Partition<'a> {
    problem: &'a Problem,
    steps: &'a Steps,
    graph: &'a Regions,
    reachable: Vec<bool>,
}

impl<'a> Partition<'a> {
    /// The claim of a graph.
    pub fn new(problem: &'a Problem, steps: &'a Steps, graph: &'a Regions) -> Self {
        Partition {
            problem,
            steps,
            graph,
            reachable: graph.reachable(),
        }
    }

    fn claimed(&self, id: RegionId) -> bool {
        self.reachable[id.index()]
    }

    fn claimed_at(&self, cutpoint: Cutpoint) -> impl Iterator<Item = RegionId> + '_ {
        let regions = self.graph.regions_at(MAIN, cutpoint);
        regions.filter(|&r| self.claimed(r))
    }
}

impl Claim for Partition<'_> {
    fn recheck(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        let blocks = &self.steps.blocks;
        let outgoing = blocks.outgoing();
        let mut calls = 0;
        for cutpoint in blocks.cutpoints() {
            for id in self.claimed_at(cutpoint) {
                if blocks.errors.contains(&cutpoint) {
                    return Err(Flaw::ErrorReachable);
                }
                let facts = &self.graph.region(id).facts;
                for &block in &outgoing[cutpoint.index()] {
                    let regions = self.graph.regions_at(MAIN, blocks.block(block).target);
                    let outside: Vec<Vec<Term>> = regions
                        .filter(|&r| !self.claimed(r))
                        .map(|r| self.graph.region(r).facts.clone())
                        .collect();
                    if outside.is_empty() {
                        continue;
                    }
                    if stop() {
                        return Err(Flaw::Interrupted);
                    }
                    calls += 1;
                    let answer = step_possible(
                        &self.problem.encoding,
                        terms,
                        &self.steps.transitions,
                        solver,
                        facts,
                        block,
                        &outside,
                    );
                    if answer != Answer::Unsat {
                        let answer = format!("{answer:?}");
                        return Err(Flaw::Step { block, answer });
                    }
                }
            }
        }
        Ok(calls)
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        let blocks = self.steps.blocks.blocks.iter().enumerate();
        let taken = blocks.filter(|(i, block)| {
            let through = |r: RegionId| {
                let edges = self.graph.region(r).outgoing.iter();
                edges.map(|e| e.block).any(|b| b == BlockId(*i as u32))
            };
            self.claimed_at(block.source).any(through)
        });
        let mut edges = taken.flat_map(|(_, block)| &block.edges);
        edges.find_map(|&e| self.problem.prepared.marker_on(e))
    }

    fn says(&mut self, terms: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        let graph = self.graph;
        let cases = |cutpoint, terms: &mut Terms| {
            graph.cases(MAIN, cutpoint, |r| self.reachable[r.index()], terms)
        };
        let blocks = &self.steps.blocks;
        let all = blocks.cutpoints().map(|c| cases(c, terms)).collect();
        (blocks.invariants(&self.problem.prepared, all), Vec::new())
    }
}
