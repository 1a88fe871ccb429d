//! What the engine's tests share: C text in, report out.
#![allow(dead_code)]

pub mod aliasing;
pub mod drivers;
pub mod generate;
pub mod turn;

use prova_engine::Dash;
use prova_exec::{run_plain, Code, Limits, RunEnd, Test};
use prova_ir::Program;
use prova_task::{Budget, Checker, Outcome, Report, Silent, Task};
use std::sync::Arc;
use std::time::Duration;

/// Lowers C text; panics with the diagnostics if it is not accepted.
pub fn lower(name: &str, source: &str) -> Program {
    let options = prova_c::Options::default();
    let unit =
        prova_c::parse_text(name, source, &options).unwrap_or_else(|e| panic!("{e}\n{source}"));
    match prova_c::lower(vec![unit], &options) {
        Ok(lowered) => lowered.program,
        Err(diagnostics) => panic!("{name}: {diagnostics:?}\n{source}"),
    }
}

/// The program with reachability of `reach_error` woven in, from `main` or an entry with
/// arbitrary arguments.
pub fn task(name: &str, source: &str, entry: Option<&str>) -> Task {
    let mut program = lower(name, source);
    prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
    if let Some(entry) = entry {
        let procedure = program.find_procedure(entry).expect("the entry exists");
        prova_spec::make_entry(&mut program, procedure).expect("an entry");
    }
    Task::new(program, 0)
}

/// Checks C text with DASH.
pub fn check_with(
    engine: &dyn Checker,
    name: &str,
    source: &str,
    entry: Option<&str>,
    seconds: u64,
) -> Report {
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    engine.check(&task(name, source, entry), &budget, &mut Silent)
}

/// Checks C text with DASH as it comes.
pub fn check(name: &str, source: &str) -> Report {
    check_with(&Dash::default(), name, source, None, 60)
}

/// The verdict in one word.
pub fn verdict(report: &Report) -> String {
    match &report.outcome {
        Outcome::Proved(_) => "true".into(),
        Outcome::Violated(_) => "false".into(),
        Outcome::Bounded(_) => "bounded".into(),
        Outcome::Unknown(reason) => format!("unknown({reason})"),
    }
}

/// Whether some inputs reach the error of a generated program.
pub fn exhaustive(source: &str, inputs: usize) -> bool {
    let mut program = lower("random.c", source);
    prova_spec::weave_unreach_call(&mut program, &prova_spec::Spec::default());
    let code = Code::new(Arc::new(program)).expect("a generated program runs");
    let count = generate::DOMAIN.pow(inputs as u32);
    (0..count).any(|mut index| {
        let values: Vec<u128> = (0..inputs)
            .map(|_| {
                let value = index % generate::DOMAIN;
                index /= generate::DOMAIN;
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
