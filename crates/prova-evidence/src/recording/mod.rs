//! A failing test run once more, by interpretation, on the program as written, and everything the
//! run was given, in terms of C: what each function without a body returned, what uninitialised
//! variables and blocks of memory held, the arguments and globals of an entry function.
//!
//! This is the second, independent run that every violation gets: it shares with the engine the
//! machine and nothing of the search.

use crate::c_types::Scalar;
use crate::witness::property::error_of;
use prova_exec::history::Fill;
use prova_exec::transplant::Bytes;
use prova_exec::undefined::stands_in;
use prova_exec::{lasso, Code, Exhausted, Given, Limits, Policy, Run, RunEnd, Test};
use prova_ir::{Allocation, Origin, Procedure, Program, RegId, Span, Statement, Storage};
use prova_rank::rounds::COUNTER;
use prova_task::outcome::Again;
use prova_task::prepare::as_written;
use prova_task::{Task, Violation};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

mod effects;
mod entry;
mod inputs;

pub use effects::{writers, Called, Effect};
pub use entry::{Argument, Entry, Place};

/// States of a run that are compared, at most.
const STATES: usize = 1 << 20;

/// A failing run and what it was given.
pub struct Recording {
    /// The program as written; positions refer to its files.
    pub program: Arc<Program>,
    /// The run.
    pub run: Run,
    /// The property that the error is one of.
    pub property: String,
    /// The error it reaches, for people.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What functions returned, in order; of allocations whether they failed.
    pub returned: Vec<Returned>,
    /// For a run that never ends: from which of these on they are returned again and again.
    pub again: Option<Rounds>,
    /// What was read of standard input, if anything was.
    pub stdin: Option<Vec<u8>>,
    /// What was read of each file that was opened, in the order of opening.
    pub files: Vec<Vec<u8>>,
    /// Calls of functions without a body that may write, with what they wrote, in order.
    pub called: Vec<Called>,
    /// Uninitialised variables with what they held each time they came to life, in order.
    pub unset: Vec<Unset>,
    /// What each block from `malloc` held, in order; those from `calloc` are among them, empty.
    pub blocks: Vec<Block>,
    /// Variables that are declared and defined nowhere.
    pub externals: Vec<Variable>,
    /// Weak functions that nobody defined in this run.
    pub absent: BTreeSet<String>,
    /// Set if a function other than `main` was checked.
    pub entry: Option<Entry>,
    /// The arguments of `main`, if it takes any.
    pub arguments: Vec<(Scalar, u128)>,
    /// Pages that unknown objects lie on.
    pub unknown_pages: Vec<u64>,
    /// What unknown objects hold, by address.
    pub unknown: Bytes,
    /// What cannot be given to a native run, in words.
    pub beyond: Vec<String>,
    /// What functions without a body write and no native run can, in words.
    pub unwritten: Vec<String>,
}

/// How a run that never ends goes on.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// From which of the values that were returned on they are returned again and again.
    pub from: usize,
    /// Whether it is one of calls in calls, whose stack grows.
    pub call: bool,
}

/// A value that a function without a body returned.
#[derive(Clone, Debug)]
pub struct Returned {
    /// The function's name.
    pub function: String,
    /// Its type.
    pub scalar: Scalar,
    /// The value.
    pub bits: u128,
    /// Where it was called.
    pub span: Span,
    /// The step that asked for it.
    pub step: u32,
}

/// An uninitialised variable each time it came to life.
#[derive(Clone, Debug)]
pub struct Unset {
    /// Its name.
    pub name: String,
    /// Its declaration.
    pub span: Span,
    /// Its size.
    pub size: u64,
    /// Its contents, zeros left out, one for each time.
    pub contents: Vec<Bytes>,
}

/// A block from `malloc`.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where it was allocated.
    pub span: Span,
    /// What it held, zeros left out.
    pub bytes: Bytes,
}

/// A variable with contents.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its declaration.
    pub span: Span,
    /// Its size.
    pub size: u64,
    /// Its alignment.
    pub align: u64,
    /// Its contents, zeros left out.
    pub bytes: Bytes,
}

/// Why there is no recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReached {
    /// The program cannot be run.
    #[error("the program cannot be run: {0}")]
    Code(String),
    /// The run ended in another way.
    #[error("run once more, the test does not reach the error: {0}")]
    Ended(String),
}

impl Recording {
    /// Runs the test of a violation again, for so long at most. Uninitialised variables and globals whose values do
    /// not matter get plain ones.
    pub fn of(task: &Task, violation: &Violation, time: Duration) -> Result<Recording, NotReached> {
        match violation.again {
            None => Recording::of_test(task, &violation.test, time),
            Some(again) if again.closed => Recording::of_rounds(task, violation, again, time),
            Some(_) => Recording::of_cycle(task, &violation.test, time),
        }
    }

    /// As [`Recording::of`], for a run that never ends: its state must come again, but for the count
    /// of rounds that the error is.
    fn of_cycle(task: &Task, test: &Test, time: Duration) -> Result<Recording, NotReached> {
        let code = code(task)?;
        let mut test = test.clone();
        test.exhausted = Exhausted::Stop;
        let registers = code.program.registers.iter().enumerate();
        let counter = registers.filter(|(_, r)| r.name.starts_with(COUNTER));
        let counter: Vec<RegId> = counter.map(|(i, _)| RegId::new(i)).collect();
        let found = lasso::search(&code, &test, limits(time), STATES, &counter);
        let lasso = found.map_err(|end| NotReached::Ended(end.describe(&code.program)))?;
        let run = Run::new(&code, &test, limits(time));
        if !matches!(run.end, RunEnd::ErrorReached(_)) {
            return Err(NotReached::Ended(run.end.describe(&code.program)));
        }
        let mut recording = Recording::read(run);
        recording.returned.retain(|r| r.step < lasso.again);
        let before = recording.returned.iter().filter(|r| r.step < lasso.first);
        recording.again = Some(Rounds {
            from: before.count(),
            call: lasso.call,
        });
        Ok(recording)
    }

    /// As [`Recording::of`], for a run that never ends though no state comes again: that it does not
    /// is certified elsewhere; here it has to go round as often as the error counts.
    fn of_rounds(
        task: &Task,
        violation: &Violation,
        again: Again,
        time: Duration,
    ) -> Result<Recording, NotReached> {
        let code = code(task)?;
        let mut test = violation.test.clone();
        test.exhausted = Exhausted::Stop;
        let run = Run::new(&code, &test, limits(time));
        if !matches!(run.end, RunEnd::ErrorReached(_)) {
            return Err(NotReached::Ended(run.end.describe(&code.program)));
        }
        let mut recording = Recording::read(run);
        let (from, to) = again.inputs;
        let all = recording.returned.len();
        recording.again = Some(Rounds {
            from: all - to.saturating_sub(from).min(all),
            call: false,
        });
        Ok(recording)
    }

    /// As [`Recording::of`], for a test.
    pub fn of_test(task: &Task, test: &Test, time: Duration) -> Result<Recording, NotReached> {
        let code = code(task)?;
        let mut test = test.clone();
        if test.rest == Policy::Zero {
            test.exhausted = Exhausted::Stop;
        }
        let run = Run::new(&code, &test, limits(time));
        if !matches!(run.end, RunEnd::ErrorReached(_)) {
            return Err(NotReached::Ended(run.end.describe(&code.program)));
        }
        let run = crate::simplify::simplify(run);
        Ok(Recording::read(run))
    }

    /// Runs a test that was told without addresses, however it ends.
    pub fn of_given(code: &Arc<Code>, given: &Given, time: Duration) -> Recording {
        Recording::read(given.onto(code, limits(time)).1)
    }

    fn read(run: Run) -> Recording {
        let program = Arc::clone(&run.code.program);
        let none = (String::new(), String::new(), Span::NONE);
        let (property, message, span) = error_of(&program, &run).unwrap_or(none);
        let mut recording = Recording {
            property,
            message,
            span,
            returned: Vec::new(),
            again: None,
            stdin: None,
            files: Vec::new(),
            called: Vec::new(),
            unset: Vec::new(),
            blocks: Vec::new(),
            externals: Vec::new(),
            absent: BTreeSet::new(),
            entry: None,
            arguments: Vec::new(),
            unknown_pages: run.unknown_pages(),
            unknown: BTreeMap::new(),
            beyond: Vec::new(),
            unwritten: Vec::new(),
            program,
            run,
        };
        let given = Given::of(&recording.run);
        recording.unknown = given.unknown.clone();
        recording.read_inputs();
        recording.read_fills(&given);
        recording.read_effects(&given);
        recording.read_externals(&given);
        recording.read_entry(&given);
        recording
    }

    /// The uninitialised variables that are not simply zero.
    pub fn unset_that_matter(&self) -> impl Iterator<Item = &Unset> {
        let matters = |u: &&Unset| u.contents.iter().any(|c| !c.is_empty());
        self.unset.iter().filter(matters)
    }

    /// Where something happened: procedure, statement, position.
    pub(crate) fn statement_at(&self, step: u32) -> Option<(&Procedure, &Statement, Span)> {
        let place = self.run.edge_at(step)?;
        let procedure = self.program.procedure(place.proc);
        let edge = procedure.body.as_ref()?.edge(place.edge?);
        let span = match stands_in(&self.program, place.proc) {
            true => self.call_of(step).unwrap_or(edge.span),
            false => edge.span,
        };
        Some((procedure, &edge.statement, span))
    }

    /// Where the call was that a step is part of.
    fn call_of(&self, step: u32) -> Option<Span> {
        self.call_of_activation(self.run.activation_at(step))
    }

    fn call_of_activation(&self, call: u32) -> Option<Span> {
        let start = self.run.activations().get(call as usize)?.start;
        let place = self.run.edge_at(start.checked_sub(1)?)?;
        let body = self.program.procedure(place.proc).body.as_ref()?;
        Some(body.edge(place.edge?).span)
    }

    fn note_unset(&mut self, name: String, span: Span, size: u64, bytes: Bytes) {
        match self.unset.iter_mut().find(|u| u.span == span) {
            Some(unset) => unset.contents.push(bytes),
            None => self.unset.push(Unset {
                name,
                span,
                size,
                contents: vec![bytes],
            }),
        }
    }

    fn read_fills(&mut self, given: &Given) {
        let fills: Vec<Fill> = self.run.fills().to_vec();
        for (fill, bytes) in fills.iter().zip(&given.fills) {
            let Some((procedure, statement, span)) = self.statement_at(fill.step) else {
                continue;
            };
            if procedure.c_name.is_empty() {
                continue; // What an entry function is given is read elsewhere.
            }
            let in_model = is_model(&self.program, procedure.span);
            match statement {
                Statement::Enter(object) => {
                    let object = self.program.object(*object);
                    if in_model || object.c_name.is_empty() {
                        if !bytes.is_empty() {
                            self.beyond
                                .push("contents of a structure that has no name matter".into());
                        }
                        continue;
                    }
                    let (name, span, size) = (object.c_name.clone(), object.span, object.size);
                    self.note_unset(name, span, size, bytes.clone());
                }
                Statement::Allocate { kind, .. } => match kind {
                    Allocation::Heap if !in_model => self.blocks.push(Block {
                        span,
                        bytes: bytes.clone(),
                    }),
                    Allocation::Heap if self.is_calloc(fill.step) => self.blocks.push(Block {
                        span,
                        bytes: Bytes::new(),
                    }),
                    _ if bytes.is_empty() => {}
                    _ => self.beyond.push(
                        "first contents of memory from `alloca`, `realloc` or an array of varying \
                         length matter"
                            .into(),
                    ),
                },
                Statement::Havoc {
                    origin: Origin::Uninitialised,
                    ..
                } => self.nan_stored(fill.size, bytes),
                Statement::Havoc {
                    origin: Origin::Undefined(_),
                    ..
                } if stands_in(&self.program, self.run.location_at(fill.step).proc) => {}
                Statement::Havoc {
                    origin: Origin::Input(name) | Origin::Undefined(name),
                    ..
                } => self
                    .beyond
                    .push(format!("`{name}` returns a structure by value")),
                _ => {}
            }
        }
    }

    fn is_calloc(&self, step: u32) -> bool {
        self.library_call(step)
            .is_some_and(|l| l.function == "calloc")
    }

    /// A NaN was stored, and its bits are seen. Any NaN's bits may be: the program as interpreted
    /// chooses them when it stores one, a native run when it gets one. So the next NaN that was
    /// given gets these.
    fn nan_stored(&mut self, size: u64, bytes: &Bytes) {
        let bits = bytes.iter().fold(0u128, |all, (&o, &b)| {
            all | u128::from(b) << (8 * o.min(15))
        });
        let given = self.returned.iter_mut().find(|r| match r.scalar {
            Scalar::Float(32) => size == 4 && f32::from_bits(r.bits as u32).is_nan(),
            Scalar::Float(64) => size == 8 && f64::from_bits(r.bits as u64).is_nan(),
            _ => false,
        });
        if let Some(given) = given {
            given.bits = bits;
        }
    }

    fn read_externals(&mut self, given: &Given) {
        let program = Arc::clone(&self.program);
        for object in &program.objects {
            if matches!(object.storage, Storage::External) {
                self.externals.push(Variable {
                    name: object.c_name.clone(),
                    span: object.span,
                    size: object.size,
                    align: object.align,
                    bytes: given.objects.get(&object.name).cloned().unwrap_or_default(),
                });
            }
        }
        for (i, register) in program.registers.iter().enumerate() {
            if register.owner.is_none() && register.initial.is_none() {
                let value = self.run.register_at(RegId::new(i), 0);
                // The address of a weak symbol.
                if let (Some(symbol), 0) = (register.name.strip_prefix('&'), value) {
                    self.absent.insert(symbol.to_owned());
                }
                let size = register.ty.bytes(program.model);
                self.externals.push(Variable {
                    name: register.c_name.clone(),
                    span: register.span,
                    size,
                    align: size.next_power_of_two(),
                    bytes: non_zero(&value.to_le_bytes()[..size.min(16) as usize]),
                });
            }
        }
        self.externals
            .retain(|v| !v.name.is_empty() && !crate::supply::is_object(&v.name));
    }
}

/// The program of a task as written, ready to run.
pub fn code(task: &Task) -> Result<Arc<Code>, NotReached> {
    let program = as_written(&task.program);
    Code::new(Arc::new(program)).map_err(|e| NotReached::Code(e.to_string()))
}

fn limits(time: Duration) -> Limits {
    Limits {
        time: Some(time),
        ..Limits::default()
    }
}

/// Whether a position lies in one of the library's models.
pub fn is_model(program: &Program, span: Span) -> bool {
    let file = program.files.get(span.file.index());
    file.is_some_and(|f| f.name.starts_with('<'))
}

/// The bytes that are not zero, by offset.
pub fn non_zero(bytes: &[u8]) -> Bytes {
    let numbered = bytes.iter().enumerate().map(|(i, &b)| (i as u64, b));
    numbered.filter(|(_, b)| *b != 0).collect()
}
