//! What a path refutes without a solver.
//!
//! To make an unsatisfiable core minimal takes a check for each of its literals, and a question
//! about many pointers has many. Some contradictions are plain: along the path a conjunct is false,
//! or it is a disjunction each part of which the path or another conjunct denies.

use prova_logic::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Few conjuncts that cannot hold together: positions in `conjuncts`, which are over the path's
/// inputs. `known` holds along the path.
pub fn plain_core(
    terms: &mut Terms,
    conjuncts: &[Term],
    known: &FxHashSet<Term>,
) -> Option<Vec<usize>> {
    let mut position: FxHashMap<Term, usize> = FxHashMap::default();
    for (i, &t) in conjuncts.iter().enumerate() {
        position.entry(t).or_insert(i);
    }
    let mut best: Option<Vec<usize>> = None;
    for (i, &t) in conjuncts.iter().enumerate() {
        let parts = disjuncts(terms, t);
        let mut needed = vec![i];
        let denied = parts.iter().all(|&part| {
            let denial = terms.not(part);
            for claim in terms.conjuncts(denial) {
                if terms.op(claim) == Op::True || known.contains(&claim) {
                    continue;
                }
                match position.get(&claim) {
                    Some(&k) => needed.push(k),
                    None => return false,
                }
            }
            true
        });
        if denied {
            needed.sort_unstable();
            needed.dedup();
            if best.as_ref().is_none_or(|b| needed.len() < b.len()) {
                best = Some(needed);
            }
        }
    }
    best
}

/// The parts of a disjunction, also where it is written as the negation of a conjunction.
fn disjuncts(terms: &mut Terms, t: Term) -> Vec<Term> {
    let children = terms.children(t).to_vec();
    match terms.op(t) {
        Op::False => Vec::new(),
        Op::Or => children,
        Op::Not if terms.op(children[0]) == Op::And => {
            let parts = terms.children(children[0]).to_vec();
            parts.into_iter().map(|p| terms.not(p)).collect()
        }
        _ => vec![t],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::Sort;

    #[test]
    fn a_disjunction_is_refuted_by_path_and_conjuncts_together() {
        let mut terms = Terms::new();
        let [p, q, r] = ["p", "q", "r"].map(|n| terms.var(n, Sort::BitVec(8)));
        let (same, other) = (terms.eq(p, q), terms.eq(p, r));
        let (differ, also) = (terms.not(same), terms.not(other));
        let either = terms.or2(same, other);
        let unrelated = terms.ult(q, r);
        let known: FxHashSet<Term> = [differ].into_iter().collect();
        let conjuncts = [unrelated, also, either];
        assert_eq!(plain_core(&mut terms, &conjuncts, &known), Some(vec![1, 2]));
        assert_eq!(plain_core(&mut terms, &conjuncts[..2], &known), None);
        assert_eq!(plain_core(&mut terms, &[unrelated, either], &known), None);
        assert_eq!(
            plain_core(&mut terms, &[unrelated, same], &known),
            Some(vec![1])
        );
    }
}
