//! Values as SMT-LIB solvers print them in answer to `get-value`.

use super::sexpr::Sexpr;
use crate::bits::Bits;
use crate::sort::{FloatFormat, Sort};
use crate::value::{ArrayValue, Value};
use num_bigint::BigUint;

/// Reads a value of a known sort; `None` if it is written in an unknown way.
pub(super) fn read(text: &Sexpr, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => match text.word()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::BitVec(width) => bits(text, width).map(Value::BitVec),
        Sort::Float(format) => {
            float(text, format).map(|b| Value::Float(format, format.canonical(b)))
        }
        Sort::Array { index, element } => {
            array(text, index, element).map(|a| Value::Array(Box::new(a)))
        }
    }
}

/// `#x0a`, `#b1010` or `(_ bv10 8)`, of exactly this width.
fn bits(text: &Sexpr, width: u32) -> Option<Bits> {
    let (digits, radix, written) = match text {
        Sexpr::Word(word) => match word.split_at_checked(2)? {
            ("#x", digits) => (digits, 16, digits.len() * 4),
            ("#b", digits) => (digits, 2, digits.len()),
            _ => return None,
        },
        Sexpr::List(items) => match &items[..] {
            [Sexpr::Word(mark), Sexpr::Word(value), Sexpr::Word(w)] if mark == "_" => {
                (value.strip_prefix("bv")?, 10, w.parse().ok()?)
            }
            _ => return None,
        },
    };
    let value = BigUint::parse_bytes(digits.as_bytes(), radix)?;
    (written == width as usize).then(|| Bits::from_big(value, width))
}

/// `(fp #b0 #x… #b…)`, or a special value such as `(_ NaN 8 24)`.
fn float(text: &Sexpr, format: FloatFormat) -> Option<u128> {
    let fraction = format.significand - 1;
    let sign = 1u128 << (format.width() - 1);
    let infinity = ((1u128 << format.exponent) - 1) << fraction;
    match text.list()? {
        [head, s, e, f] if head.word() == Some("fp") => {
            let bits = bits(s, 1)?
                .concat(&bits(e, format.exponent)?)
                .concat(&bits(f, fraction)?);
            bits.to_u128()
        }
        [mark, name, _, _] if mark.word() == Some("_") => match name.word()? {
            "NaN" => Some(format.canonical_nan()),
            "+oo" => Some(infinity),
            "-oo" => Some(sign | infinity),
            "+zero" => Some(0),
            "-zero" => Some(sign),
            _ => None,
        },
        // Some write the pattern: ((_ to_fp 8 24) #x…).
        [head, pattern] => match head.list()? {
            [mark, name, _, _] if mark.word() == Some("_") && name.word() == Some("to_fp") => {
                bits(pattern, format.width())?.to_u128()
            }
            _ => None,
        },
        _ => None,
    }
}

/// A chain of `store` over `((as const …) v)`.
fn array(text: &Sexpr, index: u32, element: u32) -> Option<ArrayValue> {
    let mut stores = Vec::new();
    let mut text = text;
    loop {
        match text.list()? {
            [head, below, at, value] if head.word() == Some("store") => {
                stores.push((bits(at, index)?, bits(value, element)?));
                text = below;
            }
            [head, value] => {
                let [mark, what, _] = head.list()? else {
                    return None;
                };
                if mark.word() != Some("as") || what.word() != Some("const") {
                    return None;
                }
                let mut array = ArrayValue::new(index, bits(value, element)?);
                for (at, value) in stores.into_iter().rev() {
                    array.store(at, value);
                }
                return Some(array);
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sexpr::Collector;
    use super::*;

    fn value(text: &str, sort: Sort) -> Option<Value> {
        read(&Collector::default().line(text).unwrap().unwrap(), sort)
    }

    #[test]
    fn values_of_every_sort() {
        assert_eq!(value("true", Sort::Bool), Some(Value::Bool(true)));
        assert_eq!(value("#x0a", Sort::BitVec(8)), Some(Value::bv(10, 8)));
        assert_eq!(value("#b101", Sort::BitVec(3)), Some(Value::bv(5, 3)));
        assert_eq!(value("(_ bv10 8)", Sort::BitVec(8)), Some(Value::bv(10, 8)));
        let f32_sort = Sort::Float(FloatFormat::F32);
        let one = "(fp #b0 #b01111111 #b00000000000000000000000)";
        let bits = |text| value(text, f32_sort).and_then(|v| v.as_float_bits());
        assert_eq!(bits(one), Some(u128::from(1f32.to_bits())));
        assert_eq!(
            bits("(_ -oo 8 24)"),
            Some(u128::from(f32::NEG_INFINITY.to_bits()))
        );
        assert_eq!(bits("(_ NaN 8 24)"), Some(0x7fc0_0000));
        assert_eq!(
            bits("((_ to_fp 8 24) #x3f800000)"),
            Some(u128::from(1f32.to_bits()))
        );
        let sort = Sort::Array {
            index: 8,
            element: 4,
        };
        let text =
            "(store (store ((as const (Array (_ BitVec 8) (_ BitVec 4))) #x0) #x01 #x2) #x01 #x3)";
        let Some(Value::Array(array)) = value(text, sort) else {
            panic!("no array")
        };
        assert_eq!(array.select(&Bits::new(1, 8)), &Bits::new(3, 4));
        assert_eq!(array.select(&Bits::new(2, 8)), &Bits::new(0, 4));
    }

    #[test]
    fn what_is_strange_is_refused() {
        assert_eq!(value("#x0a", Sort::BitVec(9)), None);
        assert_eq!(value("maybe", Sort::Bool), None);
        assert_eq!(
            value(
                "(lambda ((x (_ BitVec 8))) #x0)",
                Sort::Array {
                    index: 8,
                    element: 4
                }
            ),
            None
        );
    }
}
