//! A small suite that covers what all tests together cover: the tests that cover most first, and then
//! none that the others make up for. To find the smallest suite is hard; this one is never larger
//! than the number of goals, and usually far smaller.

use crate::session::Session;
use rustc_hash::FxHashSet;

/// Which tests to keep, by their number, with the goals that each was taken for.
pub fn minimise(session: &Session) -> Vec<(usize, Vec<usize>)> {
    let tests = &session.tests;
    let mut missing: FxHashSet<usize> = tests.iter().flat_map(|t| &t.goals).copied().collect();
    let mut chosen: Vec<usize> = Vec::new();
    while !missing.is_empty() {
        let gain = |t: usize| {
            tests[t]
                .goals
                .iter()
                .filter(|g| missing.contains(g))
                .count()
        };
        let best = (0..tests.len())
            .filter(|t| !chosen.contains(t))
            .max_by_key(|&t| {
                let length = tests[t].given.values.len();
                (gain(t), std::cmp::Reverse((length, t)))
            });
        let Some(best) = best.filter(|&t| gain(t) > 0) else {
            break;
        };
        chosen.push(best);
        missing.retain(|g| !tests[best].goals.contains(g));
    }
    // What later tests cover anyhow was no reason to take an earlier one.
    let mut at = 0;
    while at < chosen.len() {
        let others = |g: &usize| {
            let mut rest = chosen.iter().enumerate().filter(|(i, _)| *i != at);
            rest.any(|(_, t)| tests[*t].goals.contains(g))
        };
        match tests[chosen[at]].goals.iter().all(others) {
            true => drop(chosen.remove(at)),
            false => at += 1,
        }
    }
    let mut covered: FxHashSet<usize> = FxHashSet::default();
    let mut found = Vec::new();
    for test in chosen {
        let mut new: Vec<usize> = tests[test]
            .goals
            .iter()
            .copied()
            .filter(|g| !covered.contains(g))
            .collect();
        new.sort_unstable();
        covered.extend(&new);
        found.push((test, new));
    }
    found
}
