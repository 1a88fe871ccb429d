//! What the documentation says is so: the tutorial's commands are run, the reference has every
//! option.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("the page is there")
}

#[test]
fn the_tutorials_commands_end_as_it_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = folder.path().join("examples");
    std::fs::create_dir(&examples).expect("a folder");
    for name in ["lock.c", "lock_bug.c"] {
        std::fs::copy(root().join("examples").join(name), examples.join(name)).expect("a copy");
    }
    let mut count = 0;
    for line in read("docs/tutorial.md").lines() {
        let Some(command) = line.strip_prefix("    prova ") else {
            continue;
        };
        let (words, status) = match command.split_once("# exit status ") {
            Some((words, status)) => (words, status.trim().parse().expect("a number")),
            None => (command, 0),
        };
        let output = Command::new(env!("CARGO_BIN_EXE_prova"))
            .args(words.split_whitespace())
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        assert_eq!(
            output.status.code(),
            Some(status),
            "{line}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        count += 1;
    }
    assert!(count >= 8, "{count} commands");
}

#[test]
fn the_reference_has_every_option() {
    let reference = read("docs/reference.md");
    for command in ["check", "run", "show"] {
        let help = common::prova([command, "--help"]).stdout;
        for word in help.split(|c: char| c.is_whitespace() || c == ',') {
            let option = word.trim_end_matches(['.', ')', ']', ':', ';']);
            if option.starts_with("--") && option.len() > 2 && option != "--help" {
                assert!(reference.contains(option), "{option} of {command}");
            }
        }
    }
    for command in ["certify", "doctor", "explain", "completions", "man"] {
        assert!(
            reference.contains(&format!("`prova {command}")),
            "{command}"
        );
    }
}
