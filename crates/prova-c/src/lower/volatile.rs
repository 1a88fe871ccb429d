//! What is `volatile` may change by means that the program does not show (C11 6.7.3 §7): unless
//! told otherwise (`Options::volatile`), a read gives any value of its type, each time. The read
//! itself still happens, since it may be one that C does not allow; so do writes.

use super::lvalue::{LPlace, Location};
use super::*;
use crate::preprocess::Volatile;

impl<'a> Lowerer<'a> {
    /// Whether reads of a type give arbitrary values, of the whole or of a part.
    pub fn changes_by_itself(&mut self, ty: QType) -> bool {
        let volatile = self.unit < self.first_model && self.is_volatile(ty);
        self.reads_volatile |= volatile;
        volatile && self.volatile == Volatile::Arbitrary
    }

    fn is_volatile(&self, ty: QType) -> bool {
        match self.types.get(self.types.plain(ty.id)) {
            Ty::Array(..) | Ty::Function(_) | Ty::Void => false,
            Ty::Record(_) => ty.volatile || self.has_volatile(ty.id),
            _ => ty.volatile,
        }
    }

    fn has_volatile(&self, ty: TypeId) -> bool {
        let Some(record) = self.types.record(ty) else {
            return match self.types.array(ty) {
                Some((element, _)) => element.volatile || self.has_volatile(element.id),
                None => false,
            };
        };
        let fields = self.types.records[record.0 as usize].fields.as_ref();
        fields.is_some_and(|fields| {
            let mut types = fields.iter().map(|f| f.ty);
            types.any(|t| t.volatile || self.has_volatile(t.id))
        })
    }

    /// A read of something `volatile`.
    pub fn read_volatile(&mut self, place: LPlace, span: CSpan) -> Result<Value> {
        let plain = self.read_plain(place, span)?;
        if self.types.record(place.ty.id).is_some() {
            let what = "a structure that is read as a whole and changes by itself";
            self.mark(MarkerKind::Other(what.into()), span);
            return Ok(plain);
        }
        if !matches!(place.at, Location::Register(_)) {
            self.keep(plain.expr);
        }
        let mut name = self.excerpt(span);
        if name.is_empty() {
            name = "variable".into();
        }
        let origin = Origin::Choice(format!("what the volatile `{name}` holds"));
        let ty = self.types.plain(place.ty.id);
        let ir = match place.at {
            Location::Bits(_, bits) => Type::Int(bits.unit),
            _ => self.ir_type(ty, span)?,
        };
        self.stand(span);
        let target = self.temporary(ir);
        self.emit(Op::Nondet { target, origin });
        let expr = self.program.read(target);
        if let Location::Bits(_, bits) = place.at {
            return Ok(self.field_of(expr, bits, ty));
        }
        if matches!(self.types.get(ty), Ty::Bool) {
            self.assume_small(expr, 1);
        }
        Ok(Value { expr, ty })
    }

    /// Only values up to a limit go on.
    pub fn assume_small(&mut self, value: ExprId, most: u128) {
        let Type::Int(width) = self.program.exprs.ty(value) else {
            return;
        };
        let most = self.int(most, width);
        let inside = self.binary(BinaryOp::ULe, value, most);
        let next = self.new_location();
        self.edge(Op::Assume(inside), next);
        self.frame.at = next;
    }
}
