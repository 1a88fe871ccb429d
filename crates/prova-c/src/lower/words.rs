//! Words of other verifiers: what CBMC and KLEE mean by a call is what it means here, so that
//! harnesses that were written for them run unchanged. `docs/other-tools.md` lists each word with
//! its meaning; a word that is not in this file is named and not modelled where it is reached.
//!
//! A program that defines a function of such a name means its own. What a word asks about memory
//! (`__CPROVER_r_ok` and its kin) becomes a call of a function that the weaving of properties
//! answers ([`prova_library::ASKED`]).

use super::*;
use crate::types::FunctionType;
use lang_c::ast::*;
use std::rc::Rc;

/// What CBMC's words start with.
const CBMC: &str = "__CPROVER_";
/// Functions whose result depends on their arguments and on nothing else.
const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";
/// So many calls of such a function are told apart.
const MOST_CALLS: u32 = 8;

/// What a condition that does not hold means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unless {
    /// The run is of no interest.
    Ignored,
    /// The run fails.
    Fails,
}

impl<'a> Lowerer<'a> {
    /// The value of a call of another tool's word, or `None` if it is none.
    pub fn foreign_word(
        &mut self,
        name: &'a str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        let ours = name.starts_with(CBMC) || name.starts_with("klee_");
        let input = name.starts_with("nondet_");
        if self.unit >= self.first_model || !(ours || input) || self.is_defined_word(name) {
            return Ok(None);
        }
        if input {
            return self.nondet_function(name, c);
        }
        let arguments = &c.node.arguments[..];
        if let Some(word) = name.strip_prefix("klee_") {
            return self.klee_word(word, arguments, c.span);
        }
        let word = &name[CBMC.len()..];
        if let Some(operation) = word.strip_prefix("overflow_") {
            return self.overflow_word(operation, arguments);
        }
        Ok(Some(match (word, arguments) {
            ("assume", [e]) => self.condition_word(e, None, Unless::Ignored, c.span)?,
            ("assert" | "precondition" | "postcondition", [e, rest @ ..]) if rest.len() <= 1 => {
                self.condition_word(e, rest.first(), Unless::Fails, c.span)?
            }
            ("r_ok" | "w_ok" | "rw_ok", [p, rest @ ..]) if rest.len() <= 1 => {
                let write = word != "r_ok";
                self.range_word(write, p, rest.first(), c.span)?
            }
            ("same_object", [p, q]) => self.ask(prova_library::SAME_OBJECT, &[p, q], c.span)?,
            ("POINTER_OFFSET", [p]) => self.ask(prova_library::OFFSET, &[p], c.span)?,
            ("OBJECT_SIZE", [p]) => self.ask(prova_library::OBJECT_SIZE, &[p], c.span)?,
            ("havoc_slice" | "havoc_object", [p, rest @ ..])
                if rest.len() == usize::from(word == "havoc_slice") =>
            {
                self.havoc_word(p, rest.first(), c.span)?
            }
            // Places that only say how something is to be solved, or what is to be covered.
            ("cover" | "input" | "output" | "allocated_memory" | "fence", all) => {
                for argument in all {
                    self.effect(argument)?;
                }
                self.void_value()
            }
            _ => return Ok(None),
        }))
    }

    /// Whether the program defines a function of this name itself.
    fn is_defined_word(&self, name: &str) -> bool {
        match self.lookup(name) {
            Some(Symbol::Function(proc)) => self.defined_by_user(*proc),
            Some(_) => true,
            None => false,
        }
    }

    /// `nondet_T()` without a body and without parameters: an arbitrary value of its type.
    fn nondet_function(
        &mut self,
        name: &'a str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        let Some(Symbol::Function(proc)) = self.lookup(name).cloned() else {
            return Ok(None);
        };
        let ty = self.types.function(self.functions[proc.index()].ty);
        let open = ty.is_some_and(|t| t.parameters.is_empty() && !t.variadic);
        if !open || !c.node.arguments.is_empty() {
            return Ok(None);
        }
        let kind = name.strip_prefix("nondet_").unwrap_or(name);
        self.input(name, kind, proc, &[], c.span).map(Some)
    }

    /// A condition, and what it means that it does not hold.
    fn condition_word(
        &mut self,
        condition: &'a Node<Expression>,
        text: Option<&'a Node<Expression>>,
        unless: Unless,
        span: CSpan,
    ) -> Result<Value> {
        let value = self.expr(condition)?;
        let holds = self.truth(value.expr);
        self.stand(span);
        match unless {
            Unless::Ignored => self.emit(Op::Assume(holds)),
            Unless::Fails => {
                let words = text.and_then(super::format::literal_of);
                let words = words.map(|w| String::from_utf8_lossy(&w).into_owned());
                let words = words.unwrap_or_else(|| self.excerpt(condition.span));
                self.fail_unless(holds, &words, span);
            }
        }
        Ok(self.void_value())
    }

    /// Where `holds` does not, an assertion has failed.
    pub fn fail_unless(&mut self, holds: ExprId, text: &str, span: CSpan) {
        let (next, failed) = (self.new_location(), self.new_location());
        self.stand(span);
        self.branch(holds, next, failed);
        self.frame.at = failed;
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let (object, _) = self.literal_object(bytes, IntKind::Char);
        let text = self.address(object);
        let proc = self.failed_assertion(span);
        self.emit(Op::Call {
            result: None,
            callee: Callee::Direct(proc),
            arguments: vec![text],
        });
        self.emit(Op::Halt(Halt::Abort));
        self.frame.at = next;
    }

    /// What a failed assertion of another tool's calls.
    fn failed_assertion(&mut self, span: CSpan) -> ProcId {
        let name = prova_library::FAILED_ASSERTION;
        if let Some(Symbol::Function(proc)) = self.externals.get(name) {
            return *proc;
        }
        let void = self.types.void();
        let pointer = self.void_pointer();
        let proc = self.function_of_ours(name, vec![pointer], void, span);
        self.program.procedures[proc.index()].noreturn = true;
        proc
    }

    pub fn function_of_ours(
        &mut self,
        name: &'static str,
        parameters: Vec<TypeId>,
        result: TypeId,
        span: CSpan,
    ) -> ProcId {
        let ty = self.types.make(Ty::Function(Rc::new(FunctionType {
            parameters: parameters.into_iter().map(Into::into).collect(),
            result: result.into(),
            variadic: false,
            prototype: true,
        })));
        let proc = self.new_function(name, ty, span);
        self.externals.insert(name, Symbol::Function(proc));
        proc
    }

    /// Whether `bytes` from `pointer` on may be read, or written; without a size, those of the
    /// type that it points to.
    fn range_word(
        &mut self,
        write: bool,
        pointer: &'a Node<Expression>,
        bytes: Option<&'a Node<Expression>>,
        span: CSpan,
    ) -> Result<Value> {
        let name = match write {
            true => prova_library::WRITABLE,
            false => prova_library::READABLE,
        };
        let value = self.expr(pointer)?;
        let size = match bytes {
            Some(bytes) => {
                let value = self.keep_value(value, bytes);
                let size = self.expr(bytes)?;
                let ty = self.size_type();
                let size = self.convert(size, ty, bytes.span)?;
                return self.ask_values(name, vec![value, size], span);
            }
            None => {
                let to = self.types.pointee(value.ty);
                let to = to.filter(|to| !self.types.is_void(to.id));
                to.map_or(Ok(1), |to| self.size_of(to.id, span))?
            }
        };
        let bits = self.pointer_bits();
        let size = Value {
            expr: self.int(u128::from(size), bits),
            ty: self.size_type(),
        };
        self.ask_values(name, vec![value, size], span)
    }

    /// A value that what comes next does not change.
    fn keep_value(&mut self, mut value: Value, next: &'a Node<Expression>) -> Value {
        value.expr = self.keep_from(value.expr, &Effects::of(next));
        value
    }

    /// An answer about pointers.
    fn ask(
        &mut self,
        name: &'static str,
        arguments: &[&'a Node<Expression>],
        span: CSpan,
    ) -> Result<Value> {
        let mut values = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            let mut value = self.expr(argument)?;
            for later in &arguments[i + 1..] {
                value = self.keep_value(value, later);
            }
            values.push(value);
        }
        self.ask_values(name, values, span)
    }

    /// The same of values: pointers, and a size behind them for those that take one.
    pub fn ask_values(
        &mut self,
        name: &'static str,
        values: Vec<Value>,
        span: CSpan,
    ) -> Result<Value> {
        let (pointer, size) = (self.void_pointer(), self.size_type());
        let takes_size = matches!(name, prova_library::READABLE | prova_library::WRITABLE);
        let mut types = vec![pointer; values.len()];
        if let (true, Some(last)) = (takes_size, types.last_mut()) {
            *last = size;
        }
        let mut passed = Vec::new();
        for (value, &ty) in values.into_iter().zip(&types) {
            passed.push(self.convert(value, ty, span)?.expr);
        }
        let number = matches!(name, prova_library::OFFSET | prova_library::OBJECT_SIZE);
        let result = if number { size } else { self.int_type() };
        let proc = match self.externals.get(name) {
            Some(Symbol::Function(proc)) => *proc,
            _ => self.function_of_ours(name, types, result, span),
        };
        let ir = self.ir_type(result, span)?;
        let target = self.temporary(ir);
        self.stand(span);
        self.emit(Op::Call {
            result: Some(target),
            callee: Callee::Direct(proc),
            arguments: passed,
        });
        Ok(Value {
            expr: self.program.read(target),
            ty: result,
        })
    }

    /// `__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(q)`, or with `!=`. The number of
    /// an object has no other meaning.
    pub fn compared_objects(
        &mut self,
        b: &'a Node<BinaryOperatorExpression>,
    ) -> Result<Option<Value>> {
        let equal = match b.node.operator.node {
            BinaryOperator::Equals => true,
            BinaryOperator::NotEquals => false,
            _ => return Ok(None),
        };
        let (Some(p), Some(q)) = (pointer_object(&b.node.lhs), pointer_object(&b.node.rhs)) else {
            return Ok(None);
        };
        if self.is_defined_word("__CPROVER_POINTER_OBJECT") {
            return Ok(None);
        }
        let same = self.ask(prova_library::SAME_OBJECT, &[p, q], b.span)?;
        let truth = self.truth(same.expr);
        let truth = match equal {
            true => truth,
            false => self.program.exprs.not(truth),
        };
        Ok(Some(self.truth_value(truth)))
    }

    /// Whether an operation on two values leaves the type that C computes it in.
    fn overflow_word(
        &mut self,
        operation: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Value>> {
        if let ("unary_minus", [e]) = (operation, arguments) {
            let value = self.expr(e)?;
            let ty = self.common_type(value.ty, value.ty);
            let value = self.convert(value, ty, e.span)?;
            let Some(kind) = self.types.integer(ty) else {
                return Ok(None);
            };
            let width = self.int_bits(kind);
            let (op, bound) = match kind.signed() {
                true => (BinaryOp::Eq, 1u128 << (width - 1)),
                false => (BinaryOp::Ne, 0),
            };
            let bound = self.int(bound, width);
            let over = self.binary(op, value.expr, bound);
            return Ok(Some(self.truth_value(over)));
        }
        let op = match operation {
            "plus" => BinaryOp::Add,
            "minus" => BinaryOp::Sub,
            "mult" => BinaryOp::Mul,
            _ => return Ok(None),
        };
        let [a, b] = arguments else {
            return Ok(None);
        };
        let values = self.arguments(arguments)?;
        let ty = self.common_type(values[0].ty, values[1].ty);
        let Some(kind) = self.types.integer(ty) else {
            return Ok(None);
        };
        let (width, signed) = (self.int_bits(kind), kind.signed());
        if width > 64 {
            return Ok(None);
        }
        let x = self.convert(values[0], ty, a.span)?.expr;
        let y = self.convert(values[1], ty, b.span)?.expr;
        let (x, y) = (
            self.resize(x, signed, 2 * width),
            self.resize(y, signed, 2 * width),
        );
        let exact = self.binary(op, x, y);
        let cut = self.resize(exact, false, width);
        let again = self.resize(cut, signed, 2 * width);
        let over = self.binary(BinaryOp::Ne, again, exact);
        Ok(Some(self.truth_value(over)))
    }

    /// Makes what lies behind a pointer arbitrary: so many bytes, or all of its object.
    fn havoc_word(
        &mut self,
        pointer: &'a Node<Expression>,
        bytes: Option<&'a Node<Expression>>,
        span: CSpan,
    ) -> Result<Value> {
        let mut start = self.expr(pointer)?;
        let size = match bytes {
            Some(bytes) => {
                start = self.keep_value(start, bytes);
                let size = self.expr(bytes)?;
                let ty = self.size_type();
                self.convert(size, ty, bytes.span)?
            }
            None => {
                start.expr = self.keep(start.expr);
                // From the object's first byte on.
                let offset = self.ask_values(prova_library::OFFSET, vec![start], span)?;
                let void = self.void_pointer();
                let base = self.convert(start, void, span)?;
                let zero = self.int(0, self.pointer_bits());
                let back = self.binary(BinaryOp::Sub, zero, offset.expr);
                start = Value {
                    expr: self.binary(BinaryOp::PtrAdd, base.expr, back),
                    ty: void,
                };
                self.ask_values(prova_library::OBJECT_SIZE, vec![start], span)?
            }
        };
        start.expr = self.keep(start.expr);
        let ok = self.ask_values(prova_library::WRITABLE, vec![start, size], span)?;
        let ok = self.truth(ok.expr);
        self.fail_unless(ok, "what is havocked can be written", span);
        self.make_arbitrary(start, size, "what is havocked", span)?;
        Ok(self.void_value())
    }

    /// Gives a range arbitrary contents.
    pub fn make_arbitrary(
        &mut self,
        start: Value,
        size: Value,
        what: &str,
        span: CSpan,
    ) -> Result<()> {
        let most = super::library::LARGEST_COPY;
        match fold::as_int(&self.program.exprs, size.expr) {
            Some((0, _)) => {}
            Some((count, _)) if count <= most => {
                let void = self.void_pointer();
                let start = self.convert(start, void, span)?;
                self.stand(span);
                self.emit(Op::Havoc {
                    address: start.expr,
                    size: count as u64,
                    origin: Origin::Choice(what.to_owned()),
                });
            }
            _ => {
                self.model_call("__CPROVER_havoc_slice", vec![start, size], span)?;
            }
        }
        Ok(())
    }

    fn klee_word(
        &mut self,
        word: &str,
        arguments: &'a [Node<Expression>],
        span: CSpan,
    ) -> Result<Option<Value>> {
        Ok(Some(match (word, arguments) {
            ("assume", [e]) => self.condition_word(e, None, Unless::Ignored, span)?,
            ("assert", [e]) => self.condition_word(e, None, Unless::Fails, span)?,
            ("make_symbolic", [p, n, _]) => {
                let start = self.expr(p)?;
                let start = self.keep_value(start, n);
                let size = self.expr(n)?;
                let ty = self.size_type();
                let size = self.convert(size, ty, n.span)?;
                self.make_arbitrary(start, size, "klee_make_symbolic", span)?;
                self.void_value()
            }
            ("int", [_]) => self.any_scalar("int", Origin::Input("klee_int".into()), span)?,
            ("range", [low, high, _]) => {
                let low = self.int_argument(low)?;
                let high = self.int_argument(high)?;
                let origin = Origin::Input("klee_range".into());
                let value = self.any_scalar("int", origin, span)?;
                let above = self.binary(BinaryOp::SLe, low, value.expr);
                self.emit(Op::Assume(above));
                let below = self.binary(BinaryOp::SLt, value.expr, high);
                self.emit(Op::Assume(below));
                value
            }
            ("silent_exit", [code]) => {
                self.effect(code)?;
                self.stand(span);
                let never = self.program.exprs.bool(false);
                self.emit(Op::Assume(never));
                self.void_value()
            }
            ("prefer_cex" | "warning" | "warning_once" | "open_merge" | "close_merge", all) => {
                for argument in all {
                    self.effect(argument)?;
                }
                self.void_value()
            }
            _ => return Ok(None),
        }))
    }

    fn int_argument(&mut self, e: &'a Node<Expression>) -> Result<ExprId> {
        let value = self.expr(e)?;
        let int = self.int_type();
        let value = self.convert(value, int, e.span)?;
        Ok(self.keep(value.expr))
    }

    /// Gives functions whose result depends on their arguments alone a body that remembers what
    /// they gave for which arguments. Beyond [`MOST_CALLS`] different ones nothing is known.
    pub fn uninterpreted_functions(&mut self) {
        for index in 0..self.functions.len() {
            let procedure = &self.program.procedures[index];
            let named = procedure.c_name.starts_with(UNINTERPRETED) && procedure.body.is_none();
            let Some(result) = procedure.result.filter(|_| named && !procedure.variadic) else {
                continue;
            };
            let parameters = procedure.parameters.clone();
            let float = |r: &RegId| matches!(self.program.register(*r).ty, Type::Float(_));
            if !parameters.iter().any(float) {
                self.remembering(ProcId::new(index), &parameters, result);
            }
        }
    }

    fn remembering(&mut self, proc: ProcId, parameters: &[RegId], result: RegId) {
        let procedure = self.program.procedure(proc);
        let (name, span) = (procedure.c_name.clone(), procedure.span);
        self.new_frame();
        self.frame.proc = Some(proc);
        self.frame.here = span;
        let exit = self.frame.body.exit;
        let count = self.remembered(&format!("{name}.calls"), Type::Int(32));
        for call in 0..MOST_CALLS {
            let like = |s: &Self, r: RegId| s.program.register(r).ty;
            let mut kept = Vec::new();
            for (i, &p) in parameters.iter().enumerate() {
                let ty = like(self, p);
                kept.push(self.remembered(&format!("{name}.{call}.{i}"), ty));
            }
            let ty = like(self, result);
            let gave = self.remembered(&format!("{name}.{call}.result"), ty);
            let (first, known, same, next) = (
                self.new_location(),
                self.new_location(),
                self.new_location(),
                self.new_location(),
            );
            let (calls, number) = (self.program.read(count), self.int(u128::from(call), 32));
            let none = self.binary(BinaryOp::ULe, calls, number);
            self.branch(none, first, known);
            self.frame.at = first;
            self.emit(Op::Nondet {
                target: result,
                origin: Origin::Input(name.clone()),
            });
            for (&slot, &p) in kept.iter().zip(parameters) {
                let value = self.program.read(p);
                self.assign(slot, value);
            }
            let value = self.program.read(result);
            self.assign(gave, value);
            let number = self.int(u128::from(call) + 1, 32);
            self.assign(count, number);
            self.jump(exit);
            self.frame.at = known;
            for (&slot, &p) in kept.iter().zip(parameters) {
                let (a, b) = (self.program.read(slot), self.program.read(p));
                let equal = self.binary(BinaryOp::Eq, a, b);
                let more = self.new_location();
                self.branch(equal, more, next);
                self.frame.at = more;
            }
            self.jump(same);
            self.frame.at = same;
            let value = self.program.read(gave);
            self.assign(result, value);
            self.jump(exit);
            self.frame.at = next;
        }
        let what = format!("more than {MOST_CALLS} different calls of `{name}`");
        let marker = self.new_marker(MarkerKind::Other(what), CSpan::none());
        self.emit(Op::Marker(marker));
        self.emit(Op::Nondet {
            target: result,
            origin: Origin::Unmodelled(marker),
        });
        self.jump(exit);
        let mut body = self.new_frame().body;
        crate::tidy::tidy(&mut body, &self.program, Some(result));
        self.program.procedures[proc.index()].body = Some(body);
    }

    /// A variable that nobody but a body of ours sees.
    fn remembered(&mut self, name: &str, ty: Type) -> RegId {
        let name = self.unique_name(name);
        let initial = Some(self.zero(ty));
        self.program.add_register(Register {
            name,
            c_name: String::new(),
            ty,
            ctype: None,
            owner: None,
            role: Role::Global,
            initial,
            span: Span::NONE,
        })
    }
}

/// The pointer whose object's number an expression is.
fn pointer_object(e: &Node<Expression>) -> Option<&Node<Expression>> {
    let Expression::Call(c) = &e.node else {
        return None;
    };
    let Expression::Identifier(name) = &c.node.callee.node else {
        return None;
    };
    match &c.node.arguments[..] {
        [p] if name.node.name == "__CPROVER_POINTER_OBJECT" => Some(p),
        _ => None,
    }
}
