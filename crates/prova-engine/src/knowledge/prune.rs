//! What lists of values say already need not be said again.

use prova_logic::{Model, Op, Term, Terms, Value};
use std::collections::BTreeMap;

/// Drops what lists of values say already: bounds, orders and relations that hold for all of the
/// few values of their variables. Nothing else may go: other facts may rest on it.
pub(crate) fn prune(terms: &Terms, facts: &mut Vec<Term>) {
    let listed: BTreeMap<Term, Vec<Value>> =
        facts.iter().filter_map(|&f| listing(terms, f)).collect();
    facts.retain(|&f| listing(terms, f).is_some() || !implied(terms, f, &listed));
}

/// A fact that lists the values of a variable.
fn listing(terms: &Terms, fact: Term) -> Option<(Term, Vec<Value>)> {
    let value = |t: Term| {
        let &[a, b] = terms.children(t) else {
            return None;
        };
        let (x, c) = if terms.is_const(a) { (b, a) } else { (a, b) };
        let plain = terms.op(t) == Op::Eq && terms.is_var(x) && terms.is_const(c);
        plain.then(|| (x, terms.eval(c, &Model::new())))
    };
    match terms.op(fact) {
        Op::Var => Some((fact, vec![Value::Bool(true)])),
        Op::Not if terms.is_var(terms.children(fact)[0]) => {
            Some((terms.children(fact)[0], vec![Value::Bool(false)]))
        }
        Op::Eq => value(fact).map(|(x, v)| (x, vec![v])),
        Op::Or => {
            let parts: Option<Vec<_>> = terms.children(fact).iter().map(|&c| value(c)).collect();
            let parts = parts?;
            let x = parts[0].0;
            let same = parts.iter().all(|p| p.0 == x);
            same.then(|| (x, parts.into_iter().map(|p| p.1).collect()))
        }
        _ => None,
    }
}

/// More combinations of values than this are not tried.
const COMBINATIONS: usize = 256;

/// Whether a fact holds for all listed values of its variables.
fn implied(terms: &Terms, fact: Term, listed: &BTreeMap<Term, Vec<Value>>) -> bool {
    let variables = terms.free_vars(fact);
    let lists: Option<Vec<&Vec<Value>>> = variables.iter().map(|v| listed.get(v)).collect();
    let Some(lists) = lists else { return false };
    let mut count: usize = 1;
    for list in &lists {
        count = count.saturating_mul(list.len());
    }
    count <= COMBINATIONS
        && (0..count).all(|mut which| {
            let mut model = Model::new();
            for (&v, list) in variables.iter().zip(&lists) {
                model.insert(v, list[which % list.len()].clone());
                which /= list.len();
            }
            terms.holds(fact, &model)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::Sort;

    #[test]
    fn only_what_lists_of_values_imply_is_dropped() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|n| terms.var(n, Sort::BitVec(8)));
        let [one, two, three] = [1, 2, 3].map(|v| terms.bv(v, 8));
        let (x1, x2) = (terms.eq(x, one), terms.eq(x, two));
        let (y1, y2) = (terms.eq(y, one), terms.eq(y, two));
        let lists = [terms.or2(x1, x2), terms.or2(y1, y2)];
        let bound = terms.ult(x, three);
        let (relation, never) = (terms.eq(x, y), terms.fals());
        let mut facts = vec![lists[0], bound, relation, lists[1], never];
        prune(&terms, &mut facts);
        assert_eq!(facts, [lists[0], relation, lists[1], never]);
    }
}
