//! Calls of handlers: where a function that is watched starts and ends, or where it is called if
//! it has no body of the program's own.

use super::*;
use crate::fixups::{encode_name, original_name};
use crate::interpose::{
    Handler, Watcher, When, ABORT, CHOOSE, FRESH, FULL, HALT, OBJECT, PROPERTY,
};
use crate::types::FunctionType;
use lang_c::ast::*;
use std::rc::Rc;

/// The handlers of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handlers {
    pub before: Vec<ProcId>,
    pub after: Vec<ProcId>,
}

/// What a handler is for.
#[derive(Clone, Debug)]
pub(crate) struct Purpose {
    /// The watcher it belongs to.
    pub watcher: String,
    /// The function that it watches.
    pub watched: ProcId,
    /// Whether it is given that function's result.
    pub result: bool,
}

/// Functions without a body that return a new object.
const MAKERS: [&str; 3] = ["malloc", "calloc", "alloca"];

/// More parameters have no names in handlers.
const PARAMETERS: usize = 64;

impl<'a> Lowerer<'a> {
    /// Finds the functions that watchers speak of, and gives their handlers types.
    pub fn resolve_watchers(&mut self, watchers: &[Watcher], scopes: &[Scope<'a>]) {
        for watcher in watchers {
            let mut found = false;
            for handler in &watcher.handlers {
                match self.resolve(watcher, handler, scopes) {
                    Ok(known) => found |= known,
                    Err(error) => self.errors.push(*error),
                }
            }
            if let (false, true, [first, ..]) =
                (found, self.errors.is_empty(), &watcher.handlers[..])
            {
                let message = "the program has none of the functions that this rule speaks of";
                let place = watcher.place(&first.place);
                self.errors.push(Diagnostic::error(message, place));
            }
        }
    }

    /// Functions that a rule left out because nothing declared them, and that are there after
    /// all: called without a declaration, or declared inside of a function.
    pub fn check_left_out(&mut self, watchers: &[Watcher]) {
        let handlers = watchers
            .iter()
            .flat_map(|w| w.handlers.iter().map(move |h| (w, h)));
        for (watcher, handler) in handlers {
            let Some(Symbol::Function(proc)) = self.externals.get(handler.function.as_str()) else {
                continue;
            };
            if !self.observers.contains_key(proc) {
                let name = &handler.function;
                let message = format!("`{name}` is called but not declared before");
                let place = watcher.place(&handler.place);
                self.errors.push(Diagnostic::error(message, place));
            }
        }
    }

    fn resolve(
        &mut self,
        watcher: &Watcher,
        handler: &Handler,
        scopes: &[Scope<'a>],
    ) -> Result<bool> {
        let all = |name: &str| {
            let known = self.externals.get(name).into_iter();
            let known = known.chain(scopes.iter().filter_map(|s| s.names.get(name)));
            let mut found: Vec<ProcId> = known
                .filter_map(|symbol| match symbol {
                    Symbol::Function(proc) => Some(*proc),
                    _ => None,
                })
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        let refuse = |message: String, range: &std::ops::Range<usize>| {
            Box::new(Diagnostic::error(message, watcher.place(range)))
        };
        let called = all(&encode_name(&handler.procedure)).first().copied();
        let functions = all(&handler.function);
        let name = &handler.function;
        if functions.len() > 1 {
            let message = format!("the program has several functions `{name}`");
            return Err(refuse(message, &handler.place));
        }
        let Some(&watched) = functions.first() else {
            if handler.optional {
                self.left_out.extend(called);
                return Ok(false);
            }
            let error = refuse(
                format!("the program has no function `{name}`"),
                &handler.place,
            );
            let note = format!("`optional {name};` says that a program need not have it");
            return Err(Box::new(error.with_note(note, None)));
        };
        let Some(called) = called else {
            let message = "this handler did not arrive".to_owned();
            return Err(refuse(message, &handler.place));
        };
        let ty = self.types.function(self.functions[watched.index()].ty);
        let ty = ty.expect("functions have function types");
        let void = self.types.is_void(ty.result.id);
        for (name, range) in &handler.uses {
            let number = name[1..].parse::<usize>().ok();
            let function = &handler.function;
            match number {
                Some(n) if n == 0 || n > ty.parameters.len().min(PARAMETERS) => {
                    let count = ty.parameters.len();
                    let plural = if count == 1 { "" } else { "s" };
                    let message =
                        format!("`{function}` has {count} parameter{plural}: there is no `{name}`");
                    return Err(refuse(message, range));
                }
                None if void => {
                    let message = format!("`{function}` returns nothing");
                    return Err(refuse(message, range));
                }
                _ => {}
            }
        }
        // Before any function is lowered, pointers come from initialisers of global variables.
        let mut pointers = self.program.exprs.ids();
        let known = pointers.any(|e| self.program.exprs.get(e) == Expr::Function(watched));
        if known && !self.defined_by_user(watched) {
            let message =
                format!("the program has a table with `{name}`: calls from there are not seen");
            return Err(refuse(message, &handler.place));
        }
        let mut parameters: Vec<QType> = ty.parameters.iter().take(PARAMETERS).copied().collect();
        let entry = self.observers.entry(watched).or_default();
        match handler.when {
            When::Before => entry.before.push(called),
            When::After => {
                entry.after.push(called);
                if !void {
                    parameters.push(ty.result);
                }
            }
        }
        let own = FunctionType {
            result: self.types.void().into(),
            parameters,
            variadic: false,
            prototype: true,
        };
        self.functions[called.index()].ty = self.types.make(Ty::Function(Rc::new(own)));
        let result = handler.when == When::After && !void;
        let event = match handler.when {
            When::Before => "entry",
            When::After => "return",
        };
        let shown = format!("{}: {}.{event}", watcher.name, handler.function);
        self.program.procedures[called.index()].c_name = shown;
        let purpose = Purpose {
            watcher: watcher.name.clone(),
            watched,
            result,
        };
        self.handlers.insert(called, purpose);
        Ok(true)
    }

    /// Binds `$1`, `$2`, … and `$return` in a handler.
    pub fn bind_dollars(&mut self, handler: ProcId, registers: &[RegId], ty: &FunctionType) {
        let result = self.handlers.get(&handler).is_some_and(|h| h.result);
        let count = registers.len();
        for (i, (&reg, parameter)) in registers.iter().zip(&ty.parameters).enumerate() {
            let name = match result && i + 1 == count {
                true => "$return".to_owned(),
                false => format!("${}", i + 1),
            };
            let home = match self.types.record(parameter.id) {
                Some(_) => Home::Behind(reg),
                None => Home::Register(reg),
            };
            self.program.registers[reg.index()].c_name = name.clone();
            let var = self.new_variable(*parameter, home, CSpan::none());
            // Few and short, and as long-lived as the program's own names.
            let encoded: &'static str = Box::leak(encode_name(&name).into_boxed_str());
            self.bind(encoded, Symbol::Variable(var));
        }
    }

    /// Calls handlers with these values.
    pub fn notify(&mut self, handlers: &[ProcId], values: &[Value], span: CSpan) -> Result<()> {
        for &handler in handlers {
            self.stand(span);
            let ty = self.types.function(self.functions[handler.index()].ty);
            let ty = ty.expect("functions have function types");
            let given: Vec<Value> = values.iter().copied().take(ty.parameters.len()).collect();
            let spans = vec![span; given.len()];
            self.call_values(Callee::Direct(handler), &ty, given, &spans, false, span)?;
        }
        Ok(())
    }

    /// The handlers around the body of a function: what its parameters hold at its entry is kept
    /// for those at its end.
    pub fn body_notified(
        &mut self,
        proc: ProcId,
        own: &[RegId],
        ty: &FunctionType,
        [start, end]: [CSpan; 2],
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        // Calls of a model are watched where the program makes them.
        let watched = self.observers.get(&proc).cloned();
        let Some(handlers) = watched.filter(|_| self.defined_by_user(proc)) else {
            return body(self);
        };
        let mut values = Vec::new();
        for (&reg, parameter) in own.iter().zip(&ty.parameters) {
            let value = self.program.read(reg);
            values.push(Value {
                expr: self.keep(value),
                ty: self.types.plain(parameter.id),
            });
        }
        self.notify(&handlers.before, &values, start)?;
        body(self)?;
        if handlers.after.is_empty() {
            return Ok(());
        }
        // Where the function returned is now a step before its end.
        let inner = self.frame.body.exit;
        self.jump(inner);
        self.frame.at = inner;
        if let Some(result) = self.frame.result {
            values.push(Value {
                expr: self.program.read(result),
                ty: self.types.plain(ty.result.id),
            });
        } else if let Some(hidden) = self.frame.hidden {
            values.push(Value {
                expr: self.program.read(hidden),
                ty: self.types.plain(ty.result.id),
            });
        }
        self.notify(&handlers.after, &values, end)?;
        let exit = self.new_location();
        self.frame.body.exit = exit;
        Ok(())
    }

    /// A call of a function without a body of the program's own, between its handlers.
    pub fn observed_call(
        &mut self,
        name: &'a str,
        proc: ProcId,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        let Some(handlers) = self.observers.get(&proc).cloned() else {
            return Ok(None);
        };
        let inside = self.frame.proc;
        if inside.is_some_and(|p| self.handlers.contains_key(&p)) {
            let message = format!("a handler cannot call `{name}`, which is watched");
            return Err(self.error(c.span, message));
        }
        if self.unit >= self.first_model || self.defined_by_user(proc) {
            return Ok(None);
        }
        let ty = self.types.function(self.functions[proc.index()].ty);
        let ty = ty.expect("functions have function types");
        let mut values = self.arguments(&c.node.arguments)?;
        let spans: Vec<CSpan> = c.node.arguments.iter().map(|a| a.span).collect();
        for (i, value) in values.iter_mut().enumerate() {
            if let Some(parameter) = ty.parameters.get(i) {
                *value = self.convert_for_assignment(*value, parameter.id, spans[i])?;
            }
            let constant = fold::as_int(&self.program.exprs, value.expr).is_some();
            if !constant && self.types.record(value.ty).is_none() && !self.types.is_void(value.ty) {
                value.expr = self.keep(value.expr);
            }
        }
        self.notify(&handlers.before, &values, c.span)?;
        self.stand(c.span);
        let result = match (name, &values[..]) {
            ("abort", _) => self.halt(Halt::Abort, c.span),
            ("exit" | "_exit" | "_Exit" | "quick_exit", [code]) => {
                self.halt(Halt::Exit(code.expr), c.span)
            }
            ("malloc", [size]) => self.allocate(size.expr, Allocation::Heap, c.span),
            ("free", [pointer]) => {
                self.emit(Op::Free(pointer.expr));
                self.void_value()
            }
            ("memset", [target, byte, size]) if self.is_small(size) && self.is_known(byte) => {
                let known = |s: &Self, v: &Value| fold::as_int(&s.program.exprs, v.expr);
                let (byte, size) = (known(self, byte), known(self, size));
                let (byte, size) = (byte.map_or(0, |v| v.0), size.map_or(0, |v| v.0));
                self.fill_block(target.expr, byte as u8, size as u64);
                *target
            }
            ("memcpy" | "memmove", [target, source, size]) if self.is_small(size) => {
                let size = fold::as_int(&self.program.exprs, size.expr).map_or(0, |v| v.0);
                self.copy_block(target.expr, source.expr, size as u64, name == "memmove");
                *target
            }
            ("alloca", [size]) => self.allocate(size.expr, Allocation::Stack, c.span),
            ("__VERIFIER_assume", [condition]) => {
                let truth = self.truth(condition.expr);
                let yes = self.new_location();
                self.edge(Op::Assume(truth), yes);
                self.frame.at = yes;
                self.void_value()
            }
            // Without arguments there is nothing to evaluate twice.
            (_, []) if name.starts_with("__VERIFIER_nondet_") => {
                match self.library_call(name, proc, c, true)? {
                    Some(value) => value,
                    None => self.void_value(),
                }
            }
            _ => {
                let callee = Callee::Direct(proc);
                self.call_values(callee, &ty, values.clone(), &spans, true, c.span)?
            }
        };
        let mut result = result;
        if !self.types.is_void(ty.result.id) && self.types.record(ty.result.id).is_none() {
            result.expr = self.keep(result.expr);
            values.truncate(ty.parameters.len());
            values.push(result);
        }
        self.notify(&handlers.after, &values, c.span)?;
        if self.program.procedure(proc).noreturn
            && self.functions[proc.index()].definition.is_none()
        {
            self.emit(Op::Halt(Halt::Trap));
            self.frame.at = self.new_location();
        }
        Ok(Some(result))
    }

    fn is_known(&self, value: &Value) -> bool {
        fold::as_int(&self.program.exprs, value.expr).is_some()
    }

    fn is_small(&self, size: &Value) -> bool {
        let size = fold::as_int(&self.program.exprs, size.expr);
        size.is_some_and(|(size, _)| size <= super::library::LARGEST_COPY)
    }

    /// A pointer to a function whose calls would not be seen: from here the rules that watch it
    /// may be broken in a way that is not modelled.
    pub fn check_unseen(&mut self, proc: ProcId, span: CSpan) {
        let Some(handlers) = self.observers.get(&proc) else {
            return;
        };
        if self.defined_by_user(proc) || self.unit >= self.first_model {
            return;
        }
        let called = handlers.before.iter().chain(&handlers.after);
        let mut rules: Vec<String> = called
            .filter_map(|h| Some(self.handlers.get(h)?.watcher.clone()))
            .collect();
        rules.sort();
        rules.dedup();
        let name = original_name(&self.program.procedure(proc).c_name).into_owned();
        for rule in rules {
            self.stand(span);
            let marker = MarkerId::new(self.program.markers.len());
            let what = format!("a call of `{name}`, which the rule `{rule}` watches, by a pointer");
            self.program.markers.push(Marker {
                kind: MarkerKind::Other(what.clone()),
                span: self.frame.here,
            });
            let target = self.temporary(Type::Int(8));
            self.emit(Op::Nondet {
                target,
                origin: Origin::Unmodelled(marker),
            });
            let value = self.program.read(target);
            let called = self.truth(value);
            let not_called = self.program.exprs.not(called);
            let (next, unseen, error) = (
                self.new_location(),
                self.new_location(),
                self.new_location(),
            );
            self.edge(Op::Assume(called), unseen);
            self.edge(Op::Assume(not_called), next);
            self.frame.at = unseen;
            self.edge(Op::Marker(marker), error);
            self.frame.body.errors.push(ErrorLocation {
                location: error,
                property: format!("{PROPERTY}{rule}"),
                message: what,
            });
            self.frame.body.locations[error.index()].span = self.frame.here;
            self.frame.at = next;
        }
    }

    /// What only handlers can call.
    pub fn rule_builtin(&mut self, name: &str, c: &'a Node<CallExpression>) -> Option<Value> {
        let handler = self.frame.proc.and_then(|p| self.handlers.get(&p))?;
        let (rule, watched) = (handler.watcher.clone(), handler.watched);
        match name {
            FRESH => {
                let made = self.defined_by_user(watched)
                    || MAKERS.contains(&self.program.procedure(watched).c_name.as_str());
                let expr = self.int(u128::from(made), 32);
                let ty = self.types.int(IntKind::Int);
                Some(Value { expr, ty })
            }
            ABORT => {
                let text = match c.node.arguments.first().map(|a| &a.node) {
                    Some(Expression::StringLiteral(text)) => crate::literal::string(&text.node),
                    _ => None,
                };
                let message: String = match text {
                    Some((_, letters)) => {
                        letters.iter().filter_map(|&l| char::from_u32(l)).collect()
                    }
                    None => format!("the rule `{rule}` is broken"),
                };
                self.stand(c.span);
                let error = self.new_location();
                self.edge(Op::Skip, error);
                self.frame.body.locations[error.index()].span = self.frame.here;
                self.frame.body.errors.push(ErrorLocation {
                    location: error,
                    property: format!("{PROPERTY}{rule}"),
                    message,
                });
                self.frame.at = self.new_location();
                Some(self.void_value())
            }
            HALT => Some(self.halt(Halt::Abort, c.span)),
            CHOOSE | OBJECT => {
                let (bits, kind) = match name {
                    CHOOSE => (32, IntKind::Int),
                    _ => (64, IntKind::ULongLong),
                };
                let target = self.temporary(Type::Int(bits));
                let ty = self.types.int(kind);
                let ctype = self.ctype(ty);
                self.program.registers[target.index()].ctype = Some(ctype);
                self.stand(c.span);
                self.emit(Op::Nondet {
                    target,
                    origin: Origin::Input(name.into()),
                });
                let expr = self.program.read(target);
                Some(Value { expr, ty })
            }
            FULL => {
                let what = format!("more objects than the rule `{rule}` can tell apart");
                // Said when it matters, not by a warning: most programs have fewer.
                self.stand(c.span);
                let id = MarkerId::new(self.program.markers.len());
                self.program.markers.push(Marker {
                    kind: MarkerKind::Other(what),
                    span: self.frame.here,
                });
                self.emit(Op::Marker(id));
                Some(self.void_value())
            }
            _ => None,
        }
    }
}
