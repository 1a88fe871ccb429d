//! The spelling of constants: integers, floats, characters and strings (C11 6.4.4, 6.4.5).

use crate::types::IntKind;
use prova_ir::{DataModel, FloatKind};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

/// The digits of an integer literal.
pub fn integer(digits: &str, radix: u32) -> Option<u128> {
    let mut value = 0u128;
    for c in digits.chars() {
        let digit = c.to_digit(radix)?;
        value = value
            .checked_mul(u128::from(radix))?
            .checked_add(u128::from(digit))?;
    }
    Some(value)
}

/// The bits of a float literal; `hexadecimal` without its `0x`.
pub fn float(number: &str, hexadecimal: bool, kind: FloatKind) -> Option<u128> {
    let mut text = if hexadecimal {
        format!("0x{number}")
    } else {
        number.to_string()
    };
    if hexadecimal && !text.contains(['p', 'P']) {
        text.push_str("p0");
    }
    // The parser wants digits around the point.
    if let Some(at) = text.find('.') {
        let before = text[..at].ends_with(|c: char| c.is_ascii_hexdigit());
        let after = text[at + 1..]
            .starts_with(|c: char| c.is_ascii_digit() || (hexadecimal && c.is_ascii_hexdigit()));
        if !after {
            text.insert(at + 1, '0');
        }
        if !before {
            text.insert(at, '0');
        }
    }
    fn parse<F: Float>(text: &str) -> Option<u128> {
        let parsed = F::from_str_r(text, Round::NearestTiesToEven).ok()?;
        Some(parsed.value.to_bits())
    }
    match kind {
        FloatKind::F32 => parse::<Single>(&text),
        FloatKind::F64 => parse::<Double>(&text),
        FloatKind::X87 => parse::<X87DoubleExtended>(&text),
    }
}

/// The element type a literal's prefix asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// No prefix, or `u8`.
    Plain,
    /// `L`.
    Wide,
    /// `u`.
    Utf16,
    /// `U`.
    Utf32,
}

impl Encoding {
    /// The element type.
    pub fn element(self, model: DataModel) -> IntKind {
        match self {
            Encoding::Plain => IntKind::Char,
            Encoding::Wide if model == DataModel::Ilp32 => IntKind::Long,
            Encoding::Wide => IntKind::Int,
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
        }
    }
}

/// Splits a literal into its encoding and what stands between its quotes.
fn unquote(text: &str, quote: char) -> Option<(Encoding, &str)> {
    let start = text.find(quote)?;
    let encoding = match text[..start].trim() {
        "" | "u8" => Encoding::Plain,
        "L" => Encoding::Wide,
        "u" => Encoding::Utf16,
        "U" => Encoding::Utf32,
        _ => return None,
    };
    let end = text.rfind(quote)?;
    (end > start).then(|| (encoding, &text[start + 1..end]))
}

/// A unit of a literal's contents.
enum Unit {
    Char(char),
    Raw(u32),
}

fn units(body: &str) -> Vec<Unit> {
    let mut found = Vec::with_capacity(body.len());
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            found.push(Unit::Char(c));
            continue;
        }
        let Some(c) = chars.next() else { break };
        let unit = match c {
            'n' => Unit::Raw(10),
            't' => Unit::Raw(9),
            'r' => Unit::Raw(13),
            'a' => Unit::Raw(7),
            'b' => Unit::Raw(8),
            'f' => Unit::Raw(12),
            'v' => Unit::Raw(11),
            'e' | 'E' => Unit::Raw(27),
            '0'..='7' => {
                let mut value = c as u32 - 48;
                for _ in 0..2 {
                    match chars.peek().and_then(|d| d.to_digit(8)) {
                        Some(d) => value = value * 8 + d,
                        None => break,
                    }
                    chars.next();
                }
                Unit::Raw(value)
            }
            'x' => {
                let mut value = 0u32;
                while let Some(d) = chars.peek().and_then(|d| d.to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(d);
                    chars.next();
                }
                Unit::Raw(value)
            }
            'u' | 'U' => {
                let count = if c == 'u' { 4 } else { 8 };
                let mut value = 0u32;
                for _ in 0..count {
                    match chars.peek().and_then(|d| d.to_digit(16)) {
                        Some(d) => value = value.wrapping_mul(16).wrapping_add(d),
                        None => break,
                    }
                    chars.next();
                }
                char::from_u32(value).map_or(Unit::Raw(value), Unit::Char)
            }
            '\n' => continue,
            other => Unit::Char(other),
        };
        found.push(unit);
    }
    found
}

/// A character constant: its type and value (C11 6.4.4.4; several characters as gcc packs them).
pub fn character(text: &str, model: DataModel) -> Option<(IntKind, u128)> {
    let (encoding, body) = unquote(text, '\'')?;
    let mut parts: Vec<u32> = Vec::new();
    for unit in units(body) {
        match unit {
            Unit::Raw(value) if encoding == Encoding::Plain => parts.push(value & 0xff),
            Unit::Raw(value) => parts.push(value),
            Unit::Char(c) if encoding == Encoding::Plain => {
                let mut buffer = [0; 4];
                parts.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
            }
            Unit::Char(c) => parts.push(c as u32),
        }
    }
    if encoding != Encoding::Plain {
        let kind = encoding.element(model);
        return Some((kind, u128::from(*parts.last()?)));
    }
    let value = match parts.as_slice() {
        [one] => *one as u8 as i8 as i32,
        many => many.iter().fold(0u32, |value, part| (value << 8) | part) as i32,
    };
    Some((IntKind::Int, value as u32 as u128))
}

/// Adjacent string literals joined: the encoding and the elements without a terminator.
pub fn string(parts: &[String]) -> Option<(Encoding, Vec<u32>)> {
    let mut encoding = Encoding::Plain;
    let mut bodies = Vec::with_capacity(parts.len());
    for part in parts {
        let (one, body) = unquote(part, '"')?;
        if one != Encoding::Plain {
            encoding = one;
        }
        bodies.push(body);
    }
    let mut elements = Vec::new();
    for body in bodies {
        for unit in units(body) {
            match (encoding, unit) {
                (Encoding::Plain, Unit::Raw(value)) => elements.push(value & 0xff),
                (_, Unit::Raw(value)) => elements.push(value),
                (Encoding::Plain, Unit::Char(c)) => {
                    let mut buffer = [0; 4];
                    elements.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
                }
                (Encoding::Utf16, Unit::Char(c)) => {
                    let mut buffer = [0; 2];
                    elements.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
                }
                (_, Unit::Char(c)) => elements.push(c as u32),
            }
        }
    }
    Some((encoding, elements))
}
