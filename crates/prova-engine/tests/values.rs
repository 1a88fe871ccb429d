//! Explicit values: their own programs, every other program, and random ones. A wrong verdict
//! fails; so does solving fewer than before.

mod support;

use prova_engine::{Auto, Dash, Values};
use prova_task::Checker;
use support::generate::program;
use support::{check_with, exhaustive, verdict};

fn programs(folder: &str) -> Vec<(String, String, String)> {
    let root = "../../tests/programs";
    let mut paths: Vec<_> = std::fs::read_dir(format!("{root}/{folder}"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let first = source.lines().next().unwrap_or_default();
        let expected = first.split("expect:").nth(1).expect("an expectation");
        let expected = expected.split_whitespace().next().expect("a verdict");
        found.push((name, source.clone(), expected.to_string()));
    }
    assert!(!found.is_empty());
    found
}

#[test]
fn its_own_programs() {
    for (name, source, expected) in programs("values") {
        let said = verdict(&check_with(&Values::default(), &name, &source, None, 20));
        match expected.as_str() {
            "unknown" => assert!(said.starts_with("unknown"), "{name}: {said}"),
            _ => assert_eq!(said, expected, "{name}"),
        }
    }
}

#[test]
fn no_engine_proves_what_lies_behind_undefined_behaviour() {
    for (name, source, _) in programs("values")
        .into_iter()
        .filter(|p| p.0 == "behind_undefined.c")
    {
        let engines: [&dyn Checker; 3] = [&Values::default(), &Dash::default(), &Auto::default()];
        for engine in engines {
            let said = verdict(&check_with(engine, &name, &source, None, 10));
            assert!(said.starts_with("unknown"), "{}: {said}", engine.name());
        }
    }
}

#[test]
fn no_program_gets_a_wrong_verdict() {
    let (mut solved, mut wrong) = (0, Vec::new());
    let engine = Values {
        steps: Some(20_000),
        ..Values::default()
    };
    for (name, source, expected) in programs("") {
        let said = verdict(&check_with(&engine, &name, &source, None, 20));
        println!("{name}: {said}");
        if said == expected {
            solved += 1;
        } else if !said.starts_with("unknown") {
            wrong.push(format!("{name}: expected {expected}, got {said}"));
        }
    }
    println!("{solved} solved");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(solved >= 12, "only {solved} solved");
}

#[test]
fn exhaustive_execution_agrees() {
    let many = std::env::var_os("PROVA_LONG").is_some();
    let engine = Values {
        steps: Some(20_000),
        ..Values::default()
    };
    let (mut unknown, mut total) = (0, 0);
    for seed in 0..if many { 2_000 } else { 100 } {
        let generated = program(seed, false);
        let expected = if exhaustive(&generated.source, generated.inputs) {
            "false"
        } else {
            "true"
        };
        let said = verdict(&check_with(&engine, "random.c", &generated.source, None, 4));
        total += 1;
        if said.starts_with("unknown") {
            unknown += 1;
        } else {
            assert_eq!(said, expected, "seed {seed}\n{}", generated.source);
        }
    }
    println!("{total} programs, {unknown} unknown");
    assert!(unknown * 2 <= total, "{unknown} of {total} unknown");
}
