//! Types of operands, per operator and per statement.
//!
//! | operators | operands | result |
//! |---|---|---|
//! | `Neg`, `Not` | integer | same |
//! | `FNeg` | float | same |
//! | `Add` … `AShr` | two integers of one width | same |
//! | `Eq`, `Ne`, `ULt`, `ULe` | two integers of one width, or two pointers | truth value |
//! | `SLt`, `SLe` | two integers of one width | truth value |
//! | `PtrAdd` | pointer, integer of pointer width | pointer |
//! | `FAdd` … `FDiv` | two floats of one kind | same |
//! | `FEq` … `FLe` | two floats of one kind | truth value |
//! | `ZExt`, `SExt` / `Trunc` | integer | wider / narrower integer |
//! | `PtrToInt`, `IntToPtr` | pointer, integer of pointer width | the other |
//! | `Ite` | truth value, two of one type | that type |
//! | `Load` | pointer | whole bytes |

use super::{Place, Rule, Validator};
use crate::expr::{BinaryOp, CastOp, Expr, UnaryOp};
use crate::ids::*;
use crate::program::*;
use crate::types::Type;

fn is_int(ty: Type) -> bool {
    matches!(ty, Type::Int(_))
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::Float(_))
}

fn has_whole_bytes(ty: Type) -> bool {
    !matches!(ty, Type::Int(w) if w % 8 != 0)
}

fn require(holds: bool, rule: Rule) -> Result<(), Rule> {
    match holds {
        true => Ok(()),
        false => Err(rule),
    }
}

impl Validator<'_> {
    /// Whether an expression with all its operands is well typed.
    pub(super) fn expr(&mut self, root: ExprId) -> Result<(), Rule> {
        if root.index() >= self.good.len() {
            return Err(Rule::IdInRange);
        }
        let mut work = vec![root];
        while let Some(&id) = work.last() {
            let waiting = work.len();
            if self.good[id.index()].is_none() {
                let children = self.program.exprs.children(id);
                work.extend(children.filter(|c| self.good[c.index()].is_none()));
                if work.len() == waiting {
                    let mut result = Ok(());
                    for child in self.program.exprs.children(id) {
                        result = result.and(self.good[child.index()].unwrap_or(Ok(())));
                    }
                    let result = result.and_then(|()| self.operation(id));
                    self.good[id.index()] = Some(result);
                }
            }
            if work.len() == waiting {
                work.pop();
            }
        }
        self.good[root.index()].unwrap_or(Ok(()))
    }

    fn operation(&self, id: ExprId) -> Result<(), Rule> {
        let program = self.program;
        let pool = &program.exprs;
        let pointer_int = program.model.pointer_int();
        let fits = |bits: u128, width: u32| width >= 128 || bits >> width == 0;
        let typed = |holds| require(holds, Rule::OperandType);
        match pool.get(id) {
            Expr::Int { value, width } => {
                typed((1..=128).contains(&width))?;
                require(fits(value, u32::from(width)), Rule::ConstantWidth)
            }
            Expr::Float { kind, bits } => {
                let width = Type::Float(kind).bits(program.model);
                require(fits(bits, width), Rule::ConstantWidth)
            }
            Expr::Pointer(a) => {
                let width = program.model.pointer_bits();
                require(fits(u128::from(a), width), Rule::ConstantWidth)
            }
            Expr::Reg(r) => {
                require(self.known_register(r), Rule::IdInRange)?;
                typed(program.register(r).ty == pool.ty(id))
            }
            Expr::Address(o) => require(o.index() < program.objects.len(), Rule::IdInRange),
            Expr::Function(p) => require(p.index() < program.procedures.len(), Rule::IdInRange),
            Expr::Load { address, ty } => {
                typed(pool.ty(address) == Type::Ptr && has_whole_bytes(ty))
            }
            Expr::Unary { op, arg } => typed(match op {
                UnaryOp::Neg | UnaryOp::Not => is_int(pool.ty(arg)),
                UnaryOp::FNeg => is_float(pool.ty(arg)),
            }),
            Expr::Binary { op, left, right } => {
                let (left, right) = (pool.ty(left), pool.ty(right));
                use BinaryOp::*;
                typed(match op {
                    Add | Sub | Mul | UDiv | SDiv | URem | SRem | And | Or | Xor | Shl | LShr
                    | AShr | SLt | SLe => is_int(left) && left == right,
                    Eq | Ne | ULt | ULe => !is_float(left) && left == right,
                    PtrAdd => left == Type::Ptr && right == pointer_int,
                    FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => {
                        is_float(left) && left == right
                    }
                })
            }
            Expr::Cast { op, arg, to } => {
                let from = pool.ty(arg);
                typed(match (op, from, to) {
                    (CastOp::ZExt | CastOp::SExt, Type::Int(f), Type::Int(t)) => f < t && t <= 128,
                    (CastOp::Trunc, Type::Int(f), Type::Int(t)) => t < f && t >= 1,
                    (CastOp::SToF | CastOp::UToF, Type::Int(_), Type::Float(_)) => true,
                    (CastOp::FToS | CastOp::FToU, Type::Float(_), Type::Int(_)) => true,
                    (CastOp::FToF, Type::Float(_), Type::Float(_)) => true,
                    (CastOp::PtrToInt, Type::Ptr, _) => to == pointer_int,
                    (CastOp::IntToPtr, _, Type::Ptr) => from == pointer_int,
                    _ => false,
                })
            }
            Expr::Ite {
                cond,
                then,
                otherwise,
            } => typed(pool.ty(cond).is_bool() && pool.ty(then) == pool.ty(otherwise)),
        }
    }

    pub(super) fn statement(&mut self, id: ProcId, edge: &Edge, place: Place) {
        self.span(edge.span, place);
        for e in edge.statement.expressions() {
            if let Err(rule) = self.expr(e) {
                self.report(rule, place);
                return;
            }
            self.ownership(id, e, place);
        }
        if let Some(target) = edge.statement.written_register() {
            if !self.check(self.known_register(target), Rule::IdInRange, place) {
                return;
            }
            let owner = self.program.register(target).owner;
            self.check(owner.is_none_or(|o| o == id), Rule::Ownership, place);
        }
        if let Err(rule) = self.operands(id, &edge.statement) {
            self.report(rule, place);
        }
    }

    fn ownership(&mut self, id: ProcId, root: ExprId, place: Place) {
        let program = self.program;
        let foreign =
            program
                .exprs
                .subexpressions(root)
                .into_iter()
                .any(|e| match program.exprs.get(e) {
                    Expr::Reg(r) => program.register(r).owner.is_some_and(|o| o != id),
                    Expr::Address(o) => {
                        matches!(program.object(o).storage, Storage::Frame(p) if p != id)
                    }
                    _ => false,
                });
        self.check(!foreign, Rule::Ownership, place);
    }

    fn operands(&self, id: ProcId, statement: &Statement) -> Result<(), Rule> {
        let program = self.program;
        let pool = &program.exprs;
        let typed = |holds| require(holds, Rule::OperandType);
        let is_pointer = |e: ExprId| pool.ty(e) == Type::Ptr;
        let marker = |m: MarkerId| require(m.index() < program.markers.len(), Rule::IdInRange);
        let origin = |o: &Origin| match o {
            Origin::Unmodelled(m) => marker(*m),
            _ => Ok(()),
        };
        match statement {
            Statement::Skip | Statement::Halt(Halt::Abort | Halt::Trap) => Ok(()),
            Statement::Assign { target, value } => {
                typed(program.register(*target).ty == pool.ty(*value))
            }
            Statement::Store { address, value } => {
                typed(is_pointer(*address) && has_whole_bytes(pool.ty(*value)))
            }
            Statement::Copy { target, source, .. } => {
                typed(is_pointer(*target) && is_pointer(*source))
            }
            Statement::Assume(c) => typed(pool.ty(*c).is_bool()),
            Statement::Call {
                result,
                callee,
                arguments,
            } => match callee {
                Callee::Indirect(e) => typed(is_pointer(*e)),
                Callee::Direct(p) => self.call(*p, *result, arguments),
            },
            Statement::Nondet { origin: o, .. } => origin(o),
            Statement::Havoc {
                address, origin: o, ..
            } => {
                typed(is_pointer(*address))?;
                origin(o)
            }
            Statement::Allocate { target, size, .. } => typed(
                program.register(*target).ty == Type::Ptr
                    && pool.ty(*size) == program.model.pointer_int(),
            ),
            Statement::Free(e) => typed(is_pointer(*e)),
            Statement::Enter(o) | Statement::Leave(o) => {
                require(o.index() < program.objects.len(), Rule::IdInRange)?;
                let own = program.object(*o).storage == Storage::Frame(id);
                require(own, Rule::Ownership)
            }
            Statement::Marker(m) => marker(*m),
            Statement::Halt(Halt::Exit(code)) => typed(pool.ty(*code) == Type::Int(32)),
        }
    }

    fn call(&self, p: ProcId, result: Option<RegId>, arguments: &[ExprId]) -> Result<(), Rule> {
        let program = self.program;
        require(p.index() < program.procedures.len(), Rule::IdInRange)?;
        let callee = program.procedure(p);
        if callee.body.is_none() {
            return Ok(());
        }
        let type_of = |r: RegId| program.registers.get(r.index()).map(|r| r.ty);
        let same_count = callee.parameters.len() == arguments.len();
        let mut pairs = callee.parameters.iter().zip(arguments);
        let same_types = pairs.all(|(r, e)| type_of(*r) == Some(program.exprs.ty(*e)));
        let result_fits = match (result, callee.result) {
            (Some(to), Some(from)) => type_of(to) == type_of(from),
            (Some(_), None) => false,
            (None, _) => true,
        };
        require(same_count && same_types && result_fits, Rule::CallMatches)
    }
}
