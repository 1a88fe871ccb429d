//! Random small programs decided twice: by running all inputs, and by DASH. Never a disagreement.
//! 100 with the ordinary tests; `PROVA_LONG=1` for 2,000.

mod support;

use prova_engine::Dash;
use prova_exec::{run_plain, Code, Limits, RunEnd, Test};
use std::sync::Arc;
use support::generate::{program, DOMAIN};
use support::{check_with, lower, verdict};

/// Whether some inputs reach the error.
fn exhaustive(source: &str, inputs: usize) -> bool {
    let mut program = lower("random.c", source);
    prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
    let code = Code::new(Arc::new(program)).expect("a generated program runs");
    let count = DOMAIN.pow(inputs as u32);
    (0..count).any(|mut index| {
        let values: Vec<u128> = (0..inputs)
            .map(|_| {
                let value = index % DOMAIN;
                index /= DOMAIN;
                value
            })
            .collect();
        let summary = run_plain(&code, &Test::of_values(values), Limits::default());
        assert!(
            !matches!(summary.end, RunEnd::Unsupported(_) | RunEnd::Trap(..)),
            "{:?}\n{source}",
            summary.end
        );
        matches!(summary.end, RunEnd::ErrorReached(_))
    })
}

fn compare(seeds: std::ops::Range<u64>) {
    let (mut unknown, mut total) = (0, 0);
    for seed in seeds {
        let generated = program(seed, false);
        let expected = if exhaustive(&generated.source, generated.inputs) {
            "false"
        } else {
            "true"
        };
        let report = check_with(&Dash::default(), "random.c", &generated.source, None, 4);
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
    let many = std::env::var_os("PROVA_LONG").is_some();
    compare(0..if many { 2_000 } else { 100 });
}
