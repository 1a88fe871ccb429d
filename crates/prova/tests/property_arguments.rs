//! `--property`, property files and `--all` from outside.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn check(arguments: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prova"))
        .arg("check")
        .args(arguments)
        .arg(file)
        .output()
        .expect("the command runs")
}

fn program(name: &str) -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs/properties")
        .join(name)
}

fn lines(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn several_properties_have_a_verdict_each() {
    let output = check(
        &[
            "--property",
            "no-overflow",
            "--property",
            "no-div-zero",
            "--format",
            "svcomp",
        ],
        &program("no-overflow/increment.c"),
    );
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output);
    let verdicts = &lines[lines.len() - 2..];
    assert_eq!(
        verdicts,
        ["no-overflow: FALSE(no-overflow)", "no-div-zero: TRUE"]
    );
    assert!(
        lines[0].starts_with("no-overflow: violated: `n++` overflows `int` at "),
        "{}",
        lines[0]
    );
}

#[test]
fn one_json_object_holds_them_all() {
    let both = ["--property", "no-overflow", "--property", "assert"];
    let arguments = [&both[..], &["--format", "json"]].concat();
    let output = check(&arguments, &program("no-overflow/increment.c"));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let checks = value["checks"].as_array().expect("checks");
    assert_eq!(checks.len(), 2);
    assert_eq!(checks[0]["property"], "no-overflow");
    assert_eq!(checks[0]["evidence"]["property"], "no-overflow");
    assert_eq!(checks[0]["verdict"], "violated");
    assert_eq!(checks[1]["verdict"], "proved");
}

#[test]
fn property_files_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("no-overflow.prp");
    std::fs::write(&file, "CHECK( init(main()), LTL(G ! overflow) )\n").expect("written");
    let name = file.to_str().expect("a name");
    let arguments = ["--property", name, "--format", "svcomp"];
    let output = check(&arguments, &program("no-overflow/increment.c"));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(&output).last().unwrap(), "FALSE(no-overflow)");
}

#[test]
fn a_named_call_is_all_that_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("call.prp");
    std::fs::write(&file, "CHECK( init(main()), LTL(G ! call(oops())) )\n").expect("written");
    let source = folder.path().join("a.c");
    let text = "void oops(void); void reach_error(void);\n\
                int main(int n) { if (n == 7) reach_error(); if (n == 8) oops(); return 0; }\n";
    std::fs::write(&source, text).expect("written");
    let output = check(&["--property", file.to_str().unwrap()], &source);
    let said = lines(&output);
    assert!(said[0].contains("call of oops()"), "{}", said[0]);
}

#[test]
fn what_cannot_be_used_is_bad_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("strange.prp");
    std::fs::write(&file, "CHECK( init(main()), LTL(G F end) )\n").expect("written");
    for (property, word) in [
        (file.to_str().unwrap(), "line 1"),
        ("missing.prp", "cannot read"),
        ("no-such-property", "no-overflow"),
    ] {
        let output = check(
            &["--property", property],
            &program("no-overflow/increment.c"),
        );
        assert_eq!(output.status.code(), Some(2), "{property}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(word), "{property}: {text}");
    }
    let arguments = ["--property", "no-overflow", "--error-label", "X"];
    let output = check(&arguments, &program("no-overflow/increment.c"));
    assert_eq!(output.status.code(), Some(2));
}
