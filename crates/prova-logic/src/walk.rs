//! Walking terms, with an explicit stack: they may be a million deep.

use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;
use rustc_hash::FxHashSet;

impl Terms {
    /// The term with other children, built anew (and so simplified) by its constructor.
    pub fn rebuild(&mut self, t: Term, children: &[Term]) -> Term {
        if self.children(t) == children {
            return t;
        }
        let (op, mode, (hi, lo)) = (self.op(t), self.rounding(t), self.bounds(t));
        let sort = self.sort(t);
        let width = sort.width().unwrap_or(1);
        let format = sort.format();
        let c = |i: usize| children[i];
        match (op, format) {
            (Op::True | Op::False | Op::Var | Op::BvConst | Op::FloatConst, _) => t,
            (Op::Not, _) => self.not(c(0)),
            (Op::And, _) => self.and(children),
            (Op::Or, _) => self.or(children),
            (Op::Eq, _) => self.eq(c(0), c(1)),
            (Op::Ite, _) => self.ite(c(0), c(1), c(2)),
            (Op::Add, _) => self.add(c(0), c(1)),
            (Op::Mul, _) => self.mul(c(0), c(1)),
            (Op::Neg, _) => self.neg(c(0)),
            (Op::Udiv, _) => self.udiv(c(0), c(1)),
            (Op::Sdiv, _) => self.sdiv(c(0), c(1)),
            (Op::Urem, _) => self.urem(c(0), c(1)),
            (Op::Srem, _) => self.srem(c(0), c(1)),
            (Op::BvAnd, _) => self.bv_and(c(0), c(1)),
            (Op::BvOr, _) => self.bv_or(c(0), c(1)),
            (Op::BvXor, _) => self.bv_xor(c(0), c(1)),
            (Op::BvNot, _) => self.bv_not(c(0)),
            (Op::Shl, _) => self.shl(c(0), c(1)),
            (Op::Lshr, _) => self.lshr(c(0), c(1)),
            (Op::Ashr, _) => self.ashr(c(0), c(1)),
            (Op::Concat, _) => self.concat(c(0), c(1)),
            (Op::Extract, _) => self.extract(c(0), hi, lo),
            (Op::Zext, _) => self.zext(c(0), width),
            (Op::Sext, _) => self.sext(c(0), width),
            (Op::Ult, _) => self.ult(c(0), c(1)),
            (Op::Ule, _) => self.ule(c(0), c(1)),
            (Op::Slt, _) => self.slt(c(0), c(1)),
            (Op::Sle, _) => self.sle(c(0), c(1)),
            (Op::Fadd, _) => self.fadd_r(mode, c(0), c(1)),
            (Op::Fsub, _) => self.fsub_r(mode, c(0), c(1)),
            (Op::Fmul, _) => self.fmul_r(mode, c(0), c(1)),
            (Op::Fdiv, _) => self.fdiv_r(mode, c(0), c(1)),
            (Op::Fsqrt, _) => self.fsqrt_r(mode, c(0)),
            (Op::Fround, _) => self.round_to_integral(mode, c(0)),
            (Op::Fneg, _) => self.fneg(c(0)),
            (Op::Fabs, _) => self.fabs(c(0)),
            (Op::Feq, _) => self.feq(c(0), c(1)),
            (Op::Flt, _) => self.flt(c(0), c(1)),
            (Op::Fle, _) => self.fle(c(0), c(1)),
            (Op::FisNan, _) => self.is_nan(c(0)),
            (Op::FisInf, _) => self.is_inf(c(0)),
            (Op::FisZero, _) => self.is_zero(c(0)),
            (Op::FisNeg, _) => self.is_neg(c(0)),
            (Op::FloatToFloat, Some(to)) => self.float_to_float_r(mode, c(0), to),
            (Op::SbvToFloat, Some(to)) => self.sbv_to_float_r(mode, c(0), to),
            (Op::UbvToFloat, Some(to)) => self.ubv_to_float_r(mode, c(0), to),
            (Op::FloatFromBits, Some(to)) => self.float_from_bits(c(0), to),
            (Op::FloatToSbv | Op::FloatToUbv, _) => self.raw_float_to_bv(op, c(0), width),
            (Op::FloatToBits, _) => self.float_to_bits(c(0)),
            (Op::ConstArray, _) => match sort {
                Sort::Array { index, .. } => self.const_array(index, c(0)),
                _ => unreachable!("a constant array has an array sort"),
            },
            (Op::Select, _) => self.select(c(0), c(1)),
            (Op::Store, _) => self.store(c(0), c(1), c(2)),
            (Op::FloatToFloat | Op::SbvToFloat | Op::UbvToFloat | Op::FloatFromBits, None) => {
                unreachable!("a conversion to float has a float sort")
            }
        }
    }

    /// Every subterm of the roots once, children before parents.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut order = Vec::new();
        let mut stack: Vec<(Term, u32)> = Vec::new();
        for &root in roots {
            if seen.insert(root) {
                stack.push((root, 0));
            }
            while let Some((t, next)) = stack.last_mut() {
                match self.children(*t).get(*next as usize) {
                    Some(&child) => {
                        *next += 1;
                        if seen.insert(child) {
                            stack.push((child, 0));
                        }
                    }
                    None => {
                        order.push(*t);
                        stack.pop();
                    }
                }
            }
        }
        order
    }

    /// Number of distinct subterms, the term itself included.
    pub fn size(&self, t: Term) -> usize {
        self.post_order(&[t]).len()
    }

    /// The conjuncts of a conjunction, nested ones taken apart; the term itself if it is none.
    pub fn conjuncts(&self, t: Term) -> Vec<Term> {
        self.parts(Op::And, self.tru(), t)
    }

    /// The disjuncts of a disjunction, nested ones taken apart.
    pub fn disjuncts(&self, t: Term) -> Vec<Term> {
        self.parts(Op::Or, self.fals(), t)
    }

    fn parts(&self, op: Op, unit: Term, t: Term) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut parts = Vec::new();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if t == unit || !seen.insert(t) {
                continue;
            }
            if self.op(t) == op {
                stack.extend(self.children(t).iter().rev());
            } else {
                parts.push(t);
            }
        }
        parts
    }

    /// The free variables, in order of creation.
    pub fn free_vars(&self, t: Term) -> Vec<Term> {
        self.free_vars_of(&[t])
    }

    /// The variables free in any of the terms, in order of creation.
    pub fn free_vars_of(&self, terms: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut found = FxHashSet::default();
        let mut variables = Vec::new();
        let mut stack = terms.to_vec();
        while let Some(t) = stack.pop() {
            match self.var_sets.variables(self.var_set(t)) {
                Some(exact) => {
                    variables.extend(exact.iter().filter(|v| found.insert(**v)));
                }
                // Too many to be kept: ask the children.
                None if seen.insert(t) => stack.extend_from_slice(self.children(t)),
                None => {}
            }
        }
        variables.sort_unstable();
        variables
    }

    /// Whether a variable is free in a term.
    pub fn mentions(&self, t: Term, variable: Term) -> bool {
        let bit = self.var_sets.bit(variable);
        let mut seen = FxHashSet::default();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            let set = self.var_set(t);
            if self.var_sets.signature(set) & bit == 0 {
                continue;
            }
            match self.var_sets.variables(set) {
                Some(exact) if exact.binary_search(&variable).is_ok() => return true,
                Some(_) => {}
                None if seen.insert(t) => stack.extend_from_slice(self.children(t)),
                None => {}
            }
        }
        false
    }

    /// Whether no variable is free in the term.
    pub fn is_closed(&self, t: Term) -> bool {
        self.var_set(t) == crate::var_sets::EMPTY
    }
}
