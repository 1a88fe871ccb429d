//! How many bytes a caller's object is known to have behind a pointer: as many as the type has that the
//! pointer was declared with, and no more. A function `f(int *v)` may be passed the address of one `int`;
//! that there are more of them is for a contract to say, or for the user (`--pointers ample`).
//!
//! What is found here is about registers: a pointer starts with the size of what it points to where it
//! comes from outside (an argument of the entry, a global, a load), and keeps what is left when it is copied,
//! passed or moved by a constant. What is moved by anything else, backwards or through an integer has no
//! room at all. A pointer to `void` or to an incomplete type gets the size of what it is converted to.
//!
//! Only pointers that nobody in the program made are judged by it (`accesses`), while the program runs:
//! what is said of a register that holds the address of one of the program's objects does no harm.

use super::Weaver;
use crate::access::{constant, split};
use crate::entry::{pointee, pointers_in, size_of};
use prova_c::contract::CHECKED;
use prova_ir::{
    BinaryOp, CType, CTypeId, Callee, Expr, ExprId, Procedure, Program, RegId, Statement, Type,
};
use rustc_hash::FxHashMap;

/// Nothing comes from outside: all the room there is.
const ANY: u64 = u64::MAX;
/// The type says nothing. The next one may.
const UNTYPED: u64 = ANY - 1;
/// A register whose room shrinks more often than this moves in a loop.
const MOST_LOSSES: u32 = 16;

/// The room behind registers.
#[derive(Default)]
pub(super) struct Room {
    of: FxHashMap<RegId, u64>,
}

/// Where the value of a pointer comes from.
enum Source {
    /// A register, and what is added to it.
    Register(RegId, u64),
    /// Somewhere outside of the registers: so many bytes.
    Bytes(u64),
}

impl Room {
    /// Finds the room behind every register of a program whose entry is a harness.
    pub fn new(program: &Program) -> Room {
        let mut flows: Vec<(RegId, Source)> = Vec::new();
        for (p, procedure) in program.procedures.iter().enumerate() {
            let harness = program.entry.is_some_and(|e| e.index() == p);
            for edge in procedure.body.iter().flat_map(|b| &b.edges) {
                statement(program, &edge.statement, harness, &mut flows);
            }
        }
        let mut room = Room::default();
        let mut losses: FxHashMap<RegId, u32> = FxHashMap::default();
        loop {
            let mut changed = false;
            for (target, source) in &flows {
                let found = match *source {
                    Source::Bytes(bytes) => bytes,
                    Source::Register(from, by) => {
                        left(room.behind(from), by).min(match room.behind(from) {
                            UNTYPED => declared(program, *target),
                            _ => ANY,
                        })
                    }
                };
                if found < room.behind(*target) {
                    let lost = losses.entry(*target).or_default();
                    *lost += 1;
                    let found = if *lost > MOST_LOSSES { 0 } else { found };
                    room.of.insert(*target, found);
                    changed = true;
                }
            }
            if !changed {
                return room;
            }
        }
    }

    fn behind(&self, register: RegId) -> u64 {
        self.of.get(&register).copied().unwrap_or(ANY)
    }
}

fn statement(
    program: &Program,
    statement: &Statement,
    harness: bool,
    flows: &mut Vec<(RegId, Source)>,
) {
    let is_pointer = |r: RegId| program.register(r).ty == Type::Ptr;
    match statement {
        Statement::Assign { target, value } if is_pointer(*target) => {
            flow(program, *target, *value, 0, flows);
        }
        Statement::Nondet { target, .. } if is_pointer(*target) => {
            flows.push((*target, Source::Bytes(declared(program, *target))));
        }
        Statement::Call {
            result,
            callee: Callee::Direct(callee),
            arguments,
        } => {
            let called = program.procedure(*callee);
            for (&parameter, &argument) in called.parameters.iter().zip(arguments) {
                if !is_pointer(parameter) {
                    continue;
                }
                if harness && is_required(program, called, parameter) {
                    // The contract says how much there is, and a block of just so much is tried as well.
                } else if harness {
                    // What the harness makes is what the function declares.
                    flows.push((parameter, Source::Bytes(declared(program, parameter))));
                } else {
                    flow(program, parameter, argument, 0, flows);
                }
            }
            let Some(result) = result.filter(|&r| is_pointer(r)) else {
                return;
            };
            let source = match (&called.body, called.result) {
                (Some(_), Some(from)) => Source::Register(from, 0),
                _ => Source::Bytes(declared(program, result)),
            };
            flows.push((result, source));
        }
        Statement::Call {
            result: Some(result),
            ..
        } if is_pointer(*result) => {
            flows.push((*result, Source::Bytes(declared(program, *result))));
        }
        _ => {}
    }
}

/// Whether a contract says of a parameter that it is valid: then it may become a block of that size.
fn is_required(program: &Program, called: &Procedure, parameter: RegId) -> bool {
    let Some(body) = called
        .body
        .as_ref()
        .filter(|_| called.name.starts_with(CHECKED))
    else {
        return false;
    };
    let allocated = |r: RegId| {
        let mut edges = body.edges.iter();
        edges.any(|e| matches!(e.statement, Statement::Allocate { target, .. } if target == r))
    };
    body.edges.iter().any(|e| match e.statement {
        Statement::Assign { target, value } if target == parameter => {
            matches!(program.exprs.get(value), Expr::Reg(r) if allocated(r))
        }
        Statement::Allocate { target, .. } => target == parameter,
        _ => false,
    })
}

/// What goes into a register, moved by `by` bytes.
fn flow(
    program: &Program,
    target: RegId,
    value: ExprId,
    by: u64,
    flows: &mut Vec<(RegId, Source)>,
) {
    match program.exprs.get(value) {
        Expr::Reg(r) => flows.push((target, Source::Register(r, by))),
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } => match small(program, right) {
            Some(more) => flow(program, target, left, by + more, flows),
            None => flows.push((target, Source::Bytes(0))),
        },
        Expr::Ite {
            then, otherwise, ..
        } => {
            flow(program, target, then, by, flows);
            flow(program, target, otherwise, by, flows);
        }
        Expr::Load { .. } => {
            let to = type_of(program, value).or_else(|| pointee(program, target));
            let bytes = to.map_or(0, |to| bytes_of(program, to));
            flows.push((target, Source::Bytes(left(bytes, by))));
        }
        // The program's own.
        Expr::Address(_) | Expr::Function(_) | Expr::Pointer(_) => {}
        _ => flows.push((target, Source::Bytes(0))),
    }
}

/// What is left of some bytes behind `by` of them.
fn left(bytes: u64, by: u64) -> u64 {
    match (bytes, by) {
        (ANY, _) => ANY,
        (UNTYPED, 0) => UNTYPED,
        (UNTYPED, _) => 0,
        _ => bytes.saturating_sub(by),
    }
}

/// A distance forwards that is not negative as a number with a sign.
fn small(program: &Program, distance: ExprId) -> Option<u64> {
    let value = constant(&program.exprs, distance)?;
    (value < 1 << (program.model.pointer_bits() - 1)).then_some(value as u64)
}

fn declared(program: &Program, register: RegId) -> u64 {
    pointee(program, register).map_or(UNTYPED, |to| bytes_of(program, to))
}

/// The size of a type; nothing is known of `void` and of what is incomplete.
fn bytes_of(program: &Program, ctype: CTypeId) -> u64 {
    match size_of(program, ctype) {
        None | Some(0) => UNTYPED,
        Some(bytes) => bytes,
    }
}

/// What a pointer points to that an expression reads, as far as declarations tell.
fn type_of(program: &Program, pointer: ExprId) -> Option<CTypeId> {
    match program.exprs.get(pointer) {
        Expr::Reg(r) => pointee(program, r),
        Expr::Load { address, .. } => {
            let (mut root, mut at) = (address, Some(0));
            while let Expr::Binary {
                op: BinaryOp::PtrAdd,
                left,
                right,
            } = program.exprs.get(root)
            {
                at = at.zip(small(program, right)).map(|(a, b)| a + b);
                root = left;
            }
            let holder = match program.exprs.get(root) {
                Expr::Address(object) => program.object(object).ctype?,
                _ => type_of(program, root)?,
            };
            match program.ctypes.get(holder) {
                CType::Pointer(to) => Some(*to),
                _ => {
                    let held = pointers_in(program, holder)?;
                    let found = held.into_iter().find(|(offset, _)| Some(*offset) == at);
                    found.map(|(_, to)| to)
                }
            }
        }
        _ => None,
    }
}

impl Weaver<'_> {
    /// Whether `bytes` from `pointer` on lie in what the types say that a caller's object has.
    pub(super) fn has_room(&mut self, pointer: ExprId, bytes: ExprId) -> ExprId {
        let (root, offset) = split(&mut self.program.exprs, pointer);
        let room = match self.program.exprs.get(root) {
            Expr::Reg(r) => self.room.behind(r),
            _ => type_of(self.program, root).map_or(0, |to| bytes_of(self.program, to)),
        };
        match room {
            ANY => return self.program.exprs.bool(true),
            0 | UNTYPED => return self.program.exprs.bool(false),
            _ => {}
        }
        let size = self.int(u128::from(room));
        let left = self.binary(BinaryOp::Sub, size, bytes);
        let fits = self.binary(BinaryOp::ULe, bytes, size);
        let inside = self.binary(BinaryOp::ULe, offset, left);
        match (
            constant(&self.program.exprs, fits),
            constant(&self.program.exprs, inside),
        ) {
            (Some(0), _) | (_, Some(1)) => fits,
            (_, Some(0)) | (Some(1), _) => inside,
            _ => self.program.exprs.binary(BinaryOp::And, fits, inside),
        }
    }
}
