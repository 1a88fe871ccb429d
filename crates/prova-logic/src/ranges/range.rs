//! What one bit-vector can be: a signed interval, an unsigned one, and known bits. Each tells the
//! others what it can; known low bits are congruences modulo powers of two, the only ones that
//! survive wrapping.

/// A set of values of at most 64 bits; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    width: u32,
    signed: (i128, i128),
    unsigned: (i128, i128),
    /// Bits that are known, and their values.
    known: u64,
    ones: u64,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl Range {
    /// All values.
    pub fn all(width: u32) -> Range {
        debug_assert!((1..=64).contains(&width));
        let half = 1i128 << (width - 1);
        Range {
            width,
            signed: (-half, half - 1),
            unsigned: (0, 2 * half - 1),
            known: 0,
            ones: 0,
        }
    }

    /// One value, given by its bits.
    pub fn constant(bits: u64, width: u32) -> Range {
        let mut range = Range::all(width);
        range.known = mask(width);
        range.ones = bits & mask(width);
        range.tightened().expect("one value is some value")
    }

    /// Values between two signed bounds.
    pub fn between(low: i128, high: i128, width: u32) -> Option<Range> {
        let mut range = Range::all(width);
        range.signed = (range.signed.0.max(low), range.signed.1.min(high));
        range.tightened()
    }

    /// Values between two unsigned bounds.
    pub fn between_unsigned(low: i128, high: i128, width: u32) -> Option<Range> {
        let mut range = Range::all(width);
        range.unsigned = (range.unsigned.0.max(low), range.unsigned.1.min(high));
        range.tightened()
    }

    /// Values with some bits given.
    pub fn with_bits(known: u64, ones: u64, width: u32) -> Range {
        let mut range = Range::all(width);
        range.known = known & mask(width);
        range.ones = ones & range.known;
        range.tightened().unwrap_or(Range::all(width))
    }

    /// Its width.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bounds of the signed reading.
    pub fn signed(&self) -> (i128, i128) {
        self.signed
    }

    /// The bounds of the unsigned reading.
    pub fn unsigned(&self) -> (i128, i128) {
        self.unsigned
    }

    /// The known bits and their values.
    pub fn bits(&self) -> (u64, u64) {
        (self.known, self.ones)
    }

    /// How many low bits are known.
    pub fn low_bits(&self) -> u32 {
        (!self.known).trailing_zeros().min(self.width)
    }

    /// The only value, by its bits.
    pub fn value(&self) -> Option<u64> {
        (self.known == mask(self.width)).then_some(self.ones)
    }

    /// Whether nothing is known.
    pub fn is_all(&self) -> bool {
        *self == Range::all(self.width)
    }

    /// Values in both; `None` if there are none.
    pub fn meet(&self, other: &Range) -> Option<Range> {
        let both = self.known & other.known;
        if (self.ones ^ other.ones) & both != 0 {
            return None;
        }
        Range {
            width: self.width,
            signed: (
                self.signed.0.max(other.signed.0),
                self.signed.1.min(other.signed.1),
            ),
            unsigned: (
                self.unsigned.0.max(other.unsigned.0),
                self.unsigned.1.min(other.unsigned.1),
            ),
            known: self.known | other.known,
            ones: self.ones | other.ones,
        }
        .tightened()
    }

    /// Values in either, and maybe more.
    pub fn join(&self, other: &Range) -> Range {
        let known = self.known & other.known & !(self.ones ^ other.ones);
        Range {
            width: self.width,
            signed: (
                self.signed.0.min(other.signed.0),
                self.signed.1.max(other.signed.1),
            ),
            unsigned: (
                self.unsigned.0.min(other.unsigned.0),
                self.unsigned.1.max(other.unsigned.1),
            ),
            known,
            ones: self.ones & known,
        }
    }

    /// The join with what comes next, with bounds that moved sent to the next of `stops`, which
    /// are in order; so that a loop's bounds settle.
    pub fn widen(&self, next: &Range, stops: &[i128]) -> Range {
        let joined = self.join(next);
        let all = Range::all(self.width);
        let down = |old: i128, new: i128, least: i128| {
            if new >= old {
                old
            } else {
                let stop = stops.iter().rev().find(|&&s| s <= new);
                stop.map_or(least, |&s| s.max(least))
            }
        };
        let up = |old: i128, new: i128, most: i128| {
            if new <= old {
                old
            } else {
                let stop = stops.iter().find(|&&s| s >= new);
                stop.map_or(most, |&s| s.min(most))
            }
        };
        Range {
            signed: (
                down(self.signed.0, joined.signed.0, all.signed.0),
                up(self.signed.1, joined.signed.1, all.signed.1),
            ),
            unsigned: (
                down(self.unsigned.0, joined.unsigned.0, all.unsigned.0),
                up(self.unsigned.1, joined.unsigned.1, all.unsigned.1),
            ),
            ..joined
        }
    }

    /// Lets the three descriptions sharpen each other.
    fn tightened(mut self) -> Option<Range> {
        let half = 1i128 << (self.width - 1);
        for _ in 0..3 {
            let before = self;
            let open = i128::from(mask(self.width) & !self.known);
            let least = i128::from(self.ones);
            self.unsigned.0 = self.unsigned.0.max(least);
            self.unsigned.1 = self.unsigned.1.min(least + open);
            // On one side of the sign bit both readings run in parallel.
            if self.signed.0 >= 0 {
                self.unsigned.0 = self.unsigned.0.max(self.signed.0);
                self.unsigned.1 = self.unsigned.1.min(self.signed.1);
            } else if self.signed.1 < 0 {
                self.unsigned.0 = self.unsigned.0.max(self.signed.0 + 2 * half);
                self.unsigned.1 = self.unsigned.1.min(self.signed.1 + 2 * half);
            }
            if self.unsigned.1 < half {
                self.signed.0 = self.signed.0.max(self.unsigned.0);
                self.signed.1 = self.signed.1.min(self.unsigned.1);
            } else if self.unsigned.0 >= half {
                self.signed.0 = self.signed.0.max(self.unsigned.0 - 2 * half);
                self.signed.1 = self.signed.1.min(self.unsigned.1 - 2 * half);
            }
            if self.signed.0 > self.signed.1 || self.unsigned.0 > self.unsigned.1 {
                return None;
            }
            // Bits above the highest one in which the bounds differ are common to all values.
            let (low, high) = (self.unsigned.0 as u64, self.unsigned.1 as u64);
            let common = !(u64::MAX
                .checked_shr((low ^ high).leading_zeros())
                .unwrap_or(0))
                & mask(self.width);
            if (self.ones ^ low) & self.known & common != 0 {
                return None;
            }
            self.known |= common;
            self.ones |= low & common;
            if self == before {
                break;
            }
        }
        Some(self)
    }

    /// Sum, modulo the width.
    pub fn add(&self, other: &Range) -> Range {
        let low = self.low_bits().min(other.low_bits());
        let sum = self.ones.wrapping_add(other.ones);
        self.arithmetic(
            (
                self.signed.0 + other.signed.0,
                self.signed.1 + other.signed.1,
            ),
            (
                self.unsigned.0 + other.unsigned.0,
                self.unsigned.1 + other.unsigned.1,
            ),
            low,
            sum,
        )
    }

    /// Two's complement.
    pub fn neg(&self) -> Range {
        self.arithmetic(
            (-self.signed.1, -self.signed.0),
            (-self.unsigned.1, -self.unsigned.0),
            self.low_bits(),
            self.ones.wrapping_neg(),
        )
    }

    /// Product, modulo the width.
    pub fn mul(&self, other: &Range) -> Range {
        let corners = |a: (i128, i128), b: (i128, i128)| {
            let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            (
                *all.iter().min().expect("four"),
                *all.iter().max().expect("four"),
            )
        };
        // Unknown bits above zeros: the zeros of both add up.
        let zeros = |r: &Range| (!(r.known & !r.ones)).trailing_zeros().min(r.width);
        let low = self
            .low_bits()
            .min(other.low_bits())
            .max((zeros(self) + zeros(other)).min(self.width));
        self.arithmetic(
            corners(self.signed, other.signed),
            corners(
                (self.unsigned.0.min(1 << 62), self.unsigned.1.min(1 << 62)),
                (other.unsigned.0.min(1 << 62), other.unsigned.1.min(1 << 62)),
            ),
            low,
            self.ones.wrapping_mul(other.ones),
        )
    }

    /// A result with exact bounds where they do not wrap, and known low bits.
    fn arithmetic(
        &self,
        signed: (i128, i128),
        unsigned: (i128, i128),
        low: u32,
        ones: u64,
    ) -> Range {
        let all = Range::all(self.width);
        let known = if low == 0 { 0 } else { mask(low) };
        let mut range = Range::with_bits(known, ones, self.width);
        if signed.0 >= all.signed.0 && signed.1 <= all.signed.1 {
            range.signed = (range.signed.0.max(signed.0), range.signed.1.min(signed.1));
        }
        if unsigned.0 >= 0 && unsigned.1 <= all.unsigned.1 && unsigned.1 < 1 << 62 {
            range.unsigned = (
                range.unsigned.0.max(unsigned.0),
                range.unsigned.1.min(unsigned.1),
            );
        }
        range.tightened().unwrap_or(all)
    }

    /// The low bits.
    pub fn truncate(&self, width: u32) -> Range {
        let bits = Range::with_bits(self.known, self.ones, width);
        let all = Range::all(width);
        if self.signed.0 >= all.signed.0 && self.signed.1 <= all.signed.1 {
            let part = Range::between(self.signed.0, self.signed.1, width);
            return part.and_then(|p| p.meet(&bits)).unwrap_or(bits);
        }
        if self.unsigned.1 <= all.unsigned.1 {
            let part = Range::between_unsigned(self.unsigned.0, self.unsigned.1, width);
            return part.and_then(|p| p.meet(&bits)).unwrap_or(bits);
        }
        bits
    }

    /// More bits, zero or like the sign.
    pub fn extend(&self, width: u32, signed: bool) -> Range {
        let part = if signed {
            Range::between(self.signed.0, self.signed.1, width)
        } else {
            Range::between_unsigned(self.unsigned.0, self.unsigned.1, width)
        };
        let bits = Range::with_bits(self.known & mask(self.width.max(2) - 1), self.ones, width);
        part.and_then(|p| p.meet(&bits))
            .unwrap_or(Range::all(width))
    }

    /// Shifted right by a constant.
    pub fn shift_right(&self, by: u32, signed: bool) -> Range {
        let part = if signed {
            Range::between(self.signed.0 >> by, self.signed.1 >> by, self.width)
        } else {
            Range::between_unsigned(self.unsigned.0 >> by, self.unsigned.1 >> by, self.width)
        };
        part.unwrap_or(Range::all(self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(r: &Range, bits: u64) -> bool {
        let width = r.width();
        let signed = i128::from(((bits << (64 - width)) as i64) >> (64 - width));
        let unsigned = i128::from(bits);
        r.signed().0 <= signed
            && signed <= r.signed().1
            && r.unsigned().0 <= unsigned
            && unsigned <= r.unsigned().1
            && bits & r.bits().0 == r.bits().1
    }

    /// Ranges of four bits made in every way.
    fn samples() -> Vec<Range> {
        let mut all = Vec::new();
        for low in -8..8 {
            for high in low..8 {
                all.extend(Range::between(low, high, 4));
            }
        }
        for low in 0..16 {
            all.extend(Range::between_unsigned(low, low + 3, 4));
        }
        for known in 0..16 {
            all.push(Range::with_bits(known, 5, 4));
        }
        all
    }

    #[test]
    fn every_operation_keeps_every_result() {
        let samples = samples();
        for a in &samples {
            let xs: Vec<u64> = (0..16).filter(|&x| contains(a, x)).collect();
            assert!(!xs.is_empty(), "{a:?}");
            for &x in &xs {
                assert!(contains(&a.neg(), x.wrapping_neg() & 15));
                assert!(contains(&a.truncate(2), x & 3));
                assert!(contains(&a.extend(6, false), x));
                let sign = if x & 8 != 0 { 0x30 | x } else { x };
                assert!(contains(&a.extend(6, true), sign), "{a:?} {x}");
                assert!(contains(&a.shift_right(1, false), x >> 1));
                assert!(contains(&a.shift_right(1, true), (sign >> 1) & 15));
            }
            for b in samples.iter().step_by(7) {
                let (sum, product, join) = (a.add(b), a.mul(b), a.join(b));
                let wide = a.widen(b, &[-4, 0, 4]);
                for y in (0..16).filter(|&y| contains(b, y)) {
                    assert!(contains(&join, y) && contains(&wide, y));
                    for &x in &xs {
                        assert!(contains(&join, x) && contains(&wide, x));
                        assert!(contains(&sum, (x + y) & 15), "{a:?} + {b:?}: {x} {y}");
                        assert!(contains(&product, (x * y) & 15), "{a:?} * {b:?}: {x} {y}");
                    }
                    if contains(a, y) {
                        assert!(a.meet(b).is_some_and(|m| contains(&m, y)));
                    }
                }
            }
        }
    }
}
