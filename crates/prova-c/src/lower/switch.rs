//! `switch`: the body is lowered first, collecting its cases wherever they stand (Duff's device
//! included); then a chain of tests leads to them.

use super::*;
use lang_c::ast::*;

/// The cases of a switch being lowered.
pub(crate) struct Cases {
    pub ty: TypeId,
    pub cases: Vec<Case>,
    pub default: Option<LocId>,
}

/// `case low ... high:`, as values of the switch's promoted type.
pub(crate) struct Case {
    pub low: i128,
    pub high: i128,
    pub target: LocId,
    pub span: Span,
}

impl<'a> Lowerer<'a> {
    pub fn switch(&mut self, s: &'a SwitchStatement) -> Result<()> {
        let value = self.expr(&s.expression)?;
        if self.types.integer(value.ty).is_none() {
            return Err(self.error(s.expression.span, "a switch needs an integer"));
        }
        let value = self.promote(value, s.expression.span)?;
        let plain = matches!(
            self.program.exprs.get(value.expr),
            Expr::Reg(_) | Expr::Int { .. }
        );
        let expr = if plain {
            value.expr
        } else {
            self.keep(value.expr)
        };
        let head = self.frame.at;
        let here = self.frame.here;
        let end = self.new_location();
        self.frame.at = self.new_location();
        let open = self.frame.open.len();
        self.frame.breaks.push((end, open));
        self.frame.switches.push(Cases {
            ty: value.ty,
            cases: Vec::new(),
            default: None,
        });
        let result = self.statement(&s.statement);
        self.frame.breaks.pop();
        let cases = self.frame.switches.pop().expect("pushed above");
        result?;
        self.jump(end);
        self.frame.at = head;
        self.frame.here = here;
        self.dispatch(expr, &cases, end);
        self.frame.at = end;
        Ok(())
    }

    fn dispatch(&mut self, value: ExprId, cases: &Cases, end: LocId) {
        let kind = self.types.integer(cases.ty).unwrap_or(IntKind::Int);
        let width = self.int_bits(kind);
        let below = if kind.signed() {
            BinaryOp::SLe
        } else {
            BinaryOp::ULe
        };
        for case in &cases.cases {
            self.frame.here = case.span;
            let low = self.int(case.low as u128, width);
            let hit = if case.low == case.high {
                self.binary(BinaryOp::Eq, value, low)
            } else {
                let high = self.int(case.high as u128, width);
                let a = self.binary(below, low, value);
                let b = self.binary(below, value, high);
                self.binary(BinaryOp::And, a, b)
            };
            let next = self.new_location();
            self.branch(hit, case.target, next);
            self.frame.at = next;
        }
        self.jump(cases.default.unwrap_or(end));
    }

    pub fn case(
        &mut self,
        low: &'a Node<Expression>,
        high: &'a Node<Expression>,
        span: CSpan,
    ) -> Result<()> {
        let Some(ty) = self.frame.switches.last().map(|c| c.ty) else {
            return Err(self.error(span, "`case` outside of a switch"));
        };
        let from = self.case_value(low, ty)?;
        let to = self.case_value(high, ty)?;
        let target = self.new_location();
        let place = self.span(span);
        let cases = self.frame.switches.last_mut().expect("looked at above");
        let twice = cases.cases.iter().any(|c| from <= c.high && c.low <= to);
        if from <= to {
            cases.cases.push(Case {
                low: from,
                high: to,
                target,
                span: place,
            });
        }
        if twice {
            return Err(self.error(span, "this case value appears twice"));
        }
        self.jump(target);
        self.frame.at = target;
        Ok(())
    }

    fn case_value(&mut self, e: &'a Node<Expression>, ty: TypeId) -> Result<i128> {
        self.constant(e)?;
        let (value, _) = self.unchecked_aside(|s| {
            let value = s.expr(e)?;
            s.convert(value, ty, e.span)
        })?;
        let kind = self.types.integer(ty).unwrap_or(IntKind::Int);
        match fold::as_int(&self.program.exprs, value.expr) {
            Some((bits, width)) if kind.signed() => Ok(fold::signed(bits, width)),
            Some((bits, _)) => Ok(bits as i128),
            None => Err(self.error(e.span, "this is not an integer constant expression")),
        }
    }
}
