//! Lvalues: registers, memory, bit-fields; reading and writing them.

use super::order::Operand;
use super::*;
use crate::types::BitField;
use lang_c::ast::*;

/// Where a value lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Location {
    Register(RegId),
    Memory(ExprId),
    Bits(ExprId, BitField),
}

/// An lvalue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LPlace {
    pub at: Location,
    pub ty: QType,
}

impl<'a> Lowerer<'a> {
    /// The lvalue an expression stands for; a structure that is no lvalue has its place in a
    /// temporary.
    pub fn lvalue(&mut self, e: &'a Node<Expression>) -> Result<LPlace> {
        match &e.node {
            Expression::Identifier(name) => self.variable_place(name),
            Expression::Member(m) => self.member_place(m),
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                let pointer = self.expr(&u.node.operand)?;
                self.dereference(pointer, e.span)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                self.index_place(b, e.span)
            }
            Expression::StringLiteral(text) => {
                let (object, ty) = self.string_object(text)?;
                Ok(LPlace {
                    at: Location::Memory(self.address(object)),
                    ty: ty.into(),
                })
            }
            Expression::CompoundLiteral(literal) => self.compound_literal(literal),
            Expression::GenericSelection(g) => {
                let chosen = self.generic(g)?;
                self.lvalue(chosen)
            }
            Expression::Call(c) => {
                if let Some(chosen) = self.chosen_expression(c)? {
                    return self.lvalue(chosen);
                }
                self.temporary_place(e)
            }
            _ => self.temporary_place(e),
        }
    }

    fn temporary_place(&mut self, e: &'a Node<Expression>) -> Result<LPlace> {
        let value = self.expr(e)?;
        if self.types.record(value.ty).is_some() {
            return Ok(LPlace {
                at: Location::Memory(value.expr),
                ty: value.ty.into(),
            });
        }
        Err(self.error(e.span, "this is not something that can be written to"))
    }

    pub fn variable_place(&mut self, name: &'a Node<Identifier>) -> Result<LPlace> {
        let text = name.node.name.as_str();
        let var = match self.lookup(text) {
            Some(Symbol::Variable(var)) => {
                let var = *var;
                self.use_variable(text, var, name.span);
                var
            }
            Some(Symbol::Function(proc)) => {
                let proc = *proc;
                self.check_unseen(proc, name.span);
                self.use_function(proc, name.span);
                let expr = match self.perhaps(proc) {
                    Some(address) => self.program.read(address),
                    None => self.program.exprs.add(Expr::Function(proc)),
                };
                return Ok(LPlace {
                    at: Location::Memory(expr),
                    ty: self.functions[proc.index()].ty.into(),
                });
            }
            Some(_) => return Err(self.error(name.span, format!("`{text}` is not a variable"))),
            None if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let own = self.frame.name.to_string();
                let bytes = own.bytes().chain([0]).collect();
                let (object, ty) = self.literal_object(bytes, IntKind::Char);
                return Ok(LPlace {
                    at: Location::Memory(self.address(object)),
                    ty: ty.into(),
                });
            }
            None => return Err(self.error(name.span, format!("`{text}` is not declared"))),
        };
        let variable = &self.variables[var.0 as usize];
        let (ty, home) = (variable.ty, variable.home);
        let at = match home {
            Home::Register(reg) => Location::Register(reg),
            Home::Object(object) => Location::Memory(self.address(object)),
            Home::Behind(reg) => Location::Memory(self.program.read(reg)),
        };
        Ok(LPlace { at, ty })
    }

    /// The place a pointer points to.
    pub fn dereference(&mut self, pointer: Value, span: CSpan) -> Result<LPlace> {
        match self.types.get(pointer.ty) {
            Ty::Pointer(to) => Ok(LPlace {
                at: Location::Memory(pointer.expr),
                ty: *to,
            }),
            _ => Err(self.error(
                span,
                format!("`{}` is not a pointer", self.types.show(pointer.ty.into())),
            )),
        }
    }

    fn index_place(
        &mut self,
        b: &'a Node<BinaryOperatorExpression>,
        span: CSpan,
    ) -> Result<LPlace> {
        let one_past = std::mem::take(&mut self.one_past);
        let effects = Effects::of(&b.node.rhs);
        let operands = [Operand::Value(&b.node.lhs), Operand::Value(&b.node.rhs)];
        let settled = self.in_any_order(&operands, span)?;
        let (mut left, length) = self.indexed(&b.node.lhs)?;
        left.expr = self.keep_from(left.expr, &effects);
        let right = self.expr(&b.node.rhs)?;
        self.ordered_done(settled);
        if let Some(length) = length {
            self.check_index(right, length, one_past, span);
        }
        let (pointer, index) = if self.types.is_pointer(left.ty) {
            (left, right)
        } else {
            (right, left)
        };
        let moved = self.pointer_add(pointer, index, false, span)?;
        self.dereference(moved, span)
    }

    /// What an index is applied to, and how many elements it has if it is an array inside of an
    /// object. An array that is an object has the object's bounds.
    fn indexed(&mut self, e: &'a Node<Expression>) -> Result<(Value, Option<u64>)> {
        if let Some(value) = self.settled_value(e) {
            return Ok((value, None));
        }
        let inside = match &e.node {
            Expression::Member(_) => true,
            Expression::BinaryOperator(b) => b.node.operator.node == BinaryOperator::Index,
            Expression::UnaryOperator(u) => u.node.operator.node == UnaryOperator::Indirection,
            _ => false,
        };
        if !inside || !self.checks {
            return Ok((self.expr(e)?, None));
        }
        let place = self.lvalue(e)?;
        let length = match self.types.array(place.ty.id) {
            Some((_, Length::Known(n))) => Some(n),
            _ => None,
        };
        // The last member may be an array of no or one element that stands for more.
        let open = matches!(e.node, Expression::Member(_)) && length.is_some_and(|n| n <= 1);
        let value = self.read_place(place, e.span)?;
        Ok((value, length.filter(|_| !open)))
    }

    fn member_place(&mut self, m: &'a Node<MemberExpression>) -> Result<LPlace> {
        let (base, mut ty) = match m.node.operator.node {
            MemberOperator::Indirect => {
                let pointer = self.expr(&m.node.expression)?;
                let place = self.dereference(pointer, m.node.expression.span)?;
                (place.at, place.ty)
            }
            MemberOperator::Direct => {
                let place = self.lvalue(&m.node.expression)?;
                (place.at, place.ty)
            }
        };
        let Location::Memory(address) = base else {
            return Err(self.error(m.span, "this has no members"));
        };
        let name = m.node.identifier.node.name.as_str();
        let field = self.field(ty.id, name, m.node.identifier.span)?;
        let address = self.offset(address, field.0);
        let at = match field.1 {
            Some(bits) => Location::Bits(address, bits),
            None => Location::Memory(address),
        };
        ty = QType {
            id: field.2.id,
            constant: ty.constant || field.2.constant,
            volatile: ty.volatile || field.2.volatile,
        };
        Ok(LPlace { at, ty })
    }

    /// Offset, bits and type of a member.
    pub fn field(
        &self,
        ty: TypeId,
        name: &str,
        span: CSpan,
    ) -> Result<(u64, Option<BitField>, QType)> {
        let Some(record) = self.types.record(ty) else {
            let shown = self.types.show(ty.into());
            return Err(self.error(span, format!("`{shown}` has no members")));
        };
        match self.types.find_field(record, name) {
            Some((outer, field)) => Ok((outer + field.offset, field.bits, field.ty)),
            None => {
                let of = self.types.record_name(record);
                let what = if self.types.records[record.0 as usize].fields.is_none() {
                    format!("`{of}` is incomplete here")
                } else {
                    format!("`{of}` has no member `{name}`")
                };
                Err(self.error(span, what))
            }
        }
    }

    /// The value in a place; arrays and functions become pointers, structures their address.
    pub fn read_place(&mut self, place: LPlace, span: CSpan) -> Result<Value> {
        if self.changes_by_itself(place.ty) {
            return self.read_volatile(place, span);
        }
        self.read_plain(place, span)
    }

    /// The value that was put into a place.
    pub fn read_plain(&mut self, place: LPlace, span: CSpan) -> Result<Value> {
        let ty = self.types.plain(place.ty.id);
        match self.types.get(ty).clone() {
            Ty::Array(element, _) => {
                let Location::Memory(expr) = place.at else {
                    return Err(self.error(span, "this array has no address"));
                };
                let ty = self.types.pointer(element);
                return Ok(Value { expr, ty });
            }
            Ty::Function(_) => {
                let Location::Memory(expr) = place.at else {
                    return Err(self.error(span, "this function has no address"));
                };
                let ty = self.types.pointer(ty);
                return Ok(Value { expr, ty });
            }
            Ty::Record(_) | Ty::Void => {
                let Location::Memory(expr) = place.at else {
                    return Err(self.error(span, "this has no address"));
                };
                return Ok(Value { expr, ty });
            }
            _ => {}
        }
        let ir = self.ir_type(ty, span)?;
        Ok(match place.at {
            Location::Register(reg) => Value {
                expr: self.program.read(reg),
                ty,
            },
            Location::Memory(address) => Value {
                expr: self.load(address, ir),
                ty,
            },
            Location::Bits(address, bits) => self.read_bits(address, bits, ty),
        })
    }

    /// A bit-field's value, promoted (C11 6.3.1.1 §2).
    fn read_bits(&mut self, address: ExprId, bits: BitField, ty: TypeId) -> Value {
        let unit = self.load(address, Type::Int(bits.unit));
        self.field_of(unit, bits, ty)
    }

    /// A bit-field's value, from its storage unit.
    pub fn field_of(&mut self, unit: ExprId, bits: BitField, ty: TypeId) -> Value {
        let kind = self.types.integer(ty).unwrap_or(IntKind::Int);
        let amount = self.int(u128::from(bits.shift), bits.unit);
        let shifted = if bits.shift == 0 {
            unit
        } else {
            self.binary(BinaryOp::LShr, unit, amount)
        };
        let field = self.resize(shifted, false, bits.width);
        let signed = kind.signed();
        let to = self.types.int(match bits.width {
            ..32 => IntKind::Int,
            32 if signed => IntKind::Int,
            32 => IntKind::UInt,
            width if width < self.int_bits(kind) => IntKind::Field {
                bits: width as u8,
                signed,
            },
            _ => kind,
        });
        let width = self.types.integer(to).map_or(32, |k| self.int_bits(k));
        Value {
            expr: self.resize(field, kind.signed(), width),
            ty: to,
        }
    }

    /// What is assigned must not be `const` (C11 6.5.16 §2).
    pub fn check_modifiable(&self, place: LPlace, span: CSpan) -> Result<()> {
        if place.ty.constant && self.unit < self.first_model {
            let shown = self.excerpt(span);
            return Err(self.error(
                span,
                format!("`{shown}` is constant and cannot be assigned"),
            ));
        }
        Ok(())
    }

    /// Writes a converted value. `wanted` says whether the value of the assignment is used;
    /// that value is returned.
    pub fn write_place(
        &mut self,
        place: LPlace,
        value: Value,
        wanted: bool,
        span: CSpan,
    ) -> Result<Value> {
        if let Some(_record) = self.types.record(place.ty.id) {
            let Location::Memory(target) = place.at else {
                return Err(self.error(span, "this has no address"));
            };
            let size = self.size_of(place.ty.id, span)?;
            if target != value.expr && size > 0 {
                self.emit(Op::Copy {
                    target,
                    source: value.expr,
                    size,
                });
            }
            return Ok(Value {
                expr: target,
                ty: place.ty.id,
            });
        }
        match place.at {
            Location::Register(reg) => {
                self.assign(reg, value.expr);
                Ok(Value {
                    expr: self.program.read(reg),
                    ty: value.ty,
                })
            }
            Location::Memory(address) => {
                if self.types.array(place.ty.id).is_some() {
                    return Err(self.error(span, "an array cannot be assigned"));
                }
                let expr = if wanted {
                    self.keep(value.expr)
                } else {
                    value.expr
                };
                self.store(address, expr);
                Ok(Value { expr, ty: value.ty })
            }
            Location::Bits(address, bits) => {
                let expr = if wanted {
                    self.keep(value.expr)
                } else {
                    value.expr
                };
                self.write_bits(address, bits, expr);
                let kind = self.types.integer(place.ty.id).unwrap_or(IntKind::Int);
                let Type::Int(full) = self.program.exprs.ty(expr) else {
                    return Ok(value);
                };
                let field = self.resize(expr, false, bits.width);
                Ok(Value {
                    expr: self.resize(field, kind.signed(), full),
                    ty: value.ty,
                })
            }
        }
    }

    pub fn write_bits(&mut self, address: ExprId, bits: BitField, value: ExprId) {
        let field = self.resize(value, false, bits.width);
        if bits.width == bits.unit {
            self.store(address, field);
            return;
        }
        let wide = self.resize(field, false, bits.unit);
        let amount = self.int(u128::from(bits.shift), bits.unit);
        let placed = self.binary(BinaryOp::Shl, wide, amount);
        let hole = fold::mask(bits.width) << bits.shift;
        let rest = self.int(!hole, bits.unit);
        let old = self.load(address, Type::Int(bits.unit));
        let kept = self.binary(BinaryOp::And, old, rest);
        let new = self.binary(BinaryOp::Or, kept, placed);
        self.store(address, new);
    }

    /// The type of an expression, not evaluated.
    pub fn type_of(&mut self, e: &'a Node<Expression>) -> Result<QType> {
        Ok(self.aside(|s| s.type_of_within(e))?.0)
    }

    fn type_of_within(&mut self, e: &'a Node<Expression>) -> Result<QType> {
        match &e.node {
            Expression::Identifier(name) => {
                if let Some(Symbol::Variable(var)) = self.lookup(&name.node.name) {
                    return Ok(self.variables[var.0 as usize].ty);
                }
                if let Some(Symbol::Function(proc)) = self.lookup(&name.node.name) {
                    return Ok(self.functions[proc.index()].ty.into());
                }
            }
            Expression::Member(_)
            | Expression::StringLiteral(_)
            | Expression::CompoundLiteral(_) => return Ok(self.lvalue(e)?.ty),
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                return Ok(self.lvalue(e)?.ty)
            }
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => {
                return Ok(self.lvalue(e)?.ty)
            }
            _ => {}
        }
        Ok(self.expr(e)?.ty.into())
    }
}
