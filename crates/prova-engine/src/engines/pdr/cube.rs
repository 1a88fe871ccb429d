//! Predecessors: from one state that steps into a cube, a cube of states that all do.
//!
//! A block is one path, so what it needs for its target is a conjunction: its guard, and the cube
//! with the block's assignments put in. The state decides what is left open: which write a read
//! sees, which side of an if-then-else counts, which of several alternatives holds. What a block
//! reads is chosen by a term over the state where a condition suggests one that the state allows
//! (Komuravelli, Gurfinkel and Chaki, *SMT-Based Model Checking for Recursive Programs*, §4: model
//! based projection), and by the value that was read otherwise. So every state of the new cube has
//! inputs with which it steps into the old one: nothing is guessed.

use crate::problem::alias::{resolve, AliasOracle};
use crate::problem::project::solve_for;
use prova_logic::{Evaluator, Model, Op, Sort, Substitution, Term, Terms};
use rustc_hash::FxHashMap;

/// Terms that are tried for one thing that is read.
const MOST_CHOICES: usize = 16;

/// A state, asked about terms.
struct State<'a>(&'a Model);

impl State<'_> {
    fn holds(&self, terms: &Terms, t: Term) -> bool {
        terms.holds(t, self.0)
    }
}

impl AliasOracle for State<'_> {
    fn settled(&mut self, terms: &mut Terms, equality: Term) -> Option<bool> {
        Some(self.holds(terms, equality))
    }
}

/// The cube of states before a block, from what the block needs and a state that has it. `None` if
/// the state does not have it after all.
pub fn before(
    terms: &mut Terms,
    needed: &[Term],
    inputs: &[Term],
    model: &Model,
) -> Option<Vec<Term>> {
    let mut state = State(model);
    let mut conjuncts = Vec::new();
    for &t in needed {
        let (plain, conditions) = decided(terms, t, model);
        for t in conditions.into_iter().chain([plain]) {
            let resolved = resolve(terms, t, &mut state);
            conjuncts.extend(resolved.alpha);
            split(terms, resolved.term, model, &mut conjuncts)?;
        }
    }
    tidy(terms, &mut conjuncts);
    for &input in inputs {
        conjuncts = chosen(terms, &conjuncts, input, model);
    }
    // Terms that were put in may have made more to be taken apart.
    let mut cube = Vec::new();
    for t in conjuncts {
        split(terms, t, model, &mut cube)?;
    }
    tidy(terms, &mut cube);
    Some(cube)
}

fn tidy(terms: &Terms, conjuncts: &mut Vec<Term>) {
    conjuncts.retain(|&t| terms.op(t) != Op::True);
    conjuncts.sort_unstable();
    conjuncts.dedup();
}

/// The term with each if-then-else replaced by the side that the state takes, and the conditions
/// for that.
fn decided(terms: &mut Terms, root: Term, model: &Model) -> (Term, Vec<Term>) {
    let mut conditions = Vec::new();
    let mut evaluator = Evaluator::new();
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for t in terms.post_order(&[root]) {
        let children: Vec<Term> = terms.children(t).iter().map(|c| done[c]).collect();
        let new = if terms.op(t) == Op::Ite {
            let condition = terms.children(t)[0];
            let value = evaluator.eval(terms, condition, |v| model.get(v).cloned());
            let holds = value.as_bool() == Some(true);
            let literal = match holds {
                true => children[0],
                false => terms.not(children[0]),
            };
            conditions.push(literal);
            children[if holds { 1 } else { 2 }]
        } else {
            terms.rebuild(t, &children)
        };
        done.insert(t, new);
    }
    (done[&root], conditions)
}

/// Takes conjunctions apart, and keeps one alternative that holds of each disjunction.
fn split(terms: &mut Terms, t: Term, model: &Model, into: &mut Vec<Term>) -> Option<()> {
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        let inner = (terms.op(t) == Op::Not).then(|| terms.children(t)[0]);
        let negated = inner.filter(|&i| terms.op(i) == Op::And);
        match terms.op(t) {
            Op::And => stack.extend_from_slice(terms.children(t)),
            Op::Or => {
                let mut parts = terms.children(t).iter().copied();
                let least = parts.find(|&p| terms.holds(p, model))?;
                stack.push(least);
            }
            Op::Not if negated.is_some() => {
                let parts = terms.children(negated.expect("just asked")).to_vec();
                let part = parts.into_iter().find(|&p| !terms.holds(p, model))?;
                stack.push(terms.not(part));
            }
            _ => {
                if !terms.holds(t, model) {
                    return None;
                }
                into.push(t);
            }
        }
    }
    Some(())
}

/// The conjuncts with a choice for something that is read: of the terms that conditions suggest and
/// the state allows, the one that demands least.
fn chosen(terms: &mut Terms, conjuncts: &[Term], input: Term, model: &Model) -> Vec<Term> {
    if !conjuncts.iter().any(|&t| terms.mentions(t, input)) {
        return conjuncts.to_vec();
    }
    let state = State(model);
    let mut best: Option<(usize, Vec<Term>)> = None;
    for choice in choices(terms, conjuncts, input) {
        let with = put(terms, conjuncts, input, choice);
        let fewer = best.as_ref().is_none_or(|(count, _)| with.len() < *count);
        if fewer && with.iter().all(|&t| state.holds(terms, t)) {
            best = Some((with.len(), with));
        }
    }
    if let Some((_, with)) = best {
        return with;
    }
    let value = terms.eval(input, model);
    let value = terms.value(&value);
    put(terms, conjuncts, input, value)
}

fn put(terms: &mut Terms, conjuncts: &[Term], input: Term, choice: Term) -> Vec<Term> {
    let mut substitution = Substitution::new();
    substitution.insert(terms, input, choice);
    let mut with: Vec<Term> = conjuncts
        .iter()
        .map(|&t| terms.substitute(t, &mut substitution))
        .collect();
    tidy(terms, &mut with);
    with
}

/// Terms that what is read may be chosen as: what it is compared with, and what lies beside that.
fn choices(terms: &mut Terms, conjuncts: &[Term], input: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for &t in conjuncts {
        if found.len() >= MOST_CHOICES {
            break;
        }
        if let Some((value, _)) = solve_for(terms, t, input) {
            found.push(value);
        }
        let literal = match terms.op(t) {
            Op::Not => terms.children(t)[0],
            _ => t,
        };
        let compares = matches!(
            terms.op(literal),
            Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule | Op::Feq | Op::Flt | Op::Fle
        );
        if !compares {
            continue;
        }
        let (a, b) = (terms.children(literal)[0], terms.children(literal)[1]);
        // A sum with what is read on one side is solved as if it were an equality.
        let solved = match terms.sort(a) {
            Sort::BitVec(_) => {
                let equality = terms.eq(a, b);
                solve_for(terms, equality, input).map(|s| s.0)
            }
            _ => [(a, b), (b, a)]
                .into_iter()
                .find(|&(x, other)| x == input && !terms.mentions(other, input))
                .map(|(_, other)| other),
        };
        let Some(value) = solved else { continue };
        found.push(value);
        if let Sort::BitVec(width) = terms.sort(value) {
            let one = terms.bv(1, width);
            let beside = [terms.add(value, one), terms.sub(value, one)];
            found.extend(beside);
        }
    }
    let mut seen = Vec::new();
    found.retain(|t| !seen.contains(t) && (seen.push(*t), true).1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::Value;

    /// Every state of the cube has an input with which all that is needed holds.
    fn check(needed: impl Fn(&mut Terms, Term, Term) -> Vec<Term>) {
        for state in 0..8u128 {
            for read in 0..8u128 {
                let mut terms = Terms::new();
                let [x, input] = ["x", "input"].map(|n| terms.var(n, Sort::BitVec(3)));
                let needed = needed(&mut terms, x, input);
                let model = |x: (Term, u128), i: (Term, u128)| {
                    let entries = [x, i].map(|(v, n)| (v, Value::bv(n, 3)));
                    entries.into_iter().collect::<Model>()
                };
                let here = model((x, state), (input, read));
                if !needed.iter().all(|&t| terms.holds(t, &here)) {
                    continue;
                }
                let cube = before(&mut terms, &needed, &[input], &here).expect("it holds");
                assert!(cube.iter().all(|&t| terms.holds(t, &here)));
                assert!(!cube.iter().any(|&t| terms.mentions(t, input)));
                for other in 0..8u128 {
                    let there = model((x, other), (input, 0));
                    if !cube.iter().all(|&t| terms.holds(t, &there)) {
                        continue;
                    }
                    let some = (0..8u128).any(|i| {
                        let both = model((x, other), (input, i));
                        needed.iter().all(|&t| terms.holds(t, &both))
                    });
                    assert!(some, "state {other} is in the cube of {state}, {read}");
                }
            }
        }
    }

    #[test]
    fn every_state_of_the_cube_makes_the_step() {
        check(|t, x, i| vec![t.slt(x, i)]);
        check(|t, x, i| {
            let (one, sum) = (t.bv(1, 3), t.add(x, i));
            vec![t.eq(sum, one), t.ult(x, i)]
        });
        check(|t, x, i| {
            let (two, five) = (t.bv(2, 3), t.bv(5, 3));
            let (low, high) = (t.ult(i, two), t.ult(five, i));
            let either = t.or2(low, high);
            let differ = t.ne(x, i);
            let picked = t.ite(low, x, two);
            vec![either, differ, t.ule(picked, two)]
        });
        check(|t, x, i| {
            let product = t.mul(i, i);
            vec![t.eq(product, x)]
        });
    }

    #[test]
    fn what_is_read_asks_little_of_the_state() {
        let mut terms = Terms::new();
        let [x, input] = ["x", "input"].map(|n| terms.var(n, Sort::BitVec(8)));
        let above = terms.ult(x, input);
        let model = [(x, Value::bv(3, 8)), (input, Value::bv(77, 8))];
        let model: Model = model.into_iter().collect();
        let cube = before(&mut terms, &[above], &[input], &model).expect("it holds");
        let last = [(x, Value::bv(254, 8))].into_iter().collect::<Model>();
        assert!(cube.iter().all(|&t| terms.holds(t, &last)), "all but 255");
    }
}
