//! A finished run and what can be asked about it.

use crate::code::{Code, Place};
use crate::domain::Concrete;
use crate::end::{At, RunEnd};
use crate::history::{Activation, Fill, History};
use crate::layout::Layout;
use crate::machine::{Limits, Machine, UsedInput};
use crate::memory::Memory;
use crate::test::Test;
use prova_ir::{LocId, ProcId, RegId};
use std::sync::{Arc, OnceLock};

/// A run with its history. State k is the state after k edges; there are `steps() + 1` of them.
pub struct Run {
    /// The code that ran.
    pub code: Arc<Code>,
    /// What it ran on.
    pub test: Test,
    /// Where things lay.
    pub layout: Layout,
    /// How it ended.
    pub end: RunEnd,
    /// Inputs it asked for, in order.
    pub inputs: Vec<UsedInput>,
    /// What it printed.
    pub output: Vec<u8>,
    /// Functions without a body that were called and not modelled.
    pub unknown_calls: Vec<ProcId>,
    steps: u32,
    last: At,
    heap_tops: Vec<(u32, u64)>,
    history: History,
    memory: Memory,
    visits: OnceLock<Vec<Vec<Vec<u32>>>>,
}

/// How a run ended, without its history.
#[derive(Debug)]
pub struct Summary {
    /// How it ended.
    pub end: RunEnd,
    /// Edges taken.
    pub steps: u32,
    /// Inputs it asked for, in order.
    pub inputs: Vec<UsedInput>,
    /// What it printed.
    pub output: Vec<u8>,
    /// Functions without a body that were called and not modelled.
    pub unknown_calls: Vec<ProcId>,
}

/// Runs a test and forgets how.
pub fn run_plain(code: &Arc<Code>, test: &Test, limits: Limits) -> Summary {
    let domain = Concrete::<false>::default();
    let mut machine = Machine::new(Arc::clone(code), domain, test.clone(), limits);
    let end = machine.run().clone();
    Summary {
        end,
        steps: machine.step(),
        inputs: machine.inputs,
        output: machine.output,
        unknown_calls: machine.unknown_calls,
    }
}

impl Run {
    /// Runs a test to its end and remembers everything.
    pub fn new(code: &Arc<Code>, test: &Test, limits: Limits) -> Run {
        let domain = Concrete::<true>::default();
        let mut machine = Machine::new(Arc::clone(code), domain, test.clone(), limits);
        let end = machine.run().clone();
        let last = end.at().unwrap_or_else(|| machine.here());
        Run {
            code: Arc::clone(code),
            test: test.clone(),
            layout: machine.layout.clone(),
            end,
            steps: machine.step(),
            last,
            inputs: machine.inputs,
            output: machine.output,
            unknown_calls: machine.unknown_calls,
            heap_tops: machine.heap_tops,
            history: machine.domain.history,
            memory: machine.memory,
            visits: OnceLock::new(),
        }
    }

    /// Edges taken. The edge that trapped or whose assumption failed is not among them.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The position of the edge taken at a step.
    pub fn position_at(&self, step: u32) -> Option<u32> {
        if step >= self.steps {
            return None;
        }
        let (start, position) = self.history.path.at(step)?;
        Some(position as u32 + (step - start))
    }

    /// The edge taken at a step; `edge` is `None` for a return.
    pub fn edge_at(&self, step: u32) -> Option<Place> {
        self.position_at(step).map(|p| self.code.places[p as usize])
    }

    /// Where execution stands at a state.
    pub fn location_at(&self, state: u32) -> At {
        match self.edge_at(state) {
            Some(place) => At {
                proc: place.proc,
                location: place.source,
            },
            None => self.last,
        }
    }

    /// The call running at a state.
    pub fn activation_at(&self, state: u32) -> u32 {
        self.history.activation_at(state)
    }

    /// All calls, in order.
    pub fn activations(&self) -> &[Activation] {
        &self.history.activations
    }

    /// Memory that got arbitrary contents, in order.
    pub fn fills(&self) -> &[Fill] {
        &self.history.fills
    }

    /// The pages of the unknown zone that were touched, by increasing address.
    pub fn unknown_pages(&self) -> Vec<u64> {
        self.memory.zone_pages()
    }

    /// A register's bits at a state: the innermost running call's own; zero if it was never
    /// written or its procedure is not running.
    pub fn register_at(&self, reg: RegId, state: u32) -> u128 {
        self.register_written(reg, state)
            .map_or(0, |(_, value)| value)
    }

    /// As [`Run::register_at`], with the state at which the value was written.
    pub fn register_written(&self, reg: RegId, state: u32) -> Option<(u32, u128)> {
        let register = self.code.registers[reg.index()];
        let mut activation = 0;
        if let Some(owner) = self.code.program.register(reg).owner {
            activation = self.activation_at(state);
            while self.history.activations.get(activation as usize)?.proc != owner {
                if activation == 0 {
                    return None;
                }
                activation = self.history.activations[activation as usize].caller;
            }
        }
        self.history
            .register_at(activation, register.slot, register.width > 64, state)
    }

    /// A register of one particular call.
    pub fn register_of(&self, activation: u32, reg: RegId, state: u32) -> u128 {
        let register = self.code.registers[reg.index()];
        let wide = register.width > 64;
        let found = self
            .history
            .register_at(activation, register.slot, wide, state);
        found.map_or(0, |(_, value)| value)
    }

    /// The bytes at an address at a state, at most 16, as a little-endian number; whether or not
    /// something lives there.
    pub fn memory_at(&self, address: u64, bytes: u32, state: u32) -> u128 {
        let mut value = 0u128;
        let mut at = address;
        let end = address.wrapping_add(u64::from(bytes));
        let mut shift = 0;
        while at != end && shift < 128 {
            let word = at & !7;
            let content = self
                .history
                .word_at(word, state)
                .unwrap_or_else(|| self.memory.word(word));
            let skip = at - word;
            let take = (8 - skip).min(end.wrapping_sub(at));
            let part = (content >> (8 * skip)) & (u64::MAX >> (64 - 8 * take));
            value |= u128::from(part) << shift;
            shift += 8 * take as u32;
            at = at.wrapping_add(take);
        }
        value
    }

    /// The state at which any of these bytes (or their neighbours in the same word) was last
    /// written, at a state.
    pub fn memory_written(&self, address: u64, bytes: u32, state: u32) -> u32 {
        self.history.written_at(address, u64::from(bytes), state)
    }

    /// Where the n-th `Havoc` or repeated `Enter` gave memory new contents.
    pub fn refilled(&self, number: u32) -> Option<u64> {
        let mut fills = self.history.fills.iter();
        fills.find(|f| f.number == Some(number)).map(|f| f.address)
    }

    /// Where the next allocation goes, at a state.
    pub fn heap_top_at(&self, state: u32) -> u64 {
        let before = self.heap_tops.partition_point(|&(step, _)| step < state);
        if before == 0 {
            self.layout.heap
        } else {
            self.heap_tops[before - 1].1
        }
    }

    /// All states at which a location was passed, in order. The first question makes the answers
    /// for all locations.
    pub fn visits(&self, proc: ProcId, location: LocId) -> &[u32] {
        let all = self.visits.get_or_init(|| self.all_visits());
        all.get(proc.index())
            .and_then(|p| p.get(location.index()))
            .map_or(&[], |states| states.as_slice())
    }

    fn all_visits(&self) -> Vec<Vec<Vec<u32>>> {
        let program = &self.code.program;
        let mut found: Vec<Vec<Vec<u32>>> = program
            .procedures
            .iter()
            .map(|p| vec![Vec::new(); p.body.as_ref().map_or(0, |b| b.locations.len())])
            .collect();
        for (step, place) in self.path() {
            found[place.proc.index()][place.source.index()].push(step);
        }
        let at = self.last;
        if let Some(states) = found
            .get_mut(at.proc.index())
            .and_then(|p| p.get_mut(at.location.index()))
        {
            states.push(self.steps);
        }
        found
    }

    /// The whole path in order, one entry per step.
    pub fn path(&self) -> impl Iterator<Item = (u32, Place)> + '_ {
        let mut segments = self.history.path.entries().peekable();
        let mut current = (0, 0);
        (0..self.steps).map(move |step| {
            while let Some(&(start, position)) = segments.peek() {
                if start > step {
                    break;
                }
                current = (start, position as u32);
                segments.next();
            }
            let position = current.1 + (step - current.0);
            (step, self.code.places[position as usize])
        })
    }

    /// Bytes the history takes.
    pub fn size(&self) -> usize {
        self.history.size() + self.memory.used()
    }
}
