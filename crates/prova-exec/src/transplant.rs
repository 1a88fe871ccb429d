//! A test of one form of a program made a test of another: of the program as written, say, where
//! it was found after inlining and slicing.
//!
//! Input values carry over as they are, since all passes keep their number and order. First
//! contents of memory are keyed by address, and objects lie elsewhere in the other form; but
//! memory gets its contents by the same statements in the same order (inlining copies them,
//! slicing keeps them), so the n-th [`Fill`](crate::history::Fill) of one run is the n-th of the
//! other. Globals, arguments and objects declared elsewhere carry over by name, unknown objects by
//! address: they lie in a zone of their own.
//!
//! Where objects lie does not carry over: a test that depends on it fails in its new place.

use crate::code::Code;
use crate::layout::unknown_zone;
use crate::machine::Limits;
use crate::memory::PAGE;
use crate::run::Run;
use crate::test::{Exhausted, Policy, Test};
use prova_ir::{Program, RegId, Storage};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes by offset; those not named are zero.
pub type Bytes = BTreeMap<u64, u8>;

/// What a run was given, told without addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Input values in the order in which they were asked for.
    pub values: Vec<u128>,
    /// First values of registers that started arbitrary, by name.
    pub registers: BTreeMap<String, u128>,
    /// Contents of objects that are declared elsewhere, by name.
    pub objects: BTreeMap<String, Bytes>,
    /// What the n-th piece of memory that got arbitrary contents was filled with.
    pub fills: Vec<Bytes>,
    /// Contents of unknown objects, by address.
    pub unknown: Bytes,
}

/// Larger pieces of memory are not looked at byte by byte when their contents are random.
const LARGEST: u64 = 1 << 20;

/// Rounds after which [`Given::onto`] stops; each gets right all contents up to a branch that the
/// round before decided wrongly.
const ROUNDS: usize = 64;

impl Given {
    /// What a run was given.
    pub fn of(run: &Run) -> Given {
        let program = &run.code.program;
        let mut given = Given {
            values: run.inputs.iter().map(|i| i.value).collect(),
            ..Given::default()
        };
        for (name, reg) in arbitrary_registers(program) {
            let value = run.register_at(reg, 0);
            if value != 0 {
                given.registers.insert(name.to_owned(), value);
            }
        }
        for (i, object) in program.objects.iter().enumerate() {
            if matches!(object.storage, Storage::External) {
                let bytes = contents(run, run.layout.objects[i], object.size, 0);
                if !bytes.is_empty() {
                    given.objects.insert(object.name.clone(), bytes);
                }
            }
        }
        for fill in run.fills() {
            given.fills.push(match fill.number {
                None => contents(run, fill.address, fill.size, fill.step + 1),
                Some(number) => fresh(run, number, fill.address, fill.size, fill.step + 1),
            });
        }
        if matches!(run.test.rest, Policy::Seeded(_)) {
            for page in run.unknown_pages() {
                let bytes = contents(run, page, PAGE as u64, 0);
                given
                    .unknown
                    .extend(bytes.into_iter().map(|(o, b)| (page + o, b)));
            }
        } else {
            let zone = unknown_zone(program.model);
            let named = run.test.contents.range(zone).map(|(&a, &b)| (a, b));
            given.unknown.extend(named.filter(|(_, b)| *b != 0));
        }
        given
    }

    /// The test that gives a run of another form of the program the same, and that run. What is
    /// left over when the other program asks for less, or memory it gets beyond what was given, is
    /// zero.
    pub fn onto(&self, code: &Arc<Code>, limits: Limits) -> (Test, Run) {
        let program = &code.program;
        let mut test = Test {
            values: self.values.clone(),
            rest: Policy::Zero,
            exhausted: Exhausted::Stop,
            ..Test::default()
        };
        for (name, reg) in arbitrary_registers(program) {
            if let Some(&value) = self.registers.get(name) {
                test.registers.insert(reg, value);
            }
        }
        test.contents.extend(&self.unknown);
        let mut run = Run::new(code, &test, limits);
        for (i, object) in program.objects.iter().enumerate() {
            for (offset, byte) in self.objects.get(&object.name).into_iter().flatten() {
                let address = run.layout.objects[i] + offset;
                test.contents.insert(address, *byte);
            }
        }
        for _ in 0..ROUNDS {
            let mut next = test.clone();
            for (fill, bytes) in run.fills().iter().zip(&self.fills) {
                for (&offset, &byte) in bytes.range(..fill.size) {
                    match fill.number {
                        None => next.contents.insert(fill.address + offset, byte),
                        Some(number) => next.fresh.insert((number, offset), byte),
                    };
                }
            }
            if next == run.test {
                break;
            }
            run = Run::new(code, &next, limits);
        }
        (run.test.clone(), run)
    }
}

/// Registers whose first value the test says: globals without one, and the entry's own.
fn arbitrary_registers(program: &Program) -> impl Iterator<Item = (&str, RegId)> {
    let entry = program.entry;
    let registers = program.registers.iter().enumerate();
    registers.filter_map(move |(i, register)| {
        let starts = register.owner.is_none() || register.owner == entry;
        (starts && register.initial.is_none()).then_some((register.name.as_str(), RegId::new(i)))
    })
}

/// What lies in a range that nobody wrote before `state`; zeros left out.
fn contents(run: &Run, address: u64, size: u64, state: u32) -> Bytes {
    match run.test.rest {
        Policy::Seeded(_) => scan(run, address, size, state),
        Policy::Zero | Policy::SeededInputs(_) => {
            let named = run.test.contents.range(address..address + size);
            let offsets = named.map(|(&a, &b)| (a - address, b));
            offsets.filter(|(_, b)| *b != 0).collect()
        }
    }
}

/// What a range was given anew; zeros left out.
fn fresh(run: &Run, number: u32, address: u64, size: u64, state: u32) -> Bytes {
    match run.test.rest {
        Policy::Seeded(_) => scan(run, address, size, state),
        Policy::Zero | Policy::SeededInputs(_) => {
            let named = run.test.fresh.range((number, 0)..(number, size));
            let offsets = named.map(|(&(_, o), &b)| (o, b));
            offsets.filter(|(_, b)| *b != 0).collect()
        }
    }
}

fn scan(run: &Run, address: u64, size: u64, state: u32) -> Bytes {
    let byte = |o: u64| run.memory_at(address + o, 1, state) as u8;
    let offsets = (0..size.min(LARGEST)).map(|o| (o, byte(o)));
    offsets.filter(|(_, b)| *b != 0).collect()
}
