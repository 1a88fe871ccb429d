//! Predicates as C. The paper's *probes* are functions that return a truth value, have no side effect,
//! and contain no loop and no call (section 4.5). An expression of the user's becomes one: the variables
//! that it names and that are the function's own are its parameters. It may call functions of the
//! program, or of a file of probes, which are held to the same and followed where they are called. The
//! front end types it and says what is wrong with it at its place in the user's file; its graph, which
//! has no loop, is read back as one expression over the parameters.

use crate::predicates::Written;
use prova_ir::{
    Body, CType, CTypeId, Callee, Expr, ExprId, LocId, ObjectId, Origin, ProcId, Program, RegId,
    Role, Statement, Storage,
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
    let mut parameters: FxHashMap<RegId, String> = FxHashMap::default();
    for &register in &program.procedure(procedure).parameters {
        parameters.insert(register, program.register(register).c_name.clone());
    }
    let mut reader = Reader {
        left: MOST_STEPS,
        inside: Vec::new(),
    };
    let value = reader.called(program, procedure, FxHashMap::default())?;
    Ok(Read { value, parameters })
}

/// Steps of all paths of a predicate, functions that it calls included.
const MOST_STEPS: usize = 4_000;

/// Follows the paths of a predicate. The functions that it calls are probes as well: they are
/// followed where they are called, and held to the same.
struct Reader {
    /// Steps that are left.
    left: usize,
    /// The functions it is in, the predicate's own first.
    inside: Vec<ProcId>,
}

impl Reader {
    /// The result of a function whose parameters have these values.
    fn called(
        &mut self,
        program: &mut Program,
        procedure: ProcId,
        values: FxHashMap<RegId, ExprId>,
    ) -> Result<ExprId, String> {
        let shown = program.procedure(procedure).c_name.clone();
        if self.inside.contains(&procedure) {
            return Err(format!("`{shown}` calls itself: a probe has no loop"));
        }
        let body = program.procedure(procedure).body.clone();
        let (Some(body), Some(result)) = (body, program.procedure(procedure).result) else {
            return Err(match self.inside.is_empty() {
                true => "the predicate has no value".into(),
                false => format!("it calls `{shown}`, which has no body, or no value"),
            });
        };
        self.inside.push(procedure);
        let value = self.value_at(program, &body, body.entry, values, result)?;
        self.inside.pop();
        Ok(value)
    }

    /// What is wrong, with the place if it is in a function that is called.
    fn wrong(&self, program: &Program, span: prova_ir::Span, what: &str) -> String {
        let Some(own) = self.inside.get(1..).and_then(<[_]>::last) else {
            return what.to_owned();
        };
        let name = &program.procedure(*own).c_name;
        let file = program.files.get(span.file.index());
        match file.filter(|_| span.is_known()) {
            Some(file) => format!(
                "the probe `{name}` is refused at {}:{}:{}: {what}",
                file.name, span.line, span.column
            ),
            None => format!("the probe `{name}` is refused: {what}"),
        }
    }

    /// The result from a location on, where registers have these values.
    fn value_at(
        &mut self,
        program: &mut Program,
        body: &Body,
        mut at: LocId,
        mut values: FxHashMap<RegId, ExprId>,
        result: RegId,
    ) -> Result<ExprId, String> {
        let outgoing = body.outgoing();
        loop {
            let span = body.location(at).span;
            self.left = self.left.checked_sub(1).ok_or_else(|| {
                self.wrong(
                    program,
                    span,
                    "it has a loop, or is too large: a probe has no loop",
                )
            })?;
            if at == body.exit {
                let read = program.read(result);
                return self.settled(program, read, &values, span);
            }
            match outgoing[at.index()].as_slice() {
                [only] => {
                    let edge = body.edge(*only);
                    self.step(program, &edge.statement.clone(), edge.span, &mut values)?;
                    at = edge.target;
                }
                [yes, no] => {
                    let Statement::Assume(condition) = body.edge(*yes).statement else {
                        return Err(self.wrong(
                            program,
                            span,
                            "it does more than to compute a value",
                        ));
                    };
                    let condition = self.settled(program, condition, &values, span)?;
                    let (yes, no) = (body.edge(*yes).target, body.edge(*no).target);
                    let a = self.value_at(program, body, yes, values.clone(), result)?;
                    let b = self.value_at(program, body, no, values, result)?;
                    return Ok(program.exprs.add(Expr::Ite {
                        cond: condition,
                        then: a,
                        otherwise: b,
                    }));
                }
                _ => return Err(self.wrong(program, span, "it has no value in some states")),
            }
        }
    }

    /// One statement: what it makes of the values.
    fn step(
        &mut self,
        program: &mut Program,
        statement: &Statement,
        span: prova_ir::Span,
        values: &mut FxHashMap<RegId, ExprId>,
    ) -> Result<(), String> {
        let what = match statement {
            Statement::Skip | Statement::Leave(_) => return Ok(()),
            Statement::Assign { target, value } => {
                if let Some(name) = self.foreign(program, *target) {
                    format!("it assigns to `{name}`: a predicate changes nothing")
                } else {
                    let value = self.settled(program, *value, values, span)?;
                    values.insert(*target, value);
                    return Ok(());
                }
            }
            Statement::Nondet {
                origin: Origin::Uninitialised,
                target,
            } => {
                // It is an error only if somebody reads it.
                values.remove(target);
                return Ok(());
            }
            Statement::Store { .. } | Statement::Copy { .. } => {
                "it writes memory: a predicate changes nothing".to_owned()
            }
            Statement::Call {
                result,
                callee: Callee::Direct(callee),
                arguments,
            } => {
                let parameters = program.procedure(*callee).parameters.clone();
                let mut given = FxHashMap::default();
                for (parameter, argument) in parameters.into_iter().zip(arguments) {
                    let value = self.settled(program, *argument, values, span)?;
                    given.insert(parameter, value);
                }
                let value = self.called(program, *callee, given)?;
                if let Some(target) = result {
                    if let Some(name) = self.foreign(program, *target) {
                        let what = format!("it assigns to `{name}`: a predicate changes nothing");
                        return Err(self.wrong(program, span, &what));
                    }
                    values.insert(*target, value);
                }
                return Ok(());
            }
            Statement::Call { .. } => "it calls through a pointer".to_owned(),
            _ => "it does more than to compute a value".to_owned(),
        };
        Err(self.wrong(program, span, &what))
    }

    /// The name of a register that is not the function's own to write: a global variable, or, in the
    /// predicate itself, the program's variables.
    fn foreign(&self, program: &Program, register: RegId) -> Option<String> {
        let register = program.register(register);
        let own = match self.inside.as_slice() {
            [_] => matches!(register.role, Role::Temporary | Role::Result),
            [.., last] => register.owner == Some(*last),
            [] => false,
        };
        (!own).then(|| register.c_name.clone())
    }

    /// An expression with registers replaced by their values; of the registers of functions that are
    /// called, none may be left.
    fn settled(
        &self,
        program: &mut Program,
        e: ExprId,
        values: &FxHashMap<RegId, ExprId>,
        span: prova_ir::Span,
    ) -> Result<ExprId, String> {
        let value = replaced(program, e, values);
        let outer = self.inside.first().copied();
        let open = program
            .exprs
            .subexpressions(value)
            .into_iter()
            .find_map(|part| {
                let Expr::Reg(register) = program.exprs.get(part) else {
                    return None;
                };
                let register = program.register(register);
                let parameter = register.owner == outer && register.role == Role::Parameter;
                (register.owner.is_some() && !parameter).then(|| register.c_name.clone())
            });
        match open {
            Some(name) => {
                let what = format!("it reads `{name}`, which has no value");
                Err(self.wrong(program, span, &what))
            }
            None => Ok(value),
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
