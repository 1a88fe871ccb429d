//! Whole functions: signatures, parameters, bodies.

use super::global::{function_declarator, old_style_names};
use super::*;
use crate::fixups::original_name;
use crate::scan::{declared_name, Names};
use crate::types::FunctionType;
use lang_c::ast::*;
use lang_c::visit::Visit;
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    /// Lowers the bodies of a unit's functions.
    pub fn lower_unit(&mut self, unit: usize, scope: Scope<'a>) {
        self.unit = unit;
        self.scopes = vec![scope];
        for index in 0..self.functions.len() {
            if let Some((at, definition)) = self.functions[index].definition {
                if at == unit && self.program.procedures[index].body.is_none() {
                    let proc = ProcId::new(index);
                    let lowered = self.function(proc, definition);
                    self.scopes.truncate(1);
                    if let Err(error) = lowered.and_then(|()| self.contract(proc, definition)) {
                        self.errors.push(*error);
                    }
                    self.scopes.truncate(1);
                }
            }
        }
    }

    fn function(&mut self, proc: ProcId, f: &'a Node<FunctionDefinition>) -> Result<()> {
        if self.left_out.contains(&proc) {
            return Ok(());
        }
        self.new_frame();
        self.note_clauses(f);
        let mut names = Names::default();
        names.visit_function_definition(&f.node, &f.span);
        self.frame.taken = names.taken;
        self.frame.passed = names.passed;
        self.frame.proc = Some(proc);
        self.frame.evaluate_lengths = true;
        let name = declared_name(&f.node.declarator.node).expect("definitions have names");
        self.frame.name = &name.node.name;
        self.stand(name.span);
        let ty = self.functions[proc.index()].ty;
        let ty = self
            .types
            .function(ty)
            .expect("functions have function types");
        self.frame.result_type = ty.result;
        self.scopes.push(Scope::default());
        let (parameters, result) = self.signature(proc, &ty, name.span)?;
        let procedure = &mut self.program.procedures[proc.index()];
        procedure.parameters = parameters.clone();
        procedure.result = result;
        procedure.variadic = ty.variadic;
        self.frame.result = result;
        let mut own = parameters.as_slice();
        if self.types.record(ty.result.id).is_some() {
            self.frame.hidden = Some(own[0]);
            own = &own[1..];
        }
        if ty.variadic {
            self.frame.tail = own.last().copied();
        }
        if self.handlers.contains_key(&proc) {
            self.bind_dollars(proc, own, &ty);
        } else {
            self.bind_parameters(f, own)?;
        }
        let end = CSpan::span(f.span.end.saturating_sub(1), f.span.end);
        self.body_notified(proc, own, &ty, [name.span, end], |s| s.function_body(f))?;
        let exit = self.frame.body.exit;
        self.jump(exit);
        self.frame.body.locations[exit.index()].span = self.frame.here;
        for (name, label) in &self.frame.labels {
            if !label.defined {
                let message = format!("label `{name}` is not defined");
                return Err(self.error(label.mentioned, message));
            }
        }
        self.finish_gotos();
        self.finish_dispatch();
        self.scopes.pop();
        let mut body = self.new_frame().body;
        crate::tidy::tidy(&mut body, &self.program, result);
        self.program.procedures[proc.index()].body = Some(body);
        Ok(())
    }

    fn function_body(&mut self, f: &'a Node<FunctionDefinition>) -> Result<()> {
        self.statement(&f.node.statement)?;
        self.stand(CSpan::span(f.span.end.saturating_sub(1), f.span.end));
        if let Some(result) = self.frame.result {
            if self.frame.name == "main" {
                let zero = self.zero(self.program.register(result).ty);
                self.assign(result, zero);
            } else {
                self.emit(Op::Nondet {
                    target: result,
                    origin: Origin::Uninitialised,
                });
            }
        }
        Ok(())
    }

    /// The parameter and result registers of a procedure.
    pub fn signature(
        &mut self,
        proc: ProcId,
        ty: &Rc<FunctionType>,
        span: CSpan,
    ) -> Result<(Vec<RegId>, Option<RegId>)> {
        let outer = self.frame.proc.replace(proc);
        let mut parameters = Vec::new();
        let pointer = {
            let void = self.types.void();
            QType::from(self.types.pointer(void))
        };
        let record = self.types.record(ty.result.id).is_some();
        if record {
            let reg = self.named_register("result", Type::Ptr, pointer, Role::Parameter, span);
            parameters.push(reg);
        }
        for p in &ty.parameters {
            let (ir, ty) = if self.types.record(p.id).is_some() {
                (Type::Ptr, self.types.pointer(*p).into())
            } else {
                (self.ir_type(p.id, span).unwrap_or(Type::Ptr), *p)
            };
            let reg = self.named_register("parameter", ir, ty, Role::Parameter, span);
            parameters.push(reg);
        }
        if ty.variadic {
            let reg = self.named_register("arguments", Type::Ptr, pointer, Role::Parameter, span);
            parameters.push(reg);
        }
        let result = if record || self.types.is_void(ty.result.id) {
            None
        } else {
            let ir = self.ir_type(ty.result.id, span).unwrap_or(Type::Ptr);
            Some(self.named_register("return", ir, ty.result, Role::Result, span))
        };
        self.frame.proc = outer;
        Ok((parameters, result))
    }

    pub fn bind_parameters(
        &mut self,
        f: &'a Node<FunctionDefinition>,
        registers: &[RegId],
    ) -> Result<()> {
        if let Some(names) = old_style_names(&f.node.declarator.node) {
            let function = self.frame.proc.expect("in a function");
            let ty = self.types.function(self.functions[function.index()].ty);
            let types = ty.expect("a function type").parameters.clone();
            for ((name, reg), ty) in names.iter().zip(registers).zip(types) {
                self.bind_parameter(name, ty, *reg)?;
            }
            return Ok(());
        }
        let Some(declarator) = function_declarator(&f.node.declarator.node) else {
            return Err(self.error(f.span, "a definition needs its own parameter list"));
        };
        let mut registers = registers.iter();
        for p in &declarator.node.parameters {
            let (name, ty) = self.parameter(p)?;
            if self.types.is_void(ty.id) {
                continue;
            }
            let Some(reg) = registers.next() else { break };
            if let Some(name) = name {
                self.bind_parameter(name, ty, *reg)?;
            }
        }
        Ok(())
    }

    fn bind_parameter(&mut self, name: &'a Node<Identifier>, ty: QType, reg: RegId) -> Result<()> {
        let text = name.node.name.as_str();
        let c_name = original_name(text).into_owned();
        if self
            .scopes
            .last()
            .is_some_and(|s| s.names.contains_key(text))
        {
            let message = format!("two parameters are called `{c_name}`");
            return Err(self.error(name.span, message));
        }
        let span = self.span(name.span);
        let unique = self.unique_name(&c_name);
        let ctype = self.ctype(ty.id);
        let register = &mut self.program.registers[reg.index()];
        register.name = unique;
        register.c_name = c_name.clone();
        register.span = span;
        if self.types.record(ty.id).is_none() {
            register.ctype = Some(ctype);
        }
        let home = if self.types.record(ty.id).is_some() {
            Home::Behind(reg)
        } else if self.frame.taken.contains(text) {
            let name_of = self.unique_name(&c_name);
            let size = self.size_of(ty.id, name.span)?;
            let align = self.align_of(ty.id);
            let proc = self.frame.proc.expect("in a function");
            let object = self.program.add_object(Object {
                name: name_of,
                c_name,
                size,
                align,
                storage: Storage::Frame(proc),
                ctype: Some(ctype),
                span,
            });
            self.emit(Op::Enter(object));
            let address = self.address(object);
            let value = self.program.read(reg);
            self.store(address, value);
            Home::Object(object)
        } else {
            Home::Register(reg)
        };
        let var = self.new_variable(ty, home, name.span);
        self.bind(text, Symbol::Variable(var));
        Ok(())
    }

    /// Gives every procedure what is left: types, and signatures of those without a body.
    pub fn finish_procedures(&mut self) {
        for index in 0..self.functions.len() {
            let ty = self.functions[index].ty;
            let ctype = self.ctype(ty);
            self.program.procedures[index].ctype = Some(ctype);
            if self.functions[index].definition.is_some() {
                continue;
            }
            let mut ty = self
                .types
                .function(ty)
                .expect("functions have function types");
            if !ty.prototype && ty.parameters.is_empty() {
                // Called with anything: its arguments go into slots.
                let mut open = (*ty).clone();
                open.variadic = true;
                ty = Rc::new(open);
            }
            let (unit, span) = self.functions[index].declared;
            self.unit = unit;
            if let Ok((parameters, result)) = self.signature(ProcId::new(index), &ty, span) {
                let procedure = &mut self.program.procedures[index];
                procedure.parameters = parameters;
                procedure.result = result;
                procedure.variadic = ty.variadic;
                let hidden = usize::from(self.types.record(ty.result.id).is_some());
                let constant = |q: &QType| self.types.pointee(q.id).is_some_and(|to| to.constant);
                let positions = ty.parameters.iter().enumerate();
                self.program.procedures[index].read_only = positions
                    .filter(|(_, q)| constant(q))
                    .map(|(i, _)| (i + hidden) as u32)
                    .collect();
            }
        }
    }
}
