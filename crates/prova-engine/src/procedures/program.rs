//! From a task's program to one whose procedures are analysed one by one.
//!
//! As for inlining, calls become direct and arbitrary values inputs, which keep their order: a
//! test of the result is a test of the program. Besides:
//!
//! * a `noreturn` procedure that returns all the same traps, as it does where it is inlined;
//! * a frame object of a procedure that can be active twice at once has no single address. It
//!   becomes memory that is allocated when its life starts, with its address in a register of the
//!   activation. So do large objects whose contents would have to be made arbitrary cell by cell
//!   at every entry.

use crate::dash::encoding::called_once;
use crate::outcome::Unknown;
use crate::prepare::{as_written, Prepared};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::passes::simplify_graph::{simplify_graph, Labels};
use prova_ir::passes::uninitialised::uninitialised;
use prova_ir::{
    Allocation, Expr, ExprId, Halt, ObjectId, ProcId, Program, RegId, Register, Role, Statement,
    Storage, Type,
};
use rustc_hash::FxHashMap;

/// Frame objects larger than this, in bytes, are allocated where a procedure runs more than once.
const LARGE: u64 = 256;

/// Prepares a program whose error locations are woven in.
pub fn prepare(program: &Program) -> Result<Prepared, Unknown> {
    let (original, undefined) = as_written(program);
    let entry = original
        .entry
        .filter(|e| original.procedure(*e).body.is_some())
        .ok_or(Unknown::Unsupported {
            what: "a program without an entry".into(),
            span: None,
        })?;
    let mut program = original.clone();
    forget_uncalled(&mut program, entry);
    trap_returns(&mut program);
    allocate_frames(&mut program);
    uninitialised(&mut program);
    simplify_graph(&mut program, Labels::Drop);
    Ok(Prepared::of_procedures(program, original, entry, undefined))
}

/// Procedures that no run enters lose their bodies.
fn forget_uncalled(program: &mut Program, entry: ProcId) {
    let called = call_graph(program).reachable_from(entry);
    for (i, procedure) in program.procedures.iter_mut().enumerate() {
        if !called.contains(&ProcId::new(i)) {
            procedure.body = None;
        }
    }
}

fn trap_returns(program: &mut Program) {
    for procedure in program.procedures.iter_mut().filter(|p| p.noreturn) {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        let old = body.exit;
        let span = body.location(old).span;
        body.exit = body.add_location(span);
        let dead = body.add_location(span);
        body.add_edge(old, dead, Statement::Halt(Halt::Trap), span);
    }
}

fn allocate_frames(program: &mut Program) {
    let graph = call_graph(program);
    let once = called_once(program);
    let mut address_of: FxHashMap<ObjectId, RegId> = FxHashMap::default();
    for i in 0..program.objects.len() {
        let object = &program.objects[i];
        let Storage::Frame(owner) = object.storage else {
            continue;
        };
        let large = object.size > LARGE && !once[owner.index()];
        if program.procedure(owner).body.is_none() || !(graph.recursive[owner.index()] || large) {
            continue;
        }
        let (c_name, span) = (object.c_name.clone(), object.span);
        let name = program.fresh_register_name(&format!("&{}", object.name));
        let register = program.add_register(Register {
            name,
            c_name: format!("&{c_name}"),
            ty: Type::Ptr,
            ctype: None,
            owner: Some(owner),
            role: Role::Temporary,
            initial: None,
            span,
        });
        address_of.insert(ObjectId::new(i), register);
    }
    if address_of.is_empty() {
        return;
    }
    let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    let width = program.model.pointer_bits() as u16;
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        for edge in &mut body.edges {
            let pool = &mut program.exprs;
            edge.statement.map_expressions(|e| {
                pool.rewrite(e, &mut done, |pool, expr, ty| match expr {
                    Expr::Address(o) if address_of.contains_key(&o) => {
                        pool.reg(address_of[&o], Type::Ptr)
                    }
                    other => pool.add_typed(other, ty),
                })
            });
            edge.statement = match edge.statement {
                Statement::Enter(o) if address_of.contains_key(&o) => Statement::Allocate {
                    target: address_of[&o],
                    size: program
                        .exprs
                        .int(u128::from(program.objects[o.index()].size), width),
                    kind: Allocation::Stack,
                },
                Statement::Leave(o) if address_of.contains_key(&o) => Statement::Skip,
                ref other => other.clone(),
            };
        }
        program.procedures[p].body = Some(body);
    }
    prova_ir::debug_validate(program, "allocate_frames");
}
