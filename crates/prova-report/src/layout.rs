//! Where regions are drawn: in layers, edges downwards as far as possible, with few crossings
//! (Sugiyama's method, by the crate `rust-sugiyama`).

use rust_sugiyama::configure::{Config, RankingType};
use std::collections::BTreeSet;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Width and height of a box.
pub const BOX: (f64, f64) = (130.0, 34.0);

/// Room between boxes.
const GAP: f64 = 26.0;

/// Larger graphs are drawn in plain layers: nobody follows their edges.
const MOST: usize = 150;

/// The upper left corner of each vertex that the first one reaches, and of no other; nothing at
/// all if the graph is too large.
pub fn layout(vertices: usize, edges: &[(u32, u32)]) -> Option<Vec<Option<(i64, i64)>>> {
    let known = |e: &&(u32, u32)| e.0 != e.1 && (e.0.max(e.1) as usize) < vertices;
    let edges: BTreeSet<(u32, u32)> = edges.iter().filter(known).copied().collect();
    let reached = reached(vertices, &edges);
    let drawn = reached.iter().filter(|r| **r).count();
    if drawn == 0 || drawn > MOST {
        return None;
    }
    // The library numbers vertices by their order, so those that are drawn are numbered anew.
    let numbers: Vec<usize> = (0..vertices).filter(|v| reached[*v]).collect();
    let number = |v: u32| numbers.binary_search(&(v as usize)).ok().map(|n| n as u32);
    let edges: BTreeSet<(u32, u32)> = edges
        .into_iter()
        .filter_map(|(a, b)| Some((number(a)?, number(b)?)))
        .collect();
    let edges = forward(drawn, &edges);
    let boxes: Vec<(u32, (f64, f64))> = (0..drawn as u32).map(|v| (v, BOX)).collect();
    let config = Config {
        vertex_spacing: GAP,
        ranking_type: RankingType::Up,
        dummy_size: 0.3,
        transpose: drawn <= 60,
        ..Config::default()
    };
    // A drawing is worth no verdict: whatever goes wrong in it, the page goes without.
    let parts = catch_unwind(AssertUnwindSafe(|| {
        rust_sugiyama::from_vertices_and_edges(&boxes, &edges, &config)
    }))
    .ok()?;
    let mut places: Vec<Option<(f64, f64)>> = vec![None; vertices];
    let mut right = 0.0;
    for (part, _, _) in parts {
        let left = part.iter().map(|p| p.1 .0).fold(f64::INFINITY, f64::min);
        let top = part.iter().map(|p| p.1 .1).fold(f64::INFINITY, f64::min);
        let mut widest: f64 = 0.0;
        for (vertex, (x, y)) in part {
            let (x, y) = (x - left, y - top);
            widest = widest.max(x + BOX.0);
            places[*numbers.get(vertex)?] = Some((right + x, y));
        }
        right += widest + GAP;
    }
    let whole = |(x, y): (f64, f64)| (x.round() as i64 + 10, y.round() as i64 + 8);
    Some(places.into_iter().map(|p| p.map(whole)).collect())
}

/// Which vertices the first one reaches.
fn reached(vertices: usize, edges: &BTreeSet<(u32, u32)>) -> Vec<bool> {
    let mut reached = vec![false; vertices];
    let mut work = Vec::new();
    if let Some(first) = reached.first_mut() {
        *first = true;
        work.push(0);
    }
    while let Some(from) = work.pop() {
        for &(_, to) in edges.range((from, 0)..=(from, u32::MAX)) {
            if !std::mem::replace(&mut reached[to as usize], true) {
                work.push(to);
            }
        }
    }
    reached
}

/// Edges without those that lead back to where a depth-first walk from the start came from; what
/// is left has no cycle.
fn forward(vertices: usize, edges: &BTreeSet<(u32, u32)>) -> Vec<(u32, u32)> {
    let next = |v: u32| edges.range((v, 0)..=(v, u32::MAX)).map(|e| e.1);
    // Whether a vertex was come to, and whether the walk has left it.
    let mut state = vec![(false, false); vertices];
    let mut kept = Vec::new();
    for root in 0..vertices as u32 {
        if state[root as usize].0 {
            continue;
        }
        state[root as usize].0 = true;
        let mut stack = vec![(root, next(root))];
        while let Some((from, rest)) = stack.last_mut() {
            let from = *from;
            let Some(to) = rest.next() else {
                state[from as usize].1 = true;
                stack.pop();
                continue;
            };
            let (come, left) = state[to as usize];
            if !come || left {
                kept.push((from, to));
            }
            if !come {
                state[to as usize].0 = true;
                stack.push((to, next(to)));
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_do_not_overlap_and_edges_go_down() {
        let edges = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (3, 1),
            (3, 3),
            (3, 4),
            (4, 6),
            (9, 1),
        ];
        let found = layout(7, &edges).expect("it is small");
        assert_eq!(found[5], None, "nothing leads there");
        let places: Vec<(i64, i64)> = found.iter().flatten().copied().collect();
        assert_eq!(places.len(), 6);
        assert!(found[6].map(|p| p.1) > found[4].map(|p| p.1), "{found:?}");
        for (i, a) in places.iter().enumerate() {
            for b in &places[i + 1..] {
                let apart = (a.0 - b.0).abs() >= BOX.0 as i64 || (a.1 - b.1).abs() >= BOX.1 as i64;
                assert!(apart, "{places:?}");
            }
        }
        assert!(
            places[0].1 < places[1].1 && places[1].1 < places[3].1,
            "{places:?}"
        );
        assert_eq!(layout(7, &edges), Some(found), "the same every time");
        let chain: Vec<(u32, u32)> = (0..MOST as u32).map(|i| (i, i + 1)).collect();
        assert_eq!(layout(MOST + 1, &chain), None);
        assert_eq!(layout(0, &[]), None);
    }
}
