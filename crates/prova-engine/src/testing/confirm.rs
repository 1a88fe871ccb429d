//! What is told of tests: whether one fails for certain, what it did, what none of them reached.

use crate::testing::forest::{Entry, Forest, MOST_STEPS};
use prova_exec::{Code, Given, Limits, Run, RunEnd, Test};
use prova_ir::{
    CType, CTypeId, ErrorLocation, Origin, ProcId, Program, Span, Statement, Type, UNMODELLED,
};
use prova_task::prepare::Prepared;
use prova_task::{Input, Scope, Unknown, Violation};
use std::time::Duration;

/// Tests that are told, and how much each may depend on.
const MOST_TOLD: usize = 2_000;

impl Forest<'_> {
    /// Why a test did not arrive where the model said.
    pub fn why_not(&self, number: u32) -> String {
        let run = &self.entries[number as usize].run;
        match &run.end {
            RunEnd::Trap(..) | RunEnd::StepLimit(_) | RunEnd::TimeLimit | RunEnd::MemoryLimit => {
                format!(
                    "the test for it ended early: {}",
                    run.end.describe(&self.encoding.prepared.program)
                )
            }
            other => format!(
                "the test for it went elsewhere ({})",
                other.describe(&self.encoding.prepared.program)
            ),
        }
    }

    /// What a test did, for people.
    pub fn story(&self, number: u32) -> String {
        let run = &self.entries[number as usize].run;
        format!(
            "{number} runs {} steps: {}",
            run.steps(),
            run.end.describe(&self.encoding.prepared.program)
        )
    }

    /// Runs a failing test on the program before inlining; it must fail there, too. Gives the test
    /// of that program, and the error it reaches there, with its place if that is another one: what
    /// goes too deep here goes on there.
    pub fn confirm(&self, number: u32) -> Result<(Test, ErrorLocation, Option<Span>), Unknown> {
        let failed = |what: &str| Err(Unknown::CheckFailed(what.to_owned()));
        let prepared = &self.encoding.prepared;
        let run = &self.entries[number as usize].run;
        let RunEnd::ErrorReached(at) = run.end else {
            return failed("the test does not fail");
        };
        let Some(error) = prepared.body_of(at.proc).error_at(at.location) else {
            return failed("the test ended at no error location");
        };
        let code = match Code::new(prepared.original.clone()) {
            Ok(code) => code,
            Err(e) => return failed(&e.to_string()),
        };
        let limits = Limits {
            // The slice may have left out loops that have to be gone through here.
            steps: u64::from(run.steps()) * 4 + MOST_STEPS,
            time: Some(Duration::from_secs(10)),
            ..Limits::default()
        };
        let (test, again) = Given::of(run).onto(&code, limits);
        let original = &prepared.original;
        if let RunEnd::ErrorReached(at) = again.end {
            let body = original.procedure(at.proc).body.as_ref();
            if let Some(real) = body.and_then(|b| b.error_at(at.location)) {
                let span = body.map(|b| b.location(at.location).span);
                let elsewhere = |s: &Span| error.property == UNMODELLED && original.is_own(*s);
                return Ok((test, real.clone(), span.filter(elsewhere)));
            }
        }
        if error.property == UNMODELLED {
            // No error of the program: what was made of it goes no further.
            return Err(Unknown::Unmodelled {
                what: error.message.clone(),
                span: Some(prepared.body_of(at.proc).location(at.location).span),
            });
        }
        failed(&format!(
            "on the program as written the test {}",
            again.end.describe(original)
        ))
    }

    /// A place that some test came to and none got past, because the behaviour there is undefined:
    /// nothing is known of what lies behind it.
    pub fn dead_end(&self) -> Option<(String, Span)> {
        let prepared = &self.encoding.prepared;
        let mut trapped: Vec<((ProcId, prova_ir::EdgeId), String)> = Vec::new();
        for entry in &self.entries {
            if let RunEnd::Trap(trap, at) = entry.run.end {
                let outgoing = prepared.body_of(at.proc).edges.iter().enumerate();
                trapped.extend(
                    outgoing
                        .filter(|(_, e)| e.source == at.location)
                        .filter(|(_, e)| !matches!(e.statement, Statement::Assume(_)))
                        .map(|(i, _)| ((at.proc, prova_ir::EdgeId::new(i)), trap.to_string())),
                );
            }
        }
        trapped.sort_unstable();
        trapped.dedup_by_key(|t| t.0);
        for entry in &self.entries {
            if trapped.is_empty() {
                break;
            }
            let last = match entry.run.end {
                RunEnd::Trap(_, at) => Some((at.proc, at.location)),
                _ => None,
            };
            let steps = entry.run.steps();
            for (step, place) in entry.run.path() {
                if step + 1 == steps && last == Some((place.proc, place.source)) {
                    continue;
                }
                trapped.retain(|((p, edge), _)| *p != place.proc || place.edge != Some(*edge));
            }
        }
        let ((procedure, edge), trap) = trapped.into_iter().next()?;
        Some((trap, prepared.body_of(procedure).edge(edge).span))
    }

    /// What a test that reached an error shows: the violation, or why it is none.
    pub(crate) fn judge(&self, number: u32, span: Span) -> Result<Violation, Unknown> {
        if let Some((what, span)) = self.marker_passed(number) {
            // What really happens there is not known: the test may not fail outside of here.
            return Err(Unknown::Unmodelled {
                what,
                span: Some(span),
            });
        }
        let (test, error, elsewhere) = self.confirm(number)?;
        Ok(Violation {
            test,
            property: error.property,
            message: error.message,
            span: elsewhere.unwrap_or(span),
            inputs: self.inputs_of(number),
            path: self.lines_of(number),
            again: None,
        })
    }

    /// Something unmodelled that a run passes, if any.
    pub fn marker_passed(&self, number: u32) -> Option<(String, Span)> {
        let run = &self.entries[number as usize].run;
        let prepared = &self.encoding.prepared;
        run.path()
            .find_map(|(_, place)| prepared.marker_of(prepared.edge_at(&place)?))
    }

    /// The inputs of a run for people.
    pub fn inputs_of(&self, number: u32) -> Vec<Input> {
        let prepared = &self.encoding.prepared;
        let run = &self.entries[number as usize].run;
        let mut found = Vec::new();
        for used in &run.inputs {
            let Some(place) = run.edge_at(used.step) else {
                continue;
            };
            let Some(edge) = prepared.edge_at(&place) else {
                continue;
            };
            let Statement::Nondet { target, origin } = &edge.statement else {
                continue;
            };
            let register = prepared.program.register(*target);
            let name = match origin {
                Origin::Input(name) | Origin::Undefined(name) => format!("{name}()"),
                Origin::Choice(what) => what.clone(),
                Origin::Uninitialised => format!("{} (uninitialised)", register.c_name),
                Origin::Entry => register.c_name.clone(),
                Origin::Unmodelled(_) => "something unmodelled".into(),
            };
            found.push(Input {
                name,
                value: match is_unsigned(&prepared.program, register.ctype, origin) {
                    true if matches!(register.ty, Type::Int(_)) => used.value.to_string(),
                    _ => as_c(register.ty, used.value),
                },
                span: prepared.own_span(run, used.step).unwrap_or(edge.span),
            });
        }
        found
    }

    /// The source lines a run passed, in order, runs of the same line folded.
    pub fn lines_of(&self, number: u32) -> Vec<Span> {
        let prepared = &self.encoding.prepared;
        let run = &self.entries[number as usize].run;
        let mut lines: Vec<Span> = Vec::new();
        for (_, place) in run.path() {
            let Some(edge) = prepared.edge_at(&place) else {
                continue;
            };
            let span = edge.span;
            if prepared.program.is_own(span)
                && lines
                    .last()
                    .is_none_or(|l| (l.file, l.line) != (span.file, span.line))
            {
                lines.push(span);
            }
        }
        lines
    }

    /// The tests, told without addresses; those that would take much to tell are left out.
    fn tests(&self) -> Vec<Given> {
        let mut tests = self.tests_from(0);
        tests.truncate(MOST_TOLD);
        tests
    }

    /// The same for tests from a number on.
    pub fn tests_from(&self, first: u32) -> Vec<Given> {
        let short = |run: &&Run| run.fills().len() <= MOST_TOLD && run.inputs.len() <= MOST_TOLD;
        let runs = self.entries.iter().skip(first as usize).map(|e| &e.run);
        runs.filter(short).map(Given::of).collect()
    }

    /// Adds what the forest knows: code that no test reached, and whether any run gets anywhere.
    pub fn complete_scope(&self, scope: &mut Scope, prepared: &Prepared) {
        scope.tests = self.tests();
        let mut lines: std::collections::BTreeMap<(u32, u32), (bool, Span)> = Default::default();
        let mut errors: Vec<Span> = Vec::new();
        for (p, procedure) in prepared.program.procedures.iter().enumerate() {
            let Some(body) = &procedure.body else {
                continue;
            };
            for (index, location) in body.locations.iter().enumerate() {
                let span = location.span;
                if !span.is_known() {
                    continue;
                }
                let seen = self.entries.iter().any(|e| {
                    let visits = e.run.visits(ProcId::new(p), prova_ir::LocId::new(index));
                    !visits.is_empty()
                });
                let line = lines
                    .entry((span.file.0, span.line))
                    .or_insert((false, span));
                line.0 |= seen;
            }
            errors.extend(body.errors.iter().map(|e| body.location(e.location).span));
        }
        scope.unreached = lines
            .values()
            .filter(|(seen, span)| {
                !seen
                    && !errors
                        .iter()
                        .any(|e| (e.file, e.line) == (span.file, span.line))
            })
            .map(|(_, span)| *span)
            .collect();
        let blocked = |e: &Entry| matches!(e.run.end, RunEnd::AssumeFailed(_));
        if !self.entries.is_empty() && self.entries.iter().all(blocked) {
            scope.vacuous = Some("no test gets past the program's assumptions".into());
        } else if errors.is_empty() {
            scope.vacuous = Some("the program has no error to reach".into());
        }
    }
}

/// Whether an input is of an unsigned type: that of the variable, or of the function that gives it.
fn is_unsigned(program: &Program, ctype: Option<CTypeId>, origin: &Origin) -> bool {
    let given = match origin {
        Origin::Input(name) | Origin::Undefined(name) => {
            let function = program.procedures.iter().find(|p| p.c_name == *name);
            let function = function
                .and_then(|p| p.ctype)
                .map(|c| program.ctypes.get(c));
            match function {
                Some(CType::Function { result, .. }) => Some(*result),
                _ => None,
            }
        }
        _ => None,
    };
    let ctype = given.or(ctype).map(|c| program.ctypes.get(c));
    matches!(ctype, Some(CType::Bool | CType::Int { signed: false, .. }))
}

fn as_c(ty: Type, bits: u128) -> String {
    match ty {
        Type::Int(w) if w < 128 => {
            let shift = 128 - u32::from(w);
            (((bits << shift) as i128) >> shift).to_string()
        }
        Type::Int(_) => bits.to_string(),
        Type::Float(prova_ir::FloatKind::F32) => format!("{:?}", f32::from_bits(bits as u32)),
        Type::Float(prova_ir::FloatKind::F64) => format!("{:?}", f64::from_bits(bits as u64)),
        Type::Float(prova_ir::FloatKind::X87) => format!("{bits:#x}"),
        Type::Ptr if bits == 0 => "NULL".into(),
        Type::Ptr => format!("{bits:#x}"),
    }
}
