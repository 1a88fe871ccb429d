//! SMT-LIB 2: symbols, operators, and single terms with `let` for what is shared.

use crate::bits::Bits;
use crate::sort::{FloatFormat, Sort};
use crate::term::{Op, Term};
use crate::terms::Terms;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Nesting beyond which a subterm is given a name.
pub(super) const DEPTH: u32 = 24;

/// Names that mean something to some solver, and so cannot name a variable.
const RESERVED: &[&str] = &[
    "and",
    "or",
    "not",
    "xor",
    "ite",
    "let",
    "forall",
    "exists",
    "match",
    "par",
    "as",
    "distinct",
    "true",
    "false",
    "select",
    "store",
    "const",
    "concat",
    "extract",
    "repeat",
    "fp",
    "abs",
    "div",
    "mod",
    "assert",
    "push",
    "pop",
    "exit",
    "reset",
    "echo",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "Bool",
    "Int",
    "Real",
    "String",
    "Array",
    "BitVec",
    "FloatingPoint",
    "RoundingMode",
    "RegLan",
    "Seq",
    "Set",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "NaN",
    "lambda",
    "implies",
    "iff",
    "union",
    "inter",
    "setminus",
    "subset",
    "member",
    "insert",
    "tuple",
    "table",
    "map",
    "default",
    "roundNearestTiesToEven",
    "roundNearestTiesToAway",
    "roundTowardPositive",
    "roundTowardNegative",
    "roundTowardZero",
    "Float16",
    "Float32",
    "Float64",
    "Float128",
    "is",
    "update",
    "if",
    "sin",
    "cos",
    "tan",
    "exp",
    "sqrt",
    "pi",
    "root",
    "divisible",
    "iand",
    "pow2",
    "nil",
    "sep",
    "wand",
    "pto",
    "relation",
    "bag",
    "set",
    "seq",
    "rel",
    "fmf",
    "witness",
    "comp",
];

/// Prefixes of theory symbols.
const RESERVED_PREFIXES: &[&str] = &[
    "bv", "fp.", "to_", "is_", "str.", "re.", "seq.", "set.", "bag.", "int", "nat", "get-", "set-",
    "check-", "declare-", "define-", "ext_", "rotate_", "zero_", "sign_", "arc", "char", "_", "@",
    ".", "$", "ff.", "rel.", "table.", "tuple.", "array",
];

/// A symbol for a variable, a different one for each. Plain names stay as they are.
pub(crate) fn symbol(terms: &Terms, variable: Term) -> String {
    let name = terms.name(variable);
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    if starts_well
        && name.chars().all(plain)
        && !name.contains("!v")
        && !RESERVED.contains(&name)
        && !RESERVED_PREFIXES.iter().any(|p| name.starts_with(p))
    {
        return name.to_string();
    }
    let clean: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_graphic() && c != '|' && c != '\\' {
                c
            } else {
                '_'
            }
        })
        .collect();
    // The suffix makes it unique: no plain name holds "!v".
    format!("|{clean}!v{}|", terms.variable_index(variable))
}

fn float_constant(format: FloatFormat, bits: u128) -> String {
    let FloatFormat {
        exponent,
        significand,
    } = format;
    if format.is_nan_bits(bits) {
        return format!("(_ NaN {exponent} {significand})");
    }
    let fraction = significand - 1;
    let bits = Bits::new(bits, format.width());
    let sign = u8::from(bits.is_negative());
    let field = bits
        .extract(format.width() - 2, fraction)
        .to_u128()
        .unwrap_or(0);
    let rest = bits.extract(fraction - 1, 0).to_u128().unwrap_or(0);
    let (e, f) = (exponent as usize, fraction as usize);
    format!("(fp #b{sign} #b{field:0e$b} #b{rest:0f$b})")
}

/// The head of an application, up to its operands: `bvadd`, `(_ extract 7 0)`, `fp.add RNE`.
fn head(terms: &Terms, t: Term) -> String {
    let plain = |s: &str| s.to_string();
    let node = terms.node(t);
    let mode = node.rounding.smtlib();
    let format = || {
        let FloatFormat {
            exponent,
            significand,
        } = node.sort.format().unwrap_or(FloatFormat::F64);
        format!("{exponent} {significand}")
    };
    let width = || node.sort.width().unwrap_or(1);
    match node.op {
        Op::Not => plain("not"),
        Op::And => plain("and"),
        Op::Or => plain("or"),
        Op::Eq => plain("="),
        Op::Ite => plain("ite"),
        Op::Add => plain("bvadd"),
        Op::Mul => plain("bvmul"),
        Op::Neg => plain("bvneg"),
        Op::Udiv => plain("bvudiv"),
        Op::Sdiv => plain("bvsdiv"),
        Op::Urem => plain("bvurem"),
        Op::Srem => plain("bvsrem"),
        Op::BvAnd => plain("bvand"),
        Op::BvOr => plain("bvor"),
        Op::BvXor => plain("bvxor"),
        Op::BvNot => plain("bvnot"),
        Op::Shl => plain("bvshl"),
        Op::Lshr => plain("bvlshr"),
        Op::Ashr => plain("bvashr"),
        Op::Concat => plain("concat"),
        Op::Extract => format!("(_ extract {} {})", node.bounds.0, node.bounds.1),
        Op::Zext => format!(
            "(_ zero_extend {})",
            width() - terms.width(node.children[0])
        ),
        Op::Sext => format!(
            "(_ sign_extend {})",
            width() - terms.width(node.children[0])
        ),
        Op::Ult => plain("bvult"),
        Op::Ule => plain("bvule"),
        Op::Slt => plain("bvslt"),
        Op::Sle => plain("bvsle"),
        Op::Fadd => format!("fp.add {mode}"),
        Op::Fsub => format!("fp.sub {mode}"),
        Op::Fmul => format!("fp.mul {mode}"),
        Op::Fdiv => format!("fp.div {mode}"),
        Op::Fsqrt => format!("fp.sqrt {mode}"),
        Op::Fround => format!("fp.roundToIntegral {mode}"),
        Op::Fneg => plain("fp.neg"),
        Op::Fabs => plain("fp.abs"),
        Op::Feq => plain("fp.eq"),
        Op::Flt => plain("fp.lt"),
        Op::Fle => plain("fp.leq"),
        Op::FisNan => plain("fp.isNaN"),
        Op::FisInf => plain("fp.isInfinite"),
        Op::FisZero => plain("fp.isZero"),
        Op::FisNeg => plain("fp.isNegative"),
        Op::FloatToFloat | Op::SbvToFloat => format!("(_ to_fp {}) {mode}", format()),
        Op::UbvToFloat => format!("(_ to_fp_unsigned {}) {mode}", format()),
        Op::FloatToSbv => format!("(_ fp.to_sbv {}) RTZ", width()),
        Op::FloatToUbv => format!("(_ fp.to_ubv {}) RTZ", width()),
        Op::FloatFromBits => format!("(_ to_fp {})", format()),
        Op::FloatToBits => plain("fp.to_ieee_bv"),
        Op::ConstArray => format!("(as const {})", node.sort),
        Op::Select => plain("select"),
        Op::Store => plain("store"),
        Op::True | Op::False | Op::Var | Op::BvConst | Op::FloatConst => leaf(terms, t),
    }
}

/// A constant or a variable.
pub(super) fn leaf(terms: &Terms, t: Term) -> String {
    match terms.op(t) {
        Op::True => "true".to_string(),
        Op::False => "false".to_string(),
        Op::Var => symbol(terms, t),
        Op::BvConst => terms.as_bits(t).map_or_else(String::new, |b| b.smtlib()),
        _ => terms
            .as_float(t)
            .map_or_else(String::new, |(f, b)| float_constant(f, b)),
    }
}

/// An application, its operands given as text.
pub(super) fn application(terms: &Terms, t: Term, operands: &[String]) -> String {
    let head = head(terms, t);
    let length = operands.iter().map(|o| o.len() + 1).sum::<usize>();
    let mut text = String::with_capacity(head.len() + length + 2);
    text.push('(');
    text.push_str(&head);
    for operand in operands {
        text.push(' ');
        text.push_str(operand);
    }
    text.push(')');
    text
}

/// How often each subterm is an operand.
pub(super) fn references(terms: &Terms, order: &[Term]) -> FxHashMap<Term, u32> {
    let mut count = FxHashMap::default();
    for &t in order {
        for &child in terms.children(t) {
            *count.entry(child).or_insert(0) += 1;
        }
    }
    count
}

impl Terms {
    /// The operator at the top in SMT-LIB 2, up to its operands: `bvadd`, `(_ extract 7 0)`,
    /// `fp.add RNE`; the whole of a constant.
    pub fn smtlib_head(&self, t: Term) -> String {
        head(self, t)
    }

    /// The term in SMT-LIB 2, what is shared bound by `let`. (`fp.to_ieee_bv`, which is not
    /// standard, may occur; [`Script`](crate::Script) avoids it.)
    pub fn smtlib(&self, t: Term) -> String {
        let order = self.post_order(&[t]);
        let count = references(self, &order);
        let mut texts: FxHashMap<Term, String> = FxHashMap::default();
        let mut bindings = String::new();
        let mut bound = 0;
        let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
        for &s in &order {
            if self.children(s).is_empty() {
                texts.insert(s, leaf(self, s));
                continue;
            }
            let operands: Vec<String> = self.take_texts(s, &count, &mut texts);
            let mut text = application(self, s, &operands);
            let depth = self
                .children(s)
                .iter()
                .map(|c| depths.get(c).unwrap_or(&0) + 1)
                .max();
            let depth = depth.unwrap_or(0);
            // Deep terms are cut as well: copying text level by level would be quadratic.
            if s != t && (depth > DEPTH || count.get(&s).is_some_and(|c| *c > 1)) {
                let _ = write!(bindings, "(let (($t{} {text})) ", s.index());
                bound += 1;
                text = format!("$t{}", s.index());
            } else {
                depths.insert(s, depth);
            }
            texts.insert(s, text);
        }
        let body = texts.remove(&t).unwrap_or_default();
        format!("{bindings}{body}{}", ")".repeat(bound))
    }

    /// The operands' texts; one used only here is moved, not copied.
    pub(super) fn take_texts(
        &self,
        t: Term,
        count: &FxHashMap<Term, u32>,
        texts: &mut FxHashMap<Term, String>,
    ) -> Vec<String> {
        self.children(t)
            .iter()
            .map(|child| {
                if count.get(child) == Some(&1) && !self.children(*child).is_empty() {
                    texts.remove(child).unwrap_or_default()
                } else {
                    texts.get(child).cloned().unwrap_or_default()
                }
            })
            .collect()
    }

    /// A whole script that asks whether the assertions can hold together.
    pub fn smtlib_script(&self, assertions: &[Term]) -> String {
        let mut script = crate::Script::new();
        let mut out = String::from("(set-logic ALL)\n");
        for &assertion in assertions {
            script.assert(self, assertion, &mut out);
        }
        out.push_str("(check-sat)\n");
        out
    }
}

/// Declaration of a variable.
pub(super) fn declaration(symbol: &str, sort: Sort) -> String {
    format!("(declare-fun {symbol} () {sort})\n")
}
