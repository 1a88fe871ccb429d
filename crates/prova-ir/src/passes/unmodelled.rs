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
/// its C name, what is not modelled about it.
pub fn end_unmodelled(program: &mut Program, outside: &dyn Fn(&str) -> Option<String>) {
    let beyond: Vec<Option<String>> = program
        .procedures
        .iter()
        .map(|p| match p.body.is_none() && !p.c_name.is_empty() {
            true => outside(&p.c_name),
            false => None,
        })
        .collect();
    for p in 0..program.procedures.len() {
        let Some(mut body) = program.procedures[p].body.take() else {
            continue;
        };
        for i in 0..body.edges.len() {
            let what = match &body.edges[i].statement {
                // An error behind a marker is left open by itself, and belongs to a property.
                Statement::Marker(_) if body.is_error(body.edges[i].target) => continue,
                Statement::Marker(marker) => program.markers[marker.index()].kind.to_string(),
                Statement::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => match &beyond[callee.index()] {
                    Some(what) => what.clone(),
                    None => continue,
                },
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
        let Some(what) = beyond[callee.index()].clone() else {
            continue;
        };
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
