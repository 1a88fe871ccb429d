//! A harness for any function: arbitrary globals, arbitrary arguments, one call.
//!
//! Registers get arbitrary values, objects arbitrary contents; what cannot be written (string
//! literals, `const` objects) keeps what it holds. A pointer is null or the address of unknown
//! memory, as everywhere, or, if it is an argument or in a global variable, of one of the program's
//! own variables (`alias`); pointers may be distinct or aliased. A structure that is passed or returned by value is a fresh
//! object of the harness, never null, with arbitrary contents.
//!
//! [`prova_ir::Pointers`] says whether arguments themselves may be null, or point nowhere. It is about
//! arguments alone: what they point to, and what globals hold, ends somewhere, and does so with null.
//! What would be unsound: to leave null out where nobody says so beside the verdict.

mod alias;
mod demote;

pub(crate) use alias::{pointee, pointers_in, size_of};
use alias::{Places, Variable};
use prova_ir::{
    BinaryOp, Body, CType, CTypeId, Callee, Expr, ExprId, LocId, Object, ObjectId, Origin,
    Pointers as Passed, ProcId, Procedure, Program, RegId, Register, Role, Span, Statement,
    Storage, Type,
};

/// Why a function cannot be an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// It is declared only.
    #[error("`{0}` has no body")]
    NoBody(String),
}

/// What pointers lead to that a caller passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pointers {
    /// Objects of the caller's, or the program's own variables where their types allow it.
    #[default]
    Anywhere,
    /// Objects of the caller's.
    Apart,
}

/// What is assumed of the pointers that reach a function from outside, for people.
pub fn assumption(pointers: Pointers) -> &'static str {
    match pointers {
        Pointers::Anywhere => {
            "pointers in what arguments and globals point to lead to objects of the caller's"
        }
        Pointers::Apart => "arguments and globals point to objects of the caller's",
    }
}

/// Adds a procedure that gives arbitrary values to globals and arguments and calls `callee`,
/// and makes it the program's entry. Pointers may be null.
pub fn make_entry(program: &mut Program, callee: ProcId) -> Result<ProcId, EntryError> {
    make_entry_with(program, callee, Pointers::default(), Passed::Nullable)
}

/// Whether a function takes pointers to objects, so that it matters what they are.
pub fn takes_pointers(program: &Program, function: ProcId) -> bool {
    let target = program.procedure(function);
    (0..target.parameters.len()).any(|i| {
        passed_by_value(program, target, i).is_none()
            && alias::pointee(program, target.parameters[i]).is_some()
    })
}

/// An address where no object ever lies.
const NOWHERE: u64 = 16;

/// The same, with a say in what pointers lead to, and in whether arguments lead anywhere.
pub fn make_entry_with(
    program: &mut Program,
    callee: ProcId,
    pointers: Pointers,
    passed: Passed,
) -> Result<ProcId, EntryError> {
    if program.procedure(callee).body.is_none() {
        return Err(EntryError::NoBody(program.procedure(callee).c_name.clone()));
    }
    let own = match pointers {
        Pointers::Anywhere => Own::new(program, callee),
        Pointers::Apart => Own::default(),
    };
    let target = program.procedure(callee).clone();
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
            own.point_register(program, harness, RegId::new(i), &mut statements);
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
            let (size, ctype) = (object.size, object.ctype);
            havoc(program, ObjectId::new(i), size, &mut statements);
            if own.holders.contains(&ObjectId::new(i)) {
                own.point_object(program, harness, ObjectId::new(i), ctype, &mut statements);
            }
        }
    }
    let mut arguments = Vec::new();
    // Arguments so far that point to objects, and whether to bytes.
    let mut pointed: Vec<(ExprId, bool)> = Vec::new();
    for (i, &parameter) in target.parameters.iter().enumerate() {
        let argument = match passed_by_value(program, &target, i) {
            Some(record) => structure(program, harness, parameter, record, &own, &mut statements),
            None => {
                let value = scalar(program, harness, parameter, &mut statements);
                let to = alias::pointee(program, parameter);
                if to.is_some() && matches!(passed, Passed::Valid | Passed::Ample) {
                    let null = program.exprs.add(Expr::Pointer(0));
                    let given = program.exprs.binary(BinaryOp::Ne, value, null);
                    statements.push(Statement::Assume(given));
                }
                let places = to.map_or_else(Vec::new, |to| own.places(to));
                let name = program.register(parameter).name.clone();
                let mut value = choose(program, harness, &name, value, &places, &mut statements);
                if let Some(to) = alias::pointee(program, parameter) {
                    let bytes = alias::is_any(program, to);
                    if pointers == Pointers::Anywhere {
                        value = connect(program, harness, value, bytes, &pointed, &mut statements);
                    }
                    pointed.push((value, bytes));
                    if passed == Passed::Arbitrary {
                        value = perhaps_nowhere(program, harness, value, &mut statements);
                    }
                }
                value
            }
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

/// The program's own variables, as far as pointers from outside may lead to them.
#[derive(Default)]
struct Own {
    /// Places in them, by what points there.
    places: Vec<(CTypeId, ObjectId, Places)>,
    /// Global pointers that are looked at, and objects that may hold some.
    pointers: Vec<RegId>,
    holders: Vec<ObjectId>,
}

impl Own {
    /// Finds them. Variables in registers that pointers may lead to become objects.
    fn new(program: &mut Program, callee: ProcId) -> Own {
        let target = program.procedure(callee).clone();
        let looked = alias::looked_at(program, callee);
        let globals = looked.globals(program);
        let mut pointees: Vec<CTypeId> = Vec::new();
        let mut inside = |program: &Program, ctype: Option<CTypeId>| {
            let found = ctype.and_then(|c| alias::pointers_in(program, c));
            pointees.extend(found.into_iter().flatten().map(|(_, to)| to));
        };
        for (i, &parameter) in target.parameters.iter().enumerate() {
            match passed_by_value(program, &target, i) {
                Some((record, _)) => inside(program, Some(record)),
                None => inside(program, program.register(parameter).ctype),
            }
        }
        for &variable in &globals {
            match variable {
                Variable::Register(r) => inside(program, program.register(r).ctype),
                Variable::Object(o) => inside(program, program.object(o).ctype),
            }
        }
        pointees.sort_unstable();
        pointees.dedup();
        let variables = alias::variables(program, &looked);
        let mut wanted: Vec<(CTypeId, Variable, Places)> = Vec::new();
        for &pointee in &pointees {
            for &variable in &variables {
                let (size, ctype) = match variable {
                    Variable::Register(r) if !demote::can_demote(program, r) => continue,
                    Variable::Register(r) => {
                        let register = program.register(r);
                        (register.ty.bytes(program.model), register.ctype)
                    }
                    Variable::Object(o) => (program.object(o).size, program.object(o).ctype),
                };
                let places = alias::places(program, pointee, size, ctype);
                let places = places.into_iter().filter(|p| p.count > 0);
                wanted.extend(places.map(|p| (pointee, variable, p)));
            }
        }
        let mut registers: Vec<RegId> = wanted
            .iter()
            .filter_map(|(_, variable, _)| match variable {
                Variable::Register(r) => Some(*r),
                Variable::Object(_) => None,
            })
            .collect();
        registers.sort_unstable();
        registers.dedup();
        let homes = demote::demote(program, &registers);
        let home = |variable: Variable| match variable {
            Variable::Register(r) => homes.get(&r).copied(),
            Variable::Object(o) => Some(o),
        };
        let placed = wanted.into_iter();
        let placed = placed.filter_map(|(to, v, places)| Some((to, home(v)?, places)));
        let mut own = Own {
            places: placed.collect(),
            ..Own::default()
        };
        for variable in globals {
            match (variable, home(variable)) {
                (_, Some(object)) => own.holders.push(object),
                (Variable::Register(r), None) => own.pointers.push(r),
                (Variable::Object(_), None) => {}
            }
        }
        own
    }

    /// Where a pointer to a type may lead.
    fn places(&self, pointee: CTypeId) -> Vec<(ObjectId, Places)> {
        let found = self.places.iter().filter(|p| p.0 == pointee);
        found.map(|p| (p.1, p.2)).collect()
    }

    /// Lets a global pointer lead there.
    fn point_register(
        &self,
        program: &mut Program,
        harness: ProcId,
        register: RegId,
        statements: &mut Vec<Statement>,
    ) {
        let to = alias::pointee(program, register).filter(|_| self.pointers.contains(&register));
        let Some(to) = to else { return };
        let places = self.places(to);
        if !places.is_empty() {
            let name = program.register(register).name.clone();
            let before = program.read(register);
            let value = choose(program, harness, &name, before, &places, statements);
            statements.push(Statement::Assign {
                target: register,
                value,
            });
        }
    }

    /// Lets the pointers in an object lead there.
    fn point_object(
        &self,
        program: &mut Program,
        harness: ProcId,
        object: ObjectId,
        ctype: Option<CTypeId>,
        statements: &mut Vec<Statement>,
    ) {
        let found = ctype.and_then(|c| alias::pointers_in(program, c));
        for (offset, to) in found.into_iter().flatten() {
            let places = self.places(to);
            if places.is_empty() {
                continue;
            }
            let name = program.object(object).name.clone();
            let base = program.exprs.add(Expr::Address(object));
            let address = program.exprs.offset(base, offset);
            let before = program.exprs.load(address, Type::Ptr);
            let value = choose(program, harness, &name, before, &places, statements);
            statements.push(Statement::Store { address, value });
        }
    }
}

/// A pointer, or the address of one of these places: which is an input, and so is the element of
/// an array.
fn choose(
    program: &mut Program,
    harness: ProcId,
    name: &str,
    pointer: ExprId,
    places: &[(ObjectId, Places)],
    statements: &mut Vec<Statement>,
) -> ExprId {
    if places.is_empty() {
        return pointer;
    }
    let width = program.model.pointer_bits() as u16;
    let which = number(program, harness, &format!("entry.{name}.which"), statements);
    let index = match places.iter().all(|(_, p)| p.count == 1) {
        true => None,
        false => Some(number(
            program,
            harness,
            &format!("entry.{name}.index"),
            statements,
        )),
    };
    let mut value = pointer;
    for (i, (object, place)) in places.iter().enumerate() {
        let mut at = program.exprs.add(Expr::Address(*object));
        at = program.exprs.offset(at, place.offset);
        if let (Some(index), true) = (index, place.count > 1) {
            // Beyond the last element it is the first.
            let count = program.exprs.int(u128::from(place.count), width);
            let zero = program.exprs.int(0, width);
            let cond = program.exprs.binary(BinaryOp::ULt, index, count);
            let index = program.exprs.add(Expr::Ite {
                cond,
                then: index,
                otherwise: zero,
            });
            let stride = program.exprs.int(u128::from(place.stride), width);
            let by = program.exprs.binary(BinaryOp::Mul, index, stride);
            at = program.exprs.binary(BinaryOp::PtrAdd, at, by);
        }
        let number = program.exprs.int(i as u128 + 1, width);
        let cond = program.exprs.binary(BinaryOp::Eq, which, number);
        value = program.exprs.add(Expr::Ite {
            cond,
            then: at,
            otherwise: value,
        });
    }
    value
}

/// Bytes may lie in an object of any type. Arbitrary pointers may be equal, but memory that is
/// reached through different ones is taken to have one type each (`points_to`): unless one may be
/// the other, as it is said here.
fn connect(
    program: &mut Program,
    harness: ProcId,
    mut value: ExprId,
    bytes: bool,
    others: &[(ExprId, bool)],
    statements: &mut Vec<Statement>,
) -> ExprId {
    for &(other, _) in others.iter().filter(|o| o.1 != bytes) {
        let which = number(program, harness, "entry.same", statements);
        let width = program.model.pointer_bits() as u16;
        let zero = program.exprs.int(0, width);
        let cond = program.exprs.binary(BinaryOp::Eq, which, zero);
        value = program.exprs.add(Expr::Ite {
            cond,
            then: value,
            otherwise: other,
        });
    }
    value
}

/// A pointer, or one that leads to no object.
fn perhaps_nowhere(
    program: &mut Program,
    harness: ProcId,
    pointer: ExprId,
    statements: &mut Vec<Statement>,
) -> ExprId {
    let which = number(program, harness, "entry.nowhere", statements);
    let width = program.model.pointer_bits() as u16;
    let zero = program.exprs.int(0, width);
    let cond = program.exprs.binary(BinaryOp::Eq, which, zero);
    let nowhere = program.exprs.add(Expr::Pointer(NOWHERE));
    program.exprs.add(Expr::Ite {
        cond,
        then: pointer,
        otherwise: nowhere,
    })
}

/// An arbitrary number of the harness's.
fn number(
    program: &mut Program,
    harness: ProcId,
    base: &str,
    statements: &mut Vec<Statement>,
) -> ExprId {
    let name = fresh(|n| program.registers.iter().any(|r| r.name == n), base);
    let target = program.add_register(Register {
        name,
        c_name: String::new(),
        ty: program.model.pointer_int(),
        ctype: None,
        owner: Some(harness),
        role: Role::Temporary,
        initial: None,
        span: Span::NONE,
    });
    statements.push(Statement::Nondet {
        target,
        origin: Origin::Entry,
    });
    program.read(target)
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
    own: &Own,
    statements: &mut Vec<Statement>,
) -> ExprId {
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
    own.point_object(program, harness, object, Some(ctype), statements);
    program.exprs.add(Expr::Address(object))
}

fn scalar(
    program: &mut Program,
    harness: ProcId,
    parameter: RegId,
    statements: &mut Vec<Statement>,
) -> ExprId {
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
