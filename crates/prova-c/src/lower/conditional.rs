//! `a ? b : c` and `a ?: c` (C11 6.5.15).

use super::expr::is_same_marker;
use super::*;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    /// `a ? b : c` (C11 6.5.15). Where both arms are plain and cannot trap it is one expression.
    pub fn conditional(&mut self, c: &'a Node<ConditionalExpression>) -> Result<Value> {
        if is_same_marker(&c.node.then_expression) {
            return self.elvis(c);
        }
        let (yes, no) = (self.new_location(), self.new_location());
        // A plain condition gives a truth value; short-circuits give edges.
        let short = matches!(&c.node.condition.node, Expression::BinaryOperator(b)
            if matches!(b.node.operator.node, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr));
        let mut truth = None;
        if short {
            let (value, clean) = self.aside(|s| s.expr(&c.node.condition))?;
            if clean {
                truth = Some(self.truth(value.expr));
            } else {
                self.decision(&c.node.condition, yes, no)?;
            }
        } else {
            let value = self.expr(&c.node.condition)?;
            self.ir_type(value.ty, c.node.condition.span)?;
            truth = Some(self.truth(value.expr));
        }
        let fork = self.frame.at;
        let count = self.frame.body.edges.len();
        self.frame.at = yes;
        let a = self.expr(&c.node.then_expression)?;
        let yes_end = self.frame.at;
        self.frame.at = no;
        let b = self.expr(&c.node.else_expression)?;
        let no_end = self.frame.at;
        let plain = self.frame.body.edges.len() == count;
        let ty = self.conditional_type(a, b, c.span)?;
        // A constant condition takes its arm alone, so that the other may divide by zero.
        if let Some(t) = truth {
            if let Some((chosen, _)) = fold::as_int(&self.program.exprs, t) {
                self.frame.at = fork;
                self.branch(t, yes, no);
                let (value, end) = if chosen != 0 {
                    (a, yes_end)
                } else {
                    (b, no_end)
                };
                if plain {
                    // Undo the skip edge: nothing was emitted in the arms.
                    self.frame.body.edges.pop();
                    self.frame.at = fork;
                } else {
                    self.frame.at = end;
                }
                return self.convert(value, ty, c.span);
            }
        }
        if self.types.is_void(ty) {
            self.join_arms(truth, fork, (yes, yes_end), (no, no_end));
            return Ok(self.void_value());
        }
        let record = self.types.record(ty).is_some();
        let convert = |s: &mut Self, v| {
            if record {
                Ok(v)
            } else {
                s.convert(v, ty, c.span)
            }
        };
        if let (Some(t), true) = (truth, plain) {
            let (a, b) = (convert(self, a)?, convert(self, b)?);
            if self.harmless(a.expr) && self.harmless(b.expr) {
                self.frame.at = fork;
                let expr = fold::ite(&mut self.program.exprs, t, a.expr, b.expr);
                return Ok(Value { expr, ty });
            }
        }
        self.stand(c.span);
        let ir = if record {
            Type::Ptr
        } else {
            self.ir_type(ty, c.span)?
        };
        let target = self.temporary(ir);
        self.frame.at = yes_end;
        let a = convert(self, a)?;
        self.assign(target, a.expr);
        let yes_end = self.frame.at;
        self.frame.at = no_end;
        let b = convert(self, b)?;
        self.assign(target, b.expr);
        let no_end = self.frame.at;
        self.join_arms(truth, fork, (yes, yes_end), (no, no_end));
        Ok(Value {
            expr: self.program.read(target),
            ty,
        })
    }

    fn join_arms(
        &mut self,
        truth: Option<ExprId>,
        fork: LocId,
        yes: (LocId, LocId),
        no: (LocId, LocId),
    ) {
        if let Some(t) = truth {
            self.frame.at = fork;
            self.branch(t, yes.0, no.0);
        }
        let end = self.new_location();
        self.frame.at = yes.1;
        self.jump(end);
        self.frame.at = no.1;
        self.jump(end);
        self.frame.at = end;
    }

    /// `a ?: c`, where the parser was given a name for the missing operand.
    fn elvis(&mut self, c: &'a Node<ConditionalExpression>) -> Result<Value> {
        let mut a = self.expr(&c.node.condition)?;
        a.expr = self.keep(a.expr);
        let truth = self.truth(a.expr);
        let (yes, no) = (self.new_location(), self.new_location());
        let fork = self.frame.at;
        self.frame.at = no;
        let b = self.expr(&c.node.else_expression)?;
        let ty = self.conditional_type(a, b, c.span)?;
        let ir = self.ir_type(ty, c.span)?;
        let target = self.temporary(ir);
        let b = self.convert(b, ty, c.span)?;
        self.assign(target, b.expr);
        let no_end = self.frame.at;
        self.frame.at = yes;
        let a = self.convert(a, ty, c.span)?;
        self.assign(target, a.expr);
        let yes_end = self.frame.at;
        self.join_arms(Some(truth), fork, (yes, yes_end), (no, no_end));
        Ok(Value {
            expr: self.program.read(target),
            ty,
        })
    }

    fn conditional_type(&mut self, a: Value, b: Value, span: CSpan) -> Result<TypeId> {
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Ok(self.common_type(a.ty, b.ty));
        }
        if self.types.is_void(a.ty) || self.types.is_void(b.ty) {
            return Ok(self.types.void());
        }
        if self.types.record(a.ty).is_some() && self.types.compatible(a.ty, b.ty) {
            return Ok(a.ty);
        }
        match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(x), Some(y)) => {
                let null = |s: &Self, v: Value, to: QType| {
                    s.types.is_void(to.id) && s.program.exprs.get(v.expr) == Expr::Pointer(0)
                };
                let mut to = if null(self, a, x) {
                    y
                } else if null(self, b, y) || !self.types.is_void(y.id) {
                    x
                } else {
                    y
                };
                to.constant = x.constant || y.constant;
                to.volatile = x.volatile || y.volatile;
                Ok(self.types.pointer(to))
            }
            (Some(_), None) if self.types.integer(b.ty).is_some() => Ok(a.ty),
            (None, Some(_)) if self.types.integer(a.ty).is_some() => Ok(b.ty),
            _ => {
                let message = format!(
                    "the two arms have unrelated types, `{}` and `{}`",
                    self.types.show(a.ty.into()),
                    self.types.show(b.ty.into())
                );
                Err(self.error(span, message))
            }
        }
    }
}
