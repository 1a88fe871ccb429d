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
/// have a body and that are not `hidden` from other files, if none is named.
pub fn driver(
    program: &Program,
    init: &str,
    functions: &[String],
    hidden: &dyn Fn(&prova_ir::Procedure) -> bool,
    asked: &[&str],
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
    // What is asked of the module's object is read where it is asked, so that the analysis knows these
    // places of memory. Only what cannot go wrong: a read that does would end the run.
    let plain = |text: &&&str| is_comparison(text);
    let reads: Vec<String> = asked
        .iter()
        .filter(plain)
        .filter(|text| text.contains("prova_object_") && !text.contains("->"))
        .map(|text| format!("prova_read = ({text});"))
        .collect();
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

/// Whether a text has no operator that may go wrong or write: its `=` are those of comparisons.
fn is_comparison(text: &str) -> bool {
    if text.contains(['*', '[', '/', '%', '?']) {
        return false;
    }
    let without = text.replace("==", "").replace("!=", "");
    let without = without.replace("<=", "").replace(">=", "");
    !without.contains('=') && !without.contains("++") && !without.contains("--")
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
        ..
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
    let text = format!("{}({});", procedure.c_name, arguments.join(", "));
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
            let name: String = ty
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                .collect();
            let object = format!("prova_object_{name}");
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
