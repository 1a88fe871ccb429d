//! Bit-vector constants of any width, with SMT-LIB's arithmetic.
//!
//! Up to 128 bits they are a `u128`; beyond, a big integer. Division by zero and oversize
//! shifts are total, as SMT-LIB defines them: `udiv` by zero is all ones, `urem` by zero is
//! the dividend, a shift by the width or more gives zeros (or sign bits).

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A bit-vector constant.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    repr: Repr,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Repr {
    Small(u128),
    Big(Box<BigUint>),
}

fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1u128 << width) - 1
    }
}

impl Bits {
    /// The value modulo 2^width.
    pub fn new(value: u128, width: u32) -> Bits {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 128 {
            Bits {
                width,
                repr: Repr::Small(value & mask(width)),
            }
        } else {
            Bits {
                width,
                repr: Repr::Big(Box::new(BigUint::from(value))),
            }
        }
    }

    /// The value modulo 2^width.
    pub fn from_big(value: BigUint, width: u32) -> Bits {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 128 {
            let low = value & BigUint::from(mask(width));
            Bits {
                width,
                repr: Repr::Small(low.to_u128().unwrap_or(0)),
            }
        } else {
            let value = value & ((BigUint::one() << width) - 1u32);
            Bits {
                width,
                repr: Repr::Big(Box::new(value)),
            }
        }
    }

    /// Zero.
    pub fn zero(width: u32) -> Bits {
        Bits::new(0, width)
    }

    /// All bits set.
    pub fn ones(width: u32) -> Bits {
        Bits::zero(width).not()
    }

    /// The least signed value: only the top bit set.
    pub fn min_signed(width: u32) -> Bits {
        Bits::new(1, width).shl(&Bits::new(width as u128 - 1, width.max(32)))
    }

    /// The width in bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.repr {
            Repr::Small(value) => Some(*value),
            Repr::Big(value) => value.to_u128(),
        }
    }

    /// The unsigned value, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|v| u64::try_from(v).ok())
    }

    /// The signed value, if the width is at most 128.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.repr {
            Repr::Small(value) => {
                let shift = 128 - self.width;
                Some(((value << shift) as i128) >> shift)
            }
            Repr::Big(_) => None,
        }
    }

    /// The unsigned value.
    pub fn to_big(&self) -> BigUint {
        match &self.repr {
            Repr::Small(value) => BigUint::from(*value),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// Whether the value is zero.
    pub fn is_zero(&self) -> bool {
        match &self.repr {
            Repr::Small(value) => *value == 0,
            Repr::Big(value) => value.is_zero(),
        }
    }

    /// Whether the value is one.
    pub fn is_one(&self) -> bool {
        match &self.repr {
            Repr::Small(value) => *value == 1,
            Repr::Big(value) => value.is_one(),
        }
    }

    /// Whether every bit is set.
    pub fn is_ones(&self) -> bool {
        match &self.repr {
            Repr::Small(value) => *value == mask(self.width),
            Repr::Big(value) => value.count_ones() == u64::from(self.width),
        }
    }

    /// The bit at a position; false beyond the width.
    pub fn bit(&self, position: u32) -> bool {
        match &self.repr {
            Repr::Small(value) => position < 128 && (value >> position) & 1 == 1,
            Repr::Big(value) => value.bit(u64::from(position)),
        }
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// The number of the one bit that is set, if there is exactly one.
    pub fn power_of_two(&self) -> Option<u32> {
        match &self.repr {
            Repr::Small(v) => v.is_power_of_two().then(|| v.trailing_zeros()),
            Repr::Big(v) => (v.count_ones() == 1).then(|| v.trailing_zeros().unwrap_or(0) as u32),
        }
    }

    fn map2(
        &self,
        other: &Bits,
        small: impl FnOnce(u128, u128) -> u128,
        big: impl FnOnce(&BigUint, &BigUint) -> BigUint,
    ) -> Bits {
        assert_eq!(self.width, other.width, "bit-vector widths differ");
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => Bits::new(small(*a, *b), self.width),
            (Repr::Big(a), Repr::Big(b)) => Bits::from_big(big(a, b), self.width),
            _ => unreachable!("the width decides the representation"),
        }
    }

    /// Sum modulo 2^width.
    pub fn add(&self, other: &Bits) -> Bits {
        self.map2(other, u128::wrapping_add, |a, b| a + b)
    }

    /// Difference modulo 2^width.
    pub fn sub(&self, other: &Bits) -> Bits {
        let width = self.width;
        self.map2(other, u128::wrapping_sub, |a, b| {
            (BigUint::one() << width) + a - b
        })
    }

    /// Product modulo 2^width.
    pub fn mul(&self, other: &Bits) -> Bits {
        self.map2(other, u128::wrapping_mul, |a, b| a * b)
    }

    /// Unsigned quotient; all ones if the divisor is zero.
    pub fn udiv(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return Bits::ones(self.width);
        }
        self.map2(other, |a, b| a / b, |a, b| a / b)
    }

    /// Unsigned remainder; the dividend if the divisor is zero.
    pub fn urem(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return self.clone();
        }
        self.map2(other, |a, b| a % b, |a, b| a % b)
    }

    /// Signed quotient, rounded towards zero.
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() != other.is_negative() {
            quotient.neg()
        } else {
            quotient
        }
    }

    /// Signed remainder, with the dividend's sign.
    pub fn srem(&self, other: &Bits) -> Bits {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() {
            remainder.neg()
        } else {
            remainder
        }
    }

    fn magnitude(&self) -> Bits {
        if self.is_negative() {
            self.neg()
        } else {
            self.clone()
        }
    }

    /// Two's complement.
    pub fn neg(&self) -> Bits {
        Bits::zero(self.width).sub(self)
    }

    /// Every bit flipped.
    #[allow(clippy::should_implement_trait)]
    pub fn not(&self) -> Bits {
        match &self.repr {
            Repr::Small(value) => Bits::new(!value, self.width),
            Repr::Big(value) => {
                let ones = (BigUint::one() << self.width) - 1u32;
                Bits::from_big(ones - &**value, self.width)
            }
        }
    }

    /// Bitwise and.
    pub fn and(&self, other: &Bits) -> Bits {
        self.map2(other, |a, b| a & b, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &Bits) -> Bits {
        self.map2(other, |a, b| a | b, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bits) -> Bits {
        self.map2(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// The shift distance, if it is less than the width.
    fn distance(&self, by: &Bits) -> Option<u32> {
        by.to_u128()
            .filter(|d| *d < u128::from(self.width))
            .map(|d| d as u32)
    }

    /// Shift left.
    #[allow(clippy::should_implement_trait)]
    pub fn shl(&self, by: &Bits) -> Bits {
        match (self.distance(by), &self.repr) {
            (None, _) => Bits::zero(self.width),
            (Some(d), Repr::Small(value)) => Bits::new(value << d, self.width),
            (Some(d), Repr::Big(value)) => Bits::from_big(&**value << d, self.width),
        }
    }

    /// Shift right, zeros coming in.
    pub fn lshr(&self, by: &Bits) -> Bits {
        match (self.distance(by), &self.repr) {
            (None, _) => Bits::zero(self.width),
            (Some(d), Repr::Small(value)) => Bits::new(value >> d, self.width),
            (Some(d), Repr::Big(value)) => Bits::from_big(&**value >> d, self.width),
        }
    }

    /// Shift right, copies of the sign bit coming in.
    pub fn ashr(&self, by: &Bits) -> Bits {
        if self.is_negative() {
            self.not().lshr(by).not()
        } else {
            self.lshr(by)
        }
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        match (&self.repr, &low.repr) {
            (Repr::Small(high), Repr::Small(l)) if width <= 128 => {
                Bits::new((high << low.width) | l, width)
            }
            _ => Bits::from_big((self.to_big() << low.width) | low.to_big(), width),
        }
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn extract(&self, hi: u32, lo: u32) -> Bits {
        assert!(lo <= hi && hi < self.width, "extraction out of range");
        match &self.repr {
            Repr::Small(value) => Bits::new(value >> lo, hi - lo + 1),
            Repr::Big(value) => Bits::from_big(&**value >> lo, hi - lo + 1),
        }
    }

    /// The same unsigned value at a width at least as great.
    pub fn zext(&self, width: u32) -> Bits {
        match &self.repr {
            Repr::Small(value) => Bits::new(*value, width),
            Repr::Big(value) => Bits::from_big((**value).clone(), width),
        }
    }

    /// The same signed value at a width at least as great.
    pub fn sext(&self, width: u32) -> Bits {
        if self.is_negative() {
            self.not().zext(width).not()
        } else {
            self.zext(width)
        }
    }

    /// Unsigned comparison.
    pub fn ucmp(&self, other: &Bits) -> Ordering {
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }

    /// Signed comparison.
    pub fn scmp(&self, other: &Bits) -> Ordering {
        other
            .is_negative()
            .cmp(&self.is_negative())
            .then_with(|| self.ucmp(other))
    }

    /// As SMT-LIB 2 writes it: `#x…` if the width is a multiple of four, `#b…` otherwise.
    pub fn smtlib(&self) -> String {
        if self.width.is_multiple_of(4) {
            let digits = (self.width / 4) as usize;
            match &self.repr {
                Repr::Small(value) => format!("#x{value:0digits$x}"),
                Repr::Big(value) => format!("#x{:0>digits$}", value.to_str_radix(16)),
            }
        } else {
            let digits = self.width as usize;
            match &self.repr {
                Repr::Small(value) => format!("#b{value:0digits$b}"),
                Repr::Big(value) => format!("#b{:0>digits$}", value.to_str_radix(2)),
            }
        }
    }
}

/// The unsigned decimal value.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.repr {
            Repr::Small(value) => write!(f, "{value}"),
            Repr::Big(value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.smtlib())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_narrow_agree() {
        // The same arithmetic at 100 bits (machine integers) and, embedded, at 200 bits.
        let values = [0u128, 1, 7, 0xdead_beef, (1 << 99) + 12345, (1 << 100) - 1];
        for a in values {
            for b in values {
                let (na, nb) = (Bits::new(a, 100), Bits::new(b, 100));
                let (wa, wb) = (na.zext(200), nb.zext(200));
                let low = |x: Bits| x.extract(99, 0);
                assert_eq!(na.add(&nb), low(wa.add(&wb)));
                assert_eq!(na.sub(&nb), low(wa.sub(&wb)));
                assert_eq!(na.mul(&nb), low(wa.mul(&wb)));
                assert_eq!(na.xor(&nb), low(wa.xor(&wb)));
                let (sa, sb) = (na.sext(200), nb.sext(200));
                assert_eq!(na.scmp(&nb), sa.scmp(&sb));
                if b != 0 {
                    assert_eq!(na.sdiv(&nb), low(sa.sdiv(&sb)));
                    assert_eq!(na.srem(&nb), low(sa.srem(&sb)));
                    assert_eq!(na.udiv(&nb), low(wa.udiv(&wb)));
                    assert_eq!(na.urem(&nb), low(wa.urem(&wb)));
                }
            }
        }
    }

    #[test]
    fn division_by_zero_is_total() {
        let (x, zero) = (Bits::new(0xf0, 8), Bits::zero(8));
        assert_eq!(x.udiv(&zero), Bits::ones(8));
        assert_eq!(x.urem(&zero), x);
        assert_eq!(x.sdiv(&zero), Bits::new(1, 8));
        assert_eq!(Bits::new(5, 8).sdiv(&zero), Bits::ones(8));
        assert_eq!(x.srem(&zero), x);
        assert_eq!(x.ashr(&Bits::new(200, 8)), Bits::ones(8));
        assert_eq!(x.shl(&Bits::new(8, 8)), zero);
    }

    #[test]
    fn text() {
        assert_eq!(Bits::new(10, 8).smtlib(), "#x0a");
        assert_eq!(Bits::new(2, 3).smtlib(), "#b010");
        assert_eq!(Bits::min_signed(8).smtlib(), "#x80");
        assert_eq!(Bits::new(1, 132).smtlib(), format!("#x{}1", "0".repeat(32)));
    }
}
