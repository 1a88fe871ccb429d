//! What the documentation says is so: the tutorial's commands are run, the reference has every
//! option.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("the page is there")
}

/// A folder with the examples, as the documentation names them.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = folder.path().join("examples");
    std::fs::create_dir(&examples).expect("a folder");
    for name in ["project/src", "project/include"] {
        std::fs::create_dir_all(examples.join(name)).expect("a folder");
    }
    for name in [
        "lock.c",
        "lock_bug.c",
        "project/prova.toml",
        "project/src/main.c",
        "project/src/ring.c",
        "project/include/ring.h",
    ] {
        std::fs::copy(root().join("examples").join(name), examples.join(name)).expect("a copy");
    }
    folder
}

/// Runs a command line of the documentation, and gives what it prints.
fn assert_ends(folder: &Path, words: &str, status: i32) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_prova"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .env("HOME", folder)
        .output()
        .expect("the command starts");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        output.status.code(),
        Some(status),
        "prova {words}\n{shown}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    shown
}

#[test]
fn the_tutorials_commands_end_as_it_says() {
    let folder = folder();
    let mut count = 0;
    for line in read("docs/tutorial.md").lines() {
        let Some(command) = line.strip_prefix("    prova ") else {
            continue;
        };
        let (words, status) = match command.split_once("# exit status ") {
            Some((words, status)) => (words, status.trim().parse().expect("a number")),
            None => (command, 0),
        };
        assert_ends(folder.path(), words, status);
        count += 1;
    }
    assert!(count >= 8, "{count} commands");
}

/// Every program of the page stands in a block that begins with its name; commands say how they end,
/// and may say what is printed.
#[test]
fn the_programs_of_the_assumptions_show_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = read("docs/assumptions.md");
    for block in page.split("```c\n// ").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a name");
        let text = rest.split("```").next().expect("an end");
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let mut count = 0;
    for line in page.lines() {
        let Some(command) = line.strip_prefix("    prova ") else {
            continue;
        };
        let (words, end) = command.split_once("# exit status ").expect("an end");
        let (status, shown) = end.split_once(": ").unwrap_or((end, ""));
        let status = status.trim().parse().expect("a number");
        let out = assert_ends(folder.path(), words, status);
        assert!(out.contains(shown.trim()), "prova {words}: {out}");
        count += 1;
    }
    assert!(count >= 12, "{count} commands");
}

#[test]
fn the_readmes_commands_do_what_it_says() {
    let folder = folder();
    let readme = read("README.md");
    let mut count = 0;
    for line in readme.lines() {
        let Some(command) = line.strip_prefix("    prova ") else {
            continue;
        };
        let (words, meaning) = command.split_once("  ").expect("a meaning");
        assert!(!meaning.trim().is_empty(), "{line}");
        let words = words.replace("FILE...", "examples/lock_bug.c");
        let words = words.replace("--entry f", "--entry main --timeout 20");
        let words = words.replace("--dot f", "--dot move");
        assert_ends(folder.path(), &words, i32::from(words.starts_with("check")));
        count += 1;
    }
    assert!(count >= 10, "{count} commands");
    // The first thing it shows is what is printed first.
    let mut shown = readme
        .lines()
        .skip_while(|l| !l.starts_with("    $ prova "));
    let command = shown.next().and_then(|l| l.strip_prefix("    $ prova "));
    let out = assert_ends(folder.path(), command.expect("a command"), 1);
    let shown: Vec<&str> = shown.map_while(|l| l.strip_prefix("    ")).collect();
    assert!(shown.len() >= 2);
    assert!(out.starts_with(&shown.join("\n")), "{out}");
}

#[test]
fn the_examples_of_the_help_work() {
    let folder = folder();
    let here = folder.path();
    std::fs::copy(here.join("examples/lock.c"), here.join("lock.c")).expect("a copy");
    std::fs::write(here.join("values.txt"), "4711\n").expect("written");
    let database = r#"[{ "directory": "..", "file": "lock.c", "command": "cc -c lock.c" }]"#;
    std::fs::create_dir(here.join("build")).expect("a folder");
    std::fs::write(here.join("build/compile_commands.json"), database).expect("written");
    let mut count = 0;
    for command in [
        "check",
        "cover",
        "certify",
        "run",
        "show",
        "explain",
        "completions",
        "man",
        "validate",
    ] {
        let help = common::prova([command, "--help"]).stdout;
        let examples = help.lines().filter_map(|l| l.strip_prefix("  prova "));
        let before = count;
        for line in examples {
            // What a shell does with the output is no matter of ours.
            let words = line.split(['|', '>']).next().unwrap_or(line);
            let words = words.replace('~', &here.display().to_string());
            let status = i32::from(words.contains("--entry release"));
            assert_ends(here, &words, status);
            count += 1;
        }
        assert!(count > before, "{command} has no example");
    }
    assert!(count >= 12, "{count} examples");
}

#[test]
fn the_reference_has_every_option() {
    let reference = read("docs/reference.md");
    for command in [
        "check", "run", "show", "certify", "validate", "cover", "adequacy", "conform", "model",
        "batch",
    ] {
        let help = common::prova([command, "--help"]).stdout;
        for word in help.split(|c: char| c.is_whitespace() || c == ',') {
            let option = word.trim_end_matches(['.', ')', ']', ':', ';']);
            if option.starts_with("--") && option.len() > 2 && option != "--help" {
                assert!(reference.contains(option), "{option} of {command}");
            }
        }
    }
    for command in [
        "certify",
        "validate",
        "doctor",
        "explain",
        "completions",
        "man",
    ] {
        assert!(
            reference.contains(&format!("`prova {command}")),
            "{command}"
        );
    }
}
