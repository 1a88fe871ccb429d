//! What programs ask about pointers in the words of other verifiers: whether a range may be read or
//! written, whether two pointers lead to one object, where in it, how large it is. Ghost state has
//! the answers, so programs that ask have it whatever is checked.
//!
//! An answer is exact or there is none: what is asked about a pointer that nobody in the program
//! made, or about no bytes behind one that was never set, is not modelled.

use super::{Entered, Weaver};
use crate::access::{constant, describe, split};
use crate::addresses::is_constant;
use crate::steps::Insertions;
use prova_ir::{
    BinaryOp, Callee, CastOp, Expr, ExprId, LocId, ProcId, Program, RegId, Statement, Type,
    UNMODELLED,
};
use prova_library::{ASKED, OBJECT_SIZE, OFFSET, READABLE, SAME_OBJECT, WRITABLE};

/// A pointer that may point to more constant objects than this is not asked about each.
const MOST_CONSTANTS: usize = 32;

fn is_asked(program: &Program, callee: ProcId) -> bool {
    let procedure = program.procedure(callee);
    procedure.body.is_none() && ASKED.contains(&procedure.c_name.as_str())
}

/// Whether a program asks something.
pub(crate) fn asks(program: &Program) -> bool {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    bodies.flat_map(|b| &b.edges).any(|edge| {
        matches!(&edge.statement, Statement::Call { callee: Callee::Direct(callee), .. }
            if is_asked(program, *callee))
    })
}

impl Weaver<'_> {
    /// Whether a call is a question.
    pub(super) fn is_asked(&self, callee: ProcId) -> bool {
        let name = self.program.procedure(callee).c_name.as_str();
        !self.defined[callee.index()] && ASKED.contains(&name)
    }

    /// What has to hold for there to be an answer; says whether this is a question at all.
    pub(super) fn asked(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        callee: ProcId,
        arguments: &[ExprId],
    ) -> bool {
        if !self.is_asked(callee) {
            return false;
        }
        let name = self.program.procedure(callee).c_name.clone();
        let sized = [READABLE, WRITABLE].contains(&name.as_str());
        let pointers = if sized { &arguments[..1] } else { arguments };
        for &pointer in pointers {
            let (root, _) = split(&mut self.program.exprs, pointer);
            let through = describe(self.program, root);
            if self.is_foreign(root) {
                let strange = self.is_strange(root);
                let known = self.program.exprs.not(strange);
                let ok = match (self.entered, arguments.get(1)) {
                    (Some(Entered::Ample), _) if sized => self.program.exprs.bool(true),
                    (Some(Entered::Typed), Some(&bytes)) if sized => {
                        let room = self.has_room(pointer, bytes);
                        self.or(room, known)
                    }
                    _ => known,
                };
                let message = format!("what is asked about {through}, which is not known");
                self.check(insertions, at, ok, UNMODELLED, message);
            }
            let fat = self.fat(pointer);
            let (zero, null) = (self.int(0), self.null());
            let there = self.binary(BinaryOp::Ne, fat.size, zero);
            let block = self.binary(BinaryOp::Ne, fat.slot, zero);
            let is_null = self.binary(BinaryOp::Eq, pointer, null);
            let mut ok = self.or(there, block);
            ok = self.or(ok, is_null);
            if let (true, Some(&bytes)) = (sized, arguments.get(1)) {
                let some = self.binary(BinaryOp::Ne, bytes, zero);
                ok = self.or(ok, some);
            }
            if self.is_foreign(root) {
                let strange = self.is_strange(root);
                ok = self.or(ok, strange);
            }
            let message = format!("what is asked about {through}, which points nowhere");
            self.check(insertions, at, ok, UNMODELLED, message);
        }
        if let (WRITABLE, [pointer, ..]) = (name.as_str(), arguments) {
            let (root, _) = split(&mut self.program.exprs, *pointer);
            if self.constants_behind(*pointer, root).len() > MOST_CONSTANTS {
                let ok = self.program.exprs.bool(false);
                let message = "whether one of many constant objects may be written".to_owned();
                self.check(insertions, at, ok, UNMODELLED, message);
            }
        }
        true
    }

    /// The answer to a question, as a value of the register that takes it.
    pub(super) fn answer(
        &mut self,
        callee: ProcId,
        arguments: &[ExprId],
        result: RegId,
    ) -> Option<ExprId> {
        let name = self.program.procedure(callee).c_name.clone();
        let truth = match (name.as_str(), arguments) {
            (READABLE, [pointer, bytes]) => self.is_readable(*pointer, *bytes),
            (WRITABLE, [pointer, bytes]) => {
                let readable = self.is_readable(*pointer, *bytes);
                let (root, _) = split(&mut self.program.exprs, *pointer);
                let mut ok = readable;
                let constants = self.constants_behind(*pointer, root);
                for object in constants.into_iter().take(MOST_CONSTANTS) {
                    let inside = self.is_inside(*pointer, object);
                    let outside = self.program.exprs.not(inside);
                    ok = self.program.exprs.binary(BinaryOp::And, ok, outside);
                }
                ok
            }
            (SAME_OBJECT, [p, q]) => {
                let (p, q) = (self.base(*p), self.base(*q));
                self.binary(BinaryOp::Eq, p, q)
            }
            (OFFSET, [p]) => return Some(self.fat(*p).offset),
            (OBJECT_SIZE, [p]) => return Some(self.fat(*p).size),
            _ => return None,
        };
        let ty = self.program.register(result).ty;
        Some(match ty {
            Type::Int(1) => truth,
            ty => self.program.exprs.cast(CastOp::ZExt, truth, ty),
        })
    }

    fn null(&mut self) -> ExprId {
        self.program.exprs.add(Expr::Pointer(0))
    }

    /// Whether a pointer may be one that nobody in the program made.
    fn is_foreign(&self, root: ExprId) -> bool {
        self.facts.strangers && !matches!(self.program.exprs.get(root), Expr::Address(_))
    }

    /// The address of the first byte of a pointer's object, as a number.
    fn base(&mut self, pointer: ExprId) -> ExprId {
        let (number, offset) = (self.number_of(pointer), self.fat(pointer).offset);
        self.binary(BinaryOp::Sub, number, offset)
    }

    /// A pointer that is not null, to a live object with so many bytes left.
    fn is_readable(&mut self, pointer: ExprId, bytes: ExprId) -> ExprId {
        let (root, _) = split(&mut self.program.exprs, pointer);
        let fat = self.fat(pointer);
        let mut ok = self.inside(fat, bytes);
        if self.facts.lives && !matches!(self.program.exprs.get(root), Expr::Address(_)) {
            let (kind, zero) = (self.kind(fat.slot), self.int(0));
            let alive = self.binary(BinaryOp::Ne, kind, zero);
            ok = self.both(ok, alive);
        }
        if self.entered.is_some() && self.is_foreign(root) {
            let strange = self.is_strange(root);
            ok = self.or(strange, ok);
        }
        let null = self.null();
        let there = self.binary(BinaryOp::Ne, pointer, null);
        self.both(ok, there)
    }

    fn both(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (
            constant(&self.program.exprs, a),
            constant(&self.program.exprs, b),
        ) {
            (Some(1), _) | (_, Some(0)) => b,
            (_, Some(1)) | (Some(0), _) => a,
            _ => self.program.exprs.binary(BinaryOp::And, a, b),
        }
    }

    fn constants_behind(&mut self, pointer: ExprId, root: ExprId) -> Vec<prova_ir::ObjectId> {
        match self.program.exprs.get(root) {
            Expr::Address(object) => match is_constant(self.program, object) {
                true => vec![object],
                false => Vec::new(),
            },
            _ => self.observations.constants(self.original(pointer)),
        }
    }
}
