//! Expressions of a program as linear terms over what registers and cells hold. The terms are exact,
//! the expressions wrap: what is found here is a guess, and nothing rests on it.

use prova_ir::{BinaryOp, CastOp, Expr, ExprId, Program, Type, UnaryOp};
use prova_rank::valid::{cell_of, Base};
use prova_rank::{Atom, Kind, Part, Place};

/// The linear term that an expression is, if its bits are read in this way.
pub fn linear(program: &Program, expr: ExprId, kind: Kind) -> Option<Part> {
    let pool = &program.exprs;
    match pool.get(expr) {
        Expr::Int { value, width } => {
            let constant = match kind {
                Kind::Signed if width < 128 => {
                    let shift = 128 - u32::from(width);
                    ((value << shift) as i128) >> shift
                }
                _ => i128::try_from(value).ok()?,
            };
            Some(Part {
                constant,
                ..Part::default()
            })
        }
        Expr::Pointer(address) => Some(Part {
            constant: i128::from(address),
            ..Part::default()
        }),
        Expr::Reg(register) => {
            let register = program.register(register);
            let kind = match register.ty {
                Type::Int(w) if w >= 8 => kind,
                Type::Ptr => Kind::Unsigned,
                _ => return None,
            };
            let place = Place::Register(register.name.clone());
            Some(Part::of(Atom { kind, place }, 1, 0))
        }
        Expr::Load { address, ty } => Some(Part::of(cell(program, address, ty, kind)?, 1, 0)),
        Expr::Unary {
            op: UnaryOp::Neg,
            arg,
        } => Some(Part::default().plus(&linear(program, arg, kind)?, -1)),
        Expr::Binary { op, left, right } => {
            let (a, b) = (left, right);
            match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::PtrAdd => {
                    let sign = if op == BinaryOp::Sub { -1 } else { 1 };
                    // What is added may be negative, also to what is not.
                    let second = match pool.get(b) {
                        Expr::Int { .. } => linear(program, b, Kind::Signed)?,
                        _ => linear(program, b, kind)?,
                    };
                    Some(linear(program, a, kind)?.plus(&second, sign))
                }
                BinaryOp::Mul => {
                    let (a, b) = (linear(program, a, kind)?, linear(program, b, kind)?);
                    let (constant, other) = match (a.terms.is_empty(), b.terms.is_empty()) {
                        (true, _) => (a.constant, b),
                        (_, true) => (b.constant, a),
                        _ => return None,
                    };
                    let factor = i64::try_from(constant).ok()?;
                    (factor.unsigned_abs() < 1 << 16).then(|| Part::default().plus(&other, factor))
                }
                _ => None,
            }
        }
        Expr::Cast { op, arg, .. } => match op {
            CastOp::SExt => linear(program, arg, Kind::Signed),
            CastOp::ZExt => linear(program, arg, Kind::Unsigned),
            CastOp::PtrToInt | CastOp::IntToPtr => linear(program, arg, Kind::Unsigned),
            _ => None,
        },
        _ => None,
    }
}

/// The cell that an access names.
pub fn cell(program: &Program, address: ExprId, ty: Type, kind: Kind) -> Option<Atom> {
    let Type::Int(bits) = ty else { return None };
    let cell = cell_of(program, address, u64::from(bits / 8))?;
    let (base, object) = match cell.base {
        Base::Register(r) => (program.register(r).name.clone(), false),
        Base::Object(o) => (program.object(o).name.clone(), true),
    };
    let offset = cell.offset;
    let place = Place::Cell {
        base,
        object,
        offset,
        bits,
    };
    Some(Atom { kind, place })
}

/// Linear terms that are not negative where a condition holds, or that it says something about.
pub fn slack(program: &Program, condition: ExprId, holds: bool, found: &mut Vec<Part>) {
    let pool = &program.exprs;
    match pool.get(condition) {
        Expr::Unary {
            op: UnaryOp::Not,
            arg,
        } => slack(program, arg, !holds, found),
        Expr::Binary {
            op: BinaryOp::And | BinaryOp::Or,
            left,
            right,
        } if pool.ty(condition).is_bool() => {
            slack(program, left, holds, found);
            slack(program, right, holds, found);
        }
        Expr::Binary { op, left, right } if op.is_comparison() => {
            let kinds: &[Kind] = match op {
                BinaryOp::SLt | BinaryOp::SLe => &[Kind::Signed],
                BinaryOp::ULt | BinaryOp::ULe => &[Kind::Unsigned],
                BinaryOp::Eq | BinaryOp::Ne => &[Kind::Signed, Kind::Unsigned],
                _ => return,
            };
            // A truth value that was stored as a number.
            if let (true, Some(inner)) = (
                matches!(op, BinaryOp::Eq | BinaryOp::Ne),
                truth(program, left),
            ) {
                slack(program, inner, holds == (op == BinaryOp::Ne), found);
            }
            for &kind in kinds {
                let (Some(a), Some(b)) =
                    (linear(program, left, kind), linear(program, right, kind))
                else {
                    continue;
                };
                let difference = b.plus(&a, -1);
                let strict = matches!(op, BinaryOp::SLt | BinaryOp::ULt);
                match op {
                    BinaryOp::Eq | BinaryOp::Ne => {
                        found.push(Part::default().plus(&difference, -1));
                        found.push(difference);
                    }
                    _ if holds => found.push(difference),
                    // Not a < b: b <= a.
                    _ => {
                        let mut other = Part::default().plus(&difference, -1);
                        other.constant += i128::from(!strict);
                        found.push(other);
                    }
                }
            }
        }
        _ => {}
    }
}

/// The condition that a number is made from, if it is a truth value made wider.
fn truth(program: &Program, expr: ExprId) -> Option<ExprId> {
    match program.exprs.get(expr) {
        Expr::Cast {
            op: CastOp::ZExt,
            arg,
            ..
        } if program.exprs.ty(arg).is_bool() => Some(arg),
        _ => None,
    }
}
