//! C-like text, for people. Shared subterms are written out each time, up to a limit.

use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::terms::Terms;
use std::fmt;

/// Subterms written before the rest becomes `…`.
const LIMIT: usize = 4000;

/// A term as C-like text; see [`Terms::display`].
pub struct Infix<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// The term as C-like text: `x + 4 < y`. Signed comparisons are plain, unsigned ones are
    /// marked (`<u`).
    pub fn display(&self, t: Term) -> Infix<'_> {
        Infix {
            terms: self,
            term: t,
        }
    }
}

/// What is left to write: text, or a term where at least this precedence is needed.
enum Task {
    Text(String),
    Term(Term, u8),
}

// Precedences, loosest first.
const CHOICE: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const BIT_OR: u8 = 3;
const BIT_XOR: u8 = 4;
const BIT_AND: u8 = 5;
const EQUAL: u8 = 6;
const ORDER: u8 = 7;
const SHIFT: u8 = 8;
const SUM: u8 = 9;
const PRODUCT: u8 = 10;
const UNARY: u8 = 11;
const PRIMARY: u8 = 12;

impl fmt::Display for Infix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack = vec![Task::Term(self.term, CHOICE)];
        let mut budget = LIMIT;
        while let Some(task) = stack.pop() {
            match task {
                Task::Text(text) => f.write_str(&text)?,
                Task::Term(..) if budget == 0 => f.write_str("…")?,
                Task::Term(t, needed) => {
                    budget -= 1;
                    let (precedence, parts) = self.parts(t);
                    let parenthesised = precedence < needed;
                    if parenthesised {
                        f.write_str("(")?;
                        stack.push(text(")"));
                    }
                    stack.extend(parts.into_iter().rev());
                }
            }
        }
        Ok(())
    }
}

fn text(s: &str) -> Task {
    Task::Text(s.to_string())
}

impl Infix<'_> {
    /// A term's precedence and its pieces from left to right.
    fn parts(&self, t: Term) -> (u8, Vec<Task>) {
        let terms = self.terms;
        let c = terms.children(t);
        let binary = |sign: &str, precedence: u8| {
            let parts = vec![
                Task::Term(c[0], precedence),
                Task::Text(format!(" {sign} ")),
                Task::Term(c[1], precedence + 1),
            ];
            (precedence, parts)
        };
        let junction = |sign: &str, precedence: u8| {
            let mut parts = Vec::new();
            for (i, &child) in c.iter().enumerate() {
                if i > 0 {
                    parts.push(Task::Text(format!(" {sign} ")));
                }
                parts.push(Task::Term(child, precedence + 1));
            }
            (precedence, parts)
        };
        let prefix = |sign: String| (UNARY, vec![Task::Text(sign), Task::Term(c[0], UNARY)]);
        let call = |name: String| {
            let mut parts = vec![Task::Text(format!("{name}("))];
            for (i, &child) in c.iter().enumerate() {
                if i > 0 {
                    parts.push(text(", "));
                }
                parts.push(Task::Term(child, CHOICE));
            }
            parts.push(text(")"));
            (PRIMARY, parts)
        };
        match terms.op(t) {
            Op::True => (PRIMARY, vec![text("true")]),
            Op::False => (PRIMARY, vec![text("false")]),
            Op::Var => (PRIMARY, vec![text(terms.name(t))]),
            Op::BvConst => self.constant(t),
            Op::FloatConst => {
                let (format, bits) = terms.as_float(t).unwrap_or((crate::FloatFormat::F64, 0));
                (
                    UNARY,
                    vec![Task::Text(crate::Value::Float(format, bits).to_string())],
                )
            }
            Op::Not if terms.op(c[0]) == Op::Eq => {
                let sides = terms.children(c[0]);
                let parts = vec![
                    Task::Term(sides[0], EQUAL + 1),
                    text(" != "),
                    Task::Term(sides[1], EQUAL + 1),
                ];
                (EQUAL, parts)
            }
            Op::Not => prefix("!".to_string()),
            Op::And => junction("&&", AND),
            Op::Or => junction("||", OR),
            Op::Eq => binary("==", EQUAL),
            Op::Ite => {
                let parts = vec![
                    Task::Term(c[0], OR),
                    text(" ? "),
                    Task::Term(c[1], OR),
                    text(" : "),
                    Task::Term(c[2], CHOICE),
                ];
                (CHOICE, parts)
            }
            Op::Add => self.sum(t),
            Op::Mul => binary("*", PRODUCT),
            Op::Neg => prefix("-".to_string()),
            Op::Udiv => binary("/u", PRODUCT),
            Op::Sdiv => binary("/", PRODUCT),
            Op::Urem => binary("%u", PRODUCT),
            Op::Srem => binary("%", PRODUCT),
            Op::BvAnd => binary("&", BIT_AND),
            Op::BvOr => binary("|", BIT_OR),
            Op::BvXor => binary("^", BIT_XOR),
            Op::BvNot => prefix("~".to_string()),
            Op::Shl => binary("<<", SHIFT),
            Op::Lshr => binary(">>u", SHIFT),
            Op::Ashr => binary(">>", SHIFT),
            Op::Concat => binary("++", SUM),
            Op::Extract => {
                let (hi, lo) = terms.bounds(t);
                if lo == 0 && matches!(hi, 7 | 15 | 31 | 63) {
                    return prefix(format!("(u{})", hi + 1));
                }
                (
                    PRIMARY,
                    vec![
                        Task::Term(c[0], PRIMARY),
                        Task::Text(format!("[{hi}:{lo}]")),
                    ],
                )
            }
            Op::Zext => prefix(format!("(u{})", terms.width(t))),
            Op::Sext => prefix(format!("(i{})", terms.width(t))),
            Op::Ult => self.order(c, "u", true),
            Op::Ule => self.order(c, "u", false),
            Op::Slt => self.order(c, "", true),
            Op::Sle => self.order(c, "", false),
            Op::Fadd => binary("+", SUM),
            Op::Fsub => binary("-", SUM),
            Op::Fmul => binary("*", PRODUCT),
            Op::Fdiv => binary("/", PRODUCT),
            Op::Fneg => prefix("-".to_string()),
            Op::Feq => binary("==", EQUAL),
            Op::Flt => binary("<", ORDER),
            Op::Fle => binary("<=", ORDER),
            Op::Fsqrt => call("sqrt".to_string()),
            Op::Fround => call(format!("round_{}", terms.rounding(t).smtlib())),
            Op::Fabs => call("fabs".to_string()),
            Op::FisNan => call("isnan".to_string()),
            Op::FisInf => call("isinf".to_string()),
            Op::FisZero => call("iszero".to_string()),
            Op::FisNeg => call("signbit".to_string()),
            Op::FloatToFloat | Op::SbvToFloat => prefix(format!("({})", float_name(terms.sort(t)))),
            Op::UbvToFloat => prefix(format!("({})(unsigned)", float_name(terms.sort(t)))),
            Op::FloatToSbv => prefix(format!("(i{})", terms.width(t))),
            Op::FloatToUbv => prefix(format!("(u{})", terms.width(t))),
            Op::FloatFromBits => call(format!("{}_from_bits", float_name(terms.sort(t)))),
            Op::FloatToBits => call("bits".to_string()),
            Op::ConstArray => (
                PRIMARY,
                vec![text("[all: "), Task::Term(c[0], CHOICE), text("]")],
            ),
            Op::Select => {
                let parts = vec![
                    Task::Term(c[0], PRIMARY),
                    text("["),
                    Task::Term(c[1], CHOICE),
                    text("]"),
                ];
                (PRIMARY, parts)
            }
            Op::Store => {
                let parts = vec![
                    Task::Term(c[0], PRIMARY),
                    text("{["),
                    Task::Term(c[1], CHOICE),
                    text("] = "),
                    Task::Term(c[2], CHOICE),
                    text("}"),
                ];
                (PRIMARY, parts)
            }
        }
    }

    /// Small numbers signed, large ones in hexadecimal.
    fn constant(&self, t: Term) -> (u8, Vec<Task>) {
        let Some(bits) = self.terms.as_bits(t) else {
            return (PRIMARY, Vec::new());
        };
        let written = match bits.to_i128() {
            Some(value) if (-65536..1 << 32).contains(&value) => value.to_string(),
            Some(value) if value < 0 && value >= i128::from(i32::MIN) && bits.width() == 32 => {
                value.to_string()
            }
            _ => bits
                .to_u128()
                .map_or_else(|| bits.smtlib(), |value| format!("{value:#x}")),
        };
        let precedence = if written.starts_with('-') {
            UNARY
        } else {
            PRIMARY
        };
        (precedence, vec![Task::Text(written)])
    }

    /// `x < c`; a constant on the left changes sides: `c < x` is `x > c`, or `x >= c + 1`
    /// where that is zero.
    fn order(&self, c: &[Term], mark: &str, strict: bool) -> (u8, Vec<Task>) {
        let (left, sign, right) = if self.terms.is_const(c[0]) {
            if strict && mark.is_empty() && self.terms.as_i128(c[0]) == Some(-1) {
                return (ORDER, vec![Task::Term(c[1], ORDER), text(" >= 0")]);
            }
            (c[1], if strict { ">" } else { ">=" }, c[0])
        } else {
            (c[0], if strict { "<" } else { "<=" }, c[1])
        };
        let parts = vec![
            Task::Term(left, ORDER + 1),
            Task::Text(format!(" {sign}{mark} ")),
            Task::Term(right, ORDER + 1),
        ];
        (ORDER, parts)
    }

    /// A sum, its negative parts subtracted and the first positive part in front.
    fn sum(&self, t: Term) -> (u8, Vec<Task>) {
        let terms = self.terms;
        let mut operands = Vec::new();
        let mut spine = t;
        // A spine longer than a linear form is cut; the rest is an operand like any other.
        while terms.op(spine) == Op::Add && operands.len() < 16 {
            operands.push(terms.child(spine, 1));
            spine = terms.child(spine, 0);
        }
        operands.push(spine);
        operands.reverse();
        let negative = |t: Term| {
            terms.op(t) == Op::Neg || terms.as_i128(t).is_some_and(|v| (-65536..0).contains(&v))
        };
        if let Some(first) = operands.iter().position(|o| !negative(*o)) {
            let first = operands.remove(first);
            operands.insert(0, first);
        }
        let mut parts = Vec::new();
        for (i, &operand) in operands.iter().enumerate() {
            if i == 0 {
                parts.push(Task::Term(operand, SUM));
            } else if terms.op(operand) == Op::Neg {
                parts.push(text(" - "));
                parts.push(Task::Term(terms.child(operand, 0), SUM + 1));
            } else if negative(operand) {
                let value = terms.as_i128(operand).unwrap_or(0);
                parts.push(Task::Text(format!(" - {}", -value)));
            } else {
                parts.push(text(" + "));
                parts.push(Task::Term(operand, SUM + 1));
            }
        }
        (SUM, parts)
    }
}

fn float_name(sort: Sort) -> &'static str {
    match sort.format() {
        Some(crate::FloatFormat::F32) => "float",
        Some(crate::FloatFormat::F64) => "double",
        Some(crate::FloatFormat::X87) => "long double",
        Some(crate::FloatFormat::F16) => "_Float16",
        _ => "__float128",
    }
}
