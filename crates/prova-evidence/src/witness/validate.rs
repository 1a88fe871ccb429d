//! Whether a witness, from whatever tool, is right about a program.
//!
//! A violation is looked for along its waypoints; what is found is carried over to the program
//! itself and has to happen there, natively. Invariants are asserted where they are said to hold
//! and proved together with the property; one that fails comes with a test that shows it.

use super::atlas::{Atlas, Misplaced};
use super::format::{self, Content, InvariantAt, Segment, WaypointKind, Witness};
use super::guess::guess;
use super::metadata::digest;
use super::property::{check_of, error_of, gate, has_a_place};
use super::weave::{
    weave_invariants, weave_violation, WeaveError, Woven, CHOICE, FAILS, INVARIANT, SEGMENT,
};
use super::yaml::{YamlError, LARGEST};
use crate::confirm::{confirm, Options};
use crate::folder::Folder;
use crate::Sources;
use prova_exec::{Code, Given, Limits, Run, RunEnd};
use prova_ir::{Assumption, Origin, Program, Statement, World};
use prova_spec::{
    make_entry_with, takes_pointers, weave, weave_unreach_call, Check, Pointers, Property, Spec,
};
use prova_task::border::{settle, Settled};
use prova_task::prepare::as_written;
use prova_task::{
    check_modelled, Budget, Checker, Observer, Outcome, Proof, Task, Unknown, Violation,
};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The witness is right.
    Confirmed(String),
    /// It is wrong.
    Rejected(String),
    /// Neither could be shown.
    Unknown(String),
}

/// What an engine that only looks so far has to say.
const BOUNDED: &str = "no violation was found, but loops were followed for some rounds only";

/// Why a witness cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The file cannot be read.
    #[error("cannot read `{0}`: {1}")]
    File(String, String),
    /// It is too large.
    #[error("`{0}` is too large: {1} bytes, where at most {LARGEST} are taken")]
    TooLarge(String, u64),
    /// It is no witness.
    #[error("{0}: {1}")]
    Format(String, YamlError),
    /// It is about another program.
    #[error("{0}")]
    OtherProgram(String),
    /// What it says cannot be placed.
    #[error("{0}")]
    Weave(#[from] WeaveError),
    /// The program cannot be read, or not with what the witness says.
    #[error("{0}")]
    Program(String),
}

/// Everything a validation needs.
pub struct Validation<'a> {
    /// The program's files.
    pub sources: &'a Sources,
    /// A function checked in place of `main`.
    pub entry: Option<&'a str>,
    /// The engine.
    pub engine: &'a dyn Checker,
    /// Its budget.
    pub budget: &'a Budget,
    /// How violations are confirmed.
    pub options: &'a Options,
    /// Whether a proof of a task holds; an error says why not. Engines are not taken at their word.
    pub certify: Certify<'a>,
    /// How the world outside of the program is read.
    pub world: &'a World,
}

/// Whether a proof of a task holds; an error says why not.
pub type Certify<'a> = &'a dyn Fn(&Task, &Proof) -> Result<(), String>;

/// Reads a witness file.
pub fn read(path: &Path) -> Result<Witness, Refused> {
    let name = path.display().to_string();
    let fail = |e: std::io::Error| Refused::File(name.clone(), e.to_string());
    let metadata = std::fs::metadata(path).map_err(fail)?;
    if !metadata.is_file() {
        return Err(Refused::File(name, "it is no regular file".into()));
    }
    if metadata.len() > LARGEST {
        return Err(Refused::TooLarge(name, metadata.len()));
    }
    let bytes = std::fs::read(path).map_err(fail)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Refused::File(name.clone(), "it is not UTF-8".into()))?;
    format::read(&text).map_err(|e| Refused::Format(name, e))
}

impl Validation<'_> {
    /// Validates a witness.
    pub fn run(&self, witness: &Witness, observer: &mut dyn Observer) -> Result<Verdict, Refused> {
        self.same_program(witness)?;
        let specification = &witness.metadata.specification;
        let check = check_of(specification).map_err(|why| {
            let text = super::yaml::cut(specification);
            Refused::OtherProgram(format!(
                "the witness is about another property: {text}: {why}"
            ))
        })?;
        let check = check.as_ref();
        let atlas = Atlas::of(self.sources).map_err(Refused::Program)?;
        match &witness.content {
            Content::Violation(segments) => self.violation(&atlas, check, segments, observer),
            Content::Correctness(invariants) => {
                self.correctness(&atlas, check, invariants, observer)
            }
        }
    }

    /// Whether the witness is about this program.
    fn same_program(&self, witness: &Witness) -> Result<(), Refused> {
        let metadata = &witness.metadata;
        let other = |what: String| Err(Refused::OtherProgram(what));
        if metadata.model != self.sources.options.model {
            return other(format!(
                "the witness is for data model {:?}, the program is read for {:?}; see --bits",
                metadata.model, self.sources.options.model
            ));
        }
        for path in &self.sources.files {
            let digest = digest(path).map_err(Refused::Program)?;
            let known = metadata.hashes.iter().any(|(_, h)| *h == digest);
            if !known {
                return other(format!(
                    "the witness is about other files: none of its digests is that of `{}`",
                    path.display()
                ));
            }
        }
        Ok(())
    }

    /// A task from texts, the errors of a check woven in; unreachability without one.
    fn task(&self, texts: &[String], check: Option<&Check>) -> Result<Task, Refused> {
        let options = prova_c::Options {
            checks: check.is_some_and(Check::needs_operations),
            ..self.sources.options.clone()
        };
        let mut units = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let name = self.sources.name(index);
            let unit = prova_c::parse_text(&name, text.clone(), &options)
                .map_err(|e| Refused::Program(format!("with the witness, {e}")))?;
            units.push(unit);
        }
        let lowered = prova_c::lower(units, &options).map_err(|errors| {
            let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
            Refused::Program(format!("with the witness, {}", all.join("; ")))
        })?;
        let mut program = lowered.program;
        if check.is_none() {
            for procedure in &mut program.procedures {
                if procedure.c_name == FAILS {
                    procedure.c_name = "reach_error".into();
                }
            }
        }
        let mut passed = None;
        if let Some(entry) = self.entry {
            let found = program.find_procedure(entry).ok_or_else(|| {
                Refused::Program(format!("there is no function `{entry}` with a body"))
            })?;
            let pointers = self.world.pointers;
            passed = takes_pointers(&program, found).then_some(pointers);
            make_entry_with(&mut program, found, Pointers::Anywhere, pointers)
                .map_err(|e| Refused::Program(e.to_string()))?;
        }
        if program.entry.is_none() {
            return Err(Refused::Program("there is no `main`".into()));
        }
        let calls = check.map_or(&self.sources.calls, |c| &c.calls);
        let about = |name: &str| [FAILS, CHOICE].contains(&name) || calls.is_about(name);
        let Settled {
            mut assumed,
            unmodelled,
        } = settle(&mut program, self.world, &about);
        assumed.extend(self.entry.map(|e| Assumption::Entry(e.to_owned())));
        assumed.extend(passed.map(Assumption::Pointers));
        match check {
            None => drop(weave_unreach_call(&mut program, &self.sources.calls)),
            Some(check) => {
                weave(&mut program, check).map_err(|e| Refused::Program(e.to_string()))?;
            }
        }
        Ok(Task {
            assumed,
            unmodelled,
            ..Task::new(program, 0)
        })
    }

    fn original(&self, atlas: &Atlas, check: Option<&Check>) -> Result<Task, Refused> {
        let texts: Vec<String> = atlas
            .pages
            .iter()
            .map(|p| p.positions.text.clone())
            .collect();
        self.task(&texts, check)
    }

    fn violation(
        &self,
        atlas: &Atlas,
        check: Option<&Check>,
        segments: &[Segment],
        observer: &mut dyn Observer,
    ) -> Result<Verdict, Refused> {
        let original = self.original(atlas, check)?;
        let target = self.target(atlas, check, segments)?;
        // An error that is no call may lie anywhere in its statement: see `property.rs`.
        let counted = match check {
            None => segments,
            Some(_) => &segments[..segments.len() - 1],
        };
        let all = Some(counted.len() as u128);
        // Passing each waypoint as soon as it can be passed is what most witnesses mean, and
        // leaves less to search; only if that leads nowhere, visits may be skipped.
        for greedy in [true, false] {
            let woven =
                weave_violation(atlas, &original.program, counted, greedy, check.is_none())?;
            let mut task = self.task(&woven.texts, check)?;
            if check.is_some() {
                gate(&mut task.program, counted.len()).map_err(Refused::Program)?;
            }
            let program = as_written(&task.program);
            let code = Code::new(Arc::new(program)).map_err(|e| Refused::Program(e.to_string()))?;
            let guessed = guess(atlas, &original.program, segments, &code)
                .filter(|run| final_value(run, SEGMENT) == all);
            if let Some(run) = guessed {
                return Ok(self.followed(atlas, &original, &run, target.as_ref()));
            }
            match self.decided(&task, observer) {
                Outcome::Violated(violation) => {
                    let run = Run::new(&code, &violation.test, Limits::default());
                    if final_value(&run, SEGMENT) != all {
                        let what = "an error was reached without the witness's waypoints";
                        return Ok(Verdict::Unknown(what.into()));
                    }
                    return Ok(self.followed(atlas, &original, &run, target.as_ref()));
                }
                Outcome::Proved(_) if greedy => {}
                // To evaluate an assumption may violate the property, too, and hide what follows.
                Outcome::Proved(_) if check.is_some() && assumes(counted) => {
                    let what = "no run was found along its waypoints, but its assumptions may \
                                violate the property themselves";
                    return Ok(Verdict::Unknown(what.into()));
                }
                Outcome::Proved(_) => return Ok(nothing_follows(&woven)),
                Outcome::Bounded(_) => return Ok(Verdict::Unknown(BOUNDED.into())),
                Outcome::Unknown(reason) => return Ok(Verdict::Unknown(reason.to_string())),
            }
        }
        Ok(Verdict::Unknown("nothing was decided".into()))
    }

    /// What the engine says of a task, its proofs certified.
    fn decided(&self, task: &Task, observer: &mut dyn Observer) -> Outcome {
        let outcome = check_modelled(self.engine, task, self.budget, observer).outcome;
        match &outcome {
            Outcome::Proved(proof) => match (self.certify)(task, proof) {
                Ok(()) => outcome,
                Err(why) => Outcome::Unknown(Unknown::Certificate(why)),
            },
            _ => outcome,
        }
    }

    /// Page and range of the target's statement, where it is looked at: calls of error functions
    /// are counted, and leaks have no statement of their own.
    fn target(
        &self,
        atlas: &Atlas,
        check: Option<&Check>,
        segments: &[Segment],
    ) -> Result<Option<(usize, Range<usize>)>, Refused> {
        let (Some(check), Some(target)) = (check, segments.last().and_then(|s| s.0.last())) else {
            return Ok(None);
        };
        let placed = check.properties.iter().any(|p| has_a_place(p.name()));
        match atlas.statement(&target.location) {
            Ok((page, statement)) => Ok(Some((page, statement.range.clone()))),
            Err(Misplaced::Nothing { .. }) if !placed => Ok(None),
            Err(misplaced) => Err(Refused::Weave(WeaveError::Misplaced {
                said_at: target.location.said_at,
                misplaced,
            })),
        }
    }

    /// A violation of the woven program, carried over to the program itself; it has to happen in
    /// the target's statement, if that is given.
    fn followed(
        &self,
        atlas: &Atlas,
        original: &Task,
        run: &Run,
        target: Option<&(usize, Range<usize>)>,
    ) -> Verdict {
        let unknown = |what: String| Verdict::Unknown(what);
        if !matches!(run.end, RunEnd::ErrorReached(_)) {
            return unknown("the test that was found does not reach the error again".into());
        }
        let carried = match carried(original, without_choices(run)) {
            Ok(carried) => carried,
            Err(what) => return unknown(what),
        };
        let confirmed = match confirm(original, self.sources, &carried, self.options) {
            Ok(confirmed) => confirmed,
            Err(e) => return unknown(e.to_string()),
        };
        let recording = &confirmed.recording;
        if let Some((page, range)) = target.filter(|_| has_a_place(&recording.property)) {
            let place = super::violation::place(recording, atlas);
            if !place.is_some_and(|(at, offset)| at == *page && range.contains(&offset)) {
                return unknown(format!(
                    "an error is reached along its waypoints, but not at its target: {}",
                    recording.message
                ));
            }
        }
        Verdict::Confirmed(match confirmed.how {
            crate::How::Native => {
                "a run along its waypoints reaches the error, compiled and run".into()
            }
            crate::How::Interpretation(why) => format!(
                "a run along its waypoints reaches the error; replayed by interpretation: {why}"
            ),
        })
    }

    fn correctness(
        &self,
        atlas: &Atlas,
        check: Option<&Check>,
        invariants: &[InvariantAt],
        observer: &mut dyn Observer,
    ) -> Result<Verdict, Refused> {
        let woven = weave_invariants(atlas, invariants, check.is_some())?;
        let with_invariants = check.map(with_invariants);
        let task = self.task(&woven.texts, with_invariants.as_ref())?;
        let violation =
            match self.decided(&task, observer) {
                Outcome::Bounded(_) => return Ok(Verdict::Unknown(BOUNDED.into())),
                Outcome::Unknown(reason) => return Ok(Verdict::Unknown(reason.to_string())),
                Outcome::Proved(_) if woven.partial => return Ok(Verdict::Unknown(
                    "an invariant divides or follows pointers, and whether that is always defined \
                     was not shown"
                        .into(),
                )),
                Outcome::Proved(_) => {
                    let count = invariants.len();
                    return Ok(Verdict::Confirmed(format!(
                        "the property holds, and so do {count} invariants"
                    )));
                }
                Outcome::Violated(violation) => violation,
            };
        let Some(run) = rerun(&task, &violation) else {
            return Ok(Verdict::Unknown(
                "the test that was found does not reach the error again".into(),
            ));
        };
        let failed = final_value(&run, INVARIANT).unwrap_or(0) as usize;
        if let (Some(_), 0) = (check, failed) {
            let original = self.original(atlas, check)?;
            return Ok(self.property_fails(&original, &run));
        }
        let calls = with_invariants.map(|c| c.calls);
        if let Err(e) = self.confirm_woven(&woven, &task, &violation, calls) {
            return Ok(Verdict::Unknown(e));
        }
        Ok(Verdict::Rejected(
            match failed.checked_sub(1).and_then(|i| invariants.get(i)) {
                Some(invariant) => format!(
                    "the invariant `{}` at line {} does not hold: {}",
                    super::yaml::cut(&invariant.value),
                    invariant.location.line,
                    inputs_of(&task, &violation),
                ),
                None => format!(
                    "the property is violated: {} at {}",
                    violation.message,
                    crate::place(&task.program, violation.span)
                ),
            },
        ))
    }

    /// A violation of the property, with invariants woven in: it has to happen without them, too,
    /// since to evaluate one may violate the property.
    fn property_fails(&self, original: &Task, run: &Run) -> Verdict {
        let confirmed = carried(original, Given::of(run)).and_then(|violation| {
            confirm(original, self.sources, &violation, self.options).map_err(|e| e.to_string())
        });
        match confirmed {
            Ok(confirmed) => {
                let recording = &confirmed.recording;
                let at = crate::place(&recording.program, recording.span);
                let what = format!("the property is violated: {} at {at}", recording.message);
                Verdict::Rejected(what)
            }
            Err(what) => Verdict::Unknown(what),
        }
    }

    /// Confirms a violation of the woven program with the woven texts.
    fn confirm_woven(
        &self,
        woven: &Woven,
        task: &Task,
        violation: &Violation,
        calls: Option<Spec>,
    ) -> Result<(), String> {
        let folder = Folder::new("prova-witness").map_err(|e| e.to_string())?;
        let mut sources = self.sources.clone();
        sources.calls = calls.unwrap_or(sources.calls);
        for (index, text) in woven.texts.iter().enumerate() {
            let path = folder.path().join(format!("woven{index}.i"));
            std::fs::write(&path, text).map_err(|e| e.to_string())?;
            sources.files[index] = path;
        }
        let options = Options {
            harness: None,
            ..self.options.clone()
        };
        match confirm(task, &sources, violation, &options) {
            Ok(_) => Ok(()),
            Err(e) => Err(e.to_string()),
        }
    }
}

/// A check together with invariants that must not fail.
fn with_invariants(check: &Check) -> Check {
    let mut check = check.clone();
    check.properties.push(Property::UnreachCall);
    check.calls = Spec {
        calls: false,
        assertions: false,
        label: None,
        functions: vec![FAILS.into()],
    };
    check
}

/// Whether there is anything to evaluate on the way.
fn assumes(segments: &[Segment]) -> bool {
    let mut waypoints = segments.iter().flat_map(|s| &s.0);
    waypoints.any(|w| w.kind == WaypointKind::Assumption)
}

/// What a run was given, as a violation of the program itself.
fn carried(original: &Task, given: Given) -> Result<Violation, String> {
    let program = as_written(&original.program);
    let code = Code::new(Arc::new(program)).map_err(|e| e.to_string())?;
    let (test, again) = given.onto(&code, Limits::default());
    let (property, message, span) = error_of(&again.code.program, &again)
        .ok_or("without the witness, the test does not reach the error")?;
    Ok(Violation {
        test,
        property,
        message,
        span,
        inputs: Vec::new(),
        path: Vec::new(),
        again: None,
    })
}

fn nothing_follows(woven: &Woven) -> Verdict {
    if woven.approximate || woven.partial {
        return Verdict::Unknown(
            "no run was found along its waypoints, but not all of them could be said exactly"
                .into(),
        );
    }
    Verdict::Rejected("no run along its waypoints reaches the error".into())
}

fn rerun(task: &Task, violation: &Violation) -> Option<Run> {
    let program = as_written(&task.program);
    let code = Code::new(Arc::new(program)).ok()?;
    let run = Run::new(&code, &violation.test, Limits::default());
    matches!(run.end, RunEnd::ErrorReached(_)).then_some(run)
}

/// What a global variable of our own holds at the end of a run.
fn final_value(run: &Run, name: &str) -> Option<u128> {
    let program: &Program = &run.code.program;
    let registers = program.registers.iter();
    let found = registers
        .enumerate()
        .find(|(_, r)| r.c_name == name && r.owner.is_none());
    if let Some((i, _)) = found {
        return Some(run.register_at(prova_ir::RegId::new(i), run.steps()));
    }
    let object = program.objects.iter().position(|o| o.c_name == name)?;
    let base = run.layout.objects[object];
    Some(run.memory_at(base, 4, run.steps()))
}

/// What a run was given, but for decisions about waypoints.
fn without_choices(run: &Run) -> Given {
    let mut given = Given::of(run);
    let mut values = Vec::new();
    for (used, value) in run.inputs.iter().zip(&given.values) {
        let statement = run.edge_at(used.step).and_then(|place| {
            let body = run.code.program.procedure(place.proc).body.as_ref()?;
            Some(&body.edge(place.edge?).statement)
        });
        let ours = matches!(
            statement,
            Some(Statement::Nondet { origin: Origin::Undefined(name), .. }) if name == CHOICE
        );
        if !ours {
            values.push(*value);
        }
    }
    given.values = values;
    given
}

fn inputs_of(task: &Task, violation: &Violation) -> String {
    if violation.inputs.is_empty() {
        return "it fails on every run".into();
    }
    let shown: Vec<String> = violation
        .inputs
        .iter()
        .take(8)
        .map(|i| {
            let at = crate::place(&task.program, i.span);
            format!("{} = {} at {at}", i.name, i.value)
        })
        .collect();
    format!("it fails with {}", shown.join(", "))
}
