//! Specifiers and declarators become types (C11 6.7.1–6.7.7).

use super::*;
use crate::scan::declared_name;
use crate::types::FunctionType;
use lang_c::ast::*;
use std::rc::Rc;

/// What attributes say that has a meaning here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub packed: bool,
    pub align: Option<u64>,
    pub noreturn: bool,
    pub mode: Option<String>,
    /// Another name for this symbol.
    pub alias: Option<String>,
    /// The name that the linker sees.
    pub symbol: Option<String>,
    pub weak: bool,
    /// A function of the program says at the start which one this is.
    pub resolved: bool,
    /// It lies among what runs before or after `main`.
    pub listed: bool,
    /// The function that is called at the end of the variable's block.
    pub cleanup: Option<String>,
    /// Called before `main`, or after it; those with small numbers first, or last.
    pub constructor: Option<u64>,
    pub destructor: Option<u64>,
    pub gnu_inline: bool,
    /// The limit of `#pragma pack`.
    pub pack: Option<u64>,
}

impl Attributes {
    /// What the specifiers say goes for every declarator.
    pub fn and(mut self, more: &Attributes) -> Self {
        self.align = self.align.max(more.align);
        self.noreturn |= more.noreturn;
        self.weak |= more.weak;
        self.resolved |= more.resolved;
        self.listed |= more.listed;
        self.alias = self.alias.or_else(|| more.alias.clone());
        self.symbol = self.symbol.or_else(|| more.symbol.clone());
        self.cleanup = self.cleanup.or_else(|| more.cleanup.clone());
        self.constructor = self.constructor.or(more.constructor);
        self.destructor = self.destructor.or(more.destructor);
        self
    }
}

/// Specifiers, understood.
#[derive(Clone, Debug)]
pub(crate) struct Specified {
    pub ty: QType,
    pub storage: Option<StorageClassSpecifier>,
    pub inline: bool,
    pub noreturn: bool,
    pub attributes: Attributes,
}

/// A declarator, understood.
pub(crate) struct Declared<'a> {
    pub name: Option<&'a Node<Identifier>>,
    pub ty: QType,
    pub attributes: Attributes,
}

/// Counts of the type specifiers that can be combined.
#[derive(Default)]
struct Counts {
    void: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    float: u8,
    double: u8,
    signed: u8,
    unsigned: u8,
    bool: u8,
    complex: u8,
    int128: u8,
}

/// Specifiers of declarations and of members, alike.
enum Item<'a> {
    Type(&'a Node<TypeSpecifier>),
    Qualifier(&'a TypeQualifier),
    Extensions(&'a [Node<Extension>]),
}

impl<'a> Lowerer<'a> {
    pub fn attributes(
        &mut self,
        extensions: &'a [Node<Extension>],
        into: &mut Attributes,
    ) -> Result<()> {
        for extension in extensions {
            let attribute = match &extension.node {
                Extension::Attribute(attribute) => attribute,
                Extension::AsmLabel(label) => {
                    into.symbol = Some(spelled(label));
                    continue;
                }
                _ => continue,
            };
            match attribute.name.node.trim_matches('_') {
                "packed" => into.packed = true,
                "aligned" => {
                    let align = match attribute.arguments.first() {
                        Some(e) => self.constant(e)?.0 as u64,
                        None => 16,
                    };
                    if !align.is_power_of_two() {
                        return Err(self.error(extension.span, "alignment is no power of two"));
                    }
                    into.align = Some(into.align.unwrap_or(1).max(align));
                }
                "noreturn" => into.noreturn = true,
                "gnu_inline" => into.gnu_inline = true,
                crate::fixups::reserved::PRAGMA_PACK => {
                    if let Some(e) = attribute.arguments.first() {
                        into.pack =
                            Some(self.constant(e)?.0 as u64).filter(|p| p.is_power_of_two());
                    }
                }
                "mode" => {
                    if let Some(Expression::Identifier(name)) =
                        attribute.arguments.first().map(|e| &e.node)
                    {
                        into.mode = Some(name.node.name.trim_matches('_').to_string());
                    }
                }
                "alias" => {
                    if let Some(Expression::StringLiteral(text)) =
                        attribute.arguments.first().map(|e| &e.node)
                    {
                        into.alias = Some(spelled(text));
                    }
                }
                "weak" => into.weak = true,
                "ifunc" => into.resolved = true,
                "section" => into.listed = true,
                "weakref" => {
                    let what = attribute.name.node.trim_matches('_');
                    let message = format!("the attribute `{what}` is not supported");
                    return Err(self.error(extension.span, message));
                }
                "cleanup" => {
                    if let Some(Expression::Identifier(name)) =
                        attribute.arguments.first().map(|e| &e.node)
                    {
                        into.cleanup = Some(name.node.name.clone());
                    }
                }
                kind @ ("constructor" | "destructor") => {
                    let priority = match attribute.arguments.first() {
                        Some(e) => self.constant(e)?.0 as u64,
                        None => u64::from(u16::MAX),
                    };
                    match kind {
                        "constructor" => into.constructor = Some(priority),
                        _ => into.destructor = Some(priority),
                    }
                }
                "vector_size" => {
                    return Err(self.error(extension.span, "vector types are not supported"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The specifiers of a declaration.
    pub fn specifiers(
        &mut self,
        list: &'a [Node<DeclarationSpecifier>],
        span: CSpan,
        lone: bool,
    ) -> Result<Specified> {
        let mut items = Vec::with_capacity(list.len());
        let mut storage = None;
        let (mut inline, mut noreturn, mut align) = (false, false, None);
        for specifier in list {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::ThreadLocal => self.warn(
                        class.span,
                        "thread-local storage is treated as ordinary static storage",
                    ),
                    _ => storage = Some(class.node.clone()),
                },
                DeclarationSpecifier::TypeSpecifier(t) => items.push(Item::Type(t)),
                DeclarationSpecifier::TypeQualifier(q) => items.push(Item::Qualifier(&q.node)),
                DeclarationSpecifier::Function(f) => match f.node {
                    FunctionSpecifier::Inline => inline = true,
                    FunctionSpecifier::Noreturn => noreturn = true,
                },
                DeclarationSpecifier::Alignment(a) => {
                    let wanted = match &a.node {
                        AlignmentSpecifier::Type(name) => {
                            let ty = self.type_name(name)?;
                            layout::align_of(&self.types, self.model, ty.id)
                        }
                        AlignmentSpecifier::Constant(e) => self.constant(e)?.0 as u64,
                    };
                    if wanted != 0 {
                        if !wanted.is_power_of_two() {
                            return Err(self.error(a.span, "alignment is no power of two"));
                        }
                        align = Some(align.unwrap_or(1).max(wanted));
                    }
                }
                DeclarationSpecifier::Extension(list) => items.push(Item::Extensions(list)),
            }
        }
        let mut specified = self.combine(items, span, lone)?;
        specified.storage = storage;
        specified.inline = inline;
        specified.noreturn |= noreturn;
        if let Some(a) = align {
            let old = specified.attributes.align.unwrap_or(1);
            specified.attributes.align = Some(old.max(a));
        }
        Ok(specified)
    }

    /// The specifiers of a member or type name.
    pub fn member_specifiers(
        &mut self,
        list: &'a [Node<SpecifierQualifier>],
        span: CSpan,
    ) -> Result<Specified> {
        let items = list
            .iter()
            .map(|s| match &s.node {
                SpecifierQualifier::TypeSpecifier(t) => Item::Type(t),
                SpecifierQualifier::TypeQualifier(q) => Item::Qualifier(&q.node),
                SpecifierQualifier::Extension(list) => Item::Extensions(list),
            })
            .collect();
        self.combine(items, span, false)
    }

    fn combine(&mut self, items: Vec<Item<'a>>, span: CSpan, lone: bool) -> Result<Specified> {
        let mut counts = Counts::default();
        let mut whole: Option<QType> = None;
        let (mut constant, mut volatile, mut any) = (false, false, false);
        // Attributes first: `struct S { … } __attribute__((packed))` changes the structure.
        let mut attributes = Attributes::default();
        for item in &items {
            if let Item::Extensions(list) = item {
                self.attributes(list, &mut attributes)?;
            }
        }
        let mut defines_record = false;
        for item in items {
            let specifier = match item {
                Item::Type(t) => t,
                Item::Qualifier(q) => {
                    constant |= *q == TypeQualifier::Const;
                    volatile |= *q == TypeQualifier::Volatile;
                    continue;
                }
                Item::Extensions(_) => continue,
            };
            any = true;
            match &specifier.node {
                TypeSpecifier::Void => counts.void += 1,
                TypeSpecifier::Char => counts.char += 1,
                TypeSpecifier::Short => counts.short += 1,
                TypeSpecifier::Int => counts.int += 1,
                TypeSpecifier::Long => counts.long += 1,
                TypeSpecifier::Float => counts.float += 1,
                TypeSpecifier::Double => counts.double += 1,
                TypeSpecifier::Signed => counts.signed += 1,
                TypeSpecifier::Unsigned => counts.unsigned += 1,
                TypeSpecifier::Bool => counts.bool += 1,
                TypeSpecifier::Complex => counts.complex += 1,
                TypeSpecifier::Atomic(name) => whole = Some(self.type_name(name)?),
                TypeSpecifier::Struct(s) => {
                    defines_record = s.node.declarations.is_some();
                    whole = Some(self.record_type(s, &attributes, lone)?.into());
                }
                TypeSpecifier::Enum(e) => {
                    whole = Some(self.enum_type(e, &attributes, lone)?.into());
                }
                TypeSpecifier::TypedefName(name) => {
                    whole = Some(self.typedef_name(name)?);
                }
                TypeSpecifier::TypeOf(t) => match &t.node {
                    TypeOf::Type(name) => whole = Some(self.type_name(name)?),
                    TypeOf::Expression(e) => {
                        if matches!(&e.node, Expression::Identifier(i)
                            if i.node.name == crate::fixups::reserved::INT128)
                        {
                            counts.int128 += 1;
                        } else {
                            whole = Some(self.type_of(e)?);
                        }
                    }
                },
                TypeSpecifier::TS18661Float(f) => {
                    whole = Some(self.extended_float(f, specifier.span)?.into());
                }
            }
        }
        let mut ty = match whole {
            Some(ty) => ty,
            None => self.basic_type(&counts, any, span)?.into(),
        };
        ty.constant |= constant;
        ty.volatile |= volatile;
        if let Some(mode) = attributes.mode.take() {
            ty.id = self.with_mode(ty.id, &mode, span)?;
        }
        if defines_record {
            // They have been applied to the record and do not concern the variable.
            attributes.align = None;
            attributes.packed = false;
        }
        Ok(Specified {
            ty,
            storage: None,
            inline: false,
            noreturn: attributes.noreturn,
            attributes,
        })
    }

    fn typedef_name(&mut self, name: &'a Node<Identifier>) -> Result<QType> {
        let text = name.node.name.as_str();
        match self.lookup(text) {
            Some(Symbol::Typedef(ty)) => Ok(*ty),
            _ if text == "__builtin_va_list" => Ok(self.va_list),
            _ => Err(self.error(name.span, format!("`{text}` is not a type"))),
        }
    }

    fn extended_float(&mut self, f: &TS18661FloatType, span: CSpan) -> Result<TypeId> {
        use TS18661FloatFormat::*;
        let ty = match (&f.format, f.width) {
            (BinaryInterchange, 32) => Ty::Float(FloatKind::F32),
            (BinaryInterchange, 64) | (BinaryExtended, 32) => Ty::Float(FloatKind::F64),
            (BinaryExtended, 64) => Ty::Float(FloatKind::X87),
            (BinaryInterchange, 128) => Ty::Opaque {
                name: "_Float128",
                size: 16,
                align: 16,
            },
            (BinaryInterchange, 16) => Ty::Opaque {
                name: "_Float16",
                size: 2,
                align: 2,
            },
            (DecimalInterchange, width @ (32 | 64 | 128)) => Ty::Opaque {
                name: "decimal floats",
                size: width as u64 / 8,
                align: width as u64 / 8,
            },
            _ => return Err(self.error(span, "this floating type is not supported")),
        };
        Ok(self.types.make(ty))
    }

    fn basic_type(&mut self, c: &Counts, any: bool, span: CSpan) -> Result<TypeId> {
        use IntKind::*;
        if c.complex > 0 {
            let (size, align) = match (c.float, c.long) {
                (1, _) => (8, 4),
                (_, 1) => (32, 16),
                _ => (16, 8),
            };
            return Ok(self.types.make(Ty::Opaque {
                name: "_Complex",
                size,
                align,
            }));
        }
        let unsigned = c.unsigned > 0;
        let kind = match (c.char, c.short, c.long) {
            _ if c.void > 0 => return Ok(self.types.void()),
            _ if c.bool > 0 => return Ok(self.types.make(Ty::Bool)),
            _ if c.float > 0 => return Ok(self.types.make(Ty::Float(FloatKind::F32))),
            _ if c.double > 0 => {
                let kind = if c.long > 0 {
                    FloatKind::X87
                } else {
                    FloatKind::F64
                };
                return Ok(self.types.make(Ty::Float(kind)));
            }
            _ if c.int128 > 0 => {
                if self.model == DataModel::Ilp32 {
                    return Err(self.error(span, "`__int128` does not exist on 32-bit targets"));
                }
                Int128
            }
            (1.., _, _) if unsigned => UChar,
            (1.., _, _) if c.signed > 0 => SChar,
            (1.., _, _) => return Ok(self.types.int(Char)),
            (_, 1.., _) => Short,
            (_, _, 1) => Long,
            (_, _, 2..) => LongLong,
            _ => {
                if !any {
                    self.warn(span, "a type is missing here, `int` is assumed");
                }
                Int
            }
        };
        let kind = if unsigned { kind.unsigned() } else { kind };
        Ok(self.types.int(kind))
    }

    fn with_mode(&mut self, ty: TypeId, mode: &str, span: CSpan) -> Result<TypeId> {
        use IntKind::*;
        let long_long = match self.model {
            DataModel::Ilp32 => LongLong,
            DataModel::Lp64 => Long,
        };
        let word = match self.model {
            DataModel::Ilp32 => Int,
            DataModel::Lp64 => Long,
        };
        let kind = match mode {
            "QI" | "byte" => SChar,
            "HI" => Short,
            "SI" => Int,
            "DI" => long_long,
            "TI" => Int128,
            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" => word,
            "SF" => return Ok(self.types.make(Ty::Float(FloatKind::F32))),
            "DF" => return Ok(self.types.make(Ty::Float(FloatKind::F64))),
            "XF" => return Ok(self.types.make(Ty::Float(FloatKind::X87))),
            _ => return Err(self.error(span, format!("mode `{mode}` is not supported"))),
        };
        let unsigned = matches!(self.types.integer(ty), Some(k) if !k.signed());
        Ok(self
            .types
            .int(if unsigned { kind.unsigned() } else { kind }))
    }

    /// A type with at least this alignment.
    pub fn aligned(&mut self, ty: QType, align: Option<u64>) -> QType {
        match align {
            Some(a) if a != self.align_of(ty.id) => QType {
                id: self.types.make(Ty::Aligned(ty.id, a)),
                ..ty
            },
            _ => ty,
        }
    }

    /// Applies a declarator to the type its specifiers gave.
    pub fn declarator(
        &mut self,
        base: QType,
        declarator: &'a Node<Declarator>,
    ) -> Result<Declared<'a>> {
        let mut attributes = Attributes::default();
        let ty = self.derive(base, &declarator.node, &mut attributes)?;
        let ty = match attributes.mode.take() {
            Some(mode) => QType {
                id: self.with_mode(ty.id, &mode, declarator.span)?,
                ..ty
            },
            None => ty,
        };
        Ok(Declared {
            name: declared_name(&declarator.node),
            ty,
            attributes,
        })
    }

    fn derive(
        &mut self,
        base: QType,
        declarator: &'a Declarator,
        attributes: &mut Attributes,
    ) -> Result<QType> {
        self.attributes(&declarator.extensions, attributes)?;
        let mut ty = base;
        let pointers = declarator
            .derived
            .iter()
            .take_while(|d| matches!(d.node, DerivedDeclarator::Pointer(_)))
            .count();
        for derived in &declarator.derived[..pointers] {
            let DerivedDeclarator::Pointer(qualifiers) = &derived.node else {
                continue;
            };
            ty = self.types.pointer(ty).into();
            for q in qualifiers {
                match &q.node {
                    PointerQualifier::TypeQualifier(q) => {
                        ty.constant |= q.node == TypeQualifier::Const;
                        ty.volatile |= q.node == TypeQualifier::Volatile;
                    }
                    PointerQualifier::Extension(list) => self.attributes(list, attributes)?,
                }
            }
        }
        for derived in declarator.derived[pointers..].iter().rev() {
            ty = match &derived.node {
                DerivedDeclarator::Pointer(_) => self.types.pointer(ty).into(),
                DerivedDeclarator::Block(_) => {
                    return Err(self.error(derived.span, "blocks are not supported"));
                }
                DerivedDeclarator::Array(array) => self.array_type(ty, array)?,
                DerivedDeclarator::Function(f) => self.function_type(ty, f, derived.span)?,
                DerivedDeclarator::KRFunction(_) => {
                    let f = FunctionType {
                        result: ty,
                        parameters: Vec::new(),
                        variadic: false,
                        prototype: false,
                    };
                    self.types.make(Ty::Function(Rc::new(f))).into()
                }
            };
        }
        match &declarator.kind.node {
            DeclaratorKind::Declarator(inner) => self.derive(ty, &inner.node, attributes),
            _ => Ok(ty),
        }
    }

    fn array_type(&mut self, element: QType, array: &'a Node<ArrayDeclarator>) -> Result<QType> {
        if matches!(self.types.get(element.id), Ty::Function(_) | Ty::Void) {
            return Err(self.error(array.span, "an array cannot have elements of this type"));
        }
        let length = match &array.node.size {
            ArraySize::Unknown | ArraySize::VariableUnknown => Length::Unknown,
            ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => {
                self.array_length(e)?
            }
        };
        Ok(self.types.make(Ty::Array(element, length)).into())
    }

    fn array_length(&mut self, e: &'a Node<Expression>) -> Result<Length> {
        let (value, clean) = self.unchecked_aside(|s| s.expr(e))?;
        let Some(kind) = self.types.integer(value.ty) else {
            return Err(self.error(e.span, "an array's length must be an integer"));
        };
        if let (Some((bits, width)), true) = (fold::as_int(&self.program.exprs, value.expr), clean)
        {
            let negative = kind.signed() && fold::signed(bits, width) < 0;
            if negative || bits > u128::from(u64::MAX >> 4) {
                return Err(self.error(e.span, "this array length is negative or too large"));
            }
            return Ok(Length::Known(bits as u64));
        }
        if !self.frame.evaluate_lengths {
            if self.frame.proc.is_none() && self.scopes.len() <= 1 {
                return Err(self.error(e.span, "an array's length must be constant here"));
            }
            return Ok(Length::Unknown);
        }
        let value = self.expr(e)?;
        let size = self.size_type();
        let value = self.convert(value, size, e.span)?;
        let bits = self.pointer_bits();
        let reg = self.temporary(Type::Int(bits));
        self.assign(reg, value.expr);
        Ok(Length::Variable(reg))
    }

    fn function_type(
        &mut self,
        result: QType,
        f: &'a Node<FunctionDeclarator>,
        span: CSpan,
    ) -> Result<QType> {
        if self.types.array(result.id).is_some()
            || matches!(self.types.get(result.id), Ty::Function(_))
        {
            return Err(self.error(span, "a function cannot return an array or a function"));
        }
        let evaluate = std::mem::replace(&mut self.frame.evaluate_lengths, false);
        let parameters = self.scoped(|s| {
            let mut parameters = Vec::with_capacity(f.node.parameters.len());
            for p in &f.node.parameters {
                let (name, ty) = s.parameter(p)?;
                if let Some(name) = name {
                    // Later parameters may speak of it in their array lengths.
                    let var = s.placeholder(ty, name.span);
                    s.bind(&name.node.name, Symbol::Variable(var));
                }
                parameters.push(ty);
            }
            Ok(parameters)
        });
        self.frame.evaluate_lengths = evaluate;
        let mut parameters = parameters?;
        if let [only] = parameters[..] {
            if self.types.is_void(only.id) {
                parameters.clear();
            }
        }
        for p in &parameters {
            if self.types.is_void(p.id) {
                return Err(self.error(span, "a parameter cannot have type `void`"));
            }
        }
        let f = FunctionType {
            result,
            parameters,
            variadic: f.node.ellipsis == Ellipsis::Some,
            prototype: true,
        };
        Ok(self.types.make(Ty::Function(Rc::new(f))).into())
    }

    /// A parameter's name and adjusted type.
    pub fn parameter(
        &mut self,
        p: &'a Node<ParameterDeclaration>,
    ) -> Result<(Option<&'a Node<Identifier>>, QType)> {
        let specified = self.specifiers(&p.node.specifiers, p.span, false)?;
        let (name, ty) = match &p.node.declarator {
            Some(d) => {
                let declared = self.declarator(specified.ty, d)?;
                (declared.name, declared.ty)
            }
            None => (None, specified.ty),
        };
        Ok((name, self.adjust(ty)))
    }

    /// Arrays and functions as parameters are pointers (C11 6.7.6.3 §7).
    pub fn adjust(&mut self, ty: QType) -> QType {
        match self.types.get(ty.id).clone() {
            Ty::Array(element, _) => self.types.pointer(element).into(),
            Ty::Function(_) => self.types.pointer(ty.id).into(),
            _ => ty,
        }
    }

    /// The type a type name stands for.
    pub fn type_name(&mut self, name: &'a Node<TypeName>) -> Result<QType> {
        let specified = self.member_specifiers(&name.node.specifiers, name.span)?;
        match &name.node.declarator {
            Some(d) => Ok(self.declarator(specified.ty, d)?.ty),
            None => Ok(specified.ty),
        }
    }

    /// A variable that only has a type.
    pub fn placeholder(&mut self, ty: QType, span: CSpan) -> VarId {
        let ir = self.ir_type(ty.id, span).unwrap_or(Type::Ptr);
        let reg = self.temporary(ir);
        self.new_variable(ty, Home::Register(reg), span)
    }

    pub fn new_variable(&mut self, ty: QType, home: Home, span: CSpan) -> VarId {
        self.variables.push(Variable {
            ty,
            home,
            defined: None,
            external: false,
            declared: (self.unit, span),
        });
        VarId(self.variables.len() as u32 - 1)
    }
}

/// What a string in an attribute or an `asm` label says.
fn spelled(text: &Node<StringLiteral>) -> String {
    let parts = text.node.iter().map(|part| part.trim_matches('"'));
    parts.collect()
}
