//! Declarations in blocks: registers for scalars whose address is never taken, frame objects for
//! the rest, allocations for variable-length arrays.

use super::lvalue::{LPlace, Location};
use super::*;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    pub fn local_declaration(&mut self, d: &'a Node<Declaration>) -> Result<()> {
        let lone = d.node.declarators.is_empty();
        let specified = self.specifiers(&d.node.specifiers, d.span, lone)?;
        for init in &d.node.declarators {
            self.stand(init.span);
            let declarator = &init.node.declarator;
            let declared = self.declarator(specified.ty, declarator)?;
            let Some(name) = declared.name else { continue };
            let attributes = declared.attributes.and(&specified.attributes);
            let linked = matches!(self.types.get(declared.ty.id), Ty::Function(_))
                || specified.storage == Some(StorageClassSpecifier::Extern);
            let is_type = specified.storage == Some(StorageClassSpecifier::Typedef);
            self.check_new(name, linked, is_type.then_some(declared.ty))?;
            match specified.storage {
                Some(StorageClassSpecifier::Typedef) => {
                    let ty = self.aligned(declared.ty, attributes.align);
                    self.bind(&name.node.name, Symbol::Typedef(ty));
                }
                _ if matches!(self.types.get(declared.ty.id), Ty::Function(_)) => {
                    let noreturn = specified.noreturn || attributes.noreturn;
                    let proc = self.declare_function(name, declared.ty.id, false, noreturn)?;
                    self.symbol_attributes(name, Symbol::Function(proc), &attributes);
                    self.bind(&name.node.name, Symbol::Function(proc));
                }
                Some(StorageClassSpecifier::Extern) => {
                    let var = self.declare_external(name, declared.ty, attributes.align)?;
                    self.symbol_attributes(name, Symbol::Variable(var), &attributes);
                    self.bind(&name.node.name, Symbol::Variable(var));
                }
                Some(StorageClassSpecifier::Static) => {
                    self.static_local(name, declared.ty, attributes.align, init)?;
                }
                _ => {
                    self.automatic(name, declared.ty, attributes.align, init)?;
                    if let Some(function) = &attributes.cleanup {
                        let place = self.variable_place(name)?;
                        if let Location::Memory(address) = place.at {
                            self.cleaned_up(function, address, name)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a variable lives as long as the program.
    fn is_static(&self, var: VarId) -> bool {
        match self.variables[var.0 as usize].home {
            Home::Register(reg) => self.program.register(reg).owner.is_none(),
            Home::Object(object) => {
                !matches!(self.program.object(object).storage, Storage::Frame(_))
            }
            Home::Behind(_) => false,
        }
    }

    /// In one block a name is declared once (C11 6.7 §3), but for what has linkage, and types that
    /// stay the same. The outermost block of a function holds its parameters, too.
    fn check_new(
        &self,
        name: &'a Node<Identifier>,
        linked: bool,
        new_type: Option<QType>,
    ) -> Result<()> {
        let text = name.node.name.as_str();
        let depth = self.scopes.len();
        let with_parameters = if depth == 3 { 2 } else { 1 };
        let around = self.scopes.iter().rev().take(with_parameters);
        let found = around.filter_map(|s| s.names.get(text)).next();
        let same = match (found, new_type) {
            (None, _) => true,
            (Some(Symbol::Typedef(old)), Some(new)) => self.types.compatible(old.id, new.id),
            (Some(Symbol::Function(_)), None) => linked,
            (Some(Symbol::Variable(var)), None) => linked && self.is_static(*var),
            _ => false,
        };
        match (same, found) {
            (false, Some(symbol)) => {
                let shown = crate::fixups::original_name(text).into_owned();
                let message = format!("`{shown}` is declared twice in one block");
                let error = Diagnostic::error(message, self.place(self.unit, name.span));
                let first = match symbol {
                    Symbol::Variable(var) => Some(self.variables[var.0 as usize].declared),
                    Symbol::Function(p) => Some(self.functions[p.index()].declared),
                    _ => None,
                };
                Err(Box::new(match first.and_then(|(u, s)| self.place(u, s)) {
                    Some(place) => error.with_note("declared here before", Some(place)),
                    None => error,
                }))
            }
            _ => Ok(()),
        }
    }

    fn static_local(
        &mut self,
        name: &'a Node<Identifier>,
        ty: QType,
        align: Option<u64>,
        init: &'a Node<InitDeclarator>,
    ) -> Result<()> {
        let text = name.node.name.as_str();
        let taken = self.frame.taken.contains(text);
        let var = self.new_static(text, ty, align, taken, name.span)?;
        self.note_internal(var);
        self.bind(text, Symbol::Variable(var));
        self.define_static(var, init.node.initializer.as_ref(), name.span)
    }

    fn automatic(
        &mut self,
        name: &'a Node<Identifier>,
        ty: QType,
        align: Option<u64>,
        init: &'a Node<InitDeclarator>,
    ) -> Result<()> {
        let text = name.node.name.as_str();
        if self.types.is_variable(ty.id) {
            if init.node.initializer.is_some() {
                return Err(self.error(init.span, "a variable-length array has no initialiser"));
            }
            let size = self.size_expr(ty.id, name.span)?;
            let reg = self.local_register(text, Type::Ptr, ty, name.span);
            self.emit(Op::Allocate {
                target: reg,
                size,
                kind: Allocation::Stack,
            });
            let var = self.new_variable(ty, Home::Behind(reg), name.span);
            self.bind(text, Symbol::Variable(var));
            self.opened_array(text, ty, name.span);
            return Ok(());
        }
        if self.types.is_scalar(ty.id) && !self.frame.taken.contains(text) {
            return self.register_local(name, ty, init);
        }
        if self.types.is_void(ty.id) {
            return Err(self.error(name.span, format!("`{text}` cannot have type `void`")));
        }
        // The name is in scope in its own initialiser; its size may come from it.
        let object = self.frame_object(text, ty, align, name.span)?;
        let var = self.new_variable(ty, Home::Object(object), name.span);
        self.bind(text, Symbol::Variable(var));
        let leaves = match &init.node.initializer {
            Some(i) => {
                let (ty, leaves) = self.flatten(ty, i)?;
                self.variables[var.0 as usize].ty = ty;
                let ctype = self.ctype(ty.id);
                self.program.objects[object.index()].ctype = Some(ctype);
                Some((ty, leaves))
            }
            None => None,
        };
        let ty = self.variables[var.0 as usize].ty;
        self.program.objects[object.index()].size = self.size_of(ty.id, name.span)?;
        self.stand(init.span);
        self.emit(Op::Enter(object));
        self.opened(object);
        if let Some((ty, leaves)) = leaves {
            let address = self.address(object);
            self.initialise(address, ty, leaves, init.span)?;
        }
        Ok(())
    }

    fn register_local(
        &mut self,
        name: &'a Node<Identifier>,
        ty: QType,
        init: &'a Node<InitDeclarator>,
    ) -> Result<()> {
        let text = name.node.name.as_str();
        let ir = self.ir_type(ty.id, name.span)?;
        let reg = self.local_register(text, ir, ty, name.span);
        let var = self.new_variable(ty, Home::Register(reg), name.span);
        self.bind(text, Symbol::Variable(var));
        let Some(i) = &init.node.initializer else {
            self.emit(Op::Nondet {
                target: reg,
                origin: Origin::Uninitialised,
            });
            return Ok(());
        };
        let (_, leaves) = self.flatten(ty, i)?;
        let value = match leaves.into_iter().next() {
            Some(super::init::Leaf {
                source: super::init::Source::Expr(e),
                ..
            }) => {
                let value = self.expr(e)?;
                self.convert_for_assignment(value, ty.id, e.span)?.expr
            }
            _ => self.zero(ir),
        };
        self.stand(init.span);
        self.assign(reg, value);
        Ok(())
    }

    pub fn local_register(&mut self, name: &str, ir: Type, ty: QType, span: CSpan) -> RegId {
        self.named_register(name, ir, ty, Role::Local, span)
    }

    pub fn named_register(
        &mut self,
        c_name: &str,
        ir: Type,
        ty: QType,
        role: Role,
        span: CSpan,
    ) -> RegId {
        let name = self.unique_name(c_name);
        let ctype = Some(self.ctype(ty.id));
        let span = self.span(span);
        let owner = match role {
            Role::Global => None,
            _ => self.frame.proc,
        };
        self.program.add_register(Register {
            name,
            c_name: c_name.to_string(),
            ty: ir,
            ctype,
            owner,
            role,
            initial: None,
            span,
        })
    }

    fn frame_object(
        &mut self,
        c_name: &str,
        ty: QType,
        align: Option<u64>,
        span: CSpan,
    ) -> Result<ObjectId> {
        let Some(proc) = self.frame.proc else {
            return Err(self.error(span, "a declaration cannot stand here"));
        };
        let name = self.unique_name(c_name);
        let align = self.align_of(ty.id).max(align.unwrap_or(1));
        let ctype = Some(self.ctype(ty.id));
        let size = layout::size_of(&self.types, self.model, ty.id).unwrap_or(0);
        let span = self.span(span);
        Ok(self.program.add_object(Object {
            name,
            c_name: c_name.to_string(),
            size,
            align,
            storage: Storage::Frame(proc),
            ctype,
            span,
        }))
    }

    /// `(type){ … }`: a static object at file scope, a frame object elsewhere.
    pub fn compound_literal(&mut self, literal: &'a Node<CompoundLiteral>) -> Result<LPlace> {
        let named = self.type_name(&literal.node.type_name)?;
        let mut ty = named;
        let items = &literal.node.initializer_list;
        let (length, leaves) = self.flatten_items(ty, items, literal.span)?;
        if let Some((element, Length::Unknown)) = self.types.array(ty.id) {
            ty.id = self.types.make(Ty::Array(element, Length::Known(length)));
        }
        let size = self.size_of(ty.id, literal.span)?;
        let align = self.align_of(ty.id);
        if self.frame.proc.is_none() {
            let (initial, _) = self.static_contents(leaves)?;
            let name = self.unique_name("literal");
            let ctype = Some(self.ctype(ty.id));
            let span = self.span(literal.span);
            let object = self.program.add_object(Object {
                name,
                c_name: String::new(),
                size,
                align,
                storage: Storage::Static {
                    initial,
                    constant: ty.constant,
                },
                ctype,
                span,
            });
            return Ok(LPlace {
                at: Location::Memory(self.address(object)),
                ty,
            });
        }
        self.stand(literal.span);
        let object = self.temporary_object(size, align, Some(ty.id));
        self.opened(object);
        let address = self.address(object);
        self.initialise(address, ty, leaves, literal.span)?;
        Ok(LPlace {
            at: Location::Memory(address),
            ty,
        })
    }

    /// The object of a string literal, and its type.
    pub fn string_object(&mut self, text: &'a Node<StringLiteral>) -> Result<(ObjectId, TypeId)> {
        let Some((encoding, elements)) = crate::literal::string(&text.node) else {
            return Err(self.error(text.span, "this is not a string"));
        };
        let kind = encoding.element(self.model);
        let size = usize::from(self.int_bits(kind) / 8);
        let bytes = elements
            .iter()
            .chain([&0])
            .flat_map(|e| e.to_le_bytes()[..size].to_vec())
            .collect();
        Ok(self.literal_object(bytes, kind))
    }

    pub fn literal_object(&mut self, bytes: Vec<u8>, kind: IntKind) -> (ObjectId, TypeId) {
        let size = u64::from(self.int_bits(kind) / 8);
        let element = self.types.int(kind);
        let count = bytes.len() as u64 / size;
        let ty = self
            .types
            .make(Ty::Array(element.into(), Length::Known(count)));
        if let Some(&object) = self.literals.get(&(bytes.clone(), size)) {
            return (object, ty);
        }
        let name = self.unique_name("string");
        let ctype = Some(self.ctype(ty));
        let object = self.program.add_object(Object {
            name,
            c_name: String::new(),
            size: bytes.len() as u64,
            align: size,
            storage: Storage::Static {
                initial: vec![(0, Initial::Bytes(bytes.clone()))],
                constant: true,
            },
            ctype,
            span: self.frame.here,
        });
        self.literals.insert((bytes, size), object);
        (object, ty)
    }
}
