//! Lives: blocks of the heap from allocation to `free`, frame objects from their declaration to
//! the end of their scope or activation, `alloca` and variable-length arrays to the end of theirs.

use super::slots::{HEAP, OTHER};
use super::Weaver;
use crate::access::{constant, describe};
use crate::overlaps::is_apart;
use crate::property::Property;
use crate::sizes::is_block_size;
use crate::steps::{Insertions, Step};
use prova_ir::{
    Allocation, BinaryOp, Body, Callee, EdgeId, Expr, ExprId, Halt, LocId, ObjectId, ProcId, RegId,
    Role, Statement, Storage, UNMODELLED,
};

impl Weaver<'_> {
    fn uses_table(&self) -> bool {
        self.facts.lives || self.facts.looks_up || self.parts.free
    }

    fn set_kind(&mut self, slot: ExprId, value: ExprId) -> Step {
        let address = self.kind_address(slot);
        Step::Do(Statement::Store { address, value })
    }

    /// Something of a size begins to live in a slot; sizes are there for those who look them up.
    fn set_entry(&mut self, slot: ExprId, size: ExprId, kind: u128) -> Vec<Step> {
        let kind = self.int(kind);
        let mut steps = vec![self.set_kind(slot, kind)];
        if self.facts.looks_up {
            let address = self.size_address(slot);
            let value = size;
            steps.push(Step::Do(Statement::Store { address, value }));
        }
        steps
    }

    /// What stands in place of a statement: allocations take a slot, and freeing is a matter of
    /// the table.
    pub(super) fn replacement(&mut self, statement: &Statement) -> Option<Statement> {
        match statement {
            Statement::Allocate { target, size, kind } => Some(Statement::Allocate {
                target: *target,
                size: self.allocated_size(*size),
                kind: *kind,
            }),
            Statement::Free(_) => Some(Statement::Skip),
            // A dead object's bytes stay where they are: accesses are checked beforehand.
            Statement::Leave(_) => Some(Statement::Skip),
            Statement::Call {
                callee: Callee::Direct(callee),
                ..
            } if is_apart(self.program, *callee) => Some(Statement::Skip),
            Statement::Call {
                callee: Callee::Direct(callee),
                ..
            } if self.ends(*callee) && !self.parts.errors => Some(Statement::Halt(Halt::Abort)),
            Statement::Call {
                result: Some(result),
                callee: Callee::Direct(callee),
                arguments,
            } if self.is_asked(*callee) => Some(Statement::Assign {
                target: *result,
                value: self.answer(*callee, arguments, *result)?,
            }),
            Statement::Call {
                result: Some(result),
                callee: Callee::Direct(callee),
                arguments,
            } if is_block_size(self.program, *callee) => {
                let block = *arguments.first()?;
                Some(Statement::Assign {
                    target: *result,
                    value: self.fat(block).size,
                })
            }
            _ => None,
        }
    }

    pub(super) fn allocated(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        edge: EdgeId,
        target: RegId,
        size: ExprId,
        kind: Allocation,
    ) {
        self.check_room(insertions, at, size, kind);
        let ghost = self.ghost(target);
        if !self.known.contains_key(&target) {
            // Before: the size may be computed from what the register held.
            insertions.before(
                at,
                Step::Do(Statement::Assign {
                    target: ghost.size,
                    value: size,
                }),
            );
            let (target, value) = (ghost.offset, self.int(0));
            insertions.behind(edge, Step::Do(Statement::Assign { target, value }));
        }
        let pointer = self.program.read(target);
        let (target, value) = (ghost.slot, self.new_slot(pointer));
        insertions.behind(edge, Step::Do(Statement::Assign { target, value }));
        if self.is_numbered() {
            for step in self.take_number() {
                insertions.behind(edge, step);
            }
        }
        let fat = self.fat(pointer);
        if self.uses_table() {
            let kind = match kind {
                Allocation::Heap => HEAP,
                Allocation::Stack => OTHER,
            };
            for step in self.set_entry(fat.slot, fat.size, kind) {
                insertions.behind(edge, step);
            }
        }
        if kind == Allocation::Heap && (self.parts.track || self.parts.cleanup) {
            let step = self.change_count(1);
            insertions.behind(edge, step);
        }
    }

    /// Nothing is larger than the heap. What the front end allocates there has failed if it would be; an
    /// array on the stack has not.
    fn check_room(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        size: ExprId,
        kind: Allocation,
    ) {
        let model = self.program.model;
        let slots = 2u64 << model.slot_bits();
        let most = match kind {
            Allocation::Heap if self.is_numbered() => return,
            _ if self.is_numbered() => model.heap_size(),
            _ => model.heap_size() - slots,
        };
        let room = self.int(u128::from(most));
        let fits = self.binary(BinaryOp::ULe, size, room);
        let message = format!("a block of more than {most} bytes");
        self.check(insertions, at, fits, UNMODELLED, message);
    }

    fn change_count(&mut self, by: u128) -> Step {
        let count = self.program.read(self.count);
        let by = self.int(by);
        Step::Do(Statement::Assign {
            target: self.count,
            value: self.binary(BinaryOp::Add, count, by),
        })
    }

    pub(super) fn freed(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        edge: EdgeId,
        pointer: ExprId,
    ) {
        let null = self.program.exprs.add(Expr::Pointer(0));
        let is_null = self.binary(BinaryOp::Eq, pointer, null);
        if constant(&self.program.exprs, is_null) == Some(1) {
            return;
        }
        let what = describe(self.program, pointer);
        if self.facts.strangers {
            let strange = self.is_strange(pointer);
            let known = self.program.exprs.not(strange);
            let message = format!("free of {what}, which is not known");
            self.check(insertions, at, known, UNMODELLED, message);
        }
        let fat = self.fat(pointer);
        let kind = self.kind(fat.slot);
        let (zero, heap) = (self.int(0), self.int(HEAP));
        if self.parts.free {
            let block = self.binary(BinaryOp::Eq, kind, heap);
            let start = self.binary(BinaryOp::Eq, fat.offset, zero);
            let live = match constant(&self.program.exprs, start) {
                Some(1) => block,
                _ => self.program.exprs.binary(BinaryOp::And, start, block),
            };
            let ok = self.or(is_null, live);
            let message =
                format!("free of {what}, which is not the start of a live block of the heap");
            self.check(insertions, at, ok, Property::ValidFree.name(), message);
        }
        // Whatever may be freed here is gone afterwards; null is left as it is. Without the
        // property `valid-free` a wrong `free` changes nothing.
        let gone = self.binary(BinaryOp::Eq, kind, heap);
        let not_null = self.program.exprs.not(is_null);
        let gone = self.program.exprs.binary(BinaryOp::And, not_null, gone);
        if self.parts.track || self.parts.cleanup {
            let count = self.program.read(self.count);
            let minus = self.int(u128::MAX);
            let by = self.program.exprs.add(Expr::Ite {
                cond: gone,
                then: minus,
                otherwise: zero,
            });
            let value = self.binary(BinaryOp::Add, count, by);
            let target = self.count;
            insertions.behind(edge, Step::Do(Statement::Assign { target, value }));
        }
        let left = self.program.exprs.add(Expr::Ite {
            cond: gone,
            then: zero,
            otherwise: kind,
        });
        let step = self.set_kind(fat.slot, left);
        insertions.behind(edge, step);
    }

    /// Whether the table has an entry for a frame object.
    fn is_listed(&self, object: ObjectId) -> bool {
        self.uses_table() && self.flow.outlives[object.index()]
    }

    pub(super) fn born(&mut self, insertions: &mut Insertions, edge: EdgeId, object: ObjectId) {
        if self.is_listed(object) {
            for step in self.list(object) {
                insertions.behind(edge, step);
            }
        }
    }

    pub(super) fn died(&mut self, insertions: &mut Insertions, edge: EdgeId, object: ObjectId) {
        if let Some(&address) = self.again.get(&object).filter(|_| self.uses_table()) {
            let slot = self.ghost(address).slot;
            let slot = self.program.read(slot);
            let step = self.forget(slot);
            insertions.behind(edge, step);
        } else if self.is_listed(object) {
            let step = self.strike(object);
            insertions.behind(edge, step);
        }
    }

    /// An object's entry in the table.
    fn list(&mut self, object: ObjectId) -> Vec<Step> {
        let size = self.int(u128::from(self.program.object(object).size));
        let slot = self.slot_of_object(object);
        self.set_entry(slot, size, OTHER)
    }

    fn strike(&mut self, object: ObjectId) -> Step {
        let slot = self.slot_of_object(object);
        let zero = self.int(0);
        self.set_kind(slot, zero)
    }

    /// What ends with the activation.
    pub(super) fn frame_objects(
        &mut self,
        insertions: &mut Insertions,
        procedure: ProcId,
        body: &Body,
    ) {
        if self.program.entry == Some(procedure) {
            return;
        }
        for i in 0..self.program.objects.len() {
            let object = ObjectId::new(i);
            let own = self.program.objects[i].storage == Storage::Frame(procedure);
            if own && self.is_listed(object) {
                let step = self.strike(object);
                insertions.leaving(step);
            }
        }
        let zero = self.int(0);
        let lives = match self.uses_table() {
            true => self.allocated_lives(procedure),
            false => Vec::new(),
        };
        for address in lives {
            let target = self.ghost(address).slot;
            let value = zero;
            insertions.entering(Step::Do(Statement::Assign { target, value }));
            let slot = self.program.read(target);
            let step = self.forget(slot);
            insertions.leaving(step);
        }
        let mut last: Vec<(RegId, EdgeId)> = Vec::new();
        for (i, edge) in body.edges.iter().enumerate() {
            if let Statement::Allocate {
                target,
                kind: Allocation::Stack,
                ..
            } = edge.statement
            {
                if !self.is_life(target) {
                    last.push((target, EdgeId::new(i)));
                }
            }
        }
        for (target, edge) in last {
            self.stack_block(insertions, body, procedure, target, edge);
        }
    }

    /// Whether a register holds the address of an object that is allocated for each of its lives.
    pub(super) fn is_life(&self, register: RegId) -> bool {
        self.again.values().any(|&r| r == register)
    }

    /// The addresses of the objects of a procedure that are allocated for each of their lives.
    fn allocated_lives(&self, procedure: ProcId) -> Vec<RegId> {
        let owner = |r: &RegId| self.program.register(*r).owner == Some(procedure);
        let mut found: Vec<RegId> = self.again.values().copied().filter(owner).collect();
        found.sort_unstable();
        found
    }

    /// The block that an `alloca` or the declaration of a variable-length array makes. The slot
    /// of the last one is remembered; an earlier one of the same array is out of scope by then,
    /// an earlier one of the same `alloca` is not.
    fn stack_block(
        &mut self,
        insertions: &mut Insertions,
        body: &Body,
        procedure: ProcId,
        target: RegId,
        edge: EdgeId,
    ) {
        if !self.uses_table() {
            return;
        }
        let name = self.program.register(target).name.clone();
        let last = self.ghost_register(format!("last.{name}"), Some(target));
        debug_assert_eq!(self.program.register(last).owner, Some(procedure));
        let zero = self.int(0);
        let none = Statement::Assign {
            target: last,
            value: zero,
        };
        insertions.entering(Step::Do(none));
        let slot = self.program.read(last);
        let array = self.program.register(target).role == Role::Local;
        let at = body.edge(edge).source;
        if array {
            let step = self.forget(slot);
            insertions.before(at, step);
        } else {
            let ok = self.binary(BinaryOp::Eq, slot, zero);
            let message = "the same `alloca` again in one activation".to_owned();
            self.check(insertions, at, ok, UNMODELLED, message);
        }
        let pointer = self.program.read(target);
        let value = self.fat(pointer).slot;
        insertions.behind(
            edge,
            Step::Do(Statement::Assign {
                target: last,
                value,
            }),
        );
        let step = self.forget(slot);
        insertions.leaving(step);
    }

    /// Ends the life of what lives in a slot, unless it is slot zero.
    fn forget(&mut self, slot: ExprId) -> Step {
        let zero = self.int(0);
        let none = self.binary(BinaryOp::Eq, slot, zero);
        let kind = self.kind(slot);
        let value = self.program.exprs.add(Expr::Ite {
            cond: none,
            then: kind,
            otherwise: zero,
        });
        self.set_kind(slot, value)
    }

    /// What is there when the program starts: slot zero, always alive, and objects that last.
    pub(super) fn start(&mut self, insertions: &mut Insertions) {
        for i in 0..self.program.registers.len() {
            let register = self.program.register(RegId::new(i));
            let arbitrary = register.owner.is_none() && register.initial.is_none();
            if arbitrary && register.ty == prova_ir::Type::Ptr {
                let value = self.program.read(RegId::new(i));
                let fat = self.looked_up(value);
                for step in self.assign_ghost(RegId::new(i), fat) {
                    insertions.starting(step);
                }
            }
        }
        if !self.uses_table() {
            return;
        }
        let (zero, alive) = (self.int(0), self.int(OTHER));
        let step = self.set_kind(zero, alive);
        insertions.starting(step);
        if !self.facts.looks_up {
            return;
        }
        for i in 0..self.program.objects.len() {
            // Others are listed while they live.
            let own = self.program.objects[i].pinned().is_none();
            if own && self.flow.in_memory[i] && !self.flow.outlives[i] {
                for step in self.list(ObjectId::new(i)) {
                    insertions.starting(step);
                }
            }
        }
    }
}
