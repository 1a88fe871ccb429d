//! Complete unwinding as a proof: how many rounds each loop takes, and the order in which places are
//! followed. The checker unwinds the program itself, statement by statement, and asks for itself.

use crate::problem::unwind::order::Order;
use crate::problem::unwind::Unwound;
use crate::problem::{Problem, Steps};
use crate::proof::conclude::Claim;
use crate::proof::recheck::Flaw;
use prova_ir::{LocId, Span};
use prova_logic::{Solver, Terms};
use prova_task::{Contract, Invariant, Manner};

/// A program of which every run was followed to its end.
pub struct Unrolled<'a> {
    problem: &'a Problem,
    steps: &'a Steps,
    order: &'a Order,
    unwound: &'a Unwound,
}

impl<'a> Unrolled<'a> {
    /// The claim that nothing was left out.
    pub fn new(
        problem: &'a Problem,
        steps: &'a Steps,
        order: &'a Order,
        unwound: &'a Unwound,
    ) -> Self {
        Unrolled {
            problem,
            steps,
            order,
            unwound,
        }
    }

    /// The locations in the order in which the unwinding leaves them: those inside a block follow the
    /// cutpoint where it begins. The head of a loop stands once more behind the loop.
    fn locations(&self) -> Vec<LocId> {
        let body = self.problem.prepared.body();
        let blocks = &self.steps.blocks;
        let mut places: Vec<((u32, u32), usize, LocId)> = Vec::new();
        for (index, location) in blocks.locations.iter().enumerate() {
            places.extend(location.map(|l| ((self.order.rank[index], 0), 0, l)));
        }
        for block in &blocks.blocks {
            let rank = self.order.rank[block.source.index()];
            for (i, &edge) in block.edges.iter().enumerate() {
                let target = body.edge(edge).target;
                if blocks.cutpoint_of[target.index()].is_none() {
                    places.push(((rank, 0), i + 1, target));
                }
            }
        }
        places.sort_unstable();
        let mut seen = vec![false; body.locations.len()];
        places.retain(|p| !std::mem::replace(&mut seen[p.2.index()], true));
        for cutpoint in blocks.cutpoints().filter(|&c| self.order.is_head(c)) {
            let turn = self.order.turn(cutpoint, cutpoint);
            let location = blocks.locations[cutpoint.index()];
            places.extend(location.map(|l| (turn, usize::MAX, l)));
        }
        places.sort_unstable();
        places.into_iter().map(|p| p.2).collect()
    }
}

impl Claim for Unrolled<'_> {
    /// That no error is reached and no loop goes further was asked of solvers that were made for
    /// these questions and knew nothing else, and the formulas come from the program alone: to ask
    /// the same of the same solver would show nothing new. The checker asks another formula.
    fn recheck(
        &mut self,
        _: &mut Terms,
        _: &mut dyn Solver,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Flaw> {
        match self.unwound.visits.is_empty() {
            true => Err(Flaw::Malformed("nothing was unwound".into())),
            false => Ok(0),
        }
    }

    fn unmodelled(&self) -> Option<(String, Span)> {
        None
    }

    fn says(&mut self, _: &mut Terms) -> (Vec<Invariant>, Vec<Contract>) {
        (Vec::new(), Vec::new())
    }

    fn manner(&self) -> Manner {
        let rounds = self.unwound.rounds.iter().filter(|(_, &rounds)| rounds > 0);
        let located = rounds.filter_map(|(head, &rounds)| {
            Some((self.steps.blocks.locations[head.index()]?, rounds))
        });
        Manner::Unwound {
            rounds: located.collect(),
            order: self.locations(),
        }
    }
}
