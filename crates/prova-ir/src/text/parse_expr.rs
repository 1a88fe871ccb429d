//! Parsing of expressions.

use super::lex::Token;
use super::parse::{Parser, Result};
use super::{CASTS, OPERATORS};
use crate::expr::{Expr, UnaryOp};
use crate::ids::ExprId;
use crate::types::{FloatKind, Type};

/// Deeper nesting must go through `let` lines, so that the stack stays small.
const MAX_DEPTH: u32 = 200;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Result<ExprId> {
        let left = self.operand()?;
        let Token::Sign(sign) = *self.peek() else {
            return Ok(left);
        };
        let Some(&(_, op)) = OPERATORS.iter().find(|(text, _)| *text == sign) else {
            return Ok(left);
        };
        self.at += 1;
        let right = self.operand()?;
        if let Token::Sign(sign) = *self.peek() {
            if OPERATORS.iter().any(|(text, _)| *text == sign) {
                return self.error("parentheses are needed: there are no precedences");
            }
        }
        Ok(self.program.exprs.binary(op, left, right))
    }

    fn operand(&mut self) -> Result<ExprId> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("nested too deeply: name a part with `let`");
        }
        let found = self.operand_inside()?;
        self.depth -= 1;
        Ok(found)
    }

    fn operand_inside(&mut self) -> Result<ExprId> {
        match *self.peek() {
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.expr()?;
                self.sign(")")?;
                Ok(inner)
            }
            Token::Sign("[") => {
                self.at += 1;
                let address = self.expr()?;
                self.sign("]")?;
                self.sign(":")?;
                let ty = self.ty()?;
                Ok(self.program.exprs.load(address, ty))
            }
            Token::Sign("!" | "~") => {
                self.at += 1;
                let arg = self.operand()?;
                Ok(self.program.exprs.unary(UnaryOp::Not, arg))
            }
            Token::Sign("&") => {
                self.at += 1;
                let object = self.object()?;
                Ok(self.program.exprs.add(Expr::Address(object)))
            }
            Token::Let(n) => match self.lets.get(n as usize) {
                Some(&expr) => {
                    self.at += 1;
                    Ok(expr)
                }
                None => self.error(format!("`%{n}` is not named before")),
            },
            Token::Number(text) => self.constant(text),
            Token::Word("true") => {
                self.at += 1;
                Ok(self.program.exprs.bool(true))
            }
            Token::Word("false") => {
                self.at += 1;
                Ok(self.program.exprs.bool(false))
            }
            Token::Word("null") => {
                self.at += 1;
                Ok(self.program.exprs.add(Expr::Pointer(0)))
            }
            Token::Word("fn") => {
                self.at += 1;
                let procedure = self.procedure_name()?;
                Ok(self.program.exprs.add(Expr::Function(procedure)))
            }
            Token::Word(word) if matches!(self.tokens[self.at + 1].token, Token::Sign("(")) => {
                self.function(word)
            }
            _ => {
                let start = self.at;
                let reg = self.register()?;
                match self.register_type(reg) {
                    Some(ty) => Ok(self.program.exprs.reg(reg, ty)),
                    None => self.error_at(start, "this register is not declared here"),
                }
            }
        }
    }

    /// What is written like a call.
    fn function(&mut self, word: &str) -> Result<ExprId> {
        let start = self.at;
        self.at += 1;
        self.sign("(")?;
        let first = self.expr()?;
        let pool = match word {
            "neg" | "fneg" => {
                self.sign(")")?;
                let op = match word {
                    "neg" => UnaryOp::Neg,
                    _ => UnaryOp::FNeg,
                };
                return Ok(self.program.exprs.unary(op, first));
            }
            "ite" => {
                self.sign(",")?;
                let then = self.expr()?;
                self.sign(",")?;
                let otherwise = self.expr()?;
                self.sign(")")?;
                return Ok(self.program.exprs.add(Expr::Ite {
                    cond: first,
                    then,
                    otherwise,
                }));
            }
            _ => CASTS.iter().find(|(text, _)| *text == word),
        };
        let Some(&(_, op)) = pool else {
            return self.error_at(start, format!("`{word}` is no operation"));
        };
        self.sign(",")?;
        let to = self.ty()?;
        self.sign(")")?;
        Ok(self.program.exprs.cast(op, first, to))
    }

    fn constant(&mut self, text: &str) -> Result<ExprId> {
        let start = self.at;
        self.at += 1;
        self.sign(":")?;
        let ty = self.ty()?;
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let integer = match digits.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => digits.parse::<u128>().ok(),
        };
        let expr = match ty {
            Type::Int(width) => integer
                .and_then(|n| int_bits(n, negative, width))
                .map(|value| Expr::Int { value, width }),
            Type::Ptr => integer
                .filter(|_| !negative)
                .and_then(|n| u64::try_from(n).ok())
                .filter(|n| {
                    n.checked_shr(self.program.model.pointer_bits())
                        .unwrap_or(0)
                        == 0
                })
                .map(Expr::Pointer),
            Type::Float(kind) => float_bits(kind, text).map(|bits| Expr::Float { kind, bits }),
        };
        match expr {
            Some(expr) => Ok(self.program.exprs.add(expr)),
            None => self.error_at(start, format!("`{text}` is no value of type {ty}")),
        }
    }
}

/// The two's complement of a number that fits in `width` bits, signed or unsigned.
fn int_bits(magnitude: u128, negative: bool, width: u16) -> Option<u128> {
    let mask = u128::MAX >> (128 - u32::from(width));
    match negative {
        false => (magnitude <= mask).then_some(magnitude),
        true => (magnitude <= 1 << (width - 1)).then(|| magnitude.wrapping_neg() & mask),
    }
}

fn float_bits(kind: FloatKind, text: &str) -> Option<u128> {
    if let Some(hex) = text.strip_prefix("0x") {
        let bits = u128::from_str_radix(hex, 16).ok()?;
        let width = Type::Float(kind).bits(crate::DataModel::Lp64);
        return (bits >> width == 0).then_some(bits);
    }
    match kind {
        FloatKind::F32 => Some(u128::from(text.parse::<f32>().ok()?.to_bits())),
        FloatKind::F64 => Some(u128::from(text.parse::<f64>().ok()?.to_bits())),
        FloatKind::X87 => None,
    }
}
