//! Variable arguments. The caller puts them into slots of an object of its own and passes its
//! address; a `va_list` is a cursor into the slots. On LP64 it is an array of one 24-byte
//! structure, as the ABI has it, of which only the first 8 bytes are used.

use super::lvalue::{LPlace, Location};
use super::*;
use crate::layout::Member;
use crate::types::{Record, RecordId};
use lang_c::ast::*;
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    /// The type behind `__builtin_va_list`.
    pub fn make_va_list(&mut self) -> QType {
        if self.model == DataModel::Ilp32 {
            let char = self.types.int(IntKind::Char);
            return self.types.pointer(char).into();
        }
        let record = RecordId(self.types.records.len() as u32);
        self.types.records.push(Record {
            tag: Some(Rc::from("__va_list_tag")),
            union: false,
            fields: None,
            size: 0,
            align: 1,
            user_aligned: false,
        });
        let void = self.types.void();
        let pointer: QType = self.types.pointer(void).into();
        let members = ["cursor", "unused_1", "unused_2"]
            .map(|name| Member {
                name: Some(Rc::from(name)),
                ty: pointer,
                width: None,
                packed: false,
                align: None,
            })
            .to_vec();
        layout::lay_out(
            &mut self.types,
            self.model,
            record,
            members,
            false,
            None,
            None,
        );
        let element = self.types.make(Ty::Record(record));
        self.types
            .make(Ty::Array(element.into(), Length::Known(1)))
            .into()
    }

    /// The place of a `va_list`'s cursor.
    pub fn cursor(&mut self, e: &'a Node<Expression>) -> Result<LPlace> {
        let void = self.types.void();
        let pointer = self.types.pointer(void);
        if self.model == DataModel::Ilp32 {
            let place = self.lvalue(e)?;
            return Ok(LPlace {
                ty: pointer.into(),
                ..place
            });
        }
        let value = self.expr(e)?;
        if !self.types.is_pointer(value.ty) {
            return Err(self.error(e.span, "this is not a `va_list`"));
        }
        Ok(LPlace {
            at: Location::Memory(value.expr),
            ty: pointer.into(),
        })
    }

    pub fn va_start(&mut self, list: &'a Node<Expression>, span: CSpan) -> Result<Value> {
        let Some(tail) = self.frame.tail else {
            return Err(self.error(span, "`va_start` in a function without `...`"));
        };
        let place = self.cursor(list)?;
        let value = Value {
            expr: self.program.read(tail),
            ty: place.ty.id,
        };
        self.write_place(place, value, false, span)?;
        Ok(self.void_value())
    }

    pub fn va_copy(
        &mut self,
        to: &'a Node<Expression>,
        from: &'a Node<Expression>,
        span: CSpan,
    ) -> Result<Value> {
        let target = self.cursor(to)?;
        let source = self.cursor(from)?;
        let value = self.read_place(source, span)?;
        self.write_place(target, value, false, span)?;
        Ok(self.void_value())
    }

    pub fn va_arg(&mut self, v: &'a Node<VaArgExpression>) -> Result<Value> {
        let ty = self.type_name(&v.node.type_name)?;
        let place = self.cursor(&v.node.va_list)?;
        self.stand(v.span);
        let cursor = self.read_place(place, v.span)?;
        let at = self.keep(cursor.expr);
        let size = self.size_of(ty.id, v.span)?;
        let slots = size.div_ceil(self.slot_size()).max(1) * self.slot_size();
        let next = self.offset(at, slots);
        let value = Value {
            expr: next,
            ty: cursor.ty,
        };
        self.write_place(place, value, false, v.span)?;
        let found = LPlace {
            at: Location::Memory(at),
            ty,
        };
        let value = self.read_place(found, v.span)?;
        if self.types.record(ty.id).is_some() {
            return Ok(value);
        }
        Ok(Value {
            expr: self.keep(value.expr),
            ..value
        })
    }

    pub fn slot_size(&self) -> u64 {
        self.model.pointer_bytes()
    }

    /// Puts values into slots; the address of the first.
    pub fn slots(&mut self, values: &[Value], span: CSpan) -> Result<ExprId> {
        if values.is_empty() {
            return Ok(self.program.exprs.add(Expr::Pointer(0)));
        }
        let slot = self.slot_size();
        let mut offsets = Vec::with_capacity(values.len());
        let mut total = 0;
        for value in values {
            let size = self.size_of(value.ty, span)?;
            offsets.push((total, size));
            total += size.div_ceil(slot).max(1) * slot;
        }
        let object = self.temporary_object(total, 16, None);
        let base = self.address(object);
        for (value, (offset, size)) in values.iter().zip(offsets) {
            let address = self.offset(base, offset);
            if self.types.record(value.ty).is_some() {
                if size > 0 {
                    self.emit(Op::Copy {
                        target: address,
                        source: value.expr,
                        size,
                    });
                }
            } else {
                self.store(address, value.expr);
            }
        }
        Ok(base)
    }
}
