//! Terms as C expressions that mean the same, where there is one.
//!
//! Arithmetic of the terms wraps around, so it is written in unsigned types, with a conversion
//! around every operation on narrow ones. What C leaves undefined where the terms do not (division
//! by zero, shifts by too much, reads through pointers) is not written at all. To leave a fact out
//! is sound: a witness then says less.

use crate::c_types::Scalar;
use prova_logic::{Op, Term, Terms};

/// More nodes than this are not written.
const MOST: usize = 400;

/// What a variable, or a cell of memory, is called in C at some place.
pub trait Names {
    /// The name and type of a variable.
    fn variable(&self, name: &str) -> Option<(String, Scalar)>;
    /// The name and type of what lies at an object's base and an offset, if that has so many bytes.
    fn cell(&self, object: &str, offset: u64, bytes: u32) -> Option<(String, Scalar)>;
    /// The name of an object whose address is meant.
    fn object(&self, object: &str) -> Option<String>;
}

/// A writer of expressions.
pub struct Writer<'a> {
    /// The terms.
    pub terms: &'a Terms,
    /// The names.
    pub names: &'a dyn Names,
    left: usize,
}

/// The type of a number: width and sign.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Number {
    bits: u32,
    signed: bool,
}

impl Number {
    /// The smallest type that holds it.
    fn name(self) -> &'static str {
        Scalar::Int {
            bits: self.bits.next_power_of_two().max(8) as u16,
            signed: self.signed,
        }
        .name()
    }

    /// Whether C has a type of just this width.
    fn is_type(self) -> bool {
        [8, 16, 32, 64].contains(&self.bits)
    }
}

/// A truth value as C text.
pub fn condition(terms: &Terms, names: &dyn Names, t: Term) -> Option<String> {
    let mut writer = Writer {
        terms,
        names,
        left: MOST,
    };
    writer.truth(t)
}

impl Writer<'_> {
    fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn truth(&mut self, t: Term) -> Option<String> {
        self.spend()?;
        let c = self.terms.children(t).to_vec();
        Some(match self.terms.op(t) {
            Op::True => "1".into(),
            Op::False => "0".into(),
            Op::Not => match self.terms.op(c[0]) {
                Op::Eq => {
                    let sides = self.terms.children(c[0]).to_vec();
                    self.equality(sides[0], sides[1], "!=")?
                }
                _ => format!("!({})", self.truth(c[0])?),
            },
            Op::And => self.joined(&c, " && ")?,
            Op::Or => self.joined(&c, " || ")?,
            Op::Eq => self.equality(c[0], c[1], "==")?,
            Op::Ite => {
                let (a, b, d) = (self.truth(c[0])?, self.truth(c[1])?, self.truth(c[2])?);
                format!("(({a}) ? ({b}) : ({d}))")
            }
            Op::Ult => self.order(c[0], c[1], "<", false)?,
            Op::Ule => self.order(c[0], c[1], "<=", false)?,
            Op::Slt => self.order(c[0], c[1], "<", true)?,
            Op::Sle => self.order(c[0], c[1], "<=", true)?,
            Op::Feq => format!("{} == {}", self.float(c[0])?, self.float(c[1])?),
            Op::Flt => format!("{} < {}", self.float(c[0])?, self.float(c[1])?),
            Op::Fle => format!("{} <= {}", self.float(c[0])?, self.float(c[1])?),
            _ => return None,
        })
    }

    fn joined(&mut self, parts: &[Term], with: &str) -> Option<String> {
        let parts: Option<Vec<String>> = parts
            .iter()
            .map(|&p| Some(format!("({})", self.truth(p)?)))
            .collect();
        Some(parts?.join(with))
    }

    fn order(&mut self, a: Term, b: Term, sign: &str, signed: bool) -> Option<String> {
        let bits = self.bits(a)?;
        let number = Number { bits, signed };
        if signed && !number.is_type() {
            return None;
        }
        Some(format!(
            "{} {sign} {}",
            self.number(a, number)?,
            self.number(b, number)?
        ))
    }

    fn equality(&mut self, a: Term, b: Term, sign: &str) -> Option<String> {
        use prova_logic::Sort;
        match self.terms.sort(a) {
            Sort::Bool => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                Some(format!("(({a}) != 0) {sign} (({b}) != 0)"))
            }
            Sort::BitVec(_) => {
                if let (Some(a), Some(b)) = (self.address(a), self.address(b)) {
                    return Some(format!("{a} {sign} {b}"));
                }
                let signed = self.is_signed(a) || self.is_signed(b);
                let number = Number {
                    bits: self.bits(a)?,
                    signed,
                };
                let (a, b) = (self.number(a, number)?, self.number(b, number)?);
                Some(format!("{a} {sign} {b}"))
            }
            _ => None,
        }
    }

    /// The width, if a type of C holds it.
    fn bits(&self, t: Term) -> Option<u32> {
        match self.terms.sort(t) {
            prova_logic::Sort::BitVec(bits) if bits <= 64 => Some(bits),
            _ => None,
        }
    }

    /// A name that stands for a term: a variable's or a cell's.
    fn named(&self, t: Term) -> Option<(String, Scalar)> {
        match self.terms.op(t) {
            Op::Var => self.names.variable(self.terms.name(t)),
            Op::Select => {
                let c = self.terms.children(t);
                let memory =
                    self.terms.op(c[0]) == Op::Var && self.terms.name(c[0]).starts_with("mem[");
                let (object, offset) = self.base_and_offset(c[1])?;
                let bytes = self.terms.width(t) / 8;
                memory.then(|| self.names.cell(&object, offset, bytes))?
            }
            _ => None,
        }
    }

    /// The object and constant offset that an address is made of.
    fn base_and_offset(&self, address: Term) -> Option<(String, u64)> {
        let object = |t: Term| {
            let name = self.terms.name(t).strip_prefix('&')?;
            (!name.ends_with("()") && name != "heap[]").then(|| name.to_owned())
        };
        match self.terms.op(address) {
            Op::Var => Some((object(address)?, 0)),
            Op::Add => {
                let c = self.terms.children(address);
                let [a, b] = c else { return None };
                let (base, offset) = match (self.terms.as_u64(*a), self.terms.as_u64(*b)) {
                    (Some(offset), None) => (*b, offset),
                    (None, Some(offset)) => (*a, offset),
                    _ => return None,
                };
                match self.terms.op(base) {
                    Op::Var => Some((object(base)?, offset)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A pointer, written so that it can be compared with any other.
    fn address(&self, t: Term) -> Option<String> {
        if let Some((name, Scalar::Pointer)) = self.named(t) {
            return Some(format!("(void *){name}"));
        }
        if self.terms.as_u64(t) == Some(0) {
            return Some("(void *)0".into());
        }
        match self.base_and_offset(t)? {
            (object, 0) => Some(format!("(void *)&{}", self.names.object(&object)?)),
            _ => None,
        }
    }

    fn is_signed(&self, t: Term) -> bool {
        matches!(self.named(t), Some((_, Scalar::Int { signed: true, .. })))
    }

    /// A term as an expression of a type; the value is that of the type's width.
    fn number(&mut self, t: Term, number: Number) -> Option<String> {
        self.spend()?;
        if let Some(bits) = self.terms.as_bits(t) {
            return Some(constant(bits.to_u128()?, number));
        }
        if let Some((name, scalar)) = self.named(t) {
            return match scalar {
                Scalar::Int { bits, signed } if u32::from(bits) == number.bits => {
                    Some(match signed == number.signed {
                        true => name,
                        false => format!("({}){name}", number.name()),
                    })
                }
                Scalar::Bool if number.bits == 8 => Some(name),
                _ => None,
            };
        }
        let text = self.unsigned(t)?;
        let own = Number {
            signed: false,
            ..number
        };
        if !own.is_type() {
            // Odd widths are kept in a larger unsigned type, what is too much cut off.
            let mask = (1u64 << own.bits) - 1;
            return (!number.signed).then(|| format!("({})(({text}) & {mask:#x}ULL)", own.name()));
        }
        // Narrow types are computed in `int`; the conversion cuts the result.
        Some(match number.signed {
            true => format!("({})({text})", number.name()),
            false if number.bits < 32 => format!("({})({text})", own.name()),
            false => format!("({text})"),
        })
    }

    /// The operations, on unsigned operands.
    fn unsigned(&mut self, t: Term) -> Option<String> {
        let bits = self.bits(t)?;
        let own = Number {
            bits,
            signed: false,
        };
        let c = self.terms.children(t).to_vec();
        let op = self.terms.op(t);
        if !own.is_type() && !matches!(op, Op::Extract | Op::Ite | Op::BvAnd | Op::BvOr) {
            return None;
        }
        Some(match op {
            Op::Add | Op::Mul | Op::BvAnd | Op::BvOr | Op::BvXor => {
                let sign = match op {
                    Op::Add => " + ",
                    Op::Mul => " * ",
                    Op::BvAnd => " & ",
                    Op::BvOr => " | ",
                    _ => " ^ ",
                };
                let parts: Option<Vec<String>> = c.iter().map(|&p| self.number(p, own)).collect();
                // Products of `unsigned short` would overflow the `int` they are promoted to.
                let first = if bits < 32 { "0U + " } else { "" };
                format!("{first}{}", parts?.join(sign))
            }
            Op::Neg => format!("0U - {}", self.number(c[0], own)?),
            Op::BvNot => format!("~{}", self.number(c[0], own)?),
            Op::Udiv | Op::Urem => {
                let divisor = self.terms.as_u64(c[1]).filter(|&d| d != 0)?;
                let sign = if op == Op::Udiv { "/" } else { "%" };
                let divisor = constant(u128::from(divisor), own);
                format!("{} {sign} {divisor}", self.number(c[0], own)?)
            }
            Op::Shl | Op::Lshr => {
                let by = self.terms.as_u64(c[1]).filter(|&b| b < u64::from(bits))?;
                let sign = if op == Op::Shl { "<<" } else { ">>" };
                let wide = if bits < 32 { "(unsigned int)" } else { "" };
                format!("{wide}{} {sign} {by}", self.number(c[0], own)?)
            }
            Op::Extract => {
                let from = Number {
                    bits: self.bits(c[0])?,
                    signed: false,
                };
                let (_, low) = self.terms.bounds(t);
                let whole = self.number(c[0], from)?;
                format!("({}){whole} >> {low}", from.name())
            }
            Op::Zext | Op::Sext => {
                let from = Number {
                    bits: self.bits(c[0])?,
                    signed: op == Op::Sext,
                };
                if from.signed && !from.is_type() {
                    return None;
                }
                format!("({}){}", own.name(), self.number(c[0], from)?)
            }
            Op::Ite => {
                let which = self.truth(c[0])?;
                let (a, b) = (self.number(c[1], own)?, self.number(c[2], own)?);
                format!("({which}) ? {a} : {b}")
            }
            _ => return None,
        })
    }

    fn float(&mut self, t: Term) -> Option<String> {
        self.spend()?;
        if let Some((format, bits)) = self.terms.as_float(t) {
            let (value, suffix) = match prova_logic::Sort::Float(format) {
                s if s == prova_logic::Sort::Float(prova_logic::FloatFormat::F32) => {
                    (f64::from(f32::from_bits(bits as u32)), "f")
                }
                s if s == prova_logic::Sort::Float(prova_logic::FloatFormat::F64) => {
                    (f64::from_bits(bits as u64), "")
                }
                _ => return None,
            };
            return value.is_finite().then(|| format!("{value:?}{suffix}"));
        }
        match self.named(t)? {
            (name, Scalar::Float(_)) => Some(name),
            _ => None,
        }
    }
}

fn constant(bits: u128, number: Number) -> String {
    let shift = 128 - number.bits;
    if number.signed {
        let value = ((bits << shift) as i128) >> shift;
        return match (value, number.bits) {
            (-2_147_483_648, 32) => "(-2147483647 - 1)".into(),
            (-9_223_372_036_854_775_808, 64) => "(-9223372036854775807LL - 1)".into(),
            (v, 64) => format!("{v}LL"),
            (v, _) => v.to_string(),
        };
    }
    let value = (bits << shift) >> shift;
    match number.bits {
        64 => format!("{value}ULL"),
        32 => format!("{value}U"),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prova_logic::Sort;

    struct Known;

    impl Names for Known {
        fn variable(&self, name: &str) -> Option<(String, Scalar)> {
            let int = |bits, signed| Scalar::Int { bits, signed };
            let scalar = match name {
                "x" | "y" => int(32, true),
                "u" => int(32, false),
                "c" => int(8, false),
                "p" => Scalar::Pointer,
                _ => return None,
            };
            Some((name.to_owned(), scalar))
        }

        fn cell(&self, object: &str, offset: u64, bytes: u32) -> Option<(String, Scalar)> {
            let int = Scalar::Int {
                bits: 32,
                signed: true,
            };
            (object == "s" && offset == 4 && bytes == 4).then(|| ("s.f".into(), int))
        }

        fn object(&self, object: &str) -> Option<String> {
            (object == "s").then(|| "s".into())
        }
    }

    #[test]
    fn terms_are_written_as_c() {
        let mut t = Terms::new();
        let x = t.var("x", Sort::BitVec(32));
        let y = t.var("y", Sort::BitVec(32));
        let u = t.var("u", Sort::BitVec(32));
        let p = t.var("p", Sort::BitVec(64));
        let hidden = t.var("hidden", Sort::BitVec(32));
        let five = t.bv(5, 32);
        let less = t.slt(x, y);
        let sum = t.add(x, five);
        let equal = t.eq(y, sum);
        let below = t.ult(u, x);
        let null = t.bv(0, 64);
        let is_null = t.eq(p, null);
        let odd = t.extract(u, 0, 0);
        let one = t.bv(1, 1);
        let is_odd = t.eq(odd, one);
        let both = t.and2(less, is_null);
        let unknown = t.eq(hidden, x);
        let write = |term| condition(&t, &Known, term);
        assert_eq!(write(less).as_deref(), Some("x < y"));
        assert_eq!(
            write(equal).as_deref(),
            Some("x == (int)((unsigned int)y + 4294967291U)")
        );
        assert_eq!(write(below).as_deref(), Some("u < (unsigned int)x"));
        assert_eq!(
            write(both).as_deref(),
            Some("(x < y) && ((void *)p == (void *)0)")
        );
        assert_eq!(
            write(is_odd).as_deref(),
            Some("(unsigned char)(((unsigned int)u >> 0) & 0x1ULL) == 1")
        );
        assert_eq!(write(unknown), None);
    }
}
