//! Builtins that compute with numbers: counting bits, checked arithmetic, classes of floats.

use super::*;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    /// The type that a suffix `l` or `ll` of a bit builtin means.
    fn suffixed(&self, suffix: &str) -> Option<u16> {
        match suffix {
            "" => Some(32),
            "l" => Some(self.pointer_bits()),
            "ll" => Some(64),
            _ => None,
        }
    }

    pub fn bit_builtin(
        &mut self,
        base: &str,
        arguments: &'a [Node<Expression>],
        span: CSpan,
    ) -> Result<Option<Value>> {
        let [e] = arguments else { return Ok(None) };
        if let Some(bits) = base.strip_prefix("bswap").and_then(|b| b.parse().ok()) {
            let width: u16 = bits;
            let x = self.bit_operand(e, width, span)?;
            let expr = self.byte_swap(x, width);
            let kind = match width {
                16 => IntKind::UShort,
                32 => IntKind::UInt,
                128 => IntKind::UInt128,
                _ if self.model == DataModel::Lp64 => IntKind::ULong,
                _ => IntKind::ULongLong,
            };
            return Ok(Some(Value {
                expr,
                ty: self.types.int(kind),
            }));
        }
        let abs = match base {
            "abs" => Some((32, IntKind::Int)),
            "labs" => Some((self.pointer_bits(), IntKind::Long)),
            "llabs" | "imaxabs" => Some((64, IntKind::LongLong)),
            _ => None,
        };
        if let Some((width, kind)) = abs {
            let x = self.bit_operand(e, width, span)?;
            let zero = self.int(0, width);
            let negative = self.binary(BinaryOp::SLt, x, zero);
            let ty = self.types.int(kind);
            self.check_negation(x, ty, span);
            let minus = self.unary(UnaryOp::Neg, x);
            let expr = fold::ite(&mut self.program.exprs, negative, minus, x);
            return Ok(Some(Value { expr, ty }));
        }
        for (name, operation) in [
            ("clzll", "clz"),
            ("popcount", "popcount"),
            ("parity", "parity"),
            ("clrsb", "clrsb"),
            ("clz", "clz"),
            ("ctz", "ctz"),
            ("ffs", "ffs"),
        ] {
            let Some(suffix) = base.strip_prefix(name).filter(|_| name != "clzll") else {
                continue;
            };
            let Some(width) = self.suffixed(suffix) else {
                continue;
            };
            let x = self.bit_operand(e, width, span)?;
            let found = self.count_bits(operation, x, width);
            let expr = self.resize(found, false, 32);
            return Ok(Some(Value {
                expr,
                ty: self.int_type(),
            }));
        }
        Ok(None)
    }

    fn bit_operand(&mut self, e: &'a Node<Expression>, width: u16, span: CSpan) -> Result<ExprId> {
        let value = self.expr(e)?;
        let kind = match width {
            16 => IntKind::UShort,
            32 => IntKind::UInt,
            128 => IntKind::UInt128,
            _ => IntKind::ULongLong,
        };
        let ty = self.types.int(kind);
        let value = self.convert(value, ty, span)?;
        Ok(self.keep_small(value.expr))
    }

    /// Keeps a value that will be used many times, unless it is simple.
    fn keep_small(&mut self, expr: ExprId) -> ExprId {
        if matches!(self.program.exprs.get(expr), Expr::Reg(_)) {
            expr
        } else {
            self.keep(expr)
        }
    }

    fn byte_swap(&mut self, x: ExprId, width: u16) -> ExprId {
        let bytes = width / 8;
        let mut swapped = self.int(0, width);
        for i in 0..bytes {
            let down = self.int(u128::from(8 * i), width);
            let up = self.int(u128::from(8 * (bytes - 1 - i)), width);
            let byte = self.int(0xff, width);
            let part = self.binary(BinaryOp::LShr, x, down);
            let part = self.binary(BinaryOp::And, part, byte);
            let part = self.binary(BinaryOp::Shl, part, up);
            swapped = self.binary(BinaryOp::Or, swapped, part);
        }
        swapped
    }

    /// Population count by summing neighbouring groups of bits.
    fn population(&mut self, x: ExprId, width: u16) -> ExprId {
        let mut value = x;
        let mut group = 1u16;
        while group < width {
            let mut mask = 0u128;
            for at in (0..width).step_by(usize::from(2 * group)) {
                mask |= fold::mask(group) << at;
            }
            let mask = self.int(mask, width);
            let shift = self.int(u128::from(group), width);
            let low = self.binary(BinaryOp::And, value, mask);
            let high = self.binary(BinaryOp::LShr, value, shift);
            let high = self.binary(BinaryOp::And, high, mask);
            value = self.binary(BinaryOp::Add, low, high);
            group *= 2;
        }
        value
    }

    fn count_bits(&mut self, operation: &str, x: ExprId, width: u16) -> ExprId {
        let zero = self.int(0, width);
        let one = self.int(1, width);
        match operation {
            "popcount" => self.population(x, width),
            "parity" => {
                let count = self.population(x, width);
                self.binary(BinaryOp::And, count, one)
            }
            "clz" => {
                let mut smeared = x;
                let mut by = 1;
                while by < width {
                    let amount = self.int(u128::from(by), width);
                    let shifted = self.binary(BinaryOp::LShr, smeared, amount);
                    smeared = self.binary(BinaryOp::Or, smeared, shifted);
                    by *= 2;
                }
                let above = self.unary(UnaryOp::Not, smeared);
                self.population(above, width)
            }
            "clrsb" => {
                let amount = self.int(u128::from(width - 1), width);
                let sign = self.binary(BinaryOp::AShr, x, amount);
                let changed = self.binary(BinaryOp::Xor, x, sign);
                let leading = self.count_bits("clz", changed, width);
                self.binary(BinaryOp::Sub, leading, one)
            }
            _ => {
                let minus = self.unary(UnaryOp::Neg, x);
                let lowest = self.binary(BinaryOp::And, x, minus);
                let below = self.binary(BinaryOp::Sub, lowest, one);
                let trailing = self.population(below, width);
                if operation == "ctz" {
                    return trailing;
                }
                let next = self.binary(BinaryOp::Add, trailing, one);
                let none = self.binary(BinaryOp::Eq, x, zero);
                fold::ite(&mut self.program.exprs, none, zero, next)
            }
        }
    }

    /// `__builtin_add_overflow` and its relatives: computed twice as wide, then compared.
    pub fn overflow_builtin(
        &mut self,
        base: &str,
        arguments: &'a [Node<Expression>],
        span: CSpan,
    ) -> Result<Option<Value>> {
        let (middle, predicate) = match (
            base.strip_suffix("_overflow"),
            base.strip_suffix("_overflow_p"),
        ) {
            (Some(m), _) => (m, false),
            (None, Some(m)) => (m, true),
            _ => return Ok(None),
        };
        let [a, b, result] = arguments else {
            return Ok(None);
        };
        let (operation, fixed) = match middle {
            "add" | "sub" | "mul" => (middle, None),
            _ => {
                let (sign, rest) = middle.split_at(1);
                let operation = rest.get(..3).unwrap_or("");
                let kind = match rest.get(3..) {
                    Some("") => IntKind::Int,
                    Some("l") => IntKind::Long,
                    Some("ll") => IntKind::LongLong,
                    _ => return Ok(None),
                };
                let kind = if sign == "u" { kind.unsigned() } else { kind };
                (operation, Some(kind))
            }
        };
        let op = match operation {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            "mul" => BinaryOp::Mul,
            _ => return Ok(None),
        };
        let mut values = self.arguments(arguments)?;
        let target = values.pop().expect("three arguments");
        let result_type = if predicate {
            target.ty
        } else {
            match self.types.pointee(target.ty) {
                Some(to) => to.id,
                None => return Err(self.error(result.span, "a pointer is needed here")),
            }
        };
        if let Some(kind) = fixed {
            let ty = self.types.int(kind);
            values[0] = self.convert(values[0], ty, a.span)?;
            values[1] = self.convert(values[1], ty, b.span)?;
        }
        let kinds: Vec<IntKind> = [values[0].ty, values[1].ty, result_type]
            .iter()
            .filter_map(|t| self.types.integer(*t))
            .collect();
        let [ka, kb, kr] = kinds[..] else {
            return Err(self.error(span, "integers are needed here"));
        };
        let most = [ka, kb, kr]
            .iter()
            .map(|k| self.int_bits(*k))
            .max()
            .unwrap_or(64);
        if most > 64 {
            return Ok(None);
        }
        let wide = 2 * most.max(32);
        let x = self.resize(values[0].expr, ka.signed(), wide);
        let y = self.resize(values[1].expr, kb.signed(), wide);
        let exact = self.binary(op, x, y);
        let narrow = self.int_bits(kr);
        let cut = self.resize(exact, false, narrow);
        let again = self.resize(cut, kr.signed(), wide);
        let over = self.binary(BinaryOp::Ne, again, exact);
        let over = self.cast(CastOp::ZExt, over, Type::Int(8));
        let over = self.keep(over);
        if !predicate {
            self.stand(span);
            self.store(target.expr, cut);
        }
        Ok(Some(Value {
            expr: over,
            ty: self.types.make(Ty::Bool),
        }))
    }

    pub fn float_builtin(
        &mut self,
        base: &str,
        arguments: &'a [Node<Expression>],
        span: CSpan,
    ) -> Result<Option<Value>> {
        let (stem, kind) = match base {
            "inff" | "huge_valf" | "nanf" => (&base[..base.len() - 1], FloatKind::F32),
            "infl" | "huge_vall" | "nanl" => (&base[..base.len() - 1], FloatKind::X87),
            _ => (base, FloatKind::F64),
        };
        let constant = match stem {
            "inf" | "huge_val" => Some("inf"),
            "nan" => Some("nan"),
            _ => None,
        };
        if let Some(text) = constant {
            let bits = crate::literal::float(text, false, kind).unwrap_or(0);
            return Ok(Some(Value {
                expr: self.program.exprs.add(Expr::Float { kind, bits }),
                ty: self.types.make(Ty::Float(kind)),
            }));
        }
        use BinaryOp::*;
        let truth = match (base, arguments) {
            ("signbit" | "signbitf" | "signbitl", [e]) => {
                // Through memory, where the sign is a bit like any other.
                let x = self.float_operand(e)?;
                let bits = self.program.exprs.ty(x.expr).bits(self.model) as u64;
                let object = self.temporary_object(16, 16, None);
                let base = self.address(object);
                self.store(base, x.expr);
                let at = self.offset(base, bits / 8 - 1);
                let top = self.load(at, Type::Int(8));
                let top = self.keep(top);
                let zero = self.int(0, 8);
                self.binary(SLt, top, zero)
            }
            ("isnan" | "isnanf" | "isnanl", [e]) => {
                let x = self.float_operand(e)?;
                self.binary(FNe, x.expr, x.expr)
            }
            ("isfinite" | "finite" | "isinf" | "isinf_sign", [e]) => {
                let x = self.float_operand(e)?;
                let kind = self.types.float(x.ty).expect("a float");
                let bits = crate::literal::float("inf", false, kind).unwrap_or(0);
                let inf = self.program.exprs.add(Expr::Float { kind, bits });
                let minus = self.unary(UnaryOp::FNeg, inf);
                if base.starts_with("isinf") {
                    let up = self.binary(FEq, x.expr, inf);
                    let down = self.binary(FEq, x.expr, minus);
                    let one = self.int(1, 32);
                    let other = self.int(if base == "isinf" { 1 } else { u128::MAX }, 32);
                    let zero = self.int(0, 32);
                    let pool = &mut self.program.exprs;
                    let lower = fold::ite(pool, down, other, zero);
                    let expr = fold::ite(pool, up, one, lower);
                    return Ok(Some(Value {
                        expr,
                        ty: self.int_type(),
                    }));
                }
                let above = self.binary(FLt, minus, x.expr);
                let below = self.binary(FLt, x.expr, inf);
                self.binary(And, above, below)
            }
            (
                "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater"
                | "isunordered",
                [a, b],
            ) => {
                let x = self.expr(a)?;
                let y = self.expr(b)?;
                let ty = self.common_type(x.ty, y.ty);
                let x = self.convert(x, ty, span)?.expr;
                let y = self.convert(y, ty, span)?.expr;
                match base {
                    "isgreater" => self.binary(FLt, y, x),
                    "isgreaterequal" => self.binary(FLe, y, x),
                    "isless" => self.binary(FLt, x, y),
                    "islessequal" => self.binary(FLe, x, y),
                    "islessgreater" => {
                        let p = self.binary(FLt, x, y);
                        let q = self.binary(FLt, y, x);
                        self.binary(Or, p, q)
                    }
                    _ => {
                        let p = self.binary(FNe, x, x);
                        let q = self.binary(FNe, y, y);
                        self.binary(Or, p, q)
                    }
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(self.truth_value(truth)))
    }

    fn float_operand(&mut self, e: &'a Node<Expression>) -> Result<Value> {
        let value = self.expr(e)?;
        if self.types.float(value.ty).is_some() {
            return Ok(value);
        }
        let double = self.types.make(Ty::Float(FloatKind::F64));
        self.convert(value, double, e.span)
    }
}
