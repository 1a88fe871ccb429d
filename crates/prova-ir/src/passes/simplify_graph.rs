//! Simplifies graphs: folds constants, decides constant branches, removes skips and everything
//! that cannot be reached.
//!
//! Afterwards every edge that no run gets past (a halt, `assume false`) leads to one dead end per
//! procedure, so that later passes need not look at statements to see where paths end.
//!
//! A location with a label can be a property's target and is kept, unless labels are given up:
//! to move a label along a skip would give it to other paths that join there. A branch whose two
//! sides go to one place is removed only if its condition cannot trap.

use crate::expr::Expr;
use crate::fold::{can_trap, Folder};
use crate::ids::{EdgeId, LocId, ProcId};
use crate::program::{Body, Edge, Program, Statement};
use crate::source::Span;

/// What to do with labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Labelled locations stay.
    Keep,
    /// Labels go away.
    Drop,
}

/// Where locations went: for each old one, the new one that stands for it, if any.
pub type LocationMap = Vec<Option<LocId>>;

/// Simplifies all procedures; says where the locations of each (by [`ProcId`]) went.
pub fn simplify_graph(program: &mut Program, labels: Labels) -> Vec<LocationMap> {
    let mut folder = Folder::default();
    let maps = (0..program.procedures.len())
        .map(|i| simplify_procedure(program, ProcId::new(i), labels, &mut folder))
        .collect();
    crate::debug_validate(program, "simplify_graph");
    maps
}

/// Simplifies one procedure.
fn simplify_procedure(
    program: &mut Program,
    id: ProcId,
    labels: Labels,
    folder: &mut Folder,
) -> LocationMap {
    let Some(mut body) = program.procedures[id.index()].body.take() else {
        return Vec::new();
    };
    let pool = &mut program.exprs;
    for edge in &mut body.edges {
        edge.statement.map_expressions(|e| folder.fold(pool, e));
    }
    if labels == Labels::Drop {
        for location in &mut body.locations {
            location.label = None;
        }
    }
    let mut map: LocationMap = (0..body.locations.len())
        .map(|i| Some(LocId::new(i)))
        .collect();
    loop {
        let before = (body.locations.len(), body.edges.len());
        decide(program, &mut body);
        let forward = skips(&body);
        let step = rebuild(&mut body, &forward);
        for place in &mut map {
            *place = place.and_then(|l| step[l.index()]);
        }
        if (body.locations.len(), body.edges.len()) == before {
            break;
        }
    }
    program.procedures[id.index()].body = Some(body);
    map
}

/// Decides branches over constants and those that make no difference; sends what no run gets
/// past to one dead end.
fn decide(program: &Program, body: &mut Body) {
    let pool = &program.exprs;
    let truth = |s: &Statement| match s {
        Statement::Assume(c) => match pool.get(*c) {
            Expr::Int { value, width: 1 } => Some(value != 0),
            _ => None,
        },
        _ => None,
    };
    let outgoing = body.outgoing();
    let mut removed = vec![false; body.edges.len()];
    for edges in &outgoing {
        if let [a, b] = edges[..] {
            let (first, second) = (body.edge(a), body.edge(b));
            let (keep, drop) = match (truth(&first.statement), truth(&second.statement)) {
                (Some(false), _) | (_, Some(true)) => (b, a),
                (Some(true), _) | (_, Some(false)) => (a, b),
                _ if first.target == second.target
                    && !first.statement.expressions().any(|e| can_trap(pool, e)) =>
                {
                    (a, b)
                }
                _ => continue,
            };
            removed[drop.index()] = true;
            body.edges[keep.index()].statement = Statement::Skip;
        }
    }
    let stops = |edge: &Edge| {
        matches!(edge.statement, Statement::Halt(_)) || truth(&edge.statement) == Some(false)
    };
    let stopping: Vec<bool> = body.edges.iter().map(&stops).collect();
    let mut dead_end = None;
    for (i, &gone) in removed.iter().enumerate() {
        if truth(&body.edges[i].statement) == Some(true) {
            body.edges[i].statement = Statement::Skip;
        }
        if !gone && stops(&body.edges[i]) {
            let target =
                *dead_end.get_or_insert_with(|| plain_dead_end(body, &outgoing, &stopping));
            body.edges[i].target = target;
        }
    }
    let mut removed = removed.into_iter();
    body.edges.retain(|_| !removed.next().unwrap_or(false));
}

/// A location without outgoing edges that only stopping edges lead to, an old one if possible.
fn plain_dead_end(body: &mut Body, outgoing: &[Vec<EdgeId>], stopping: &[bool]) -> LocId {
    let mut candidate: Vec<bool> = outgoing.iter().map(Vec::is_empty).collect();
    candidate[body.exit.index()] = false;
    candidate[body.entry.index()] = false;
    for error in &body.errors {
        candidate[error.location.index()] = false;
    }
    for (edge, stops) in body.edges.iter().zip(stopping) {
        candidate[edge.target.index()] &= stops;
    }
    let targets = body.edges.iter().zip(stopping).filter(|(_, stops)| **stops);
    let found = targets
        .map(|(e, _)| e.target)
        .find(|t| candidate[t.index()]);
    found.unwrap_or_else(|| body.add_location(Span::NONE))
}

/// For each location, where a run that stands there gets to by skips alone.
fn skips(body: &Body) -> Vec<LocId> {
    let count = body.locations.len();
    let mut next: Vec<Option<LocId>> = vec![None; count];
    let mut degree = vec![0; count];
    for edge in &body.edges {
        degree[edge.source.index()] += 1;
        if edge.statement == Statement::Skip {
            next[edge.source.index()] = Some(edge.target);
        }
    }
    for i in 0..count {
        if degree[i] != 1 || body.locations[i].label.is_some() {
            next[i] = None;
        }
    }
    let mut forward: Vec<Option<LocId>> = vec![None; count];
    let mut on_path = vec![false; count];
    for i in 0..count {
        let mut path = Vec::new();
        let mut at = LocId::new(i);
        let end = loop {
            if let Some(end) = forward[at.index()] {
                break end;
            }
            // A cycle of skips alone, a loop for ever, is kept at one of its locations.
            if on_path[at.index()] {
                break at;
            }
            path.push(at);
            on_path[at.index()] = true;
            match next[at.index()] {
                Some(to) => at = to,
                None => break at,
            }
        };
        for l in path {
            forward[l.index()] = Some(end);
            on_path[l.index()] = false;
        }
    }
    let resolved = forward.into_iter().enumerate();
    resolved
        .map(|(i, to)| to.unwrap_or(LocId::new(i)))
        .collect()
}

/// Sends edges where `forward` says, drops what cannot be reached, and renumbers.
fn rebuild(body: &mut Body, forward: &[LocId]) -> LocationMap {
    for (i, &to) in forward.iter().enumerate() {
        if to.index() != i && !body.locations[to.index()].span.is_known() {
            body.locations[to.index()].span = body.locations[i].span;
        }
    }
    for edge in &mut body.edges {
        edge.target = forward[edge.target.index()];
    }
    body.entry = forward[body.entry.index()];
    let outgoing = body.outgoing();
    let mut keep = crate::graph::reachable(body, &outgoing);
    body.errors.retain(|e| keep[e.location.index()]);
    keep[body.exit.index()] = true;
    let mut new: Vec<Option<LocId>> = Vec::with_capacity(keep.len());
    let mut count = 0;
    for &kept in &keep {
        new.push(kept.then(|| LocId::new(count)));
        count += usize::from(kept);
    }
    let at = |l: LocId| new[l.index()].unwrap_or(l);
    let mut index = 0;
    body.locations.retain(|_| {
        index += 1;
        keep[index - 1]
    });
    body.edges.retain(|e| keep[e.source.index()]);
    for edge in &mut body.edges {
        edge.source = at(edge.source);
        edge.target = at(edge.target);
    }
    for error in &mut body.errors {
        error.location = at(error.location);
    }
    body.entry = at(body.entry);
    body.exit = at(body.exit);
    forward.iter().map(|to| new[to.index()]).collect()
}

/// Composes two maps: first `first`, then `second`.
pub fn compose(first: &LocationMap, second: &LocationMap) -> LocationMap {
    first
        .iter()
        .map(|l| l.and_then(|l| second[l.index()]))
        .collect()
}
