//! Symbolic execution along a test's path: the machine once more, with a term beside the bits of
//! every value that depends on an input or on where objects lie.
//!
//! A value that is a plain number stays one: a loop whose bounds are constants builds no term and
//! leaves no constraint. Addresses are kept as an object and an offset until something asks for
//! more. The branches are decided by the same bits as in the concrete run, so the two cannot
//! follow different paths; each decision that depends on an input becomes a constraint.

mod domain;
mod model;
mod store;
mod values;

pub use values::{Kind, SymVal};

use crate::domain::Base;
use crate::evaluate::{base_value, eval_lazily, value_of};
use crate::machine::{Limits, Machine};
use crate::points_to::ClassId;
use crate::run::Run;
use crate::state_vars::StateVar;
use crate::transfer::{initial, Access, Receiver};
use crate::translate::{Context, Unencodable};
use prova_ir::RegId;
use prova_logic::{float, FloatFormat, Sort, Term, Terms, Value};
use std::sync::Arc;
use store::ClassStore;

/// What a constraint says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A branch or an assumption went this way.
    Branch,
    /// Nothing trapped: a divisor is not zero, an address not in the null page.
    Defined,
    /// An input is a value of its type: a pointer is null or in the unknown zone.
    Input,
    /// A callee or a freed pointer was this one.
    Fixed,
}

/// What the path demands of the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The edge that made it: it concerns states after this step.
    pub step: u32,
    /// A truth value that the run's own inputs satisfy.
    pub term: Term,
    /// Why.
    pub why: Why,
}

/// What an input variable stands for in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The first value of a register.
    Register(RegId),
    /// The n-th value asked for.
    Value(usize),
    /// Memory made arbitrary by the n-th `Havoc` or repeated `Enter`.
    Fresh {
        /// Which of them.
        number: u32,
        /// Offset in the range.
        offset: u64,
        /// Bytes.
        bytes: u32,
    },
}

/// An input variable of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathInput {
    /// The edge that asked; zero for what holds at the start.
    pub step: u32,
    /// The variable.
    pub var: Term,
    /// What it stands for.
    pub source: Source,
}

/// The symbolic values; see the module.
pub struct Symbolic<'a> {
    context: Context<'a>,
    terms: Terms,
    bases: Vec<(u64, Term)>,
    /// First values of registers.
    first: rustc_hash::FxHashMap<RegId, Term>,
    /// Per activation, where its logs start; globals come first.
    logs: Vec<Vec<(u32, Kind)>>,
    globals: Vec<Vec<(u32, Kind)>>,
    frames: Vec<u32>,
    callers: Vec<u32>,
    current: u32,
    current_logs: u32,
    classes: Vec<ClassStore>,
    heap: Vec<(u32, SymVal)>,
    /// Blocks on the heap by their address in this run.
    blocks: rustc_hash::FxHashMap<u64, SymVal>,
    constraints: Vec<Constraint>,
    inputs: Vec<PathInput>,
    values_asked: usize,
    /// Pointers nobody wrote that have been read.
    first_pointers: rustc_hash::FxHashSet<Term>,
    /// What library functions returned, and where. No constraint may speak of it: it depends on
    /// the inputs in ways that terms do not say.
    library: rustc_hash::FxHashMap<Term, (u32, RegId)>,
    /// Accesses to objects that the program does not name, each once.
    accesses: Vec<(u32, Access)>,
    known_accesses: rustc_hash::FxHashSet<Access>,
    failed: Option<(u32, Unencodable)>,
}

/// A run with terms.
pub struct SymbolicRun<'a> {
    machine: Machine<Symbolic<'a>>,
}

impl<'a> SymbolicRun<'a> {
    /// Stands before the first edge of the run.
    pub fn new(terms: &mut Terms, context: Context<'a>, run: &Run) -> Result<Self, Unencodable> {
        let start = initial(terms, context)?.transfer;
        let mut first = rustc_hash::FxHashMap::default();
        let mut arrays = context.vars.initial_memory.clone();
        for &(variable, value) in &start.updates {
            match context.vars.meaning(variable) {
                Some(StateVar::Register(reg)) => {
                    first.insert(reg, value);
                }
                Some(StateVar::Memory(class)) => arrays[class.index()] = value,
                _ => {}
            }
        }
        let inputs = start
            .inputs
            .iter()
            .filter_map(|i| match i.receiver {
                Receiver::Register(reg) => Some(PathInput {
                    step: 0,
                    var: i.var,
                    source: Source::Register(reg),
                }),
                Receiver::Memory { .. } => None,
            })
            .collect();
        let constraints = start
            .guard
            .iter()
            .map(|&term| Constraint {
                step: 0,
                term,
                why: Why::Input,
            })
            .collect();
        let domain = Symbolic {
            context,
            terms: Terms::new(),
            bases: Vec::new(),
            first,
            logs: Vec::new(),
            globals: Vec::new(),
            frames: Vec::new(),
            callers: Vec::new(),
            current: 0,
            current_logs: 0,
            classes: arrays.into_iter().map(ClassStore::new).collect(),
            heap: Vec::new(),
            blocks: rustc_hash::FxHashMap::default(),
            constraints,
            inputs,
            values_asked: 0,
            first_pointers: rustc_hash::FxHashSet::default(),
            library: rustc_hash::FxHashMap::default(),
            accesses: Vec::new(),
            known_accesses: Default::default(),
            failed: None,
        };
        let limits = Limits {
            steps: u64::from(run.steps()) + 1,
            ..Limits::default()
        };
        // The machine asks for terms while it is made: the arena must be in place before.
        let mut domain = domain;
        std::mem::swap(terms, &mut domain.terms);
        let test = crate::Test {
            layout: Some(run.layout.clone()),
            ..run.test.clone()
        };
        let mut machine = Machine::new(Arc::clone(&run.code), domain, test, limits);
        std::mem::swap(terms, &mut machine.domain.terms);
        Ok(SymbolicRun { machine })
    }

    /// Goes on until `state` edges are done, or the run's end. What cannot be encoded is an
    /// error for every state behind it.
    pub fn extend(&mut self, terms: &mut Terms, state: u32) -> Result<(), Unencodable> {
        if self.machine.step() < state && self.machine.end.is_none() {
            std::mem::swap(terms, &mut self.machine.domain.terms);
            self.machine.run_until(state);
            std::mem::swap(terms, &mut self.machine.domain.terms);
        }
        match &self.machine.domain.failed {
            Some((step, error)) if *step < state => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// States done so far.
    pub fn done(&self) -> u32 {
        self.machine.step()
    }

    /// What the edges before a state demand, in order; extend the run first.
    pub fn constraints(&self, state: u32) -> &[Constraint] {
        let all = &self.machine.domain.constraints;
        // Those of the start count for every state.
        let count = all.partition_point(|c| c.step < state || c.why == Why::Input && c.step == 0);
        &all[..count]
    }

    /// Accesses before a state to objects that the program does not name, each once.
    pub fn accesses(&self, state: u32) -> impl Iterator<Item = Access> + '_ {
        let all = self.machine.domain.accesses.iter();
        all.take_while(move |(step, _)| *step < state)
            .map(|(_, access)| *access)
    }

    /// Inputs asked for before a state, those of the start first.
    pub fn inputs(&self, state: u32) -> &[PathInput] {
        let all = &self.machine.domain.inputs;
        let count =
            all.partition_point(|i| i.step < state || matches!(i.source, Source::Register(_)));
        &all[..count]
    }

    /// The value of a part of the state, as a term over inputs, first contents and bases.
    pub fn value(&mut self, terms: &mut Terms, run: &Run, part: StateVar, state: u32) -> Term {
        let domain = &mut self.machine.domain;
        std::mem::swap(terms, &mut domain.terms);
        let term = match part {
            StateVar::Register(reg) => domain.register(run, reg, state),
            StateVar::Memory(class) => domain.memory(class, state),
            StateVar::HeapTop => {
                let index = domain.heap.partition_point(|(s, _)| *s <= state);
                let v = domain.heap[index.saturating_sub(1)].1;
                domain.address(v)
            }
        };
        std::mem::swap(terms, &mut domain.terms);
        term
    }

    /// The value of a term of this run under the inputs, first contents and bases of `run`: this
    /// one or another that takes the same path.
    pub fn eval(&self, terms: &Terms, run: &Run, term: Term) -> Value {
        let domain = &self.machine.domain;
        let vars = domain.context.vars;
        let program = domain.context.program;
        let scalar = |variable: Term| {
            if let Some(base) = base_value(run, vars, variable) {
                return Some(Value::bv(u128::from(base), terms.width(variable)));
            }
            if let Some(&(step, reg)) = domain.library.get(&variable) {
                let ty = program.register(reg).ty;
                return Some(value_of(ty, program.model, run.register_at(reg, step + 1)));
            }
            let input = domain.inputs.iter().find(|i| i.var == variable)?;
            Some(match input.source {
                Source::Register(reg) => {
                    let ty = program.register(reg).ty;
                    value_of(ty, program.model, run.register_at(reg, 0))
                }
                Source::Value(n) => {
                    let bits = run.inputs.get(n)?.value;
                    match terms.sort(variable) {
                        Sort::Bool => Value::Bool(bits != 0),
                        Sort::Float(FloatFormat::X87) => {
                            Value::Float(FloatFormat::X87, float::x87_from_storage(bits))
                        }
                        Sort::Float(format) => Value::Float(format, format.canonical(bits)),
                        _ => Value::bv(bits, terms.width(variable)),
                    }
                }
                Source::Fresh {
                    number,
                    offset,
                    bytes,
                } => {
                    let address = run.refilled(number)?.wrapping_add(offset);
                    Value::bv(run.memory_at(address, bytes, input.step + 1), 8 * bytes)
                }
            })
        };
        eval_lazily(terms, term, scalar, |variable, address, bytes| {
            vars.initial_memory
                .contains(&variable)
                .then(|| run.memory_at(address, bytes, 0))
        })
    }

    /// How the machine ended, once it has.
    pub fn end(&self) -> Option<&crate::RunEnd> {
        self.machine.end.as_ref()
    }
}

impl Symbolic<'_> {
    fn constrain(&mut self, step: u32, term: Term, why: Why) {
        if term == self.terms.tru() {
            return;
        }
        if !self.library.is_empty() {
            let of_library = |v: &Term| self.library.contains_key(v);
            if self.terms.free_vars_of(&[term]).iter().any(of_library) {
                return self.fail(step, Unencodable::Library);
            }
        }
        self.constraints.push(Constraint { step, term, why });
    }

    fn fail(&mut self, step: u32, error: Unencodable) {
        self.failed.get_or_insert((step, error));
    }

    fn register(&mut self, run: &Run, reg: RegId, state: u32) -> Term {
        let written = run.code.registers[reg.index()];
        let global = written.slot & crate::code::FIXED != 0;
        let log = if global {
            self.globals
                .get((written.slot & !crate::code::FIXED) as usize)
        } else {
            let mut activation = run.activation_at(state);
            let owner = run.code.program.register(reg).owner;
            while activation != 0 && Some(run.activations()[activation as usize].proc) != owner {
                activation = self.callers[activation as usize];
            }
            let at = self.frames[activation as usize] + written.slot;
            self.logs.get(at as usize)
        };
        let kind = log.and_then(|log| {
            let index = log.partition_point(|(s, _)| *s <= state);
            index.checked_sub(1).map(|i| log[i].1)
        });
        let bits = run.register_at(reg, state);
        match kind {
            None if bits == 0 && !global => self.context.vars.register[reg.index()],
            _ => {
                let kind = kind.unwrap_or(Kind::Known);
                let low = SymVal {
                    bits: bits as u64,
                    kind,
                };
                let high = SymVal {
                    bits: (bits >> 64) as u64,
                    kind,
                };
                self.term([low, high], written.width, written.shape)
            }
        }
    }

    fn memory(&mut self, class: ClassId, state: u32) -> Term {
        let writes = self.classes[class.index()].count_at(state);
        self.array(class, writes)
    }

    fn base_index(&self, which: Base) -> u32 {
        let objects = self.context.program.objects.len() as u32;
        match which {
            Base::Object(o) => o.0,
            Base::Function(p) => objects + p.0,
            Base::Heap => objects + self.context.program.procedures.len() as u32,
        }
    }
}
