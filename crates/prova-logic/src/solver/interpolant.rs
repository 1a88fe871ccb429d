//! Interpolants by a solver that finds them itself: cvc5's `get-interpolant`, over a pipe.
//!
//! What comes back is read as a term over the variables that were sent: truth values and bit vectors,
//! which is what it is made of. Anything else is no answer. Nothing is believed of an answer: who
//! asks has to check it.

use super::child::SolverProcess;
use super::sexpr::Sexpr;
use crate::sort::Sort;
use crate::term::Term;
use crate::terms::Terms;
use crate::Script;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::time::Duration;

/// Larger answers are not read, in nodes.
const LARGEST: usize = 2_000;

/// A term between what is given and a goal that follows from it, over variables of both: whoever
/// satisfies all of `given` satisfies it, and whoever satisfies it satisfies `goal`. `None` if the
/// program is not there, takes longer, or says something that cannot be read.
pub fn interpolant(
    program: &str,
    terms: &mut Terms,
    given: &[Term],
    goal: Term,
    time: Duration,
) -> Option<Term> {
    let mut out = String::from("(set-option :produce-interpolants true)\n(set-logic ALL)\n");
    let mut script = Script::new();
    for &t in given {
        script.assert(terms, t, &mut out);
    }
    let goal_text = script.term(terms, goal, &mut out);
    let _ = writeln!(out, "(get-interpolant I {goal_text})");
    let mut names: FxHashMap<String, Term> = FxHashMap::default();
    for variable in terms.free_vars_of(&[given, &[goal]].concat()) {
        let symbol = script.symbol_of(variable)?.trim_matches('|');
        names.insert(symbol.to_string(), variable);
    }
    let millis = time.as_millis().max(1);
    let arguments = ["--lang=smt2".into(), format!("--tlimit={millis}")];
    let mut process = SolverProcess::start(program, &arguments).ok()?;
    process.send(out);
    let answer = process.receive(Some(time)).ok()?;
    match answer.list()? {
        [head, _, _, _, body] if head.word() == Some("define-fun") => {
            let read = &mut Reader {
                terms,
                names,
                left: LARGEST,
            };
            let t = read.term(body)?;
            (terms.sort(t) == Sort::Bool).then_some(t)
        }
        _ => None,
    }
}

/// Reads terms back.
struct Reader<'a> {
    terms: &'a mut Terms,
    names: FxHashMap<String, Term>,
    left: usize,
}

impl Reader<'_> {
    fn term(&mut self, text: &Sexpr) -> Option<Term> {
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
                Some(("#x", digits)) => {
                    let value = BigUint::parse_bytes(digits.as_bytes(), 16)?;
                    Some(self.terms.bv_big(value, 4 * digits.len() as u32))
                }
                Some(("#b", digits)) => {
                    let value = BigUint::parse_bytes(digits.as_bytes(), 2)?;
                    Some(self.terms.bv_big(value, digits.len() as u32))
                }
                _ => self.names.get(word).copied(),
            },
        }
    }

    /// `(_ bv10 8)`, without its mark.
    fn decimal(&mut self, rest: &[Sexpr]) -> Option<Term> {
        let [value, width] = rest else { return None };
        let digits = value.word()?.strip_prefix("bv")?;
        let value = BigUint::parse_bytes(digits.as_bytes(), 10)?;
        Some(self.terms.bv_big(value, width.word()?.parse().ok()?))
    }

    fn indexed(&mut self, name: &str, numbers: &[u32], t: Term) -> Option<Term> {
        let Sort::BitVec(width) = self.terms.sort(t) else {
            return None;
        };
        match (name, numbers) {
            ("zero_extend", &[by]) => Some(self.terms.zext(t, width.checked_add(by)?)),
            ("sign_extend", &[by]) => Some(self.terms.sext(t, width.checked_add(by)?)),
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
            _ if !vectors => return None,
            ("bvnot", &[a]) => return Some(terms.bv_not(a)),
            ("bvneg", &[a]) => return Some(terms.neg(a)),
            _ => {}
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cvc5_interpolates_if_it_is_there() {
        let mut terms = Terms::new();
        let word = Sort::BitVec(32);
        let [i, n, x] = ["i", "n", "x"].map(|name| terms.var(name, word));
        let zero = terms.bv(0, 32);
        let given = [terms.eq(i, zero), terms.eq(n, x), terms.slt(zero, x)];
        let goal = terms.sle(i, n);
        let time = Duration::from_secs(20);
        let Some(found) = interpolant("cvc5", &mut terms, &given, goal, time) else {
            return;
        };
        let spoken = terms.free_vars(found);
        assert!(!spoken.contains(&x), "{}", terms.display(found));
        let mut solver = crate::new_solver(&crate::SolverConfig::default()).expect("z3");
        let outside = terms.not(found);
        let all: Vec<Term> = given.into_iter().chain([outside]).collect();
        assert_eq!(solver.check(&terms, &all), crate::Answer::Unsat);
        let beyond = terms.not(goal);
        assert_eq!(solver.check(&terms, &[found, beyond]), crate::Answer::Unsat);
    }

    #[test]
    fn a_program_that_is_not_there_gives_nothing() {
        let mut terms = Terms::new();
        let goal = terms.tru();
        let time = Duration::from_millis(10);
        assert!(interpolant("/nowhere/cvc5", &mut terms, &[], goal, time).is_none());
    }
}
