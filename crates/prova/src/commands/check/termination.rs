//! The property `termination`: the engine is asked through measures and cycles, and what it says is
//! about a program with checks of these in it.

use std::sync::Arc;

use prova_engine::{registry, Settings};
use prova_ir::{Assumption, Program, World};
use prova_rank::{weave, Ranking, Refused};
use prova_spec::{Check, Property};
use prova_task::{check_modelled, Budget, Checker, Observer, Report, Task};
use prova_termination::Question;

use super::property::woven;

/// Who proves that measures fall, the quick ones first.
const ENGINES: [&str; 4] = ["lazy", "ai", "auto", "pdr"];
/// Who looks for runs that come back to where they were.
const UNWINDING: [&str; 2] = ["bmc", "auto"];

/// What was decided, and about which program.
pub struct Decided {
    pub report: Report,
    /// The program that the evidence speaks of.
    pub task: Arc<Task>,
    /// The measures in it, as certificates say them.
    pub measures: Vec<String>,
    /// The property that is woven into it.
    pub key: String,
}

/// Whether a check is about termination.
pub fn is_asked(check: &Check) -> bool {
    check.properties.contains(&Property::Termination)
}

/// The check of termination where no operation overflows.
fn defined(check: &Check) -> Check {
    Check {
        properties: vec![Property::Termination, Property::NoOverflow],
        ..check.clone()
    }
}

/// Decides a task of any property.
pub fn decide(
    engine: &dyn Checker,
    (settings, overflow_ends): (&Settings, bool),
    (program, check, entry, world): (&Program, &Check, &Option<String>, &World),
    task: &Arc<Task>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Decided {
    if !is_asked(check) {
        return Decided {
            report: check_modelled(engine, task, budget, observer),
            task: task.clone(),
            measures: Vec::new(),
            key: check.key(),
        };
    }
    let strict = defined(check);
    let other = woven(program, &strict, entry, world)
        .ok()
        .and_then(Result::ok);
    let other = other.map(|woven| Task {
        assumed: woven.assumed,
        unmodelled: woven.unmodelled,
        ..Task::new(woven.program, task.seed)
    });
    // Who was chosen by name is asked alone.
    let named = |names: &[&str]| -> Vec<Box<dyn Checker>> {
        let chosen = [engine.name()];
        let names = match engine.name() == registry::AUTO.0 {
            true => names,
            false => &chosen[..],
        };
        let made = names.iter().map(|name| registry::checker(name, settings));
        made.flatten().collect()
    };
    let question = Question {
        task,
        defined: other.as_ref(),
        overflow_ends,
        engines: &named(&ENGINES),
        unwinding: &named(&UNWINDING),
    };
    let answer = prova_termination::check(question, budget, observer);
    Decided {
        measures: answer.ranking.lines(),
        key: match answer.defined {
            true => strict.key(),
            false => check.key(),
        },
        report: answer.report,
        task: Arc::new(answer.task),
    }
}

/// Weaves the measures of a certificate into a program. What it then rests on beside what it rests on anyway.
pub fn weave_measures(
    program: &mut Program,
    lines: &[String],
) -> Result<Option<Assumption>, String> {
    let ranking = Ranking::parse(lines.iter().map(String::as_str)).map_err(|e| e.to_string())?;
    weave(program, &ranking).map_err(|e: Refused| e.to_string())?;
    Ok(ranking.undefined_ends.then_some(Assumption::Overflow))
}
