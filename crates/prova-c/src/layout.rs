//! Sizes, alignments and the placement of members: what gcc does on x86 (System V ABI), for both
//! data models. Everything else in the crate asks here; the tests ask gcc the same questions.

use crate::types::{BitField, Field, IntKind, Length, QType, RecordId, Ty, TypeId, Types};
use prova_ir::{DataModel, FloatKind};
use std::rc::Rc;

/// Bits of an integer type.
pub fn int_bits(model: DataModel, kind: IntKind) -> u16 {
    use IntKind::*;
    match kind {
        Char | SChar | UChar => 8,
        Short | UShort => 16,
        Int | UInt => 32,
        Long | ULong => model.pointer_bits() as u16,
        LongLong | ULongLong => 64,
        Int128 | UInt128 => 128,
        Field { bits, .. } => bits.into(),
    }
}

/// Bytes of an integer type in memory.
fn int_bytes(model: DataModel, kind: IntKind) -> u64 {
    u64::from(int_bits(model, kind).next_power_of_two() / 8)
}

/// The size of a complete type of fixed size; `None` where there is none. `void` and functions
/// have size one, as gcc's pointer arithmetic has it.
pub fn size_of(types: &Types, model: DataModel, id: TypeId) -> Option<u64> {
    Some(match types.get(id) {
        Ty::Void | Ty::Bool | Ty::Function(_) => 1,
        Ty::Int(kind) => int_bytes(model, *kind),
        Ty::Enum(e) => {
            let kind = types.enums[e.0 as usize].underlying?;
            u64::from(int_bits(model, kind) / 8)
        }
        Ty::Float(FloatKind::F32) => 4,
        Ty::Float(FloatKind::F64) => 8,
        Ty::Float(FloatKind::X87) => match model {
            DataModel::Ilp32 => 12,
            DataModel::Lp64 => 16,
        },
        Ty::Opaque { size, .. } => *size,
        Ty::Pointer(_) => model.pointer_bytes(),
        Ty::Array(element, Length::Known(n)) => {
            size_of(types, model, element.id)?.checked_mul(*n)?
        }
        Ty::Array(..) => return None,
        Ty::Record(r) => {
            let record = &types.records[r.0 as usize];
            record.fields.as_ref()?;
            record.size
        }
        Ty::Aligned(..) => unreachable!("get looks through alignment"),
    })
}

/// The preferred alignment of a type: what `__alignof__` says and what objects get.
pub fn align_of(types: &Types, model: DataModel, id: TypeId) -> u64 {
    match types.raw(id) {
        Ty::Aligned(_, align) => *align,
        Ty::Void | Ty::Bool | Ty::Function(_) => 1,
        Ty::Int(kind) => int_bytes(model, *kind),
        Ty::Enum(_) => size_of(types, model, id).unwrap_or(4),
        Ty::Float(FloatKind::F32) => 4,
        Ty::Float(FloatKind::F64) => 8,
        Ty::Float(FloatKind::X87) => match model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 16,
        },
        Ty::Opaque { align, .. } => *align,
        Ty::Pointer(_) => model.pointer_bytes(),
        Ty::Array(element, _) => align_of(types, model, element.id),
        Ty::Record(r) => types.records[r.0 as usize].align.max(1),
    }
}

/// Whether an attribute, not the ABI, chose the alignment.
fn user_aligned(types: &Types, id: TypeId) -> bool {
    match types.raw(id) {
        Ty::Aligned(..) => true,
        Ty::Array(element, _) => user_aligned(types, element.id),
        Ty::Record(r) => types.records[r.0 as usize].user_aligned,
        _ => false,
    }
}

/// The alignment of a member of this type: on ILP32 eight-byte scalars need only four. This is
/// also what `_Alignof` says.
pub fn field_align(types: &Types, model: DataModel, id: TypeId) -> u64 {
    let align = align_of(types, model, id);
    if model == DataModel::Ilp32 && !user_aligned(types, id) {
        let mut inner = id;
        while let Some((element, _)) = types.array(inner) {
            inner = element.id;
        }
        if types.is_scalar(inner) {
            return align.min(4);
        }
    }
    align
}

/// A member before it has a place.
#[derive(Clone, Debug)]
pub struct Member {
    /// Name.
    pub name: Option<Rc<str>>,
    /// Type.
    pub ty: QType,
    /// Width of a bit-field.
    pub width: Option<u16>,
    /// `packed` on the member itself.
    pub packed: bool,
    /// `aligned` on the member itself.
    pub align: Option<u64>,
}

fn round_up(value: u64, to: u64) -> u64 {
    value.div_ceil(to) * to
}

/// Places the members of a record (gcc's `place_field`, with `PCC_BITFIELD_TYPE_MATTERS`).
pub fn lay_out(
    types: &mut Types,
    model: DataModel,
    id: RecordId,
    members: Vec<Member>,
    packed: bool,
    align: Option<u64>,
    pack: Option<u64>,
) {
    let union = types.records[id.0 as usize].union;
    let mut record_align = 1u64;
    let mut position = 0u64; // in bits
    let mut largest = 0u64; // in bits, for unions
    let mut placed: Vec<(Member, u64)> = Vec::with_capacity(members.len());
    for member in members {
        if union {
            position = 0;
        }
        let size_bits = 8 * size_of(types, model, member.ty.id).unwrap_or(0);
        let natural = field_align(types, model, member.ty.id);
        let is_packed = packed || member.packed;
        if let Some(width) = member.width {
            let mut type_align = natural;
            if let Some(p) = pack {
                type_align = type_align.min(p);
            }
            if width == 0 {
                position = round_up(position, 8 * natural);
            } else {
                if let Some(a) = member.align {
                    position = round_up(position, 8 * a);
                    record_align = record_align.max(a);
                }
                if !is_packed && pack.is_none() {
                    let a = 8 * type_align;
                    let span = (position % a + u64::from(width)).div_ceil(a);
                    if span > size_bits / a {
                        position = round_up(position, a);
                    }
                }
                if member.name.is_some() {
                    let a = if is_packed { 1 } else { type_align };
                    record_align = record_align.max(a);
                }
            }
            placed.push((member, position));
            position += u64::from(width);
        } else {
            let mut a = if is_packed { 1 } else { natural };
            if let Some(wanted) = member.align {
                a = if is_packed { wanted } else { a.max(wanted) };
            }
            if let Some(p) = pack {
                a = a.min(p);
            }
            record_align = record_align.max(a);
            position = round_up(position, 8 * a);
            placed.push((member, position));
            position += size_bits;
        }
        largest = largest.max(position);
    }
    if let Some(a) = align {
        record_align = record_align.max(a);
    }
    let end = if union { largest } else { position };
    let size = round_up(end.div_ceil(8), record_align);
    let fields = placed
        .into_iter()
        .map(|(member, at)| place(types, model, member, at, size))
        .collect();
    let record = &mut types.records[id.0 as usize];
    record.fields = Some(Rc::new(fields));
    record.size = size;
    record.align = record_align;
    record.user_aligned = align.is_some();
}

/// Chooses the unit through which a bit-field is accessed: the one of its declared type where it
/// lies within the record, a smaller one otherwise, its exact bytes as a last resort.
fn place(types: &Types, model: DataModel, member: Member, at: u64, size: u64) -> Field {
    let Some(width) = member.width else {
        return Field {
            name: member.name,
            ty: member.ty,
            offset: at / 8,
            bits: None,
        };
    };
    let declared = 8 * size_of(types, model, member.ty.id).unwrap_or(4);
    let mut unit = declared;
    let (mut start, mut bits) = (
        at / 8 * 8,
        (at % 8 + u64::from(width)).div_ceil(8).max(1) * 8,
    );
    while unit >= 8 {
        let from = at / unit * unit;
        if from + unit >= at + u64::from(width) && (from + unit) / 8 <= size {
            (start, bits) = (from, unit);
            break;
        }
        unit /= 2;
    }
    Field {
        name: member.name,
        ty: member.ty,
        offset: start / 8,
        bits: Some(BitField {
            unit: bits as u16,
            shift: (at - start) as u16,
            width,
        }),
    }
}
