//! A simulation relation as a certificate, in the words of `prova-relation`.

use crate::game::Position;
use crate::lts::StateId;
use crate::model::program::Component;
use crate::model::Model;
use prova_certify::prepare::digest;
use prova_engine::problem::blocks::Cutpoint;
use prova_engine::proof::certificate::{position, written};
use prova_logic::{Term, Terms};
use prova_relation::{FORMAT, PASSES, VERSION};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Cases by state of the specification.
type Related = BTreeMap<u32, Vec<Vec<Term>>>;

/// A certificate about the states of a deterministic machine, as one about the sets of states that
/// these stand for: then nobody has to trust that the machine has the same traces.
pub fn with_sets(certificate: &str, sets: &[BTreeSet<StateId>]) -> String {
    let mut told = String::new();
    for set in sets {
        let states: Vec<String> = set.iter().map(StateId::to_string).collect();
        let _ = writeln!(told, "(set {})", states.join(" "));
    }
    let head = certificate.match_indices('\n').nth(HEAD - 1);
    let at = head.map_or(certificate.len(), |(at, _)| at + 1);
    format!("{}{told}{}", &certificate[..at], &certificate[at..])
}

/// Lines before what is defined and claimed.
const HEAD: usize = 3;

/// A pair of a relation: a place of the component, a state of the specification, what holds.
pub type Pair = (Cutpoint, StateId, Vec<Term>);

/// The pairs of a relation between a model and a specification.
pub fn pairs(model: &mut Model, relation: &[Position]) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(relation.len());
    for position in relation {
        let (cutpoint, _) = model.state(position.implementation);
        let mut facts = model.facts(position.implementation);
        if let Some(proven) = model.images.proven.get(cutpoint.index()) {
            facts.extend(proven);
        }
        pairs.push((cutpoint, position.specification, facts));
    }
    pairs
}

/// The certificate of a relation; an error names what it cannot say.
pub fn certificate(
    component: &Component,
    terms: &Terms,
    pairs: Vec<Pair>,
) -> Result<String, String> {
    let count = component.steps.blocks.locations.len();
    let mut related: Vec<Related> = vec![Related::new(); count];
    for (cutpoint, state, facts) in pairs {
        let cases = related[cutpoint.index()].entry(state).or_default();
        cases.push(facts);
    }
    let roots: Vec<Term> = related
        .iter()
        .flat_map(|r| r.values())
        .flatten()
        .flatten()
        .copied()
        .collect();
    let (definitions, texts) = written(terms, &roots)?;
    let prepared = &component.problem.prepared;
    let mut out = format!(
        "({FORMAT} {VERSION})\n(passes {})\n(prepared \"{}\")\n{definitions}",
        PASSES.join(" "),
        digest(&prepared.program)
    );
    for (number, states) in related.iter().enumerate().skip(1) {
        let cutpoint = Cutpoint(number as u32);
        let location = component.steps.blocks.locations[cutpoint.index()];
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
