//! Looking ahead: what the way behind the frontier demands, found before the frontier is asked.
//!
//! All regions behind the frontier are unvisited. If nothing is known of them, a test that cannot
//! take the next branch makes the search split by that branch's condition, whether or not it has
//! to do with the error. So the abstract path is first gone backwards from its end: each region
//! on it is split by what the next one demands, as long as that is a demand at all. Preimages are
//! substitutions; no solver is asked. Guards on the way are left out (a predicate that contains
//! the preimage is all that a split needs), so that only what matters at the end is carried back.

use super::search::Work;
use crate::problem::transitions::Exclusion;
use crate::regions::graph::RegionId;
use crate::regions::graph::{Cut, Dropped, Edge};
use prova_logic::{Op, Term};

/// Steps of a path that are looked at.
const LONGEST: usize = 64;
/// Calls that are looked into, one inside the other.
const DEEPEST: usize = 8;
/// Larger predicates are not carried back.
const LARGEST: usize = 60;

impl Work<'_, '_> {
    /// Splits a region behind the frontier, and those behind it, by what the path to the goal
    /// demands of them. Says whether anything changed.
    pub(super) fn sweep(&mut self, start: RegionId) -> bool {
        self.sweep_to_depth(start, DEEPEST)
    }

    fn sweep_to_depth(&mut self, start: RegionId, depth: usize) -> bool {
        let mut changed = false;
        let mut path: Vec<(RegionId, Edge)> = Vec::new();
        let mut at = start;
        let mut looks = 0;
        while path.len() < LONGEST {
            looks += 1;
            let Some(next) = self.own.abstraction.best_edge(at) else {
                break;
            };
            if self.own.units.site_of(next.block).is_some() && looks < 4 * LONGEST {
                // What a callee demands is found by looking into it.
                match next.entry {
                    None => {
                        self.ask_exactly(at, &next);
                        changed = true;
                        continue;
                    }
                    Some(entry) if self.asks_too_little(&next, entry.region) => {
                        self.ask_exactly(at, &next);
                        changed = true;
                        continue;
                    }
                    Some(entry)
                        if depth > 0
                            && self.own.abstraction.region(entry.region).cube.is_empty()
                            && self.own.swept.insert(entry.region) =>
                    {
                        changed |= self.sweep_to_depth(entry.region, depth - 1);
                        continue;
                    }
                    Some(_) => {}
                }
            }
            if path.iter().any(|(r, _)| *r == next.target) {
                break;
            }
            path.push((at, next));
            at = next.target;
        }
        let mut behind: Option<RegionId> = None;
        for (region, mut edge) in path.into_iter().rev() {
            if let Some(target) = behind {
                edge.target = target;
            }
            if !self.own.abstraction.is_alive(region) || !self.own.abstraction.is_alive(edge.target)
            {
                break;
            }
            let demand = self.demand(&edge);
            if demand.is_empty() {
                // Nothing to carry back from here; what lies nearer to the frontier starts anew.
                behind = None;
                continue;
            }
            let holds = &self.own.abstraction.region(region).holds;
            let new: Vec<Term> = demand
                .iter()
                .copied()
                .filter(|d| holds.binary_search(d).is_err())
                .collect();
            if new.is_empty() {
                behind = None;
                continue;
            }
            let predicate = self.terms.and(&new);
            if self.terms.as_bool(predicate).is_some()
                || self.terms.size(predicate) > LARGEST
                || self.own.levels.iter().any(|l| l.visits(region))
            {
                break;
            }
            let negation = self.terms.not(predicate);
            let mut oracle = Exclusion {
                terms: &mut *self.terms,
                transitions: &self.own.transitions,
            };
            let cut = Cut {
                predicate,
                yes: &demand,
                no: &[negation],
                dropped: Some(Dropped::Edge(edge)),
            };
            let abstraction = &mut self.own.abstraction;
            let halves = abstraction.split(region, &cut, |_| true, &mut oracle);
            self.own.statistics.count("foreseen", 1);
            changed = true;
            behind = Some(halves.yes);
        }
        changed
    }

    /// What an edge demands of the states that take it, as far as its end matters: conjuncts over
    /// the state before it.
    fn demand(&mut self, edge: &Edge) -> Vec<Term> {
        let target = self.own.abstraction.region(edge.target);
        let is_goal = self.own.abstraction.distance(edge.target) == Some(0);
        let behind = target.cube.clone();
        let mut found: Vec<Term> = Vec::new();
        let mut inputs: Vec<Term> = Vec::new();
        let mut steps = vec![(edge.block, behind)];
        if let Some(entry) = edge.entry {
            let inside = self.own.abstraction.region(entry.region).cube.clone();
            steps.push((entry.bind, inside));
        }
        for (block, facts) in steps {
            for fact in facts {
                found.push(self.own.transitions.preimage(self.terms, block, fact));
            }
            let transfer = &self.own.transitions.get(block).transfer;
            inputs.extend(transfer.inputs.iter().map(|i| i.var));
        }
        if is_goal && edge.entry.is_none() {
            found.extend_from_slice(&self.own.transitions.get(edge.block).transfer.assumed);
        }
        let terms = &*self.terms;
        let mut flat: Vec<Term> = found.iter().flat_map(|&t| terms.conjuncts(t)).collect();
        flat.retain(|&t| terms.op(t) != Op::True && !inputs.iter().any(|&i| terms.mentions(t, i)));
        flat.sort_unstable();
        flat.dedup();
        flat
    }
}
