//! Structures, unions and enumerations (C11 6.7.2.1–6.7.2.3), and the C types of the program.

use super::declare::Attributes;
use super::*;
use crate::layout::Member;
use crate::types::{EnumId, Enumeration, Record, RecordId};
use lang_c::ast::*;
use prova_ir::ctype::CField;
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    /// `struct tag { … }`, `struct tag`, or `struct { … }`. `lone` for a declaration with no
    /// declarator, which declares the tag anew in its scope.
    pub fn record_type(
        &mut self,
        s: &'a Node<StructType>,
        attributes: &Attributes,
        lone: bool,
    ) -> Result<TypeId> {
        let union = s.node.kind.node == StructKind::Union;
        let defines = s.node.declarations.is_some();
        let id = match &s.node.identifier {
            None if !defines => {
                return Err(self.error(s.span, "a structure needs a tag or members"));
            }
            None => self.new_record(None, union),
            Some(tag) => self.record_tag(tag, union, defines, lone)?,
        };
        if let Some(declarations) = &s.node.declarations {
            self.define_record(id, declarations, attributes, s.span)?;
        }
        Ok(self.types.make(Ty::Record(id)))
    }

    fn new_record(&mut self, tag: Option<&str>, union: bool) -> RecordId {
        self.types.records.push(Record {
            tag: tag.map(Rc::from),
            union,
            fields: None,
            size: 0,
            align: 1,
            user_aligned: false,
        });
        RecordId(self.types.records.len() as u32 - 1)
    }

    fn find_tag(&self, name: &str, innermost: bool) -> Option<Tag> {
        if innermost {
            return self.scopes.last()?.tags.get(name).copied();
        }
        self.scopes
            .iter()
            .rev()
            .find_map(|s| s.tags.get(name))
            .copied()
    }

    fn bind_tag(&mut self, name: &'a str, tag: Tag) {
        let scope = self.scopes.last_mut().expect("a scope is open");
        scope.tags.insert(name, tag);
    }

    fn record_tag(
        &mut self,
        tag: &'a Node<Identifier>,
        union: bool,
        defines: bool,
        lone: bool,
    ) -> Result<RecordId> {
        let name = tag.node.name.as_str();
        match self.find_tag(name, defines || lone) {
            Some(Tag::Record(id)) => {
                let record = &self.types.records[id.0 as usize];
                if record.union != union {
                    return Err(self.error(tag.span, format!("`{name}` is another kind of tag")));
                }
                if defines && record.fields.is_some() {
                    let kind = if union { "union" } else { "struct" };
                    return Err(self.error(tag.span, format!("redefinition of `{kind} {name}`")));
                }
                Ok(id)
            }
            Some(Tag::Enum(_)) => {
                Err(self.error(tag.span, format!("`{name}` is another kind of tag")))
            }
            None => {
                let id = self.new_record(Some(name), union);
                self.bind_tag(name, Tag::Record(id));
                Ok(id)
            }
        }
    }

    fn define_record(
        &mut self,
        id: RecordId,
        declarations: &'a [Node<StructDeclaration>],
        attributes: &Attributes,
        span: CSpan,
    ) -> Result<()> {
        let union = self.types.records[id.0 as usize].union;
        let mut members: Vec<Member> = Vec::new();
        let mut names = FxHashSet::default();
        let last = declarations.len().saturating_sub(1);
        for (index, declaration) in declarations.iter().enumerate() {
            let field = match &declaration.node {
                StructDeclaration::StaticAssert(a) => {
                    self.static_assert(a)?;
                    continue;
                }
                StructDeclaration::Field(field) => field,
            };
            let specified = self.member_specifiers(&field.node.specifiers, field.span)?;
            if field.node.declarators.is_empty() {
                // An anonymous structure or union; anything else declares nothing.
                if self.types.record(specified.ty.id).is_some() {
                    let at = members.len();
                    members.push(Member {
                        name: None,
                        ty: specified.ty,
                        width: None,
                        packed: specified.attributes.packed,
                        align: specified.attributes.align,
                    });
                    self.check_complete(&members[at], id, false, field.span)?;
                }
                continue;
            }
            for (position, declarator) in field.node.declarators.iter().enumerate() {
                let member = self.member(&specified, declarator)?;
                let flexible = index == last && position + 1 == field.node.declarators.len();
                self.check_complete(&member, id, flexible || union, declarator.span)?;
                if let Some(name) = &member.name {
                    if !names.insert(name.clone()) {
                        let message = format!("`{name}` is declared twice");
                        return Err(self.error(declarator.span, message));
                    }
                }
                members.push(member);
            }
        }
        // Members may have defined this very record again.
        if self.types.records[id.0 as usize].fields.is_some() {
            return Err(self.error(span, "a structure is defined within itself"));
        }
        let (packed, align) = (attributes.packed, attributes.align);
        let pack = attributes.pack;
        layout::lay_out(
            &mut self.types,
            self.model,
            id,
            members,
            packed,
            align,
            pack,
        );
        if self.types.records[id.0 as usize].size > u64::MAX >> 8 {
            return Err(self.error(span, "this type is too large"));
        }
        Ok(())
    }

    fn check_complete(
        &self,
        member: &Member,
        id: RecordId,
        flexible: bool,
        span: CSpan,
    ) -> Result<()> {
        let ty = member.ty.id;
        if matches!(self.types.get(ty), Ty::Function(_)) {
            return Err(self.error(span, "a member cannot be a function"));
        }
        if self.types.is_variable(ty) {
            return Err(self.error(span, "a member cannot have a variable length"));
        }
        if flexible && matches!(self.types.array(ty), Some((_, Length::Unknown))) {
            return Ok(());
        }
        if layout::size_of(&self.types, self.model, ty).is_none() || self.types.is_void(ty) {
            let message = if self.types.record(ty) == Some(id) {
                format!("`{}` contains itself", self.types.record_name(id))
            } else {
                format!(
                    "a member has the incomplete type `{}`",
                    self.types.show(member.ty)
                )
            };
            return Err(self.error(span, message));
        }
        Ok(())
    }

    fn member(
        &mut self,
        specified: &super::declare::Specified,
        declarator: &'a Node<StructDeclarator>,
    ) -> Result<Member> {
        let (name, ty, own) = match &declarator.node.declarator {
            Some(d) => {
                let declared = self.declarator(specified.ty, d)?;
                (declared.name, declared.ty, declared.attributes)
            }
            None => (None, specified.ty, Attributes::default()),
        };
        let width = match &declarator.node.bit_width {
            None => None,
            Some(e) => {
                let (width, _) = self.constant(e)?;
                let Some(kind) = self.types.integer(ty.id) else {
                    return Err(self.error(e.span, "a bit-field must have an integer type"));
                };
                let most = if matches!(self.types.get(ty.id), Ty::Bool) {
                    1
                } else {
                    i128::from(self.int_bits(kind))
                };
                if width < 0 || width > most {
                    return Err(self.error(e.span, "this width does not fit the bit-field's type"));
                }
                if width == 0 && name.is_some() {
                    return Err(self.error(e.span, "a bit-field of width zero has no name"));
                }
                Some(width as u16)
            }
        };
        let align = match (specified.attributes.align, own.align) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        Ok(Member {
            name: name.map(|n| Rc::from(n.node.name.as_str())),
            ty,
            width,
            packed: specified.attributes.packed || own.packed,
            align,
        })
    }

    /// `enum tag { … }` or `enum tag`.
    pub fn enum_type(
        &mut self,
        e: &'a Node<EnumType>,
        attributes: &Attributes,
        lone: bool,
    ) -> Result<TypeId> {
        let defines = !e.node.enumerators.is_empty();
        let id = match &e.node.identifier {
            Some(tag) => {
                let name = tag.node.name.as_str();
                match self.find_tag(name, defines || lone) {
                    Some(Tag::Enum(id)) => {
                        if defines && self.types.enums[id.0 as usize].underlying.is_some() {
                            let message = format!("redefinition of `enum {name}`");
                            return Err(self.error(tag.span, message));
                        }
                        id
                    }
                    Some(Tag::Record(_)) => {
                        let message = format!("`{name}` is another kind of tag");
                        return Err(self.error(tag.span, message));
                    }
                    None => {
                        let id = self.new_enum(Some(name));
                        self.bind_tag(name, Tag::Enum(id));
                        id
                    }
                }
            }
            None => self.new_enum(None),
        };
        let ty = self.types.make(Ty::Enum(id));
        if defines {
            self.define_enum(id, ty, &e.node.enumerators, attributes)?;
        }
        Ok(ty)
    }

    fn new_enum(&mut self, tag: Option<&str>) -> EnumId {
        self.types.enums.push(Enumeration {
            tag: tag.map(Rc::from),
            underlying: None,
        });
        EnumId(self.types.enums.len() as u32 - 1)
    }

    /// As gcc does it: enumerators are `int` where they fit; when some do not, all get the
    /// type of the enumeration, which is `unsigned int`, `int`, or wider.
    fn define_enum(
        &mut self,
        id: EnumId,
        ty: TypeId,
        enumerators: &'a [Node<Enumerator>],
        attributes: &Attributes,
    ) -> Result<()> {
        let mut next = 0i128;
        let (mut least, mut most) = (0i128, 0i128);
        let int = self.int_type();
        let mut found = Vec::with_capacity(enumerators.len());
        for enumerator in enumerators {
            if let Some(e) = &enumerator.node.expression {
                let (value, of) = self.constant(e)?;
                // An unsigned 128-bit value cannot be told from a negative one here; no such
                // enumeration exists.
                let _ = of;
                next = value;
            }
            least = least.min(next);
            most = most.max(next);
            let fits = i32::try_from(next).is_ok();
            let own = if fits {
                int
            } else {
                let kind = self.smallest_kind(next.min(0), next);
                self.types.int(kind)
            };
            let name = enumerator.node.identifier.node.name.as_str();
            let known = self.scopes.last().and_then(|s| s.names.get(name));
            let same = match known {
                Some(Symbol::Enumerator(value, _)) => *value == next,
                Some(_) => false,
                None => true,
            };
            if !same && self.unit < self.first_model {
                let message = format!("`{name}` is declared as something else, too");
                return Err(self.error(enumerator.node.identifier.span, message));
            }
            self.bind(name, Symbol::Enumerator(next, own));
            found.push((name, next));
            next += 1;
        }
        let mut kind = self.smallest_kind(least, most);
        if attributes.packed {
            use IntKind::*;
            kind = if least < 0 {
                match (i8::try_from(least), i8::try_from(most)) {
                    (Ok(_), Ok(_)) => SChar,
                    _ if i16::try_from(least).is_ok() && i16::try_from(most).is_ok() => Short,
                    _ => kind,
                }
            } else if most < 256 {
                UChar
            } else if most < 65536 {
                UShort
            } else {
                kind
            };
        }
        self.types.enums[id.0 as usize].underlying = Some(kind);
        let all_fit = i32::try_from(least).is_ok() && i32::try_from(most).is_ok();
        if !all_fit {
            let _ = ty;
            let wide = self.types.int(kind);
            for (name, value) in found {
                self.bind(name, Symbol::Enumerator(value, wide));
            }
        }
        Ok(())
    }

    fn smallest_kind(&self, least: i128, most: i128) -> IntKind {
        use IntKind::*;
        let long_is_wide = self.model == DataModel::Lp64;
        if least >= 0 {
            match most {
                _ if most <= i128::from(u32::MAX) => UInt,
                _ if long_is_wide => ULong,
                _ => ULongLong,
            }
        } else if least >= i128::from(i32::MIN) && most <= i128::from(i32::MAX) {
            Int
        } else if long_is_wide {
            Long
        } else {
            LongLong
        }
    }

    /// The program's C type for a type.
    pub fn ctype(&mut self, ty: TypeId) -> CTypeId {
        let ty = self.types.plain(ty);
        if let Some(&id) = self.ctypes.get(&ty) {
            return id;
        }
        let id = self.program.ctypes.push(CType::Void);
        self.ctypes.insert(ty, id);
        let made = match self.types.get(ty).clone() {
            Ty::Void | Ty::Aligned(..) => CType::Void,
            Ty::Bool => CType::Bool,
            Ty::Int(kind) => CType::Int {
                name: kind.name().to_string(),
                bits: self.int_bits(kind),
                signed: kind.signed(),
            },
            Ty::Enum(e) => {
                let kind = self.types.integer(ty).unwrap_or(IntKind::UInt);
                CType::Int {
                    name: self.types.enum_name(e),
                    bits: self.int_bits(kind),
                    signed: kind.signed(),
                }
            }
            Ty::Float(kind) => CType::Float {
                bits: match kind {
                    FloatKind::F32 => 32,
                    FloatKind::F64 => 64,
                    FloatKind::X87 => 80,
                },
            },
            Ty::Opaque { name, size, .. } => CType::Record {
                name: name.to_string(),
                union: false,
                size,
                fields: Vec::new(),
            },
            Ty::Pointer(to) => CType::Pointer(self.ctype(to.id)),
            Ty::Array(element, length) => CType::Array {
                element: self.ctype(element.id),
                length: match length {
                    Length::Known(n) => Some(n),
                    _ => None,
                },
            },
            Ty::Function(f) => CType::Function {
                result: self.ctype(f.result.id),
                parameters: f.parameters.iter().map(|p| self.ctype(p.id)).collect(),
                variadic: f.variadic,
            },
            Ty::Record(r) => {
                let record = self.types.records[r.0 as usize].clone();
                let fields = record.fields.as_ref().map_or(Vec::new(), |fields| {
                    fields
                        .iter()
                        .filter(|f| f.bits.is_none_or(|b| b.width > 0))
                        .map(|f| CField {
                            name: f.name.as_deref().unwrap_or("").to_string(),
                            offset: f.offset,
                            bits: f.bits.map(|b| (b.shift, b.width)),
                            ctype: self.ctype(f.ty.id),
                        })
                        .collect()
                });
                CType::Record {
                    name: self.types.record_name(r),
                    union: record.union,
                    size: record.size,
                    fields,
                }
            }
        };
        self.program.ctypes.set(id, made);
        id
    }

    /// C types of records that were completed after their C type was made.
    pub fn complete_ctypes(&mut self) {
        let mut stale: Vec<TypeId> = self.ctypes.keys().copied().collect();
        stale.sort_unstable();
        for ty in stale {
            if self.types.record(ty).is_some() {
                let id = self.ctypes[&ty];
                if let CType::Record { fields, .. } = self.program.ctypes.get(id) {
                    if fields.is_empty() {
                        self.ctypes.remove(&ty);
                        let fresh = self.ctype(ty);
                        let made = self.program.ctypes.get(fresh).clone();
                        self.program.ctypes.set(id, made);
                        self.ctypes.insert(ty, id);
                    }
                }
            }
        }
    }
}
