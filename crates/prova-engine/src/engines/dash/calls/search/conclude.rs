//! How a search by procedures ends: a claim that is proved again, or why there is none.

use super::super::certify::{self, Closed};
use super::super::export::Export;
use super::super::learn::check_facts;
use super::super::units::Kind;
use super::{CallSearch, Work};
use crate::engine::{Progress, Quota, Turn};
use crate::proof::conclude::{proved, Claim};
use crate::proof::recheck::Flaw;
use crate::regions::graph::RegionId;
use prova_ir::{ProcId, Span};
use prova_logic::{Solver, Terms};
use prova_task::{Contract, Invariant, Unknown};

impl Work<'_, '_> {
    /// No frontier is left: a proof, unless undecided edges stand in the way.
    pub(super) fn conclude(&mut self) -> Progress {
        let can = self.own.abstraction.can_reach();
        if can[self.start().index()] {
            return Progress::Exhausted(Unknown::undecided(&self.own.undecided));
        }
        let mut turn = Turn {
            terms: &mut *self.terms,
            known: &mut *self.known,
            quota: Quota::ALL,
            budget: self.budget,
            observer: &mut *self.observer,
        };
        let (problem, config) = (self.own.problem, self.own.dash.solver.clone());
        let mut statistics = std::mem::take(&mut self.own.statistics);
        let mut claim = Graphs {
            search: &mut *self.own,
            can,
            closed: None,
        };
        let progress = proved(problem, &config, &mut turn, &mut claim, &mut statistics);
        self.own.statistics = statistics;
        progress
    }
}

/// The regions of all graphs from which no goal can be reached, as a claim.
struct Graphs<'s, 'p> {
    search: &'s mut CallSearch<'p>,
    can: Vec<bool>,
    closed: Option<Closed>,
}

impl Claim for Graphs<'_, '_> {
    fn recheck(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        let search = &mut *self.search;
        let closed = certify::certify(
            &search.problem.encoding,
            &search.abstraction,
            terms,
            &search.transitions,
            &search.units,
            search.main,
            &self.can,
            solver,
            stop,
        )?;
        let calls = closed.calls + check_facts(search, terms, solver, stop)?;
        self.closed = Some(closed);
        Ok(calls)
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        let closed = self.closed.as_ref()?;
        self.search.marker_in_the_way(closed)
    }

    fn says(&mut self, terms: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        let Some(closed) = &self.closed else {
            return Default::default();
        };
        let search = &*self.search;
        let export = Export {
            prepared: &search.problem.prepared,
            abstraction: &search.abstraction,
            units: &search.units,
            known: &search.facts,
            contracts: &search.contracts,
            main: search.main,
            closed,
        };
        let contracts = export.contracts(terms);
        // People are not told of old values.
        let mut invariants = contracts[0].invariants.clone();
        for case in invariants.iter_mut().flat_map(|i| &mut i.cases) {
            case.retain(|&f| !contracts[0].olds.iter().any(|o| terms.mentions(f, o.0)));
        }
        (invariants, contracts)
    }
}

impl CallSearch<'_> {
    /// A marker that runs may pass: on an edge out of a closed region, or anywhere in a procedure
    /// that one of them calls. Nothing behind it is proved.
    fn marker_in_the_way(&self, closed: &Closed) -> Option<(String, Span)> {
        let prepared = &self.problem.prepared;
        let unit = self.units.unit(prepared.entry());
        let body = prepared.body();
        let mut entered: Vec<ProcId> = Vec::new();
        for step in &unit.steps {
            let taken = self
                .abstraction
                .regions_at(self.main, step.source)
                .any(|r| closed.regions.contains(&r));
            if !taken {
                continue;
            }
            match step.kind {
                Kind::Local => {
                    let from: Vec<RegionId> = self
                        .abstraction
                        .regions_at(self.main, step.source)
                        .collect();
                    let steps = from
                        .iter()
                        .filter(|r| closed.regions.contains(r))
                        .flat_map(|&r| &self.abstraction.region(r).outgoing)
                        .any(|e| e.block == step.block);
                    if !steps {
                        continue;
                    }
                    let marked = |&e: &prova_ir::EdgeId| prepared.marker_of(body.edge(e));
                    if let Some(marker) = step.edges.iter().find_map(marked) {
                        return Some(marker);
                    }
                }
                Kind::Return(site) | Kind::Fail(site) => {
                    entered.push(self.units.site(site).callee);
                }
            }
        }
        let graph = prova_ir::passes::call_graph::call_graph(&prepared.program);
        let mut procedures: Vec<ProcId> = entered
            .iter()
            .flat_map(|&p| graph.reachable_from(p))
            .collect();
        procedures.sort_unstable();
        procedures.dedup();
        let bodies = procedures
            .iter()
            .filter_map(|&p| prepared.program.procedure(p).body.as_ref());
        bodies
            .flat_map(|b| &b.edges)
            .find_map(|e| prepared.marker_of(e))
    }
}
