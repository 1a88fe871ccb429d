//! `__sync_…` and `__atomic_…`: programs run on one thread, so these are plain reads and writes.

use super::*;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    pub fn atomic(
        &mut self,
        name: &'a str,
        rest: &str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        let span = c.span;
        if matches!(rest, "synchronize" | "thread_fence" | "signal_fence") {
            for e in &c.node.arguments {
                self.effect(e)?;
            }
            return Ok(Some(self.void_value()));
        }
        let values = self.arguments(&c.node.arguments)?;
        let Some(first) = values.first().copied() else {
            return Ok(None);
        };
        let Some(to) = self.types.pointee(first.ty) else {
            return Ok(None);
        };
        if !self.types.is_scalar(to.id) && rest != "clear" && rest != "test_and_set" {
            return Ok(None);
        }
        self.stand(span);
        let place = self.memory(first.expr, to.id);
        let second = values.get(1).copied();
        let result = match (rest, second) {
            ("load_n", _) => {
                let old = self.read_place(place, span)?;
                Value {
                    expr: self.keep(old.expr),
                    ..old
                }
            }
            ("store_n", Some(value)) => {
                let value = self.convert(value, to.id, span)?;
                self.write_place(place, value, false, span)?;
                self.void_value()
            }
            ("lock_release", _) => {
                let zero = self.int_value(0);
                let zero = self.convert(zero, to.id, span)?;
                self.write_place(place, zero, false, span)?;
                self.void_value()
            }
            ("exchange_n" | "lock_test_and_set", Some(value)) => {
                let old = self.read_place(place, span)?;
                let kept = self.keep(old.expr);
                let value = self.convert(value, to.id, span)?;
                self.write_place(place, value, false, span)?;
                Value { expr: kept, ..old }
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", Some(expected)) => {
                let Some(&new) = values.get(2) else {
                    return Ok(None);
                };
                let old = self.read_place(place, span)?;
                let kept = self.keep(old.expr);
                let expected = self.convert(expected, to.id, span)?;
                let new = self.convert(new, to.id, span)?;
                let hit = self.compare_and_store(place, kept, expected.expr, new, span)?;
                if rest.starts_with("bool") {
                    self.truth_value(hit)
                } else {
                    Value { expr: kept, ..old }
                }
            }
            ("compare_exchange_n", Some(expected)) => {
                let Some(&new) = values.get(2) else {
                    return Ok(None);
                };
                let wanted_place = self.memory(expected.expr, to.id);
                let old = self.read_place(place, span)?;
                let kept = self.keep(old.expr);
                let wanted = self.read_place(wanted_place, span)?;
                let wanted = self.keep(wanted.expr);
                let new = self.convert(new, to.id, span)?;
                let hit = self.compare_and_store(place, kept, wanted, new, span)?;
                let seen = Value { expr: kept, ..old };
                self.write_place(wanted_place, seen, false, span)?;
                self.truth_value(hit)
            }
            (_, Some(value)) => {
                let (before, operation) = match rest.strip_prefix("fetch_and_") {
                    Some(op) => (true, op),
                    None => match (rest.strip_prefix("fetch_"), rest.strip_suffix("_and_fetch")) {
                        (Some(op), _) => (true, op),
                        (_, Some(op)) => (false, op),
                        _ => match rest.strip_suffix("_fetch") {
                            Some(op) => (false, op),
                            None => return Ok(None),
                        },
                    },
                };
                let op = match operation {
                    "add" => BinaryOperator::Plus,
                    "sub" => BinaryOperator::Minus,
                    "and" | "nand" => BinaryOperator::BitwiseAnd,
                    "or" => BinaryOperator::BitwiseOr,
                    "xor" => BinaryOperator::BitwiseXor,
                    _ => return Ok(None),
                };
                let old = self.read_place(place, span)?;
                let kept = Value {
                    expr: self.keep(old.expr),
                    ..old
                };
                let mut new = self.binary_values(&op, kept, value, span)?;
                if operation == "nand" {
                    new.expr = self.unary(UnaryOp::Not, new.expr);
                }
                let new = self.convert(new, to.id, span)?;
                let written = self.write_place(place, new, !before, span)?;
                if before {
                    kept
                } else {
                    written
                }
            }
            _ => {
                let marker = self.mark(MarkerKind::Builtin(name.to_string()), span);
                let int = self.int_type();
                self.unmodelled(int, marker)
            }
        };
        Ok(Some(result))
    }

    /// Stores `new` where `old` is what was expected; whether it was.
    fn compare_and_store(
        &mut self,
        place: super::lvalue::LPlace,
        old: ExprId,
        expected: ExprId,
        new: Value,
        span: CSpan,
    ) -> Result<ExprId> {
        let op = match self.program.exprs.ty(old) {
            Type::Float(_) => BinaryOp::FEq,
            _ => BinaryOp::Eq,
        };
        let expected = self.keep(expected);
        let hit = self.binary(op, old, expected);
        let (yes, no) = (self.new_location(), self.new_location());
        self.branch(hit, yes, no);
        self.frame.at = yes;
        self.write_place(place, new, false, span)?;
        self.jump(no);
        self.frame.at = no;
        Ok(hit)
    }
}
