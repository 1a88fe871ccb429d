//! The tree of an unwinding: nodes at cutpoints with labels, and who covers whom.
//!
//! Labels only grow stronger. A node is *covered* if it or a node before it on its path is covered
//! by another; it is *dead* if its label is false. What is neither is to be expanded, and when
//! nothing is left the labels are an invariant.

use crate::problem::blocks::{BlockId, Cutpoint};
use prova_logic::Term;

/// A node, by its number: those made earlier are smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where.
    pub cutpoint: Cutpoint,
    /// What holds there on the paths that the node stands for: conjuncts, sorted.
    pub label: Vec<Term>,
    /// The step that led here; none at the start.
    pub parent: Option<(NodeId, BlockId)>,
    /// Whether its steps were taken.
    pub expanded: bool,
    children: Vec<NodeId>,
    covered_by: Option<NodeId>,
    covers: Vec<NodeId>,
}

/// The tree.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    at: Vec<Vec<NodeId>>,
    no: Term,
}

impl Tree {
    /// The start alone, of a program with so many cutpoints; `no` is the label of dead nodes.
    pub fn new(cutpoints: usize, no: Term) -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            at: vec![Vec::new(); cutpoints],
            no,
        };
        tree.push(Cutpoint::START, Vec::new(), None);
        tree
    }

    fn push(
        &mut self,
        cutpoint: Cutpoint,
        label: Vec<Term>,
        parent: Option<(NodeId, BlockId)>,
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.at[cutpoint.index()].push(id);
        self.nodes.push(Node {
            cutpoint,
            label,
            parent,
            expanded: false,
            children: Vec::new(),
            covered_by: None,
            covers: Vec::new(),
        });
        id
    }

    /// Adds a node behind a step.
    pub fn add(&mut self, step: (NodeId, BlockId), cutpoint: Cutpoint, label: Vec<Term>) -> NodeId {
        let id = self.push(cutpoint, label, Some(step));
        self.nodes[step.0.index()].children.push(id);
        id
    }

    /// A node.
    pub fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes at a cutpoint, the oldest first.
    pub fn at(&self, cutpoint: Cutpoint) -> &[NodeId] {
        &self.at[cutpoint.index()]
    }

    /// Says that the steps of a node were taken.
    pub fn expanded(&mut self, id: NodeId) {
        self.nodes[id.index()].expanded = true;
    }

    /// Whether a node's label is false.
    pub fn is_dead(&self, id: NodeId) -> bool {
        self.get(id).label.contains(&self.no)
    }

    /// The nodes from the start to a node, itself included.
    pub fn lineage(&self, id: NodeId) -> Vec<NodeId> {
        let mut all = vec![id];
        let mut at = id;
        while let Some((parent, _)) = self.get(at).parent {
            all.push(parent);
            at = parent;
        }
        all.reverse();
        all
    }

    /// The blocks from one node to one behind it.
    pub fn path(&self, from: NodeId, to: NodeId) -> Vec<BlockId> {
        let (mut path, mut at) = (Vec::new(), to);
        while at != from {
            let (parent, block) = self.get(at).parent.expect("one lies behind the other");
            path.push(block);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The last node that the paths to two nodes share.
    pub fn fork(&self, one: NodeId, other: NodeId) -> NodeId {
        let (mut one, mut other) = (one, other);
        // Parents have smaller numbers.
        while one != other {
            let larger = if one > other { &mut one } else { &mut other };
            *larger = self.get(*larger).parent.expect("they share the start").0;
        }
        one
    }

    /// Whether what a node stands for is left to others: it or one before it is covered, or dead.
    pub fn is_settled(&self, id: NodeId) -> bool {
        let mut lineage = self.lineage(id).into_iter();
        lineage.any(|n| self.get(n).covered_by.is_some() || self.is_dead(n))
    }

    /// The oldest node that is to be expanded.
    pub fn open(&self) -> Option<NodeId> {
        let mut settled = vec![false; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            let id = NodeId(i as u32);
            let before = node.parent.is_some_and(|p| settled[p.0.index()]);
            settled[i] = before || node.covered_by.is_some() || self.is_dead(id);
            if !settled[i] && !node.expanded {
                return Some(id);
            }
        }
        None
    }

    /// All nodes that are not settled.
    pub fn standing(&self) -> Vec<NodeId> {
        let all = (0..self.nodes.len() as u32).map(NodeId);
        all.filter(|&n| !self.is_settled(n)).collect()
    }

    /// Lets an older node cover one. What nodes behind the covered one cover is uncovered.
    pub fn cover(&mut self, id: NodeId, by: NodeId) {
        debug_assert!(by < id && self.get(id).cutpoint == self.get(by).cutpoint);
        self.nodes[id.index()].covered_by = Some(by);
        self.nodes[by.index()].covers.push(id);
        self.uncover_below(id);
    }

    /// Whoever is settled covers nobody: gives those that were covered by nodes from this one on.
    fn uncover_below(&mut self, id: NodeId) -> Vec<NodeId> {
        let (mut below, mut lost) = (vec![id], Vec::new());
        while let Some(node) = below.pop() {
            lost.append(&mut self.nodes[node.index()].covers);
            below.extend(&self.nodes[node.index()].children);
        }
        for covered in &lost {
            self.nodes[covered.index()].covered_by = None;
        }
        lost
    }

    /// Adds to a node's label, if that is new. Gives what the node covered: the caller says what it
    /// still covers.
    pub fn strengthen(&mut self, id: NodeId, facts: &[Term]) -> Option<Vec<NodeId>> {
        let node = &mut self.nodes[id.index()];
        let before = node.label.len();
        node.label.extend(facts);
        node.label.sort_unstable();
        node.label.dedup();
        if node.label.len() == before {
            return None;
        }
        if self.is_dead(id) {
            return Some(self.uncover_below(id));
        }
        let covered = std::mem::take(&mut self.nodes[id.index()].covers);
        for covered in &covered {
            self.nodes[covered.index()].covered_by = None;
        }
        Some(covered)
    }
}
