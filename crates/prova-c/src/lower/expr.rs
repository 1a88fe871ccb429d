//! Expressions as values, as conditions, and for their effects only.

use super::*;
use lang_c::ast::*;

impl<'a> Lowerer<'a> {
    /// The value of an expression.
    pub fn expr(&mut self, e: &'a Node<Expression>) -> Result<Value> {
        if let Some(value) = self.settled_value(e) {
            return Ok(value);
        }
        match &e.node {
            Expression::Constant(c) => self.literal(c),
            Expression::Identifier(name) => {
                if let Some(Symbol::Enumerator(value, ty)) = self.lookup(&name.node.name) {
                    let (value, ty) = (*value, *ty);
                    let kind = self.types.integer(ty).unwrap_or(IntKind::Int);
                    let width = self.int_bits(kind);
                    return Ok(Value {
                        expr: self.int(value as u128, width),
                        ty,
                    });
                }
                if let Some(&Symbol::Variable(var)) = self.lookup(&name.node.name) {
                    self.check_known_length(var, e.span);
                }
                let place = self.lvalue(e)?;
                self.read_place(place, e.span)
            }
            Expression::StringLiteral(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_) => {
                let place = self.lvalue(e)?;
                self.read_place(place, e.span)
            }
            Expression::GenericSelection(g) => {
                let chosen = self.generic(g)?;
                self.expr(chosen)
            }
            Expression::Call(c) => self.call(c, true),
            Expression::SizeOfTy(s) => {
                let ty = self.type_name(&s.node.0)?;
                self.size_value(ty.id, e.span)
            }
            Expression::SizeOfVal(s) => {
                let ty = self.type_of(&s.node.0)?;
                self.size_value(ty.id, e.span)
            }
            Expression::AlignOf(a) => {
                let ty = self.type_name(&a.node.0)?;
                let text = &self.units[self.unit].source.text;
                let standard = text
                    .get(e.span.start..)
                    .is_some_and(|t| t.starts_with("_A"));
                let align = if standard {
                    layout::field_align(&self.types, self.model, ty.id)
                } else {
                    self.align_of(ty.id)
                };
                let bits = self.pointer_bits();
                Ok(Value {
                    expr: self.int(u128::from(align), bits),
                    ty: self.size_type(),
                })
            }
            Expression::UnaryOperator(u) => self.unary_expr(u, true),
            Expression::BinaryOperator(b) => self.binary_expr(b, e, true),
            Expression::Cast(c) => self.cast_expr(c),
            Expression::Conditional(c) => self.conditional(c),
            Expression::Comma(list) => {
                let (last, first) = list.split_last().expect("a comma has operands");
                for e in first {
                    self.effect(e)?;
                }
                self.expr(last)
            }
            Expression::OffsetOf(o) => self.offset_of(o),
            Expression::VaArg(v) => self.va_arg(v),
            Expression::Statement(s) => self.statement_expr(s),
        }
    }

    /// Evaluates an expression whose value is not used.
    pub fn effect(&mut self, e: &'a Node<Expression>) -> Result<()> {
        match &e.node {
            Expression::Call(c) => {
                self.call(c, false)?;
            }
            Expression::UnaryOperator(u) => {
                self.unary_expr(u, false)?;
            }
            Expression::BinaryOperator(b) => {
                use BinaryOperator::*;
                if matches!(b.node.operator.node, LogicalAnd | LogicalOr) {
                    let (yes, no, end) = (
                        self.new_location(),
                        self.new_location(),
                        self.new_location(),
                    );
                    self.condition(&b.node.lhs, yes, no)?;
                    let (run, skip) = if b.node.operator.node == LogicalAnd {
                        (yes, no)
                    } else {
                        (no, yes)
                    };
                    self.frame.at = run;
                    self.effect(&b.node.rhs)?;
                    self.jump(end);
                    self.frame.at = skip;
                    self.jump(end);
                    self.frame.at = end;
                    return Ok(());
                }
                self.binary_expr(b, e, false)?;
            }
            Expression::Conditional(c) => {
                let (yes, no, end) = (
                    self.new_location(),
                    self.new_location(),
                    self.new_location(),
                );
                self.decision(&c.node.condition, yes, no)?;
                self.frame.at = yes;
                if !is_same_marker(&c.node.then_expression) {
                    self.effect(&c.node.then_expression)?;
                }
                self.jump(end);
                self.frame.at = no;
                self.effect(&c.node.else_expression)?;
                self.jump(end);
                self.frame.at = end;
            }
            Expression::Comma(list) => {
                for e in list.iter() {
                    self.effect(e)?;
                }
            }
            Expression::Cast(c) => {
                let ty = self.type_name(&c.node.type_name)?;
                if self.types.is_void(ty.id) {
                    return self.effect(&c.node.expression);
                }
                self.expr(e)?;
            }
            Expression::Statement(s) => {
                let Statement::Compound(items) = &s.node else {
                    return self.statement(s);
                };
                self.inner_block(|l| {
                    items.iter().try_for_each(|item| l.block_item(item))?;
                    Ok(l.void_value())
                })?;
            }
            _ => {
                self.expr(e)?;
            }
        }
        Ok(())
    }

    /// Branches on the whole condition of a statement or of `?:`, and notes how it is put together.
    pub fn decision(&mut self, e: &'a Node<Expression>, yes: LocId, no: LocId) -> Result<()> {
        let tree = self.junction(e);
        let span = self.span(e.span);
        // An expression may be lowered twice, to look first.
        let mut noted = self.program.decisions.iter().rev().take(64);
        if !noted.any(|d| d.tree == tree) {
            self.program.decisions.push(Decision { span, tree });
        }
        self.condition(e, yes, no)
    }

    /// How an expression is put together, exactly as [`Lowerer::condition`] takes it apart.
    fn junction(&mut self, e: &'a Node<Expression>) -> Junction {
        match &e.node {
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
                Junction::Not(Box::new(self.junction(&u.node.operand)))
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::LogicalAnd => {
                let both = (self.junction(&b.node.lhs), self.junction(&b.node.rhs));
                Junction::And(Box::new(both))
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::LogicalOr => {
                let both = (self.junction(&b.node.lhs), self.junction(&b.node.rhs));
                Junction::Or(Box::new(both))
            }
            Expression::Call(c) => match self.expected_condition(c) {
                Some(inner) => self.junction(inner),
                None => Junction::Condition(self.span(e.span)),
            },
            _ => Junction::Condition(self.span(e.span)),
        }
    }

    /// Branches on an expression, short-circuits becoming edges.
    pub fn condition(&mut self, e: &'a Node<Expression>, yes: LocId, no: LocId) -> Result<()> {
        match &e.node {
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
                self.condition(&u.node.operand, no, yes)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::LogicalAnd => {
                let middle = self.new_location();
                self.condition(&b.node.lhs, middle, no)?;
                self.frame.at = middle;
                self.condition(&b.node.rhs, yes, no)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::LogicalOr => {
                let middle = self.new_location();
                self.condition(&b.node.lhs, yes, middle)?;
                self.frame.at = middle;
                self.condition(&b.node.rhs, yes, no)
            }
            Expression::Call(c) => {
                if let Some(inner) = self.expected_condition(c) {
                    return self.condition(inner, yes, no);
                }
                self.plain_condition(e, yes, no)
            }
            _ => self.plain_condition(e, yes, no),
        }
    }

    fn plain_condition(&mut self, e: &'a Node<Expression>, yes: LocId, no: LocId) -> Result<()> {
        let value = self.expr(e)?;
        self.ir_type(value.ty, e.span)?;
        let truth = self.truth(value.expr);
        self.stand(e.span);
        self.branch(truth, yes, no);
        Ok(())
    }

    fn literal(&mut self, c: &'a Node<Constant>) -> Result<Value> {
        match &c.node {
            Constant::Integer(i) => {
                let (radix, digits) = match i.base {
                    IntegerBase::Decimal => (10, &*i.number),
                    IntegerBase::Octal => (8, &*i.number),
                    IntegerBase::Hexadecimal => (16, &*i.number),
                    IntegerBase::Binary => (2, &*i.number),
                };
                if i.suffix.imaginary {
                    return Err(self.error(c.span, "complex numbers are not supported"));
                }
                let Some(value) = crate::literal::integer(digits, radix) else {
                    return Err(self.error(c.span, "this number is too large"));
                };
                let kind = self.literal_kind(value, i, radix == 10);
                let width = self.int_bits(kind);
                Ok(Value {
                    expr: self.int(value, width),
                    ty: self.types.int(kind),
                })
            }
            Constant::Float(f) => {
                if f.suffix.imaginary {
                    return Err(self.error(c.span, "complex numbers are not supported"));
                }
                let kind = match &f.suffix.format {
                    FloatFormat::Float => FloatKind::F32,
                    FloatFormat::Double => FloatKind::F64,
                    FloatFormat::LongDouble => FloatKind::X87,
                    FloatFormat::TS18661Format(t) => match (&t.format, t.width) {
                        (TS18661FloatFormat::BinaryInterchange, 32) => FloatKind::F32,
                        (TS18661FloatFormat::BinaryInterchange, 64) => FloatKind::F64,
                        (TS18661FloatFormat::BinaryExtended, 32) => FloatKind::F64,
                        (TS18661FloatFormat::BinaryExtended, 64) => FloatKind::X87,
                        _ => return Err(self.error(c.span, "this float is not supported")),
                    },
                };
                let hexadecimal = f.base == FloatBase::Hexadecimal;
                match crate::literal::float(&f.number, hexadecimal, kind) {
                    Some(bits) => Ok(Value {
                        expr: self.program.exprs.add(Expr::Float { kind, bits }),
                        ty: self.types.make(Ty::Float(kind)),
                    }),
                    None => Err(self.error(c.span, "this is not a number")),
                }
            }
            Constant::Character(text) => match crate::literal::character(text, self.model) {
                Some((kind, value)) => {
                    let width = self.int_bits(kind);
                    Ok(Value {
                        expr: self.int(value, width),
                        ty: self.types.int(kind),
                    })
                }
                None => Err(self.error(c.span, "this is not a character")),
            },
        }
    }

    /// The type of an integer literal (C11 6.4.4.1 §5).
    fn literal_kind(&self, value: u128, i: &Integer, decimal: bool) -> IntKind {
        use IntKind::*;
        let first = match i.suffix.size {
            IntegerSize::Int => 0,
            IntegerSize::Long => 1,
            IntegerSize::LongLong => 2,
        };
        for (rank, (s, u)) in [(Int, UInt), (Long, ULong), (LongLong, ULongLong)]
            .into_iter()
            .enumerate()
        {
            if rank < first {
                continue;
            }
            let bits = self.int_bits(s);
            if !i.suffix.unsigned && value <= fold::mask(bits - 1) {
                return s;
            }
            if (i.suffix.unsigned || !decimal) && value <= fold::mask(bits) {
                return u;
            }
        }
        match (self.model, decimal && !i.suffix.unsigned) {
            (DataModel::Lp64, true) => Int128,
            (DataModel::Lp64, false) => UInt128,
            _ => ULongLong,
        }
    }

    fn size_value(&mut self, ty: TypeId, span: CSpan) -> Result<Value> {
        Ok(Value {
            expr: self.size_expr(ty, span)?,
            ty: self.size_type(),
        })
    }

    fn cast_expr(&mut self, c: &'a Node<CastExpression>) -> Result<Value> {
        let to = self.type_name(&c.node.type_name)?;
        if self.types.is_void(to.id) {
            self.effect(&c.node.expression)?;
            return Ok(self.void_value());
        }
        let value = self.expr(&c.node.expression)?;
        if let Some(record) = self.types.record(to.id) {
            // gcc's cast to a union, and a cast of a structure to its own type.
            if self.types.records[record.0 as usize].union && value.ty != to.id {
                let size = self.size_of(to.id, c.span)?;
                let align = self.align_of(to.id);
                let object = self.temporary_object(size, align, Some(to.id));
                let expr = self.address(object);
                let place = super::lvalue::LPlace {
                    at: super::lvalue::Location::Memory(expr),
                    ty: value.ty.into(),
                };
                self.write_place(place, value, false, c.span)?;
                return Ok(Value { expr, ty: to.id });
            }
        }
        self.convert(value, to.id, c.span)
    }

    /// Whether an expression can be evaluated where C would not: it cannot trap.
    pub fn harmless(&self, expr: ExprId) -> bool {
        let objects = &self.program.objects;
        fold::cannot_trap(&self.program.exprs, &|o| objects[o.index()].size, expr)
    }

    /// `_Generic` (C11 6.5.1.1).
    pub fn generic(&mut self, g: &'a Node<GenericSelection>) -> Result<&'a Node<Expression>> {
        let control = self.aside(|s| s.expr(&g.node.expression))?.0;
        let mut default = None;
        for association in &g.node.associations {
            match &association.node {
                GenericAssociation::Type(t) => {
                    let ty = self.type_name(&t.node.type_name)?;
                    if !ty.constant && !ty.volatile && self.same_type(ty.id, control.ty) {
                        return Ok(&t.node.expression);
                    }
                }
                GenericAssociation::Default(e) => default = Some(&**e),
            }
        }
        default.ok_or_else(|| {
            let message = format!(
                "no association fits the type `{}`",
                self.types.show(control.ty.into())
            );
            self.error(g.span, message)
        })
    }

    /// Compatibility within one file, where records and enumerations are told apart.
    pub fn same_type(&self, a: TypeId, b: TypeId) -> bool {
        let (a, b) = (self.types.plain(a), self.types.plain(b));
        match (self.types.get(a), self.types.get(b)) {
            (Ty::Record(x), Ty::Record(y)) => x == y,
            _ => self.types.compatible(a, b),
        }
    }

    fn offset_of(&mut self, o: &'a Node<OffsetOfExpression>) -> Result<Value> {
        let bits = self.pointer_bits();
        let mut ty = self.type_name(&o.node.type_name)?.id;
        let designator = &o.node.designator.node;
        let first = self.field(ty, &designator.base.node.name, designator.base.span)?;
        let mut offset = self.int(u128::from(first.0), bits);
        ty = first.2.id;
        for member in &designator.members {
            match &member.node {
                OffsetMember::Member(name) | OffsetMember::IndirectMember(name) => {
                    let field = self.field(ty, &name.node.name, name.span)?;
                    let by = self.int(u128::from(field.0), bits);
                    offset = self.binary(BinaryOp::Add, offset, by);
                    ty = field.2.id;
                }
                OffsetMember::Index(e) => {
                    let Some((element, _)) = self.types.array(ty) else {
                        return Err(self.error(member.span, "this is not an array"));
                    };
                    let index = self.expr(e)?;
                    let size_type = self.size_type();
                    let index = self.convert(index, size_type, e.span)?;
                    let size = self.size_expr(element.id, member.span)?;
                    let by = self.binary(BinaryOp::Mul, index.expr, size);
                    offset = self.binary(BinaryOp::Add, offset, by);
                    ty = element.id;
                }
            }
        }
        Ok(Value {
            expr: offset,
            ty: self.size_type(),
        })
    }

    /// `({ … })`: the value of the last statement.
    fn statement_expr(&mut self, s: &'a Node<Statement>) -> Result<Value> {
        let Statement::Compound(items) = &s.node else {
            self.statement(s)?;
            return Ok(self.void_value());
        };
        self.inner_block(|l| {
            let Some((last, first)) = items.split_last() else {
                return Ok(l.void_value());
            };
            for item in first {
                l.block_item(item)?;
            }
            let mut item = match &last.node {
                BlockItem::Statement(s) => s,
                _ => {
                    l.block_item(last)?;
                    return Ok(l.void_value());
                }
            };
            // Labels may stand before the last expression.
            while let Statement::Labeled(labeled) = &item.node {
                l.label(&labeled.node.label)?;
                l.frame.texts.clear();
                item = &labeled.node.statement;
            }
            match &item.node {
                Statement::Expression(Some(e)) => {
                    l.stand(item.span);
                    l.expr(e)
                }
                _ => {
                    l.statement(item)?;
                    Ok(l.void_value())
                }
            }
        })
    }
}

/// The name that stands for the missing operand of `a ?: b`.
pub(crate) fn is_same_marker(e: &Node<Expression>) -> bool {
    matches!(&e.node, Expression::Identifier(i) if i.node.name == crate::fixups::reserved::CONDITION)
}
