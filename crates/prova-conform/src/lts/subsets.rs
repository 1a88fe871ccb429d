//! The deterministic machine with the same traces. To be simulated by it is to have no trace that the
//! machine does not have, so trace containment is the same game with this machine as specification.

use super::{ActionId, Lts, StateId, TAU};
use std::collections::{BTreeMap, BTreeSet};

/// More states than this are not made.
const LARGEST: usize = 100_000;

/// The deterministic machine with the same traces, and which states each of its own stands for;
/// nothing if it would be too large. It may stutter.
pub fn subsets(lts: &Lts) -> Option<(Lts, Vec<BTreeSet<StateId>>)> {
    let closed = |states: BTreeSet<StateId>| -> BTreeSet<StateId> {
        let reached = states.iter().flat_map(|&s| lts.reach(s, |a| a == TAU));
        reached.collect()
    };
    let name = |states: &BTreeSet<StateId>| {
        let names: Vec<&str> = states
            .iter()
            .map(|&s| lts.states[s as usize].as_str())
            .collect();
        names.join(" or ")
    };
    let mut found = Lts::default();
    let mut numbers: BTreeMap<BTreeSet<StateId>, StateId> = BTreeMap::new();
    let start = closed(BTreeSet::from([lts.initial]));
    found.initial = found.state(name(&start));
    numbers.insert(start.clone(), found.initial);
    let mut work = vec![start];
    while let Some(states) = work.pop() {
        let from = numbers[&states];
        found.add(from, TAU, from);
        let mut next: BTreeMap<ActionId, BTreeSet<StateId>> = BTreeMap::new();
        for &state in &states {
            for &(action, to) in &lts.moves[state as usize] {
                if action != TAU {
                    next.entry(action).or_default().insert(to);
                }
            }
        }
        for (action, to) in next {
            let to = closed(to);
            let number = match numbers.get(&to) {
                Some(&known) => known,
                None => {
                    let number = found.state(name(&to));
                    numbers.insert(to.clone(), number);
                    work.push(to);
                    number
                }
            };
            found.add(from, action, number);
        }
        if numbers.len() > LARGEST {
            return None;
        }
    }
    let mut sets = vec![BTreeSet::new(); numbers.len()];
    for (set, number) in numbers {
        sets[number as usize] = set;
    }
    Some((found, sets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_put_off() {
        let mut lts = Lts::default();
        let s: Vec<StateId> = (0..5).map(|i| lts.state(format!("s{i}"))).collect();
        let (a, b, c) = (1, 2, 3);
        lts.add(s[0], a, s[1]);
        lts.add(s[0], a, s[2]);
        lts.add(s[1], b, s[3]);
        lts.add(s[2], c, s[4]);
        let (found, sets) = subsets(&lts).expect("small");
        assert_eq!(sets[found.initial as usize], BTreeSet::from([s[0]]));
        assert!(found.is_deterministic());
        let middle = found.successors(found.initial, a).next().expect("one");
        assert_eq!(found.states[middle as usize], "s1 or s2");
        assert!(found.successors(middle, b).next().is_some());
        assert!(found.successors(middle, c).next().is_some());
    }
}
