//! The forest: tests that were run, their states, and what those states satisfy.

use crate::engines::dash::extend::Prefix;
use crate::problem::blocks::{Blocks, Cutpoint};
use crate::problem::encoding::Encoding;
use prova_exec::evaluate::{bits_of, eval_at, eval_at_with, At};
use prova_exec::transfer::{Input, Receiver};
use prova_exec::{Code, Exhausted, Given, Limits, Policy, Run, RunEnd, SymbolicRun, Test};
use prova_ir::{EdgeId, LocId, ObjectId, ProcId, Span, Statement};
use prova_logic::{Model, Substitution, Term, Terms, Value};
use prova_task::{Task, Unknown};
use std::sync::Arc;
use std::time::Duration;

/// Steps a run may take at first; a run without end is the rule in reactive programs.
const FIRST_STEPS: u64 = 100_000;
/// Steps a run may take at most: deterministic loops are worth waiting for.
pub(super) const MOST_STEPS: u64 = 10_000_000;
/// Steps of a random test: every branch on its inputs is a constraint on its path.
const RANDOM_STEPS: u64 = 5_000;
/// Tests of earlier checks that are run again.
const MOST_EARLIER: usize = 24;
/// Inputs that a run may read beyond those its test was made for.
const MORE_INPUTS: usize = 48;
/// States kept per cutpoint and test at each end of a long visit list.
const KEPT: usize = 128;

/// A state of the forest: a step of a test, counted in IR edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateRef {
    /// Which test.
    pub test: u32,
    /// How many edges it had taken.
    pub step: u32,
}

pub(super) struct Entry<'a> {
    pub(super) run: Run,
    pub(super) symbolic: Option<SymbolicRun<'a>>,
}

/// The tests of one check.
pub struct Forest<'a> {
    pub(super) encoding: &'a Encoding,
    code: Arc<Code>,
    pub(super) entries: Vec<Entry<'a>>,
    failing: Option<(u32, Span)>,
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

/// A path to an error as inputs for the machine.
pub struct Real {
    /// Values of the inputs.
    pub model: Model,
    /// What it is a model of.
    pub query: Vec<Term>,
    /// Inputs of the program's start.
    pub start: Vec<Input>,
    /// Inputs behind it, in order.
    pub inputs: Vec<Input>,
    /// The path's edges.
    pub edges: Vec<EdgeId>,
}

/// What a path gave memory: how often new contents, and which objects it entered.
#[derive(Default)]
struct Filled {
    count: u32,
    entered: rustc_hash::FxHashSet<ObjectId>,
}

impl<'a> Forest<'a> {
    /// A forest without tests.
    pub fn new(encoding: &'a Encoding) -> Result<Self, Unknown> {
        let code =
            Code::new(encoding.prepared.program.clone()).map_err(|e| Unknown::Unsupported {
                what: e.to_string(),
                span: None,
            })?;
        Ok(Forest {
            encoding,
            code,
            entries: Vec::new(),
            failing: None,
        })
    }

    /// Runs a test to its end and keeps it. Gives its number.
    pub fn add(&mut self, test: Test, time: Option<Duration>) -> u32 {
        let most = match test.rest {
            Policy::Zero => MOST_STEPS,
            _ => RANDOM_STEPS,
        };
        self.add_within(test, most, time)
    }

    /// As [`Forest::add`], for at most so many steps.
    pub fn add_within(&mut self, test: Test, most: u64, time: Option<Duration>) -> u32 {
        let run = self.run_within(test, most, time);
        self.keep(run)
    }

    /// Runs a test, and keeps it if it fails or somebody wants it.
    pub fn add_where(
        &mut self,
        test: Test,
        time: Option<Duration>,
        wanted: impl FnOnce(&Run) -> bool,
    ) -> Option<u32> {
        self.add_where_within(test, RANDOM_STEPS, time, wanted)
    }

    /// As [`Forest::add_where`], for at most so many steps.
    pub fn add_where_within(
        &mut self,
        test: Test,
        most: u64,
        time: Option<Duration>,
        wanted: impl FnOnce(&Run) -> bool,
    ) -> Option<u32> {
        let run = self.run_within(test, most, time);
        let fails = matches!(run.end, RunEnd::ErrorReached(_));
        (wanted(&run) || fails).then(|| self.keep(run))
    }

    /// Runs a test to its end however many inputs it reads, and keeps it.
    pub fn add_long(&mut self, mut test: Test, steps: u64, time: Option<Duration>) -> u32 {
        test.exhausted = Exhausted::Continue;
        let limits = Limits {
            steps,
            time,
            ..Limits::default()
        };
        let run = Run::new(&self.code, &test, limits);
        self.keep(run)
    }

    /// Whether a run was ended before its time.
    pub fn ran_out_of_steps(&self) -> bool {
        let ends = self.entries.iter().map(|e| &e.run.end);
        ends.into_iter().any(|e| matches!(e, RunEnd::StepLimit(_)))
    }

    /// Runs a test that is somebody's own: with its inputs and no more.
    pub fn add_as_it_is(&mut self, mut test: Test, time: Option<Duration>) -> u32 {
        test.exhausted = Exhausted::Stop;
        let limits = Limits {
            steps: MOST_STEPS,
            time,
            ..Limits::default()
        };
        let run = Run::new(&self.code, &test, limits);
        self.keep(run)
    }

    /// The program that tests run on.
    pub fn code(&self) -> &Arc<Code> {
        &self.code
    }

    fn run_within(&self, mut test: Test, most: u64, time: Option<Duration>) -> Run {
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
            steps: most.min(FIRST_STEPS),
            time,
            ..Limits::default()
        };
        let mut run = Run::new(&self.code, &test, limits);
        while matches!(run.end, RunEnd::StepLimit(_))
            && limits.steps < most
            && run.inputs.len() <= given + 4
        {
            limits.steps *= 10;
            run = Run::new(&self.code, &test, limits);
        }
        run
    }

    fn keep(&mut self, run: Run) -> u32 {
        let number = self.count();
        if let RunEnd::ErrorReached(at) = run.end {
            let place = self.encoding.prepared.own_place(&run, at);
            self.failing.get_or_insert((number, place));
        }
        self.entries.push(Entry {
            run,
            symbolic: None,
        });
        number
    }

    /// The first test that reached an error, and where.
    pub fn failing(&self) -> Option<(u32, Span)> {
        self.failing
    }

    /// Runs a test that was told without addresses.
    pub fn add_given(&mut self, given: &Given, time: Option<Duration>) -> u32 {
        let limits = Limits {
            steps: FIRST_STEPS,
            time,
            ..Limits::default()
        };
        let test = given.onto(&self.code, limits).0;
        self.add(test, time)
    }

    /// Tests to begin with: all zeros, some at random, and what earlier checks ran.
    pub fn tests_to_begin_with(&self, task: &Task, random: u64) -> Vec<Test> {
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

    /// How many tests there are.
    pub fn count(&self) -> u32 {
        self.entries.len() as u32
    }

    /// A test.
    pub fn test(&self, number: u32) -> &Test {
        &self.entries[number as usize].run.test
    }

    /// Whether a run depends on its test at all, as far as its inputs tell.
    pub fn reads_inputs(&self, number: u32) -> bool {
        !self.entries[number as usize].run.inputs.is_empty()
    }

    /// Whether memory got arbitrary contents in a run.
    pub fn has_fills(&self, number: u32) -> bool {
        !self.entries[number as usize].run.fills().is_empty()
    }

    /// A test that gives what a run was given, and nothing else.
    pub fn given(&self, number: u32) -> Test {
        let run = &self.entries[number as usize].run;
        Test {
            values: run.inputs.iter().map(|i| i.value).collect(),
            ..run.test.clone()
        }
    }

    /// The states of a test at cutpoints. Of a cutpoint that is passed very often, the first and
    /// the last visits stand for all: to know fewer states costs progress, never soundness.
    pub fn states_of(&self, number: u32, blocks: &Blocks) -> Vec<(Cutpoint, Vec<StateRef>)> {
        let mut found = Vec::new();
        for (index, location) in blocks.locations.iter().enumerate() {
            let Some(location) = *location else { continue };
            let states = self.visits(number, location);
            if !states.is_empty() {
                found.push((Cutpoint(index as u32), states));
            }
        }
        found
    }

    /// The states of all tests at a cutpoint, in order.
    pub fn states_at(&self, blocks: &Blocks, cutpoint: Cutpoint) -> Vec<StateRef> {
        let Some(location) = blocks.locations[cutpoint.index()] else {
            return Vec::new();
        };
        let tests = 0..self.count();
        tests.flat_map(|n| self.visits(n, location)).collect()
    }

    fn visits(&self, number: u32, location: LocId) -> Vec<StateRef> {
        let run = &self.entries[number as usize].run;
        let visits = run.visits(self.encoding.prepared.entry(), location);
        let reference = |&step: &u32| StateRef { test: number, step };
        if visits.len() <= 2 * KEPT {
            return visits.iter().map(reference).collect();
        }
        let (first, last) = (&visits[..KEPT], &visits[visits.len() - KEPT..]);
        first.iter().chain(last).map(reference).collect()
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

    /// The inputs of a state's path that terms speak of, each with the value it had: what tells
    /// this run from others on the same path. The values were asked for before.
    pub(crate) fn pinned(&self, terms: &mut Terms, state: StateRef, roots: &[Term]) -> Vec<Term> {
        let entry = &self.entries[state.test as usize];
        let Some(symbolic) = entry.symbolic.as_ref() else {
            return Vec::new();
        };
        let spoken = terms.free_vars_of(roots);
        let inputs = symbolic.inputs(state.step).iter().map(|i| i.var);
        let pinned: Vec<Term> = inputs.filter(|v| spoken.contains(v)).collect();
        let equal = |variable: Term| {
            let value = symbolic.eval(terms, &entry.run, variable);
            let value = terms.value(&value);
            terms.eq(variable, value)
        };
        pinned.into_iter().map(equal).collect()
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
}

/// At most `count` of the states, spread evenly.
pub(crate) fn spread<T: Copy>(states: &[T], count: usize) -> Vec<T> {
    let stride = states.len().div_ceil(count).max(1);
    states.iter().step_by(stride).copied().collect()
}
