//! Objects that live more than once in a run: variables of a block in a loop, variables of a function
//! that is called again. Each life is an object of its own (C11 6.2.4 §6), so a pointer to an earlier
//! one points to nothing, though on most machines the next one lies at the same place.
//!
//! Where such a pointer may be left over, the object becomes memory that is allocated anew at the start
//! of each life: another life has another slot. Objects whose addresses do not outlive them stay what
//! they are, but those of functions that call themselves: each activation has its own, and there are
//! several at once.
//!
//! What would be unsound: to allocate a second time where the declaration is only passed again (`goto`
//! back to it in the same block). That object is still the old one, and stays where it is; in a function
//! that calls itself there is no such place.

use super::flow::Flow;
use super::refusal;
use crate::weave::WeaveError;
use prova_ir::passes::activations::called_once;
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{
    Allocation, Body, Expr, ExprId, ObjectId, ProcId, Program, RegId, Register, Role, Statement,
    Storage, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What was found out about objects that live more than once.
pub(super) struct Lives {
    /// Those that have memory of their own for each life, and the registers that hold its address.
    pub again: FxHashMap<ObjectId, RegId>,
    /// Whether pointers to some of them may be left over.
    pub outlived: bool,
    /// Whether there are others, whose lives lie at the same place.
    pub shared: bool,
}

/// Gives each life of such objects memory of its own.
pub(super) fn allocate_lives(program: &mut Program) -> Result<Lives, WeaveError> {
    let flow = Flow::new(program);
    let once = called_once(program);
    let recursive = call_graph(program).recursive;
    let (mut outlived, mut shared) = (false, false);
    let mut address_of: FxHashMap<ObjectId, RegId> = FxHashMap::default();
    for i in 0..program.objects.len() {
        let (object, id) = (&program.objects[i], ObjectId::new(i));
        let Storage::Frame(owner) = object.storage else {
            continue;
        };
        let Some(body) = &program.procedure(owner).body else {
            continue;
        };
        let recursive = recursive[owner.index()];
        if !flow.outlives[i] && !recursive {
            continue;
        }
        let passed_again = enters_again(body, id, &|s| *s == Statement::Leave(id));
        let again = !once[owner.index()] || enters_again(body, id, &|_| false);
        if recursive && (passed_again || !is_entered(body, id)) {
            let name = &object.c_name;
            let what = match name.is_empty() {
                true => "a value in a recursive function".to_owned(),
                false => format!("`{name}` in a recursive function"),
            };
            let what = format!("memory safety of {what}, whose declaration is passed again");
            return Err(refusal(what, object.span));
        }
        if passed_again || !again {
            shared |= again;
            continue;
        }
        outlived |= flow.outlives[i];
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
        address_of.insert(id, register);
    }
    let owners: FxHashSet<ProcId> = address_of
        .keys()
        .filter_map(|o| match program.object(*o).storage {
            Storage::Frame(owner) => Some(owner),
            _ => None,
        })
        .collect();
    let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for owner in owners {
        if let Some(mut body) = program.procedures[owner.index()].body.take() {
            rewrite(program, &mut body, &address_of, &mut done);
            program.procedures[owner.index()].body = Some(body);
        }
    }
    Ok(Lives {
        again: address_of,
        outlived,
        shared,
    })
}

/// Whether a body says where an object's life starts.
fn is_entered(body: &Body, object: ObjectId) -> bool {
    let mut edges = body.edges.iter();
    edges.any(|e| e.statement == Statement::Enter(object))
}

/// Whether a run of a body may enter an object twice without a statement that ends the search.
fn enters_again(body: &Body, object: ObjectId, ends: &dyn Fn(&Statement) -> bool) -> bool {
    let outgoing = body.outgoing();
    let enters = |s: &Statement| *s == Statement::Enter(object);
    let first = body.edges.iter().filter(|e| enters(&e.statement));
    let mut open: Vec<_> = first.map(|e| e.target).collect();
    let mut seen = vec![false; body.locations.len()];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for &next in &outgoing[at.index()] {
            let edge = body.edge(next);
            if enters(&edge.statement) {
                return true;
            }
            if !ends(&edge.statement) {
                open.push(edge.target);
            }
        }
    }
    false
}

fn rewrite(
    program: &mut Program,
    body: &mut Body,
    address_of: &FxHashMap<ObjectId, RegId>,
    done: &mut FxHashMap<ExprId, ExprId>,
) {
    let width = program.model.pointer_bits() as u16;
    for edge in &mut body.edges {
        let pool = &mut program.exprs;
        edge.statement.map_expressions(|e| {
            pool.rewrite(e, done, |pool, expr, ty| match expr {
                Expr::Address(o) if address_of.contains_key(&o) => {
                    pool.reg(address_of[&o], Type::Ptr)
                }
                other => pool.add_typed(other, ty),
            })
        });
        if let Statement::Enter(object) = edge.statement {
            if let Some(&target) = address_of.get(&object) {
                let size = u128::from(program.objects[object.index()].size);
                edge.statement = Statement::Allocate {
                    target,
                    size: program.exprs.int(size, width),
                    kind: Allocation::Stack,
                };
            }
        }
    }
}
