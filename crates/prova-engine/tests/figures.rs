//! The programs after the papers' figures, and the shape of the work on their families: counts,
//! never times.

mod support;

use prova_engine::Sources;
use prova_engine::{Dash, Granularity};
use std::fmt::Write;
use support::{check_with, verdict};

#[test]
fn every_figure_has_its_verdict() {
    let folder = "../../tests/programs/figures";
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    names.sort();
    assert!(names.len() >= 15);
    let mut wrong = Vec::new();
    for path in names {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let line = |key: &str| {
            source
                .lines()
                .find_map(|l| l.strip_prefix(key))
                .map(str::trim)
        };
        let expected = line("// expect:").expect("first line says what to expect");
        let report = check_with(&Dash::default(), &name, &source, line("// entry:"), 300);
        let said = verdict(&report);
        println!("{name}: {said} {:?}", report.statistics);
        if said != expected {
            wrong.push(format!("{name}: expected {expected}, got {said}"));
        }
        assert_eq!(
            report.statistics.solver_calls, report.statistics.iterations,
            "{name}: one call per iteration"
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// After DASH Figure 5: a pointer checked against n others, then written.
fn alias_family(n: usize) -> String {
    let mut text = String::from("extern void reach_error(void);\nvoid foo(int *p");
    for i in 0..n {
        write!(text, ", int *p{i}").unwrap();
    }
    text.push_str(") {\n");
    for i in 0..n {
        writeln!(text, "  if (p == p{i}) return;").unwrap();
    }
    for i in 0..n {
        writeln!(text, "  *p{i} = 0;").unwrap();
    }
    text.push_str("  *p = 1;\n");
    // One condition, as in the figure: `|` evaluates all of it.
    text.push_str("  if (0");
    for i in 0..n {
        write!(text, " | (*p{i} == 1)").unwrap();
    }
    text.push_str(") reach_error();\n}\n");
    text
}

/// After SYNERGY Figure 8: n diamonds that do not touch the lock.
fn diamonds(n: usize) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint held;\nint main(void) {\n  int x = 0;\n  held = 1;\n",
    );
    for _ in 0..n {
        text.push_str("  if (__VERIFIER_nondet_int()) x = x + 1; else x = x - 1;\n");
    }
    text.push_str("  if (held != 1) reach_error();\n  return x;\n}\n");
    text
}

/// After SYNERGY Figure 1 with another bound.
fn counting(bound: u32) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {{\n  int limit = __VERIFIER_nondet_int();\n  int count = 0, sum = 0;\n  while (count < {bound}) {{\n    sum = sum + count;\n    count = count + 1;\n  }}\n  if (limit == 12345) reach_error();\n  return sum;\n}}\n"
    )
}

/// DASH as the paper has it: what other sources know beforehand would hide the shape of the work.
fn plain() -> Dash {
    Dash {
        sources: Sources {
            core: true,
            branch: true,
            ..Sources::NONE
        },
        ..Dash::default()
    }
}

/// Growth of at most `factor` per doubling, after the first.
fn assert_linear(what: &str, counts: &[(usize, u64)]) {
    for pair in counts.windows(2).skip(1) {
        let ((n, a), (m, b)) = (pair[0], pair[1]);
        let ratio = (m as f64) / (n as f64);
        assert!(
            (b as f64) <= (a as f64) * ratio * 1.25 + 8.0,
            "{what} grows faster than linearly: {counts:?}"
        );
    }
}

#[test]
fn aliasing_costs_linearly_in_the_number_of_pointers() {
    let (mut iterations, mut sizes) = (Vec::new(), Vec::new());
    for n in [2, 4, 8, 16, 32, 64] {
        let report = check_with(&plain(), "family.c", &alias_family(n), Some("foo"), 300);
        assert_eq!(verdict(&report), "true", "n = {n}");
        assert_eq!(report.statistics.solver_calls, report.statistics.iterations);
        iterations.push((n, report.statistics.iterations));
        sizes.push((n, report.statistics.counter("largest_predicate")));
    }
    println!("{iterations:?} {sizes:?}");
    assert_linear("iterations", &iterations);
    assert_linear("largest predicate", &sizes);
}

#[test]
fn diamonds_cost_linearly() {
    let mut iterations = Vec::new();
    for n in [4, 8, 16, 32, 64, 128, 256, 512] {
        let report = check_with(&plain(), "diamonds.c", &diamonds(n), None, 60);
        assert_eq!(verdict(&report), "true", "n = {n}");
        iterations.push((n, report.statistics.iterations));
    }
    println!("{iterations:?}");
    assert_linear("iterations", &iterations);
}

#[test]
fn a_longer_loop_takes_no_more_iterations() {
    let counts: Vec<u64> = [10, 1_000, 100_000, 1_000_000]
        .into_iter()
        .map(|bound| {
            let report = check_with(&plain(), "counting.c", &counting(bound), None, 60);
            assert_eq!(verdict(&report), "false", "bound {bound}");
            report.statistics.iterations
        })
        .collect();
    assert!(counts.iter().all(|&c| c == counts[0]), "{counts:?}");
}

#[test]
fn the_same_input_takes_the_same_iterations() {
    let source = include_str!("../../../tests/programs/figures/synergy_03_lock_loop.c");
    let run = || check_with(&plain(), "a.c", source, None, 60);
    let (a, b) = (run(), run());
    assert!(a.statistics.iterations > 1);
    assert_eq!(a.statistics.iterations, b.statistics.iterations);
    assert_eq!(a.statistics.splits, b.statistics.splits);
    assert_eq!(a.statistics.regions, b.statistics.regions);
}

#[test]
fn all_granularities_agree() {
    for name in [
        "synergy_03_lock_loop",
        "synergy_08_diamonds",
        "yorsh_02_null_pointer_bug",
        "dash_06_increment_twice",
    ] {
        let path = format!("../../tests/programs/figures/{name}.c");
        let source = std::fs::read_to_string(path).unwrap();
        let verdicts: Vec<String> = [
            Granularity::Statement,
            Granularity::Basic,
            Granularity::LoopFree,
        ]
        .map(|granularity| {
            let dash = Dash {
                granularity,
                ..Dash::default()
            };
            verdict(&check_with(&dash, name, &source, None, 60))
        })
        .to_vec();
        assert!(
            verdicts.iter().all(|v| *v == verdicts[0]),
            "{name}: {verdicts:?}"
        );
    }
}
