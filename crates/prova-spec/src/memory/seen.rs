//! Looks at addresses (`crate::addresses`) where memory is checked: slots tell objects apart, and
//! the table says which are gone.

use super::Weaver;
use crate::addresses::{message, Answers, Observation, Seen, PAIRS};
use crate::steps::Insertions;
use prova_exec::layout::heap_size;
use prova_ir::{BinaryOp, Body, CastOp, Expr, ExprId, LocId, ObjectId, ProcId, Type, UNMODELLED};

impl Weaver<'_> {
    /// Lets operations on addresses as numbers give anything, where the user wants it so. This comes
    /// before everything else that is woven into a body, which then speaks of what the operations
    /// give; so it must not ask for ghosts of pointers, and only numbers are answered.
    pub(super) fn put_answers(
        &mut self,
        insertions: &mut Insertions,
        procedure: ProcId,
        body: &mut Body,
    ) {
        self.replaced.clear();
        if !self.program.arbitrary_addresses {
            return;
        }
        for (location, edges) in body.outgoing().iter().enumerate() {
            let at = LocId::new(location);
            let found: Vec<Observation> = self.observations.at(procedure, at).to_vec();
            let mut answers = Answers::default();
            for observation in found.iter().filter(|o| is_answered(o)) {
                if let Some(shown) = observation.answer {
                    let fine = self.is_fine(&observation.seen);
                    let step = answers.choose(self.program, procedure, shown, fine);
                    step.into_iter().for_each(|s| insertions.before(at, s));
                }
            }
            for (old, new) in answers.put_in(self.program, body, edges) {
                if old != new {
                    self.replaced.insert(new, old);
                }
            }
        }
    }

    /// What an expression was before answers were put into it.
    pub(super) fn original(&self, e: ExprId) -> ExprId {
        self.replaced.get(&e).copied().unwrap_or(e)
    }

    /// Checks what a program sees of addresses before the edges of a location.
    pub(super) fn check_seen(&mut self, insertions: &mut Insertions, procedure: ProcId, at: LocId) {
        let found: Vec<Observation> = self.observations.at(procedure, at).to_vec();
        let answered = self.program.arbitrary_addresses;
        for observation in found.iter().filter(|o| !(answered && is_answered(o))) {
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
            Seen::Equal(a, b) => {
                let fine = [a, b].map(|side| {
                    let (alive, block) = (self.is_alive(side), self.is_block(side));
                    let elsewhere = self.program.exprs.not(block);
                    self.or(alive, elsewhere)
                });
                self.program.exprs.binary(BinaryOp::And, fine[0], fine[1])
            }
            Seen::Frames(a, b, ref objects) => {
                let fine = [a, b].map(|side| {
                    // Variables with several lives lie among the blocks.
                    let mut there = self.is_block(side);
                    for &object in objects {
                        // Where another activation's variable lies has no name here: it may be that one.
                        let inside = match self.is_in_scope(object) {
                            true => self.is_in(side, object),
                            false => self.program.exprs.bool(true),
                        };
                        there = self.or(there, inside);
                    }
                    let (alive, elsewhere) = (self.is_alive(side), self.program.exprs.not(there));
                    self.or(alive, elsewhere)
                });
                self.program.exprs.binary(BinaryOp::And, fine[0], fine[1])
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
            // A part of an address tells nobody of what; which part a byte is, nobody knows either.
            Seen::Number(e) | Seen::Alignment(e) if self.is_narrow(e) => {
                self.program.exprs.bool(false)
            }
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

/// Whether the answer to what is seen may be anything: a number's, as it needs no ghosts.
fn is_answered(observation: &Observation) -> bool {
    matches!(observation.seen, Seen::Number(_)) && observation.answer.is_some()
}
