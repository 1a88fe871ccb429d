//! Functions that a harness defines: the user's own that the program calls and does not define,
//! inputs, what an error is, and what an assumption is. Nothing else: the library runs for real.

use crate::c_types::Scalar;
use crate::recording::{is_model, writers, Returned};
use crate::supply::{is_defined, supply, Supply};
use prova_ir::{CType, Origin, Program, Statement};
use prova_library::ASSERTIONS;
use prova_spec::Spec;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What a function that the harness defines does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// Returns the next recorded value.
    Value(Scalar),
    /// Returns the next recorded value in the place of a library function.
    Wrapped(Scalar),
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
    /// The functions that a harness for this program defines, given what was called, and what is
    /// defined nowhere.
    pub fn of(
        program: &Program,
        errors: Option<&Spec>,
        returned: &[Returned],
        absent: &BTreeSet<String>,
    ) -> Functions {
        let mut found = BTreeMap::new();
        for procedure in &program.procedures {
            let name = &procedure.c_name;
            if procedure.body.is_some() || name.is_empty() || !is_defined(name) {
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
        for value in returned.iter().filter(|v| is_defined(&v.function)) {
            found.insert(value.function.clone(), Function::Value(value.scalar));
        }
        for (name, scalar) in wrapped(program) {
            found.insert(name, Function::Wrapped(scalar));
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
        found.retain(|name, _| !absent.contains(name));
        let errors = errors.map(|spec| error_functions(program, spec));
        for name in errors.into_iter().flatten() {
            found.insert(name, Function::Error);
        }
        Functions(found)
    }

    /// Those that the linker has to wrap.
    pub fn wraps(&self) -> impl Iterator<Item = String> + '_ {
        let all = self.0.iter();
        let wrapped = all.filter(|(_, f)| matches!(f, Function::Wrapped(_)));
        wrapped.map(|(name, _)| name.clone())
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
                // Its argument may lead to a place that gets the time, too.
                Function::Wrapped(scalar) if name == "time" => {
                    let ty = scalar.name();
                    writeln!(
                        text,
                        "\n{ty} {own}({ty} *) __asm__(\"__wrap_{name}\");\n{ty} {own}({ty} *to)\n{{\n    \
                         {ty} value;\n    prova_next(\"{name}\", &value, sizeof value);\n    \
                         if (to)\n        *to = value;\n    return value;\n}}"
                    )
                }
                Function::Wrapped(scalar) => {
                    let ty = scalar.name();
                    writeln!(
                        text,
                        "\n{ty} {own}() __asm__(\"__wrap_{name}\");\n{ty} {own}()\n{{\n    {ty} value;\n    \
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

/// Functions of the library whose results are inputs of a program, with what they return.
fn wrapped(program: &Program) -> BTreeMap<String, Scalar> {
    let mut found = BTreeMap::new();
    for procedure in &program.procedures {
        let model = is_model(program, procedure.span);
        for edge in procedure.body.iter().flat_map(|b| &b.edges) {
            let Statement::Nondet {
                target,
                origin: Origin::Input(name),
            } = &edge.statement
            else {
                continue;
            };
            // A model that asks as anybody may asks on behalf of its function.
            let name = match model && name.starts_with("__VERIFIER_") {
                true => &procedure.c_name,
                false => name,
            };
            let scalar = Scalar::of_register(program, *target);
            if supply(&Origin::Input(name.clone())) == Supply::Wrapped {
                found.extend(scalar.map(|s| (name.clone(), s)));
            }
        }
    }
    found
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
