//! What C asks of operations, as branches to error locations (`Options::checks`). Each names its
//! property; `prova-spec` keeps those that are checked and drops the rest.
//!
//! | property | C11 |
//! |---|---|
//! | `no-overflow` | 6.5 §5 for `+ - * / %`, unary `-`; 6.5.7 §4 for `<<` of signed values |
//! | `no-div-zero` | 6.5.5 §5 |
//! | `no-shift-error` | 6.5.7 §3 |
//! | `valid-deref` | 6.5.6 §8 for arrays inside of objects; the rest is `prova-spec`'s |
//!
//! Operations are checked at the type they are computed in, after promotion; conversions are
//! never overflows (6.3.1.3). What ranges of the operands rule out gets no branch.

use super::*;
use crate::range::{range, Range};

/// Models whose own arithmetic is the caller's: the library leaves it undefined, too.
const OPEN_MODELS: [&str; 6] = ["abs", "labs", "llabs", "imaxabs", "div", "ldiv"];

/// More of an expression's text is not shown.
const LONGEST_EXCERPT: usize = 60;

fn minimum(width: u16) -> i128 {
    i128::MIN >> (128 - width)
}

fn maximum(width: u16) -> i128 {
    i128::MAX >> (128 - width)
}

impl<'a> Lowerer<'a> {
    /// Whether operations of the function at hand are checked.
    fn checking(&self) -> bool {
        self.checks
            && self.unchecked == 0
            && self.frame.proc.is_some()
            && (self.unit < self.first_model || OPEN_MODELS.contains(&self.frame.name))
    }

    /// Whether the operation at hand is one of the program's own that runs, checked or not.
    fn runs(&self) -> bool {
        self.unchecked == 0 && self.frame.proc.is_some() && self.unit < self.first_model
    }

    /// Runs something whose edges are thrown away and whose operations need no check: constant
    /// expressions.
    pub fn unchecked_aside<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, bool)> {
        self.unchecked += 1;
        let result = self.aside(run);
        self.unchecked -= 1;
        result
    }

    /// Where `ok` does not hold, `property` is broken.
    fn check(&mut self, property: &str, ok: ExprId, message: String, span: CSpan) {
        if matches!(fold::as_int(&self.program.exprs, ok), Some((1, _))) {
            return;
        }
        let message = match self.unit < self.first_model {
            true => message,
            false => format!("{message} in `{}`", self.frame.name),
        };
        let here = self.frame.here;
        self.stand(span);
        let next = self.new_location();
        let error = self.new_location();
        let not = self.program.exprs.not(ok);
        self.edge(Op::Assume(ok), next);
        self.edge(Op::Assume(not), error);
        self.frame.body.locations[error.index()].span = self.frame.here;
        self.frame.body.errors.push(ErrorLocation {
            location: error,
            property: property.to_owned(),
            message,
        });
        self.frame.at = next;
        self.frame.here = here;
    }

    /// What a library function requires of its caller: an error of `valid-deref` where that is
    /// checked; otherwise nothing is known of what comes.
    pub fn demand(&mut self, holds: ExprId, text: String, span: CSpan) {
        if self.checks {
            self.check("valid-deref", holds, text, span);
        }
        self.stand(span);
        let (next, undefined) = (self.new_location(), self.new_location());
        self.branch(holds, next, undefined);
        self.frame.at = undefined;
        let kind = MarkerKind::Other(format!(
            "a call of `{}` that C leaves undefined",
            self.frame.name
        ));
        self.mark(kind, span);
        self.jump(next);
        self.frame.at = next;
    }

    /// The text of an expression, on one line.
    pub fn excerpt(&self, span: CSpan) -> String {
        if span.is_none() {
            return String::new();
        }
        let text = &self.units[self.unit].source.text;
        let text = text.get(span.start..span.end).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut line = words.join(" ");
        if line.chars().count() > LONGEST_EXCERPT {
            line = line.chars().take(LONGEST_EXCERPT - 1).collect();
            line.push('…');
        }
        line
    }

    fn overflow(&mut self, ok: ExprId, ty: TypeId, span: CSpan) {
        let message = format!(
            "`{}` overflows `{}`",
            self.excerpt(span),
            self.types.show(ty.into())
        );
        self.check("no-overflow", ok, message, span);
    }

    fn signed_const(&mut self, value: i128, width: u16) -> ExprId {
        self.int(value as u128, width)
    }

    /// `low <= value <= high`, as far as the value's range leaves it open.
    fn between(&mut self, value: ExprId, within: Range, low: i128, high: i128, w: u16) -> ExprId {
        let mut ok = self.program.exprs.bool(true);
        if within.low < low {
            let bound = self.signed_const(low, w);
            ok = self.binary(BinaryOp::SLe, bound, value);
        }
        if within.high > high {
            let bound = self.signed_const(high, w);
            let below = self.binary(BinaryOp::SLe, value, bound);
            ok = match fold::as_int(&self.program.exprs, ok) {
                Some((1, _)) => below,
                _ => self.binary(BinaryOp::And, ok, below),
            };
        }
        ok
    }

    /// Checks `a op b`, computed in the integer type `ty`.
    pub fn check_arithmetic(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        ty: TypeId,
        span: CSpan,
    ) {
        if !self.checking() {
            return;
        }
        let Some(kind) = self.types.integer(ty) else {
            return;
        };
        let width = self.int_bits(kind);
        if op.traps_on_zero() {
            let zero = self.int(0, width);
            let ok = self.binary(BinaryOp::Ne, b, zero);
            let message = format!("`{}` divides by zero", self.excerpt(span));
            self.check("no-div-zero", ok, message, span);
        }
        if !kind.signed() {
            return;
        }
        let ok = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.result_fits(op, a, b, width),
            BinaryOp::SDiv | BinaryOp::SRem => self.quotient_fits(a, b, width),
            _ => return,
        };
        match ok {
            Some(ok) => self.overflow(ok, ty, span),
            None => {
                let what = MarkerKind::Other("overflow of a 128-bit product".into());
                self.mark(what, span);
            }
        }
    }

    /// Checks `-a`, computed in the integer type `ty`.
    pub fn check_negation(&mut self, a: ExprId, ty: TypeId, span: CSpan) {
        if !self.checking() {
            return;
        }
        if let Some(kind) = self.types.integer(ty).filter(|k| k.signed()) {
            let width = self.int_bits(kind);
            if range(&self.program.exprs, a).low > minimum(width) {
                return;
            }
            let least = self.signed_const(minimum(width), width);
            let ok = self.binary(BinaryOp::Ne, a, least);
            self.overflow(ok, ty, span);
        }
    }

    fn quotient_fits(&mut self, a: ExprId, b: ExprId, width: u16) -> Option<ExprId> {
        let pool = &self.program.exprs;
        let divisor = range(pool, b);
        if range(pool, a).low > minimum(width) || divisor.low > -1 || divisor.high < -1 {
            return Some(self.program.exprs.bool(true));
        }
        let least = self.signed_const(minimum(width), width);
        let minus = self.signed_const(-1, width);
        let large = self.binary(BinaryOp::Ne, a, least);
        let other = self.binary(BinaryOp::Ne, b, minus);
        Some(match fold::as_int(&self.program.exprs, other) {
            Some(_) => large,
            None => match fold::as_int(&self.program.exprs, large) {
                Some(_) => other,
                None => self.binary(BinaryOp::Or, large, other),
            },
        })
    }

    /// Whether a sum, difference or product is what its type can hold; `None` if that cannot be
    /// said.
    fn result_fits(&mut self, op: BinaryOp, a: ExprId, b: ExprId, width: u16) -> Option<ExprId> {
        let (min, max) = (minimum(width), maximum(width));
        let (ra, rb) = (range(&self.program.exprs, a), range(&self.program.exprs, b));
        let exact = ra.combined(op, rb);
        if exact.is_some_and(|r| r.low >= min && r.high <= max) {
            return Some(self.program.exprs.bool(true));
        }
        // One constant operand leaves an interval for the other.
        match (op, ra.single(), rb.single()) {
            (BinaryOp::Add, _, Some(c)) => {
                let (low, high) = (min.saturating_sub(c), max.saturating_sub(c));
                return Some(self.between(a, ra, low.max(min), high.min(max), width));
            }
            (BinaryOp::Add, Some(_), None) => return self.result_fits(op, b, a, width),
            (BinaryOp::Sub, _, Some(c)) => {
                let (low, high) = (min.saturating_add(c), max.saturating_add(c));
                return Some(self.between(a, ra, low.max(min), high.min(max), width));
            }
            (BinaryOp::Sub, Some(c), None) => {
                let (low, high) = (c.saturating_sub(max), c.saturating_sub(min));
                return Some(self.between(b, rb, low.max(min), high.min(max), width));
            }
            (BinaryOp::Mul, _, Some(c)) if c != 0 => {
                let (x, y) = (min.checked_div(c), max.checked_div(c));
                // Only the minimum divided by -1 does not fit, and then nothing is too large.
                let (x, y) = (x.unwrap_or(max), y.unwrap_or(max));
                let (low, high) = (x.min(y).max(min), x.max(y).min(max));
                return Some(self.between(a, ra, low, high, width));
            }
            (BinaryOp::Mul, Some(_), None) => return self.result_fits(op, b, a, width),
            _ => {}
        }
        let wide = match op {
            BinaryOp::Mul => 2 * width,
            _ => width + 1,
        };
        if wide <= 128 {
            let x = self.resize(a, true, wide);
            let y = self.resize(b, true, wide);
            let result = self.binary(op, x, y);
            let unknown = Range {
                low: i128::MIN,
                high: i128::MAX,
            };
            let within = exact.unwrap_or(unknown);
            return Some(self.between(result, within, min, max, wide));
        }
        if op == BinaryOp::Mul {
            return None;
        }
        // Overflow gives a sign that no operand accounts for.
        let result = self.binary(op, a, b);
        let mut other = b;
        if op == BinaryOp::Sub {
            other = self.unary(UnaryOp::Not, b);
        }
        let x = self.binary(BinaryOp::Xor, a, result);
        let y = self.binary(BinaryOp::Xor, other, result);
        let both = self.binary(BinaryOp::And, x, y);
        let zero = self.int(0, width);
        Some(self.binary(BinaryOp::SLe, zero, both))
    }

    /// Checks an index into an array of `length` elements inside of an object; for its address,
    /// one past the end is fine.
    pub fn check_index(&mut self, index: Value, length: u64, one_past: bool, span: CSpan) {
        let (Some(kind), true) = (self.types.integer(index.ty), self.checking()) else {
            return;
        };
        let width = self.pointer_bits().max(self.int_bits(kind));
        let index = self.resize(index.expr, kind.signed(), width);
        let last = i128::from(length) - i128::from(!one_past);
        let within = range(&self.program.exprs, index);
        if within.low >= 0 && within.high <= last {
            return;
        }
        // As unsigned numbers, negative ones are too large.
        let bound = self.int(last as u128, width);
        let ok = self.binary(BinaryOp::ULe, index, bound);
        let message = format!(
            "the index of `{}` is outside of the array's {length} elements",
            self.excerpt(span)
        );
        self.check("valid-deref", ok, message, span);
    }

    /// Checks that a pointer that is moved by `count` elements of `size` bytes does not come round
    /// the address space: it would land in its object again.
    pub fn check_stride(&mut self, count: ExprId, size: ExprId, span: CSpan) {
        let Some((size, width)) = fold::as_int(&self.program.exprs, size) else {
            return;
        };
        if size <= 1 || !self.checking() {
            return;
        }
        let most = maximum(width) / size as i128;
        let within = range(&self.program.exprs, count);
        if within.low >= -most && within.high <= most {
            return;
        }
        let ok = self.between(count, within, -most, most, width);
        let message = format!("`{}` goes round the address space", self.excerpt(span));
        self.check("valid-deref", ok, message, span);
    }

    /// An array that is declared without its length and defined nowhere has an end that nobody
    /// knows: no use of it is known to be inside.
    pub fn check_known_length(&mut self, var: VarId, span: CSpan) {
        let variable = &self.variables[var.0 as usize];
        let open = matches!(self.types.array(variable.ty.id), Some((_, Length::Unknown)));
        if variable.external && open && self.checking() {
            let no = self.program.exprs.bool(false);
            let message = format!("the length of `{}` is not known", self.excerpt(span));
            self.check(prova_ir::UNMODELLED_DEREF, no, message, span);
        }
    }

    /// Checks a shift of `a`, of type `ty`, by `by` as it was before it got the width of `a`. What a
    /// shift too far gives is not modelled, whatever is checked: machines differ.
    pub fn check_shift(
        &mut self,
        left: bool,
        a: ExprId,
        ty: TypeId,
        by: Value,
        amount: ExprId,
        span: CSpan,
    ) {
        let checking = self.checking();
        let (Some(kind), true) = (self.types.integer(ty), checking || self.runs()) else {
            return;
        };
        let width = self.int_bits(kind);
        let Type::Int(by_width) = self.program.exprs.ty(by.expr) else {
            return;
        };
        let signed = self.types.integer(by.ty).is_some_and(IntKind::signed);
        let distance = range(&self.program.exprs, by.expr);
        // An unsigned amount beyond the signed range has a negative one here: too far, too.
        let last = i128::from(width) - 1;
        let inside = distance.low >= 0 && distance.high <= last;
        if !inside {
            let limit = self.int(u128::from(width), by_width);
            let ok = self.binary(BinaryOp::ULt, by.expr, limit);
            let negative = if signed { "a negative amount or " } else { "" };
            let message = format!(
                "`{}` shifts `{}` by {negative}at least {width} bits",
                self.excerpt(span),
                self.types.show(ty.into()),
            );
            let property = match checking {
                true => "no-shift-error",
                false => prova_ir::UNMODELLED,
            };
            self.check(property, ok, message, span);
        }
        if !checking {
            return;
        }
        if !left || !kind.signed() {
            return;
        }
        // 0 <= a and a * 2^amount <= max: as unsigned numbers, a <= max >> amount.
        let max = self.signed_const(maximum(width), width);
        let most = self.binary(BinaryOp::LShr, max, amount);
        let value = range(&self.program.exprs, a);
        let mut ok = match (value.single(), fold::as_int(&self.program.exprs, amount)) {
            (Some(c), None) if c > 0 => {
                let room = c.leading_zeros() as i128 - (128 - i128::from(width)) - 1;
                let room = self.signed_const(room, width);
                self.binary(BinaryOp::ULe, amount, room)
            }
            _ => {
                let fixed = fold::as_int(&self.program.exprs, most);
                match fixed {
                    Some((m, _)) if value.low >= 0 && value.high <= m as i128 => {
                        self.program.exprs.bool(true)
                    }
                    _ => self.binary(BinaryOp::ULe, a, most),
                }
            }
        };
        if value.single() == Some(0) {
            ok = self.program.exprs.bool(true);
        }
        if !inside && fold::as_int(&self.program.exprs, ok).is_none() {
            // A shift too far is another property's error.
            let limit = self.int(u128::from(width), width);
            let far = self.binary(BinaryOp::ULe, limit, amount);
            ok = self.binary(BinaryOp::Or, far, ok);
        }
        self.overflow(ok, ty, span);
    }
}
