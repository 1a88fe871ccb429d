//! Looks at addresses (`crate::addresses`) where memory is checked: slots tell objects apart, and
//! the table says which are gone.

use super::Weaver;
use crate::addresses::{message, Observation, Seen, PAIRS};
use crate::steps::Insertions;
use prova_exec::layout::heap_size;
use prova_ir::{BinaryOp, CastOp, Expr, ExprId, LocId, ObjectId, ProcId, Type, UNMODELLED};

impl Weaver<'_> {
    /// Checks what a program sees of addresses before the edges of a location.
    pub(super) fn check_seen(&mut self, insertions: &mut Insertions, procedure: ProcId, at: LocId) {
        let found: Vec<Observation> = self.observations.at(procedure, at).to_vec();
        for observation in found {
            let mut ok = self.is_fine(&observation.seen);
            for &(condition, holds) in observation.guard.iter().rev() {
                let other = match holds {
                    true => self.program.exprs.not(condition),
                    false => condition,
                };
                ok = self.or(other, ok);
            }
            let message = message(&observation.seen);
            self.check(insertions, at, ok, UNMODELLED, message);
        }
    }

    fn is_fine(&mut self, seen: &Seen) -> ExprId {
        match *seen {
            Seen::Order(a, b) => {
                let slots = [a, b].map(|side| {
                    let pointer = self.pointer(side);
                    self.fat(pointer).slot
                });
                self.binary(BinaryOp::Eq, slots[0], slots[1])
            }
            Seen::Equal(a, b) | Seen::Frames(a, b, _) => {
                let alive = [a, b].map(|side| self.is_alive(side));
                self.program.exprs.binary(BinaryOp::And, alive[0], alive[1])
            }
            Seen::Literals(_, _, ref pairs) if pairs.len() > PAIRS => {
                self.program.exprs.bool(false)
            }
            Seen::Literals(a, b, ref pairs) => {
                let mut ok = self.program.exprs.bool(true);
                for &(x, y) in pairs {
                    let (first, second) = (self.is_in(a, x), self.is_in(b, y));
                    let both = self.program.exprs.binary(BinaryOp::And, first, second);
                    let not = self.program.exprs.not(both);
                    ok = self.program.exprs.binary(BinaryOp::And, ok, not);
                }
                ok
            }
            // A part of an address tells nobody of what.
            Seen::Number(e) if self.is_narrow(e) => self.program.exprs.bool(false),
            Seen::Number(e) => {
                let inside = self.is_block(e);
                self.program.exprs.not(inside)
            }
            // Objects with a name lie at slots here, and are aligned better than C says.
            Seen::Alignment(e) => self.is_block(e),
        }
    }

    fn is_narrow(&self, e: ExprId) -> bool {
        let model = self.program.model;
        self.program.exprs.ty(e).bits(model) < model.pointer_bits()
    }

    /// An address as a pointer.
    fn pointer(&mut self, e: ExprId) -> ExprId {
        if let Expr::Cast {
            op: CastOp::PtrToInt,
            arg,
            ..
        } = self.program.exprs.get(e)
        {
            return arg;
        }
        let ty = self.program.model.pointer_int();
        let number = match self.program.exprs.ty(e) {
            Type::Ptr => return e,
            own if own == ty => e,
            _ => self.program.exprs.cast(CastOp::Trunc, e, ty),
        };
        self.program.exprs.cast(CastOp::IntToPtr, number, Type::Ptr)
    }

    fn is_alive(&mut self, e: ExprId) -> ExprId {
        let pointer = self.pointer(e);
        let slot = self.fat(pointer).slot;
        let kind = self.kind(slot);
        let zero = self.int(0);
        let alive = self.binary(BinaryOp::Ne, kind, zero);
        if !self.facts.strangers {
            return alive;
        }
        let strange = self.is_strange(pointer);
        self.or(strange, alive)
    }

    /// Whether an address lies in the heap.
    fn is_block(&mut self, e: ExprId) -> ExprId {
        let pointer = self.pointer(e);
        let start = self.program.exprs.add(Expr::Address(self.first));
        let (at, start) = (self.number_of(pointer), self.number_of(start));
        let far = self.binary(BinaryOp::Sub, at, start);
        let size = self.int(u128::from(heap_size(self.program.model)));
        self.binary(BinaryOp::ULt, far, size)
    }

    /// Whether an address lies in an object or right behind it.
    fn is_in(&mut self, e: ExprId, object: ObjectId) -> ExprId {
        let (far, size) = self.far(e, object);
        self.binary(BinaryOp::ULe, far, size)
    }

    /// Whether an address is that of a byte of an object.
    pub(super) fn is_inside(&mut self, e: ExprId, object: ObjectId) -> ExprId {
        let (far, size) = self.far(e, object);
        self.binary(BinaryOp::ULt, far, size)
    }

    /// The distance of an address from an object's first byte, and the object's size.
    fn far(&mut self, e: ExprId, object: ObjectId) -> (ExprId, ExprId) {
        let pointer = self.pointer(e);
        let size = self.int(u128::from(self.program.object(object).size));
        let base = self.program.exprs.add(Expr::Address(object));
        let (at, base) = (self.number_of(pointer), self.number_of(base));
        (self.binary(BinaryOp::Sub, at, base), size)
    }
}
