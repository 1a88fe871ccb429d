//! Requirements that nobody can keep: which of them exclude each other.
//!
//! A proof under requirements that no call keeps says nothing. Whether the function is called at all is asked
//! without one requirement after the other; what cannot be left out without calls coming through is a smallest set of
//! clauses that clash (the deletion filter of Chinneck and Dravnieks, *Locating Minimal Infeasible
//! Constraint Sets in Linear Programs*, 1991). It is told beside the verdict and changes none.

use std::time::Duration;

use prova_engine::registry;
use prova_ir::{Body, Callee, ErrorLocation, LocId, ProcId, Program, Span, Statement};
use prova_spec::{contracts, Check, Property};
use prova_task::{Budget, Outcome, Silent, Task};

use super::property::woven;
use crate::status::Rejected;

/// What one question may take; one more than a few clauses is seldom asked.
const EACH: Duration = Duration::from_secs(5);

/// Why a proof under a contract says nothing, with the clauses that clash, if they can be found.
pub fn told(
    program: &Program,
    entry: &str,
    world: &prova_ir::World,
    budget: &Budget,
) -> Result<Option<String>, Rejected> {
    let clash = clauses(program, entry, world, budget)?;
    let mut each: Vec<String> = Vec::new();
    for span in &clash {
        let place = crate::input::place(program, *span).unwrap_or_default();
        let file = program.files.get(span.file.index());
        let text = file.and_then(|f| std::fs::read_to_string(&f.name).ok());
        let line = text
            .as_deref()
            .and_then(|t| t.lines().nth((span.line as usize).checked_sub(1)?));
        each.push(match line {
            Some(line) => format!("`{}` at {place}", line.trim()),
            None => place,
        });
    }
    Ok(match each.as_slice() {
        [] => None,
        [one] => Some(format!("no call of `{entry}` keeps this: {one}")),
        all => Some(format!(
            "these requirements of `{entry}` exclude each other: {}",
            all.join(", ")
        )),
    })
}

/// Where the clauses stand that exclude each other, if that can be found out.
fn clauses(
    program: &Program,
    entry: &str,
    world: &prova_ir::World,
    budget: &Budget,
) -> Result<Vec<Span>, Rejected> {
    let found = program.find_procedure(entry);
    let Some((function, checked)) = found.and_then(|f| Some((f, contracts::checked(program, f)?)))
    else {
        return Ok(Vec::new());
    };
    let mut program = program.clone();
    let Some(body) = &mut program.procedures[checked.index()].body else {
        return Ok(Vec::new());
    };
    fail_at_call(body, function);
    let mut kept = required(body);
    if !never_called(&program, checked, &kept, &kept, entry, world, budget)? {
        return Ok(Vec::new());
    }
    let all = kept.clone();
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        match never_called(&program, checked, &all, &fewer, entry, world, budget)? {
            true => kept = fewer,
            false => at += 1,
        }
    }
    Ok(kept)
}

/// An error where the function is called, instead of the call.
fn fail_at_call(body: &mut Body, function: ProcId) {
    for i in 0..body.edges.len() {
        let calls = matches!(
            body.edges[i].statement,
            Statement::Call { callee: Callee::Direct(callee), .. } if callee == function
        );
        if calls {
            let location = body.add_location(body.edges[i].span);
            body.edges[i].statement = Statement::Skip;
            body.edges[i].target = location;
            body.errors.push(ErrorLocation {
                location,
                property: prova_c::contract::PROPERTY.to_owned(),
                message: "it is called".to_owned(),
            });
        }
    }
}

/// Conditions that a run keeps or ends at, in front of the call.
fn required(body: &Body) -> Vec<Span> {
    let outgoing = body.outgoing();
    let mut found: Vec<Span> = Vec::new();
    for location in (0..body.locations.len()).map(LocId::new) {
        if let [only] = outgoing[location.index()][..] {
            let edge = body.edge(only);
            let known = edge.span.is_known() && !found.contains(&edge.span);
            if known && matches!(edge.statement, Statement::Assume(_)) {
                found.push(edge.span);
            }
        }
    }
    found.sort_by_key(|s| (s.line, s.column));
    found
}

/// Whether no call comes through where only some conditions are asked for.
fn never_called(
    program: &Program,
    checked: ProcId,
    all: &[Span],
    kept: &[Span],
    entry: &str,
    world: &prova_ir::World,
    budget: &Budget,
) -> Result<bool, Rejected> {
    let mut program = program.clone();
    if let Some(body) = &mut program.procedures[checked.index()].body {
        for edge in &mut body.edges {
            let dropped = all.contains(&edge.span) && !kept.contains(&edge.span);
            if dropped && matches!(edge.statement, Statement::Assume(_)) {
                edge.statement = Statement::Skip;
            }
        }
    }
    let check = Check::of(Property::Assert);
    let Ok(woven) = woven(&program, &check, &Some(entry.to_owned()), world)? else {
        return Ok(false);
    };
    let task = Task {
        assumed: woven.assumed,
        unmodelled: woven.unmodelled,
        ..Task::new(woven.program, 0)
    };
    let time = budget.remaining().map_or(EACH, |left| left.min(EACH));
    let settings = prova_engine::Settings::default();
    let engine = registry::checker(registry::AUTO.0, &settings);
    let report = engine.map(|e| {
        prova_task::check_modelled(&*e, &task, &Budget::new(Some(time), None), &mut Silent)
    });
    Ok(report.is_some_and(|r| matches!(r.outcome, Outcome::Proved(_))))
}
