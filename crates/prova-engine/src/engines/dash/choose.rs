//! Choices at the frontier: which state's path to ask about, and which conjuncts a split predicate
//! has beside the core. Neither can be unsound; both decide whether the search gets anywhere.

use super::{Work, WITNESSES};
use crate::regions::graph::{Edge, RegionId};
use crate::testing::forest::spread;
use crate::testing::forest::StateRef;
use prova_logic::Term;

impl Work<'_, '_> {
    /// Conjuncts of the step's preimage that belong into a split predicate beside the core.
    ///
    /// The facts that cut the target out belong together: a part of them alone describes states
    /// that are harmless, tests arrive there, and every combination of such parts has to be split.
    /// The branch condition belongs to them, too, unless the other way leads to the same trouble,
    /// or stays in a loop that this way leaves: its condition would unroll the loop.
    pub(super) fn belonging(&mut self, region: RegionId, edge: Edge) -> Vec<Term> {
        if !self.own.dash.sources.core {
            let facts = self.own.graph.region(edge.target).facts.clone();
            return self.transitions.conjuncts(self.terms, edge.block, &facts);
        }
        let cube = self.own.graph.region(edge.target).cube.clone();
        let mut keep: Vec<Term> = Vec::new();
        for &fact in &cube {
            keep.push(self.transitions.preimage(self.terms, edge.block, fact));
        }
        let (here, there) = (
            self.own.graph.region(region).cutpoint,
            self.own.graph.region(edge.target).cutpoint,
        );
        if !self.own.dash.sources.branch {
            keep.extend(&self.transitions.get(edge.block).transfer.assumed);
            return keep;
        }
        let siblings: Vec<Edge> = self
            .own
            .graph
            .region(region)
            .outgoing
            .iter()
            .copied()
            .filter(|e| e.block != edge.block)
            .collect();
        // Where the other way is the error itself, what keeps from it says nothing.
        let beside_error = self.steps.blocks.blocks.iter().enumerate().any(|(i, b)| {
            b.source == here
                && i != edge.block.index()
                && self.steps.blocks.errors.contains(&b.target)
        });
        if beside_error {
            return keep;
        }
        let leaves_loop = self.steps.component[here.index()] != self.steps.component[there.index()];
        for sibling in siblings {
            let target = self.own.graph.region(sibling.target);
            let stays =
                self.steps.component[target.cutpoint.index()] == self.steps.component[here.index()];
            if leaves_loop && stays {
                return keep;
            }
            if sibling.target == edge.target {
                return keep;
            }
            if self.own.graph.distance(sibling.target).is_some() && !target.cube.is_empty() {
                let other = target.cube.clone();
                if other.iter().all(|&f| {
                    let preimage = self.transitions.preimage(self.terms, sibling.block, f);
                    keep.contains(&preimage)
                }) {
                    return keep;
                }
            }
        }
        let facts = &self.own.graph.region(region).facts;
        let guard = self
            .transitions
            .get(edge.block)
            .transfer
            .assumed
            .iter()
            .copied();
        keep.extend(guard.filter(|g| facts.binary_search(g).is_err()));
        keep
    }

    /// The state of the region that lacks least of what the step needs; the first among equals.
    pub(super) fn nearest_state(
        &mut self,
        states: &[StateRef],
        edge: Edge,
        target: &[Term],
    ) -> Option<StateRef> {
        if states.len() < 2 {
            return states.first().copied();
        }
        let needed = self.transitions.conjuncts(self.terms, edge.block, target);
        let inputs = &self.transitions.get(edge.block).transfer.inputs;
        let terms = &*self.terms;
        let decided: Vec<Term> = needed
            .into_iter()
            .filter(|&t| !inputs.iter().any(|i| terms.mentions(t, i.var)))
            .collect();
        let missing = |s: StateRef| {
            decided
                .iter()
                .filter(|&&t| !self.known.forest.holds(terms, s, t))
                .count()
        };
        spread(states, WITNESSES)
            .into_iter()
            .min_by_key(|&s| missing(s))
    }
}
