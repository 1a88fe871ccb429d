//! A procedure's graph for Graphviz.

use crate::ids::{LocId, ProcId};
use crate::program::Program;
use crate::text::statement_text_all;
use std::fmt::Write;

/// The graph of a procedure in the DOT language; `None` if it has no body.
pub fn dot(program: &Program, procedure: ProcId) -> Option<String> {
    let p = program.procedure(procedure);
    let body = p.body.as_ref()?;
    let mut out = String::new();
    let _ = writeln!(out, "digraph \"{}\" {{", escaped(&p.name));
    out.push_str("  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n");
    for (i, location) in body.locations.iter().enumerate() {
        let id = LocId::new(i);
        let mut label = format!("L{i}");
        if location.span.is_known() {
            let _ = write!(label, "\\n{}:{}", location.span.line, location.span.column);
        }
        if let Some(name) = &location.label {
            let _ = write!(label, "\\n{}:", escaped(name));
        }
        let style = if body.is_error(id) {
            ", color=red, penwidth=2"
        } else if id == body.entry {
            ", penwidth=2"
        } else if id == body.exit {
            ", peripheries=2"
        } else {
            ""
        };
        let _ = writeln!(out, "  L{i} [label=\"{label}\"{style}];");
    }
    let texts = statement_text_all(program, body.edges.iter().map(|e| &e.statement));
    for (edge, text) in body.edges.iter().zip(texts) {
        let (from, to) = (edge.source, edge.target);
        let _ = writeln!(out, "  {from:?} -> {to:?} [label=\"{}\"];", escaped(&text));
    }
    out.push_str("}\n");
    Some(out)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
