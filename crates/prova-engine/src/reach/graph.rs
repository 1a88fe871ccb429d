//! The graph of what was reached: states at cutpoints, how each was reached first, and where each
//! of its steps leads.
//!
//! A state that another covers is not kept. The step that led to it leads to the one that covers
//! it, and that is all there is to remember: should the covering one go or shrink, the step is
//! taken again ([`Graph::cut`], [`Graph::uncover`]).

use super::domain::Index;
use crate::problem::blocks::{BlockId, Cutpoint};
use rustc_hash::{FxHashMap, FxHashSet};

/// A node of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Position in tables by node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step: a node and a block that leaves it.
pub type Step = (NodeId, BlockId);

/// A state and how it was reached.
#[derive(Clone, Debug)]
pub struct Node<S> {
    /// Where.
    pub cutpoint: Cutpoint,
    /// What is known.
    pub state: S,
    /// The step that led here first; none at the start.
    pub parent: Option<Step>,
    gone: bool,
}

/// The nodes at one cutpoint.
#[derive(Clone, Debug, Default)]
struct Place<I> {
    /// In the order in which they were found.
    nodes: Vec<NodeId>,
    index: I,
}

/// States and the steps between them.
#[derive(Clone, Debug)]
pub struct Graph<S, I> {
    nodes: Vec<Node<S>>,
    places: Vec<Place<I>>,
    successors: FxHashMap<Step, Vec<NodeId>>,
    /// Blocks that some state may take.
    pub taken: FxHashSet<BlockId>,
}

impl<S, I: Index<S>> Graph<S, I> {
    /// No node at any of so many cutpoints.
    pub fn new(cutpoints: usize) -> Graph<S, I> {
        Graph {
            nodes: Vec::new(),
            places: (0..cutpoints)
                .map(|_| Place {
                    nodes: Vec::new(),
                    index: I::default(),
                })
                .collect(),
            successors: FxHashMap::default(),
            taken: FxHashSet::default(),
        }
    }

    /// The number that the next new node gets.
    pub fn next(&self) -> NodeId {
        NodeId(self.nodes.len() as u32)
    }

    /// Adds a state unless one that is there covers it. Gives the node that does, or the new one.
    pub fn add(
        &mut self,
        cutpoint: Cutpoint,
        state: S,
        parent: Option<Step>,
        mut covers: impl FnMut(&S, &S) -> bool,
    ) -> NodeId {
        let new = self.next();
        let (nodes, place) = (&self.nodes, &mut self.places[cutpoint.index()]);
        let at = |n: NodeId| covers(&nodes[n.index()].state, &state);
        let covering = place.index.add(&state, new, at);
        if covering == new {
            place.nodes.push(new);
            self.nodes.push(Node {
                cutpoint,
                state,
                parent,
                gone: false,
            });
        }
        covering
    }

    /// Remembers that a step leads to a node.
    pub fn lead(&mut self, step: Step, to: NodeId) {
        let successors = self.successors.entry(step).or_default();
        if !successors.contains(&to) {
            successors.push(to);
        }
    }

    /// All nodes.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        let all = self.nodes.iter().enumerate();
        all.filter(|(_, n)| !n.gone).map(|(i, _)| NodeId(i as u32))
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.places().map(<[NodeId]>::len).sum()
    }

    /// A node, unless it was cut away.
    pub fn get(&self, node: NodeId) -> Option<&Node<S>> {
        self.nodes.get(node.index()).filter(|n| !n.gone)
    }

    /// The nodes at a cutpoint.
    pub fn at(&self, cutpoint: Cutpoint) -> &[NodeId] {
        &self.places[cutpoint.index()].nodes
    }

    /// The nodes at each cutpoint.
    pub fn places(&self) -> impl Iterator<Item = &[NodeId]> {
        self.places.iter().map(|p| p.nodes.as_slice())
    }

    /// Where a step leads; `None` if nobody takes it.
    pub fn successors(&self, step: Step) -> Option<&[NodeId]> {
        self.successors.get(&step).map(Vec::as_slice)
    }

    /// All steps that lead somewhere, in order.
    pub fn steps(&self) -> Vec<(Step, &[NodeId])> {
        let all = self.successors.iter();
        let mut all: Vec<(Step, &[NodeId])> = all.map(|(&s, to)| (s, to.as_slice())).collect();
        all.sort_unstable_by_key(|s| s.0);
        all
    }

    /// The blocks from the start to a node.
    pub fn path(&self, node: NodeId) -> Vec<BlockId> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some((parent, through)) = self[at].parent {
            path.push(through);
            at = parent;
        }
        path.reverse();
        path
    }

    /// Gives a node another state.
    pub fn restate(&mut self, node: NodeId, state: S) {
        let Node { cutpoint, .. } = self[node];
        let index = &mut self.places[cutpoint.index()].index;
        index.remove(&self.nodes[node.index()].state, node);
        index.add(&state, node, |_| false);
        self.nodes[node.index()].state = state;
    }

    /// Takes away a node, and those that were reached through it. Gives the steps of the others
    /// that led into what is gone, to be taken again.
    pub fn cut(&mut self, node: NodeId) -> Vec<Step> {
        assert!(self[node].parent.is_some(), "the start stays");
        // Nodes are numbered after their parents.
        for i in node.index()..self.nodes.len() {
            let parent = self.nodes[i].parent.map(|p| p.0.index());
            let orphan = parent.is_some_and(|p| self.nodes[p].gone);
            if self.nodes[i].gone || (i != node.index() && !orphan) {
                continue;
            }
            let node = &mut self.nodes[i];
            node.gone = true;
            let (id, place) = (NodeId(i as u32), &mut self.places[node.cutpoint.index()]);
            place.nodes.retain(|&n| n != id);
            place.index.remove(&node.state, id);
        }
        let nodes = &self.nodes;
        let gone = |n: &NodeId| nodes[n.index()].gone;
        self.successors.retain(|step, _| !gone(&step.0));
        let broken = self.successors.iter().filter(|(_, to)| to.iter().any(gone));
        let broken = broken.map(|(&step, _)| step).collect();
        self.forget(broken)
    }

    /// Forgets what a node covers: gives the steps that lead to it, to be taken again. The one that
    /// found it is among them, for it may have led to states that the node covered, too.
    pub fn uncover(&mut self, node: NodeId) -> Vec<Step> {
        let into = self.successors.iter().filter(|(_, to)| to.contains(&node));
        let into = into.map(|(&step, _)| step).collect();
        self.forget(into)
    }

    fn forget(&mut self, mut steps: Vec<Step>) -> Vec<Step> {
        for step in &steps {
            self.successors.remove(step);
        }
        steps.sort_unstable();
        steps
    }

    /// The same graph with other states at its nodes; those that one covers become one. Those with
    /// the smallest `size` come first. How nodes were reached is not kept.
    pub fn with_states(
        &self,
        states: Vec<S>,
        size: impl Fn(&S) -> usize,
        mut covers: impl FnMut(&S, &S) -> bool,
    ) -> Graph<S, I> {
        let mut this = Graph::new(self.places.len());
        this.taken = self.taken.clone();
        let mut order: Vec<(NodeId, S)> = self.ids().zip(states).collect();
        order.sort_by_key(|(_, state)| size(state));
        let mut renumbered: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for (node, state) in order {
            let covering = this.add(self[node].cutpoint, state, None, &mut covers);
            renumbered.insert(node, covering);
        }
        for ((node, block), successors) in self.steps() {
            for successor in successors {
                this.lead((renumbered[&node], block), renumbered[successor]);
            }
        }
        this
    }
}

impl<S, I> std::ops::Index<NodeId> for Graph<S, I> {
    type Output = Node<S>;

    fn index(&self, node: NodeId) -> &Node<S> {
        &self.nodes[node.index()]
    }
}
