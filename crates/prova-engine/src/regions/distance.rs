//! How far the goal is from each region of a pushdown abstraction, kept up to date.
//!
//! A step costs one; a step through a call costs one, the way through the callee and the way from
//! behind the call, and there is none unless both are (Knuth's generalisation of Dijkstra's
//! algorithm to grammars). Every edge costs more than what it rests on, so that distances never
//! support one another in a circle. After a change, regions that lost their support are found in
//! order of distance; these and those that may have come nearer get new distances. Undecided
//! edges do not count: they are not searched.

use super::graph::{Edge, Region, RegionId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Number of abstract steps to the goal.
pub type Distance = u64;

/// No searchable path to the goal.
pub const INFINITE: Distance = 1 << 60;

/// The distance by way of an edge.
pub fn cost(regions: &[Region], edge: &Edge) -> Distance {
    if edge.undecided {
        return INFINITE;
    }
    let inside = edge.entry.map_or(0, |e| regions[e.region.index()].distance);
    let behind = regions[edge.target.index()].distance;
    (1 + inside + behind).min(INFINITE)
}

fn best(regions: &[Region], id: RegionId) -> Distance {
    let edges = regions[id.index()].outgoing.iter();
    edges.map(|e| cost(regions, e)).min().unwrap_or(INFINITE)
}

/// Repairs distances after edges out of `changed` came or went. Gives each region whose distance
/// changed, with its old one.
pub fn repair(regions: &mut [Region], changed: Vec<RegionId>) -> Vec<(RegionId, Distance)> {
    let mut before: BTreeMap<RegionId, Distance> = BTreeMap::new();
    let mut suspects: BTreeSet<(Distance, RegionId)> = BTreeSet::new();
    let mut open: BTreeSet<RegionId> = changed.into_iter().collect();
    for &id in &open {
        suspects.insert((regions[id.index()].distance, id));
    }
    while let Some((d, id)) = suspects.pop_first() {
        let region = &regions[id.index()];
        if d == 0 || d >= INFINITE || region.distance != d || !region.alive {
            continue;
        }
        // What supports it is nearer, so it has been looked at before.
        if best(regions, id) <= d {
            continue;
        }
        before.entry(id).or_insert(d);
        regions[id.index()].distance = INFINITE;
        open.insert(id);
        for &source in &regions[id.index()].incoming {
            let s = &regions[source.index()];
            if s.alive && s.distance > d && s.distance < INFINITE {
                suspects.insert((s.distance, source));
            }
        }
    }
    let mut heap = BinaryHeap::new();
    for &id in &open {
        let region = &regions[id.index()];
        if region.alive && region.distance != 0 {
            let d = best(regions, id);
            if d < region.distance {
                heap.push(Reverse((d, id)));
            }
        } else if region.alive {
            // A new goal region: those before it come nearer.
            push_sources(regions, id, &mut heap);
        }
    }
    while let Some(Reverse((d, id))) = heap.pop() {
        if d >= regions[id.index()].distance || d != best(regions, id) {
            continue;
        }
        let old = std::mem::replace(&mut regions[id.index()].distance, d);
        before.entry(id).or_insert(old);
        push_sources(regions, id, &mut heap);
    }
    let changed = before.into_iter();
    changed
        .filter(|(id, old)| regions[id.index()].distance != *old)
        .collect()
}

fn push_sources(
    regions: &[Region],
    id: RegionId,
    heap: &mut BinaryHeap<Reverse<(Distance, RegionId)>>,
) {
    for &source in &regions[id.index()].incoming {
        let region = &regions[source.index()];
        if region.alive && region.distance != 0 {
            let d = best(regions, source);
            if d < region.distance {
                heap.push(Reverse((d, source)));
            }
        }
    }
}
