//! Float constructors. Constants fold through `rustc_apfloat`; of the algebra only what IEEE
//! arithmetic really obeys is used, which is little.

use crate::float::{self, RoundingMode};
use crate::sort::{FloatFormat, Sort};
use crate::term::{Op, Term};
use crate::terms::Terms;
use crate::Bits;

const RNE: RoundingMode = RoundingMode::NearestTiesToEven;
/// How many sign changes and conversions a test looks through.
const LOOK_THROUGH: usize = 8;
const RTZ: RoundingMode = RoundingMode::TowardZero;

impl Terms {
    fn common_format(&self, a: Term, b: Term) -> FloatFormat {
        assert!(
            self.same_sort(a, b),
            "operands of sorts {} and {}",
            self.sort(a),
            self.sort(b)
        );
        self.format(a)
    }

    fn float_binary(
        &mut self,
        op: Op,
        mode: RoundingMode,
        (a, b): (Term, Term),
        f: fn(FloatFormat, RoundingMode, u128, u128) -> u128,
    ) -> Term {
        let format = self.common_format(a, b);
        if let (Some((_, x)), Some((_, y))) = (self.as_float(a), self.as_float(b)) {
            return self.float_const(format, f(format, mode, x, y));
        }
        self.mk_rounded(op, Sort::Float(format), mode, &[a, b])
    }

    /// `a + b`, to nearest even.
    pub fn fadd(&mut self, a: Term, b: Term) -> Term {
        self.fadd_r(RNE, a, b)
    }

    /// `a + b`, rounded as told.
    pub fn fadd_r(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.float_binary(Op::Fadd, mode, (a, b), float::add)
    }

    /// `a - b`, to nearest even.
    pub fn fsub(&mut self, a: Term, b: Term) -> Term {
        self.fsub_r(RNE, a, b)
    }

    /// `a - b`, rounded as told.
    pub fn fsub_r(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        self.float_binary(Op::Fsub, mode, (a, b), float::sub)
    }

    /// `a * b`, to nearest even.
    pub fn fmul(&mut self, a: Term, b: Term) -> Term {
        self.fmul_r(RNE, a, b)
    }

    /// `a * b`, rounded as told.
    pub fn fmul_r(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.float_binary(Op::Fmul, mode, (a, b), float::mul)
    }

    /// `a / b`, to nearest even.
    pub fn fdiv(&mut self, a: Term, b: Term) -> Term {
        self.fdiv_r(RNE, a, b)
    }

    /// `a / b`, rounded as told.
    pub fn fdiv_r(&mut self, mode: RoundingMode, a: Term, b: Term) -> Term {
        self.float_binary(Op::Fdiv, mode, (a, b), float::div)
    }

    fn float_unary(
        &mut self,
        op: Op,
        mode: RoundingMode,
        a: Term,
        f: fn(FloatFormat, RoundingMode, u128) -> u128,
    ) -> Term {
        let format = self.format(a);
        if let Some((_, x)) = self.as_float(a) {
            return self.float_const(format, f(format, mode, x));
        }
        self.mk_rounded(op, Sort::Float(format), mode, &[a])
    }

    /// Square root, to nearest even.
    pub fn fsqrt(&mut self, a: Term) -> Term {
        self.fsqrt_r(RNE, a)
    }

    /// Square root, rounded as told.
    pub fn fsqrt_r(&mut self, mode: RoundingMode, a: Term) -> Term {
        self.float_unary(Op::Fsqrt, mode, a, float::sqrt)
    }

    /// The value rounded to an integral one: `floor`, `ceil`, `trunc`, `round`, `rint` by mode.
    pub fn round_to_integral(&mut self, mode: RoundingMode, a: Term) -> Term {
        self.float_unary(Op::Fround, mode, a, float::round_to_integral)
    }

    /// The sign flipped.
    pub fn fneg(&mut self, a: Term) -> Term {
        if self.op(a) == Op::Fneg {
            return self.child(a, 0);
        }
        let format = self.format(a);
        match self.as_float(a) {
            Some((_, x)) => self.float_const(format, float::neg(format, x)),
            None => self.mk_like(Op::Fneg, &[a]),
        }
    }

    /// The sign cleared.
    pub fn fabs(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::Fneg => return self.fabs(self.child(a, 0)),
            Op::Fabs => return a,
            _ => {}
        }
        let format = self.format(a);
        match self.as_float(a) {
            Some((_, x)) => self.float_const(format, float::abs(format, x)),
            None => self.mk_like(Op::Fabs, &[a]),
        }
    }

    fn not_nan(&mut self, a: Term) -> Term {
        let nan = self.is_nan(a);
        self.not(nan)
    }

    /// IEEE equality: NaN equals nothing, the zeros are equal.
    pub fn feq(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let format = self.common_format(a, b);
        if let (Some((_, x)), Some((_, y))) = (self.as_float(a), self.as_float(b)) {
            return self.bool_const(float::compare(format, x, y).is_some_and(|o| o.is_eq()));
        }
        if a == b {
            return self.not_nan(a);
        }
        if let Some((_, y)) = self.as_float(b) {
            if float::is_nan(format, y) {
                return self.fals();
            }
        }
        self.mk(Op::Feq, Sort::Bool, &[a, b])
    }

    /// IEEE `a < b`.
    pub fn flt(&mut self, a: Term, b: Term) -> Term {
        let format = self.common_format(a, b);
        if let (Some((_, x)), Some((_, y))) = (self.as_float(a), self.as_float(b)) {
            return self.bool_const(float::compare(format, x, y).is_some_and(|o| o.is_lt()));
        }
        if a == b {
            return self.fals();
        }
        self.mk(Op::Flt, Sort::Bool, &[a, b])
    }

    /// IEEE `a <= b`.
    pub fn fle(&mut self, a: Term, b: Term) -> Term {
        let format = self.common_format(a, b);
        if let (Some((_, x)), Some((_, y))) = (self.as_float(a), self.as_float(b)) {
            return self.bool_const(float::compare(format, x, y).is_some_and(|o| o.is_le()));
        }
        if a == b {
            return self.not_nan(a);
        }
        self.mk(Op::Fle, Sort::Bool, &[a, b])
    }

    fn float_test(&mut self, op: Op, a: Term, f: fn(FloatFormat, u128) -> bool) -> Term {
        let format = self.format(a);
        match self.as_float(a) {
            Some((_, x)) => self.bool_const(f(format, x)),
            None => self.mk(op, Sort::Bool, &[a]),
        }
    }

    /// Is it a NaN?
    pub fn is_nan(&mut self, a: Term) -> Term {
        let mut a = a;
        for _ in 0..LOOK_THROUGH {
            match self.op(a) {
                // An integer is a number; its float may overflow to infinity, never to NaN.
                Op::SbvToFloat | Op::UbvToFloat => return self.fals(),
                Op::Fneg | Op::Fabs | Op::Fround | Op::FloatToFloat => a = self.child(a, 0),
                _ => break,
            }
        }
        self.float_test(Op::FisNan, a, float::is_nan)
    }

    /// Is it an infinity?
    pub fn is_inf(&mut self, a: Term) -> Term {
        let mut a = a;
        for _ in 0..LOOK_THROUGH {
            match self.op(a) {
                Op::Fneg | Op::Fabs | Op::Fround => a = self.child(a, 0),
                _ => break,
            }
        }
        self.float_test(Op::FisInf, a, float::is_infinite)
    }

    /// Is it a zero of either sign?
    pub fn is_zero(&mut self, a: Term) -> Term {
        let a = match self.op(a) {
            Op::Fneg | Op::Fabs => self.child(a, 0),
            _ => a,
        };
        self.float_test(Op::FisZero, a, float::is_zero)
    }

    /// Is its sign negative (false for NaN)?
    pub fn is_neg(&mut self, a: Term) -> Term {
        self.float_test(Op::FisNeg, a, float::is_negative)
    }

    /// Conversion to another format, to nearest even.
    pub fn float_to_float(&mut self, a: Term, to: FloatFormat) -> Term {
        self.float_to_float_r(RNE, a, to)
    }

    /// Conversion to another format, rounded as told.
    pub fn float_to_float_r(&mut self, mode: RoundingMode, a: Term, to: FloatFormat) -> Term {
        assert!(to.is_supported(), "unsupported float format {to:?}");
        let from = self.format(a);
        if from == to {
            return a;
        }
        match self.as_float(a) {
            Some((_, x)) => self.float_const(to, float::convert(from, to, mode, x)),
            None => self.mk_rounded(Op::FloatToFloat, Sort::Float(to), mode, &[a]),
        }
    }

    /// The float nearest to a signed integer of at most 128 bits.
    pub fn sbv_to_float(&mut self, a: Term, to: FloatFormat) -> Term {
        self.sbv_to_float_r(RNE, a, to)
    }

    /// A signed integer of at most 128 bits to float, rounded as told.
    pub fn sbv_to_float_r(&mut self, mode: RoundingMode, a: Term, to: FloatFormat) -> Term {
        assert!(
            self.width(a) <= 128 && to.is_supported(),
            "unsupported conversion"
        );
        match self.as_bits(a).and_then(|x| x.to_i128()) {
            Some(x) => self.float_const(to, float::from_signed(to, mode, x)),
            None => self.mk_rounded(Op::SbvToFloat, Sort::Float(to), mode, &[a]),
        }
    }

    /// The float nearest to an unsigned integer of at most 128 bits.
    pub fn ubv_to_float(&mut self, a: Term, to: FloatFormat) -> Term {
        self.ubv_to_float_r(RNE, a, to)
    }

    /// An unsigned integer of at most 128 bits to float, rounded as told.
    pub fn ubv_to_float_r(&mut self, mode: RoundingMode, a: Term, to: FloatFormat) -> Term {
        assert!(
            self.width(a) <= 128 && to.is_supported(),
            "unsupported conversion"
        );
        match self.as_bits(a).and_then(|x| x.to_u128()) {
            Some(x) => self.float_const(to, float::from_unsigned(to, mode, x)),
            None => self.mk_rounded(Op::UbvToFloat, Sort::Float(to), mode, &[a]),
        }
    }

    /// Float to signed integer of at most 128 bits, towards zero. Where C leaves it undefined
    /// (NaN, infinities, out of range) the result is the least integer, as x86 gives it.
    pub fn float_to_sbv(&mut self, a: Term, width: u32) -> Term {
        let format = self.format(a);
        let power = float::from_unsigned(format, RNE, 1u128 << (width - 1));
        let high = self.float_const(format, power);
        let low = self.float_const(format, float::neg(format, power));
        let other = self.bits(Bits::min_signed(width));
        let converted = self.raw_float_to_bv(Op::FloatToSbv, a, width);
        self.guarded_conversion(a, (low, high), converted, other)
    }

    /// Float to unsigned integer of at most 128 bits, towards zero. Where C leaves it undefined
    /// the result has only the top bit set.
    pub fn float_to_ubv(&mut self, a: Term, width: u32) -> Term {
        let format = self.format(a);
        let high = match 1u128.checked_shl(width) {
            Some(power) => float::from_unsigned(format, RNE, power),
            None => {
                let half = float::from_unsigned(format, RNE, 1u128 << 127);
                float::add(format, RNE, half, half)
            }
        };
        let high = self.float_const(format, high);
        let low = self.float_const(format, 0);
        let other = self.bits(Bits::min_signed(width));
        let converted = self.raw_float_to_bv(Op::FloatToUbv, a, width);
        self.guarded_conversion(a, (low, high), converted, other)
    }

    /// `converted` if the truncated value is a number in `[low, high)`, else `other`. A limit
    /// the format cannot hold is an infinity, which the extra test leaves out.
    fn guarded_conversion(
        &mut self,
        a: Term,
        (low, high): (Term, Term),
        converted: Term,
        other: Term,
    ) -> Term {
        let whole = self.round_to_integral(RTZ, a);
        let infinite = self.is_inf(a);
        let finite = self.not(infinite);
        let above = self.fle(low, whole);
        let below = self.flt(whole, high);
        let fits = self.and(&[finite, above, below]);
        self.ite(fits, converted, other)
    }

    /// The unguarded conversion; its value out of range is not to be relied upon.
    pub(crate) fn raw_float_to_bv(&mut self, op: Op, a: Term, width: u32) -> Term {
        assert!(width <= 128, "unsupported conversion to {width} bits");
        if let Some((format, x)) = self.as_float(a) {
            let bits = float_to_bits_or_least(op, format, x, width);
            return self.bits(bits);
        }
        self.mk(op, Sort::BitVec(width), &[a])
    }

    /// The float of an IEEE bit pattern. All NaN patterns give the one NaN.
    pub fn float_from_bits(&mut self, a: Term, format: FloatFormat) -> Term {
        assert!(format.is_supported(), "unsupported float format {format:?}");
        assert_eq!(
            self.width(a),
            format.width(),
            "bit pattern of the wrong width"
        );
        if let Some(x) = self.as_bits(a).and_then(|x| x.to_u128()) {
            return self.float_const(format, x);
        }
        if self.op(a) == Op::FloatToBits && self.format(self.child(a, 0)) == format {
            return self.child(a, 0);
        }
        self.mk(Op::FloatFromBits, Sort::Float(format), &[a])
    }

    /// The IEEE bit pattern of a float. A NaN has the canonical pattern, so payloads do not
    /// survive a trip through a float: whoever must keep them keeps the bits.
    pub fn float_to_bits(&mut self, a: Term) -> Term {
        let format = self.format(a);
        if let Some((_, x)) = self.as_float(a) {
            return self.bv(x, format.width());
        }
        if self.op(a) == Op::FloatFromBits {
            let pattern = self.child(a, 0);
            let nan = self.is_nan(a);
            let canonical = self.bv(format.canonical_nan(), format.width());
            return self.ite(nan, canonical, pattern);
        }
        self.mk(Op::FloatToBits, Sort::BitVec(format.width()), &[a])
    }
}

/// The integer part in bits; the least integer where it does not fit.
pub(crate) fn float_to_bits_or_least(op: Op, format: FloatFormat, bits: u128, width: u32) -> Bits {
    let value = match op {
        Op::FloatToSbv => float::to_signed(format, bits, width).map(|v| v as u128),
        _ => float::to_unsigned(format, bits, width),
    };
    match value {
        Some(value) => Bits::new(value, width),
        None => Bits::min_signed(width),
    }
}
