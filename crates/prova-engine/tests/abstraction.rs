//! `impact`, `lazy` and `slam` on programs after the figures of their papers, on programs that would
//! embarrass them, and on all test programs with a small limit: none may be wrong.

mod support;

use prova_engine::engine::Quota;
use prova_engine::engines::impact::Impact;
use prova_engine::engines::slam::{boolean_program, Slam};
use prova_engine::registry::{checker, Settings};
use prova_engine::{Abstraction, Granularity};
use prova_task::{Budget, Checker};
use support::{check_with, task, verdict};

const ENGINES: [&str; 3] = ["impact", "lazy", "slam"];

fn engine(name: &str) -> Box<dyn Checker> {
    checker(name, &Settings::default()).expect("it is in the registry")
}

/// The C files of a folder of test programs: name, text, and the verdict that its first line expects.
fn programs(folder: &str) -> Vec<(String, String, String)> {
    let folder = format!("../../tests/programs/{folder}");
    let files = std::fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<_> = files.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    let read = |path: std::path::PathBuf| {
        let source = std::fs::read_to_string(&path).expect("it can be read");
        let expected = source.lines().next()?.split("expect:").nth(1)?;
        let expected = expected.split_whitespace().next()?.to_string();
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((name, source, expected))
    };
    paths.into_iter().filter_map(read).collect()
}

fn source(name: &str) -> String {
    let path = format!("../../tests/programs/abstraction/{name}");
    std::fs::read_to_string(path).expect("it is there")
}

#[test]
fn figures_have_their_verdicts() {
    let mut wrong = Vec::new();
    for (name, source, expected) in programs("abstraction") {
        for engine_name in ENGINES {
            // What no predicate of a path shows is for another test.
            if name.starts_with("runs_on") {
                continue;
            }
            let report = check_with(&*engine(engine_name), &name, &source, None, 60);
            let said = verdict(&report);
            println!(
                "{engine_name} {name}: {said}, {} iterations",
                report.statistics.iterations
            );
            if said != expected {
                wrong.push(format!("{engine_name} {name}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nobody_is_wrong_on_the_test_programs() {
    let mut wrong = Vec::new();
    let mut solved = [0; 3];
    let few = Settings {
        quota: Some(Quota {
            iterations: 12,
            ..Quota::ALL
        }),
        ..Settings::default()
    };
    for folder in ["", "figures", "loops", "values"] {
        for (name, source, expected) in programs(folder) {
            if source.contains("// entry:") {
                continue;
            }
            for (i, engine_name) in ENGINES.iter().enumerate() {
                let engine = checker(engine_name, &few).expect("it is in the registry");
                let said = verdict(&check_with(&*engine, &name, &source, None, 1));
                if said == expected {
                    solved[i] += 1;
                } else if !said.starts_with("unknown") {
                    wrong.push(format!("{engine_name} {folder}/{name}: {said}"));
                } else {
                    println!("{engine_name} {folder}/{name}: {said}");
                }
            }
        }
    }
    println!("{ENGINES:?}: {solved:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(solved.iter().all(|&s| s >= 15), "{ENGINES:?}: {solved:?}");
}

#[test]
fn impact_covers_and_uncovers() {
    for forced_covering in [false, true] {
        let engine = Impact {
            forced_covering,
            ..Impact::default()
        };
        let settings = Settings::default();
        for (name, expected) in [
            ("impact_covering.c", "true"),
            ("impact_covering_bug.c", "false"),
        ] {
            let task = task(name, &source(name), None);
            let budget = Budget::new(Some(std::time::Duration::from_secs(60)), None);
            let mut observer = prova_task::Silent;
            let report =
                prova_engine::portfolio::alone(&engine, &settings, &task, &budget, &mut observer);
            assert_eq!(verdict(&report), expected, "{name}");
            let forced = report.statistics.counter("forced_covers");
            assert!(forced_covering || forced == 0, "{name}: {forced}");
        }
    }
}

/// Diamonds that have nothing to do with the question: covering makes their number of paths no
/// matter (McMillan's reason for forced covering; SYNERGY, Figure 8).
fn diamonds(n: usize) -> String {
    let mut text = String::from(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) { int lock = 1, x = 0;\n",
    );
    for i in 0..n {
        text.push_str(&format!(
            "  if (__VERIFIER_nondet_int()) x += {i}; else x -= 1;\n"
        ));
    }
    text.push_str("  if (x == 7654) x = 0;\n  if (lock != 1) reach_error();\n  return 0; }\n");
    text
}

#[test]
fn diamonds_do_not_multiply() {
    for name in ENGINES {
        let iterations = |n| {
            let report = check_with(&*engine(name), "diamonds.c", &diamonds(n), None, 60);
            assert_eq!(verdict(&report), "true", "{name} {n}");
            report.statistics.iterations
        };
        let (few, many) = (iterations(4), iterations(16));
        assert!(many <= few + 14, "{name}: {few}, then {many}");
    }
}

/// A deterministic loop: SLAM needs about as many iterations as the loop has rounds (SYNERGY,
/// section 5, test3, test4).
fn counting(rounds: usize) -> String {
    format!(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) {{ int i = 0, a = __VERIFIER_nondet_int();\n\
         while (i < {rounds}) i++;\n  if (i != {rounds} && a == 654321) reach_error();\n\
         return 0; }}\n"
    )
}

#[test]
fn boolean_and_cartesian_agree() {
    for abstraction in [Abstraction::Cartesian, Abstraction::Boolean] {
        let settings = Settings {
            abstraction,
            ..Settings::default()
        };
        for name in ["lazy", "slam"] {
            let engine = checker(name, &settings).expect("it is in the registry");
            for file in [
                "impact_01_lock.c",
                "lazy_03_driver.c",
                "impact_01_lock_bug.c",
            ] {
                let expected = (!file.contains("bug")).to_string();
                let report = check_with(&*engine, file, &source(file), None, 60);
                assert_eq!(verdict(&report), expected, "{name} {abstraction:?} {file}");
            }
            let report = check_with(&*engine, "counting.c", &counting(3), None, 60);
            assert_eq!(verdict(&report), "true", "{name} {abstraction:?}");
        }
    }
}

#[test]
fn slam_runs_on_where_the_paper_says_so() {
    for name in ["runs_on_parity.c", "runs_on_inside.c"] {
        let report = check_with(&*engine("slam"), name, &source(name), None, 6);
        let said = verdict(&report);
        assert!(said.starts_with("unknown"), "{name}: {said}");
        assert!(report.statistics.iterations > 4, "{name}");
    }
}

#[test]
fn a_boolean_program_can_be_read() {
    let task = task("lock.c", &source("impact_01_lock.c"), None);
    let budget = Budget::new(Some(std::time::Duration::from_secs(60)), None);
    let printed = boolean_program(&Slam::default(), &task, Granularity::Basic, &budget, 20);
    let (text, iterations) = printed.unwrap_or_else(|e| panic!("{e}"));
    println!("{text}");
    assert!(iterations > 1);
    for expected in [
        "decl b0;",
        "lock",
        "void main() begin",
        "goto L",
        "assert(false);",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
