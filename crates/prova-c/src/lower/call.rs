//! Calls (C11 6.5.2.2): structures go by a pointer to a copy, structure results through a hidden
//! first argument, arguments behind `...` in slots.

use super::order::Operand;
use super::*;
use crate::types::FunctionType;
use lang_c::ast::*;
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    pub fn call(&mut self, c: &'a Node<CallExpression>, wanted: bool) -> Result<Value> {
        let arguments = &c.node.arguments;
        if let Expression::Identifier(name) = &c.node.callee.node {
            let text = name.node.name.as_str();
            let symbol = self.lookup(text).cloned();
            if !matches!(symbol, Some(Symbol::Variable(_))) {
                if let Some(value) = self.builtin(text, c)? {
                    return Ok(value);
                }
                let proc = match symbol {
                    Some(Symbol::Function(proc)) => proc,
                    Some(_) => {
                        return Err(self.error(name.span, format!("`{text}` is not a function")))
                    }
                    None => self.implicit_function(name),
                };
                if let Some(value) = self.observed_call(text, proc, c)? {
                    return Ok(value);
                }
                if !self.defined_by_user(proc) {
                    if let Some(value) = self.library_call(text, proc, c, wanted)? {
                        return Ok(value);
                    }
                }
                self.use_function(proc, c.span);
                if let Some(address) = self.perhaps(proc) {
                    self.call_what_exists(address, c.span);
                }
                return self.call_direct(proc, arguments, wanted, c.span);
            }
        }
        let operands: Vec<Operand<'a>> = std::iter::once(&*c.node.callee)
            .chain(arguments)
            .map(Operand::Value)
            .collect();
        let settled = self.in_any_order(&operands, c.span)?;
        let value = self.call_pointer(c, wanted);
        self.ordered_done(settled);
        value
    }

    /// A call of what an expression says.
    fn call_pointer(&mut self, c: &'a Node<CallExpression>, wanted: bool) -> Result<Value> {
        let arguments = &c.node.arguments;
        let callee = self.expr(&c.node.callee)?;
        let Some(ty) = self.types.function(callee.ty) else {
            let shown = self.types.show(callee.ty.into());
            return Err(self.error(c.node.callee.span, format!("`{shown}` is not a function")));
        };
        if let Expr::Function(proc) = self.program.exprs.get(callee.expr) {
            return self.call_direct(proc, arguments, wanted, c.span);
        }
        let mut target = callee.expr;
        for argument in arguments {
            target = self.keep_from(target, &Effects::of(argument));
        }
        self.call_with(Callee::Indirect(target), &ty, arguments, wanted, c.span)
    }

    pub fn call_direct(
        &mut self,
        proc: ProcId,
        arguments: &'a [Node<Expression>],
        wanted: bool,
        span: CSpan,
    ) -> Result<Value> {
        let ty = self.functions[proc.index()].ty;
        let ty = self
            .types
            .function(ty)
            .expect("functions have function types");
        let value = self.call_with(Callee::Direct(proc), &ty, arguments, wanted, span)?;
        let noreturn = self.program.procedure(proc).noreturn;
        if noreturn && self.functions[proc.index()].definition.is_none() {
            // If it does return, behaviour is undefined.
            self.emit(Op::Halt(Halt::Trap));
            self.frame.at = self.new_location();
        }
        Ok(value)
    }

    /// Whether the program defines a function itself, so that nothing is known of it.
    pub fn defined_by_user(&self, proc: ProcId) -> bool {
        let definition = self.functions[proc.index()].definition;
        definition.is_some_and(|(unit, _)| unit < self.first_model)
    }

    /// The arguments' values, evaluated from left to right.
    pub fn arguments(&mut self, arguments: &'a [Node<Expression>]) -> Result<Vec<Value>> {
        let effects: Vec<Effects<'_>> = arguments.iter().map(Effects::of).collect();
        let operands: Vec<Operand<'a>> = arguments.iter().map(Operand::Value).collect();
        let settled = match arguments {
            [first, ..] => self.in_any_order(&operands, first.span)?,
            [] => return Ok(Vec::new()),
        };
        let mut values = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let mut value = self.expr(argument)?;
            if self.types.record(value.ty).is_none() && !self.types.is_void(value.ty) {
                for later in &effects[index + 1..] {
                    value.expr = self.keep_from(value.expr, later);
                }
            }
            values.push(value);
        }
        self.ordered_done(settled);
        Ok(values)
    }

    fn call_with(
        &mut self,
        callee: Callee,
        ty: &Rc<FunctionType>,
        arguments: &'a [Node<Expression>],
        wanted: bool,
        span: CSpan,
    ) -> Result<Value> {
        let values = self.arguments(arguments)?;
        let spans: Vec<CSpan> = arguments.iter().map(|a| a.span).collect();
        self.call_values(callee, ty, values, &spans, wanted, span)
    }

    /// A call with evaluated arguments.
    pub fn call_values(
        &mut self,
        callee: Callee,
        ty: &Rc<FunctionType>,
        values: Vec<Value>,
        spans: &[CSpan],
        _wanted: bool,
        span: CSpan,
    ) -> Result<Value> {
        self.stand(span);
        let known = ty.prototype || !ty.parameters.is_empty();
        let direct = matches!(callee, Callee::Direct(_));
        let defined = match callee {
            Callee::Direct(p) => self.functions[p.index()].definition.is_some(),
            Callee::Indirect(_) => false,
        };
        if known && values.len() < ty.parameters.len() {
            if ty.prototype {
                return Err(self.error(span, "this call has too few arguments"));
            }
            self.warn(span, "this call has too few arguments");
        }
        if ty.prototype && !ty.variadic && values.len() > ty.parameters.len() {
            return Err(self.error(span, "this call has too many arguments"));
        }
        let mut passed = Vec::with_capacity(values.len() + 2);
        let mut result_place = None;
        if self.types.record(ty.result.id).is_some() {
            let size = self.size_of(ty.result.id, span)?;
            let align = self.align_of(ty.result.id);
            let object = self.temporary_object(size, align, Some(ty.result.id));
            let address = self.address(object);
            result_place = Some(address);
            passed.push(address);
        }
        let mut rest = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            let at = spans.get(index).copied().unwrap_or(span);
            match ty.parameters.get(index) {
                Some(parameter) => {
                    let value = if ty.prototype {
                        self.convert_for_assignment(value, parameter.id, at)?
                    } else {
                        let value = self.default_promotion(value, at)?;
                        self.convert(value, parameter.id, at)?
                    };
                    let value = self.pass(value, at)?;
                    passed.push(value);
                }
                None => {
                    let value = if self.types.record(value.ty).is_some() {
                        value
                    } else {
                        self.default_promotion(value, at)?
                    };
                    rest.push(value);
                }
            }
        }
        let given = passed.len() - usize::from(result_place.is_some());
        for parameter in ty.parameters.iter().skip(given) {
            // Too few arguments for an old-style function: arbitrary values.
            let ir = self.ir_type(parameter.id, span)?;
            let target = self.temporary(ir);
            self.emit(Op::Nondet {
                target,
                origin: Origin::Uninitialised,
            });
            passed.push(self.program.read(target));
        }
        if ty.variadic || (!known && direct && !defined) {
            let slots = self.slots(&rest, span)?;
            passed.push(slots);
        } else if !known && !direct {
            for value in rest {
                let value = self.pass(value, span)?;
                passed.push(value);
            }
        }
        let result = if result_place.is_some() || self.types.is_void(ty.result.id) {
            None
        } else {
            let ir = self.ir_type(ty.result.id, span)?;
            Some(self.temporary(ir))
        };
        self.stand(span);
        self.emit(Op::Call {
            result,
            callee,
            arguments: passed,
        });
        Ok(match (result_place, result) {
            (Some(expr), _) => Value {
                expr,
                ty: ty.result.id,
            },
            (None, Some(reg)) => Value {
                expr: self.program.read(reg),
                ty: self.types.plain(ty.result.id),
            },
            (None, None) => self.void_value(),
        })
    }

    /// How a value is passed: structures as the address of a copy.
    fn pass(&mut self, value: Value, span: CSpan) -> Result<ExprId> {
        if self.types.record(value.ty).is_none() {
            self.ir_type(value.ty, span)?;
            return Ok(value.expr);
        }
        let size = self.size_of(value.ty, span)?;
        let align = self.align_of(value.ty);
        let object = self.temporary_object(size, align, Some(value.ty));
        let target = self.address(object);
        if size > 0 {
            self.emit(Op::Copy {
                target,
                source: value.expr,
                size,
            });
        }
        Ok(target)
    }

    /// A function called without a declaration: `int f()`.
    fn implicit_function(&mut self, name: &'a Node<Identifier>) -> ProcId {
        let text = name.node.name.as_str();
        self.warn(
            name.span,
            format!("`{text}` is called but not declared, `int {text}()` is assumed"),
        );
        let result = self.int_type().into();
        let ty = self.types.make(Ty::Function(Rc::new(FunctionType {
            result,
            parameters: Vec::new(),
            variadic: false,
            prototype: false,
        })));
        let proc = match self.externals.get(text) {
            Some(Symbol::Function(proc)) => *proc,
            _ => {
                let proc = self.new_function(text, ty, name.span);
                self.functions[proc.index()].implicit = true;
                self.externals.insert(text, Symbol::Function(proc));
                proc
            }
        };
        self.scopes[0].names.insert(text, Symbol::Function(proc));
        proc
    }
}
