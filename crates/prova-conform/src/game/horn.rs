//! Definite Horn clauses, solved in time linear in their size (Dowling, Gallier; used as in §5 of
//! Chaki, Clarke, Jha, Veith): a clause that still waits for `open` of its conditions is counted
//! down, and fires when none is left. Which clause made a variable true is kept, because that is a
//! move in a strategy; and in which round, because strategies must get nearer to their end.

use std::collections::VecDeque;

/// Clauses over variables with small numbers.
#[derive(Default)]
pub struct Horn {
    heads: Vec<u32>,
    sizes: Vec<u32>,
    /// Clauses that wait for a variable.
    waiting: Vec<Vec<u32>>,
}

/// What follows from clauses.
pub struct Solution {
    /// For each variable that is true: the clause that made it so.
    pub reasons: Vec<Option<u32>>,
}

impl Horn {
    /// Adds the clause "if all conditions hold, so does the head"; gives its number.
    pub fn add(&mut self, head: u32, conditions: &[u32]) -> u32 {
        let number = self.heads.len() as u32;
        self.heads.push(head);
        self.sizes.push(conditions.len() as u32);
        let largest = conditions.iter().copied().chain([head]).max().unwrap_or(0) as usize;
        if self.waiting.len() <= largest {
            self.waiting.resize(largest + 1, Vec::new());
        }
        for &condition in conditions {
            self.waiting[condition as usize].push(number);
        }
        number
    }

    /// The least solution without the clauses that are `barred`. Where several clauses could fire,
    /// those that the `preference` puts first do.
    pub fn solve(&self, barred: &[bool], preference: impl Fn(u32) -> u64) -> Solution {
        let mut open = self.sizes.clone();
        let mut reasons = vec![None; self.waiting.len()];
        let is_barred = |c: u32| barred.get(c as usize).copied().unwrap_or(false);
        let facts = (0..self.heads.len() as u32).filter(|&c| open[c as usize] == 0);
        let mut facts: Vec<u32> = facts.filter(|&c| !is_barred(c)).collect();
        facts.sort_by_key(|&c| preference(c));
        let mut queue: VecDeque<u32> = VecDeque::new();
        for clause in facts {
            let head = self.heads[clause as usize];
            if reasons[head as usize].is_none() {
                reasons[head as usize] = Some(clause);
                queue.push_back(head);
            }
        }
        while let Some(variable) = queue.pop_front() {
            for &clause in &self.waiting[variable as usize] {
                let left = &mut open[clause as usize];
                *left -= 1;
                let head = self.heads[clause as usize];
                if *left == 0 && !is_barred(clause) && reasons[head as usize].is_none() {
                    reasons[head as usize] = Some(clause);
                    queue.push_back(head);
                }
            }
        }
        Solution { reasons }
    }
}

impl Solution {
    /// Whether a variable is true.
    pub fn holds(&self, variable: u32) -> bool {
        self.reasons
            .get(variable as usize)
            .is_some_and(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_follows_and_nothing_else_does() {
        let mut horn = Horn::default();
        horn.add(0, &[1, 2]);
        horn.add(1, &[]);
        let last = horn.add(2, &[1]);
        horn.add(3, &[4]);
        horn.add(4, &[3]);
        let solution = horn.solve(&[], u64::from);
        let holds: Vec<bool> = (0..5).map(|v| solution.holds(v)).collect();
        assert_eq!(holds, [true, true, true, false, false]);
        assert_eq!(solution.reasons[2], Some(last));
        let without = horn.solve(&[false, false, true], u64::from);
        assert!(!without.holds(0) && without.holds(1));
    }
}
