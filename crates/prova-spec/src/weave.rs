//! One check made into error locations: what the front end marked of other properties goes, what
//! it leaves to this crate is woven in.
//!
//! With [`prova_c::Options::checks`] the front end gives every operation that C restricts a
//! branch to an error location, which names its property. [`select`] keeps those of a check and
//! makes the rest straight lines again.
//!
//! [`prova_c::Options::checks`]: https://docs.rs/prova-c

use crate::property::{Check, Property};
use crate::unreach::{weave_calls, ErrorSite, Spec, WeaveReport};
use prova_ir::{ProcId, Program, Span, Statement};

/// A check that cannot be woven into this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct WeaveError {
    /// What stands in the way.
    pub what: String,
    /// Where.
    pub span: Option<Span>,
}

/// What is not woven yet.
const MISSING: [Property; 6] = [
    Property::NoUninitRead,
    Property::NoNullDeref,
    Property::ValidDeref,
    Property::ValidFree,
    Property::ValidMemtrack,
    Property::ValidMemcleanup,
];

/// Weaves a check into a program.
pub fn weave(program: &mut Program, check: &Check) -> Result<WeaveReport, WeaveError> {
    if let Some(missing) = MISSING.iter().find(|p| check.properties.contains(p)) {
        return Err(WeaveError {
            what: format!("the property `{}` yet", missing.name()),
            span: None,
        });
    }
    let names: Vec<&str> = check.properties.iter().map(|p| p.name()).collect();
    let mut report = WeaveReport::default();
    select(program, &names, &mut report);
    if check.properties.contains(&Property::UnreachCall) {
        let woven = weave_calls(program, &check.calls, Property::UnreachCall.name());
        report.labels += woven.labels;
        report.sites.extend(woven.sites);
    }
    if check.properties.contains(&Property::Assert) {
        let spec = Spec {
            calls: false,
            assertions: true,
            ..Spec::default()
        };
        let woven = weave_calls(program, &spec, Property::Assert.name());
        report.sites.extend(woven.sites);
    }
    prova_ir::debug_validate(program, "weave");
    Ok(report)
}

/// Keeps the error locations of the named properties. A branch to any other goes: its condition
/// is not asked.
pub fn select(program: &mut Program, names: &[&str], report: &mut WeaveReport) {
    for (p, procedure) in program.procedures.iter_mut().enumerate() {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        let mut dropped = vec![false; body.locations.len()];
        body.errors.retain(|e| {
            let kept = names.contains(&e.property.as_str());
            dropped[e.location.index()] |= !kept;
            kept
        });
        let mut straight = vec![false; body.locations.len()];
        body.edges.retain(|edge| {
            let gone = dropped[edge.target.index()];
            straight[edge.source.index()] |= gone;
            !gone
        });
        for edge in &mut body.edges {
            if straight[edge.source.index()] && matches!(edge.statement, Statement::Assume(_)) {
                edge.statement = Statement::Skip;
            }
        }
        let sites = body.errors.iter().map(|e| ErrorSite {
            procedure: ProcId::new(p),
            location: e.location,
            span: body.location(e.location).span,
            message: e.message.clone(),
        });
        report.sites.extend(sites);
    }
}
