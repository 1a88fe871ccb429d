//! Reverse post-order, dominators, loop heads and back edges of a procedure.
//!
//! Dominators by Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm* (2001).
//!
//! A *retreating* edge goes back in the depth-first order. Every cycle has one, so the targets of
//! retreating edges, the *heads* here, cut every cycle, also irreducible ones. A retreating edge
//! whose target dominates its source is the back edge of a natural loop.

use crate::ids::{EdgeId, LocId};
use crate::program::Body;

/// What a procedure's graph looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loops {
    /// Reachable locations in reverse post-order, the entry first.
    pub order: Vec<LocId>,
    /// Position of each location in `order`; `None` if it cannot be reached.
    pub position: Vec<Option<u32>>,
    /// Immediate dominator of each location; the entry's and unreachable ones' are `None`.
    pub dominator: Vec<Option<LocId>>,
    /// Targets of retreating edges, by their position. Every cycle contains one.
    pub heads: Vec<LocId>,
    /// Retreating edges whose target dominates their source.
    pub back_edges: Vec<EdgeId>,
    /// The other retreating edges: they enter a loop at a second place.
    pub irreducible_edges: Vec<EdgeId>,
}

impl Loops {
    /// Looks at a procedure.
    pub fn of(body: &Body) -> Self {
        let outgoing = body.outgoing();
        let order = reverse_post_order(body, &outgoing);
        let mut position = vec![None; body.locations.len()];
        for (i, l) in order.iter().enumerate() {
            position[l.index()] = Some(i as u32);
        }
        let dominator = dominators(body, &order, &position);
        let mut loops = Loops {
            order,
            position,
            dominator,
            heads: Vec::new(),
            back_edges: Vec::new(),
            irreducible_edges: Vec::new(),
        };
        for (i, edge) in body.edges.iter().enumerate() {
            let from = loops.position[edge.source.index()];
            let to = loops.position[edge.target.index()];
            if let (Some(from), Some(to)) = (from, to) {
                if to <= from {
                    loops.heads.push(edge.target);
                    let natural = loops.dominates(edge.target, edge.source);
                    match natural {
                        true => loops.back_edges.push(EdgeId::new(i)),
                        false => loops.irreducible_edges.push(EdgeId::new(i)),
                    }
                }
            }
        }
        let position = &loops.position;
        loops.heads.sort_unstable_by_key(|l| position[l.index()]);
        loops.heads.dedup();
        loops
    }

    /// Whether every path from the entry to `b` runs through `a`.
    pub fn dominates(&self, a: LocId, b: LocId) -> bool {
        let mut at = Some(b);
        while let Some(l) = at {
            if l == a {
                return true;
            }
            // Dominators come earlier in the order.
            if self.position[l.index()] < self.position[a.index()] {
                return false;
            }
            at = self.dominator[l.index()];
        }
        false
    }

    /// Whether a location is a head.
    pub fn is_head(&self, location: LocId) -> bool {
        let at = self.position[location.index()];
        let found = self
            .heads
            .binary_search_by_key(&at, |h| self.position[h.index()]);
        at.is_some() && found.is_ok()
    }

    /// The natural loop of a head: locations that reach one of its back edges without passing
    /// the head, and the head; by increasing id. Just the head if it has none.
    pub fn natural_loop(&self, body: &Body, head: LocId) -> Vec<LocId> {
        let incoming = body.incoming();
        let mut inside = vec![false; body.locations.len()];
        inside[head.index()] = true;
        let mut work: Vec<LocId> = Vec::new();
        for &e in &self.back_edges {
            let edge = body.edge(e);
            if edge.target == head && !std::mem::replace(&mut inside[edge.source.index()], true) {
                work.push(edge.source);
            }
        }
        while let Some(l) = work.pop() {
            for &e in &incoming[l.index()] {
                let source = body.edge(e).source;
                let reachable = self.position[source.index()].is_some();
                if reachable && !std::mem::replace(&mut inside[source.index()], true) {
                    work.push(source);
                }
            }
        }
        let all = (0..inside.len()).filter(|&i| inside[i]);
        all.map(LocId::new).collect()
    }
}

fn reverse_post_order(body: &Body, outgoing: &[Vec<EdgeId>]) -> Vec<LocId> {
    let mut seen = vec![false; body.locations.len()];
    seen[body.entry.index()] = true;
    let mut order = Vec::new();
    let mut stack = vec![(body.entry, 0)];
    while let Some(frame) = stack.last_mut() {
        let (at, next) = *frame;
        match outgoing[at.index()].get(next) {
            Some(&edge) => {
                frame.1 += 1;
                let target = body.edge(edge).target;
                if !std::mem::replace(&mut seen[target.index()], true) {
                    stack.push((target, 0));
                }
            }
            None => {
                order.push(at);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn dominators(body: &Body, order: &[LocId], position: &[Option<u32>]) -> Vec<Option<LocId>> {
    let incoming = body.incoming();
    let mut found: Vec<Option<u32>> = vec![None; order.len()];
    found[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for (i, l) in order.iter().enumerate().skip(1) {
            let mut new: Option<u32> = None;
            for &e in &incoming[l.index()] {
                let Some(p) = position[body.edge(e).source.index()] else {
                    continue;
                };
                if found[p as usize].is_some() {
                    new = Some(new.map_or(p, |n| intersect(&found, n, p)));
                }
            }
            if new != found[i] {
                found[i] = new;
                changed = true;
            }
        }
    }
    let mut result = vec![None; body.locations.len()];
    for (i, l) in order.iter().enumerate().skip(1) {
        result[l.index()] = found[i].map(|d| order[d as usize]);
    }
    result
}

fn intersect(found: &[Option<u32>], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = found[a as usize].unwrap_or(0);
        }
        while b > a {
            b = found[b as usize].unwrap_or(0);
        }
    }
    a
}
