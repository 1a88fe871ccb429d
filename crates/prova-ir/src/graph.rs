//! Small questions about graphs that several passes ask.

use crate::ids::{EdgeId, LocId};
use crate::program::Body;

/// Which locations a walk along edges from the entry finds.
pub fn reachable(body: &Body, outgoing: &[Vec<EdgeId>]) -> Vec<bool> {
    let mut reached = vec![false; body.locations.len()];
    let mut work = vec![body.entry];
    reached[body.entry.index()] = true;
    while let Some(location) = work.pop() {
        for &edge in &outgoing[location.index()] {
            let target = body.edge(edge).target;
            if !std::mem::replace(&mut reached[target.index()], true) {
                work.push(target);
            }
        }
    }
    reached
}

/// Which locations have a path to one of `targets`, those included.
pub fn can_reach(body: &Body, targets: impl IntoIterator<Item = LocId>) -> Vec<bool> {
    let incoming = body.incoming();
    let mut found = vec![false; body.locations.len()];
    let mut work: Vec<LocId> = targets.into_iter().collect();
    for target in &work {
        found[target.index()] = true;
    }
    while let Some(location) = work.pop() {
        for &edge in &incoming[location.index()] {
            let source = body.edge(edge).source;
            if !std::mem::replace(&mut found[source.index()], true) {
                work.push(source);
            }
        }
    }
    found
}
