//! The property `termination`: the engine is asked through measures and cycles, and what it says is
//! about a program with checks of these in it.

use std::sync::Arc;

use prova_engine::Settings;
use prova_ir::{Assumption, Program, World};
use prova_rank::weave::allowed;
use prova_rank::{weave, Ranking, Refused};
use prova_spec::{Check, Property};
use prova_task::{check_modelled, Budget, Checker, Observer, Outcome, Report, Task, Unknown};
use prova_termination::Question;

use super::certify::accepts;
use super::effort::efforts;
use super::property::woven;
use crate::status::Rejected;

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

/// What was chosen about the search.
#[derive(Clone, Copy)]
pub struct How<'a> {
    pub settings: &'a Settings,
    /// Whether runs may be taken to be over where an operation overflows.
    pub overflow_ends: bool,
    /// Labels of loops that may run for ever.
    pub may_run_forever: &'a [String],
    /// The only loop that is asked about.
    pub only: Option<usize>,
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

/// Refuses labels that nothing has.
pub fn check_labels(program: &Program, labels: &[String]) -> Result<(), Rejected> {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let locations: Vec<_> = bodies.flat_map(|b| &b.locations).collect();
    let named = |label: &String| locations.iter().any(|l| l.label.as_ref() == Some(label));
    match labels.iter().find(|label| !named(label)) {
        Some(label) => Err(Rejected::because(format!("there is no label `{label}`"))),
        None => Ok(()),
    }
}

/// Decides a task of any property.
pub fn decide(
    engine: &dyn Checker,
    how: How,
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
    let efforts = efforts(engine.name(), how.settings);
    let question = Question {
        task,
        defined: other.as_ref(),
        overflow_ends: how.overflow_ends,
        may_run_forever: how.may_run_forever,
        only: how.only,
        efforts: &efforts,
    };
    let mut answer = prova_termination::check(question, budget, observer);
    if let Some((narrowed, proof)) = &answer.closed {
        if let Err(why) = accepts(narrowed, proof, budget) {
            answer.report.outcome = Outcome::Unknown(Unknown::Certificate(why));
        }
    }
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

/// The measures of a certificate, each with the sort of measure it is.
pub fn kinds(lines: &[String]) -> Vec<(&str, &'static str)> {
    let measure = |line: &&String| {
        ["loop ", "call ", "count "]
            .iter()
            .any(|subject| line.starts_with(subject))
    };
    let ranking = Ranking::parse(lines.iter().map(String::as_str)).unwrap_or_default();
    let kinds = prova_termination::say::kinds(&ranking);
    let measures = lines.iter().filter(measure).map(String::as_str);
    measures.zip(kinds).collect()
}

/// Weaves the measures of a certificate into a program. What it then rests on beside what it rests on anyway.
pub fn weave_measures(program: &mut Program, lines: &[String]) -> Result<Vec<Assumption>, String> {
    let ranking = Ranking::parse(lines.iter().map(String::as_str)).map_err(|e| e.to_string())?;
    weave(program, &ranking).map_err(|e: Refused| e.to_string())?;
    let mut assumed = allowed(program, &ranking);
    assumed.extend(ranking.undefined_ends.then_some(Assumption::Overflow));
    Ok(assumed)
}
