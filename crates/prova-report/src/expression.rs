//! Expressions of a run as C: with the names of the source, or with the values they had.

use crate::values::{part, size_of, Names};
use prova_exec::arith::{binary_wide, cast_wide, unary_wide};
use prova_exec::Run;
use prova_ir::{
    BinaryOp, CType, CTypeId, CastOp, Expr, ExprId, Program, RegId, Statement, Type, UnaryOp,
};
use rustc_hash::FxHashMap;

/// Deeper expressions are cut: a person reads no more.
const DEEPEST: u32 = 8;

/// Prints expressions at one state of a run.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its names.
    pub names: &'a Names<'a>,
    /// After so many edges.
    pub state: u32,
    /// Values in place of variables.
    pub values: bool,
}

/// How tight an expression binds, for parentheses.
type Printed = (String, u8);

const ATOM: u8 = 20;

impl<'a> Printer<'a> {
    fn program(&self) -> &'a Program {
        &self.run.code.program
    }

    /// An expression as C.
    pub fn text(&self, e: ExprId) -> String {
        self.print(e, DEEPEST).0
    }

    /// A condition that holds, or does not, as C that is true.
    pub fn fact(&self, e: ExprId, holds: bool) -> String {
        self.condition(e, holds, DEEPEST).0
    }

    fn condition(&self, e: ExprId, holds: bool, depth: u32) -> Printed {
        let program = self.program();
        let Some(depth) = depth.checked_sub(1) else {
            return ("…".into(), ATOM);
        };
        match program.exprs.get(e) {
            Expr::Unary {
                op: UnaryOp::Not,
                arg,
            } => self.condition(arg, !holds, depth),
            // Truth values that C computed as numbers: (x != 0) != 0, and `!` of one.
            Expr::Binary {
                op: op @ (BinaryOp::Ne | BinaryOp::Eq),
                left,
                right,
            } if self.is_zero(right) && self.truth_inside(left).is_some() => {
                let inner = self.truth_inside(left).unwrap_or(left);
                self.condition(inner, holds == (op == BinaryOp::Ne), depth)
            }
            Expr::Binary { op, left, right } if op.is_comparison() => {
                use BinaryOp::*;
                let (symbol, swap) = match (op, holds) {
                    (Eq | FEq, true) | (Ne | FNe, false) => ("==", false),
                    (Ne | FNe, true) | (Eq | FEq, false) => ("!=", false),
                    (ULt | SLt | FLt, true) => ("<", false),
                    (ULe | SLe | FLe, true) => ("<=", false),
                    (ULt | SLt, false) => (">=", false),
                    (ULe | SLe, false) => (">", false),
                    (FLt | FLe, false) => {
                        let (text, _) = self.condition(e, true, depth);
                        return (format!("!({text})"), ATOM);
                    }
                    _ => ("?", false),
                };
                // Lowering swaps operands to have one of `<` and `>`: a constant reads better right.
                let constant = |x| matches!(program.exprs.get(x), Expr::Int { .. });
                let swap = swap || (constant(left) && !constant(right));
                let (l, r) = if swap { (right, left) } else { (left, right) };
                let symbol = if swap { mirrored(symbol) } else { symbol };
                let kind = self.ctype(l).or_else(|| self.ctype(r));
                let unsigned = matches!(op, ULt | ULe);
                let side = |e: ExprId| match program.exprs.get(e) {
                    Expr::Int { value, .. } if unsigned && kind.is_none() => value.to_string(),
                    _ => self.operand(e, 10, kind, depth),
                };
                let (l, r) = (side(l), side(r));
                (format!("{l} {symbol} {r}"), 9)
            }
            _ => {
                let (text, strength) = self.print(e, depth);
                match (holds, self.values) {
                    (true, _) => (text, strength),
                    (false, _) if strength >= ATOM => (format!("!{text}"), 15),
                    (false, _) => (format!("!({text})"), 15),
                }
            }
        }
    }

    /// Whether an expression is about state that a check added to the program, and not about the
    /// program's own.
    pub fn is_ghostly(&self, e: ExprId) -> bool {
        let program = self.program();
        let (unknown, ghosts) = (program.model.unknown_zone(), program.model.ghost_zone());
        program
            .exprs
            .subexpressions(e)
            .into_iter()
            .any(|part| match program.exprs.get(part) {
                Expr::Reg(reg) => is_ghost(program, reg),
                Expr::Address(object) => program.object(object).pinned().is_some(),
                Expr::Pointer(address) => (unknown.start..=ghosts.end).contains(&address),
                Expr::Load { address, .. } => ghosts.contains(&(self.evaluate(address) as u64)),
                _ => false,
            })
    }

    /// The variables and places that an expression looks at, each with its value: `i = 3`. Pointers and
    /// state of ours are left out.
    pub fn parts(&self, e: ExprId) -> Vec<(String, String)> {
        let mut found = Vec::new();
        self.collect(e, DEEPEST, &mut found);
        found
    }

    fn collect(&self, e: ExprId, depth: u32, found: &mut Vec<(String, String)>) {
        let program = self.program();
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let ty = program.exprs.ty(e);
        match program.exprs.get(e) {
            Expr::Reg(reg) => {
                let register = program.register(reg);
                if register.c_name.is_empty() {
                    if let Some((value, state)) =
                        self.made_from(reg).filter(|_| !is_ghost(program, reg))
                    {
                        Printer { state, ..*self }.collect(value, depth, found);
                    }
                    return;
                }
                let bits = self.run.register_at(reg, self.state);
                let value = self.names.value(register.ty, register.ctype, bits);
                add(found, ty, register.c_name.clone(), value);
            }
            Expr::Load { address, ty } => {
                let ghosts = program.model.ghost_zone();
                if ghosts.contains(&(self.evaluate(address) as u64)) {
                    return;
                }
                let bytes = ty.bytes(program.model);
                if let Some((name, ctype)) = self.named(address, bytes, DEEPEST) {
                    let value = self.names.value(ty, ctype, self.evaluate(e));
                    add(found, ty, name, value);
                }
                self.collect(address, depth, found);
            }
            _ => {
                for child in program.exprs.children(e).collect::<Vec<_>>() {
                    self.collect(child, depth, found);
                }
            }
        }
    }

    /// What was assigned to a temporary, and the state it was computed in.
    fn made_from(&self, reg: RegId) -> Option<(ExprId, u32)> {
        let (state, _) = self.run.register_written(reg, self.state)?;
        let step = state.checked_sub(1)?;
        let place = self.run.edge_at(step)?;
        let body = self.program().procedure(place.proc).body.as_ref()?;
        match body.edge(place.edge?).statement {
            Statement::Assign { value, .. } => Some((value, step)),
            _ => None,
        }
    }

    /// What a place in memory is called, and its type.
    pub fn typed(&self, address: ExprId, bytes: u64) -> Option<(String, Option<CTypeId>)> {
        self.named(address, bytes, DEEPEST)
    }

    /// The truth value that a number was made from.
    fn truth_inside(&self, e: ExprId) -> Option<ExprId> {
        match self.program().exprs.get(e) {
            Expr::Cast {
                op: CastOp::ZExt,
                arg,
                ..
            } if self.program().exprs.ty(arg) == Type::BOOL => Some(arg),
            Expr::Ite {
                cond,
                then,
                otherwise,
            } if self.is_zero(otherwise) => {
                matches!(self.program().exprs.get(then), Expr::Int { value: 1, .. }).then_some(cond)
            }
            _ => None,
        }
    }

    fn is_zero(&self, e: ExprId) -> bool {
        matches!(
            self.program().exprs.get(e),
            Expr::Int { value: 0, .. } | Expr::Pointer(0)
        )
    }

    fn operand(&self, e: ExprId, least: u8, kind: Option<CTypeId>, depth: u32) -> String {
        let program = self.program();
        if let (Expr::Int { value, .. }, Some(_)) = (program.exprs.get(e), kind) {
            if let (true, Ok(byte @ 0..=127)) = (self.names.is_char(kind), u8::try_from(value)) {
                return crate::values::character(byte);
            }
            return self.names.value(program.exprs.ty(e), kind, value);
        }
        let (text, strength) = self.print(e, depth);
        if strength < least {
            format!("({text})")
        } else {
            text
        }
    }

    fn print(&self, e: ExprId, depth: u32) -> Printed {
        let program = self.program();
        let Some(depth) = depth.checked_sub(1) else {
            return ("…".into(), ATOM);
        };
        let ty = program.exprs.ty(e);
        let constant = |bits: u128| (self.names.value(ty, None, bits), ATOM);
        match program.exprs.get(e) {
            Expr::Int { value, .. } => constant(value),
            Expr::Float { bits, .. } => constant(bits),
            Expr::Pointer(address) => constant(u128::from(address)),
            Expr::Address(object) => (self.names.pointer(self.run.layout.object(object)), 15),
            Expr::Function(procedure) => (program.procedure(procedure).c_name.clone(), ATOM),
            Expr::Reg(reg) => self.register(reg, depth),
            Expr::Load { address, ty } => {
                let ctype = self.ctype(e);
                if self.values {
                    let value = self.evaluate(e);
                    return (self.names.value(ty, ctype, value), ATOM);
                }
                let bytes = ty.bytes(program.model);
                (self.lvalue(address, bytes, depth), ATOM)
            }
            Expr::Unary { op, arg } => {
                let sign = match (op, ty) {
                    (UnaryOp::Neg | UnaryOp::FNeg, _) => "-",
                    (UnaryOp::Not, Type::BOOL) => return self.condition(e, true, depth),
                    (UnaryOp::Not, _) => "~",
                };
                (format!("{sign}{}", self.operand(arg, 15, None, depth)), 15)
            }
            Expr::Binary { op, .. } if op.is_comparison() => self.condition(e, true, depth),
            Expr::Binary {
                op: BinaryOp::PtrAdd,
                left,
                right,
            } if self.elements(left, right).is_some() => {
                let (index, count) = self.elements(left, right).unwrap_or((right, 0));
                let l = self.operand(left, 12, None, depth);
                let r = match index == right {
                    true => count.to_string(),
                    false => self.operand(index, 13, None, depth),
                };
                (format!("{l} + {r}"), 12)
            }
            Expr::Binary { op, left, right } => {
                use BinaryOp::*;
                let (symbol, strength) = match op {
                    Mul | FMul => ("*", 13),
                    UDiv | SDiv | FDiv => ("/", 13),
                    URem | SRem => ("%", 13),
                    Add | FAdd | PtrAdd => ("+", 12),
                    Sub | FSub => ("-", 12),
                    Shl => ("<<", 11),
                    LShr | AShr => (">>", 11),
                    And if ty == Type::BOOL => ("&&", 4),
                    Or if ty == Type::BOOL => ("||", 3),
                    And => ("&", 8),
                    Xor => ("^", 7),
                    Or => ("|", 6),
                    _ => ("?", 0),
                };
                let l = self.operand(left, strength, None, depth);
                let r = self.operand(right, strength + 1, None, depth);
                (format!("{l} {symbol} {r}"), strength)
            }
            Expr::Cast {
                op: CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::FToF,
                arg,
                ..
            } => self.print(arg, depth),
            Expr::Cast { arg, .. } => (self.operand(arg, 0, None, depth), ATOM),
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => {
                let c = self.operand(cond, 3, None, depth);
                let t = self.operand(then, 3, None, depth);
                let o = self.operand(otherwise, 2, None, depth);
                (format!("{c} ? {t} : {o}"), 2)
            }
        }
    }

    fn register(&self, reg: RegId, depth: u32) -> Printed {
        let program = self.program();
        let register = program.register(reg);
        if self.values {
            let bits = self.run.register_at(reg, self.state);
            return (self.names.value(register.ty, register.ctype, bits), ATOM);
        }
        if !register.c_name.is_empty() {
            return (register.c_name.clone(), ATOM);
        }
        // A temporary stands for what was computed into it.
        let written = self.run.register_written(reg, self.state);
        let made = written.and_then(|(state, _)| {
            let step = state.checked_sub(1)?;
            let place = self.run.edge_at(step)?;
            let procedure = program.procedure(place.proc);
            let Some(edge) = place.edge else {
                return Some((format!("{}(…)", procedure.c_name), ATOM));
            };
            match &procedure.body.as_ref()?.edge(edge).statement {
                Statement::Assign { value, .. } => Some(
                    Printer {
                        state: step,
                        ..*self
                    }
                    .print(*value, depth),
                ),
                Statement::Nondet {
                    origin: prova_ir::Origin::Input(name) | prova_ir::Origin::Undefined(name),
                    ..
                } => Some((format!("{name}()"), ATOM)),
                _ => None,
            }
        });
        made.unwrap_or_else(|| {
            let bits = self.run.register_at(reg, self.state);
            (self.names.value(register.ty, register.ctype, bits), ATOM)
        })
    }

    /// What a load or store at an address means in C: `p->next`, `a[i]`, `disk.locked`.
    pub fn lvalue(&self, address: ExprId, bytes: u64, depth: u32) -> String {
        if let Some((text, _)) = self.named(address, bytes, depth.min(DEEPEST)) {
            return text;
        }
        let at = self.evaluate(address) as u64;
        self.names
            .place(at, bytes)
            .unwrap_or_else(|| format!("*({})", self.print(address, depth).0))
    }

    fn named(&self, address: ExprId, bytes: u64, depth: u32) -> Option<(String, Option<CTypeId>)> {
        let program = self.program();
        let depth = depth.checked_sub(1)?;
        let (mut base, mut offset, mut index) = (address, 0u64, None);
        while let Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } = program.exprs.get(base)
        {
            match program.exprs.get(right) {
                Expr::Int { value, .. } => offset = offset.wrapping_add(value as u64),
                _ if index.is_none() => index = Some(right),
                _ => return None,
            }
            base = left;
        }
        let (text, pointee, object) = match program.exprs.get(base) {
            Expr::Address(id) => {
                let object = program.object(id);
                if object.c_name.is_empty() {
                    return None;
                }
                (object.c_name.clone(), object.ctype, true)
            }
            Expr::Reg(reg) => {
                let register = program.register(reg);
                if register.c_name.is_empty() {
                    return None;
                }
                (register.c_name.clone(), self.pointee(register.ctype), false)
            }
            Expr::Load { address, ty } => {
                let (text, ctype) = self.named(address, ty.bytes(program.model), depth)?;
                (text, self.pointee(ctype), false)
            }
            _ => return None,
        };
        if let Some(index) = index {
            let element = match pointee.map(|t| program.ctypes.get(t)) {
                Some(CType::Array { element, .. }) if object => Some(*element),
                _ if object => None,
                _ => pointee,
            }?;
            let (subscript, size) = self.scaled(index);
            if size_of(program, element) != Some(size) || offset >= size {
                return None;
            }
            let subscript = self.print(subscript, depth).0;
            let (rest, ctype) = part(program, Some(element), offset, bytes);
            return Some((format!("{text}[{subscript}]{rest}"), ctype));
        }
        let (rest, ctype) = match pointee {
            Some(t) => {
                let size = size_of(program, t).unwrap_or(0);
                if !object && size > 0 && offset >= size {
                    let (rest, ctype) = part(program, Some(t), offset % size, bytes);
                    return Some((format!("{text}[{}]{rest}", offset / size), ctype));
                }
                part(program, Some(t), offset, bytes)
            }
            None => return None,
        };
        let text = match (object, rest.strip_prefix('.')) {
            (true, _) => format!("{text}{rest}"),
            (false, Some(member)) => format!("{text}->{member}"),
            (false, None) if rest.is_empty() => format!("*{text}"),
            (false, None) => format!("(*{text}){rest}"),
        };
        Some((text, ctype))
    }

    /// How many elements are added to a pointer, where that can be said: an index, or, if that is all of
    /// what is added, a number.
    fn elements(&self, pointer: ExprId, added: ExprId) -> Option<(ExprId, u64)> {
        let program = self.program();
        let element = self.pointee(self.ctype(pointer))?;
        let size = size_of(program, element).filter(|s| *s > 1)?;
        if let Expr::Int { value, .. } = program.exprs.get(added) {
            let value = u64::try_from(value).ok()?;
            return (value % size == 0).then_some((added, value / size));
        }
        let (index, bytes) = self.scaled(added);
        (bytes == size && index != added).then_some((index, 0))
    }

    /// An index and the bytes per element: `i * 4`.
    fn scaled(&self, e: ExprId) -> (ExprId, u64) {
        let program = self.program();
        if let Expr::Binary {
            op: BinaryOp::Mul,
            left,
            right,
        } = program.exprs.get(e)
        {
            if let Expr::Int { value, .. } = program.exprs.get(right) {
                return (left, value as u64);
            }
        }
        (e, 1)
    }

    fn pointee(&self, ctype: Option<CTypeId>) -> Option<CTypeId> {
        match self.program().ctypes.get(ctype?) {
            CType::Pointer(to) => Some(*to),
            CType::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// The C type of an expression that names something.
    fn ctype(&self, e: ExprId) -> Option<CTypeId> {
        let program = self.program();
        match program.exprs.get(e) {
            Expr::Reg(reg) => program.register(reg).ctype,
            Expr::Load { address, ty } => self.named(address, ty.bytes(program.model), DEEPEST)?.1,
            // C computes with characters as with numbers.
            Expr::Cast {
                op: CastOp::SExt | CastOp::ZExt,
                arg,
                ..
            } => self.ctype(arg).filter(|c| self.names.is_char(Some(*c))),
            _ => None,
        }
    }

    /// The value of an expression, whose operands need not have been evaluated by the run.
    pub fn evaluate(&self, root: ExprId) -> u128 {
        let program = self.program();
        let model = program.model;
        let width = |e: ExprId| program.exprs.ty(e).bits(model).clamp(1, 128) as u8;
        let mut done: FxHashMap<ExprId, u128> = FxHashMap::default();
        for e in program.exprs.subexpressions(root) {
            let value = match program.exprs.get(e) {
                Expr::Int { value, .. } => value,
                Expr::Float { bits, .. } => bits,
                Expr::Pointer(address) => u128::from(address),
                Expr::Reg(reg) => self.run.register_at(reg, self.state),
                Expr::Address(id) => u128::from(self.run.layout.object(id)),
                Expr::Function(id) => u128::from(self.run.layout.function(id)),
                Expr::Load { address, ty } => {
                    let bits = ty.bits(model).clamp(1, 128) as u8;
                    let bytes = ty.bytes(model).min(16) as u32;
                    self.run.memory_at(done[&address] as u64, bytes, self.state)
                        & prova_exec::arith::mask_wide(bits)
                }
                Expr::Unary { op, arg } => unary_wide(op, width(arg), done[&arg]),
                Expr::Binary { op, left, right } => {
                    binary_wide(op, width(left), done[&left], done[&right])
                }
                Expr::Cast { op, arg, .. } => {
                    let (from, to) = (width(arg), width(e));
                    if from <= 64 && to <= 64 {
                        u128::from(prova_exec::arith::cast(op, from, to, done[&arg] as u64))
                    } else {
                        cast_wide(op, from, to, done[&arg])
                    }
                }
                Expr::Ite {
                    cond,
                    then,
                    otherwise,
                } => {
                    if done[&cond] != 0 {
                        done[&then]
                    } else {
                        done[&otherwise]
                    }
                }
            };
            done.insert(e, value);
        }
        done[&root]
    }
}

/// Whether a register holds state that a check added: such have no name in the source and stand
/// nowhere in it. What lowering adds stands somewhere.
pub fn is_ghost(program: &Program, reg: RegId) -> bool {
    let register = program.register(reg);
    register.c_name.is_empty() && !register.span.is_known()
}

fn add(found: &mut Vec<(String, String)>, ty: Type, name: String, value: String) {
    if ty != Type::Ptr && !found.iter().any(|f| f.0 == name) {
        found.push((name, value));
    }
}

fn mirrored(symbol: &'static str) -> &'static str {
    match symbol {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}
