//! Random expressions as plain trees, with a naive meaning of their own: the reference that
//! terms, their simplifier and their printers are compared with.

#![allow(dead_code)]

pub mod naive;
pub mod raw;

use prova_logic::{FloatFormat, RoundingMode, Sort, Term, Terms};

/// A small deterministic generator (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }
    /// Bits that like corners: zero, one, ones, powers of two, small, anything.
    pub fn bits(&mut self, width: u32) -> u128 {
        let mask = if width >= 128 {
            u128::MAX
        } else {
            (1 << width) - 1
        };
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let power = 1u128 << self.below(u64::from(width.min(128)));
        let value = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => power,
            4 => power.wrapping_sub(1),
            5 => any % 16,
            _ => any,
        };
        value & mask
    }
    /// Float bits that like corners.
    pub fn float_bits(&mut self, format: FloatFormat) -> u128 {
        let fraction = format.significand - 1;
        let bias = (1u128 << (format.exponent - 1)) - 1;
        let sign = u128::from(self.next() & 1) << (format.width() - 1);
        let exponent = match self.below(6) {
            0 => 0,
            1 => (1 << format.exponent) - 1,
            2 => u128::from(self.next()) & ((1 << format.exponent) - 1),
            _ => bias + u128::from(self.below(70)) - 30.min(bias),
        } & ((1 << format.exponent) - 1);
        let mut low = u128::from(self.next()) << 64 | u128::from(self.next());
        low &= (1 << fraction) - 1;
        if self.below(3) == 0 {
            low &= !((1 << (fraction - 4)) - 1);
        }
        if self.below(4) == 0 {
            low = 0;
        }
        sign | exponent << fraction | low
    }
}

/// Operators of the trees. Those that terms have no node for are here too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fun {
    Not,
    And,
    Or,
    Implies,
    Xor,
    Eq,
    Distinct,
    Ite,
    Add,
    Sub,
    Mul,
    Neg,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    BvAnd,
    BvOr,
    BvXor,
    BvNot,
    Shl,
    Lshr,
    Ashr,
    Concat,
    Extract(u32, u32),
    Zext,
    Sext,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
    BoolToBv,
    Select,
    Store,
    ConstArray,
    Fadd,
    Fsub,
    Fmul,
    Fdiv,
    Fsqrt,
    Fneg,
    Fabs,
    Fround(RoundingMode),
    Feq,
    Flt,
    Fle,
    IsNan,
    IsInf,
    IsZero,
    IsNeg,
    ToFloat,
    FromSigned,
    FromUnsigned,
    ToSigned,
    ToUnsigned,
    FromBits,
    ToBits,
}

/// A tree.
#[derive(Clone, Debug)]
pub enum Ast {
    Var(usize, Sort),
    /// The base address of the n-th object, 64 bits wide.
    Base(usize),
    Bool(bool),
    Bits(u128, u32),
    Float(FloatFormat, u128),
    App(Fun, Sort, Vec<Ast>),
}

/// Sizes and alignments of the objects.
pub const OBJECTS: [(u64, u64); 3] = [(16, 8), (4, 4), (1, 1)];
pub const WIDTHS: [u32; 7] = [1, 4, 8, 32, 64, 72, 130];
pub const ARRAY: Sort = Sort::Array {
    index: 8,
    element: 8,
};
pub const MEMORY: Sort = Sort::Array {
    index: 64,
    element: 8,
};
pub const FORMATS: [FloatFormat; 2] = [FloatFormat::F32, FloatFormat::F64];

impl Ast {
    pub fn sort(&self) -> Sort {
        match self {
            Ast::Var(_, sort) | Ast::App(_, sort, _) => *sort,
            Ast::Base(_) => Sort::BitVec(64),
            Ast::Bool(_) => Sort::Bool,
            Ast::Bits(_, width) => Sort::BitVec(*width),
            Ast::Float(format, _) => Sort::Float(*format),
        }
    }

    pub fn contains(&self, test: &dyn Fn(&Ast) -> bool) -> bool {
        test(self) || matches!(self, Ast::App(_, _, c) if c.iter().any(|a| a.contains(test)))
    }
}

/// What a generator may use.
pub struct Generator {
    pub random: Random,
    pub floats: bool,
    pub objects: bool,
}

impl Generator {
    fn leaf(&mut self, sort: Sort) -> Ast {
        let r = &mut self.random;
        match sort {
            Sort::Bool if r.below(8) == 0 => Ast::Bool(r.below(2) == 1),
            Sort::BitVec(64) if self.objects && r.below(2) == 0 => Ast::Base(r.below(3) as usize),
            Sort::BitVec(width) if r.below(2) == 0 => Ast::Bits(r.bits(width), width),
            Sort::Float(format) if r.below(2) == 0 => Ast::Float(format, r.float_bits(format)),
            _ => Ast::Var(r.below(2) as usize, sort),
        }
    }

    fn width(&mut self) -> u32 {
        *self.random.pick(&WIDTHS)
    }

    /// A random tree of this sort.
    pub fn tree(&mut self, sort: Sort, depth: u32) -> Ast {
        if depth == 0 || self.random.below(10) == 0 {
            return self.leaf(sort);
        }
        let d = depth - 1;
        use Fun::*;
        let app = |fun, children| Ast::App(fun, sort, children);
        if self.random.below(12) == 0 {
            let c = self.tree(Sort::Bool, d);
            return app(Ite, vec![c, self.tree(sort, d), self.tree(sort, d)]);
        }
        match sort {
            Sort::Bool => match self.random.below(if self.floats { 13 } else { 10 }) {
                0 => app(Not, vec![self.tree(sort, d)]),
                1 | 2 => {
                    let fun = *self.random.pick(&[And, Or, Implies, Xor, Eq, And, Or]);
                    app(fun, vec![self.tree(sort, d), self.tree(sort, d)])
                }
                3..=5 => {
                    let s = Sort::BitVec(self.width());
                    let fun = *self.random.pick(&[Eq, Eq, Distinct]);
                    app(fun, vec![self.tree(s, d), self.tree(s, d)])
                }
                6 if self.random.below(4) == 0 => app(
                    Eq,
                    vec![self.tree(ARRAY, d.min(2)), self.tree(ARRAY, d.min(2))],
                ),
                6..=9 => {
                    let s = Sort::BitVec(self.width());
                    let fun = *self.random.pick(&[Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge]);
                    app(fun, vec![self.tree(s, d), self.tree(s, d)])
                }
                10 | 11 => {
                    let s = Sort::Float(*self.random.pick(&FORMATS));
                    let fun = *self.random.pick(&[Feq, Flt, Fle, Eq]);
                    app(fun, vec![self.tree(s, d), self.tree(s, d)])
                }
                _ => {
                    let s = Sort::Float(*self.random.pick(&FORMATS));
                    let fun = *self.random.pick(&[IsNan, IsInf, IsZero, IsNeg]);
                    app(fun, vec![self.tree(s, d)])
                }
            },
            Sort::BitVec(width) => self.bit_vector(width, d),
            Sort::Float(format) => match self.random.below(10) {
                0..=3 => {
                    let fun = *self.random.pick(&[Fadd, Fsub, Fmul, Fdiv]);
                    app(fun, vec![self.tree(sort, d), self.tree(sort, d)])
                }
                4 => {
                    use RoundingMode::*;
                    let modes = [
                        NearestTiesToEven,
                        NearestTiesToAway,
                        TowardPositive,
                        TowardNegative,
                        TowardZero,
                    ];
                    let mode = *self.random.pick(&modes);
                    let fun = *self.random.pick(&[Fneg, Fabs, Fsqrt, Fround(mode)]);
                    app(fun, vec![self.tree(sort, d)])
                }
                5 => {
                    let from = Sort::Float(*self.random.pick(&FORMATS));
                    app(ToFloat, vec![self.tree(from, d)])
                }
                6 | 7 => {
                    let from = Sort::BitVec(*self.random.pick(&[1, 8, 32, 64, 72]));
                    let fun = *self.random.pick(&[FromSigned, FromUnsigned]);
                    app(fun, vec![self.tree(from, d)])
                }
                _ => app(FromBits, vec![self.tree(Sort::BitVec(format.width()), d)]),
            },
            Sort::Array { index, element } => match self.random.below(6) {
                0 => app(ConstArray, vec![self.tree(Sort::BitVec(element), d)]),
                1 => self.leaf(sort),
                _ => {
                    let array = self.tree(sort, d);
                    let at = self.tree(Sort::BitVec(index), d.min(2));
                    app(
                        Store,
                        vec![array, at, self.tree(Sort::BitVec(element), d.min(2))],
                    )
                }
            },
        }
    }

    fn bit_vector(&mut self, width: u32, d: u32) -> Ast {
        use Fun::*;
        let sort = Sort::BitVec(width);
        let app = |fun, children| Ast::App(fun, sort, children);
        match self.random.below(18) {
            0..=3 => {
                let fun = *self.random.pick(&[Add, Add, Sub, Mul]);
                app(fun, vec![self.tree(sort, d), self.tree(sort, d)])
            }
            4 => {
                let fun = *self.random.pick(&[Udiv, Sdiv, Urem, Srem]);
                app(fun, vec![self.tree(sort, d), self.tree(sort, d)])
            }
            5 | 6 => {
                let fun = *self.random.pick(&[BvAnd, BvOr, BvXor]);
                app(fun, vec![self.tree(sort, d), self.tree(sort, d)])
            }
            7 => {
                let fun = *self.random.pick(&[Neg, BvNot]);
                app(fun, vec![self.tree(sort, d)])
            }
            8 | 9 => {
                let fun = *self.random.pick(&[Shl, Lshr, Ashr]);
                let by = match self.random.below(3) {
                    0 => self.tree(sort, d),
                    _ => Ast::Bits(
                        u128::from(self.random.below(u64::from(width) + 2))
                            & ((1 << width.min(100)) - 1),
                        width,
                    ),
                };
                app(fun, vec![self.tree(sort, d), by])
            }
            10 | 11 if width > 1 => {
                let low = 1 + self.random.below(u64::from(width) - 1) as u32;
                let high = self.tree(Sort::BitVec(width - low), d);
                app(Concat, vec![high, self.tree(Sort::BitVec(low), d)])
            }
            12 | 13 => {
                let lo = self.random.below(9) as u32;
                let above = self.random.below(9) as u32;
                let inner = self.tree(Sort::BitVec(lo + width + above), d);
                app(Extract(lo + width - 1, lo), vec![inner])
            }
            14 | 15 if width > 1 => {
                let from = 1 + self.random.below(u64::from(width) - 1) as u32;
                let fun = *self.random.pick(&[Zext, Sext]);
                app(fun, vec![self.tree(Sort::BitVec(from), d)])
            }
            16 if width == 8 => {
                let (array, index) = if self.objects {
                    (MEMORY, 64)
                } else {
                    (ARRAY, 8)
                };
                let array = self.tree(array, d);
                app(
                    Select,
                    vec![array, self.tree(Sort::BitVec(index), d.min(2))],
                )
            }
            17 if self.floats && matches!(width, 32 | 64) => {
                let format = if width == 32 {
                    FloatFormat::F32
                } else {
                    FloatFormat::F64
                };
                let fun = *self.random.pick(&[ToBits, ToSigned, ToUnsigned]);
                app(fun, vec![self.tree(Sort::Float(format), d)])
            }
            _ => app(BoolToBv, vec![self.tree(Sort::Bool, d)]),
        }
    }
}

/// The variable a leaf stands for.
pub fn variable(terms: &mut Terms, index: usize, sort: Sort) -> Term {
    let kind = match sort {
        Sort::Bool => "b".to_string(),
        Sort::BitVec(width) => format!("x{width}"),
        Sort::Float(format) => format!("f{}", format.width()),
        Sort::Array { index, .. } => format!("a{index}"),
    };
    terms.var(&format!("{kind}_{index}"), sort)
}

/// The n-th object's base.
pub fn base(terms: &mut Terms, n: usize) -> Term {
    let (size, align) = OBJECTS[n];
    terms.object_base(&format!("base{n}"), 64, size, align)
}

/// The tree as a term, by the simplifying constructors.
pub fn build(terms: &mut Terms, ast: &Ast) -> Term {
    let (fun, sort, children) = match ast {
        Ast::Var(index, sort) => return variable(terms, *index, *sort),
        Ast::Base(n) => return base(terms, *n),
        Ast::Bool(value) => return terms.bool_const(*value),
        Ast::Bits(value, width) => return terms.bv(*value, *width),
        Ast::Float(format, bits) => return terms.float_const(*format, *bits),
        Ast::App(fun, sort, children) => (*fun, *sort, children),
    };
    let c: Vec<Term> = children.iter().map(|child| build(terms, child)).collect();
    let width = sort.width().unwrap_or(1);
    let format = sort.format().unwrap_or(FloatFormat::F32);
    match fun {
        Fun::Not => terms.not(c[0]),
        Fun::And => terms.and(&c),
        Fun::Or => terms.or(&c),
        Fun::Implies => terms.implies(c[0], c[1]),
        Fun::Xor => terms.xor(c[0], c[1]),
        Fun::Eq => terms.eq(c[0], c[1]),
        Fun::Distinct => terms.distinct(&c),
        Fun::Ite => terms.ite(c[0], c[1], c[2]),
        Fun::Add => terms.add(c[0], c[1]),
        Fun::Sub => terms.sub(c[0], c[1]),
        Fun::Mul => terms.mul(c[0], c[1]),
        Fun::Neg => terms.neg(c[0]),
        Fun::Udiv => terms.udiv(c[0], c[1]),
        Fun::Sdiv => terms.sdiv(c[0], c[1]),
        Fun::Urem => terms.urem(c[0], c[1]),
        Fun::Srem => terms.srem(c[0], c[1]),
        Fun::BvAnd => terms.bv_and(c[0], c[1]),
        Fun::BvOr => terms.bv_or(c[0], c[1]),
        Fun::BvXor => terms.bv_xor(c[0], c[1]),
        Fun::BvNot => terms.bv_not(c[0]),
        Fun::Shl => terms.shl(c[0], c[1]),
        Fun::Lshr => terms.lshr(c[0], c[1]),
        Fun::Ashr => terms.ashr(c[0], c[1]),
        Fun::Concat => terms.concat(c[0], c[1]),
        Fun::Extract(hi, lo) => terms.extract(c[0], hi, lo),
        Fun::Zext => terms.zext(c[0], width),
        Fun::Sext => terms.sext(c[0], width),
        Fun::Ult => terms.ult(c[0], c[1]),
        Fun::Ule => terms.ule(c[0], c[1]),
        Fun::Ugt => terms.ugt(c[0], c[1]),
        Fun::Uge => terms.uge(c[0], c[1]),
        Fun::Slt => terms.slt(c[0], c[1]),
        Fun::Sle => terms.sle(c[0], c[1]),
        Fun::Sgt => terms.sgt(c[0], c[1]),
        Fun::Sge => terms.sge(c[0], c[1]),
        Fun::BoolToBv => terms.bool_to_bv(c[0], width),
        Fun::Select => terms.select(c[0], c[1]),
        Fun::Store => terms.store(c[0], c[1], c[2]),
        Fun::ConstArray => match sort {
            Sort::Array { index, .. } => terms.const_array(index, c[0]),
            _ => unreachable!(),
        },
        Fun::Fadd => terms.fadd(c[0], c[1]),
        Fun::Fsub => terms.fsub(c[0], c[1]),
        Fun::Fmul => terms.fmul(c[0], c[1]),
        Fun::Fdiv => terms.fdiv(c[0], c[1]),
        Fun::Fsqrt => terms.fsqrt(c[0]),
        Fun::Fneg => terms.fneg(c[0]),
        Fun::Fabs => terms.fabs(c[0]),
        Fun::Fround(mode) => terms.round_to_integral(mode, c[0]),
        Fun::Feq => terms.feq(c[0], c[1]),
        Fun::Flt => terms.flt(c[0], c[1]),
        Fun::Fle => terms.fle(c[0], c[1]),
        Fun::IsNan => terms.is_nan(c[0]),
        Fun::IsInf => terms.is_inf(c[0]),
        Fun::IsZero => terms.is_zero(c[0]),
        Fun::IsNeg => terms.is_neg(c[0]),
        Fun::ToFloat => terms.float_to_float(c[0], format),
        Fun::FromSigned => terms.sbv_to_float(c[0], format),
        Fun::FromUnsigned => terms.ubv_to_float(c[0], format),
        Fun::ToSigned => terms.float_to_sbv(c[0], width),
        Fun::ToUnsigned => terms.float_to_ubv(c[0], width),
        Fun::FromBits => terms.float_from_bits(c[0], format),
        Fun::ToBits => terms.float_to_bits(c[0]),
    }
}
