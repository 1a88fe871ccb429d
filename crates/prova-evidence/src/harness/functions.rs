//! Functions that a harness defines: what the program calls and does not define, what an error
//! is, and what an assumption is.

use crate::c_types::Scalar;
use crate::library;
use crate::recording::Returned;
use prova_ir::{CType, Program};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Calls of these are the error, whatever they do; a body of the program's own is replaced.
const ALWAYS_ERRORS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Calls of these are the error if the program does not define them.
const UNDEFINED_ERRORS: &[&str] = &[
    "error",
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
    /// Is the error.
    Error,
    /// Ends the run silently if its argument is zero.
    Assume,
}

/// All functions of a harness, by name.
#[derive(Clone, Debug, Default)]
pub struct Functions(pub BTreeMap<String, Function>);

/// The functions whose call is an error of this program.
pub fn error_functions(program: &Program) -> Vec<&'static str> {
    let undefined = |name: &str| {
        program.procedures.iter().any(|p| {
            // Weaving gives a body to such a function if its address is taken: the error itself.
            p.c_name == name && p.body.as_ref().is_none_or(|b| b.is_error(b.entry))
        })
    };
    let others = UNDEFINED_ERRORS.iter().filter(|name| undefined(name));
    ALWAYS_ERRORS.iter().chain(others).copied().collect()
}

impl Functions {
    /// The functions that a harness for this program defines, given what was called.
    pub fn of(program: &Program, returned: &[Returned]) -> Functions {
        let mut found = BTreeMap::new();
        for procedure in &program.procedures {
            let name = &procedure.c_name;
            if procedure.body.is_some() || name.is_empty() || library::is_left_alone(name) {
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
        let defined = |name: &str| {
            let mut named = program.procedures.iter().filter(|p| p.c_name == name);
            named.any(|p| p.body.is_some())
        };
        if !defined("__VERIFIER_assume") {
            found.insert("__VERIFIER_assume".into(), Function::Assume);
        }
        for name in error_functions(program) {
            found.insert(name.into(), Function::Error);
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
