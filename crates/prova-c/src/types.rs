//! C types as the analysis sees them: hash-consed ids, records and enumerations in tables of
//! their own so that recursive types need no indirection.

use indexmap::IndexSet;
use prova_ir::{FloatKind, RegId};
use std::rc::Rc;

/// A type without qualifiers at its top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypeId(u32);

/// A structure or union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// An enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// A type with the qualifiers at its top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QType {
    /// The type.
    pub id: TypeId,
    /// `const`.
    pub constant: bool,
    /// `volatile`.
    pub volatile: bool,
}

impl From<TypeId> for QType {
    fn from(id: TypeId) -> Self {
        QType {
            id,
            constant: false,
            volatile: false,
        }
    }
}

/// The standard integer types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// What gcc computes with where a bit-field has more bits than an `int` and fewer than its
    /// type: an integer of just these bits.
    Field {
        bits: u8,
        signed: bool,
    },
}

impl IntKind {
    /// Whether values are signed (plain `char` is, on x86).
    pub fn signed(self) -> bool {
        use IntKind::*;
        match self {
            Field { signed, .. } => signed,
            _ => matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128),
        }
    }

    /// The conversion rank (C11 6.3.1.1).
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
            // Between these and the standard types gcc looks at the width.
            Field { .. } => 3,
        }
    }

    /// The unsigned type of the same rank.
    pub fn unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            LongLong | ULongLong => ULongLong,
            Int128 | UInt128 => UInt128,
            Field { bits, .. } => Field {
                bits,
                signed: false,
            },
        }
    }

    /// Its C name.
    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
            Field { signed: true, .. } => "a bit-field",
            Field { signed: false, .. } => "an unsigned bit-field",
        }
    }
}

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// This many.
    Known(u64),
    /// `[]`.
    Unknown,
    /// As many as this register (of pointer width) says.
    Variable(RegId),
}

/// The shape of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer.
    Int(IntKind),
    /// A float.
    Float(FloatKind),
    /// Known to exist, never computed with: `_Complex double`, `_Float128`.
    Opaque {
        /// Its name.
        name: &'static str,
        /// Its size.
        size: u64,
        /// Its alignment.
        align: u64,
    },
    /// An enumeration.
    Enum(EnumId),
    /// A pointer.
    Pointer(QType),
    /// An array.
    Array(QType, Length),
    /// A function.
    Function(Rc<FunctionType>),
    /// A structure or union.
    Record(RecordId),
    /// A scalar typedef with `__attribute__((aligned))`, or an over-aligned array.
    Aligned(TypeId, u64),
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// Result.
    pub result: QType,
    /// Parameters, adjusted (arrays and functions are pointers).
    pub parameters: Vec<QType>,
    /// Whether `...` follows.
    pub variadic: bool,
    /// Whether the parameters are known: false for `int f()`.
    pub prototype: bool,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name; `None` for anonymous members and padding bit-fields.
    pub name: Option<Rc<str>>,
    /// Type.
    pub ty: QType,
    /// Offset in bytes; for a bit-field of the unit that is accessed.
    pub offset: u64,
    /// For a bit-field, where it lies.
    pub bits: Option<BitField>,
}

/// Where a bit-field lies in the unit at its field's offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// Bits of the unit that is loaded and stored.
    pub unit: u16,
    /// First bit.
    pub shift: u16,
    /// Number of bits; zero for an alignment mark.
    pub width: u16,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Tag.
    pub tag: Option<Rc<str>>,
    /// Whether it is a union.
    pub union: bool,
    /// Members; `None` while incomplete.
    pub fields: Option<Rc<Vec<Field>>>,
    /// Bytes.
    pub size: u64,
    /// Alignment.
    pub align: u64,
    /// Whether an `aligned` attribute set the alignment.
    pub user_aligned: bool,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Tag.
    pub tag: Option<Rc<str>>,
    /// Underlying type; `None` while incomplete.
    pub underlying: Option<IntKind>,
}

/// All types of the program.
#[derive(Default)]
pub struct Types {
    set: IndexSet<Ty, rustc_hash::FxBuildHasher>,
    /// Records by id.
    pub records: Vec<Record>,
    /// Enumerations by id.
    pub enums: Vec<Enumeration>,
}

impl Types {
    /// The id of a type.
    pub fn make(&mut self, ty: Ty) -> TypeId {
        TypeId(self.set.insert_full(ty).0 as u32)
    }

    /// The shape behind an id, alignment attributes included.
    pub fn raw(&self, id: TypeId) -> &Ty {
        &self.set[id.0 as usize]
    }

    /// The shape behind an id.
    pub fn get(&self, id: TypeId) -> &Ty {
        match self.raw(id) {
            Ty::Aligned(inner, _) => self.get(*inner),
            ty => ty,
        }
    }

    /// The type without an alignment attribute.
    pub fn plain(&self, id: TypeId) -> TypeId {
        match self.raw(id) {
            Ty::Aligned(inner, _) => self.plain(*inner),
            _ => id,
        }
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.make(Ty::Int(kind))
    }

    /// A pointer type.
    pub fn pointer(&mut self, to: impl Into<QType>) -> TypeId {
        self.make(Ty::Pointer(to.into()))
    }

    /// `void`.
    pub fn void(&mut self) -> TypeId {
        self.make(Ty::Void)
    }

    /// Whether this is `void`.
    pub fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id), Ty::Void)
    }

    /// Whether this is a structure or union.
    pub fn record(&self, id: TypeId) -> Option<RecordId> {
        match self.get(id) {
            Ty::Record(r) => Some(*r),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<QType> {
        match self.get(id) {
            Ty::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The function type, also through one pointer.
    pub fn function(&self, id: TypeId) -> Option<Rc<FunctionType>> {
        match self.get(id) {
            Ty::Function(f) => Some(f.clone()),
            Ty::Pointer(to) => match self.get(to.id) {
                Ty::Function(f) => Some(f.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The integer kind of an integer, enumeration or `_Bool` (as `unsigned char`).
    pub fn integer(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Ty::Int(kind) => Some(*kind),
            Ty::Bool => Some(IntKind::UChar),
            Ty::Enum(e) => Some(self.enums[e.0 as usize].underlying.unwrap_or(IntKind::UInt)),
            _ => None,
        }
    }

    /// Whether this is a float.
    pub fn float(&self, id: TypeId) -> Option<FloatKind> {
        match self.get(id) {
            Ty::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Whether this is arithmetic.
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        self.integer(id).is_some() || self.float(id).is_some()
    }

    /// Whether this is a pointer.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Ty::Pointer(_))
    }

    /// Whether a value of this type fits a register.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    /// Whether this is an array, and of what.
    pub fn array(&self, id: TypeId) -> Option<(QType, Length)> {
        match self.get(id) {
            Ty::Array(element, length) => Some((*element, *length)),
            _ => None,
        }
    }

    /// Whether the type's size depends on a run-time value.
    pub fn is_variable(&self, id: TypeId) -> bool {
        match self.get(id) {
            Ty::Array(_, Length::Variable(_)) => true,
            Ty::Array(element, _) => self.is_variable(element.id),
            _ => false,
        }
    }

    /// The record a member lies in, searching anonymous members: path offset and field.
    pub fn find_field(&self, record: RecordId, name: &str) -> Option<(u64, Field)> {
        let fields = self.records[record.0 as usize].fields.as_ref()?;
        for field in fields.iter() {
            match &field.name {
                Some(n) if &**n == name => return Some((0, field.clone())),
                None => {
                    if let (Some(inner), None) = (self.record(field.ty.id), field.bits) {
                        if let Some((offset, found)) = self.find_field(inner, name) {
                            return Some((offset + field.offset, found));
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// A type as people write it, near enough for messages.
    pub fn show(&self, q: QType) -> String {
        let mut text = String::new();
        if q.constant {
            text.push_str("const ");
        }
        if q.volatile {
            text.push_str("volatile ");
        }
        text + &self.show_id(q.id)
    }

    fn show_id(&self, id: TypeId) -> String {
        match self.raw(id) {
            Ty::Void => "void".into(),
            Ty::Bool => "_Bool".into(),
            Ty::Int(kind) => kind.name().into(),
            Ty::Float(FloatKind::F32) => "float".into(),
            Ty::Float(FloatKind::F64) => "double".into(),
            Ty::Float(FloatKind::X87) => "long double".into(),
            Ty::Opaque { name, .. } => (*name).into(),
            Ty::Enum(e) => self.enum_name(*e),
            Ty::Pointer(to) => match self.get(to.id) {
                Ty::Function(_) => self.show_id(to.id).replacen(" (", " (*)(", 1),
                _ => {
                    let inner = self.show(*to);
                    let gap = if inner.ends_with('*') { "" } else { " " };
                    format!("{inner}{gap}*")
                }
            },
            Ty::Array(element, length) => {
                let inner = self.show(*element);
                match length {
                    Length::Known(n) => format!("{inner} [{n}]"),
                    Length::Unknown => format!("{inner} []"),
                    Length::Variable(_) => format!("{inner} [*]"),
                }
            }
            Ty::Function(f) => {
                let mut parameters: Vec<String> =
                    f.parameters.iter().map(|p| self.show(*p)).collect();
                if f.variadic {
                    parameters.push("...".into());
                } else if f.prototype && parameters.is_empty() {
                    parameters.push("void".into());
                }
                format!("{} ({})", self.show(f.result), parameters.join(", "))
            }
            Ty::Record(r) => self.record_name(*r),
            Ty::Aligned(inner, _) => self.show_id(*inner),
        }
    }

    /// `struct tag`.
    pub fn record_name(&self, r: RecordId) -> String {
        let record = &self.records[r.0 as usize];
        let kind = if record.union { "union" } else { "struct" };
        match &record.tag {
            Some(tag) => format!("{kind} {tag}"),
            None => format!("{kind} <anonymous>"),
        }
    }

    /// `enum tag`.
    pub fn enum_name(&self, e: EnumId) -> String {
        match &self.enums[e.0 as usize].tag {
            Some(tag) => format!("enum {tag}"),
            None => "enum <anonymous>".into(),
        }
    }

    /// Whether two types are compatible (C11 6.2.7), records compared by their structure so
    /// that declarations of different files can be compared.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        self.compatible_within(a, b, &mut Vec::new())
    }

    fn compatible_within(
        &self,
        a: TypeId,
        b: TypeId,
        assumed: &mut Vec<(RecordId, RecordId)>,
    ) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Ty::Enum(_), Ty::Enum(_)) | (Ty::Enum(_), Ty::Int(_)) | (Ty::Int(_), Ty::Enum(_)) => {
                self.integer(a) == self.integer(b)
            }
            (Ty::Pointer(x), Ty::Pointer(y)) => {
                x.constant == y.constant
                    && x.volatile == y.volatile
                    && self.compatible_within(x.id, y.id, assumed)
            }
            (Ty::Array(x, n), Ty::Array(y, m)) => {
                let lengths = match (n, m) {
                    (Length::Known(n), Length::Known(m)) => n == m,
                    _ => true,
                };
                lengths && self.compatible_within(x.id, y.id, assumed)
            }
            (Ty::Function(f), Ty::Function(g)) => {
                self.compatible_within(f.result.id, g.result.id, assumed)
                    && (!f.prototype
                        || !g.prototype
                        || (f.variadic == g.variadic
                            && f.parameters.len() == g.parameters.len()
                            && f.parameters
                                .iter()
                                .zip(&g.parameters)
                                .all(|(x, y)| self.compatible_within(x.id, y.id, assumed))))
            }
            (Ty::Record(x), Ty::Record(y)) => {
                if assumed.contains(&(*x, *y)) {
                    return true;
                }
                let (r, s) = (&self.records[x.0 as usize], &self.records[y.0 as usize]);
                if r.union != s.union || r.tag != s.tag {
                    return false;
                }
                let (Some(f), Some(g)) = (&r.fields, &s.fields) else {
                    return true;
                };
                assumed.push((*x, *y));
                r.size == s.size
                    && f.len() == g.len()
                    && f.iter().zip(g.iter()).all(|(p, q)| {
                        p.name == q.name
                            && p.offset == q.offset
                            && p.bits == q.bits
                            && self.compatible_within(p.ty.id, q.ty.id, assumed)
                    })
            }
            (x, y) => x == y,
        }
    }
}
