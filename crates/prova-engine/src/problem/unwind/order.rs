//! The order in which a program is unwound: a loop first, with all its rounds, and then what lies
//! behind it (Bourdoncle, "Efficient Chaotic Iteration Strategies with Widenings", 1993, section 3:
//! the weak topological order).
//!
//! Whoever always goes on at the place that comes first in this order takes the rounds of a loop one
//! by one, inner loops before the rest of a round, and finds all ways out of a loop together when it
//! gets behind it. Every edge back leads to the head of a loop around it.

use crate::problem::blocks::{Blocks, Cutpoint};

/// Places in order, and the loops around them.
#[derive(Clone, Debug)]
pub struct Order {
    /// The position of each cutpoint; those that cannot be reached come last.
    pub rank: Vec<u32>,
    /// The heads of the loops around each cutpoint, outermost first; a head is in its own loop.
    pub around: Vec<Vec<Cutpoint>>,
    /// For each head the position of the last place in its loop.
    last: Vec<u32>,
}

/// When something waits for its turn: the smallest comes first.
pub type Turn = (u32, u32);

impl Order {
    /// Finds it.
    pub fn of(blocks: &Blocks) -> Order {
        let n = blocks.locations.len();
        let mut next = vec![Vec::new(); n];
        for block in &blocks.blocks {
            next[block.source.index()].push(block.target.index());
        }
        let mut order = Order {
            rank: vec![u32::MAX; n],
            around: vec![Vec::new(); n],
            last: vec![0; n],
        };
        let mut placed = 0;
        // A part is what is left of a loop without its head; the whole program at first. Parts that
        // come later lie below on the stack.
        let mut parts = vec![Part {
            members: vec![true; n],
            from: vec![Cutpoint::START.index()],
            heads: Vec::new(),
        }];
        while let Some(part) = parts.pop() {
            let mut inner = Vec::new();
            let mut components = components(&next, &part);
            // A loop ends the list: what comes behind it has to wait until its inside is placed.
            while let Some(component) = components.pop() {
                let head = component[0];
                order.rank[head] = placed;
                placed += 1;
                order.around[head].clone_from(&part.heads);
                if component.len() == 1 && !next[head].contains(&head) {
                    continue;
                }
                order.around[head].push(Cutpoint(head as u32));
                let mut members = vec![false; n];
                component[1..].iter().for_each(|&c| members[c] = true);
                inner.push(Part {
                    members,
                    from: component[1..].to_vec(),
                    heads: order.around[head].clone(),
                });
                let mut rest = vec![false; n];
                components.iter().flatten().for_each(|&c| rest[c] = true);
                let from = components.iter().rev().flatten().copied().collect();
                parts.push(Part {
                    members: rest,
                    from,
                    heads: part.heads.clone(),
                });
                break;
            }
            parts.extend(inner);
        }
        for (place, heads) in order.around.iter().enumerate() {
            for head in heads {
                let last = &mut order.last[head.index()];
                *last = order.rank[place].max(*last);
            }
        }
        order
    }

    /// When runs that come to a place go on: in its order; at the head of a loop that they come back
    /// to, once the round is over everywhere in the loop, and in inner loops first.
    pub fn turn(&self, from: Cutpoint, to: Cutpoint) -> Turn {
        let rank = self.rank[to.index()];
        match self.is_head(to) && self.inside(from, to) {
            true => (self.last[to.index()], u32::MAX - rank),
            false => (rank, 0),
        }
    }

    /// Whether a cutpoint is the head of a loop.
    pub fn is_head(&self, cutpoint: Cutpoint) -> bool {
        self.around[cutpoint.index()].last() == Some(&cutpoint)
    }

    /// Whether a cutpoint lies in the loop of a head.
    pub fn inside(&self, cutpoint: Cutpoint, head: Cutpoint) -> bool {
        self.around[cutpoint.index()].contains(&head)
    }
}

/// A part of the graph that is still to be put in order.
struct Part {
    members: Vec<bool>,
    /// Where searches begin.
    from: Vec<usize>,
    /// The loops around it.
    heads: Vec<Cutpoint>,
}

/// The strongly connected components that can be reached inside a part, later ones first (Tarjan).
/// The first member of each is where the search came to it.
fn components(next: &[Vec<usize>], part: &Part) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = next.len();
    let (mut number, mut low) = (vec![NEW; n], vec![0; n]);
    let (mut open, mut is_open, mut found) = (Vec::new(), vec![false; n], Vec::new());
    let mut count = 0;
    for &root in &part.from {
        if number[root] != NEW {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((at, child)) = stack.last_mut() {
            let at = *at;
            if *child == 0 {
                (number[at], low[at]) = (count, count);
                count += 1;
                open.push(at);
                is_open[at] = true;
            }
            if let Some(&target) = next[at].get(*child) {
                *child += 1;
                if !part.members[target] {
                    continue;
                }
                if number[target] == NEW {
                    stack.push((target, 0));
                } else if is_open[target] {
                    low[at] = low[at].min(number[target]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                low[parent] = low[parent].min(low[at]);
            }
            if low[at] == number[at] {
                let start = open.iter().rposition(|&o| o == at).expect("it is open");
                let members = open.split_off(start);
                members.iter().for_each(|&m| is_open[m] = false);
                found.push(members);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::blocks::Block;

    fn order(n: usize, edges: &[(u32, u32)]) -> Order {
        Order::of(&Blocks {
            locations: vec![None; n],
            cutpoint_of: Vec::new(),
            blocks: edges
                .iter()
                .map(|&(s, t)| Block {
                    source: Cutpoint(s),
                    target: Cutpoint(t),
                    edges: Vec::new(),
                })
                .collect(),
            errors: Vec::new(),
        })
    }

    #[test]
    fn loops_come_before_what_lies_behind_them() {
        // A loop 1 with an inner loop 3; 2 is behind the outer one, 5 an error inside.
        let edges = [(0, 1), (1, 2), (1, 3), (3, 4), (4, 3), (3, 1), (4, 5)];
        let order = order(6, &edges);
        assert!(order.rank[4] < order.rank[2], "{order:?}");
        assert!(order.rank[3] < order.rank[4], "{order:?}");
        assert_eq!(order.around[4], [Cutpoint(1), Cutpoint(3)]);
        assert_eq!(order.around[2], []);
        assert!(order.is_head(Cutpoint(3)) && !order.is_head(Cutpoint(4)));
    }

    #[test]
    fn every_edge_back_leads_to_a_head_around_it() {
        // Two ways into the loop of 1 and 2, and a loop of one place.
        let edges = [(0, 1), (0, 2), (1, 2), (2, 1), (2, 3), (3, 3), (3, 4)];
        let order = order(5, &edges);
        for (s, t) in edges {
            if order.rank[t as usize] <= order.rank[s as usize] {
                assert!(
                    order.inside(Cutpoint(s), Cutpoint(t)),
                    "{s} to {t}: {order:?}"
                );
            }
        }
        let mut ranks = order.rank.clone();
        ranks.sort_unstable();
        assert_eq!(ranks, [0, 1, 2, 3, 4]);
    }
}
