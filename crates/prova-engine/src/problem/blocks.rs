//! Block edges: the steps that engines see (Yorsh, Ball and Sagiv, *Testing,
//! Abstraction, Theorem Proving: Better Together!*, §4.2: fewer steps *and* more precision).
//!
//! A block is a chain of IR edges between two cutpoints that passes no cutpoint in between. Three
//! granularities differ only in which locations are cutpoints:
//!
//! * `Statement`: all of them;
//! * `Basic`: branches and joins, and whatever follows no straight line;
//! * `LoopFree`: loop heads, and joins where more than `PATHS` chains would meet. Chains
//!   through a branch are blocks of their own, side by side.
//!
//! In all three the entry, the error locations and the ends are cutpoints, and every cycle passes
//! one, so that blocks are finite.

use prova_ir::{Body, EdgeId, LocId};
use prova_logic::Term;
use prova_task::{Invariant, Prepared};

/// A cutpoint: a location between block edges. Zero is the virtual place before the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cutpoint(pub u32);

/// A block edge between two cutpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

impl Cutpoint {
    /// The virtual cutpoint before the program starts.
    pub const START: Cutpoint = Cutpoint(0);

    /// Position in tables by cutpoint.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl BlockId {
    /// Position in tables by block.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// At `LoopFree`, a join where more chains than this would meet becomes a cutpoint.
const PATHS: usize = 8;

/// How large a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Granularity {
    /// One IR edge.
    Statement,
    /// A straight line.
    #[default]
    Basic,
    /// A path without a loop.
    LoopFree,
}

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where it starts; [`Cutpoint::START`] for the block that sets the program up.
    pub source: Cutpoint,
    /// Where it ends.
    pub target: Cutpoint,
    /// Its IR edges, in order; empty for the block that sets the program up.
    pub edges: Vec<EdgeId>,
}

/// Cutpoints and the blocks between them.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The location of each cutpoint; `None` for [`Cutpoint::START`].
    pub locations: Vec<Option<LocId>>,
    /// The cutpoint at each location, if any.
    pub cutpoint_of: Vec<Option<Cutpoint>>,
    /// All blocks; the first leads from the start to the entry.
    pub blocks: Vec<Block>,
    /// Cutpoints that must not be reached.
    pub errors: Vec<Cutpoint>,
}

impl Blocks {
    /// Cuts a procedure body.
    pub fn new(body: &Body, granularity: Granularity) -> Blocks {
        Blocks::cut(body, granularity, &[])
    }

    /// Cuts a procedure body, at these locations too.
    pub fn cut(body: &Body, granularity: Granularity, more: &[LocId]) -> Blocks {
        let outgoing = body.outgoing();
        let incoming = body.incoming();
        let n = body.locations.len();
        let reached = prova_ir::graph::reachable(body, &outgoing);
        let mut cut = vec![false; n];
        cut[body.entry.index()] = true;
        for location in more {
            cut[location.index()] = true;
        }
        for error in &body.errors {
            cut[error.location.index()] = true;
        }
        more.iter().for_each(|l| cut[l.index()] = true);
        for i in 0..n {
            cut[i] |= outgoing[i].is_empty()
                || match granularity {
                    Granularity::Statement => true,
                    Granularity::Basic => outgoing[i].len() > 1 || incoming[i].len() > 1,
                    Granularity::LoopFree => false,
                };
        }
        // A call is a step of its own: it is another procedure's to say what it does.
        for edge in &body.edges {
            if matches!(edge.statement, prova_ir::Statement::Call { .. }) {
                cut[edge.source.index()] = true;
                cut[edge.target.index()] = true;
            }
        }
        if granularity == Granularity::LoopFree {
            cut_cycles(body, &outgoing, &mut cut);
            cut_crowded_joins(body, &outgoing, &incoming, &mut cut);
        }

        let mut blocks = Blocks {
            locations: vec![None],
            cutpoint_of: vec![None; n],
            blocks: Vec::new(),
            errors: Vec::new(),
        };
        for i in (0..n).filter(|&i| cut[i] && reached[i]) {
            blocks.cutpoint_of[i] = Some(Cutpoint(blocks.locations.len() as u32));
            blocks.locations.push(Some(LocId::new(i)));
        }
        blocks.errors = body
            .errors
            .iter()
            .filter_map(|e| blocks.cutpoint_of[e.location.index()])
            .collect();
        let entry = blocks.cutpoint_of[body.entry.index()].expect("the entry is a cutpoint");
        blocks.blocks.push(Block {
            source: Cutpoint::START,
            target: entry,
            edges: Vec::new(),
        });
        for index in 1..blocks.locations.len() {
            let location = blocks.locations[index].expect("only the start has none");
            blocks.chains_from(body, &outgoing, Cutpoint(index as u32), location);
        }
        blocks
    }

    /// The block with this id.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The cutpoints, the start first.
    pub fn cutpoints(&self) -> impl Iterator<Item = Cutpoint> {
        (0..self.locations.len() as u32).map(Cutpoint)
    }

    /// The blocks, by their ids.
    pub fn ids(&self) -> impl Iterator<Item = BlockId> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// Cases by cutpoint as invariants at locations.
    pub fn invariants(&self, prepared: &Prepared, cases: Vec<Vec<Vec<Term>>>) -> Vec<Invariant> {
        let located = self.locations.iter().zip(cases);
        let located = located.filter_map(|(location, cases)| Some(((*location)?, cases)));
        located
            .map(|(location, cases)| Invariant {
                procedure: prepared.entry(),
                location,
                span: prepared.body().location(location).span,
                cases,
            })
            .collect()
    }

    /// The blocks out of each cutpoint.
    pub fn outgoing(&self) -> Vec<Vec<BlockId>> {
        self.grouped(|b| b.source)
    }

    /// The blocks into each cutpoint.
    pub fn incoming(&self) -> Vec<Vec<BlockId>> {
        self.grouped(|b| b.target)
    }

    fn grouped(&self, end: impl Fn(&Block) -> Cutpoint) -> Vec<Vec<BlockId>> {
        let mut groups = vec![Vec::new(); self.locations.len()];
        for (i, block) in self.blocks.iter().enumerate() {
            groups[end(block).index()].push(BlockId(i as u32));
        }
        groups
    }

    /// The strongly connected component of each cutpoint, by number (Kosaraju's two searches). No
    /// block leads to a component with a smaller number.
    pub fn components(&self) -> Vec<u32> {
        self.components_with(&[])
    }

    /// As [`Blocks::components`], with some edges more.
    pub fn components_with(&self, more: &[(Cutpoint, Cutpoint)]) -> Vec<u32> {
        let n = self.locations.len();
        let (mut forward, mut backward) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        let own = self.blocks.iter().map(|b| (b.source, b.target));
        for (source, target) in own.chain(more.iter().copied()) {
            forward[source.index()].push(target.index());
            backward[target.index()].push(source.index());
        }
        let mut order = Vec::with_capacity(n);
        let mut seen = vec![false; n];
        for root in 0..n {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((at, next)) = stack.last_mut() {
                match forward[*at].get(*next) {
                    Some(&target) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[target], true) {
                            stack.push((target, 0));
                        }
                    }
                    None => {
                        order.push(*at);
                        stack.pop();
                    }
                }
            }
        }
        let mut component = vec![u32::MAX; n];
        for (number, &root) in order.iter().rev().enumerate() {
            let mut stack = vec![root];
            while let Some(at) = stack.pop() {
                if component[at] == u32::MAX {
                    component[at] = number as u32;
                    stack.extend(&backward[at]);
                }
            }
        }
        component
    }

    /// The cutpoints that lie on a cycle of blocks, by their components.
    pub fn in_loops(&self, component: &[u32]) -> Vec<bool> {
        let mut inside = vec![false; self.locations.len()];
        for block in &self.blocks {
            let (s, t) = (block.source.index(), block.target.index());
            if component[s] == component[t] {
                inside[s] = true;
                inside[t] = true;
            }
        }
        inside
    }

    fn chains_from(
        &mut self,
        body: &Body,
        outgoing: &[Vec<EdgeId>],
        source: Cutpoint,
        location: LocId,
    ) {
        let mut stack: Vec<Vec<EdgeId>> = outgoing[location.index()]
            .iter()
            .rev()
            .map(|&e| vec![e])
            .collect();
        while let Some(chain) = stack.pop() {
            let at = body
                .edge(*chain.last().expect("chains are not empty"))
                .target;
            if let Some(target) = self.cutpoint_of[at.index()] {
                self.blocks.push(Block {
                    source,
                    target,
                    edges: chain,
                });
                continue;
            }
            for &edge in outgoing[at.index()].iter().rev() {
                let mut longer = chain.clone();
                longer.push(edge);
                stack.push(longer);
            }
        }
    }
}

/// Locations in an order in which a location comes after all its predecessors, back edges aside,
/// and the targets of back edges (edges into the search stack).
fn depth_first(body: &Body, outgoing: &[Vec<EdgeId>]) -> (Vec<LocId>, Vec<LocId>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut mark = vec![Mark::New; body.locations.len()];
    let (mut order, mut heads) = (Vec::new(), Vec::new());
    let mut stack = vec![(body.entry, 0)];
    mark[body.entry.index()] = Mark::Open;
    while let Some((at, next)) = stack.last_mut() {
        if let Some(&edge) = outgoing[at.index()].get(*next) {
            *next += 1;
            let target = body.edge(edge).target;
            match mark[target.index()] {
                Mark::New => {
                    mark[target.index()] = Mark::Open;
                    stack.push((target, 0));
                }
                Mark::Open => heads.push(target),
                Mark::Done => {}
            }
        } else {
            mark[at.index()] = Mark::Done;
            order.push(*at);
            stack.pop();
        }
    }
    order.reverse();
    (order, heads)
}

fn cut_cycles(body: &Body, outgoing: &[Vec<EdgeId>], cut: &mut [bool]) {
    for head in depth_first(body, outgoing).1 {
        cut[head.index()] = true;
    }
}

fn cut_crowded_joins(
    body: &Body,
    outgoing: &[Vec<EdgeId>],
    incoming: &[Vec<EdgeId>],
    cut: &mut [bool],
) {
    let (order, _) = depth_first(body, outgoing);
    let mut chains = vec![0usize; body.locations.len()];
    for at in order {
        if cut[at.index()] {
            chains[at.index()] = 1;
            continue;
        }
        let sum: usize = incoming[at.index()]
            .iter()
            .map(|&e| chains[body.edge(e).source.index()])
            .sum();
        if sum > PATHS && incoming[at.index()].len() > 1 {
            cut[at.index()] = true;
            chains[at.index()] = 1;
        } else {
            chains[at.index()] = sum.max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_ir::{Span, Statement};

    /// A body from (source, target) pairs; location 0 is the entry, the last one the exit.
    fn body(locations: usize, edges: &[(usize, usize)], errors: &[usize]) -> Body {
        let mut body = Body {
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocId(0),
            exit: LocId::new(locations - 1),
            errors: Vec::new(),
        };
        for _ in 0..locations {
            body.add_location(Span::NONE);
        }
        for &(s, t) in edges {
            body.add_edge(LocId::new(s), LocId::new(t), Statement::Skip, Span::NONE);
        }
        for &e in errors {
            body.errors.push(prova_ir::ErrorLocation {
                location: LocId::new(e),
                property: "unreach-call".into(),
                message: String::new(),
            });
        }
        body
    }

    fn shape(blocks: &Blocks) -> Vec<(u32, u32, usize)> {
        blocks
            .blocks
            .iter()
            .map(|b| (b.source.0, b.target.0, b.edges.len()))
            .collect()
    }

    #[test]
    fn a_loop_is_cut_at_its_head() {
        // 0 -> 1 -> 2 -> 1, 1 -> 3 -> 4
        let body = body(5, &[(0, 1), (1, 2), (2, 1), (1, 3), (3, 4)], &[]);
        let blocks = Blocks::new(&body, Granularity::LoopFree);
        // Cutpoints: 1 = L0, 2 = L1 (head), 3 = L4 (exit).
        assert_eq!(shape(&blocks), [(0, 1, 0), (1, 2, 1), (2, 2, 2), (2, 3, 2)]);
    }

    #[test]
    fn diamonds_become_parallel_chains_until_they_are_too_many() {
        let mut edges = Vec::new();
        for d in 0..6 {
            let at = 3 * d;
            edges.extend([
                (at, at + 1),
                (at, at + 2),
                (at + 1, at + 3),
                (at + 2, at + 3),
            ]);
        }
        let body = body(19, &edges, &[]);
        let free = Blocks::new(&body, Granularity::LoopFree);
        assert!(free.blocks.len() < 40, "{} blocks", free.blocks.len());
        let basic = Blocks::new(&body, Granularity::Basic);
        assert_eq!(basic.blocks.len(), 1 + 12, "each arm is one block");
        let statement = Blocks::new(&body, Granularity::Statement);
        assert_eq!(statement.blocks.len(), 1 + 24);
    }

    #[test]
    fn error_locations_are_cutpoints() {
        let body = body(4, &[(0, 1), (0, 2), (2, 3)], &[1]);
        let blocks = Blocks::new(&body, Granularity::Basic);
        assert_eq!(blocks.errors.len(), 1);
        assert_eq!(blocks.locations[blocks.errors[0].index()], Some(LocId(1)));
    }
}
