//! What the terminal shows, for twenty programs. `PROVA_BLESS=1` writes what is shown now.

mod common;

use std::path::PathBuf;
use std::process::Command;

fn folder() -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join("tests/stories")
}

/// What `prova check` prints, without what has times in it.
fn shown(name: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .current_dir(folder())
        .arg("check")
        .arg(format!("{name}.c"))
        .output()
        .expect("the command starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let timed = [" iterations, ", "  certified: ", "  replayed: "];
    let kept = text
        .lines()
        .filter(|l| !timed.iter().any(|t| l.contains(t)));
    kept.map(|l| format!("{l}\n")).collect()
}

#[test]
fn the_terminal_shows_what_it_showed() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("there are stories")
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            name.strip_suffix(".c").map(str::to_string)
        })
        .collect();
    names.sort();
    assert!(names.len() >= 25, "{names:?}");
    let mut wrong = Vec::new();
    for name in names {
        let now = shown(&name);
        let file = folder().join(format!("{name}.txt"));
        if std::env::var_os("PROVA_BLESS").is_some() {
            std::fs::write(&file, &now).expect("the folder can be written");
            continue;
        }
        let then = std::fs::read_to_string(&file).unwrap_or_default();
        if now != then {
            wrong.push(format!("{name}: shown is\n{now}\nexpected was\n{then}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pipe_gets_no_colours() {
    let out = common::prova(["check", &format!("{}/loop.c", folder().display())]);
    assert_eq!(out.code, Some(1));
    assert!(!out.stdout.contains('\x1b') && !out.stderr.contains('\x1b'));
}

#[test]
fn quiet_is_one_line() {
    let file = folder().join("loop.c");
    let out = common::prova(["check", "-q", &file.display().to_string()]);
    assert_eq!(out.code, Some(1));
    assert_eq!(out.stdout.lines().count(), 1, "{}", out.stdout);
    assert!(out.stdout.starts_with("violated: call of reach_error()"));
}

#[test]
fn every_reason_is_explained() {
    for reason in [
        "timeout",
        "memory",
        "interrupted",
        "unsupported",
        "undecided",
        "unmodelled",
        "replay",
        "check-failed",
        "certificate",
    ] {
        let out = common::prova(["explain", &format!("unknown:{reason}")]);
        assert_eq!(out.code, Some(0), "{reason}");
        assert!(out.stdout.starts_with(&format!("unknown:{reason}\n")));
    }
    assert_eq!(common::prova(["explain", "nonsense"]).code, Some(2));
    assert_eq!(common::prova(["explain"]).code, Some(0));
}

#[test]
fn the_doctor_names_solver_and_compiler() {
    let out = common::prova(["doctor"]);
    assert!(out.stdout.contains("z3 (built in)"), "{}", out.stdout);
    let out = common::prova_with([("CC", "no-such-compiler")], ["doctor"]);
    assert_eq!(out.code, Some(2));
    assert!(
        out.stdout.contains("missing  no-such-compiler"),
        "{}",
        out.stdout
    );
}

#[test]
fn completions_and_man_pages_are_made() {
    for shell in ["bash", "zsh", "fish"] {
        let out = common::prova(["completions", shell]);
        assert_eq!(out.code, Some(0));
        assert!(out.stdout.contains("error-label"), "{shell}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = common::prova(["man", &folder.path().display().to_string()]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let page = std::fs::read_to_string(folder.path().join("prova-check.1")).expect("a page");
    assert!(page.contains("Find a test that fails"));
}
