//! Floating-point arithmetic on bit patterns, exact to the bit, through `rustc_apfloat`.
//!
//! Every result that is a NaN is the format's canonical NaN: as in SMT-LIB, there is one NaN
//! value per format. The x87 format's patterns here have no explicit integer bit (79 bits);
//! [`x87_to_storage`] and [`x87_from_storage`] convert to and from the 80 bits of memory.

use crate::sort::FloatFormat;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// How an inexact result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum RoundingMode {
    /// To nearest, ties to even: C's default.
    NearestTiesToEven,
    /// To nearest, ties away from zero: C's `round`.
    NearestTiesToAway,
    /// Towards positive infinity: C's `ceil`.
    TowardPositive,
    /// Towards negative infinity: C's `floor`.
    TowardNegative,
    /// Towards zero: C's conversions to integers, and `trunc`.
    TowardZero,
}

impl RoundingMode {
    pub(crate) fn from_index(index: u32) -> RoundingMode {
        use RoundingMode::*;
        [
            NearestTiesToEven,
            NearestTiesToAway,
            TowardPositive,
            TowardNegative,
            TowardZero,
        ][index as usize]
    }

    /// SMT-LIB's short name.
    pub fn smtlib(self) -> &'static str {
        match self {
            RoundingMode::NearestTiesToEven => "RNE",
            RoundingMode::NearestTiesToAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
    }

    fn apfloat(self) -> Round {
        match self {
            RoundingMode::NearestTiesToEven => Round::NearestTiesToEven,
            RoundingMode::NearestTiesToAway => Round::NearestTiesToAway,
            RoundingMode::TowardPositive => Round::TowardPositive,
            RoundingMode::TowardNegative => Round::TowardNegative,
            RoundingMode::TowardZero => Round::TowardZero,
        }
    }
}

/// The 80-bit memory image of an x87 number, its explicit integer bit put in.
pub fn x87_to_storage(bits: u128) -> u128 {
    let fraction = bits & ((1 << 63) - 1);
    let exponent = bits >> 63;
    let integer = u128::from(exponent & 0x7fff != 0);
    (exponent << 64) | (integer << 63) | fraction
}

/// The inverse of [`x87_to_storage`]. The explicit integer bit is dropped; a pattern whose
/// integer bit does not fit its exponent (the x87 calls them unsupported) is taken as a NaN,
/// but for pseudo-denormals, which the hardware reads as the normal number they spell.
pub fn x87_from_storage(storage: u128) -> u128 {
    let fraction = storage & ((1 << 63) - 1);
    let integer = (storage >> 63) & 1;
    let exponent = (storage >> 64) & 0xffff;
    match (exponent & 0x7fff, integer) {
        (0, 1) => ((exponent | 1) << 63) | fraction,
        (0, _) | (_, 1) => (exponent << 63) | fraction,
        _ => FloatFormat::X87.canonical_nan(),
    }
}

/// A supported format's arithmetic type, with its bit patterns as terms hold them.
trait Pattern: Float {
    const FORMAT: FloatFormat;
    fn load(bits: u128) -> Self {
        Self::from_bits(bits)
    }
    fn save(self) -> u128 {
        Self::FORMAT.canonical(self.to_bits())
    }
}
impl Pattern for Half {
    const FORMAT: FloatFormat = FloatFormat::F16;
}
impl Pattern for Single {
    const FORMAT: FloatFormat = FloatFormat::F32;
}
impl Pattern for Double {
    const FORMAT: FloatFormat = FloatFormat::F64;
}
impl Pattern for Quad {
    const FORMAT: FloatFormat = FloatFormat::F128;
}
impl Pattern for X87DoubleExtended {
    const FORMAT: FloatFormat = FloatFormat::X87;
    fn load(bits: u128) -> Self {
        Self::from_bits(x87_to_storage(bits))
    }
    fn save(self) -> u128 {
        FloatFormat::X87.canonical(x87_from_storage(self.to_bits()))
    }
}

/// Runs the body with `F` the arithmetic type of a format.
macro_rules! with_format {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            FloatFormat::F16 => {
                type $F = Half;
                $body
            }
            FloatFormat::F32 => {
                type $F = Single;
                $body
            }
            FloatFormat::F64 => {
                type $F = Double;
                $body
            }
            FloatFormat::X87 => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatFormat::F128 => {
                type $F = Quad;
                $body
            }
            other => panic!("unsupported float format {other:?}"),
        }
    };
}

/// `a + b`.
pub fn add(format: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    with_format!(format, F => F::load(a).add_r(F::load(b), mode.apfloat()).value.save())
}

/// `a - b`.
pub fn sub(format: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    with_format!(format, F => F::load(a).sub_r(F::load(b), mode.apfloat()).value.save())
}

/// `a * b`.
pub fn mul(format: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    with_format!(format, F => F::load(a).mul_r(F::load(b), mode.apfloat()).value.save())
}

/// `a / b`.
pub fn div(format: FloatFormat, mode: RoundingMode, a: u128, b: u128) -> u128 {
    with_format!(format, F => F::load(a).div_r(F::load(b), mode.apfloat()).value.save())
}

/// C's `fmod`, which is exact. (There is no term for it.)
pub fn fmod(format: FloatFormat, a: u128, b: u128) -> u128 {
    with_format!(format, F => F::load(a).c_fmod(F::load(b)).value.save())
}

/// C's `fma`. (There is no term for it.)
pub fn fma(format: FloatFormat, mode: RoundingMode, a: u128, b: u128, c: u128) -> u128 {
    with_format!(format, F =>
        F::load(a).mul_add_r(F::load(b), F::load(c), mode.apfloat()).value.save())
}

/// The sign flipped; NaN stays NaN.
pub fn neg(format: FloatFormat, a: u128) -> u128 {
    format.canonical(a ^ (1 << (format.width() - 1)))
}

/// The sign cleared.
pub fn abs(format: FloatFormat, a: u128) -> u128 {
    format.canonical(a & !(1 << (format.width() - 1)))
}

/// The nearest integral value in the direction of `mode`.
pub fn round_to_integral(format: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    with_format!(format, F => F::load(a).round_to_integral(mode.apfloat()).value.save())
}

/// Conversion between formats.
pub fn convert(from: FloatFormat, to: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    fn to_format<T: Pattern, F: FloatConvert<T>>(value: F, mode: RoundingMode) -> u128 {
        value.convert_r(mode.apfloat(), &mut false).value.save()
    }
    if from == to {
        return from.canonical(a);
    }
    with_format!(from, F => with_format!(to, T => to_format::<T, F>(F::load(a), mode)))
}

/// The float nearest to an unsigned integer.
pub fn from_unsigned(format: FloatFormat, mode: RoundingMode, value: u128) -> u128 {
    with_format!(format, F => F::from_u128_r(value, mode.apfloat()).value.save())
}

/// The float nearest to a signed integer.
pub fn from_signed(format: FloatFormat, mode: RoundingMode, value: i128) -> u128 {
    // Rounding towards an infinity depends on the sign, so negate the mode with the value.
    if value >= 0 {
        return from_unsigned(format, mode, value as u128);
    }
    let mirrored = match mode {
        RoundingMode::TowardPositive => RoundingMode::TowardNegative,
        RoundingMode::TowardNegative => RoundingMode::TowardPositive,
        other => other,
    };
    neg(
        format,
        from_unsigned(format, mirrored, value.unsigned_abs()),
    )
}

/// The integer part, if it is a number that fits an unsigned integer of this width.
pub fn to_unsigned(format: FloatFormat, a: u128, width: u32) -> Option<u128> {
    let (negative, magnitude) = integer_part(format, a)?;
    let fits = magnitude == 0 || !negative && (width >= 128 || magnitude >> width == 0);
    fits.then_some(magnitude)
}

/// The integer part, if it is a number that fits a signed integer of this width.
pub fn to_signed(format: FloatFormat, a: u128, width: u32) -> Option<i128> {
    let (negative, magnitude) = integer_part(format, a)?;
    let limit = 1u128 << (width.min(128) - 1);
    if negative {
        (magnitude <= limit).then(|| (magnitude as i128).wrapping_neg())
    } else {
        (magnitude < limit).then_some(magnitude as i128)
    }
}

/// Sign and magnitude of the value truncated, if it is below 2^128.
fn integer_part(format: FloatFormat, a: u128) -> Option<(bool, u128)> {
    let (negative, exponent, significand) = match classify(format, a) {
        Class::Zero => return Some((false, 0)),
        Class::Finite {
            negative,
            exponent,
            significand,
        } => (negative, exponent, significand),
        Class::Infinite | Class::Nan => return None,
    };
    let magnitude = if exponent <= -128 {
        0
    } else if exponent < 0 {
        significand >> (-exponent)
    } else if exponent < significand.leading_zeros() as i32 + 1 {
        significand.checked_shl(exponent as u32)?
    } else {
        return None;
    };
    Some((negative, magnitude))
}

enum Class {
    Zero,
    Infinite,
    Nan,
    /// ±significand · 2^exponent.
    Finite {
        negative: bool,
        exponent: i32,
        significand: u128,
    },
}

fn classify(format: FloatFormat, a: u128) -> Class {
    let fraction_bits = format.significand - 1;
    let fraction = a & ((1 << fraction_bits) - 1);
    let field_max = (1u128 << format.exponent) - 1;
    let field = (a >> fraction_bits) & field_max;
    let negative = a >> (format.width() - 1) & 1 == 1;
    if field == field_max {
        return if fraction == 0 {
            Class::Infinite
        } else {
            Class::Nan
        };
    }
    if field == 0 && fraction == 0 {
        return Class::Zero;
    }
    let bias = (1i32 << (format.exponent - 1)) - 1;
    let (scale, significand) = if field == 0 {
        (1, fraction)
    } else {
        (field as i32, fraction | 1 << fraction_bits)
    };
    Class::Finite {
        negative,
        exponent: scale - bias - fraction_bits as i32,
        significand,
    }
}

/// The square root, correctly rounded: an integer root of enough bits, and a sticky bit.
pub fn sqrt(format: FloatFormat, mode: RoundingMode, a: u128) -> u128 {
    let (exponent, significand) = match classify(format, a) {
        Class::Zero | Class::Nan => return format.canonical(a),
        Class::Infinite if a >> (format.width() - 1) == 0 => return a,
        Class::Finite {
            negative: false,
            exponent,
            significand,
        } => (exponent, significand),
        _ => return format.canonical_nan(),
    };
    // Scale to a root of significand + 2 bits with an even exponent left over.
    let wanted = 2 * (format.significand + 2);
    let have = 128 - significand.leading_zeros();
    let mut shift = wanted as i32 - have as i32;
    if (exponent - shift) % 2 != 0 {
        shift += 1;
    }
    let scaled = BigUint::from(significand) << shift as u32;
    let root = scaled.sqrt();
    let inexact = &root * &root != scaled;
    let with_sticky = (root.to_u128().unwrap_or(0) << 1) | u128::from(inexact);
    let scale = (exponent - shift) / 2 - 1;
    // A root is never subnormal and never overflows, so the scaling is exact.
    with_format!(format, F =>
        F::from_u128_r(with_sticky, mode.apfloat()).value.scalbn(scale).save())
}

/// IEEE comparison: `None` if either is a NaN; the two zeros are equal.
pub fn compare(format: FloatFormat, a: u128, b: u128) -> Option<Ordering> {
    with_format!(format, F => F::load(a).partial_cmp(&F::load(b)))
}

/// Whether the pattern is a NaN.
pub fn is_nan(format: FloatFormat, a: u128) -> bool {
    format.is_nan_bits(a)
}

/// Whether the pattern is an infinity.
pub fn is_infinite(format: FloatFormat, a: u128) -> bool {
    matches!(classify(format, a), Class::Infinite)
}

/// Whether the pattern is a zero, of either sign.
pub fn is_zero(format: FloatFormat, a: u128) -> bool {
    matches!(classify(format, a), Class::Zero)
}

/// Whether the sign is negative; false for NaN.
pub fn is_negative(format: FloatFormat, a: u128) -> bool {
    !is_nan(format, a) && a >> (format.width() - 1) & 1 == 1
}
