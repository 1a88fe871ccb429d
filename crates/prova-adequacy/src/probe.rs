//! Predicates as C. The paper's *probes* are functions that return a truth value, have no side effect,
//! and contain no loop and no call (section 4.5). An expression of the user's becomes one: the variables
//! that it names and that are the function's own are its parameters. The front end types it and says
//! what is wrong with it at its place in the user's file; its graph, which has no loop, is read back as
//! one expression over the parameters.

use crate::predicates::Written;
use prova_ir::{
    Body, CType, CTypeId, Expr, ExprId, LocId, ObjectId, Origin, ProcId, Program, RegId, Role,
    Statement, Storage,
};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// How names of probes begin.
const PREFIX: &str = "prova_probe_";

/// What a name means in a function: its own variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// A register.
    Register(RegId),
    /// An object in memory.
    Object(ObjectId),
}

/// The variables of a function by their C names; `None` where several share one.
pub fn variables(program: &Program, procedure: ProcId) -> FxHashMap<String, Option<Own>> {
    let mut found: FxHashMap<String, Option<Own>> = FxHashMap::default();
    let mut add = |name: &str, own: Own| {
        if !name.is_empty() {
            found
                .entry(name.to_owned())
                .and_modify(|known| *known = None)
                .or_insert(Some(own));
        }
    };
    for (i, object) in program.objects.iter().enumerate() {
        if object.storage == Storage::Frame(procedure) {
            add(&object.c_name, Own::Object(ObjectId::new(i)));
        }
    }
    for (i, register) in program.registers.iter().enumerate() {
        let declared = matches!(register.role, Role::Local | Role::Parameter);
        if register.owner == Some(procedure) && declared {
            // A parameter whose address is taken lives in an object of the same name.
            let also = |o: &prova_ir::Object| {
                o.c_name == register.c_name && o.storage == Storage::Frame(procedure)
            };
            if !(register.role == Role::Parameter && program.objects.iter().any(also)) {
                add(&register.c_name, Own::Register(RegId::new(i)));
            }
        }
    }
    found
}

fn ctype(program: &Program, own: Own) -> Option<CTypeId> {
    match own {
        Own::Register(r) => program.register(r).ctype,
        Own::Object(o) => program.object(o).ctype,
    }
}

/// The C text of a declaration; nothing where the type has no name.
fn declared(program: &Program, ctype: CTypeId, name: String) -> Option<String> {
    Some(match program.ctypes.get(ctype) {
        CType::Void => format!("void {name}"),
        CType::Bool => format!("_Bool {name}"),
        CType::Int { name: own, .. } => format!("{own} {name}"),
        CType::Float { bits: 32 } => format!("float {name}"),
        CType::Float { bits: 64 } => format!("double {name}"),
        CType::Float { .. } => format!("long double {name}"),
        CType::Pointer(to) => match program.ctypes.get(*to) {
            CType::Array { .. } | CType::Function { .. } => {
                declared(program, *to, format!("(*{name})"))?
            }
            _ => declared(program, *to, format!("*{name}"))?,
        },
        // As a parameter, an array is a pointer to its first element.
        CType::Array { element, .. } => declared(program, *element, format!("*{name}"))?,
        CType::Record { name: own, .. } if own.contains(' ') && !own.contains('<') => {
            format!("{own} {name}")
        }
        CType::Record { .. } | CType::Function { .. } => return None,
    })
}

/// The identifiers of a text.
fn words(text: &str) -> Vec<&str> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found: Vec<&str> = text
        .split(|c: char| !is_letter(c))
        .filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// One expression ends where it seems to end, and nothing stands behind it.
fn balanced(text: &str) -> Result<(), String> {
    let mut open = Vec::new();
    for letter in text.chars() {
        match letter {
            '(' => open.push(')'),
            '[' => open.push(']'),
            ')' | ']' if open.pop() != Some(letter) => {
                return Err(format!("`{letter}` closes nothing"));
            }
            '{' | '}' | ';' | '"' | '\\' => {
                return Err(format!("`{letter}` is no part of a predicate"));
            }
            _ => {}
        }
    }
    match open.is_empty() && !text.contains("//") && !text.contains("/*") {
        true => Ok(()),
        false => Err("it is no whole expression".into()),
    }
}

/// The function that a predicate becomes, with a line marker that leads to where it was written.
pub fn text(
    program: &Program,
    procedure: ProcId,
    number: usize,
    written: &Written,
    file: &str,
) -> Result<String, String> {
    balanced(&written.text)?;
    let own = variables(program, procedure);
    let mut parameters = Vec::new();
    for word in words(&written.text) {
        match own.get(word) {
            None => {}
            Some(None) => {
                return Err(format!(
                    "`{}` has several variables called `{word}`",
                    program.procedure(procedure).c_name
                ))
            }
            Some(Some(variable)) => {
                let text = ctype(program, *variable)
                    .and_then(|c| declared(program, c, word.to_owned()))
                    .ok_or_else(|| format!("the type of `{word}` has no name"))?;
                parameters.push(text);
            }
        }
    }
    if parameters.is_empty() {
        parameters.push("void".to_owned());
    }
    let mut out = String::new();
    let blank = " ".repeat(written.column.saturating_sub(1) as usize);
    let _ = write!(
        out,
        "\nint {PREFIX}{number}({}) {{ return (\n# {} \"{file}\"\n{blank}{} ) ? 1 : 0; }}\n",
        parameters.join(", "),
        written.line,
        written.text
    );
    Ok(out)
}

/// A probe as one expression over its parameters and what is global.
pub struct Read {
    /// The expression, an integer, in the pool of the program it was compiled in.
    pub value: ExprId,
    /// The parameters by their C names.
    pub parameters: FxHashMap<RegId, String>,
}

/// Reads a probe back. An error says what it does that a probe does not.
pub fn read(program: &mut Program, number: usize) -> Result<Read, String> {
    let name = format!("{PREFIX}{number}");
    let procedure = program
        .find_procedure(&name)
        .ok_or_else(|| "the predicate was not understood".to_owned())?;
    let body = program.procedure(procedure).body.clone();
    let (Some(body), Some(result)) = (body, program.procedure(procedure).result) else {
        return Err("the predicate has no value".into());
    };
    let mut parameters: FxHashMap<RegId, String> = FxHashMap::default();
    for &register in &program.procedure(procedure).parameters {
        parameters.insert(register, program.register(register).c_name.clone());
    }
    let mut left = 4_000;
    let value = value_at(
        program,
        &body,
        body.entry,
        FxHashMap::default(),
        result,
        &mut left,
    )?;
    Ok(Read { value, parameters })
}

/// The result from a location on, where registers have these values.
fn value_at(
    program: &mut Program,
    body: &Body,
    mut at: LocId,
    mut values: FxHashMap<RegId, ExprId>,
    result: RegId,
    left: &mut usize,
) -> Result<ExprId, String> {
    let outgoing = body.outgoing();
    loop {
        *left = left
            .checked_sub(1)
            .ok_or_else(|| "it has a loop, or is too large".to_owned())?;
        if at == body.exit {
            let read = program.read(result);
            return Ok(replaced(program, read, &values));
        }
        match outgoing[at.index()].as_slice() {
            [only] => {
                let edge = body.edge(*only);
                match &edge.statement {
                    Statement::Skip | Statement::Leave(_) => {}
                    Statement::Assign { target, value } => {
                        let register = program.register(*target);
                        if !matches!(register.role, Role::Temporary | Role::Result) {
                            let name = &register.c_name;
                            return Err(format!(
                                "it assigns to `{name}`: a predicate changes nothing"
                            ));
                        }
                        let value = replaced(program, *value, &values);
                        values.insert(*target, value);
                    }
                    Statement::Nondet {
                        origin: Origin::Uninitialised,
                        ..
                    } => return Err("it reads a variable without a value".into()),
                    Statement::Store { .. } | Statement::Copy { .. } => {
                        return Err("it writes memory: a predicate changes nothing".into())
                    }
                    Statement::Call { .. } => {
                        return Err("it calls a function: a predicate calls nothing".into())
                    }
                    _ => return Err("it does more than to compute a value".into()),
                }
                at = edge.target;
            }
            [yes, no] => {
                let Statement::Assume(condition) = body.edge(*yes).statement else {
                    return Err("it does more than to compute a value".into());
                };
                let condition = replaced(program, condition, &values);
                let (yes, no) = (body.edge(*yes).target, body.edge(*no).target);
                let a = value_at(program, body, yes, values.clone(), result, left)?;
                let b = value_at(program, body, no, values, result, left)?;
                return Ok(program.exprs.add(Expr::Ite {
                    cond: condition,
                    then: a,
                    otherwise: b,
                }));
            }
            _ => return Err("it has no value in some states".into()),
        }
    }
}

/// An expression with registers replaced by their values.
fn replaced(program: &mut Program, e: ExprId, values: &FxHashMap<RegId, ExprId>) -> ExprId {
    let mut done = FxHashMap::default();
    program
        .exprs
        .rewrite(e, &mut done, |pool, expr, ty| match expr {
            Expr::Reg(r) if values.contains_key(&r) => values[&r],
            other => pool.add_typed(other, ty),
        })
}
