//! Pointers through calls: what is known of arguments and results travels in global ghost
//! registers, so that signatures stay as they are. Library functions that take ranges are checked
//! where they are called; what they do inside needs no check then.

use super::fat::Ghost;
use super::Weaver;
use crate::overlaps::is_apart;
use crate::steps::Insertions;
use crate::unreach::is_end_of_program;
use prova_ir::{EdgeId, ExprId, LocId, ProcId, RegId, Type};

/// A library function and the ranges it accesses: argument, length argument, whether it writes.
struct Ranges {
    name: &'static str,
    ranges: &'static [(usize, usize, bool)],
    /// Whether its first two arguments must not overlap.
    apart: bool,
}

const RANGES: &[Ranges] = &[
    Ranges {
        name: "memcpy",
        ranges: &[(0, 2, true), (1, 2, false)],
        apart: true,
    },
    Ranges {
        name: "mempcpy",
        ranges: &[(0, 2, true), (1, 2, false)],
        apart: true,
    },
    Ranges {
        name: "memmove",
        ranges: &[(0, 2, true), (1, 2, false)],
        apart: false,
    },
    Ranges {
        name: "memset",
        ranges: &[(0, 2, true)],
        apart: false,
    },
    Ranges {
        name: "bzero",
        ranges: &[(0, 1, true)],
        apart: false,
    },
    Ranges {
        name: "memcmp",
        ranges: &[(0, 2, false), (1, 2, false)],
        apart: false,
    },
];

/// Models whose own accesses are right by construction.
const TRUSTED: [&str; 2] = ["calloc", "realloc"];

impl Weaver<'_> {
    fn ranges_of(&self, procedure: ProcId) -> Option<&'static Ranges> {
        let called = self.program.procedure(procedure);
        let model = called.span.is_known() && !self.program.is_own(called.span);
        let known = RANGES.iter().find(|r| r.name == called.c_name);
        known.filter(|_| model)
    }

    /// Whether accesses inside a procedure are known to be fine.
    pub(super) fn is_trusted(&self, procedure: ProcId) -> bool {
        let called = self.program.procedure(procedure);
        let model = called.span.is_known() && !self.program.is_own(called.span);
        self.ranges_of(procedure).is_some() || (model && TRUSTED.contains(&called.c_name.as_str()))
    }

    /// Whether a call of a function ends the program: it has no body and does not return, or is
    /// one that the competition or `assert` calls where something is wrong.
    pub(super) fn ends(&self, procedure: ProcId) -> bool {
        let called = self.program.procedure(procedure);
        !self.defined[procedure.index()] && (called.noreturn || is_end_of_program(&called.c_name))
    }

    fn passed(&mut self, position: usize) -> Ghost {
        while self.passed.len() <= position {
            let name = format!("argument.{}", self.passed.len());
            let ghost = self.new_ghost(&name, None);
            self.passed.push(ghost);
        }
        self.passed[position]
    }

    fn returned(&mut self) -> Ghost {
        match self.returned {
            Some(ghost) => ghost,
            None => {
                let ghost = self.new_ghost("result", None);
                *self.returned.insert(ghost)
            }
        }
    }

    pub(super) fn called(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        edge: EdgeId,
        callee: ProcId,
        arguments: &[ExprId],
        result: Option<RegId>,
    ) {
        if let Some(ranges) = self.ranges_of(callee).filter(|_| self.parts.deref) {
            for &(pointer, length, write) in ranges.ranges {
                if let (Some(&p), Some(&n)) = (arguments.get(pointer), arguments.get(length)) {
                    self.check_range(insertions, at, p, n, write);
                }
            }
            if let ([a, b, n, ..], true) = (arguments, ranges.apart) {
                let what = format!("`{}`", ranges.name);
                self.check_apart(insertions, at, *a, *b, *n, &what);
            }
        }
        if self.asked(insertions, at, callee, arguments) {
            return;
        }
        if let ([a, b, n], true) = (arguments, is_apart(self.program, callee)) {
            self.check_texts(insertions, at, [*a, *b, *n]);
            return;
        }
        let pointer = |s: &Self, r: RegId| s.program.register(r).ty == Type::Ptr;
        let result = result.filter(|&r| pointer(self, r));
        if !self.defined[callee.index()] {
            if let Some(result) = result {
                let value = self.program.read(result);
                let fat = self.looked_up(value);
                for step in self.assign_ghost(result, fat) {
                    insertions.behind(edge, step);
                }
            }
            return;
        }
        let parameters = self.program.procedure(callee).parameters.clone();
        for (position, (&parameter, &argument)) in parameters.iter().zip(arguments).enumerate() {
            if pointer(self, parameter) {
                let fat = self.fat(argument);
                let ghost = self.passed(position);
                for step in self.set_ghost(ghost, fat) {
                    insertions.before(at, step);
                }
            }
        }
        if let Some(result) = result {
            let ghost = self.returned();
            let fat = self.read_ghost(ghost);
            for step in self.assign_ghost(result, fat) {
                insertions.behind(edge, step);
            }
        }
    }

    /// What a procedure does with what travels: at its entry and before its exit.
    pub(super) fn signature(&mut self, insertions: &mut Insertions, procedure: ProcId) {
        let own = self.program.procedure(procedure);
        let (parameters, result) = (own.parameters.clone(), own.result);
        let entry = self.program.entry == Some(procedure);
        for (position, parameter) in parameters.into_iter().enumerate() {
            if self.program.register(parameter).ty != Type::Ptr {
                continue;
            }
            let fat = if entry {
                let value = self.program.read(parameter);
                self.looked_up(value)
            } else {
                let ghost = self.passed(position);
                self.read_ghost(ghost)
            };
            for step in self.assign_ghost(parameter, fat) {
                insertions.entering(step);
            }
        }
        let result = result.filter(|&r| self.program.register(r).ty == Type::Ptr);
        if let (Some(result), false) = (result, entry) {
            let value = self.program.read(result);
            let fat = self.fat(value);
            let returned = self.returned();
            for step in self.set_ghost(returned, fat) {
                insertions.leaving(step);
            }
        }
    }
}
