//! Sorts: what kind of value a term has.

use std::fmt;

/// An IEEE 754 binary format. `significand` counts the hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatFormat {
    /// Number of exponent bits.
    pub exponent: u32,
    /// Number of significand bits, the hidden one included.
    pub significand: u32,
}

impl FloatFormat {
    /// `_Float16`.
    pub const F16: FloatFormat = FloatFormat {
        exponent: 5,
        significand: 11,
    };
    /// C's `float`.
    pub const F32: FloatFormat = FloatFormat {
        exponent: 8,
        significand: 24,
    };
    /// C's `double`.
    pub const F64: FloatFormat = FloatFormat {
        exponent: 11,
        significand: 53,
    };
    /// The x87's `long double`, without the explicit integer bit that memory holds.
    pub const X87: FloatFormat = FloatFormat {
        exponent: 15,
        significand: 64,
    };
    /// `__float128`.
    pub const F128: FloatFormat = FloatFormat {
        exponent: 15,
        significand: 113,
    };

    /// The five formats that can be evaluated; terms are built over these only.
    pub fn is_supported(self) -> bool {
        [Self::F16, Self::F32, Self::F64, Self::X87, Self::F128].contains(&self)
    }

    /// Width of the IEEE bit pattern (for [`FloatFormat::X87`] that is 79, not 80).
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }

    /// The one NaN of this format: positive, quiet, no payload.
    pub fn canonical_nan(self) -> u128 {
        let fraction = self.significand - 1;
        let exponent = (1u128 << self.exponent) - 1;
        (exponent << fraction) | (1u128 << (fraction - 1))
    }

    /// Whether a bit pattern of this format is a NaN.
    pub fn is_nan_bits(self, bits: u128) -> bool {
        let fraction = self.significand - 1;
        let exponent = (1u128 << self.exponent) - 1;
        (bits >> fraction) & exponent == exponent && bits & ((1u128 << fraction) - 1) != 0
    }

    /// The bit pattern with every NaN replaced by the canonical one.
    pub fn canonical(self, bits: u128) -> u128 {
        if self.is_nan_bits(bits) {
            self.canonical_nan()
        } else {
            bits
        }
    }
}

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of the given width, which is at least 1.
    BitVec(u32),
    /// IEEE floats.
    Float(FloatFormat),
    /// Total maps from bit-vectors to bit-vectors.
    Array {
        /// Width of an index.
        index: u32,
        /// Width of an element.
        element: u32,
    },
}

impl Sort {
    /// The width, if this is a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }

    /// The format, if this is a float sort.
    pub fn format(self) -> Option<FloatFormat> {
        match self {
            Sort::Float(format) => Some(format),
            _ => None,
        }
    }
}

/// As SMT-LIB 2 writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(FloatFormat {
                exponent,
                significand,
            }) => {
                write!(f, "(_ FloatingPoint {exponent} {significand})")
            }
            Sort::Array { index, element } => {
                write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))")
            }
        }
    }
}
