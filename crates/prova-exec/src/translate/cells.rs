//! Values as memory holds them: conversions between typed terms and bits, reads and writes of
//! cells. Memory is little-endian.

use crate::points_to::Class;
use crate::state_vars::float_format;
use prova_ir::{DataModel, FloatKind, Type};
use prova_logic::{FloatFormat, Op, Sort, Term, Terms};

/// The value of a type held in this many whole bytes.
pub fn from_bits(terms: &mut Terms, bits: Term, ty: Type) -> Term {
    match ty {
        Type::BOOL => {
            let low = terms.extract(bits, 0, 0);
            let one = terms.bv(1, 1);
            terms.eq(low, one)
        }
        Type::Int(width) => terms.extract(bits, u32::from(width) - 1, 0),
        Type::Ptr => bits,
        Type::Float(FloatKind::X87) => {
            let pattern = x87_pattern(terms, bits);
            terms.float_from_bits(pattern, FloatFormat::X87)
        }
        Type::Float(kind) => terms.float_from_bits(bits, float_format(kind)),
    }
}

/// Whether storing this float in this class may show the bits of a NaN, of which terms know one
/// and machines many: it can be a NaN, and somebody reads the cell as something other than a
/// float.
pub fn shows_nan(terms: &mut Terms, class: &Class, value: Term) -> bool {
    !matches!(class.cell_type, Some(Type::Float(_))) && may_be_nan(terms, value)
}

fn may_be_nan(terms: &mut Terms, value: Term) -> bool {
    let nan = terms.is_nan(value);
    if nan == terms.fals() {
        return false;
    }
    if terms.op(value) != Op::Ite {
        return true;
    }
    // `isnan(x) ? number : x`, or the other way round.
    let (condition, then, otherwise) = {
        let children = terms.children(value);
        (children[0], children[1], children[2])
    };
    let number = terms.not(condition);
    let mut fine = |branch, excluded| {
        let nan = terms.is_nan(branch);
        nan == terms.fals() || nan == excluded
    };
    !(fine(then, number) && fine(otherwise, condition))
}

/// The bytes that hold a value of a type.
pub fn to_bits(terms: &mut Terms, value: Term, ty: Type, model: DataModel) -> Term {
    let whole = (ty.bytes(model) * 8) as u32;
    match ty {
        Type::BOOL => terms.bool_to_bv(value, whole),
        Type::Int(_) | Type::Ptr => terms.zext(value, whole),
        Type::Float(FloatKind::X87) => {
            let pattern = terms.float_to_bits(value);
            x87_storage(terms, pattern)
        }
        // What was just loaded is stored as it was.
        Type::Float(_) if terms.op(value) == Op::FloatFromBits => terms.children(value)[0],
        Type::Float(_) => terms.float_to_bits(value),
    }
}

/// 80 stored bits to the 79 of the IEEE pattern: drops the explicit integer bit. Patterns whose
/// integer bit does not fit their exponent are NaNs, but for pseudo-denormals.
fn x87_pattern(terms: &mut Terms, bits: Term) -> Term {
    let top = terms.extract(bits, 79, 64);
    let exponent = terms.extract(bits, 78, 64);
    let integer = terms.extract(bits, 63, 63);
    let fraction = terms.extract(bits, 62, 0);
    let zero = terms.bv(0, 15);
    let small = terms.eq(exponent, zero);
    let one = terms.bv(1, 1);
    let explicit = terms.eq(integer, one);
    let plain = terms.concat(top, fraction);
    let low = terms.bv(1, 16);
    let raised = terms.bv_or(top, low);
    let normal = terms.concat(raised, fraction);
    let format = FloatFormat::X87;
    let nan = terms.bv(format.canonical_nan(), format.width());
    let when_small = terms.ite(explicit, normal, plain);
    let when_large = terms.ite(explicit, plain, nan);
    terms.ite(small, when_small, when_large)
}

/// The inverse of [`x87_pattern`].
fn x87_storage(terms: &mut Terms, pattern: Term) -> Term {
    let top = terms.extract(pattern, 78, 63);
    let exponent = terms.extract(pattern, 77, 63);
    let fraction = terms.extract(pattern, 62, 0);
    let zero = terms.bv(0, 15);
    let small = terms.eq(exponent, zero);
    let (no, yes) = (terms.bv(0, 1), terms.bv(1, 1));
    let integer = terms.ite(small, no, yes);
    let low = terms.concat(integer, fraction);
    terms.concat(top, low)
}

/// The address this many bytes on.
pub fn offset(terms: &mut Terms, address: Term, by: u64) -> Term {
    if by == 0 {
        return address;
    }
    let by = terms.bv(u128::from(by), terms.width(address));
    terms.add(address, by)
}

/// Reads `bytes` bytes; the array's cells have that size, or one byte.
pub fn read(terms: &mut Terms, array: Term, address: Term, bytes: u64) -> Term {
    if cell_bits(terms, array) == bytes * 8 {
        return terms.select(array, address);
    }
    let mut value = terms.select(array, address);
    for i in 1..bytes {
        let at = offset(terms, address, i);
        let byte = terms.select(array, at);
        value = terms.concat(byte, value);
    }
    value
}

/// Writes a value of whole bytes; the array's cells have that size, or one byte.
pub fn write(terms: &mut Terms, array: Term, address: Term, value: Term) -> Term {
    let width = u64::from(terms.width(value));
    if cell_bits(terms, array) == width {
        return terms.store(array, address, value);
    }
    let mut array = array;
    for i in 0..width / 8 {
        let low = (i * 8) as u32;
        let byte = terms.extract(value, low + 7, low);
        let at = offset(terms, address, i);
        array = terms.store(array, at, byte);
    }
    array
}

/// Bits of an array's cell.
fn cell_bits(terms: &Terms, array: Term) -> u64 {
    match terms.sort(array) {
        Sort::Array { element, .. } => u64::from(element),
        _ => 0,
    }
}
