//! A module as a program: its initialiser, and then any of its functions, again and again, with any
//! arguments. What holds at the head of that loop is the module's invariant: the initialiser
//! establishes it and every function keeps it (Yorsh, Ball, Sagiv, section 5.1: every method is run on
//! every state that any method leaves behind).
//!
//! The program is C text behind the module's own, so that `check` and `certify` read it like any
//! other.

use prova_ir::{CType, CTypeId, ProcId, Program};
use std::fmt::Write;

/// The function that stands for a module.
pub const DRIVER: &str = "main";

/// A driver, and what it calls.
pub struct Driver {
    /// C text to put behind the module's.
    pub text: String,
    /// The functions that it calls, the initialiser first.
    pub functions: Vec<String>,
    /// Objects that pointers lead to, as they are declared.
    pub objects: Vec<String>,
    /// Functions that it cannot call, and why.
    pub left_out: Vec<(String, String)>,
}

/// The driver of a module whose initialiser is called this. `functions`: those to be called; all that
/// have a body and that are not `hidden` from other files, if none is named. `read`: expressions that are
/// read at the head of the loop, so that the analysis knows these places of memory; reading them must not go
/// wrong, for that would end the run.
pub fn driver(
    program: &Program,
    init: &str,
    functions: &[String],
    hidden: &dyn Fn(&prova_ir::Procedure) -> bool,
    read: &[&str],
) -> Result<Driver, String> {
    let start = function(program, init)?;
    let made = made(program, start);
    let (mut start_text, start_decls) = call(program, start, None)
        .map_err(|why| format!("`{init}` cannot be the initialiser: {why}"))?;
    if let Some(ty) = made.and_then(|m| named(program, m)) {
        // A module that could not be made is none.
        start_text = format!("{ty} prova_made = {start_text} if (!prova_made) return 0;");
    }
    let mut declared = start_decls;
    let mut cases = String::new();
    let mut called = vec![init.to_owned()];
    let mut left_out = Vec::new();
    let mut number = 0;
    for (p, procedure) in program.procedures.iter().enumerate() {
        let name = &procedure.c_name;
        let own = procedure.body.is_some() && program.is_own(procedure.span);
        let named = match functions.is_empty() {
            true => name != init && name != DRIVER && !hidden(procedure),
            false => functions.contains(name),
        };
        if !own || name.is_empty() || !named {
            continue;
        }
        match call(program, ProcId::new(p), made) {
            Ok((text, more)) => {
                let _ = writeln!(cases, "      case {number}: {text} break;");
                declared.extend(more);
                called.push(name.clone());
                number += 1;
            }
            Err(why) => left_out.push((name.clone(), why)),
        }
    }
    if let Some(missing) = functions.iter().find(|f| !called.contains(f)) {
        let why = left_out.iter().find(|l| l.0 == **missing);
        let why = why.map_or("there is no such function".to_owned(), |l| l.1.clone());
        return Err(format!("`{missing}` cannot be called: {why}"));
    }
    if number == 0 {
        return Err("there is no function to call but the initialiser".into());
    }
    declared.sort();
    declared.dedup();
    let reads = read.iter().map(|text| format!("prova_read = ({text});"));
    let reads: Vec<String> = reads.collect();
    if !reads.is_empty() {
        declared.push("static int prova_read;".into());
    }
    let reads = reads.join(" ");
    let mut text = String::from("\n# 1 \"<driver>\"\nextern int __VERIFIER_nondet_int(void);\n");
    for line in &declared {
        let _ = writeln!(text, "{line}");
    }
    let _ = write!(
        text,
        "int main(void) {{\n  {start_text}\n  while (1) {{\n    prova_head: ;\n    {reads}\n    \
         switch (__VERIFIER_nondet_int()) {{\n{cases}      default: return 0;\n    }}\n  }}\n}}\n"
    );
    let objects = declared.iter().filter(|d| d.contains(" prova_object_"));
    Ok(Driver {
        objects: objects.cloned().collect(),
        text,
        functions: called,
        left_out,
    })
}

fn function(program: &Program, name: &str) -> Result<ProcId, String> {
    program
        .find_procedure(name)
        .filter(|p| program.procedure(*p).body.is_some())
        .ok_or_else(|| format!("there is no function `{name}` with a body"))
}

/// A call with arbitrary arguments, and the declarations it needs. Pointers lead to one object for each
/// type, which is the module's own for as long as the program runs.
fn call(
    program: &Program,
    procedure: ProcId,
    made: Option<CTypeId>,
) -> Result<(String, Vec<String>), String> {
    let procedure = program.procedure(procedure);
    let Some(CType::Function {
        parameters,
        variadic,
        result,
    }) = procedure.ctype.map(|c| program.ctypes.get(c))
    else {
        return Err("its type is not known".into());
    };
    if *variadic {
        return Err("it takes any number of arguments".into());
    }
    let mut arguments = Vec::new();
    let mut declared = Vec::new();
    for parameter in parameters {
        let own = |made: CTypeId| program.ctypes.get(made) == program.ctypes.get(*parameter);
        if made.is_some_and(own) {
            arguments.push("prova_made".to_owned());
            continue;
        }
        let (expression, declaration) = argument(program, *parameter)?;
        arguments.push(expression);
        declared.push(declaration);
    }
    let mut text = format!("{}({});", procedure.c_name, arguments.join(", "));
    // A function that takes what was made and returns one of its kind gives what to go on with: the
    // one before may have moved.
    let takes = arguments.iter().any(|a| a == "prova_made");
    let same = |m: CTypeId| program.ctypes.get(m) == program.ctypes.get(*result);
    if takes && made.is_some_and(same) {
        text = format!("prova_made = {text} if (!prova_made) return 0;");
    }
    Ok((text, declared))
}

/// The type of what an initialiser returns, if it is a pointer.
fn made(program: &Program, procedure: ProcId) -> Option<CTypeId> {
    let ctype = program.procedure(procedure).ctype?;
    let CType::Function { result, .. } = program.ctypes.get(ctype) else {
        return None;
    };
    matches!(program.ctypes.get(*result), CType::Pointer(_)).then_some(*result)
}

/// An arbitrary value of a type.
fn argument(program: &Program, ctype: CTypeId) -> Result<(String, String), String> {
    let (input, ty) = match program.ctypes.get(ctype) {
        CType::Bool => ("bool", "_Bool"),
        CType::Int { bits, signed, .. } => match (bits, signed) {
            (8, true) => ("char", "char"),
            (8, false) => ("uchar", "unsigned char"),
            (16, true) => ("short", "short"),
            (16, false) => ("ushort", "unsigned short"),
            (32, true) => ("int", "int"),
            (32, false) => ("uint", "unsigned int"),
            (64, true) => ("long", "long"),
            _ => ("ulong", "unsigned long"),
        },
        CType::Float { bits: 32 } => ("float", "float"),
        CType::Float { .. } => ("double", "double"),
        CType::Pointer(to) => {
            let ty = named(program, *to).ok_or("it takes a pointer to a type without a name")?;
            let object = object(&ty);
            return Ok((format!("&{object}"), format!("static {ty} {object};")));
        }
        CType::Record { .. } => return Err("it takes a structure by value".into()),
        CType::Void | CType::Array { .. } | CType::Function { .. } => {
            return Err("it takes something that has no arbitrary value".into())
        }
    };
    Ok((
        format!("__VERIFIER_nondet_{input}()"),
        format!("extern {ty} __VERIFIER_nondet_{input}(void);"),
    ))
}

/// The name of the one object of a type.
fn object(ty: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("prova_object_{}", ty.chars().map(plain).collect::<String>())
}

/// An invariant of a module as it is meant where one of its functions is called: the one object of a
/// type is what the function's parameter of that type points to, and what the initialiser made is
/// the function's one parameter of its kind.
pub fn of_parameters(program: &Program, procedure: ProcId, text: &str) -> Result<String, String> {
    let own = program.procedure(procedure);
    let mut pointed = Vec::new();
    for parameter in &own.parameters {
        let register = program.register(*parameter);
        let Some(CType::Pointer(to)) = register.ctype.map(|c| program.ctypes.get(c)) else {
            continue;
        };
        if let Some(ty) = named(program, *to) {
            pointed.push((object(&ty), register.c_name.clone()));
        }
    }
    let mut made = String::new();
    let mut rest = text;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while !rest.is_empty() {
        let end = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        let (word, behind) = match end {
            0 => rest.split_at(rest.chars().next().map_or(1, char::len_utf8)),
            end => rest.split_at(end),
        };
        let meant = |name: &str| format!("(*{name})");
        if word.starts_with("prova_object_") {
            let mut found = pointed.iter().filter(|p| p.0 == word);
            match (found.next(), found.next()) {
                (Some((_, name)), None) => made.push_str(&meant(name)),
                (None, _) => return Err(format!("`{}` has no parameter for `{word}`", own.c_name)),
                _ => {
                    return Err(format!(
                        "`{}` has several parameters for `{word}`",
                        own.c_name
                    ))
                }
            }
        } else if word == "prova_made" {
            match pointed.as_slice() {
                [(_, name)] => made.push_str(name),
                _ => return Err(format!("`{}` has not one pointer for `{word}`", own.c_name)),
            }
        } else {
            made.push_str(word);
        }
        rest = behind;
    }
    Ok(made)
}

/// The name of a type that an object may have.
fn named(program: &Program, ctype: CTypeId) -> Option<String> {
    Some(match program.ctypes.get(ctype) {
        CType::Bool => "_Bool".into(),
        CType::Int { name, .. } => name.clone(),
        CType::Float { bits: 32 } => "float".into(),
        CType::Float { .. } => "double".into(),
        CType::Record { name, fields, .. } if name.contains(' ') && !fields.is_empty() => {
            name.clone()
        }
        CType::Pointer(to) => format!("{} *", named(program, *to)?),
        _ => return None,
    })
}
