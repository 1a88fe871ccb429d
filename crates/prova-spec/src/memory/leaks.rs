//! What is left at the end: `valid-memcleanup` wants every block freed, `valid-memtrack` freed or
//! still pointed to.
//!
//! Blocks are counted. When `main` returns its own variables are gone; what global pointers point
//! to directly is tracked. If there are more blocks than that, but a tracked block might point
//! on, the answer is left open ([`prova_ir::UNMODELLED`]). `exit`, `abort` and a failed assertion
//! leave the variables of all active functions as they are: what those that are known there do not
//! point to may still be tracked by others, so that it is left open.

use super::slots::HEAP;
use super::Weaver;
use crate::property::Property;
use crate::steps::{Check, Insertions, Step};
use prova_ir::{
    BinaryOp, CType, CTypeId, Expr, ExprId, LocId, ObjectId, ProcId, RegId, Register, Storage,
    Type, UNMODELLED,
};

/// More global pointers than this are not looked at one by one.
const MOST_ROOTS: usize = 12;
/// Types nested deeper are not looked into.
const DEPTH: u32 = 8;

impl Weaver<'_> {
    fn all_freed(&mut self) -> ExprId {
        let count = self.program.read(self.count);
        let zero = self.int(0);
        self.binary(BinaryOp::Eq, count, zero)
    }

    /// Before `exit`, `abort` and their like in a procedure.
    pub(super) fn exited(&mut self, insertions: &mut Insertions, at: LocId, procedure: ProcId) {
        if !self.facts.allocates {
            return;
        }
        let freed = self.all_freed();
        if self.parts.cleanup {
            let message = "the program ends before every block is freed".to_owned();
            let name = Property::ValidMemcleanup.name();
            self.check(insertions, at, freed, name, message);
        }
        if self.parts.track {
            let message = "which blocks can still be reached where the program ends".to_owned();
            let roots = self.roots_in(procedure).filter(|r| r.len() <= MOST_ROOTS);
            let Some(roots) = roots else {
                self.check(insertions, at, freed, UNMODELLED, message);
                return;
            };
            let (tracked, _) = self.tracked(roots);
            if self.program.entry == Some(procedure) {
                // No other function is active: nothing tracked, something left is lost.
                let lost = "a block is neither freed nor pointed to when the program ends".into();
                let zero = self.int(0);
                let none = self.binary(BinaryOp::Eq, tracked, zero);
                let some = self.program.exprs.not(none);
                let ok = self.or(some, freed);
                let name = Property::ValidMemtrack.name();
                self.check(insertions, at, ok, name, lost);
            }
            let count = self.program.read(self.count);
            let all = self.binary(BinaryOp::Eq, tracked, count);
            let ok = self.or(freed, all);
            self.check(insertions, at, ok, UNMODELLED, message);
        }
    }

    /// The pointers in global variables and in those of a procedure; `None` if some may hide.
    fn roots_in(&mut self, procedure: ProcId) -> Option<Vec<ExprId>> {
        let mut roots = self.roots()?;
        roots.extend(self.local_pointers(procedure));
        for i in 0..self.program.objects.len() {
            let own = self.program.objects[i].storage == Storage::Frame(procedure);
            if own && self.observations.in_object(ObjectId::new(i)) {
                // Where its memory is, if it has any now, is not asked.
                if self.again.contains_key(&ObjectId::new(i)) {
                    return None;
                }
                self.pointers_of(ObjectId::new(i), &mut roots)?;
            }
        }
        Some(roots)
    }

    /// The pointers in a procedure's own variables.
    fn local_pointers(&mut self, procedure: ProcId) -> Vec<ExprId> {
        let own =
            |r: &Register| r.owner == Some(procedure) && r.ty == Type::Ptr && !r.c_name.is_empty();
        let found: Vec<RegId> = (0..self.program.registers.len())
            .filter(|&i| own(&self.program.registers[i]))
            .map(RegId::new)
            .filter(|&r| self.observations.in_register(r))
            .collect();
        found.into_iter().map(|r| self.program.read(r)).collect()
    }

    /// How many blocks the roots point to, each counted once; and whether there is any root.
    fn tracked(&mut self, roots: Vec<ExprId>) -> (ExprId, bool) {
        let zero = self.int(0);
        let mut tracked = zero;
        let mut earlier: Vec<ExprId> = Vec::new();
        for root in roots {
            let slot = match self.program.exprs.get(root) {
                Expr::Reg(_) => self.fat(root).slot,
                _ => self.looked_up(root).slot,
            };
            // Whether it lives there is asked, so it has to be written down.
            self.facts.lives = true;
            let kind = self.kind(slot);
            let heap = self.int(HEAP);
            let mut counts = self.binary(BinaryOp::Eq, kind, heap);
            for &other in &earlier {
                let other = self.binary(BinaryOp::Ne, other, slot);
                counts = self.program.exprs.binary(BinaryOp::And, counts, other);
            }
            let one = self.int(1);
            let by = self.program.exprs.add(Expr::Ite {
                cond: counts,
                then: one,
                otherwise: zero,
            });
            tracked = match earlier.is_empty() {
                true => by,
                false => self.program.exprs.binary(BinaryOp::Add, tracked, by),
            };
            earlier.push(slot);
        }
        (tracked, !earlier.is_empty())
    }

    /// Before `main` returns.
    pub(super) fn end(&mut self, insertions: &mut Insertions) {
        if !self.facts.allocates {
            return;
        }
        let freed = self.all_freed();
        if self.parts.cleanup {
            insertions.leaving(Step::Check(Check {
                ok: freed,
                property: Property::ValidMemcleanup.name(),
                message: "the program ends before every block is freed".into(),
            }));
        }
        if !self.parts.track {
            return;
        }
        let lost = "a block is neither freed nor pointed to when the program ends".to_owned();
        let Some(roots) = self.roots() else {
            insertions.leaving(Step::Check(Check {
                ok: freed,
                property: UNMODELLED,
                message: "which blocks can still be reached from many global variables".into(),
            }));
            return;
        };
        let zero = self.int(0);
        let (tracked, any) = self.tracked(roots);
        let count = self.program.read(self.count);
        if !any {
            insertions.leaving(Step::Check(Check {
                ok: freed,
                property: Property::ValidMemtrack.name(),
                message: lost,
            }));
            return;
        }
        // Nothing tracked, something left: lost for certain.
        let none = self.binary(BinaryOp::Eq, tracked, zero);
        let some = self.program.exprs.not(none);
        let ok = self.or(some, freed);
        insertions.leaving(Step::Check(Check {
            ok,
            property: Property::ValidMemtrack.name(),
            message: lost,
        }));
        let all = self.binary(BinaryOp::Eq, tracked, count);
        insertions.leaving(Step::Check(Check {
            ok: all,
            property: UNMODELLED,
            message: "whether a block is reached from another one when the program ends".into(),
        }));
    }

    /// The pointers in global variables; `None` if there are too many or some may hide.
    fn roots(&mut self) -> Option<Vec<ExprId>> {
        let mut roots = Vec::new();
        for i in 0..self.program.registers.len() {
            let register = self.program.register(RegId::new(i));
            let ghost = register.c_name.is_empty();
            let global = register.owner.is_none() && register.ty == Type::Ptr && !ghost;
            if global && self.observations.in_register(RegId::new(i)) {
                let root = self.program.read(RegId::new(i));
                roots.push(root);
            }
        }
        for i in 0..self.program.objects.len() {
            let object = &self.program.objects[i];
            match object.storage {
                Storage::Static { constant, .. } if !constant && object.pinned().is_none() => {}
                _ => continue,
            }
            if !self.observations.in_object(ObjectId::new(i)) {
                continue;
            }
            self.pointers_of(ObjectId::new(i), &mut roots)?;
        }
        (roots.len() <= MOST_ROOTS).then_some(roots)
    }

    /// The pointers that an object holds.
    fn pointers_of(&mut self, object: ObjectId, roots: &mut Vec<ExprId>) -> Option<()> {
        let ctype = self.program.object(object).ctype?;
        let mut offsets = Vec::new();
        self.pointers_in(ctype, 0, DEPTH, &mut offsets)?;
        let base = self.program.exprs.add(Expr::Address(object));
        for offset in offsets {
            let at = self.program.exprs.offset(base, offset);
            roots.push(self.program.exprs.load(at, Type::Ptr));
        }
        Some(())
    }

    fn pointers_in(&self, ctype: CTypeId, at: u64, depth: u32, found: &mut Vec<u64>) -> Option<()> {
        if found.len() > MOST_ROOTS || depth == 0 {
            return None;
        }
        match self.program.ctypes.get(ctype) {
            CType::Pointer(_) => found.push(at),
            CType::Array { element, length } => {
                let mut inside = Vec::new();
                self.pointers_in(*element, 0, depth - 1, &mut inside)?;
                if inside.is_empty() {
                    return Some(());
                }
                let size = self.size_of(*element)?;
                for i in 0..(*length)? {
                    for offset in &inside {
                        found.push(at + i * size + offset);
                    }
                    if found.len() > MOST_ROOTS {
                        return None;
                    }
                }
            }
            CType::Record { fields, union, .. } => {
                let before = found.len();
                for field in fields {
                    self.pointers_in(field.ctype, at + field.offset, depth - 1, found)?;
                }
                // Members of a union lie over one another.
                if *union && found.len() > before {
                    return None;
                }
            }
            _ => {}
        }
        Some(())
    }

    fn size_of(&self, ctype: CTypeId) -> Option<u64> {
        match self.program.ctypes.get(ctype) {
            CType::Pointer(_) => Some(self.program.model.pointer_bytes()),
            CType::Record { size, .. } => Some(*size),
            CType::Array { element, length } => Some(self.size_of(*element)? * (*length)?),
            _ => None,
        }
    }
}
