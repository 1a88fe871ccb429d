//! Terms read from SMT-LIB text: truth values, bit vectors, and arrays of them.
//!
//! Who reads says what names mean. What is not of matching sorts, or is written with anything else, is
//! no term: text may come from a solver, or from a file that somebody damaged, and is never believed.

use super::sexpr::{Collector, Sexpr};
use crate::sort::Sort;
use crate::term::Term;
use crate::terms::Terms;
use num_bigint::BigUint;

/// Larger texts are not read, in nodes.
const LARGEST: usize = 2_000;
/// Nor those that nest deeper: reading recurses.
const DEEPEST: usize = 200;
/// Nor wider words.
const WIDEST: u32 = 4_096;

/// The term that a text stands for, where `names` says what its variables are. `None` if it stands for
/// none.
pub fn read_term(
    terms: &mut Terms,
    text: &str,
    names: &dyn Fn(&str) -> Option<Term>,
) -> Option<Term> {
    let mut depth = 0usize;
    for c in text.bytes() {
        match c {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return None;
        }
    }
    let read = Collector::default().line(text).ok()??;
    Reader::new(terms, names).term(&read)
}

/// Reads terms.
pub(super) struct Reader<'a> {
    terms: &'a mut Terms,
    names: &'a dyn Fn(&str) -> Option<Term>,
    left: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(terms: &'a mut Terms, names: &'a dyn Fn(&str) -> Option<Term>) -> Self {
        Reader {
            terms,
            names,
            left: LARGEST,
        }
    }

    pub(super) fn term(&mut self, text: &Sexpr) -> Option<Term> {
        self.left = self.left.checked_sub(1)?;
        let items = match text {
            Sexpr::Word(word) => return self.word(word),
            Sexpr::List(items) => items,
        };
        let (head, rest) = items.split_first()?;
        match head {
            Sexpr::Word(name) if name == "_" => self.decimal(rest),
            Sexpr::Word(name) => {
                let operands: Option<Vec<Term>> = rest.iter().map(|r| self.term(r)).collect();
                self.application(name, &operands?)
            }
            Sexpr::List(head) => {
                let [mark, name, numbers @ ..] = &head[..] else {
                    return None;
                };
                let numbers: Option<Vec<u32>> = numbers
                    .iter()
                    .map(|n| n.word()?.parse::<u32>().ok())
                    .collect();
                let [only] = rest else { return None };
                let t = self.term(only)?;
                match mark.word()? {
                    "_" => self.indexed(name.word()?, &numbers?, t),
                    _ => None,
                }
            }
        }
    }

    fn word(&mut self, word: &str) -> Option<Term> {
        match word {
            "true" => Some(self.terms.tru()),
            "false" => Some(self.terms.fals()),
            _ => match word.split_at_checked(2) {
                Some(("#x", digits)) if !digits.is_empty() => {
                    let value = BigUint::parse_bytes(digits.as_bytes(), 16)?;
                    Some(self.terms.bv_big(value, 4 * digits.len() as u32))
                }
                Some(("#b", digits)) if !digits.is_empty() => {
                    let value = BigUint::parse_bytes(digits.as_bytes(), 2)?;
                    Some(self.terms.bv_big(value, digits.len() as u32))
                }
                _ => (self.names)(word),
            },
        }
    }

    /// `(_ bv10 8)`, without its mark.
    fn decimal(&mut self, rest: &[Sexpr]) -> Option<Term> {
        let [value, width] = rest else { return None };
        let digits = value.word()?.strip_prefix("bv")?;
        let value = BigUint::parse_bytes(digits.as_bytes(), 10)?;
        let width: u32 = width.word()?.parse().ok()?;
        let fits = (1..=WIDEST).contains(&width) && value.bits() <= u64::from(width);
        fits.then(|| self.terms.bv_big(value, width))
    }

    fn indexed(&mut self, name: &str, numbers: &[u32], t: Term) -> Option<Term> {
        let Sort::BitVec(width) = self.terms.sort(t) else {
            return None;
        };
        match (name, numbers) {
            ("zero_extend", &[by]) => Some(self.terms.zext(t, wider(width, by)?)),
            ("sign_extend", &[by]) => Some(self.terms.sext(t, wider(width, by)?)),
            ("extract", &[high, low]) if low <= high && high < width => {
                Some(self.terms.extract(t, high, low))
            }
            _ => None,
        }
    }

    fn application(&mut self, name: &str, operands: &[Term]) -> Option<Term> {
        let terms = &mut *self.terms;
        let sorts: Vec<Sort> = operands.iter().map(|&t| terms.sort(t)).collect();
        let truths = sorts.iter().all(|&s| s == Sort::Bool);
        let same = sorts.windows(2).all(|pair| pair[0] == pair[1]);
        let vectors = same && matches!(sorts.first(), Some(Sort::BitVec(_)));
        match (name, operands) {
            ("and", all) if truths => return Some(terms.and(all)),
            ("or", all) if truths => return Some(terms.or(all)),
            ("not", &[a]) if truths => return Some(terms.not(a)),
            ("xor", &[a, b]) if truths => return Some(terms.xor(a, b)),
            ("=>", &[a, b]) if truths => return Some(terms.implies(a, b)),
            ("=", &[a, b]) if same => return Some(terms.eq(a, b)),
            ("distinct", &[a, b]) if same => return Some(terms.ne(a, b)),
            ("ite", &[c, a, b]) if sorts[0] == Sort::Bool && sorts[1] == sorts[2] => {
                return Some(terms.ite(c, a, b));
            }
            ("select", &[array, index]) => return self.select(array, index),
            ("store", &[array, index, value]) => {
                let element = self.select(array, index)?;
                let same = self.terms.sort(element) == self.terms.sort(value);
                return same.then(|| self.terms.store(array, index, value));
            }
            ("concat", &[high, low]) => {
                let width = |sort| match sort {
                    Sort::BitVec(width) => Some(width),
                    _ => None,
                };
                wider(width(sorts[0])?, width(sorts[1])?)?;
                return Some(terms.concat(high, low));
            }
            _ if !vectors => return None,
            ("bvnot", &[a]) => return Some(terms.bv_not(a)),
            ("bvneg", &[a]) => return Some(terms.neg(a)),
            _ => {}
        }
        // Sums and the like of any number of operands are those of the first, and so on.
        if let ("bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor", [first, rest @ .., last]) =
            (name, operands)
        {
            if !rest.is_empty() {
                let mut all = vec![*first];
                all.extend(rest);
                let all = self.application(name, &all)?;
                return self.application(name, &[all, *last]);
            }
        }
        let terms = &mut *self.terms;
        let &[a, b] = operands else { return None };
        Some(match name {
            "bvult" => terms.ult(a, b),
            "bvule" => terms.ule(a, b),
            "bvugt" => terms.ugt(a, b),
            "bvuge" => terms.uge(a, b),
            "bvslt" => terms.slt(a, b),
            "bvsle" => terms.sle(a, b),
            "bvsgt" => terms.sgt(a, b),
            "bvsge" => terms.sge(a, b),
            "bvadd" => terms.add(a, b),
            "bvsub" => terms.sub(a, b),
            "bvmul" => terms.mul(a, b),
            "bvudiv" => terms.udiv(a, b),
            "bvurem" => terms.urem(a, b),
            "bvsdiv" => terms.sdiv(a, b),
            "bvsrem" => terms.srem(a, b),
            "bvand" => terms.bv_and(a, b),
            "bvor" => terms.bv_or(a, b),
            "bvxor" => terms.bv_xor(a, b),
            "bvshl" => terms.shl(a, b),
            "bvlshr" => terms.lshr(a, b),
            "bvashr" => terms.ashr(a, b),
            _ => return None,
        })
    }

    fn select(&mut self, array: Term, index: Term) -> Option<Term> {
        let (Sort::Array { index: width, .. }, Sort::BitVec(wide)) =
            (self.terms.sort(array), self.terms.sort(index))
        else {
            return None;
        };
        (width == wide).then(|| self.terms.select(array, index))
    }
}

/// The width of a word with so many bits more.
fn wider(width: u32, by: u32) -> Option<u32> {
    width.checked_add(by).filter(|&w| w <= WIDEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read() {
        let mut terms = Terms::new();
        let [i, n] = ["i", "n"].map(|name| terms.var(name, Sort::BitVec(32)));
        let cells = Sort::Array {
            index: 32,
            element: 8,
        };
        let memory = terms.var("mem[a b]", cells);
        let names = |name: &str| match name {
            "i" => Some(i),
            "n" => Some(n),
            "mem[a b]" => Some(memory),
            _ => None,
        };
        let wanted = {
            let (two, read) = (terms.bv(2, 32), terms.select(memory, i));
            let (sum, wide) = (terms.add(i, n), terms.zext(read, 32));
            let (twice, less) = (terms.mul(sum, two), terms.ult(wide, n));
            let same = terms.eq(twice, n);
            terms.or(&[less, same])
        };
        let text = "(or (bvult ((_ zero_extend 24) (select |mem[a b]| i)) n) (= (bvmul (bvadd i n) (_ bv2 32)) n))";
        assert_eq!(read_term(&mut terms, text, &names), Some(wanted));
        let many = read_term(&mut terms, "(bvadd i n i)", &names);
        let nested = read_term(&mut terms, "(bvadd (bvadd i n) i)", &names);
        assert!(many.is_some() && many == nested);
    }

    #[test]
    fn what_is_no_term_is_not_read() {
        let mut terms = Terms::new();
        let (i, b) = (terms.var("i", Sort::BitVec(32)), terms.var("b", Sort::Bool));
        let names = |name: &str| match name {
            "i" => Some(i),
            "b" => Some(b),
            _ => None,
        };
        let deep = format!("{}b{}", "(not ".repeat(300), ")".repeat(300));
        for text in [
            "",
            "(",
            ")",
            "j",
            "(bvadd i b)",
            "(bvult i (_ bv0 8))",
            "(select i i)",
            "(store i i i)",
            "(concat i b)",
            "(_ bv0 4294967295)",
            "(_ bv256 8)",
            "(_ bv0 0)",
            "#x",
            "((_ sign_extend 4294967295) i)",
            "((_ extract 32 0) i)",
            "((_ extract 0 1) i)",
            "(exists i b)",
            "(ite b i b)",
            deep.as_str(),
        ] {
            assert_eq!(read_term(&mut terms, text, &names), None, "{text}");
        }
    }
}
