//! A proof as contracts: what certificates say of procedures that are not inlined.
//!
//! A graph with closed regions is a contract. Whoever enters its procedure in a closed region of
//! the entry stays in closed regions; where its goal is an error, meets none; and returns in a
//! closed region of the exit, outside its goal. A call rests on the graphs that were asked about
//! the regions behind it which are not closed.
//!
//! What was learned for all runs is part of every contract. What it says of a procedure's exit is
//! a contract of its own, which every call of the procedure rests on; so is that a procedure never
//! returns.

use super::certify::Closed;
use super::contracts::{Contracts, Facts};
use super::units::Units;
use crate::problem::blocks::Cutpoint;
use crate::regions::graph::Goal;
use crate::regions::graph::{GraphId, Regions};
use prova_ir::{Callee, EdgeId, ProcId, Statement};
use prova_logic::{Term, Terms};
use prova_task::prepare::Prepared;
use prova_task::{Contract, Invariant, Reliance};
use std::collections::{BTreeMap, BTreeSet};

/// A proof that is to be written down.
pub struct Export<'a> {
    /// The program.
    pub prepared: &'a Prepared,
    /// Its regions.
    pub abstraction: &'a Regions,
    /// Its procedures.
    pub units: &'a Units,
    /// What was learned for all runs,
    pub known: &'a Facts,
    /// and the old values that it speaks of.
    pub contracts: &'a Contracts,
    /// The graph of the program's entry.
    pub main: GraphId,
    /// The regions that runs stay in.
    pub closed: &'a Closed,
}

impl Export<'_> {
    /// The contracts of the proof; that of the main graph comes first.
    pub fn contracts(&self, terms: &mut Terms) -> Vec<Contract> {
        let regions = self.closed.regions.iter();
        let used: BTreeSet<GraphId> = regions.map(|&r| self.abstraction.region(r).graph).collect();
        let graphs: Vec<GraphId> = std::iter::once(self.main)
            .chain(used.into_iter().filter(|&g| g != self.main))
            .collect();
        let numbers: BTreeMap<GraphId, usize> = graphs.iter().copied().zip(0..).collect();
        let learned: BTreeMap<ProcId, usize> =
            self.learned().into_iter().zip(graphs.len()..).collect();

        let mut found: Vec<Contract> = Vec::new();
        for &id in &graphs {
            let graph = self.abstraction.graph(id);
            let chosen = |r| self.closed.regions.contains(&r);
            let partial = graph.goal != Goal::Error;
            let mut contract = self.contract(graph.procedure, partial, |cutpoint| {
                self.abstraction.cases(id, cutpoint, chosen, terms)
            });
            contract.ghosts = graph.ghosts.clone();
            found.push(contract);
        }
        for &procedure in learned.keys() {
            found.push(self.contract(procedure, true, |_| vec![Vec::new()]));
        }
        self.asked(&numbers, &mut found);
        for contract in &mut found {
            for (edge, callee) in self.calls_in(contract.procedure) {
                contract
                    .calls
                    .extend(learned.get(&callee).map(|&contract| Reliance {
                        edge,
                        contract,
                        ghosts: Vec::new(),
                    }));
            }
            contract.calls.sort_unstable();
            contract.calls.dedup();
        }
        found
    }

    /// A contract with these cases, and with what is known.
    fn contract(
        &self,
        procedure: ProcId,
        partial: bool,
        mut cases: impl FnMut(Cutpoint) -> Vec<Vec<Term>>,
    ) -> Contract {
        let body = self.prepared.body_of(procedure);
        let locations = &self.units.unit(procedure).blocks.locations;
        let mut invariants = Vec::with_capacity(locations.len());
        for (index, location) in locations.iter().enumerate() {
            let Some(location) = *location else { continue };
            let cutpoint = Cutpoint(index as u32);
            let mut cases = cases(cutpoint);
            for &fact in self.known.get(&(procedure, cutpoint)).into_iter().flatten() {
                let lacking = cases.iter_mut().filter(|case| !case.contains(&fact));
                lacking.for_each(|case| case.push(fact));
            }
            invariants.push(Invariant {
                procedure,
                location,
                span: body.location(location).span,
                cases,
            });
        }
        if self.units.unit(procedure).exit.is_none() {
            invariants.push(Invariant {
                procedure,
                location: body.exit,
                span: body.location(body.exit).span,
                cases: Vec::new(),
            });
        }
        Contract {
            procedure,
            partial,
            ghosts: Vec::new(),
            olds: self.contracts.olds(procedure).to_vec(),
            invariants,
            calls: Vec::new(),
        }
    }

    /// Procedures of whose exit something was learned, or that have no way to it.
    fn learned(&self) -> Vec<ProcId> {
        let facts = |p, exit| self.known.get(&(p, exit)).is_some_and(|f| !f.is_empty());
        let known = |p: &ProcId| match self.units.unit(*p).exit {
            Some(exit) => facts(*p, exit),
            None => true,
        };
        let all: BTreeSet<ProcId> = self.units.all().map(|u| u.procedure).collect();
        all.into_iter().filter(known).collect()
    }

    /// The calls that a procedure makes.
    fn calls_in(&self, procedure: ProcId) -> Vec<(EdgeId, ProcId)> {
        let edges = self.prepared.body_of(procedure).edges.iter().enumerate();
        edges
            .filter_map(|(i, edge)| match edge.statement {
                Statement::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => Some((EdgeId::new(i), callee)),
                _ => None,
            })
            .collect()
    }

    /// Adds what calls rest on: the graphs that were asked.
    fn asked(&self, numbers: &BTreeMap<GraphId, usize>, found: &mut [Contract]) {
        for &id in &self.closed.regions {
            let region = self.abstraction.region(id);
            for link in &region.links {
                let site = self.units.site_of(link.block);
                let (Some(&contract), Some(site)) = (numbers.get(&link.graph), site) else {
                    continue;
                };
                if self.closed.regions.contains(&link.target) {
                    continue;
                }
                let bound = self.units.ghosts(link.bind);
                let value = |g: &Term| bound.iter().find(|b| b.0 == *g).map(|b| b.1);
                let ghosts = self.abstraction.graph(link.graph).ghosts.iter();
                let Some(ghosts) = ghosts.map(value).collect::<Option<Vec<Term>>>() else {
                    continue;
                };
                found[numbers[&region.graph]].calls.push(Reliance {
                    edge: self.units.site(site).edge,
                    contract,
                    ghosts,
                });
            }
        }
    }
}
