//! The property `no-uninit-read`: no variable is read before it is given a value.
//!
//! A variable that lives in a register gets a ghost register that says whether it has a value,
//! unless plain flow of data shows that every read comes behind a write. An object in memory that
//! is accessed by its name alone gets a shadow object: zero where it has a value (`shadow`). Any
//! other memory without contents (blocks of the heap, objects whose address goes elsewhere) is
//! not followed: where it is made the answer is left open ([`prova_ir::UNMODELLED`]).
//!
//! What would be unsound: a variable that is declared with a value and jumped over. So every
//! local variable starts without one.
//!
//! | file | what it holds |
//! |---|---|
//! | `evaluated` | under which condition an expression reads something that has no value |
//! | `assigned` | variables that have a value on every path |
//! | `shadow` | objects in memory |

mod assigned;
mod evaluated;
mod shadow;

use crate::property::Property;
use crate::steps::{Check, Insertions, Step};
use assigned::Assigned;
use evaluated::{fine, Wanted};
use prova_ir::{
    Body, EdgeId, Expr, ExprId, LocId, Origin, ProcId, Program, RegId, Register, Role, Statement,
    Type, UNMODELLED,
};
use rustc_hash::FxHashMap;

/// Puts a check before every read of something that may have no value.
pub(crate) fn weave_uninit(program: &mut Program) {
    let shadows = shadow::shadows(program);
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        let mut insertions = Insertions::new(&body);
        registers(program, ProcId::new(p), &body, &mut insertions);
        shadow::weave(program, ProcId::new(p), &shadows, &body, &mut insertions);
        insertions.apply(&mut program.exprs, &mut body);
        program.procedures[p].body = Some(body);
    }
}

/// The registers that a statement reads, each once, in order.
fn reads(program: &Program, statement: &Statement) -> Vec<RegId> {
    let mut found = Vec::new();
    for root in statement.expressions() {
        for e in program.exprs.subexpressions(root) {
            if let Expr::Reg(reg) = program.exprs.get(e) {
                if !found.contains(&reg) {
                    found.push(reg);
                }
            }
        }
    }
    found
}

fn registers(program: &mut Program, p: ProcId, body: &Body, insertions: &mut Insertions) {
    let local = |program: &Program, reg: RegId| {
        let register = program.register(reg);
        register.role == Role::Local && register.owner == Some(p) && !register.c_name.is_empty()
    };
    let assigned = Assigned::of(program, body, |reg| local(program, reg));
    let mut ghosts: FxHashMap<RegId, RegId> = FxHashMap::default();
    let mut order: Vec<RegId> = Vec::new();
    for (location, edges) in body.outgoing().iter().enumerate() {
        let location = LocId::new(location);
        // Both ways of a branch evaluate the same condition; more ways may have conditions each.
        let mut done: Vec<(RegId, ExprId)> = Vec::new();
        for &edge in edges {
            let statement = body.edge(edge).statement.clone();
            for reg in reads(program, &statement) {
                if !local(program, reg) || assigned.has(location, reg) {
                    continue;
                }
                let ghost = *ghosts.entry(reg).or_insert_with(|| {
                    order.push(reg);
                    ghost_of(program, reg)
                });
                let ghost = program.read(ghost);
                let zero = program.exprs.int(0, 8);
                let set = program.exprs.binary(prova_ir::BinaryOp::Ne, ghost, zero);
                let ok = fine(program, &statement, Wanted::Register(reg, set));
                if done.contains(&(reg, ok)) {
                    continue;
                }
                done.push((reg, ok));
                let name = &program.register(reg).c_name;
                let message = format!("`{name}` is read before it is given a value");
                insertions.before(location, broken(ok, message));
            }
        }
    }
    for &reg in &order {
        let start = set(program, ghosts[&reg], 0);
        insertions.entering(start);
    }
    for (e, edge) in body.edges.iter().enumerate() {
        let unset = matches!(
            edge.statement,
            Statement::Nondet {
                origin: Origin::Uninitialised,
                ..
            }
        );
        let Some(target) = edge.statement.written_register() else {
            continue;
        };
        if let Some(&ghost) = ghosts.get(&target) {
            let step = set(program, ghost, u128::from(!unset));
            insertions.behind(EdgeId::new(e), step);
        } else if unset && !local(program, target) {
            // The value of a function that ends without one, a missing argument.
            let message = "a value that nothing gives".to_owned();
            for step in left_open(program, p, message) {
                insertions.before(edge.source, step);
            }
        }
    }
}

/// From here no proof is to be had, but runs go on: what they break, they break.
fn left_open(program: &mut Program, p: ProcId, message: String) -> [Step; 2] {
    let ghost = program.add_register(Register {
        name: format!("open.{}", program.registers.len()),
        c_name: "memory".into(),
        ty: Type::Int(8),
        ctype: None,
        owner: Some(p),
        role: Role::Temporary,
        initial: None,
        span: prova_ir::Span::NONE,
    });
    let value = program.read(ghost);
    let zero = program.exprs.int(0, 8);
    let ok = program.exprs.binary(prova_ir::BinaryOp::Eq, value, zero);
    let check = Check {
        ok,
        property: UNMODELLED,
        message,
    };
    let choice = Statement::Nondet {
        target: ghost,
        origin: Origin::Uninitialised,
    };
    [Step::Do(choice), Step::Check(check)]
}

fn broken(ok: ExprId, message: String) -> Step {
    Step::Check(Check {
        ok,
        property: Property::NoUninitRead.name(),
        message,
    })
}

fn set(program: &mut Program, ghost: RegId, value: u128) -> Step {
    let value = program.exprs.int(value, 8);
    Step::Do(Statement::Assign {
        target: ghost,
        value,
    })
}

fn ghost_of(program: &mut Program, reg: RegId) -> RegId {
    let like = program.register(reg).clone();
    program.add_register(Register {
        name: format!("{}.set", like.name),
        c_name: String::new(),
        ty: Type::Int(8),
        ctype: None,
        role: Role::Temporary,
        initial: None,
        ..like
    })
}
