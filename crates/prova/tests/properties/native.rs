//! The programs as gcc compiles them, with its sanitizers: each violation is run on the inputs
//! that were found and must be reported, at the same line.

use std::path::Path;
use std::process::Command;

use super::{Case, Violation};

/// Feeds inputs from the command line to the program it names by number.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static char **inputs;
static long long next(void)
{
    return inputs[0] ? strtoll(*inputs++, 0, 10) : 0;
}
int __VERIFIER_nondet_int(void) { return next(); }
unsigned __VERIFIER_nondet_uint(void) { return next(); }
char __VERIFIER_nondet_char(void) { return next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return next(); }
short __VERIFIER_nondet_short(void) { return next(); }
long __VERIFIER_nondet_long(void) { return next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return next(); }
_Bool __VERIFIER_nondet_bool(void) { return next(); }
void __VERIFIER_assume(int c) { if (!c) exit(0); }
void reach_error(void) { }
"#;

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(136) || text.contains("SIGFPE") {
        return format!("{text} FPE");
    }
    text
}

fn gcc(folder: &Path) -> Command {
    let mut command = Command::new("gcc");
    command
        .current_dir(folder)
        .args(["-std=gnu11", "-w", "-g", "-O0"])
        .args(["-fsanitize=undefined,address,float-divide-by-zero"]);
    command
}

/// Confirms violations whose report must contain one of `shows`. Without gcc or its sanitizers
/// nothing is confirmed, which is said.
pub fn confirm(failing: &[(&Case, Violation)], shows: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("try.c"), "int main(void) { return 0; }").expect("written");
    if !gcc(folder)
        .args(["try.c", "-o", "try"])
        .status()
        .is_ok_and(|s| s.success())
    {
        eprintln!("skipped: no gcc with sanitizers");
        return;
    }
    let mut driver = DRIVER.to_string();
    let mut calls = String::new();
    let mut objects = Vec::new();
    let native = failing.iter().filter(|(case, _)| case.native);
    for (number, (case, _)) in native.clone().enumerate() {
        let object = format!("{number}.o");
        let compiled = gcc(folder)
            .arg(format!("-Dmain=case_{number}"))
            .args(["-c", "-o", &object])
            .arg(case.path.canonicalize().expect("a path"))
            .status();
        assert!(compiled.is_ok_and(|s| s.success()), "{}", case.name);
        driver += &format!("int case_{number}(void);\n");
        calls += &format!("    case {number}: return case_{number}();\n");
        objects.push(object);
    }
    driver += &format!(
        "int main(int count, char **text)\n{{\n    inputs = text + 2;\n    \
         switch (atoi(text[1])) {{\n{calls}    }}\n    return 99;\n}}\n"
    );
    std::fs::write(folder.join("driver.c"), driver).expect("written");
    let linked = gcc(folder)
        .arg("driver.c")
        .args(&objects)
        .args(["-o", "driver"])
        .status();
    assert!(linked.is_ok_and(|s| s.success()), "linked");
    let mut silent = Vec::new();
    for (number, (case, violation)) in native.enumerate() {
        let inputs = violation.inputs.iter();
        let inputs: Vec<&str> = inputs
            .filter(|i| i.name.starts_with("__VERIFIER_nondet"))
            .map(|i| i.value.as_str())
            .collect();
        let report = run(Command::new(folder.join("driver"))
            .env("ASAN_OPTIONS", "detect_stack_use_after_return=1")
            .arg(number.to_string())
            .args(&inputs));
        let seen = shows.iter().any(|s| report.contains(s));
        let file = case.path.file_name().unwrap().to_string_lossy();
        // A leak is reported where the block was allocated.
        let line = match violation.property.starts_with("valid-mem") {
            true => file.into_owned(),
            false => format!("{file}:{}", violation.span.line),
        };
        if !seen || !report.contains(&line) {
            let first: Vec<&str> = report.lines().take(8).collect();
            silent.push(format!("{} on {inputs:?}: {first:?}", case.name));
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}
