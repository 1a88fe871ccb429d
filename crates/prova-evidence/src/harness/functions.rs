//! Functions that a harness defines: what the program calls and does not define, what an error
//! is, and what an assumption is.

use crate::c_types::Scalar;
use crate::library;
use crate::recording::{writers, Returned};
use prova_ir::{CType, Program};
use prova_spec::Spec;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What failed assertions call, if the program does not define it.
const ASSERTIONS: &[&str] = &[
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "_assert",
    "__assert_c99",
    "__assert_func",
    "__assert_rtn",
];

/// What a function that the harness defines does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// Returns the next recorded value.
    Value(Scalar),
    /// Does nothing.
    Nothing,
    /// Writes what was recorded, and returns the next recorded value.
    Writer {
        /// What it returns.
        result: Option<Scalar>,
        /// Its parameters; `None` for one that cannot be named, which is a pointer all the same.
        parameters: Vec<Scalar>,
        /// Whether the last one leads to the arguments behind `...`.
        variadic: bool,
    },
    /// Is the error.
    Error,
    /// Ends the run silently if its argument is zero.
    Assume,
}

/// All functions of a harness, by name.
#[derive(Clone, Debug, Default)]
pub struct Functions(pub BTreeMap<String, Function>);

/// Functions whose call is the error, whatever they do; a body of the program's own is replaced.
pub fn always_errors(spec: &Spec) -> Vec<String> {
    let known = ["reach_error", "__VERIFIER_error"];
    let known = known.iter().filter(|_| spec.calls).map(|n| n.to_string());
    known.chain(spec.functions.iter().cloned()).collect()
}

/// The functions whose call is an error of this program.
fn error_functions(program: &Program, spec: &Spec) -> Vec<String> {
    let undefined = |name: &str| {
        program.procedures.iter().any(|p| {
            // Weaving gives a body to such a function if its address is taken: the error itself.
            p.c_name == name && p.body.as_ref().is_none_or(|b| b.is_error(b.entry))
        })
    };
    let mut found = always_errors(spec);
    let error = ["error"].iter().filter(|_| spec.calls);
    let assertions = ASSERTIONS.iter().filter(|_| spec.assertions);
    let others = error.chain(assertions).filter(|name| undefined(name));
    found.extend(others.map(|n| n.to_string()));
    found
}

impl Functions {
    /// The functions that a harness for this program defines, given what was called.
    pub fn of(program: &Program, errors: Option<&Spec>, returned: &[Returned]) -> Functions {
        let mut found = BTreeMap::new();
        for procedure in &program.procedures {
            let name = &procedure.c_name;
            // What failed assertions call ends the program, unless that is the error.
            let left = library::is_left_alone(name) || ASSERTIONS.contains(&name.as_str());
            if procedure.body.is_some() || name.is_empty() || left {
                continue;
            }
            let result = procedure
                .result
                .and_then(|r| Scalar::of_register(program, r));
            let structure = match procedure.ctype.map(|c| program.ctypes.get(c)) {
                Some(CType::Function { result, .. }) => {
                    matches!(program.ctypes.get(*result), CType::Record { .. })
                }
                _ => false,
            };
            if !structure {
                let function = result.map_or(Function::Nothing, Function::Value);
                found.insert(name.clone(), function);
            }
        }
        for value in returned {
            found.insert(value.function.clone(), Function::Value(value.scalar));
        }
        for writer in writers(program) {
            let procedure = program.procedure(writer);
            // A structure by value cannot be named here.
            if let Some(function) = found.get_mut(&procedure.c_name) {
                let result = match function {
                    Function::Value(scalar) => Some(*scalar),
                    _ => None,
                };
                let parameters = procedure.parameters.iter();
                *function = Function::Writer {
                    result,
                    parameters: parameters
                        .map(|&r| Scalar::of_register(program, r).unwrap_or(Scalar::Pointer))
                        .collect(),
                    variadic: procedure.variadic,
                };
            }
        }
        let defined = |name: &str| {
            let mut named = program.procedures.iter().filter(|p| p.c_name == name);
            named.any(|p| p.body.is_some())
        };
        if !defined("__VERIFIER_assume") {
            found.insert("__VERIFIER_assume".into(), Function::Assume);
        }
        let errors = errors.map(|spec| error_functions(program, spec));
        for name in errors.into_iter().flatten() {
            found.insert(name, Function::Error);
        }
        Functions(found)
    }

    /// Their definitions.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (i, (name, function)) in self.0.iter().enumerate() {
            let own = format!("prova_function_{i}");
            let label = format!("__asm__(\"{name}\")");
            let _ = match function {
                Function::Value(scalar) => {
                    let ty = scalar.name();
                    writeln!(
                        text,
                        "\n{ty} {own}() {label};\n{ty} {own}()\n{{\n    {ty} value;\n    \
                         prova_next(\"{name}\", &value, sizeof value);\n    return value;\n}}"
                    )
                }
                Function::Writer {
                    result,
                    parameters,
                    variadic,
                } => {
                    text.push_str(&writer(name, &own, *result, parameters, *variadic));
                    Ok(())
                }
                Function::Nothing => writeln!(text, "\nvoid {own}() {label};\nvoid {own}() {{}}"),
                Function::Error => writeln!(
                    text,
                    "\nvoid {own}() {label};\nvoid {own}()\n{{\n    \
                     prova_error_reached(\"call of {name}()\");\n}}"
                ),
                Function::Assume => writeln!(
                    text,
                    "\nvoid {own}(int) {label};\nvoid {own}(int holds)\n{{\n    if (!holds)\n        \
                     prova_stop(PROVA_ASSUMED, \"an assumption does not hold\", \"\");\n}}"
                ),
            };
        }
        text
    }
}

/// Arguments behind `...` that are looked at.
const SLOTS: usize = 16;

/// The definition of a function that writes.
fn writer(
    name: &str,
    own: &str,
    result: Option<Scalar>,
    parameters: &[Scalar],
    variadic: bool,
) -> String {
    let ty = result.map_or("void", Scalar::name);
    let mut named: Vec<Scalar> = parameters.to_vec();
    if variadic {
        named.pop();
    }
    // Something has to stand before the dots.
    let nameless = variadic && named.is_empty();
    if nameless {
        named.push(Scalar::Pointer);
    }
    let list = |with_names: bool| {
        let mut all: Vec<String> = Vec::new();
        for (i, scalar) in named.iter().enumerate() {
            all.push(match with_names {
                true => format!("{} a{i}", scalar.name()),
                false => scalar.name().to_owned(),
            });
        }
        if variadic {
            all.push("...".into());
        }
        match all.is_empty() {
            true => "void".to_owned(),
            false => all.join(", "),
        }
    };
    let mut text = format!(
        "\n{ty} {own}({}) __asm__(\"{name}\");\n{ty} {own}({})\n{{\n",
        list(false),
        list(true)
    );
    let mut given: Vec<String> = Vec::new();
    let fixed = named.len() - usize::from(nameless);
    for (i, scalar) in named.iter().enumerate().take(fixed) {
        given.push(match scalar {
            Scalar::Pointer => format!("a{i}"),
            _ => "0".into(),
        });
    }
    if variadic {
        let last = named.len() - 1;
        let first = usize::from(nameless);
        let _ = write!(
            text,
            "    void *slots[{SLOTS}] = {{0}};\n    __builtin_va_list list;\n    \
             __builtin_va_start(list, a{last});\n"
        );
        if nameless {
            text.push_str("    slots[0] = a0;\n");
        }
        let _ = write!(
            text,
            "    for (int i = {first}; i < {SLOTS}; i++)\n        \
             slots[i] = __builtin_va_arg(list, void *);\n    __builtin_va_end(list);\n"
        );
        given.push("slots".into());
    }
    given.push("0".into());
    let _ = writeln!(
        text,
        "    void *given[] = {{{}}};\n    prova_called(\"{name}\", given);",
        given.join(", ")
    );
    if let Some(scalar) = result {
        let _ = write!(
            text,
            "    {} value;\n    prova_next(\"{name}\", &value, sizeof value);\n    return value;\n",
            scalar.name()
        );
    }
    text.push_str("}\n");
    text
}
