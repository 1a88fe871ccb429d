//! A closed set of states with explicit values as a model: what the exploration of `prova-engine`
//! found is played against as it is.

use super::program::Component;
use crate::game::{Implementation, Position, Step};
use crate::relation::Pair;
use prova_engine::engines::values::domain::States;
use prova_engine::problem::blocks::Cutpoint;
use prova_engine::reach::graph::NodeId;
use prova_logic::Terms;
use rustc_hash::FxHashMap;
use std::convert::Infallible;

/// States that no step leaves, by number.
pub struct Closed<'c, 'p> {
    component: &'c Component<'p>,
    graph: &'c States,
    nodes: Vec<NodeId>,
    numbers: FxHashMap<NodeId, u32>,
}

impl<'c, 'p> Closed<'c, 'p> {
    /// The states of an exploration that came to its end.
    pub fn new(component: &'c Component<'p>, graph: &'c States) -> Self {
        let nodes: Vec<NodeId> = graph.ids().collect();
        let numbers = nodes.iter().copied().zip(0..).collect();
        Closed {
            component,
            graph,
            nodes,
            numbers,
        }
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Positions as pairs of a relation.
    pub fn pairs(&self, terms: &mut Terms, relation: &[Position]) -> Vec<Pair> {
        let mut pairs = Vec::with_capacity(relation.len());
        for position in relation {
            let node = &self.graph[self.nodes[position.implementation as usize]];
            let facts = node.state.facts(terms);
            pairs.push((node.cutpoint, position.specification, facts));
        }
        pairs
    }
}

impl Implementation for &Closed<'_, '_> {
    type Error = Infallible;

    fn initial(&mut self) -> Result<Vec<u32>, Infallible> {
        let starts = self.graph.at(Cutpoint::START).iter();
        Ok(starts.map(|node| self.numbers[node]).collect())
    }

    fn steps(&mut self, state: u32) -> Result<Vec<Step>, Infallible> {
        let node = self.nodes[state as usize];
        let cutpoint = self.graph[node].cutpoint;
        let mut found = Vec::new();
        for &block in &self.component.outgoing[cutpoint.index()] {
            for successor in self.graph.successors((node, block)).unwrap_or_default() {
                found.push(Step {
                    action: self.component.action(block),
                    target: self.numbers[successor],
                    via: block.0,
                });
            }
        }
        Ok(found)
    }
}
