//! A tuple of terms that falls in all rounds that were seen.
//!
//! Terms are taken one after the other. A term may come next if it does not rise in any round that is
//! left; the one that accounts for most of them is taken, the earlier one of the list where several
//! do, and the rounds in which it falls are done (Alias, Darte, Feautrier, Gonnord: *Multi-dimensional
//! Rankings, Program Termination, and Complexity Bounds of Flowchart Programs*, SAS 2010, §3, where
//! rounds are all that a polyhedron allows).

use crate::traces::Round;

/// Parts of a tuple.
const MOST_PARTS: usize = 5;

/// What a term costs: who is asked whether it falls has the less to do the less that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// A round changes no more than one number of it.
    Plain,
    /// It is computed.
    Linear,
    /// It has factors.
    Combined,
    /// It is the least or the greatest of terms.
    Piecewise,
}

impl Cost {
    /// All of them, the least first.
    pub const ALL: [Cost; 4] = [Cost::Plain, Cost::Linear, Cost::Combined, Cost::Piecewise];
}

/// The positions of terms that make a tuple that falls in all rounds; none if no tuple does, or only one
/// that is `banned`. Terms that cost less are taken if they are enough.
pub fn choose(costs: &[Cost], rounds: &[Round], banned: &[Vec<usize>]) -> Option<Vec<usize>> {
    let up_to = |most: Cost| among(&cheap(costs, most), rounds, banned);
    Cost::ALL.into_iter().find_map(up_to)
}

/// The costs that have a tuple that falls in all rounds.
pub fn enough(costs: &[Cost], rounds: &[Round]) -> Vec<Cost> {
    let enough = |most: &Cost| among(&cheap(costs, *most), rounds, &[]).is_some();
    Cost::ALL.into_iter().filter(enough).collect()
}

/// Whether a tuple falls in a round.
pub fn falls(tuple: &[usize], round: &Round) -> bool {
    let Some((&first, rest)) = tuple.split_first() else {
        return false;
    };
    let (before, now) = (round.0[first], round.1[first]);
    now < before && before >= 0 || now <= before && falls(rest, round)
}

fn cheap(costs: &[Cost], most: Cost) -> Vec<usize> {
    (0..costs.len()).filter(|t| costs[*t] <= most).collect()
}

fn among(terms: &[usize], rounds: &[Round], banned: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut left: Vec<&Round> = rounds.iter().collect();
    let mut tuple = Vec::new();
    while !left.is_empty() || tuple.is_empty() {
        let falls = |t: usize, round: &&&Round| round.1[t] < round.0[t] && round.0[t] >= 0;
        let may = |t: &usize| {
            let mut longer = tuple.clone();
            longer.push(*t);
            !tuple.contains(t)
                && !banned.contains(&longer)
                && left.iter().all(|r| r.1[*t] <= r.0[*t])
        };
        let count = |t: usize| left.iter().filter(|r| falls(t, r)).count();
        // The first of those that account for most.
        let best = terms.iter().copied().filter(may).map(|t| (count(t), t));
        let (count, term) = best.max_by_key(|&(n, t)| (n, usize::MAX - t))?;
        if count == 0 && !left.is_empty() || tuple.len() == MOST_PARTS {
            return None;
        }
        tuple.push(term);
        left.retain(|r| !(r.1[term] < r.0[term] && r.0[term] >= 0));
    }
    Some(tuple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_term_is_enough_where_it_always_falls() {
        let rounds = vec![(vec![5, 3], vec![4, 3]), (vec![4, 3], vec![3, 9])];
        assert_eq!(choose(&[Cost::Plain; 2], &rounds, &[]), Some(vec![0]));
        assert_eq!(choose(&[Cost::Plain; 2], &rounds, &[vec![0]]), None);
    }

    #[test]
    fn a_second_term_takes_what_the_first_leaves() {
        let rounds = vec![(vec![5, 1], vec![4, 7]), (vec![4, 7], vec![4, 6])];
        assert_eq!(choose(&[Cost::Plain; 2], &rounds, &[]), Some(vec![0, 1]));
    }

    #[test]
    fn plain_terms_are_taken_if_they_are_enough() {
        use Cost::{Linear, Plain};
        let rounds = vec![
            (vec![9, 5, 4], vec![8, 4, 4]),
            (vec![8, 4, 4], vec![7, 4, 3]),
        ];
        assert_eq!(choose(&[Plain; 3], &rounds, &[]), Some(vec![0]));
        let some = [Linear, Plain, Plain];
        assert_eq!(choose(&some, &rounds, &[]), Some(vec![1, 2]));
        let few = [Linear, Plain, Linear];
        assert_eq!(choose(&few, &rounds, &[]), Some(vec![0]));
    }

    #[test]
    fn phases_are_a_tuple() {
        // The first falls always, the second once the first is negative.
        let rounds = vec![
            (vec![1, 5], vec![0, 6]),
            (vec![0, 6], vec![-1, 6]),
            (vec![-1, 6], vec![-2, 5]),
        ];
        let costs = [Cost::Plain, Cost::Linear];
        assert_eq!(choose(&costs, &rounds, &[]), Some(vec![0, 1]));
        assert_eq!(enough(&costs, &rounds), Cost::ALL[1..]);
    }

    #[test]
    fn falling_below_zero_does_not_count() {
        let rounds = vec![(vec![-1], vec![-2])];
        assert_eq!(choose(&[Cost::Plain; 1], &rounds, &[]), None);
    }

    #[test]
    fn without_rounds_the_first_guess_is_taken() {
        assert_eq!(choose(&[Cost::Plain; 3], &[], &[]), Some(vec![0]));
        assert_eq!(choose(&[Cost::Plain; 3], &[], &[vec![0]]), Some(vec![1]));
        assert_eq!(choose(&[], &[], &[]), None);
    }
}
