//! A test's run once more, with terms: what each state variable is at each step as a function of
//! the inputs, and what the path demands of them. Made on demand, as far as asked, and kept.

use super::encoding::Encoding;
use crate::outcome::Unknown;
use prova_exec::points_to::ClassId;
use prova_exec::state_vars::StateVar;
use prova_exec::transfer::{Composer, Input};
use prova_exec::Run;
use prova_ir::{EdgeId, Statement};
use prova_logic::{Term, Terms};
use rustc_hash::FxHashMap;

/// An input of the run so far.
#[derive(Clone, Debug)]
pub struct PathInput {
    /// The variable and what it stands for.
    pub input: Input,
    /// The address of the range that was made arbitrary, for cells of memory.
    pub base: Option<Term>,
    /// Which `Havoc` or second `Enter` it belongs to, counted from zero; `None` for the rest.
    pub fresh: Option<u32>,
    /// At the program's start, or at an edge.
    pub at_start: bool,
}

/// The symbolic log of a run.
pub struct SymbolicRun<'a> {
    store: Composer<'a>,
    done: u32,
    log: FxHashMap<StateVar, Vec<(u32, Term)>>,
    /// Number of path constraints after each step at which it grew.
    growth: Vec<(u32, usize)>,
    /// Inputs in order, with the step at which they were read.
    pub inputs: Vec<(u32, PathInput)>,
    fresh: u32,
    entered: rustc_hash::FxHashSet<prova_ir::ObjectId>,
}

impl<'a> SymbolicRun<'a> {
    /// The state at the start.
    pub fn new(terms: &mut Terms, encoding: &'a Encoding<'a>) -> Result<Self, Unknown> {
        let (start, _) = encoding.start(terms).map_err(|e| unsupported(encoding, e, None))?;
        let store = Composer::after(encoding.context(), &start);
        let mut log: FxHashMap<StateVar, Vec<(u32, Term)>> = FxHashMap::default();
        for &(variable, value) in &start.updates {
            if let Some(part) = encoding.vars.meaning(variable) {
                log.insert(part, vec![(0, value)]);
            }
        }
        let inputs = start
            .inputs
            .iter()
            .map(|input| (0, PathInput { input: input.clone(), base: None, fresh: None, at_start: true }))
            .collect();
        let growth = vec![(0, store.guard().len())];
        Ok(SymbolicRun { store, done: 0, log, growth, inputs, fresh: 0, entered: Default::default() })
    }

    /// Goes on until `step` edges are done.
    pub fn extend(&mut self, terms: &mut Terms, encoding: &'a Encoding<'a>, run: &Run, step: u32) -> Result<(), Unknown> {
        while self.done < step {
            let Some(edge) = run.edge_at(self.done).and_then(|place| place.edge) else { break };
            self.step(terms, encoding, edge)?;
        }
        Ok(())
    }

    fn step(&mut self, terms: &mut Terms, encoding: &'a Encoding<'a>, edge: EdgeId) -> Result<(), Unknown> {
        let statement = &encoding.prepared.body().edge(edge).statement;
        let seen = self.store.inputs().len();
        let constraints = self.store.guard().len();
        let fail = |e| unsupported(encoding, e, Some(edge));
        let base = match statement {
            Statement::Havoc { address, .. } => Some(self.store.value(terms, *address).map_err(fail)?),
            Statement::Enter(object) => Some(encoding.vars.base(*object)),
            _ => None,
        };
        // Contents survive the first entry of an object: nobody wrote there before.
        let again = match statement {
            Statement::Enter(object) => !self.entered.insert(*object),
            _ => true,
        };
        self.store.apply(terms, statement, &format!("{}", self.done), again).map_err(fail)?;
        self.done += 1;
        let fresh = match statement {
            Statement::Havoc { .. } => true,
            Statement::Enter(_) => again,
            _ => false,
        };
        for input in &self.store.inputs()[seen..] {
            let fresh = fresh.then_some(self.fresh);
            self.inputs.push((self.done, PathInput { input: input.clone(), base, fresh, at_start: false }));
        }
        if fresh {
            self.fresh += 1;
        }
        if self.store.guard().len() != constraints {
            self.growth.push((self.done, self.store.guard().len()));
        }
        let mut touched: Vec<StateVar> = statement.written_register().map(StateVar::Register).into_iter().collect();
        match statement {
            Statement::Store { address, .. } => {
                touched.extend(encoding.partition.class_of(*address).map(StateVar::Memory));
            }
            Statement::Copy { .. } | Statement::Havoc { .. } | Statement::Enter(_) => {
                touched.extend((0..encoding.vars.memory.len()).map(|i| StateVar::Memory(ClassId::new(i))));
            }
            Statement::Allocate { .. } => touched.push(StateVar::HeapTop),
            _ => {}
        }
        for part in touched {
            let value = self.store.get(part);
            let log = self.log.entry(part).or_default();
            if log.last().is_none_or(|&(_, last)| last != value) {
                log.push((self.done, value));
            }
        }
        Ok(())
    }

    /// The value of a part of the state after `step` edges; `None` if nothing ever wrote it.
    pub fn value(&self, part: StateVar, step: u32) -> Option<Term> {
        let log = self.log.get(&part)?;
        let index = log.partition_point(|&(s, _)| s <= step);
        (index > 0).then(|| log[index - 1].1)
    }

    /// What the first `step` edges demand of the inputs.
    pub fn constraints(&self, step: u32) -> &[Term] {
        let index = self.growth.partition_point(|&(s, _)| s <= step);
        let count = if index > 0 { self.growth[index - 1].1 } else { 0 };
        &self.store.guard()[..count]
    }

    /// Inputs read by the first `step` edges.
    pub fn inputs_until(&self, step: u32) -> &[(u32, PathInput)] {
        let count = self.inputs.partition_point(|(s, _)| *s <= step);
        &self.inputs[..count]
    }
}

fn unsupported(encoding: &Encoding, error: prova_exec::translate::Unencodable, edge: Option<EdgeId>) -> Unknown {
    Unknown::Unsupported {
        what: error.to_string(),
        span: edge.map(|e| encoding.prepared.body().edge(e).span),
    }
}
