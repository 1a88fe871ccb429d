//! What runs before and after `main`: constructors, what `atexit` and its like registered, and
//! destructors. `main` itself makes these calls, so that it stays the entry; `exit` makes those at
//! the end. A program that has none of this is lowered as if this file did not exist.
//!
//! Constructors run by increasing priority. Of those with the same priority gcc says nothing, so
//! each order of up to three is an arbitrary choice, and more are not modelled. At the end come
//! the registered functions (`exit.c` of the models), then the destructors by decreasing priority.
//! The variables of `main` end before that if it returns, and live on if it calls `exit`.

use super::*;
use crate::types::FunctionType;
use lang_c::ast::ExternalDeclaration;
use std::rc::Rc;

/// The procedure that runs what comes at the end.
const LEAVE: &str = "__prova_leave";

/// The orders of up to three calls.
const ORDERS: [&[&[usize]]; 4] = [
    &[&[]],
    &[&[0]],
    &[&[0, 1], &[1, 0]],
    &[
        &[0, 1, 2],
        &[0, 2, 1],
        &[1, 0, 2],
        &[1, 2, 0],
        &[2, 0, 1],
        &[2, 1, 0],
    ],
];

impl<'a> Lowerer<'a> {
    /// Finds out whether something runs at the end. Comes when every unit has been declared.
    pub fn find_endings(&mut self) {
        let handlers = self.model_function("__prova_at_exit").is_some();
        if !handlers && self.functions.iter().all(|f| f.destructor.is_none()) {
            return;
        }
        let result = self.types.void().into();
        let parameters = vec![self.int_type().into()];
        let ty = self.types.make(Ty::Function(Rc::new(FunctionType {
            result,
            parameters,
            variadic: false,
            prototype: true,
        })));
        self.leave = Some(self.new_function(LEAVE, ty, CSpan::none()));
    }

    fn model_function(&self, name: &str) -> Option<ProcId> {
        match self.externals.get(name) {
            Some(Symbol::Function(proc)) => Some(*proc),
            _ => None,
        }
    }

    /// `exit` runs what comes at the end; `quick_exit` what was registered for it.
    pub fn before_exit(&mut self, function: &str, status: ExprId) {
        let proc = match function {
            "exit" => self.leave,
            "quick_exit" => self.model_function("__prova_at_quick_exit"),
            _ => None,
        };
        if let Some(proc) = proc {
            self.emit(Op::Call {
                result: None,
                callee: Callee::Direct(proc),
                arguments: vec![status],
            });
        }
    }

    /// Gives `main` its calls, and the procedure for the end its body. Comes when everything else
    /// is lowered.
    pub fn weave_start(&mut self) {
        let constructors = self.ordered(|f| f.constructor);
        let mut destructors = self.ordered(|f| f.destructor);
        destructors.reverse();
        if let Some(leave) = self.leave {
            self.new_frame();
            self.frame.proc = Some(leave);
            if let Some(proc) = self.model_function("__prova_at_exit") {
                let status = self.program.procedure(leave).parameters[0];
                let status = self.program.read(status);
                self.emit(Op::Call {
                    result: None,
                    callee: Callee::Direct(proc),
                    arguments: vec![status],
                });
            }
            self.calls_in_some_order(&destructors);
            let exit = self.frame.body.exit;
            self.jump(exit);
            let body = self.new_frame().body;
            self.program.procedures[leave.index()].body = Some(body);
        }
        let Some(main) = self.first_function() else {
            return;
        };
        let unmodelled = self.at_start.take();
        if constructors.is_empty() && self.leave.is_none() && unmodelled.is_none() {
            return;
        }
        let Some(body) = self.program.procedures[main.index()].body.take() else {
            return;
        };
        self.new_frame();
        self.frame.proc = Some(main);
        self.frame.body = body;
        self.frame.here = self.program.procedure(main).span;
        let first = self.frame.body.entry;
        self.frame.at = self.new_location();
        self.frame.body.entry = self.frame.at;
        if let Some((unit, span, what)) = unmodelled {
            self.unit = unit;
            self.mark(what, span);
        }
        if self.calls_main(main) {
            let what = "a call of `main` in a program where other functions run before or after it";
            self.mark(MarkerKind::Other(what.into()), CSpan::none());
        }
        self.calls_in_some_order(&constructors);
        self.jump(first);
        if let Some(leave) = self.leave {
            self.end_of_main(main, leave);
        }
        let body = self.new_frame().body;
        self.program.procedures[main.index()].body = Some(body);
    }

    /// Returning from `main` is calling `exit`.
    fn end_of_main(&mut self, main: ProcId, leave: ProcId) {
        let exit = self.frame.body.exit;
        let end = self.new_location();
        let body = &mut self.frame.body;
        body.locations[end.index()] = body.locations[exit.index()].clone();
        for edge in &mut body.edges {
            if edge.target == exit {
                edge.target = end;
            }
        }
        let stack = |e: &prova_ir::Edge| {
            matches!(
                e.statement,
                Op::Allocate {
                    kind: Allocation::Stack,
                    ..
                }
            )
        };
        let stack = body.edges.iter().any(stack);
        self.frame.at = end;
        self.frame.here = self.frame.body.locations[end.index()].span;
        if stack {
            let what = "a function that runs when `main`, with arrays of variable length, ended";
            self.mark(MarkerKind::Other(what.into()), CSpan::none());
        }
        let own = Storage::Frame(main);
        let frame = self.program.objects.iter().enumerate();
        let frame: Vec<usize> = frame
            .filter(|(_, o)| o.storage == own)
            .map(|(i, _)| i)
            .collect();
        for object in frame {
            self.emit(Op::Leave(ObjectId::new(object)));
        }
        let status = match self.program.procedure(main).result {
            Some(result) if self.program.register(result).ty == Type::Int(32) => {
                self.program.read(result)
            }
            _ => self.int(0, 32),
        };
        self.emit(Op::Call {
            result: None,
            callee: Callee::Direct(leave),
            arguments: vec![status],
        });
        self.edge(Op::Skip, exit);
    }

    fn calls_main(&self, main: ProcId) -> bool {
        let bodies = self.program.procedures.iter();
        let mut edges = bodies
            .filter_map(|p| p.body.as_ref())
            .flat_map(|b| &b.edges);
        let taken = prova_ir::passes::devirtualise::address_taken(&self.program);
        taken.contains(&main)
            || edges.any(
                |e| matches!(e.statement, Op::Call { callee: Callee::Direct(p), .. } if p == main),
            )
    }

    /// Functions with a priority, grouped by it, in increasing order.
    fn ordered(&self, priority: impl Fn(&Function<'_>) -> Option<u64>) -> Vec<Vec<ProcId>> {
        let mut found: std::collections::BTreeMap<u64, Vec<ProcId>> = Default::default();
        for (index, function) in self.functions.iter().enumerate() {
            let own = function.definition.is_some_and(|d| d.0 < self.first_model);
            if let (Some(priority), true) = (priority(function), own) {
                found.entry(priority).or_default().push(ProcId::new(index));
            }
        }
        found.into_values().collect()
    }

    fn calls_in_some_order(&mut self, groups: &[Vec<ProcId>]) {
        for group in groups {
            if group.iter().any(|&p| !self.takes_nothing(p)) {
                let what = "a constructor or destructor with parameters or a structure result";
                self.mark(MarkerKind::Other(what.into()), CSpan::none());
                continue;
            }
            let Some(orders) = ORDERS.get(group.len()) else {
                let what = "the order of constructors or destructors of the same priority";
                self.mark(MarkerKind::Other(what.into()), CSpan::none());
                continue;
            };
            let end = self.new_location();
            for (index, order) in orders.iter().enumerate() {
                let next = self.new_location();
                if index + 1 < orders.len() {
                    let this = self.new_location();
                    let what = "the order of constructors or destructors";
                    let taken = self.choice(what);
                    self.branch(taken, next, this);
                    self.frame.at = this;
                }
                for &i in *order {
                    self.call_plain(group[i]);
                }
                self.jump(end);
                self.frame.at = next;
            }
            self.frame.at = end;
        }
    }

    fn takes_nothing(&self, proc: ProcId) -> bool {
        let ty = self.types.function(self.functions[proc.index()].ty);
        ty.is_some_and(|ty| {
            let record = self.types.record(ty.result.id).is_some();
            ty.parameters.is_empty() && !ty.variadic && !record
        })
    }

    fn call_plain(&mut self, proc: ProcId) {
        let result = self.program.procedure(proc).result;
        let result = result.map(|r| self.temporary(self.program.register(r).ty));
        self.emit(Op::Call {
            result,
            callee: Callee::Direct(proc),
            arguments: Vec::new(),
        });
    }

    /// An arbitrary truth value where C leaves something open.
    pub fn choice(&mut self, what: &str) -> ExprId {
        let target = self.temporary(Type::Int(8));
        self.emit(Op::Nondet {
            target,
            origin: Origin::Choice(what.to_string()),
        });
        let value = self.program.read(target);
        let zero = self.int(0, 8);
        self.binary(BinaryOp::Ne, value, zero)
    }
}

/// Whether a declaration stands for assembly at file level.
pub(crate) fn is_file_assembly(e: &ExternalDeclaration) -> bool {
    match e {
        ExternalDeclaration::Declaration(d) => d.node.declarators.iter().any(|i| {
            let name = crate::scan::declared_name(&i.node.declarator.node);
            name.is_some_and(|n| n.node.name == crate::fixups::reserved::FILE_ASSEMBLY)
        }),
        _ => false,
    }
}
