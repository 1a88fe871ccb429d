//! What the terminal shows: for twenty programs, and in `memory/` for more than twenty violations of
//! memory safety and arithmetic, where the first line of a program says what is checked. `PROVA_BLESS=1`
//! writes what is shown now.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join("tests/stories")
}

/// What `prova check` prints, without what has times in it.
fn shown(folder: &Path, name: &str) -> String {
    let file = format!("{name}.c");
    let text = std::fs::read_to_string(folder.join(&file)).expect("the program");
    let first = text.lines().next().unwrap_or_default();
    let options = first.strip_prefix("// check: ").unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .current_dir(folder)
        .arg("check")
        .args(options.split_whitespace())
        .arg(file)
        .output()
        .expect("the command starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let timed = [" iterations, ", "  certified: ", "  replayed: "];
    let kept = text
        .lines()
        .filter(|l| !timed.iter().any(|t| l.contains(t)));
    kept.map(|l| format!("{l}\n")).collect()
}

/// Compares what is shown of all programs of a folder with what was; gives what is shown.
fn compare(folder: &Path) -> Vec<(String, String)> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("there are stories")
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            name.strip_suffix(".c").map(str::to_string)
        })
        .collect();
    names.sort();
    let (mut wrong, mut all) = (Vec::new(), Vec::new());
    for name in names {
        let now = shown(folder, &name);
        all.push((name.clone(), now.clone()));
        let file = folder.join(format!("{name}.txt"));
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
    all
}

#[test]
fn the_terminal_shows_what_it_showed() {
    let all = compare(&folder());
    assert!(all.len() >= 25, "{}", all.len());
}

#[test]
fn stories_of_memory_speak_c() {
    let all = compare(&folder().join("memory"));
    assert!(all.len() >= 20, "{}", all.len());
    for (name, text) in all {
        assert!(text.contains("violated: "), "{name}: {text}");
        // Addresses, ghost state and choices of ours are nobody's C.
        for ours in [
            "0x6",
            "slot",
            "offset.",
            "size.",
            "a literal",
            "malloc() ==",
            "tmp",
            "…",
        ] {
            assert!(!text.contains(ours), "{name}: {text}");
        }
    }
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
