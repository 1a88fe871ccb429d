//! The trees' own meaning: big integers and the machine's floats, nothing clever.

use super::{Ast, Fun};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use prova_logic::{FloatFormat, RoundingMode, Sort};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Plain {
    Bool(bool),
    Bits(BigUint),
    F32(f32),
    F64(f64),
    /// A default and every index written.
    Array(BigUint, BTreeMap<BigUint, BigUint>),
}

pub type Env<'a> = &'a dyn Fn(&Ast) -> Plain;

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

fn signed(x: &BigUint, width: u32) -> BigInt {
    let value = BigInt::from(x.clone());
    if x.bit(u64::from(width) - 1) {
        value - BigInt::from(modulus(width))
    } else {
        value
    }
}

fn wrap(x: BigInt, width: u32) -> BigUint {
    let m = BigInt::from(modulus(width));
    (((x % &m) + &m) % &m).to_biguint().unwrap()
}

impl Plain {
    pub fn bool(&self) -> bool {
        matches!(self, Plain::Bool(true))
    }
    pub fn bits(&self) -> BigUint {
        match self {
            Plain::Bits(bits) => bits.clone(),
            other => panic!("{other:?}"),
        }
    }
    fn double(&self) -> f64 {
        match self {
            Plain::F32(x) => f64::from(*x),
            Plain::F64(x) => *x,
            other => panic!("{other:?}"),
        }
    }
    fn array(&self) -> (BigUint, BTreeMap<BigUint, BigUint>) {
        match self {
            Plain::Array(default, entries) => (default.clone(), entries.clone()),
            other => panic!("{other:?}"),
        }
    }
}

fn same(a: &Plain, b: &Plain) -> bool {
    match (a, b) {
        (Plain::F32(x), Plain::F32(y)) => x.is_nan() && y.is_nan() || x.to_bits() == y.to_bits(),
        (Plain::F64(x), Plain::F64(y)) => x.is_nan() && y.is_nan() || x.to_bits() == y.to_bits(),
        (Plain::Array(d, x), Plain::Array(e, y)) => {
            // Arrays compared here have 8-bit indices.
            (0..256u32)
                .map(BigUint::from)
                .all(|i| x.get(&i).unwrap_or(d) == y.get(&i).unwrap_or(e))
        }
        _ => a == b,
    }
}

/// Rounds an integer to a float by the machine, which is to nearest even.
fn from_integer(value: BigInt, format: FloatFormat) -> Plain {
    let value = value
        .to_i128()
        .expect("conversions are from at most 72 bits");
    match format {
        FloatFormat::F32 => Plain::F32(value as f32),
        _ => Plain::F64(value as f64),
    }
}

fn round(x: f64, mode: RoundingMode) -> f64 {
    match mode {
        RoundingMode::NearestTiesToEven => x.round_ties_even(),
        RoundingMode::NearestTiesToAway => x.round(),
        RoundingMode::TowardPositive => x.ceil(),
        RoundingMode::TowardNegative => x.floor(),
        RoundingMode::TowardZero => x.trunc(),
    }
}

pub fn eval(ast: &Ast, env: Env<'_>) -> Plain {
    let (fun, sort, children) = match ast {
        Ast::Var(..) | Ast::Base(_) => return env(ast),
        Ast::Bool(value) => return Plain::Bool(*value),
        Ast::Bits(value, _) => return Plain::Bits(BigUint::from(*value)),
        Ast::Float(FloatFormat::F32, bits) => return Plain::F32(f32::from_bits(*bits as u32)),
        Ast::Float(_, bits) => return Plain::F64(f64::from_bits(*bits as u64)),
        Ast::App(fun, sort, children) => (*fun, *sort, children),
    };
    let c: Vec<Plain> = children.iter().map(|child| eval(child, env)).collect();
    let from = match children[0].sort() {
        Sort::BitVec(width) => width,
        _ => 1,
    };
    match sort {
        Sort::Bool => Plain::Bool(eval_bool(fun, &c, from)),
        Sort::BitVec(width) => eval_bits(fun, &c, width, from),
        Sort::Float(format) => eval_float(fun, &c, format, from),
        Sort::Array { .. } => match fun {
            Fun::ConstArray => Plain::Array(c[0].bits(), BTreeMap::new()),
            Fun::Ite => {
                if c[0].bool() {
                    c[1].clone()
                } else {
                    c[2].clone()
                }
            }
            _ => {
                let (default, mut entries) = c[0].array();
                entries.insert(c[1].bits(), c[2].bits());
                Plain::Array(default, entries)
            }
        },
    }
}

fn eval_bool(fun: Fun, c: &[Plain], from: u32) -> bool {
    let s = |i: usize| signed(&c[i].bits(), from);
    let f = |i: usize| c[i].double();
    match fun {
        Fun::Not => !c[0].bool(),
        Fun::And => c[0].bool() && c[1].bool(),
        Fun::Or => c[0].bool() || c[1].bool(),
        Fun::Implies => !c[0].bool() || c[1].bool(),
        Fun::Xor => c[0].bool() != c[1].bool(),
        Fun::Eq => same(&c[0], &c[1]),
        Fun::Distinct => !same(&c[0], &c[1]),
        Fun::Ite => {
            if c[0].bool() {
                c[1].bool()
            } else {
                c[2].bool()
            }
        }
        Fun::Ult => c[0].bits() < c[1].bits(),
        Fun::Ule => c[0].bits() <= c[1].bits(),
        Fun::Ugt => c[0].bits() > c[1].bits(),
        Fun::Uge => c[0].bits() >= c[1].bits(),
        Fun::Slt => s(0) < s(1),
        Fun::Sle => s(0) <= s(1),
        Fun::Sgt => s(0) > s(1),
        Fun::Sge => s(0) >= s(1),
        Fun::Feq => f(0) == f(1),
        Fun::Flt => f(0) < f(1),
        Fun::Fle => f(0) <= f(1),
        Fun::IsNan => f(0).is_nan(),
        Fun::IsInf => f(0).is_infinite(),
        Fun::IsZero => f(0) == 0.0,
        Fun::IsNeg => !f(0).is_nan() && f(0).is_sign_negative(),
        other => panic!("{other:?}"),
    }
}

fn eval_bits(fun: Fun, c: &[Plain], width: u32, from: u32) -> Plain {
    let x = |i: usize| c[i].bits();
    let s = |i: usize| signed(&c[i].bits(), from);
    let m = modulus(width);
    let bits = match fun {
        Fun::Ite => {
            if c[0].bool() {
                x(1)
            } else {
                x(2)
            }
        }
        Fun::Add => (x(0) + x(1)) % m,
        Fun::Sub => (x(0) + &m - x(1)) % m,
        Fun::Mul => (x(0) * x(1)) % m,
        Fun::Neg => (&m - x(0)) % &m,
        Fun::Udiv => {
            if x(1).is_zero() {
                m - 1u32
            } else {
                x(0) / x(1)
            }
        }
        Fun::Urem => {
            if x(1).is_zero() {
                x(0)
            } else {
                x(0) % x(1)
            }
        }
        // By zero, SMT-LIB: 1 for a negative dividend, -1 otherwise.
        Fun::Sdiv if x(1).is_zero() => {
            if s(0) < BigInt::zero() {
                BigUint::one() % m
            } else {
                m - 1u32
            }
        }
        Fun::Sdiv => wrap(s(0) / s(1), width),
        Fun::Srem => {
            if x(1).is_zero() {
                x(0)
            } else {
                wrap(s(0) % s(1), width)
            }
        }
        Fun::BvAnd => x(0) & x(1),
        Fun::BvOr => x(0) | x(1),
        Fun::BvXor => x(0) ^ x(1),
        Fun::BvNot => m - 1u32 - x(0),
        Fun::Shl => match x(1).to_u32().filter(|d| *d < width) {
            Some(d) => (x(0) << d) % m,
            None => BigUint::zero(),
        },
        Fun::Lshr => match x(1).to_u32().filter(|d| *d < width) {
            Some(d) => x(0) >> d,
            None => BigUint::zero(),
        },
        Fun::Ashr => wrap(s(0) >> x(1).to_u32().unwrap_or(width).min(width), width),
        Fun::Concat => {
            // The low operand's width is what is left of the result's.
            (x(0) << (width - from)) | x(1)
        }
        Fun::Extract(_, lo) => (x(0) >> lo) % m,
        Fun::Zext => x(0),
        Fun::Sext => wrap(s(0), width),
        Fun::BoolToBv => {
            if c[0].bool() {
                BigUint::one()
            } else {
                BigUint::zero()
            }
        }
        Fun::Select => {
            let (default, entries) = c[0].array();
            entries.get(&x(1)).unwrap_or(&default).clone()
        }
        Fun::ToBits => match c[0] {
            Plain::F32(f) if f.is_nan() => BigUint::from(0x7fc0_0000u32),
            Plain::F32(f) => BigUint::from(f.to_bits()),
            Plain::F64(f) if f.is_nan() => BigUint::from(0x7ff8_0000_0000_0000u64),
            Plain::F64(f) => BigUint::from(f.to_bits()),
            _ => panic!(),
        },
        Fun::ToSigned | Fun::ToUnsigned => {
            let f = c[0].double().trunc();
            let power = 2f64.powi(width as i32 - 1);
            let fits = if fun == Fun::ToSigned {
                f >= -power && f < power
            } else {
                f >= 0.0 && f < 2.0 * power
            };
            if fits {
                wrap(BigInt::from(f as i128), width)
            } else {
                modulus(width - 1)
            }
        }
        other => panic!("{other:?}"),
    };
    Plain::Bits(bits)
}

fn eval_float(fun: Fun, c: &[Plain], format: FloatFormat, from: u32) -> Plain {
    match fun {
        Fun::Ite => {
            return if c[0].bool() {
                c[1].clone()
            } else {
                c[2].clone()
            }
        }
        Fun::FromSigned => return from_integer(signed(&c[0].bits(), from), format),
        Fun::FromUnsigned => return from_integer(BigInt::from(c[0].bits()), format),
        Fun::FromBits => {
            let bits = c[0].bits();
            return match format {
                FloatFormat::F32 => Plain::F32(f32::from_bits(bits.to_u32().unwrap())),
                _ => Plain::F64(f64::from_bits(bits.to_u64().unwrap())),
            };
        }
        Fun::ToFloat => {
            return match format {
                FloatFormat::F32 => Plain::F32(c[0].double() as f32),
                _ => Plain::F64(c[0].double()),
            };
        }
        _ => {}
    }
    match &c[0] {
        Plain::F32(x) => {
            let y = match c.get(1) {
                Some(Plain::F32(y)) => *y,
                _ => 0.0,
            };
            Plain::F32(match fun {
                Fun::Fadd => x + y,
                Fun::Fsub => x - y,
                Fun::Fmul => x * y,
                Fun::Fdiv => x / y,
                Fun::Fsqrt => x.sqrt(),
                Fun::Fneg => -x,
                Fun::Fabs => x.abs(),
                // Every float is a double, and its integral neighbours are floats.
                Fun::Fround(mode) => round(f64::from(*x), mode) as f32,
                other => panic!("{other:?}"),
            })
        }
        Plain::F64(x) => {
            let y = match c.get(1) {
                Some(Plain::F64(y)) => *y,
                _ => 0.0,
            };
            Plain::F64(match fun {
                Fun::Fadd => x + y,
                Fun::Fsub => x - y,
                Fun::Fmul => x * y,
                Fun::Fdiv => x / y,
                Fun::Fsqrt => x.sqrt(),
                Fun::Fneg => -x,
                Fun::Fabs => x.abs(),
                Fun::Fround(mode) => round(*x, mode),
                other => panic!("{other:?}"),
            })
        }
        other => panic!("{other:?}"),
    }
}
