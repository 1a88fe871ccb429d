//! Before every access: the bytes lie inside the object that the pointer was made from, and the
//! object is alive.

use super::fat::Fat;
use super::{Entered, Weaver};
use crate::access::{accesses, constant, describe, split};
use crate::addresses::is_constant;
use crate::overlaps::apart;
use crate::property::Property;
use crate::steps::Insertions;
use prova_ir::{BinaryOp, Expr, ExprId, LocId, Statement, BEYOND_TYPE, UNMODELLED};
use prova_library::{kind, Kind};

/// A pointer that may point to more constant objects than this is not asked about each.
const MOST_CONSTANTS: usize = 32;

impl Weaver<'_> {
    /// Checks what a statement reads and writes.
    pub(super) fn check_accesses(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        statement: &Statement,
    ) {
        for access in accesses(self.program, statement) {
            let size = self.int(u128::from(access.size));
            self.check_range(insertions, at, access.address, size, access.write);
        }
        if let Statement::Copy {
            target,
            source,
            size,
        } = *statement
        {
            let size = self.int(u128::from(size));
            self.check_apart(insertions, at, target, source, size, "a copy");
        }
    }

    /// Checks that `bytes` from `pointer` on can be accessed.
    pub(super) fn check_range(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        pointer: ExprId,
        bytes: ExprId,
        write: bool,
    ) {
        let (root, _) = split(&mut self.program.exprs, pointer);
        let fat = self.fat(pointer);
        let named = matches!(self.program.exprs.get(root), Expr::Address(_));
        let what = format!(
            "{}{}",
            self.inside_of(),
            if write { "write" } else { "read" }
        );
        let amount = match constant(&self.program.exprs, bytes) {
            Some(1) => " of 1 byte".into(),
            Some(n) => format!(" of {n} bytes"),
            None => String::new(),
        };
        let through = describe(self.program, root);
        let mut inside = self.inside(fat, bytes);
        if !named && self.facts.strangers {
            let strange = self.is_strange(root);
            let known = self.program.exprs.not(strange);
            match self.entered {
                Some(Entered::Ample) => {}
                Some(Entered::Typed) => {
                    let room = self.has_room(pointer, bytes);
                    let ok = self.or(room, known);
                    let message = format!("an access through {through} {BEYOND_TYPE}");
                    self.check(insertions, at, ok, UNMODELLED, message);
                }
                None => {
                    let message = format!("an access through {through}, which is not known");
                    self.check(insertions, at, known, UNMODELLED, message);
                }
            }
            if self.entered.is_some() {
                inside = self.or(strange, inside);
            }
        }
        let message = match self.program.exprs.get(root) {
            Expr::Address(object) => {
                let size = self.program.object(object).size;
                let bytes = if size == 1 { "byte" } else { "bytes" };
                format!("{what}{amount} outside of {through}, which has {size} {bytes}")
            }
            _ => format!("{what}{amount} through {through}, which is null or out of bounds"),
        };
        self.check(insertions, at, inside, Property::ValidDeref.name(), message);
        if write {
            self.check_writable(insertions, at, pointer, root);
        }
        let lasts = match self.program.exprs.get(root) {
            Expr::Address(_) => true,
            // An object can only be named while it lives.
            Expr::Reg(r) => self.is_life(r) || self.observations.lasts(r),
            _ => false,
        };
        if self.facts.lives && !lasts {
            let kind = self.kind(fat.slot);
            let zero = self.int(0);
            let mut alive = self.binary(BinaryOp::Ne, kind, zero);
            if self.facts.strangers && self.entered.is_some() {
                let strange = self.is_strange(root);
                alive = self.or(strange, alive);
            }
            if constant(&self.program.exprs, bytes).is_none() {
                let none = self.binary(BinaryOp::Eq, bytes, zero);
                alive = self.or(none, alive);
            }
            let message = format!("{what}{amount} through {through}, whose object is gone");
            self.check(insertions, at, alive, Property::ValidDeref.name(), message);
        }
    }

    /// Where a model accesses memory, its names are not the caller's: the function is named.
    fn inside_of(&self) -> String {
        let procedure = self.program.procedure(self.procedure);
        if !procedure.span.is_known() || self.program.is_own(procedure.span) {
            return String::new();
        }
        let called = &procedure.c_name;
        let called = called.strip_prefix("__prova_").unwrap_or(called);
        match kind(called) {
            Kind::Modelled => format!("in `{called}`: "),
            _ => "in the library: ".to_owned(),
        }
    }

    /// Checks that what is written to is no string literal and no `const` object with static
    /// storage: those lie in memory that cannot be written.
    fn check_writable(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        pointer: ExprId,
        root: ExprId,
    ) {
        let constants = match self.program.exprs.get(root) {
            Expr::Address(object) => match is_constant(self.program, object) {
                true => vec![object],
                false => Vec::new(),
            },
            _ => self.observations.constants(self.original(pointer)),
        };
        for &object in constants.iter().take(MOST_CONSTANTS) {
            let inside = self.is_inside(pointer, object);
            let ok = self.program.exprs.not(inside);
            let base = self.program.exprs.add(Expr::Address(object));
            let message = format!(
                "{}write to {}, which is constant",
                self.inside_of(),
                describe(self.program, base)
            );
            self.check(insertions, at, ok, Property::ValidDeref.name(), message);
        }
        if constants.len() > MOST_CONSTANTS {
            let ok = self.program.exprs.bool(false);
            let message = "a write that may go to many constant objects".to_owned();
            self.check(insertions, at, ok, UNMODELLED, message);
        }
    }

    /// `bytes <= size` and `offset <= size - bytes`.
    pub(super) fn inside(&mut self, fat: Fat, bytes: ExprId) -> ExprId {
        let room = self.binary(BinaryOp::Sub, fat.size, bytes);
        let low = self.binary(BinaryOp::ULe, fat.offset, room);
        if constant(&self.program.exprs, bytes) == Some(1) {
            return self.binary(BinaryOp::ULt, fat.offset, fat.size);
        }
        let fits = self.binary(BinaryOp::ULe, bytes, fat.size);
        match constant(&self.program.exprs, fits) {
            Some(1) => low,
            Some(_) => fits,
            None if constant(&self.program.exprs, low) == Some(1) => fits,
            None => self.program.exprs.binary(BinaryOp::And, fits, low),
        }
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (
            constant(&self.program.exprs, a),
            constant(&self.program.exprs, b),
        ) {
            (Some(1), _) | (_, Some(0)) => a,
            (_, Some(1)) | (Some(0), _) => b,
            _ => self.program.exprs.binary(BinaryOp::Or, a, b),
        }
    }

    /// Whether a pointer is one that nobody in the program made.
    pub(super) fn is_strange(&mut self, pointer: ExprId) -> ExprId {
        let zone = self.program.model.unknown_zone();
        let low = self.program.exprs.add(Expr::Pointer(zone.start));
        let high = self.program.exprs.add(Expr::Pointer(zone.end));
        let above = self.binary(BinaryOp::ULe, low, pointer);
        let below = self.binary(BinaryOp::ULt, pointer, high);
        match constant(&self.program.exprs, above) {
            Some(0) => above,
            _ => self.program.exprs.binary(BinaryOp::And, above, below),
        }
    }

    /// Checks that two ranges are the same or do not overlap.
    pub(super) fn check_apart(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        a: ExprId,
        b: ExprId,
        bytes: ExprId,
        what: &str,
    ) {
        let (x, _) = split(&mut self.program.exprs, a);
        let (y, _) = split(&mut self.program.exprs, b);
        let named = |e| matches!(e, Expr::Address(_));
        let (first, second) = (self.program.exprs.get(x), self.program.exprs.get(y));
        let different = x != y && named(first) && named(second);
        if a == b || different || self.observations.apart(a, b) {
            return;
        }
        let same = self.binary(BinaryOp::Eq, a, b);
        let apart = apart(&mut self.program.exprs, a, b, bytes);
        let ok = self.or(same, apart);
        let message = format!("{what} between ranges that overlap");
        self.check(insertions, at, ok, Property::ValidDeref.name(), message);
    }

    /// Checks that texts do not overlap that a model copies.
    pub(super) fn check_texts(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        [a, b, bytes]: [ExprId; 3],
    ) {
        if self.observations.apart(a, b) {
            return;
        }
        let ok = apart(&mut self.program.exprs, a, b, bytes);
        let property = match self.parts.deref {
            true => Property::ValidDeref.name(),
            false => UNMODELLED,
        };
        let message = format!("{}a copy between texts that overlap", self.inside_of());
        self.check(insertions, at, ok, property, message);
    }
}
