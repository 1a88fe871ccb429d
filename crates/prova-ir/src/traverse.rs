//! Walks over the expressions of statements and programs, and what is made of them: numbering
//! anew, and comparing programs.

use crate::expr::ExprPool;
use crate::ids::{ExprId, RegId};
use crate::program::{Callee, Halt, Initial, Program, Statement, Storage};

impl Program {
    /// Replaces every expression the program uses, in one fixed order: initial values of
    /// registers, contents of objects, edges of procedures.
    pub fn map_expressions(&mut self, mut f: impl FnMut(ExprId) -> ExprId) {
        for register in &mut self.registers {
            if let Some(e) = &mut register.initial {
                *e = f(*e);
            }
        }
        for object in &mut self.objects {
            if let Storage::Static { initial, .. } = &mut object.storage {
                for (_, part) in initial {
                    if let Initial::Value(e) = part {
                        *e = f(*e);
                    }
                }
            }
        }
        for procedure in &mut self.procedures {
            for edge in procedure.body.iter_mut().flat_map(|b| &mut b.edges) {
                edge.statement.map_expressions(&mut f);
            }
        }
    }

    /// Every expression the program uses, in the order of [`Program::map_expressions`].
    pub fn for_each_expression(&self, mut f: impl FnMut(ExprId)) {
        self.registers
            .iter()
            .filter_map(|r| r.initial)
            .for_each(&mut f);
        for object in &self.objects {
            if let Storage::Static { initial, .. } = &object.storage {
                for (_, part) in initial {
                    if let Initial::Value(e) = part {
                        f(*e);
                    }
                }
            }
        }
        for procedure in &self.procedures {
            for edge in procedure.body.iter().flat_map(|b| &b.edges) {
                edge.statement.expressions().for_each(&mut f);
            }
        }
    }

    /// Drops expressions nothing uses and numbers the rest by their first use.
    pub fn compact_expressions(&mut self) {
        let old = std::mem::replace(&mut self.exprs, ExprPool::new(self.model));
        let mut new = ExprPool::new(self.model);
        let mut copies = rustc_hash::FxHashMap::default();
        self.map_expressions(|e| old.copy_into(e, &mut new, &mut copies, |leaf| leaf));
        self.exprs = new;
    }

    /// Whether two programs are equal but for the numbering of their expressions.
    pub fn same_as(&self, other: &Program) -> bool {
        let (mut a, mut b) = (self.clone(), other.clone());
        a.compact_expressions();
        b.compact_expressions();
        a.model == b.model
            && a.files == b.files
            && a.ctypes == b.ctypes
            && a.registers == b.registers
            && a.objects == b.objects
            && a.procedures == b.procedures
            && a.exprs == b.exprs
            && a.markers == b.markers
            && a.entry == b.entry
    }
}

impl Statement {
    /// The expressions a statement evaluates, in order.
    pub fn expressions(&self) -> impl Iterator<Item = ExprId> + '_ {
        let (a, b, rest): (Option<ExprId>, Option<ExprId>, &[ExprId]) = match self {
            Statement::Assign { value, .. } => (Some(*value), None, &[]),
            Statement::Store { address, value } => (Some(*address), Some(*value), &[]),
            Statement::Copy { target, source, .. } => (Some(*target), Some(*source), &[]),
            Statement::Assume(c) | Statement::Free(c) => (Some(*c), None, &[]),
            Statement::Call {
                callee, arguments, ..
            } => match callee {
                Callee::Direct(_) => (None, None, arguments),
                Callee::Indirect(e) => (Some(*e), None, arguments),
            },
            Statement::Havoc { address, .. } => (Some(*address), None, &[]),
            Statement::Allocate { size, .. } => (Some(*size), None, &[]),
            Statement::Halt(Halt::Exit(code)) => (Some(*code), None, &[]),
            _ => (None, None, &[]),
        };
        a.into_iter().chain(b).chain(rest.iter().copied())
    }

    /// Replaces the expressions a statement evaluates, in order.
    pub fn map_expressions(&mut self, mut f: impl FnMut(ExprId) -> ExprId) {
        match self {
            Statement::Assign { value: e, .. }
            | Statement::Assume(e)
            | Statement::Free(e)
            | Statement::Havoc { address: e, .. }
            | Statement::Allocate { size: e, .. }
            | Statement::Halt(Halt::Exit(e)) => *e = f(*e),
            Statement::Store { address, value } => {
                *address = f(*address);
                *value = f(*value);
            }
            Statement::Copy { target, source, .. } => {
                *target = f(*target);
                *source = f(*source);
            }
            Statement::Call {
                callee, arguments, ..
            } => {
                if let Callee::Indirect(e) = callee {
                    *e = f(*e);
                }
                for e in arguments {
                    *e = f(*e);
                }
            }
            Statement::Skip
            | Statement::Nondet { .. }
            | Statement::Enter(_)
            | Statement::Leave(_)
            | Statement::Marker(_)
            | Statement::Halt(Halt::Abort | Halt::Trap) => {}
        }
    }

    /// The register a statement writes, if any.
    pub fn written_register(&self) -> Option<RegId> {
        match self {
            Statement::Assign { target, .. }
            | Statement::Nondet { target, .. }
            | Statement::Allocate { target, .. } => Some(*target),
            Statement::Call { result, .. } => *result,
            _ => None,
        }
    }
}
