//! File-scope declarations, linkage between files (C11 6.2.2, 6.9), and whole functions.

use super::*;
use crate::fixups::original_name;
use crate::scan::declared_name;
use crate::types::FunctionType;
use lang_c::ast::*;
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    /// Declares everything at a unit's file scope. Function bodies wait until every unit has
    /// been declared, so that calls know what they call.
    pub fn declare_unit(&mut self, unit: usize) {
        self.unit = unit;
        let units = self.units;
        self.scopes = vec![Scope::default()];
        for external in &units[unit].ast().0 {
            if super::start::is_file_assembly(&external.node) {
                let marker = MarkerKind::Assembly;
                self.at_start.get_or_insert((unit, external.span, marker));
                continue;
            }
            self.new_frame();
            self.stand(external.span);
            let result = match &external.node {
                ExternalDeclaration::Declaration(d) => self.global_declaration(d),
                ExternalDeclaration::StaticAssert(a) => self.static_assert(a),
                ExternalDeclaration::FunctionDefinition(f) => self.declare_definition(f),
            };
            if let Err(error) = result {
                self.errors.push(*error);
                if self.errors.len() >= 20 {
                    return;
                }
            }
        }
        self.weak_pragmas();
    }

    fn global_declaration(&mut self, d: &'a Node<Declaration>) -> Result<()> {
        let lone = d.node.declarators.is_empty();
        let specified = self.specifiers(&d.node.specifiers, d.span, lone)?;
        let is_static = specified.storage == Some(StorageClassSpecifier::Static);
        for init in &d.node.declarators {
            let declared = self.declarator(specified.ty, &init.node.declarator)?;
            let Some(name) = declared.name else { continue };
            let attributes = declared.attributes.and(&specified.attributes);
            let align = attributes.align;
            if specified.storage == Some(StorageClassSpecifier::Typedef) {
                let ty = self.aligned(declared.ty, align);
                let text = name.node.name.as_str();
                let other = match self.scopes[0].names.get(text) {
                    Some(Symbol::Typedef(old)) => !self.types.compatible(old.id, ty.id),
                    other => other.is_some(),
                };
                if other {
                    let message = format!("`{text}` is declared as something else, too");
                    return Err(self.error(name.span, message));
                }
                self.bind(text, Symbol::Typedef(ty));
                continue;
            }
            if matches!(self.types.get(declared.ty.id), Ty::Function(_)) {
                let noreturn = specified.noreturn || attributes.noreturn;
                let proc = self.declare_function(name, declared.ty.id, is_static, noreturn)?;
                self.symbol_attributes(name, Symbol::Function(proc), &attributes);
                self.bind(&name.node.name, Symbol::Function(proc));
                continue;
            }
            let external = specified.storage == Some(StorageClassSpecifier::Extern);
            let var = self.declare_variable(name, declared.ty, align, is_static)?;
            self.symbol_attributes(name, Symbol::Variable(var), &attributes);
            self.bind(&name.node.name, Symbol::Variable(var));
            if !external || init.node.initializer.is_some() {
                self.define_static(var, init.node.initializer.as_ref(), name.span)?;
            }
        }
        Ok(())
    }

    /// `extern` in a block.
    pub fn declare_external(
        &mut self,
        name: &'a Node<Identifier>,
        ty: QType,
        align: Option<u64>,
    ) -> Result<VarId> {
        if let Some(Symbol::Variable(var)) = self.scopes[0].names.get(name.node.name.as_str()) {
            let var = *var;
            self.merge_variable(var, ty, name)?;
            return Ok(var);
        }
        let depth = self.scopes.len();
        let inner: Vec<Scope<'a>> = self.scopes.drain(1..).collect();
        let result = self.declare_variable(name, ty, align, false);
        self.scopes.extend(inner);
        debug_assert_eq!(self.scopes.len(), depth);
        result
    }

    fn declare_variable(
        &mut self,
        name: &'a Node<Identifier>,
        ty: QType,
        align: Option<u64>,
        is_static: bool,
    ) -> Result<VarId> {
        let text = name.node.name.as_str();
        if self.types.is_void(ty.id) {
            return Err(self.error(name.span, format!("`{text}` cannot have type `void`")));
        }
        let known = self.scopes[0].names.get(text).cloned().or_else(|| {
            (!is_static)
                .then(|| self.externals.get(text).cloned())
                .flatten()
        });
        match known {
            Some(Symbol::Variable(var)) => {
                self.merge_variable(var, ty, name)?;
                Ok(var)
            }
            Some(_) => {
                let message = format!("`{text}` is declared as something else, too");
                Err(self.error(name.span, message))
            }
            None => {
                let taken = self.taken.contains(text);
                let var = self.new_static(text, ty, align, taken, name.span)?;
                if !is_static {
                    self.externals.insert(text, Symbol::Variable(var));
                } else {
                    self.note_internal(var);
                }
                Ok(var)
            }
        }
    }

    fn merge_variable(&mut self, var: VarId, ty: QType, name: &'a Node<Identifier>) -> Result<()> {
        let old = self.variables[var.0 as usize].clone();
        if !self.types.compatible(old.ty.id, ty.id) {
            let text = original_name(&name.node.name).into_owned();
            let message = format!(
                "`{text}` is declared with different types, `{}` and `{}`",
                self.types.show(old.ty),
                self.types.show(ty)
            );
            let place = self.place(old.declared.0, old.declared.1);
            let note = "declared here before";
            // The user's own files must agree; the library's models were written for others.
            if old.declared.0.max(self.unit) < self.first_model {
                return Err(Box::new(
                    Diagnostic::error(message, self.place(self.unit, name.span))
                        .with_note(note, place),
                ));
            }
            return Ok(());
        }
        // `extern int a[];` and later `int a[10];`
        let incomplete = layout::size_of(&self.types, self.model, old.ty.id).is_none();
        if incomplete {
            self.retype(var, ty);
        }
        Ok(())
    }

    fn retype(&mut self, var: VarId, ty: QType) {
        let variable = &mut self.variables[var.0 as usize];
        variable.ty = ty;
        if let Home::Object(object) = variable.home {
            let size = layout::size_of(&self.types, self.model, ty.id).unwrap_or(0);
            let ctype = self.ctype(ty.id);
            let object = &mut self.program.objects[object.index()];
            object.size = size;
            object.ctype = Some(ctype);
        }
    }

    /// No other file can name this variable.
    pub fn note_internal(&mut self, var: VarId) {
        let name = match self.variables[var.0 as usize].home {
            Home::Register(register) => &self.program.register(register).name,
            Home::Object(object) => &self.program.object(object).name,
            _ => return,
        };
        self.program.internal.insert(name.clone());
    }

    /// A variable with static storage, not defined yet.
    pub fn new_static(
        &mut self,
        text: &'a str,
        ty: QType,
        align: Option<u64>,
        taken: bool,
        span: CSpan,
    ) -> Result<VarId> {
        let c_name = original_name(text).into_owned();
        let home = if self.types.is_scalar(ty.id) && !taken {
            let ir = self.ir_type(ty.id, span)?;
            Home::Register(self.named_register(&c_name, ir, ty, Role::Global, span))
        } else {
            if let Ty::Opaque { name, .. } = self.types.get(ty.id) {
                return Err(self.error(span, format!("`{name}` is not supported")));
            }
            let name = self.unique_name(&c_name);
            let align = self.align_of(ty.id).max(align.unwrap_or(1));
            let size = layout::size_of(&self.types, self.model, ty.id).unwrap_or(0);
            let ctype = Some(self.ctype(ty.id));
            let place = self.span(span);
            Home::Object(self.program.add_object(Object {
                name,
                c_name,
                size,
                align,
                storage: Storage::External,
                ctype,
                span: place,
            }))
        };
        let var = self.new_variable(ty, home, span);
        self.variables[var.0 as usize].external = true;
        Ok(var)
    }

    /// A definition, tentative when there is no initialiser.
    pub fn define_static(
        &mut self,
        var: VarId,
        init: Option<&'a Node<Initializer>>,
        span: CSpan,
    ) -> Result<()> {
        let ty = self.variables[var.0 as usize].ty;
        let home = self.variables[var.0 as usize].home;
        let (ty, leaves) = match init {
            None => {
                if !self.variables[var.0 as usize].external {
                    return Ok(());
                }
                // `int a[];` alone has one element (C11 6.9.2 §5).
                (ty, Vec::new())
            }
            Some(init) => {
                let before = self.variables[var.0 as usize].defined;
                if before.is_some() && self.is_weak_variable(var) {
                    return Ok(());
                }
                let strong = |(unit, _): &(usize, CSpan)| !self.was_weak_variable(*unit, var);
                if let Some((unit, place)) = before.filter(strong) {
                    let text = self.program_name(home);
                    let here = self.place(self.unit, span);
                    let there = self.place(unit, place);
                    return Err(Box::new(
                        Diagnostic::error(format!("`{text}` is defined twice"), here)
                            .with_note("first defined here", there),
                    ));
                }
                self.variables[var.0 as usize].defined = Some((self.unit, span));
                let (ty, leaves) = self.flatten(ty, init)?;
                self.retype(var, ty);
                (ty, leaves)
            }
        };
        self.variables[var.0 as usize].external = false;
        let outer = self.frame.proc.take();
        let contents = self.static_contents(leaves);
        self.frame.proc = outer;
        let (initial, end) = contents?;
        match home {
            Home::Register(reg) => {
                let value = match initial.into_iter().next() {
                    Some((_, Initial::Value(value))) => value,
                    _ => {
                        let ir = self.program.register(reg).ty;
                        self.zero(ir)
                    }
                };
                self.program.registers[reg.index()].initial = Some(value);
            }
            Home::Object(object) => {
                let mut element = ty;
                while let Some((inner, _)) = self.types.array(element.id) {
                    element = inner;
                }
                let constant = ty.constant || element.constant;
                let object = &mut self.program.objects[object.index()];
                object.size = object.size.max(end);
                object.storage = Storage::Static { initial, constant };
            }
            Home::Behind(_) => {}
        }
        Ok(())
    }

    /// Arrays that are declared `extern int a[];` and defined nowhere have some unknown length:
    /// a generous one is assumed, and said. (With none, every access would trap, and what
    /// follows one would count as unreachable.)
    pub fn size_unknown_externals(&mut self) {
        const ASSUMED: u64 = 1 << 20;
        for index in 0..self.variables.len() {
            let variable = self.variables[index].clone();
            let Home::Object(object) = variable.home else {
                continue;
            };
            let array = self.types.array(variable.ty.id).is_some();
            if variable.external && array && self.program.object(object).size == 0 {
                let name = self.program.object(object).c_name.clone();
                (self.unit, _) = variable.declared;
                self.program.objects[object.index()].size = ASSUMED;
                let message =
                    format!("the length of `{name}` is not known, {ASSUMED} bytes are assumed");
                self.warn(variable.declared.1, message);
            }
        }
    }

    fn program_name(&self, home: Home) -> String {
        match home {
            Home::Register(r) | Home::Behind(r) => self.program.register(r).c_name.clone(),
            Home::Object(o) => self.program.object(o).c_name.clone(),
        }
    }

    // ----- functions -----

    pub fn new_function(&mut self, text: &'a str, ty: TypeId, span: CSpan) -> ProcId {
        let c_name = original_name(text).into_owned();
        let name = self.unique_name(&c_name);
        let place = self.span(span);
        let id = ProcId::new(self.program.procedures.len());
        self.program.procedures.push(Procedure {
            name,
            c_name,
            parameters: Vec::new(),
            result: None,
            variadic: false,
            noreturn: false,
            read_only: Vec::new(),
            ctype: None,
            span: place,
            body: None,
        });
        self.functions.push(Function {
            ty,
            definition: None,
            weak: false,
            declared: (self.unit, span),
            helper: false,
            implicit: false,
            constructor: None,
            destructor: None,
        });
        id
    }

    pub fn declare_function(
        &mut self,
        name: &'a Node<Identifier>,
        ty: TypeId,
        is_static: bool,
        noreturn: bool,
    ) -> Result<ProcId> {
        let text = name.node.name.as_str();
        let known = self.scopes[0].names.get(text).cloned().or_else(|| {
            (!is_static)
                .then(|| self.externals.get(text).cloned())
                .flatten()
        });
        let proc = match known {
            Some(Symbol::Function(proc)) => {
                self.merge_function(proc, ty, name);
                proc
            }
            Some(_) => {
                let message = format!("`{text}` is declared as something else, too");
                return Err(self.error(name.span, message));
            }
            None => {
                let proc = self.new_function(text, ty, name.span);
                if !is_static {
                    self.externals.insert(text, Symbol::Function(proc));
                }
                proc
            }
        };
        self.program.procedures[proc.index()].noreturn |= noreturn;
        Ok(proc)
    }

    fn merge_function(&mut self, proc: ProcId, ty: TypeId, name: &'a Node<Identifier>) {
        let old = &self.functions[proc.index()];
        let (old_ty, declared, defined) = (old.ty, old.declared, old.definition.is_some());
        if !self.types.compatible(old_ty, ty) && self.unit < self.first_model {
            let text = original_name(&name.node.name).into_owned();
            let message = format!(
                "`{text}` is declared with different types, `{}` and `{}`",
                self.types.show(old_ty.into()),
                self.types.show(ty.into())
            );
            let place = self.place(declared.0, declared.1);
            let warning = Diagnostic::warning(message, self.place(self.unit, name.span));
            if self.warned.insert(format!("types of {text}")) {
                self.warnings
                    .push(warning.with_note("declared here before", place));
            }
        }
        // A prototype says more than an old-style declaration.
        let old_type = self.types.function(old_ty);
        let new_type = self.types.function(ty);
        if let (Some(old), Some(new)) = (old_type, new_type) {
            if !defined && !old.prototype && new.prototype {
                self.functions[proc.index()].ty = ty;
            }
        }
    }

    /// Whether calls of a function as it is declared pass what one of this type takes.
    fn passed_alike(&self, proc: ProcId, ty: TypeId) -> bool {
        let declared = self.types.function(self.functions[proc.index()].ty);
        let (Some(declared), Some(defined)) = (declared, self.types.function(ty)) else {
            return false;
        };
        let alike = |a: TypeId, b: TypeId| {
            let none = CSpan::none();
            match (self.ir_type(a, none), self.ir_type(b, none)) {
                (Ok(a), Ok(b)) => a == b,
                (Err(_), Err(_)) => {
                    let size = |t| layout::size_of(&self.types, self.model, t);
                    self.types.is_void(a) == self.types.is_void(b) && size(a) == size(b)
                }
                _ => false,
            }
        };
        let pairs = declared.parameters.iter().zip(&defined.parameters);
        declared.parameters.len() == defined.parameters.len()
            && declared.variadic == defined.variadic
            && pairs.into_iter().all(|(a, b)| alike(a.id, b.id))
            && alike(declared.result.id, defined.result.id)
    }

    fn declare_definition(&mut self, f: &'a Node<FunctionDefinition>) -> Result<()> {
        let specified = self.specifiers(&f.node.specifiers, f.span, false)?;
        let declared = self.declarator(specified.ty, &f.node.declarator)?;
        let Some(name) = declared.name else {
            return Err(self.error(f.span, "a function needs a name"));
        };
        let ty = match old_style_names(&f.node.declarator.node) {
            Some(names) => self.old_style_type(declared.ty.id, names, f)?,
            None => declared.ty.id,
        };
        if !matches!(self.types.get(ty), Ty::Function(_)) {
            return Err(self.error(name.span, "this is not a function definition"));
        }
        let is_static = specified.storage == Some(StorageClassSpecifier::Static);
        let attributes = declared.attributes.and(&specified.attributes);
        let noreturn = specified.noreturn || attributes.noreturn;
        let proc = self.declare_function(name, ty, is_static, noreturn)?;
        self.symbol_attributes(name, Symbol::Function(proc), &attributes);
        let weak = (specified.inline && !is_static) || self.is_weak_function(proc);
        self.bind(&name.node.name, Symbol::Function(proc));
        if self.is_removed(proc) {
            return Ok(());
        }
        let old = &self.functions[proc.index()];
        if let Some((unit, first)) = old.definition {
            // Library models give way; inline definitions are many.
            if self.unit >= self.first_model || (weak && !old.weak) || (weak && unit != self.unit) {
                return Ok(());
            }
            if !old.weak || weak {
                let there = declared_name(&first.node.declarator.node).map(|n| n.span);
                let there = there.and_then(|span| self.place(unit, span));
                let here = self.place(self.unit, name.span);
                let text = original_name(&name.node.name).into_owned();
                return Err(Box::new(
                    Diagnostic::error(format!("`{text}` is defined twice"), here)
                        .with_note("first defined here", there),
                ));
            }
        }
        if self.unit >= self.first_model && !self.passed_alike(proc, ty) {
            // The program means another function by this name: the library's is no model of it.
            return Ok(());
        }
        let span = self.span(name.span);
        self.program.procedures[proc.index()].span = span;
        let function = &mut self.functions[proc.index()];
        function.definition = Some((self.unit, f));
        function.weak = weak;
        function.helper = specified.inline;
        function.ty = ty;
        Ok(())
    }

    /// The type of `int f(a, b) int a; char b; { … }`.
    fn old_style_type(
        &mut self,
        ty: TypeId,
        names: &'a [Node<Identifier>],
        f: &'a Node<FunctionDefinition>,
    ) -> Result<TypeId> {
        let function = self.types.function(ty).expect("a function declarator");
        let mut types: FxHashMap<&str, QType> = FxHashMap::default();
        for d in &f.node.declarations {
            let specified = self.specifiers(&d.node.specifiers, d.span, false)?;
            for init in &d.node.declarators {
                let declared = self.declarator(specified.ty, &init.node.declarator)?;
                if let Some(name) = declared.name {
                    let ty = self.adjust(declared.ty);
                    types.insert(&name.node.name, ty);
                }
            }
        }
        let int = self.int_type();
        let parameters = names
            .iter()
            .map(|n| {
                types
                    .get(n.node.name.as_str())
                    .copied()
                    .unwrap_or(int.into())
            })
            .collect();
        let made = FunctionType {
            result: function.result,
            parameters,
            variadic: false,
            prototype: false,
        };
        Ok(self.types.make(Ty::Function(Rc::new(made))))
    }
}

/// The declarator of a definition that holds its parameters: the innermost one.
fn innermost(d: &Declarator) -> &Declarator {
    match &d.kind.node {
        DeclaratorKind::Declarator(inner) if has_function(&inner.node) => innermost(&inner.node),
        _ => d,
    }
}

fn has_function(d: &Declarator) -> bool {
    let own = d.derived.iter().any(|x| {
        matches!(
            x.node,
            DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_)
        )
    });
    own || match &d.kind.node {
        DeclaratorKind::Declarator(inner) => has_function(&inner.node),
        _ => false,
    }
}

pub(crate) fn old_style_names(d: &Declarator) -> Option<&[Node<Identifier>]> {
    innermost(d).derived.iter().find_map(|x| match &x.node {
        DerivedDeclarator::KRFunction(names) => Some(names.as_slice()),
        _ => None,
    })
}

pub(crate) fn function_declarator(d: &Declarator) -> Option<&Node<FunctionDeclarator>> {
    innermost(d).derived.iter().find_map(|x| match &x.node {
        DerivedDeclarator::Function(f) => Some(f),
        _ => None,
    })
}
