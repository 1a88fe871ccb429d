//! Slots: which object a pointer was made from, as a number. Slot zero stands for null and for objects
//! that live for ever; no bytes can be accessed there.
//!
//! A table has the kind of what lives in a slot, 0 if nothing does. Slots are given in one of two ways:
//!
//! * **By number**, where no pointer has to be looked up by its bits: objects with names have the
//!   first numbers, and every allocation takes the next one from a counter. Where a block lies means
//!   nothing then, and it may be as large as C allows.
//! * **By address**, where pointers go through memory or integers and come back: every object has a
//!   range of addresses to itself, with the object's first byte in the middle of it, so to speak: half
//!   a slot before and half a slot behind belong to no other. So a pointer's bits say which object
//!   it was made from, however it travelled, and the table has the size of what lives or lived in a
//!   slot beside its kind. Two numbers, because the kind is a constant wherever an object is made:
//!   whether it is alive can be seen without knowing how large it is. A block that needs more takes several
//!   slots, of which the first is its own and the others have no entry; a pointer that is further than
//!   half a slot into it must not go where it would be looked up (`Weaver::stored`).
//!
//! What would be unsound: two objects with one slot, or a limit that a run may get to. With 64 bits the
//! counter has one that would take a machine years; with 32 bits it is there only where no loop
//! allocates ([`allocates_without_bound`]), so that the text of the program bounds it.

use super::fat::Fat;
use super::Weaver;
use crate::steps::Step;
use prova_ir::passes::activations::{called_without_bound, edges_on_cycles};
use prova_ir::{BinaryOp, DataModel, Expr, ExprId, ObjectId, Program, Statement, Type};

/// A block of the heap.
pub(super) const HEAP: u128 = 1;
/// Any other object.
pub(super) const OTHER: u128 = 2;

/// Half a slot: the most that an object may take whose address is looked up anywhere in it.
pub(super) fn half_slot(model: DataModel) -> u64 {
    1 << (model.slot_bits() - 1)
}

/// Whether a run may allocate any number of blocks.
pub(super) fn allocates_without_bound(program: &Program) -> bool {
    let often = called_without_bound(program);
    program.procedures.iter().zip(often).any(|(p, often)| {
        let Some(body) = &p.body else { return false };
        let cycles = edges_on_cycles(body);
        let allocates = |s: &Statement| matches!(s, Statement::Allocate { .. });
        let mut edges = body.edges.iter().zip(cycles);
        edges.any(|(e, cycle)| (cycle || often) && allocates(&e.statement))
    })
}

impl Weaver<'_> {
    /// Whether slots are numbers from a counter.
    pub(super) fn is_numbered(&self) -> bool {
        !self.facts.looks_up
    }

    /// The number of an object with a name.
    fn number(&mut self, object: ObjectId) -> ExprId {
        self.int(object.index() as u128 + 1)
    }

    /// The first number for what is allocated.
    pub(super) fn first_number(&mut self) -> ExprId {
        let named = self.program.objects.len() as u128;
        self.int(named + 1)
    }

    /// Takes the next number. No run takes as many as there are: it keeps them from beginning anew.
    pub(super) fn take_number(&mut self) -> [Step; 2] {
        let next = self.program.read(self.next);
        let bits = self.program.model.pointer_bits();
        let limit = self.int(1 << (bits - 8));
        let one = self.int(1);
        [
            Step::Do(Statement::Assume(self.binary(BinaryOp::ULt, next, limit))),
            Step::Do(Statement::Assign {
                target: self.next,
                value: self.binary(BinaryOp::Add, next, one),
            }),
        ]
    }

    /// How many bytes are allocated for a block: as many as the program wants, or whole slots. With what
    /// the allocator adds (16 bytes) the next block starts at a slot.
    pub(super) fn allocated_size(&mut self, size: ExprId) -> ExprId {
        if self.is_numbered() {
            return size;
        }
        let slot = 1u128 << self.program.model.slot_bits();
        let half = u128::from(half_slot(self.program.model));
        let one = self.int(slot - 16);
        if self.is_always_small(size) {
            return one;
        }
        // Half a slot behind the last byte belongs to the block as well.
        let (half, more) = (self.int(half), self.int(half + slot - 1));
        let raised = self.binary(BinaryOp::Add, size, more);
        let mask = self.int(!(slot - 1));
        let whole = self.binary(BinaryOp::And, raised, mask);
        let gap = self.int(16);
        let several = self.binary(BinaryOp::Sub, whole, gap);
        let small = self.binary(BinaryOp::ULe, size, half);
        self.program.exprs.add(Expr::Ite {
            cond: small,
            then: one,
            otherwise: several,
        })
    }

    /// Whether a size is a constant that fits half a slot.
    pub(super) fn is_always_small(&mut self, size: ExprId) -> bool {
        let half = u128::from(half_slot(self.program.model));
        crate::access::constant(&self.program.exprs, size).is_some_and(|n| n <= half)
    }

    /// The distance of a pointer from the start of the heap, plus one and a half slots: the first
    /// block is in slot one, so that slot zero is free for what has no slot.
    fn distance(&mut self, pointer: ExprId) -> ExprId {
        let start = self.program.exprs.add(Expr::Address(self.first));
        let (a, b) = (self.number_of(pointer), self.number_of(start));
        let apart = self.binary(BinaryOp::Sub, a, b);
        let by = self.int(u128::from(3 * half_slot(self.program.model)));
        self.binary(BinaryOp::Add, apart, by)
    }

    /// The slot that a pointer to what was just allocated has.
    pub(super) fn new_slot(&mut self, pointer: ExprId) -> ExprId {
        if self.is_numbered() {
            return self.program.read(self.next);
        }
        self.slot_at(pointer)
    }

    /// The slot of a pointer that is not null, by its address.
    fn slot_at(&mut self, pointer: ExprId) -> ExprId {
        let distance = self.distance(pointer);
        let size = self.int(1 << self.program.model.slot_bits());
        self.binary(BinaryOp::UDiv, distance, size)
    }

    /// The slot of an object with a name.
    pub(super) fn slot_of_object(&mut self, object: ObjectId) -> ExprId {
        if self.is_numbered() {
            return self.number(object);
        }
        let address = self.program.exprs.add(Expr::Address(object));
        self.slot_at(address)
    }

    /// The slot that a pointer's bits name.
    fn slot_of(&mut self, pointer: ExprId) -> ExprId {
        let slot = self.slot_at(pointer);
        // Null has no slot.
        let null = self.program.exprs.add(Expr::Pointer(0));
        let is_null = self.binary(BinaryOp::Eq, pointer, null);
        let zero = self.int(0);
        self.program.exprs.add(Expr::Ite {
            cond: is_null,
            then: zero,
            otherwise: slot,
        })
    }

    /// What a pointer's bits and the table say of it.
    pub(super) fn looked_up(&mut self, pointer: ExprId) -> Fat {
        self.facts.looks_up = true;
        let distance = self.distance(pointer);
        let slot_size = self.int(1 << self.program.model.slot_bits());
        let half = self.int(u128::from(half_slot(self.program.model)));
        let within = self.binary(BinaryOp::URem, distance, slot_size);
        let slot = self.slot_of(pointer);
        let ty = self.program.model.pointer_int();
        let entry = self.size_address(slot);
        Fat {
            offset: self.binary(BinaryOp::Sub, within, half),
            size: self.program.exprs.load(entry, ty),
            slot,
        }
    }

    /// Where the table has the kind of what lives in a slot.
    pub(super) fn kind_address(&mut self, slot: ExprId) -> ExprId {
        let parts = if self.is_numbered() { 1 } else { 2 };
        let bytes = self.int(parts * u128::from(self.program.model.pointer_bytes()));
        let by = self.binary(BinaryOp::Mul, slot, bytes);
        let table = self.program.exprs.add(Expr::Address(self.table));
        self.binary(BinaryOp::PtrAdd, table, by)
    }

    /// Where the table has its size, if slots are given by address.
    pub(super) fn size_address(&mut self, slot: ExprId) -> ExprId {
        let kind = self.kind_address(slot);
        let by = self.int(u128::from(self.program.model.pointer_bytes()));
        self.binary(BinaryOp::PtrAdd, kind, by)
    }

    /// The kind of what lives in a slot.
    pub(super) fn kind(&mut self, slot: ExprId) -> ExprId {
        let address = self.kind_address(slot);
        let ty: Type = self.program.model.pointer_int();
        self.program.exprs.load(address, ty)
    }
}
