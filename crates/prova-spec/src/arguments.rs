//! What the start of a program promises `main` (C11 5.1.2.2.1): `argc` is not negative, `argv[argc]`
//! is null, and what comes before it is not.
//!
//! The first is said at once. The others speak of memory that nobody declared, so they are said
//! only if `main` looks at `argv`, and of single arguments only where it reads them by their index.

use crate::steps::{Insertions, Step};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::passes::devirtualise::address_taken;
use prova_ir::{BinaryOp, Body, CastOp, Expr, ExprId, LocId, Program, RegId, Statement, Type};

/// Says what holds of the arguments of `main`, if it is the entry and nobody else calls it.
/// `contents` says whether memory behind `argv` may be read for that.
pub(crate) fn weave_arguments(program: &mut Program, contents: bool) {
    let Some(entry) = program.entry else { return };
    let graph = call_graph(program);
    let procedure = program.procedure(entry);
    let called = graph.callees.iter().any(|c| c.contains(&entry));
    if procedure.c_name != "main" || called || address_taken(program).contains(&entry) {
        return;
    }
    let parameters = procedure.parameters.clone();
    let Some(&count) = parameters.first() else {
        return;
    };
    let Type::Int(width) = program.register(count).ty else {
        return;
    };
    let Some(mut body) = program.procedures[entry.index()].body.take() else {
        return;
    };
    let mut insertions = Insertions::new(&body);
    let argc = program.read(count);
    let zero = program.exprs.int(0, width);
    let ok = program.exprs.binary(BinaryOp::SLe, zero, argc);
    insertions.starting(Step::Do(Statement::Assume(ok)));
    // So many pointers and one more are an object, which is at most half of what can be addressed.
    let bits = program.model.pointer_bits();
    let most = (1u128 << (bits - 1)) / u128::from(program.model.pointer_bytes()) - 1;
    if most < 1 << (width - 1) {
        let most = program.exprs.int(most - 1, width);
        let fits = program.exprs.binary(BinaryOp::SLe, argc, most);
        insertions.starting(Step::Do(Statement::Assume(fits)));
    }
    let vector = parameters.get(1).copied();
    let vector = vector.filter(|&r| program.register(r).ty == Type::Ptr);
    if let Some(vector) = vector.filter(|&r| reads(program, &body, r)) {
        let argv = program.read(vector);
        let null = program.exprs.add(Expr::Pointer(0));
        let there = program.exprs.binary(BinaryOp::Ne, argv, null);
        insertions.starting(Step::Do(Statement::Assume(there)));
        if contents {
            weave_vector(program, &body, &mut insertions, count, vector);
        }
    }
    insertions.apply(&mut program.exprs, &mut body);
    program.procedures[entry.index()].body = Some(body);
}

fn reads(program: &Program, body: &Body, register: RegId) -> bool {
    let mut roots = body.edges.iter().flat_map(|e| e.statement.expressions());
    roots.any(|root| {
        let parts = program.exprs.subexpressions(root);
        parts
            .iter()
            .any(|&e| program.exprs.get(e) == Expr::Reg(register))
    })
}

fn weave_vector(
    program: &mut Program,
    body: &Body,
    insertions: &mut Insertions,
    count: RegId,
    vector: RegId,
) {
    let argv = program.read(vector);
    let null = program.exprs.add(Expr::Pointer(0));
    let bytes = all_bytes(program, count);
    let behind = program.exprs.binary(BinaryOp::PtrAdd, argv, bytes);
    let last = program.exprs.load(behind, Type::Ptr);
    let ends = program.exprs.binary(BinaryOp::Eq, last, null);
    insertions.starting(Step::Do(Statement::Assume(ends)));
    // Where the two still are what they were.
    let written = |r: RegId| {
        let mut edges = body.edges.iter();
        edges.any(|e| e.statement.written_register() == Some(r))
    };
    if written(count) || written(vector) {
        return;
    }
    for (location, edges) in body.outgoing().iter().enumerate() {
        let mut loads: Vec<(ExprId, ExprId)> = Vec::new();
        for &edge in edges {
            for root in body.edge(edge).statement.expressions() {
                for e in program.exprs.subexpressions(root) {
                    if let Some(by) = argument(program, e, argv) {
                        if !loads.contains(&(e, by)) {
                            loads.push((e, by));
                        }
                    }
                }
            }
        }
        for (load, by) in loads {
            let beyond = program.exprs.binary(BinaryOp::ULe, bytes, by);
            let there = program.exprs.binary(BinaryOp::Ne, load, null);
            let ok = program.exprs.binary(BinaryOp::Or, beyond, there);
            insertions.before(LocId::new(location), Step::Do(Statement::Assume(ok)));
        }
    }
}

/// The bytes of `argc` pointers.
fn all_bytes(program: &mut Program, count: RegId) -> ExprId {
    let ty = program.model.pointer_int();
    let mut argc = program.read(count);
    if program.exprs.ty(argc) != ty {
        argc = program.exprs.cast(CastOp::SExt, argc, ty);
    }
    let width = program.model.pointer_bits() as u16;
    let size = program
        .exprs
        .int(u128::from(program.model.pointer_bytes()), width);
    program.exprs.binary(BinaryOp::Mul, argc, size)
}

/// If an expression is `argv[i]`, the distance of that from `argv`.
fn argument(program: &mut Program, e: ExprId, argv: ExprId) -> Option<ExprId> {
    let Expr::Load {
        address,
        ty: Type::Ptr,
    } = program.exprs.get(e)
    else {
        return None;
    };
    let width = program.model.pointer_bits() as u16;
    match program.exprs.get(address) {
        _ if address == argv => Some(program.exprs.int(0, width)),
        Expr::Binary {
            op: BinaryOp::PtrAdd,
            left,
            right,
        } if left == argv => Some(right),
        _ => None,
    }
}
