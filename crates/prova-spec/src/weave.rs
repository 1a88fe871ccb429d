//! One check made into error locations: what the front end marked of other properties goes, what
//! it leaves to this crate is woven in.
//!
//! With [`prova_c::Options::checks`] the front end gives every operation that C restricts a
//! branch to an error location, which names its property. [`select`] keeps those of a check and
//! makes the rest straight lines again.
//!
//! [`prova_c::Options::checks`]: https://docs.rs/prova-c

use crate::addresses::weave_addresses;
use crate::arguments::weave_arguments;
use crate::contracts::{frees, weave_writes};
use crate::goals::{drop_goal_calls, mark, weave_targets};
use crate::memory::{asks, weave_memory, Entered, Parts};
use crate::null::weave_null;
use crate::overlaps::weave_overlaps;
use crate::property::{Check, Property};
use crate::redundant::drop_redundant;
use crate::shapes::weave_shapes;
use crate::sizes::weave_sizes;
use crate::uninit::weave_uninit;
use crate::unreach::{is_end_of_program, weave_calls, ErrorSite, Spec, WeaveReport};
use prova_c::interpose::{FUNCTIONS, PROPERTY};
use prova_ir::{
    Callee, Halt, ProcId, Program, Span, Statement, LOOP_CONTRACT, UNMODELLED, UNMODELLED_DEREF,
};

/// A check that cannot be woven into this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct WeaveError {
    /// What stands in the way.
    pub what: String,
    /// Where.
    pub span: Option<Span>,
}

/// Weaves a check into a program.
pub fn weave(program: &mut Program, check: &Check) -> Result<WeaveReport, WeaveError> {
    if let Some(rule) = &check.rule {
        let own = format!("{FUNCTIONS}{rule}$");
        if !program.procedures.iter().any(|p| p.name.starts_with(&own)) {
            return Err(WeaveError {
                what: format!("the rule `{rule}`, whose file was not given"),
                span: None,
            });
        }
    }
    drop_rules(program, check.rule.as_deref());
    let marks = check.goals.as_ref().map(|_| mark(program));
    drop_goal_calls(program);
    let rule = check.rule.as_ref().map(|name| format!("{PROPERTY}{name}"));
    let mut names: Vec<&str> = check.properties.iter().map(|p| p.name()).collect();
    names.extend(rule.as_deref());
    let asserts = [Property::UnreachCall, Property::Assert];
    let contracts = asserts.iter().any(|p| check.properties.contains(p));
    if contracts {
        names.push(prova_c::contract::PROPERTY);
    }
    // What users say of loops is an obligation always, but where only the end of runs is asked.
    let runs = |p: &Property| *p != Property::Termination;
    if check.goals.is_none() && check.properties.iter().any(runs) {
        names.push(LOOP_CONTRACT);
    }
    let mut report = WeaveReport::default();
    select(program, &names);
    if check.properties.contains(&Property::NoNullDeref) {
        weave_null(program);
    }
    if check.properties.contains(&Property::NoUninitRead) {
        weave_uninit(program);
    }
    let frees = frees(program);
    let mut table = None;
    let mut memory = Parts::of(&check.properties);
    memory.asked = asks(program);
    weave_arguments(program, !memory.any());
    if memory.any() {
        // A harness has no name in C.
        let entry = program.entry.map(|e| program.procedure(e));
        let entered = entry
            .filter(|e| e.c_name.is_empty())
            .map(|_| match check.ample {
                true => Entered::Ample,
                false => Entered::Typed,
            });
        table = Some(weave_memory(program, memory, entered)?.table);
    }
    if !memory.any() {
        weave_shapes(program);
        weave_addresses(program);
        weave_sizes(program);
        weave_overlaps(program);
        drop_ends(program);
    }
    weave_writes(program, contracts, frees);
    drop_redundant(program, table);
    report.sites = sites(program);
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
    if let (Some(marks), Some(targets)) = (marks, &check.goals) {
        if !targets.is_empty() {
            let woven = weave_targets(program, &marks, targets);
            woven.map_err(|what| WeaveError { what, span: None })?;
        }
        report.marks = marks;
    }
    if check.properties.contains(&Property::Termination) {
        end_at_errors(program);
    }
    prova_ir::debug_validate(program, "weave");
    Ok(report)
}

/// Calls of error functions and failed assertions that nobody defines end the program.
fn end_at_errors(program: &mut Program) {
    let ends = |p: &prova_ir::Procedure| p.body.is_none() && is_end_of_program(&p.c_name);
    let ends: Vec<bool> = program.procedures.iter().map(ends).collect();
    let bodies = program
        .procedures
        .iter_mut()
        .filter_map(|p| p.body.as_mut());
    for edge in bodies.flat_map(|b| &mut b.edges) {
        if let Statement::Call {
            callee: Callee::Direct(callee),
            ..
        } = edge.statement
        {
            if ends[callee.index()] {
                edge.statement = Statement::Halt(Halt::Abort);
            }
        }
    }
}

/// Keeps the error locations of the named properties, and those where nothing is known. A branch to any other goes: its condition
/// is not asked.
pub fn select(program: &mut Program, names: &[&str]) {
    for procedure in &mut program.procedures {
        let Some(body) = &mut procedure.body else {
            continue;
        };
        let mut dropped = vec![false; body.locations.len()];
        if names.contains(&Property::ValidDeref.name()) {
            let open = body.errors.iter_mut();
            let open = open.filter(|e| e.property == UNMODELLED_DEREF);
            open.for_each(|e| e.property = UNMODELLED.to_owned());
        }
        // What a shift too far gives is nothing that anybody may rest on. That it overflows may be said.
        let judged = [Property::NoShiftError, Property::NoOverflow];
        if !judged.iter().any(|p| names.contains(&p.name())) {
            let shifts = body.errors.iter_mut();
            let shifts = shifts.filter(|e| e.property == Property::NoShiftError.name());
            shifts.for_each(|e| e.property = UNMODELLED.to_owned());
        }
        body.errors.retain(|e| {
            let kept = e.property == UNMODELLED || names.contains(&e.property.as_str());
            dropped[e.location.index()] |= !kept;
            kept
        });
        let mut straight = vec![false; body.locations.len()];
        // What led to an error and nowhere else goes with it.
        loop {
            let mut left = vec![false; body.locations.len()];
            let before = body.edges.len();
            body.edges.retain(|edge| {
                let gone = dropped[edge.target.index()];
                straight[edge.source.index()] |= gone;
                left[edge.source.index()] |= !gone;
                !gone
            });
            if body.edges.len() == before {
                break;
            }
            for (location, dropped) in dropped.iter_mut().enumerate() {
                *dropped |= straight[location] && !left[location];
            }
        }
        for edge in &mut body.edges {
            if straight[edge.source.index()] && matches!(edge.statement, Statement::Assume(_)) {
                edge.statement = Statement::Skip;
            }
        }
    }
}

/// Keeps the handlers of one rule, or of none; they change nothing that the program sees.
fn drop_rules(program: &mut Program, kept: Option<&str>) {
    let own = kept.map(|name| format!("{FUNCTIONS}{name}$"));
    let other: Vec<bool> = program
        .procedures
        .iter()
        .map(|p| {
            let is_own = own.as_ref().is_some_and(|o| p.name.starts_with(o));
            p.name.starts_with(FUNCTIONS) && !is_own
        })
        .collect();
    for (p, procedure) in program.procedures.iter_mut().enumerate() {
        if other[p] {
            procedure.body = None;
        }
        for edge in procedure.body.iter_mut().flat_map(|b| &mut b.edges) {
            if let Statement::Call {
                callee: Callee::Direct(callee),
                ..
            } = edge.statement
            {
                if other[callee.index()] {
                    edge.statement = Statement::Skip;
                }
            }
        }
    }
}

/// Ends of scopes matter to memory safety only.
fn drop_ends(program: &mut Program) {
    for procedure in &mut program.procedures {
        for edge in procedure.body.iter_mut().flat_map(|b| &mut b.edges) {
            if matches!(edge.statement, Statement::Leave(_)) {
                edge.statement = Statement::Skip;
            }
        }
    }
}

/// All error locations of a program.
fn sites(program: &Program) -> Vec<ErrorSite> {
    let mut sites = Vec::new();
    for (p, procedure) in program.procedures.iter().enumerate() {
        let Some(body) = &procedure.body else {
            continue;
        };
        sites.extend(body.errors.iter().map(|e| ErrorSite {
            procedure: ProcId::new(p),
            location: e.location,
            span: body.location(e.location).span,
            message: e.message.clone(),
        }));
    }
    sites
}
