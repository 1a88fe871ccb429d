//! Larger steps for engines: a graph over *cutpoints*, whose edges are pieces of the procedure
//! without cycles. Fewer steps, and more precision in each (Yorsh, Ball, Sagiv 2006, §4.2).
//!
//! Cutpoints are
//! * always: the entry, loop heads (so that every cycle has one), error locations, the exit and
//!   other dead ends, and both ends of a call;
//! * for [`Granularity::Basic`] also branches and joins;
//! * for [`Granularity::Statement`] every location.
//!
//! Only what can be reached takes part.

use super::loops::Loops;
use crate::ids::{EdgeId, LocId};
use crate::program::{Body, Statement};

/// How large the steps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Granularity {
    /// One statement.
    Statement,
    /// A maximal straight line.
    Basic,
    /// A piece with one entry and no cycle.
    #[default]
    LoopFree,
}

/// A procedure in larger steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockGraph {
    /// How large the steps are.
    pub granularity: Granularity,
    /// Cutpoints in reverse post-order, the entry first.
    pub cutpoints: Vec<LocId>,
    /// Steps, by the position of their source, then of their target.
    pub edges: Vec<BlockEdge>,
}

/// All ways from one cutpoint to another that meet no third.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockEdge {
    /// Where it starts.
    pub source: LocId,
    /// Where it ends; may be the source.
    pub target: LocId,
    /// The edges on these ways, topologically: those into a location (other than the target)
    /// come before those out of it. Each lies on some way from source to target.
    pub steps: Vec<EdgeId>,
}

impl BlockEdge {
    /// Whether there is one way only.
    pub fn is_straight(&self, body: &Body) -> bool {
        let mut pairs = self.steps.windows(2);
        pairs.all(|p| body.edge(p[0]).target == body.edge(p[1]).source)
    }
}

impl BlockGraph {
    /// Divides a procedure into blocks.
    pub fn of(body: &Body, granularity: Granularity) -> Self {
        let loops = Loops::of(body);
        Self::with_loops(body, &loops, granularity)
    }

    /// [`BlockGraph::of`], for those who have looked at the loops already.
    pub fn with_loops(body: &Body, loops: &Loops, granularity: Granularity) -> Self {
        let outgoing = body.outgoing();
        let cut = cutpoints(body, loops, &outgoing, granularity);
        let order = loops.order.iter().copied();
        let cutpoints: Vec<LocId> = order.filter(|l| cut[l.index()]).collect();
        let mut pieces = Pieces {
            body,
            loops,
            outgoing: &outgoing,
            cut: &cut,
            mark: vec![0; body.locations.len()],
            clock: 0,
        };
        let mut edges = Vec::new();
        for &source in &cutpoints {
            match granularity {
                Granularity::LoopFree => pieces.from(source, &mut edges),
                _ => pieces.straight_from(source, &mut edges),
            }
        }
        Self {
            granularity,
            cutpoints,
            edges,
        }
    }
}

fn cutpoints(
    body: &Body,
    loops: &Loops,
    outgoing: &[Vec<EdgeId>],
    granularity: Granularity,
) -> Vec<bool> {
    let count = body.locations.len();
    let mut cut = vec![granularity == Granularity::Statement; count];
    cut[body.entry.index()] = true;
    for head in &loops.heads {
        cut[head.index()] = true;
    }
    for error in &body.errors {
        cut[error.location.index()] = true;
    }
    let mut joins = vec![0; count];
    for edge in &body.edges {
        if loops.position[edge.source.index()].is_some() {
            joins[edge.target.index()] += 1;
        }
        if matches!(edge.statement, Statement::Call { .. }) {
            cut[edge.source.index()] = true;
            cut[edge.target.index()] = true;
        }
    }
    for i in 0..count {
        let out = outgoing[i].len();
        cut[i] |= out == 0;
        cut[i] |= granularity == Granularity::Basic && (out > 1 || joins[i] > 1);
    }
    cut
}

struct Pieces<'a> {
    body: &'a Body,
    loops: &'a Loops,
    outgoing: &'a [Vec<EdgeId>],
    cut: &'a [bool],
    /// The last walk that found a location.
    mark: Vec<u32>,
    clock: u32,
}

impl Pieces<'_> {
    /// A step per outgoing edge: on to the next cutpoint. Inside, every location has one way on.
    fn straight_from(&mut self, source: LocId, found: &mut Vec<BlockEdge>) {
        for &first in &self.outgoing[source.index()] {
            let mut steps = vec![first];
            let mut at = self.body.edge(first).target;
            while !self.cut[at.index()] {
                let Some(&next) = self.outgoing[at.index()].first() else {
                    break;
                };
                steps.push(next);
                at = self.body.edge(next).target;
            }
            found.push(BlockEdge {
                source,
                target: at,
                steps,
            });
        }
    }

    /// A step per cutpoint that can be reached without meeting another.
    fn from(&mut self, source: LocId, found: &mut Vec<BlockEdge>) {
        // Forwards: all edges of the piece, and its targets.
        let (mut inside, mut edges, mut targets) = (vec![source], Vec::new(), Vec::new());
        self.clock += 1;
        let mut next = 0;
        while next < inside.len() {
            for &e in &self.outgoing[inside[next].index()] {
                edges.push(e);
                let target = self.body.edge(e).target;
                if std::mem::replace(&mut self.mark[target.index()], self.clock) != self.clock {
                    match self.cut[target.index()] {
                        true => targets.push(target),
                        false => inside.push(target),
                    }
                }
            }
            next += 1;
        }
        let position = |l: LocId| self.loops.position[l.index()];
        // Inside a piece nothing retreats, so the order of sources is topological.
        edges.sort_by_key(|&e| (position(self.body.edge(e).source), e));
        targets.sort_unstable_by_key(|&t| position(t));
        if targets.len() == 1 {
            let target = targets[0];
            let steps = edges;
            return found.push(BlockEdge {
                source,
                target,
                steps,
            });
        }
        for target in targets {
            // Backwards: what of it leads to this target.
            self.clock += 1;
            let mut steps = Vec::new();
            for &e in edges.iter().rev() {
                let edge = self.body.edge(e);
                let inner = !self.cut[edge.target.index()];
                if edge.target == target || inner && self.mark[edge.target.index()] == self.clock {
                    self.mark[edge.source.index()] = self.clock;
                    steps.push(e);
                }
            }
            steps.reverse();
            found.push(BlockEdge {
                source,
                target,
                steps,
            });
        }
    }
}
