//! The models of the library against the real one: each driver of `models/` calls functions with
//! inputs that look random and with edge cases, and prints what they did. gcc's code, with the real
//! library, and ours on the machine, with the models, must print the same. Where the standard
//! leaves something open, drivers print no more than what it fixes, or the machine is given what
//! the real function chose: then the model has to allow it.
//!
//! Every line starts with the function that was called. So the drivers' output tells which
//! functions are tested how often, and no function that has a model may be missing.

use prova_c::{load, Malloc, Options};
use prova_exec::{run_plain, Code, Limits, RunEnd, Test};
use prova_ir::DataModel;
use prova_library::{DIRECT, MODELS};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// As many calls of each function are compared at least.
const CALLS: usize = 200;

/// Functions that cannot be compared, and why.
const NOT_COMPARED: &[(&str, &str)] = &[
    ("abort", "ends the program"),
    ("__CPROVER_havoc_slice", "is no library function"),
    ("__CPROVER_havoc_object", "is no library function"),
    ("klee_make_symbolic", "is no library function"),
    ("exit", "ends the program"),
    ("_exit", "ends the program"),
    ("_Exit", "ends the program"),
    ("quick_exit", "ends the program"),
    (
        "fclose",
        "a run may open no more than 16 streams; those are compared",
    ),
    ("atexit", "is seen when the program ends"),
    ("on_exit", "is seen when the program ends"),
    ("at_quick_exit", "is seen when the program ends"),
    ("setjmp", "is the front end's: its first return"),
    ("_setjmp", "is the front end's: its first return"),
    ("sigsetjmp", "is the front end's: its first return"),
    ("__sigsetjmp", "is the front end's: its first return"),
    ("signal", "changes nothing, or is not modelled"),
    ("alloca", "is the compiler's, not the library's"),
];

fn folder() -> PathBuf {
    let package = std::env::current_dir().expect("the package's folder");
    package.join("tests/models")
}

fn drivers() -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder()).unwrap();
    let mut found: Vec<PathBuf> = files.map(|e| e.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == "c"));
    found.sort();
    found
}

/// What a driver finds on its standard input.
fn standard_input(driver: &Path) -> Vec<u8> {
    std::fs::read(driver.with_extension("stdin")).unwrap_or_default()
}

/// What gcc's code prints, with the real library.
fn native(driver: &Path, flag: &str, folder: &Path) -> Option<Vec<u8>> {
    let program = folder.join("driver");
    let built = Command::new("gcc")
        .args([flag, "-w", "-O0", "-fno-builtin"])
        .args(["-msse2", "-mfpmath=sse", "-o"])
        .arg(&program)
        .arg(driver)
        .arg("-lm")
        .output()
        .ok()?;
    if !built.status.success() {
        let why = String::from_utf8_lossy(&built.stderr).into_owned();
        eprintln!("SKIPPED: gcc {flag} {}: {why}", driver.display());
        return None;
    }
    let mut child = Command::new(&program)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = standard_input(driver);
    let feeder = std::thread::spawn(move || pipe.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = feeder.join();
    assert!(output.status.success(), "{} fails", driver.display());
    Some(output.stdout)
}

/// What the machine is given: the values that lines starting with `@` name, or what is on
/// standard input, byte by byte.
fn given(driver: &Path, printed: &str) -> Test {
    let input = standard_input(driver);
    if !input.is_empty() && !printed.contains("\n@ ") {
        let end = std::iter::repeat_n(u128::from(u32::MAX), 1);
        return Test::of_values(input.into_iter().map(u128::from).chain(end));
    }
    let marked = printed.lines().filter_map(|line| line.strip_prefix("@ "));
    Test::of_values(marked.map(|hex| u128::from_str_radix(hex, 16).expect("a number")))
}

/// What our code prints, with the models.
fn modelled(driver: &Path, model: DataModel, test: &Test) -> String {
    // Where bytes are given, whether allocations fail is not.
    let malloc = match test.values.is_empty() {
        true => Malloc::MayFail,
        false => Malloc::NeverFails,
    };
    let options = Options {
        model,
        malloc,
        ..Options::default()
    };
    let lowered = match load(&[driver], &options) {
        Ok(lowered) => lowered,
        Err(errors) => panic!("{}", errors[0].render(false)),
    };
    let code = Code::new(Arc::new(lowered.program)).unwrap();
    let limits = Limits {
        steps: 2_000_000_000,
        ..Limits::default()
    };
    let summary = run_plain(&code, test, limits);
    let printed = String::from_utf8_lossy(&summary.output).into_owned();
    match summary.end {
        RunEnd::Returned(Some(0)) => printed,
        other => panic!("{} ended with {other:?}: {printed}", driver.display()),
    }
}

/// Compares a driver, for both data models.
fn compare(name: &str) {
    let driver = folder().join(name).with_extension("c");
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let folder = tempfile::tempdir().unwrap();
        let Some(output) = native(&driver, flag, folder.path()) else {
            continue;
        };
        let real = String::from_utf8_lossy(&output);
        let ours = modelled(&driver, model, &given(&driver, &real));
        let pairs = real.lines().zip(ours.lines());
        for (number, (real, ours)) in pairs.enumerate() {
            assert_eq!(
                ours, real,
                "{name} {flag}, line {number} of its output: ours, and the real one"
            );
        }
        assert_eq!(ours.lines().count(), real.lines().count());
    }
}

macro_rules! drivers {
    ($($name:ident),*) => {
        $(
            #[test]
            fn $name() {
                compare(stringify!($name));
            }
        )*

        /// The drivers that are compared.
        const COMPARED: &[&str] = &[$(stringify!($name)),*];
    };
}

drivers!(
    ctype,
    math,
    output,
    raw,
    scan,
    stdlib,
    streams,
    string,
    transcendental,
    wchar,
    world
);

#[test]
fn every_driver_is_compared() {
    let names: Vec<String> = drivers()
        .iter()
        .map(|d| d.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, COMPARED);
}

#[test]
fn every_function_with_a_model_is_called_often_enough() {
    let folder = tempfile::tempdir().unwrap();
    let mut calls: BTreeMap<String, usize> = BTreeMap::new();
    for driver in drivers() {
        let Some(output) = native(&driver, "-m64", folder.path()) else {
            continue;
        };
        for line in String::from_utf8_lossy(&output).lines() {
            let function = line.split(' ').next().unwrap_or_default();
            *calls.entry(function.to_string()).or_default() += 1;
        }
    }
    let modelled = MODELS.iter().flat_map(|m| m.functions).chain(DIRECT);
    let internal = |f: &str| f.starts_with("__prova_");
    let excepted = |f: &str| NOT_COMPARED.iter().any(|(name, _)| *name == f);
    let enough = |f: &str| calls.get(f).is_some_and(|n| *n >= CALLS);
    let untested: Vec<&&str> = modelled
        .filter(|f| !internal(f) && !excepted(f) && !enough(f))
        .collect();
    assert!(untested.is_empty(), "models without a test: {untested:?}");
}

/// The functions that a text defines for others.
fn defined(text: &str) -> Vec<String> {
    use lang_c::ast::*;
    let head = "typedef unsigned long size_t; typedef long ssize_t; typedef int wchar_t; \
                typedef long intmax_t; typedef unsigned long uintmax_t; ";
    let unit = prova_c::parse_text("model", format!("{head}{text}"), &Options::default());
    let unit = unit.unwrap_or_else(|e| panic!("{}", e.render(false)));
    let is_static = |s: &lang_c::span::Node<DeclarationSpecifier>| {
        matches!(&s.node, DeclarationSpecifier::StorageClass(c)
            if c.node == StorageClassSpecifier::Static)
    };
    let functions = unit.ast().0.iter().filter_map(|e| match &e.node {
        ExternalDeclaration::FunctionDefinition(f) => Some(&f.node),
        _ => None,
    });
    let names = functions
        .filter(|f| !f.specifiers.iter().any(is_static))
        .map(|f| match &f.declarator.node.kind.node {
            DeclaratorKind::Identifier(name) => name.node.name.clone(),
            other => panic!("a function that returns functions: {other:?}"),
        });
    names.collect()
}

#[test]
fn a_model_defines_the_functions_that_it_lists_and_no_others() {
    for model in MODELS {
        let mut listed = model.functions.to_vec();
        let mut found = defined(model.text);
        listed.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, listed, "{}", model.name);
    }
    let mut all: Vec<&&str> = MODELS.iter().flat_map(|m| m.functions).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count, "a function has one model");
}
