//! Loops of a graph, irreducible ones too: its strongly connected components, each cut by a head,
//! and what is left of it when the head is taken out, once more.
//!
//! A run that never leaves a procedure goes round in some component for ever. Take the innermost one
//! that it stays in: it passes that one's head again and again, for what is left without the head
//! falls into components further in. So a measure at every head is enough.

use prova_ir::{Body, LocId};

/// A component with the place where it is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Where it is cut.
    pub head: LocId,
    /// Its locations, the head among them, by increasing number.
    pub locations: Vec<LocId>,
    /// How many components it lies in.
    pub depth: usize,
}

impl Component {
    /// Whether a location is part of it.
    pub fn contains(&self, location: LocId) -> bool {
        self.locations.binary_search(&location).is_ok()
    }
}

/// All components of a graph, outer ones before those in them. A component is cut at the first of
/// these heads that lies in it, or where a walk from the entry comes to it first.
pub fn components(body: &Body, heads: &[LocId]) -> Vec<Component> {
    let mut next = vec![Vec::new(); body.locations.len()];
    for edge in &body.edges {
        next[edge.source.index()].push(edge.target);
    }
    let order = first_seen(&next, body.entry);
    let mut found = Vec::new();
    let mut within = vec![0u32; body.locations.len()];
    let everything: Vec<LocId> = (0..body.locations.len())
        .map(LocId::new)
        .filter(|l| order[l.index()] != usize::MAX)
        .collect();
    // What is still to be taken apart: locations, marked in `within` by the number of their piece.
    let mut work = vec![(everything, 0usize)];
    let mut pieces = 0;
    while let Some((locations, depth)) = work.pop() {
        pieces += 1;
        locations.iter().for_each(|l| within[l.index()] = pieces);
        for mut component in strongly_connected(&next, &locations, &within, pieces) {
            component.sort_unstable();
            let inside = |l: &&LocId| component.binary_search(l).is_ok();
            let first = component.iter().min_by_key(|l| order[l.index()]);
            let Some(&head) = heads.iter().find(inside).or(first) else {
                continue;
            };
            let rest = component.iter().copied().filter(|l| *l != head).collect();
            work.push((rest, depth + 1));
            found.push(Component {
                head,
                locations: component,
                depth,
            });
        }
    }
    found.sort_by_key(|c| (c.depth, order[c.head.index()]));
    found
}

/// When a walk from the entry first sees each location.
fn first_seen(next: &[Vec<LocId>], entry: LocId) -> Vec<usize> {
    let mut order = vec![usize::MAX; next.len()];
    let mut queue = std::collections::VecDeque::from([entry]);
    order[entry.index()] = 0;
    let mut clock = 0;
    while let Some(at) = queue.pop_front() {
        for &target in &next[at.index()] {
            if order[target.index()] == usize::MAX {
                clock += 1;
                order[target.index()] = clock;
                queue.push_back(target);
            }
        }
    }
    order
}

/// Those strongly connected components of a piece that have a circle in them (Tarjan, *Depth-first
/// search and linear graph algorithms*, 1972), without recursion.
fn strongly_connected(
    next: &[Vec<LocId>],
    locations: &[LocId],
    within: &[u32],
    piece: u32,
) -> Vec<Vec<LocId>> {
    const NEW: usize = usize::MAX;
    let (mut order, mut low) = (vec![NEW; next.len()], vec![0; next.len()]);
    let mut on_stack = vec![false; next.len()];
    let (mut stack, mut found, mut clock) = (Vec::new(), Vec::new(), 0);
    for &root in locations {
        if order[root.index()] != NEW {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some(&(at, edge)) = calls.last() {
            let a = at.index();
            if edge == 0 {
                (order[a], low[a]) = (clock, clock);
                clock += 1;
                stack.push(at);
                on_stack[a] = true;
            }
            if let Some(&target) = next[a].get(edge) {
                if let Some(top) = calls.last_mut() {
                    top.1 += 1;
                }
                let t = target.index();
                if within[t] != piece {
                    continue;
                }
                if order[t] == NEW {
                    calls.push((target, 0));
                } else if on_stack[t] {
                    low[a] = low[a].min(order[t]);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                low[caller.index()] = low[caller.index()].min(low[a]);
            }
            if low[a] == order[a] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member.index()] = false;
                    component.push(member);
                    if member == at {
                        break;
                    }
                }
                let circle = component.len() > 1 || next[a].contains(&at);
                if circle {
                    found.push(component);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_ir::{Span, Statement};

    fn graph(locations: usize, edges: &[(usize, usize)]) -> Body {
        let mut body = Body {
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocId::new(0),
            exit: LocId::new(locations - 1),
            errors: Vec::new(),
        };
        for _ in 0..locations {
            body.add_location(Span::NONE);
        }
        for &(from, to) in edges {
            let (from, to) = (LocId::new(from), LocId::new(to));
            body.add_edge(from, to, Statement::Skip, Span::NONE);
        }
        body
    }

    fn shown(body: &Body, heads: &[usize]) -> Vec<(usize, Vec<usize>, usize)> {
        let heads: Vec<LocId> = heads.iter().map(|&h| LocId::new(h)).collect();
        let all = components(body, &heads).into_iter();
        all.map(|c| {
            let locations = c.locations.iter().map(|l| l.index()).collect();
            (c.head.index(), locations, c.depth)
        })
        .collect()
    }

    #[test]
    fn loops_are_nested() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 2), (2, 1), (1, 4)];
        let body = graph(5, &edges);
        let expected = vec![(1, vec![1, 2, 3], 0), (2, vec![2, 3], 1)];
        assert_eq!(shown(&body, &[]), expected);
    }

    #[test]
    fn a_head_may_be_chosen() {
        let body = graph(4, &[(0, 1), (1, 2), (2, 1), (1, 3)]);
        assert_eq!(shown(&body, &[2]), vec![(2, vec![1, 2], 0)]);
    }

    #[test]
    fn a_circle_that_is_entered_at_two_places_is_one() {
        let edges = [(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)];
        let body = graph(4, &edges);
        assert_eq!(shown(&body, &[]), vec![(1, vec![1, 2], 0)]);
    }

    #[test]
    fn circles_that_share_a_place_are_cut_one_after_the_other() {
        // Two circles through 1, and one of their own between 2 and 3.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (1, 4), (4, 1)];
        let body = graph(5, &edges);
        let expected = vec![(1, vec![1, 2, 3, 4], 0), (2, vec![2, 3], 1)];
        assert_eq!(shown(&body, &[]), expected);
        // Cut elsewhere, more is left.
        let expected = vec![(3, vec![1, 2, 3, 4], 0), (1, vec![1, 4], 1)];
        assert_eq!(shown(&body, &[3]), expected);
    }

    #[test]
    fn what_is_not_reached_is_no_loop() {
        let body = graph(4, &[(0, 3), (1, 2), (2, 1)]);
        assert!(shown(&body, &[]).is_empty());
        let own = graph(2, &[(0, 0), (0, 1)]);
        assert_eq!(shown(&own, &[]), vec![(0, vec![0], 0)]);
    }
}
