//! Random small programs with procedures, recursive ones among them, decided by running all inputs
//! and procedure by procedure. Never a disagreement. `PROVA_LONG=1` for many more.

mod support;

use prova_engine::Dash;
use prova_task::Inline;
use support::exhaustive;
use support::generate::program;
use support::{check_with, verdict};

fn compare(seeds: std::ops::Range<u64>, without_summaries: bool) {
    let dash = Dash {
        inline: Inline::Never,
        without_summaries,
        // Counted, so that a slow machine says the same.
        iterations: Some(150),
        ..Dash::default()
    };
    let (mut unknown, mut total) = (0, 0);
    for seed in seeds {
        let generated = program(seed, true);
        let expected = if exhaustive(&generated.source, generated.inputs) {
            "false"
        } else {
            "true"
        };
        let report = check_with(&dash, "random.c", &generated.source, None, 30);
        let said = verdict(&report);
        total += 1;
        if said.starts_with("unknown") {
            println!("seed {seed}: {said}");
            unknown += 1;
        } else {
            assert_eq!(said, expected, "seed {seed}\n{}", generated.source);
        }
        assert_eq!(
            report.statistics.solver_calls, report.statistics.iterations,
            "seed {seed}"
        );
    }
    println!("{total} programs, {unknown} unknown");
    assert!(unknown * 4 <= total, "{unknown} of {total} unknown");
}

#[test]
fn exhaustive_execution_agrees_on_procedures() {
    // `PROVA_SEEDS=200..400` looks at these programs only.
    if let Ok(seeds) = std::env::var("PROVA_SEEDS") {
        let (from, to) = seeds.split_once("..").expect("a range");
        return compare(from.parse().expect("from")..to.parse().expect("to"), false);
    }
    let many = std::env::var_os("PROVA_LONG").is_some();
    compare(0..if many { 2_000 } else { 20 }, false);
    compare(0..if many { 300 } else { 4 }, true);
}

#[test]
#[ignore = "prints a program"]
fn print_program() {
    let seed = std::env::var("PROVA_SEED").expect("PROVA_SEED");
    println!("{}", program(seed.parse().expect("a number"), true).source);
}
