//! Which pointers may come from outside of the program: from an input, a function without a body,
//! a variable that is defined nowhere, an argument of the entry. Such a pointer is null or lies in
//! the unknown zone, and what it leads to came from there, too.
//!
//! One pass over everything, until nothing changes: a bit for each register, one for all of memory
//! that can be written, and none for what the order of statements would tell. A pointer without
//! the bit is a number of the program's own making, an address of one of its objects or functions,
//! or what was never given a value.

use super::devirtualise::address_taken;
use crate::expr::{CastOp, Expr};
use crate::ids::{ExprId, ProcId, RegId};
use crate::program::*;
use crate::types::Type;

/// What may come from outside.
pub struct Foreign {
    registers: Vec<bool>,
    memory: bool,
    changed: bool,
}

impl Foreign {
    /// Looks over a program.
    pub fn new(program: &Program) -> Self {
        let mut found = Foreign {
            registers: vec![false; program.registers.len()],
            memory: false,
            changed: true,
        };
        found.start(program);
        let taken = address_taken(program);
        while std::mem::take(&mut found.changed) {
            for procedure in &program.procedures {
                for edge in procedure.body.iter().flat_map(|b| &b.edges) {
                    found.statement(program, &taken, &edge.statement);
                }
            }
        }
        found
    }

    fn start(&mut self, program: &Program) {
        for (i, register) in program.registers.iter().enumerate() {
            let outside = register.role == Role::Global && register.initial.is_none();
            self.registers[i] = outside && register.ty == Type::Ptr;
        }
        let external = |o: &Object| o.storage == Storage::External;
        self.memory = program.objects.iter().any(external);
        let all = 0..program.procedures.len();
        let entries = all.filter(|&p| match program.entry {
            Some(entry) => entry.index() == p,
            None => true,
        });
        for p in entries {
            for &parameter in &program.procedures[p].parameters {
                self.give(program, parameter, true);
            }
        }
    }

    fn give(&mut self, program: &Program, to: RegId, foreign: bool) {
        if foreign && program.register(to).ty == Type::Ptr && !self.registers[to.index()] {
            self.registers[to.index()] = true;
            self.changed = true;
        }
    }

    fn store(&mut self, foreign: bool) {
        if foreign && !self.memory {
            self.memory = true;
            self.changed = true;
        }
    }

    /// Whether a pointer may come from outside.
    pub fn pointer(&self, program: &Program, e: ExprId) -> bool {
        let pool = &program.exprs;
        if pool.ty(e) != Type::Ptr {
            return false;
        }
        match pool.get(e) {
            Expr::Reg(r) => self.registers[r.index()],
            Expr::Load { address, .. } => {
                let fixed = object_of(program, address).is_some_and(|o| {
                    matches!(
                        program.object(o).storage,
                        Storage::Static { constant: true, .. }
                    )
                });
                !fixed && (self.memory || self.pointer(program, address))
            }
            // A number that became a pointer may be any.
            Expr::Cast {
                op: CastOp::IntToPtr,
                arg,
                ..
            } => !matches!(pool.get(arg), Expr::Int { .. }),
            // A place in an object is where the object is.
            _ => pool.children(e).any(|child| self.pointer(program, child)),
        }
    }

    fn statement(&mut self, program: &Program, taken: &[ProcId], statement: &Statement) {
        match statement {
            Statement::Assign { target, value } => {
                let foreign = self.pointer(program, *value);
                self.give(program, *target, foreign);
            }
            Statement::Store { value, .. } => {
                let foreign = self.pointer(program, *value);
                self.store(foreign);
            }
            // What lies behind such a pointer may hold such pointers.
            Statement::Copy { source, .. } => {
                let foreign = self.pointer(program, *source);
                self.store(foreign);
            }
            Statement::Havoc { .. } => self.store(true),
            Statement::Nondet { target, origin } => {
                let foreign = *origin != Origin::Uninitialised;
                self.give(program, *target, foreign);
            }
            Statement::Call {
                result,
                callee,
                arguments,
            } => match callee {
                Callee::Direct(p) => self.call(program, *p, *result, arguments),
                Callee::Indirect(pointer) => {
                    if let (Some(result), true) = (result, self.pointer(program, *pointer)) {
                        self.give(program, *result, true);
                    }
                    for &p in taken {
                        self.call(program, p, *result, arguments);
                    }
                }
            },
            _ => {}
        }
    }

    fn call(
        &mut self,
        program: &Program,
        callee: ProcId,
        result: Option<RegId>,
        arguments: &[ExprId],
    ) {
        let procedure = program.procedure(callee);
        for (&parameter, &argument) in procedure.parameters.iter().zip(arguments) {
            let foreign = self.pointer(program, argument);
            self.give(program, parameter, foreign);
        }
        if let Some(to) = result {
            let foreign = match (&procedure.body, procedure.result) {
                (None, _) => true,
                (Some(_), Some(from)) => self.registers[from.index()],
                (Some(_), None) => false,
            };
            self.give(program, to, foreign);
        }
    }
}

/// The object that an address is a place in, if it says so.
fn object_of(program: &Program, address: ExprId) -> Option<crate::ids::ObjectId> {
    match program.exprs.get(address) {
        Expr::Address(object) => Some(object),
        Expr::Binary {
            op: crate::expr::BinaryOp::PtrAdd,
            left,
            ..
        } => object_of(program, left),
        _ => None,
    }
}
