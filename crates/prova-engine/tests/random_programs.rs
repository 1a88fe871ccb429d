//! Random small programs decided twice: by running all inputs, and by DASH. Never a disagreement.
//! 100 with the ordinary tests; `PROVA_LONG=1` for 2,000.

mod support;

use prova_engine::Dash;
use support::generate::program;
use support::{check_with, exhaustive, verdict};

fn compare(seeds: std::ops::Range<u64>) {
    // Counted, so that a slow machine says the same.
    let dash = Dash {
        iterations: Some(60),
        ..Dash::default()
    };
    let (mut unknown, mut total) = (0, 0);
    for seed in seeds {
        let generated = program(seed, false);
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
    assert!(unknown * 8 <= total, "{unknown} of {total} unknown");
}

#[test]
fn exhaustive_execution_agrees() {
    // `PROVA_SEEDS=200..400` looks at these programs only.
    if let Ok(seeds) = std::env::var("PROVA_SEEDS") {
        let (from, to) = seeds.split_once("..").expect("a range");
        return compare(from.parse().expect("from")..to.parse().expect("to"));
    }
    let many = std::env::var_os("PROVA_LONG").is_some();
    compare(0..if many { 2_000 } else { 100 });
}

#[test]
#[ignore = "prints a program"]
fn print_program() {
    let seed = std::env::var("PROVA_SEED").expect("PROVA_SEED");
    println!("{}", program(seed.parse().expect("a number"), false).source);
}
