//! C files in, program out; says once what is odd and what is not modelled.

use std::collections::BTreeSet;

use prova_c::interpose::Watcher;
use prova_c::{Diagnostic, Lowered};
use prova_ir::{Marker, Program, Span};

use crate::arguments::Sources;
use crate::status::Rejected;

/// Reads and links files that have a `main`.
pub fn load(sources: &Sources) -> Result<Program, Rejected> {
    let program = load_library(sources, false)?;
    demand_main(&program, sources)?;
    Ok(program)
}

/// Refuses a program without a `main`.
pub fn demand_main(program: &Program, sources: &Sources) -> Result<(), Rejected> {
    if program.entry.is_none() {
        let names: Vec<_> = sources
            .files
            .iter()
            .map(|f| f.display().to_string())
            .collect();
        return Err(Rejected::because(format!(
            "there is no `main` in {}",
            names.join(", ")
        )));
    }
    Ok(())
}

/// Reads and links files that need not have a `main`. Gives the library functions, too, whose
/// calls became statements.
pub fn load_with_calls(sources: &Sources) -> Result<(Program, BTreeSet<String>), Rejected> {
    let lowered = lowered(sources, &sources.options())?;
    Ok((lowered.program, lowered.replaced))
}

/// Reads and links files that need not have a `main`. `operations` asks for an error location at
/// every operation that C restricts.
pub fn load_library(sources: &Sources, operations: bool) -> Result<Program, Rejected> {
    load_watched(sources, operations, Vec::new())
}

/// The same, with code that is called when functions of the program are.
pub fn load_watched(
    sources: &Sources,
    operations: bool,
    watchers: Vec<Watcher>,
) -> Result<Program, Rejected> {
    let options = prova_c::Options {
        checks: operations,
        watchers,
        ..sources.options()
    };
    Ok(lowered(sources, &options)?.program)
}

/// Reads files again that were read before, whose oddities were said then.
pub fn load_quietly(sources: &Sources, operations: bool) -> Result<Program, Rejected> {
    let options = prova_c::Options {
        checks: operations,
        ..sources.options()
    };
    let lowered = prova_c::load(&sources.files, &options).map_err(Rejected)?;
    Ok(lowered.program)
}

fn lowered(sources: &Sources, options: &prova_c::Options) -> Result<Lowered, Rejected> {
    let lowered = prova_c::load(&sources.files, options).map_err(Rejected)?;
    let mut said = BTreeSet::new();
    for warning in &lowered.warnings {
        if said.insert(warning.to_string()) {
            warning.print();
        }
    }
    say_markers(&lowered.program);
    Ok(lowered)
}

/// Lists what was accepted but is not modelled, with its places.
fn say_markers(program: &Program) {
    let said = |m: &&Marker| program.is_own(m.span) || !m.span.is_known();
    if !program.markers.iter().any(|m| said(&m)) {
        return;
    }
    let mut places = BTreeSet::new();
    let mut summary = Diagnostic::warning(
        "some code is not modelled; no proof may run through it",
        None,
    );
    for marker in program.markers.iter().filter(said) {
        let place = match place(program, marker.span) {
            Some(place) => format!("{place}: {}", marker.kind),
            None => marker.kind.to_string(),
        };
        if places.insert(place.clone()) {
            summary = summary.with_note(place, None);
        }
    }
    summary.print();
}

/// A position as people write it.
pub fn place(program: &Program, span: Span) -> Option<String> {
    let file = program
        .files
        .get(span.file.index())
        .filter(|_| span.is_known())?;
    Some(format!("{}:{}:{}", file.name, span.line, span.column))
}
