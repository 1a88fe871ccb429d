//! Tests without a goal in mind: one of zeros, some at random, and then directed tests path by path
//! (Godefroid, Klarlund, Sen: *DART: Directed Automated Random Testing*) on one problem without an
//! error in it, for as long as they cover something new.

use crate::session::Session;
use prova_engine::engine::{Engine, Progress, Quota, Turn};
use prova_engine::engines::dart::Dart;
use prova_engine::knowledge::Knowledge;
use prova_engine::problem::Problem;
use prova_engine::Granularity;
use prova_ir::{Halt, Program, Statement};
use prova_task::prepare::{prepare_as, Form};
use prova_task::{Budget, Silent, Task};

/// Random tests.
const RANDOM: u64 = 48;
/// Paths that are turned in one turn.
const TURN: u64 = 25;
/// Turns in a row without anything new.
const PATIENCE: u32 = 4;

/// Explores a program within a budget.
pub fn explore(session: &mut Session, task: &Task, budget: &Budget) {
    session.offer_seed(None, false);
    for seed in 0..RANDOM {
        if session.open().is_empty() || budget.poll().is_some() {
            return;
        }
        let seed = task.seed.wrapping_add(seed);
        session.offer_seed(Some(seed), seed % 4 == 3);
    }
    direct(session, task, budget);
}

/// Directed tests, where the program becomes one procedure that can be encoded.
fn direct(session: &mut Session, task: &Task, budget: &Budget) {
    let mut task = task.clone();
    without_errors(&mut task.program);
    let form = Form {
        sliced: false,
        ..Form::USUAL
    };
    let Ok(prepared) = prepare_as(&task.program, form) else {
        return;
    };
    let problem = Problem::new(prepared, Granularity::Basic);
    let Ok(mut known) = Knowledge::new(&problem, &task) else {
        return;
    };
    let begun = Dart::default().begin(&problem, &mut problem.terms.borrow_mut());
    let Ok(mut search) = begun else { return };
    let (mut told, mut idle) = (0, 0);
    while idle < PATIENCE && !session.open().is_empty() && budget.poll().is_none() {
        let progress = search.advance(&mut Turn {
            terms: &mut problem.terms.borrow_mut(),
            known: &mut known,
            quota: Quota {
                iterations: TURN,
                ..Quota::ALL
            },
            budget,
            observer: &mut Silent,
        });
        let tests = known.forest.tests_from(told);
        told = known.forest.count();
        let mut new = false;
        for given in tests {
            if budget.poll().is_some() {
                return;
            }
            new |= session.offer(&given);
        }
        idle = if new { 0 } else { idle + 1 };
        if !matches!(progress, Progress::Working) {
            return;
        }
    }
}

/// Ends runs where they come to an error, whatever it is.
fn without_errors(program: &mut Program) {
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        for error in std::mem::take(&mut body.errors) {
            let span = body.location(error.location).span;
            let halt = Statement::Halt(Halt::Abort);
            body.add_edge(error.location, body.exit, halt, span);
        }
    }
}
