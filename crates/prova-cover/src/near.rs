//! How near tests came to a goal that is open: how many branches lie between it and the last place on
//! the way that some run came to.

use crate::session::Session;
use prova_ir::{Body, LocId, ProcId, Statement};
use prova_spec::goals::{mark_at, Target};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// How near tests came to a goal, for people.
pub fn near(session: &Session, goal: usize) -> String {
    let marks: FxHashSet<u32> = session.goals[goal]
        .targets
        .iter()
        .filter_map(|t| match t {
            Target::Mark(number) => Some(*number),
            Target::Decides { .. } => None,
        })
        .collect();
    if marks.is_empty() {
        return "the decision is evaluated, but the condition does not decide".into();
    }
    let program = &session.code.program;
    for (p, procedure) in program.procedures.iter().enumerate() {
        let Some(body) = &procedure.body else {
            continue;
        };
        let at = |l: &LocId| mark_at(body, *l).is_some_and(|m| marks.contains(&m));
        let starts: Vec<LocId> = (0..body.locations.len())
            .map(LocId::new)
            .filter(at)
            .collect();
        if starts.is_empty() {
            continue;
        }
        return match nearest(session, ProcId::new(p), &starts) {
            Some((line, 0 | 1)) => format!("tests come as near as line {line}, one branch away"),
            Some((line, branches)) => {
                format!("tests come as near as line {line}, {branches} branches away")
            }
            None if enters(session, body) => "no way leads here from where tests come".into(),
            None => format!("no test enters `{}`", procedure.c_name),
        };
    }
    "it is not in the program that is run".into()
}

/// Whether some run came to any place of a function.
fn enters(session: &Session, body: &Body) -> bool {
    let locations = (0..body.locations.len()).map(LocId::new);
    let mut marks = locations.filter_map(|l| mark_at(body, l));
    marks.any(|m| session.seen.contains(&Target::Mark(m)))
}

/// The nearest place before these that a run came to: its line, and the branches in between.
fn nearest(session: &Session, procedure: ProcId, starts: &[LocId]) -> Option<(u32, usize)> {
    let program = &session.code.program;
    let body = program.procedure(procedure).body.as_ref()?;
    let incoming = body.incoming();
    let mut seen: FxHashSet<LocId> = starts.iter().copied().collect();
    // Branches cost one, everything else nothing.
    let mut work: VecDeque<(LocId, usize)> = starts.iter().map(|s| (*s, 0)).collect();
    while let Some((at, branches)) = work.pop_front() {
        let visited = mark_at(body, at).map(Target::Mark);
        if visited.is_some_and(|t| session.seen.contains(&t)) {
            return Some((body.location(at).span.line, branches));
        }
        for &edge in &incoming[at.index()] {
            let edge = body.edge(edge);
            if !seen.insert(edge.source) {
                continue;
            }
            match edge.statement {
                Statement::Assume(_) => work.push_back((edge.source, branches + 1)),
                _ => work.push_front((edge.source, branches)),
            }
        }
    }
    None
}
