//! A harness for any function: arbitrary globals, arbitrary arguments, one call.
//!
//! Registers get arbitrary values, objects arbitrary contents; what cannot be written (string
//! literals, `const` objects) keeps what it holds. A pointer is null or the address of unknown
//! memory, as everywhere; pointers may be distinct or aliased. A structure that is passed or
//! returned by value is a fresh object of the harness, never null, with arbitrary contents.

use prova_ir::{
    Body, CType, CTypeId, Callee, Expr, LocId, Object, ObjectId, Origin, ProcId, Procedure,
    Program, RegId, Register, Role, Span, Statement, Storage, Type,
};

/// Why a function cannot be an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// It is declared only.
    #[error("`{0}` has no body")]
    NoBody(String),
}

/// Adds a procedure that gives arbitrary values to globals and arguments and calls `callee`,
/// and makes it the program's entry.
pub fn make_entry(program: &mut Program, callee: ProcId) -> Result<ProcId, EntryError> {
    let target = program.procedure(callee).clone();
    if target.body.is_none() {
        return Err(EntryError::NoBody(target.c_name));
    }
    let harness = ProcId::new(program.procedures.len());
    let mut statements = Vec::new();
    for i in 0..program.registers.len() {
        // A rule's state starts as the rule says.
        let register = &program.registers[i];
        if register.owner.is_none() && !in_rule(program, register.span) {
            statements.push(Statement::Nondet {
                target: RegId::new(i),
                origin: Origin::Entry,
            });
        }
    }
    for i in 0..program.objects.len() {
        let object = &program.objects[i];
        let writable = match object.storage {
            Storage::Static { constant, .. } => !constant,
            Storage::External => true,
            Storage::Frame(_) => false,
        };
        if writable && object.size > 0 && !in_rule(program, object.span) {
            let size = object.size;
            havoc(program, ObjectId::new(i), size, &mut statements);
        }
    }
    let mut arguments = Vec::new();
    for (i, &parameter) in target.parameters.iter().enumerate() {
        let argument = match passed_by_value(program, &target, i) {
            Some(record) => structure(program, harness, parameter, record, &mut statements),
            None => scalar(program, harness, parameter, &mut statements),
        };
        arguments.push(argument);
    }
    statements.push(Statement::Call {
        result: None,
        callee: Callee::Direct(callee),
        arguments,
    });
    let body = straight(statements, target.span);
    program.procedures.push(Procedure {
        name: fresh(
            |n| program.procedures.iter().any(|p| p.name == n),
            "prova.entry",
        ),
        c_name: String::new(),
        parameters: Vec::new(),
        result: None,
        variadic: false,
        noreturn: false,
        read_only: Vec::new(),
        ctype: None,
        span: Span::NONE,
        body: Some(body),
    });
    program.entry = Some(harness);
    prova_ir::debug_validate(program, "make_entry");
    Ok(harness)
}

/// Whether something is declared by a rule.
fn in_rule(program: &Program, span: Span) -> bool {
    let file = program.files.get(span.file.index());
    span.is_known() && file.is_some_and(|f| f.is_rule())
}

fn fresh(taken: impl Fn(&str) -> bool, base: &str) -> String {
    let mut name = base.to_owned();
    let mut number = 1;
    while taken(&name) {
        number += 1;
        name = format!("{base}#{number}");
    }
    name
}

fn havoc(program: &mut Program, object: ObjectId, size: u64, statements: &mut Vec<Statement>) {
    statements.push(Statement::Havoc {
        address: program.exprs.add(Expr::Address(object)),
        size,
        origin: Origin::Entry,
    });
}

/// The type and size of the structure that parameter `i` points to a copy of, or where it is returned.
fn passed_by_value(program: &Program, target: &Procedure, i: usize) -> Option<(CTypeId, u64)> {
    let register = program.register(target.parameters[i]);
    if register.ty != Type::Ptr {
        return None;
    }
    let record = |ctype| match program.ctypes.get(ctype) {
        CType::Record { size, .. } => Some((ctype, *size)),
        _ => None,
    };
    let Some(CType::Function {
        result, parameters, ..
    }) = target.ctype.map(|c| program.ctypes.get(c))
    else {
        return register.ctype.and_then(record);
    };
    // A returned structure has a first parameter of its own.
    let returned = match target.result {
        None => record(*result),
        Some(_) => None,
    };
    match (returned, i) {
        (Some(record), 0) => Some(record),
        (Some(_), _) => parameters.get(i - 1).copied().and_then(record),
        (None, _) => parameters.get(i).copied().and_then(record),
    }
}

fn structure(
    program: &mut Program,
    harness: ProcId,
    parameter: RegId,
    (ctype, size): (CTypeId, u64),
    statements: &mut Vec<Statement>,
) -> prova_ir::ExprId {
    let register = program.register(parameter).clone();
    let base = format!("entry.{}", register.c_name);
    let object = program.add_object(Object {
        name: fresh(|n| program.objects.iter().any(|o| o.name == n), &base),
        c_name: register.c_name,
        size,
        align: 16,
        storage: Storage::Frame(harness),
        ctype: Some(ctype),
        span: register.span,
    });
    statements.push(Statement::Enter(object));
    havoc(program, object, size, statements);
    program.exprs.add(Expr::Address(object))
}

fn scalar(
    program: &mut Program,
    harness: ProcId,
    parameter: RegId,
    statements: &mut Vec<Statement>,
) -> prova_ir::ExprId {
    let register = program.register(parameter).clone();
    let base = format!("entry.{}", register.c_name);
    let name = fresh(|n| program.registers.iter().any(|r| r.name == n), &base);
    let target = program.add_register(Register {
        name,
        owner: Some(harness),
        role: Role::Local,
        initial: None,
        ..register
    });
    statements.push(Statement::Nondet {
        target,
        origin: Origin::Entry,
    });
    program.read(target)
}

fn straight(statements: Vec<Statement>, span: Span) -> Body {
    let mut body = Body {
        locations: Vec::new(),
        edges: Vec::new(),
        entry: LocId(0),
        exit: LocId::new(statements.len()),
        errors: Vec::new(),
    };
    let mut at = body.add_location(span);
    for statement in statements {
        let next = body.add_location(span);
        body.add_edge(at, next, statement, span);
        at = next;
    }
    body
}
