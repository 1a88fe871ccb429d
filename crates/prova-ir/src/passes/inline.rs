//! Everything the entry calls becomes one procedure, where nothing recurses, or not deeply.
//!
//! Each call site gets a copy of its callee: an *instance*, with registers and frame objects of
//! its own. The first instance of a procedure keeps their names, later ones append a number
//! (`f.x#2`). Tables say which instance every location belongs to, through which calls it was
//! entered, and which location of which procedure it copies: traces are told in those terms.
//!
//! What an activation means is kept:
//! * arguments are assigned to the parameters, the result to the caller's register;
//! * registers that the callee may read before it writes them get arbitrary values at each
//!   entry, since in a loop they would otherwise still hold those of the last call. Run
//!   [`uninitialised`](mod@super::uninitialised) first to have these values in the original too,
//!   so that both count the same inputs;
//! * frame objects end their lives at the exit (their `Enter` statements are copied);
//! * a `noreturn` procedure that returns all the same is undefined: a trap.
//!
//! One thing is lost: `alloca` memory lives on until the program ends, so that its use after
//! the callee returned does not trap.
//!
//! With a [`Recursion::UpTo`] a call that goes deeper leads to an error location instead, of the
//! property [`UNMODELLED`]: who proves that none is reached has proved that no run goes deeper.
//!
//! The result has its own register and object tables; procedures keep their ids, but only the
//! entry has a body. Calls of procedures without a body stay.

use super::call_graph::call_graph;
use super::simplify_graph::LocationMap;
use super::uninitialised::read_before_written;
use crate::expr::{Expr, ExprPool};
use crate::ids::*;
use crate::program::*;
use crate::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A program of one procedure, and where its parts come from.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The program; its entry is the only procedure with a body, and calls none.
    pub program: Program,
    /// For each location of the entry: the instance it belongs to.
    pub instance_of: Vec<u32>,
    /// For each location of the entry: the location of its instance's procedure it stands for.
    pub origin: Vec<LocId>,
    /// The instances; the first is the entry itself.
    pub instances: Vec<Instance>,
}

/// A copy of a procedure, at one call site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The procedure.
    pub procedure: ProcId,
    /// The calling instance and the position of the call; `None` for the entry.
    pub caller: Option<(u32, Span)>,
}

/// What becomes of procedures that call themselves, maybe through others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recursion {
    /// They are not inlined at all.
    Refused,
    /// So many calls of a procedure inside itself are; a further one is an error location.
    UpTo(usize),
}

/// Why calls cannot be inlined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InlineError {
    /// The program has no entry with a body.
    #[error("the program has no entry")]
    NoEntry,
    /// These procedures call one another in a circle.
    #[error("recursion: {}", .0.join(", "))]
    Recursion(Vec<String>),
    /// A call through a pointer is left.
    #[error("`{0}` calls through a pointer")]
    IndirectCall(String),
    /// The result would have more locations than allowed.
    #[error("more than {0} locations after inlining")]
    TooLarge(usize),
}

impl Inlined {
    /// How a location was entered: from the entry inwards, each procedure with the position of
    /// the call inside it that led on; the last one, the location's own procedure, with none.
    pub fn call_path(&self, location: LocId) -> Vec<(ProcId, Option<Span>)> {
        let mut path = Vec::new();
        let mut call = None;
        let mut at = Some(self.instance_of[location.index()]);
        while let Some(i) = at {
            let instance = &self.instances[i as usize];
            path.push((instance.procedure, call));
            call = instance.caller.map(|(_, span)| span);
            at = instance.caller.map(|(caller, _)| caller);
        }
        path.reverse();
        path
    }

    /// The procedure and location that a location copies.
    pub fn origin(&self, location: LocId) -> (ProcId, LocId) {
        let instance = self.instance_of[location.index()] as usize;
        (
            self.instances[instance].procedure,
            self.origin[location.index()],
        )
    }

    /// Follows the locations where a later pass sent them.
    pub fn relocate(&mut self, map: &LocationMap) {
        let count = self
            .program
            .entry
            .and_then(|e| self.program.procedure(e).body.as_ref())
            .map_or(0, |b| b.locations.len());
        let (mut instance_of, mut origin) = (vec![0; count], vec![LocId(0); count]);
        // Backwards: where several locations became one, the first is remembered.
        for (old, new) in map.iter().enumerate().rev() {
            if let Some(new) = new {
                instance_of[new.index()] = self.instance_of.get(old).copied().unwrap_or(0);
                origin[new.index()] = self.origin.get(old).copied().unwrap_or(LocId(0));
            }
        }
        self.instance_of = instance_of;
        self.origin = origin;
    }
}

/// Inlines all calls below the entry, up to `max_locations` locations, where nothing recurses.
pub fn inline(program: &Program, max_locations: usize) -> Result<Inlined, InlineError> {
    inline_with(program, Recursion::Refused, max_locations)
}

/// Inlines all calls below the entry, up to `max_locations` locations.
pub fn inline_with(
    program: &Program,
    recursion: Recursion,
    max_locations: usize,
) -> Result<Inlined, InlineError> {
    let entry = program
        .entry
        .filter(|e| program.procedure(*e).body.is_some());
    let entry = entry.ok_or(InlineError::NoEntry)?;
    check(program, entry, recursion)?;
    let mut inliner = Inliner::new(program, entry);
    inliner.instance(entry, None);
    let mut next = 0;
    while next < inliner.calls.len() {
        let call = inliner.calls[next].clone();
        match recursion {
            Recursion::UpTo(most) if inliner.depth(&call) > most => inliner.too_deep(&call, most),
            _ => inliner.call(call),
        }
        next += 1;
        if inliner.body.locations.len() > max_locations {
            return Err(InlineError::TooLarge(max_locations));
        }
    }
    Ok(inliner.finish())
}

fn check(program: &Program, entry: ProcId, recursion: Recursion) -> Result<(), InlineError> {
    let graph = call_graph(program);
    let reachable = graph.reachable_from(entry);
    let name = |p: &ProcId| program.procedure(*p).c_name.clone();
    for &p in &reachable {
        if graph.calls_unknown[p.index()] {
            return Err(InlineError::IndirectCall(name(&p)));
        }
        if recursion == Recursion::Refused && graph.recursive[p.index()] {
            let component = graph.components.iter().find(|c| c.contains(&p));
            let names = component.into_iter().flatten().map(name).collect();
            return Err(InlineError::Recursion(names));
        }
    }
    Ok(())
}

/// A call still to be replaced, in terms of the new body.
#[derive(Clone)]
struct PendingCall {
    caller: u32,
    source: LocId,
    target: LocId,
    callee: ProcId,
    result: Option<RegId>,
    arguments: Vec<ExprId>,
    span: Span,
}

struct Inliner<'a> {
    old: &'a Program,
    new: Program,
    entry: ProcId,
    body: Body,
    instance_of: Vec<u32>,
    origin: Vec<LocId>,
    instances: Vec<Instance>,
    /// Registers and frame objects per procedure of the old program.
    registers_of: Vec<Vec<RegId>>,
    frames_of: Vec<Vec<ObjectId>>,
    /// Where global registers and static objects went.
    globals: Rc<FxHashMap<RegId, RegId>>,
    statics: Rc<FxHashMap<ObjectId, ObjectId>>,
    /// How many instances each procedure has.
    copies: Vec<u32>,
    names: FxHashSet<String>,
    calls: Vec<PendingCall>,
    /// What each procedure may read before it writes it, found when first needed.
    unset: Vec<Option<Vec<RegId>>>,
    dead_end: Option<LocId>,
}

impl<'a> Inliner<'a> {
    fn new(old: &'a Program, entry: ProcId) -> Self {
        let count = old.procedures.len();
        let mut new = Program::new(old.model);
        new.files = old.files.clone();
        new.ctypes = old.ctypes.clone();
        new.markers = old.markers.clone();
        new.entry = Some(entry);
        let mut registers_of = vec![Vec::new(); count];
        let mut frames_of = vec![Vec::new(); count];
        let (mut globals, mut statics) = (FxHashMap::default(), FxHashMap::default());
        let mut names = FxHashSet::default();
        for (i, object) in old.objects.iter().enumerate() {
            let id = ObjectId::new(i);
            match object.storage {
                Storage::Frame(p) => frames_of[p.index()].push(id),
                _ => {
                    names.insert(format!("&{}", object.name));
                    statics.insert(id, new.add_object(object.clone()));
                }
            }
        }
        for (i, register) in old.registers.iter().enumerate() {
            let id = RegId::new(i);
            match register.owner {
                Some(p) => registers_of[p.index()].push(id),
                None => {
                    names.insert(register.name.clone());
                    globals.insert(id, new.add_register(register.clone()));
                }
            }
        }
        let mut inliner = Self {
            old,
            new,
            entry,
            body: Body {
                locations: Vec::new(),
                edges: Vec::new(),
                entry: LocId(0),
                exit: LocId(0),
                errors: Vec::new(),
            },
            instance_of: Vec::new(),
            origin: Vec::new(),
            instances: Vec::new(),
            registers_of,
            frames_of,
            globals: Rc::new(globals),
            statics: Rc::new(statics),
            copies: vec![0; count],
            names,
            calls: Vec::new(),
            unset: vec![None; count],
            dead_end: None,
        };
        inliner.constants();
        inliner
    }

    /// Carries initial values and contents over to the new tables.
    fn constants(&mut self) {
        let scope = Scope::new(&self.globals, &self.statics);
        let (mut exprs, mut copies) = (ExprPool::new(self.old.model), FxHashMap::default());
        self.new
            .map_expressions(|e| scope.copy(&self.old.exprs, e, &mut exprs, &mut copies));
        self.new.exprs = exprs;
    }

    fn unique(&mut self, name: &str, sigil: &str, copy: u32) -> String {
        let mut number = copy;
        loop {
            let candidate = match number {
                1 => name.to_owned(),
                _ => format!("{name}#{number}"),
            };
            if self.names.insert(format!("{sigil}{candidate}")) {
                return candidate;
            }
            number += 1;
        }
    }

    fn location(&mut self, location: Location, instance: u32, origin: LocId) -> LocId {
        self.body.locations.push(location);
        self.instance_of.push(instance);
        self.origin.push(origin);
        LocId::new(self.body.locations.len() - 1)
    }

    /// Copies a procedure; returns where its old locations and registers went.
    fn instance(&mut self, id: ProcId, caller: Option<(u32, Span)>) -> (usize, Scope) {
        let old = self.old;
        self.copies[id.index()] += 1;
        let copy = self.copies[id.index()];
        let instance = self.instances.len() as u32;
        self.instances.push(Instance {
            procedure: id,
            caller,
        });
        let mut scope = Scope::new(&self.globals, &self.statics);
        for i in 0..self.registers_of[id.index()].len() {
            let old_id = self.registers_of[id.index()][i];
            let mut register = old.register(old_id).clone();
            register.name = self.unique(&register.name, "", copy);
            register.owner = Some(self.entry);
            scope
                .registers
                .insert(old_id, self.new.add_register(register));
        }
        for i in 0..self.frames_of[id.index()].len() {
            let old_id = self.frames_of[id.index()][i];
            let mut object = old.object(old_id).clone();
            object.name = self.unique(&object.name, "&", copy);
            object.storage = Storage::Frame(self.entry);
            scope.objects.insert(old_id, self.new.add_object(object));
        }
        let first = self.body.locations.len();
        let Some(body) = &old.procedure(id).body else {
            return (first, scope);
        };
        let at = |l: LocId| LocId::new(first + l.index());
        for (i, location) in body.locations.iter().enumerate() {
            self.location(location.clone(), instance, LocId::new(i));
        }
        if caller.is_none() {
            self.body.entry = at(body.entry);
            self.body.exit = at(body.exit);
        }
        for error in &body.errors {
            self.body.errors.push(ErrorLocation {
                location: at(error.location),
                ..error.clone()
            });
        }
        let mut exprs = FxHashMap::default();
        for edge in &body.edges {
            let statement = scope.statement(old, &edge.statement, &mut self.new.exprs, &mut exprs);
            let (source, target, span) = (at(edge.source), at(edge.target), edge.span);
            match statement {
                Statement::Call {
                    result,
                    callee: Callee::Direct(callee),
                    arguments,
                } if old.procedure(callee).body.is_some() => self.calls.push(PendingCall {
                    caller: instance,
                    source,
                    target,
                    callee,
                    result,
                    arguments,
                    span,
                }),
                statement => {
                    self.body.add_edge(source, target, statement, span);
                }
            }
        }
        (first, scope)
    }

    /// How many activations of the callee a call is made in.
    fn depth(&self, call: &PendingCall) -> usize {
        let caller = |i: &u32| self.instances[*i as usize].caller.map(|(caller, _)| caller);
        std::iter::successors(Some(call.caller), caller)
            .filter(|i| self.instances[*i as usize].procedure == call.callee)
            .count()
    }

    /// In place of a call: an error location.
    fn too_deep(&mut self, call: &PendingCall, most: usize) {
        let name = &self.old.procedure(call.callee).c_name;
        let message = format!("`{name}` calls itself more than {most} deep");
        let place = Location {
            span: call.span,
            label: None,
        };
        let origin = self.origin[call.source.index()];
        let location = self.location(place, call.caller, origin);
        self.body
            .add_edge(call.source, location, Statement::Skip, call.span);
        self.body.errors.push(ErrorLocation {
            location,
            property: UNMODELLED.to_owned(),
            message,
        });
    }

    fn call(&mut self, call: PendingCall) {
        let old = self.old;
        let callee = old.procedure(call.callee);
        let Some(body) = &callee.body else { return };
        let (first, scope) = self.instance(call.callee, Some((call.caller, call.span)));
        let origin = self.origin[call.source.index()];
        let mut before: Vec<Statement> = callee
            .parameters
            .iter()
            .zip(&call.arguments)
            .map(|(r, &value)| Statement::Assign {
                target: scope.registers[r],
                value,
            })
            .collect();
        for r in self.unset_registers(call.callee) {
            before.push(Statement::Nondet {
                target: scope.registers[&r],
                origin: Origin::Uninitialised,
            });
        }
        let start = LocId::new(first + body.entry.index());
        self.chain(call.source, start, before, call.span, (call.caller, origin));
        let exit = LocId::new(first + body.exit.index());
        let inner = (self.instance_of[exit.index()], body.exit);
        if callee.noreturn {
            let dead = self.dead_end();
            self.body
                .add_edge(exit, dead, Statement::Halt(Halt::Trap), call.span);
            return;
        }
        let mut after: Vec<Statement> = self.frames_of[call.callee.index()]
            .iter()
            .map(|o| Statement::Leave(scope.objects[o]))
            .collect();
        if let (Some(target), Some(result)) = (call.result, callee.result) {
            let value = self.new.read(scope.registers[&result]);
            after.push(Statement::Assign { target, value });
        }
        self.chain(exit, call.target, after, call.span, inner);
    }

    /// Statements in a row from one location to another; a skip if there are none.
    fn chain(
        &mut self,
        from: LocId,
        to: LocId,
        statements: Vec<Statement>,
        span: Span,
        place: (u32, LocId),
    ) {
        let last = statements.len().saturating_sub(1);
        let mut at = from;
        if statements.is_empty() {
            self.body.add_edge(from, to, Statement::Skip, span);
        }
        for (i, statement) in statements.into_iter().enumerate() {
            let next = match i == last {
                true => to,
                false => self.location(Location { span, label: None }, place.0, place.1),
            };
            self.body.add_edge(at, next, statement, span);
            at = next;
        }
    }

    fn dead_end(&mut self) -> LocId {
        if let Some(found) = self.dead_end {
            return found;
        }
        let location = Location {
            span: Span::NONE,
            label: None,
        };
        let made = self.location(location, 0, LocId(0));
        self.dead_end = Some(made);
        made
    }

    fn unset_registers(&mut self, id: ProcId) -> Vec<RegId> {
        let old = self.old;
        self.unset[id.index()]
            .get_or_insert_with(|| read_before_written(old, id))
            .clone()
    }

    fn finish(self) -> Inlined {
        let mut program = self.new;
        for (i, procedure) in self.old.procedures.iter().enumerate() {
            let mut procedure = procedure.clone();
            procedure.body = None;
            // Signatures name registers that are gone, except the entry's own.
            procedure.parameters.clear();
            procedure.result = None;
            procedure.variadic = false;
            if i == self.entry.index() {
                let old = self.old.procedure(self.entry);
                let first = &self.registers_of[i];
                let at = |r: &RegId| {
                    let nth = first.iter().position(|x| x == r).unwrap_or(0);
                    RegId::new(self.globals.len() + nth)
                };
                procedure.parameters = old.parameters.iter().map(at).collect();
                procedure.result = old.result.as_ref().map(at);
                procedure.variadic = old.variadic;
                procedure.body = Some(self.body.clone());
            }
            program.procedures.push(procedure);
        }
        crate::debug_validate(&program, "inline");
        Inlined {
            program,
            instance_of: self.instance_of,
            origin: self.origin,
            instances: self.instances,
        }
    }
}

/// Where an instance's registers and objects went.
struct Scope {
    globals: Rc<FxHashMap<RegId, RegId>>,
    statics: Rc<FxHashMap<ObjectId, ObjectId>>,
    registers: FxHashMap<RegId, RegId>,
    objects: FxHashMap<ObjectId, ObjectId>,
}

impl Scope {
    fn new(
        globals: &Rc<FxHashMap<RegId, RegId>>,
        statics: &Rc<FxHashMap<ObjectId, ObjectId>>,
    ) -> Self {
        Self {
            globals: Rc::clone(globals),
            statics: Rc::clone(statics),
            registers: FxHashMap::default(),
            objects: FxHashMap::default(),
        }
    }

    fn register(&self, id: RegId) -> RegId {
        let own = self.registers.get(&id);
        *own.unwrap_or_else(|| &self.globals[&id])
    }

    fn object(&self, id: ObjectId) -> ObjectId {
        let own = self.objects.get(&id);
        *own.unwrap_or_else(|| &self.statics[&id])
    }

    fn copy(
        &self,
        from: &ExprPool,
        e: ExprId,
        to: &mut ExprPool,
        copies: &mut FxHashMap<ExprId, ExprId>,
    ) -> ExprId {
        from.copy_into(e, to, copies, |leaf| match leaf {
            Expr::Reg(r) => Expr::Reg(self.register(r)),
            Expr::Address(o) => Expr::Address(self.object(o)),
            other => other,
        })
    }

    fn statement(
        &self,
        old: &Program,
        statement: &Statement,
        exprs: &mut ExprPool,
        copies: &mut FxHashMap<ExprId, ExprId>,
    ) -> Statement {
        let mut statement = statement.clone();
        statement.map_expressions(|e| self.copy(&old.exprs, e, exprs, copies));
        match &mut statement {
            Statement::Assign { target, .. }
            | Statement::Nondet { target, .. }
            | Statement::Allocate { target, .. } => *target = self.register(*target),
            Statement::Call {
                result: Some(result),
                ..
            } => *result = self.register(*result),
            Statement::Enter(o) | Statement::Leave(o) => *o = self.object(*o),
            _ => {}
        }
        statement
    }
}
