//! A smallest set of branch conditions that stops all strategies at hand (§7; Chaki, Clarke, Groce,
//! Strichman, *Predicate Abstraction with Minimum Predicates*).
//!
//! For each strategy the conditions that exclude each other are known ([`super::validity`]), so only
//! subsets of these are tried, small ones first; each that stops it is one of its *alternatives*.
//! Then one alternative is taken for each strategy so that all of them together are few: a
//! pseudo-Boolean optimisation, done by branch and bound. Where conditions and what leads to them do
//! not suffice, what the strategy's own path demands at each of its places does.

use super::can_play::can_play;
use crate::game::Strategy;
use crate::model::block_of;
use crate::model::images::Images;
use crate::model::predicates::{atoms, Predicates, Seed};
use crate::model::program::Component;
use prova_engine::interpolation::lasting;
use prova_logic::{Term, Terms};
use prova_task::Unknown;
use std::collections::BTreeSet;

/// Subsets that are tried for one strategy.
const TRIED: usize = 48;
/// Alternatives that are kept for one strategy.
const ALTERNATIVES: usize = 3;

/// A strategy that cannot be played, and why.
pub struct Spurious<'a> {
    /// The strategy.
    pub strategy: &'a Strategy,
    /// Conditions that exclude each other, by node.
    pub core: Vec<(usize, Term)>,
}

/// More predicates, such that none of the strategies can be played any more. Nothing if no
/// condition helps.
pub fn choose(
    component: &Component,
    terms: &mut Terms,
    images: &mut Images,
    predicates: &Predicates,
    spurious: &[Spurious],
) -> Result<Option<Predicates>, Unknown> {
    let mut alternatives: Vec<Vec<BTreeSet<Seed>>> = Vec::new();
    let mut own_ways = Vec::new();
    for one in spurious {
        let seeds = seeds(component, terms, one);
        let mut found: Vec<BTreeSet<Seed>> = Vec::new();
        let mut tried = 0;
        for subset in subsets(&seeds) {
            let larger = |known: &BTreeSet<Seed>| known.is_subset(&subset);
            if found.iter().any(larger) {
                continue;
            }
            tried += 1;
            let least = found.first().map_or(usize::MAX, BTreeSet::len);
            if tried > TRIED || found.len() >= ALTERNATIVES || subset.len() > least {
                break;
            }
            let more = with(component, terms, predicates, &subset);
            if more == *predicates {
                continue;
            }
            if !can_play(component, terms, images, &more, one.strategy)? {
                found.push(subset);
            }
        }
        match found.is_empty() {
            true => own_ways.push(one),
            false => alternatives.push(found),
        }
    }
    let mut best: Option<BTreeSet<Seed>> = None;
    cheapest(&alternatives, BTreeSet::new(), &mut best);
    let chosen = best.unwrap_or_default();
    let mut more = with(component, terms, predicates, &chosen);
    for one in own_ways {
        if can_play(component, terms, images, &more, one.strategy)? {
            along(component, terms, &mut more, one);
        }
    }
    for one in spurious {
        if !can_play(component, terms, images, &more, one.strategy)? {
            return Ok(Some(more));
        }
    }
    Ok(None)
}

/// Predicates and the conditions of a subset.
fn with(
    component: &Component,
    terms: &mut Terms,
    predicates: &Predicates,
    subset: &BTreeSet<Seed>,
) -> Predicates {
    let mut more = predicates.clone();
    for &seed in subset {
        more.add(component, terms, seed);
    }
    more
}

/// The conditions of a core, where they are asked.
fn seeds(component: &Component, terms: &Terms, one: &Spurious) -> Vec<Seed> {
    let mut found: Vec<Seed> = Vec::new();
    for &(node, term) in &one.core {
        let block = block_of(one.strategy.nodes[node].step);
        let source = component.steps.blocks.block(block).source;
        for atom in atoms(terms, term) {
            let seed = (source, atom);
            if lasting(component.problem, terms, atom) && !found.contains(&seed) {
                found.push(seed);
            }
        }
    }
    found
}

/// Subsets that are not empty, small ones first.
fn subsets(seeds: &[Seed]) -> impl Iterator<Item = BTreeSet<Seed>> + '_ {
    let n = seeds.len();
    (1..=n)
        .flat_map(move |size| combinations(n, size).map(|c| c.iter().map(|&i| seeds[i]).collect()))
}

/// The subsets of `0..n` with so many elements.
fn combinations(n: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut next: Option<Vec<usize>> = (size <= n).then(|| (0..size).collect());
    std::iter::from_fn(move || {
        let current = next.clone()?;
        let mut following = current.clone();
        let movable = (0..size).rev().find(|&i| following[i] < n - size + i);
        next = movable.map(|i| {
            following[i] += 1;
            for j in i + 1..size {
                following[j] = following[j - 1] + 1;
            }
            following
        });
        Some(current)
    })
}

/// One alternative for each strategy, few conditions in all.
fn cheapest(
    alternatives: &[Vec<BTreeSet<Seed>>],
    taken: BTreeSet<Seed>,
    best: &mut Option<BTreeSet<Seed>>,
) {
    if best.as_ref().is_some_and(|b| b.len() <= taken.len()) {
        return;
    }
    let Some((first, rest)) = alternatives.split_first() else {
        *best = Some(taken);
        return;
    };
    for alternative in first {
        let all: BTreeSet<Seed> = taken.union(alternative).copied().collect();
        cheapest(rest, all, best);
    }
}

/// What each condition of the core demands at every place of the strategy before it.
fn along(component: &Component, terms: &mut Terms, more: &mut Predicates, one: &Spurious) {
    for &(node, term) in &one.core {
        let path = one.strategy.path_to(node);
        let mut demanded = vec![term];
        for &n in path.iter().rev() {
            let block = block_of(one.strategy.nodes[n].step);
            if n != node {
                let transitions = &component.steps.transitions;
                let before: Vec<Term> = demanded
                    .iter()
                    .map(|&t| transitions.preimage(terms, block, t))
                    .collect();
                demanded = before.iter().flat_map(|&t| atoms(terms, t)).collect();
                demanded.sort_unstable();
                demanded.dedup();
            }
            let source = component.steps.blocks.block(block).source;
            demanded.retain(|&t| n == node || lasting(component.problem, terms, t));
            for &t in &demanded {
                if lasting(component.problem, terms, t) {
                    more.add_here(terms, source, t);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_subsets_come_small_ones_first() {
        let sizes: Vec<usize> = (1..=4).map(|k| combinations(4, k).count()).collect();
        assert_eq!(sizes, [4, 6, 4, 1]);
        let pairs: Vec<Vec<usize>> = combinations(3, 2).collect();
        assert_eq!(pairs, [[0, 1], [0, 2], [1, 2]]);
    }
}
