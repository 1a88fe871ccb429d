//! Conditions as they were put together in the source. The graph has an edge for each way out of a
//! single condition and has forgotten which of them stood between the same parentheses; coverage of
//! decisions and MC/DC ask for that.
//!
//! A condition is known by its position, which its branch in the graph has, too. Positions outlive
//! passes that number locations anew.

use crate::source::Span;

/// The condition of an `if`, of a loop or of `?:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Where it begins.
    pub span: Span,
    /// What it is made of.
    pub tree: Junction,
}

/// A condition, or several that were put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Junction {
    /// One condition, by where it begins.
    Condition(Span),
    /// `!`.
    Not(Box<Junction>),
    /// `&&`.
    And(Box<(Junction, Junction)>),
    /// `||`.
    Or(Box<(Junction, Junction)>),
}

impl Decision {
    /// Its conditions, from left to right.
    pub fn conditions(&self) -> Vec<Span> {
        let mut found = Vec::new();
        self.tree.collect(&mut found);
        found
    }

    /// What it comes to where some conditions have values, by their number from the left; `None`
    /// where the others decide.
    pub fn value(&self, of: &dyn Fn(usize) -> Option<bool>) -> Option<bool> {
        self.tree.value(of, &mut 0)
    }

    /// Whether a condition decides the outcome where these have values: with the other value the
    /// outcome may be the other one. Conditions that were not evaluated may have any value, so this
    /// is masking MC/DC (Chilenski: *An Investigation of Three Forms of the Modified Condition
    /// Decision Coverage (MCDC) Criterion*).
    pub fn decides(&self, values: &[Option<bool>], condition: usize) -> bool {
        let Some(own) = values.get(condition).copied().flatten() else {
            return false;
        };
        let Some(outcome) = self.value(&|i| values[i]) else {
            return false;
        };
        let turned = self.value(&|i| {
            if i == condition {
                Some(!own)
            } else {
                values[i]
            }
        });
        turned != Some(outcome)
    }

    /// All ways to evaluate it from left to right, each as the values that conditions got.
    pub fn evaluations(&self) -> Vec<Vec<Option<bool>>> {
        let count = self.conditions().len();
        let mut done = Vec::new();
        let mut open = vec![vec![None; count]];
        while let Some(values) = open.pop() {
            match self.next(&values) {
                None => done.push(values),
                Some(next) => {
                    for value in [false, true] {
                        let mut more = values.clone();
                        more[next] = Some(value);
                        open.push(more);
                    }
                }
            }
        }
        done
    }

    /// The condition that is evaluated next, if the outcome is still open.
    pub fn next(&self, values: &[Option<bool>]) -> Option<usize> {
        match self.value(&|i| values[i]) {
            Some(_) => None,
            None => self.tree.next(values, &mut 0),
        }
    }
}

impl Junction {
    fn collect(&self, found: &mut Vec<Span>) {
        match self {
            Junction::Condition(span) => found.push(*span),
            Junction::Not(inner) => inner.collect(found),
            Junction::And(both) | Junction::Or(both) => {
                both.0.collect(found);
                both.1.collect(found);
            }
        }
    }

    fn value(&self, of: &dyn Fn(usize) -> Option<bool>, number: &mut usize) -> Option<bool> {
        match self {
            Junction::Condition(_) => {
                *number += 1;
                of(*number - 1)
            }
            Junction::Not(inner) => inner.value(of, number).map(|v| !v),
            Junction::And(both) => match (both.0.value(of, number), both.1.value(of, number)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), other) => other,
                (None, _) => None,
            },
            Junction::Or(both) => match (both.0.value(of, number), both.1.value(of, number)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), other) => other,
                (None, _) => None,
            },
        }
    }

    /// The first condition without a value in a part whose own value is open.
    fn next(&self, values: &[Option<bool>], number: &mut usize) -> Option<usize> {
        let before = *number;
        let open = self.value(&|i| values[i], &mut before.clone()).is_none();
        match self {
            Junction::Condition(_) => {
                *number += 1;
                open.then_some(before)
            }
            Junction::Not(inner) => inner.next(values, number),
            Junction::And(both) | Junction::Or(both) => {
                let first = both.0.next(values, number);
                let second = both.1.next(values, number);
                first.or(second).filter(|_| open)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::FileId;

    fn at(column: u32) -> Junction {
        Junction::Condition(Span {
            file: FileId(0),
            line: 1,
            column,
        })
    }

    fn decision(tree: Junction) -> Decision {
        Decision {
            span: Span::NONE,
            tree,
        }
    }

    /// `(a && !b) || c`.
    fn mixed() -> Decision {
        let not = Junction::Not(Box::new(at(2)));
        let and = Junction::And(Box::new((at(1), not)));
        decision(Junction::Or(Box::new((and, at(3)))))
    }

    #[test]
    fn evaluations_are_those_of_c() {
        let (t, f) = (Some(true), Some(false));
        let mut found = mixed().evaluations();
        found.sort();
        let mut expected = vec![
            vec![t, f, None],
            vec![t, t, f],
            vec![t, t, t],
            vec![f, None, f],
            vec![f, None, t],
        ];
        expected.sort();
        assert_eq!(found, expected);
    }

    /// Against the definition: over all truth tables of the conditions that were not evaluated, some
    /// has another outcome where the condition is turned.
    #[test]
    fn a_condition_decides_where_the_truth_table_says_so() {
        let trees = [
            mixed(),
            decision(at(1)),
            decision(Junction::Or(Box::new((
                at(1),
                Junction::And(Box::new((at(2), at(3)))),
            )))),
            decision(Junction::And(Box::new((
                Junction::Or(Box::new((at(1), at(2)))),
                Junction::Or(Box::new((at(3), Junction::Not(Box::new(at(4)))))),
            )))),
        ];
        for decision in trees {
            let count = decision.conditions().len();
            for values in decision.evaluations() {
                for condition in (0..count).filter(|c| values[*c].is_some()) {
                    let outcome = |bits: usize, turned: bool| {
                        let of = |i: usize| {
                            let value = values[i].unwrap_or(bits >> i & 1 == 1);
                            Some(value != (turned && i == condition))
                        };
                        decision.value(&of).expect("all have values")
                    };
                    let expected = (0..1 << count).any(|b| outcome(b, false) != outcome(b, true));
                    assert_eq!(
                        decision.decides(&values, condition),
                        expected,
                        "{decision:?} {values:?} {condition}"
                    );
                }
            }
        }
    }
}
