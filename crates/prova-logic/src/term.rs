//! What a term is: an id, an operator, children.

use crate::float::RoundingMode;
use crate::sort::Sort;

/// A hash-consed term: an index into the [`Terms`](crate::Terms) that made it. Two terms of
/// one arena are equal exactly if their ids are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The position in the arena: children come before their parents.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operator at the top of a term. Operators that are not here (subtraction, unsigned
/// greater-than, implication, …) are built from these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Op {
    /// `true`.
    True,
    /// `false`.
    False,
    /// A variable; see [`Terms::variable`](crate::Terms::variable).
    Var,
    /// A bit-vector constant; see [`Terms::as_bits`](crate::Terms::as_bits).
    BvConst,
    /// A float constant; see [`Terms::as_float`](crate::Terms::as_float).
    FloatConst,
    /// Negation.
    Not,
    /// Conjunction of two or more.
    And,
    /// Disjunction of two or more.
    Or,
    /// Equality of two terms of one sort. For floats, identity: NaN equals NaN, the zeros differ.
    Eq,
    /// If-then-else, of any sort.
    Ite,
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Two's complement.
    Neg,
    /// Unsigned quotient.
    Udiv,
    /// Signed quotient.
    Sdiv,
    /// Unsigned remainder.
    Urem,
    /// Signed remainder, with the dividend's sign.
    Srem,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Bitwise complement.
    BvNot,
    /// Shift left.
    Shl,
    /// Shift right, zeros coming in.
    Lshr,
    /// Shift right, sign bits coming in.
    Ashr,
    /// The first child above the second.
    Concat,
    /// A slice; its bounds are in [`Node::bounds`].
    Extract,
    /// Zeros put above.
    Zext,
    /// Copies of the sign bit put above.
    Sext,
    /// Unsigned less-than.
    Ult,
    /// Unsigned less-or-equal.
    Ule,
    /// Signed less-than.
    Slt,
    /// Signed less-or-equal.
    Sle,
    /// Float sum.
    Fadd,
    /// Float difference.
    Fsub,
    /// Float product.
    Fmul,
    /// Float quotient.
    Fdiv,
    /// Float square root.
    Fsqrt,
    /// Float rounded to an integral value.
    Fround,
    /// Float with its sign flipped.
    Fneg,
    /// Float with its sign cleared.
    Fabs,
    /// IEEE equality.
    Feq,
    /// IEEE less-than.
    Flt,
    /// IEEE less-or-equal.
    Fle,
    /// Is it a NaN?
    FisNan,
    /// Is it an infinity?
    FisInf,
    /// Is it a zero?
    FisZero,
    /// Is its sign negative (and is it no NaN)?
    FisNeg,
    /// Float to float of another format.
    FloatToFloat,
    /// Signed bit-vector to float.
    SbvToFloat,
    /// Unsigned bit-vector to float.
    UbvToFloat,
    /// Float to signed bit-vector, towards zero; meaningful only if the value fits.
    FloatToSbv,
    /// Float to unsigned bit-vector, towards zero; meaningful only if the value fits.
    FloatToUbv,
    /// The float of an IEEE bit pattern.
    FloatFromBits,
    /// The IEEE bit pattern of a float; a NaN's is the canonical one.
    FloatToBits,
    /// The array that holds its child everywhere.
    ConstArray,
    /// Element of an array at an index.
    Select,
    /// An array with one element replaced: array, index, value.
    Store,
}

/// A view of one term.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The operator.
    pub op: Op,
    /// The term's own sort.
    pub sort: Sort,
    /// The operands, in order.
    pub children: &'a [Term],
    /// `(hi, lo)` of an [`Op::Extract`]; `(0, 0)` otherwise.
    pub bounds: (u32, u32),
    /// The rounding mode of a float operator that has one; nearest-even otherwise.
    pub rounding: RoundingMode,
}
