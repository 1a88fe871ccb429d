//! Sorts, and what sort each operator of SMT-LIB gives: the type checker of certificates, and of
//! every formula that the checker builds itself.

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
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

/// No term has more bits than this.
const WIDEST: u32 = 4096;

/// The sort of an operator applied to operands; `None` if it cannot be applied to them. Operators
/// with indices are written as SMT-LIB does: `(_ extract 7 0)`.
pub fn result(head: &str, operands: &[Sort]) -> Option<Sort> {
    use Sort::*;
    if let Some(indexed) = head.strip_prefix("(_ ") {
        return indexed_result(indexed.strip_suffix(')')?, operands);
    }
    if let Some(array) = head.strip_prefix("(as const (Array (_ BitVec ") {
        let (index, element) = array.strip_suffix(")))")?.split_once(") (_ BitVec ")?;
        let (index, element) = (number(index)?, number(element)?);
        return (operands == [Bits(element)]).then_some(Array(index, element));
    }
    let same = |least: usize| operands.len() >= least && operands.windows(2).all(|w| w[0] == w[1]);
    let two = operands.len() == 2 && same(2);
    let first = *operands.first()?;
    match (head, first) {
        ("not", Bool) => (operands.len() == 1).then_some(Bool),
        ("and" | "or", Bool) => same(1).then_some(Bool),
        ("=>" | "xor", Bool) => two.then_some(Bool),
        ("=", Mode) => None,
        ("=", _) => two.then_some(Bool),
        ("ite", Bool) => match operands {
            [_, a, b] if a == b && *a != Mode => Some(*a),
            _ => None,
        },
        ("bvnot" | "bvneg", Bits(_)) => (operands.len() == 1).then_some(first),
        ("bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor", Bits(_)) => same(2).then_some(first),
        (
            "bvsub" | "bvudiv" | "bvsdiv" | "bvurem" | "bvsrem" | "bvshl" | "bvlshr" | "bvashr",
            Bits(_),
        ) => two.then_some(first),
        (
            "bvult" | "bvule" | "bvugt" | "bvuge" | "bvslt" | "bvsle" | "bvsgt" | "bvsge",
            Bits(_),
        ) => two.then_some(Bool),
        ("concat", Bits(a)) => match operands {
            [_, Bits(b)] => (a + b <= WIDEST).then_some(Bits(a + b)),
            _ => None,
        },
        ("select", Array(i, e)) => (operands[1..] == [Bits(i)]).then_some(Bits(e)),
        ("store", Array(i, e)) => (operands[1..] == [Bits(i), Bits(e)]).then_some(first),
        ("fp", Bits(1)) => match operands[1..] {
            [Bits(e), Bits(f)] => float(e, f + 1),
            _ => None,
        },
        ("fp.add" | "fp.sub" | "fp.mul" | "fp.div", Mode) => match operands[1..] {
            [a @ Float(..), b] if a == b => Some(a),
            _ => None,
        },
        ("fp.sqrt" | "fp.roundToIntegral", Mode) => match operands[1..] {
            [a @ Float(..)] => Some(a),
            _ => None,
        },
        ("fp.neg" | "fp.abs", Float(..)) => (operands.len() == 1).then_some(first),
        ("fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", Float(..)) => two.then_some(Bool),
        ("fp.isNaN" | "fp.isInfinite" | "fp.isZero" | "fp.isNegative", Float(..)) => {
            (operands.len() == 1).then_some(Bool)
        }
        ("fp.to_ieee_bv", Float(e, s)) => (operands.len() == 1).then_some(Bits(e + s)),
        _ => None,
    }
}

fn indexed_result(head: &str, operands: &[Sort]) -> Option<Sort> {
    use Sort::*;
    let words: Vec<&str> = head.split(' ').collect();
    match (words[0], &words[1..], operands) {
        ("extract", [high, low], [Bits(n)]) => {
            let (high, low) = (number(high)?, number(low)?);
            (low <= high && high < *n).then(|| Bits(high - low + 1))
        }
        ("zero_extend" | "sign_extend", [by], [Bits(n)]) => {
            let by: u32 = by.parse().ok().filter(|&by| by <= WIDEST)?;
            (by + n <= WIDEST).then_some(Bits(by + n))
        }
        ("to_fp", [e, s], [Bits(n)]) => {
            let (e, s) = (number(e)?, number(s)?);
            float(e, s).filter(|_| e + s == *n)
        }
        ("to_fp", [e, s], [Mode, Bits(_) | Float(..)]) => float(number(e)?, number(s)?),
        ("to_fp_unsigned", [e, s], [Mode, Bits(_)]) => float(number(e)?, number(s)?),
        ("fp.to_sbv" | "fp.to_ubv", [n], [Mode, Float(..)]) => Some(Bits(number(n)?)),
        ("NaN" | "+oo" | "-oo" | "+zero" | "-zero", [e, s], []) => float(number(e)?, number(s)?),
        _ => None,
    }
}

/// A number of bits or of one among them.
fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|&n| n <= WIDEST)
}

/// The formats of C: anything else would be a mistake.
fn float(exponent: u32, significand: u32) -> Option<Sort> {
    let known = [(8, 24), (11, 53), (15, 64)];
    known
        .contains(&(exponent, significand))
        .then_some(Sort::Float(exponent, significand))
}
