//! A simulation relation as a certificate, in the words of `prova-relation`.

use crate::game::Position;
use crate::model::Model;
use prova_certify::prepare::digest;
use prova_engine::problem::blocks::Cutpoint;
use prova_engine::proof::certificate::{position, written};
use prova_logic::Term;
use prova_relation::{FORMAT, PASSES, VERSION};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Cases by state of the specification.
type Related = BTreeMap<u32, Vec<Vec<Term>>>;

/// The certificate of a relation; an error names what it cannot say.
pub fn certificate(model: &mut Model, relation: &[Position]) -> Result<String, String> {
    let count = model.component.steps.blocks.locations.len();
    let mut related: Vec<Related> = vec![Related::new(); count];
    for position in relation {
        let (cutpoint, _) = model.state(position.implementation);
        let mut facts = model.facts(position.implementation);
        if let Some(proven) = model.images.proven.get(cutpoint.index()) {
            facts.extend(proven);
        }
        let cases = related[cutpoint.index()]
            .entry(position.specification)
            .or_default();
        cases.push(facts);
    }
    let roots: Vec<Term> = related
        .iter()
        .flat_map(|r| r.values())
        .flatten()
        .flatten()
        .copied()
        .collect();
    let (definitions, texts) = written(model.terms, &roots)?;
    let prepared = &model.component.problem.prepared;
    let mut out = format!(
        "({FORMAT} {VERSION})\n(passes {})\n(prepared \"{}\")\n{definitions}",
        PASSES.join(" "),
        digest(&prepared.program)
    );
    for (number, states) in related.iter().enumerate().skip(1) {
        let cutpoint = Cutpoint(number as u32);
        let location = model.component.steps.blocks.locations[cutpoint.index()];
        let Some(location) = location else { continue };
        let span = prepared.body().location(location).span;
        let place = position(&prepared.program, span);
        let _ = write!(out, "\n(at {} \"{place}\"", location.0);
        for (state, cases) in states {
            let _ = write!(out, "\n  (state {state}");
            for case in cases {
                out.push_str("\n    (case");
                for fact in case {
                    let _ = write!(out, " {}", texts[fact]);
                }
                out.push(')');
            }
            out.push(')');
        }
        out.push(')');
    }
    out.push('\n');
    Ok(out)
}
