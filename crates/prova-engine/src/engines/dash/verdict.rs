//! The end of a search: a violation that really happened, a proof that was proved again, or the
//! reason why there is neither.

use super::Search;
use crate::problem::blocks::Cutpoint;
use crate::proof::recheck;
use crate::regions::graph::RegionId;
use prova_ir::Span;
use prova_task::*;

impl Search<'_> {
    pub(super) fn violated(&mut self) -> Option<Outcome> {
        let (number, span) = self.violation?;
        Some(self.forest.judge(number, span))
    }

    /// No frontier is left: a proof, unless undecided edges stand in the way.
    pub(super) fn conclude(&mut self) -> Outcome {
        if self.graph.error_reachable() {
            return Outcome::Unknown(Unknown::undecided(&self.undecided));
        }
        let mut fresh = match self.dash.fresh_solver(self.budget) {
            Ok(solver) => solver,
            Err(unknown) => return Outcome::Unknown(unknown),
        };
        let budget = self.budget;
        match recheck::certify(
            self.encoding,
            &self.graph,
            &mut self.transitions,
            &self.blocks,
            &mut *fresh,
            || budget.poll().is_some(),
        ) {
            Ok(calls) => self.statistics.certify_calls = calls,
            Err(recheck::Flaw::Interrupted) => {
                let stop = budget.poll().unwrap_or(prova_task::budget::Stop::Time);
                return Outcome::Unknown(Unknown::Stopped(stop));
            }
            Err(flaw) => return Outcome::Unknown(Unknown::CheckFailed(format!("{flaw:?}"))),
        }
        if let Some((what, span)) = self.marker_in_the_way() {
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
        let reachable = self.graph.reachable();
        let mut invariants = Vec::new();
        for (index, location) in self.blocks.locations.iter().enumerate() {
            let Some(location) = *location else { continue };
            let cutpoint = Cutpoint(index as u32);
            let chosen = |r: RegionId| reachable[r.0 as usize];
            let terms = &mut self.transitions.terms;
            let cases = self.graph.cases(cutpoint, chosen, terms);
            let span = self.prepared.body().location(location).span;
            invariants.push(Invariant {
                procedure: self.prepared.entry(),
                location,
                span,
                cases,
            });
        }
        Outcome::Proved(Box::new(Proof {
            program: self.prepared.program.clone(),
            passes: self.prepared.passes.clone(),
            terms: std::mem::take(&mut self.transitions.terms),
            invariants,
            contracts: Vec::new(),
        }))
    }

    /// A marker on an edge that the abstraction can reach: what it does is not known, so nothing
    /// behind it is proved.
    fn marker_in_the_way(&self) -> Option<(String, Span)> {
        let reachable = self.graph.reachable();
        for (i, block) in self.blocks.blocks.iter().enumerate() {
            let taken = self.graph.regions_at(block.source).any(|r| {
                reachable[r.0 as usize]
                    && self
                        .graph
                        .region(r)
                        .outgoing
                        .iter()
                        .any(|e| e.block.index() == i)
            });
            if !taken {
                continue;
            }
            for &edge in &block.edges {
                if let Some(marker) = self.prepared.marker_on(edge) {
                    return Some(marker);
                }
            }
        }
        None
    }
}
