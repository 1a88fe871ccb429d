//! The border of the program: what everything means that the program uses and does not define. It
//! is decided here for every command, before a property is woven in, and said with statements, so
//! that engines, replay and checker all see the same program.
//!
//! | a function without a body | a call |
//! |---|---|
//! | is what the check is about | stays: it is woven in |
//! | is an input of the competition's | an arbitrary value |
//! | ends the program (`__assert_fail`) | ends the program |
//! | only prints, called by a model | nothing |
//! | is the library's or the compiler's | is not modelled: no verdict passes through it |
//! | is the user's own | what [`World`] says of it, with an [`Assumption`] |
//!
//! Models have a body, and what the front end replaces is no call: if such a function is called
//! all the same (through a pointer), it is not modelled there.

use prova_exec::undefined::write_what_is_reached;
use prova_ir::assumption::{Assumption, Limit, Undefined, World};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::passes::end_unmodelled;
use prova_ir::passes::simplify_graph::{simplify_graph, Labels};
use prova_ir::{
    Allocation, Callee, CastOp, DataModel, Expr, ExprId, ObjectId, ProcId, Program, RegId, Role,
    Span, Statement, Storage, Type, UNMODELLED,
};
use prova_library::{is_variable, kind, Kind};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// What every verdict on the program rests on.
    pub assumed: Vec<Assumption>,
    /// Where runs end because nothing is known of what comes, as far as graphs tell.
    pub unmodelled: Vec<(String, Span)>,
}

/// Says with statements what lies outside of the program, as the world is read; functions that the
/// check is `about`, by their C names, are left to it.
pub fn settle(program: &mut Program, world: &World, about: &dyn Fn(&str) -> bool) -> Settled {
    for procedure in &mut program.procedures {
        let asserts = prova_library::ASSERTIONS.contains(&procedure.c_name.as_str());
        procedure.noreturn |= procedure.body.is_none() && asserts;
    }
    end_unmodelled(program, &|name| match about(name) {
        true => None,
        false => not_modelled(name, world),
    });
    let mut assumed: Vec<Assumption> = Vec::new();
    let reached = Reached::new(program);
    let mut calls: BTreeMap<&String, &Vec<Span>> = BTreeMap::new();
    for (procedure, sites) in &reached.open {
        let name = &program.procedure(*procedure).c_name;
        if kind(name) == Kind::Own && !about(name) {
            calls.insert(name, sites);
        }
    }
    for (name, sites) in &calls {
        if returns_pointer(program, name) {
            assumed.push(Assumption::Limit(Limit::Returned((*name).clone())));
        }
        assumed.push(Assumption::Function {
            name: (*name).clone(),
            reading: world.of(name),
            calls: (*sites).clone(),
        });
    }
    let writing: FxHashSet<String> = calls
        .keys()
        .filter(|name| world.of(name) == Undefined::Havoc)
        .map(|name| (*name).clone())
        .collect();
    assumed.extend(reached.variables(program));
    if reached.allocates {
        assumed.push(Assumption::Malloc {
            never_fails: world.malloc_never_fails,
        });
        assumed.extend(world.blocks_small.then_some(Assumption::Blocks));
    }
    if program.reads_volatile {
        assumed.push(Assumption::Volatile {
            plain: world.volatile_plain,
        });
    }
    if program.runs_assembly {
        assumed.push(Assumption::Assembly);
    }
    program.arbitrary_addresses = world.addresses_arbitrary;
    if program.arbitrary_addresses && reached.looks_at_addresses {
        assumed.push(Assumption::Addresses);
    }
    if reached.computes_floats && program.model == DataModel::Ilp32 {
        assumed.push(Assumption::Sse);
    }
    let limits = write_what_is_reached(program, &|name| !writing.contains(name));
    assumed.extend(limits.into_iter().map(Assumption::Limit));
    assumed.sort();
    assumed.dedup();
    Settled {
        assumed,
        unmodelled: reached.unmodelled,
    }
}

fn returns_pointer(program: &Program, name: &str) -> bool {
    let named = program.procedures.iter().filter(|p| p.c_name == name);
    let mut results = named.filter_map(|p| p.result);
    results.any(|r| program.register(r).ty == Type::Ptr)
}

/// What is not modelled about a call of a function without a body, if anything.
fn not_modelled(name: &str, world: &World) -> Option<String> {
    match kind(name) {
        Kind::Modelled if prova_library::is_competition(name) => None,
        Kind::Modelled if prova_library::only_prints(name) => None,
        Kind::Modelled if prova_library::ASSERTIONS.contains(&name) => None,
        Kind::Modelled => Some(format!(
            "`{name}`, which is modelled only where it is called by its name"
        )),
        Kind::Known => Some(format!("`{name}`, a library function that is not modelled")),
        Kind::Own if world.of(name) == Undefined::Forbidden => Some(format!(
            "`{name}`, which has no body and of which nothing may be assumed"
        )),
        Kind::Own => None,
    }
}

/// Whether an expression compares two pointers neither of which is constant, or makes one a number.
fn looks_at_addresses(program: &Program, e: ExprId) -> bool {
    let pool = &program.exprs;
    let open = |e: ExprId| pool.ty(e) == Type::Ptr && !matches!(pool.get(e), Expr::Pointer(_));
    match pool.get(e) {
        Expr::Cast { op, .. } => op == CastOp::PtrToInt,
        Expr::Binary { op, left, right } => op.is_comparison() && open(left) && open(right),
        _ => false,
    }
}

/// What runs of a program may come to, by its graphs.
struct Reached {
    /// Functions without a body, and where they are called.
    open: BTreeMap<ProcId, Vec<Span>>,
    registers: FxHashSet<RegId>,
    objects: FxHashSet<ObjectId>,
    unmodelled: Vec<(String, Span)>,
    allocates: bool,
    computes_floats: bool,
    /// Whether pointers are compared with each other or made numbers, or numbers are read from memory.
    looks_at_addresses: bool,
}

impl Reached {
    fn new(program: &Program) -> Reached {
        let mut reached = Reached {
            open: BTreeMap::new(),
            registers: FxHashSet::default(),
            objects: FxHashSet::default(),
            unmodelled: Vec::new(),
            allocates: false,
            computes_floats: false,
            looks_at_addresses: false,
        };
        let Some(entry) = program.entry else {
            return reached;
        };
        let mut direct = program.clone();
        devirtualise(&mut direct);
        simplify_graph(&mut direct, Labels::Drop);
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        for procedure in call_graph(&direct).reachable_from(entry) {
            let Some(body) = &direct.procedure(procedure).body else {
                continue;
            };
            for error in body.errors.iter().filter(|e| e.property == UNMODELLED) {
                let span = body.location(error.location).span;
                reached.unmodelled.push((error.message.clone(), span));
            }
            for edge in &body.edges {
                match &edge.statement {
                    Statement::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } if direct.procedure(*callee).body.is_none() => {
                        let sites = reached.open.entry(*callee).or_default();
                        sites.push(edge.span);
                    }
                    Statement::Allocate {
                        kind: Allocation::Heap,
                        ..
                    } => reached.allocates = true,
                    _ => {}
                }
                for expression in edge.statement.expressions() {
                    reached.look(&direct, expression, &mut seen);
                }
                reached.registers.extend(edge.statement.written_register());
            }
        }
        // What objects hold at first may be reached through them.
        for object in &direct.objects {
            if let Storage::Static { initial, .. } = &object.storage {
                for (_, part) in initial {
                    if let prova_ir::Initial::Value(value) = part {
                        reached.look(&direct, *value, &mut seen);
                    }
                }
            }
        }
        for sites in reached.open.values_mut() {
            sites.sort_unstable();
            sites.dedup();
        }
        reached
    }

    /// Notes what an expression uses.
    fn look(&mut self, program: &Program, root: ExprId, seen: &mut FxHashSet<ExprId>) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match program.exprs.get(id) {
                Expr::Reg(register) => drop(self.registers.insert(register)),
                Expr::Address(object) => drop(self.objects.insert(object)),
                Expr::Unary { .. } | Expr::Binary { .. } | Expr::Cast { .. } => {
                    self.computes_floats |= matches!(program.exprs.ty(id), Type::Float(_));
                    self.looks_at_addresses |= looks_at_addresses(program, id);
                }
                // Its bytes may be those of a pointer.
                Expr::Load {
                    ty: Type::Int(_), ..
                } => self.looks_at_addresses = true,
                _ => {}
            }
            open.extend(program.exprs.children(id));
        }
    }

    /// Variables of the user's own that are declared and defined nowhere.
    fn variables(&self, program: &Program) -> Vec<Assumption> {
        let registers = program.registers.iter().enumerate();
        let registers = registers.filter(|(i, r)| {
            let open = r.owner.is_none() && r.initial.is_none() && r.role == Role::Global;
            open && self.registers.contains(&RegId::new(*i))
        });
        let objects = program.objects.iter().enumerate();
        let objects = objects.filter(|(i, o)| {
            o.storage == Storage::External && self.objects.contains(&ObjectId::new(*i))
        });
        let names = registers.map(|(_, r)| &r.c_name);
        let names = names.chain(objects.map(|(_, o)| &o.c_name));
        let own = names.filter(|name| !name.is_empty() && !is_variable(name));
        own.map(|name| Assumption::Variable(name.clone())).collect()
    }
}
