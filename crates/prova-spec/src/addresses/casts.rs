//! Which integers may be addresses, if pointers become numbers by casts only and not by their bytes.
//!
//! The points-to analysis follows bytes wherever they go. Where a program copies or clears structures byte by
//! byte, it does not tell their members apart any more, and a length beside a pointer may be an address to it. C
//! lets a program read the bytes of a pointer as a number (C11 6.5 §7), but hardly any does: who chose
//! `--addresses arbitrary` assumes that none does, which is said beside every verdict. Then a number is an
//! address only if a cast made it one, here or wherever it was stored as a number.
//!
//! What would be unsound beyond that assumption: a way for numbers that is not followed here. So memory is one thing,
//! and a call through a pointer may pass a number to any function.

use prova_ir::{Callee, CastOp, Expr, ExprId, Initial, Program, RegId, Statement, Storage, Type};

/// Where numbers may be that were made from pointers.
pub(super) struct Casts {
    registers: Vec<bool>,
    memory: bool,
    /// Whether one goes through a call whose target is not known.
    anywhere: bool,
}

impl Casts {
    /// Looks at all that may run.
    pub fn new(program: &Program, reached: Option<&[bool]>) -> Casts {
        let mut casts = Casts {
            registers: vec![false; program.registers.len()],
            memory: false,
            anywhere: false,
        };
        casts.begin(program);
        while casts.round(program, reached) {}
        casts
    }

    /// What variables hold at first.
    fn begin(&mut self, program: &Program) {
        for i in 0..program.registers.len() {
            let initial = program.registers[i].initial;
            if initial.is_some_and(|e| self.is_number(program, e)) {
                self.registers[i] = true;
            }
        }
        let stored = program.objects.iter().filter_map(|o| match &o.storage {
            Storage::Static { initial, .. } => Some(initial),
            _ => None,
        });
        for (_, value) in stored.flatten() {
            if let Initial::Value(e) = value {
                self.memory |= self.is_number(program, *e);
            }
        }
    }

    /// Whether a number may have been made from a pointer.
    pub fn made(&self, program: &Program, e: ExprId) -> bool {
        if self.anywhere {
            return true;
        }
        let pool = &program.exprs;
        match pool.get(e) {
            Expr::Reg(r) => match pool.ty(e) {
                Type::Ptr => false,
                _ => self.registers.get(r.index()).copied().unwrap_or(true),
            },
            Expr::Load { ty, .. } => ty != Type::Ptr && self.memory,
            Expr::Cast {
                op: CastOp::PtrToInt,
                ..
            } => true,
            // The difference of pointers is none; what it is made of casts it before.
            _ if pool.ty(e) == Type::Ptr => false,
            _ => pool.children(e).any(|child| self.made(program, child)),
        }
    }

    /// One look at everything; whether there is something new.
    fn round(&mut self, program: &Program, reached: Option<&[bool]>) -> bool {
        let mut new = false;
        for (p, procedure) in program.procedures.iter().enumerate() {
            if reached.is_some_and(|r| !r[p]) {
                continue;
            }
            for edge in procedure.body.iter().flat_map(|b| &b.edges) {
                match &edge.statement {
                    Statement::Assign { target, value } if self.made(program, *value) => {
                        new |= self.enter(program, *target);
                    }
                    Statement::Store { value, .. } if self.is_number(program, *value) => {
                        new |= !std::mem::replace(&mut self.memory, true);
                    }
                    Statement::Call {
                        result,
                        callee,
                        arguments,
                    } => new |= self.call(program, *result, callee, arguments),
                    _ => {}
                }
            }
        }
        new
    }

    fn is_number(&self, program: &Program, e: ExprId) -> bool {
        program.exprs.ty(e) != Type::Ptr && self.made(program, e)
    }

    fn enter(&mut self, program: &Program, register: RegId) -> bool {
        let number = program.register(register).ty != Type::Ptr;
        number && !std::mem::replace(&mut self.registers[register.index()], true)
    }

    fn call(
        &mut self,
        program: &Program,
        result: Option<RegId>,
        callee: &Callee,
        arguments: &[ExprId],
    ) -> bool {
        let mut new = false;
        let Callee::Direct(callee) = callee else {
            let passes = arguments.iter().any(|&a| self.is_number(program, a));
            let returns = program.procedures.iter().filter_map(|p| p.result);
            let returns = returns.into_iter().any(|r| self.registers[r.index()]);
            if passes || (returns && result.is_some()) {
                new = !std::mem::replace(&mut self.anywhere, true);
            }
            return new;
        };
        let callee = program.procedure(*callee);
        for (&parameter, &argument) in callee.parameters.iter().zip(arguments) {
            if self.is_number(program, argument) {
                new |= self.enter(program, parameter);
            }
        }
        // More arguments than parameters are found in memory.
        let more = arguments.iter().skip(callee.parameters.len());
        if more.into_iter().any(|&a| self.is_number(program, a)) {
            new |= !std::mem::replace(&mut self.memory, true);
        }
        if let (Some(result), Some(own)) = (result, callee.result) {
            if self.registers[own.index()] {
                new |= self.enter(program, result);
            }
        }
        new
    }
}
