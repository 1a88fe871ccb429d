//! Which pointers may come from outside of the program: from an input, a function without a body,
//! a variable that is defined nowhere, an argument of the entry. Such a pointer is null or lies in
//! the unknown zone, and what it leads to came from there, too.
//!
//! One pass over everything, until nothing changes: a bit for each register, one for each object
//! that is only used by its name, one for all other memory, and none for what the order of
//! statements would tell. A pointer without
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
    /// What an object holds that is only used by its name; `None` for those whose address goes
    /// elsewhere.
    objects: Vec<Option<bool>>,
    memory: bool,
    changed: bool,
}

impl Foreign {
    /// Looks over a program.
    pub fn new(program: &Program) -> Self {
        let mut found = Foreign {
            registers: vec![false; program.registers.len()],
            objects: private(program),
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
        for (i, object) in program.objects.iter().enumerate() {
            if object.storage == Storage::External {
                match &mut self.objects[i] {
                    Some(own) => *own = true,
                    None => self.memory = true,
                }
            }
        }
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

    fn store(&mut self, program: &Program, address: ExprId, foreign: bool) {
        let named = object_of(program, address).and_then(|o| self.objects[o.index()].as_mut());
        let place = named.unwrap_or(&mut self.memory);
        if foreign && !*place {
            *place = true;
            self.changed = true;
        }
    }

    /// Whether what lies at an address may come from outside.
    fn content(&self, program: &Program, address: ExprId) -> bool {
        if let Some(object) = object_of(program, address) {
            let fixed = matches!(
                program.object(object).storage,
                Storage::Static { constant: true, .. }
            );
            match self.objects[object.index()] {
                _ if fixed => return false,
                Some(own) => return own,
                None => {}
            }
        }
        self.memory || self.pointer(program, address)
    }

    /// Whether a pointer may come from outside.
    pub fn pointer(&self, program: &Program, e: ExprId) -> bool {
        let pool = &program.exprs;
        if pool.ty(e) != Type::Ptr {
            return false;
        }
        match pool.get(e) {
            Expr::Reg(r) => self.registers[r.index()],
            Expr::Load { address, .. } => self.content(program, address),
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
            Statement::Store { address, value } => {
                let foreign = self.pointer(program, *value);
                self.store(program, *address, foreign);
            }
            Statement::Copy { target, source, .. } => {
                let foreign = self.content(program, *source);
                self.store(program, *target, foreign);
            }
            Statement::Havoc { address, .. } => self.store(program, *address, true),
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

/// Objects whose address is only used to read and write them: they hold nothing from outside at
/// first. The others have no bit of their own.
fn private(program: &Program) -> Vec<Option<bool>> {
    let mut found = vec![Some(false); program.objects.len()];
    let pool = &program.exprs;
    // Expressions that are used as values, and those that are used as addresses.
    let mut seen = vec![[false; 2]; pool.len()];
    let mut work: Vec<(ExprId, bool)> = Vec::new();
    let registers = program.registers.iter().filter_map(|r| r.initial);
    work.extend(registers.map(|e| (e, false)));
    for object in &program.objects {
        if let Storage::Static { initial, .. } = &object.storage {
            for (_, part) in initial {
                if let Initial::Value(value) = part {
                    work.push((*value, false));
                }
            }
        }
    }
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    for edge in bodies.flat_map(|b| &b.edges) {
        match &edge.statement {
            Statement::Store { address, value } => work.extend([(*address, true), (*value, false)]),
            Statement::Copy { target, source, .. } => {
                work.extend([(*target, true), (*source, true)]);
            }
            Statement::Havoc { address, .. } => work.push((*address, true)),
            other => work.extend(other.expressions().map(|e| (e, false))),
        }
    }
    while let Some((e, as_address)) = work.pop() {
        if std::mem::replace(&mut seen[e.index()][usize::from(as_address)], true) {
            continue;
        }
        match pool.get(e) {
            Expr::Address(object) if !as_address => found[object.index()] = None,
            Expr::Binary {
                op: crate::expr::BinaryOp::PtrAdd,
                left,
                right,
            } => work.extend([(left, as_address), (right, false)]),
            Expr::Load { address, .. } => work.push((address, true)),
            _ => work.extend(pool.children(e).map(|child| (child, false))),
        }
    }
    found
}
