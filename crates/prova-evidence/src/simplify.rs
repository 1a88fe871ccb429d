//! A failing test made plainer: uninitialised variables and blocks become zero, globals of an
//! entry function keep their initial values, and bytes of standard input that are zero become a
//! letter (sanitizers measure what `scanf` stored by its terminator), wherever the error is reached
//! all the same. What is
//! left differs from a plain start only where it matters, so that little has to be arranged for a
//! native run and little has to be read by people.

use crate::supply::STANDARD_INPUT;
use prova_exec::transplant::Bytes;
use prova_exec::{Code, Given, Limits, Run, RunEnd};
use prova_ir::{Expr, ObjectId, Origin, Program, RegId, Statement, Storage, Type};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs that may be tried.
const TRIALS: usize = 60;
/// Time they may take.
const TIME: Duration = Duration::from_millis(300);
/// Larger objects are not compared byte by byte.
const LARGEST: u64 = 1 << 16;

/// Something that could be plainer.
enum Candidate {
    Value(usize, u128),
    Fill(usize, Bytes),
}

impl Candidate {
    fn apply(&self, given: &mut Given) {
        match self {
            Candidate::Value(i, plain) => given.values[*i] = *plain,
            Candidate::Fill(n, plain) => given.fills[*n] = plain.clone(),
        }
    }
}

/// The run of a plainer test that reaches the same error, or the run itself.
pub fn simplify(run: Run) -> Run {
    let started = Instant::now();
    let mut best = Given::of(&run);
    let candidates = candidates(&run, &best);
    if candidates.is_empty() {
        return run;
    }
    let limits = Limits {
        steps: u64::from(run.steps()) * 2 + 10_000,
        time: Some(TIME),
        ..Limits::default()
    };
    let code = Arc::clone(&run.code);
    let end = run.end.clone();
    let mut found = run;
    let all: Vec<&Candidate> = candidates.iter().collect();
    let mut groups = vec![all.clone()];
    groups.extend(all.into_iter().map(|c| vec![c]));
    for group in groups.into_iter().take(TRIALS) {
        if started.elapsed() > TIME {
            break;
        }
        let mut plainer = best.clone();
        group.iter().for_each(|c| c.apply(&mut plainer));
        if let Some(run) = reaches(&code, &plainer, &end, limits) {
            (best, found) = (plainer, run);
            if group.len() == candidates.len() {
                break;
            }
        }
    }
    found
}

fn reaches(code: &Arc<Code>, given: &Given, end: &RunEnd, limits: Limits) -> Option<Run> {
    let (_, run) = given.onto(code, limits);
    (run.end == *end).then_some(run)
}

fn candidates(run: &Run, given: &Given) -> Vec<Candidate> {
    let program = &run.code.program;
    let statement = |step: u32| {
        let place = run.edge_at(step)?;
        let body = program.procedure(place.proc).body.as_ref()?;
        Some(&body.edge(place.edge?).statement)
    };
    let mut found = Vec::new();
    for (i, used) in run.inputs.iter().enumerate() {
        let Some(Statement::Nondet { target, origin }) = statement(used.step) else {
            continue;
        };
        let plain = match origin {
            Origin::Uninitialised => Some(0),
            Origin::Entry => initial_value(program, run, *target),
            Origin::Input(name) if name == STANDARD_INPUT && used.value == 0 => Some(b'a'.into()),
            _ => None,
        };
        if let Some(plain) = plain.filter(|&p| p != used.value) {
            found.push(Candidate::Value(i, plain));
        }
    }
    for (n, (fill, bytes)) in run.fills().iter().zip(&given.fills).enumerate() {
        let plain = match statement(fill.step) {
            Some(Statement::Enter(_) | Statement::Allocate { .. }) => Some(Bytes::new()),
            Some(Statement::Havoc {
                address,
                origin: Origin::Entry,
                ..
            }) => match program.exprs.get(*address) {
                Expr::Address(o) => initial_bytes(program, run, o),
                _ => None,
            },
            _ => None,
        };
        if let Some(plain) = plain.filter(|p| p != bytes) {
            found.push(Candidate::Fill(n, plain));
        }
    }
    found
}

/// What a global register holds before anything runs, if an input may hold it: a pointer to one
/// of the program's own variables may not be one.
pub fn initial_value(program: &Program, run: &Run, register: RegId) -> Option<u128> {
    let value = run.register_at(register, 0);
    let global = program.register(register);
    let allowed = global.ty != Type::Ptr || value == 0;
    (global.owner.is_none() && global.initial.is_some() && allowed).then_some(value)
}

/// What a static object holds before anything runs, zeros left out.
pub fn initial_bytes(program: &Program, run: &Run, object: ObjectId) -> Option<Bytes> {
    let Storage::Static { .. } = program.object(object).storage else {
        return None;
    };
    let size = program.object(object).size;
    if size > LARGEST {
        return None;
    }
    let base = run.layout.objects[object.index()];
    let bytes = (0..size).map(|i| (i, run.memory_at(base + i, 1, 0) as u8));
    Some(bytes.filter(|(_, b)| *b != 0).collect())
}
