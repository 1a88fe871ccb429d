//! Runs that never end, as a question about error locations: some inputs are fixed, and the error is
//! that a run ends, in whatever way. If no run of what is left does, then there are runs of the program
//! that never end: those with these inputs. What is proved of the loop's head then is a set of states
//! that is reached and never left (Chen, Cook, Fuhs, Nimkar, O'Hearn: *Proving Nontermination via
//! Safety*, TACAS 2014; Gupta, Henzinger, Majumdar, Rybalchenko, Xu: *Proving Non-termination*, POPL
//! 2008, for recurrence sets).
//!
//! What would be unsound: an end that is no error. So everything that may end a run without being seen
//! here is refused: memory other than static objects, division by what is no constant, recursion.

use crate::weave::{Refused, TERMINATION};
use prova_ir::passes::call_graph::call_graph;
use prova_ir::{
    BinaryOp, Callee, ErrorLocation, Expr, ExprId, LocId, Origin, ProcId, Program, Statement,
    Storage, Type,
};
use std::collections::BTreeMap;

use crate::valid::{cell_of, Base};

/// The program with inputs fixed, by the procedures and registers that they are for, and an error wherever one of its runs would end.
pub fn narrow(
    program: &Program,
    inputs: &BTreeMap<(ProcId, String), u128>,
) -> Result<Program, Refused> {
    let refused = |what: &str| Refused::Program(what.into());
    let calls = call_graph(program);
    let entry = program.entry.ok_or_else(|| refused("it has no entry"))?;
    let mut narrowed = program.clone();
    for id in calls.reachable_from(entry) {
        if calls.recursive[id.index()] || calls.calls_unknown[id.index()] {
            return Err(refused("it calls itself, or through pointers"));
        }
        let Some(body) = &program.procedure(id).body else {
            return Err(refused("it calls what has no body"));
        };
        for edge in &body.edges {
            if let Some(what) = may_end(program, &edge.statement) {
                return Err(refused(what));
            }
        }
        fix(&mut narrowed, id, inputs);
        make_ends_errors(&mut narrowed, id, id == entry);
    }
    prova_ir::debug_validate(&narrowed, "narrow");
    Ok(narrowed)
}

/// Why a statement might end a run, beside those that are made errors.
fn may_end(program: &Program, statement: &Statement) -> Option<&'static str> {
    match statement {
        Statement::Free(_) | Statement::Allocate { .. } => return Some("it allocates memory"),
        Statement::Marker(_)
        | Statement::Nondet {
            origin: Origin::Unmodelled(_),
            ..
        } => return Some("it does what is not modelled"),
        Statement::Call {
            callee: Callee::Indirect(_),
            ..
        } => return Some("it calls through pointers"),
        Statement::Store { address, value } => {
            let ty = program.exprs.ty(*value);
            if !is_static(program, *address, ty, true) {
                return Some("it writes memory");
            }
        }
        Statement::Call {
            callee: Callee::Direct(callee),
            arguments,
            ..
        } => {
            let parameters = program.procedure(*callee).parameters.iter();
            let parameters = parameters.map(|r| program.register(*r).ty);
            if !parameters.eq(arguments.iter().map(|a| program.exprs.ty(*a))) {
                return Some("it calls what does not fit");
            }
        }
        Statement::Assign { .. }
        | Statement::Assume(_)
        | Statement::Halt(_)
        | Statement::Nondet { .. }
        | Statement::Skip => {}
        _ => return Some("it does more than compute"),
    }
    let pool = &program.exprs;
    let mut parts = statement.expressions().flat_map(|e| pool.subexpressions(e));
    parts.find_map(|part| match pool.get(part) {
        Expr::Load { address, ty } if !is_static(program, address, ty, false) => {
            Some("it reads memory")
        }
        Expr::Binary {
            op: BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem,
            right,
            ..
        } => match pool.get(right) {
            Expr::Int { value, .. } if value != 0 => None,
            _ => Some("it divides"),
        },
        _ => None,
    })
}

/// Whether an access is one of a static object, and inside it; for a write, of one that may be written.
fn is_static(program: &Program, address: ExprId, ty: Type, write: bool) -> bool {
    let cell = cell_of(program, address, ty.bytes(program.model));
    let inside = |object, end: Option<u64>| {
        let object = program.object(object);
        let there = match object.storage {
            Storage::Static { constant, .. } => !(constant && write),
            Storage::External | Storage::Frame(_) => false,
        };
        there && end.is_some_and(|end| end <= object.size)
    };
    cell.is_some_and(|cell| match cell.base {
        Base::Object(object) => inside(object, cell.offset.checked_add(cell.bytes)),
        Base::Register(_) => false,
    })
}

fn fix(program: &mut Program, id: ProcId, inputs: &BTreeMap<(ProcId, String), u128>) {
    let Some(mut body) = program.procedures[id.index()].body.take() else {
        return;
    };
    for edge in &mut body.edges {
        let Statement::Nondet { target, .. } = edge.statement else {
            continue;
        };
        let register = program.register(target);
        let (Some(&value), Type::Int(width)) =
            (inputs.get(&(id, register.name.clone())), register.ty)
        else {
            continue;
        };
        let value = match width {
            128.. => value,
            _ => value & ((1 << width) - 1),
        };
        let value = program.exprs.int(value, width);
        edge.statement = Statement::Assign { target, value };
    }
    program.procedures[id.index()].body = Some(body);
}

/// Makes halts, places where no way leads on, and the end of the entry errors.
fn make_ends_errors(program: &mut Program, id: ProcId, entry: bool) {
    let Some(body) = program.procedures[id.index()].body.take() else {
        return;
    };
    let mut body = body;
    let outgoing = body.outgoing();
    let pool = &mut program.exprs;
    let mut stuck: Vec<(LocId, Option<ExprId>)> = Vec::new();
    for (i, edges) in outgoing.iter().enumerate() {
        let location = LocId::new(i);
        if location == body.exit || body.error_at(location).is_some() {
            continue;
        }
        let conditions = edges.iter().map(|e| match body.edge(*e).statement {
            Statement::Assume(condition) => Some(condition),
            _ => None,
        });
        // A way that asks for nothing can be gone always.
        let Some(conditions) = conditions.collect::<Option<Vec<ExprId>>>() else {
            continue;
        };
        let Some((&first, others)) = conditions.split_first() else {
            stuck.push((location, None));
            continue;
        };
        // One way or the other.
        if let &[other] = others {
            if pool.not(first) == other || pool.not(other) == first {
                continue;
            }
        }
        let some = others
            .iter()
            .fold(first, |all, &one| pool.binary(BinaryOp::Or, all, one));
        stuck.push((location, Some(pool.not(some))));
    }
    let mut errors = Vec::new();
    for (location, condition) in stuck {
        let span = body.location(location).span;
        let error = body.add_location(span);
        let way = condition.map_or(Statement::Skip, Statement::Assume);
        body.add_edge(location, error, way, span);
        errors.push(error);
    }
    for i in 0..body.edges.len() {
        let edge = &body.edges[i];
        let halts = matches!(edge.statement, Statement::Halt(_));
        if halts || entry && edge.target == body.exit {
            let span = edge.span;
            let error = body.add_location(span);
            body.edges[i].target = error;
            if halts {
                body.edges[i].statement = Statement::Skip;
            }
            errors.push(error);
        }
    }
    for location in errors {
        body.errors.push(ErrorLocation {
            location,
            property: TERMINATION.to_owned(),
            message: "the run ends".to_owned(),
        });
    }
    program.procedures[id.index()].body = Some(body);
}
