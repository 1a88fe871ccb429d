//! From a task's program to the one procedure that engines work on: no calls, no indirect jumps,
//! nothing that cannot matter.
//!
//! Inputs keep their order through all of it, so that a test found on the prepared program is a
//! test of the original one.

use crate::outcome::{Scope, Unknown};
use prova_ir::passes::devirtualise::devirtualise;
use prova_ir::passes::externals::{externals, External};
use prova_ir::passes::inline::{inline, InlineError, Inlined};
use prova_ir::passes::simplify_graph::{simplify_graph, Labels};
use prova_ir::passes::slice::{slice, SliceOptions};
use prova_ir::passes::uninitialised::uninitialised;
use prova_ir::{Body, EdgeId, LocId, ProcId, Program, Span, Statement};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// More locations than this are not inlined.
const MOST_LOCATIONS: usize = 2_000_000;

/// Library functions that print: their results are arbitrary, and they change nothing that a
/// program can see.
const OUTPUT: [&str; 12] = [
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "perror",
    "fflush",
    "__builtin_printf",
];

/// A program ready for an engine.
#[derive(Debug)]
pub struct Prepared {
    /// The program with one procedure left.
    pub program: Arc<Program>,
    /// The program before inlining, on which tests are confirmed.
    pub original: Arc<Program>,
    inlined: Inlined,
    entry: ProcId,
    undefined: Vec<External>,
}

/// Prepares a program whose error locations are woven in.
pub fn prepare(program: &Program) -> Result<Prepared, Unknown> {
    let mut original = program.clone();
    devirtualise(&mut original);
    let mut undefined = externals(&mut original, &|_| false);
    undefined.retain(|e| !OUTPUT.contains(&e.name.as_str()));
    // Arbitrary first values become inputs now, so that inlining adds none that tests would count.
    uninitialised(&mut original);
    let mut inlined = inline(&original, MOST_LOCATIONS).map_err(|e| match e {
        InlineError::Recursion(names) => Unknown::Unsupported {
            what: format!("recursion ({})", names.join(", ")),
            span: None,
        },
        other => Unknown::Unsupported {
            what: other.to_string(),
            span: None,
        },
    })?;
    let entry = inlined.program.entry.expect("inlining keeps the entry");
    let maps = simplify_graph(&mut inlined.program, Labels::Drop);
    inlined.relocate(&maps[entry.index()]);
    let sliced = slice(&mut inlined.program, SliceOptions::default());
    inlined.relocate(&sliced.map);
    Ok(Prepared {
        program: Arc::new(inlined.program.clone()),
        original: Arc::new(original),
        inlined,
        entry,
        undefined,
    })
}

impl Prepared {
    /// The procedure.
    pub fn entry(&self) -> ProcId {
        self.entry
    }

    /// Its graph.
    pub fn body(&self) -> &Body {
        self.program
            .procedure(self.entry)
            .body
            .as_ref()
            .expect("the entry has a body")
    }

    /// The calls that lead to a location, outermost first: procedures with the call's position.
    pub fn call_path(&self, location: LocId) -> Vec<(ProcId, Option<Span>)> {
        self.inlined.call_path(location)
    }

    /// The user's own place of a location: inside a library model, that of the call into it.
    pub fn own_place(&self, location: LocId) -> Span {
        let span = self.body().location(location).span;
        if self.program.is_own(span) {
            return span;
        }
        let mut calls = self.call_path(location).into_iter().rev();
        let call = calls.find_map(|(_, call)| call.filter(|s| self.program.is_own(*s)));
        call.unwrap_or(span)
    }

    /// What an edge does that is not modelled, if anything.
    pub fn marker_on(&self, edge: EdgeId) -> Option<(String, Span)> {
        let edge = self.body().edge(edge);
        match edge.statement {
            Statement::Marker(id) => {
                let marker = &self.program.markers[id.index()];
                Some((marker.kind.to_string(), marker.span))
            }
            _ => None,
        }
    }

    /// What any verdict on this program rests on, before a search.
    pub fn scope(&self) -> Scope {
        let mut scope = Scope::default();
        for external in &self.undefined {
            let mut sites: Vec<Span> = external.sites.iter().map(|s| s.1).collect();
            sites.sort_unstable();
            sites.dedup();
            scope.undefined.push((external.name.clone(), sites));
        }
        let mut seen = FxHashSet::default();
        for edge in &self.body().edges {
            if let Statement::Marker(id) = edge.statement {
                if seen.insert(id) {
                    let marker = &self.program.markers[id.index()];
                    scope.markers.push((marker.kind.to_string(), marker.span));
                }
            }
        }
        scope
    }
}
