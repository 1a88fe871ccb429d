//! Questions without arrays: what is read from memory that nobody wrote becomes a variable for each
//! address, and two of them are equal where the addresses are (Ackermann's reduction; Kroening and
//! Strichman, "Decision Procedures", sections 4.2 and 7.3).

use prova_logic::{ArrayValue, Bits, Model, Op, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;

/// More pairs of addresses than this, and arrays are left to the solver.
const MOST_PAIRS: usize = 40_000;

/// Formulas without arrays.
pub struct Flat {
    /// All of these hold.
    pub asserted: Vec<Term>,
    /// What was read: the array, the address as it is now, and the variable that stands for it.
    reads: Vec<(Term, Term, Term)>,
}

/// Rewrites formulas; `None` if arrays would remain.
pub fn flat(terms: &mut Terms, roots: &[Term]) -> Option<Flat> {
    let mut now: FxHashMap<Term, Term> = FxHashMap::default();
    let mut reads: Vec<(Term, Term, Term)> = Vec::new();
    let mut known: FxHashMap<(Term, Term), Term> = FxHashMap::default();
    for t in terms.post_order(roots) {
        if matches!(terms.sort(t), Sort::Array { .. }) {
            if !terms.is_var(t) {
                return None;
            }
            continue;
        }
        let parts = terms.children(t).to_vec();
        if terms.op(t) == Op::Select {
            let (array, address) = (parts[0], now[&parts[1]]);
            let variable = *known.entry((array, address)).or_insert_with(|| {
                let sort = terms.sort(t);
                let variable = terms.fresh("cell", sort);
                reads.push((array, address, variable));
                variable
            });
            now.insert(t, variable);
            continue;
        }
        let children: Vec<Term> = parts.iter().map(|p| now[p]).collect();
        let new = match children == parts {
            true => t,
            false => terms.rebuild(t, &children),
        };
        now.insert(t, new);
    }
    let mut asserted: Vec<Term> = roots.iter().map(|r| now[r]).collect();
    let mut pairs = 0;
    for (i, &(array, address, variable)) in reads.iter().enumerate() {
        for &(other, there, value) in &reads[..i] {
            if array != other || terms.decide_eq(address, there) == Some(false) {
                continue;
            }
            pairs += 1;
            if pairs > MOST_PAIRS {
                return None;
            }
            let (same, equal) = (terms.eq(address, there), terms.eq(variable, value));
            asserted.push(terms.implies(same, equal));
        }
    }
    Some(Flat { asserted, reads })
}

impl Flat {
    /// The model, with the arrays that it stands for.
    pub fn with_arrays(&self, terms: &Terms, mut model: Model) -> Model {
        let mut arrays: FxHashMap<Term, ArrayValue> = FxHashMap::default();
        for &(array, address, variable) in &self.reads {
            let Sort::Array { index, element } = terms.sort(array) else {
                continue;
            };
            let (at, value) = (terms.eval(address, &model), terms.eval(variable, &model));
            if let (Some(at), Some(value)) = (at.as_bits(), value.as_bits()) {
                let held = arrays.entry(array);
                let held = held.or_insert_with(|| ArrayValue::new(index, Bits::new(0, element)));
                held.store(at.clone(), value.clone());
            }
        }
        for (array, value) in arrays {
            model.insert(array, Value::Array(Box::new(value)));
        }
        model
    }
}
