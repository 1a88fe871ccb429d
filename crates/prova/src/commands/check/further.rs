//! Violations behind the first: every other place that can be made to fail, each with its own test.
//!
//! Once a violation is confirmed, runs that get to its place end there, and the search begins anew. A
//! run that breaks a property somewhere else never comes to the place that is closed, so it is one of
//! the program as it was, and it is replayed as such. What would be unsound: to call anything proved
//! that was found out about a program with a closed place. So only violations come from here.

use std::time::Duration;

use prova_exec::RunEnd;
use prova_ir::{ErrorLocation, Halt, Program, Span, Statement, UNMODELLED};
use prova_task::{Task, Violation};

/// How long one more violation is looked for, unless those before took longer.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// No more than these are told of one property of one function.
pub const MOST: usize = 50;

/// A place that fails: the property, and where its check stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Site {
    property: String,
    span: Span,
}

/// The task without runs that come to the place of a violation; `None` if that place is not to be
/// found, or if nothing else can fail.
pub fn without(task: &Task, violation: &Violation) -> Option<Task> {
    let mut program = task.program.clone();
    if !close(&mut program, &site(task, violation)) || !can_fail(&program) {
        return None;
    }
    Some(Task {
        program,
        ..task.clone()
    })
}

/// Where the test of a violation ends: a check inside of a library model stands there and not where
/// the model is called.
fn site(task: &Task, violation: &Violation) -> Site {
    let run = prova_report::story::replay(task, violation);
    let found = run.and_then(|run| {
        let RunEnd::ErrorReached(at) = run.end else {
            return None;
        };
        let body = run.code.program.procedure(at.proc).body.as_ref()?;
        let error = body.error_at(at.location)?;
        Some(Site {
            property: error.property.clone(),
            span: body.location(at.location).span,
        })
    });
    found.unwrap_or_else(|| Site {
        property: violation.property.clone(),
        span: violation.span,
    })
}

/// Ends runs that get to a place; whether there is such a place.
fn close(program: &mut Program, site: &Site) -> bool {
    let mut found = false;
    for body in program
        .procedures
        .iter_mut()
        .filter_map(|p| p.body.as_mut())
    {
        let errors = std::mem::take(&mut body.errors);
        let (closed, kept): (Vec<ErrorLocation>, Vec<ErrorLocation>) =
            errors.into_iter().partition(|e| {
                // What is checked twice at one place is one mistake.
                e.property == site.property && body.location(e.location).span == site.span
            });
        body.errors = kept;
        found |= !closed.is_empty();
        for location in closed.iter().map(|e| e.location) {
            body.add_edge(location, body.exit, Statement::Halt(Halt::Trap), site.span);
        }
    }
    prova_ir::debug_validate(program, "close");
    found
}

fn can_fail(program: &Program) -> bool {
    let bodies = program.procedures.iter().filter_map(|p| p.body.as_ref());
    let mut errors = bodies.flat_map(|b| &b.errors);
    errors.any(|e| e.property != UNMODELLED)
}
