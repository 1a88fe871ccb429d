//! The region graph: the abstraction that DASH refines (Beckman, Nori, Rajamani, Simmons, "Proofs
//! from Tests", section 4.1, Figures 8 and 9), for one procedure and for many.
//!
//! A *graph* belongs to a procedure and a goal ([`Goal`]); it says from which states of the
//! procedure the goal looks reachable. A program that is one procedure has one graph, [`MAIN`]. The
//! states of a cutpoint are partitioned ([`super::partition`]) into *regions*. A region is known by
//! its facts: terms over the state variables that hold in all of its states. An abstract edge says
//! that some state of one region *may* step through a block to some state of another.
//!
//! An abstract edge through a call has two ends: the region behind the call, and the region at the
//! callee's entry, in the graph that was asked. It stands for a run that enters the callee there,
//! reaches that graph's goal, and so returns to the region behind. It leads to the goal only if
//! both ends do: the abstraction is a pushdown system, its error paths are found like those of
//! any other by distances ([`super::distance`]), recursion included. That is what makes a graph a
//! summary: entry regions from which its goal is out of reach say *not-may*, for every call.
//!
//! What would be unsound: to lose an edge that a run needs. [`Regions::join`] makes one region of two,
//! with the edges of both. Edges go away in four ways only:
//! [`Regions::remove`] is told that no state makes the step; [`Regions::split`] drops those that
//! its oracle excludes and the one the caller proved away; [`Regions::strengthen`] is told that
//! runs are in no other states; [`Regions::ask`] puts one graph in the place of another whose goal
//! is weaker.

use super::distance::{self, Distance};
use super::partition::Tree;
use crate::problem::blocks::{BlockId, Blocks, Cutpoint};
use crate::testing::forest::StateRef;
use prova_ir::ProcId;
use prova_logic::{Term, Terms};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
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

/// Where a query wants to get.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// An error location in the procedure or below it.
    Error,
    /// The exit, in a state with all of these facts over the callee's variables and ghosts;
    /// sorted.
    Exit(Vec<Term>),
}

impl Goal {
    /// Whether whoever reaches `other` reaches this.
    pub fn contains(&self, other: &Goal) -> bool {
        match (self, other) {
            (Goal::Error, Goal::Error) => true,
            (Goal::Exit(weak), Goal::Exit(strong)) => {
                weak.iter().all(|f| strong.binary_search(f).is_ok())
            }
            _ => false,
        }
    }
}

/// Decides cheaply, without a solver, that an abstract edge cannot be.
pub trait Oracle {
    /// Whether no state in which all of `source` hold can step through `block` to a state in
    /// which all of `target` hold. `false` is always a sound answer.
    fn excludes(&mut self, source: &[Term], block: BlockId, target: &[Term]) -> bool;
}

/// The graph of a program that is one procedure.
pub const MAIN: GraphId = GraphId(0);

/// The abstraction of a procedure for one goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphId(pub u32);

impl GraphId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The callee's side of an edge through a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Region at the callee's entry.
    pub region: RegionId,
    /// The block that leads there from before the call.
    pub bind: BlockId,
}

/// An abstract edge, seen from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The step it takes.
    pub block: BlockId,
    /// Where it may lead.
    pub target: RegionId,
    /// For a call that was asked about: how it enters the callee.
    pub entry: Option<Entry>,
    /// The solver gave up on it: kept for soundness, not searched again.
    pub undecided: bool,
}

/// Which graph was asked about a call's way to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The call.
    pub block: BlockId,
    /// The region behind it.
    pub target: RegionId,
    /// The graph.
    pub graph: GraphId,
    /// How its entry is bound.
    pub bind: BlockId,
}

/// A region and its neighbourhood.
#[derive(Clone, Debug)]
pub struct Region {
    /// The graph it belongs to.
    pub graph: GraphId,
    /// Where it is.
    pub cutpoint: Cutpoint,
    /// What makes it this region; sorted, without repetition.
    pub facts: Vec<Term>,
    /// What holds in all of its states that runs can be in: `facts`, and what is known of the
    /// place; sorted, without repetition.
    pub holds: Vec<Term>,
    /// The facts that cut it out as the side from which the goal looks reachable.
    pub cube: Vec<Term>,
    /// Edges out, in creation order.
    pub outgoing: Vec<Edge>,
    /// What was asked about its calls.
    pub links: Vec<Link>,
    /// Forest states inside, for searches that keep them here.
    pub states: Vec<StateRef>,
    /// Regions with an edge to or through this one; some may have lost it.
    pub(super) incoming: Vec<RegionId>,
    pub(super) distance: Distance,
    pub(super) alive: bool,
    pub(super) leaf: usize,
}

impl Region {
    /// The same place without anything in it. Its distance may be too small: that is repaired.
    pub(super) fn emptied(&self) -> Region {
        Region {
            graph: self.graph,
            cutpoint: self.cutpoint,
            facts: Vec::new(),
            holds: Vec::new(),
            cube: Vec::new(),
            outgoing: Vec::new(),
            links: Vec::new(),
            states: Vec::new(),
            incoming: Vec::new(),
            distance: self.distance,
            alive: false,
            leaf: self.leaf,
        }
    }
}

/// A procedure and a goal.
pub struct Graph {
    /// The procedure.
    pub procedure: ProcId,
    /// What is to be reached.
    pub goal: Goal,
    /// Constants of the goal that the callers know.
    pub ghosts: Vec<Term>,
    /// The region of the goal, if it is no location.
    pub goal_region: Option<RegionId>,
    /// The step from the exit to the goal.
    pub goal_block: Option<BlockId>,
    pub(super) trees: Vec<Tree>,
}

/// The halves of a split region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    /// Where the predicate holds.
    pub yes: RegionId,
    /// Where it does not.
    pub no: RegionId,
}

/// How a region is split.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    /// The predicate.
    pub predicate: Term,
    /// What the half adds to the facts in which it holds.
    pub yes: &'a [Term],
    /// And the other.
    pub no: &'a [Term],
    /// What the other half provably lacks ("Proofs from Tests", Figure 9).
    pub dropped: Option<Dropped>,
}

/// Edges that were proved away.
#[derive(Clone, Copy, Debug)]
pub enum Dropped {
    /// One edge.
    Edge(Edge),
    /// A step to a region, however it enters a callee.
    Step(BlockId, RegionId),
}

impl Dropped {
    fn takes(&self, edge: &Edge) -> bool {
        match self {
            Dropped::Edge(gone) => same_way(gone, edge),
            Dropped::Step(block, target) => edge.block == *block && edge.target == *target,
        }
    }
}

/// How a new graph looks.
pub struct Plan<'a> {
    /// The procedure.
    pub procedure: ProcId,
    /// What is to be reached.
    pub goal: Goal,
    /// Constants of the goal.
    pub ghosts: Vec<Term>,
    /// Number of cutpoints.
    pub cutpoints: usize,
    /// Whether the last of them is the goal and no location.
    pub apart: bool,
    /// Cutpoints that are the goal, besides.
    pub goals: &'a [Cutpoint],
    /// The step from the exit to the goal; it is among the steps.
    pub goal_block: Option<BlockId>,
    /// What is known at each cutpoint.
    pub known: Vec<Vec<Term>>,
    /// Steps.
    pub steps: Vec<(Cutpoint, BlockId, Cutpoint)>,
}

/// All graphs.
#[derive(Default)]
pub struct Regions {
    pub(super) regions: Vec<Region>,
    pub(super) graphs: Vec<Graph>,
    pub(super) alive: usize,
    /// Visited regions from which the goal looks reachable: those furthest down the program first,
    /// and of these the nearest to the goal.
    frontier: BTreeSet<Rank>,
    /// How far down the program each cutpoint of [`MAIN`] is, if the search begins at the end.
    depth: Vec<u32>,
}

/// The order in which regions are searched.
type Rank = (Reverse<u32>, Distance, RegionId);

impl Regions {
    /// Adds a graph with one region per cutpoint.
    pub fn add(&mut self, plan: Plan) -> GraphId {
        let id = GraphId(self.graphs.len() as u32);
        let first = self.regions.len() as u32;
        let last = Cutpoint(plan.cutpoints as u32 - 1);
        let mut trees = Vec::with_capacity(plan.cutpoints);
        for i in 0..plan.cutpoints as u32 {
            let cutpoint = Cutpoint(i);
            let is_goal = plan.apart && cutpoint == last || plan.goals.contains(&cutpoint);
            self.regions.push(Region {
                graph: id,
                cutpoint,
                facts: Vec::new(),
                holds: sorted(plan.known.get(i as usize).cloned().unwrap_or_default()),
                cube: Vec::new(),
                outgoing: Vec::new(),
                links: Vec::new(),
                states: Vec::new(),
                incoming: Vec::new(),
                distance: if is_goal { 0 } else { distance::INFINITE },
                alive: true,
                leaf: 0,
            });
            trees.push(Tree::new(RegionId(first + i)));
        }
        self.alive += plan.cutpoints;
        let at = |c: Cutpoint| RegionId(first + c.0);
        self.graphs.push(Graph {
            procedure: plan.procedure,
            goal: plan.goal,
            ghosts: plan.ghosts,
            goal_region: plan.apart.then(|| at(last)),
            goal_block: plan.goal_block,
            trees,
        });
        for &(source, block, target) in &plan.steps {
            self.connect(
                at(source),
                Edge {
                    block,
                    target: at(target),
                    entry: None,
                    undecided: false,
                },
            );
        }
        let all = (0..plan.cutpoints as u32).map(|i| RegionId(first + i));
        self.repair(all.collect());
        id
    }

    /// The coarsest abstraction of a program that is one procedure: a region per cutpoint.
    pub fn of(procedure: ProcId, blocks: &Blocks) -> Regions {
        let mut regions = Regions::default();
        let steps = blocks.ids().map(|id| {
            let block = blocks.block(id);
            (block.source, id, block.target)
        });
        regions.add(Plan {
            procedure,
            goal: Goal::Error,
            ghosts: Vec::new(),
            cutpoints: blocks.locations.len(),
            apart: false,
            goals: &blocks.errors,
            goal_block: None,
            known: Vec::new(),
            steps: steps.collect(),
        });
        regions.refresh(RegionId(Cutpoint::START.0), distance::INFINITE);
        regions
    }

    /// A graph.
    pub fn graph(&self, id: GraphId) -> &Graph {
        &self.graphs[id.index()]
    }

    /// All graphs, in the order in which they were made.
    pub fn graphs(&self) -> impl Iterator<Item = GraphId> {
        (0..self.graphs.len() as u32).map(GraphId)
    }

    /// A region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    /// Whether a region has not been split.
    pub fn is_alive(&self, id: RegionId) -> bool {
        self.region(id).alive
    }

    /// How many regions there are now.
    pub fn size(&self) -> usize {
        self.alive
    }

    /// How far the goal is, if it looks reachable.
    pub fn distance(&self, id: RegionId) -> Option<Distance> {
        let d = self.region(id).distance;
        (d < distance::INFINITE).then_some(d)
    }

    /// How far the goal is by way of an edge, if it looks reachable.
    pub fn cost(&self, edge: &Edge) -> Option<Distance> {
        let d = distance::cost(&self.regions, edge);
        (d < distance::INFINITE).then_some(d)
    }

    /// The regions of a cutpoint.
    pub fn regions_at(
        &self,
        graph: GraphId,
        cutpoint: Cutpoint,
    ) -> impl Iterator<Item = RegionId> + '_ {
        self.graphs[graph.index()].trees[cutpoint.index()].leaves()
    }

    /// Whether a cutpoint was ever split.
    pub fn is_split(&self, graph: GraphId, cutpoint: Cutpoint) -> bool {
        self.graphs[graph.index()].trees[cutpoint.index()].is_split()
    }

    /// What holds in the chosen regions of a cutpoint, and nowhere else there; see [`Tree::cases`].
    pub fn cases(
        &self,
        graph: GraphId,
        cutpoint: Cutpoint,
        chosen: impl Fn(RegionId) -> bool,
        terms: &mut Terms,
    ) -> Vec<Vec<Term>> {
        self.graphs[graph.index()].trees[cutpoint.index()].cases(chosen, terms)
    }

    /// The region that holds a state.
    pub fn locate(
        &self,
        graph: GraphId,
        cutpoint: Cutpoint,
        holds: impl FnMut(Term) -> bool,
    ) -> RegionId {
        self.graphs[graph.index()].trees[cutpoint.index()].locate(holds)
    }

    /// Adds a forest state to its region.
    pub fn add_state(&mut self, id: RegionId, state: StateRef) {
        let region = &mut self.regions[id.index()];
        debug_assert!(region.alive);
        region.states.push(state);
        if region.states.len() == 1 && region.distance < distance::INFINITE {
            let rank = self.rank(id, self.region(id).distance);
            self.frontier.insert(rank);
        }
    }

    fn rank(&self, id: RegionId, distance: Distance) -> Rank {
        let cutpoint = self.region(id).cutpoint.index();
        let depth = self.depth.get(cutpoint).copied().unwrap_or(0);
        (Reverse(depth), distance, id)
    }

    /// Lets the search of [`MAIN`] begin at the far end: a cutpoint's regions are searched once
    /// nothing is left to be searched at greater depths. Steps must not lead to smaller ones. What is
    /// needed of a place is then known as a whole before anything is asked of the places before it.
    pub fn search_from_the_end(&mut self, depth: Vec<u32>) {
        self.depth = depth;
        for (_, distance, id) in std::mem::take(&mut self.frontier) {
            let rank = self.rank(id, distance);
            self.frontier.insert(rank);
        }
    }

    /// Whether a test went through the region, or it is the virtual start.
    pub fn is_visited(&self, id: RegionId) -> bool {
        let region = self.region(id);
        region.cutpoint == Cutpoint::START || !region.states.is_empty()
    }

    /// The frontier of an ordered abstract error path: among the visited regions that are furthest
    /// down the one nearest to the goal, and its edge towards it. All regions behind that edge are
    /// unvisited, because each is nearer still or further down. `None` means that no searchable
    /// abstract error path is left.
    pub fn frontier(&self) -> Option<(RegionId, Edge)> {
        let &(_, d, id) = self.frontier.first()?;
        let mut edges = self.region(id).outgoing.iter();
        let edge = edges.find(|e| distance::cost(&self.regions, e) == d);
        Some((id, *edge.expect("a finite distance has a supporting edge")))
    }

    /// Regions of [`MAIN`] that can be reached from the start over abstract edges, undecided ones
    /// included, as a table by region. If none of them is an error, the partition is a proof.
    pub fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.regions.len()];
        let mut stack = vec![RegionId(Cutpoint::START.0)];
        seen[Cutpoint::START.index()] = true;
        while let Some(at) = stack.pop() {
            for edge in &self.region(at).outgoing {
                if !std::mem::replace(&mut seen[edge.target.index()], true) {
                    stack.push(edge.target);
                }
            }
        }
        seen
    }

    /// The blocks of a shortest abstract path from the start to an error, undecided edges included.
    pub fn shortest_path(&self) -> Option<Vec<BlockId>> {
        let start = RegionId(Cutpoint::START.0);
        let mut from: FxHashMap<RegionId, (RegionId, BlockId)> = FxHashMap::default();
        let mut queue: VecDeque<RegionId> = [start].into();
        while let Some(at) = queue.pop_front() {
            for edge in &self.region(at).outgoing {
                if edge.target == start || from.contains_key(&edge.target) {
                    continue;
                }
                from.insert(edge.target, (at, edge.block));
                if self.region(edge.target).distance == 0 {
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

    /// The best edge out of a region: nearest to the goal, the first among equals.
    pub fn best_edge(&self, id: RegionId) -> Option<Edge> {
        let edges = self.region(id).outgoing.iter();
        let (cost, edge) = edges
            .filter_map(|e| Some((self.cost(e)?, e)))
            .min_by_key(|&(cost, _)| cost)?;
        debug_assert_eq!(Some(cost), self.distance(id));
        Some(*edge)
    }

    /// The caller proved that no state of `source` takes these edges.
    pub fn remove(&mut self, source: RegionId, dropped: Dropped) {
        self.regions[source.index()]
            .outgoing
            .retain(|e| !dropped.takes(e));
        self.repair(vec![source]);
    }

    /// The solver gave up on this edge: it stays, but is not searched.
    pub fn mark_undecided(&mut self, source: RegionId, edge: &Edge) {
        for e in &mut self.regions[source.index()].outgoing {
            if same_way(e, edge) {
                e.undecided = true;
            }
        }
        self.repair(vec![source]);
    }

    /// Which graph was asked about a call's way to a region, if one was.
    pub fn link(&self, source: RegionId, block: BlockId, target: RegionId) -> Option<Link> {
        let links = &self.region(source).links;
        links
            .iter()
            .find(|l| l.block == block && l.target == target)
            .copied()
    }

    /// From now on `link.graph` answers for the call's way to `link.target`: each of its entry
    /// regions may be how. Its goal must contain what the region behind the call demands.
    pub fn ask(&mut self, source: RegionId, link: Link, entry: Cutpoint, oracle: &mut dyn Oracle) {
        let region = &mut self.regions[source.index()];
        let mut undecided = false;
        region.outgoing.retain(|e| {
            let replaced = e.block == link.block && e.target == link.target;
            undecided |= replaced && e.undecided;
            !replaced
        });
        region
            .links
            .retain(|l| !(l.block == link.block && l.target == link.target));
        region.links.push(link);
        let entries: Vec<RegionId> = self.regions_at(link.graph, entry).collect();
        for region in entries {
            let edge = Edge {
                block: link.block,
                target: link.target,
                entry: Some(Entry {
                    region,
                    bind: link.bind,
                }),
                undecided,
            };
            self.connect_unless_excluded(source, edge, oracle);
        }
        self.repair(vec![source]);
    }

    /// Adds to what is known at a cutpoint in all graphs of a procedure: it holds in every state
    /// that runs can be in.
    pub fn learn(
        &mut self,
        procedure: ProcId,
        cutpoint: Cutpoint,
        facts: &[Term],
        oracle: &mut dyn Oracle,
    ) {
        for graph in self.graphs() {
            if self.graph(graph).procedure != procedure {
                continue;
            }
            let regions: Vec<RegionId> = self.regions_at(graph, cutpoint).collect();
            for id in regions {
                let region = &mut self.regions[id.index()];
                region.holds = sorted([&region.holds, facts].concat());
                let mut sources = region.incoming.clone();
                sources.push(id);
                self.prune(sources, oracle);
            }
        }
    }

    /// Tries the oracle again on all edges out of some regions.
    pub fn prune(&mut self, mut sources: Vec<RegionId>, oracle: &mut dyn Oracle) {
        sources.sort_unstable();
        sources.dedup();
        sources.retain(|s| self.is_alive(*s));
        for &source in &sources {
            let edges = std::mem::take(&mut self.regions[source.index()].outgoing);
            let kept: Vec<Edge> = edges
                .into_iter()
                .filter(|e| !self.excluded(source, e, oracle))
                .collect();
            self.regions[source.index()].outgoing = kept;
        }
        self.repair(sources);
    }

    /// Splits a region. `holds` tells where each forest state falls.
    pub fn split(
        &mut self,
        id: RegionId,
        cut: &Cut,
        mut holds: impl FnMut(StateRef) -> bool,
        oracle: &mut dyn Oracle,
    ) -> Halves {
        let old = &mut self.regions[id.index()];
        debug_assert!(old.alive);
        old.alive = false;
        let old = std::mem::replace(old, old.emptied());
        let rank = self.rank(id, old.distance);
        self.frontier.remove(&rank);
        let halves = Halves {
            yes: RegionId(self.regions.len() as u32),
            no: RegionId(self.regions.len() as u32 + 1),
        };
        let tree = &mut self.graphs[old.graph.index()].trees[old.cutpoint.index()];
        let (yes, no) = tree.split(old.leaf, cut.predicate, (halves.yes, halves.no));
        let (in_yes, in_no): (Vec<_>, Vec<_>) = old.states.iter().partition(|s| holds(**s));
        for (facts, cube, leaf, states) in [
            (cut.yes, cut.yes.to_vec(), yes, in_yes),
            (cut.no, old.cube.clone(), no, in_no),
        ] {
            self.regions.push(Region {
                facts: sorted([&old.facts, facts].concat()),
                holds: sorted([&old.holds, facts].concat()),
                cube,
                links: relinked(&old.links, id, halves),
                states,
                alive: true,
                leaf,
                ..old.emptied()
            });
        }
        self.alive += 1;

        let mut changed = vec![halves.yes, halves.no];
        for half in [halves.yes, halves.no] {
            for edge in &old.outgoing {
                if half == halves.no && cut.dropped.is_some_and(|d| d.takes(edge)) {
                    continue;
                }
                for edge in expanded(edge, id, halves) {
                    self.connect_unless_excluded(half, edge, oracle);
                }
            }
        }
        let mut sources = old.incoming;
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            if source == id || !self.regions[source.index()].alive {
                continue;
            }
            let region = &mut self.regions[source.index()];
            region.links = relinked(&region.links, id, halves);
            let touching = region.outgoing.iter().filter(|e| touches(e, id));
            let touching: Vec<Edge> = touching.copied().collect();
            region.outgoing.retain(|e| !touches(e, id));
            for edge in touching {
                for edge in expanded(&edge, id, halves) {
                    self.connect_unless_excluded(source, edge, oracle);
                }
            }
            changed.push(source);
        }
        for half in [halves.yes, halves.no] {
            self.refresh(half, distance::INFINITE);
        }
        self.repair(changed);
        halves
    }

    /// The caller proved that `facts` hold in every reachable state at a cutpoint of [`MAIN`].
    /// States outside lose all edges that lead to them.
    pub fn strengthen(
        &mut self,
        cutpoint: Cutpoint,
        (predicate, negation): (Term, Term),
        facts: &[Term],
        oracle: &mut dyn Oracle,
    ) {
        let leaves: Vec<RegionId> = self.regions_at(MAIN, cutpoint).collect();
        let cut = Cut {
            predicate,
            yes: facts,
            no: &[negation],
            dropped: None,
        };
        for leaf in leaves {
            let cube = self.region(leaf).cube.clone();
            let halves = self.split(leaf, &cut, |_| true, oracle);
            self.regions[halves.yes.index()].cube = cube;
            let sources = std::mem::take(&mut self.regions[halves.no.index()].incoming);
            for &source in &sources {
                let edges = &mut self.regions[source.index()].outgoing;
                edges.retain(|e| !touches(e, halves.no));
            }
            self.repair(sources);
        }
    }

    pub(super) fn repair(&mut self, changed: Vec<RegionId>) {
        for (id, old) in distance::repair(&mut self.regions, changed) {
            self.refresh(id, old);
        }
    }

    fn refresh(&mut self, id: RegionId, old: Distance) {
        let rank = self.rank(id, old);
        self.frontier.remove(&rank);
        let region = self.region(id);
        if region.alive && region.distance < distance::INFINITE && self.is_visited(id) {
            let rank = self.rank(id, region.distance);
            self.frontier.insert(rank);
        }
    }

    fn excluded(&self, source: RegionId, edge: &Edge, oracle: &mut dyn Oracle) -> bool {
        let holds = &self.region(source).holds[..];
        let facts = |id: RegionId| &self.region(id).facts[..];
        oracle.excludes(holds, edge.block, facts(edge.target))
            || edge
                .entry
                .is_some_and(|e| oracle.excludes(holds, e.bind, facts(e.region)))
    }

    fn connect_unless_excluded(&mut self, source: RegionId, edge: Edge, oracle: &mut dyn Oracle) {
        if !self.excluded(source, &edge, oracle) {
            self.connect(source, edge);
        }
    }

    fn connect(&mut self, source: RegionId, edge: Edge) {
        self.regions[source.index()].outgoing.push(edge);
        let entry = edge.entry.map(|e| e.region);
        for end in [Some(edge.target), entry].into_iter().flatten() {
            let incoming = &mut self.regions[end.index()].incoming;
            if incoming.last() != Some(&source) {
                incoming.push(source);
            }
        }
    }

    /// Regions from which their goal can be reached, undecided edges included: all others
    /// provably cannot. A table by region.
    pub fn can_reach(&self) -> Vec<bool> {
        let mut can: Vec<bool> = self
            .regions
            .iter()
            .map(|r| r.alive && r.distance == 0)
            .collect();
        let mut work: Vec<RegionId> = (0..self.regions.len() as u32)
            .map(RegionId)
            .filter(|r| can[r.index()])
            .collect();
        while let Some(at) = work.pop() {
            for &source in &self.region(at).incoming {
                let region = self.region(source);
                if can[source.index()] || !region.alive {
                    continue;
                }
                let open = |e: &Edge| {
                    can[e.target.index()] && e.entry.is_none_or(|entry| can[entry.region.index()])
                };
                if region.outgoing.iter().any(open) {
                    can[source.index()] = true;
                    work.push(source);
                }
            }
        }
        can
    }
}

pub(super) fn sorted(mut facts: Vec<Term>) -> Vec<Term> {
    facts.sort_unstable();
    facts.dedup();
    facts
}

/// Whether two edges out of one region are the same but for marks.
pub(super) fn same_way(a: &Edge, b: &Edge) -> bool {
    a.block == b.block && a.target == b.target && a.entry == b.entry
}

fn touches(edge: &Edge, id: RegionId) -> bool {
    edge.target == id || edge.entry.is_some_and(|e| e.region == id)
}

/// An edge with the halves of a region in the region's place.
fn expanded(edge: &Edge, id: RegionId, halves: Halves) -> Vec<Edge> {
    let both = |r: RegionId| match r == id {
        true => vec![halves.yes, halves.no],
        false => vec![r],
    };
    let mut all = Vec::new();
    for target in both(edge.target) {
        match edge.entry {
            None => all.push(Edge { target, ..*edge }),
            Some(entry) => all.extend(both(entry.region).into_iter().map(|region| Edge {
                target,
                entry: Some(Entry { region, ..entry }),
                ..*edge
            })),
        }
    }
    all
}

fn relinked(links: &[Link], id: RegionId, halves: Halves) -> Vec<Link> {
    let mut all = Vec::with_capacity(links.len());
    for &link in links {
        if link.target == id {
            all.push(Link {
                target: halves.yes,
                ..link
            });
            all.push(Link {
                target: halves.no,
                ..link
            });
        } else {
            all.push(link);
        }
    }
    all
}
