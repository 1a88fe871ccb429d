//! `--parallel` from outside: the same verdicts, with the same evidence, whoever is first.

use std::path::Path;
use std::process::{Command, Output};

/// Programs and what the command ends with.
const PROGRAMS: [(&str, &str, i32); 6] = [
    (
        "counts",
        "int main(void) { int i = 0; while (i < 10) i++; if (i != 10) reach_error(); return 0; }",
        0,
    ),
    (
        "input",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n * 3 == 51) reach_error(); return 0; }",
        1,
    ),
    (
        "parity",
        "int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) x += 2;
           if (x & 1) reach_error(); return 0; }",
        0,
    ),
    (
        "parity_bug",
        "int main(void) { unsigned x = 0, n = 0; while (n < 5 && __VERIFIER_nondet_int()) { x += 2; n++; }
           if (x == 6) reach_error(); return 0; }",
        1,
    ),
    (
        "recursion",
        "static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
         int main(void) { if (f(__VERIFIER_nondet_int() & 3) > 3) reach_error(); return 0; }",
        0,
    ),
    (
        "floats",
        "int main(void) { double d = __VERIFIER_nondet_int(); if (d + 1.0 <= d) reach_error(); return 0; }",
        0,
    ),
];

fn prova(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command runs")
}

fn write(folder: &Path, name: &str, program: &str) -> String {
    let text = format!(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n{program}\n"
    );
    let file = format!("{name}.c");
    std::fs::write(folder.join(&file), text).expect("written");
    file
}

#[test]
fn two_searches_say_what_one_says() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, program, status) in PROGRAMS {
        let file = write(folder.path(), name, program);
        for more in [&[][..], &["--parallel"]] {
            let arguments = [&["check", &file, "--timeout", "120"], more].concat();
            let output = prova(folder.path(), &arguments);
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(
                output.status.code(),
                Some(status),
                "{name} {more:?}: {said}"
            );
        }
    }
}

#[test]
fn the_proof_of_whoever_is_first_has_a_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "counts", PROGRAMS[0].1);
    let arguments = ["check", &file, "--parallel", "--certificate", "proof.cert"];
    assert_eq!(prova(folder.path(), &arguments).status.code(), Some(0));
    let output = prova(folder.path(), &["certify", &file, "proof.cert"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn both_explain_themselves() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "parity", PROGRAMS[2].1);
    let output = prova(folder.path(), &["check", &file, "--parallel", "--explain"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.lines()
            .any(|l| l.starts_with("1| ") || l.starts_with("2| ")),
        "{said}"
    );
}

#[test]
fn it_is_for_auto_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "counts", PROGRAMS[0].1);
    let output = prova(
        folder.path(),
        &["check", &file, "--parallel", "--engine", "dash"],
    );
    assert_eq!(output.status.code(), Some(2));
}
