//! The machine: one interpreter of flat code, generic in its values.
//!
//! It can be stopped at any step and goes on from there, which is how the symbolic side extends a
//! run only as far as somebody asks.
//!
//! `start` prepares the first state, `execute` is the loop, `statements` and `calls` are the edges
//! that take longer.

mod calls;
mod execute;
mod restart;
mod start;
pub mod state;
mod statements;

pub use restart::Origin;

use crate::code::*;
use crate::domain::Domain;
use crate::end::{At, RunEnd, Trap};
use crate::layout::Layout;
use crate::memory::{Fault, Memory};
use crate::test::Test;
use prova_ir::{ObjectId, ProcId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far a run may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Edges.
    pub steps: u64,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes for memory and history together.
    pub memory: usize,
    /// Nested calls.
    pub depth: usize,
    /// Bytes of program output kept.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 1_000_000_000,
            time: None,
            memory: 2 << 30,
            depth: 100_000,
            output: 16 << 20,
        }
    }
}

/// An input a run asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedInput {
    /// Step of the edge that asked.
    pub step: u32,
    /// Position of that edge.
    pub position: u32,
    /// Width in bits.
    pub width: u8,
    /// Whether it is a pointer.
    pub pointer: bool,
    /// Whether it is a floating number.
    pub float: bool,
    /// What it got.
    pub value: u128,
    /// Whether the test gave it; otherwise the policy did.
    pub given: bool,
}

#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) proc: ProcId,
    return_pc: u32,
    return_position: u32,
    fp: usize,
    result: Option<Written>,
    entered: usize,
    allocated: usize,
}

/// A live instance of a frame object.
struct Entered {
    object: ObjectId,
    base: u64,
    at_home: bool,
}

/// The machine.
pub struct Machine<D: Domain> {
    pub(crate) code: Arc<Code>,
    /// Values and what is remembered.
    pub domain: D,
    pub(crate) test: Test,
    pub(crate) layout: Layout,
    limits: Limits,
    started: Instant,
    slots: Vec<D::V>,
    frames: Vec<Frame>,
    /// Memory as it is now.
    pub memory: Memory,
    pc: usize,
    fp: usize,
    step: u32,
    segment: (u32, u32),
    next_check: u32,
    heap_top: D::V,
    heap_used: u64,
    /// Where allocation went on, from each step that allocated.
    pub heap_tops: Vec<(u32, u64)>,
    entered: Vec<Entered>,
    allocated: Vec<u64>,
    at_home: Vec<bool>,
    entered_before: Vec<bool>,
    fresh: u32,
    next_input: usize,
    drawn: u64,
    /// Inputs asked for so far.
    pub inputs: Vec<UsedInput>,
    /// What the program printed.
    pub output: Vec<u8>,
    /// How it ended, once it has.
    pub end: Option<RunEnd>,
    /// Functions without a body that were called and not modelled, in order.
    pub unknown_calls: Vec<ProcId>,
}

/// How often limits other than steps are looked at.
const CHECK_EVERY: u32 = 1 << 18;

pub(crate) type Stop = Box<RunEnd>;

impl<D: Domain> Machine<D> {
    /// A machine that stands before the first edge. Ends at once if the test's layout is bad.
    pub fn new(code: Arc<Code>, domain: D, test: Test, limits: Limits) -> Self {
        let program = Arc::clone(&code.program);
        let memory = Memory::new(program.model, &test, limits.memory);
        let layout = match &test.layout {
            Some(layout) => layout.check(&program).map(|()| layout.clone()),
            None => Layout::sequential(&program),
        };
        let (layout, bad) = match layout {
            Ok(layout) => (layout, None),
            Err(e) => {
                let none = Layout {
                    objects: vec![0; program.objects.len()],
                    functions: vec![0; program.procedures.len()],
                    heap: 0,
                };
                (none, Some(RunEnd::Unsupported(e.to_string())))
            }
        };
        let mut machine = Machine {
            domain,
            test,
            limits,
            started: Instant::now(),
            slots: vec![D::V::default(); code.fixed as usize],
            frames: Vec::new(),
            memory,
            pc: 0,
            fp: code.fixed as usize,
            step: 0,
            segment: (0, 0),
            next_check: CHECK_EVERY,
            heap_top: D::known(layout.heap),
            heap_used: 0,
            heap_tops: Vec::new(),
            entered: Vec::new(),
            allocated: Vec::new(),
            at_home: vec![false; program.objects.len()],
            entered_before: vec![false; program.objects.len()],
            fresh: 0,
            next_input: 0,
            drawn: 0,
            inputs: Vec::new(),
            output: Vec::new(),
            end: bad,
            unknown_calls: Vec::new(),
            layout,
            code,
        };
        if machine.end.is_none() {
            if let Err(end) = machine.prepare(&program) {
                machine.end = Some(*end);
            }
        }
        machine
    }

    /// States passed so far.
    pub fn step(&self) -> u32 {
        self.step
    }

    #[inline(always)]
    fn index(&self, slot: Slot) -> usize {
        let frame = if slot & FIXED == 0 { self.fp } else { 0 };
        (slot & !FIXED) as usize + frame
    }

    #[inline(always)]
    fn get(&self, slot: Slot) -> D::V {
        self.slots[self.index(slot)]
    }

    fn pair(&self, slot: Slot) -> [D::V; 2] {
        let i = self.index(slot);
        [self.slots[i], self.slots[i + 1]]
    }

    #[inline(always)]
    fn set(&mut self, slot: Slot, value: D::V) {
        let i = self.index(slot);
        self.slots[i] = value;
    }

    fn set_pair(&mut self, slot: Slot, value: [D::V; 2]) {
        let i = self.index(slot);
        self.slots[i] = value[0];
        self.slots[i + 1] = value[1];
    }

    #[inline(always)]
    fn note_path(&mut self, position: u32) {
        if position != NO_POSITION {
            self.segment = (self.step, position);
            self.domain.path(self.step, position);
        }
    }

    /// The position of the edge about to run or running.
    pub(crate) fn position(&self) -> u32 {
        self.segment.1 + (self.step - self.segment.0)
    }

    pub(crate) fn here(&self) -> At {
        let place = self.code.places.get(self.position() as usize);
        match place {
            Some(place) => At {
                proc: place.proc,
                location: place.source,
            },
            None => At {
                proc: self.code.entry,
                location: prova_ir::LocId(0),
            },
        }
    }

    pub(crate) fn trap(&self, trap: Trap) -> Stop {
        Box::new(RunEnd::Trap(trap, self.here()))
    }

    pub(crate) fn read_fault(&self, fault: Fault, address: u64) -> Stop {
        match fault {
            Fault::Limit => memory_limit(),
            _ => self.trap(Trap::InvalidRead(address)),
        }
    }

    pub(crate) fn write_fault(&self, fault: Fault, address: u64) -> Stop {
        match fault {
            Fault::Limit => memory_limit(),
            Fault::Constant => self.trap(Trap::WriteToConstant(address)),
            Fault::Invalid => self.trap(Trap::InvalidWrite(address)),
        }
    }

    /// Runs until `until` edges have run or the run ends. True if it has ended.
    pub fn run_until(&mut self, until: u32) -> bool {
        if self.end.is_none() {
            if let Err(end) = self.execute(until) {
                self.end = Some(*end);
            }
        }
        self.end.is_some()
    }

    /// Runs to the end.
    pub fn run(&mut self) -> &RunEnd {
        self.run_until(u32::MAX);
        self.end
            .get_or_insert(RunEnd::StepLimit(u64::from(u32::MAX)))
    }

    fn check_limits(&mut self) -> Result<(), Stop> {
        self.next_check = self.step.saturating_add(CHECK_EVERY);
        if let Ok(limit) = u32::try_from(self.limits.steps) {
            if self.step >= limit {
                return Err(Box::new(RunEnd::StepLimit(self.limits.steps)));
            }
            self.next_check = self.next_check.min(limit);
        }
        if self.step == u32::MAX {
            return Err(Box::new(RunEnd::StepLimit(u64::from(u32::MAX))));
        }
        if self
            .limits
            .time
            .is_some_and(|t| self.started.elapsed() >= t)
        {
            return Err(Box::new(RunEnd::TimeLimit));
        }
        if self.domain.size() + self.memory.used() > self.limits.memory {
            return Err(memory_limit());
        }
        Ok(())
    }
}

pub(crate) fn unsupported(reason: impl Into<String>) -> Stop {
    Box::new(RunEnd::Unsupported(reason.into()))
}

fn memory_limit() -> Stop {
    Box::new(RunEnd::MemoryLimit)
}
