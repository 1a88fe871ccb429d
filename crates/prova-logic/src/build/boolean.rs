//! Bool constructors and if-then-else.

use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;

/// Nested conjunctions are merged up to this many children; beyond it they stay nested, so that
/// a path condition that grows by one conjunct at a time costs linear space.
const FLAT: usize = 16;
/// Comparisons are looked up negated only in conjunctions up to this size.
const COMPLEMENTS: usize = 4;

impl Terms {
    /// Negation. Comparisons flip instead of being wrapped.
    pub fn not(&mut self, t: Term) -> Term {
        match self.op(t) {
            Op::True => self.fals(),
            Op::False => self.tru(),
            Op::Not => self.child(t, 0),
            Op::Ult => self.ule(self.child(t, 1), self.child(t, 0)),
            Op::Ule => self.ult(self.child(t, 1), self.child(t, 0)),
            Op::Slt => self.sle(self.child(t, 1), self.child(t, 0)),
            Op::Sle => self.slt(self.child(t, 1), self.child(t, 0)),
            _ => {
                assert_eq!(self.sort(t), Sort::Bool, "only a Bool can be negated");
                self.mk(Op::Not, Sort::Bool, &[t])
            }
        }
    }

    /// Conjunction of any number.
    pub fn and(&mut self, conjuncts: &[Term]) -> Term {
        self.junction(Op::And, conjuncts)
    }

    /// Disjunction of any number.
    pub fn or(&mut self, disjuncts: &[Term]) -> Term {
        self.junction(Op::Or, disjuncts)
    }

    /// Conjunction of two.
    pub fn and2(&mut self, a: Term, b: Term) -> Term {
        self.junction(Op::And, &[a, b])
    }

    /// Disjunction of two.
    pub fn or2(&mut self, a: Term, b: Term) -> Term {
        self.junction(Op::Or, &[a, b])
    }

    fn junction(&mut self, op: Op, terms: &[Term]) -> Term {
        let (unit, zero) = match op {
            Op::And => (self.tru(), self.fals()),
            _ => (self.fals(), self.tru()),
        };
        if let [a, b] = *terms {
            if a == zero || b == zero {
                return zero;
            }
            if a == unit || a == b {
                return b;
            }
            if b == unit {
                return a;
            }
        }
        let nested: usize = terms
            .iter()
            .filter(|t| self.op(**t) == op)
            .map(|t| self.children(*t).len())
            .sum();
        let flatten = nested + terms.len() <= FLAT;
        let mut parts = Vec::with_capacity(terms.len() + if flatten { nested } else { 0 });
        for &t in terms {
            if t == zero {
                return zero;
            }
            if t == unit {
                continue;
            }
            assert_eq!(self.sort(t), Sort::Bool, "a Bool was expected");
            if flatten && self.op(t) == op {
                parts.extend_from_slice(self.children(t));
            } else {
                parts.push(t);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let small = parts.len() <= COMPLEMENTS;
        for i in 0..parts.len() {
            let t = parts[i];
            let opposite = match self.op(t) {
                Op::Not => Some(self.child(t, 0)),
                Op::Ult | Op::Ule | Op::Slt | Op::Sle if small => Some(self.not(t)),
                _ => None,
            };
            if opposite.is_some_and(|o| parts.binary_search(&o).is_ok()) {
                return zero;
            }
        }
        match parts[..] {
            [] => unit,
            [t] => t,
            _ => self.mk(op, Sort::Bool, &parts),
        }
    }

    /// Implication.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or2(not_a, b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        self.eq(a, b)
    }

    /// If-then-else, of any sort.
    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        assert!(
            self.same_sort(yes, no),
            "branches of {} and {}",
            self.sort(yes),
            self.sort(no)
        );
        assert_eq!(self.sort(condition), Sort::Bool, "a condition is a Bool");
        if let Some(value) = self.as_bool(condition) {
            return if value { yes } else { no };
        }
        if yes == no {
            return yes;
        }
        if self.op(condition) == Op::Not {
            return self.ite(self.child(condition, 0), no, yes);
        }
        if self.sort(yes) == Sort::Bool {
            if yes == self.tru() || yes == condition {
                return self.or2(condition, no);
            }
            if no == self.fals() || no == condition {
                return self.and2(condition, yes);
            }
            if yes == self.fals() {
                let negated = self.not(condition);
                return self.and2(negated, no);
            }
            if no == self.tru() {
                let negated = self.not(condition);
                return self.or2(negated, yes);
            }
            if self.op(yes) == Op::Not && self.child(yes, 0) == no {
                return self.eq(condition, yes);
            }
            if self.op(no) == Op::Not && self.child(no, 0) == yes {
                return self.eq(condition, yes);
            }
        }
        if self.op(yes) == Op::Ite && self.child(yes, 0) == condition {
            return self.ite(condition, self.child(yes, 1), no);
        }
        if self.op(no) == Op::Ite {
            if self.child(no, 0) == condition {
                return self.ite(condition, yes, self.child(no, 2));
            }
            if self.child(no, 1) == yes {
                let either = self.or2(condition, self.child(no, 0));
                return self.ite(either, yes, self.child(no, 2));
            }
        }
        // ite(x = k, k, x) is x.
        if self.op(condition) == Op::Eq {
            let (a, b) = (self.child(condition, 0), self.child(condition, 1));
            if (a, b) == (yes, no) || (b, a) == (yes, no) {
                return no;
            }
        }
        let sort = self.sort(yes);
        self.mk(Op::Ite, sort, &[condition, yes, no])
    }

    /// All different, pair by pair.
    pub fn distinct(&mut self, terms: &[Term]) -> Term {
        let mut parts = Vec::new();
        for (i, &a) in terms.iter().enumerate() {
            for &b in &terms[i + 1..] {
                let same = self.eq(a, b);
                parts.push(self.not(same));
            }
        }
        self.and(&parts)
    }

    /// Not equal.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }
}
