//! Where the program cuts the values of a variable: the constants that it compares it with. Between
//! two cuts all values take the same branches; they are one class.

use crate::problem::transitions::Transitions;
use prova_logic::ranges::{width_of, with_constant};
use prova_logic::{Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values between two bounds, both included, in the signed reading.
pub type Class = (i128, i128);

/// One variable.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// Where classes begin, but for the first; sorted.
    pub at: Vec<i128>,
    /// Comparisons with constants that the program makes.
    pub atoms: Vec<Term>,
}

/// The variables that the program compares with constants.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    of: FxHashMap<Term, Cut>,
}

impl Cuts {
    /// The cuts that all conditions of the program make.
    pub fn new(terms: &Terms, transitions: &Transitions) -> Cuts {
        let mut roots: Vec<Term> = Vec::new();
        for (_, transition) in transitions.all() {
            roots.extend(&transition.transfer.guard);
            roots.extend(transition.transfer.updates.iter().map(|u| u.1));
        }
        let mut cuts = Cuts::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        for t in terms.post_order(&roots) {
            let Some((variable, ends)) = cut_by(terms, t).filter(|_| seen.insert(t)) else {
                continue;
            };
            let cut = cuts.of.entry(variable).or_default();
            cut.at.extend(ends);
            cut.atoms.push(t);
        }
        for (&variable, cut) in &mut cuts.of {
            let width = width_of(terms, variable).expect("only such are cut");
            let least = -(1i128 << (width - 1));
            cut.at.retain(|&c| c > least);
            cut.at.sort_unstable();
            cut.at.dedup();
        }
        cuts
    }

    /// The cuts of a variable.
    pub fn of(&self, variable: Term) -> Option<&Cut> {
        self.of.get(&variable)
    }
}

impl Cut {
    /// The classes that meet a range, if there are at most so many.
    pub fn classes(&self, range: Class, width: u32, most: usize) -> Option<Vec<Class>> {
        let half = 1i128 << (width - 1);
        let from = self.at.partition_point(|&c| c <= range.0);
        let to = self.at.partition_point(|&c| c <= range.1);
        if to - from >= most {
            return None;
        }
        let begin = |i: usize| i.checked_sub(1).map_or(-half, |i| self.at[i]);
        let end = |i: usize| self.at.get(i).map_or(half - 1, |&c| c - 1);
        Some((from..=to).map(|i| (begin(i), end(i))).collect())
    }
}

/// The variable that a comparison with a constant is about, and the two ends of the values for
/// which it holds, which wrap around.
fn cut_by(terms: &Terms, t: Term) -> Option<(Term, [i128; 2])> {
    if terms.op(t) == Op::Var {
        return (width_of(terms, t) == Some(1)).then_some((t, [0, 0]));
    }
    let op = terms.op(t);
    if !matches!(op, Op::Eq | Op::Slt | Op::Sle | Op::Ult | Op::Ule) {
        return None;
    }
    let &[a, b] = terms.children(t) else {
        return None;
    };
    let (side, constant, left) = match (terms.as_u64(a), terms.as_u64(b)) {
        (None, Some(c)) => (a, c, true),
        (Some(c), None) => (b, c, false),
        _ => return None,
    };
    let wide = width_of(terms, side)?;
    let (inner, extended) = match terms.op(side) {
        op @ (Op::Zext | Op::Sext) => (terms.children(side)[0], Some(op)),
        _ => (side, None),
    };
    let (variable, offset) = with_constant(terms, inner).unwrap_or((inner, 0));
    let own = terms.op(variable) == Op::Var && terms.object(variable).is_none();
    let width = width_of(terms, variable).filter(|_| own)?;
    let signed = |bits: u64, width: u32| i128::from((bits << (64 - width)) as i64 >> (64 - width));
    let (size, half) = (1i128 << width, 1i128 << (width - 1));
    let unsigned = matches!(op, Op::Ult | Op::Ule) || extended == Some(Op::Zext);
    let (least, beyond) = if unsigned { (0, size) } else { (-half, half) };
    let c = match extended.is_some() || !unsigned {
        true => signed(constant, wide),
        false => i128::from(constant),
    };
    // A comparison that is the same for all values of a narrower variable cuts nothing.
    if !(least - 1..=beyond).contains(&c) {
        return None;
    }
    let (from, to) = match (op, left) {
        (Op::Eq, _) => (c, c + 1),
        (Op::Slt | Op::Ult, true) => (least, c),
        (Op::Sle | Op::Ule, true) => (least, c + 1),
        (Op::Slt | Op::Ult, false) => (c + 1, beyond),
        _ => (c, beyond),
    };
    let around = |x: i128| (x - signed(offset, width) + half).rem_euclid(size) - half;
    Some((variable, [around(from), around(to)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::Sort;

    /// Cuts with all values of a class on one side of a comparison, for every class.
    #[test]
    fn classes_decide_comparisons() {
        let mut terms = Terms::new();
        let v = terms.var("v", Sort::BitVec(4));
        let mut conditions = Vec::new();
        for c in 0..16u128 {
            let c = terms.bv(c, 4);
            let moved = terms.add(v, c);
            let five = terms.bv(5, 4);
            conditions.extend([terms.slt(v, c), terms.slt(c, v), terms.ult(v, c)]);
            conditions.extend([terms.ult(moved, five), terms.slt(moved, five)]);
            conditions.push(terms.eq(moved, five));
        }
        for t in conditions {
            let Some((variable, ends)) = cut_by(&terms, t) else {
                continue;
            };
            assert_eq!(variable, v);
            let mut at: Vec<i128> = ends.into_iter().filter(|&c| c > -8).collect();
            at.sort_unstable();
            at.dedup();
            let cut = Cut { at, atoms: vec![t] };
            for class in cut.classes((-8, 7), 4, 16).expect("few classes") {
                let holds = |x: i128| {
                    let mut model = prova_logic::Model::default();
                    let bits = prova_logic::Value::bv((x as u128) & 15, 4);
                    model.insert(v, bits);
                    terms.holds(t, &model)
                };
                let first = holds(class.0);
                assert!((class.0..=class.1).all(|x| holds(x) == first));
            }
        }
    }
}
