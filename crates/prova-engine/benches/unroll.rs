//! How long it takes to unwind the programs of `tests/programs/bytes`, and what that took: the places
//! visited, the terms made, the questions and the time that answers took.

use prova_engine::registry::{checker, Settings};
use prova_spec::{weave, Check, Property};
use prova_task::{Budget, Outcome, Silent, Task};
use std::time::Duration;

fn main() {
    let folder = "../../tests/programs/bytes";
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|e| e.expect("it can be read").path())
        .collect();
    paths.sort();
    println!(
        "program          property      verdict    places     terms  questions  seconds  solving"
    );
    for path in paths {
        let source = std::fs::read_to_string(&path).expect("text");
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        for property in ["unreach-call", "valid-deref"] {
            let Some(task) = task(&name, &source, property) else {
                println!("{name:16} {property:12} cannot be woven in");
                continue;
            };
            let engine = checker("bmc", &Settings::default()).expect("it is in the list");
            let budget = Budget::new(Some(Duration::from_secs(60)), None);
            let report = engine.check(&task, &budget, &mut Silent);
            let verdict = match report.outcome {
                Outcome::Proved(_) => "proved",
                Outcome::Violated(_) => "violated",
                Outcome::Bounded(_) => "bounded",
                Outcome::Unknown(_) => "unknown",
            };
            let s = &report.statistics;
            println!(
                "{name:16} {property:12} {verdict:8} {:9} {:9} {:10} {:8.2} {:8.2}",
                s.counter("visits"),
                s.counter("terms"),
                s.solver_calls,
                s.time.as_secs_f64(),
                s.solver_time.as_secs_f64(),
            );
        }
    }
}

/// The program with a property woven in.
fn task(name: &str, source: &str, property: &str) -> Option<Task> {
    let property = Property::named(property)?;
    let options = prova_c::Options {
        checks: property.needs_operations(),
        ..prova_c::Options::default()
    };
    let unit = prova_c::parse_text(name, source, &options).ok()?;
    let mut program = prova_c::lower(vec![unit], &options).ok()?.program;
    weave(&mut program, &Check::of(property)).ok()?;
    Some(Task::new(program, 0))
}
