//! Unary and binary operators, assignments among them (C11 6.5.3, 6.5.5–6.5.16).

use super::lvalue::{LPlace, Location};
use super::order::Operand;
use super::*;
use lang_c::ast::*;

/// The operation of a compound assignment.
fn compound_operator(op: &BinaryOperator) -> Option<BinaryOperator> {
    use BinaryOperator::*;
    Some(match op {
        AssignMultiply => Multiply,
        AssignDivide => Divide,
        AssignModulo => Modulo,
        AssignPlus => Plus,
        AssignMinus => Minus,
        AssignShiftLeft => ShiftLeft,
        AssignShiftRight => ShiftRight,
        AssignBitwiseAnd => BitwiseAnd,
        AssignBitwiseXor => BitwiseXor,
        AssignBitwiseOr => BitwiseOr,
        _ => return None,
    })
}

impl<'a> Lowerer<'a> {
    pub fn unary_expr(
        &mut self,
        u: &'a Node<UnaryOperatorExpression>,
        wanted: bool,
    ) -> Result<Value> {
        use UnaryOperator::*;
        let operand = &u.node.operand;
        match u.node.operator.node {
            PostIncrement => self.step(operand, true, true, wanted, u.span),
            PostDecrement => self.step(operand, false, true, wanted, u.span),
            PreIncrement => self.step(operand, true, false, wanted, u.span),
            PreDecrement => self.step(operand, false, false, wanted, u.span),
            Address => self.address_of(operand, u.span),
            Indirection => {
                let pointer = self.expr(operand)?;
                let place = self.dereference(pointer, u.span)?;
                self.read_place(place, u.span)
            }
            Plus => {
                let value = self.arithmetic_operand(operand)?;
                self.promote(value, u.span)
            }
            Minus => {
                let value = self.arithmetic_operand(operand)?;
                let value = self.promote(value, u.span)?;
                let op = match self.program.exprs.ty(value.expr) {
                    Type::Float(_) => UnaryOp::FNeg,
                    _ => UnaryOp::Neg,
                };
                self.check_negation(value.expr, value.ty, u.span);
                let expr = self.unary(op, value.expr);
                Ok(Value { expr, ..value })
            }
            Complement => {
                let value = self.expr(operand)?;
                if self.types.integer(value.ty).is_none() {
                    return Err(self.error(operand.span, "`~` needs an integer"));
                }
                let value = self.promote(value, u.span)?;
                let expr = self.unary(UnaryOp::Not, value.expr);
                Ok(Value { expr, ..value })
            }
            Negate => {
                let value = self.expr(operand)?;
                self.ir_type(value.ty, operand.span)?;
                let truth = self.truth(value.expr);
                let not = fold::negate(&mut self.program.exprs, truth);
                Ok(self.truth_value(not))
            }
        }
    }

    fn arithmetic_operand(&mut self, e: &'a Node<Expression>) -> Result<Value> {
        let value = self.expr(e)?;
        if self.types.is_arithmetic(value.ty) {
            return Ok(value);
        }
        self.ir_type(value.ty, e.span)?;
        Err(self.error(e.span, "a number is needed here"))
    }

    fn address_of(&mut self, operand: &'a Node<Expression>, span: CSpan) -> Result<Value> {
        self.one_past = matches!(&operand.node, Expression::BinaryOperator(b)
            if b.node.operator.node == BinaryOperator::Index);
        let place = self.lvalue(operand)?;
        match place.at {
            Location::Memory(expr) => {
                let ty = self.types.pointer(place.ty);
                Ok(Value { expr, ty })
            }
            Location::Bits(..) => Err(self.error(span, "a bit-field has no address")),
            Location::Register(reg) => {
                // Only where nothing is evaluated (`sizeof &x` in a file-scope scan) can a
                // register's address be asked for.
                let name = self.program.register(reg).c_name.clone();
                Err(self.error(span, format!("`{name}` has no address here")))
            }
        }
    }

    /// `++` and `--`.
    fn step(
        &mut self,
        operand: &'a Node<Expression>,
        up: bool,
        post: bool,
        wanted: bool,
        span: CSpan,
    ) -> Result<Value> {
        let place = self.lvalue(operand)?;
        self.check_modifiable(place, operand.span)?;
        self.stand(span);
        let mut old = self.read_place(place, span)?;
        if post && wanted {
            old.expr = self.keep(old.expr);
        }
        let one = self.int_value(1);
        let new = if self.types.is_pointer(old.ty) {
            self.pointer_add(old, one, !up, span)?
        } else {
            let op = if up {
                BinaryOperator::Plus
            } else {
                BinaryOperator::Minus
            };
            self.arithmetic(&op, old, one, span)?
        };
        let new = self.convert(new, place.ty.id, span)?;
        let written = self.write_place(place, new, wanted && !post, span)?;
        Ok(if post { old } else { written })
    }

    pub fn binary_expr(
        &mut self,
        b: &'a Node<BinaryOperatorExpression>,
        e: &'a Node<Expression>,
        wanted: bool,
    ) -> Result<Value> {
        use BinaryOperator::*;
        if let Some(value) = self.compared_objects(b)? {
            return Ok(value);
        }
        let op = &b.node.operator.node;
        match op {
            Index => {
                let place = self.lvalue(e)?;
                self.read_place(place, e.span)
            }
            LogicalAnd | LogicalOr => self.logical(b),
            Assign => self.assignment(b, wanted),
            _ => {
                if let Some(inner) = compound_operator(op) {
                    return self.compound_assignment(b, inner, wanted);
                }
                let effects = Effects::of(&b.node.rhs);
                let settled = self.in_any_order(&[Operand::Value(e)], e.span)?;
                let mut left = self.expr(&b.node.lhs)?;
                left.expr = self.keep_from(left.expr, &effects);
                let right = self.expr(&b.node.rhs)?;
                self.ordered_done(settled);
                self.binary_values(op, left, right, e.span)
            }
        }
    }

    /// `&&` and `||` as a value: one strict expression where the right operand is plain.
    fn logical(&mut self, b: &'a Node<BinaryOperatorExpression>) -> Result<Value> {
        let and = b.node.operator.node == BinaryOperator::LogicalAnd;
        let left = self.expr(&b.node.lhs)?;
        self.ir_type(left.ty, b.node.lhs.span)?;
        let a = self.truth(left.expr);
        if let Some((value, _)) = fold::as_int(&self.program.exprs, a) {
            if (value == 0) == and {
                // The right operand is not evaluated, but must make sense.
                self.aside(|s| s.expr(&b.node.rhs))?;
                return Ok(self.int_value(i128::from(!and)));
            }
        }
        let fork = self.frame.at;
        let start = self.new_location();
        let count = self.frame.body.edges.len();
        self.frame.at = start;
        let right = self.expr(&b.node.rhs)?;
        self.ir_type(right.ty, b.node.rhs.span)?;
        let c = self.truth(right.expr);
        let constant = fold::as_int(&self.program.exprs, a).is_some();
        let plain = self.frame.body.edges.len() == count;
        if plain && (constant || self.harmless(c)) {
            self.frame.at = fork;
            if constant {
                return Ok(self.truth_value(c));
            }
            let op = if and { BinaryOp::And } else { BinaryOp::Or };
            let both = match fold::as_int(&self.program.exprs, c) {
                Some((v, _)) if (v != 0) == and => a,
                Some((v, _)) => self.program.exprs.bool(v != 0),
                None => self.binary(op, a, c),
            };
            return Ok(self.truth_value(both));
        }
        let target = self.temporary(Type::Int(32));
        self.stand(b.span);
        let one = self.cast(CastOp::ZExt, c, Type::Int(32));
        self.assign(target, one);
        let end = self.new_location();
        self.jump(end);
        let other = self.new_location();
        self.frame.at = fork;
        if and {
            self.branch(a, start, other);
        } else {
            self.branch(a, other, start);
        }
        self.frame.at = other;
        let settled = self.int(u128::from(!and), 32);
        self.assign(target, settled);
        self.jump(end);
        self.frame.at = end;
        Ok(Value {
            expr: self.program.read(target),
            ty: self.int_type(),
        })
    }

    fn assignment(&mut self, b: &'a Node<BinaryOperatorExpression>, wanted: bool) -> Result<Value> {
        let effects = Effects::of(&b.node.rhs);
        self.check_assigned(&b.node.lhs, &b.node.rhs, b.span);
        let operands = [Operand::Place(&b.node.lhs), Operand::Value(&b.node.rhs)];
        let settled = self.in_any_order(&operands, b.span)?;
        let place = self.lvalue(&b.node.lhs)?;
        self.check_modifiable(place, b.node.lhs.span)?;
        let place = self.keep_place(place, &effects);
        let value = self.expr(&b.node.rhs)?;
        self.ordered_done(settled);
        let value = self.convert_for_assignment(value, place.ty.id, b.node.rhs.span)?;
        self.stand(b.span);
        self.write_place(place, value, wanted, b.span)
    }

    fn keep_place(&mut self, place: LPlace, effects: &Effects<'_>) -> LPlace {
        let at = match place.at {
            Location::Memory(address) => Location::Memory(self.keep_from(address, effects)),
            Location::Bits(address, bits) => Location::Bits(self.keep_from(address, effects), bits),
            register => register,
        };
        LPlace { at, ..place }
    }

    fn compound_assignment(
        &mut self,
        b: &'a Node<BinaryOperatorExpression>,
        op: BinaryOperator,
        wanted: bool,
    ) -> Result<Value> {
        let (place, left, right) = self.compound_operands(b)?;
        self.check_modifiable(place, b.node.lhs.span)?;
        let result = self.binary_values(&op, left, right, b.span)?;
        let result = self.convert(result, place.ty.id, b.span)?;
        self.stand(b.span);
        self.write_place(place, result, wanted, b.span)
    }

    /// A binary operation on values.
    pub fn binary_values(
        &mut self,
        op: &BinaryOperator,
        left: Value,
        right: Value,
        span: CSpan,
    ) -> Result<Value> {
        use BinaryOperator::*;
        let pointers = (
            self.types.is_pointer(left.ty),
            self.types.is_pointer(right.ty),
        );
        match (op, pointers) {
            (Plus, (true, false)) => self.pointer_add(left, right, false, span),
            (Plus, (false, true)) => self.pointer_add(right, left, false, span),
            (Minus, (true, false)) => self.pointer_add(left, right, true, span),
            (Minus, (true, true)) => self.pointer_difference(left, right, span),
            (
                Less | Greater | LessOrEqual | GreaterOrEqual | Equals | NotEquals,
                (true, _) | (_, true),
            ) => self.pointer_comparison(op, left, right, span),
            _ => self.arithmetic(op, left, right, span),
        }
    }

    fn pointer_comparison(
        &mut self,
        op: &BinaryOperator,
        left: Value,
        right: Value,
        span: CSpan,
    ) -> Result<Value> {
        use BinaryOperator::*;
        let pointer = if self.types.is_pointer(left.ty) {
            left.ty
        } else {
            right.ty
        };
        let a = self.convert(left, pointer, span)?.expr;
        let b = self.convert(right, pointer, span)?.expr;
        let truth = match op {
            Less => self.binary(BinaryOp::ULt, a, b),
            Greater => self.binary(BinaryOp::ULt, b, a),
            LessOrEqual => self.binary(BinaryOp::ULe, a, b),
            GreaterOrEqual => self.binary(BinaryOp::ULe, b, a),
            Equals => self.binary(BinaryOp::Eq, a, b),
            _ => self.binary(BinaryOp::Ne, a, b),
        };
        Ok(self.truth_value(truth))
    }

    /// A pointer moved by elements.
    pub fn pointer_add(
        &mut self,
        pointer: Value,
        by: Value,
        back: bool,
        span: CSpan,
    ) -> Result<Value> {
        let Some(to) = self.types.pointee(pointer.ty) else {
            let shown = self.types.show(pointer.ty.into());
            return Err(self.error(span, format!("`{shown}` is not a pointer")));
        };
        let Some(kind) = self.types.integer(by.ty) else {
            return Err(self.error(span, "a pointer is moved by an integer"));
        };
        let size = self.size_expr(to.id, span)?;
        let bits = self.pointer_bits();
        let count = self.resize(by.expr, kind.signed(), bits);
        self.check_stride(count, size, span);
        let mut bytes = self.binary(BinaryOp::Mul, count, size);
        if back {
            bytes = self.unary(UnaryOp::Neg, bytes);
        }
        let expr = self.binary(BinaryOp::PtrAdd, pointer.expr, bytes);
        Ok(Value { expr, ..pointer })
    }

    fn pointer_difference(&mut self, left: Value, right: Value, span: CSpan) -> Result<Value> {
        let to = self
            .types
            .pointee(left.ty)
            .expect("checked to be a pointer");
        let size = self.size_expr(to.id, span)?;
        let ty = self.difference_type();
        let bits = self.pointer_bits();
        // Two places in one object: their distance is known.
        let pool = &self.program.exprs;
        let split = |id: ExprId| match pool.get(id) {
            Expr::Binary {
                op: BinaryOp::PtrAdd,
                left,
                right,
            } => (left, fold::as_int(pool, right).map(|v| v.0)),
            _ => (id, Some(0)),
        };
        let bytes = match (split(left.expr), split(right.expr)) {
            ((a, Some(x)), (b, Some(y))) if a == b => self.int(x.wrapping_sub(y), bits),
            _ => {
                let a = self.cast(CastOp::PtrToInt, left.expr, Type::Int(bits));
                let b = self.cast(CastOp::PtrToInt, right.expr, Type::Int(bits));
                self.binary(BinaryOp::Sub, a, b)
            }
        };
        let expr = match fold::as_int(&self.program.exprs, size) {
            Some((n, _)) if n.is_power_of_two() => {
                let by = self.int(u128::from(n.trailing_zeros()), bits);
                if n == 1 {
                    bytes
                } else {
                    self.binary(BinaryOp::AShr, bytes, by)
                }
            }
            _ => self.binary(BinaryOp::SDiv, bytes, size),
        };
        Ok(Value { expr, ty })
    }

    /// Arithmetic on numbers, with the usual conversions.
    pub fn arithmetic(
        &mut self,
        op: &BinaryOperator,
        left: Value,
        right: Value,
        span: CSpan,
    ) -> Result<Value> {
        use BinaryOperator::*;
        if !self.types.is_arithmetic(left.ty) || !self.types.is_arithmetic(right.ty) {
            for value in [left, right] {
                if !self.types.is_arithmetic(value.ty) {
                    self.ir_type(value.ty, span)?;
                }
            }
            let message = format!(
                "this operator does not take `{}` and `{}`",
                self.types.show(left.ty.into()),
                self.types.show(right.ty.into())
            );
            return Err(self.error(span, message));
        }
        if matches!(op, ShiftLeft | ShiftRight) {
            return self.shift(op, left, right, span);
        }
        let ty = self.common_type(left.ty, right.ty);
        let a = self.convert(left, ty, span)?.expr;
        let b = self.convert(right, ty, span)?.expr;
        let float = self.types.float(ty).is_some();
        let signed = self.types.integer(ty).is_some_and(IntKind::signed);
        let (op, a, b) = match (op, float) {
            (Plus, false) => (BinaryOp::Add, a, b),
            (Minus, false) => (BinaryOp::Sub, a, b),
            (Multiply, false) => (BinaryOp::Mul, a, b),
            (Divide, false) if signed => (BinaryOp::SDiv, a, b),
            (Divide, false) => (BinaryOp::UDiv, a, b),
            (Modulo, false) if signed => (BinaryOp::SRem, a, b),
            (Modulo, false) => (BinaryOp::URem, a, b),
            (BitwiseAnd, false) => (BinaryOp::And, a, b),
            (BitwiseOr, false) => (BinaryOp::Or, a, b),
            (BitwiseXor, false) => (BinaryOp::Xor, a, b),
            (Less, false) if signed => (BinaryOp::SLt, a, b),
            (Less, false) => (BinaryOp::ULt, a, b),
            (Greater, false) if signed => (BinaryOp::SLt, b, a),
            (Greater, false) => (BinaryOp::ULt, b, a),
            (LessOrEqual, false) if signed => (BinaryOp::SLe, a, b),
            (LessOrEqual, false) => (BinaryOp::ULe, a, b),
            (GreaterOrEqual, false) if signed => (BinaryOp::SLe, b, a),
            (GreaterOrEqual, false) => (BinaryOp::ULe, b, a),
            (Equals, false) => (BinaryOp::Eq, a, b),
            (NotEquals, false) => (BinaryOp::Ne, a, b),
            (Plus, true) => (BinaryOp::FAdd, a, b),
            (Minus, true) => (BinaryOp::FSub, a, b),
            (Multiply, true) => (BinaryOp::FMul, a, b),
            (Divide, true) => (BinaryOp::FDiv, a, b),
            (Less, true) => (BinaryOp::FLt, a, b),
            (Greater, true) => (BinaryOp::FLt, b, a),
            (LessOrEqual, true) => (BinaryOp::FLe, a, b),
            (GreaterOrEqual, true) => (BinaryOp::FLe, b, a),
            (Equals, true) => (BinaryOp::FEq, a, b),
            (NotEquals, true) => (BinaryOp::FNe, a, b),
            _ => return Err(self.error(span, "this operator needs integers")),
        };
        self.check_arithmetic(op, a, b, ty, span);
        let expr = self.binary(op, a, b);
        if op.is_comparison() {
            return Ok(self.truth_value(expr));
        }
        Ok(Value { expr, ty })
    }

    fn shift(
        &mut self,
        op: &BinaryOperator,
        left: Value,
        right: Value,
        span: CSpan,
    ) -> Result<Value> {
        let left = self.promote(left, span)?;
        let right = self.promote(right, span)?;
        let (Some(kind), Some(by)) = (self.types.integer(left.ty), self.types.integer(right.ty))
        else {
            return Err(self.error(span, "a shift needs integers"));
        };
        // A wider amount must not lose its high bits: anything beyond the width is "too far".
        let width = self.int_bits(kind);
        let mut amount = right.expr;
        if self.int_bits(by) > width {
            let wide = self.int_bits(by);
            let limit = self.int(u128::from(width), wide);
            let small = self.binary(BinaryOp::ULt, amount, limit);
            amount = fold::ite(&mut self.program.exprs, small, amount, limit);
            amount = self.resize(amount, false, width);
        } else {
            amount = self.resize(amount, by.signed(), width);
        }
        let to_left = *op == BinaryOperator::ShiftLeft;
        self.check_shift(to_left, left.expr, left.ty, right, amount, span);
        let op = match (op, kind.signed()) {
            (BinaryOperator::ShiftLeft, _) => BinaryOp::Shl,
            (_, true) => BinaryOp::AShr,
            (_, false) => BinaryOp::LShr,
        };
        let expr = self.binary(op, left.expr, amount);
        Ok(Value { expr, ty: left.ty })
    }
}
