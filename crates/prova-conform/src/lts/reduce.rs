//! Smaller machines that mean the same: states that simulate each other become one, and moves are
//! dropped that another move simulates. What is left simulates the whole and is simulated by it, so
//! it is as good as documentation, and shorter.

use super::{ActionId, Lts, StateId, TAU};
use std::collections::{BTreeMap, BTreeSet};

/// Machines with more states are left as they are.
const LARGEST: usize = 1_500;

/// Which states simulate which: the largest relation, by refinement. `found[a][b]` says that `b`
/// simulates `a`. A state may always stay where it is while the other shows nothing.
pub fn simulation(lts: &Lts) -> Vec<Vec<bool>> {
    let closed = lts.stuttering();
    let n = lts.states.len();
    let mut related = vec![vec![true; n]; n];
    loop {
        let mut changed = false;
        for a in 0..n {
            for b in 0..n {
                if !related[a][b] {
                    continue;
                }
                let answered = lts.moves[a].iter().all(|&(action, to)| {
                    let mut answers = closed.successors(b as StateId, action);
                    answers.any(|other| related[to as usize][other as usize])
                });
                if !answered {
                    related[a][b] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return related;
        }
    }
}

/// The machine without what says nothing new.
pub fn reduce(lts: &Lts) -> Lts {
    let lts = joined(&without_silence(lts));
    if lts.states.len() > LARGEST {
        return lts;
    }
    let related = simulation(&lts);
    let same = |a: usize, b: usize| related[a][b] && related[b][a];
    let n = lts.states.len();
    let first: Vec<usize> = (0..n)
        .map(|s| (0..=s).find(|&t| same(s, t)).unwrap_or(s))
        .collect();
    let mut small = Lts::default();
    let mut numbers = vec![None; n];
    let mut work = vec![first[lts.initial as usize]];
    numbers[work[0]] = Some(small.state(lts.states[work[0]].clone()));
    small.initial = 0;
    let mut at = 0;
    while at < work.len() {
        let state = work[at];
        at += 1;
        // All that stand for one state move for it: the first of them may only be silent.
        let members = (0..n).filter(|&s| first[s] == state);
        let moves = members.flat_map(|s| &lts.moves[s]);
        let mut moves: Vec<(ActionId, usize)> = moves
            .map(|&(action, to)| (action, first[to as usize]))
            .collect();
        moves.sort_unstable();
        moves.dedup();
        // To stay is no move; and it simulates every silent one, so it must not stand for them.
        moves.retain(|&m| m != (TAU, state));
        let all = moves.clone();
        // Of two moves with one action the one that the other simulates says nothing new.
        moves.retain(|&(action, to)| {
            let better = |&(a, t): &(ActionId, usize)| a == action && t != to && related[to][t];
            !all.iter().any(better)
        });
        for (action, to) in moves {
            let number = match numbers[to] {
                Some(number) => number,
                None => {
                    let number = small.state(lts.states[to].clone());
                    numbers[to] = Some(number);
                    work.push(to);
                    number
                }
            };
            let from = numbers[state].unwrap_or(0);
            small.add(from, action, number);
        }
    }
    small
}

/// The machine with states made one that do the same, again and again: partition refinement. It is
/// cheap, and leaves less for the comparison of all pairs.
fn joined(lts: &Lts) -> Lts {
    let n = lts.states.len();
    let mut class: Vec<StateId> = vec![0; n];
    let mut count = 1;
    loop {
        let mut numbers: BTreeMap<(StateId, BTreeSet<(ActionId, StateId)>), StateId> =
            BTreeMap::new();
        let next: Vec<StateId> = (0..n)
            .map(|s| {
                let own = class[s];
                let moves = lts.moves[s].iter().map(|&(a, to)| (a, class[to as usize]));
                let does = moves.filter(|m| *m != (TAU, own)).collect();
                let fresh = numbers.len() as StateId;
                *numbers.entry((own, does)).or_insert(fresh)
            })
            .collect();
        class = next;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let mut small = Lts::default();
    let mut first: Vec<Option<usize>> = vec![None; count];
    for s in 0..n {
        first[class[s] as usize].get_or_insert(s);
    }
    for &s in first.iter().flatten() {
        small.state(lts.states[s].clone());
    }
    for s in 0..n {
        for &(action, to) in &lts.moves[s] {
            if (action, class[to as usize]) != (TAU, class[s]) {
                small.add(class[s], action, class[to as usize]);
            }
        }
    }
    small.initial = class[lts.initial as usize];
    small
}

/// The machine without silent moves that decide nothing: a state whose only move is silent is the
/// state that it leads to; and states on a silent cycle are one.
fn without_silence(lts: &Lts) -> Lts {
    let only = |s: StateId| match lts.moves[s as usize].as_slice() {
        [(TAU, to)] if *to != s => Some(*to),
        _ => None,
    };
    let stands_for = |mut s: StateId| {
        let mut seen = BTreeSet::from([s]);
        while let Some(to) = only(s) {
            if !seen.insert(to) {
                break;
            }
            s = to;
        }
        s
    };
    let mut found = lts.clone();
    found.initial = stands_for(lts.initial);
    for moves in &mut found.moves {
        for (_, to) in moves.iter_mut() {
            *to = stands_for(*to);
        }
        let mut seen = BTreeSet::new();
        moves.retain(|m| seen.insert(*m));
    }
    let reached: BTreeSet<StateId> = found.reach(found.initial, |_| true).into_iter().collect();
    let order: Vec<StateId> = reached.into_iter().collect();
    let number = |s: StateId| order.binary_search(&s).map_or(0, |i| i as StateId);
    Lts {
        states: order
            .iter()
            .map(|&s| found.states[s as usize].clone())
            .collect(),
        initial: number(found.initial),
        moves: order
            .iter()
            .map(|&s| {
                let moves = found.moves[s as usize].iter();
                moves.map(|&(a, to)| (a, number(to))).collect()
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn simulated(small: &Lts, large: &Lts) -> bool {
        let closed = large.stuttering();
        let Ok(game) = Game::play(small, &closed, &mut || None);
        game.simulates()
    }

    #[test]
    fn a_silent_state_that_stands_for_others_moves_as_they_do() {
        let mut lts = Lts::default();
        let s: Vec<StateId> = (0..4).map(|i| lts.state(format!("s{i}"))).collect();
        lts.add(s[0], TAU, s[1]);
        lts.add(s[0], TAU, s[2]);
        lts.add(s[1], 1, s[3]);
        lts.add(s[2], 1, s[3]);
        lts.add(s[2], 1, s[0]);
        let small = reduce(&lts);
        assert!(simulated(&small, &lts) && simulated(&lts, &small));
        assert!(small.size() > 0);
    }

    #[test]
    fn a_silent_way_round_does_not_stand_for_the_ways_out() {
        let mut lts = Lts::default();
        let s: Vec<StateId> = (0..5).map(|i| lts.state(format!("s{i}"))).collect();
        lts.add(s[0], TAU, s[1]);
        lts.add(s[1], TAU, s[0]);
        lts.add(s[0], TAU, s[2]);
        lts.add(s[1], TAU, s[3]);
        lts.add(s[2], 1, s[4]);
        lts.add(s[3], 2, s[4]);
        let small = reduce(&lts);
        assert!(simulated(&small, &lts) && simulated(&lts, &small));
        assert_eq!(small.states.len(), 4);
    }

    #[test]
    fn what_is_left_means_the_same() {
        let (a, b, c) = (1, 2, 3);
        let mut lts = Lts::default();
        let s: Vec<StateId> = (0..8).map(|i| lts.state(format!("s{i}"))).collect();
        lts.add(s[0], TAU, s[1]);
        lts.add(s[1], a, s[2]);
        lts.add(s[1], a, s[3]);
        lts.add(s[2], b, s[4]);
        lts.add(s[3], b, s[5]);
        lts.add(s[3], c, s[6]);
        lts.add(s[4], TAU, s[7]);
        let small = reduce(&lts);
        assert!(simulated(&small, &lts) && simulated(&lts, &small));
        assert_eq!((small.states.len(), small.size()), (3, 3));
    }
}
