//! Evaluation, iterative and lazy: only the chosen branch of an if-then-else is looked at, a
//! conjunction stops at the first `false`, and a read walks down its chain of stores without
//! building any array.

use crate::bits::Bits;
use crate::build::float_to_bits_or_least;
use crate::float;
use crate::sort::{FloatFormat, Sort};
use crate::term::{Op, Term};
use crate::terms::Terms;
use crate::value::{ArrayValue, Model, Value};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Evaluates many terms under one assignment of the variables, sharing the work.
#[derive(Clone, Default)]
pub struct Evaluator {
    memo: FxHashMap<Term, Value>,
}

/// A term under evaluation. `cursor` is the next child, or for a read the array to look at.
struct Frame {
    term: Term,
    cursor: u32,
}

/// What a step of a frame came to.
enum Step {
    Done(Value),
    Need(Term),
}

impl Evaluator {
    /// An evaluator that knows nothing yet.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// The value of a term. Variables are asked of the callback, once each; `None` means zero.
    /// Use one evaluator with one assignment only.
    pub fn eval(
        &mut self,
        terms: &Terms,
        t: Term,
        mut variables: impl FnMut(Term) -> Option<Value>,
    ) -> Value {
        let mut stack = vec![Frame::new(terms, t)];
        while let Some(frame) = stack.last_mut() {
            if self.memo.contains_key(&frame.term) {
                stack.pop();
                continue;
            }
            match self.step(terms, frame, &mut variables) {
                Step::Done(value) => {
                    self.memo.insert(frame.term, value);
                    stack.pop();
                }
                Step::Need(next) => stack.push(Frame::new(terms, next)),
            }
        }
        self.memo[&t].clone()
    }

    fn step(
        &mut self,
        terms: &Terms,
        frame: &mut Frame,
        variables: &mut dyn FnMut(Term) -> Option<Value>,
    ) -> Step {
        let t = frame.term;
        let children = terms.children(t);
        match terms.op(t) {
            Op::Var => {
                let sort = terms.sort(t);
                let value = match variables(t) {
                    Some(value) => {
                        assert_eq!(
                            value.sort(),
                            sort,
                            "value of {} has the wrong sort",
                            terms.name(t)
                        );
                        value
                    }
                    None => Value::zero(sort),
                };
                Step::Done(value)
            }
            op @ (Op::And | Op::Or) => {
                let decisive = op == Op::Or;
                while let Some(&child) = children.get(frame.cursor as usize) {
                    match self.memo.get(&child) {
                        None => return Step::Need(child),
                        Some(value) if *value == Value::Bool(decisive) => {
                            return Step::Done(Value::Bool(decisive));
                        }
                        Some(_) => frame.cursor += 1,
                    }
                }
                Step::Done(Value::Bool(!decisive))
            }
            Op::Ite => match self.memo.get(&children[0]) {
                None => Step::Need(children[0]),
                Some(condition) => {
                    let chosen = children[if *condition == Value::Bool(true) {
                        1
                    } else {
                        2
                    }];
                    self.value_or_need(chosen)
                }
            },
            Op::Select => self.step_select(terms, frame),
            _ => {
                while let Some(&child) = children.get(frame.cursor as usize) {
                    if !self.memo.contains_key(&child) {
                        return Step::Need(child);
                    }
                    frame.cursor += 1;
                }
                Step::Done(self.apply(terms, t))
            }
        }
    }

    fn value_or_need(&self, t: Term) -> Step {
        match self.memo.get(&t) {
            Some(value) => Step::Done(value.clone()),
            None => Step::Need(t),
        }
    }

    fn step_select(&mut self, terms: &Terms, frame: &mut Frame) -> Step {
        let index_term = terms.child(frame.term, 1);
        let Some(index) = self.memo.get(&index_term) else {
            return Step::Need(index_term);
        };
        loop {
            let array = Term(frame.cursor);
            if let Some(Value::Array(value)) = self.memo.get(&array) {
                let Value::BitVec(index) = index else {
                    unreachable!("an index is a bit-vector")
                };
                return Step::Done(Value::BitVec(value.select(index).clone()));
            }
            match terms.op(array) {
                Op::Store => {
                    let at = terms.child(array, 1);
                    let Some(stored) = self.memo.get(&at) else {
                        return Step::Need(at);
                    };
                    if stored == index {
                        return self.value_or_need(terms.child(array, 2));
                    }
                    frame.cursor = terms.child(array, 0).0;
                }
                Op::Ite => {
                    let condition = terms.child(array, 0);
                    match self.memo.get(&condition) {
                        None => return Step::Need(condition),
                        Some(value) => {
                            let yes = *value == Value::Bool(true);
                            frame.cursor = terms.child(array, if yes { 1 } else { 2 }).0;
                        }
                    }
                }
                Op::ConstArray => return self.value_or_need(terms.child(array, 0)),
                _ => return Step::Need(array),
            }
        }
    }

    fn bits(&self, t: Term) -> &Bits {
        match &self.memo[&t] {
            Value::BitVec(bits) => bits,
            other => unreachable!("a bit-vector was expected, not {other}"),
        }
    }

    fn bool(&self, t: Term) -> bool {
        self.memo[&t] == Value::Bool(true)
    }

    fn float(&self, t: Term) -> (FloatFormat, u128) {
        match &self.memo[&t] {
            Value::Float(format, bits) => (*format, *bits),
            other => unreachable!("a float was expected, not {other}"),
        }
    }

    /// The value of a term whose children all have theirs.
    fn apply(&self, terms: &Terms, t: Term) -> Value {
        let c = terms.children(t);
        let sort = terms.sort(t);
        match sort {
            Sort::Bool => Value::Bool(self.apply_bool(terms, t, c)),
            Sort::BitVec(width) => Value::BitVec(self.apply_bits(terms, t, c, width)),
            Sort::Float(format) => Value::Float(
                format,
                format.canonical(self.apply_float(terms, t, c, format)),
            ),
            Sort::Array { index, .. } => {
                Value::Array(Box::new(self.apply_array(terms, t, c, index)))
            }
        }
    }

    fn apply_bool(&self, terms: &Terms, t: Term, c: &[Term]) -> bool {
        let float_order = || {
            let ((format, x), (_, y)) = (self.float(c[0]), self.float(c[1]));
            float::compare(format, x, y)
        };
        let test = |f: fn(FloatFormat, u128) -> bool| {
            let (format, x) = self.float(c[0]);
            f(format, x)
        };
        match terms.op(t) {
            Op::True => true,
            Op::False => false,
            Op::Not => !self.bool(c[0]),
            Op::Eq => match (&self.memo[&c[0]], &self.memo[&c[1]]) {
                (Value::Array(a), Value::Array(b)) => a.same(b),
                (a, b) => a == b,
            },
            Op::Ult => self.bits(c[0]).ucmp(self.bits(c[1])) == Ordering::Less,
            Op::Ule => self.bits(c[0]).ucmp(self.bits(c[1])) != Ordering::Greater,
            Op::Slt => self.bits(c[0]).scmp(self.bits(c[1])) == Ordering::Less,
            Op::Sle => self.bits(c[0]).scmp(self.bits(c[1])) != Ordering::Greater,
            Op::Feq => float_order() == Some(Ordering::Equal),
            Op::Flt => float_order() == Some(Ordering::Less),
            Op::Fle => matches!(float_order(), Some(Ordering::Less | Ordering::Equal)),
            Op::FisNan => test(float::is_nan),
            Op::FisInf => test(float::is_infinite),
            Op::FisZero => test(float::is_zero),
            Op::FisNeg => test(float::is_negative),
            other => unreachable!("{other:?} gives no Bool here"),
        }
    }

    fn apply_bits(&self, terms: &Terms, t: Term, c: &[Term], width: u32) -> Bits {
        let x = |i: usize| self.bits(c[i]);
        match terms.op(t) {
            Op::BvConst => terms.as_bits(t).unwrap_or_else(|| Bits::zero(width)),
            Op::Add => x(0).add(x(1)),
            Op::Mul => x(0).mul(x(1)),
            Op::Neg => x(0).neg(),
            Op::Udiv => x(0).udiv(x(1)),
            Op::Sdiv => x(0).sdiv(x(1)),
            Op::Urem => x(0).urem(x(1)),
            Op::Srem => x(0).srem(x(1)),
            Op::BvAnd => x(0).and(x(1)),
            Op::BvOr => x(0).or(x(1)),
            Op::BvXor => x(0).xor(x(1)),
            Op::BvNot => x(0).not(),
            Op::Shl => x(0).shl(x(1)),
            Op::Lshr => x(0).lshr(x(1)),
            Op::Ashr => x(0).ashr(x(1)),
            Op::Concat => x(0).concat(x(1)),
            Op::Extract => {
                let (hi, lo) = terms.bounds(t);
                x(0).extract(hi, lo)
            }
            Op::Zext => x(0).zext(width),
            Op::Sext => x(0).sext(width),
            op @ (Op::FloatToSbv | Op::FloatToUbv) => {
                let (format, bits) = self.float(c[0]);
                float_to_bits_or_least(op, format, bits, width)
            }
            Op::FloatToBits => {
                let (format, bits) = self.float(c[0]);
                Bits::new(format.canonical(bits), width)
            }
            other => unreachable!("{other:?} gives no bit-vector here"),
        }
    }

    fn apply_float(&self, terms: &Terms, t: Term, c: &[Term], format: FloatFormat) -> u128 {
        let mode = terms.rounding(t);
        let x = |i: usize| self.float(c[i]).1;
        let pattern = |i: usize| self.bits(c[i]).to_u128().unwrap_or(0);
        match terms.op(t) {
            Op::FloatConst => terms.as_float(t).map_or(0, |(_, bits)| bits),
            Op::Fadd => float::add(format, mode, x(0), x(1)),
            Op::Fsub => float::sub(format, mode, x(0), x(1)),
            Op::Fmul => float::mul(format, mode, x(0), x(1)),
            Op::Fdiv => float::div(format, mode, x(0), x(1)),
            Op::Fsqrt => float::sqrt(format, mode, x(0)),
            Op::Fround => float::round_to_integral(format, mode, x(0)),
            Op::Fneg => float::neg(format, x(0)),
            Op::Fabs => float::abs(format, x(0)),
            Op::FloatToFloat => {
                let (from, bits) = self.float(c[0]);
                float::convert(from, format, mode, bits)
            }
            Op::SbvToFloat => {
                float::from_signed(format, mode, self.bits(c[0]).to_i128().unwrap_or(0))
            }
            Op::UbvToFloat => float::from_unsigned(format, mode, pattern(0)),
            Op::FloatFromBits => pattern(0),
            other => unreachable!("{other:?} gives no float here"),
        }
    }

    fn apply_array(&self, terms: &Terms, t: Term, c: &[Term], index: u32) -> ArrayValue {
        match terms.op(t) {
            Op::ConstArray => ArrayValue::new(index, self.bits(c[0]).clone()),
            Op::Store => match &self.memo[&c[0]] {
                Value::Array(array) => {
                    let mut array = (**array).clone();
                    array.store(self.bits(c[1]).clone(), self.bits(c[2]).clone());
                    array
                }
                other => unreachable!("an array was expected, not {other}"),
            },
            other => unreachable!("{other:?} gives no array here"),
        }
    }
}

impl Frame {
    fn new(terms: &Terms, term: Term) -> Frame {
        let cursor = match terms.op(term) {
            Op::Select => terms.child(term, 0).0,
            _ => 0,
        };
        Frame { term, cursor }
    }
}

impl Terms {
    /// The value under a model; absent variables are zero.
    pub fn eval(&self, t: Term, model: &Model) -> Value {
        Evaluator::new().eval(self, t, |variable| model.get(variable).cloned())
    }

    /// The value, variables asked of a callback; `None` means zero.
    pub fn eval_with(&self, t: Term, variables: impl FnMut(Term) -> Option<Value>) -> Value {
        Evaluator::new().eval(self, t, variables)
    }

    /// Whether a Bool term is true under a model.
    pub fn holds(&self, t: Term, model: &Model) -> bool {
        self.eval(t, model) == Value::Bool(true)
    }

    /// The constant term of a value. Arrays become stores over a constant array.
    pub fn value(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(value) => self.bool_const(*value),
            Value::BitVec(bits) => self.bits(bits.clone()),
            Value::Float(format, bits) => self.float_const(*format, *bits),
            Value::Array(array) => {
                let default = self.bits(array.default.clone());
                let mut term = self.const_array(array.index, default);
                for (index, element) in array.entries() {
                    let index = self.bits(index.clone());
                    let element = self.bits(element.clone());
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }
}
