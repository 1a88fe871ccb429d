//! Sorts, and what sort each operator of SMT-LIB gives: the type checker of every formula, read or
//! built.

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sort {
    /// A truth value.
    #[default]
    Bool,
    /// A bit-vector.
    Bits(u32),
    /// A float: bits of exponent, and of significand with the hidden one.
    Float(u32, u32),
    /// From addresses to cells, both bit-vectors.
    Array(u32, u32),
    /// A rounding mode.
    Mode,
}

/// No term has more bits than this.
pub const WIDEST: u32 = 4096;

impl std::fmt::Display for Sort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Bits(n) => write!(f, "(_ BitVec {n})"),
            Sort::Float(e, s) => write!(f, "(_ FloatingPoint {e} {s})"),
            Sort::Array(i, e) => write!(f, "(Array (_ BitVec {i}) (_ BitVec {e}))"),
            Sort::Mode => f.write_str("RoundingMode"),
        }
    }
}

impl Sort {
    /// The sort with this text.
    pub fn parse(text: &str) -> Option<Sort> {
        let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|w| !w.is_empty());
        let numbers: Vec<u32> = digits.map(number).collect::<Option<_>>()?;
        let found = match numbers[..] {
            [] => Sort::Bool,
            [n] => Sort::Bits(n),
            [i, e] if text.contains("Array") => Sort::Array(i, e),
            [e, s] => Sort::Float(e, s),
            _ => return None,
        };
        (found.to_string() == text).then_some(found)
    }
}

/// The sort of an operator applied to operands; `None` if it cannot be applied to them. Operators
/// with indices are written as SMT-LIB does: `(_ extract 7 0)`.
pub fn result(head: &str, operands: &[Sort]) -> Option<Sort> {
    use Sort::*;
    if let Some(indexed) = head.strip_prefix("(_ ") {
        return indexed_result(indexed.strip_suffix(')')?, operands);
    }
    if let Some(array) = head.strip_prefix("(as const ") {
        let array = Sort::parse(array.strip_suffix(')')?)?;
        return matches!((array, operands), (Array(_, e), [Bits(n)]) if e == *n).then_some(array);
    }
    let all_same = operands.windows(2).all(|w| w[0] == w[1]);
    let (first, rest) = operands.split_first()?;
    let sort = match (head, first, rest) {
        ("not", Bool, []) => Bool,
        ("and" | "or", Bool, [_, ..]) if all_same => Bool,
        ("=>" | "xor", Bool, [Bool]) => Bool,
        ("=", a, [b]) if a == b && *a != Mode => Bool,
        ("ite", Bool, [a, b]) if a == b && *a != Mode => *a,
        ("bvnot" | "bvneg", Bits(_), []) => *first,
        ("bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor", Bits(_), [_, ..]) if all_same => *first,
        ("bvsub" | "bvshl" | "bvlshr" | "bvashr", Bits(a), [Bits(b)]) if a == b => *first,
        ("bvudiv" | "bvsdiv" | "bvurem" | "bvsrem", Bits(a), [Bits(b)]) if a == b => *first,
        ("bvult" | "bvule" | "bvugt" | "bvuge", Bits(a), [Bits(b)]) if a == b => Bool,
        ("bvslt" | "bvsle" | "bvsgt" | "bvsge", Bits(a), [Bits(b)]) if a == b => Bool,
        ("concat", Bits(a), [Bits(b)]) if a + b <= WIDEST => Bits(a + b),
        ("select", Array(i, e), [Bits(a)]) if a == i => Bits(*e),
        ("store", Array(i, e), [Bits(a), Bits(b)]) if a == i && b == e => *first,
        ("fp", Bits(1), [Bits(e), Bits(f)]) => return float(*e, f + 1),
        ("fp.add" | "fp.sub" | "fp.mul" | "fp.div", Mode, [a @ Float(..), b]) if a == b => *a,
        ("fp.sqrt" | "fp.roundToIntegral", Mode, [a @ Float(..)]) => *a,
        ("fp.neg" | "fp.abs", Float(..), []) => *first,
        ("fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", Float(..), [b]) if first == b => Bool,
        ("fp.isNaN" | "fp.isInfinite" | "fp.isZero" | "fp.isNegative", Float(..), []) => Bool,
        ("fp.to_ieee_bv", Float(e, s), []) => Bits(e + s),
        _ => return None,
    };
    Some(sort)
}

fn indexed_result(head: &str, operands: &[Sort]) -> Option<Sort> {
    use Sort::*;
    let (name, numbers) = head.split_once(' ')?;
    let numbers: Vec<u32> = numbers.split(' ').map(number).collect::<Option<_>>()?;
    match (name, &numbers[..], operands) {
        ("extract", [h, l], [Bits(n)]) if l <= h && h < n => Some(Bits(h - l + 1)),
        ("zero_extend" | "sign_extend", [by], [Bits(n)]) => Some(Bits(by + n)),
        ("to_fp", [e, s], [Bits(n)]) if e + s == *n => float(*e, *s),
        ("to_fp", [e, s], [Mode, Bits(_) | Float(..)]) => float(*e, *s),
        ("to_fp_unsigned", [e, s], [Mode, Bits(_)]) => float(*e, *s),
        ("fp.to_sbv" | "fp.to_ubv", [n], [Mode, Float(..)]) if *n > 0 => Some(Bits(*n)),
        ("NaN" | "+oo" | "-oo" | "+zero" | "-zero", [e, s], []) => float(*e, *s),
        _ => None,
    }
}

fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|&n| n <= WIDEST)
}

/// The formats of C: anything else would be a mistake.
fn float(exponent: u32, significand: u32) -> Option<Sort> {
    let known = [(8, 24), (11, 53), (15, 64)].contains(&(exponent, significand));
    known.then_some(Sort::Float(exponent, significand))
}
