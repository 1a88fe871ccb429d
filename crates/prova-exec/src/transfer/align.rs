//! Alignment of what a pointer points to, from its C type. Too small is safe: it only allows
//! more pointers.

use prova_ir::{CType, CTypeId, DataModel, Program};

/// Types nested deeper count as unaligned.
const DEPTH: u32 = 32;

/// The alignment of the pointee of a pointer type; 1 where nothing is known.
pub(crate) fn pointee(program: &Program, ctype: Option<CTypeId>) -> u64 {
    match ctype.map(|c| program.ctypes.get(c)) {
        Some(CType::Pointer(to)) => align(program, *to, DEPTH),
        _ => 1,
    }
}

fn align(program: &Program, ctype: CTypeId, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let most = match program.model {
        DataModel::Ilp32 => 4,
        DataModel::Lp64 => 16,
    };
    match program.ctypes.get(ctype) {
        CType::Void | CType::Bool | CType::Function { .. } => 1,
        CType::Int { bits, .. } => scalar(u64::from(*bits) / 8, most),
        CType::Float { bits: 80 } => most,
        CType::Float { bits } => scalar(u64::from(*bits) / 8, most),
        CType::Pointer(_) => program.model.pointer_bytes(),
        CType::Array { element, .. } => align(program, *element, depth - 1),
        CType::Record { size, fields, .. } => {
            // A packed record shows in its offsets and its size.
            let mut whole = 1;
            for field in fields {
                let mut own = align(program, field.ctype, depth - 1);
                while own > 1 && (field.offset % own != 0 || size % own != 0) {
                    own /= 2;
                }
                if field.offset % own.max(1) != 0 {
                    return 1;
                }
                whole = whole.max(own);
            }
            // One member out of line means that the record as a whole need not be aligned.
            let packed = fields.iter().any(|f| {
                let own = align(program, f.ctype, depth - 1);
                f.offset % own != 0 || size % own != 0
            });
            if packed {
                1
            } else {
                whole
            }
        }
    }
}

fn scalar(bytes: u64, most: u64) -> u64 {
    if bytes.is_power_of_two() {
        bytes.min(most)
    } else {
        1
    }
}
