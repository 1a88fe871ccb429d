//! `__builtin_…` and the names the parser was given for what it does not know. What is computed
//! here is computed exactly; the rest is marked as not modelled.

use super::*;
use crate::fixups::reserved;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    /// The condition inside `__builtin_expect`.
    pub fn expected_condition(&self, c: &'a Node<CallExpression>) -> Option<&'a Node<Expression>> {
        match &c.node.callee.node {
            Expression::Identifier(n)
                if matches!(
                    n.node.name.as_str(),
                    "__builtin_expect" | "__builtin_expect_with_probability"
                ) =>
            {
                c.node.arguments.first()
            }
            _ => None,
        }
    }

    /// The operand that `__builtin_choose_expr` chooses.
    pub fn chosen_expression(
        &mut self,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<&'a Node<Expression>>> {
        match &c.node.callee.node {
            Expression::Identifier(n) if n.node.name == "__builtin_choose_expr" => {
                let [which, a, b] = &c.node.arguments[..] else {
                    return Err(self.error(c.span, "`__builtin_choose_expr` takes three operands"));
                };
                let (which, _) = self.constant(which)?;
                Ok(Some(if which != 0 { a } else { b }))
            }
            _ => Ok(None),
        }
    }

    /// The value of a builtin, or `None` if the name is not one.
    pub fn builtin(&mut self, name: &'a str, c: &'a Node<CallExpression>) -> Result<Option<Value>> {
        let arguments = &c.node.arguments[..];
        if let Some(value) = self.contract_word(name, c)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.foreign_word(name, c)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.rule_builtin(name, c) {
            return Ok(Some(value));
        }
        match (name, arguments) {
            (reserved::LABEL_ADDRESS, [e]) => {
                if let Expression::Identifier(label) = &e.node {
                    return Ok(Some(self.label_address(label)));
                }
            }
            (reserved::GOTO, [e]) => {
                let value = self.expr(e)?;
                let pointer = self.void_pointer();
                let value = self.convert(value, pointer, e.span)?;
                self.stand(c.span);
                self.computed_goto(value);
                return Ok(Some(self.void_value()));
            }
            (reserved::ASM_GOTO, _) => {
                // It may jump: no path behind it is known, so none goes on without the marker.
                self.mark(MarkerKind::Assembly, c.span);
                return Ok(Some(self.void_value()));
            }
            _ => {}
        }
        if let Some(word) = name.strip_prefix("__prova_") {
            if let Some(value) = self.model_builtin(word, c)? {
                return Ok(Some(value));
            }
        }
        if let Some(rest) = name
            .strip_prefix("__sync_")
            .or_else(|| name.strip_prefix("__atomic_"))
        {
            return self.atomic(name, rest, c);
        }
        let Some(base) = name.strip_prefix("__builtin_") else {
            return Ok(None);
        };
        if let Some(Symbol::Function(proc)) = self.externals.get(base) {
            // `__builtin_malloc` is `malloc` to those who watch it.
            let proc = *proc;
            if let Some(value) = self.observed_call(base, proc, c)? {
                return Ok(Some(value));
            }
        }
        if let Some(value) = self.syntactic_builtin(base, arguments, c.span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.bit_builtin(base, arguments, c.span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.overflow_builtin(base, arguments, c.span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.float_builtin(base, arguments, c.span)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.library_builtin(base, c)? {
            return Ok(Some(value));
        }
        for argument in arguments {
            self.effect(argument)?;
        }
        let kind = match base {
            // From our own model of `realloc`.
            "realloc_keeps_contents" => MarkerKind::Other("what `realloc` keeps".into()),
            _ => MarkerKind::Builtin(name.to_string()),
        };
        let marker = self.mark(kind, c.span);
        let int = self.int_type();
        Ok(Some(self.unmodelled(int, marker)))
    }

    /// An arbitrary value of a scalar type.
    pub fn unmodelled(&mut self, ty: TypeId, marker: MarkerId) -> Value {
        let ir = self.ir_type(ty, CSpan::none()).unwrap_or(Type::Int(32));
        let target = self.temporary(ir);
        self.emit(Op::Nondet {
            target,
            origin: Origin::Unmodelled(marker),
        });
        Value {
            expr: self.program.read(target),
            ty,
        }
    }

    fn syntactic_builtin(
        &mut self,
        base: &str,
        arguments: &'a [Node<Expression>],
        span: CSpan,
    ) -> Result<Option<Value>> {
        Ok(Some(match (base, arguments) {
            ("expect" | "expect_with_probability", [e, rest @ ..]) => {
                let value = self.expr(e)?;
                for other in rest {
                    self.effect(other)?;
                }
                let long = self.types.int(IntKind::Long);
                self.convert(value, long, span)?
            }
            ("constant_p", [e]) => {
                let constant = match self.unchecked_aside(|s| s.expr(e)) {
                    Ok((value, clean)) => {
                        clean && fold::is_constant(&self.program.exprs, value.expr)
                    }
                    Err(_) => false,
                };
                self.int_value(i128::from(constant))
            }
            ("choose_expr", [which, a, b]) => {
                let (which, _) = self.constant(which)?;
                self.expr(if which != 0 { a } else { b })?
            }
            ("types_compatible_p", [a, b]) => {
                let same = match (&a.node, &b.node) {
                    (Expression::SizeOfTy(a), Expression::SizeOfTy(b)) => {
                        let a = self.type_name(&a.node.0)?;
                        let b = self.type_name(&b.node.0)?;
                        self.same_type(a.id, b.id)
                    }
                    (a_node, b_node) => {
                        let mut find = |node: &'a Expression, e: &'a Node<Expression>| match node {
                            Expression::SizeOfTy(t) => self.type_name(&t.node.0),
                            Expression::SizeOfVal(v) => self.type_of(&v.node.0),
                            _ => self.type_of(e),
                        };
                        let (a, b) = (find(a_node, a)?, find(b_node, b)?);
                        self.same_type(a.id, b.id)
                    }
                };
                self.int_value(i128::from(same))
            }
            ("va_start" | "c23_va_start", [list, ..]) => self.va_start(list, span)?,
            ("va_end", [list]) => {
                self.effect(list)?;
                self.void_value()
            }
            ("va_copy", [to, from]) => self.va_copy(to, from, span)?,
            ("unreachable", []) => self.halt(Halt::Trap, span),
            ("trap", []) => self.halt(Halt::Abort, span),
            ("prefetch", list) => {
                for e in list {
                    self.effect(e)?;
                }
                self.void_value()
            }
            ("assume_aligned", [p, rest @ ..]) => {
                let value = self.expr(p)?;
                for e in rest {
                    self.effect(e)?;
                }
                let pointer = self.void_pointer();
                self.convert(value, pointer, span)?
            }
            ("object_size" | "dynamic_object_size", [_, _]) => {
                // What the compiler sees of an object depends on how much it optimises.
                let target = self.temporary(Type::Int(self.pointer_bits()));
                self.emit(Op::Nondet {
                    target,
                    origin: Origin::Choice("the size of an object that the compiler sees".into()),
                });
                Value {
                    expr: self.program.read(target),
                    ty: self.size_type(),
                }
            }
            ("classify_type", [e]) => {
                let ty = self.type_of(e)?;
                let class = match self.types.get(ty.id) {
                    Ty::Void => 0,
                    Ty::Pointer(_) => 5,
                    Ty::Float(_) => 8,
                    Ty::Record(r) if self.types.records[r.0 as usize].union => 13,
                    Ty::Record(_) => 12,
                    _ => 1,
                };
                self.int_value(class)
            }
            ("frame_address" | "return_address" | "extract_return_addr", _) => {
                let kind = MarkerKind::Builtin(format!("__builtin_{base}"));
                let marker = self.mark(kind, span);
                let pointer = self.void_pointer();
                self.unmodelled(pointer, marker)
            }
            ("alloca" | "alloca_with_align", [size, ..]) => {
                let value = self.expr(size)?;
                let size_type = self.size_type();
                let size = self.convert(value, size_type, span)?;
                self.allocate(size.expr, Allocation::Stack, span)
            }
            _ => return Ok(None),
        }))
    }

    /// `__builtin_memcpy` is `memcpy`.
    pub fn library_builtin(
        &mut self,
        base: &'a str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        if let Some(value) = self.formatted_call(base, c, true)? {
            return Ok(Some(value));
        }
        let base = prova_library::plain_name(base);
        let known = match self.scopes[0].names.get(base) {
            Some(Symbol::Function(proc)) => Some(*proc),
            _ => match self.externals.get(base) {
                Some(Symbol::Function(proc)) => Some(*proc),
                _ => None,
            },
        };
        let proc = match known {
            Some(proc) => proc,
            None if prova_library::kind(base) == prova_library::Kind::Modelled => {
                let ty = self.library_type(base);
                let proc = self.new_function(base, ty, c.span);
                self.externals.insert(base, Symbol::Function(proc));
                proc
            }
            None => return Ok(None),
        };
        if !self.defined_by_user(proc) {
            if let Some(value) = self.library_call(base, proc, c, true)? {
                return Ok(Some(value));
            }
        }
        let count = self.types.function(self.functions[proc.index()].ty);
        let count = count.map_or(usize::MAX, |f| {
            if f.variadic || !f.prototype {
                usize::MAX
            } else {
                f.parameters.len()
            }
        });
        let arguments = &c.node.arguments;
        let arguments = &arguments[..arguments.len().min(count)];
        self.call_direct(proc, arguments, true, c.span).map(Some)
    }

    /// The type of a library function that has no declaration in the program.
    fn library_type(&mut self, name: &str) -> TypeId {
        let pointer = matches!(name, "malloc" | "calloc" | "realloc" | "alloca")
            || name.starts_with("mem") && name != "memcmp"
            || name.starts_with("str") && !name.contains("cmp") && !name.contains("len");
        let void = self.types.void();
        let result = match name {
            "free" | "abort" | "exit" | "_exit" => void,
            "strlen" | "strnlen" => self.size_type(),
            _ if pointer => self.types.pointer(void),
            _ => self.int_type(),
        };
        self.types
            .make(Ty::Function(std::rc::Rc::new(crate::types::FunctionType {
                result: result.into(),
                parameters: Vec::new(),
                variadic: false,
                prototype: false,
            })))
    }
}
