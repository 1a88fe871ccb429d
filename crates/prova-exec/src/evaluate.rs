//! Predicates over the state variables, evaluated at a state of a run. Memory is asked for the
//! cells that are read, never turned into an array.

use crate::run::Run;
use crate::state_vars::{sort_of, StateVar, StateVars};
use prova_ir::{FloatKind, RegId, Type};
use prova_logic::{float, Bits, Evaluator, Op, Sort, Term, Terms, Value};

/// What evaluation needs to know.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// The run.
    pub run: &'a Run,
    /// After so many edges.
    pub state: u32,
    /// The program's state variables.
    pub vars: &'a StateVars,
}

/// The value of a term over state variables and bases at a state. A variable that is neither
/// counts as zero.
pub fn eval_at(terms: &Terms, at: At, term: Term) -> Value {
    eval_at_with(terms, at, term, |_| None)
}

/// As [`eval_at`]; `given` tells the values of variables that are no part of the state.
pub fn eval_at_with(
    terms: &Terms,
    at: At,
    term: Term,
    given: impl Fn(Term) -> Option<Value>,
) -> Value {
    let scalar = |variable| match at.vars.meaning(variable) {
        Some(StateVar::Register(reg)) => Some(at.register(reg)),
        Some(StateVar::HeapTop) => {
            let top = at.run.heap_top_at(at.state);
            Some(Value::bv(u128::from(top), terms.width(variable)))
        }
        Some(StateVar::Memory(_)) => None,
        None => match base_value(at.run, at.vars, variable) {
            Some(base) => Some(Value::bv(u128::from(base), terms.width(variable))),
            None => given(variable),
        },
    };
    eval_lazily(terms, term, scalar, |variable, address, bytes| {
        match at.vars.meaning(variable) {
            Some(StateVar::Memory(_)) => Some(at.run.memory_at(address, bytes, at.state)),
            _ => None,
        }
    })
}

/// Evaluates a term whose array variables are too large to write down: `cell` is asked for what
/// an array variable holds at an address, in so many bytes.
pub fn eval_lazily(
    terms: &Terms,
    term: Term,
    scalar: impl Fn(Term) -> Option<Value>,
    cell: impl Fn(Term, u64, u32) -> Option<u128>,
) -> Value {
    let read = |variable: Term, index: &Bits| {
        let Sort::Array { element, .. } = terms.sort(variable) else {
            return None;
        };
        let bits = cell(variable, index.to_u64()?, element / 8)?;
        Some(Bits::new(bits, element))
    };
    Evaluator::new().eval_lazily(terms, term, scalar, read)
}

/// Whether a predicate holds at a state.
pub fn holds_at(terms: &Terms, at: At, predicate: Term) -> bool {
    eval_at(terms, at, predicate).as_bool() == Some(true)
}

/// The variables at the bottom of an array term.
pub(crate) fn array_variables(terms: &Terms, array: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut work = vec![array];
    while let Some(array) = work.pop() {
        let children = terms.children(array);
        match terms.op(array) {
            Op::Var => found.push(array),
            Op::Store => work.push(children[0]),
            Op::Ite => work.extend_from_slice(&children[1..]),
            _ => {}
        }
    }
    found
}

impl At<'_> {
    fn register(&self, reg: RegId) -> Value {
        let program = &self.run.code.program;
        let ty = program.register(reg).ty;
        value_of(ty, program.model, self.run.register_at(reg, self.state))
    }
}

/// Where a base variable lies in a run.
pub(crate) fn base_value(run: &Run, vars: &StateVars, variable: Term) -> Option<u64> {
    vars.base_of(variable).map(|base| match base {
        crate::domain::Base::Object(o) => run.layout.object(o),
        crate::domain::Base::Function(p) => run.layout.function(p),
        crate::domain::Base::Heap => run.layout.heap,
    })
}

/// Bits as the value of a type.
pub fn value_of(ty: Type, model: prova_ir::DataModel, bits: u128) -> Value {
    match (ty, sort_of(ty, model)) {
        (_, Sort::Bool) => Value::Bool(bits != 0),
        (Type::Float(kind), Sort::Float(format)) => {
            let bits = match kind {
                FloatKind::X87 => float::x87_from_storage(bits),
                _ => bits,
            };
            Value::Float(format, format.canonical(bits))
        }
        (_, Sort::BitVec(width)) => Value::bv(bits, width),
        (_, sort) => Value::zero(sort),
    }
}

/// A value as bits.
pub fn bits_of(value: &Value) -> Option<u128> {
    match value {
        Value::Bool(b) => Some(u128::from(*b)),
        Value::BitVec(bits) => bits.to_u128(),
        Value::Float(prova_logic::FloatFormat::X87, bits) => Some(float::x87_to_storage(*bits)),
        Value::Float(_, bits) => Some(*bits),
        Value::Array(_) => None,
    }
}
