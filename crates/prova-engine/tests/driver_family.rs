//! The synthetic driver family: verdicts, and how the work grows with the number of handlers.
//! `PROVA_LONG=1` prints the table of `docs/performance.md`.

mod support;

use prova_engine::Dash;
use prova_task::Inline;
use support::drivers::driver;
use support::{check_with, verdict};

fn dash(inline: Inline, without_summaries: bool) -> Dash {
    Dash {
        inline,
        without_summaries,
        ..Dash::default()
    }
}

#[test]
fn drivers_are_proved_and_their_bugs_found() {
    let modular = dash(Inline::Never, false);
    let report = check_with(&modular, "driver.c", &driver(2, None), None, 120);
    assert_eq!(verdict(&report), "true");
    let report = check_with(&modular, "driver.c", &driver(2, Some(1)), None, 120);
    assert_eq!(verdict(&report), "false");
}

#[test]
#[ignore = "prints figures"]
fn figures() {
    let sizes: Vec<usize> = match std::env::var("PROVA_SIZES") {
        Ok(sizes) => sizes
            .split(',')
            .map(|n| n.parse().expect("a size"))
            .collect(),
        Err(_) => vec![4, 8, 16, 32, 64],
    };
    let seconds = 300;
    println!("| n | lines | mode | verdict | iterations | queries | graphs | summaries | regions | seconds |");
    for n in sizes {
        let source = driver(n, None);
        for (name, dash) in [
            ("queries", dash(Inline::Never, false)),
            ("no summaries", dash(Inline::Never, true)),
            ("inlined", dash(Inline::Always, false)),
        ] {
            let report = check_with(&dash, "driver.c", &source, None, seconds);
            let s = &report.statistics;
            println!(
                "| {n} | {} | {name} | {} | {} | {} | {} | {} | {} | {:.1} |",
                source.lines().count(),
                verdict(&report),
                s.iterations,
                s.counter("queries"),
                s.counter("graphs"),
                s.counter("summaries_used"),
                s.regions,
                s.time.as_secs_f64()
            );
        }
    }
}

#[test]
#[ignore = "prints a driver"]
fn print() {
    let n = std::env::var("PROVA_SIZES").expect("PROVA_SIZES");
    println!("{}", driver(n.parse().expect("a size"), None));
}
