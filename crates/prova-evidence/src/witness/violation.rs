//! A recorded violation as a witness: what each function returned, where calls and branchings led,
//! in order, and the error.

use super::atlas::Atlas;
use super::format::{Content, Location, Segment, Waypoint, WaypointKind, Witness};
use super::metadata::metadata;
use crate::c_types::Scalar;
use crate::recording::Recording;
use crate::supply::allocation;
use crate::Sources;
use prova_ir::{Callee, Origin, Role, Statement};

/// More waypoints than this are not written: those that say the least are left out.
const MOST: usize = 5_000;

/// A waypoint and when it is passed.
#[derive(Clone, Debug)]
pub struct Passed {
    /// Step of the run.
    pub step: u32,
    /// The waypoint.
    pub waypoint: Waypoint,
    /// The function that is called or returned from.
    pub function: Option<String>,
}

/// The witness of a violation.
pub fn violation_witness(recording: &Recording, sources: &Sources) -> Result<Witness, String> {
    let atlas = Atlas::of(sources)?;
    let waypoints = waypoints(recording, &atlas)?;
    let segments = waypoints
        .into_iter()
        .map(|p| Segment(vec![p.waypoint]))
        .collect();
    Ok(Witness {
        metadata: metadata(recording, sources)?,
        content: Content::Violation(segments),
    })
}

/// All waypoints of a run, in order; the last is the target.
pub fn waypoints(recording: &Recording, atlas: &Atlas) -> Result<Vec<Passed>, String> {
    let target = target(recording, atlas).ok_or("the place of the error is not in a source")?;
    let mut values = values(recording, atlas);
    let mut others = calls(recording, atlas);
    // Where memory is checked, what ends with a block stands at the last statement in it: which way
    // a branching went cannot be told from what ran next.
    if !recording.property.starts_with("valid-") {
        others.extend(branchings(recording, atlas));
    }
    if values.len() + others.len() <= MOST {
        values.extend(others);
    } else {
        values.truncate(MOST);
    }
    values.sort_by_key(|p| p.step);
    values.push(target);
    Ok(values)
}

fn follow(kind: WaypointKind, constraint: Option<String>, location: Location) -> Waypoint {
    Waypoint {
        kind,
        follow: true,
        constraint,
        location,
    }
}

/// Page and offset of the error: where it is, or the last place before it in a source, such as the
/// call of a library function that it lies in.
pub fn place(recording: &Recording, atlas: &Atlas) -> Option<(usize, usize)> {
    let steps = 0..recording.run.steps();
    let passed = steps.rev().filter_map(|step| recording.statement_at(step));
    let mut before = passed.map(|s| s.2);
    atlas
        .find(&recording.program, recording.span)
        .or_else(|| before.find_map(|span| atlas.find(&recording.program, span)))
}

fn target(recording: &Recording, atlas: &Atlas) -> Option<Passed> {
    let (page, offset) = place(recording, atlas)?;
    let enclosing = atlas.pages[page].enclosing(offset);
    let start = enclosing.map_or(offset, |s| s.range.start);
    let function = enclosing.map_or("", |s| &s.function);
    let location = atlas.location(page, start, function)?;
    Some(Passed {
        step: recording.run.steps(),
        waypoint: follow(WaypointKind::Target, None, location),
        function: None,
    })
}

/// What functions returned, and what uninitialised variables held.
fn values(recording: &Recording, atlas: &Atlas) -> Vec<Passed> {
    let program = &recording.program;
    let mut found = Vec::new();
    for used in &recording.run.inputs {
        let Some((_, Statement::Nondet { target, origin }, span)) =
            recording.statement_at(used.step)
        else {
            continue;
        };
        let register = program.register(*target);
        let Some(scalar) = Scalar::of_register(program, *target) else {
            continue;
        };
        let Some(value) = constant(scalar, used.value) else {
            continue;
        };
        match origin {
            Origin::Input(name) | Origin::Undefined(name) => {
                let Some((page, offset)) = atlas.find(program, span) else {
                    continue;
                };
                let Some(call) = atlas.pages[page].call_at(offset, name) else {
                    continue;
                };
                let Some(location) = atlas.location(page, call.close, &call.function) else {
                    continue;
                };
                let constraint = match allocation(name) {
                    None => format!("\\result == {value}"),
                    // What is recorded is whether it failed.
                    Some(_) if used.value != 0 => "\\result == 0".to_owned(),
                    Some(_) => "\\result != 0".to_owned(),
                };
                let constraint = Some(constraint);
                found.push(Passed {
                    step: used.step,
                    waypoint: follow(WaypointKind::FunctionReturn, constraint, location),
                    function: Some(name.clone()),
                });
            }
            Origin::Uninitialised if register.role == Role::Local && used.value != 0 => {
                let Some(location) = behind(atlas, recording, register.span) else {
                    continue;
                };
                let constraint = Some(format!("{} == {value}", register.c_name));
                found.push(Passed {
                    step: used.step,
                    waypoint: follow(WaypointKind::Assumption, constraint, location),
                    function: None,
                });
            }
            _ => {}
        }
    }
    found
}

/// The statement behind a declaration, in the same block.
fn behind(atlas: &Atlas, recording: &Recording, span: prova_ir::Span) -> Option<Location> {
    let (page, offset) = atlas.find(&recording.program, span)?;
    let declaration = atlas.pages[page].enclosing(offset)?;
    let end = declaration.range.end;
    let statements = atlas.pages[page].syntax.statements.iter();
    let next = statements
        .filter(|s| s.range.start >= end && s.function == declaration.function)
        .min_by_key(|s| s.range.start)?;
    // Something must not lie between that could be passed first: a closing brace.
    let between = &atlas.pages[page].positions.text[end..next.range.start];
    (next.in_block && !between.contains(['{', '}']))
        .then(|| atlas.location(page, next.range.start, &next.function))?
}

/// A value as a constant of C, if it can be said.
fn constant(scalar: Scalar, bits: u128) -> Option<String> {
    match scalar {
        Scalar::Int { bits: w, signed } if w <= 64 => {
            let text = scalar.show(bits);
            Some(match (w, signed) {
                (64, true) if text == "-9223372036854775808" => {
                    "(-9223372036854775807LL - 1)".into()
                }
                (64, true) => format!("{text}LL"),
                (64, false) => format!("{text}ULL"),
                (32, true) if text == "-2147483648" => "(-2147483647 - 1)".into(),
                (32, false) => format!("{text}U"),
                _ => text,
            })
        }
        Scalar::Bool => Some(scalar.show(bits)),
        Scalar::Float(32) => float(f64::from(f32::from_bits(bits as u32))),
        Scalar::Float(64) => float(f64::from_bits(bits as u64)),
        Scalar::Pointer if bits == 0 => Some("0".into()),
        _ => None,
    }
}

fn float(value: f64) -> Option<String> {
    value.is_finite().then(|| format!("{value:?}"))
}

/// Calls that had not returned when the error was reached.
fn calls(recording: &Recording, atlas: &Atlas) -> Vec<Passed> {
    let run = &recording.run;
    let mut active = run.activation_at(run.steps());
    let mut found = Vec::new();
    while active != 0 {
        let Some(activation) = run.activations().get(active as usize) else {
            break;
        };
        active = activation.caller;
        let step = activation.start.saturating_sub(1);
        let Some((_, Statement::Call { callee, .. }, span)) = recording.statement_at(step) else {
            continue;
        };
        let Callee::Direct(callee) = callee else {
            continue;
        };
        let name = recording.program.procedure(*callee).c_name.clone();
        let place = atlas.find(&recording.program, span);
        let call = place.and_then(|(page, offset)| {
            let call = atlas.pages[page].call_at(offset, &name)?;
            atlas.location(page, call.close, &call.function)
        });
        if let Some(location) = call {
            found.push(Passed {
                step,
                waypoint: follow(WaypointKind::FunctionEnter, None, location),
                function: Some(name),
            });
        }
    }
    found
}

/// Branchings of a plain condition whose way is certain: what ran next is a part of it.
fn branchings(recording: &Recording, atlas: &Atlas) -> Vec<Passed> {
    let program = &recording.program;
    let mut found = Vec::new();
    let mut waiting: Option<(u32, usize, &super::syntax::Branching)> = None;
    for (step, place) in recording.run.path() {
        let Some(edge) = place.edge else {
            waiting = None;
            continue;
        };
        let Some(body) = &program.procedure(place.proc).body else {
            continue;
        };
        let edge = body.edge(edge);
        if matches!(edge.statement, Statement::Skip | Statement::Leave(_)) {
            continue;
        }
        let here = atlas.find(program, edge.span);
        if let (Some((at, page, branching)), Some((now, offset))) = (waiting, here) {
            let inside = |r: &Option<std::ops::Range<usize>>| {
                now == page && r.as_ref().is_some_and(|r| r.contains(&offset))
            };
            let way = match (inside(&branching.then), inside(&branching.otherwise)) {
                (true, false) => Some("true"),
                (false, true) => Some("false"),
                _ => None,
            };
            if let Some(way) = way {
                if let Some(location) = atlas.location(page, branching.keyword, &branching.function)
                {
                    found.push(Passed {
                        step: at,
                        waypoint: follow(WaypointKind::Branching, Some(way.into()), location),
                        function: None,
                    });
                }
            }
        }
        waiting = None;
        if let (Statement::Assume(_), Some((page, offset))) = (&edge.statement, here) {
            let branchings = &atlas.pages[page].syntax.branchings;
            let text = &atlas.pages[page].positions.text;
            waiting = branchings
                .iter()
                .find(|b| {
                    b.condition.contains(&offset)
                        && !b.switch
                        && text[b.condition.clone()].find(['&', '|', '?']).is_none()
                })
                .map(|b| (step, page, b));
        }
        if found.len() > MOST {
            break;
        }
    }
    found
}
