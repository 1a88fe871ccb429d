//! `prova check` from outside: verdicts, exit statuses, the three formats.

use std::process::{Command, Output};

fn check(arguments: &[&str], file: &str) -> Output {
    let path = std::env::current_dir()
        .expect("the package's folder")
        .join("../..")
        .join(file);
    Command::new(env!("CARGO_BIN_EXE_prova"))
        .arg("check")
        .args(arguments)
        .arg(path)
        .output()
        .expect("the command runs")
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .last()
        .unwrap_or_default()
        .to_string()
}

#[test]
fn a_violation_shows_its_inputs_and_exits_with_one() {
    let output = check(&["--format", "svcomp"], "examples/lock_bug.c");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(last_line(&output), "FALSE(unreach-call)");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("violated: "), "{text}");
    assert!(text.contains("input __VERIFIER_nondet_"), "{text}");
}

#[test]
fn a_proof_exits_with_zero() {
    let output = check(&["--format", "svcomp"], "examples/lock.c");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(last_line(&output), "TRUE");
}

#[test]
fn no_verdict_exits_with_three_and_says_why() {
    let output = check(
        &["--format", "svcomp", "--assembly", "unmodelled"],
        "crates/prova/tests/stories/assembly.c",
    );
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(last_line(&output), "UNKNOWN(unmodelled)");
    assert!(String::from_utf8_lossy(&output.stdout).contains("inline assembly"));
}

#[test]
fn json_has_verdict_evidence_and_statistics() {
    let output = check(&["--format", "json"], "examples/lock_bug.c");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["verdict"], "violated");
    assert_eq!(value["evidence"]["property"], "unreach-call");
    assert!(value["evidence"]["inputs"]
        .as_array()
        .is_some_and(|i| !i.is_empty()));
    let statistics = &value["statistics"];
    assert_eq!(statistics["iterations"], statistics["solver_calls"]);
    for key in [
        "tests",
        "forest_states",
        "regions",
        "splits",
        "peak_memory_bytes",
        "solver_seconds",
    ] {
        assert!(statistics[key].is_number(), "{key}");
    }
}

#[test]
fn an_entry_has_arbitrary_arguments() {
    let file = "tests/programs/figures/dash_03_alias.c";
    let output = check(&["--entry", "alias", "--format", "svcomp"], file);
    assert_eq!(last_line(&output), "TRUE");
}

#[test]
fn explanations_name_the_frontier_and_the_predicate() {
    let output = check(
        &["--explain", "--engine", "dash"],
        "tests/programs/figures/synergy_03_lock_loop.c",
    );
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("split by"), "{text}");
    assert!(text.contains("synergy_03_lock_loop.c:"), "{text}");
}

#[test]
fn a_vacuous_proof_says_so_first() {
    let output = check(&[], "tests/programs/figures/synergy_06_no_error_path.c");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("proved, but vacuously"), "{text}");
}

#[test]
fn what_is_not_there_is_bad_input() {
    for arguments in [
        &["--entry", "nowhere"][..],
        &["--error-label", "NOWHERE"],
        &["--property", "no-such-property"],
        &["--block", "huge"],
    ] {
        let output = check(arguments, "examples/lock.c");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_violation_can_be_run() {
    let output = check(&["--format", "json"], "examples/lock_bug.c");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let inputs = value["evidence"]["inputs"].as_array().expect("inputs");
    let lines: Vec<String> = inputs
        .iter()
        .filter_map(|i| i["value"].as_str())
        .map(|v| format!("{v}\n"))
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("inputs");
    std::fs::write(&file, lines.concat()).expect("written");
    let example = std::env::current_dir()
        .expect("the package's folder")
        .join("../../examples/lock_bug.c");
    let run = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(["run", "--inputs"])
        .arg(file)
        .arg(example)
        .output()
        .expect("the command runs");
    assert_eq!(
        run.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}
