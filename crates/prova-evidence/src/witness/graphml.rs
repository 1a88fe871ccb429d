//! A recorded violation as a witness automaton in GraphML, format 1.0, for older validators: a chain
//! of states, each step with its line and what it assumes.

use super::atlas::Atlas;
use super::format::{Metadata, WaypointKind};
use super::metadata::metadata;
use super::violation::{waypoints, Passed};
use crate::recording::Recording;
use crate::Sources;
use prova_ir::DataModel;
use std::fmt::Write;

/// Keys of the format: identifier, what it belongs to, type.
const KEYS: &[(&str, &str, &str)] = &[
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("startline", "edge", "int"),
    ("assumption", "edge", "string"),
    ("assumption.scope", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
    ("control", "edge", "string"),
    ("enterFunction", "edge", "string"),
];

/// The witness of a violation as GraphML.
pub fn graphml(recording: &Recording, sources: &Sources) -> Result<String, String> {
    let atlas = Atlas::of(sources)?;
    let waypoints = waypoints(recording, &atlas)?;
    let about = metadata(recording, sources)?;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n");
    out.push_str(
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (id, owner, kind) in KEYS {
        let default = match *kind {
            "boolean" => "<default>false</default>",
            _ => "",
        };
        let _ = writeln!(
            out,
            " <key attr.name=\"{id}\" attr.type=\"{kind}\" for=\"{owner}\" id=\"{id}\">{default}</key>"
        );
    }
    out.push_str(" <graph edgedefault=\"directed\">\n");
    graph_data(&mut out, &about);
    let entry = recording.entry.as_ref().map_or("main", |e| &e.function);
    out.push_str("  <node id=\"start\"><data key=\"entry\">true</data></node>\n");
    out.push_str("  <node id=\"n0\"/>\n");
    let _ = writeln!(
        out,
        "  <edge source=\"start\" target=\"n0\">{}</edge>",
        data("enterFunction", entry)
    );
    for (i, passed) in waypoints.iter().enumerate() {
        let next = i + 1;
        match next == waypoints.len() {
            true => {
                let _ = writeln!(
                    out,
                    "  <node id=\"n{next}\"><data key=\"violation\">true</data></node>"
                );
            }
            false => {
                let _ = writeln!(out, "  <node id=\"n{next}\"/>");
            }
        }
        let _ = writeln!(
            out,
            "  <edge source=\"n{i}\" target=\"n{next}\">{}</edge>",
            edge_data(passed)
        );
    }
    out.push_str(" </graph>\n</graphml>\n");
    Ok(out)
}

fn graph_data(out: &mut String, about: &Metadata) {
    let architecture = match about.model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    let (file, hash) = about.hashes.first().cloned().unwrap_or_default();
    let producer = format!("{} {}", about.producer, about.producer_version);
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &about.specification),
        ("programfile", &file),
        ("programhash", &hash),
        ("architecture", architecture),
        ("creationtime", &about.creation_time),
    ] {
        let _ = writeln!(out, "  {}", data(key, value));
    }
}

fn edge_data(passed: &Passed) -> String {
    let waypoint = &passed.waypoint;
    let mut text = data("startline", &waypoint.location.line.to_string());
    let scope = waypoint.location.function.as_deref().unwrap_or_default();
    match (waypoint.kind, &waypoint.constraint) {
        (WaypointKind::FunctionReturn, Some(constraint)) => {
            text += &data("assumption", &format!("{constraint};"));
            text += &data("assumption.scope", scope);
            let function = passed.function.as_deref().unwrap_or_default();
            text += &data("assumption.resultfunction", function);
        }
        (WaypointKind::Assumption, Some(constraint)) => {
            text += &data("assumption", &format!("{constraint};"));
            text += &data("assumption.scope", scope);
        }
        (WaypointKind::Branching, Some(way)) => {
            text += &data("control", &format!("condition-{way}"));
        }
        (WaypointKind::FunctionEnter, _) => {
            let function = passed.function.as_deref().unwrap_or_default();
            text += &data("enterFunction", function);
        }
        _ => {}
    }
    text
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{}</data>", escaped(value))
}

/// Text inside XML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Other control characters cannot be said in XML 1.0.
            c if (c as u32) < 0x20 && !matches!(c, '\n' | '\t' | '\r') => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
