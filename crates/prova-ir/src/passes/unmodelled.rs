//! Ends runs where nothing is known of what comes: at markers, and at calls of functions that have
//! no body and that somebody outside of the program defines.
//!
//! Such a place becomes an error location of the property [`UNMODELLED`]. So a proof shows that no
//! run gets there, and a run that does is no violation: no verdict passes through it.

use super::devirtualise::address_taken;
use super::externals::evaluate_arguments;
use crate::ids::{LocId, ProcId};
use crate::program::*;
use crate::source::Span;

/// Ends runs at markers, and where a function without a body is called of which `outside` says, by
/// its C name, that it is defined elsewhere.
pub fn end_unmodelled(program: &mut Program, outside: &dyn Fn(&str) -> bool) {
    let beyond: Vec<bool> = program
        .procedures
        .iter()
        .map(|p| p.body.is_none() && !p.c_name.is_empty() && outside(&p.c_name))
        .collect();
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        for i in 0..body.edges.len() {
            let what = match &body.edges[i].statement {
                Statement::Marker(marker) => program.markers[marker.index()].kind.to_string(),
                Statement::Call {
                    callee: Callee::Direct(callee),
                    ..
                } if beyond[callee.index()] => unknown_function(program, *callee),
                _ => continue,
            };
            evaluate_arguments(program, &mut body, ProcId::new(p), i);
            body.edges[i].statement = Statement::Skip;
            let span = body.edges[i].span;
            body.edges[i].target = end(&mut body, what, span);
        }
        program.procedures[p].body = Some(body);
    }
    // Calls through pointers find a body that says the same.
    for callee in address_taken(program) {
        if !beyond[callee.index()] {
            continue;
        }
        let what = unknown_function(program, callee);
        let span = program.procedure(callee).span;
        let mut body = Body {
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocId::new(0),
            exit: LocId::new(1),
            errors: Vec::new(),
        };
        body.add_location(span);
        body.add_location(span);
        let last = end(&mut body, what, span);
        body.add_edge(body.entry, last, Statement::Skip, span);
        program.procedures[callee.index()].body = Some(body);
    }
    crate::debug_validate(program, "end_unmodelled");
}

fn unknown_function(program: &Program, callee: ProcId) -> String {
    let name = &program.procedure(callee).c_name;
    format!("`{name}`, a library function that is not modelled")
}

/// A location where all runs end that get there.
fn end(body: &mut Body, what: String, span: Span) -> LocId {
    let location = body.add_location(span);
    body.errors.push(ErrorLocation {
        location,
        property: UNMODELLED.to_owned(),
        message: what,
    });
    location
}
