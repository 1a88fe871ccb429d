//! The forest: tests that were run, their states, and what those states satisfy.

use super::blocks::Blocks;
use super::encoding::Encoding;
use super::extend::Prefix;
use super::graph::{Cutpoint, StateRef};
use crate::outcome::{Input, Outcome, Scope, Task, Unknown, Violation};
use crate::prepare::Prepared;
use crate::values::refine::Real;
use prova_exec::evaluate::{bits_of, eval_at, eval_at_with, At};
use prova_exec::transfer::Receiver;
use prova_exec::{Code, Exhausted, Given, Limits, Policy, Run, RunEnd, SymbolicRun, Test};
use prova_ir::{ObjectId, Origin, ProcId, Span, Statement, Type};
use prova_logic::{Model, Substitution, Term, Terms, Value};
use std::sync::Arc;
use std::time::Duration;

/// Steps a run may take at first; a run without end is the rule in reactive programs.
const FIRST_STEPS: u64 = 100_000;
/// Steps a run may take at most: deterministic loops are worth waiting for.
const MOST_STEPS: u64 = 10_000_000;
/// Steps of a random test: every branch on its inputs is a constraint on its path.
const RANDOM_STEPS: u64 = 5_000;
/// Tests of earlier checks that are run again.
const MOST_EARLIER: usize = 24;
/// Inputs that a run may read beyond those its test was made for.
const MORE_INPUTS: usize = 48;
/// Tests that are told, and how much each may depend on.
const MOST_TOLD: usize = 2_000;
/// States kept per cutpoint and test at each end of a long visit list.
const KEPT: usize = 128;

struct Entry<'a> {
    run: Run,
    symbolic: Option<SymbolicRun<'a>>,
}

/// The tests of one check.
pub struct Forest<'a> {
    encoding: &'a Encoding<'a>,
    code: Arc<Code>,
    entries: Vec<Entry<'a>>,
}

/// A test that was added.
pub struct Added {
    /// Its number.
    pub number: u32,
    /// Where it reached an error, if it did.
    pub error: Option<Span>,
}

/// Inputs for a new test, from a model of a query over a path and a block.
pub struct Crossing<'m> {
    /// The model.
    pub model: &'m Model,
    /// Everything that was asserted and assumed.
    pub query: &'m [Term],
    /// The block's edges.
    pub edges: &'m [prova_ir::EdgeId],
    /// Its own inputs.
    pub inputs: &'m [prova_exec::transfer::Input],
}

/// What a path gave memory: how often new contents, and which objects it entered.
#[derive(Default)]
struct Filled {
    count: u32,
    entered: rustc_hash::FxHashSet<ObjectId>,
}

impl<'a> Forest<'a> {
    /// A forest without tests.
    pub fn new(encoding: &'a Encoding<'a>) -> Result<Self, Unknown> {
        let code =
            Code::new(encoding.prepared.program.clone()).map_err(|e| Unknown::Unsupported {
                what: e.to_string(),
                span: None,
            })?;
        Ok(Forest {
            encoding,
            code,
            entries: Vec::new(),
        })
    }

    /// Runs a test to its end and keeps it.
    pub fn add(&mut self, mut test: Test, time: Option<Duration>) -> Added {
        test.exhausted = Exhausted::Stop;
        let given = test.values.len();
        // A reactive program does again what it did last.
        let last = test.values.last().copied().unwrap_or(0);
        if test.rest == Policy::Zero {
            test.values.extend(std::iter::repeat_n(last, MORE_INPUTS));
        } else {
            test.exhausted = Exhausted::Continue;
        }
        let mut limits = Limits {
            steps: match test.rest {
                Policy::Zero => FIRST_STEPS,
                _ => RANDOM_STEPS,
            },
            time,
            ..Limits::default()
        };
        let mut run = Run::new(&self.code, &test, limits);
        while matches!(run.end, RunEnd::StepLimit(_))
            && limits.steps < MOST_STEPS
            && test.rest == Policy::Zero
            && run.inputs.len() <= given + 4
        {
            limits.steps *= 10;
            run = Run::new(&self.code, &test, limits);
        }
        let error = match run.end {
            RunEnd::ErrorReached(at) => Some(self.encoding.prepared.own_place(&run, at)),
            _ => None,
        };
        self.entries.push(Entry {
            run,
            symbolic: None,
        });
        Added {
            number: self.entries.len() as u32 - 1,
            error,
        }
    }

    /// Tests to begin with: all zeros, some at random, and what earlier checks ran.
    pub fn first_tests(&self, task: &Task, random: u64) -> Vec<Test> {
        let limits = Limits {
            steps: FIRST_STEPS,
            ..Limits::default()
        };
        let earlier = task.earlier.iter().take(MOST_EARLIER);
        let earlier = earlier.map(|given| given.onto(&self.code, limits).0);
        let random = (0..random).map(|i| Test {
            rest: Policy::SeededInputs(task.seed.wrapping_add(i)),
            ..Test::default()
        });
        std::iter::once(Test::zero())
            .chain(random)
            .chain(earlier)
            .collect()
    }

    /// A test.
    pub fn test(&self, number: u32) -> &Test {
        &self.entries[number as usize].run.test
    }

    /// Whether a run depends on its test at all, as far as its inputs tell.
    pub fn reads_inputs(&self, number: u32) -> bool {
        !self.entries[number as usize].run.inputs.is_empty()
    }

    /// The states of a test at cutpoints. Of a cutpoint that is passed very often, the first and
    /// the last visits stand for all: to know fewer states costs progress, never soundness.
    pub fn states_of(&self, number: u32, blocks: &Blocks) -> Vec<(Cutpoint, Vec<StateRef>)> {
        let run = &self.entries[number as usize].run;
        let procedure = self.encoding.prepared.entry();
        let mut found = Vec::new();
        for (index, location) in blocks.locations.iter().enumerate() {
            let Some(location) = *location else { continue };
            let visits = run.visits(procedure, location);
            if visits.is_empty() {
                continue;
            }
            let reference = |&step: &u32| StateRef { test: number, step };
            let states: Vec<StateRef> = if visits.len() <= 2 * KEPT {
                visits.iter().map(reference).collect()
            } else {
                let (first, last) = (&visits[..KEPT], &visits[visits.len() - KEPT..]);
                first.iter().chain(last).map(reference).collect()
            };
            found.push((Cutpoint(index as u32), states));
        }
        found
    }

    /// The value of a term over the state variables in a state.
    pub fn evaluate(&self, terms: &Terms, state: StateRef, t: Term) -> Value {
        let run = &self.entries[state.test as usize].run;
        eval_at(
            terms,
            At {
                run,
                state: state.step,
                vars: &self.encoding.vars,
            },
            t,
        )
    }

    /// As [`Forest::evaluate`], for terms that also speak of variables with values of their own.
    pub(crate) fn evaluate_with(
        &self,
        terms: &Terms,
        state: StateRef,
        t: Term,
        given: impl Fn(Term) -> Option<Value>,
    ) -> Value {
        let run = &self.entries[state.test as usize].run;
        let at = At {
            run,
            state: state.step,
            vars: &self.encoding.vars,
        };
        eval_at_with(terms, at, t, given)
    }

    /// The run of a test.
    pub(crate) fn run(&self, number: u32) -> &Run {
        &self.entries[number as usize].run
    }

    /// Whether a predicate holds in a state.
    pub fn holds(&self, terms: &Terms, state: StateRef, t: Term) -> bool {
        self.evaluate(terms, state, t).as_bool() == Some(true)
    }

    /// The path to a state as terms over the inputs, with the values of some state variables.
    pub fn prefix(
        &mut self,
        terms: &mut Terms,
        state: StateRef,
        variables: &[Term],
    ) -> Result<Prefix, Unknown> {
        let values = self.values_at(terms, state, variables)?;
        let symbolic = self.entries[state.test as usize].symbolic.as_ref();
        let symbolic = symbolic.expect("its values were asked for");
        let constraints = symbolic
            .constraints(state.step)
            .iter()
            .map(|c| c.term)
            .collect();
        let accesses = symbolic.accesses(state.step).collect();
        Ok(Prefix::new(terms, values, constraints, accesses))
    }

    /// The values of some state variables in a state, as terms over the inputs.
    pub fn values_at(
        &mut self,
        terms: &mut Terms,
        state: StateRef,
        variables: &[Term],
    ) -> Result<Substitution, Unknown> {
        let encoding = self.encoding;
        let entry = &mut self.entries[state.test as usize];
        let fail = |error: prova_exec::translate::Unencodable| Unknown::Unsupported {
            what: error.to_string(),
            span: None,
        };
        if entry.symbolic.is_none() {
            entry.symbolic =
                Some(SymbolicRun::new(terms, encoding.context(), &entry.run).map_err(fail)?);
        }
        let symbolic = entry.symbolic.as_mut().expect("made above");
        symbolic.extend(terms, state.step).map_err(fail)?;
        let mut values = Substitution::new();
        for &variable in variables {
            if let Some(part) = encoding.vars.meaning(variable) {
                let value = symbolic.value(terms, &entry.run, part, state.step);
                values.insert(terms, variable, value);
            }
        }
        Ok(values)
    }

    /// A test that follows a state's path and then crosses a block as the model says. Inputs that
    /// the model leaves open keep the values of the old test.
    pub fn test_from_model(
        &self,
        terms: &Terms,
        state: Option<StateRef>,
        crossing: &Crossing,
    ) -> Result<Test, String> {
        let model = crossing.model;
        let Some(state) = state else {
            return self.first_test(terms, crossing);
        };
        let entry = &self.entries[state.test as usize];
        let symbolic = entry.symbolic.as_ref().expect("the prefix was asked for");
        let mut test = symbolic
            .test_of(terms, &entry.run, model, crossing.query, state.step)
            .map_err(|e| e.to_string())?;
        // First contents that the query does not read are those of the old test.
        for (&address, &byte) in &entry.run.test.contents {
            test.contents.entry(address).or_insert(byte);
        }
        let passed = test.values.len();
        let procedure = entry.run.location_at(state.step).proc;
        let given = self.contents_given(&entry.run, state.step);
        let edges = (procedure, crossing.edges);
        self.give_inputs(&mut test, given, model, edges, crossing.inputs)?;
        // Then as before, for a while; memory that nobody wrote is zero under all our policies.
        test.values.extend(
            entry
                .run
                .inputs
                .iter()
                .skip(passed)
                .take(MORE_INPUTS)
                .map(|i| i.value),
        );
        test.rest = Policy::Zero;
        Ok(test)
    }

    /// A test that follows a path from the start as a model says.
    pub fn test_along(&mut self, terms: &mut Terms, real: &Real) -> Result<Test, String> {
        // The first test's symbolic run knows what the start leaves open.
        let start = StateRef { test: 0, step: 0 };
        self.prefix(terms, start, &[]).map_err(|e| e.to_string())?;
        let mut test = self.first_test(
            terms,
            &Crossing {
                model: &real.model,
                query: &real.query,
                edges: &[],
                inputs: &real.start,
            },
        )?;
        let edges = (self.encoding.prepared.entry(), &real.edges[..]);
        self.give_inputs(
            &mut test,
            Filled::default(),
            &real.model,
            edges,
            &real.inputs,
        )?;
        test.rest = Policy::Zero;
        Ok(test)
    }

    /// Appends the inputs that edges of a procedure ask for to a test, behind what was given.
    fn give_inputs(
        &self,
        test: &mut Test,
        mut given: Filled,
        model: &Model,
        (procedure, edges): (ProcId, &[prova_ir::EdgeId]),
        inputs: &[prova_exec::transfer::Input],
    ) -> Result<(), String> {
        let value = |var: Term| model.get(var).and_then(bits_of);
        let mut inputs = inputs.iter();
        for &edge in edges {
            // As many inputs as the statement has, in the order in which it asks.
            let cells = self.encoding.fresh_cells(procedure, edge)?;
            let statement = &self
                .encoding
                .prepared
                .body_of(procedure)
                .edge(edge)
                .statement;
            if let Statement::Nondet { .. } = statement {
                let input = inputs.next().ok_or("an input of the block is missing")?;
                test.values.push(value(input.var).unwrap_or(0));
            }
            // An object that is entered for the first time holds the test's first contents.
            let first = match statement {
                Statement::Enter(object) if given.entered.insert(*object) => {
                    Some(test.layout.as_ref().map_or(0, |l| l.object(*object)))
                }
                _ => None,
            };
            for &(offset, bytes) in cells.iter().flatten() {
                let input = inputs.next().ok_or("an input of the block is missing")?;
                let Some(bits) = value(input.var) else {
                    continue;
                };
                for k in 0..u64::from(bytes) {
                    let byte = (bits >> (8 * k)) as u8;
                    match first {
                        Some(base) => test.contents.insert(base + offset + k, byte),
                        None => test.fresh.insert((given.count, offset + k), byte),
                    };
                }
            }
            given.count += u32::from(cells.is_some() && first.is_none());
        }
        Ok(())
    }

    /// What a run gave memory before a state.
    fn contents_given(&self, run: &Run, state: u32) -> Filled {
        let mut given = Filled::default();
        for (_, place) in run.path().take(state as usize) {
            let Some(edge) = self.encoding.prepared.edge_at(&place) else {
                continue;
            };
            match edge.statement {
                Statement::Havoc { .. } => given.count += 1,
                Statement::Enter(object) if !given.entered.insert(object) => given.count += 1,
                _ => {}
            }
        }
        given
    }

    /// A test that starts as a model of the program's start says.
    fn first_test(&self, terms: &Terms, crossing: &Crossing) -> Result<Test, String> {
        let run = &self.entries.first().ok_or("no test was run yet")?.run;
        let mut test = match self.entries[0].symbolic.as_ref() {
            Some(symbolic) => symbolic
                .test_of(terms, run, crossing.model, crossing.query, 0)
                .map_err(|e| e.to_string())?,
            None => Test::zero(),
        };
        for input in crossing.inputs {
            if let (Receiver::Register(register), Some(value)) =
                (input.receiver, crossing.model.get(input.var))
            {
                test.registers.insert(register, bits_of(value).unwrap_or(0));
            }
        }
        Ok(test)
    }

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
    /// of that program, and the property and the message of the error it reaches.
    pub fn confirm(&self, number: u32) -> Result<(Test, String, String), String> {
        let prepared = self.encoding.prepared;
        let run = &self.entries[number as usize].run;
        let RunEnd::ErrorReached(at) = run.end else {
            return Err("the test does not fail".into());
        };
        let error = prepared
            .body_of(at.proc)
            .errors
            .iter()
            .find(|e| e.location == at.location)
            .ok_or("the test ended at no error location")?;
        let code = Code::new(prepared.original.clone()).map_err(|e| e.to_string())?;
        let limits = Limits {
            // The slice may have left out loops that have to be gone through here.
            steps: u64::from(run.steps()) * 4 + MOST_STEPS,
            time: Some(Duration::from_secs(10)),
            ..Limits::default()
        };
        let (test, again) = Given::of(run).onto(&code, limits);
        if !matches!(again.end, RunEnd::ErrorReached(_)) {
            return Err(format!(
                "on the program as written the test {}",
                again.end.describe(&prepared.original)
            ));
        }
        Ok((test, error.property.clone(), error.message.clone()))
    }

    /// A place that some test came to and none got past, because the behaviour there is undefined:
    /// nothing is known of what lies behind it.
    pub fn dead_end(&self) -> Option<(String, Span)> {
        let prepared = self.encoding.prepared;
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

    /// What a test that reached an error at `span` proves.
    pub fn judge(&self, number: u32, span: Span) -> Outcome {
        if let Some((what, span)) = self.marker_passed(number) {
            // What really happens there is not known: the test may not fail outside of here.
            return Outcome::Unknown(Unknown::Unmodelled {
                what,
                span: Some(span),
            });
        }
        match self.confirm(number) {
            Ok((test, property, message)) => Outcome::Violated(Box::new(Violation {
                test,
                property,
                message,
                span,
                inputs: self.inputs_of(number),
                path: self.lines_of(number),
            })),
            Err(what) => Outcome::Unknown(Unknown::CheckFailed(what)),
        }
    }

    /// Something unmodelled that a run passes, if any.
    pub fn marker_passed(&self, number: u32) -> Option<(String, Span)> {
        let run = &self.entries[number as usize].run;
        let prepared = self.encoding.prepared;
        run.path()
            .find_map(|(_, place)| prepared.marker_of(prepared.edge_at(&place)?))
    }

    /// The inputs of a run for people.
    pub fn inputs_of(&self, number: u32) -> Vec<Input> {
        let prepared = self.encoding.prepared;
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
                Origin::Uninitialised => format!("{} (uninitialised)", register.c_name),
                Origin::Entry => register.c_name.clone(),
                Origin::Unmodelled(_) => "something unmodelled".into(),
            };
            found.push(Input {
                name,
                value: as_c(register.ty, used.value),
                span: edge.span,
            });
        }
        found
    }

    /// The source lines a run passed, in order, runs of the same line folded.
    pub fn lines_of(&self, number: u32) -> Vec<Span> {
        let prepared = self.encoding.prepared;
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
        let short = |run: &&Run| run.fills().len() <= MOST_TOLD && run.inputs.len() <= MOST_TOLD;
        let runs = self.entries.iter().map(|e| &e.run).filter(short);
        runs.take(MOST_TOLD).map(Given::of).collect()
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
