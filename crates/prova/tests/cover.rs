//! `prova cover`: goals that end as they must, suites that a compiler and gcov agree with, proofs that
//! `prova certify` accepts, and input that is refused where it is wrong.

mod common;

use common::prova;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> PathBuf {
    std::env::current_dir()
        .expect("the package's folder")
        .join("../../tests/programs/cover")
}

fn cover(file: &Path, more: &[&str]) -> common::Run {
    let file = file.display().to_string();
    let mut words = vec!["cover", &file, "--timeout", "60"];
    words.extend(more);
    prova(words)
}

/// The goals of a run as JSON: kind, line, what it is, and how it ended.
fn goals(file: &Path, more: &[&str]) -> Vec<(String, u32, String, String)> {
    let run = cover(file, &[&["--format", "json"], more].concat());
    let json: serde_json::Value = serde_json::from_str(&run.stdout)
        .unwrap_or_else(|e| panic!("{}: {e}: {}{}", file.display(), run.stdout, run.stderr));
    let goals = json["goals"].as_array().expect("goals");
    let text = |v: &serde_json::Value| v.as_str().unwrap_or_default().to_owned();
    goals
        .iter()
        .map(|g| {
            let place = text(&g["place"]);
            let line = place.rsplit(':').nth(1).and_then(|l| l.parse().ok());
            let line = line.unwrap_or(0);
            (text(&g["kind"]), line, text(&g["what"]), text(&g["end"]))
        })
        .collect()
}

/// Thirty programs small enough to be counted by hand.
#[test]
fn known_coverage_is_found() {
    let table = std::fs::read_to_string(programs().join("expected.csv")).expect("the table");
    let mut expected: BTreeMap<&str, BTreeMap<&str, [usize; 3]>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let words: Vec<&str> = line.split(',').collect();
        let count = |i: usize| words[i].parse().expect("a number");
        let counts = [count(2), count(3), count(4)];
        expected
            .entry(words[0])
            .or_default()
            .insert(words[1], counts);
    }
    assert!(expected.len() >= 30, "{} programs", expected.len());
    for (name, kinds) in expected {
        let all: Vec<&str> = kinds.keys().copied().collect();
        let found = goals(&programs().join(name), &["--goals", &all.join(",")]);
        for (kind, counts) in kinds {
            let of = |end: &str| {
                let own = found.iter().filter(|g| g.0 == kind);
                own.filter(|g| g.3 == end).count()
            };
            let own = [of("covered"), of("impossible"), of("open")];
            assert_eq!(own, counts, "{name}, {kind}: {found:?}");
        }
    }
}

/// Lines that gcov says are executed, of those it knows.
fn gcov(suite: &Path, name: &str) -> BTreeMap<u32, bool> {
    let run = |script: &str| {
        let out = Command::new("sh")
            .arg(suite.join(script))
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        let error = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success(), "{name}: {script}: {said}{error}");
        said
    };
    let said = run("run.sh");
    assert!(said.contains(", 0 failed"), "{name}: {said}");
    run("gcov.sh");
    let mut lines = BTreeMap::new();
    for test in std::fs::read_dir(suite.join("gcov")).expect("tests ran") {
        let file = test.expect("a folder").path().join(format!("{name}.gcov"));
        let text = std::fs::read_to_string(&file).expect("gcov wrote it");
        for line in text.lines() {
            let mut parts = line.splitn(3, ':').map(str::trim);
            let (Some(count), Some(number)) = (parts.next(), parts.next()) else {
                continue;
            };
            let Ok(number) = number.parse::<u32>() else {
                continue;
            };
            if count != "-" && number > 0 {
                *lines.entry(number).or_insert(false) |= !count.starts_with(['#', '=']);
            }
        }
    }
    lines
}

/// The suite compiles, every test ends as it says, and gcov executes the lines that we say are covered
/// and no other.
#[test]
fn gcov_agrees_to_the_line() {
    for name in [
        "array.c",
        "calls.c",
        "early_exit.c",
        "error_calls.c",
        "global_state.c",
        "goto.c",
        "loop_input.c",
        "nested.c",
        "never_called.c",
        "recursive.c",
        "switch_dead.c",
        "user_goal.c",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let suite = folder.path().join("suite");
        let shown = suite.display().to_string();
        let found = goals(
            &programs().join(name),
            &["--goals", "functions,lines,branches", "--suite", &shown],
        );
        let theirs = gcov(&suite, name);
        let ours: BTreeMap<u32, bool> = found
            .iter()
            .filter(|g| g.0 == "lines")
            .map(|g| (g.1, g.3 == "covered"))
            .collect();
        for (line, covered) in &theirs {
            if let Some(own) = ours.get(line) {
                assert_eq!(own, covered, "{name}:{line}");
            }
        }
        let known: BTreeSet<u32> = theirs.keys().copied().collect();
        let covered = ours.iter().filter(|(_, c)| **c).map(|(l, _)| *l);
        let unknown: Vec<u32> = covered.filter(|l| !known.contains(l)).collect();
        assert!(unknown.is_empty(), "{name}: gcov has no lines {unknown:?}");
    }
}

#[test]
fn proofs_of_impossible_goals_are_certified_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let shown = folder.path().display().to_string();
    for name in ["coupled.c", "nested.c", "user_goal.c"] {
        let file = programs().join(name);
        let words = ["--goals", "branches,mcdc,goals", "--certificates", &shown];
        let run = cover(&file, &words);
        assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
        let certificate = folder.path().join("impossible-1.certificate");
        let again = prova([
            "certify".as_ref(),
            file.as_os_str(),
            certificate.as_os_str(),
        ]);
        assert_eq!(
            again.code,
            Some(0),
            "{name}: {}{}",
            again.stdout,
            again.stderr
        );
        // What it does not say it does not prove: a goal that a test covers is none of its goals.
        let text = std::fs::read_to_string(&certificate).expect("a certificate");
        let other = text.replacen("+goal:", "+goal:m0+goal:", 1);
        std::fs::write(&certificate, other).expect("written");
        let wrong = prova([
            "certify".as_ref(),
            file.as_os_str(),
            certificate.as_os_str(),
        ]);
        assert_ne!(wrong.code, Some(0), "{name}: {}", wrong.stdout);
        std::fs::remove_file(&certificate).expect("it is there");
    }
}

/// What is not modelled leaves goals open; it never makes one impossible.
#[test]
fn nothing_is_impossible_beyond_the_border() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("border.c");
    let text = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                if (__VERIFIER_nondet_int() == 3) return 1;\n  if (system(\"true\") == 12345)\n    \
                return 2;\n  return 0;\n}\n";
    std::fs::write(&file, text).expect("written");
    let found = goals(&file, &["--goals", "branches,lines"]);
    assert!(found.iter().any(|g| g.3 == "covered"), "{found:?}");
    assert!(found.iter().any(|g| g.3 == "open" && g.1 >= 5), "{found:?}");
    assert!(found.iter().all(|g| g.3 != "impossible"), "{found:?}");
}

#[test]
fn the_competitions_format_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let property = folder.path().join("coverage-error-call.prp");
    let line = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )";
    std::fs::write(&property, format!("{line}\n")).expect("written");
    let (property, suite) = (property.display().to_string(), folder.path().join("suite"));
    let shown = suite.display().to_string();
    let file = programs().join("error_calls.c");
    let run = cover(&file, &["--property", &property, "--suite", &shown]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run
        .stdout
        .contains("errors     1 of 2 covered, 1 impossible"));
    let read = |name: &str| std::fs::read_to_string(suite.join("xml").join(name)).expect("written");
    assert!(read("metadata.xml").contains(&format!("<specification>{line}</specification>")));
    let test = read("testcase-1.xml");
    assert!(test.contains("coversError=\"true\""), "{test}");
    assert!(test.contains(">12345</input>"), "{test}");
}

#[test]
fn the_page_has_three_colours() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let shown = page.display().to_string();
    let run = cover(&programs().join("nested.c"), &["--page", &shown]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    let text = std::fs::read_to_string(&page).expect("a page");
    let row = |class: &str, code: &str| {
        let mut rows = text.lines().filter(|l| l.starts_with("<tr class"));
        rows.any(|l| l.starts_with(&format!("<tr class=\"{class}\"")) && l.contains(code))
    };
    assert!(row("covered", "n++;"), "{text}");
    assert!(row("impossible", "n = 100;"), "{text}");
    assert!(text.contains("impossible (certificate 1)"), "{text}");
}

#[test]
fn what_is_wrong_is_said_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = programs().join("and.c");
    let property = folder.path().join("wrong.prp");
    std::fs::write(
        &property,
        "\n\nCOVER( init(main()), FQL(COVER NODES(@X)) )\n",
    )
    .expect("written");
    let property = property.display().to_string();
    for (words, said) in [
        (
            vec!["--goals", "branches,everything"],
            "no goals `everything`",
        ),
        (vec!["--property", &property], "wrong.prp: line 3: "),
        (vec!["--entry", "nobody"], "no function `nobody`"),
        (vec!["--property", "no-such.prp"], "no-such.prp"),
    ] {
        let run = cover(&file, &words);
        assert_eq!(run.code, Some(2), "{words:?}: {}", run.stdout);
        assert!(run.stderr.contains(said), "{words:?}: {}", run.stderr);
    }
}
