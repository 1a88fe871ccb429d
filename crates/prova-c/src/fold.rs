//! Building expressions with constants folded. The constant expressions of C are exactly the
//! expressions that fold to a constant here, so there is one definition of arithmetic.

use prova_ir::{BinaryOp, CastOp, Expr, ExprId, ExprPool, FloatKind, Type, UnaryOp};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// The bits that fit `width`.
pub fn mask(width: u16) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// The signed number that `width` bits stand for.
pub fn signed(value: u128, width: u16) -> i128 {
    let shift = 128 - u32::from(width);
    ((value << shift) as i128) >> shift
}

/// The integer constant, its value and width.
pub fn as_int(pool: &ExprPool, id: ExprId) -> Option<(u128, u16)> {
    match pool.get(id) {
        Expr::Int { value, width } => Some((value, width)),
        _ => None,
    }
}

/// Whether the expression is a constant of any kind, addresses included.
pub fn is_constant(pool: &ExprPool, id: ExprId) -> bool {
    match pool.get(id) {
        Expr::Int { .. } | Expr::Float { .. } => true,
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => is_address(pool, left) && as_int(pool, right).is_some(),
        _ => is_address(pool, id),
    }
}

fn is_address(pool: &ExprPool, id: ExprId) -> bool {
    matches!(
        pool.get(id),
        Expr::Pointer(_) | Expr::Address(_) | Expr::Function(_)
    )
}

/// A unary operation.
pub fn unary(pool: &mut ExprPool, op: UnaryOp, arg: ExprId) -> ExprId {
    match (op, pool.get(arg)) {
        (UnaryOp::Neg, Expr::Int { value, width }) => pool.int(value.wrapping_neg(), width),
        (UnaryOp::Not, Expr::Int { value, width }) => pool.int(!value, width),
        (UnaryOp::FNeg, Expr::Float { kind, bits }) => {
            let sign = match kind {
                FloatKind::F32 => 31,
                FloatKind::F64 => 63,
                FloatKind::X87 => 79,
            };
            pool.add(Expr::Float {
                kind,
                bits: bits ^ (1 << sign),
            })
        }
        (
            UnaryOp::Not | UnaryOp::Neg,
            Expr::Unary {
                op: inner,
                arg: below,
            },
        ) if inner == op => below,
        _ => pool.unary(op, arg),
    }
}

fn integers(op: BinaryOp, a: u128, b: u128, width: u16) -> Option<u128> {
    use BinaryOp::*;
    let (sa, sb) = (signed(a, width), signed(b, width));
    let truth = |c: bool| Some(u128::from(c));
    Some(match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        UDiv => a.checked_div(b)?,
        URem => a.checked_rem(b)?,
        SDiv if sb != 0 => sa.wrapping_div(sb) as u128,
        SRem if sb != 0 => sa.wrapping_rem(sb) as u128,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => {
            if b >= u128::from(width) {
                0
            } else {
                a << b
            }
        }
        LShr => {
            if b >= u128::from(width) {
                0
            } else {
                a >> b
            }
        }
        AShr => (sa >> b.min(u128::from(width) - 1)) as u128,
        Eq => return truth(a == b),
        Ne => return truth(a != b),
        ULt => return truth(a < b),
        ULe => return truth(a <= b),
        SLt => return truth(sa < sb),
        SLe => return truth(sa <= sb),
        _ => return None,
    })
}

fn float_op<F: Float>(op: BinaryOp, a: u128, b: u128) -> Option<Result<u128, bool>> {
    use BinaryOp::*;
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let round = Round::NearestTiesToEven;
    let order = a.partial_cmp(&b);
    Some(match op {
        FAdd => Ok(a.add_r(b, round).value.to_bits()),
        FSub => Ok(a.sub_r(b, round).value.to_bits()),
        FMul => Ok(a.mul_r(b, round).value.to_bits()),
        FDiv => Ok(a.div_r(b, round).value.to_bits()),
        FEq => Err(order == Some(Ordering::Equal)),
        FNe => Err(order != Some(Ordering::Equal)),
        FLt => Err(order == Some(Ordering::Less)),
        FLe => Err(matches!(order, Some(Ordering::Less | Ordering::Equal))),
        _ => return None,
    })
}

/// A binary operation.
pub fn binary(pool: &mut ExprPool, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
    use BinaryOp::*;
    match (pool.get(left), pool.get(right)) {
        (Expr::Int { value: a, width }, Expr::Int { value: b, .. }) => {
            if let Some(value) = integers(op, a, b, width) {
                let width = if op.is_comparison() { 1 } else { width };
                return pool.int(value, width);
            }
        }
        (Expr::Float { kind, bits: a }, Expr::Float { bits: b, .. }) => {
            let result = match kind {
                FloatKind::F32 => float_op::<Single>(op, a, b),
                FloatKind::F64 => float_op::<Double>(op, a, b),
                FloatKind::X87 => float_op::<X87DoubleExtended>(op, a, b),
            };
            match result {
                Some(Ok(bits)) => return pool.add(Expr::Float { kind, bits }),
                Some(Err(truth)) => return pool.bool(truth),
                None => {}
            }
        }
        (_, Expr::Int { value: 0, .. })
            if matches!(op, PtrAdd | Add | Sub | Shl | LShr | AShr | Or | Xor) =>
        {
            return left;
        }
        (Expr::Int { value: 0, .. }, _) if matches!(op, Add | Or | Xor) => return right,
        (_, Expr::Int { value: 1, .. }) if matches!(op, Mul | UDiv | SDiv) => return left,
        (Expr::Int { value: 1, .. }, _) if op == Mul => return right,
        (Expr::Pointer(a), Expr::Int { value, width }) if op == PtrAdd => {
            let sum = u128::from(a).wrapping_add(value) & mask(width);
            return pool.add(Expr::Pointer(sum as u64));
        }
        (
            Expr::Binary {
                op: PtrAdd,
                left: base,
                right: by,
            },
            Expr::Int { value, width },
        ) if op == PtrAdd => {
            if let Some((first, _)) = as_int(pool, by) {
                let sum = pool.int(first.wrapping_add(value), width);
                return binary(pool, PtrAdd, base, sum);
            }
        }
        (Expr::Pointer(a), Expr::Pointer(b)) if op.is_comparison() => {
            let holds = match op {
                Eq => a == b,
                Ne => a != b,
                ULt => a < b,
                _ => a <= b,
            };
            return pool.bool(holds);
        }
        (a, b) if matches!(op, Eq | Ne) && (pool.ty(left) == Type::Ptr) => {
            // An object or function is never at address zero, and equal to itself.
            let object = |e| matches!(e, Expr::Address(_) | Expr::Function(_));
            if (object(a) && b == Expr::Pointer(0)) || (object(b) && a == Expr::Pointer(0)) {
                return pool.bool(op == Ne);
            }
            if left == right && object(a) {
                return pool.bool(op == Eq);
            }
        }
        _ => {}
    }
    pool.binary(op, left, right)
}

fn float_to_int<F: Float>(bits: u128, width: u16, is_signed: bool) -> u128 {
    let value = F::from_bits(bits);
    let mut exact = false;
    let minimum = 1u128 << (width - 1);
    if is_signed {
        let result = value.to_i128_r(usize::from(width), Round::TowardZero, &mut exact);
        if result.status.contains(rustc_apfloat::Status::INVALID_OP) {
            return minimum;
        }
        return result.value as u128;
    }
    let result = value.to_u128_r(usize::from(width), Round::TowardZero, &mut exact);
    if result.status.contains(rustc_apfloat::Status::INVALID_OP) {
        // A negative value within the signed range wraps, as x86 code computes it.
        let as_signed = value.to_i128_r(usize::from(width.max(64)), Round::TowardZero, &mut exact);
        if !as_signed.status.contains(rustc_apfloat::Status::INVALID_OP) {
            return as_signed.value as u128;
        }
        return minimum;
    }
    result.value
}

fn int_to_float<F: Float>(value: u128, width: u16, is_signed: bool) -> u128 {
    if is_signed {
        F::from_i128(signed(value, width)).value.to_bits()
    } else {
        F::from_u128(value).value.to_bits()
    }
}

fn convert_float(bits: u128, from: FloatKind, to: FloatKind) -> u128 {
    fn to_kind<F>(value: F, to: FloatKind) -> u128
    where
        F: FloatConvert<Single> + FloatConvert<Double> + FloatConvert<X87DoubleExtended>,
    {
        let mut lost = false;
        match to {
            FloatKind::F32 => {
                let r: Single = value.convert(&mut lost).value;
                r.to_bits()
            }
            FloatKind::F64 => {
                let r: Double = value.convert(&mut lost).value;
                r.to_bits()
            }
            FloatKind::X87 => {
                let r: X87DoubleExtended = value.convert(&mut lost).value;
                r.to_bits()
            }
        }
    }
    match from {
        FloatKind::F32 => to_kind(Single::from_bits(bits), to),
        FloatKind::F64 => to_kind(Double::from_bits(bits), to),
        FloatKind::X87 => to_kind(X87DoubleExtended::from_bits(bits), to),
    }
}

/// A conversion.
pub fn cast(pool: &mut ExprPool, op: CastOp, arg: ExprId, to: Type) -> ExprId {
    use CastOp::*;
    match (op, pool.get(arg), to) {
        (ZExt | Trunc, Expr::Int { value, .. }, Type::Int(w)) => pool.int(value, w),
        (SExt, Expr::Int { value, width }, Type::Int(w)) => {
            pool.int(signed(value, width) as u128, w)
        }
        (SToF | UToF, Expr::Int { value, width }, Type::Float(kind)) => {
            let s = op == SToF;
            let bits = match kind {
                FloatKind::F32 => int_to_float::<Single>(value, width, s),
                FloatKind::F64 => int_to_float::<Double>(value, width, s),
                FloatKind::X87 => int_to_float::<X87DoubleExtended>(value, width, s),
            };
            pool.add(Expr::Float { kind, bits })
        }
        (FToS | FToU, Expr::Float { kind, bits }, Type::Int(w)) => {
            let s = op == FToS;
            let value = match kind {
                FloatKind::F32 => float_to_int::<Single>(bits, w, s),
                FloatKind::F64 => float_to_int::<Double>(bits, w, s),
                FloatKind::X87 => float_to_int::<X87DoubleExtended>(bits, w, s),
            };
            pool.int(value, w)
        }
        (FToF, Expr::Float { kind, bits }, Type::Float(new)) => {
            let bits = convert_float(bits, kind, new);
            pool.add(Expr::Float { kind: new, bits })
        }
        (PtrToInt, Expr::Pointer(value), Type::Int(w)) => pool.int(u128::from(value), w),
        (IntToPtr, Expr::Int { value, .. }, _) => pool.add(Expr::Pointer(value as u64)),
        (
            PtrToInt,
            Expr::Cast {
                op: IntToPtr,
                arg: inner,
                ..
            },
            _,
        )
        | (
            IntToPtr,
            Expr::Cast {
                op: PtrToInt,
                arg: inner,
                ..
            },
            _,
        ) if pool.ty(inner) == to => inner,
        // (p + c) as an integer and back: keep what is added on the pointer's side.
        (
            IntToPtr,
            Expr::Binary {
                op: BinaryOp::Add,
                left,
                right,
            },
            _,
        ) if as_int(pool, right).is_some() => match pool.get(left) {
            Expr::Cast {
                op: PtrToInt, arg, ..
            } => binary(pool, BinaryOp::PtrAdd, arg, right),
            _ => pool.cast(op, arg, to),
        },
        (
            ZExt,
            Expr::Cast {
                op: ZExt,
                arg: inner,
                ..
            },
            _,
        ) => cast(pool, ZExt, inner, to),
        (
            SExt,
            Expr::Cast {
                op: SExt,
                arg: inner,
                ..
            },
            _,
        ) => cast(pool, SExt, inner, to),
        (
            Trunc,
            Expr::Cast {
                op: first @ (ZExt | SExt),
                arg: inner,
                ..
            },
            Type::Int(w),
        ) => match pool.ty(inner) {
            Type::Int(from) if from == w => inner,
            Type::Int(from) if from < w => cast(pool, first, inner, to),
            _ => cast(pool, Trunc, inner, to),
        },
        _ => pool.cast(op, arg, to),
    }
}

/// `cond ? then : otherwise`, all of it evaluated.
pub fn ite(pool: &mut ExprPool, cond: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
    if then == otherwise {
        return then;
    }
    match as_int(pool, cond) {
        Some((0, _)) => otherwise,
        Some(_) => then,
        None => {
            if let (Some((1, 1)), Some((0, 1))) = (as_int(pool, then), as_int(pool, otherwise)) {
                return cond;
            }
            pool.add(Expr::Ite {
                cond,
                then,
                otherwise,
            })
        }
    }
}

/// The truth value of a scalar: whether it is not zero.
pub fn truth(pool: &mut ExprPool, value: ExprId) -> ExprId {
    match pool.ty(value) {
        Type::Int(1) => value,
        Type::Int(width) => {
            match pool.get(value) {
                Expr::Cast {
                    op: CastOp::ZExt | CastOp::SExt,
                    arg,
                    ..
                } => return truth(pool, arg),
                Expr::Ite {
                    cond,
                    then,
                    otherwise,
                } => {
                    if let (Some((t, _)), Some((o, _))) =
                        (as_int(pool, then), as_int(pool, otherwise))
                    {
                        let (t, o) = (pool.bool(t != 0), pool.bool(o != 0));
                        return if t == o {
                            t
                        } else if as_int(pool, t) == Some((1, 1)) {
                            cond
                        } else {
                            pool.not(cond)
                        };
                    }
                }
                _ => {}
            }
            let zero = pool.int(0, width);
            binary(pool, BinaryOp::Ne, value, zero)
        }
        Type::Float(kind) => {
            let zero = pool.add(Expr::Float { kind, bits: 0 });
            binary(pool, BinaryOp::FNe, value, zero)
        }
        Type::Ptr => {
            let null = pool.add(Expr::Pointer(0));
            binary(pool, BinaryOp::Ne, value, null)
        }
    }
}

/// A negated truth value, comparisons turned round.
pub fn negate(pool: &mut ExprPool, cond: ExprId) -> ExprId {
    use BinaryOp::*;
    if let Expr::Binary { op, left, right } = pool.get(cond) {
        let turned = match op {
            Eq => Some((Ne, left, right)),
            Ne => Some((Eq, left, right)),
            ULt => Some((ULe, right, left)),
            ULe => Some((ULt, right, left)),
            SLt => Some((SLe, right, left)),
            SLe => Some((SLt, right, left)),
            FEq => Some((FNe, left, right)),
            FNe => Some((FEq, left, right)),
            _ => None,
        };
        if let Some((op, left, right)) = turned {
            return pool.binary(op, left, right);
        }
    }
    pool.not(cond)
}

/// Whether evaluating the expression can never trap: no division by what may be zero, no load
/// but from a place inside a known object.
pub fn cannot_trap(
    pool: &ExprPool,
    object_size: &dyn Fn(prova_ir::ObjectId) -> u64,
    id: ExprId,
) -> bool {
    let mut work = vec![id];
    let mut steps = 0;
    while let Some(id) = work.pop() {
        steps += 1;
        if steps > 200 {
            return false;
        }
        match pool.get(id) {
            Expr::Load { address, ty } => {
                let (base, offset) = match pool.get(address) {
                    Expr::Binary {
                        op: BinaryOp::PtrAdd,
                        left,
                        right,
                    } => match as_int(pool, right) {
                        Some((by, _)) => (left, by),
                        None => return false,
                    },
                    _ => (address, 0),
                };
                let Expr::Address(object) = pool.get(base) else {
                    return false;
                };
                let bytes = u128::from(ty.bytes(prova_ir::DataModel::Lp64));
                if offset + bytes > u128::from(object_size(object)) {
                    return false;
                }
            }
            Expr::Binary { op, right, .. }
                if op.traps_on_zero() && !matches!(as_int(pool, right), Some((v, _)) if v != 0) =>
            {
                return false;
            }
            _ => work.extend(pool.children(id)),
        }
    }
    true
}
