//! How a search by procedures ends: a proof that is checked again, or why there is none.

use super::Search;
use crate::engines::dash::calls::certify;
use crate::engines::dash::calls::export::Export;
use crate::engines::dash::calls::units::Kind;
use crate::regions::graph::RegionId;
use prova_ir::{ProcId, Span};
use prova_task::*;

impl Search<'_> {
    /// No frontier is left: a proof, unless undecided edges stand in the way.
    pub(super) fn conclude(&mut self) -> Outcome {
        let can = self.abstraction.can_reach();
        if can[self.start().0 as usize] {
            return Outcome::Unknown(Unknown::undecided(&self.undecided));
        }
        let mut fresh = match self.dash.fresh_solver(self.budget) {
            Ok(solver) => solver,
            Err(unknown) => return Outcome::Unknown(unknown),
        };
        let budget = self.budget;
        let certified = certify::certify(
            self.encoding,
            &self.abstraction,
            &mut self.transitions,
            &self.units,
            self.main,
            &can,
            &mut *fresh,
            || budget.poll().is_some(),
        );
        let closed = match certified {
            Ok(closed) => closed,
            Err(certify::Flaw::Interrupted) => {
                let stop = budget.poll().unwrap_or(prova_task::budget::Stop::Time);
                return Outcome::Unknown(Unknown::Stopped(stop));
            }
            Err(flaw) => return Outcome::Unknown(Unknown::CheckFailed(format!("{flaw:?}"))),
        };
        self.statistics.certify_calls = closed.calls;
        if !self.known.is_empty() {
            match crate::engines::dash::calls::learn::check_facts(self, &mut *fresh) {
                Ok(calls) => self.statistics.certify_calls += calls,
                Err(None) => {
                    let stop = budget.poll().unwrap_or(prova_task::budget::Stop::Time);
                    return Outcome::Unknown(Unknown::Stopped(stop));
                }
                Err(Some(step)) => {
                    let what = format!("a learned fact is not preserved by step {step}");
                    return Outcome::Unknown(Unknown::CheckFailed(what));
                }
            }
        }
        if let Some((what, span)) = self.marker_in_the_way(&closed) {
            return Outcome::Unknown(Unknown::Unmodelled {
                what,
                span: Some(span),
            });
        }
        if let Some((trap, span)) = self.forest.dead_end() {
            return Outcome::Unknown(Unknown::Undecided {
                edges: 1,
                reason: format!("no test gets past undefined behaviour ({trap})"),
                span: Some(span),
            });
        }
        let export = Export {
            prepared: self.encoding.prepared,
            abstraction: &self.abstraction,
            units: &self.units,
            known: &self.known,
            contracts: &self.contracts,
            main: self.main,
            closed: &closed,
        };
        let contracts = export.contracts(&mut self.transitions.terms);
        // People are not told of old values.
        let terms = &self.transitions.terms;
        let mut invariants = contracts[0].invariants.clone();
        for case in invariants.iter_mut().flat_map(|i| &mut i.cases) {
            case.retain(|&f| !contracts[0].olds.iter().any(|o| terms.mentions(f, o.0)));
        }
        Outcome::Proved(Box::new(Proof {
            program: self.encoding.prepared.program.clone(),
            passes: prova_task::prepare::procedures::PASSES.to_vec(),
            terms: std::mem::take(&mut self.transitions.terms),
            invariants,
            contracts,
        }))
    }

    /// A marker that runs may pass: on an edge out of a closed region, or anywhere in a procedure
    /// that one of them calls. Nothing behind it is proved.
    fn marker_in_the_way(&self, closed: &certify::Closed) -> Option<(String, Span)> {
        let prepared = self.encoding.prepared;
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
