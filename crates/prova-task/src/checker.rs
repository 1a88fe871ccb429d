//! Whoever decides tasks, and places where a check has to leave the answer open ([`UNMODELLED`]): they are woven in as error
//! locations, so that a proof shows that no run gets there, but a run that does is no violation.

use crate::budget::Budget;
use crate::observer::Observer;
use crate::outcome::{Outcome, Report, Unknown};
use crate::task::Task;
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::{ErrorLocation, Halt, Program, Statement, UNMODELLED};

/// Whoever decides tasks: an engine, or several by turns. All that crates outside of the engines
/// know of them.
pub trait Checker {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Decides a task within a budget, telling an observer what happens.
    fn check(&self, task: &Task, budget: &Budget, observer: &mut dyn Observer) -> Report;
}

/// Decides a task. Where a run gets to such a place, violations on other ways are sought; if
/// there are none, the answer is unknown, and says which place it was.
pub fn check_modelled(
    engine: &dyn Checker,
    task: &Task,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Report {
    let mut report = engine.check(task, budget, observer);
    say_scope(task, &mut report);
    let (what, span) = match &report.outcome {
        Outcome::Violated(v) if v.property == UNMODELLED => (v.message.clone(), Some(v.span)),
        _ => return report,
    };
    let mut other = task.clone();
    block(&mut other.program);
    let mut second = engine.check(&other, budget, observer);
    say_scope(task, &mut second);
    match second.outcome {
        Outcome::Violated(_) => second,
        _ => Report {
            outcome: Outcome::Unknown(Unknown::Unmodelled { what, span }),
            ..second
        },
    }
}

/// What every verdict on a task rests on, whichever engine gave it.
fn say_scope(task: &Task, report: &mut Report) {
    let scope = &mut report.scope;
    scope.assumptions.extend(task.assumed.iter().cloned());
    scope.markers.extend(task.unmodelled.iter().cloned());
}

/// Ends all runs that get to such a place, calls of functions that nobody can name among them.
fn block(program: &mut Program) {
    devirtualise(program);
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        let errors = std::mem::take(&mut body.errors);
        let (blocked, errors) = errors.into_iter().partition(|e| e.property == UNMODELLED);
        body.errors = errors;
        let blocked: Vec<ErrorLocation> = blocked;
        for location in blocked.iter().map(|e| e.location) {
            let span = body.location(location).span;
            body.add_edge(location, body.exit, Statement::Halt(Halt::Trap), span);
        }
    }
    prova_ir::debug_validate(program, "block");
}
