//! `--undefined`: what functions without a body may write, from outside. The first line of each
//! program says what holds under which reading.

mod common;

use common::{prova, Run};
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/undefined");
    let files = std::fs::read_dir(folder).expect("the programs");
    let mut found: Vec<PathBuf> = files.map(|f| f.expect("a file").path()).collect();
    found.sort();
    found
}

fn program(name: &str) -> PathBuf {
    let mut all = programs().into_iter();
    all.find(|p| p.ends_with(name)).expect("the program")
}

fn check(file: &Path, options: &[&str]) -> Run {
    let options = options.iter().map(AsRef::as_ref);
    prova(
        ["check".as_ref(), file.as_os_str()]
            .into_iter()
            .chain(options),
    )
}

/// The exit status that a program's first line promises, if it does.
fn expected(file: &Path, reading: &str) -> Option<i32> {
    let text = std::fs::read_to_string(file).expect("readable");
    let first = text.lines().next().unwrap_or_default();
    let line = first.strip_prefix("// expect: ").expect("an expectation");
    let mut words = line.split(", ").filter_map(|w| w.split_once(' '));
    let verdict = words.find(|w| w.0 == reading)?.1;
    Some(match verdict {
        "true" => 0,
        "false" => 1,
        "unknown" => 3,
        other => panic!("there is no verdict `{other}`"),
    })
}

#[test]
fn each_program_has_the_verdict_that_it_promises_and_what_was_written_is_written_natively() {
    assert!(programs().len() >= 15);
    for file in programs() {
        for reading in ["pure", "havoc"] {
            let wanted = expected(&file, reading);
            if wanted.is_none() {
                continue;
            }
            let run = check(&file, &["--undefined", reading]);
            assert_eq!(run.code, wanted, "{reading}: {}: {run:?}", file.display());
            let said = match (wanted, file.ends_with("library_variable.c")) {
                (Some(1), _) => "replayed: compiled with a harness",
                // A variable of the library's own is the harness's, and it does not change it.
                (Some(3), true) => "it was not run natively",
                (Some(3), false) => "which has no body and may call back",
                _ => "proved",
            };
            assert!(run.stdout.contains(said), "{}: {run:?}", file.display());
        }
    }
}

#[test]
fn all_engines_read_it_alike() {
    let names = ["out_parameter.c", "escapes_later.c", "escaped_before.c"];
    for name in names {
        let file = program(name);
        for options in [
            &["--engine", "dash"][..],
            &["--engine", "values"],
            &["--engine", "dash", "--inline", "never"],
        ] {
            let run = check(&file, options);
            assert_eq!(run.code, expected(&file, "havoc"), "{options:?}: {run:?}");
        }
    }
}

#[test]
fn the_verdict_says_what_is_assumed() {
    let file = program("other_global.c");
    let run = check(&file, &[]);
    let line =
        "`get` has no body; it returns an arbitrary value and may write what it reaches by what it was given (2 calls";
    assert!(run.stdout.contains(line), "{run:?}");
    let run = check(&file, &["--undefined", "pure"]);
    let line = "`get` has no body; it returns an arbitrary value and changes nothing (2 calls";
    assert!(run.stdout.contains(line), "{run:?}");
    let run = check(&program("heap_other.c"), &[]);
    let line = "of memory without a name, `set` changes one object of its parameter's type";
    assert!(run.stdout.contains(line), "{run:?}");
}

#[test]
fn the_competition_has_a_rule_of_its_own() {
    let file = program("out_parameter.c");
    let run = check(&file, &["--format", "svcomp"]);
    assert_eq!(run.stdout.lines().last(), Some("TRUE"), "{run:?}");
    let run = check(&file, &["--format", "svcomp", "--undefined", "havoc"]);
    assert_eq!(
        run.stdout.lines().last(),
        Some("FALSE(unreach-call)"),
        "{run:?}"
    );
}

#[test]
fn a_certificate_says_how_they_were_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proof.cert");
    let certificate = file.to_str().expect("a plain path");
    let source = program("escapes_later.c");
    let certify = |options: &[&str]| {
        let options = options.iter().map(AsRef::as_ref);
        prova(
            ["certify".as_ref(), source.as_os_str(), file.as_os_str()]
                .into_iter()
                .chain(options),
        )
    };
    for (reading, other) in [("pure", "havoc"), ("havoc", "pure")] {
        let run = check(
            &source,
            &["--undefined", reading, "--certificate", certificate],
        );
        assert_eq!(run.code, Some(0), "{run:?}");
        for options in [&[][..], &["--undefined", reading]] {
            let run = certify(options);
            assert_eq!(run.code, Some(0), "{options:?}: {run:?}");
        }
        let run = certify(&["--undefined", other]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(
            run.stderr
                .contains(&format!("made with `--undefined {reading}`")),
            "{run:?}"
        );
        // Whoever writes another word into it has another program.
        let text = std::fs::read_to_string(&file).expect("the certificate");
        let forged = text.replace(
            &format!("(assume undefined \"{reading}\")"),
            &format!("(assume undefined \"{other}\")"),
        );
        assert_ne!(forged, text);
        std::fs::write(&file, forged).expect("written");
        let run = certify(&[]);
        assert_ne!(run.code, Some(0), "{run:?}");
    }
}

#[test]
fn a_project_may_say_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = std::fs::read_to_string(program("out_parameter.c")).expect("readable");
    std::fs::write(folder.path().join("a.c"), source).expect("written");
    let project = folder.path().join("prova.toml");
    for (reading, code) in [("pure", 0), ("havoc", 1)] {
        let text = format!("sources = [\"a.c\"]\nundefined = \"{reading}\"\n");
        std::fs::write(&project, text).expect("written");
        let run = prova(["check".as_ref(), "--config".as_ref(), project.as_os_str()]);
        assert_eq!(run.code, Some(code), "{run:?}");
    }
}
