//! Memory safety (`valid-deref`, `valid-free`, `valid-memtrack`, `valid-memcleanup`) as ghost
//! state and branches, so that engines, machine and encoding need to know nothing of it.
//!
//! | file | what it holds |
//! |---|---|
//! | `fat` | what is known of a pointer: offset, size and slot of its object |
//! | `slots` | which object that is, by number or by address; the table of lives and sizes |
//! | `known` | pointers that need no ghost registers |
//! | `flow` | where addresses go, so that little has to be tracked |
//! | `accesses` | bounds and lives, before every access |
//! | `calls` | pointers through calls; library functions that take ranges |
//! | `blocks` | allocation, freeing, lives of frame objects |
//! | `again` | objects that live more than once |
//! | `asked` | what programs ask about pointers |
//! | `room` | how much of a caller's object is known to be there |
//! | `leaks` | what is left at the end |
//! | `seen` | what a program may not learn of addresses |
//!
//! What an object is: a variable, a literal, a block of the heap, one `alloca` or variable-length
//! array. Bounds inside one (an array that is a member) are checked by the front end, which knows
//! the types.
//!
//! What would be unsound: two objects in one slot (`slots`), and a pointer that went further than half a
//! slot from its object and is put into memory unnoticed, where its bits are looked at again.

mod accesses;
mod again;
mod asked;
mod blocks;
mod calls;
mod fat;
mod flow;
mod known;
mod leaks;
mod room;
mod seen;
mod slots;

use crate::access::{constant, describe};
use crate::addresses::Observations;
use crate::pinned::pinned;
use crate::property::Property;
use crate::steps::{Check, Insertions, Step};
use crate::weave::WeaveError;
use again::Lives;
pub(crate) use asked::asks;
use fat::{Fat, Ghost};
pub(crate) use flow::Flow;
use prova_ir::fold::Folder;
use prova_ir::passes::call_graph::call_graph;
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::{
    Callee, DataModel, ErrorLocation, Expr, ExprId, Halt, LocId, ObjectId, Origin, Pinned, ProcId,
    Program, RegId, Span, Statement, Storage, Type, UNMODELLED,
};
use room::Room;
use rustc_hash::{FxHashMap, FxHashSet};
use slots::half_slot;

/// Which properties are checked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    pub deref: bool,
    pub free: bool,
    pub track: bool,
    pub cleanup: bool,
    /// The program asks about pointers itself.
    pub asked: bool,
    /// Calls that end the program may be the errors of the check: they stay.
    pub errors: bool,
}

impl Parts {
    /// The memory properties among some properties.
    pub fn of(properties: &[Property]) -> Parts {
        Parts {
            deref: properties.contains(&Property::ValidDeref),
            free: properties.contains(&Property::ValidFree),
            track: properties.contains(&Property::ValidMemtrack),
            cleanup: properties.contains(&Property::ValidMemcleanup),
            asked: false,
            errors: [Property::UnreachCall, Property::Assert]
                .iter()
                .any(|p| properties.contains(p)),
        }
    }

    /// Whether there is any.
    pub fn any(self) -> bool {
        self.deref || self.free || self.track || self.cleanup || self.asked
    }
}

/// What weaving has to know before it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Facts {
    /// Lives of objects end while pointers to them are around.
    lives: bool,
    /// Pointers are looked up in the table.
    looks_up: bool,
    /// There are arbitrary pointers that a caller or an unknown function made.
    strangers: bool,
    /// Blocks of the heap are allocated: something may be left at the end.
    allocates: bool,
}

/// The table of what lives where; nothing but ghost statements touches it.
pub(crate) struct Woven {
    pub table: ObjectId,
}

struct Weaver<'a> {
    program: &'a mut Program,
    parts: Parts,
    facts: Facts,
    flow: Flow,
    observations: &'a Observations,
    folder: Folder,
    names: FxHashSet<String>,
    ghosts: FxHashMap<RegId, Ghost>,
    /// Pointers that need none.
    known: FxHashMap<RegId, Fat>,
    /// Registers that hold the slot of a known block, and the block's pointer.
    slots: FxHashMap<RegId, RegId>,
    /// Frame objects that are allocated for each of their lives, and where.
    again: FxHashMap<ObjectId, RegId>,
    /// What expressions were before answers about addresses were put into them.
    replaced: FxHashMap<ExprId, ExprId>,
    /// What goes into a call: pointers among the arguments, by position.
    passed: Vec<Ghost>,
    /// What comes out of it.
    returned: Option<Ghost>,
    /// The start of the heap.
    first: ObjectId,
    /// The slot of the next block, where slots are numbers.
    next: RegId,
    /// Blocks of the heap that are not freed.
    count: RegId,
    table: ObjectId,
    /// The procedure that is woven.
    procedure: ProcId,
    /// Where a caller that is not known made the arguments: what it is trusted with.
    entered: Option<Entered>,
    /// How much is behind pointers that it made.
    room: Room,
    defined: Vec<bool>,
}

/// How large the objects are that a harness passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entered {
    /// As large as the types of pointers say.
    Typed,
    /// As large as they are used.
    Ample,
}

/// Weaves memory safety into a program whose entry is set. `entered` says that the entry is a
/// harness, and what its arbitrary pointers lead to.
pub(crate) fn weave_memory(
    program: &mut Program,
    parts: Parts,
    entered: Option<Entered>,
) -> Result<Woven, WeaveError> {
    calls_of_no_function(program, parts);
    reject(program)?;
    let Lives {
        again,
        outlived,
        shared,
    } = again::allocate_lives(program)?;
    let flow = Flow::new(program);
    let mut facts = facts(program, &flow);
    facts.lives |= outlived;
    facts.looks_up |= shared;
    facts.looks_up |= program.model == DataModel::Ilp32 && slots::allocates_without_bound(program);
    let seen = Observations::of(program);
    // What is looked up shows while weaving: once to find out, once for good.
    let mut trial = program.clone();
    let mut weaver = Weaver::new(&mut trial, parts, facts, Flow::new(program), &seen, entered);
    weaver.again = again.clone();
    weaver.run();
    let facts = weaver.facts;
    if facts.looks_up {
        reject_large(program, &flow)?;
    }
    let mut weaver = Weaver::new(program, parts, facts, flow, &seen, entered);
    weaver.again = again;
    weaver.run();
    let table = weaver.table;
    Ok(Woven { table })
}

/// Makes indirect calls direct; one of no function is an error.
fn calls_of_no_function(program: &mut Program, parts: Parts) {
    let traps = |program: &Program| -> FxHashSet<(usize, usize)> {
        let bodies = program.procedures.iter().enumerate();
        bodies
            .flat_map(|(p, procedure)| {
                let edges = procedure
                    .body
                    .iter()
                    .flat_map(|b| b.edges.iter().enumerate());
                edges
                    .filter(|(_, e)| e.statement == Statement::Halt(Halt::Trap))
                    .map(move |(i, _)| (p, i))
            })
            .collect()
    };
    let before = traps(program);
    devirtualise(program);
    if !parts.deref {
        return;
    }
    let mut new: Vec<_> = traps(program).difference(&before).copied().collect();
    new.sort_unstable();
    for (p, edge) in new {
        let Some(body) = &mut program.procedures[p].body else {
            continue;
        };
        let span = body.edges[edge].span;
        let location = body.add_location(span);
        body.edges[edge].target = location;
        body.edges[edge].statement = Statement::Skip;
        body.errors.push(ErrorLocation {
            location,
            property: Property::ValidDeref.name().to_owned(),
            message: "call through a pointer that points to no function".to_owned(),
        });
    }
}

fn facts(program: &Program, flow: &Flow) -> Facts {
    let mut facts = Facts::default();
    let statements = |f: &mut dyn FnMut(ProcId, &Statement)| {
        for (p, procedure) in program.procedures.iter().enumerate() {
            for edge in procedure.body.iter().flat_map(|b| &b.edges) {
                f(ProcId::new(p), &edge.statement);
            }
        }
    };
    facts.lives = flow.outlives.iter().any(|&o| o);
    statements(&mut |p, statement| match statement {
        Statement::Free(_) => facts.lives = true,
        Statement::Allocate {
            kind: prova_ir::Allocation::Stack,
            ..
        } if Some(p) != program.entry => facts.lives = true,
        Statement::Allocate {
            kind: prova_ir::Allocation::Heap,
            ..
        } => facts.allocates = true,
        Statement::Nondet { target, origin } => {
            let pointer = program.register(*target).ty == Type::Ptr;
            facts.strangers |= pointer && *origin != Origin::Uninitialised;
        }
        Statement::Havoc { origin, .. } => facts.strangers |= *origin != Origin::Uninitialised,
        Statement::Call {
            result: Some(result),
            callee: Callee::Direct(callee),
            ..
        } => {
            let pointer = program.register(*result).ty == Type::Ptr;
            facts.strangers |= pointer && program.procedure(*callee).body.is_none();
        }
        _ => {}
    });
    let entry = program.entry.map(|e| program.procedure(e));
    let arguments = entry.into_iter().flat_map(|e| &e.parameters);
    facts.strangers |= arguments
        .into_iter()
        .any(|&r| program.register(r).ty == Type::Ptr);
    facts.strangers |= program
        .objects
        .iter()
        .any(|o| o.storage == Storage::External);
    facts
}

/// What cannot be woven.
fn reject(program: &Program) -> Result<(), WeaveError> {
    let graph = call_graph(program);
    let called = |entry| graph.callees.iter().any(|c| c.contains(&entry));
    match program.entry {
        Some(entry) if called(entry) => Err(refusal(
            "memory safety where `main` is called".into(),
            program.procedure(entry).span,
        )),
        _ => Ok(()),
    }
}

/// Objects that pointers from memory may lead into have a slot each, and must not be larger.
fn reject_large(program: &Program, flow: &Flow) -> Result<(), WeaveError> {
    let half = half_slot(program.model);
    let objects = program.objects.iter().zip(&flow.in_memory);
    let mut large =
        objects.filter(|(o, &looked_up)| looked_up && o.size > half && o.pinned().is_none());
    match large.next() {
        Some((object, _)) => Err(refusal(
            format!("memory safety of an object of {} bytes", object.size),
            object.span,
        )),
        None => Ok(()),
    }
}

fn refusal(what: String, span: Span) -> WeaveError {
    WeaveError {
        what,
        span: span.is_known().then_some(span),
    }
}

impl<'a> Weaver<'a> {
    fn new(
        program: &'a mut Program,
        parts: Parts,
        facts: Facts,
        flow: Flow,
        observations: &'a Observations,
        entered: Option<Entered>,
    ) -> Weaver<'a> {
        let names: FxHashSet<String> = program.registers.iter().map(|r| r.name.clone()).collect();
        let defined = program
            .procedures
            .iter()
            .map(|p| p.body.is_some())
            .collect();
        let first = pinned(program, Pinned::HeapStart);
        let table = pinned(program, Pinned::Table);
        let room = match entered {
            Some(Entered::Typed) => Room::new(program),
            _ => Room::default(),
        };
        let mut weaver = Weaver {
            program,
            parts,
            facts,
            flow,
            observations,
            folder: Folder::default(),
            names,
            ghosts: FxHashMap::default(),
            known: FxHashMap::default(),
            slots: FxHashMap::default(),
            again: FxHashMap::default(),
            replaced: FxHashMap::default(),
            passed: Vec::new(),
            returned: None,
            first,
            next: RegId(0),
            count: RegId(0),
            table,
            procedure: ProcId(0),
            entered,
            room,
            defined,
        };
        weaver.count = weaver.ghost_register("prova.blocks".into(), None);
        weaver.next = weaver.ghost_register("prova.next".into(), None);
        let number = weaver.first_number();
        weaver.program.registers[weaver.next.index()].initial = Some(number);
        weaver.globals();
        weaver
    }

    /// What global pointers hold at first.
    fn globals(&mut self) {
        for i in 0..self.program.registers.len() {
            let register = self.program.register(RegId::new(i));
            let own = register.owner.is_none() && !register.c_name.is_empty();
            let (initial, pointer) = (register.initial, register.ty == Type::Ptr);
            let Some(initial) = initial.filter(|_| own && pointer) else {
                continue;
            };
            let ghost = self.ghost(RegId::new(i));
            let fat = self.fat(initial);
            for (target, value) in ghost.paired(fat) {
                self.program.registers[target.index()].initial = Some(value);
            }
        }
    }

    fn run(&mut self) {
        for p in 0..self.program.procedures.len() {
            let Some(mut body) = self.program.procedures[p].body.take() else {
                continue;
            };
            self.procedure = ProcId::new(p);
            let mut insertions = Insertions::new(&body);
            let procedure = ProcId::new(p);
            self.put_answers(&mut insertions, procedure, &mut body);
            self.find_known(&body);
            let trusted = self.is_trusted(procedure);
            for (location, edges) in body.outgoing().iter().enumerate() {
                let Some(&edge) = edges.first() else { continue };
                // Both ways of a branch evaluate the same condition.
                let statement = body.edge(edge).statement.clone();
                let at = LocId::new(location);
                self.check_seen(&mut insertions, procedure, at);
                if !trusted && self.parts.deref {
                    self.check_accesses(&mut insertions, at, &statement);
                }
                self.statement(&mut insertions, procedure, at, edge, &statement);
                if let Some(changed) = self.replacement(&statement) {
                    body.edges[edge.index()].statement = changed;
                }
            }
            self.frame_objects(&mut insertions, procedure, &body);
            self.signature(&mut insertions, procedure);
            if self.program.entry == Some(procedure) {
                self.start(&mut insertions);
                self.end(&mut insertions);
            }
            insertions.apply(&mut self.program.exprs, &mut body);
            self.program.procedures[p].body = Some(body);
        }
        let slot = 1 << self.program.model.slot_bits();
        for (i, object) in self.program.objects.iter_mut().enumerate() {
            let of = |all: &[bool]| all.get(i).copied().unwrap_or(false);
            // Those of frames may come to lie among the blocks.
            let frame = matches!(object.storage, Storage::Frame(_));
            let listed = frame || of(&self.flow.in_memory) || of(&self.flow.outlives);
            if object.pinned().is_none() && self.facts.looks_up && listed {
                object.align = object.align.max(slot);
            }
        }
    }

    /// Ghost state of one statement; `edge` is the only one from `at` unless it is a branch.
    fn statement(
        &mut self,
        insertions: &mut Insertions,
        procedure: ProcId,
        at: LocId,
        edge: prova_ir::EdgeId,
        statement: &Statement,
    ) {
        match statement {
            Statement::Assign { target, value } if self.is_pointer(*target) => {
                let fat = self.fat(*value);
                for step in self.assign_ghost(*target, fat) {
                    insertions.before(at, step);
                }
            }
            Statement::Store { value, .. } => self.stored(insertions, at, *value),
            Statement::Nondet { target, origin } if self.is_pointer(*target) => {
                let fat = match origin {
                    Origin::Uninitialised => self.nowhere(),
                    _ => {
                        let value = self.program.read(*target);
                        self.looked_up(value)
                    }
                };
                for step in self.assign_ghost(*target, fat) {
                    insertions.behind(edge, step);
                }
            }
            Statement::Allocate { target, size, kind } => {
                self.allocated(insertions, at, edge, *target, *size, *kind);
            }
            Statement::Free(pointer) => self.freed(insertions, at, edge, *pointer),
            Statement::Enter(object) => self.born(insertions, edge, *object),
            Statement::Leave(object) => self.died(insertions, edge, *object),
            Statement::Call {
                result,
                callee: Callee::Direct(callee),
                arguments,
            } => {
                if self.ends(*callee) {
                    self.exited(insertions, at, procedure);
                }
                self.called(insertions, at, edge, *callee, arguments, *result);
            }
            Statement::Halt(Halt::Exit(_) | Halt::Abort) => {
                self.exited(insertions, at, procedure);
            }
            _ => {}
        }
    }

    fn is_pointer(&self, register: RegId) -> bool {
        self.program.register(register).ty == Type::Ptr
    }

    fn assign_ghost(&mut self, register: RegId, fat: Fat) -> Vec<Step> {
        if self.known.contains_key(&register) {
            return Vec::new();
        }
        let ghost = self.ghost(register);
        self.set_ghost(ghost, fat)
    }

    fn set_ghost(&mut self, ghost: Ghost, fat: Fat) -> Vec<Step> {
        let mut steps = Vec::new();
        for (target, value) in ghost.paired(fat) {
            if self.program.read(target) != value {
                steps.push(Step::Do(Statement::Assign { target, value }));
            }
        }
        steps
    }

    /// A pointer goes into memory: it must not be further than half a slot from its object, or
    /// its bits would name another.
    fn stored(&mut self, insertions: &mut Insertions, at: LocId, value: ExprId) {
        if self.program.exprs.ty(value) != Type::Ptr || !self.facts.looks_up {
            return;
        }
        let leaves = flow::leaves(self.program, value);
        let moved = leaves.far
            || leaves
                .found
                .iter()
                .any(|&leaf| match self.program.exprs.get(leaf) {
                    Expr::Reg(r) => self.flow.moved.get(r.index()).copied().unwrap_or(false),
                    _ => false,
                });
        if !moved {
            return;
        }
        let fat = self.fat(value);
        let half = u128::from(half_slot(self.program.model));
        let (by, most) = (self.int(half), self.int(2 * half - 1));
        let raised = self.binary(prova_ir::BinaryOp::Add, fat.offset, by);
        let ok = self.binary(prova_ir::BinaryOp::ULe, raised, most);
        let what = describe(self.program, value);
        let message = format!("{what} goes into memory and points far outside of its object");
        self.check(insertions, at, ok, UNMODELLED, message);
    }

    fn check(
        &mut self,
        insertions: &mut Insertions,
        at: LocId,
        ok: ExprId,
        property: &'static str,
        message: String,
    ) {
        if constant(&self.program.exprs, ok) != Some(1) {
            let check = Check {
                ok,
                property,
                message,
            };
            insertions.before(at, Step::Check(check));
        }
    }
}
