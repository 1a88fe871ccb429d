//! `__sync_…` and `__atomic_…`, which is what `<stdatomic.h>` is made of: programs run on one
//! thread, so these are plain reads and writes.
//!
//! Sums wrap around, also those of signed numbers; pointers are moved by bytes, as gcc has it.
//! What is compared is compared bit by bit, whatever its type. On the processors of our data
//! models a weak exchange does not fail without a reason.

use super::lvalue::{LPlace, Location};
use super::*;
use lang_c::ast::*;

/// What comes before the name of a builtin, and the number of bytes that may come behind it.
fn plain_name(rest: &str) -> (String, bool) {
    for size in ["_1", "_2", "_4", "_8", "_16"] {
        if let Some(short) = rest.strip_suffix(size) {
            let by_value = ["load", "store", "exchange", "compare_exchange"];
            let suffix = if by_value.contains(&short) { "_n" } else { "" };
            return (format!("{short}{suffix}"), true);
        }
    }
    (rest.to_string(), false)
}

/// The operation in `fetch_and_add`, `add_and_fetch`, `fetch_add` or `add_fetch`, and whether the
/// value from before is wanted.
fn operation(rest: &str) -> Option<(&str, bool)> {
    let before = rest
        .strip_prefix("fetch_and_")
        .or(rest.strip_prefix("fetch_"));
    let after = rest
        .strip_suffix("_and_fetch")
        .or(rest.strip_suffix("_fetch"));
    let (name, is_before) = match (before, after) {
        (Some(name), _) => (name, true),
        (None, Some(name)) => (name, false),
        (None, None) => return None,
    };
    let known = ["add", "sub", "and", "or", "xor", "nand"];
    known.contains(&name).then_some((name, is_before))
}

impl<'a> Lowerer<'a> {
    pub fn atomic(
        &mut self,
        name: &'a str,
        rest: &str,
        c: &'a Node<CallExpression>,
    ) -> Result<Option<Value>> {
        let span = c.span;
        let (rest, sized) = plain_name(rest);
        let rest = rest.as_str();
        match rest {
            "synchronize" | "thread_fence" | "signal_fence" => {
                for e in &c.node.arguments {
                    self.effect(e)?;
                }
                return Ok(Some(self.void_value()));
            }
            "always_lock_free" | "is_lock_free" => return self.lock_free(rest, c).map(Some),
            _ => {}
        }
        let values = self.arguments(&c.node.arguments)?;
        let to = values.first().and_then(|v| self.types.pointee(v.ty));
        let (Some(&first), Some(to)) = (values.first(), to) else {
            return self.unknown_atomic(name, span).map(Some);
        };
        self.stand(span);
        let first = Value {
            expr: self.keep(first.expr),
            ..first
        };
        let place = LPlace {
            at: Location::Memory(first.expr),
            ty: to,
        };
        // `__atomic_load_4` takes any pointer to four bytes.
        let scalar = self.types.is_scalar(to.id);
        let wanted_size = name.rsplit('_').next().and_then(|n| n.parse::<u64>().ok());
        if sized && (!scalar || wanted_size != Some(self.size_of(to.id, span)?)) {
            return self.unknown_atomic(name, span).map(Some);
        }
        let second = values.get(1).copied();
        let third = values.get(2).copied();
        Ok(Some(match (rest, second, third) {
            ("load_n", _, _) if scalar => {
                let old = self.read_place(place, span)?;
                let expr = self.keep(old.expr);
                Value { expr, ..old }
            }
            ("store_n", Some(value), _) if scalar => {
                let value = self.convert(value, to.id, span)?;
                self.write_place(place, value, false, span)?;
                self.void_value()
            }
            ("lock_release", _, _) if scalar => {
                let zero = self.int_value(0);
                let zero = self.convert(zero, to.id, span)?;
                self.write_place(place, zero, false, span)?;
                self.void_value()
            }
            ("exchange_n" | "lock_test_and_set", Some(value), _) if scalar => {
                let old = self.read_place(place, span)?;
                let kept = self.keep(old.expr);
                let value = self.convert(value, to.id, span)?;
                self.write_place(place, value, false, span)?;
                Value { expr: kept, ..old }
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", Some(expected), Some(new))
                if scalar =>
            {
                let old = self.read_place(place, span)?;
                let kept = self.keep(old.expr);
                let expected = self.convert(expected, to.id, span)?;
                let new = self.convert(new, to.id, span)?;
                let hit = self.binary(BinaryOp::Eq, kept, expected.expr);
                let hit = self.keep(hit);
                self.if_else(hit, |s| s.write_place(place, new, false, span), |_| Ok(()))?;
                match rest.starts_with("bool") {
                    true => self.truth_of(hit)?,
                    false => Value { expr: kept, ..old },
                }
            }
            ("compare_exchange_n", Some(expected), Some(new)) if scalar => {
                let new = self.convert(new, to.id, span)?;
                let (expr, size) = (self.keep(new.expr), self.size_of(to.id, span)?);
                let align = self.align_of(to.id);
                let object = self.temporary_object(size, align, Some(to.id));
                let address = self.address(object);
                self.store(address, expr);
                self.compare_exchange(first.expr, expected.expr, address, to.id, span)?
            }
            ("compare_exchange", Some(expected), Some(new)) => {
                self.compare_exchange(first.expr, expected.expr, new.expr, to.id, span)?
            }
            ("load", Some(into), _) => {
                self.copy_value(into.expr, first.expr, to.id, span)?;
                self.void_value()
            }
            ("store", Some(from), _) => {
                self.copy_value(first.expr, from.expr, to.id, span)?;
                self.void_value()
            }
            ("exchange", Some(from), Some(into)) => {
                let (size, align) = (self.size_of(to.id, span)?, self.align_of(to.id));
                let object = self.temporary_object(size, align, Some(to.id));
                let between = self.address(object);
                self.copy_value(between, first.expr, to.id, span)?;
                self.copy_value(first.expr, from.expr, to.id, span)?;
                self.copy_value(into.expr, between, to.id, span)?;
                self.void_value()
            }
            ("test_and_set", _, _) => {
                let old = self.load(first.expr, Type::Int(8));
                let old = self.keep(old);
                let one = self.int(1, 8);
                self.store(first.expr, one);
                let set = self.truth(old);
                self.truth_of(set)?
            }
            ("clear", _, _) => {
                let zero = self.int(0, 8);
                self.store(first.expr, zero);
                self.void_value()
            }
            (_, Some(value), _) if scalar && operation(rest).is_some() => {
                let (name, before) = operation(rest).expect("just seen");
                self.fetch_and(name, before, place, value, span)?
            }
            _ => self.unknown_atomic(name, span)?,
        }))
    }

    fn unknown_atomic(&mut self, name: &str, span: CSpan) -> Result<Value> {
        let marker = self.mark(MarkerKind::Builtin(name.to_string()), span);
        let int = self.int_type();
        Ok(self.unmodelled(int, marker))
    }

    /// Whether operations on so many bytes need no lock, which gcc says of up to eight.
    fn lock_free(&mut self, rest: &str, c: &'a Node<CallExpression>) -> Result<Value> {
        let [size, pointer] = &c.node.arguments[..] else {
            return Err(self.error(c.span, "this builtin takes a size and a pointer"));
        };
        let size = self.expr(size)?;
        self.effect(pointer)?;
        let known = fold::as_int(&self.program.exprs, size.expr).map(|v| v.0);
        let truth = match known {
            Some(1 | 2 | 4 | 8) => self.program.exprs.bool(true),
            Some(_) if rest == "always_lock_free" => self.program.exprs.bool(false),
            _ => self.choice("whether an atomic operation needs a lock"),
        };
        self.truth_of(truth)
    }

    /// The `_Bool` that a truth value is.
    fn truth_of(&mut self, truth: ExprId) -> Result<Value> {
        let value = self.truth_value(truth);
        let ty = self.types.make(Ty::Bool);
        self.convert(value, ty, CSpan::none())
    }

    fn if_else<T, U>(
        &mut self,
        condition: ExprId,
        then: impl FnOnce(&mut Self) -> Result<T>,
        otherwise: impl FnOnce(&mut Self) -> Result<U>,
    ) -> Result<()> {
        let (yes, no, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.branch(condition, yes, no);
        self.frame.at = yes;
        then(self)?;
        self.jump(end);
        self.frame.at = no;
        otherwise(self)?;
        self.jump(end);
        self.frame.at = end;
        Ok(())
    }

    /// Copies a value of a type from one place to another.
    fn copy_value(&mut self, to: ExprId, from: ExprId, ty: TypeId, span: CSpan) -> Result<()> {
        if self.types.is_scalar(ty) {
            let ir = self.ir_type(ty, span)?;
            let value = self.load(from, ir);
            self.store(to, value);
        } else {
            let size = self.size_of(ty, span)?;
            self.copy_block(to, from, size, true);
        }
        Ok(())
    }

    /// Stores what `new` points to if the bits are those that `expected` points to; otherwise
    /// tells what they are.
    fn compare_exchange(
        &mut self,
        at: ExprId,
        expected: ExprId,
        new: ExprId,
        ty: TypeId,
        span: CSpan,
    ) -> Result<Value> {
        let size = self.size_of(ty, span)?;
        let expected = self.keep(expected);
        let parts = match self.types.get(self.types.plain(ty)) {
            Ty::Pointer(_) => vec![(0, Type::Ptr)],
            _ => pieces(size),
        };
        let mut hit = self.program.exprs.bool(true);
        for (offset, part) in parts {
            let (a, b) = (self.offset(at, offset), self.offset(expected, offset));
            let (a, b) = (self.load(a, part), self.load(b, part));
            let equal = self.binary(BinaryOp::Eq, a, b);
            hit = self.binary(BinaryOp::And, hit, equal);
        }
        let hit = self.keep(hit);
        self.if_else(
            hit,
            |s| s.copy_value(at, new, ty, span),
            |s| s.copy_value(expected, at, ty, span),
        )?;
        self.truth_of(hit)
    }

    /// `fetch_add` and its like: reads, computes and writes.
    fn fetch_and(
        &mut self,
        name: &str,
        before: bool,
        place: LPlace,
        by: Value,
        span: CSpan,
    ) -> Result<Value> {
        let op = match name {
            "add" => BinaryOperator::Plus,
            "sub" => BinaryOperator::Minus,
            "or" => BinaryOperator::BitwiseOr,
            "xor" => BinaryOperator::BitwiseXor,
            _ => BinaryOperator::BitwiseAnd,
        };
        let old = self.read_place(place, span)?;
        let kept = Value {
            expr: self.keep(old.expr),
            ..old
        };
        let mut operand = kept;
        if self.types.is_pointer(place.ty.id) {
            // By bytes: as a number.
            if matches!(name, "add" | "sub") {
                let char_type = self.types.int(IntKind::Char);
                operand.ty = self.types.pointer(char_type);
            } else {
                let number = self.size_type();
                operand = self.convert(kept, number, span)?;
            }
        }
        self.unchecked += 1;
        let new = self.binary_values(&op, operand, by, span);
        self.unchecked -= 1;
        let mut new = new?;
        if name == "nand" {
            new.expr = self.unary(UnaryOp::Not, new.expr);
        }
        let new = self.convert(new, place.ty.id, span)?;
        let written = self.write_place(place, new, !before, span)?;
        Ok(if before { kept } else { written })
    }
}

/// Integers that make up so many bytes.
fn pieces(size: u64) -> Vec<(u64, Type)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < size {
        let step = [8, 4, 2, 1].into_iter().find(|s| at + s <= size);
        let step = step.expect("a byte fits");
        found.push((at, Type::Int(step as u16 * 8)));
        at += step;
    }
    found
}
