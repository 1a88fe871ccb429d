//! What a literal may be weakened to, so that a cube grows: an equality to an order, a strict order
//! to a weak one, a value to its lowest bit. Words, not bits: a lemma is to say what people would
//! say.

use prova_logic::{Op, Sort, Term, Terms};

/// Weaker literals, the weakest first.
pub fn weaker(terms: &mut Terms, literal: Term) -> Vec<Term> {
    let (op, children) = (terms.op(literal), terms.children(literal).to_vec());
    let mut found = Vec::new();
    match (op, &children[..]) {
        // Not for floats: a NaN is equal to itself and in no order.
        (Op::Eq, &[a, b]) => {
            if let Sort::BitVec(width) = terms.sort(a) {
                let (low, other) = (terms.extract(a, 0, 0), terms.extract(b, 0, 0));
                if width > 1 && (terms.is_const(low) || terms.is_const(other)) {
                    found.push(terms.eq(low, other));
                }
                found.push(terms.sle(a, b));
                found.push(terms.sle(b, a));
                found.push(terms.ule(a, b));
                found.push(terms.ule(b, a));
            }
        }
        (Op::Feq, &[a, b]) => {
            found.push(terms.fle(a, b));
            found.push(terms.fle(b, a));
        }
        (Op::Slt, &[a, b]) => {
            found.push(terms.ne(a, b));
            found.push(terms.sle(a, b));
        }
        (Op::Ult, &[a, b]) => {
            found.push(terms.ne(a, b));
            found.push(terms.ule(a, b));
        }
        _ => {}
    }
    found.retain(|&t| t != literal && terms.as_bool(t).is_none());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::{Model, Value};

    #[test]
    fn weaker_literals_hold_wherever_the_literal_does() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|n| terms.var(n, Sort::BitVec(3)));
        let five = terms.bv(5, 3);
        let literals = [
            terms.eq(x, y),
            terms.eq(x, five),
            terms.slt(x, y),
            terms.ult(y, five),
        ];
        for literal in literals {
            let all = weaker(&mut terms, literal);
            assert!(!all.is_empty());
            for (a, b) in (0..64u128).map(|n| (n % 8, n / 8)) {
                let model = [(x, Value::bv(a, 3)), (y, Value::bv(b, 3))];
                let model: Model = model.into_iter().collect();
                if terms.holds(literal, &model) {
                    assert!(all.iter().all(|&t| terms.holds(t, &model)));
                }
            }
        }
    }
}
