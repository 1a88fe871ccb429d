//! Our terms as Z3's, each translated once per context.

use super::c_string;
use crate::float::RoundingMode;
use crate::print::symbol;
use crate::sort::{FloatFormat, Sort};
use crate::term::{Op, Term};
use crate::terms::Terms;
use rustc_hash::FxHashMap;
use std::ffi::CStr;
use z3_sys::*;

/// The translation table of one context. What it holds is counted, and freed with the context.
pub(super) struct Translator {
    context: Z3_context,
    /// The arena whose terms are in the memo.
    arena: Option<u64>,
    memo: FxHashMap<Term, Z3_ast>,
    sorts: FxHashMap<Sort, Z3_sort>,
    indicators: Vec<Z3_ast>,
}

impl Translator {
    pub(super) fn new(context: Z3_context) -> Translator {
        Translator {
            context,
            arena: None,
            memo: FxHashMap::default(),
            sorts: FxHashMap::default(),
            indicators: Vec::new(),
        }
    }

    /// The error of the last call, if there was one.
    pub(super) fn take_error(&self) -> Option<String> {
        // SAFETY: the message is Z3's, valid until the next call.
        unsafe {
            let code = Z3_get_error_code(self.context);
            if code == ErrorCode::Ok {
                return None;
            }
            let text = Z3_get_error_msg(self.context, code);
            Some(CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    fn keep(&self, ast: Option<Z3_ast>) -> Result<Z3_ast, String> {
        match (ast, self.take_error()) {
            (Some(ast), None) => {
                // SAFETY: the term was just made.
                unsafe { Z3_inc_ref(self.context, ast) };
                Ok(ast)
            }
            (_, error) => Err(error.unwrap_or_else(|| "Z3 made no term".to_string())),
        }
    }

    pub(super) fn sort(&mut self, sort: Sort) -> Result<Z3_sort, String> {
        if let Some(found) = self.sorts.get(&sort) {
            return Ok(*found);
        }
        let c = self.context;
        // SAFETY: plain construction; the sort is counted at once.
        let made = unsafe {
            let made = match sort {
                Sort::Bool => Z3_mk_bool_sort(c),
                Sort::BitVec(width) => Z3_mk_bv_sort(c, width),
                Sort::Float(FloatFormat {
                    exponent,
                    significand,
                }) => Z3_mk_fpa_sort(c, exponent, significand),
                Sort::Array { index, element } => {
                    let domain = self.sort(Sort::BitVec(index))?;
                    let range = self.sort(Sort::BitVec(element))?;
                    Z3_mk_array_sort(c, domain, range)
                }
            };
            let made = made.ok_or_else(|| format!("Z3 made no sort {sort}"))?;
            if let Some(ast) = Z3_sort_to_ast(c, made) {
                Z3_inc_ref(c, ast);
            }
            made
        };
        self.sorts.insert(sort, made);
        Ok(made)
    }

    fn constant(&mut self, name: &str, sort: Sort) -> Result<Z3_ast, String> {
        let sort = self.sort(sort)?;
        let name = c_string(name);
        // SAFETY: the name outlives the call.
        let ast = unsafe {
            let symbol = Z3_mk_string_symbol(self.context, name.as_ptr());
            symbol.and_then(|symbol| Z3_mk_const(self.context, symbol, sort))
        };
        self.keep(ast)
    }

    /// The Bool constant that stands for the n-th assumption of a check.
    pub(super) fn indicator(&mut self, n: usize) -> Result<Z3_ast, String> {
        while self.indicators.len() <= n {
            // No variable's symbol starts with `$`.
            let indicator = self.constant(&format!("$a{}", self.indicators.len()), Sort::Bool)?;
            self.indicators.push(indicator);
        }
        Ok(self.indicators[n])
    }

    pub(super) fn implication(&self, a: Z3_ast, b: Z3_ast) -> Result<Z3_ast, String> {
        // SAFETY: both terms are alive.
        self.keep(unsafe { Z3_mk_implies(self.context, a, b) })
    }

    pub(super) fn numeral(&mut self, text: &str, sort: Sort) -> Result<Z3_ast, String> {
        let sort = self.sort(sort)?;
        let text = c_string(text);
        // SAFETY: the text outlives the call.
        self.keep(unsafe { Z3_mk_numeral(self.context, text.as_ptr(), sort) })
    }

    fn rounding(&self, mode: RoundingMode) -> Result<Z3_ast, String> {
        let c = self.context;
        // SAFETY: plain construction.
        let ast = unsafe {
            match mode {
                RoundingMode::NearestTiesToEven => Z3_mk_fpa_rne(c),
                RoundingMode::NearestTiesToAway => Z3_mk_fpa_rna(c),
                RoundingMode::TowardPositive => Z3_mk_fpa_rtp(c),
                RoundingMode::TowardNegative => Z3_mk_fpa_rtn(c),
                RoundingMode::TowardZero => Z3_mk_fpa_rtz(c),
            }
        };
        self.keep(ast)
    }

    /// The term as Z3's.
    pub(super) fn translate(&mut self, terms: &Terms, t: Term) -> Result<Z3_ast, String> {
        if *self.arena.get_or_insert(terms.arena()) != terms.arena() {
            return Err("a solver was given terms of two arenas".to_string());
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(
                terms
                    .children(top)
                    .iter()
                    .filter(|c| !self.memo.contains_key(c)),
            );
            if stack.len() == waiting {
                let ast = self.node(terms, top)?;
                self.memo.insert(top, ast);
                stack.pop();
            }
        }
        Ok(self.memo[&t])
    }

    /// The other factor of a product with a power of two, and which one. Z3 makes a multiplier of
    /// such a product, which can cost it seconds where a shift costs nothing.
    fn by_power_of_two(&self, terms: &Terms, product: Term) -> Option<(Term, u32)> {
        let &[a, b] = terms.children(product) else {
            return None;
        };
        [(a, b), (b, a)].into_iter().find_map(|(factor, constant)| {
            let shift = terms.as_bits(constant)?.power_of_two()?;
            (shift > 0).then_some((factor, shift))
        })
    }

    fn node(&mut self, terms: &Terms, t: Term) -> Result<Z3_ast, String> {
        let c = self.context;
        let node = terms.node(t);
        let x: Vec<Z3_ast> = node.children.iter().map(|child| self.memo[child]).collect();
        let n = x.len() as u32;
        let extension = || match (node.sort, terms.sort(node.children[0])) {
            (Sort::BitVec(to), Sort::BitVec(from)) => to - from,
            _ => 0,
        };
        let width = node.sort.width().unwrap_or(1);
        let ast = match node.op {
            Op::Var => return self.constant(&symbol(terms, t), node.sort),
            Op::BvConst => {
                let bits = terms.as_bits(t).map_or_else(String::new, |b| b.to_string());
                return self.numeral(&bits, node.sort);
            }
            Op::FloatConst => return self.float_constant(terms, t),
            Op::FloatToBits => return self.float_bits(terms, t, x[0]),
            Op::ConstArray => match node.sort {
                Sort::Array { index, .. } => {
                    let domain = self.sort(Sort::BitVec(index))?;
                    // SAFETY: operands are alive, kept by this table; likewise below.
                    unsafe { Z3_mk_const_array(c, domain, x[0]) }
                }
                _ => None,
            },
            op @ (Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv) => {
                let mode = self.rounding(node.rounding)?;
                unsafe {
                    match op {
                        Op::Fadd => Z3_mk_fpa_add(c, mode, x[0], x[1]),
                        Op::Fsub => Z3_mk_fpa_sub(c, mode, x[0], x[1]),
                        Op::Fmul => Z3_mk_fpa_mul(c, mode, x[0], x[1]),
                        _ => Z3_mk_fpa_div(c, mode, x[0], x[1]),
                    }
                }
            }
            op @ (Op::Fsqrt | Op::Fround) => {
                let mode = self.rounding(node.rounding)?;
                unsafe {
                    match op {
                        Op::Fsqrt => Z3_mk_fpa_sqrt(c, mode, x[0]),
                        _ => Z3_mk_fpa_round_to_integral(c, mode, x[0]),
                    }
                }
            }
            op @ (Op::FloatToFloat | Op::SbvToFloat | Op::UbvToFloat) => {
                let mode = self.rounding(node.rounding)?;
                let sort = self.sort(node.sort)?;
                unsafe {
                    match op {
                        Op::FloatToFloat => Z3_mk_fpa_to_fp_float(c, mode, x[0], sort),
                        Op::SbvToFloat => Z3_mk_fpa_to_fp_signed(c, mode, x[0], sort),
                        _ => Z3_mk_fpa_to_fp_unsigned(c, mode, x[0], sort),
                    }
                }
            }
            op @ (Op::FloatToSbv | Op::FloatToUbv) => {
                let mode = self.rounding(RoundingMode::TowardZero)?;
                unsafe {
                    match op {
                        Op::FloatToSbv => Z3_mk_fpa_to_sbv(c, mode, x[0], width),
                        _ => Z3_mk_fpa_to_ubv(c, mode, x[0], width),
                    }
                }
            }
            Op::FloatFromBits => {
                let sort = self.sort(node.sort)?;
                unsafe { Z3_mk_fpa_to_fp_bv(c, x[0], sort) }
            }
            Op::Mul if self.by_power_of_two(terms, t).is_some() => {
                let (factor, shift) = self.by_power_of_two(terms, t).unwrap_or((t, 0));
                let factor = self.memo[&factor];
                let zeros = self.numeral("0", Sort::BitVec(shift))?;
                // SAFETY: plain construction, within the width.
                unsafe {
                    let low = Z3_mk_extract(c, width - 1 - shift, 0, factor);
                    let low = self.keep(low)?;
                    Z3_mk_concat(c, low, zeros)
                }
            }
            op => unsafe {
                match op {
                    Op::True => Z3_mk_true(c),
                    Op::False => Z3_mk_false(c),
                    Op::Not => Z3_mk_not(c, x[0]),
                    Op::And => Z3_mk_and(c, n, x.as_ptr()),
                    Op::Or => Z3_mk_or(c, n, x.as_ptr()),
                    Op::Eq => Z3_mk_eq(c, x[0], x[1]),
                    Op::Ite => Z3_mk_ite(c, x[0], x[1], x[2]),
                    Op::Add => Z3_mk_bvadd(c, x[0], x[1]),
                    Op::Mul => Z3_mk_bvmul(c, x[0], x[1]),
                    Op::Neg => Z3_mk_bvneg(c, x[0]),
                    Op::Udiv => Z3_mk_bvudiv(c, x[0], x[1]),
                    Op::Sdiv => Z3_mk_bvsdiv(c, x[0], x[1]),
                    Op::Urem => Z3_mk_bvurem(c, x[0], x[1]),
                    Op::Srem => Z3_mk_bvsrem(c, x[0], x[1]),
                    Op::BvAnd => Z3_mk_bvand(c, x[0], x[1]),
                    Op::BvOr => Z3_mk_bvor(c, x[0], x[1]),
                    Op::BvXor => Z3_mk_bvxor(c, x[0], x[1]),
                    Op::BvNot => Z3_mk_bvnot(c, x[0]),
                    Op::Shl => Z3_mk_bvshl(c, x[0], x[1]),
                    Op::Lshr => Z3_mk_bvlshr(c, x[0], x[1]),
                    Op::Ashr => Z3_mk_bvashr(c, x[0], x[1]),
                    Op::Concat => Z3_mk_concat(c, x[0], x[1]),
                    Op::Extract => Z3_mk_extract(c, node.bounds.0, node.bounds.1, x[0]),
                    Op::Zext => Z3_mk_zero_ext(c, extension(), x[0]),
                    Op::Sext => Z3_mk_sign_ext(c, extension(), x[0]),
                    Op::Ult => Z3_mk_bvult(c, x[0], x[1]),
                    Op::Ule => Z3_mk_bvule(c, x[0], x[1]),
                    Op::Slt => Z3_mk_bvslt(c, x[0], x[1]),
                    Op::Sle => Z3_mk_bvsle(c, x[0], x[1]),
                    Op::Fneg => Z3_mk_fpa_neg(c, x[0]),
                    Op::Fabs => Z3_mk_fpa_abs(c, x[0]),
                    Op::Feq => Z3_mk_fpa_eq(c, x[0], x[1]),
                    Op::Flt => Z3_mk_fpa_lt(c, x[0], x[1]),
                    Op::Fle => Z3_mk_fpa_leq(c, x[0], x[1]),
                    Op::FisNan => Z3_mk_fpa_is_nan(c, x[0]),
                    Op::FisInf => Z3_mk_fpa_is_infinite(c, x[0]),
                    Op::FisZero => Z3_mk_fpa_is_zero(c, x[0]),
                    Op::FisNeg => Z3_mk_fpa_is_negative(c, x[0]),
                    Op::Select => Z3_mk_select(c, x[0], x[1]),
                    Op::Store => Z3_mk_store(c, x[0], x[1], x[2]),
                    _ => None,
                }
            },
        };
        self.keep(ast)
    }

    fn float_constant(&mut self, terms: &Terms, t: Term) -> Result<Z3_ast, String> {
        let (format, bits) = terms.as_float(t).ok_or("not a float constant")?;
        let sort = self.sort(Sort::Float(format))?;
        if format.is_nan_bits(bits) {
            // SAFETY: plain construction.
            return self.keep(unsafe { Z3_mk_fpa_nan(self.context, sort) });
        }
        let pattern = self.numeral(&bits.to_string(), Sort::BitVec(format.width()))?;
        // SAFETY: the pattern is alive.
        self.keep(unsafe { Z3_mk_fpa_to_fp_bv(self.context, pattern, sort) })
    }

    /// The bits of a float. Z3 leaves a NaN's open; ours are canonical.
    fn float_bits(&mut self, terms: &Terms, t: Term, float: Z3_ast) -> Result<Z3_ast, String> {
        let c = self.context;
        let format = terms.format(terms.child(t, 0));
        let canonical = self.numeral(
            &format.canonical_nan().to_string(),
            Sort::BitVec(format.width()),
        )?;
        // SAFETY: every operand is kept before the next call.
        unsafe {
            let nan = self.keep(Z3_mk_fpa_is_nan(c, float))?;
            let bits = self.keep(Z3_mk_fpa_to_ieee_bv(c, float))?;
            self.keep(Z3_mk_ite(c, nan, canonical, bits))
        }
    }
}
