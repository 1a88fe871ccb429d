//! One turn of an engine by itself on the whole program: without a slice, without facts from others,
//! and for a number of iterations, so that what does not end is told without a clock.

use prova_engine::engine::{Progress, Quota, Turn};
use prova_engine::knowledge::Knowledge;
use prova_engine::problem::Problem;
use prova_engine::registry::engine;
use prova_engine::Settings;
use prova_task::prepare::{prepare_as, Form};
use prova_task::{Budget, Outcome, Silent, Statistics};
use std::time::Duration;

/// How a search ended: whether the program is safe, if it says so; and what it took.
pub struct Ended {
    pub safe: Option<bool>,
    pub statistics: Statistics,
}

/// Runs an engine, if there is one of this name. The seconds are a fuse.
pub fn turn(
    name: &str,
    settings: &Settings,
    (source, entry): (&str, Option<&str>),
    iterations: u64,
    seconds: u64,
) -> Option<Ended> {
    let engine = engine(name, settings)?;
    let task = super::task("program.c", source, entry);
    let whole = Form {
        sliced: false,
        ..Form::USUAL
    };
    let prepared = prepare_as(&task.program, whole).expect("one procedure");
    let problem = Problem::new(prepared, settings.granularity);
    let terms = &mut *problem.terms.borrow_mut();
    // SLAM as its papers have it looks at paths of the abstraction only: no test comes first.
    let known = match name {
        "slam" => Knowledge::beside(&problem, task.seed),
        _ => Knowledge::new(&problem, &task),
    };
    let mut known = known.expect("it runs");
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    let mut search = engine.begin(&problem, terms).ok()?;
    let progress = search.advance(&mut Turn {
        terms,
        known: &mut known,
        quota: Quota {
            iterations,
            ..Quota::ALL
        },
        budget: &budget,
        observer: &mut Silent,
    });
    let safe = match progress {
        Progress::Done(verdict) => match verdict.outcome() {
            Outcome::Proved(_) => Some(true),
            Outcome::Violated(_) => Some(false),
            Outcome::Bounded(_) | Outcome::Unknown(_) => None,
        },
        Progress::Working | Progress::Exhausted(_) => None,
    };
    Some(Ended {
        safe,
        statistics: search.statistics().clone(),
    })
}
