//! The region graph: the abstraction that DASH refines (seed 003 §4.1, Figures 8 and 9).
//!
//! The states of a cutpoint are partitioned by a decision tree of predicates; its leaves are the
//! *regions*. A region is known by its facts: terms over the state variables that hold in all of
//! its states. An abstract edge says that some state of one region *may* step through a block to
//! some state of another.
//!
//! What would be unsound: to lose an abstract edge that a concrete transition needs. Edges go
//! away in two ways only. [`RegionGraph::remove`] is told by the caller that no state of the
//! source steps to the target. [`RegionGraph::split`] copies every edge of the old region to
//! both halves, except the one the caller proved away and those its [`Oracle`] excludes.

use crate::problem::blocks::{BlockId, Blocks, Cutpoint};
use crate::regions::distance;
use crate::regions::distance::Distance;
use crate::testing::forest::StateRef;
use prova_logic::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// A region, a leaf of its cutpoint's decision tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u32);

impl RegionId {
    /// Position in tables by region.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An abstract edge, seen from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbstractEdge {
    /// The block it goes through.
    pub block: BlockId,
    /// Where it may lead.
    pub target: RegionId,
    /// The solver gave up on it: kept for soundness, not searched again.
    pub undecided: bool,
}

/// A region and its neighbourhood.
#[derive(Clone, Debug)]
pub struct Region {
    /// Where it is.
    pub cutpoint: Cutpoint,
    /// What holds in all of its states; sorted, without repetition.
    pub facts: Vec<Term>,
    /// If the region was cut out as the side from which an error looks reachable: the facts that
    /// cut it out. They belong together; parts of them describe much larger regions.
    pub cube: Vec<Term>,
    /// Forest states inside.
    pub states: Vec<StateRef>,
    /// Edges out, in creation order.
    pub outgoing: Vec<AbstractEdge>,
    pub(super) incoming: Vec<(RegionId, BlockId)>,
    pub(super) distance: Distance,
    alive: bool,
}

/// Decides cheaply, without a solver, that an abstract edge cannot be.
pub trait Oracle {
    /// Whether no state in which all of `source` hold can step through `block` to a state in
    /// which all of `target` hold. `false` is always a sound answer.
    fn excludes(&mut self, source: &[Term], block: BlockId, target: &[Term]) -> bool;
}

enum Tree {
    Leaf(RegionId),
    Split {
        predicate: Term,
        yes: usize,
        no: usize,
    },
}

/// A node of a decision tree; children stand behind their parents.
pub enum Node {
    /// A leaf, and whether it is chosen.
    Leaf(bool),
    /// A predicate, and where to go on if it holds and if not.
    Split {
        /// The predicate.
        predicate: Term,
        /// If it holds.
        yes: usize,
        /// If not.
        no: usize,
    },
}

/// What holds in the chosen leaves of a decision tree, and in no other: a disjunction of
/// conjunctions, as short as the tree makes it. No case is false, an empty one true.
pub fn cases(tree: &[Node], terms: &mut Terms) -> Vec<Vec<Term>> {
    let mut found: Vec<Vec<Vec<Term>>> = vec![Vec::new(); tree.len()];
    let everything = vec![Vec::new()];
    for (i, node) in tree.iter().enumerate().rev() {
        found[i] = match *node {
            Node::Leaf(true) => everything.clone(),
            Node::Leaf(false) => Vec::new(),
            Node::Split { predicate, yes, no } => {
                let mut inside = std::mem::take(&mut found[yes]);
                let mut outside = std::mem::take(&mut found[no]);
                let (all_inside, all_outside) = (inside == everything, outside == everything);
                if all_inside && all_outside {
                    everything.clone()
                } else {
                    // `p or (not p and q)` is `p or q`.
                    let negation = terms.not(predicate);
                    for case in inside.iter_mut().filter(|_| !all_outside) {
                        case.extend(terms.conjuncts(predicate));
                    }
                    for case in outside.iter_mut().filter(|_| !all_inside) {
                        case.extend(terms.conjuncts(negation));
                    }
                    inside.append(&mut outside);
                    inside
                }
            }
        };
    }
    let mut all = found.swap_remove(0);
    for case in &mut all {
        case.sort_unstable();
        case.dedup();
    }
    all
}

/// The halves of a split region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    /// Where the predicate holds.
    pub yes: RegionId,
    /// Where it does not.
    pub no: RegionId,
}

/// The abstraction.
pub struct RegionGraph {
    regions: Vec<Region>,
    trees: Vec<Vec<Tree>>,
    leaf_of: Vec<usize>,
    /// Visited regions from which the error looks reachable, nearest first.
    frontier: BTreeSet<(Distance, RegionId)>,
    alive: usize,
}

impl RegionGraph {
    /// One region per cutpoint, edges as the blocks say. `errors` tells which cutpoints must
    /// not be reached.
    pub fn new(cutpoints: usize, blocks: &[(Cutpoint, Cutpoint)], errors: &[Cutpoint]) -> Self {
        let mut graph = RegionGraph {
            regions: Vec::with_capacity(cutpoints),
            trees: Vec::with_capacity(cutpoints),
            leaf_of: Vec::with_capacity(cutpoints),
            frontier: BTreeSet::new(),
            alive: cutpoints,
        };
        for i in 0..cutpoints {
            let cutpoint = Cutpoint(i as u32);
            let id = RegionId(i as u32);
            graph.regions.push(Region {
                cutpoint,
                facts: Vec::new(),
                cube: Vec::new(),
                states: Vec::new(),
                outgoing: Vec::new(),
                incoming: Vec::new(),
                distance: if errors.contains(&cutpoint) {
                    0
                } else {
                    distance::INFINITE
                },
                alive: true,
            });
            graph.trees.push(vec![Tree::Leaf(id)]);
            graph.leaf_of.push(0);
        }
        for (i, &(source, target)) in blocks.iter().enumerate() {
            graph.connect(
                RegionId(source.0),
                BlockId(i as u32),
                RegionId(target.0),
                false,
            );
        }
        distance::compute(&mut graph.regions);
        graph.refresh_frontier_entry(RegionId(Cutpoint::START.0), distance::INFINITE);
        graph
    }

    /// The coarsest abstraction: a region per cutpoint.
    pub fn of(blocks: &Blocks) -> Self {
        let ends = blocks.blocks.iter().map(|b| (b.source, b.target));
        let edges: Vec<(Cutpoint, Cutpoint)> = ends.collect();
        RegionGraph::new(blocks.locations.len(), &edges, &blocks.errors)
    }

    /// The region with this id.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    /// How many regions there are now.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Never: every program has a start.
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// How many steps the error is away, if it looks reachable.
    pub fn distance(&self, id: RegionId) -> Option<u32> {
        let d = self.regions[id.index()].distance;
        (d != distance::INFINITE).then_some(d)
    }

    /// Whether a test went through the region, or it is the virtual start.
    pub fn is_visited(&self, id: RegionId) -> bool {
        let region = &self.regions[id.index()];
        region.cutpoint == Cutpoint::START || !region.states.is_empty()
    }

    /// The regions of a cutpoint.
    pub fn regions_at(&self, cutpoint: Cutpoint) -> impl Iterator<Item = RegionId> + '_ {
        self.trees[cutpoint.index()].iter().filter_map(|t| match t {
            Tree::Leaf(id) => Some(*id),
            Tree::Split { .. } => None,
        })
    }

    /// Whether the cutpoint was ever split.
    pub fn is_split(&self, cutpoint: Cutpoint) -> bool {
        self.trees[cutpoint.index()].len() > 1
    }

    /// What holds in the chosen regions of a cutpoint, and nowhere else there; see [`cases`].
    pub fn cases(
        &self,
        cutpoint: Cutpoint,
        chosen: impl Fn(RegionId) -> bool,
        terms: &mut Terms,
    ) -> Vec<Vec<Term>> {
        let tree = self.trees[cutpoint.index()].iter();
        let nodes: Vec<Node> = tree
            .map(|node| match *node {
                Tree::Leaf(id) => Node::Leaf(chosen(id)),
                Tree::Split { predicate, yes, no } => Node::Split { predicate, yes, no },
            })
            .collect();
        cases(&nodes, terms)
    }

    /// The region that holds a state, by evaluating the predicates on the way down.
    pub fn locate(&self, cutpoint: Cutpoint, mut holds: impl FnMut(Term) -> bool) -> RegionId {
        let tree = &self.trees[cutpoint.index()];
        let mut at = 0;
        loop {
            match tree[at] {
                Tree::Leaf(id) => return id,
                Tree::Split { predicate, yes, no } => at = if holds(predicate) { yes } else { no },
            }
        }
    }

    /// Adds a forest state to its region.
    pub fn add_state(&mut self, id: RegionId, state: StateRef) {
        let region = &mut self.regions[id.index()];
        debug_assert!(region.alive);
        region.states.push(state);
        if region.states.len() == 1 && region.distance != distance::INFINITE {
            self.frontier.insert((region.distance, id));
        }
    }

    /// The frontier of a shortest ordered abstract error path: the visited region nearest to the
    /// error and its edge towards it. All regions behind that edge are unvisited, because each
    /// is nearer still. `None` means that no searchable abstract error path is left.
    pub fn frontier(&self) -> Option<(RegionId, AbstractEdge)> {
        let &(d, id) = self.frontier.first()?;
        let edge = self.regions[id.index()]
            .outgoing
            .iter()
            .find(|e| !e.undecided && self.regions[e.target.index()].distance + 1 == d)
            .copied()
            .expect("a finite distance has a supporting edge");
        Some((id, edge))
    }

    /// Whether an error region can be reached from the start at all, undecided edges included.
    /// When it cannot, the partition is a proof.
    pub fn error_reachable(&self) -> bool {
        let reachable = self.reachable();
        self.regions
            .iter()
            .zip(reachable)
            .any(|(region, seen)| seen && region.distance == 0)
    }

    /// Regions that can be reached from the start over abstract edges, as a table by region.
    pub fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.regions.len()];
        let mut stack = vec![RegionId(Cutpoint::START.0)];
        seen[Cutpoint::START.index()] = true;
        while let Some(at) = stack.pop() {
            for edge in &self.regions[at.index()].outgoing {
                if !std::mem::replace(&mut seen[edge.target.index()], true) {
                    stack.push(edge.target);
                }
            }
        }
        seen
    }

    /// The blocks of a shortest abstract path from the start to an error.
    pub fn shortest_path(&self, errors: &[Cutpoint]) -> Option<Vec<BlockId>> {
        let start = self.regions_at(Cutpoint::START).next()?;
        let mut from: FxHashMap<RegionId, (RegionId, BlockId)> = FxHashMap::default();
        let mut queue: VecDeque<RegionId> = [start].into();
        while let Some(at) = queue.pop_front() {
            for edge in &self.region(at).outgoing {
                if edge.target == start || from.contains_key(&edge.target) {
                    continue;
                }
                from.insert(edge.target, (at, edge.block));
                if errors.contains(&self.region(edge.target).cutpoint) {
                    let mut path = Vec::new();
                    let mut at = edge.target;
                    while let Some(&(before, block)) = from.get(&at) {
                        path.push(block);
                        at = before;
                    }
                    path.reverse();
                    return Some(path);
                }
                queue.push_back(edge.target);
            }
        }
        None
    }

    /// The caller proved that no state of `source` steps through `block` into `target`.
    pub fn remove(&mut self, source: RegionId, block: BlockId, target: RegionId) {
        self.regions[source.index()]
            .outgoing
            .retain(|e| !(e.block == block && e.target == target));
        self.regions[target.index()]
            .incoming
            .retain(|&(s, b)| !(s == source && b == block));
        self.repair(vec![source]);
    }

    /// The solver gave up on this edge: it stays, but is not searched.
    pub fn mark_undecided(&mut self, source: RegionId, block: BlockId, target: RegionId) {
        for edge in &mut self.regions[source.index()].outgoing {
            if edge.block == block && edge.target == target {
                edge.undecided = true;
            }
        }
        self.repair(vec![source]);
    }

    /// Splits a region by a predicate. `yes_facts` and `no_facts` are what the two halves add to
    /// the old region's facts, `holds` tells where each forest state falls. `dropped` is the edge
    /// that the `no` half provably lacks (Figure 9 of seed 003).
    #[allow(clippy::too_many_arguments)]
    pub fn split(
        &mut self,
        id: RegionId,
        predicate: Term,
        yes_facts: &[Term],
        no_facts: &[Term],
        dropped: Option<(BlockId, RegionId)>,
        mut holds: impl FnMut(StateRef) -> bool,
        oracle: &mut dyn Oracle,
    ) -> Halves {
        let old = &mut self.regions[id.index()];
        debug_assert!(old.alive);
        old.alive = false;
        let cutpoint = old.cutpoint;
        let distance = old.distance;
        let old_facts = std::mem::take(&mut old.facts);
        let outgoing = std::mem::take(&mut old.outgoing);
        let incoming = std::mem::take(&mut old.incoming);
        let states = std::mem::take(&mut old.states);
        self.frontier.remove(&(distance, id));

        let halves = Halves {
            yes: RegionId(self.regions.len() as u32),
            no: RegionId(self.regions.len() as u32 + 1),
        };
        let (in_yes, in_no): (Vec<_>, Vec<_>) = states.into_iter().partition(|&s| holds(s));
        let old_cube = std::mem::take(&mut self.regions[id.index()].cube);
        for (facts, cube, states) in [
            (yes_facts, yes_facts.to_vec(), in_yes),
            (no_facts, old_cube, in_no),
        ] {
            let mut all = old_facts.clone();
            all.extend_from_slice(facts);
            all.sort_unstable();
            all.dedup();
            self.regions.push(Region {
                cutpoint,
                facts: all,
                cube,
                states,
                outgoing: Vec::new(),
                incoming: Vec::new(),
                distance,
                alive: true,
            });
        }
        self.alive += 1;
        let tree = &mut self.trees[cutpoint.index()];
        let leaf = self.leaf_of[id.index()];
        let (yes, no) = (tree.len(), tree.len() + 1);
        tree[leaf] = Tree::Split { predicate, yes, no };
        tree.push(Tree::Leaf(halves.yes));
        tree.push(Tree::Leaf(halves.no));
        self.leaf_of.push(yes);
        self.leaf_of.push(no);

        let mut changed = vec![halves.yes, halves.no];
        for half in [halves.yes, halves.no] {
            for edge in &outgoing {
                if half == halves.no && dropped == Some((edge.block, edge.target)) {
                    continue;
                }
                let targets = if edge.target == id {
                    vec![halves.yes, halves.no]
                } else {
                    vec![edge.target]
                };
                for target in targets {
                    self.connect_unless_excluded(half, edge.block, target, edge.undecided, oracle);
                }
            }
        }
        for edge in &outgoing {
            if edge.target != id {
                self.regions[edge.target.index()]
                    .incoming
                    .retain(|&(s, _)| s != id);
            }
        }
        let mut sources: Vec<(RegionId, BlockId)> =
            incoming.into_iter().filter(|&(s, _)| s != id).collect();
        sources.sort_unstable();
        sources.dedup();
        for (source, block) in sources {
            let edges = &mut self.regions[source.index()].outgoing;
            let undecided = edges
                .iter()
                .any(|e| e.block == block && e.target == id && e.undecided);
            edges.retain(|e| !(e.block == block && e.target == id));
            for half in [halves.yes, halves.no] {
                self.connect_unless_excluded(source, block, half, undecided, oracle);
            }
            changed.push(source);
        }
        for half in [halves.yes, halves.no] {
            self.refresh_frontier_entry(half, distance::INFINITE);
        }
        self.repair(changed);
        halves
    }

    /// The caller proved that `facts` hold in every reachable state at a cutpoint. States outside
    /// lose all edges that lead to them.
    pub fn strengthen(
        &mut self,
        cutpoint: Cutpoint,
        predicate: Term,
        facts: &[Term],
        negation: Term,
        oracle: &mut dyn Oracle,
    ) {
        let leaves: Vec<RegionId> = self.regions_at(cutpoint).collect();
        for leaf in leaves {
            let cube = self.regions[leaf.index()].cube.clone();
            let halves = self.split(leaf, predicate, facts, &[negation], None, |_| true, oracle);
            self.regions[halves.yes.index()].cube = cube;
            let outside = &mut self.regions[halves.no.index()];
            let sources = std::mem::take(&mut outside.incoming);
            let mut changed = Vec::with_capacity(sources.len());
            for (source, block) in sources {
                self.regions[source.index()]
                    .outgoing
                    .retain(|e| !(e.block == block && e.target == halves.no));
                changed.push(source);
            }
            self.repair(changed);
        }
    }

    fn connect_unless_excluded(
        &mut self,
        source: RegionId,
        block: BlockId,
        target: RegionId,
        undecided: bool,
        oracle: &mut dyn Oracle,
    ) {
        let (s, t) = (&self.regions[source.index()], &self.regions[target.index()]);
        if !oracle.excludes(&s.facts, block, &t.facts) {
            self.connect(source, block, target, undecided);
        }
    }

    fn connect(&mut self, source: RegionId, block: BlockId, target: RegionId, undecided: bool) {
        self.regions[source.index()].outgoing.push(AbstractEdge {
            block,
            target,
            undecided,
        });
        self.regions[target.index()].incoming.push((source, block));
    }

    fn repair(&mut self, changed: Vec<RegionId>) {
        for (id, old) in distance::repair(&mut self.regions, changed) {
            self.refresh_frontier_entry(id, old);
        }
    }

    fn refresh_frontier_entry(&mut self, id: RegionId, old: Distance) {
        self.frontier.remove(&(old, id));
        let region = &self.regions[id.index()];
        if region.alive && region.distance != distance::INFINITE && self.is_visited(id) {
            self.frontier.insert((region.distance, id));
        }
    }
}
