//! The values of one float: an interval, and whether it may be a NaN.
//!
//! Bounds are kept as *places*: the numbers of a format in order, the infinities at both ends, the
//! negative zero right before the positive one. Operations that round to nearest or in one
//! direction are monotone in each operand, so bounds of a result are results of bounds; where a
//! bound would be a NaN, or an operand may be anything, so may the result.

use super::range::Range;
use crate::float::{self, RoundingMode};
use crate::sort::FloatFormat;

/// What a float can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floats {
    format: FloatFormat,
    /// The first and the last place; the first is behind the last if only a NaN is possible.
    places: (i128, i128),
    nan: bool,
}

/// The place of a number.
fn place(format: FloatFormat, bits: u128) -> i128 {
    let sign = 1u128 << (format.width() - 1);
    match bits & sign {
        0 => bits as i128,
        _ => -((bits & !sign) as i128) - 1,
    }
}

/// The number at a place.
fn number(format: FloatFormat, place: i128) -> u128 {
    let sign = 1u128 << (format.width() - 1);
    match place >= 0 {
        true => place as u128,
        false => sign | (-(place + 1)) as u128,
    }
}

/// The place of positive infinity.
fn last(format: FloatFormat) -> i128 {
    (((1u128 << format.exponent) - 1) << (format.significand - 1)) as i128
}

impl Floats {
    /// Everything.
    pub fn all(format: FloatFormat) -> Floats {
        Floats {
            format,
            places: (-last(format) - 1, last(format)),
            nan: true,
        }
    }

    /// One value.
    pub fn constant(format: FloatFormat, bits: u128) -> Floats {
        if float::is_nan(format, bits) {
            return Floats {
                format,
                places: (1, 0),
                nan: true,
            };
        }
        let place = place(format, bits);
        Floats {
            format,
            places: (place, place),
            nan: false,
        }
    }

    fn between(format: FloatFormat, low: i128, high: i128, nan: bool) -> Option<Floats> {
        let places = (low.max(-last(format) - 1), high.min(last(format)));
        let none = places.0 > places.1;
        (nan || !none).then_some(Floats {
            format,
            places: if none { (1, 0) } else { places },
            nan,
        })
    }

    /// The numbers between two, which are none if either is a NaN; zeros of both signs, if of one.
    fn spanned(format: FloatFormat, ends: &[u128], nan: bool) -> Floats {
        if ends.iter().any(|&e| float::is_nan(format, e)) {
            return Floats::all(format);
        }
        let places = ends.iter().map(|&e| place(format, e));
        let (low, high) = (places.clone().min(), places.max());
        let (Some(mut low), Some(mut high)) = (low, high) else {
            return Floats::all(format);
        };
        if low == 0 {
            low = -1;
        }
        if high == -1 {
            high = 0;
        }
        Floats {
            format,
            places: (low, high),
            nan,
        }
    }

    /// The format.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Whether nothing is known.
    pub fn is_all(&self) -> bool {
        *self == Floats::all(self.format)
    }

    /// Whether it may be a NaN.
    pub fn may_be_nan(&self) -> bool {
        self.nan
    }

    /// Whether it may be a number, an infinity included.
    pub fn may_be_number(&self) -> bool {
        self.places.0 <= self.places.1
    }

    /// The smallest and the largest number, if any.
    pub fn bounds(&self) -> Option<(u128, u128)> {
        let number = |p| number(self.format, p);
        self.may_be_number()
            .then(|| (number(self.places.0), number(self.places.1)))
    }

    /// The value, if there is only one.
    pub fn value(&self) -> Option<u128> {
        match (self.nan, self.may_be_number()) {
            (true, false) => Some(self.format.canonical_nan()),
            (false, true) if self.places.0 == self.places.1 => {
                Some(number(self.format, self.places.0))
            }
            _ => None,
        }
    }

    /// Whether a value is among them.
    pub fn contains(&self, bits: u128) -> bool {
        match float::is_nan(self.format, bits) {
            true => self.nan,
            false => {
                let place = place(self.format, bits);
                self.places.0 <= place && place <= self.places.1
            }
        }
    }

    /// Values in both; `None` if there are none.
    pub fn meet(&self, other: &Floats) -> Option<Floats> {
        Floats::between(
            self.format,
            self.places.0.max(other.places.0),
            self.places.1.min(other.places.1),
            self.nan && other.nan,
        )
    }

    /// Values in either, and maybe more.
    pub fn join(&self, other: &Floats) -> Floats {
        let places = match (self.may_be_number(), other.may_be_number()) {
            (false, _) => other.places,
            (_, false) => self.places,
            _ => (
                self.places.0.min(other.places.0),
                self.places.1.max(other.places.1),
            ),
        };
        Floats {
            format: self.format,
            places,
            nan: self.nan || other.nan,
        }
    }

    /// The join with what comes next, with bounds that moved sent to the next of `stops`, which are
    /// numbers of this format, then to the ends.
    pub fn widen(&self, next: &Floats, stops: &[(FloatFormat, u128)]) -> Floats {
        let joined = self.join(next);
        if !self.may_be_number() || !joined.may_be_number() {
            return joined;
        }
        let all = Floats::all(self.format).places;
        let finite = (all.0 + 1, all.1 - 1);
        let own = stops.iter().filter(|s| s.0 == self.format);
        let places = own
            .map(|s| place(s.0, s.1))
            .chain([finite.0, finite.1, all.0, all.1]);
        let (mut low, mut high) = joined.places;
        if low < self.places.0 {
            low = places.clone().filter(|&p| p <= low).max().unwrap_or(all.0);
        }
        if high > self.places.1 {
            high = places.filter(|&p| p >= high).min().unwrap_or(all.1);
        }
        Floats {
            places: (low, high),
            ..joined
        }
    }

    /// Numbers of which `f` is monotone, in either direction; a NaN stays one.
    fn monotone(&self, to: FloatFormat, nan: bool, f: impl Fn(u128) -> u128) -> Floats {
        match self.bounds() {
            None => Floats::constant(to, to.canonical_nan()),
            Some((low, high)) => Floats::spanned(to, &[f(low), f(high)], self.nan || nan),
        }
    }

    /// The sign flipped.
    pub fn neg(&self) -> Floats {
        self.monotone(self.format, false, |x| float::neg(self.format, x))
    }

    /// The sign cleared.
    pub fn abs(&self) -> Floats {
        let (low, high) = self.places;
        let places = match (low >= 0, high < 0) {
            _ if low > high => (low, high),
            (true, _) => (low, high),
            (_, true) => (-high - 1, -low - 1),
            _ => (0, high.max(-low - 1)),
        };
        Floats { places, ..*self }
    }

    /// The square root.
    pub fn sqrt(&self, mode: RoundingMode) -> Floats {
        let format = self.format;
        let positive = Floats::between(format, self.places.0.max(-1), self.places.1, self.nan);
        let negative = self.may_be_number() && self.places.0 < -1;
        match positive {
            None => Floats::constant(format, format.canonical_nan()),
            Some(p) => p.monotone(format, negative, |x| float::sqrt(format, mode, x)),
        }
    }

    /// Rounded to an integral number.
    pub fn round(&self, mode: RoundingMode) -> Floats {
        let format = self.format;
        self.monotone(format, false, |x| float::round_to_integral(format, mode, x))
    }

    /// In another format.
    pub fn convert(&self, to: FloatFormat, mode: RoundingMode) -> Floats {
        self.monotone(to, false, |x| float::convert(self.format, to, mode, x))
    }

    /// The numbers of a narrower format whose conversion, which is exact, is among these.
    pub fn narrowed(&self, to: FloatFormat) -> Option<Floats> {
        let Some((low, high)) = self.bounds() else {
            return Some(Floats::constant(to, to.canonical_nan()));
        };
        let inward = |x, mode| place(to, float::convert(self.format, to, mode, x));
        Floats::between(
            to,
            inward(low, RoundingMode::TowardPositive),
            inward(high, RoundingMode::TowardNegative),
            self.nan,
        )
    }

    /// A result of two operands that is monotone in each, from the results of their bounds.
    fn corners(&self, other: &Floats, nan: bool, f: impl Fn(u128, u128) -> u128) -> Floats {
        let (Some(a), Some(b)) = (self.bounds(), other.bounds()) else {
            return Floats::constant(self.format, self.format.canonical_nan());
        };
        let ends = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
        Floats::spanned(self.format, &ends, self.nan || other.nan || nan)
    }

    fn has_infinity(&self) -> bool {
        let all = Floats::all(self.format).places;
        self.may_be_number() && (self.places.0 == all.0 || self.places.1 == all.1)
    }

    fn has_zero(&self) -> bool {
        self.places.0 <= 0 && self.places.1 >= -1
    }

    /// Sum.
    pub fn add(&self, other: &Floats, mode: RoundingMode) -> Floats {
        let nan = self.has_infinity() && other.has_infinity();
        self.corners(other, nan, |a, b| float::add(self.format, mode, a, b))
    }

    /// Difference.
    pub fn sub(&self, other: &Floats, mode: RoundingMode) -> Floats {
        let nan = self.has_infinity() && other.has_infinity();
        self.corners(other, nan, |a, b| float::sub(self.format, mode, a, b))
    }

    fn only_zero(&self) -> bool {
        self.may_be_number() && self.places.0 >= -1 && self.places.1 <= 0
    }

    /// Product.
    pub fn mul(&self, other: &Floats, mode: RoundingMode) -> Floats {
        for (zero, factor) in [(self, other), (other, self)] {
            if zero.only_zero() && factor.may_be_number() {
                return Floats {
                    format: self.format,
                    places: (-1, 0),
                    nan: zero.nan || factor.nan || factor.has_infinity(),
                };
            }
        }
        let nan =
            self.has_infinity() && other.has_zero() || other.has_infinity() && self.has_zero();
        self.corners(other, nan, |a, b| float::mul(self.format, mode, a, b))
    }

    /// Quotient.
    pub fn div(&self, other: &Floats, mode: RoundingMode) -> Floats {
        if self.only_zero() && other.only_zero() {
            return Floats::constant(self.format, self.format.canonical_nan());
        }
        if other.has_zero() && other.may_be_number() && self.may_be_number() {
            return Floats::all(self.format);
        }
        let nan = self.has_infinity() && other.has_infinity();
        self.corners(other, nan, |a, b| float::div(self.format, mode, a, b))
    }

    /// The floats nearest to integers.
    pub fn from_integers(
        bits: &Range,
        signed: bool,
        format: FloatFormat,
        mode: RoundingMode,
    ) -> Floats {
        let (low, high) = if signed {
            bits.signed()
        } else {
            bits.unsigned()
        };
        let of = |n: i128| float::from_signed(format, mode, n);
        Floats::spanned(format, &[of(low), of(high)], false)
    }

    /// The integers that these are cut to; `None` unless all of them fit.
    pub fn to_integers(&self, width: u32, signed: bool) -> Option<Range> {
        let (low, high) = self.bounds().filter(|_| !self.nan)?;
        let format = self.format;
        match signed {
            true => Range::between(
                float::to_signed(format, low, width)?,
                float::to_signed(format, high, width)?,
                width,
            ),
            false => Range::between_unsigned(
                i128::try_from(float::to_unsigned(format, low, width)?).ok()?,
                i128::try_from(float::to_unsigned(format, high, width)?).ok()?,
                width,
            ),
        }
    }

    /// The floats of bit patterns.
    pub fn from_bits(bits: &Range, format: FloatFormat) -> Floats {
        let (low, high) = bits.unsigned();
        let sign = 1i128 << (format.width() - 1);
        let nan = |p: i128| p > last(format);
        if high < sign {
            let top = high.min(last(format));
            return Floats::between(format, low, top, nan(high)).unwrap_or(Floats::all(format));
        }
        if low >= sign {
            let (low, high) = (low - sign, high - sign);
            let top = -low - 1;
            let bottom = -high.min(last(format)) - 1;
            return Floats::between(format, bottom, top, nan(high)).unwrap_or(Floats::all(format));
        }
        Floats::all(format)
    }

    /// The bit patterns of these.
    pub fn to_bits(&self) -> Option<Range> {
        let width = self.format.width();
        if width > 64 || self.nan || !self.may_be_number() {
            return None;
        }
        let (low, high) = self.places;
        let sign = 1i128 << (width - 1);
        match (low >= 0, high < 0) {
            (true, _) => Range::between_unsigned(low, high, width),
            (_, true) => Range::between_unsigned(sign - high - 1, sign - low - 1, width),
            _ => None,
        }
    }

    /// IEEE order: whether all of these are below (or equal to) all of the others, if that is plain.
    pub fn below(&self, other: &Floats, strict: bool) -> Option<bool> {
        let (Some(a), Some(b)) = (self.bounds(), other.bounds()) else {
            return Some(false);
        };
        let less = |x, y| match float::compare(self.format, x, y) {
            Some(order) => order.is_lt() || !strict && order.is_eq(),
            None => false,
        };
        if !self.nan && !other.nan && less(a.1, b.0) {
            return Some(true);
        }
        (!less(a.0, b.1)).then_some(false)
    }

    /// IEEE equality, if it is plain.
    pub fn equal(&self, other: &Floats) -> Option<bool> {
        let (Some(a), Some(b)) = (self.bounds(), other.bounds()) else {
            return Some(false);
        };
        let order = |x, y| float::compare(self.format, x, y);
        if order(a.1, b.0).is_some_and(|o| o.is_lt()) || order(b.1, a.0).is_some_and(|o| o.is_lt())
        {
            return Some(false);
        }
        let one = order(a.0, a.1).is_some_and(|o| o.is_eq())
            && order(b.0, b.1).is_some_and(|o| o.is_eq());
        (one && !self.nan && !other.nan).then_some(true)
    }

    /// Whether all of them are numbers with a property of places, or none is.
    fn plainly(&self, all: bool, none: bool) -> Option<bool> {
        match (all && !self.nan, none) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Whether it is an infinity, if that is plain.
    pub fn infinite(&self) -> Option<bool> {
        let end = last(self.format);
        let (low, high) = self.places;
        let all = low == high && (low == end || low == -end - 1);
        self.plainly(all, !self.has_infinity())
    }

    /// Whether it is a zero, if that is plain.
    pub fn zero(&self) -> Option<bool> {
        let (low, high) = self.places;
        let all = low <= high && low >= -1 && high <= 0;
        self.plainly(all, low > high || !self.has_zero())
    }

    /// Whether its sign is negative, if that is plain; that of a NaN is not.
    pub fn negative(&self) -> Option<bool> {
        let (low, high) = self.places;
        self.plainly(low <= high && high < 0, low > high || low >= 0)
    }

    /// How far its bounds lie apart, if it is known to be a finite number and not which.
    pub fn spread(&self) -> Option<f64> {
        let (low, high) = self.bounds().filter(|b| b.0 != b.1)?;
        let double = |x| {
            let mode = RoundingMode::NearestTiesToEven;
            f64::from_bits(float::convert(self.format, FloatFormat::F64, mode, x) as u64)
        };
        let spread = double(high) - double(low);
        (!self.nan && spread.is_finite()).then_some(spread)
    }

    /// Two ranges that hold all of it, each about half as wide.
    pub fn halves(&self) -> Option<(Floats, Floats)> {
        let (low, high) = self.bounds()?;
        let (format, mode) = (self.format, RoundingMode::NearestTiesToEven);
        let half = float::div(
            format,
            mode,
            float::from_unsigned(format, mode, 1),
            float::from_unsigned(format, mode, 2),
        );
        let [a, b] = [low, high].map(|x| float::mul(format, mode, x, half));
        let middle = place(format, float::add(format, mode, a, b));
        // Of neighbours, the lower one.
        let middle = middle.clamp(self.places.0, self.places.1 - 1);
        let lower = Floats::between(format, self.places.0, middle, self.nan)?;
        let upper = Floats::between(format, middle + 1, self.places.1, self.nan)?;
        Some((lower, upper))
    }

    /// One of the values: which one is as good as any.
    pub fn some(&self, way: u64) -> u128 {
        let Some((low, high)) = self.bounds() else {
            return self.format.canonical_nan();
        };
        let (format, mode) = (self.format, RoundingMode::NearestTiesToEven);
        let number = |n: u64| float::from_unsigned(format, mode, n.into());
        let inside = |x: u128| {
            let place = place(format, x).clamp(self.places.0, self.places.1);
            self::number(format, place)
        };
        match way % 6 {
            0 if self.spread().is_none() => inside(0),
            1 => low,
            2 => high,
            3 => inside(number(way / 6 % 9)),
            4 => inside(float::neg(format, number(way / 6 % 9))),
            // So many parts of the way from the low end to the high one.
            _ => {
                let part = if way.is_multiple_of(6) { 8 } else { way / 6 % 16 };
                let part = float::div(format, mode, number(part), number(16));
                let length = float::sub(format, mode, high, low);
                let step = float::mul(format, mode, length, part);
                let there = float::add(format, mode, low, step);
                match float::is_nan(format, there) {
                    true => low,
                    false => inside(there),
                }
            }
        }
    }

    /// Without a NaN.
    pub fn numbers(&self) -> Option<Floats> {
        Floats::between(self.format, self.places.0, self.places.1, false)
    }

    /// A NaN and nothing else.
    pub fn only_nan(&self) -> Option<Floats> {
        let nan = self.format.canonical_nan();
        self.nan.then(|| Floats::constant(self.format, nan))
    }

    /// Those that may be below (or equal to) something in `other`: no NaN.
    pub fn under(&self, other: &Floats, strict: bool) -> Option<Floats> {
        let (_, high) = other.bounds()?;
        // Zeros are equal: what is not above one is not above the other.
        let mut top = place(self.format, high);
        if strict {
            top = if top == 0 || top == -1 { -2 } else { top - 1 };
        } else if top == -1 {
            top = 0;
        }
        Floats::between(self.format, self.places.0, self.places.1.min(top), false)
    }

    /// Those that may be above (or equal to) something in `other`: no NaN.
    pub fn over(&self, other: &Floats, strict: bool) -> Option<Floats> {
        let (low, _) = other.bounds()?;
        let mut bottom = place(self.format, low);
        if strict {
            bottom = if bottom == 0 || bottom == -1 {
                1
            } else {
                bottom + 1
            };
        } else if bottom == 0 {
            bottom = -1;
        }
        Floats::between(self.format, self.places.0.max(bottom), self.places.1, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: FloatFormat = FloatFormat::F16;
    const NEAR: RoundingMode = RoundingMode::NearestTiesToEven;

    /// Numbers of half precision where things change: zeros, ends, infinities, some between; a NaN.
    fn numbers() -> Vec<u128> {
        let positive = [
            0, 1, 2, 0x3ff, 0x400, 0x2e66, 0x3c00, 0x3c01, 0x4200, 0x7bfe, 0x7bff, 0x7c00,
        ];
        let mut all: Vec<u128> = positive.iter().flat_map(|&p| [p, p | 0x8000]).collect();
        all.push(F.canonical_nan());
        all
    }

    fn samples() -> Vec<Floats> {
        let numbers = numbers();
        let mut all = vec![Floats::all(F)];
        for &a in &numbers {
            let one = Floats::constant(F, a);
            all.push(one);
            for &b in numbers.iter().step_by(3) {
                all.push(one.join(&Floats::constant(F, b)));
            }
        }
        all
    }

    #[test]
    fn every_operation_keeps_every_result() {
        let modes = [NEAR, RoundingMode::TowardNegative, RoundingMode::TowardZero];
        for a in samples() {
            let xs: Vec<u128> = numbers().into_iter().filter(|&x| a.contains(x)).collect();
            for &x in &xs {
                assert!(a.neg().contains(float::neg(F, x)));
                assert!(a.abs().contains(float::abs(F, x)));
                for mode in modes {
                    assert!(
                        a.sqrt(mode).contains(float::sqrt(F, mode, x)),
                        "{a:?} {x:x}"
                    );
                    let round = float::round_to_integral(F, mode, x);
                    assert!(a.round(mode).contains(round));
                    let wide = float::convert(F, FloatFormat::F32, mode, x);
                    let there = a.convert(FloatFormat::F32, mode);
                    assert!(there.contains(wide));
                    assert!(
                        there.narrowed(F).is_some_and(|n| n.contains(x)),
                        "{a:?} {x:x}"
                    );
                }
                assert!(a.infinite().is_none_or(|s| s == float::is_infinite(F, x)));
                assert!(a.zero().is_none_or(|s| s == float::is_zero(F, x)));
                assert!(a.negative().is_none_or(|s| s == float::is_negative(F, x)));
                if let Some(bits) = a.to_bits() {
                    let (low, high) = bits.unsigned();
                    assert!(low <= x as i128 && x as i128 <= high);
                    assert!(Floats::from_bits(&bits, F).contains(x));
                }
                if let Some(cut) = a.to_integers(8, true) {
                    let n = float::to_signed(F, x, 8).expect("all fit");
                    assert!(cut.signed().0 <= n && n <= cut.signed().1);
                }
            }
        }
    }

    #[test]
    fn every_operation_of_two_keeps_every_result() {
        let samples = samples();
        for a in &samples {
            for b in samples.iter().step_by(5) {
                let all = [
                    a.add(b, NEAR),
                    a.sub(b, NEAR),
                    a.mul(b, NEAR),
                    a.div(b, NEAR),
                ];
                let (join, wide) = (a.join(b), a.widen(b, &[(F, 0x4200)]));
                for x in numbers().into_iter().filter(|&x| a.contains(x)) {
                    assert!(join.contains(x) && wide.contains(x));
                    for y in numbers().into_iter().filter(|&y| b.contains(y)) {
                        assert!(join.contains(y) && wide.contains(y));
                        let results = [float::add, float::sub, float::mul, float::div];
                        for (range, f) in all.iter().zip(results) {
                            let result = f(F, NEAR, x, y);
                            assert!(
                                range.contains(result),
                                "{a:?} {b:?}: {x:x} {y:x} {result:x}"
                            );
                        }
                        if a.contains(y) {
                            assert!(a.meet(b).is_some_and(|m| m.contains(y)));
                        }
                        let order = float::compare(F, x, y);
                        for strict in [false, true] {
                            let less = order.is_some_and(|o| o.is_lt() || !strict && o.is_eq());
                            assert!(a.below(b, strict).is_none_or(|said| said == less));
                            if less {
                                assert!(a.under(b, strict).is_some_and(|u| u.contains(x)));
                                assert!(b.over(a, strict).is_some_and(|u| u.contains(y)));
                            }
                        }
                        let equal = order.is_some_and(|o| o.is_eq());
                        assert!(a.equal(b).is_none_or(|said| said == equal));
                    }
                }
            }
        }
    }

    #[test]
    fn halves_hold_the_whole() {
        for a in samples() {
            if a.spread().is_none() {
                continue;
            }
            let (lower, upper) = a.halves().expect("it has two values");
            assert!(lower != a && upper != a, "{a:?}");
            assert!((0..100).all(|way| a.contains(a.some(way))));
            for x in numbers().into_iter().filter(|&x| a.contains(x)) {
                assert!(lower.contains(x) || upper.contains(x));
            }
        }
    }

    #[test]
    fn patterns_become_numbers() {
        for low in (0..0x10000u128).step_by(0x333) {
            for length in [0, 1, 0x400, 0x4000, 0x9000] {
                let high = (low + length).min(0xffff);
                let bits = Range::between_unsigned(low as i128, high as i128, 16).expect("some");
                let floats = Floats::from_bits(&bits, F);
                for x in [low, (low + high) / 2, high] {
                    assert!(floats.contains(F.canonical(x)), "{low:x} {high:x} {x:x}");
                }
            }
        }
    }
}
