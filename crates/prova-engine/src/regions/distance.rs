//! How far the error is from each region, kept up to date as edges go away.
//!
//! Refinement only removes edges and splits regions, so distances only grow. After a change the
//! regions that lost their last shortest path are found in order of distance, and only they get
//! new distances, by Dijkstra from their unaffected neighbours (the scheme of Ramalingam and
//! Reps for dynamic shortest paths). Undecided edges do not count: they are not searched.

use crate::regions::graph::{Region, RegionId};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Number of abstract edges to the error.
pub type Distance = u32;

/// No searchable path to the error.
pub const INFINITE: Distance = u32::MAX - 1;

/// Distances from scratch; error regions have distance zero already, all others infinite.
pub fn compute(regions: &mut [Region]) {
    let mut queue: std::collections::VecDeque<RegionId> = (0..regions.len())
        .filter(|&i| regions[i].distance == 0)
        .map(|i| RegionId(i as u32))
        .collect();
    while let Some(at) = queue.pop_front() {
        let d = regions[at.0 as usize].distance + 1;
        for k in 0..regions[at.0 as usize].incoming.len() {
            let (source, _) = regions[at.0 as usize].incoming[k];
            if d < regions[source.0 as usize].distance {
                regions[source.0 as usize].distance = d;
                queue.push_back(source);
            }
        }
    }
}

fn best_neighbour(regions: &[Region], at: RegionId, usable: impl Fn(RegionId) -> bool) -> Distance {
    regions[at.0 as usize]
        .outgoing
        .iter()
        .filter(|e| !e.undecided && usable(e.target))
        .map(|e| regions[e.target.0 as usize].distance)
        .min()
        .unwrap_or(INFINITE)
}

/// Repairs distances after edges out of `changed` went away (or were inherited with a distance
/// that may be too small). Returns each region whose distance changed, with its old one.
pub fn repair(regions: &mut [Region], changed: Vec<RegionId>) -> Vec<(RegionId, Distance)> {
    let mut suspects: BTreeSet<(Distance, RegionId)> = changed
        .into_iter()
        .map(|id| (regions[id.0 as usize].distance, id))
        .filter(|&(d, _)| d != 0 && d != INFINITE)
        .collect();
    let mut affected: BTreeSet<RegionId> = BTreeSet::new();
    while let Some((d, id)) = suspects.pop_first() {
        if affected.contains(&id) {
            continue;
        }
        let support = best_neighbour(regions, id, |t| !affected.contains(&t));
        if support != INFINITE && support < d {
            debug_assert!(support + 1 == d, "distances only grow");
            continue;
        }
        affected.insert(id);
        for &(source, _) in &regions[id.0 as usize].incoming {
            let sd = regions[source.0 as usize].distance;
            if sd == d + 1 && !affected.contains(&source) {
                suspects.insert((sd, source));
            }
        }
    }

    let mut heap = BinaryHeap::new();
    let mut new: std::collections::BTreeMap<RegionId, Distance> = std::collections::BTreeMap::new();
    for &id in &affected {
        let support = best_neighbour(regions, id, |t| !affected.contains(&t));
        let d = if support == INFINITE {
            INFINITE
        } else {
            support + 1
        };
        new.insert(id, d);
        if d != INFINITE {
            heap.push(Reverse((d, id)));
        }
    }
    while let Some(Reverse((d, id))) = heap.pop() {
        if new[&id] != d {
            continue;
        }
        for k in 0..regions[id.0 as usize].incoming.len() {
            let (source, block) = regions[id.0 as usize].incoming[k];
            let searchable = regions[source.0 as usize]
                .outgoing
                .iter()
                .any(|e| e.block == block && e.target == id && !e.undecided);
            if let Some(sd) = new.get_mut(&source) {
                if searchable && d + 1 < *sd {
                    *sd = d + 1;
                    heap.push(Reverse((d + 1, source)));
                }
            }
        }
    }
    let mut result = Vec::new();
    for (id, d) in new {
        let region = &mut regions[id.0 as usize];
        if region.distance != d {
            result.push((id, region.distance));
            region.distance = d;
        }
    }
    result
}
