//! Runs that never end, made violations: a test for the stem and two rounds, and a program whose error
//! is that the loop comes round for the second time in the same state.
//!
//! What is not taken for a run of the program: one that passes something unmodelled, one in which C
//! leaves the result of an operation undefined (an overflow), and one that reads something volatile.

use prova_exec::{lasso, At, Code, Lasso, Limits, Policy, Run, RunEnd, Test};
use prova_ir::{LocId, Origin, ProcId, Program, Span, Statement, Type, UNMODELLED};
use prova_rank::again::CHOICE;
use prova_rank::rounds::count_rounds;
use prova_rank::TERMINATION;
use prova_task::outcome::Again;
use prova_task::prepare::as_written;
use prova_task::{Input, Task, Violation};
use std::sync::Arc;
use std::time::Duration;

/// How often the cycle is gone through in the test of a violation.
const ROUNDS: u32 = 2;
/// States of one run that are compared.
const STATES: usize = 20_000;

/// Tests to begin with: inputs that stay what they are, and some at random.
pub fn tests(seed: u64) -> Vec<Test> {
    let constant = |value: i128| Test::of_values(vec![value as u128; 2_000]);
    let mut all: Vec<Test> = [
        0,
        1,
        -1,
        2,
        3,
        5,
        7,
        10,
        100,
        i32::MAX.into(),
        i32::MIN.into(),
    ]
    .map(constant)
    .to_vec();
    let random = |seed| Test {
        rest: Policy::SeededInputs(seed),
        ..Test::zero()
    };
    all.extend((1..=10).map(|i| random(seed.wrapping_add(i))));
    // Some inputs at random, and the same from then on.
    for i in 0..16u64 {
        let mut x = seed.wrapping_add(i).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            match x >> 40 & 7 {
                // Where numbers of 32 bits end.
                0 if i >= 12 => 0x7fff_ffff,
                1 if i >= 12 => 0xffff_ffff_8000_0000,
                2 if i >= 12 => 1 << 30,
                _ => u128::from(x % 23).wrapping_sub(6),
            }
        };
        let stem: Vec<u128> = (0..1 + i % 6).map(|_| next()).collect();
        let rest = next();
        let all_values = stem.into_iter().chain(std::iter::repeat_n(rest, 2_000));
        all.push(Test::of_values(all_values));
    }
    all
}

pub(crate) fn limits(steps: u64) -> Limits {
    Limits {
        steps,
        time: Some(Duration::from_secs(2)),
        depth: 2_000,
        ..Limits::default()
    }
}

/// The program as written, ready to run.
pub fn code(program: &Program) -> Option<Arc<Code>> {
    Code::new(Arc::new(as_written(program))).ok()
}

/// Looks for a state that comes again in the run of a test.
pub fn look(code: &Arc<Code>, test: &Test, steps: u64) -> Option<Lasso> {
    lasso::search(code, test, limits(steps), STATES, &[]).ok()
}

/// Whether the cycle of a lasso passes a place.
pub fn passes(code: &Arc<Code>, lasso: &Lasso, procedure: ProcId, at: LocId) -> bool {
    let run = Run::new(code, &lasso.test, limits(u64::from(lasso.again)));
    let visits = run.visits(procedure, at).iter();
    let mut cycle = visits.filter(|step| (lasso.first..=lasso.again).contains(step));
    cycle.next().is_some()
}

/// A test without the inputs that chose a round.
pub fn without_choices(code: &Arc<Code>, test: &Test) -> Test {
    let run = Run::new(code, test, limits(1_000_000));
    let program = &code.program;
    let chose = |position: u32| {
        let place = code.places[position as usize];
        let body = program.procedure(place.proc).body.as_ref();
        let edge = place.edge.and_then(|e| Some(body?.edge(e)));
        let statement = edge.map(|e| &e.statement);
        matches!(statement, Some(Statement::Nondet { target, .. })
            if program.register(*target).name.starts_with(CHOICE))
    };
    let values = run.inputs.iter().filter(|i| !chose(i.position));
    Test {
        values: values.map(|i| i.value).collect(),
        ..test.clone()
    }
}

/// A test that goes through the cycle so often, and the steps that takes.
fn rounds_of(lasso: &Lasso, rounds: u32) -> (Test, u32) {
    let (before, behind) = lasso.inputs;
    let mut test = lasso.test.clone();
    test.values.truncate(behind);
    let cycle: Vec<u128> = test.values[before.min(test.values.len())..].to_vec();
    for _ in 1..rounds {
        test.values.extend(&cycle);
    }
    let period = lasso.again - lasso.first;
    (
        test,
        lasso.first.saturating_add(period.saturating_mul(rounds)),
    )
}

/// The violation that a lasso is, with the task it is one of; `None` if it is no run of the program.
pub fn violation(task: &Task, code: &Arc<Code>, lasso: &Lasso) -> Option<(Violation, Task)> {
    let (test, steps) = rounds_of(lasso, ROUNDS);
    let run = Run::new(code, &test, limits(u64::from(steps)));
    let program = &code.program;
    if program.reads_volatile || passes_a_marker(&run) {
        return None;
    }
    // The machine knows where it stands once it goes on.
    let at = run.location_at(lasso.again);
    let (location, n) = counted(task, &run, at, lasso.call, steps)?;
    let span = place(&run, at, lasso);
    let message = match lasso.call {
        true => {
            "this call never returns: it begins as a call around it began, and then the same again"
        }
        false => {
            "this loop never ends: it comes back to the state it was in, and then the same again"
        }
    };
    let mut woven = task.clone();
    count_rounds(&mut woven.program, at.proc, location, n as u64, message);
    let (before, behind) = lasso.inputs;
    let violation = Violation {
        property: TERMINATION.to_owned(),
        message: message.to_owned(),
        span,
        inputs: inputs(&run),
        path: lines(&run),
        test,
        again: Some(Again {
            inputs: (before, behind),
            call: lasso.call,
            closed: false,
        }),
    };
    Some((violation, woven))
}

/// Where rounds are counted, and how many there are. What is run has places of its own, for inputs.
fn counted(task: &Task, run: &Run, at: At, call: bool, steps: u32) -> Option<(LocId, usize)> {
    let body = task.program.procedure(at.proc).body.as_ref()?;
    if call {
        let calls = run.activations().iter();
        let calls = calls.filter(|c| c.proc == at.proc && c.start <= steps);
        return Some((body.entry, calls.count()));
    }
    let location = at.location;
    let visits = run.visits(at.proc, location).iter();
    let n = visits.filter(|state| **state <= steps).count();
    (location.index() < body.locations.len()).then_some((location, n))
}

/// Something unmodelled that a run passes.
pub(crate) fn passes_a_marker(run: &Run) -> bool {
    let program = &run.code.program;
    let unmodelled = |statement: &Statement| match statement {
        Statement::Marker(_) => true,
        Statement::Nondet { origin, .. } | Statement::Havoc { origin, .. } => {
            matches!(origin, Origin::Unmodelled(_))
        }
        _ => false,
    };
    let mut path = run.path();
    path.any(|(_, place)| {
        let body = program.procedure(place.proc).body.as_ref();
        let edge = place.edge.and_then(|e| Some(body?.edge(e)));
        edge.is_some_and(|e| unmodelled(&e.statement))
    })
}

/// Whether an operation of the run has no result in C.
pub fn overflows(defined: Option<&Task>, lasso: &Lasso) -> bool {
    let Some(code) = defined.and_then(|task| code(&task.program)) else {
        return false;
    };
    let (test, steps) = rounds_of(lasso, ROUNDS);
    // Checks are steps of their own.
    let end = prova_exec::run_plain(&code, &test, limits(u64::from(steps).saturating_mul(4))).end;
    match end {
        RunEnd::ErrorReached(at) => {
            let body = code.program.procedure(at.proc).body.as_ref();
            let error = body.and_then(|b| b.error_at(at.location));
            error.is_none_or(|e| e.property != UNMODELLED)
        }
        RunEnd::StepLimit(_) | RunEnd::InputsExhausted(_) => false,
        // It ought to go on.
        _ => true,
    }
}

/// The user's own place of a cycle.
fn place(run: &Run, at: At, lasso: &Lasso) -> Span {
    let program = &run.code.program;
    let body = program.procedure(at.proc).body.as_ref();
    let here = body.map_or(Span::NONE, |b| b.location(at.location).span);
    if program.is_own(here) {
        return here;
    }
    let spans = (lasso.first..lasso.again).filter_map(|step| {
        let place = run.edge_at(step)?;
        let body = program.procedure(place.proc).body.as_ref()?;
        Some(body.edge(place.edge?).span)
    });
    let own = spans.filter(|s| program.is_own(*s));
    own.min_by_key(|s| (s.line, s.column)).unwrap_or(here)
}

/// The inputs of a run for people.
pub(crate) fn inputs(run: &Run) -> Vec<Input> {
    let program = &run.code.program;
    let mut found = Vec::new();
    for used in &run.inputs {
        let Some(place) = run.edge_at(used.step) else {
            continue;
        };
        let body = program.procedure(place.proc).body.as_ref();
        let Some(edge) = place.edge.and_then(|e| Some(body?.edge(e))) else {
            continue;
        };
        let Statement::Nondet { target, origin } = &edge.statement else {
            continue;
        };
        let register = program.register(*target);
        let name = match origin {
            Origin::Input(name) | Origin::Undefined(name) => format!("{name}()"),
            Origin::Choice(what) => what.clone(),
            Origin::Uninitialised => format!("{} (uninitialised)", register.c_name),
            Origin::Entry => register.c_name.clone(),
            Origin::Unmodelled(_) => "something unmodelled".into(),
        };
        found.push(Input {
            name,
            value: shown(register.ty, used.value),
            span: edge.span,
        });
    }
    found
}

fn shown(ty: Type, bits: u128) -> String {
    match ty {
        Type::Int(w) if w < 128 => {
            let shift = 128 - u32::from(w);
            (((bits << shift) as i128) >> shift).to_string()
        }
        Type::Ptr if bits == 0 => "NULL".into(),
        Type::Float(prova_ir::FloatKind::F32) => format!("{:?}", f32::from_bits(bits as u32)),
        Type::Float(prova_ir::FloatKind::F64) => format!("{:?}", f64::from_bits(bits as u64)),
        _ => format!("{bits:#x}"),
    }
}

/// The source lines a run passed, in order, runs of the same line folded.
pub(crate) fn lines(run: &Run) -> Vec<Span> {
    let program = &run.code.program;
    let mut found: Vec<Span> = Vec::new();
    for (_, place) in run.path() {
        let body = program.procedure(place.proc).body.as_ref();
        let Some(span) = place.edge.and_then(|e| Some(body?.edge(e).span)) else {
            continue;
        };
        let new = |l: &Span| (l.file, l.line) != (span.file, span.line);
        if program.is_own(span) && found.last().is_none_or(new) {
            found.push(span);
        }
    }
    found
}
