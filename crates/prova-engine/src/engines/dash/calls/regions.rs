//! The abstraction of a program with procedures: a region graph per query, calls between them.
//!
//! A *graph* belongs to a procedure and a goal ([`Goal`]); it says from which states of the
//! procedure the goal looks reachable. As in `dash/graph.rs`, the states of a cutpoint are
//! partitioned by a decision tree whose leaves are regions.
//!
//! An abstract edge through a call has two ends: the region behind the call, and the region at the
//! callee's entry, in the graph that was asked. It stands for a run that enters the callee there,
//! reaches that graph's goal, and so returns to the region behind. It leads to the goal only if
//! both ends do: the abstraction is a pushdown system, its error paths are found like those of
//! any other by distances ([`super::distance`]), recursion included. That is what makes a graph a
//! summary: entry regions from which its goal is out of reach say *not-may*, for every call.
//!
//! What would be unsound: to lose an edge that a run needs. Edges go away in three ways only:
//! [`Abstraction::remove`] is told that no state makes the step; [`Abstraction::split`] drops
//! those that its oracle excludes and the one the caller proved away; [`Abstraction::ask`] puts
//! one graph in the place of another whose goal is weaker.

use super::distance;
use super::distance::Distance;
use super::goals::Goal;
use crate::problem::blocks::{BlockId, Cutpoint};
use crate::regions::graph::{Node, Oracle, RegionId};
use prova_ir::ProcId;
use prova_logic::{Term, Terms};

/// The abstraction of a procedure for one goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphId(pub u32);

impl GraphId {
    fn index(self) -> usize {
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
    /// Regions with an edge to or through this one; some may have lost it.
    pub(super) incoming: Vec<RegionId>,
    pub(super) distance: Distance,
    pub(super) alive: bool,
    leaf: usize,
}

enum Tree {
    Leaf(RegionId),
    Split {
        predicate: Term,
        yes: usize,
        no: usize,
    },
}

/// A procedure and a goal.
pub struct Graph {
    /// The procedure.
    pub procedure: ProcId,
    /// What is to be reached.
    pub goal: Goal,
    /// Constants of the goal that the callers know.
    pub ghosts: Vec<Term>,
    /// The region of the goal.
    pub goal_region: RegionId,
    /// The step from the exit to the goal.
    pub goal_block: Option<BlockId>,
    trees: Vec<Vec<Tree>>,
}

/// The halves of a split region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    /// Where the predicate holds.
    pub yes: RegionId,
    /// Where it does not.
    pub no: RegionId,
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
    /// Number of cutpoints, the goal's included, which is the last.
    pub cutpoints: usize,
    /// Cutpoints that are the goal, besides the last.
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
pub struct Abstraction {
    pub(super) regions: Vec<Region>,
    graphs: Vec<Graph>,
    alive: usize,
}

impl Abstraction {
    /// Adds a graph with one region per cutpoint.
    pub fn add(&mut self, plan: Plan) -> GraphId {
        let id = GraphId(self.graphs.len() as u32);
        let first = self.regions.len() as u32;
        let last = Cutpoint(plan.cutpoints as u32 - 1);
        let mut trees = Vec::with_capacity(plan.cutpoints);
        for i in 0..plan.cutpoints as u32 {
            let cutpoint = Cutpoint(i);
            let is_goal = cutpoint == last || plan.goals.contains(&cutpoint);
            self.regions.push(Region {
                graph: id,
                cutpoint,
                facts: Vec::new(),
                holds: sorted(plan.known.get(i as usize).cloned().unwrap_or_default()),
                cube: Vec::new(),
                outgoing: Vec::new(),
                links: Vec::new(),
                incoming: Vec::new(),
                distance: if is_goal { 0 } else { distance::INFINITE },
                alive: true,
                leaf: 0,
            });
            trees.push(vec![Tree::Leaf(RegionId(first + i))]);
        }
        self.alive += plan.cutpoints;
        let at = |c: Cutpoint| RegionId(first + c.0);
        self.graphs.push(Graph {
            procedure: plan.procedure,
            goal: plan.goal,
            ghosts: plan.ghosts,
            goal_region: at(last),
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
        distance::repair(&mut self.regions, all.collect());
        id
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
        &self.regions[id.0 as usize]
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
        let tree = &self.graphs[graph.index()].trees[cutpoint.index()];
        tree.iter().filter_map(|t| match t {
            Tree::Leaf(id) => Some(*id),
            Tree::Split { .. } => None,
        })
    }

    /// Whether a cutpoint was ever split.
    pub fn is_split(&self, graph: GraphId, cutpoint: Cutpoint) -> bool {
        self.graphs[graph.index()].trees[cutpoint.index()].len() > 1
    }

    /// What holds in the chosen regions of a cutpoint, and nowhere else there; see
    /// [`cases`](crate::dash::graph::cases).
    pub fn cases(
        &self,
        graph: GraphId,
        cutpoint: Cutpoint,
        chosen: impl Fn(RegionId) -> bool,
        terms: &mut Terms,
    ) -> Vec<Vec<Term>> {
        let tree = self.graphs[graph.index()].trees[cutpoint.index()].iter();
        let nodes: Vec<Node> = tree
            .map(|node| match *node {
                Tree::Leaf(id) => Node::Leaf(chosen(id)),
                Tree::Split { predicate, yes, no } => Node::Split { predicate, yes, no },
            })
            .collect();
        crate::regions::graph::cases(&nodes, terms)
    }

    /// The region that holds a state.
    pub fn locate(
        &self,
        graph: GraphId,
        cutpoint: Cutpoint,
        mut holds: impl FnMut(Term) -> bool,
    ) -> RegionId {
        let tree = &self.graphs[graph.index()].trees[cutpoint.index()];
        let mut at = 0;
        loop {
            match tree[at] {
                Tree::Leaf(id) => return id,
                Tree::Split { predicate, yes, no } => at = if holds(predicate) { yes } else { no },
            }
        }
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
        self.regions[source.0 as usize]
            .outgoing
            .retain(|e| !dropped.takes(e));
        distance::repair(&mut self.regions, vec![source]);
    }

    /// The solver gave up on this edge: it stays, but is not searched.
    pub fn mark_undecided(&mut self, source: RegionId, edge: &Edge) {
        for e in &mut self.regions[source.0 as usize].outgoing {
            if same_way(e, edge) {
                e.undecided = true;
            }
        }
        distance::repair(&mut self.regions, vec![source]);
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
        let region = &mut self.regions[source.0 as usize];
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
        distance::repair(&mut self.regions, vec![source]);
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
                let region = &mut self.regions[id.0 as usize];
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
            let edges = std::mem::take(&mut self.regions[source.0 as usize].outgoing);
            let kept: Vec<Edge> = edges
                .into_iter()
                .filter(|e| !self.excluded(source, e, oracle))
                .collect();
            self.regions[source.0 as usize].outgoing = kept;
        }
        distance::repair(&mut self.regions, sources);
    }

    /// Splits a region by a predicate. `yes_facts` and `no_facts` are what the halves add to the
    /// old facts; `dropped` is the edge that the `no` half provably lacks (Figure 9 of seed 003).
    pub fn split(
        &mut self,
        id: RegionId,
        predicate: Term,
        yes_facts: &[Term],
        no_facts: &[Term],
        dropped: Dropped,
        oracle: &mut dyn Oracle,
    ) -> Halves {
        let old = &mut self.regions[id.0 as usize];
        debug_assert!(old.alive);
        old.alive = false;
        let (graph, cutpoint, leaf) = (old.graph, old.cutpoint, old.leaf);
        let distance = old.distance;
        let old_facts = std::mem::take(&mut old.facts);
        let old_holds = std::mem::take(&mut old.holds);
        let old_cube = std::mem::take(&mut old.cube);
        let outgoing = std::mem::take(&mut old.outgoing);
        let links = std::mem::take(&mut old.links);
        let mut sources = std::mem::take(&mut old.incoming);

        let halves = Halves {
            yes: RegionId(self.regions.len() as u32),
            no: RegionId(self.regions.len() as u32 + 1),
        };
        let tree = &mut self.graphs[graph.index()].trees[cutpoint.index()];
        let (yes, no) = (tree.len(), tree.len() + 1);
        tree[leaf] = Tree::Split { predicate, yes, no };
        tree.push(Tree::Leaf(halves.yes));
        tree.push(Tree::Leaf(halves.no));
        for (facts, cube, leaf) in [
            (yes_facts, yes_facts.to_vec(), yes),
            (no_facts, old_cube, no),
        ] {
            self.regions.push(Region {
                graph,
                cutpoint,
                facts: sorted([&old_facts, facts].concat()),
                holds: sorted([&old_holds, facts].concat()),
                cube,
                outgoing: Vec::new(),
                links: relinked(&links, id, halves),
                incoming: Vec::new(),
                distance: if distance == 0 { 0 } else { distance::INFINITE },
                alive: true,
                leaf,
            });
        }
        self.alive += 1;

        let mut changed = vec![halves.yes, halves.no];
        for half in [halves.yes, halves.no] {
            for edge in &outgoing {
                if half == halves.no && dropped.takes(edge) {
                    continue;
                }
                for edge in expanded(edge, id, halves) {
                    self.connect_unless_excluded(half, edge, oracle);
                }
            }
        }
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            if source == id || !self.regions[source.0 as usize].alive {
                continue;
            }
            let region = &mut self.regions[source.0 as usize];
            region.links = relinked(&region.links, id, halves);
            let edges = std::mem::take(&mut region.outgoing);
            for edge in edges {
                if !touches(&edge, id) {
                    self.regions[source.0 as usize].outgoing.push(edge);
                    continue;
                }
                for edge in expanded(&edge, id, halves) {
                    self.connect_unless_excluded(source, edge, oracle);
                }
            }
            changed.push(source);
        }
        distance::repair(&mut self.regions, changed);
        halves
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
        self.regions[source.0 as usize].outgoing.push(edge);
        let entry = edge.entry.map(|e| e.region);
        for end in [Some(edge.target), entry].into_iter().flatten() {
            let incoming = &mut self.regions[end.0 as usize].incoming;
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
            .filter(|r| can[r.0 as usize])
            .collect();
        while let Some(at) = work.pop() {
            for &source in &self.region(at).incoming {
                let region = self.region(source);
                if can[source.0 as usize] || !region.alive {
                    continue;
                }
                let open = |e: &Edge| {
                    can[e.target.0 as usize]
                        && e.entry.is_none_or(|entry| can[entry.region.0 as usize])
                };
                if region.outgoing.iter().any(open) {
                    can[source.0 as usize] = true;
                    work.push(source);
                }
            }
        }
        can
    }
}

fn sorted(mut facts: Vec<Term>) -> Vec<Term> {
    facts.sort_unstable();
    facts.dedup();
    facts
}

/// Whether two edges out of one region are the same but for marks.
fn same_way(a: &Edge, b: &Edge) -> bool {
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
