//! What one engine leaves is worth something to the next: DASH needs fewer iterations behind a turn of
//! `values` than by itself. Counts, never times.

mod support;

use prova_engine::engine::Quota;
use prova_engine::portfolio::After;
use prova_engine::{registry, Dash, Settings, Values};
use support::{check_with, verdict};

const PROGRAMS: [&str; 5] = ["session", "elevator", "retries", "turns", "modem"];

/// The first turn of `auto`.
const FIRST: Quota = Quota {
    steps: 10_000,
    questions: 150,
    ..Quota::ALL
};

/// Iterations after which DASH alone is not waited for any longer.
const ENOUGH: Quota = Quota {
    iterations: 100,
    ..Quota::ALL
};

#[test]
fn dash_needs_fewer_iterations_behind_a_turn_of_values() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/programs/sharing");
    let (values, dash) = (Values::default(), Dash::default());
    let mut no_better = Vec::new();
    for name in PROGRAMS {
        let path = format!("{folder}/{name}.c");
        let source = std::fs::read_to_string(&path).expect("the program is there");
        let turn = Settings {
            quota: Some(FIRST),
            ..Settings::default()
        };
        let turn = registry::checker("values", &turn).expect("it is in the registry");
        let turn = check_with(&*turn, name, &source, None, 60);
        let undecided = verdict(&turn).starts_with("unknown");
        assert!(undecided, "{name}: values need no second turn");
        let enough = Settings {
            quota: Some(ENOUGH),
            ..Settings::default()
        };
        let alone = registry::checker("dash", &enough).expect("it is in the registry");
        let alone = check_with(&*alone, name, &source, None, 60);
        let after = After {
            first: &values,
            quota: FIRST,
            then: &dash,
            settings: Settings::default(),
        };
        let after = check_with(&after, name, &source, None, 60);
        let counts = (alone.statistics.iterations, after.statistics.iterations);
        println!(
            "{name}: alone {} {}, behind values {} {}",
            verdict(&alone),
            counts.0,
            verdict(&after),
            counts.1
        );
        assert_eq!(verdict(&after), "true", "{name}");
        if counts.1 >= counts.0 {
            no_better.push((name, counts));
        }
    }
    assert!(no_better.is_empty(), "{no_better:?}");
}
