//! The text form of a program: made for people to read, and parsed back to the same program.
//!
//! ```text
//! prova-ir 1 lp64
//! file 0 "lock.c"
//! ctype 0 = int "int" 32 signed
//!
//! global x : i32 = 0:i32 ctype 0 @3:5
//! object buf : 16 align 8 static = { 0: 1:i32, 4: "ab\x00" } @4:6
//!
//! proc main() -> main.result {
//!   result main.result : i32
//!   frame pair : 8 align 4
//!   entry L0 exit L3
//!   L0 @5:3 -> L1: x := x + 1:i32
//!   L1 @6:3 -> L2: assume x <s 10:i32
//!   L1 -> L3: assume !(x <s 10:i32)
//!   L2 @7:5 -> L3: [&pair +p 4:i64] := x
//! }
//!
//! entry main
//! ```
//!
//! One declaration or edge per line; `//` starts a comment.
//!
//! * **Names** that are not plain words stand in single quotes, as do registers named like a
//!   word that begins a statement or an operand.
//!   `c "…"` gives the C name where it differs.
//! * **Positions** are `@line:column` in file 0, `@file:line:column` elsewhere. An edge without
//!   one has its source location's; `@none` says it has none.
//! * **Numbers** of registers, objects and edges follow from their order; `#7` says otherwise.
//! * **Constants** carry their type: `-1:i32`, `1.5:f64`, `0x7fc00000:f32` (stored bits), `true`,
//!   `false`, `null`, `0x10:ptr`.
//! * **Expressions**: `x` reads a register, `&o` is an object's address, `fn f` a function's,
//!   `[a]:i32` a load. Operators say their signedness (`<s`, `/u`, `>>s`), `f` marks floats
//!   (`+f`), `+p` adds bytes to a pointer. Every nested operation is in parentheses: there are
//!   no precedences. `neg(x)`, `fneg(x)`, `zext(x, i64)` and its kin, `ite(c, a, b)` are written
//!   as calls. `!` and `~` are one operator, printed by type.
//! * **`let %0 = …`** lines name parts of expressions that are too large or nested too deeply to
//!   read (or to parse without a deep stack).

mod lex;
mod parse;
mod parse_body;
mod parse_declarations;
mod parse_expr;
mod print;
mod print_expr;

pub use lex::ParseError;
pub use parse::parse;
pub use print::print;
pub use print_expr::{expr_text, statement_text, statement_text_all};

/// Words a statement or an operand can begin with: registers named so stand in quotes.
const KEYWORDS: &[&str] = &[
    "alloc", "assume", "call", "copy", "enter", "false", "fn", "free", "halt", "havoc", "leave",
    "marker", "nondet", "null", "skip", "true",
];

/// Words of this language that are written like calls: with their operator.
const CASTS: &[(&str, crate::CastOp)] = &[
    ("zext", crate::CastOp::ZExt),
    ("sext", crate::CastOp::SExt),
    ("trunc", crate::CastOp::Trunc),
    ("stof", crate::CastOp::SToF),
    ("utof", crate::CastOp::UToF),
    ("ftos", crate::CastOp::FToS),
    ("ftou", crate::CastOp::FToU),
    ("ftof", crate::CastOp::FToF),
    ("ptrtoint", crate::CastOp::PtrToInt),
    ("inttoptr", crate::CastOp::IntToPtr),
];

/// Infix operators and how they are written.
const OPERATORS: &[(&str, crate::BinaryOp)] = {
    use crate::BinaryOp::*;
    &[
        ("+", Add),
        ("-", Sub),
        ("*", Mul),
        ("/u", UDiv),
        ("/s", SDiv),
        ("%u", URem),
        ("%s", SRem),
        ("&", And),
        ("|", Or),
        ("^", Xor),
        ("<<", Shl),
        (">>u", LShr),
        (">>s", AShr),
        ("==", Eq),
        ("!=", Ne),
        ("<u", ULt),
        ("<=u", ULe),
        ("<s", SLt),
        ("<=s", SLe),
        ("+p", PtrAdd),
        ("+f", FAdd),
        ("-f", FSub),
        ("*f", FMul),
        ("/f", FDiv),
        ("==f", FEq),
        ("!=f", FNe),
        ("<f", FLt),
        ("<=f", FLe),
    ]
};

fn is_word_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'$'
}

fn is_word_part(c: u8) -> bool {
    is_word_start(c) || c.is_ascii_digit() || c == b'.' || c == b'#'
}

/// A register's name as it is written: quoted unless it is a plain word and no keyword.
fn register_name(name: &str) -> std::borrow::Cow<'_, str> {
    match KEYWORDS.contains(&name) {
        true => format!("'{name}'").into(),
        false => quoted_name(name),
    }
}

/// A name as it is written where no keyword can stand: quoted unless it is a plain word.
fn quoted_name(name: &str) -> std::borrow::Cow<'_, str> {
    let bytes = name.as_bytes();
    let plain =
        bytes.first().is_some_and(|&c| is_word_start(c)) && bytes.iter().all(|&c| is_word_part(c));
    match plain {
        true => name.into(),
        false => format!("'{}'", escaped(bytes)).into(),
    }
}

/// Bytes with everything that is not printable ASCII escaped; both kinds of quotes too.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &b in bytes {
        match b {
            b'\\' => text.push_str("\\\\"),
            b'"' => text.push_str("\\\""),
            b'\'' => text.push_str("\\'"),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            0x20..=0x7e => text.push(char::from(b)),
            _ => text.push_str(&format!("\\x{b:02x}")),
        }
    }
    text
}
