//! Variables in registers become objects in memory, so that pointers may lead to them.

use crate::steps::{Insertions, Step};
use prova_ir::{
    EdgeId, Expr, ExprId, FloatKind, Initial, Object, ObjectId, ProcId, Program, RegId, Register,
    Role, Statement, Storage, Type,
};
use rustc_hash::FxHashMap;

/// Whether values of a type can lie in memory as they lie in registers.
pub(super) fn can_demote(program: &Program, register: RegId) -> bool {
    let ty = program.register(register).ty;
    !ty.is_bool() && ty != Type::Float(FloatKind::X87)
}

/// Moves global registers into memory; gives their objects.
pub(super) fn demote(program: &mut Program, registers: &[RegId]) -> FxHashMap<RegId, ObjectId> {
    let mut homes: FxHashMap<RegId, ObjectId> = FxHashMap::default();
    for &r in registers {
        let register = program.register(r).clone();
        let size = register.ty.bytes(program.model);
        let object = program.add_object(Object {
            name: super::fresh(
                |n| program.objects.iter().any(|o| o.name == n),
                &format!("{}.memory", register.name),
            ),
            c_name: register.c_name,
            size,
            align: size,
            storage: match register.initial {
                Some(value) => Storage::Static {
                    initial: vec![(0, Initial::Value(value))],
                    constant: false,
                },
                None => Storage::External,
            },
            ctype: register.ctype,
            span: register.span,
        });
        homes.insert(r, object);
    }
    if homes.is_empty() {
        return homes;
    }
    let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        let mut insertions = Insertions::new(&body);
        for i in 0..body.edges.len() {
            let pool = &mut program.exprs;
            body.edges[i].statement.map_expressions(|e| {
                pool.rewrite(e, &mut done, |pool, expr, ty| match expr {
                    Expr::Reg(r) if homes.contains_key(&r) => {
                        let address = pool.add(Expr::Address(homes[&r]));
                        pool.load(address, ty)
                    }
                    _ => pool.add_typed(expr, ty),
                })
            });
            let written = body.edges[i].statement.written_register();
            let Some((r, &home)) = written.and_then(|r| Some((r, homes.get(&r)?))) else {
                continue;
            };
            let address = program.exprs.add(Expr::Address(home));
            if let Statement::Assign { value, .. } = body.edges[i].statement {
                body.edges[i].statement = Statement::Store { address, value };
                continue;
            }
            let kept = temporary(program, ProcId::new(p), r);
            match &mut body.edges[i].statement {
                Statement::Nondet { target, .. } | Statement::Allocate { target, .. } => {
                    *target = kept;
                }
                Statement::Call { result, .. } => *result = Some(kept),
                _ => continue,
            }
            let value = program.read(kept);
            insertions.behind(
                EdgeId::new(i),
                Step::Do(Statement::Store { address, value }),
            );
        }
        insertions.apply(&mut program.exprs, &mut body);
        program.procedures[p].body = Some(body);
    }
    homes
}

fn temporary(program: &mut Program, owner: ProcId, like: RegId) -> RegId {
    let register = program.register(like).clone();
    let name = program.fresh_register_name(&format!("{}.value", register.name));
    program.add_register(Register {
        name,
        c_name: String::new(),
        owner: Some(owner),
        role: Role::Temporary,
        initial: None,
        ..register
    })
}
