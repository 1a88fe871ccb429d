//! Passes for programs whose procedures are kept: what an activation means is said with statements,
//! as [`inline`](mod@super::inline) says it where it copies a body.

use super::call_graph::call_graph;
use crate::expr::Expr;
use crate::ids::*;
use crate::program::*;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Frame objects larger than this, in bytes, are allocated where a procedure runs more than once.
const LARGE: u64 = 256;

/// Procedures that no run enters lose their bodies.
pub fn forget_uncalled(program: &mut Program) {
    let Some(entry) = program.entry else { return };
    let called = call_graph(program).reachable_from(entry);
    for (i, procedure) in program.procedures.iter_mut().enumerate() {
        if !called.contains(&ProcId::new(i)) {
            procedure.body = None;
        }
    }
}

/// A `noreturn` procedure that returns all the same is undefined: a trap.
pub fn trap_returns(program: &mut Program) {
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

/// A frame object of a procedure that can be active twice at once has no single address: it becomes
/// memory that is allocated when its life starts, with its address in a register of the activation.
/// So do large objects whose contents would be made arbitrary cell by cell at every entry.
pub fn allocate_frames(program: &mut Program) {
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
                        .int(u128::from(room(&program.objects[o.index()])), width),
                    kind: Allocation::Stack,
                },
                Statement::Leave(o) if address_of.contains_key(&o) => Statement::Skip,
                ref other => other.clone(),
            };
        }
        program.procedures[p].body = Some(body);
    }
    crate::debug_validate(program, "allocate_frames");
}

/// How much is allocated for an object. Blocks are aligned to 16 bytes, and 16 lie between them: of one
/// that wants more, as objects do where the checks of memory tell them by their addresses, so much
/// that the heap stays aligned behind it.
fn room(object: &Object) -> u64 {
    match object.align {
        0..=16 => object.size,
        align => (object.size + 16).next_multiple_of(align) - 16,
    }
}

/// Whether an edge lies on a cycle.
pub fn on_cycle(body: &Body, outgoing: &[Vec<EdgeId>], edge: EdgeId) -> bool {
    let edge = body.edge(edge);
    let mut seen = vec![false; body.locations.len()];
    let mut stack = vec![edge.target];
    while let Some(at) = stack.pop() {
        if at == edge.source {
            return true;
        }
        for &next in &outgoing[at.index()] {
            let target = body.edge(next).target;
            if !std::mem::replace(&mut seen[target.index()], true) {
                stack.push(target);
            }
        }
    }
    false
}

/// Which edges lie on a cycle: those inside a strongly connected component (Kosaraju's two
/// searches).
pub fn edges_on_cycles(body: &Body) -> Vec<bool> {
    let (outgoing, incoming) = (body.outgoing(), body.incoming());
    let count = body.locations.len();
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for root in 0..count {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((at, next)) = stack.last_mut() {
            match outgoing[*at].get(*next) {
                Some(&edge) => {
                    *next += 1;
                    let target = body.edge(edge).target.index();
                    if !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
    }
    let mut component = vec![usize::MAX; count];
    for &root in order.iter().rev() {
        let mut stack = vec![root];
        while let Some(at) = stack.pop() {
            if component[at] == usize::MAX {
                component[at] = root;
                let before = incoming[at].iter().map(|&e| body.edge(e).source.index());
                stack.extend(before.filter(|&l| component[l] == usize::MAX));
            }
        }
    }
    let inside = |e: &Edge| component[e.source.index()] == component[e.target.index()];
    body.edges.iter().map(inside).collect()
}

/// Which procedures a run may enter any number of times: those that call themselves, and those that
/// are called in a loop, or by such a procedure.
pub fn called_without_bound(program: &Program) -> Vec<bool> {
    let graph = call_graph(program);
    let mut often = graph.recursive.clone();
    for procedure in &program.procedures {
        let Some(body) = &procedure.body else {
            continue;
        };
        for (edge, cycle) in body.edges.iter().zip(edges_on_cycles(body)) {
            match edge.statement {
                Statement::Call {
                    callee: Callee::Direct(callee),
                    ..
                } if cycle => often[callee.index()] = true,
                _ => {}
            }
        }
    }
    let first: Vec<usize> = (0..often.len()).filter(|&p| often[p]).collect();
    for p in first {
        for reached in graph.reachable_from(ProcId::new(p)) {
            often[reached.index()] = true;
        }
    }
    often
}

/// Which procedures a run enters at most once: the entry, and what is called from one place only,
/// on no cycle, of such a procedure.
pub fn called_once(program: &Program) -> Vec<bool> {
    let count = program.procedures.len();
    let graph = call_graph(program);
    let mut sites: Vec<Vec<(ProcId, EdgeId)>> = vec![Vec::new(); count];
    for (p, procedure) in program.procedures.iter().enumerate() {
        for (i, edge) in procedure
            .body
            .iter()
            .flat_map(|b| b.edges.iter().enumerate())
        {
            if let Statement::Call {
                callee: Callee::Direct(callee),
                ..
            } = edge.statement
            {
                sites[callee.index()].push((ProcId::new(p), EdgeId::new(i)));
            }
        }
    }
    let mut once = vec![false; count];
    if let Some(entry) = program.entry {
        once[entry.index()] = sites[entry.index()].is_empty();
    }
    // Callers come after their callees there.
    for &p in graph.components.iter().rev().flatten() {
        if graph.recursive[p.index()] || once[p.index()] {
            continue;
        }
        if let [(caller, edge)] = sites[p.index()][..] {
            let body = program.procedure(caller).body.as_ref();
            once[p.index()] =
                once[caller.index()] && body.is_some_and(|b| !on_cycle(b, &b.outgoing(), edge));
        }
    }
    once
}
