//! Conversions (C11 6.3): every one of them becomes explicit.

use super::*;
use std::cmp::Ordering;

impl<'a> Lowerer<'a> {
    /// The value converted to another scalar type, or to `void`.
    pub fn convert(&mut self, value: Value, to: TypeId, span: CSpan) -> Result<Value> {
        let to = self.types.plain(to);
        if value.ty == to {
            return Ok(value);
        }
        if self.types.is_void(to) {
            return Ok(Value { ty: to, ..value });
        }
        if let (Some(a), Some(b)) = (self.types.record(value.ty), self.types.record(to)) {
            if a == b || self.types.compatible(value.ty, to) {
                return Ok(Value { ty: to, ..value });
            }
        }
        if !self.types.is_scalar(value.ty) || !self.types.is_scalar(to) {
            self.ir_type(value.ty, span)?;
            self.ir_type(to, span)?;
            let message = format!(
                "cannot convert `{}` to `{}`",
                self.types.show(value.ty.into()),
                self.types.show(to.into())
            );
            return Err(self.error(span, message));
        }
        let expr = self.convert_expr(value, to, span)?;
        Ok(Value { expr, ty: to })
    }

    fn convert_expr(&mut self, value: Value, to: TypeId, span: CSpan) -> Result<ExprId> {
        let target = self.ir_type(to, span)?;
        if matches!(self.types.get(to), Ty::Bool) {
            let truth = self.truth(value.expr);
            return Ok(self.cast(CastOp::ZExt, truth, target));
        }
        let signed = self.types.integer(value.ty).is_some_and(IntKind::signed);
        let to_signed = self.types.integer(to).is_some_and(IntKind::signed);
        let from = self.program.exprs.ty(value.expr);
        Ok(match (from, target) {
            (Type::Int(_), Type::Int(w)) => self.resize(value.expr, signed, w),
            (Type::Int(_), Type::Float(_)) => {
                let op = if signed { CastOp::SToF } else { CastOp::UToF };
                self.cast(op, value.expr, target)
            }
            (Type::Float(_), Type::Int(_)) => {
                let op = if to_signed {
                    CastOp::FToS
                } else {
                    CastOp::FToU
                };
                self.cast(op, value.expr, target)
            }
            (Type::Float(a), Type::Float(b)) if a == b => value.expr,
            (Type::Float(_), Type::Float(_)) => self.cast(CastOp::FToF, value.expr, target),
            (Type::Ptr, Type::Int(w)) => {
                let bits = self.pointer_bits();
                let number = self.cast(CastOp::PtrToInt, value.expr, Type::Int(bits));
                // gcc sign-extends pointers to wider integers.
                self.resize(number, true, w)
            }
            (Type::Int(_), Type::Ptr) => {
                let bits = self.pointer_bits();
                let number = self.resize(value.expr, signed, bits);
                self.cast(CastOp::IntToPtr, number, Type::Ptr)
            }
            (Type::Ptr, Type::Ptr) => value.expr,
            _ => {
                let message = format!(
                    "cannot convert `{}` to `{}`",
                    self.types.show(value.ty.into()),
                    self.types.show(to.into())
                );
                return Err(self.error(span, message));
            }
        })
    }

    /// An integer of another width.
    pub fn resize(&mut self, expr: ExprId, signed: bool, width: u16) -> ExprId {
        let Type::Int(from) = self.program.exprs.ty(expr) else {
            return expr;
        };
        match from.cmp(&width) {
            Ordering::Equal => expr,
            Ordering::Greater => self.cast(CastOp::Trunc, expr, Type::Int(width)),
            Ordering::Less => {
                let op = if signed { CastOp::SExt } else { CastOp::ZExt };
                self.cast(op, expr, Type::Int(width))
            }
        }
    }

    /// The type an integer has after promotion (C11 6.3.1.1 §2).
    pub fn promoted(&mut self, ty: TypeId) -> TypeId {
        match self.types.integer(ty) {
            Some(kind) if kind.rank() < IntKind::Int.rank() => self.int_type(),
            Some(kind) => self.types.int(kind),
            None => self.types.plain(ty),
        }
    }

    pub fn promote(&mut self, value: Value, span: CSpan) -> Result<Value> {
        let to = self.promoted(value.ty);
        self.convert(value, to, span)
    }

    /// The usual arithmetic conversions' type (C11 6.3.1.8).
    pub fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if let (None, None) = (self.types.float(a), self.types.float(b)) {
            let (a, b) = (self.promoted(a), self.promoted(b));
            let (Some(x), Some(y)) = (self.types.integer(a), self.types.integer(b)) else {
                return a;
            };
            let field = |k| matches!(k, IntKind::Field { .. });
            let kind = if field(x) || field(y) {
                // gcc: the wider one; the unsigned one of two that are as wide.
                match self.int_bits(x).cmp(&self.int_bits(y)) {
                    Ordering::Greater => x,
                    Ordering::Less => y,
                    Ordering::Equal if x.signed() => y,
                    Ordering::Equal => x,
                }
            } else if x.signed() == y.signed() {
                if x.rank() >= y.rank() {
                    x
                } else {
                    y
                }
            } else {
                let (s, u) = if x.signed() { (x, y) } else { (y, x) };
                if u.rank() >= s.rank() {
                    u
                } else if self.int_bits(s) > self.int_bits(u) {
                    s
                } else {
                    s.unsigned()
                }
            };
            return self.types.int(kind);
        }
        let kind = self.types.float(a).max(self.types.float(b));
        let kind = kind.expect("one of them is a float");
        self.types.make(Ty::Float(kind))
    }

    /// What a value becomes when no parameter type says otherwise (C11 6.5.2.2 §6).
    pub fn default_promotion(&mut self, value: Value, span: CSpan) -> Result<Value> {
        if self.types.float(value.ty) == Some(FloatKind::F32) {
            let double = self.types.make(Ty::Float(FloatKind::F64));
            return self.convert(value, double, span);
        }
        if let Some(IntKind::Field { signed, .. }) = self.types.integer(value.ty) {
            let kind = match signed {
                true => IntKind::LongLong,
                false => IntKind::ULongLong,
            };
            let wide = self.types.int(kind);
            return self.convert(value, wide, span);
        }
        self.promote(value, span)
    }

    /// Conversion as if by assignment, with warnings where C asks for a cast.
    pub fn convert_for_assignment(
        &mut self,
        value: Value,
        to: TypeId,
        span: CSpan,
    ) -> Result<Value> {
        if let Some(record) = self.types.record(to) {
            // A transparent union takes a value of any of its members.
            if self.types.is_scalar(value.ty) {
                let fields = self.types.records[record.0 as usize].fields.clone();
                if let (true, Some(fields)) = (self.types.records[record.0 as usize].union, fields)
                {
                    for field in fields.iter() {
                        if self.types.is_pointer(field.ty.id) == self.types.is_pointer(value.ty)
                            && self.types.is_scalar(field.ty.id)
                        {
                            let inner = self.convert(value, field.ty.id, span)?;
                            let size = self.size_of(to, span)?;
                            let align = self.align_of(to);
                            let object = self.temporary_object(size, align, Some(to));
                            let expr = self.address(object);
                            self.store(expr, inner.expr);
                            return Ok(Value { expr, ty: to });
                        }
                    }
                }
            }
        }
        let pointer = self.types.is_pointer(to);
        let from_pointer = self.types.is_pointer(value.ty);
        let integer = self.types.integer(value.ty).is_some();
        if pointer && integer && !fold::is_constant(&self.program.exprs, value.expr) {
            self.warn(span, "an integer is made a pointer without a cast");
        } else if from_pointer
            && self.types.integer(to).is_some()
            && !matches!(self.types.get(to), Ty::Bool)
        {
            self.warn(span, "a pointer is made an integer without a cast");
        }
        self.convert(value, to, span)
    }
}
