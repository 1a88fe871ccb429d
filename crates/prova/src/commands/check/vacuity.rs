//! Whether a proof says nothing: whether no run gets past what the program assumes.
//!
//! That no test of the search got there is luck, not a reason: an engine that proves a program at once
//! may have run five tests, all of which an assumption refused. So the question is put to the engine by
//! itself: the errors are taken out of the program and put where runs end, by returning from the entry,
//! by `exit` or by `abort`. A test that gets there shows that the proof is about something; it is run by
//! the machine like any other. A proof that none does shows that it is not. What would be misleading: to
//! say "vacuously" for want of time. Then it is said that nobody knows.

use std::time::Duration;

use prova_ir::{Body, Edge, ErrorLocation, ExprPool, Halt, LocId, Program, Statement};
use prova_task::{Budget, Checker, Outcome, Report, Silent, Task};

/// The longest that is spent on the question.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the errors are called where runs end.
const END: &str = "end";

/// Decides whether a proof is vacuous, if its tests leave that open.
pub fn decide(engine: &dyn Checker, task: &Task, budget: &Budget, report: &mut Report) {
    let open = matches!(report.outcome, Outcome::Proved(_)) && report.scope.vacuous.is_some();
    let Some(program) = to_the_end(&task.program).filter(|_| open && fails(&task.program)) else {
        return;
    };
    let other = Task {
        program,
        ..task.clone()
    };
    // The proof must not be lost to the question whether it says something.
    let patience = budget
        .remaining()
        .map_or(PATIENCE, |left| PATIENCE.min(left / 2));
    let mut asked = engine.check(&other, &budget.at_most(patience), &mut Silent);
    report.scope.vacuous = match asked.outcome {
        Outcome::Violated(_) => {
            // It is a test of the program that was asked about, too: nothing but its errors differs.
            report.scope.tests.append(&mut asked.scope.tests);
            None
        }
        Outcome::Proved(_) => Some("no run gets past the program's assumptions".into()),
        Outcome::Bounded(_) | Outcome::Unknown(_) => Some(
            "no test gets past the program's assumptions, and whether one can is not known".into(),
        ),
    };
}

/// Whether there is an error at all: without one a proof is vacuous for that reason.
fn fails(program: &Program) -> bool {
    let mut bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    bodies.any(|b| !b.errors.is_empty())
}

/// A program whose only errors are its ends.
fn to_the_end(program: &Program) -> Option<Program> {
    let mut program = program.clone();
    let entry = program.entry?;
    for (i, procedure) in program.procedures.iter_mut().enumerate() {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        for location in std::mem::take(&mut body.errors).iter().map(|e| e.location) {
            let span = body.location(location).span;
            pass(&mut program.exprs, body, location);
            body.add_edge(location, body.exit, Statement::Halt(Halt::Trap), span);
        }
        let halts = |s: &Statement| matches!(s, Statement::Halt(Halt::Exit(_) | Halt::Abort));
        if body.edges.iter().any(|e| halts(&e.statement)) {
            let end = error(body);
            for edge in body.edges.iter_mut().filter(|e| halts(&e.statement)) {
                (edge.statement, edge.target) = (Statement::Skip, end);
            }
        }
        if i == entry.index() {
            let (end, exit) = (error(body), body.exit);
            for edge in body.edges.iter_mut().filter(|e| e.target == exit) {
                // A trap is no end that a run comes to.
                if !matches!(edge.statement, Statement::Halt(_)) {
                    edge.target = end;
                }
            }
            if body.entry == exit {
                body.entry = end;
            }
        }
    }
    prova_ir::debug_validate(&program, "to_the_end");
    Some(program)
}

/// Lets all runs pass the checks whose failure leads to a place: it is proved that none fails. So what
/// they compute with is of no interest here, and is sliced away.
fn pass(pool: &mut ExprPool, body: &mut Body, failure: LocId) {
    let into = |e: &Edge| e.target == failure && matches!(e.statement, Statement::Assume(_));
    let checks: Vec<LocId> = body
        .edges
        .iter()
        .filter(|e| into(e))
        .map(|e| e.source)
        .collect();
    for source in checks {
        let mut ways = body.edges.iter().filter(|e| e.source == source);
        if !ways.all(|e| matches!(e.statement, Statement::Assume(_))) {
            continue;
        }
        let others = body
            .edges
            .iter()
            .filter(|e| e.source == source && e.target != failure);
        if others.count() != 1 {
            continue;
        }
        let [holds, fails] = [1, 0].map(|truth| pool.int(truth, 1));
        for edge in body.edges.iter_mut().filter(|e| e.source == source) {
            edge.statement = Statement::Assume(match edge.target == failure {
                true => fails,
                false => holds,
            });
        }
    }
}

fn error(body: &mut Body) -> LocId {
    let location = body.add_location(body.location(body.exit).span);
    body.errors.push(ErrorLocation {
        location,
        property: END.into(),
        message: "a run ends".into(),
    });
    location
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_move_to_where_runs_end() {
        let mut program = Program::new(prova_ir::DataModel::Lp64);
        assert!(to_the_end(&program).is_none(), "there is no entry");
        let mut body = Body {
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocId(0),
            exit: LocId(1),
            errors: Vec::new(),
        };
        let span = prova_ir::Span::NONE;
        let [start, exit, bad] = [0; 3].map(|_| body.add_location(span));
        let [holds, fails] = [1, 0].map(|truth| program.exprs.int(truth, 1));
        body.add_edge(start, exit, Statement::Assume(holds), span);
        body.add_edge(start, bad, Statement::Assume(fails), span);
        body.errors.push(ErrorLocation {
            location: bad,
            property: "unreach-call".into(),
            message: String::new(),
        });
        program.procedures.push(prova_ir::Procedure {
            name: "main".into(),
            c_name: "main".into(),
            parameters: Vec::new(),
            result: None,
            variadic: false,
            noreturn: false,
            read_only: Vec::new(),
            ctype: None,
            span,
            body: Some(body),
        });
        program.entry = Some(prova_ir::ProcId::new(0));
        assert!(super::fails(&program));
        let made = to_the_end(&program).expect("there is an entry");
        let body = made.procedures[0].body.as_ref().expect("a body");
        let [error] = &body.errors[..] else {
            panic!("one error, not {:?}", body.errors);
        };
        assert_eq!(error.property, END);
        assert_eq!(body.edges[0].target, error.location);
        assert_eq!(body.edges[1].target, bad);
        assert_eq!(body.edges[2].statement, Statement::Halt(Halt::Trap));
    }
}
