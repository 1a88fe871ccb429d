//! Printing of expressions and statements.

use super::{escaped, quoted_name, register_name, CASTS, OPERATORS};
use crate::expr::{BinaryOp, CastOp, Expr, UnaryOp};
use crate::ids::{ExprId, ObjectId, ProcId, RegId};
use crate::program::{Allocation, Callee, Halt, Origin, Program, Statement};
use crate::types::{FloatKind, Type};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write;

/// An expression is named by a `let` line when, written out, it nests deeper than this …
const MAX_DEPTH: u32 = 64;
/// … or has more operations than this. Sharing would make some exponentially long.
const MAX_SIZE: u32 = 200;

/// Which expressions are too large to be written inside others. Deterministic per expression,
/// so that what is printed in between has bounded size and depth.
pub(super) struct Cuts {
    large: Vec<bool>,
}

impl Cuts {
    pub(super) fn new(program: &Program) -> Self {
        let pool = &program.exprs;
        let mut extent: Vec<(u32, u32)> = Vec::with_capacity(pool.len());
        let mut large = Vec::with_capacity(pool.len());
        for id in pool.ids() {
            let (mut size, mut depth) = (1, 1);
            for child in pool.children(id) {
                let (s, d) = match large[child.index()] {
                    true => (1, 1),
                    false => extent[child.index()],
                };
                size += s;
                depth = depth.max(d + 1);
            }
            extent.push((size, depth));
            large.push(size > MAX_SIZE || depth > MAX_DEPTH);
        }
        Self { large }
    }

    pub(super) fn is_large(&self, id: ExprId) -> bool {
        self.large[id.index()]
    }
}

/// An expression as the text form writes it; parts too large to read become `…`.
pub fn expr_text(program: &Program, id: ExprId) -> String {
    let cuts = Cuts::new(program);
    let mut out = String::new();
    ExprPrinter::new(program, &cuts).whole(&mut out, id);
    out
}

/// A statement as the text form writes it; parts too large to read become `…`.
pub fn statement_text(program: &Program, statement: &Statement) -> String {
    statement_text_all(program, [statement]).remove(0)
}

/// [`statement_text`] of many statements, for the cost of looking at the program once.
pub fn statement_text_all<'a>(
    program: &Program,
    statements: impl IntoIterator<Item = &'a Statement>,
) -> Vec<String> {
    let cuts = Cuts::new(program);
    let printer = ExprPrinter::new(program, &cuts);
    let text = |statement| {
        let mut out = String::new();
        printer.statement(&mut out, statement);
        out
    };
    statements.into_iter().map(text).collect()
}

pub(super) struct ExprPrinter<'a> {
    pub program: &'a Program,
    cuts: &'a Cuts,
    /// Numbers of the `let` lines in force.
    pub lets: FxHashMap<ExprId, usize>,
}

impl<'a> ExprPrinter<'a> {
    pub(super) fn new(program: &'a Program, cuts: &'a Cuts) -> Self {
        let lets = FxHashMap::default();
        Self {
            program,
            cuts,
            lets,
        }
    }

    pub(super) fn register(&self, id: RegId) -> Cow<'a, str> {
        match self.program.registers.get(id.index()) {
            Some(r) => register_name(&r.name),
            None => format!("'?{id:?}'").into(),
        }
    }

    pub(super) fn object(&self, id: ObjectId) -> Cow<'a, str> {
        match self.program.objects.get(id.index()) {
            Some(o) => quoted_name(&o.name),
            None => format!("'?{id:?}'").into(),
        }
    }

    pub(super) fn procedure(&self, id: ProcId) -> Cow<'a, str> {
        match self.program.procedures.get(id.index()) {
            Some(p) => quoted_name(&p.name),
            None => format!("'?{id:?}'").into(),
        }
    }

    /// An expression standing by itself: no parentheses around it.
    pub(super) fn whole(&self, out: &mut String, id: ExprId) {
        self.expr(out, id, true);
    }

    /// What a `let` line says of `id`.
    pub(super) fn definition(&self, out: &mut String, id: ExprId) {
        self.operation(out, id, true);
    }

    /// Recursion is as deep as [`Cuts`] lets it be.
    fn expr(&self, out: &mut String, id: ExprId, outermost: bool) {
        if let Some(n) = self.lets.get(&id) {
            let _ = write!(out, "%{n}");
        } else if self.cuts.is_large(id) && !outermost {
            out.push('…');
        } else {
            self.operation(out, id, outermost);
        }
    }

    fn operation(&self, out: &mut String, id: ExprId, outermost: bool) {
        let pool = &self.program.exprs;
        match pool.get(id) {
            Expr::Int { value, width: 1 } => {
                out.push_str(if value == 0 { "false" } else { "true" })
            }
            Expr::Int { value, width } => {
                let negative = width > 1 && width <= 128 && value >> (width - 1) & 1 == 1;
                let shown = match negative {
                    true if width == 128 => (value as i128).to_string(),
                    true => (value as i128 - (1i128 << width)).to_string(),
                    false => value.to_string(),
                };
                let _ = write!(out, "{shown}:i{width}");
            }
            Expr::Float { kind, bits } => out.push_str(&float(kind, bits)),
            Expr::Pointer(0) => out.push_str("null"),
            Expr::Pointer(address) => {
                let _ = write!(out, "{address:#x}:ptr");
            }
            Expr::Reg(reg) => out.push_str(&self.register(reg)),
            Expr::Address(object) => {
                out.push('&');
                out.push_str(&self.object(object));
            }
            Expr::Function(f) => {
                out.push_str("fn ");
                out.push_str(&self.procedure(f));
            }
            Expr::Load { address, ty } => {
                self.place(out, address);
                let _ = write!(out, ":{ty}");
            }
            Expr::Unary { op, arg } => {
                let name = match op {
                    UnaryOp::Not if pool.ty(id).is_bool() => "!",
                    UnaryOp::Not => "~",
                    UnaryOp::Neg => "neg",
                    UnaryOp::FNeg => "fneg",
                };
                out.push_str(name);
                if op == UnaryOp::Not {
                    self.expr(out, arg, false);
                } else {
                    out.push('(');
                    self.expr(out, arg, true);
                    out.push(')');
                }
            }
            Expr::Binary { op, left, right } => {
                if !outermost {
                    out.push('(');
                }
                self.expr(out, left, false);
                let _ = write!(out, " {} ", operator(op));
                self.expr(out, right, false);
                if !outermost {
                    out.push(')');
                }
            }
            Expr::Cast { op, arg, to } => {
                out.push_str(cast(op));
                out.push('(');
                self.expr(out, arg, true);
                let _ = write!(out, ", {to})");
            }
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => {
                out.push_str("ite(");
                self.expr(out, cond, true);
                out.push_str(", ");
                self.expr(out, then, true);
                out.push_str(", ");
                self.expr(out, otherwise, true);
                out.push(')');
            }
        }
    }

    fn place(&self, out: &mut String, address: ExprId) {
        out.push('[');
        self.expr(out, address, true);
        out.push(']');
    }

    pub(super) fn statement(&self, out: &mut String, statement: &Statement) {
        match statement {
            Statement::Skip => out.push_str("skip"),
            Statement::Assign { target, value } => {
                let _ = write!(out, "{} := ", self.register(*target));
                self.whole(out, *value);
            }
            Statement::Store { address, value } => {
                self.place(out, *address);
                out.push_str(" := ");
                self.whole(out, *value);
            }
            Statement::Copy {
                target,
                source,
                size,
            } => {
                out.push_str("copy ");
                self.place(out, *target);
                out.push_str(" := ");
                self.place(out, *source);
                let _ = write!(out, ", {size}");
            }
            Statement::Assume(cond) => {
                out.push_str("assume ");
                self.whole(out, *cond);
            }
            Statement::Call {
                result,
                callee,
                arguments,
            } => {
                if let Some(result) = result {
                    let _ = write!(out, "{} := ", self.register(*result));
                }
                out.push_str("call ");
                match callee {
                    Callee::Direct(f) => out.push_str(&self.procedure(*f)),
                    Callee::Indirect(e) => self.place(out, *e),
                }
                out.push('(');
                for (i, argument) in arguments.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.whole(out, *argument);
                }
                out.push(')');
            }
            Statement::Nondet { target, origin } => {
                let _ = write!(out, "{} := nondet ", self.register(*target));
                out.push_str(&self.origin(origin));
            }
            Statement::Havoc {
                address,
                size,
                origin,
            } => {
                out.push_str("havoc ");
                self.place(out, *address);
                let _ = write!(out, ", {size}, {}", self.origin(origin));
            }
            Statement::Allocate { target, size, kind } => {
                let kind = match kind {
                    Allocation::Heap => "heap",
                    Allocation::Stack => "stack",
                };
                let _ = write!(out, "{} := alloc {kind} ", self.register(*target));
                self.whole(out, *size);
            }
            Statement::Free(pointer) => {
                out.push_str("free ");
                self.whole(out, *pointer);
            }
            Statement::Enter(object) => {
                let _ = write!(out, "enter {}", self.object(*object));
            }
            Statement::Leave(object) => {
                let _ = write!(out, "leave {}", self.object(*object));
            }
            Statement::Marker(marker) => {
                let _ = write!(out, "marker {}", marker.0);
            }
            Statement::Halt(Halt::Exit(code)) => {
                out.push_str("halt exit ");
                self.whole(out, *code);
            }
            Statement::Halt(Halt::Abort) => out.push_str("halt abort"),
            Statement::Halt(Halt::Trap) => out.push_str("halt trap"),
        }
    }

    fn origin(&self, origin: &Origin) -> String {
        match origin {
            Origin::Input(name) => format!("input \"{}\"", escaped(name.as_bytes())),
            Origin::Choice(what) => format!("choice \"{}\"", escaped(what.as_bytes())),
            Origin::Undefined(name) => format!("undefined \"{}\"", escaped(name.as_bytes())),
            Origin::Uninitialised => "uninitialised".into(),
            Origin::Unmodelled(marker) => format!("unmodelled {}", marker.0),
            Origin::Entry => "entry".into(),
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    let found = OPERATORS.iter().find(|(_, o)| *o == op);
    found.map_or("?", |(text, _)| text)
}

fn cast(op: CastOp) -> &'static str {
    let found = CASTS.iter().find(|(_, o)| *o == op);
    found.map_or("?", |(text, _)| text)
}

/// Decimal where that gives the bits back, otherwise the bits.
fn float(kind: FloatKind, bits: u128) -> String {
    let decimal = match kind {
        FloatKind::F32 => u32::try_from(bits)
            .ok()
            .map(f32::from_bits)
            .map(|v| (v.is_finite(), format!("{v:?}"))),
        FloatKind::F64 => u64::try_from(bits)
            .ok()
            .map(f64::from_bits)
            .map(|v| (v.is_finite(), format!("{v:?}"))),
        FloatKind::X87 => None,
    };
    match decimal {
        Some((true, text)) => format!("{text}:{}", Type::Float(kind)),
        _ => format!("{bits:#x}:{}", Type::Float(kind)),
    }
}
