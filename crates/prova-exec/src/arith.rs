//! What each operator computes on bits. The one place that decides it: the concrete machine, the
//! concrete half of the symbolic one, and constant folding all call these functions.
//!
//! Values of up to 64 bits travel in a `u64` with zeros above their width; wider ones (128-bit
//! integers, x87 floats) in a `u128`.

use prova_ir::{BinaryOp, CastOp, UnaryOp};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert};

/// The bits an integer of this width has.
#[inline(always)]
pub fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

/// As [`mask`], up to 128 bits.
#[inline(always)]
pub fn mask_wide(width: u8) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

/// The value as a signed number.
#[inline(always)]
pub fn signed(value: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width);
    ((value << shift) as i64) >> shift
}

/// As [`signed`], up to 128 bits.
#[inline(always)]
pub fn signed_wide(value: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((value << shift) as i128) >> shift
}

/// A unary operator; `width` is that of operand and result.
#[inline(always)]
pub fn unary(op: UnaryOp, width: u8, a: u64) -> u64 {
    match op {
        UnaryOp::Neg => a.wrapping_neg() & mask(width),
        UnaryOp::Not => !a & mask(width),
        UnaryOp::FNeg => a ^ (1 << (width - 1)),
    }
}

/// A unary operator on a wide value.
pub fn unary_wide(op: UnaryOp, width: u8, a: u128) -> u128 {
    match op {
        UnaryOp::Neg => a.wrapping_neg() & mask_wide(width),
        UnaryOp::Not => !a & mask_wide(width),
        UnaryOp::FNeg => a ^ (1 << (width - 1)),
    }
}

/// A binary operator; `width` is that of the operands. A division by zero must have been caught
/// before; here it gives what SMT-LIB says.
#[inline(always)]
pub fn binary(op: BinaryOp, width: u8, a: u64, b: u64) -> u64 {
    use BinaryOp::*;
    let m = mask(width);
    match op {
        Add | PtrAdd => a.wrapping_add(b) & m,
        Sub => a.wrapping_sub(b) & m,
        Mul => a.wrapping_mul(b) & m,
        UDiv => a.checked_div(b).unwrap_or(m),
        URem => a.checked_rem(b).unwrap_or(a),
        SDiv => {
            let (x, y) = (signed(a, width), signed(b, width));
            let q = match (x, y) {
                (x, 0) if x >= 0 => -1,
                (_, 0) => 1,
                _ => x.wrapping_div(y),
            };
            q as u64 & m
        }
        SRem => {
            let (x, y) = (signed(a, width), signed(b, width));
            (if y == 0 { x } else { x.wrapping_rem(y) }) as u64 & m
        }
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => {
            if b >= u64::from(width) {
                0
            } else {
                (a << b) & m
            }
        }
        LShr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        AShr => {
            let by = b.min(u64::from(width) - 1);
            (signed(a, width) >> by) as u64 & m
        }
        Eq => u64::from(a == b),
        Ne => u64::from(a != b),
        ULt => u64::from(a < b),
        ULe => u64::from(a <= b),
        SLt => u64::from(signed(a, width) < signed(b, width)),
        SLe => u64::from(signed(a, width) <= signed(b, width)),
        FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => {
            if width == 32 {
                let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                match op {
                    FAdd => single(x + y, a, b),
                    FSub => single(x - y, a, b),
                    FMul => single(x * y, a, b),
                    FDiv => single(x / y, a, b),
                    FEq => u64::from(x == y),
                    FNe => u64::from(x != y),
                    FLt => u64::from(x < y),
                    _ => u64::from(x <= y),
                }
            } else {
                let (x, y) = (f64::from_bits(a), f64::from_bits(b));
                match op {
                    FAdd => double(x + y, a, b),
                    FSub => double(x - y, a, b),
                    FMul => double(x * y, a, b),
                    FDiv => double(x / y, a, b),
                    FEq => u64::from(x == y),
                    FNe => u64::from(x != y),
                    FLt => u64::from(x < y),
                    _ => u64::from(x <= y),
                }
            }
        }
    }
}

/// The bits of a result. Which NaN comes out is settled here, as SSE does it: compilers may swap
/// the operands of a sum.
#[inline(always)]
fn single(value: f32, a: u64, b: u64) -> u64 {
    if value.is_nan() {
        sse_nan(a, b, 0x7f80_0000, 0x8000_0000)
    } else {
        u64::from(value.to_bits())
    }
}

#[inline(always)]
fn double(value: f64, a: u64, b: u64) -> u64 {
    if value.is_nan() {
        sse_nan(a, b, 0x7ff0 << 48, 1 << 63)
    } else {
        value.to_bits()
    }
}

/// The first operand that is a NaN, made quiet; SSE's own if neither is.
#[cold]
fn sse_nan(a: u64, b: u64, infinity: u64, sign: u64) -> u64 {
    // The bit below the exponent tells quiet from signalling.
    let quiet = (infinity & infinity.wrapping_neg()) >> 1;
    let first = [a, b].into_iter().find(|bits| bits & !sign > infinity);
    first.unwrap_or(sign | infinity) | quiet
}

/// A binary operator on wide operands. Comparisons give zero or one.
pub fn binary_wide(op: BinaryOp, width: u8, a: u128, b: u128) -> u128 {
    use BinaryOp::*;
    let m = mask_wide(width);
    let (x, y) = (signed_wide(a, width), signed_wide(b, width));
    match op {
        Add | PtrAdd => a.wrapping_add(b) & m,
        Sub => a.wrapping_sub(b) & m,
        Mul => a.wrapping_mul(b) & m,
        UDiv => a.checked_div(b).unwrap_or(m),
        URem => a.checked_rem(b).unwrap_or(a),
        SDiv => {
            let q = match (x, y) {
                (x, 0) if x >= 0 => -1,
                (_, 0) => 1,
                _ => x.wrapping_div(y),
            };
            q as u128 & m
        }
        SRem => (if y == 0 { x } else { x.wrapping_rem(y) }) as u128 & m,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => {
            if b >= u128::from(width) {
                0
            } else {
                (a << b) & m
            }
        }
        LShr => {
            if b >= u128::from(width) {
                0
            } else {
                a >> b
            }
        }
        AShr => (x >> b.min(u128::from(width) - 1)) as u128 & m,
        Eq => u128::from(a == b),
        Ne => u128::from(a != b),
        ULt => u128::from(a < b),
        ULe => u128::from(a <= b),
        SLt => u128::from(x < y),
        SLe => u128::from(x <= y),
        FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => {
            let (x, y) = (
                X87DoubleExtended::from_bits(a),
                X87DoubleExtended::from_bits(b),
            );
            match op {
                FAdd | FSub | FMul | FDiv if x.is_nan() || y.is_nan() => x87_nan(a, b),
                FAdd => x87_result((x + y).value),
                FSub => x87_result((x - y).value),
                FMul => x87_result((x * y).value),
                FDiv => x87_result((x / y).value),
                FEq => u128::from(x == y),
                FNe => u128::from(x != y),
                FLt => u128::from(x < y),
                _ => u128::from(x <= y),
            }
        }
    }
}

/// What the x87 makes of two operands of which at least one is a NaN: a quiet one goes before a
/// signalling one, then the larger significand, then the positive sign.
fn x87_nan(a: u128, b: u128) -> u128 {
    const QUIET: u128 = 1 << 62;
    let rank = |bits: u128| {
        let nan = X87DoubleExtended::from_bits(bits).is_nan();
        let positive = bits >> 79 & 1 == 0;
        (nan, bits & QUIET != 0, bits as u64, positive)
    };
    let chosen = if rank(a) >= rank(b) { a } else { b };
    chosen | QUIET
}

/// A NaN that no operand brought along is the x87's own.
fn x87_result(value: X87DoubleExtended) -> u128 {
    if value.is_nan() {
        0xffff_c000_0000_0000_0000
    } else {
        value.to_bits()
    }
}

/// A conversion between values of up to 64 bits. For conversions from or to floats the width
/// says which format: 32 or 64.
#[inline(always)]
pub fn cast(op: CastOp, from: u8, to: u8, a: u64) -> u64 {
    match op {
        CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => a,
        CastOp::SExt => signed(a, from) as u64 & mask(to),
        CastOp::Trunc => a & mask(to),
        CastOp::SToF if to == 32 => u64::from((signed(a, from) as f32).to_bits()),
        CastOp::SToF => (signed(a, from) as f64).to_bits(),
        CastOp::UToF if to == 32 => u64::from((a as f32).to_bits()),
        CastOp::UToF => (a as f64).to_bits(),
        CastOp::FToF if from == to => a,
        CastOp::FToF if from == 32 => f64::from(f32::from_bits(a as u32)).to_bits(),
        CastOp::FToF => u64::from((f64::from_bits(a) as f32).to_bits()),
        CastOp::FToS | CastOp::FToU => {
            let x = if from == 32 {
                f64::from(f32::from_bits(a as u32))
            } else {
                f64::from_bits(a)
            };
            if op == CastOp::FToS {
                float_to_signed(x, to)
            } else {
                float_to_unsigned(x, to)
            }
        }
    }
}

/// `cvttsd2si` into 64 bits: the minimum where the value does not fit.
fn truncate64(x: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) {
        x as i64
    } else {
        i64::MIN
    }
}

/// `cvttsd2si` into 32 bits.
fn truncate32(x: f64) -> i32 {
    if x > -2_147_483_649.0 && x < 2_147_483_648.0 {
        x as i32
    } else {
        i32::MIN
    }
}

/// As gcc does on x86: narrow targets go through 32 bits.
fn float_to_signed(x: f64, to: u8) -> u64 {
    if to > 32 {
        truncate64(x) as u64 & mask(to)
    } else {
        truncate32(x) as u32 as u64 & mask(to)
    }
}

/// As gcc does on x86: 8 and 16 bits through 32, 32 bits through 64, 64 bits in two halves.
fn float_to_unsigned(x: f64, to: u8) -> u64 {
    match to {
        0..=31 => truncate32(x) as u32 as u64 & mask(to),
        32..=63 => truncate64(x) as u64 & mask(to),
        _ if x >= 9_223_372_036_854_775_808.0 => {
            truncate64(x - 9_223_372_036_854_775_808.0) as u64 ^ (1 << 63)
        }
        _ => truncate64(x) as u64,
    }
}

/// A conversion where either side is wider than 64 bits. `from` and `to` are widths; 80 with a
/// float operator is the x87 format.
pub fn cast_wide(op: CastOp, from: u8, to: u8, a: u128) -> u128 {
    match op {
        CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => a,
        CastOp::SExt => signed_wide(a, from) as u128 & mask_wide(to),
        CastOp::Trunc => a & mask_wide(to),
        CastOp::SToF => {
            let v = signed_wide(a, from);
            match to {
                32 => Single::from_i128(v).value.to_bits(),
                64 => Double::from_i128(v).value.to_bits(),
                _ => X87DoubleExtended::from_i128(v).value.to_bits(),
            }
        }
        CastOp::UToF => match to {
            32 => Single::from_u128(a).value.to_bits(),
            64 => Double::from_u128(a).value.to_bits(),
            _ => X87DoubleExtended::from_u128(a).value.to_bits(),
        },
        CastOp::FToF => {
            let mut lost = false;
            match (from, to) {
                (80, 32) => {
                    let x: Single = X87DoubleExtended::from_bits(a).convert(&mut lost).value;
                    x.to_bits()
                }
                (80, 64) => {
                    let x: Double = X87DoubleExtended::from_bits(a).convert(&mut lost).value;
                    x.to_bits()
                }
                (32, 80) => {
                    let x: X87DoubleExtended = Single::from_bits(a).convert(&mut lost).value;
                    x.to_bits()
                }
                (64, 80) => {
                    let x: X87DoubleExtended = Double::from_bits(a).convert(&mut lost).value;
                    x.to_bits()
                }
                _ => a,
            }
        }
        CastOp::FToS => float_to_integer_wide(from, to, a, true),
        CastOp::FToU => float_to_integer_wide(from, to, a, false),
    }
}

/// Towards zero; where the value does not fit, the minimum of the signed type the hardware
/// converts through.
fn float_to_integer_wide(from: u8, to: u8, a: u128, is_signed: bool) -> u128 {
    fn convert<F: Float>(x: F, width: usize, is_signed: bool) -> Option<u128> {
        let mut exact = false;
        let nearest = rustc_apfloat::Round::TowardZero;
        let result = if is_signed {
            let r = x.to_i128_r(width, nearest, &mut exact);
            (r.status, r.value as u128)
        } else {
            let r = x.to_u128_r(width, nearest, &mut exact);
            (r.status, r.value)
        };
        (!result.0.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.1)
    }
    let through = match (to, is_signed) {
        (0..=16, _) => 32,
        (17..=31, _) => 32,
        (32, true) => 32,
        (32..=63, _) => 64,
        _ => usize::from(to),
    };
    let sign = is_signed || to < 64;
    let value = match from {
        32 => convert(Single::from_bits(a), through, sign),
        64 => convert(Double::from_bits(a), through, sign),
        _ => convert(X87DoubleExtended::from_bits(a), through, sign),
    };
    value.unwrap_or(1 << (through - 1)) & mask_wide(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_division_wraps_and_rounds_towards_zero() {
        assert_eq!(
            binary(BinaryOp::SDiv, 32, 0x8000_0000, 0xffff_ffff),
            0x8000_0000
        );
        assert_eq!(binary(BinaryOp::SDiv, 8, 0xf9, 2), 0xfd); // -7 / 2 = -3
        assert_eq!(binary(BinaryOp::SRem, 8, 0xf9, 2), 0xff); // -7 % 2 = -1
        assert_eq!(binary(BinaryOp::SDiv, 64, 1 << 63, u64::MAX), 1 << 63);
    }

    #[test]
    fn shifts_by_the_width_or_more() {
        assert_eq!(binary(BinaryOp::Shl, 32, 1, 32), 0);
        assert_eq!(binary(BinaryOp::LShr, 8, 0x80, 9), 0);
        assert_eq!(binary(BinaryOp::AShr, 8, 0x80, 200), 0xff);
        assert_eq!(binary(BinaryOp::AShr, 8, 0x40, 200), 0);
        assert_eq!(binary_wide(BinaryOp::AShr, 128, 1 << 127, 500), u128::MAX);
    }

    #[test]
    fn float_to_integer_out_of_range_is_what_x86_gives() {
        let f = |x: f64, op, to| cast(op, 64, to, x.to_bits());
        assert_eq!(f(3e9, CastOp::FToS, 32), 0x8000_0000);
        assert_eq!(f(-1.0, CastOp::FToU, 32), 0xffff_ffff);
        assert_eq!(f(-2147483648.5, CastOp::FToS, 32), 0x8000_0000);
        assert_eq!(f(f64::NAN, CastOp::FToS, 64), 1 << 63);
        assert_eq!(f(1.8e19, CastOp::FToU, 64), 18_000_000_000_000_000_000);
        assert_eq!(f(300.7, CastOp::FToU, 8), 44);
    }

    #[test]
    fn x87_round_trip_through_double() {
        for x in [0.0, -0.0, 1.5, -1e300, f64::INFINITY, 5e-324] {
            let wide = cast_wide(CastOp::FToF, 64, 80, u128::from(f64::to_bits(x)));
            assert_eq!(cast_wide(CastOp::FToF, 80, 64, wide) as u64, x.to_bits());
        }
    }
}
