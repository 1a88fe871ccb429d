//! Programs that try to see where objects lie, what `main` gets, and what callers pass: the verdict
//! is one of those that their first line allows, with each engine and data model that is tried.
//! Programs with a twin belong to the test of the border's pairs.

use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDERS: [&str; 3] = ["addresses", "arguments", "callers"];

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/border");
    let mut found = Vec::new();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(root.join(folder)).expect("programs");
        found.extend(entries.map(|e| e.expect("an entry").path()));
    }
    found.sort();
    found
}

/// What comes behind a key in the first lines of a program.
fn head(text: &str, key: &str) -> Option<String> {
    let start = format!("// {key}: ");
    let lines = text.lines().take_while(|l| l.starts_with("// "));
    let mut values = lines.filter_map(|l| l.strip_prefix(&start));
    values.next().map(str::to_owned)
}

/// Complaints about the verdicts of one engine.
fn wrong(engine: &str, bits: &str, every: bool) -> Vec<String> {
    let mut complaints = Vec::new();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("text");
        let expected = head(&text, "expect").expect("an expectation");
        let options = head(&text, "options").unwrap_or_default();
        // Whoever may give up need not be waited for.
        let strict = every && !expected.contains("unknown");
        let seconds = if strict { "60" } else { "6" };
        let output = Command::new(env!("CARGO_BIN_EXE_prova"))
            .args(["check", "--first", "--no-config", "--timeout", seconds])
            .args(["--engine", engine, "--bits", bits])
            .args(options.split_whitespace())
            .arg(&path)
            .output()
            .expect("the command runs");
        let verdict = match output.status.code() {
            Some(0) => "true",
            Some(1) => "false",
            Some(3) => "unknown",
            _ => "none",
        };
        // An engine by itself may give up.
        let fine = expected.split(" or ").any(|e| e == verdict);
        if !fine && (every || verdict != "unknown") {
            complaints.push(format!("{}: {verdict}, not {expected}", path.display()));
        }
    }
    complaints
}

#[test]
fn nobody_sees_how_objects_are_placed() {
    assert_eq!(wrong("auto", "64", true), Vec::<String>::new());
}

#[test]
fn nobody_sees_it_with_32_bits() {
    assert_eq!(wrong("auto", "32", false), Vec::<String>::new());
}

#[test]
fn no_engine_sees_it_by_itself() {
    assert_eq!(wrong("values", "64", false), Vec::<String>::new());
}

/// Where answers are arbitrary, every answer is: what fails on some machine is not proved, and what
/// fails for none of them is not violated.
#[test]
fn arbitrary_answers_hide_no_machine() {
    let mut complaints = Vec::new();
    let mut proved = 0;
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("text");
        let expected = head(&text, "expect").expect("an expectation");
        if !path.parent().is_some_and(|p| p.ends_with("addresses")) {
            continue;
        }
        let output = Command::new(env!("CARGO_BIN_EXE_prova"))
            .args(["check", "--first", "--no-config", "--timeout", "6"])
            .args(["--addresses", "arbitrary"])
            .arg(&path)
            .output()
            .expect("the command runs");
        let may_fail = !expected.contains("true");
        match output.status.code() {
            Some(0) if may_fail => complaints.push(format!("{} is proved", path.display())),
            Some(0) => proved += 1,
            Some(1) if !may_fail => complaints.push(format!("{} is violated", path.display())),
            _ => {}
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
    assert!(proved >= 8, "only {proved} were proved");
}
