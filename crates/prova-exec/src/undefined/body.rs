//! The body of a function without one: it calls the function, whose result is arbitrary, finds
//! out what was reached, and gives that arbitrary contents.

use super::track::{All, Tracked};
use crate::points_to::reach::{Place, Reach};
use prova_ir::{
    BinaryOp, Body, CType, CTypeId, CTypes, Callee, CastOp, DataModel, Expr, ExprId, Limit, LocId,
    Object, ObjectId, Origin, ProcId, Procedure, Program, RegId, Register, Role, Span, Statement,
    Storage, Type,
};
use std::collections::BTreeSet;

/// A parameter that leads somewhere.
pub(super) struct Door {
    pub(super) parameter: RegId,
    pub(super) place: Place,
    /// Whether the function may write through it, and may keep it.
    pub(super) written: bool,
    /// What it points to, as written in C.
    pointee: Option<CTypeId>,
}

/// A function without a body, and where its parameters lead.
pub(super) struct Gate {
    pub(super) function: ProcId,
    pub(super) doors: Vec<Door>,
}

/// A variable of the library's: declared and defined nowhere, and never pointed to.
pub(super) struct Foreign {
    pub(super) register: RegId,
    /// Where it leads, if it is a pointer.
    pub(super) place: Option<Place>,
}

/// Variables that the C library never changes.
const CONSTANT: [&str; 3] = ["stdin", "stdout", "stderr"];

pub(super) fn foreign(program: &Program, reach: &Reach) -> Vec<Foreign> {
    let own = |r: &Register| r.owner.is_none() && r.initial.is_none() && r.role == Role::Global;
    let registers = program.registers.iter().enumerate();
    registers
        .filter(|(_, r)| own(r) && !CONSTANT.contains(&r.c_name.as_str()))
        .map(|(i, r)| Foreign {
            register: RegId::new(i),
            place: match r.ty {
                Type::Ptr => reach.of_register(RegId::new(i)),
                _ => None,
            },
        })
        .collect()
}

pub(super) fn gates(program: &Program, reach: &Reach, functions: &[ProcId]) -> Vec<Gate> {
    let gate = |&function: &ProcId| {
        let procedure = program.procedure(function);
        let last = procedure.parameters.len().wrapping_sub(1);
        let doors = procedure.parameters.iter().enumerate();
        let doors = doors.filter_map(|(i, &parameter)| {
            if program.register(parameter).ty != Type::Ptr {
                return None;
            }
            let copy = is_copy(program, procedure, i) || (procedure.variadic && i == last);
            Some(Door {
                parameter,
                place: reach.of_register(parameter)?,
                written: !copy && !procedure.read_only.contains(&(i as u32)),
                pointee: program.register(parameter).ctype.and_then(|c| {
                    match program.ctypes.get(c) {
                        CType::Pointer(to) => Some(*to),
                        _ => None,
                    }
                }),
            })
        });
        Gate {
            function,
            doors: doors.collect(),
        }
    };
    functions.iter().map(gate).collect()
}

/// Whether a parameter is a structure by value.
fn is_copy(program: &Program, procedure: &Procedure, i: usize) -> bool {
    let Some(CType::Function {
        result, parameters, ..
    }) = procedure.ctype.map(|c| program.ctypes.get(c))
    else {
        return false;
    };
    let record = |c: CTypeId| matches!(program.ctypes.get(c), CType::Record { .. });
    let hidden = usize::from(procedure.result.is_none() && record(*result));
    let own = i.checked_sub(hidden).and_then(|i| parameters.get(i));
    own.is_some_and(|&c| record(c))
}

/// Gives a function its body.
pub(super) fn give(
    program: &mut Program,
    reach: &Reach,
    all: &All,
    gate: Gate,
    foreign: &[Foreign],
    span: Span,
    assumed: &mut BTreeSet<Limit>,
) {
    if gate.doors.is_empty() && all.objects.is_empty() && foreign.is_empty() {
        return;
    }
    let name = program.procedure(gate.function).c_name.clone();
    assumed.extend(limits(program, reach, all, &gate, &name));
    let mut builder = Builder::new(program, gate.function, span);
    builder.end_at_given_functions(reach, &gate, foreign);
    let mut rests = Vec::new();
    for door in &gate.doors {
        let pointer = builder.program.read(door.parameter);
        let mut inside = Vec::new();
        for tracked in all.objects.iter().filter(|t| t.place == door.place) {
            let cond = builder.within(pointer, tracked);
            inside.push(cond);
            if door.written {
                builder.mark(tracked, cond);
            } else {
                builder.branch(cond, |b| {
                    b.end_at_held_functions(reach, tracked);
                    b.follow(all, tracked)
                });
            }
        }
        let contents = reach.contents(door.place);
        let loose = contents.unknown || !contents.blocks.is_empty();
        if door.written && (loose || all.loose.contains(&door.place)) {
            let rest = builder.none_of(pointer, &inside);
            rests.push((door, rest));
        }
    }
    for variable in foreign {
        let pointer = builder.program.read(variable.register);
        for tracked in all.objects.iter() {
            if Some(tracked.place) == variable.place {
                let cond = builder.within(pointer, tracked);
                builder.mark(tracked, cond);
            }
        }
    }
    for _ in 0..all.rounds {
        for tracked in all.objects.iter().filter(|t| t.can_escape) {
            if tracked.held.iter().any(|h| all.leads_on(h.to)) {
                let escaped = builder.program.read(tracked.escaped);
                builder.branch(escaped, |b| b.follow(all, tracked));
            }
        }
    }
    for tracked in all.objects.iter().filter(|t| t.can_escape) {
        let escaped = builder.program.read(tracked.escaped);
        builder.branch(escaped, |b| b.end_at_held_functions(reach, tracked));
    }
    builder.end_at_unseen_functions(reach, all, &gate, foreign);
    builder.call_itself();
    for tracked in all.objects.iter().filter(|t| t.can_escape) {
        let escaped = builder.program.read(tracked.escaped);
        let ranges: Vec<(u64, u64)> = tracked.held.iter().map(|h| (h.offset, h.size)).collect();
        builder.branch(escaped, |b| b.fill(tracked.base, tracked.size, &ranges));
    }
    for variable in foreign {
        let change = Statement::Nondet {
            target: variable.register,
            origin: Origin::Entry,
        };
        match builder.program.register(variable.register).ty {
            Type::Ptr => builder.perhaps(|b| b.step(change)),
            _ => builder.step(change),
        }
    }
    for (door, rest) in rests {
        let model = builder.program.model;
        let types = &builder.program.ctypes;
        let mut ranges = Vec::new();
        let size = door
            .pointee
            .and_then(|c| layout(types, c, model, 0, 0, &mut ranges));
        match size {
            Some(size) if size > 0 => {
                let rest = builder.program.read(rest);
                let pointer = builder.program.read(door.parameter);
                builder.branch(rest, |b| {
                    // What it points to may be too small, or no longer live: then nothing is written.
                    b.perhaps(|b| b.fill(pointer, size, &ranges))
                });
                assumed.insert(Limit::Nameless(name.clone()));
                if !ranges.is_empty() {
                    assumed.insert(Limit::Pointers(name.clone()));
                }
            }
            _ => {
                let function = door
                    .pointee
                    .is_some_and(|c| matches!(types.get(c), CType::Function { .. }));
                if !function {
                    assumed.insert(Limit::Untyped(name.clone()));
                }
            }
        }
    }
    builder.finish();
}

/// What such a function is taken not to do, by what it may reach.
fn limits(program: &Program, reach: &Reach, all: &All, gate: &Gate, name: &str) -> Vec<Limit> {
    let mut found = Vec::new();
    let procedure = program.procedure(gate.function);
    let last = procedure.parameters.len().wrapping_sub(1);
    let mut blocks = all.objects.iter().any(|t| t.is_block && t.can_escape);
    for door in &gate.doors {
        let contents = reach.contents(door.place);
        blocks |= contents.unknown || !contents.blocks.is_empty();
        let at = procedure
            .parameters
            .iter()
            .position(|r| *r == door.parameter);
        let behind = procedure.variadic && at == Some(last);
        let constant = at.is_some_and(|i| procedure.read_only.contains(&(i as u32)));
        let writable = |o: &ObjectId| {
            let storage = &program.object(*o).storage;
            !matches!(storage, Storage::Static { constant: true, .. })
        };
        let something = contents.unknown || !contents.blocks.is_empty();
        if constant && !behind && (something || contents.objects.iter().any(writable)) {
            found.push(Limit::Constant(name.to_owned()));
        }
    }
    if blocks {
        found.push(Limit::Freed(name.to_owned()));
    }
    if all
        .objects
        .iter()
        .any(|t| t.can_escape && !t.held.is_empty())
    {
        found.push(Limit::Pointers(name.to_owned()));
    }
    found
}

/// The size of a type and where pointers lie in it.
fn layout(
    types: &CTypes,
    ctype: CTypeId,
    model: DataModel,
    at: u64,
    depth: u32,
    pointers: &mut Vec<(u64, u64)>,
) -> Option<u64> {
    const DEEPEST: u32 = 16;
    const MOST: u64 = 64;
    let before = pointers.len();
    let size = match types.get(ctype) {
        CType::Void | CType::Function { .. } => return None,
        CType::Bool => 1,
        CType::Int { bits, .. } => u64::from(bits.div_ceil(8)),
        CType::Float { bits: 80 } => match model {
            DataModel::Ilp32 => 12,
            DataModel::Lp64 => 16,
        },
        CType::Float { bits } => u64::from(*bits / 8),
        CType::Pointer(_) => {
            pointers.push((at, model.pointer_bytes()));
            model.pointer_bytes()
        }
        CType::Array { element, length } => {
            let length = (*length)?;
            let one = layout(types, *element, model, at, depth + 1, pointers)?;
            if pointers.len() > before {
                for i in 1..length.min(MOST) {
                    layout(types, *element, model, at + i * one, depth + 1, pointers)?;
                }
            }
            let size = one.checked_mul(length)?;
            if length > MOST && pointers.len() > before {
                pointers.truncate(before);
                pointers.push((at, size));
            }
            size
        }
        CType::Record {
            size,
            fields,
            union,
            ..
        } => {
            for field in fields {
                if depth < DEEPEST {
                    let at = at + field.offset;
                    layout(types, field.ctype, model, at, depth + 1, pointers);
                }
            }
            let overlaps = *union || depth >= DEEPEST;
            if overlaps && (pointers.len() > before || depth >= DEEPEST) {
                pointers.truncate(before);
                pointers.push((at, *size));
            }
            *size
        }
    };
    Some(size)
}

pub(super) struct Builder<'p> {
    pub(super) program: &'p mut Program,
    function: ProcId,
    pub(super) name: String,
    pub(super) body: Body,
    pub(super) at: LocId,
    pub(super) span: Span,
    /// An object whose bytes say what happens, and how many are used.
    choices: Option<(ObjectId, u64)>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p mut Program, function: ProcId, span: Span) -> Builder<'p> {
        let mut body = Body {
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocId(0),
            exit: LocId(0),
            errors: Vec::new(),
        };
        let at = body.add_location(span);
        Builder {
            name: program.procedure(function).c_name.clone(),
            program,
            function,
            body,
            at,
            span,
            choices: None,
        }
    }

    pub(super) fn step(&mut self, statement: Statement) {
        let next = self.body.add_location(self.span);
        self.body.add_edge(self.at, next, statement, self.span);
        self.at = next;
    }

    fn origin(&self) -> Origin {
        Origin::Undefined(self.name.clone())
    }

    pub(super) fn temporary(&mut self, ty: Type) -> RegId {
        let name = self.program.fresh_register_name("undefined");
        self.program.add_register(Register {
            name,
            c_name: String::new(),
            ty,
            ctype: None,
            owner: Some(self.function),
            role: Role::Temporary,
            initial: None,
            span: Span::NONE,
        })
    }

    /// Calls the function that has no body: a copy of this one before it got its own.
    fn call_itself(&mut self) {
        let own = ProcId::new(self.program.procedures.len());
        let wrapper = self.program.procedure(self.function).clone();
        let copy = |program: &mut Program, r: RegId| {
            let register = program.register(r).clone();
            let name = program.fresh_register_name(&register.name);
            program.add_register(Register {
                name,
                owner: Some(own),
                ..register
            })
        };
        let parameters = wrapper.parameters.iter();
        let parameters: Vec<RegId> = parameters.map(|&r| copy(self.program, r)).collect();
        let result = wrapper.result.map(|r| copy(self.program, r));
        let taken = |name: &str| self.program.procedures.iter().any(|p| p.name == name);
        let mut name = format!("{}#undefined", wrapper.name);
        while taken(&name) {
            name.push('#');
        }
        self.program.procedures.push(Procedure {
            name,
            parameters,
            result,
            ..wrapper.clone()
        });
        self.program.procedures[self.function.index()].read_only = Vec::new();
        let arguments = wrapper.parameters.iter();
        let arguments = arguments.map(|&r| self.program.read(r)).collect();
        self.step(Statement::Call {
            result: wrapper.result,
            callee: Callee::Direct(own),
            arguments,
        });
    }

    fn number(&mut self, pointer: ExprId) -> ExprId {
        let ty = self.program.model.pointer_int();
        self.program.exprs.cast(CastOp::PtrToInt, pointer, ty)
    }

    pub(super) fn not_null(&mut self, pointer: ExprId) -> ExprId {
        let null = self.program.exprs.add(Expr::Pointer(0));
        self.program.exprs.binary(BinaryOp::Ne, pointer, null)
    }

    /// Whether a pointer leads into an object that lives.
    fn within(&mut self, pointer: ExprId, tracked: &Tracked) -> ExprId {
        let (to, from) = (self.number(pointer), self.number(tracked.base));
        let width = self.program.model.pointer_bits() as u16;
        let pool = &mut self.program.exprs;
        let distance = pool.binary(BinaryOp::Sub, to, from);
        let size = pool.int(u128::from(tracked.size), width);
        let near = pool.binary(BinaryOp::ULt, distance, size);
        if !tracked.comes_and_goes {
            return near;
        }
        let lives = self.not_null(tracked.base);
        self.program.exprs.binary(BinaryOp::And, lives, near)
    }

    /// A register that says whether a pointer is neither null nor leads into any of these objects.
    fn none_of(&mut self, pointer: ExprId, inside: &[ExprId]) -> RegId {
        let mut value = self.not_null(pointer);
        for &cond in inside {
            let other = self.program.exprs.not(cond);
            value = self.program.exprs.binary(BinaryOp::And, value, other);
        }
        let target = self.temporary(Type::BOOL);
        self.step(Statement::Assign { target, value });
        target
    }

    /// The object is reached if `cond` holds.
    fn mark(&mut self, tracked: &Tracked, cond: ExprId) {
        let was = self.program.read(tracked.escaped);
        let value = self.program.exprs.binary(BinaryOp::Or, was, cond);
        self.step(Statement::Assign {
            target: tracked.escaped,
            value,
        });
    }

    /// What the pointers in an object lead to is reached.
    fn follow(&mut self, all: &All, tracked: &Tracked) {
        for held in &tracked.held {
            if held.size != self.program.model.pointer_bytes() || !all.leads_on(held.to) {
                continue;
            }
            let address = self.program.exprs.offset(tracked.base, held.offset);
            let value = self.program.exprs.load(address, Type::Ptr);
            let target = self.temporary(Type::Ptr);
            self.step(Statement::Assign { target, value });
            let pointer = self.program.read(target);
            for other in all.objects.iter().filter(|t| t.place == held.to) {
                let cond = self.within(pointer, other);
                self.mark(other, cond);
            }
        }
    }

    /// Arbitrary contents; each of these ranges may also stay as it is.
    fn fill(&mut self, base: ExprId, size: u64, pointers: &[(u64, u64)]) {
        let mut done = 0;
        for &(offset, length) in pointers {
            self.havoc(base, done, offset);
            self.perhaps(|b| b.havoc(base, offset, offset + length));
            done = done.max(offset + length);
        }
        self.havoc(base, done, size);
    }

    fn havoc(&mut self, base: ExprId, from: u64, to: u64) {
        if from < to {
            let address = self.program.exprs.offset(base, from);
            let origin = self.origin();
            self.step(Statement::Havoc {
                address,
                size: to - from,
                origin,
            });
        }
    }

    /// Steps that are taken where a condition holds.
    pub(super) fn branch(&mut self, cond: ExprId, steps: impl FnOnce(&mut Self)) {
        let start = self.at;
        self.step(Statement::Assume(cond));
        let taken = self.at;
        steps(self);
        if self.at == taken {
            // Nothing to do: no branch.
            self.body.edges.pop();
            self.at = start;
            return;
        }
        let differs = self.program.exprs.not(cond);
        let skip = Statement::Assume(differs);
        self.body.add_edge(start, self.at, skip, self.span);
    }

    /// Steps that may be taken or not.
    fn perhaps(&mut self, steps: impl FnOnce(&mut Self)) {
        let (object, used) = match self.choices {
            Some(choices) => choices,
            None => {
                let object = self.program.add_object(Object {
                    name: format!("{}{}", super::CHOICE, self.program.objects.len()),
                    c_name: String::new(),
                    size: 0,
                    align: 1,
                    storage: Storage::Static {
                        initial: Vec::new(),
                        constant: false,
                    },
                    ctype: None,
                    span: Span::NONE,
                });
                (object, 0)
            }
        };
        self.choices = Some((object, used + 1));
        let base = self.program.exprs.add(Expr::Address(object));
        let address = self.program.exprs.offset(base, used);
        let byte = self.program.exprs.load(address, Type::Int(8));
        let zero = self.program.exprs.int(0, 8);
        let cond = self.program.exprs.binary(BinaryOp::Ne, byte, zero);
        self.branch(cond, steps);
    }

    fn finish(mut self) {
        self.body.exit = self.at;
        if let Some((object, used)) = self.choices {
            // What is chosen comes first.
            self.program.objects[object.index()].size = used;
            let entry = self.body.add_location(self.span);
            let address = self.program.exprs.add(Expr::Address(object));
            let origin = self.origin();
            let choose = Statement::Havoc {
                address,
                size: used,
                origin,
            };
            let old = std::mem::replace(&mut self.body.entry, entry);
            self.body.add_edge(entry, old, choose, self.span);
        }
        self.program.procedures[self.function.index()].body = Some(self.body);
    }
}
