//! Existential projection: what can be said before an arbitrary choice.
//!
//! The preimage of a region over `x := nondet` is `∃x. P`. A split needs a quantifier-free
//! predicate that *contains* it (Beckman et al., *Proofs from Tests*, Definition 1 (2): what is
//! left out would lose transitions), so everything here over-approximates, and is exact in the cases that programs
//! are made of: `x` fixed by an equality, `x` a truth value, `x` between bounds, `x` only
//! required to differ from something.

use prova_logic::{Op, Substitution, Term, Terms};

/// How many cases one projection may distinguish before it starts to forget conjuncts.
const CASES: usize = 16;

/// Conjuncts over other variables that hold wherever some values of `variables` make all of
/// `conjuncts` hold.
pub fn project(terms: &mut Terms, conjuncts: &[Term], variables: &[Term]) -> Vec<Term> {
    let mut current = conjuncts.to_vec();
    for &x in variables {
        let mut cases = CASES;
        current = eliminate(terms, &current, x, &mut cases);
    }
    current
}

fn flatten(terms: &Terms, list: &[Term]) -> Vec<Term> {
    let mut flat: Vec<Term> = Vec::with_capacity(list.len());
    for &t in list {
        if terms.op(t) == Op::And {
            flat.extend_from_slice(terms.children(t));
        } else {
            flat.push(t);
        }
    }
    flat.sort_unstable();
    flat.dedup();
    flat
}

fn eliminate(terms: &mut Terms, conjuncts: &[Term], x: Term, cases: &mut usize) -> Vec<Term> {
    let all = flatten(terms, conjuncts);
    let (with, mut without): (Vec<Term>, Vec<Term>) =
        all.into_iter().partition(|&t| terms.mentions(t, x));
    if with.is_empty() {
        return without;
    }
    for &t in &with {
        // Contents of memory are forgotten rather than followed.
        if matches!(terms.sort(x), prova_logic::Sort::Array { .. }) {
            return flatten(terms, &without);
        }
        if let Some((value, side)) = solve_for(terms, t, x) {
            let mut substitution = Substitution::new();
            substitution.insert(terms, x, value);
            for other in with {
                without.push(terms.substitute(other, &mut substitution));
            }
            without.push(side);
            return flatten(terms, &without);
        }
    }
    if terms.sort(x) == prova_logic::Sort::Bool && *cases >= 2 {
        *cases -= 2;
        let whole = terms.and(&with);
        let mut both = Vec::new();
        for value in [terms.tru(), terms.fals()] {
            let mut substitution = Substitution::new();
            substitution.insert(terms, x, value);
            both.push(terms.substitute(whole, &mut substitution));
        }
        without.push(terms.or(&both));
        return flatten(terms, &without);
    }
    let alternatives = (0..with.len()).find_map(|at| Some((at, disjunction(terms, with[at])?)));
    if let Some((at, disjuncts)) = alternatives {
        if *cases >= disjuncts.len() {
            *cases -= disjuncts.len();
            let mut results = Vec::new();
            for d in disjuncts {
                let mut case = with.clone();
                case[at] = d;
                let projected = eliminate(terms, &case, x, cases);
                results.push(terms.and(&projected));
            }
            without.push(terms.or(&results));
            return flatten(terms, &without);
        }
    }
    if matches!(terms.sort(x), prova_logic::Sort::BitVec(_)) {
        without.extend(between_bounds(terms, &with, x));
    }
    flatten(terms, &without)
}

/// The cases of a disjunction, also where it is written as the negation of a conjunction.
fn disjunction(terms: &mut Terms, t: Term) -> Option<Vec<Term>> {
    let children = terms.children(t).to_vec();
    match terms.op(t) {
        Op::Or => Some(children),
        Op::Not if terms.op(children[0]) == Op::And => {
            let parts = terms.children(children[0]).to_vec();
            Some(parts.into_iter().map(|p| terms.not(p)).collect())
        }
        _ => None,
    }
}

/// If the conjunct fixes `x`: the value, and what else it demands.
pub(crate) fn solve_for(terms: &mut Terms, t: Term, x: Term) -> Option<(Term, Term)> {
    if t == x {
        return Some((terms.tru(), terms.tru()));
    }
    if terms.op(t) == Op::Not && terms.children(t)[0] == x {
        return Some((terms.fals(), terms.tru()));
    }
    if terms.op(t) != Op::Eq {
        return None;
    }
    let (a, b) = (terms.children(t)[0], terms.children(t)[1]);
    for (mut side, mut value) in [(a, b), (b, a)] {
        if terms.mentions(value, x) {
            continue;
        }
        let mut demand = terms.tru();
        loop {
            if side == x {
                return Some((value, demand));
            }
            let children = terms.children(side).to_vec();
            match terms.op(side) {
                Op::Add => {
                    let inside: Vec<Term> = children
                        .iter()
                        .copied()
                        .filter(|&c| terms.mentions(c, x))
                        .collect();
                    let [only] = inside[..] else { break };
                    for &c in children.iter().filter(|&&c| c != only) {
                        value = terms.sub(value, c);
                    }
                    side = only;
                }
                Op::Neg => {
                    value = terms.neg(value);
                    side = children[0];
                }
                Op::BvNot => {
                    value = terms.bv_not(value);
                    side = children[0];
                }
                Op::Zext | Op::Sext => {
                    let width = terms.width(children[0]);
                    let narrow = terms.extract(value, width - 1, 0);
                    let full = terms.width(side);
                    let back = if terms.op(side) == Op::Zext {
                        terms.zext(narrow, full)
                    } else {
                        terms.sext(narrow, full)
                    };
                    let fits = terms.eq(back, value);
                    demand = terms.and2(demand, fits);
                    value = narrow;
                    side = children[0];
                }
                _ => break,
            }
        }
    }
    None
}

#[derive(Clone, Copy)]
struct Bound {
    signed: bool,
    strict: bool,
    term: Term,
}

/// `x ≠ c` is a strict bound where `c` is the end of a range; the simplifier writes it so.
fn differing(
    terms: &Terms,
    equality: Term,
    x: Term,
    lower: &mut Vec<Bound>,
    upper: &mut Vec<Bound>,
) {
    let children = terms.children(equality);
    let term = if children[0] == x {
        children[1]
    } else {
        children[0]
    };
    if !children.contains(&x) {
        return;
    }
    let Some(value) = terms.as_bits(term) else {
        return;
    };
    let width = value.width();
    let smallest = prova_logic::Bits::min_signed(width);
    if value == smallest {
        lower.push(Bound {
            signed: true,
            strict: true,
            term,
        });
    }
    if value == smallest.not() {
        upper.push(Bound {
            signed: true,
            strict: true,
            term,
        });
    }
    if value.is_zero() {
        lower.push(Bound {
            signed: false,
            strict: true,
            term,
        });
    }
    if value.is_ones() {
        upper.push(Bound {
            signed: false,
            strict: true,
            term,
        });
    }
}

/// `∃x` over lower and upper bounds: each lower bound below each upper one. Conjuncts of other
/// shapes (also `x ≠ t` in general, which almost never empties a range) are forgotten.
fn between_bounds(terms: &mut Terms, with: &[Term], x: Term) -> Vec<Term> {
    let (mut lower, mut upper): (Vec<Bound>, Vec<Bound>) = (Vec::new(), Vec::new());
    for &t in with {
        let (op, negated) = match terms.op(t) {
            Op::Not => (terms.op(terms.children(t)[0]), true),
            op => (op, false),
        };
        let atom = if negated { terms.children(t)[0] } else { t };
        if op == Op::Eq && negated {
            differing(terms, atom, x, &mut lower, &mut upper);
            continue;
        }
        let (signed, strict) = match op {
            Op::Slt => (true, true),
            Op::Sle => (true, false),
            Op::Ult => (false, true),
            Op::Ule => (false, false),
            _ => continue,
        };
        let (mut small, mut large) = (terms.children(atom)[0], terms.children(atom)[1]);
        let mut strict = strict;
        if negated {
            std::mem::swap(&mut small, &mut large);
            strict = !strict;
        }
        if large == x && !terms.mentions(small, x) {
            lower.push(Bound {
                signed,
                strict,
                term: small,
            });
        } else if small == x && !terms.mentions(large, x) {
            upper.push(Bound {
                signed,
                strict,
                term: large,
            });
        }
    }
    let mut result = Vec::new();
    let width = terms.width(x);
    for bound in &lower {
        if bound.strict {
            let top = if bound.signed {
                (1u128 << (width - 1)) - 1
            } else {
                mask(width)
            };
            let top = terms.bv(top, width);
            result.push(terms.ne(bound.term, top));
        }
    }
    for bound in &upper {
        if bound.strict {
            let bottom = if bound.signed {
                1u128 << (width - 1)
            } else {
                0
            };
            let bottom = terms.bv(bottom, width);
            result.push(terms.ne(bound.term, bottom));
        }
    }
    for l in &lower {
        for u in upper.iter().filter(|u| u.signed == l.signed) {
            let any_strict = l.strict || u.strict;
            let below = match (l.signed, any_strict) {
                (true, true) => terms.slt(l.term, u.term),
                (true, false) => terms.sle(l.term, u.term),
                (false, true) => terms.ult(l.term, u.term),
                (false, false) => terms.ule(l.term, u.term),
            };
            result.push(below);
            if l.strict && u.strict {
                let one = terms.bv(1, width);
                let next = terms.add(l.term, one);
                result.push(terms.ne(next, u.term));
            }
        }
    }
    result
}

fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::Sort;

    const W: u32 = 3;

    /// Every value of `x` and `y` at three bits: the projection must hold wherever some `x` does,
    /// and, where `exact`, nowhere else.
    fn check(build: impl Fn(&mut Terms, Term, Term) -> Vec<Term>, exact: bool) {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(W));
        let y = terms.var("y", Sort::BitVec(W));
        let conjuncts = build(&mut terms, x, y);
        let projected = project(&mut terms, &conjuncts, &[x]);
        assert!(projected.iter().all(|&t| !terms.mentions(t, x)));
        let evaluate = |terms: &mut Terms, list: &[Term], xv: u128, yv: u128| {
            let mut s = Substitution::new();
            let (cx, cy) = (terms.bv(xv, W), terms.bv(yv, W));
            s.insert(terms, x, cx);
            s.insert(terms, y, cy);
            let whole = terms.and(list);
            let value = terms.substitute(whole, &mut s);
            terms.as_bool(value).expect("all variables have values")
        };
        for yv in 0..1 << W {
            let some = (0..1 << W).any(|xv| evaluate(&mut terms, &conjuncts, xv, yv));
            let said = evaluate(&mut terms, &projected, 0, yv);
            assert!(!some || said, "lost y = {yv}");
            assert!(!exact || some == said, "not exact at y = {yv}");
        }
    }

    #[test]
    fn an_equality_fixes_the_value() {
        check(
            |t, x, y| {
                let one = t.bv(1, W);
                let sum = t.add(x, one);
                vec![t.eq(sum, y), t.slt(x, y)]
            },
            true,
        );
    }

    #[test]
    fn bounds_meet() {
        for (lower_strict, upper_strict) in
            [(true, true), (true, false), (false, true), (false, false)]
        {
            for signed in [true, false] {
                check(
                    |t, x, y| {
                        let three = t.bv(3, W);
                        let lower = match (signed, lower_strict) {
                            (true, true) => t.slt(y, x),
                            (true, false) => t.sle(y, x),
                            (false, true) => t.ult(y, x),
                            (false, false) => t.ule(y, x),
                        };
                        let upper = match (signed, upper_strict) {
                            (true, true) => t.slt(x, three),
                            (true, false) => t.sle(x, three),
                            (false, true) => t.ult(x, three),
                            (false, false) => t.ule(x, three),
                        };
                        vec![lower, upper]
                    },
                    true,
                );
            }
        }
    }

    #[test]
    fn other_shapes_are_forgotten_soundly() {
        check(
            |t, x, y| {
                let square = t.mul(x, x);
                vec![t.eq(square, y), t.ule(y, x)]
            },
            false,
        );
    }

    #[test]
    fn cases_are_split() {
        check(
            |t, x, y| {
                let (two, five) = (t.bv(2, W), t.bv(5, W));
                let (a, b) = (t.eq(x, y), t.eq(x, two));
                let either = t.or2(a, b);
                vec![either, t.ult(five, y)]
            },
            true,
        );
    }
}
